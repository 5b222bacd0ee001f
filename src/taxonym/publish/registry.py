"""All ways to mask records, by name: those that form groups and publish one record for each, those whose values rise in
the taxonomy, and noise, which masks every value for itself and promises no k."""

from dataclasses import dataclass

from taxonym.group.registry import GROUPINGS


@dataclass(frozen=True, slots=True)
class Masking:
    """One way to mask. `how` says which part of the engine does it."""

    name: str
    how: str
    paper: str
    about: str


METHODS = {
    **{g.name: Masking(g.name, "groups", g.paper, g.about) for g in GROUPINGS.values()},
    "generalize": Masking(
        "generalize", "generalize", "Martinez2012", "values rise in the taxonomy until enough records are alike"
    ),
    "noise": Masking("noise", "noise", "RodriguezGarcia2015", "every value becomes another at random; no k"),
}
