"""What a piece tells about itself: what its groups publish, which everybody will see, what was changed and lost.

Figures are sums over many records, so that no record goes to the driver for the sake of a report.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from math import fsum
from typing import Any

import numpy as np

from taxonym.distance.record import Part, Sets, Values, record_pairs
from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.content import seco
from taxonym.knowledge.runs import Runs
from taxonym.measure.loss import Loss, added, average_sum, judges_of, loss_of, middle_of
from taxonym.measure.survival import SurvivalSums, fates
from taxonym.methods.published_groups import PublishedGroups, published_parts
from taxonym.methods.survival import released_share
from taxonym.run.spark.counts import WholeCounts
from taxonym.run.spark.kit import WorkerKit


@dataclass(frozen=True, slots=True, eq=False)
class Middles:
    """The middle record of a sample by each of the two distances that loss is judged by, as columns of runs or
    numbers: taxonomies do not travel with them."""

    columns: Sequence[Runs | Floats]

    @classmethod
    def of(cls, kit: WorkerKit, sample: Sequence[Part]) -> "Middles":
        rows = np.array([middle_of(sample, how)[0] for how in judges_of(kit.plan.method.judge)])
        found = [part.take(rows) for part in sample]
        return cls([Runs(part.start, part.codes) if isinstance(part, Sets) else part.values for part in found])

    def parts(self, like: Sequence[Part]) -> list[Part]:
        """The records as distances see them, beside others of the same columns."""
        made: list[Part] = []
        for part, mine in zip(like, self.columns, strict=True):
            if isinstance(part, Sets) and isinstance(mine, Runs):
                made.append(replace(part, start=mine.start, codes=mine.codes))
            elif isinstance(part, Values) and not isinstance(mine, Runs):
                made.append(replace(part, values=mine))
        return made


@dataclass(frozen=True, slots=True)
class BlockFigures:
    """Of pieces: the lists have an entry for each group, for each column, or for each of two distances."""

    keys: list[list[int]]  # of every piece: a hash of its `other` columns, and its number
    sizes: list[list[int]]  # of every piece the sizes of its groups
    units: int  # in the largest piece
    other: list[int]  # of groups: a hash of their `other` columns
    lost: list[float]  # of groups: the sum of the distances to what they publish
    had: list[float]  # of groups: the concepts of a record, on average
    concepts: list[list[list[int]]]  # of columns of words what each group publishes
    numbers: list[list[float]]  # of columns of numbers the middles of what each group publishes
    reach: list[list[float]]  # and how far that reaches to both sides
    gone: int  # units that are not published, and rows of others that are cut
    cut: int  # rows that are cut
    veiled: list[int]  # of columns of words: concepts that are published as their topic only
    losses: list[Loss]  # by two distances
    average: list[float]  # sums of average distances to what is published, and to oneself
    columns: list[float]  # sums of distances by column
    survival: list[list[float]]  # of columns of words: SurvivalSums of all units

    def as_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def of_text(cls, text: str) -> "BlockFigures":
        found = json.loads(text)
        return cls(**found | {"losses": [Loss(**loss) for loss in found["losses"]]})


def figures(
    kit: WorkerKit,
    parts: Sequence[Part],
    facts: WholeCounts,
    outcome: PublishedGroups,
    middles: Middles,
    key: Sequence[int],
    other: Long,
    unknown: Sequence[Long],
) -> BlockFigures:
    """What a piece tells: its units as distances see them, how many of their phrases have no concept, column by column,
    and what its groups publish."""
    rows, group_of, chosen, how = outcome.members, outcome.group_of, outcome.chosen, kit.plan.method.judge
    sizes = [len(group) for group in outcome.groups]
    ranges = iter(facts.ranges)  # open ranges end where the numbers of the whole table do
    ending = [p if isinstance(p, Sets) else replace(p, values=np.append(p.values, next(ranges))) for p in parts]
    published, standing = published_parts(ending, chosen, outcome.whole.numbers), middles.parts(parts)
    numbers = [part for part in published if not isinstance(part, Sets)]
    apart = [record_pairs(parts, published, rows, group_of, by) for by in judges_of(how)]
    far = [record_pairs(parts, standing, rows, np.full(len(rows), i), by) for i, by in enumerate(judges_of(how))]
    had = sum((part.sizes[rows] for part in parts if isinstance(part, Sets)), np.zeros(len(rows)))
    return BlockFigures(
        keys=[list(key)],
        sizes=[sizes],
        units=len(parts[0]),
        other=[int(other[group[0]]) for group in outcome.groups],
        lost=np.bincount(group_of, apart[0], len(sizes)).tolist(),
        had=(np.bincount(group_of, had, len(sizes)) / np.array(sizes)).tolist(),
        concepts=[[list(map(int, codes)) for codes in column.concepts] for column in chosen],
        numbers=[part.values.tolist() for part in numbers],
        reach=[np.zeros(len(p)).tolist() if p.reach is None else p.reach.tolist() for p in numbers],
        gone=len(parts[0]) - len(rows) + outcome.whole.cut,
        cut=outcome.whole.cut,
        veiled=[column.veiled for column in chosen],
        losses=[loss_of(*both) for both in zip(apart, far, strict=True)],
        average=[average_sum(parts, y, rows, at, how) for y, at in ((published, group_of), (parts, rows))],
        columns=[fsum(record_pairs([x], [y], rows, group_of, how)) for x, y in zip(parts, published, strict=True)],
        survival=[_survival(kit, facts, outcome, c, own).values for c, own in enumerate(unknown)],
    )


def _survival(kit: WorkerKit, facts: WholeCounts, outcome: PublishedGroups, c: int, unknown: Long) -> SurvivalSums:
    """What survives of a piece in column c of words."""
    content, mean = contents_of(kit, facts)[c]
    words = outcome.units.words[c]
    shown = Runs.of(outcome.chosen[c].concepts)
    fate = fates(words, outcome.members, shown, outcome.group_of, content)
    out = np.setdiff1d(np.arange(len(words)), outcome.members)
    left = ConceptSets(words.start, words.codes, words.tax).take(out)
    gone = SurvivalSums.left_out(left, unknown[out], mean, content, np.zeros(len(out), np.bool_))
    return SurvivalSums.of(fate, unknown[outcome.members], mean, released_share(outcome)) + gone


def contents_of(kit: WorkerKit, facts: WholeCounts) -> list[tuple[Floats, float]]:
    """How much the concepts of every column of words say, and those that are said on average."""
    found = []
    for column, used in zip(kit.spoken, facts.used, strict=True):
        words = kit.words(column.name)
        content = seco(words.tax)
        found.append((content, float(content @ used / used.sum()) if used.sum() else 1.0))
    return found


def together(texts: Iterable[str]) -> BlockFigures:
    """All pieces, in the order of their keys, so that sums are the same in every run."""
    every = sorted(map(BlockFigures.of_text, texts), key=lambda one: one.keys)
    by_name: dict[str, list[Any]] = {
        field.name: [getattr(one, field.name) for one in every] for field in fields(BlockFigures)
    }
    made: dict[str, Any] = {"units": max(by_name["units"]), "gone": sum(by_name["gone"]), "cut": sum(by_name["cut"])}
    for name in ("keys", "sizes", "other", "lost", "had"):
        made[name] = [x for some in by_name[name] for x in some]
    for name in ("concepts", "numbers", "reach"):
        made[name] = [[x for some in column for x in some] for column in zip(*by_name[name], strict=True)]
    made["survival"] = [np.sum(column, axis=0).tolist() for column in zip(*by_name["survival"], strict=True)]
    for name in ("average", "columns"):
        made[name] = [fsum(column) for column in zip(*by_name[name], strict=True)]
    made["veiled"] = [sum(column) for column in zip(*by_name["veiled"], strict=True)]
    made["losses"] = [added(some) for some in zip(*by_name["losses"], strict=True)]
    return BlockFigures(**made)
