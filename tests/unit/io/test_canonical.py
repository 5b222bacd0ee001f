"""The one form of text and the one order of rows: nothing can be said in two ways."""

import random
import unicodedata
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym.io.canonical import canonical_cells, canonical_lines, canonical_text, row_order
from taxonym.io.files import BATCH, read, read_released, write, write_batches
from taxonym.io.formulas import Formulas
from taxonym.io.rewrite import form_faults, text_faults

ODD = "\u00a0\u200b\u200d\u00ad\ufeff\u2028\u0301\ufe0f\u3164\t\n\x07 "
texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(ODD + "ab è"), max_size=12)


@pytest.mark.parametrize(
    ("text", "formed"),
    [
        ("a\u00a0b", "a b"), ("  a \t\n b ", "a b"), ("e\u0300", "è"), ("a\u200bb", "ab"), ("so\u00adso", "soso"),
        ("a\ufe0f", "a"), ("\ufeffa", "a"), ("a\x07b", "ab"), ("\u2800", ""), ("a\U000e0041", "a"), ("", ""),
        ("Łódź", "Łódź"), ("ﬁ", "ﬁ"), ("5 €", "5 €"), ("日本", "日本"),
    ],
)  # fmt: skip
def test_text_has_one_form(text: str, formed: str) -> None:
    assert canonical_text(text) == formed


@given(texts)
def test_the_form_of_a_formed_text_is_itself_and_has_nothing_that_nobody_sees(text: str) -> None:
    formed = canonical_text(text)
    assert canonical_text(formed) == formed == unicodedata.normalize("NFC", formed)
    assert formed == " ".join(formed.split())
    assert all(c == " " or unicodedata.category(c) not in ("Cc", "Cf", "Zs", "Zl", "Zp") for c in formed)
    assert canonical_text(unicodedata.normalize("NFD", formed)) == formed


def test_every_character_has_one_form() -> None:
    for code in (*range(0x3400), *range(0xF800, 0x11000), *range(0xE0000, 0xE1000)):
        for text in (chr(code), f"a{chr(code)}b", f"e{chr(code)}\u0301"):
            formed = canonical_text(text)
            assert canonical_text(formed) == formed, hex(code)


@given(st.lists(texts | st.none()))
def test_a_column_gets_the_form_of_each_of_its_texts(cells: list[str | None]) -> None:
    found = canonical_cells(pl.Series("a", cells, pl.String))
    assert found.to_list() == [cell if cell is None else canonical_text(cell) for cell in cells]
    assert canonical_lines("a\u00a0\nb  c") == "a\nb c"


# ---------------------------------------------------------------------- order

numbers = st.sampled_from(["9", "10", "-3", "2.5", "1e1", "007"])
cells = st.none() | numbers | st.sampled_from(["a", "B", "é", "a b", "a;b", "<5"])
tables = st.lists(st.tuples(cells, st.none() | st.lists(st.sampled_from(["a", "b", "a;b", '"q']), min_size=1), cells))


@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_depend_on_the_order_they_came_in(
    rows: list[tuple[str | None, list[str] | None, str | None]], rng: random.Random
) -> None:
    schema = {"a": pl.String, "set": pl.List(pl.String), "secret": pl.String}
    mixed = rng.sample(rows, len(rows))
    one, other = (pl.DataFrame(some, schema, orient="row") for some in (rows, mixed))
    found = [frame[row_order(frame, ["a"]).tolist()] for frame in (one, other)]
    assert found[0].equals(found[1])
    assert row_order(found[0], ["a"]).tolist() == list(range(len(rows)))
    flat = found[0].with_columns(pl.col("set").map_elements(_joined, pl.String))
    assert row_order(flat, ["a"]).tolist() == list(range(len(rows)))


def _joined(items: list[str]) -> str:
    from taxonym.io.delimited import join_cell

    return join_cell(items)


def test_numbers_come_by_their_value_before_texts_and_empty_cells_first() -> None:
    frame = pl.DataFrame({"a": ["x", "10", None, "9", "-3", "X"]})
    assert frame[row_order(frame).tolist()]["a"].to_list() == [None, "-3", "9", "10", "X", "x"]
    assert row_order(pl.DataFrame({"a": [10, 9, None, -3]})).tolist() == [2, 3, 1, 0]


def test_confidential_columns_come_last_wherever_they_stand() -> None:
    frame = pl.DataFrame({"pay": ["1", "2", "3"], "town": ["b", "a", "a"]})
    assert row_order(frame, ["pay"]).tolist() == [1, 2, 0]


# ---------------------------------------------------------------------- files

formulas = st.sampled_from(["=1+1", "@a", "'=a", "''-a", "'a", "-a", "+a b", "-1.5", "a"])
NAMES = ["x.csv", "x.tsv", "x.jsonl", "x.parquet", "x.csv.gz", "x.parquet.gz"]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20)
@given(
    rows=st.lists(st.tuples(texts.map(canonical_text), st.floats(-9, 9), st.lists(st.sampled_from("ab"))), min_size=1)
)
def test_whatever_is_written_is_what_would_be_written(
    name: str, rows: list[tuple[str, float, list[str]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("files") / name
    columns = {
        "n": range(len(rows)),
        "text": [text or None for text, _, _ in rows],
        "set": [s or None for _, _, s in rows],
    }
    numbers = pl.Series("number", [number + 0 for _, number, _ in rows])
    frame = pl.DataFrame(columns, {"n": pl.Int64, "text": pl.String, "set": pl.List(pl.String)})
    write(frame.with_columns(numbers.set(numbers == 0, 0.0)), path)
    assert form_faults(path, read(path), kept=None) == []  # as it is: nothing says what becomes of formulas


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl"])
@given(rows=st.lists(st.tuples(formulas, formulas), min_size=1))
@settings(max_examples=20)
def test_formulas_are_written_as_they_would_be_written_and_read_as_they_were(
    name: str, rows: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("files") / name
    frame = pl.DataFrame(rows, {"escaped": pl.String, "kept": pl.String}, orient="row")
    write_batches(iter([frame]), path, formulas=Formulas({"kept": "keep"}))
    again = read_released(path, ["kept"])
    assert again.equals(frame)
    assert form_faults(path, again, kept=["kept"]) == []


def test_a_parquet_file_does_not_tell_of_which_pieces_it_was_made(tmp_path: Path) -> None:
    n = BATCH + 50
    frame = pl.DataFrame({"set": [[f"a{i % 7}", f"b{i % 3}"] for i in range(n)], "n": [i % 11 for i in range(n)]})
    made = set()
    for size in (n, 30_000, 999):
        write_batches(frame.iter_slices(size), tmp_path / "x.parquet")
        made.add((tmp_path / "x.parquet").read_bytes())
    assert len(made) == 1
    assert form_faults(tmp_path / "x.parquet", read(tmp_path / "x.parquet")) == []


def test_types_that_are_never_written_are_told_without_a_value() -> None:
    frame = pl.DataFrame({"a": pl.Series(["Kowalska"], dtype=pl.Categorical), "b": pl.Series([b"Kowalska"])})
    found = text_faults(frame.with_columns(c=pl.lit(float("nan"))))
    assert [fault.split(":")[0] for fault in found] == ["column 'a'", "column 'b'", "column 'c'"]
    assert "Kowalska" not in " ".join(found)
