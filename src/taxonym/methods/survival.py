"""What survives of what persons said in a run, beside a random partition of the same persons."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taxonym.knowledge.arrays import Codes, Floats, Groups, Long
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.content import seco
from taxonym.knowledge.runs import Runs
from taxonym.measure.frequencies import frequency_shift, lift_correlation, shift_by_person
from taxonym.measure.survival import SurvivalSums, fates, mean_content
from taxonym.methods.generalization import recoding_columns
from taxonym.methods.microaggregation import supports_of
from taxonym.methods.published_groups import PublishedGroups
from taxonym.plan import Generalization, Microaggregation
from taxonym.promises import main_promise
from taxonym.publish.generalize.topdown import covers
from taxonym.publish.groups import choose, veil
from taxonym.records.records import Records
from taxonym.records.support import Rule

DRAWS = 10  # random partitions, of which the mean is told
MOST, FEWEST, EVERY = 60, 8, 40  # groups of a partition that are looked at: at most, at least, else one of so many

Publish = Callable[[Groups], list[list[Codes]]]  # what groups of units would publish in every column of words


@dataclass(frozen=True, slots=True, eq=False)
class ColumnSurvival:
    """What survives in a column of words, and in a random partition of the same persons (None: it has no meaning)."""

    name: str
    taxonomy: str
    weight: float
    sums: SurvivalSums
    random: SurvivalSums | None = None
    frequencies: dict[str, Any] = field(default_factory=dict)


def mean_information(found: Sequence[ColumnSurvival], random: bool = False) -> float | None:
    """The information that is kept, or would be at random, on average over the columns by their weights."""
    sums = [(one.weight, one.random if random else one.sums) for one in found]
    told = [(weight, one.by_record()["information"]) for weight, one in sums if one is not None]
    known = [(weight, value) for weight, value in told if value is not None]
    return sum(w * v for w, v in known) / sum(w for w, _ in known) if known else None


def survival_of(
    outcome: PublishedGroups, rng: np.random.Generator, publish: Publish | None = None
) -> list[ColumnSurvival]:
    """What survives of all that persons said, who may be left out. `publish` says what other groups would publish,
    where that is not what the plan's method chooses."""
    units = outcome.units
    contents = [seco(words.tax) for words in units.words]
    means = [mean_content(words, content) for words, content in zip(units.words, contents, strict=True)]
    gone = [_left_out(units, outcome.members, c, contents[c], means[c]) for c in range(len(units.words))]
    by_lot = publish or publisher(outcome) if len(units) >= 2 * outcome.plan.method.k else None  # else all is one group
    random = random_sums(units, outcome.groups, by_lot, contents, means, rng)
    share, found = released_share(outcome), []
    for c, words in enumerate(units.words):
        shown = Runs.of(outcome.chosen[c].concepts)
        fate = fates(words, outcome.members, shown, outcome.group_of, contents[c])
        sums = SurvivalSums.of(fate, words.unknown[outcome.members], means[c], share)
        by_chance = None if random is None else random[c].times(sums.records / max(1.0, random[c].records)) + gone[c]
        before = ConceptSets(words.start, words.codes, words.tax)
        after = ConceptSets(shown.start, shown.codes, words.tax).take(outcome.group_of)
        about = words.column.name, words.tax.name, words.column.weight
        found.append(ColumnSurvival(*about, sums + gone[c], by_chance, shift_of(before, after)))
    return found


def survival_of_release(
    units: Records, record: Long, row: Long, shown: Sequence[Runs], rng: np.random.Generator
) -> list[ColumnSurvival]:
    """The same of a release that is read again, where the unit record[p] is published as row[p] of each column; at
    random, everybody who is published has somebody's row."""
    at, first, times = np.unique(record, return_index=True, return_counts=True)
    share = np.minimum(1.0, times / np.maximum(units.rows.sizes[at], 1))
    rows, found = row[first], []
    for c, words in enumerate(units.words):
        content = seco(words.tax)
        mean = mean_content(words, content)
        gone = _left_out(units, at, c, content, mean)
        own, lots = (
            SurvivalSums.of(fates(words, at, shown[c], some, content), words.unknown[at], mean, share) + gone
            for some in (rows, rng.permutation(rows))
        )
        found.append(ColumnSurvival(words.column.name, words.tax.name, words.column.weight, own, lots))
    return found


def _left_out(units: Records, members: Long, c: int, content: Floats, mean: float) -> SurvivalSums:
    """What is lost with units that are not published, before they were grouped or since."""
    words, never = units.words[c], units.never_grouped
    at = np.setdiff1d(np.arange(len(units)), members)
    since = ConceptSets(words.start, words.codes, words.tax).take(at)
    lost = SurvivalSums.left_out(since, words.unknown[at], mean, content, np.zeros(len(at), np.bool_))
    if never is not None:
        lost += SurvivalSums.left_out(never.words[c], never.unknown[c], mean, content, never.unmapped)
    return lost


def released_share(outcome: PublishedGroups) -> Floats:
    """Of every published unit the share of its rows that is published: what is in cut rows is lost."""
    rows = outcome.units.rows
    told = np.bincount(rows.owner, outcome.whole.released, len(rows))
    share: Floats = (told / np.maximum(rows.sizes, 1))[outcome.members]
    return share


def shift_of(before: ConceptSets, after: ConceptSets) -> dict[str, Any]:
    """What became of frequencies and of pairs, of all units and of what is published for them."""
    return {
        "total_variation_by_person": shift_by_person(before, after),
        **frequency_shift(before.counts(), after.counts()),
        "lift_correlation": lift_correlation(before, after),
    }


# ---------------------------------------------------------------------- at random


def publisher(outcome: PublishedGroups) -> Publish | None:
    """What groups of the units would publish by the plan's method; None where it forms none."""
    plan, supports = outcome.plan, outcome.supports
    if outcome.whole.cut:  # nobody in the release holds what was in some rows, which other groups may have
        supports = supports_of(outcome.units, plan.method.k)
    if isinstance(plan.method, Generalization):
        if not main_promise(plan).whole_records:  # every item is recoded alike, whoever has it
            return None
        cost, columns = plan.method.cost, recoding_columns(supports)
        return lambda groups: _by_column(covers(columns, groups, cost), len(supports))
    method = Microaggregation.of(plan)
    plain = method.representative == "medoid"
    rule = Rule(k=1 if plain else method.k, known_items=0 if plain else method.together, consensus=method.consensus)
    name = "best" if method.representative == "per-record" else method.representative

    def publish(groups: Groups) -> list[list[Codes]]:
        chosen = choose(supports, groups, rule, name, method.compare)
        if not plain:
            chosen = veil(supports, groups, chosen, method.topic_share)
        return [column.concepts for column in chosen]

    return publish


def _by_column(rows: Sequence[tuple[Codes, ...]], columns: int) -> list[list[Codes]]:
    return [[row[c] for row in rows] for c in range(columns)]


def random_sums(
    units: Records,
    groups: Groups,
    publish: Publish | None,
    contents: Sequence[Floats],
    means: Sequence[float],
    rng: np.random.Generator,
) -> list[SurvivalSums] | None:
    """What would survive of those who are in groups, if these had the same sizes but were filled by lot: the sums of
    ten partitions, some groups of each."""
    if publish is None or not units.words or not groups:
        return None
    made = [SurvivalSums() for _ in units.words]
    for _ in range(DRAWS):
        tried = random_groups(groups, units.block, rng)
        concepts, drawn = publish(tried), Runs.of(tried)
        record, row = drawn.codes.astype(np.int64), drawn.owner
        for c, words in enumerate(units.words):
            fate = fates(words, record, Runs.of(concepts[c]), row, contents[c])
            made[c] += SurvivalSums.of(fate, words.unknown[record], means[c])
    return made


def random_groups(groups: Groups, block: Long, rng: np.random.Generator) -> list[list[int]]:
    """Some groups of a random partition: as many units of the same block as those that have their places."""
    many = min(len(groups), MOST, max(FEWEST, len(groups) // EVERY))
    some = np.sort(rng.choice(len(groups), many, replace=False))
    members = np.sort(np.concatenate([np.asarray(group, np.int64) for group in groups]))
    by_block: dict[int, list[int]] = {}
    made = []
    for g in some.tolist():
        own = int(block[groups[g][0]])
        if own not in by_block:
            by_block[own] = rng.permutation(members[block[members] == own]).tolist()
        made.append(sorted(by_block[own].pop() for _ in groups[g]))
    return made
