"""What groups that were formed in blocks publish, block by block (blockwise.py), using all available workers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.executor.context import Context
from taxonym.executor.executor import PartsStep
from taxonym.knowledge.arrays import Floats, Groups, Long
from taxonym.knowledge.runs import Runs
from taxonym.methods.blockwise import BlockContext, ask, generator, holders_of, told
from taxonym.methods.whole_row import WordDraws
from taxonym.plan import Plan
from taxonym.publish.groups import ColumnRepresentatives, Support, joined
from taxonym.publish.support_queries import Answers, Meaning, different
from taxonym.records.records import Records

LOTS = 3  # which of a block's draws decides what rows are cut
WORTH_IT = 4_000  # groups from which starting other processes pays


@dataclass(frozen=True, slots=True, eq=False)
class GroupBlock:
    """The groups of a block of units. The key names it, whoever works on it: a hash of its `other` columns, and which
    of the blocks with these it is."""

    key: tuple[int, int]
    groups: list[list[int]]

    @property
    def name(self) -> str:
        return f"{self.key[0]:016x}-{self.key[1]:06}.npz"


@dataclass(frozen=True, slots=True, eq=False)
class BlockRecords:
    """The units of a piece in their order, as rows; their concepts, and the groups as places among the rows."""

    rows: Long
    records: list[Runs]
    groups: list[list[int]]

    @classmethod
    def of(cls, units: Records, groups: Sequence[Sequence[int]]) -> "BlockRecords":
        rows = np.sort(np.concatenate([np.asarray(group, np.int64) for group in groups]))
        records = [Runs(words.start, words.codes).take(rows) for words in units.words]
        return cls(rows, records, sorted(np.sort(np.searchsorted(rows, group)).tolist() for group in groups))


def chosen_in_blocks(
    units: Records,
    pieces: Sequence[GroupBlock],
    plan: Plan,
    context: Context,
    supports: Sequence[Support],
) -> tuple[Groups, list[ColumnRepresentatives]]:
    """What the groups of every block would like to publish: it asks, everybody is counted, and it chooses. What blocks
    had done before is taken from the work folder."""
    machine = context.machine
    if not supports:  # there is nothing to choose
        every = [BlockRecords.of(units, piece.groups) for piece in pieces]
        return [one.rows[group].tolist() for one in every for group in one.groups], []
    shared = BlockContext(
        plan, [Meaning(s.column, s.words.tax, s.holders.counts, s.printable, s.topics) for s in supports]
    )
    many = machine.processes and sum(len(piece.groups) for piece in pieces) >= WORTH_IT
    with context.executor(processes=machine.workers if many else 1) as executor:
        names = [f"asked-{piece.name}" for piece in pieces]
        wishes: PartsStep[Long] = PartsStep(
            "what the groups would like to publish", names, lambda asked: {"asked": asked}, lambda kept: kept["asked"]
        )
        asked = list(executor.by_block(_ask, (BlockRecords.of(units, p.groups) for p in pieces), shared, step=wishes))
        everywhere = np.concatenate([np.zeros(0, np.int64), *(s.holders.counts for s in supports)])
        everybody, wanted = (units.words, units.persons), different(asked)
        question = wanted, [column.tax for column in units.words], everywhere, plan.method.k
        held = executor.total(holders_of, [everybody], *question, size=len(wanted))
        answers = Answers(wanted[held >= plan.method.k], len(everywhere))
        blocks = ((BlockRecords.of(units, p.groups), answers.to(own)) for p, own in zip(pieces, asked, strict=True))
        choices = PartsStep("what the groups publish", [f"told-{p.name}" for p in pieces], _arrays, _chosen)
        answered = list(executor.by_block(_tell, blocks, shared, step=choices))
    groups: list[list[int]] = []
    chosen = [ColumnRepresentatives([]) for _ in supports]
    for piece, own in zip(pieces, answered, strict=True):
        block = BlockRecords.of(units, piece.groups)
        chosen = [joined(column, more) for column, more in zip(chosen, own, strict=True)]
        groups += [block.rows[group].tolist() for group in block.groups]
    return groups, chosen


def block_draws(
    units: Records, pieces: Sequence[GroupBlock], groups: Groups, entropy: Sequence[int]
) -> list[WordDraws]:
    """The groups of every block that are left, and who draws words for them."""
    piece_of = np.empty(len(units), np.int64)
    for number, piece in enumerate(pieces):
        piece_of[[unit for group in piece.groups for unit in group]] = number
    of: list[list[int]] = [[] for _ in pieces]
    for g, group in enumerate(groups):
        of[int(piece_of[group[0]])].append(g)
    rows = (BlockRecords.of(units, piece.groups).rows for piece in pieces)
    every = zip(of, pieces, rows, strict=True)
    return [WordDraws(some, generator(entropy, piece.key), own) for some, piece, own in every]


def block_lots(units: Records, pieces: Sequence[GroupBlock], entropy: Sequence[int]) -> Floats:
    """A lot for every row of the units: those of a block are drawn together."""
    lots, rows = np.zeros(len(units.rows.codes)), units.rows
    for piece in pieces:
        own = BlockRecords.of(units, piece.groups).rows
        at = np.concatenate([np.arange(rows.start[unit], rows.start[unit + 1]) for unit in own.tolist()])
        lots[at] = generator(entropy, (*piece.key, LOTS)).random(len(at))
    return lots


# ---------------------------------------------------------------------- what a worker does


def _ask(block: BlockRecords, shared: BlockContext) -> Long:
    return ask(shared, block.records, block.groups)


def _tell(given: tuple[BlockRecords, Long], shared: BlockContext) -> list[ColumnRepresentatives]:
    block, answers = given
    return told(shared, block.records, block.groups, answers)


# ---------------------------------------------------------------------- what is kept of it


def _arrays(chosen: Sequence[ColumnRepresentatives]) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {}
    for i, column in enumerate(chosen):
        sets = Runs.of(column.concepts)
        found[f"start{i}"], found[f"codes{i}"] = sets.start, sets.codes
        found[f"veiled{i}"] = np.array([column.veiled])
    return found


def _chosen(arrays: Mapping[str, NDArray[Any]]) -> list[ColumnRepresentatives]:
    found = []
    for i in range(len(arrays) // 3):
        sets = Runs(arrays[f"start{i}"], arrays[f"codes{i}"])
        found.append(ColumnRepresentatives(list(sets), *arrays[f"veiled{i}"].tolist()))
    return found
