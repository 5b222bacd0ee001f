import json
import os
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from taxonym import Taxonomy, load
from taxonym.errors import BadInput, BadTaxonomy
from taxonym.knowledge import compiled
from taxonym.knowledge.build import Draft
from taxonym.knowledge.related import NONE

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
    wild = getattr(TAX, part).copy()
    wild[0] = 1_000_000
    hostile = replace(TAX, **{part: wild})
    hostile = replace(hostile, fingerprint=compiled.fingerprint(hostile))
    compiled.write(hostile, tmp_path / "h.taxonym")
    with pytest.raises(BadTaxonomy, match="do not fit together"):
        compiled.read(tmp_path / "h.taxonym")


def test_starts_that_fall_are_refused(tmp_path: Path) -> None:
    starts = TAX.ancestor_start.copy()
    starts[1], starts[2] = starts[2], starts[1]
    hostile = replace(TAX, ancestor_start=starts)
    compiled.write(replace(hostile, fingerprint=compiled.fingerprint(hostile)), tmp_path / "h.taxonym")
    with pytest.raises(BadTaxonomy, match="do not fit together"):
        compiled.read(tmp_path / "h.taxonym")


def with_words() -> Taxonomy:
    """Two nouns with numbered senses, and an adjective and a verb that stand for one of them."""
    draft = Draft("organs")
    draft.add("organ.n.01")
    draft.label("organ.n.01", "organ", sense=1)
    draft.add("liver.n.01")
    draft.label("liver.n.01", "liver", sense=1)
    draft.label("liver.n.01", "hepar", sense=2)
    draft.link("liver.n.01", "organ.n.01")
    draft.relate("a", "hepatic", "liver.n.01", 3)
    draft.relate("v", "organize", "organ.n.01")
    return draft.build()


def test_what_stands_beside_concepts_is_kept_in_the_file_and_changes_no_fingerprint(tmp_path: Path) -> None:
    tax = with_words()
    plain = replace(tax, related=NONE, sense_number=np.empty(0, np.uint8))
    assert compiled.fingerprint(plain) == tax.fingerprint
    compiled.write(tax, tmp_path / "x.taxonym")
    read = compiled.read(tmp_path / "x.taxonym")
    assert (
        list(read.related)
        == list(tax.related)
        == [("a", "hepatic", tax.code("liver.n.01"), 3), ("v", "organize", 0, 0)]
    )
    assert read.id(read.code("hepar.n.02")) == "liver.n.01"
    assert read.find("hepar.n.01") == -1


def test_a_file_without_anything_beside_concepts_is_that_of_earlier_versions(path: Path) -> None:
    assert not {"sense_number", "related.start"} & set(_sections(path.read_bytes()))
    tax = compiled.read(path)
    assert (len(tax.related), len(tax.sense_number)) == (0, 0)


def test_a_flipped_bit_beside_the_concepts_is_noticed_too(tmp_path: Path) -> None:
    path = tmp_path / "x.taxonym"
    compiled.write(with_words(), path)
    whole = path.read_bytes()
    begin = 16 + struct.unpack("<I", whole[12:16])[0]
    beside = [value for name, value in _sections(whole).items() if name.startswith(("related", "sense_number"))]
    assert len(beside) == 6
    for _, _, at in beside:
        path.write_bytes(whole[: begin + at] + bytes([whole[begin + at] ^ 1]) + whole[begin + at + 1 :])
        with pytest.raises(BadTaxonomy, match="does not match its fingerprint"):
            compiled.read(path)


def test_related_words_that_point_outside_are_refused(tmp_path: Path) -> None:
    tax = with_words()
    wild = replace(tax.related, code=np.array([99, 0], np.int32))
    compiled.write(replace(tax, related=wild), tmp_path / "h.taxonym")
    with pytest.raises(BadTaxonomy, match="do not fit together"):
        compiled.read(tmp_path / "h.taxonym")


def test_parts_and_joins_of_a_taxonomy_keep_what_stands_beside_it() -> None:
    tax = with_words()
    part = tax.under(tax.code("liver.n.01"))
    assert list(part.related) == [("a", "hepatic", 0, 3)]
    assert part.id(part.code("hepar.n.02")) == "liver.n.01"
    both = Taxonomy.join([tax, TAX])
    assert [both.id(code) for code in both.related.nouns("a", "Hepatic")[0]] == ["liver.n.01"]


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
