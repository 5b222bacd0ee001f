"""What the terms of a record mean: the rest of the record has a say, and many records are read as each by itself."""

from pathlib import Path
from unittest.mock import patch

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Finder, Taxonomy
from taxonym.executor.checkpoints import work_folder
from taxonym.io import files
from taxonym.plan import Plan
from taxonym.records.records import Records
from taxonym.shapes.table.read import prepare
from taxonym.shapes.table.stream import prepare_streamed
from taxonym.text.record_terms import terms_of_records
from taxonym.text.terms import terms_of
from taxonym.text.votes import learn_column

BIRDS = ["crane", "duck", "goose", "swan"]
VEHICLES = ["crane", "bulldozer", "truck", "cement", "lorry", "scaffolding", "hoist"]
OTHERS = ["bank", "loan", "river bank", "zyzzyva", "net", "Net", "pain in the neck", "fresh trout"]
RECORDS = st.lists(st.lists(st.sampled_from(BIRDS + VEHICLES + OTHERS), max_size=5), min_size=1, max_size=8)


@settings(max_examples=max(5, settings().max_examples // 3))
@given(RECORDS, st.sampled_from(["column", "first", "context"]), st.booleans(), st.randoms())
def test_records_that_are_read_together_mean_what_each_means_by_itself_in_any_order(
    wordnet: Taxonomy, records: list[list[str]], senses: str, entries: bool, order: object
) -> None:
    finder = learn_column(Finder(wordnet, senses=senses), records, range(len(records)), entries=entries)
    found = terms_of_records(finder, records, entries=entries)
    assert found == [terms_of(finder, texts, entries=entries) for texts in records]
    mixed = sorted(range(len(records)), key=lambda _: order.random())  # type: ignore[attr-defined]
    turned = [records[i][::-1] for i in mixed]
    again = terms_of_records(finder, turned, entries=entries)
    assert [[sorted(one.known) for one in some[::-1]] for some in again] == [
        [sorted(one.known) for one in found[i]] for i in mixed
    ]


def cranes(units: Records) -> list[str]:
    """What each record that has one takes for a crane, in order."""
    words = units.words[0]
    meant = [words.tax.id(code) for i in range(len(units)) for code in words.record(i)]
    return sorted(id for id in meant if id.startswith("crane"))


def test_the_rest_of_a_record_tells_a_bird_from_a_machine_in_a_column_of_both(wordnet: Taxonomy) -> None:
    finder = learn_column(Finder(wordnet), [BIRDS, VEHICLES, OTHERS], range(3), entries=True)
    found = terms_of_records(finder, [BIRDS, VEHICLES], entries=True)
    assert [wordnet.id(first.known[0][1]) for first, *_ in found] == ["crane.n.05", "crane.n.04"]


@pytest.mark.parametrize("person_rows", ["unite", "keep"])
@pytest.mark.parametrize("order", [1, -1])
def test_records_mean_the_same_in_any_order_and_through_a_work_folder(
    tmp_path: Path, person_rows: str, order: int
) -> None:
    several = person_rows == "unite"  # one word in each row of a person; or all in one
    rows = [(f"{name}{i}", words) for name, words in (("a", BIRDS), ("b", VEHICLES), ("c", OTHERS)) for i in range(2)]
    each = [(who, word) for who, words in rows for word in words] if several else [(w, ";".join(s)) for w, s in rows]
    table = pl.DataFrame(each, schema=["who", "likes"], orient="row")[::order]
    column = {"role": "quasi-identifier", "kind": "nominal" if several else "set", "taxonomy": "wordnet"}
    about = {"input": {"person": "who", "person_rows": person_rows}, "columns": {"likes": column}}
    plan = Plan.from_dict(about | {"method": {"k": 2, "seed": 1}})
    path = tmp_path / "in.csv"
    table.write_csv(path)
    with patch.multiple(files, BATCH=3), work_folder(tmp_path, path, plan, [1]) as work:
        streamed = prepare_streamed(str(path), plan, work)
    for units in (prepare(table, plan), streamed):
        assert cranes(units) == ["crane.n.04"] * 2 + ["crane.n.05"] * 2
