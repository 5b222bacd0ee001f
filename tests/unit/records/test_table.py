import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from taxonym.errors import BadInput, BadPlan
from taxonym.io.frames import as_polars, like
from taxonym.records.column import Column
from taxonym.records.table import Table


def columns(**kinds: Any) -> dict[str, Column]:
    """Quasi-identifiers of these kinds; a dictionary says more."""
    settings = {n: k if isinstance(k, dict) else {"kind": k} for n, k in kinds.items()}
    return {n: Column(**{"name": n, "role": "quasi-identifier", **s}) for n, s in settings.items()}


DATA = {"id": ["p", "q", "p"], "words": ["a; b;a", "", "b;c"], "sex": ["f", "m", "f"], "age": ["30", "41", "32"]}


# ---------------------------------------------------------------------- cells


def test_a_set_is_split_trimmed_and_without_repetitions() -> None:
    assert Table.of(pl.DataFrame(DATA), columns(words="set")).terms("words") == [["a", "b"], [], ["b", "c"]]


def test_a_set_keeps_repetitions_if_asked() -> None:
    table = Table.of(pl.DataFrame(DATA), columns(words={"kind": "set", "multiplicity": True}))
    assert table.terms("words") == [["a", "b", "a"], [], ["b", "c"]]


def test_cells_with_and_without_quotes_keep_their_rows() -> None:
    frame = pl.DataFrame({"w": ["a;b", '"c;d";e', None, "f", '"g"']})
    assert Table.of(frame, columns(w="set")).terms("w") == [["a", "b"], ["c;d", "e"], [], ["f"], ["g"]]


def test_lists_are_sets_without_blank_terms() -> None:
    frame = pl.DataFrame({"w": [["a ", "", None, "a"], [], None], "n": [[1, 2], [2], [3]]})
    table = Table.of(frame, columns(w="set", n="set"))
    assert table.terms("w") == [["a"], [], []]
    assert table.terms("n") == [["1", "2"], ["2"], ["3"]]


def test_blank_cells_nan_and_the_marks_of_the_plan_are_missing() -> None:
    frame = pl.DataFrame({"a": ["x", " ", "?", None], "b": [1.5, float("nan"), 2.5, None], "c": ["1", "?", " ", "2"]})
    table = Table.of(frame, columns(a="nominal", b="number", c="number"), missing=["?"])
    assert table.terms("a") == [["x"], [], [], []]
    assert table.empty("b").tolist() == [False, True, False, True]
    assert np.isnan(table.values("c")).tolist() == [False, True, True, False]


def test_whole_numbers_stay_whole() -> None:
    frame = Table.of(pl.DataFrame({"a": ["1", "20"], "b": ["1", "2.5"]}), columns(a="number", b="number")).frame
    assert frame.dtypes == [pl.Int64, pl.Float64]


def test_a_decimal_comma_can_be_named() -> None:
    table = Table.of(pl.DataFrame({"a": ["1,5", "2"]}), columns(a={"kind": "number", "decimal": ","}))
    assert table.values("a").tolist() == [1.5, 2.0]


@pytest.mark.parametrize(
    ("cells", "format", "days"),
    [
        (["2024-05-06", "2024-05-08"], None, [19849.0, 19851.0]),
        (["06/05/2024", "08/05/2024"], "%d/%m/%Y", [19849.0, 19851.0]),
        (["2024-05-06T12:00", "2024-05-08"], None, [19849.5, 19851.0]),
        (["2024-05-06T14:00:00+02:00", "2024-05-08 00:00Z"], None, [19849.5, 19851.0]),
        ([dt.date(2024, 5, 6), dt.date(2024, 5, 8)], None, [19849.0, 19851.0]),
    ],
)
def test_dates_are_read_as_days(cells: list[Any], format: str | None, days: list[float]) -> None:
    table = Table.of(pl.DataFrame({"d": cells}), columns(d={"kind": "date", "format": format}))
    assert table.values("d").tolist() == days


def test_kept_columns_keep_their_type_and_their_missing_values() -> None:
    frame = pl.DataFrame({"w": ["a", "b"], "pay": [1000, None], "code": ["007", "1"]})
    kept = {n: Column(name=n, role=r) for n, r in (("pay", "confidential"), ("code", "other"))}
    table = Table.of(frame, columns(w="nominal") | kept)
    assert table.frame.select("pay", "code").rows() == [(1000, "007"), (None, "1")]
    assert not table.suppressed().any()


# ---------------------------------------------------------------------- columns


def test_only_columns_of_the_plan_are_held_and_the_others_are_named() -> None:
    named = columns(words="set") | {"id": Column(name="id", role="identifier")}
    table = Table.of(pl.DataFrame(DATA), named)
    assert table.frame.columns == ["words"]
    assert table.notes == [
        "Column 'sex' is not in the plan and is left out.",
        "Column 'age' is not in the plan and is left out.",
        "Column 'id' is an identifier and is removed.",
    ]


def test_records_without_a_value_are_suppressed_only_where_the_policy_says_so() -> None:
    frame = pl.DataFrame({"a": ["x", None, "y"], "b": [None, "z", "z"]})
    table = Table.of(frame, columns(a="nominal", b={"on_empty": "keep-as-own-concept"}))
    assert table.suppressed().tolist() == [False, True, False]


# ---------------------------------------------------------------------- persons


def test_without_a_person_column_every_row_is_a_person() -> None:
    table = Table.of(pl.DataFrame(DATA), columns(words="set"))
    assert (len(table), table.persons, table.rows(2)) == (3, 3, [3])


def test_rows_of_one_person_make_one_record() -> None:
    table = Table.of(pl.DataFrame(DATA), columns(words="set", sex="nominal", age="number"), person="id")
    assert (len(table), table.persons, table.person_ids) == (2, 2, ["p", "q"])
    assert table.terms("words") == [["a", "b", "c"], []]
    assert table.terms("sex") == [["f"], ["m"]]
    assert table.values("age").tolist() == [30, 41]
    assert [table.rows(i) for i in range(2)] == [[1, 3], [2]]
    assert table.notes[-1] == "The 3 rows make 2 records, one per person."
    assert table.suppressed().tolist() == [False, True]


def test_a_nominal_column_becomes_a_set_if_a_person_has_two_values() -> None:
    frame = pl.DataFrame({"id": [1, 1, 2], "word": ["a", "b", "c"]})
    table = Table.of(frame, columns(word="nominal"), person="id")
    assert table.columns["word"].kind == "set"
    assert table.terms("word") == [["a", "b"], ["c"]]
    assert "Column 'word' has several values for some persons and becomes a set." in table.notes
    assert table.separators == {"word": ";"}


def test_texts_of_a_person_follow_each_other_and_dates_give_the_lower_median() -> None:
    frame = pl.DataFrame(
        {"id": ["a"] * 4 + ["b"], "t": ["x", None, "y", "z", None], "d": [f"2024-01-0{i}" for i in (9, 1, 2, 5, 3)]}
    )
    table = Table.of(frame, columns(t="text", d="date"), person="id")
    assert table.frame.rows() == [("x\ny\nz", dt.date(2024, 1, 2)), (None, dt.date(2024, 1, 3))]


def test_repetitions_across_rows_count_only_if_asked() -> None:
    frame = pl.DataFrame({"id": [1, 1], "w": ["a;b", "b"]})
    for multiplicity, terms in ((False, ["a", "b"]), (True, ["a", "b", "b"])):
        table = Table.of(frame, columns(w={"kind": "set", "multiplicity": multiplicity}), person="id")
        assert table.terms("w") == [terms]


@pytest.mark.parametrize("name", ["*", "^.*$", "row", "person", "0", "", "\0"])
def test_a_column_may_have_any_name(name: str) -> None:
    frame = pl.DataFrame({"1": ["p", "p", "q"], name: ["a", "b", "c"], "age": [1, 2, 3]})
    named = {name: Column(name=name, role="quasi-identifier"), **columns(age="number")}
    table = Table.of(frame, named, person="1")
    assert table.terms(name) == [["a", "b"], ["c"]]
    assert table.frame.columns == [name, "age"]


def test_rows_of_one_person_may_stay_records_that_count_once() -> None:
    table = Table.of(pl.DataFrame(DATA), columns(words="set"), person="id", person_rows="keep")
    assert (len(table), table.persons, table.person.tolist()) == (3, 2, [0, 1, 0])


def test_a_kept_number_that_differs_within_a_person_cannot_be_one_record() -> None:
    frame = pl.DataFrame({"id": ["q", "p", "p"], "w": ["a", "b", "c"], "pay": [1, 1, 2]})
    named = columns(w="nominal") | {"pay": Column(name="pay", role="confidential", kind="number")}
    with pytest.raises(
        BadInput, match="column 'pay': has several values of one person in 1 of 2 records, first in row 2"
    ):
        Table.of(frame, named, person="id")


def test_a_kept_number_that_does_not_differ_stays_as_it_is() -> None:
    frame = pl.DataFrame({"id": ["p", "p"], "w": ["a", "b"], "pay": [7, None]})
    named = columns(w="nominal") | {"pay": Column(name="pay", role="confidential", kind="number")}
    assert Table.of(frame, named, person="id").frame["pay"].to_list() == [7]


# ---------------------------------------------------------------------- other people's tables

MAKERS: list[Callable[[pl.DataFrame], Any]] = [
    lambda f: f,
    lambda f: f.lazy(),
    lambda f: f.to_arrow(),
    lambda f: pd.DataFrame(f.to_dict(as_series=False)),
]


@pytest.mark.parametrize("make", MAKERS, ids=["polars", "lazy", "pyarrow", "pandas"])
def test_the_table_comes_back_as_the_callers_kind(make: Callable[[pl.DataFrame], Any]) -> None:
    frame = pl.DataFrame(
        {
            "t": ["x", None, "ü"], "n": [1.5, None, 3.0], "i": [1, 2, 3], "s": [["a", "b"], [], None],
            "d": [dt.datetime(2024, 5, 6), None, dt.datetime(2024, 5, 8, 12)], "b": [True, False, True],
        }
    )  # fmt: skip
    theirs = make(frame)
    ours = as_polars(theirs)
    assert ours["s"].to_list() == [["a", "b"], [], None]
    assert ours.drop("s").rows() == frame.drop("s").rows()
    back = like(ours, theirs)
    assert type(back) is type(theirs)
    assert as_polars(back).equals(ours)


def test_odd_pandas_columns_are_understood() -> None:
    frame = pd.DataFrame(
        {
            "mixed": ["a", 1, None], "cat": pd.Categorical(["x", None, "x"]), 7: [frozenset("p"), ("q", "r"), None],
            "none": [None, None, None], "int": pd.array([1, None, 3], dtype="Int64"),
        }
    )  # fmt: skip
    assert as_polars(frame).rows() == [
        ("a", "x", ["p"], None, 1), ("1", None, ["q", "r"], None, None), (None, "x", None, None, 3),
    ]  # fmt: skip


def test_a_categorical_arrow_column_is_words() -> None:
    table = Table.of(pa.table({"w": pa.array(["a", "b", "a"]).dictionary_encode()}), columns(w="nominal"))
    assert table.terms("w") == [["a"], ["b"], ["a"]]


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(
        BadInput,
        match="a set is not a table. Give a polars, pandas, pyarrow or DuckDB table, a list of dicts, or a path.",
    ):
        as_polars({1, 2})
    with pytest.raises(
        BadInput, match="entry 1 of the list is not a dict with texts as keys. Give every row as a dict"
    ):
        as_polars([1, 2])
    with pytest.raises(BadInput, match="two columns have the same name"):
        as_polars(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_a_file_is_read_in_its_dialect(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id;w\n1;a|b\n")
    assert Table.of(tmp_path / "x.csv", columns(w={"kind": "set", "separator": "|"})).terms("w") == [["a", "b"]]


# ---------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"role": "quasi"}, "columns.x.role: 'quasi' is not known. Choose one of identifier, quasi-identifier, "),
        ({"kind": "sets"}, "columns.x.kind: 'sets' is not known. Did you mean 'set'? Choose one of nominal, set, "),
        ({"separator": "|"}, "columns.x.separator: belongs to columns of kind set, and this is 'nominal'."),
        ({"kind": "set", "separator": ""}, "columns.x.separator: must be some characters, such as"),
        ({"weight": 0}, "columns.x.weight: must be a number above 0, got 0."),
        ({"weight": float("nan")}, "columns.x.weight: must be a number above 0, got nan."),
        ({"weight": True}, "columns.x.weight: must be a number, got True."),
        ({"kind": "number", "taxonomy": ("wordnet",)}, "columns.x.taxonomy: belongs to columns of kind nominal, set, "),
        ({"taxonomy": "wordnet"}, "columns.x.taxonomy: must be a list of texts, got 'wordnet'."),
        ({"senses": "best"}, "columns.x.senses: 'best' is not known. Did you mean 'best-pair'? Choose one of column, "),
        ({"on_empty": "drop"}, "columns.x.on_empty: 'drop' is not known. Choose one of suppress, "),
    ],
)
def test_a_wrong_setting_of_a_column_is_named(settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadPlan) as caught:
        Column(**{"name": "x", "role": "quasi-identifier", **settings})
    assert complaint in str(caught.value)
