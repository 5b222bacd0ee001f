"""What is written can be read back: any odd table, in every format."""

import tempfile
from pathlib import Path
from unittest.mock import patch

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym.errors import BadInput
from taxonym.io import delimited, files, objects, parquet
from taxonym.io.canonical import canonical_text
from taxonym.io.delimited import join_cell, split_cell
from taxonym.io.files import FORMATS, read, read_batches, write
from taxonym.records.column import Column
from taxonym.records.table import Table
from tests.strategies import EACH

NAMES = [f"x{s}{packed}" for f in FORMATS.values() if f.write for s in f.suffixes for packed in ("", ".gz", ".zst")]
# Every character but surrogates (no text) and NUL (no text table); the awkward ones come up often.
characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0") | st.sampled_from(
    ',;\t|"\r\n \x1f\ufeff'
)
texts = st.text(characters, max_size=8)
# A header keeps no blanks at its ends, and a blank name gets another one.
headers = st.text(characters, min_size=1, max_size=5).map(str.strip).filter(bool) | st.sampled_from(["*", "^.*$"])


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    names = draw(st.lists(headers, min_size=1, max_size=4, unique=True))
    height = draw(st.integers(1, 6))
    cells = st.lists(st.none() | texts, min_size=height, max_size=height)
    return pl.DataFrame({name: pl.Series(draw(cells), dtype=pl.String) for name in names})


@pytest.mark.parametrize("name", NAMES)
@EACH
@given(frame=frames())
def test_any_table_of_texts_is_read_back_as_it_was_written(name: str, frame: pl.DataFrame) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        seen: list[pl.DataFrame] = []
        write(frame, path, verify=seen.append)
        back = read(path)
    if name.startswith(("x.csv", "x.txt", "x.ts", "x.tab")):  # where an empty text is a missing one
        frame = pl.DataFrame([column.set(column == "", None) for column in frame])
    assert back.equals(frame)
    assert seen[0].equals(frame)


@pytest.mark.parametrize("name", ["x.csv", "x.tsv.gz", "x.jsonl", "x.json.zst", "x.parquet", "x.parquet.gz"])
@given(frame=frames(), size=st.integers(1, 4))
@settings(max_examples=25)
def test_the_batches_of_a_file_together_are_the_whole_of_it(name: str, frame: pl.DataFrame, size: int) -> None:
    more = frame.with_columns(pl.Series("number", range(frame.height)), pl.Series("list", [["a", "b"]] * frame.height))
    frame = more if name.startswith("x.json") else frame
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.object(files, "BATCH", size),
        patch.object(parquet, "BATCH", size),
        patch.object(objects, "CHUNK", size),
        patch.object(delimited, "CHUNK", size),
    ):
        path = Path(folder) / name
        write(frame, path)
        parts = list(read_batches(path))
        assert pl.concat(parts).equals(read(path))
    assert all(size <= part.height < 2 * size for part in parts[:-1])


def test_a_column_of_json_lines_keeps_its_type_in_every_batch(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"a": 1, "b": 2}\n{"a": 1.5, "b": 3}\n{"a": 2, "c": ["x"]}\n')
    with patch.object(files, "BATCH", 1), patch.object(objects, "CHUNK", 1):
        parts = list(read_batches(path))
    assert [part.dtypes for part in parts] == [[pl.Float64, pl.Int64, pl.List(pl.String)]] * 3
    assert pl.concat(parts).equals(read(path))


@pytest.mark.parametrize("name", NAMES)
@EACH
@given(data=st.binary(max_size=60) | st.text(st.sampled_from('a,;\t|"\r\n \0{}[]:1é'), max_size=30).map(str.encode))
def test_any_bytes_are_read_or_refused_in_one_line(name: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        frame, complaint = None, ""
        try:
            frame = read(path)
        except BadInput as error:
            complaint = str(error)
    assert complaint.startswith(f"{path}: ") if frame is None else frame.height and frame.width
    assert "\n" not in complaint


separators = st.sampled_from([";", "|", ",", " ", "\n", "; ", ";;", "aa", "/", "ab"])
terms = st.text(characters | st.sampled_from("ab"), min_size=1, max_size=6).filter(lambda t: t.strip())


@given(words=st.lists(terms, max_size=5), separator=separators)
def test_any_terms_joined_into_a_cell_come_apart_again(words: list[str], separator: str) -> None:
    assert split_cell(join_cell(words, separator), separator) == words


@given(cell=texts, separator=separators)
def test_the_terms_of_any_cell_stay_the_same_when_they_are_written_and_read(cell: str, separator: str) -> None:
    found = split_cell(cell, separator)
    assert split_cell(join_cell(found, separator), separator) == found
    assert all(found)


@pytest.mark.parametrize("name", NAMES)
@EACH
@given(
    sets=st.lists(st.lists(terms.map(str.strip), max_size=4, unique=True), min_size=1, max_size=5), separator=separators
)
def test_any_set_column_is_read_back_as_it_was_written(name: str, sets: list[list[str]], separator: str) -> None:
    frame = pl.DataFrame({"n": range(len(sets)), "words": pl.Series(sets, dtype=pl.List(pl.String))})
    column = Column(name="words", role="quasi-identifier", kind="set", separator=separator)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write(frame, path, separators={"words": separator})
        table = Table.of(path, {"words": column})
    formed = [[one for term in terms if (one := canonical_text(term))] for terms in sets]
    assert table.terms("words") == [list(dict.fromkeys(terms)) for terms in formed]


@given(frame=frames())
def test_the_same_table_gives_the_same_bytes(frame: pl.DataFrame) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            first, second = Path(folder) / f"1{name}", Path(folder) / f"2{name}"
            write(frame, first)
            write(frame, second)
            assert first.read_bytes() == second.read_bytes()
