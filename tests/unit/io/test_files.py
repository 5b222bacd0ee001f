import gzip
import os
import resource
import stat
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

from taxonym.errors import BadInput, BadPlan, BrokenPromise
from taxonym.io.delimited import Dialect, join_cell, split_cell
from taxonym.io.files import read, read_batches, write


def file(folder: Path, content: str | bytes, name: str = "x.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# ---------------------------------------------------------------------- reading CSV and TSV


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_delimiter_and_a_line_end_are_found_out(tmp_path: Path, delimiter: str, end: str) -> None:
    rows = [["id", "words"], ["1", "a/b"], ["2", f"c{delimiter}d"], ["3", 'say "so"']]
    text = end.join(delimiter.join('"' + c.replace('"', '""') + '"' for c in row) for row in rows)
    assert read(file(tmp_path, text)).rows() == [tuple(row) for row in rows[1:]]


def test_the_separator_of_sets_is_not_taken_for_the_delimiter(tmp_path: Path) -> None:
    frame = read(file(tmp_path, "id,words\n1,a;b;c\n2,d;e\n3,f\n"))
    assert frame.columns == ["id", "words"]
    assert frame["words"].to_list() == ["a;b;c", "d;e", "f"]


def test_a_semicolon_file_with_decimal_commas_has_its_columns(tmp_path: Path) -> None:
    assert read(file(tmp_path, "id;price\n1;2,5\n2;3,5\n")).rows() == [("1", "2,5"), ("2", "3,5")]


def test_a_tsv_file_is_split_by_tabs_alone(tmp_path: Path) -> None:
    assert read(file(tmp_path, "a,b\tc\n1,2\t3\n", "x.tsv")).to_dict(as_series=False) == {"a,b": ["1,2"], "c": ["3"]}


def test_texts_in_a_file_of_one_column_may_hold_any_delimiter(tmp_path: Path) -> None:
    assert read(file(tmp_path, "text\nfirst, second\nthird\n"))["text"].to_list() == ["first, second", "third"]


def test_lines_are_cells_if_the_delimiter_is_nothing(tmp_path: Path) -> None:
    dialect = Dialect(delimiter="", names=("items",))
    assert read(file(tmp_path, 'milk,beer\n"bread\n\nrice\n'), dialect)["items"].to_list() == [
        "milk,beer",
        '"bread',
        "rice",
    ]


def test_names_stand_for_a_header_that_is_not_there(tmp_path: Path) -> None:
    assert read(file(tmp_path, "1,a\n2,b\n"), Dialect(names=("id", "word"))).rows() == [("1", "a"), ("2", "b")]


def test_quotes_that_do_not_pair_up_are_characters(tmp_path: Path) -> None:
    frame = read(file(tmp_path, 'id\tquery\n1\t"new york" hotels\n2\t5" pipe\n', "x.tsv"))
    assert frame["query"].to_list() == ['"new york" hotels', '5" pipe']


def test_a_quoted_cell_may_span_lines(tmp_path: Path) -> None:
    assert read(file(tmp_path, 'a,b\n1,"x\r\ny"\n')).rows() == [("1", "x\r\ny")]


def test_an_empty_cell_is_missing_and_a_blank_line_is_no_row(tmp_path: Path) -> None:
    assert read(file(tmp_path, 'a,b\n,x\n\n"",y\n')).rows() == [(None, "x"), (None, "y")]


def test_a_cell_without_a_column_name_gets_its_number(tmp_path: Path) -> None:
    assert read(file(tmp_path, ",a\n0,x\n")).columns == ["column 1", "a"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding_and_is_no_part_of_a_name(tmp_path: Path, encoding: str) -> None:
    path = file(tmp_path, "naïve,b\nśćż,🙂\n".encode(encoding))
    assert read(path).to_dict(as_series=False) == {"naïve": ["śćż"], "b": ["🙂"]}


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16-le", "utf-16-be", "cp1252"])
def test_an_encoding_can_be_named(tmp_path: Path, encoding: str) -> None:
    path = file(tmp_path, "naïve,b\né,ü\n".encode(encoding))
    assert read(path, Dialect(encoding=encoding)).to_dict(as_series=False) == {"naïve": ["é"], "b": ["ü"]}


def test_a_cell_may_have_a_million_characters(tmp_path: Path) -> None:
    long = "word, " * 200_000
    for name in ("x.csv", "x.jsonl.gz", "x.parquet"):
        write(pl.DataFrame({"id": ["1"], "text": [long]}), tmp_path / name)
        assert read(tmp_path / name)["text"].to_list() == [long]


def test_more_rows_than_a_chunk_keep_their_order(tmp_path: Path) -> None:
    frame = pl.DataFrame({"n": [str(i) for i in range(45_000)]})
    for name in ("x.csv", "x.jsonl"):
        write(frame, tmp_path / name)
        assert read(tmp_path / name).equals(frame)


# ---------------------------------------------------------------------- reading JSON lines


def test_json_lines_keep_numbers_texts_and_lists_apart(tmp_path: Path) -> None:
    lines = '{"a": 1, "b": "x", "c": ["p", "q"], "d": true}\n\n{"b": null, "c": "p", "e": 1.5, "a": null}\n'
    frame = read(file(tmp_path, lines, "x.jsonl"))
    assert frame.columns == ["a", "b", "c", "d", "e"]
    assert frame.rows() == [(1, "x", ["p", "q"], True, None), (None, None, ["p"], None, 1.5)]


def test_json_values_of_several_kinds_become_text(tmp_path: Path) -> None:
    frame = read(file(tmp_path, '{"a": 1, "b": 1}\n{"a": "x", "b": 99999999999999999999}\n{"a": true}\n', "x.jsonl"))
    assert frame["a"].to_list() == ["1", "x", "true"]
    assert frame["b"].to_list() == ["1", "99999999999999999999", None]


# ---------------------------------------------------------------------- reading Parquet


def test_a_damaged_parquet_file_is_refused_wherever_the_damage_is(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    write(pl.DataFrame({"a": ["x", "y"], "b": [["p"], ["q", "r"]]}), path)
    sound = path.read_bytes()
    for place in range(0, len(sound), 7):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 0xFF]) + sound[place + 1 :])
        with suppress(BadInput):  # damage that Parquet does not notice is not ours to see
            read(path)


# ---------------------------------------------------------------------- writing


def test_a_table_that_is_refused_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = file(tmp_path, "old")

    def refuse(frame: pl.DataFrame) -> None:
        assert frame.rows() == [("new",)]
        assert path.read_text() == "old"
        raise BrokenPromise("too small a class")

    with pytest.raises(BrokenPromise):
        write(pl.DataFrame({"a": ["new"]}), path, verify=refuse)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.csv"]


def test_a_private_file_is_for_its_owner_only(tmp_path: Path) -> None:
    write(pl.DataFrame({"a": ["1"]}), tmp_path / "trail.jsonl", private=True)
    assert stat.S_IMODE((tmp_path / "trail.jsonl").stat().st_mode) == 0o600


def test_numbers_dates_and_truths_are_written_plainly(tmp_path: Path) -> None:
    frame = pl.DataFrame({"i": [1], "f": [2.5], "b": [True], "d": pl.Series(["2024-05-06"]).str.to_date()})
    write(frame, tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text() == "i,f,b,d\n1,2.5,true,2024-05-06\n"


def test_lists_are_joined_by_their_own_separator(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [["p", "q|r"], None, []], "b": [[1, 2], [3], [4]]})
    write(frame, tmp_path / "x.csv", separators={"a": "|"})
    assert (tmp_path / "x.csv").read_text() == 'a,b\n"p|""q|r""",1;2\n,3\n,4\n'


def test_a_gzipped_file_tells_neither_time_nor_name(tmp_path: Path) -> None:
    write(pl.DataFrame({"a": ["1"]}), tmp_path / "x.csv.gz")
    data = (tmp_path / "x.csv.gz").read_bytes()
    assert gzip.decompress(data) == b"a\n1\n"
    assert data[3] == 0
    assert data[4:8] == b"\0\0\0\0"


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.parquet", "x.csv.gz"])
def test_a_disk_that_is_full_leaves_nothing(tmp_path: Path, name: str) -> None:
    frame = pl.DataFrame({"a": os.urandom(100_000).hex(" ").split()})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(BadInput, match="could not be written .*; nothing was changed"):
            write(frame, tmp_path / name)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert os.listdir(tmp_path) == []


# ---------------------------------------------------------------------- sets in cells


@pytest.mark.parametrize(
    ("cell", "terms"),
    [
        ("flu; gout ;;flu", ["flu", "gout", "flu"]),
        ('flu;"gout; acute"', ["flu", "gout; acute"]),
        ('"say ""so""";x', ['say "so"', "x"]),
        ('5" pipe; 3" nail', ['5" pipe', '3" nail']),
        ('"open; x', ['"open', "x"]),
        ('"a" b; c', ['"a" b', "c"]),
        ('" kept "', [" kept "]),
        (' ; "" ', []),
    ],
)
def test_a_cell_is_split_as_it_reads(cell: str, terms: list[str]) -> None:
    assert split_cell(cell) == terms


def test_only_terms_that_need_it_are_quoted() -> None:
    assert (
        join_cell(["heart failure", 'the "flu"', "gout; acute", " x"]) == 'heart failure;the "flu";"gout; acute";" x"'
    )


# ---------------------------------------------------------------------- what cannot be done


def test_an_encoding_that_does_not_exist_is_a_fault_of_the_plan(tmp_path: Path) -> None:
    for codec in ("utf-9", "hex"):
        with pytest.raises(BadPlan, match=f"x.csv: there is no encoding '{codec}'"):
            read(file(tmp_path, "a\n1\n"), Dialect(encoding=codec))


def test_the_line_that_is_no_text_is_found_far_down(tmp_path: Path) -> None:
    lines = [b"a,b"] + [b"1,x" * 9] * 5_000
    lines[4_321] = b"\xff"
    with pytest.raises(BadInput, match="line 4322: is not utf-8 text"):
        read(file(tmp_path, b"\n".join(lines)))


def test_a_folder_of_parquet_files_is_one_table(tmp_path: Path) -> None:
    for name, ids in (("part-1.parquet", [3]), ("part-0.parquet", [1, 2]), ("_part-2.parquet", [9])):
        pl.DataFrame({"id": ids}).write_parquet(tmp_path / name)
    (tmp_path / "_SUCCESS").touch()
    assert read(tmp_path)["id"].to_list() == [1, 2, 3]
    assert pl.concat(read_batches(tmp_path))["id"].to_list() == [1, 2, 3]
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(BadInput, match="is a folder without Parquet files"):
        read(empty)
    with pytest.raises(BadInput, match="is a folder without Parquet files"):
        list(read_batches(empty))


def test_a_file_of_a_folder_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").mkdir()
    for reading in (read, lambda path: list(read_batches(path))):
        with pytest.raises(BadInput, match=r"a.parquet: cannot be read \(Is a directory\)"):
            reading(tmp_path)


def test_files_of_a_folder_that_do_not_fit_together_are_named(tmp_path: Path) -> None:
    pl.DataFrame({"id": [1]}).write_parquet(tmp_path / "a.parquet")
    pl.DataFrame({"id": ["1"]}).write_parquet(tmp_path / "b.parquet")
    for reading in (read, lambda path: list(read_batches(path))):
        with pytest.raises(BadInput, match="b.parquet: has other columns or types than the files before it"):
            reading(tmp_path)
