from collections import Counter

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.knowledge.build import Draft
from taxonym.publish.wording import Synthetic, name_of, printable, synthesize
from taxonym.records.terms import Terms


@pytest.fixture
def phones() -> Taxonomy:
    draft = Draft("phones")
    draft.add("p", ["smartphone", "mobile"])
    draft.add("t", ["tablet"])
    draft.add("bell", ["Bell"], instance=True)
    for id in ("p", "t", "bell"):
        draft.link(id, "device")
    return draft.build()


def written(tax: Taxonomy, **terms: str) -> Terms:
    """iphone="p 1 2 2" is the term iphone for concept p, written by person 1 once and by person 2 twice."""
    parts = {text: words.split() for text, words in terms.items()}
    return Terms((text, tax.code(id), int(person)) for text, (id, *persons) in parts.items() for person in persons)


def made(
    tax: Taxonomy, terms: Terms, ids: str, *, k: int = 2, seed: int = 1, rows: int = 3, per_record: bool = False
) -> Synthetic:
    concepts = [tax.code(id) for id in ids.split()]
    rng = np.random.default_rng(seed)
    return synthesize(tax, [range(rows)], [concepts], terms, k, terms.reader(tax), rng=rng, per_record=per_record)


def test_a_term_counts_its_occurrences_and_its_distinct_writers(phones: Taxonomy) -> None:
    (term,) = written(phones, iphone="p 1 2 2").of(phones.code("p"))
    assert (term.text, term.occurrences, term.writers) == ("iphone", 3, 2)


def test_writers_of_a_term_count_whatever_they_meant_by_it(phones: Taxonomy) -> None:
    p, t = phones.code("p"), phones.code("t")
    terms = Terms([("pad", p, 1), ("pad", t, 2), ("pad", t, 3)])
    assert [(term.occurrences, term.writers) for code in (p, t) for term in terms.of(code)] == [(1, 3), (2, 3)]
    assert terms.reader(phones)("pad") == t


def test_a_term_of_too_few_writers_is_never_printed(phones: Taxonomy) -> None:
    terms = written(phones, iphone="p 1 1 1 1 1", nexus="p 1 2")
    assert {made(phones, terms, "p", seed=seed).records[0][0] for seed in range(30)} == {("nexus",)}


def test_where_words_are_alike_the_most_frequent_term_of_k_writers_stands_for_a_concept_everywhere(
    phones: Taxonomy,
) -> None:
    terms = written(phones, iphone="p 1 2 2 2", nexus="p 1 2", own="p 3 3 3 3 3 3")
    concepts, maps_to = [[phones.code("p")]] * 9, terms.reader(phones)
    groups = [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(9)]
    words = [
        {
            cell
            for group in synthesize(phones, groups, concepts, terms, 2, maps_to, alike=alike).records
            for cell in group
        }
        for alike in (True, False)
        for _ in range(5)
    ]
    assert words[:5] == [{("iphone",)}] * 5
    assert set().union(*words[5:]) == {("iphone",), ("nexus",)}


def test_a_concept_without_a_term_of_k_writers_is_printed_as_its_label(phones: Taxonomy) -> None:
    result = made(phones, written(phones, iphone="p 1 1"), "p")
    assert result.records == [[("smartphone",)] * 3]
    assert (result.drawn, result.named) == (0, 1)


def test_a_label_that_means_something_else_gives_way_to_the_next_name(phones: Taxonomy) -> None:
    terms = written(phones, smartphone="t 1 2", mobile="t 1 2")
    assert name_of(phones, phones.code("p"), terms.reader(phones)) == "smartphone (device)"
    terms = written(phones, smartphone="t 1 2")
    assert made(phones, terms, "p").records[0][0] == ("mobile",)


def test_a_term_that_maps_to_another_concept_is_not_printed(phones: Taxonomy) -> None:
    p, t = phones.code("p"), phones.code("t")
    terms = Terms([("pad", p, 1), ("pad", p, 2), ("pad", t, 1), ("pad", t, 2), ("pad", t, 3)])
    assert made(phones, terms, "p").records[0][0] == ("smartphone",)
    assert made(phones, terms, "t").records[0][0] == ("pad",)


def test_an_instance_is_printed_by_a_term_of_k_writers_and_never_by_its_label(phones: Taxonomy) -> None:
    bell = phones.code("bell")
    common, rare = written(phones, graham="bell 1 2"), written(phones, graham="bell 1", Bell="bell 2")
    assert made(phones, common, "bell").records[0][0] == ("graham",)
    with pytest.raises(BrokenPromise, match="has no word that may be printed"):
        made(phones, rare, "bell")
    assert printable(phones, [bell], common, 2, common.reader(phones))[bell]
    assert not printable(phones, [bell], rare, 2, rare.reader(phones))[bell]


def test_a_refusal_names_no_word(phones: Taxonomy) -> None:
    with pytest.raises(BrokenPromise) as refusal:
        made(phones, written(phones, graham="bell 1"), "bell")
    assert "ell" not in str(refusal.value).replace("label", "")
    assert "graham" not in str(refusal.value)


def test_all_members_of_a_group_get_the_same_record_in_the_same_order(phones: Taxonomy) -> None:
    terms = written(phones, iphone="p 1 2", nexus="p 1 2", ipad="t 1 2", fire="t 1 2")
    for seed in range(20):
        assert len(set(made(phones, terms, "p t", seed=seed).records[0])) == 1


def test_draws_per_record_differ_and_promise_less(phones: Taxonomy) -> None:
    terms = written(phones, iphone="p 1 2", nexus="p 1 2", ipad="t 1 2", fire="t 1 2")
    result = made(phones, terms, "p t", rows=20, per_record=True)
    assert len(set(result.records[0])) > 2
    assert result.promise == "k by concept"
    assert result.drawn == 40


def test_terms_are_drawn_as_often_as_they_occur(phones: Taxonomy) -> None:
    terms = written(phones, iphone="p 1 2 2", nexus="p 1 2 2 2 2 2 2 2 2")
    drawn = Counter(word for (word,) in made(phones, terms, "p", rows=4000, per_record=True).records[0])
    assert drawn["iphone"] / 4000 == pytest.approx(3 / 12, abs=0.03)


def test_the_order_of_the_words_is_shuffled(phones: Taxonomy) -> None:
    terms = written(phones, iphone="p 1 2", ipad="t 1 2")
    firsts = Counter(made(phones, terms, "p t", seed=seed).records[0][0][0] for seed in range(200))
    assert 60 < firsts["ipad"] < 140


def test_the_same_seed_gives_the_same_words_and_another_seed_others(phones: Taxonomy) -> None:
    terms = written(phones, **{f"x{i}": "p 1 2" for i in range(50)})
    once, again, other = (made(phones, terms, "p", seed=seed) for seed in (5, 5, 6))
    assert once == again
    assert once != other


def test_neither_the_order_of_groups_nor_of_rows_changes_a_word(phones: Taxonomy) -> None:
    terms = written(phones, **{f"x{i}": "p 1 2" for i in range(50)})
    concepts, maps_to = [[phones.code("p")]] * 2, terms.reader(phones)

    def words(groups: list[list[int]]) -> dict[int, tuple[str, ...]]:
        rng = np.random.default_rng(3)
        result = synthesize(phones, groups, concepts, terms, 2, maps_to, rng=rng, per_record=True)
        return {
            row: words
            for rows, records in zip(groups, result.records, strict=True)
            for row, words in zip(rows, records, strict=True)
        }

    assert words([[0, 1, 5], [2, 3, 4]]) == words([[3, 2, 4], [5, 0, 1]])


def test_without_a_generator_the_words_cannot_be_foretold(phones: Taxonomy) -> None:
    terms = written(phones, **{f"x{i}": "p 1 2" for i in range(50)})
    concepts, maps_to = [[phones.code("p")]], terms.reader(phones)
    draws = [synthesize(phones, [range(20)], concepts, terms, 2, maps_to, per_record=True) for _ in "ab"]
    assert draws[0] != draws[1]


def test_a_group_that_publishes_nothing_gets_empty_records(phones: Taxonomy) -> None:
    assert made(phones, written(phones), "").records == [[()] * 3]


def test_groups_and_sets_of_concepts_that_differ_in_number_are_refused(phones: Taxonomy) -> None:
    with pytest.raises(BadPlan, match="2 groups need as many sets of concepts, not 1"):
        synthesize(phones, [[0], [1]], [[0]], Terms([]), 2, lambda text: None)
