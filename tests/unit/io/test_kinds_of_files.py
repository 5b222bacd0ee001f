"""Workbooks, files of statistics packages, JSON arrays, packed files: read as one table, or refused in one line."""

import io
import json
import struct
import zipfile
import zlib
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pandas as pd
import polars as pl
import pyreadstat
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from taxonym.errors import BadInput, MissingExtra
from taxonym.io import compressed, workbook
from taxonym.io.delimited import Dialect
from taxonym.io.files import FORMATS, read, read_batches, write

SHEET = [["name", "n", "when", "mixed"], ["flu", 3, date(2020, 1, 2), 1], ["gout", 4, date(2021, 5, 6), "x"]]
TABLE = pl.DataFrame(
    {"name": ["flu", "gout"], "n": [3, 4], "when": [date(2020, 1, 2), date(2021, 5, 6)], "mixed": ["1", "x"]}
)


def book(path: Path, **sheets: list[list[object]]) -> Path:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return path


def test_a_sheet_is_a_table_of_words_numbers_and_dates(tmp_path: Path) -> None:
    path = book(tmp_path / "x.xlsx", answers=[[None], *SHEET, [None, None]], empty=[])
    assert read(path).equals(TABLE)
    assert pl.concat(read_batches(path)).equals(TABLE)


def test_of_several_sheets_one_must_be_named_and_the_error_lists_them(tmp_path: Path) -> None:
    path = book(tmp_path / "x.xlsx", answers=SHEET, codes=[["a"], [1]])
    with pytest.raises(BadInput, match=r"has the sheets 'answers', 'codes'. Say which .* --sheet NAME"):
        read(path)
    assert read(path, Dialect(sheet="answers")).equals(TABLE)
    with pytest.raises(BadInput, match="has no sheet 'x'. Choose one of 'answers', 'codes'"):
        read(path, Dialect(sheet="x"))


def test_columns_of_a_sheet_without_a_name_get_a_number_and_two_may_not_share_one(tmp_path: Path) -> None:
    path = book(tmp_path / "x.xlsx", a=[["a", None, None, 2020], [1, 2.5, None, datetime(2020, 1, 1, 12)]])
    assert read(path).columns == ["a", "column 2", "2020"]
    with pytest.raises(BadInput, match="columns 1 and 2 have the same name. Rename one in the sheet"):
        read(book(tmp_path / "y.xlsx", a=[["a", "a"], [1, 2]]))


def lying(size: int) -> bytes:
    """A workbook whose sheet says that it is small and unpacks to `size` bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = b"".join(packer.compress(b" " * 1_000_000) for _ in range(size // 1_000_000)) + packer.flush()
    name, out = b"xl/worksheets/sheet1.xml", io.BytesIO()
    common = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, zlib.crc32(b" " * 10), len(data), 10, len(name), 0)
    out.write(b"PK\3\4" + common + name + data)
    at = out.tell()
    out.write(b"PK\1\2" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name)
    out.write(b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, out.tell() - at, at, 0))
    return out.getvalue()


def far_cell(path: Path) -> Path:
    made = openpyxl.Workbook()
    made.active["A1"], made.active["XFD1048576"] = "a", "b"
    made.save(path)
    return path


def test_a_workbook_is_not_opened_if_it_is_damaged_locked_or_larger_than_it_says(tmp_path: Path) -> None:
    sound = book(tmp_path / "x.xlsx", a=SHEET).read_bytes()
    (tmp_path / "cut.xlsx").write_bytes(sound[: len(sound) // 2])
    (tmp_path / "text.xlsx").write_bytes(b"a,b\n1,2\n")
    (tmp_path / "locked.xlsx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with zipfile.ZipFile(tmp_path / "other.xlsx", "w") as archive:
        archive.writestr("a.txt", "no workbook")
    for name in ("cut.xlsx", "text.xlsx", "other.xlsx"):
        with pytest.raises(BadInput, match=f"{name}: is not a sound Excel workbook"):
            read(tmp_path / name)
    with pytest.raises(BadInput, match="locked with a password, or older than Excel 2007"):
        read(tmp_path / "locked.xlsx")
    (tmp_path / "bomb.xlsx").write_bytes(lying(50_000_000))
    with pytest.raises(BadInput, match="unpacks to more than 20 MB. .* --max-unpacked"):
        read(tmp_path / "bomb.xlsx", Dialect(max_unpacked=20_000_000))
    with pytest.raises(BadInput, match="16,384 columns wide and 1,048,576 rows high"):
        read(far_cell(tmp_path / "far.xlsx"))


def survey() -> pd.DataFrame:
    return pd.DataFrame({"job": [1.0, 2.0, None], "rating": [1.0, 5.0, 10.0], "town": ["Ulm", "", "Bonn "]})


LABELS = {"job": {1: "nurse", 2: "cook"}, "rating": {1: "poor", 10: "good"}}


@pytest.mark.parametrize(
    ("name", "made"),
    [("x.sav", pyreadstat.write_sav), ("x.zsav", pyreadstat.write_sav), ("x.dta", pyreadstat.write_dta)],
)
def test_codes_are_words_where_all_of_them_have_labels(tmp_path: Path, name: str, made: object) -> None:
    labels = {key: {int(v) if name == "x.dta" else v: w for v, w in some.items()} for key, some in LABELS.items()}
    more = {"compress": True} if name == "x.zsav" else {}
    made(survey(), str(tmp_path / name), variable_value_labels=labels, **more)  # type: ignore[operator]
    expected = {"job": ["nurse", "cook", None], "rating": [1, 5, 10], "town": ["Ulm", None, "Bonn"]}
    assert read(tmp_path / name).to_dict(as_series=False) == expected
    assert read(tmp_path / name, Dialect(labels=False))["job"].to_list() == [1, 2, None]


@pytest.mark.parametrize("name", ["x.sav", "x.por", "x.dta", "x.sas7bdat", "x.xpt"])
@given(data=st.binary(max_size=300))
def test_bytes_that_are_no_file_of_statistics_are_refused_without_showing_them(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("bad") / name
    path.write_bytes(b"Kowalska" + data)
    with pytest.raises(BadInput, match=rf"{name}: (is not a sound|the .* archive|.* empty)") as error:
        read(path)
    assert "Kowalska" not in str(error.value)


rows = st.lists(
    st.dictionaries(st.sampled_from("abc"), st.none() | st.text(max_size=5) | st.integers() | st.booleans()), min_size=1
)


@given(rows=rows, indent=st.sampled_from([None, 1]))
def test_an_array_is_the_table_that_its_objects_are_on_lines(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]], indent: int | None
) -> None:
    folder = tmp_path_factory.mktemp("json")
    (folder / "x.json").write_text("\n " + json.dumps(rows, indent=indent) + " \n")
    (folder / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    try:
        expected = read(folder / "x.jsonl")
    except BadInput as error:
        with pytest.raises(BadInput, match=str(error).split(": ")[1][:15]):
            read(folder / "x.json")
        return
    assert read(folder / "x.json").equals(expected)
    assert pl.concat(read_batches(folder / "x.json")).equals(expected)
    write(expected, folder / "again.json")
    assert [type(one) for one in json.loads((folder / "again.json").read_text())] == [dict] * expected.height


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"a": 1},', "line 1: the array is cut short or damaged"),
        ('[\n{"a": 1}\n{"a": 2}]', "line 3: the array is cut short or damaged"),
        ('[{"a": 1}] {"b": 2}', "line 1: the array is cut short or damaged"),
        ('[{"a": 1}, "Kowalska"]', "entry 2 of the array is not a sound object"),
        ("[" * 100_000, "line 1: the array is cut short or damaged"),
        ("[]", "the file is empty"),
        ('{"a": [[1]]}', "holds an object or a list of lists"),
    ],
)
def test_a_damaged_array_is_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(BadInput, match=said) as error:
        read(tmp_path / "x.json")
    assert "Kowalska" not in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["x.csv.gz", "x.csv.zst", "x.jsonl.zst", "x.parquet.zst"])
def test_a_packed_file_must_not_hold_more_than_is_allowed(tmp_path: Path, name: str) -> None:
    table = pl.DataFrame({"a": [str(i) for i in range(50_000)]})
    write(table, tmp_path / name)
    assert read(tmp_path / name).equals(table)
    with pytest.raises(BadInput, match=rf"{name}: unpacks to more than .*--max-unpacked"):
        read(tmp_path / name, Dialect(max_unpacked=20_000))
    with pytest.raises(BadInput, match="unpacks to more than"):
        list(read_batches(tmp_path / name, Dialect(max_unpacked=20_000)))


def test_the_bound_is_there_without_being_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(pl.DataFrame({"a": ["x"] * 1000}), tmp_path / "x.csv.gz")
    monkeypatch.setattr(compressed, "UNPACKED", 100)
    with pytest.raises(BadInput, match="unpacks to more than"):
        read(tmp_path / "x.csv.gz")


@given(data=st.data())
def test_a_cut_or_changed_zst_file_is_read_whole_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    text = b"a\n" + b"".join(b"%d\n" % i for i in range(300))
    packed = zstd.compress(text, options={zstd.CompressionParameter.checksum_flag: 1})
    path = tmp_path_factory.mktemp("zst") / "x.csv.zst"
    path.write_bytes(packed[: data.draw(st.integers(4, len(packed) - 1))])
    with pytest.raises(BadInput, match="the Zstandard archive is damaged or cut short"):
        read(path)


def test_what_is_not_installed_is_named_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    (tmp_path / "x.csv.zst").write_bytes(zstd.compress(b"a\n1\n"))
    for missing, name, extra in (
        ("python_calamine", "x.xlsx", "excel"),
        ("pyreadstat", "x.sav", "statistics"),
        ("backports", "x.csv.zst", "zstd"),
    ):
        (tmp_path / name).touch()
        monkeypatch.setitem(sys.modules, missing, None)
        if missing == "backports":
            monkeypatch.setitem(sys.modules, "compression", None)
        with pytest.raises(MissingExtra, match=rf"pip install 'taxonym\[{extra}\]'"):
            read(tmp_path / name)


@pytest.mark.parametrize("name", sorted(s for f in FORMATS.values() if f.write is None for s in f.suffixes))
def test_a_release_is_not_written_as_what_is_only_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="are only read. Let the name end in .csv"):
        write(TABLE, tmp_path / f"x{name}")


def test_the_places_of_columns_count_as_excel_counts_them() -> None:
    assert [workbook._number(name) for name in (b"A", b"Z", b"AA", b"XFD")] == [1, 26, 27, 16384]
