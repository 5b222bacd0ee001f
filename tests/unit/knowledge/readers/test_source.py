import gzip
from pathlib import Path

import pytest

from taxonym.errors import BadTaxonomy
from taxonym.knowledge.readers.source import numbered_lines, open_bytes


def test_gzipped_files_are_unpacked_whatever_their_name(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(gzip.compress(b"one\ntwo\n", mtime=0))
    assert list(numbered_lines(tmp_path / "x.txt")) == [(1, "one"), (2, "two")]


def test_a_truncated_archive_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"one\n" * 10_000, mtime=0)[:-20])
    with pytest.raises(BadTaxonomy, match="damaged or cut short"):
        list(numbered_lines(tmp_path / "x.gz"))


def test_a_corrupted_archive_is_one_clear_error(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(bytes(range(256)) * 400))
    packed[40:60] = b"\xff" * 20
    (tmp_path / "x.gz").write_bytes(packed)
    with pytest.raises(BadTaxonomy, match="damaged or cut short"), open_bytes(tmp_path / "x.gz") as file:
        file.read()


def test_wrong_encoding_names_the_line_and_the_cure(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"first\n" + "caf\xe9\n".encode("latin-1"))
    with pytest.raises(BadTaxonomy, match=r"x.txt: line 2: is not utf-8 text.* encoding="):
        list(numbered_lines(tmp_path / "x.txt"))
    assert list(numbered_lines(tmp_path / "x.txt", "latin-1"))[1] == (2, "café")


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes("\ufeffone\n".encode())
    assert list(numbered_lines(tmp_path / "x.txt")) == [(1, "one")]


def test_a_line_of_a_million_characters_just_works(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("x" * 1_000_000 + "\n")
    assert [len(line) for _, line in numbered_lines(tmp_path / "x.txt")] == [1_000_000]


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadTaxonomy, match="no such file"):
        list(numbered_lines(tmp_path / "none.txt"))
    with pytest.raises(BadTaxonomy, match="cannot be read"):
        list(numbered_lines(tmp_path))
