"""All concept distances by name: definition, fast twin, paper."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from taxonym.distance import concept
from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Floats
from taxonym.knowledge.content import content
from taxonym.knowledge.taxonomy import Taxonomy

if TYPE_CHECKING:
    from taxonym.distance.kernels import Columns
    from taxonym.knowledge.arrays import Ints


@dataclass(frozen=True, slots=True)
class ConceptDistance:
    """A distance between concepts. `informed` ones also need the information content of every concept."""

    name: str
    formula: Callable[..., float]
    paper: str
    metric: bool = False
    informed: bool = False

    def define(self, tax: Taxonomy, a: int, b: int, ic: Floats | None = None) -> float:
        """The definition; `ic` is the information content of every concept (Seco's unless given)."""
        if self.informed:
            return self.formula(tax, a, b, content(tax) if ic is None else ic)
        return self.formula(tax, a, b)

    @property
    def kernel(self) -> "Callable[[Columns, Ints, Floats | None, Floats], None]":
        """The fast twin, which has the definition's name; without one, the definition for every pair. It is compiled,
        so it is imported only when asked for."""
        twin: Callable[[Columns, Ints, Floats | None, Floats], None]
        twin = getattr(import_module("taxonym.distance.kernels"), self.formula.__name__, self._every_pair)
        return twin

    def _every_pair(self, view: "Columns", rows: "Ints", ic: Floats | None, out: Floats) -> None:
        out[:] = [[self.define(view.tax, int(a), int(b), ic) for b in view.codes] for a in rows]


DISTANCES = {
    d.name: d
    for d in (
        ConceptDistance("jaccard", concept.jaccard, "Batet2014", metric=True),
        ConceptDistance("log", concept.log_jaccard, "ImranDaud2022", metric=True),
        ConceptDistance("path", concept.path, "Martinez2012"),
        ConceptDistance("wu-palmer", concept.wu_palmer, "RodriguezGarcia2015"),
        ConceptDistance("wu-palmer-links", concept.wu_palmer_links, "Martinez2012"),
        ConceptDistance("equal", concept.equal, "Batet2014", metric=True),
        ConceptDistance("leacock-chodorow", concept.leacock_chodorow, "LeacockChodorow1998"),
        ConceptDistance("resnik", concept.resnik, "Resnik1995", informed=True),
        ConceptDistance("lin", concept.lin, "Lin1998", informed=True),
        ConceptDistance("jiang-conrath", concept.jiang_conrath, "JiangConrath1997", informed=True),
    )
}


def distance_named(measure: str) -> ConceptDistance:
    """The distance with this name, or one clear complaint."""
    if measure not in DISTANCES:
        raise BadPlan(f"measure: {measure!r} is not known. Choose one of {', '.join(DISTANCES)}.")
    return DISTANCES[measure]


def concept_distance(
    tax: Taxonomy, a: int, b: int, measure: str = "jaccard", *, content: str | Floats = "seco"
) -> float:
    """How far apart two concepts (codes) are, from 0 (the same) to 1.

    `content` names the information content that resnik, lin and jiang-conrath use (seco, sanchez or corpus), or is an
    array of your own with one number between 0 and 1 per concept.
    """
    chosen = distance_named(measure)
    tax.depth(a), tax.depth(b)  # says which code is no code
    return chosen.define(tax, a, b, content_for(chosen, tax, content))


def content_for(chosen: ConceptDistance, tax: Taxonomy, which: str | Floats) -> Floats | None:
    """The information content, where the distance asks for one."""
    return content(tax, which) if chosen.informed else None
