"""What a piece tells about itself: sizes, what was changed, what was lost; and the same of all pieces together.

Figures are sums over many records, so that no record goes to the driver for the sake of a report.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import fsum
from typing import Any

import numpy as np

from taxonym.distance.record import Compare, Part, Sets, Values, record_pairs, record_rectangle
from taxonym.knowledge.content import Floats
from taxonym.knowledge.runs import Long, Runs
from taxonym.publish.groups import Chosen, middle
from taxonym.run.spark.kit import Kit

SAMPLE = 1_000  # records that stand for all, where the middle of the data is looked for and a random record is drawn
CANDIDATES = 200


@dataclass(frozen=True, slots=True, eq=False)
class SampleJudges:
    """Records that stand for all, as columns of runs or numbers; `drawn` are their places, and `middles` those of the
    middle ones by the two distances that loss is judged by."""

    columns: Sequence[Runs | Floats]
    drawn: Long
    middles: tuple[int, int]

    @classmethod
    def of(cls, kit: Kit, parts: Sequence[Part], drawn: Long) -> "SampleJudges":
        found = []
        for how in judged(kit):
            tried = drawn[:CANDIDATES]
            sums = record_rectangle(parts, parts, tried, drawn, how).sum(axis=1).round(6)
            found.append(int(tried[sums.argmin()]))
        columns = [Runs(part.start, part.codes) if isinstance(part, Sets) else part.values for part in parts]
        return cls(columns, drawn, (found[0], found[1]))

    def parts(self, like: Sequence[Part]) -> list[Part]:
        """The records as distances see them, beside others of the same columns: taxonomies do not travel with them."""
        made: list[Part] = []
        for part, mine in zip(like, self.columns, strict=True):
            if isinstance(part, Sets) and isinstance(mine, Runs):
                made.append(replace(part, start=mine.start, codes=mine.codes))
            elif isinstance(part, Values) and not isinstance(mine, Runs):
                made.append(replace(part, values=mine))
        return made


def judged(kit: Kit) -> tuple[Compare, Compare]:
    """The distance that guided the grouping, and another that did not, as measure/loss.py has them."""
    how = kit.plan.method.judge
    return how, replace(how, measure="wu-palmer" if how.measure in ("lin", "resnik", "jiang-conrath") else "lin")


@dataclass(frozen=True, slots=True)
class Figures:
    """Sums over the published records of pieces; lists have an entry for each column, or for each of two distances."""

    records: int = 0
    lost: int = 0  # records of groups that have nothing to publish
    pieces: int = 0
    largest: int = 0  # units in a piece
    total: list[float] = field(default_factory=lambda: [0.0, 0.0])
    sse: list[float] = field(default_factory=lambda: [0.0, 0.0])
    sst: list[float] = field(default_factory=lambda: [0.0, 0.0])
    random: float = 0.0
    average: list[float] = field(default_factory=lambda: [0.0, 0.0])  # to what is published, and to oneself
    columns: list[float] = field(default_factory=list)
    groups: list[list[float]] = field(default_factory=list)  # members, loss, concepts they had and have, of each
    changed: list[list[int]] = field(default_factory=list)  # raised, dropped, added, veiled, concepts

    def as_text(self) -> str:
        return json.dumps(asdict(self))


def figures(
    kit: Kit, parts: Sequence[Part], groups: Sequence[Sequence[int]], chosen: Sequence[Chosen], judges: SampleJudges,
    rng: np.random.Generator,
) -> Figures:  # fmt: skip
    """What a piece tells: its units as distances see them, and what its groups publish."""
    changed = [[c.raised, c.dropped, c.added, c.veiled, sum(map(len, c.concepts))] for c in chosen]
    rows = np.array([unit for group in groups for unit in group], np.int64)
    if not len(rows):
        return Figures(lost=len(parts[0]), pieces=1, largest=len(parts[0]), columns=[0.0] * len(parts), changed=changed)
    group_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    concepts, told = iter(chosen), list[Part]()
    for part in parts:
        if isinstance(part, Sets):
            told.append(Sets.of(next(concepts).concepts, part.tax, part.weight))
        else:
            middles = [middle(part.values, group) for group in groups]
            told.append(replace(part, values=part.values[middles]))
    how, another = judged(kit)
    apart, other = (record_pairs(parts, told, rows, group_of, by) for by in (how, another))
    standing = judges.parts(parts)
    far = [
        record_pairs(parts, standing, rows, np.full(len(rows), at), by)
        for by, at in zip((how, another), judges.middles, strict=True)
    ]
    lot = judges.drawn[rng.integers(0, len(judges.drawn), len(rows))]
    average = replace(how, aggregate="avg")
    size, had = np.bincount(group_of), np.zeros(len(rows))
    for part in parts:
        had += np.diff(part.start)[rows] if isinstance(part, Sets) else 0
    after = [float(sum(len(column.concepts[g]) for column in chosen)) for g in range(len(groups))]
    each = zip(size.tolist(), np.bincount(group_of, apart).tolist(), np.bincount(group_of, had).tolist(), after,
               strict=True)  # fmt: skip
    return Figures(
        records=len(rows),
        lost=len(parts[0]) - len(rows),
        pieces=1,
        largest=len(parts[0]),
        total=[fsum(apart), fsum(other)],
        sse=[fsum(apart * apart), fsum(other * other)],
        sst=[fsum(values * values) for values in far],
        random=fsum(record_pairs(parts, standing, rows, lot, how)),
        average=[fsum(record_pairs(parts, y, rows, at, average)) for y, at in ((told, group_of), (parts, rows))],
        columns=[fsum(record_pairs([x], [y], rows, group_of, how)) for x, y in zip(parts, told, strict=True)],
        groups=[list(one) for one in each],
        changed=changed,
    )


def together(texts: Iterable[str]) -> Figures:
    """All pieces; in the order of their texts, so that sums are the same in every run."""
    every: list[dict[str, Any]] = [json.loads(text) for text in sorted(texts)]
    return Figures(
        records=sum(one["records"] for one in every),
        lost=sum(one["lost"] for one in every),
        pieces=len(every),
        largest=max(one["largest"] for one in every),
        total=[fsum(one["total"][i] for one in every) for i in (0, 1)],
        sse=[fsum(one["sse"][i] for one in every) for i in (0, 1)],
        sst=[fsum(one["sst"][i] for one in every) for i in (0, 1)],
        random=fsum(one["random"] for one in every),
        average=[fsum(one["average"][i] for one in every) for i in (0, 1)],
        columns=[fsum(values) for values in zip(*(one["columns"] for one in every), strict=True)],
        groups=[group for one in every for group in one["groups"]],
        changed=[
            [sum(values) for values in zip(*columns, strict=True)]
            for columns in zip(*(one["changed"] for one in every), strict=True)
        ],
    )
