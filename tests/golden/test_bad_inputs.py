"""What people read when their data or plan is wrong: one line that names the place and the remedy, and no value."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from taxonym.errors import BadInput, TaxonymError
from taxonym.io.files import read, write
from taxonym.plan import read_plan
from taxonym.records.column import Column
from taxonym.records.table import Table

SECRET = "Kowalska"  # in every file, in no message
WORDS = Column(name="words", role="quasi-identifier", kind="set")
AGE = Column(name="age", role="quasi-identifier", kind="number")
BORN = Column(name="born", role="quasi-identifier", kind="date")

FILES: list[tuple[str, bytes, str]] = [
    (
        "wrong-encoding.csv",
        "id,words\n1,naïve\n2,Kowalska\n".encode("latin-1"),
        "{}: line 2: is not utf-8 text. Save the file as UTF-8, or name its encoding: "
        'encoding = "latin-1" under [input].',
    ),
    (
        "no-mark.csv",
        "id,words\n1,Kowalska\n".encode("utf-16-le"),
        "{}: line 1: holds a NUL byte: the file is damaged or no utf-8 text. Save it as UTF-8, or name its encoding: "
        'encoding = "utf-16" under [input].',
    ),
    (
        "nul.csv",
        b"id,words\n1,a\n2,Kowalska\0\n",
        "{}: line 3: holds a NUL byte: the file is damaged or no utf-8 text. Save it as UTF-8, or name its encoding: "
        'encoding = "utf-16" under [input].',
    ),
    (
        "ragged.csv",
        b'id,words\n1,"a\nb"\n2,Kowalska,c\n',
        "{}: line 4: has 3 cells, not 2. Put cells that hold the delimiter in double quotes; if each line is a list, "
        'set delimiter = "" and names = ["items"] under [input].',
    ),
    (
        "short.tsv",
        b"id\twords\n1\ta\nKowalska\n",
        "{}: line 3: has 1 cells, not 2. Put cells that hold the delimiter in double quotes; if each line is a list, "
        'set delimiter = "" and names = ["items"] under [input].',
    ),
    (
        "unclosed.csv",
        b'id,words\n1,a\n2,"Kowalska\n3,b,c\n',
        "{}: line 3: a quoted cell is not closed, or goes on after its closing quote. Double the quotes inside cells, "
        'or set quote = "" under [input] if quotes are ordinary characters.',
    ),
    (
        "duplicate-names.csv",
        b"Kowalska,x,Kowalska\n1,2,3\n",
        "{}: columns 1 and 3 have the same name. Rename one; if the file has no header, name its columns: "
        'names = ["…"] under [input].',
    ),
    ("empty.csv", b"", "{}: the file is empty. Is it the right file?"),
    ("blank.csv", b"\n\n", "{}: the file is empty. Is it the right file?"),
    ("empty.jsonl", b"", "{}: the file is empty. Is it the right file?"),
    ("header-only.csv", b"id,words\n", "{}: has column names but no rows. Is it the right file?"),
    (
        "bad.jsonl",
        b'{"a": 1}\n\n{"a": Kowalska}\n',
        "{}: line 3: is not a sound JSON object. Write one {{…}} per line.",
    ),
    ("half.jsonl", b'{"a": "\\ud800"}\n', "{}: line 1: is not a sound JSON object. Write one {{…}} per line."),
    ("list.jsonl", b'["Kowalska"]\n', "{}: entry 1 of the array is not a sound object. Write every row as {{…}}."),
    (
        "nested.jsonl",
        b'{"a": 1}\n{"a": {"b": "Kowalska"}}\n',
        "{}: column 'a': row 2: holds an object or a list of lists. Let it be text, a number or a list of texts.",
    ),
    ("bad.parquet", b"PAR1 Kowalska PAR1", "{}: is not a sound Parquet file. Fetch or write it again."),
    ("none.parquet", b"", "{}: is not a sound Parquet file. Fetch or write it again."),
    (
        "cut.csv.gz",
        gzip.compress(b"id,words\n1,Kowalska\n" * 99)[:-20],
        "{}: the gzip archive is damaged or cut short. Fetch or pack it again.",
    ),
    (
        "what.docx",
        b"Kowalska",
        "{}: its name does not tell the format. Let it end in .csv, .txt, .tsv, .tab, .jsonl, .ndjson, .json, "
        ".parquet, .pq, .xlsx, .xlsm, .sav, .zsav, .por, .dta, .sas7bdat, .xpt, or these and .gz or .zst.",
    ),
]


@pytest.mark.parametrize(("name", "content", "message"), FILES, ids=[name for name, *_ in FILES])
def test_a_file_that_cannot_be_read_is_explained(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadInput) as caught:
        read(path)
    assert str(caught.value) == message.format(path)
    assert SECRET not in str(caught.value)


TABLES: list[tuple[str, dict[str, list[object]], Callable[[pl.DataFrame], object], str]] = [
    (
        "missing column",
        {"word": [SECRET], "x": ["1"]},
        lambda f: Table.of(f, {"words": WORDS}),
        "the table: there is no column 'words' among its 2. Did you mean 'word'? Correct the plan, or see the "
        "columns with 'taxonym plan'.",
    ),
    (
        "missing person column",
        {"words": [SECRET]},
        lambda f: Table.of(f, {"words": WORDS}, person="patient"),
        "the table: there is no column 'patient' among its 1. Correct the plan, or see the columns with "
        "'taxonym plan'.",
    ),
    (
        "no number",
        {"age": ["31", SECRET, "x", "", "inf"]},
        lambda f: Table.of(f, {"age": AGE}),
        "the table: column 'age': is not a finite number in 3 of 5 rows, first in row 2. Write it like 12.5, set "
        'decimal, or set kind = "nominal".',
    ),
    (
        "no date",
        {"born": ["2024-02-29", "29.2.2023", SECRET]},
        lambda f: Table.of(f, {"born": BORN}),
        "the table: column 'born': is not a date in 2 of 3 rows, first in row 2. Write it like 2024-12-31, or name "
        "the format, such as %d/%m/%Y.",
    ),
    (
        "NaN under the policy error",
        {"age": [31.0, float("nan")], "words": [SECRET, SECRET]},
        lambda f: Table.of(f, {"age": Column(name="age", role="quasi-identifier", kind="number", on_empty="error")}),
        "the table: column 'age': has no value in 1 of 2 records, first in row 2. Fill it in, or set on_empty to "
        "another policy.",
    ),
    (
        "duplicate ids",
        {"id": [SECRET, "b", SECRET], "words": ["x", "y", "z"]},
        lambda f: Table.of(f, {"words": WORDS}, person="id", person_rows="unique"),
        'the table: column \'id\': repeats an id in 1 of 3 rows, first in row 3. Set person_rows = "unite" or "keep".',
    ),
    (
        "nobody's row",
        {"id": [SECRET, None, " "], "words": ["x", "y", "z"]},
        lambda f: Table.of(f, {"words": WORDS}, person="id"),
        "the table: column 'id': does not say whose row it is in 2 of 3 rows, first in row 2. Fill it in, or remove "
        "these rows.",
    ),
    (
        "lists in a nominal column",
        {"words": [[SECRET]]},
        lambda f: Table.of(f, {"words": Column(name="words", role="quasi-identifier")}),
        "the table: column 'words': holds lists. Set kind = \"set\", or leave the column out.",
    ),
    (
        "no rows",
        {"words": []},
        lambda f: Table.of(f, {"words": WORDS}),
        "the table: has no rows. Is it the right table?",
    ),
]


@pytest.mark.parametrize(("data", "make", "message"), [t[1:] for t in TABLES], ids=[t[0] for t in TABLES])
def test_a_table_that_does_not_fit_its_plan_is_explained(
    data: dict[str, list[object]], make: Callable[[pl.DataFrame], object], message: str
) -> None:
    with pytest.raises(BadInput) as caught:
        make(pl.DataFrame(data))
    assert str(caught.value) == message
    assert SECRET not in str(caught.value)


def test_a_misspelt_key_of_a_plan_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text('[columns.words]\nrole = "quasi-identifier"\nseperator = ";"\n')
    with pytest.raises(TaxonymError) as caught:
        read_plan(path)
    assert str(caught.value) == (
        f"{path}: columns.words.seperator: there is no such key. Did you mean 'separator'? Choose among role, kind, "
        "separator, multiplicity, taxonomy, weight, senses, subject, overrides, category, phrases, names, parts, "
        "related, spelling, language, topics, topics_file, other_words, least_content, on_unknown, on_empty, format, "
        "decimal, publish, step, mean, variance, set_size, exact, links, from, marks,"
        " formulas."
    )


def test_a_file_that_is_not_there_is_explained(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        read(tmp_path / "none.csv")
    assert str(caught.value) == (
        f"{tmp_path}/none.csv: cannot be read (No such file or directory). Check its name and that you may read it."
    )


def test_a_folder_that_is_not_there_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "none" / "x.csv"
    with pytest.raises(BadInput) as caught:
        write(pl.DataFrame({"a": [SECRET]}), path)
    assert (
        str(caught.value) == f"{path}: cannot be written (No such file or directory). Choose a folder you may write to."
    )


def test_a_nul_character_is_not_written_into_a_text_table(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    with pytest.raises(BadInput) as caught:
        write(pl.DataFrame({"a": ["x", SECRET + "\0"]}), path)
    assert str(caught.value) == (
        f"{path}: column 'a': row 2: no text table holds NUL characters. Remove it, or write .parquet or .jsonl."
    )
    assert os.listdir(tmp_path) == []
