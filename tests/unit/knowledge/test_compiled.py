import json
import os
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from taxonym import Taxonomy, load
from taxonym.errors import BadInput, BadTaxonomy
from taxonym.knowledge import compiled

TAX = Taxonomy.from_edges([("a", "b"), ("b", "c"), ("d", "c")])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    compiled.write(TAX, tmp_path / "x.taxonym")
    return tmp_path / "x.taxonym"


def test_a_compiled_file_loads_like_any_other(path: Path) -> None:
    assert load(path).fingerprint == TAX.fingerprint


def test_its_arrays_stay_in_the_file_and_cannot_be_written(path: Path) -> None:
    tax = compiled.read(path)
    assert not tax.ancestor.flags.owndata
    assert not tax.ancestor.flags.writeable


@pytest.mark.parametrize("size", [0, 5, 12, 40, 200, -1])
def test_a_file_cut_short_anywhere_is_refused(path: Path, size: int) -> None:
    whole = path.read_bytes()
    last = len(whole) - 64 - 1  # the last 64 bytes may be padding
    path.write_bytes(whole[: last if size < 0 else size])
    with pytest.raises(BadTaxonomy, match="damaged|not a compiled taxonomy|compiled in form"):
        compiled.read(path)


def test_a_single_flipped_bit_anywhere_in_the_content_is_noticed(path: Path) -> None:
    whole = path.read_bytes()
    begin = 16 + struct.unpack("<I", whole[12:16])[0]
    used = [(begin + at, count * (4 if kind == "i4" else 1)) for kind, count, at in _sections(whole).values() if count]
    for at, length in used:
        for place in (at, at + length - 1):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            with pytest.raises(BadTaxonomy, match="does not match its fingerprint"):
                compiled.read(path)


def test_a_file_of_another_form_asks_to_be_compiled_again(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:8] + (99).to_bytes(4, "little") + whole[12:])
    with pytest.raises(BadTaxonomy, match="compiled in form 99"):
        compiled.read(path)


def test_another_file_is_told_from_a_compiled_one(tmp_path: Path) -> None:
    (tmp_path / "x.taxonym").write_text("a,b\n")
    with pytest.raises(BadTaxonomy, match="not a compiled taxonomy"):
        compiled.read(tmp_path / "x.taxonym")


@pytest.mark.parametrize(
    "change",
    [
        lambda h: h["sections"].pop("ancestor"),
        lambda h: h["sections"].update(ancestor=["i4", 10**9, 0]),
        lambda h: h["sections"].update(ancestor=["i4", 4, -64]),
        lambda h: h["sections"].update(ancestor=["O", 4, 0]),
        lambda h: h.pop("name"),
        lambda h: h.update(sections=[1, 2]),
    ],
)
def test_a_header_that_lies_is_refused(path: Path, change: Callable[[dict[str, object]], object]) -> None:
    whole = path.read_bytes()
    length = struct.unpack("<I", whole[12:16])[0]
    header = json.loads(whole[16 : 16 + length])
    change(header)
    text = json.dumps(header).encode().ljust(length)
    path.write_bytes(whole[:12] + struct.pack("<I", len(text)) + text + whole[16 + length :])
    with pytest.raises(BadTaxonomy, match="damaged"):
        compiled.read(path)


@pytest.mark.parametrize("part", ["parent", "child", "ancestor", "sense", "label_word", "id_order", "climb"])
def test_positions_outside_an_array_are_refused_though_the_fingerprint_fits(tmp_path: Path, part: str) -> None:
    from dataclasses import replace

    wild = getattr(TAX, part).copy()
    wild[0] = 1_000_000
    hostile = replace(TAX, **{part: wild})
    hostile = replace(hostile, fingerprint=compiled.fingerprint(hostile))
    compiled.write(hostile, tmp_path / "h.taxonym")
    with pytest.raises(BadTaxonomy, match="do not fit together"):
        compiled.read(tmp_path / "h.taxonym")


def test_starts_that_fall_are_refused(tmp_path: Path) -> None:
    from dataclasses import replace

    starts = TAX.ancestor_start.copy()
    starts[1], starts[2] = starts[2], starts[1]
    hostile = replace(TAX, ancestor_start=starts)
    compiled.write(replace(hostile, fingerprint=compiled.fingerprint(hostile)), tmp_path / "h.taxonym")
    with pytest.raises(BadTaxonomy, match="do not fit together"):
        compiled.read(tmp_path / "h.taxonym")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        compiled.write(TAX, tmp_path / "missing" / "x.taxonym")


def test_nothing_is_left_beside_the_file(path: Path) -> None:
    assert os.listdir(path.parent) == ["x.taxonym"]


def test_a_big_endian_reader_would_see_the_same_numbers(path: Path) -> None:
    kind, count, at = _sections(path.read_bytes())["ancestor"]
    begin = 16 + struct.unpack("<I", path.read_bytes()[12:16])[0] + at
    raw = np.frombuffer(path.read_bytes()[begin : begin + 4 * count], dtype="<i4")
    assert kind == "i4"
    assert raw.tolist() == TAX.ancestor.tolist()


def _sections(whole: bytes) -> dict[str, tuple[str, int, int]]:
    length = struct.unpack("<I", whole[12:16])[0]
    sections: dict[str, tuple[str, int, int]] = json.loads(whole[16 : 16 + length])["sections"]
    return sections
