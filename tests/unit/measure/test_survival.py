from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge.combine import with_leaves, with_phrases, with_roots
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.content import seco
from taxonym.knowledge.runs import Runs
from taxonym.measure.survival import FORMS, MANY, Fate, SurvivalSums, fate, fates, mean_content
from tests.strategies import taxonomies

PETS = Taxonomy.from_edges(
    [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("siamese", "cat"), ("cat", "pet"), ("pet", "thing"),
     ("car", "thing")]
)  # fmt: skip
POODLE, BEAGLE, DOG, SIAMESE, CAT, PET, CAR, THING = (
    PETS.code(name) for name in ("poodle", "beagle", "dog", "siamese", "cat", "pet", "car", "thing")
)
IC = seco(PETS)


def forms(said: list[int], published: list[int]) -> dict[str, float]:
    found = fate(PETS, IC, said, published)
    counts = {name: getattr(found, name) for name in FORMS[:4]}
    return {name: n for name, n in (counts | {"lost": found.said - sum(counts.values())}).items() if n}


def kept(said: list[int], published: list[int]) -> float:
    return fate(PETS, IC, said, published).kept_content


# ---------------------------------------------------------------------- by hand


def test_what_is_published_as_it_was_said_is_kept() -> None:
    assert forms([POODLE, CAR], [POODLE, CAR]) == {"kept": 2}
    assert kept([POODLE, CAR], [POODLE, CAR]) == 2


def test_a_parent_is_one_step_and_what_lies_farther_above_is_more_general() -> None:
    assert forms([POODLE, SIAMESE, CAR], [DOG, PET]) == {"one_step": 1, "more_general": 1, "lost": 1}
    assert kept([POODLE], [DOG]) == pytest.approx(1 - log(3) / log(8))
    assert kept([POODLE], [THING]) == 0  # the root says nothing


def test_of_two_that_one_published_concept_stands_for_one_is_merged() -> None:
    assert forms([POODLE, BEAGLE], [DOG]) == {"one_step": 1, "merged": 1}
    assert kept([POODLE, BEAGLE], [DOG]) == pytest.approx(2 * IC[DOG])
    assert forms([POODLE, DOG], [DOG]) == {"kept": 1, "merged": 1}  # the nearest counts, whatever the codes
    assert forms([SIAMESE, DOG], [PET]) == {"one_step": 1, "merged": 1}


def test_a_parent_by_any_path_is_one_step() -> None:
    tax = Taxonomy.from_edges([("x", "low"), ("low", "high"), ("x", "high"), ("high", "all"), ("z", "all")])
    found = fate(tax, seco(tax), [tax.code("x")], [tax.code("high")])
    assert (found.one_step, found.more_general) == (1, 0)


def test_the_best_is_the_ancestor_that_says_most_and_of_equal_ones_the_lowest_code() -> None:
    assert kept([POODLE], [PET, DOG]) == pytest.approx(IC[DOG])
    tax = Taxonomy.from_edges([("x", "a"), ("x", "b"), ("y", "a"), ("y", "b"), ("a", "all"), ("b", "all")])
    a, b, x, y = (tax.code(name) for name in "abxy")
    found = fate(tax, seco(tax), [x, y], [a, b])
    assert (found.one_step, found.merged) == (1, 1)  # both rise to the same one of two that say as much


def test_what_goes_without_saying_is_merged_and_keeps_its_information() -> None:
    """Unchanged data of which only the most special concepts are published keep everything."""
    assert forms([POODLE, DOG, PET], [POODLE]) == {"kept": 1, "merged": 2}
    assert kept([POODLE, DOG, PET], [POODLE]) == pytest.approx(IC[POODLE] + IC[DOG] + IC[PET])
    assert forms([POODLE, PET], [DOG]) == {"one_step": 1, "merged": 1}
    assert forms([DOG], [POODLE]) == {"lost": 1}  # nobody said it


def test_what_is_published_is_true_where_it_lies_above_something_said() -> None:
    found = fate(PETS, IC, [POODLE], [DOG, CAT, POODLE, THING])
    assert (found.published, found.true) == (4, 3)
    assert found.published_content == pytest.approx(IC[DOG] + IC[CAT] + 1)
    assert found.true_content == pytest.approx(IC[DOG] + 1)


def test_a_phrase_says_as_much_as_its_head_other_values_as_much_as_a_leaf_and_nothing_else_changes() -> None:
    more = with_phrases(with_roots(PETS, ["zebra"]), [(DOG, "big dog")])
    assert seco(more).tolist() == [*IC.tolist(), 1, IC[DOG]]
    assert seco(with_leaves(PETS, ["dog and cat"], [[DOG, CAT]])).tolist() == [*IC.tolist(), 1]


# ---------------------------------------------------------------------- many records at once


@given(taxonomies(), st.data())
def test_the_fates_of_many_records_are_those_of_each(tax: Taxonomy, data: st.DataObject) -> None:
    sets = st.lists(st.frozensets(st.integers(0, len(tax) - 1), max_size=6).map(sorted), min_size=1, max_size=5)
    said, shown = data.draw(sets), data.draw(sets)
    content = seco(tax)
    record, row = np.array([(i, j) for i, _ in enumerate(said) for j, _ in enumerate(shown)], np.int64).T
    found = fates(ConceptSets.of(said, tax), record, Runs.of(shown), row, content)
    each = [fate(tax, content, said[i], shown[j]) for i, j in zip(record.tolist(), row.tolist(), strict=True)]
    assert found == pytest.approx(np.array(each))
    for one in map(Fate._make, found.tolist()):
        assert 0 <= one.kept + one.one_step + one.more_general + one.merged <= one.said
        assert -1e-9 <= one.kept_content <= one.content + 1e-9
        assert one.kept + one.one_step + one.more_general <= one.published


@given(taxonomies(), st.data())
def test_unchanged_data_and_their_most_special_concepts_keep_all_information(
    tax: Taxonomy, data: st.DataObject
) -> None:
    said = sorted(data.draw(st.frozensets(st.integers(0, len(tax) - 1), min_size=1, max_size=6)))
    lowest = [x for x in said if not any(x != y and x in tax.ancestors(y) for y in said)]
    content = seco(tax)
    for shown in (said, lowest):
        found = fate(tax, content, said, shown)
        assert found.kept_content == pytest.approx(found.content)
        assert found.true == found.published
        assert found.said == found.kept + found.merged


# ---------------------------------------------------------------------- sums


def sums(
    said: list[list[int]], shown: list[list[int]], unknown: list[int] | None = None, **more: object
) -> SurvivalSums:
    sets, at = ConceptSets.of(said, PETS), np.arange(len(said))
    found = fates(sets, at, Runs.of(shown), at, IC)
    return SurvivalSums.of(found, np.array(unknown or [0] * len(said)), mean_content(sets, IC), **more)  # type: ignore[arg-type]


def test_a_term_without_a_concept_is_lost_and_weighs_as_much_as_others_on_average() -> None:
    found = sums([[POODLE], [CAR]], [[POODLE], [CAR]], [1, 0])
    assert found.by_record()["information"] == pytest.approx(0.75)
    assert found.by_record() == pytest.approx(
        {"information": 0.75, "kept": 75, "one_step": 0, "more_general": 0, "merged": 0, "lost": 25, "unmapped": 25,
         "understood": 75, "true": 100, "true_by_content": 100}
    )  # fmt: skip
    assert found.by_item()["information"] == pytest.approx(2 / 3)
    assert found.by_item()["lost"] == pytest.approx(100 / 3)


def test_of_a_person_who_is_left_out_everything_is_lost() -> None:
    out = ConceptSets.of([[POODLE], [DOG, CAR]], PETS)
    left = SurvivalSums.left_out(out, np.array([0, 1]), 1.0, IC, np.array([False, True]))
    assert left.by_record()["information"] == 0
    assert (left.by_record()["lost"], left.by_record()["unmapped"]) == (100, 50)
    assert (left.items, left.telling) == (4, 0)
    both = sums([[POODLE]], [[POODLE]]) + left
    assert both.by_record()["information"] == pytest.approx(1 / 3)
    assert both.by_record()["true"] == 100  # of what is published


def test_what_is_in_rows_that_are_cut_is_lost() -> None:
    found = sums([[POODLE]], [[POODLE]], released=np.array([0.25])).by_record()
    assert (found["information"], found["kept"], found["lost"]) == (0.25, 25, 75)


def test_sums_of_parts_add_up_to_those_of_all() -> None:
    said, shown, unknown = [[POODLE], [DOG, CAR], [CAT]], [[DOG], [PET], [CAT, CAR]], [0, 2, 1]
    parts = [SurvivalSums.of(fates(ConceptSets.of(said, PETS), np.array([i]), Runs.of(shown), np.array([i]), IC),
                             np.array([unknown[i]]), 0.5) for i in range(3)]  # fmt: skip
    at = np.arange(3)
    whole = SurvivalSums.of(fates(ConceptSets.of(said, PETS), at, Runs.of(shown), at, IC), np.array(unknown), 0.5)
    assert (parts[0] + parts[1] + parts[2]).values == pytest.approx(whole.values)


def test_sizes_before_and_after_go_together_or_do_not() -> None:
    found = sums([[POODLE], [DOG, CAR], [CAT, CAR, DOG]], [[DOG], [DOG, CAR], [CAT, CAR, DOG]]).sizes()
    assert found == pytest.approx({"before": 2, "after": 2, "bounded": 2, "as_large": 100, "correlation": 1})
    assert sums([[POODLE], [DOG]], [[DOG], [DOG]]).sizes()["correlation"] is None


def test_of_many_items_no_more_count_than_one_person_may_weigh() -> None:
    tax = Taxonomy.from_edges([(f"leaf {i}", "root") for i in range(MANY + 5)])
    every, at = [tax.code(f"leaf {i}") for i in range(MANY + 5)], np.zeros(1, np.int64)
    found = SurvivalSums.of(fates(ConceptSets.of([every], tax), at, Runs.of([[]]), at, seco(tax)), np.zeros(1), 1.0)
    assert (found.sizes()["before"], found.sizes()["bounded"], found.sizes()["as_large"]) == (MANY + 5, MANY, 0)


@given(taxonomies(), st.data())
def test_what_was_raised_dropped_and_added_is_what_brute_force_counts(tax: Taxonomy, data: st.DataObject) -> None:
    codes = st.lists(st.integers(0, len(tax) - 1), unique=True, max_size=6).map(sorted)
    records = data.draw(st.lists(st.tuples(codes, codes), min_size=1, max_size=6))
    left = data.draw(st.lists(codes, max_size=3))
    raised = dropped = added = 0
    for said, shown in [*records, *((one, []) for one in left)]:
        up = {x: set(tax.ancestors(x)) for x in said}
        raised += sum(x not in shown and bool(above & set(shown)) for x, above in up.items())
        dropped += sum(not above & set(shown) for above in up.values())
        added += sum(not any(y in above for above in up.values()) for y in shown)
    sets, at, content = ConceptSets.of([said for said, _ in records], tax), np.arange(len(records)), seco(tax)
    none = np.zeros(len(records), np.int64)
    found = SurvivalSums.of(fates(sets, at, Runs.of([shown for _, shown in records]), at, content), none, 1.0)
    out, nobody = ConceptSets.of(left, tax), np.zeros(len(left), np.bool_)
    found += SurvivalSums.left_out(out, np.zeros(len(left)), 1.0, content, nobody)
    assert found.changes() == {"raised": raised, "dropped": dropped, "added": added}


def test_nobody_who_said_anything_has_no_figures() -> None:
    found = sums([[]], [[]])
    assert set(found.by_record().values()) == {None}


# ---------------------------------------------------------------------- what must not look good


def test_everything_raised_to_the_most_general_keeps_little_information() -> None:
    said = [[POODLE], [BEAGLE], [SIAMESE], [CAT]]
    raised = sums(said, [[PET]] * 4).by_record()
    assert raised["true"] == 100
    assert (raised["information"] or 0) < 0.25
    assert raised["kept"] == 0


def test_the_same_long_record_for_everybody_is_not_true() -> None:
    said = [[POODLE], [BEAGLE], [SIAMESE], [CAR]]
    long = sums(said, [[POODLE, BEAGLE, SIAMESE, CAR]] * 4).by_record()
    assert long["true"] == 25
    assert long["true_by_content"] == 25


@given(taxonomies(), st.data())
def test_leaving_more_persons_out_never_keeps_more_information(tax: Taxonomy, data: st.DataObject) -> None:
    sets = st.frozensets(st.integers(0, len(tax) - 1), max_size=5).map(sorted)
    rows = data.draw(st.lists(st.tuples(sets, sets, st.integers(0, 2), st.booleans()), min_size=1, max_size=6))
    content = seco(tax)
    said, at = ConceptSets.of([row[0] for row in rows], tax), np.arange(len(rows))
    unknown, out = np.array([row[2] for row in rows]), np.array([row[3] for row in rows])
    found = fates(said, at, Runs.of([row[1] for row in rows]), at, content)
    mean = mean_content(said, content)
    left = SurvivalSums.left_out(said.take(at[out]), unknown[out], mean, content, np.zeros(int(out.sum()), np.bool_))
    more, less = SurvivalSums.of(found, unknown, mean), SurvivalSums.of(found[~out], unknown[~out], mean) + left
    for whole, part in ((more.by_record(), less.by_record()), (more.by_item(), less.by_item())):
        assert (part["information"] or 0) <= (whole["information"] or 0) + 1e-9
        assert (part["lost"] or 0) >= (whole["lost"] or 0) - 1e-9
