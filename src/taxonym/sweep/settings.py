"""What is tried: method × aggregate × measure × k, on one plan."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from taxonym.distance.attributes import MATCHINGS
from taxonym.distance.record import Compare
from taxonym.distance.registry import DISTANCES
from taxonym.distance.sets import AGGREGATIONS
from taxonym.errors import BadPlan
from taxonym.plan import EQUAL_TERMS, Plan, american, usual_measure, with_settings
from taxonym.publish.registry import METHODS
from taxonym.records.column import Column, one_of

SIZES = (2, 3, 5, 10)
_COMPARED = ("groups", "generalize")  # ways to mask that promise a k
_INDEPENDENT = ("lin", "wu-palmer", "jiang-conrath", "path", "log", "jaccard")  # the first that guided nothing judges


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. Generalisation looks at no distance, so it has neither aggregate nor measure; where there are no
    sets to compare, there is no aggregate."""

    method: str
    aggregate: str | None
    measure: str | None
    k: int

    def __str__(self) -> str:
        by = " over ".join(filter(None, (self.aggregate, self.measure)))
        return ", ".join(filter(None, (self.method, by, f"k = {self.k}")))

    @property
    def file(self) -> str:
        """The name of its cell."""
        return "_".join(filter(None, (self.method, self.aggregate, self.measure, f"k{self.k}"))) + ".json"

    def as_data(self) -> dict[str, Any]:
        return asdict(self)

    def plan(self, plan: Plan, seed: int | None = None) -> Plan:
        """The plan with this setting, and with the seed of the sweep."""
        changed: dict[str, Any] = {"name": self.method, "k": self.k, "seed": seed}
        if self.aggregate:
            changed["aggregate"] = self.aggregate
        shape = plan.shape
        if self.measure:
            own = shape is not None and hasattr(shape, "measure")
            shape = replace(shape, measure=self.measure) if shape is not None and own else shape
            changed["measure"] = "" if own else self.measure  # the usual one leaves it to the shape
        return replace(plan, shape=shape, method=with_settings(plan.method, **changed))


def moved(plan: Plan, folder: Path) -> Plan:
    """The plan as it reads in another folder: files that lie beside it are named from there."""

    def named(file: str | None) -> str | None:
        beside = None if file is None or plan.folder is None else plan.folder / file
        return os.path.relpath(beside, folder) if beside is not None and beside.exists() else file

    def column(one: Column) -> Column:
        files: dict[str, Any] = {key: named(getattr(one, key)) for key in ("topics_file", "overrides", "subject")}
        return replace(one, taxonomy=tuple(str(named(name)) for name in one.taxonomy), **files)

    columns = {name: column(one) for name, one in plan.columns.items()}
    return replace(plan, columns=columns, input=replace(plan.input, path=named(plan.input.path)))


@dataclass(frozen=True, slots=True)
class SweepSettings:
    """The settings of a sweep, and why some of them cannot be tried."""

    every: list[Setting]
    refused: dict[Setting, str]

    @property
    def tried(self) -> list[Setting]:
        return [setting for setting in self.every if setting not in self.refused]


def settings_of(
    plan: Plan,
    ks: Iterable[int] = SIZES,
    methods: Iterable[str] | None = None,
    aggregates: Iterable[str] | None = None,
    measures: Iterable[str] | None = None,
) -> SweepSettings:
    """Every setting once, by k; a mistake is told before anything is tried, and so is that nothing can be.

    Unless given: all methods that the columns allow, and the aggregate and the measure of the plan.
    """
    if METHODS[plan.method.name].how not in _COMPARED:
        raise BadPlan(
            f"compare: this plan masks by {plan.method.name!r}, which promises no k. Give a plan whose method forms "
            f"groups or generalises."
        )
    sizes = sorted(set(ks))
    if not sizes:
        raise BadPlan("compare: name at least one k.")
    names = _methods(plan) if methods is None else [american(name, METHODS) for name in methods]
    for name in names:
        one_of("method.name", name, METHODS)
    how, no_sets = plan.method, "" if plan.shape is None else plan.shape.no_sets
    if no_sets and aggregates is not None:
        raise BadPlan(f"aggregate: {no_sets} Leave it out.")
    ways = [None if no_sets else how.aggregate] if aggregates is None else list(aggregates)
    for way in filter(None, ways):
        one_of("method.aggregate", way, [*AGGREGATIONS, *MATCHINGS])
    for measure in measures or ():
        one_of("method.measure", measure, [*DISTANCES, EQUAL_TERMS])
    for k in sizes:
        if not isinstance(k, int) or k < 2:
            raise BadPlan(f"method.k: must be {'at least 2' if isinstance(k, int) else 'a whole number'}, got {k!r}.")
    found: dict[Setting, None] = {}
    for k, name, aggregate in product(sizes, names, ways):
        if METHODS[name].how != "groups":
            found[Setting(name, None, None, k)] = None
            continue
        own = _measure(plan) if aggregate in (None, how.aggregate) else usual_measure(aggregate)
        for measure in [own] if measures is None else measures:
            found[Setting(name, aggregate, measure, k)] = None
    refused = {setting: why for setting in found if (why := _unfit(setting, plan))}
    if len(refused) == len(found):
        raise BadPlan(next(iter(refused.values())))
    return SweepSettings(list(found), refused)


def _unfit(setting: Setting, plan: Plan) -> str | None:
    """Why a setting cannot be tried with a plan, if it cannot."""
    how = METHODS[setting.method].how
    if how not in _COMPARED:
        return f"compare: {setting.method!r} promises no k, so it has no place in a table by k."
    if how == "generalize" and plan.shape is not None:
        return f"compare: {setting.method!r} is for tables; logs and documents are published in groups."
    try:
        setting.plan(plan)
    except BadPlan as error:
        return str(error)
    return None


def _measure(plan: Plan) -> str:
    """The distance between concepts that a plan names: for documents, [documents] may name it."""
    own: str | None = getattr(plan.shape, "measure", None)
    return own if own and plan.method.measure == plan.method.usual_measure else plan.method.measure


def _methods(plan: Plan) -> list[str]:
    """Those that form groups or generalise, as far as the columns allow."""
    lines = plan.shape is not None or any(
        c.role == "quasi-identifier" and c.kind in ("number", "date") for c in plan.columns.values()
    )
    ways = ("groups",) if lines else _COMPARED
    return [name for name, method in METHODS.items() if method.how in ways]


@dataclass(frozen=True, slots=True)
class Judges:
    """Two distances, the same for all settings: a common one, and one that guided no grouping of the sweep."""

    common: Compare
    another: Compare
    sets: bool = True  # whether there are sets to compare

    @classmethod
    def of(cls, plan: Plan, settings: Sequence[Setting]) -> "Judges":
        """min-sum over jaccard, which is 0 for equal sets only; and min-sum over the first that no setting uses."""
        common = Compare(content=plan.method.content)
        guided = {common.measure, *(setting.measure for setting in settings)}
        another = next((name for name in _INDEPENDENT if name not in guided), None)
        if another is None:
            raise BadPlan(f"compare: leave out one measure of {', '.join(_INDEPENDENT)}: it is needed as a judge.")
        return cls(common, replace(common, measure=another), plan.shape is None or not plan.shape.no_sets)

    def as_data(self) -> dict[str, Any]:
        return {
            name: {"aggregate": how.aggregate if self.sets else None, "measure": how.measure}
            for name, how in (("common", self.common), ("another", self.another))
        }
