"""All ways to form groups of at least k records from distances, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from taxonym.errors import BadPlan

MOST_PASSES = 4  # over blocks: each leaves out another quarter of the axes


@dataclass(frozen=True, slots=True)
class Grouping:
    """One way to form groups. `where` is module:function, so that nothing is compiled before it is used."""

    name: str
    where: str
    paper: str
    about: str

    @property
    def form(self) -> Callable[..., list[list[int]]]:
        """The function: (distances, k) -> groups, lists of row numbers."""
        module, function = self.where.split(":")
        found: Callable[..., list[list[int]]] = getattr(import_module(f"taxonym.group.{module}"), function)
        return found


GROUPINGS = {
    g.name: g
    for g in (
        Grouping("mdav", "mdav:mdav", "NavarroArribas2010", "groups of k around the records farthest from the middle"),
        Grouping(
            "adaptive-mdav",
            "adaptive:adaptive_mdav",
            "ImranDaud2022",
            "sizes follow the data: a group grows while records are about as close as its own",
        ),
        # the search is ours; what it makes small is the paper's sum of distances to the medoid (eq. 7)
        Grouping("refined", "refine:refined", "Batet2014", "local search from a good start; never worse than mdav"),
    )
}


def grouping_named(name: str) -> Grouping:
    """The way with this name, or one clear complaint."""
    if name not in GROUPINGS:
        raise BadPlan(f"method: {name!r} forms no groups. Choose one of {', '.join(GROUPINGS)}.")
    return GROUPINGS[name]
