"""What groups that were formed in blocks publish: block by block, as blockwise.py has it, by as many as there are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.executor.context import Context
from taxonym.executor.workers import team
from taxonym.group.blocks import Keep
from taxonym.io.progress import Progress
from taxonym.knowledge.runs import Long, Runs
from taxonym.methods.blockwise import BlockContext, ask, entropy_of, generator, told
from taxonym.methods.outcome import Outcome
from taxonym.plan import Microaggregation, Plan
from taxonym.publish.groups import Chosen, Support, joined, with_concepts, words_for
from taxonym.publish.support_queries import Counter, Meaning, different
from taxonym.records.units import Units

WORTH_IT = 4_000  # groups from which starting other processes pays
Answers = tuple[Runs, ...]  # for every column of words the concepts of each group


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """The groups of a block of units. The key names it, whoever works on it: a hash of its `other` columns, and which
    of the blocks with these it is."""

    key: tuple[int, int]
    groups: list[list[int]]

    @property
    def name(self) -> str:
        return f"{self.key[0]:016x}-{self.key[1]:06}.npz"


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The units of a piece in their order, as rows; their concepts, and the groups as places among the rows."""

    rows: Long
    records: list[Runs]
    groups: list[list[int]]

    @classmethod
    def of(cls, units: Units, groups: Sequence[Sequence[int]]) -> "Block":
        rows = np.sort(np.concatenate([np.asarray(group, np.int64) for group in groups]))
        records = [Runs(words.start, words.codes).take(rows) for words in units.words]
        return cls(rows, records, sorted(np.sort(np.searchsorted(rows, group)).tolist() for group in groups))


def published_in_blocks(
    units: Units,
    pieces: Sequence[Piece],
    plan: Plan,
    context: Context,
    supports: Sequence[Support],
) -> Outcome:
    """What every block chooses for itself: it asks, everybody is counted, and it chooses. What blocks had done before
    is taken from the work folder."""
    machine = context.machine
    shared = BlockContext(
        plan, [Meaning(s.column, s.words.tax, s.holders.counts, s.printable, s.topics) for s in supports]
    )
    many = sum(len(piece.groups) for piece in pieces) >= WORTH_IT
    with team(shared, machine.workers if many and machine.processes else 1) as run:
        steps = _BlockSteps(units, pieces, run, context.progress, context.kept)
        asked = list(steps.asked())
        wanted = different(asked)
        everywhere = np.concatenate([np.zeros(0, np.int64), *(s.holders.counts for s in supports)])
        counter = Counter(wanted, [words.tax for words in units.words], everywhere, plan.method.k)
        if len(wanted):
            counter.add(units.words, units.persons)
        answers = counter.answers
        answered = list(steps.told([answers.to(own) for own in asked], len(supports)))
    groups: list[list[int]] = []
    chosen = [Chosen([], 0, 0, 0) for _ in supports]
    words: list[list[list[tuple[str, ...]]]] = [[] for _ in supports]
    entropy, per_record = entropy_of(context.rng), Microaggregation.of(plan).representative == "per-record"
    for piece, own in zip(pieces, answered, strict=True):
        block = Block.of(units, piece.groups)
        left, own = with_concepts(block.groups, own)
        chosen = [joined(column, more) for column, more in zip(chosen, own, strict=True)]
        groups += [block.rows[group].tolist() for group in left]
        draws = generator(entropy, piece.key)
        for support, column, written in zip(supports, own, words, strict=True):
            written += words_for(support, left, column.concepts, plan.method.k, draws, per_record)
    return Outcome(plan, units, groups, list(supports), chosen, words)


# ---------------------------------------------------------------------- what a worker does


def _ask(shared: BlockContext, block: Block) -> Long:
    return ask(shared, block.records, block.groups)


def _tell(shared: BlockContext, given: tuple[Block, Long]) -> list[Chosen]:
    block, answers = given
    return told(shared, block.records, block.groups, answers)


class _BlockSteps:
    """The steps over all blocks; what is done is kept."""

    def __init__(self, units: Units, pieces: Sequence[Piece], run: Any, progress: Progress, kept: Keep | None) -> None:
        self.units, self.pieces, self.run, self.progress, self.kept = units, pieces, run, progress, kept

    def asked(self) -> Iterator[Long]:
        todo = self._todo("asked")
        done = self.run(_ask, (Block.of(self.units, p.groups) for p in self.pieces if p in todo))
        self.progress.start("what the groups would like to publish", len(self.pieces))
        for piece in self.pieces:
            name = f"asked-{piece.name}"
            if piece in todo:
                found: Long = next(done)
                if self.kept is not None:
                    self.kept.save(name, asked=found)
            elif self.kept is not None:
                found = self.kept.load(name)["asked"]
            yield found
            self.progress.advance()
        self.progress.finish()

    def told(self, answers: Sequence[Long], columns: int) -> Iterator[list[Chosen]]:
        todo = self._todo("told")
        own = ((Block.of(self.units, p.groups), a) for p, a in zip(self.pieces, answers, strict=True) if p in todo)
        done = self.run(_tell, own)
        self.progress.start("what the groups publish", len(self.pieces))
        for piece in self.pieces:
            name = f"told-{piece.name}"
            if piece in todo:
                found: list[Chosen] = next(done)
                if self.kept is not None:
                    self.kept.save(name, **_arrays(found))
            elif self.kept is not None:
                found = _chosen(self.kept.load(name), columns)
            yield found
            self.progress.advance()
        self.progress.finish()

    def _todo(self, step: str) -> set[Piece]:
        return {p for p in self.pieces if self.kept is None or not self.kept.has(f"{step}-{p.name}")}


def _arrays(chosen: Sequence[Chosen]) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {}
    for i, column in enumerate(chosen):
        sets = Runs.of(column.concepts)
        found[f"start{i}"], found[f"codes{i}"] = sets.start, sets.codes
        found[f"counts{i}"] = np.array([column.raised, column.dropped, column.added, column.veiled])
    return found


def _chosen(arrays: Any, columns: int) -> list[Chosen]:
    found = []
    for i in range(columns):
        sets = Runs(arrays[f"start{i}"], arrays[f"codes{i}"])
        found.append(Chosen(list(sets), *arrays[f"counts{i}"].tolist()))
    return found
