"""MeSH tree files."""

import gzip
from pathlib import Path

import pytest

from taxonym.errors import BadTaxonomy
from taxonym.knowledge.readers.mesh import CATEGORIES, read_mesh


@pytest.fixture
def file(tmp_path: Path):
    def write(content: str | bytes) -> Path:
        path = tmp_path / "mtrees.bin"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_a_heading_at_two_places_is_one_concept_with_two_parents(file):
    lines = "Eye;A01.456\nSense Organs;A09\nEye;A09.371\nBody Regions;A01\nRetina;A09.371.729\n"
    tax = read_mesh(file(lines)).build()
    eye = tax.code("Eye")
    assert {tax.id(p) for p in tax.parents(eye)} == {"Body Regions", "Sense Organs"}
    assert [tax.label(root) for root in tax.roots] == ["Anatomy"]
    assert {tax.id(a) for a in tax.ancestors(tax.code("Retina"))} == {
        "A", "Body Regions", "Sense Organs", "Eye", "Retina",
    }  # fmt: skip


def test_tree_numbers_are_further_ids(file):
    tax = read_mesh(file("Body Regions;A01\nAnimals;B01\n")).build()
    assert tax.code("B01") == tax.code("Animals")


def test_a_heading_may_have_the_name_of_a_category_and_semicolons(file):
    tax = read_mesh(file("Humanities;K01\nEthics; Old;K01.316\n")).build()
    assert len(tax.codes("Humanities")) == 2
    assert tax.parents(tax.code("Ethics; Old")) == [tax.code("Humanities")]


def test_there_are_sixteen_categories_and_only_those_in_use_are_roots(file):
    assert len(CATEGORIES) == 16
    assert len(read_mesh(file("Europe;Z01\nCharts;V01\n")).build().roots) == 2


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("", ["file is empty"]),
        ("Body Regions\n", ["line 1", "heading;tree number"]),
        ("Body Regions;A01\nEye;A01,456\n", ["line 2", "heading;tree number"]),
        (";A01\n", ["line 1", "heading;tree number"]),
        ("Body Regions;A01\nOdd;Q01\n", ["line 2", "no category 'Q'"]),
        ("Body Regions;A01\nOther;A01\n", ["line 2", "A01 stands in line 1 already"]),
        ("Body Regions;A01\nRetina;A09.371.729\n", ["line 2", "no line: 'A09.371'", "'Retina'", "Add their lines"]),
        ("A;A01\n", ["line 1", "'A' is the id of a category"]),
        (b"Caf\xe9;A01\n", ["is not utf-8 text"]),
        (b"Body\0;A01\n", ["line 1", "NUL byte"]),
        (gzip.compress(b"Body Regions;A01\n", mtime=0)[:20], ["gzip archive is damaged"]),
        ("x" * 1_000_000, ["line 1", "heading;tree number"]),
    ],
)
def test_a_broken_tree_file_ends_in_one_line_that_helps(file, lines, words):
    with pytest.raises(BadTaxonomy) as error:
        read_mesh(file(lines)).build()
    message = str(error.value)
    assert "\n" not in message
    assert len(message) < 700
    assert [word for word in words if word not in message] == []
