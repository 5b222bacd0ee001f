"""All ways to form groups of at least k records from distances, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from taxonym.errors import BadPlan

MOST_PASSES = 4  # over blocks: each leaves out another quarter of the axes


@dataclass(frozen=True, slots=True, kw_only=True)
class Masking:
    """One way to mask records. `how` is its family, which says what its settings are; `masks` is the module:function of
    the room `methods` that does it; `at_once` says why it cannot work block by block, if it cannot."""

    name: str
    paper: str
    about: str
    how: str = "groups"
    masks: str = ".microaggregation:microaggregated"
    at_once: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping(Masking):
    """One way to form groups, which publish one record each. `where` is module:function, so that nothing is compiled
    before it is used; a module that begins with a dot is one of this room. `settings` are those of the plan's method
    that it takes beside k."""

    where: str
    settings: tuple[str, ...] = ()

    @property
    def form(self) -> Callable[..., list[list[int]]]:
        """The function: (distances, k) -> groups, lists of row numbers."""
        module, function = self.where.split(":")
        found: Callable[..., list[list[int]]] = getattr(import_module(module, __package__), function)
        return found

    def forming(self, method: Any) -> Callable[..., list[list[int]]]:
        """The same with what a plan's method says."""
        return partial(self.form, **{name: getattr(method, name) for name in self.settings})


GROUPINGS = {
    g.name: g
    for g in (
        Grouping(
            name="mdav",
            where=".mdav:mdav",
            paper="NavarroArribas2010",
            about="groups of k around the records farthest from the middle",
        ),
        Grouping(
            name="adaptive-mdav",
            where=".adaptive:adaptive_mdav",
            settings=("growth",),
            paper="ImranDaud2022",
            about="sizes follow the data: a group grows while records are about as close as its own",
        ),
        # the search is ours; what it makes small is the paper's sum of distances to the medoid (eq. 7)
        Grouping(
            name="refined",
            where=".refine:refined",
            paper="Batet2014",
            about="local search from a good start; never worse than mdav",
        ),
    )
}


def grouping_named(name: str) -> Grouping:
    """The way with this name, or one clear complaint."""
    if name not in GROUPINGS:
        raise BadPlan(f"method: {name!r} forms no groups. Choose one of {', '.join(GROUPINGS)}.")
    return GROUPINGS[name]
