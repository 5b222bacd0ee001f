"""l-diversity and t-closeness as promises of a run: groups are merged until they hold, and the release is recounted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.distance.record import Compare, Part, record_matrix, record_pairs
from taxonym.errors import BadPlan, BrokenPromise, BrokenRelease
from taxonym.executor.machine import Machine
from taxonym.group.merge import Between, merge
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Groups, Long, Mask
from taxonym.knowledge.runs import frozen
from taxonym.measure.diversity import EXACT, Closeness, diversity, members
from taxonym.methods.confidential import AttributeValues, watched
from taxonym.methods.whole_row import WholeRows
from taxonym.plan import EQUAL_TERMS, Method, Plan
from taxonym.records.records import Records, parts_of

_PAIRS = 1 << 18  # distances within groups that are computed at a time


def promised(method: Method) -> dict[str, Any]:
    """What a plan promises beyond k, as a report tells it."""
    made: dict[str, Any] = {} if method.l is None else {"l": method.l, "l_kind": method.l_kind}
    return made if method.t is None else made | {"t": method.t, "t_distance": method.t_distance}


@dataclass(frozen=True, slots=True, eq=False)
class ConfidentialRule:
    """The attributes that are watched in some units, and what the plan promises about them."""

    units: Records
    plan: Plan
    attributes: list[AttributeValues]
    whole: list[Long]

    @classmethod
    def of(cls, units: Records, plan: Plan, progress: Progress = SILENCE) -> "ConfidentialRule":
        found = watched(units, plan, progress)
        if promised(plan.method) and not found:
            key = "t" if plan.method.l is None else "l"
            raise BadPlan(
                f"method.{key}: no column is watched, since none that is confidential or has topics can be read. "
                f"Give a column the role 'confidential', or topics and a taxonomy."
            )
        return cls(units, plan, found, [one.attribute.whole() for one in found])

    @classmethod
    def promised(cls, units: Records, plan: Plan, progress: Progress = SILENCE) -> "ConfidentialRule | None":
        """None where nothing is promised, so that nothing needs to be watched."""
        return cls.of(units, plan, progress) if promised(plan.method) else None

    # ------------------------------------------------------------------ keeping

    def lacking(self, everybody: Long) -> Callable[[Long], tuple[float, str]]:
        """How much a group lacks of what is promised, and which promise and column that is; `everybody` is published.

        l is lacking by the share that is missing, t by how far it is too large; of several the largest counts.
        """
        method = self.plan.method
        close = [Closeness(one.attribute, everybody, method.t_distance == "semantic") for one in self.attributes]

        def lacks(group: Long) -> tuple[float, str]:
            worst = (0.0, "")
            group = group[self.units.rows.sizes[group] > 0]  # who has no row left is not published
            if not len(group):
                return worst
            for one, whole, distance in zip(self.attributes, self.whole, close, strict=True):
                if method.l is not None:
                    found = diversity(one.attribute, group, whole)
                    reached = found.distinct if method.l_kind == "distinct" else found.entropy
                    if reached < method.l - EXACT:
                        worst = max(worst, (1 - reached / method.l, f"{method.l_kind} l = {method.l} in {one}"))
                if method.t is not None and (more := distance.beyond(method.t, group)):
                    worst = max(worst, (more, f"t = {method.t:g} ({method.t_distance}) in {one}"))
            return worst

        return lacks

    def kept_rows(
        self, whole: WholeRows, told: Callable[[Groups], WholeRows], progress: Progress = SILENCE
    ) -> WholeRows:
        """What groups publish, or those that they were merged to, so that the promises hold for the rows that are
        published: who is left out, and rows that are cut, change what a class gives away. `told` says what groups
        publish. Groups become fewer in every round, so there is a last one."""
        while whole.groups:
            rule = self._among(whole.released) if whole.cut else self
            merged = rule.keep(whole.groups, progress=progress)
            if merged == whole.groups:
                break
            whole = told(merged)
        return whole

    def _among(self, released: Mask) -> "ConfidentialRule":
        """The same of some of the rows of all units, one unit after the other."""
        return ConfidentialRule.of(self.units.released(self.units.rows.codes[released].tolist()), self.plan)

    def keep(
        self, groups: Groups, between: Between | None = None, progress: Progress = SILENCE, *, final: bool = True
    ) -> Groups:
        """Groups that hold, made by merging near ones of the same block; refuse where a whole block does not hold.

        What all groups together publish is what t compares with. `between` gives the distances between groups; unless
        it is given, that of their medoids by the run's own distance. Where rows may be cut (Records.several_rows) the
        rows of a merged group are others than those of its parts: a block that does not hold comes back as one group
        then, and is refused only if it was one and its rows are `final`.
        """
        everybody = np.array(sorted(unit for group in groups for unit in group), np.int64)
        everybody = everybody[self.units.rows.sizes[everybody] > 0]
        lacks = self.lacking(everybody)
        progress.start("l-diversity and t-closeness")
        block, of = self.units.block, [int(self.units.block[group[0]]) for group in groups]
        whole: Groups = []
        for number in sorted(set(of)):
            lack, what = lacks(everybody[block[everybody] == number])
            if not lack:
                continue
            own = [group for group, its in zip(groups, of, strict=True) if its == number]
            if not self.units.several_rows or (final and len(own) == 1):
                raise BrokenPromise(self._refusal(what))
            whole.append(sorted(unit for group in own for unit in group))
        lost = {int(block[group[0]]) for group in whole}
        others = [group for group, its in zip(groups, of, strict=True) if its not in lost]
        made = merge(others, lambda group: lacks(group)[0], between or self._between, block) if others else []
        progress.finish()
        united = [group for group in whole if of.count(int(block[group[0]])) > 1]
        return groups if made == others and not united else sorted([*made, *whole])

    def _refusal(self, what: str) -> str:
        table = self.units.table
        others = [name for name, column in table.columns.items() if column.role == "other"]
        whom = "all persons with the same other columns" if others else "all published persons"
        lower = "Leave l or this column out" if self.plan.method.l == 2 else "Choose a smaller l"
        fix = "Choose a larger t" if what.startswith("t ") else lower
        fewer = ", or publish fewer 'other' columns" if others else ""
        return f"{table.where}: {what} cannot be kept, even with {whom} in one group. {fix}{fewer}."

    def _between(self, groups: Groups) -> NDArray[np.generic]:
        """The distances between the medoids of groups."""
        raw = self.plan.method.measure == EQUAL_TERMS
        parts, how = parts_of(self.units.columns, raw), self.plan.method.compare
        need = len(groups) ** 2 * (2 if len(parts) == 1 else 6)
        Machine.of().check(need, self.units.table.where, f"l and t, kept by merging {len(groups):,} groups,")
        return record_matrix(parts, medoids(parts, groups, how), how)

    # ------------------------------------------------------------------ recounting

    def broken(self, number: Long, unit: Long) -> list[str]:
        """The promises that fail in a table whose row i is in class number[i] and stands for unit[i]."""
        classes, everybody = _classes(number, unit)
        lacks = self.lacking(everybody)
        found = [what for lack, what in map(lacks, classes) if lack]
        return [f"{what} fails in {found.count(what):,} of {len(classes):,} classes" for what in sorted(set(found))]

    def check(self, number: Long, unit: Long) -> None:
        """Raise if a promise fails in such a table."""
        if failed := self.broken(number, unit):
            raise BrokenRelease(f"{'; '.join(failed)}", ours=True)

    def figures(self, number: Long, unit: Long) -> list[dict[str, Any]]:
        """What was reached, attribute by attribute; see privacy_of_release."""
        classes, everybody = _classes(number, unit)
        found = []
        for one, whole in zip(self.attributes, self.whole, strict=True):
            l = [diversity(one.attribute, group, whole) for group in classes]  # noqa: E741
            equal = list(map(Closeness(one.attribute, everybody, False).t, classes))
            flat = one.attribute.order is None and one.attribute.apart is None
            t = equal if flat else list(map(Closeness(one.attribute, everybody).t, classes))
            each = [
                {
                    "size": d.size,
                    "distinct_l": d.distinct,
                    "entropy_l": round(d.entropy, 4),
                    "t": round(a, 4),
                    "t_equal": round(b, 4),
                    "largest_share": round(d.share, 4),
                }
                for d, a, b in zip(l, t, equal, strict=True)
            ]
            known = [d.size for d in l if d.homogeneous]
            found.append(
                {
                    "column": one.column,
                    "what": one.what,
                    "classes": len(classes),
                    "smallest_distinct_l": min(d.distinct for d in l),
                    "smallest_entropy_l": round(min(d.entropy for d in l), 4),
                    "largest_t": {"semantic": round(max(t), 4), "equal": round(max(equal), 4)},
                    "homogeneous_classes": len(known),
                    "persons_in_homogeneous_classes": sum(known),
                    "groups": sorted(
                        each, key=lambda row: (row["distinct_l"], row["entropy_l"], -row["t"], row["size"])
                    ),
                }
            )
        return found


# ---------------------------------------------------------------------- for other methods and commands


def keep_promises(
    units: Records, plan: Plan, groups: Groups, between: Between | None = None, progress: Progress = SILENCE
) -> Groups:
    """Groups that keep the plan's l and t: the same, or merged ones. Raises BrokenPromise where that cannot be.

    `between` gives the distances between groups (default: of their medoids). Who is suppressed later changes what t
    compares with, so call it again with the groups that are left, until they come back unchanged.
    """
    watch = ConfidentialRule.promised(units, plan, progress)
    return groups if watch is None else watch.keep(groups, between, progress)


def privacy_of_release(
    number: Long, units: Records, unit: Long, plan: Plan, progress: Progress = SILENCE
) -> dict[str, dict[str, Any]]:
    """l-diversity, t-closeness and disclosed values of a release whose row i is in class number[i] and stands for
    unit[i], for each watched attribute; with a list of all classes, the least diverse first, without any value.

    Attributes are named by their column, and "(topics)" where they are its topics. For the owner of the data only: the
    list tells more of a class than a report may.
    """
    found = ConfidentialRule.of(units, plan, progress).figures(number, unit)
    return {one["column"] + " (topics)" * (one["what"] == "topics"): one for one in found}


def _classes(number: Long, unit: Long) -> tuple[list[Long], Long]:
    """The units of every class, each once and ascending; and all of them, once for each class that they are in."""
    pairs = np.unique(np.stack((number, unit)), axis=1)
    return [pairs[1][places] for places in members(pairs[0])], pairs[1]


def medoids(parts: Sequence[Part], groups: Groups, how: Compare) -> Long:
    """The member of each group with the least sum of distances to all of it; ties: the lowest row."""
    found, some, pairs = [], list[list[int]](), 0
    for group in [*groups, None]:
        if some and (group is None or pairs + len(group) ** 2 > _PAIRS):
            rows = np.concatenate([np.repeat(one, len(one)) for one in some])
            columns = np.concatenate([np.tile(one, len(one)) for one in some])
            apart, first = record_pairs(parts, parts, rows, columns, how), 0
            for one in some:
                square = apart[first : first + len(one) ** 2].reshape(len(one), len(one))
                found.append(one[int(square.sum(axis=1).round(9).argmin())])
                first += len(one) ** 2
            some, pairs = [], 0
        if group is not None:
            some, pairs = [*some, sorted(group)], pairs + len(group) ** 2
    return frozen(found).astype(np.int64)
