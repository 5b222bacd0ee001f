"""Units: what is grouped, and what falls out before."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from taxonym.errors import BadInput, BadPlan, BrokenPromise
from taxonym.plan import Plan
from taxonym.records.records import NumberColumn, Records
from taxonym.shapes.table.read import prepare

LIKES = {"role": "quasi-identifier", "kind": "set"}


def units(data: dict[str, list[Any]], columns: dict[str, dict[str, Any]], k: int = 2, **given: Any) -> Records:
    plan = Plan.from_dict({"columns": columns, "method": {"k": k}, "input": given})
    return prepare(pl.DataFrame(data), plan)


def test_units_come_sorted_whatever_the_order_of_the_rows() -> None:
    data: dict[str, list[Any]] = {"likes": ["b", "a;b", "a", "b"], "pay": [4, 3, 2, 1]}
    columns = {"likes": LIKES, "pay": {"role": "confidential"}}
    first = units(data, columns)
    turned = units({name: cells[::-1] for name, cells in data.items()}, columns)
    assert [first.words[0].record(i) for i in range(4)] == [turned.words[0].record(i) for i in range(4)]
    pays = [[one.table.frame["pay"][r] for records in one.records for r in records] for one in (first, turned)]
    assert pays[0] == pays[1] == [2, 3, 1, 4]


def test_values_of_other_columns_are_numbered_by_what_their_units_hold_and_not_by_the_order_of_the_rows() -> None:
    data: dict[str, list[Any]] = {"likes": list("cdab"), "site": list("nnss")}
    columns = {"likes": LIKES, "site": {"role": "other"}}
    turned = {name: cells[::-1] for name, cells in data.items()}
    assert units(data, columns).block.tolist() == units(turned, columns).block.tolist() == [0, 0, 1, 1]


def test_a_category_that_no_taxonomy_has_is_named_with_its_column() -> None:
    with pytest.raises(BadPlan, match=r"columns\.likes\.category: wordnet has no concept 'nowhere'\. Look for"):
        units({"likes": ["dog", "cat"]}, {"likes": LIKES | {"taxonomy": "wordnet", "category": "nowhere"}})


def test_records_of_a_person_with_equal_other_columns_are_one_unit() -> None:
    data = {"who": list("aabbcc"), "likes": list("xyxyxy"), "site": ["n", "n", "n", "s", "n", "s"]}
    columns = {"likes": LIKES, "site": {"role": "other"}}
    found = units(data, columns, person="who", person_rows="keep")
    assert sorted(map(len, found.records)) == [1, 1, 1, 1, 2]
    for block in set(found.block.tolist()):
        mine = found.persons[found.block == block].tolist()
        assert len(mine) == len(set(mine)) >= 2
    assert found.suppressed == {}


def test_other_values_of_fewer_than_k_persons_are_suppressed_and_counted() -> None:
    data = {"who": list("abcdd"), "likes": ["x"] * 5, "site": ["n", "n", "n", "rare", "rare"]}
    columns = {"likes": LIKES, "site": {"role": "other"}}
    found = units(data, columns, person="who", person_rows="keep")
    assert len(found) == 3
    assert found.suppressed == {"fewer than k persons with the same other columns": 1}


def test_missing_values_and_words_without_a_concept_are_counted_apart(tmp_path: Path) -> None:
    (tmp_path / "tree.csv").write_text("child,parent\nx,root\ny,root\n")
    tree = LIKES | {"taxonomy": str(tmp_path / "tree.csv")}
    data = {"likes": ["x", "y", None, "zyzzyva", None], "age": ["1", "2", "3", "4", None]}
    found = units(data, {"likes": tree, "age": {"role": "quasi-identifier", "kind": "number"}})
    assert found.suppressed == {"missing value": 2, "no concept": 1}
    assert len(found) == 2


def test_a_missing_number_may_be_kept() -> None:
    data = {"age": ["1", None, "2"]}
    found = units(data, {"age": {"role": "quasi-identifier", "kind": "number", "on_empty": "keep-as-own-concept"}})
    (ages,) = found.columns
    assert isinstance(ages, NumberColumn)
    assert sorted(ages.cells.to_list(), key=str) == [1, 2, None]


def test_lists_in_other_columns_divide_the_records() -> None:
    data = {"likes": ["x"] * 5, "tags": ["a;b", "a;b", "b;a", "c", "c"]}
    found = units(data, {"likes": LIKES, "tags": {"role": "other", "kind": "set"}})
    assert len(found) == 4
    assert found.suppressed == {"fewer than k persons with the same other columns": 1}


@pytest.mark.parametrize("name", ["*", "^.*$", "^likes", "row", "person", "0"])
def test_a_column_may_have_almost_any_name(name: str) -> None:
    data = {"who": list("aabbccdd"), "likes": list("xyxyxyxy"), name: ["n", "n", "n", "n", "s", "s", "s", "s"]}
    for role in ("other", "quasi-identifier"):
        columns = {"likes": LIKES, name: {"role": role}}
        found = units(data, columns, person="who", person_rows="keep")
        assert len(found) == 4
        assert (len(set(found.block.tolist())) == 2) == (role == "other")


def test_a_name_that_polars_takes_for_a_pattern_is_refused() -> None:
    """It would silently stand for another column."""
    for name in ("^likes$", "^(likes$"):
        with pytest.raises(BadInput, match="polars takes this name for a pattern. Rename the column."):
            units({"likes": ["x", "y"], name: ["n", "s"]}, {"likes": LIKES, name: {"role": "other"}})


def test_too_few_persons_are_refused_however_many_rows_they_have() -> None:
    with pytest.raises(BrokenPromise, match="has 1 persons, fewer than k = 2: nobody could hide"):
        units({"who": ["a"] * 9, "likes": ["x"] * 9}, {"likes": LIKES}, person="who", person_rows="keep")


def test_a_table_without_anything_left_is_refused_with_the_reasons() -> None:
    with pytest.raises(BrokenPromise, match="every record would have to be suppressed .missing value."):
        units({"likes": [None, " "]}, {"likes": LIKES})


def test_a_text_needs_a_taxonomy() -> None:
    with pytest.raises(BadPlan, match="columns.likes.taxonomy: is missing"):
        units({"likes": ["x", "y"]}, {"likes": {"role": "quasi-identifier", "kind": "text"}})


# ---------------------------------------------------------------------- topics


@pytest.fixture
def topical(tmp_path: Path) -> dict[str, Any]:
    """A column with a taxonomy and a topic file of its own."""
    (tmp_path / "tree.csv").write_text(
        "child,parent\nflu,illness\ncough,illness\nillness,thing\ntea,drink\ndrink,thing\n"
    )
    (tmp_path / "topics.toml").write_text('[topics.health]\nconcepts = ["illness"]\n[topics.tea]\nconcepts = ["tea"]\n')
    return LIKES | {"taxonomy": str(tmp_path / "tree.csv"), "topics_file": str(tmp_path / "topics.toml")}


def test_words_outside_the_topics_are_dropped_or_kept_as_the_plan_says(topical: dict[str, Any]) -> None:
    data = {"likes": ["flu;tea", "flu", "tea", "drink"]}
    kept = units(data, {"likes": topical | {"topics": "health"}})
    assert (len(kept), kept.suppressed, kept.words[0].outside.tolist()) == (4, {}, [0, 0, 0, 0])
    found = units(data, {"likes": topical | {"topics": "health", "other_words": "drop"}})
    assert {found.words[0].tax.label(c) for c in found.words[0].codes.tolist()} == {"flu"}
    assert (len(found), found.suppressed) == (2, {"no concept": 2})
    assert sorted(found.words[0].outside.tolist()) == [0, 1]
    every = units(data, {"likes": topical | {"topics": "all", "other_words": "drop"}})
    assert (len(every), every.suppressed) == (3, {"no concept": 1})


def test_words_that_are_concepts_by_policy_are_not_outside_the_topics(topical: dict[str, Any]) -> None:
    column = topical | {"topics": "health", "other_words": "drop", "on_unknown": "keep-as-own-concept"}
    found = units({"likes": ["zyzzyva;tea", "flu", "tea"]}, {"likes": column})
    assert {found.words[0].tax.label(c) for c in found.words[0].codes.tolist()} == {"zyzzyva", "flu"}


def test_topics_need_a_taxonomy_and_an_unknown_one_names_those_that_are_known(topical: dict[str, Any]) -> None:
    data = {"likes": ["flu", "flu"]}
    with pytest.raises(BadPlan, match=r"^columns.likes.topics: need a taxonomy. Name one, such as 'wordnet'.$"):
        units(data, {"likes": LIKES | {"topics": "health"}})
    with pytest.raises(BadPlan, match=r"^columns.likes.topics: topic: 'zoo' is not known. Known are: health, tea.$"):
        units(data, {"likes": topical | {"topics": ["health", "zoo"]}})
    with pytest.raises(BadPlan, match=r"^columns.likes.topics: nowhere.toml: is neither a topic file nor shipped."):
        units(data, {"likes": topical | {"topics": "health", "topics_file": "nowhere.toml"}})
