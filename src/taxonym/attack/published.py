"""What an intruder sees of a release: the published records, each kind of them once."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from taxonym.attack.linkage import Span, alike, links
from taxonym.distance.record import Compare, Part
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Floats, Long
from taxonym.records.masked import MaskedRecords


@dataclass(frozen=True, slots=True, eq=False)
class PublishedKinds:
    """The different published records y: size[j] persons share record j, truth[i] is that of original record i (or -1).

    They come by `block`. Whoever knows record i looks among those of its block, from span[0][i] to span[1][i] - 1.
    first[j] is a row of the release that is record j.
    """

    y: list[Part]
    size: Long
    truth: Long
    block: Long
    span: Span
    first: Long

    def __len__(self) -> int:
        return len(self.size)

    @classmethod
    def of(cls, masked: MaskedRecords, kind: Long | None = None) -> "PublishedKinds":
        """The rows with the same number in `kind` are one record; unless given, those that mean the same."""
        block, y = masked.block_of_row, masked.y
        kind = alike(block, y) if kind is None else kind
        pairs = np.unique(np.stack((kind[masked.row], masked.persons[masked.record])), axis=1)
        group_of = np.full(len(masked.x[0]), -1, np.int64)
        group_of[masked.record] = masked.row
        return cls.of_groups(
            block, y, kind, np.bincount(pairs[0], minlength=len(np.unique(kind))), masked.block, group_of
        )

    @classmethod
    def of_groups(
        cls, block: Long, y: list[Part], kind: Long, size: Long, block_of: Long, group_of: Long
    ) -> "PublishedKinds":
        """From published records of one kind or another, which so many persons share; original record i is in
        block_of[i], and published as record group_of[i], or not at all (-1)."""
        first = np.unique(kind, return_index=True)[1]
        order = np.argsort(block[first], kind="stable")
        kind, first, size = np.argsort(order)[kind], first[order], size[order]
        truth = np.where(group_of >= 0, kind[group_of], -1)
        low, high = (np.searchsorted(block[first], block_of, side=side) for side in ("left", "right"))
        return cls([part.take(first) for part in y], size, truth, block[first], (low, high), first)

    def links(self, x: list[Part], how: Compare, rows: Long, progress: Progress = SILENCE) -> Floats:
        """p of some records, of which x is known."""
        return links(x, self.y, self.size, self.truth, how, rows, self.span, progress)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What the intruder compares: his records x with the published ones y, read with the same taxonomies.

    truth[i] is the published record of record i of x, -1 where its person is not in the release; persons[i] is whose
    it is. He looks among the published records from span[0][i] to span[1][i] - 1. `written` and `shown` are the same
    records as written.
    """

    x: list[Part]
    y: list[Part]
    truth: Long
    persons: Long
    span: Span
    written: Sequence[Hashable]
    shown: Sequence[Hashable]

    @property
    def inside(self) -> Long:
        return np.flatnonzero(self.truth >= 0)
