"""The readers on real files, which are not part of the repository. Say where they are with TAXONYM_SHARED."""

import os
import re
from pathlib import Path

import pytest

from taxonym.knowledge.readers.edges import read_edges, read_levels
from taxonym.knowledge.readers.outline import read_indented, read_paths

SHARED = Path(os.environ.get("TAXONYM_SHARED") or Path(__file__).parents[2].parent / "shared")


def shared(name: str) -> Path:
    path = SHARED / "data" / name
    if not path.exists():
        pytest.skip(f"{name} is not here; set TAXONYM_SHARED to the folder that holds data/{name}")
    return path


def test_the_iab_content_taxonomy_has_704_concepts_under_37_roots():
    tax = read_edges(shared("topic-taxonomies/iab_content_taxonomy_3.1.tsv")).build()
    assert (len(tax), len(tax.roots), tax.max_depth) == (704, 37, 4)
    parks = tax.code("151")
    assert (tax.label(parks), tax.label(tax.parents(parks)[0])) == ("Amusement and Theme Parks", "Attractions")


def test_the_groceries_have_169_items_in_55_groups_of_10_kinds():
    tax = read_levels(shared("groceries/groceries_taxonomy.csv")).build()
    assert [sum(tax.depth(c) == level for c in range(len(tax))) for level in (1, 2, 3)] == [10, 55, 169]
    assert [tax.id(c) for c in tax.codes("sausage")] == [
        "meat and sausage > sausage",
        "meat and sausage > sausage > sausage",
    ]


def test_the_dmoz_categories_have_84639_concepts_under_top():
    tax = read_paths(shared("dmoz/dmoz_categories_2012.txt.gz")).build()
    assert (len(tax), [tax.id(root) for root in tax.roots]) == (84_639, ["top"])
    assert sum(not tax.children(c) for c in range(len(tax))) == 67_465


def test_the_further_dmoz_categories_keep_their_letters():
    tax = read_paths(shared("dmoz/dmoz_extra_level3.txt")).build()
    assert (len(tax), len(tax.roots), tax.max_depth) == (519, 1, 4)
    assert tax.label(tax.code("top/world/česky/zpravodajství")) == "zpravodajství"


def test_the_google_product_taxonomy_nests_as_its_own_numbers_say():
    path = shared("topic-taxonomies/google_product_taxonomy.en-US.txt")
    tax = read_indented(path).build()
    assert (len(tax), len(tax.roots), tax.max_depth) == (5_595, 21, 7)
    stated = nested_set(path.read_text(encoding="utf-8"))
    assert len(stated) == len(tax)
    for number, (label, parent) in stated.items():
        code = tax.code(number)
        assert tax.label(code) == label
        assert tax.parents(code) == ([tax.code(parent)] if parent else [])


def nested_set(text: str) -> dict[str, tuple[str, str]]:
    """Number of a category -> label and number of its parent, by the intervals in brackets alone."""
    rows = re.findall(r"^ *(\d+) \| \[ *(\d+)- *(\d+)\] \| (.+)$", text, re.MULTILINE)
    found: dict[str, tuple[str, str]] = {}
    around: list[tuple[int, str]] = []
    for number, left, right, label in sorted(rows, key=lambda row: int(row[1])):
        while around and around[-1][0] < int(left):
            around.pop()
        found[number] = (label, around[-1][1] if around else "")
        around.append((int(right), number))
    return found
