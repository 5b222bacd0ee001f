"""What survives of what persons said, where workers hold the tables: sums of the pieces, of units that no piece has,
and of a sample that is grouped at random."""

from typing import TYPE_CHECKING

import numpy as np

from taxonym.knowledge.arrays import Floats, Groups, Long
from taxonym.knowledge.runs import Runs
from taxonym.measure.frequencies import frequency_shift, total_variation
from taxonym.measure.survival import SurvivalSums, fates
from taxonym.methods.blockwise import BlockContext, ask, told
from taxonym.methods.survival import DRAWS, MOST, ColumnSurvival
from taxonym.publish.support_queries import Answers, Meaning
from taxonym.records.records import renumbered
from taxonym.run.spark.arrow import sets_of
from taxonym.run.spark.counts import holders_in, records_of
from taxonym.run.spark.figures import contents_of
from taxonym.run.spark.kit import WorkerKit

if TYPE_CHECKING:
    import polars as pl

    from taxonym.run.spark.published import PublishedOnSpark

SAMPLE = 2_000  # units that are grouped at random
POINT = 1 << 20  # sums travel as whole numbers of so many to 1
WEIGHT = 5_354_228_880  # of a unit, which its concepts share: up to 24 without a rest; a billion units can be summed


def survival_on_spark(made: "PublishedOnSpark", rng: np.random.Generator) -> list[ColumnSurvival]:
    """What survives in every column of words."""
    kit, facts = made.kit, made.facts
    contents = contents_of(kit, facts)
    gone, random = _never_grouped(made, contents), _at_random(made, contents, rng)
    shares, found = _shares(made), []
    for i, column in enumerate(kit.spoken):
        sums = SurvivalSums(*made.told.survival[i]) + gone[i]
        published, tax = Runs.of(made.told.concepts[i]), kit.words(column.name).tax
        after = np.bincount(published.codes, made.sizes[published.owner], len(tax)).astype(np.int64)
        by_chance = None
        if random is not None and random[i].records:
            left = max(0.0, sums.records - sums.released)  # who is not published loses everything here, too
            by_chance = random[i].times(sums.released / random[i].records)
            by_chance += SurvivalSums(records=left, informed=left, unmapped=gone[i].unmapped)
        weight = (made.sizes / np.maximum(published.sizes, 1))[published.owner]
        by_person = total_variation(shares[i], np.bincount(published.codes, weight, len(tax)))
        shift = frequency_shift(facts.used[i], after) | {
            "total_variation_by_person": by_person,
            "lift_correlation": None,  # nobody has all sets
        }
        found.append(ColumnSurvival(column.name, tax.name, column.weight, sums, by_chance, shift))
    return found


def _shares(made: "PublishedOnSpark") -> list[Long]:
    """By column how much of all units each concept is, where everybody weighs alike; see shift_by_person."""
    sizes = [len(tax) for tax in made.kit.taxonomies()]
    sums = made.executor.total(_shares_in, made.units.frame, made.units.sent, size=sum(sizes))
    return np.split(sums, np.cumsum(sizes)[:-1]) if sizes else []


def _shares_in(frame: "pl.DataFrame", kit: WorkerKit) -> Long:
    found = [np.zeros(0, np.int64)]
    for i, tax in enumerate(kit.taxonomies()):
        sets, counts = sets_of(frame[f"codes{i}"], tax), np.zeros(len(tax), np.int64)
        np.add.at(counts, sets.codes, np.round(WEIGHT / sets.sizes[sets.owner]).astype(np.int64))
        found.append(counts)
    return np.concatenate(found)


# ---------------------------------------------------------------------- who was left out before


def _never_grouped(made: "PublishedOnSpark", contents: list[tuple[Floats, float]]) -> list[SurvivalSums]:
    executor, units = made.executor, made.units
    width = len(SurvivalSums().values)
    sent = units.sent, executor.share(contents)
    sums = executor.total(_said_by, units.gone, *sent, size=width * len(contents)) / POINT
    return [SurvivalSums(*part.tolist()) for part in np.split(sums, len(contents))] if contents else []


def _said_by(frame: "pl.DataFrame", kit: WorkerKit, contents: list[tuple[Floats, float]]) -> Long:
    """What units said that are left out; a reason of their own is that a concept or a value is wanting."""
    found, unmapped = list[float](), frame["why"].to_numpy() > 0
    for i, (tax, (content, mean)) in enumerate(zip(kit.taxonomies(), contents, strict=True)):
        said, unknown = sets_of(frame[f"codes{i}"], tax), frame[f"unknown{i}"].to_numpy()
        found += SurvivalSums.left_out(said, unknown, mean, content, unmapped).values
    return np.round(np.array(found) * POINT).astype(np.int64)


# ---------------------------------------------------------------------- at random


def _at_random(
    made: "PublishedOnSpark", contents: list[tuple[Floats, float]], rng: np.random.Generator
) -> list[SurvivalSums] | None:
    """What would survive in groups of some units by lot, which ask what everybody holds as blocks do."""
    import polars as pl

    kit, facts, units, k = made.kit, made.facts, made.units, made.plan.method.k
    if not kit.spoken:
        return None
    names = [f"{what}{i}" for i, _ in enumerate(kit.spoken) for what in ("codes", "unknown")]
    frame = pl.DataFrame(units.frame.orderBy("rest").limit(SAMPLE).select("other", "rest", *names).toArrow())
    frame = frame.sort("rest", "other")
    groups = by_lot(made.sizes, renumbered(frame["other"].to_numpy()), rng)
    if not groups:
        return None
    meanings = [
        Meaning(
            column, kit.words(column.name).tax, facts.holders[i], made.counts.masks[i], kit.words(column.name).topics
        )
        for i, column in enumerate(kit.spoken)
    ]
    shared, records = BlockContext(kit.plan, meanings), records_of(frame, kit)
    asked, answers = ask(shared, records, groups), Answers(np.empty((0, 1), np.int64), 0)
    if len(asked):
        sent = units.sent, made.executor.share(asked), made.executor.share(facts.everywhere)
        held = made.executor.total(holders_in, units.frame, *sent, size=len(asked))
        answers = Answers(asked[held >= k], len(facts.everywhere))
    chosen = told(shared, records, groups, answers.to(asked))
    every = Runs.of(groups)
    record, row = every.codes.astype(np.int64), every.owner
    found = []
    for i, (tax, (content, mean)) in enumerate(zip(kit.taxonomies(), contents, strict=True)):
        said, unknown = sets_of(frame[f"codes{i}"], tax), frame[f"unknown{i}"].to_numpy()
        fate = fates(said, record, Runs.of(chosen[i].concepts), row, content)
        found.append(SurvivalSums.of(fate, unknown[record], mean))
    return found


def by_lot(sizes: Long, block: Long, rng: np.random.Generator) -> list[list[int]]:
    """Groups of units of the same block in ten draws, filled by lot; their sizes are drawn from those given."""
    made: Groups = []
    for _ in range(DRAWS):
        drawn = 0
        for number in np.unique(block).tolist():
            left = rng.permutation(np.flatnonzero(block == number)).tolist()
            while drawn < MOST and len(left) >= (size := int(rng.choice(sizes))):
                made.append(sorted(left.pop() for _ in range(size)))
                drawn += 1
    return made
