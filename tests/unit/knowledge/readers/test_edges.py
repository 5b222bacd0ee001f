"""Tables: child-parent links, and one column per level."""

import gzip
from pathlib import Path

import pytest

from taxonym.errors import BadPlan, BadTaxonomy, CyclicTaxonomy
from taxonym.knowledge.readers.edges import read_edges, read_levels
from taxonym.knowledge.taxonomy import Taxonomy


@pytest.fixture
def file(tmp_path: Path):
    def write(content: str | bytes, name: str = "table.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def graph(tax: Taxonomy) -> dict[str, tuple[str, set[str]]]:
    return {tax.id(c): (tax.label(c), {tax.id(p) for p in tax.parents(c)}) for c in range(len(tax))}


SPORTS = {
    "sports": ("sports", set()),
    "water sports": ("water sports", {"sports"}),
    "swimming": ("swimming", {"water sports"}),
}
SPORTS_BY_PATH = {
    "sports": ("sports", set()),
    "sports > water sports": ("water sports", {"sports"}),
    "sports > water sports > swimming": ("swimming", {"sports > water sports"}),
    "sports > chess": ("chess", {"sports"}),
}


def one_line(error: pytest.ExceptionInfo[BaseException]) -> str:
    message = str(error.value)
    assert "\n" not in message
    assert len(message) < 700
    return message


# ---------------------------------------------------------------------- child and parent


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"], ids=["comma", "semicolon", "tab", "bar"])
@pytest.mark.parametrize(
    "header", ["child,parent\n", "", "Concept,is_a\n", "#id,Parent-ID\n", "made by hand\n\ncode,broader\n"]
)
def test_links_are_read_whatever_the_delimiter_and_the_header(file, header, delimiter):
    rows = (header + "swimming,water sports\nwater sports,sports\n").replace(",", delimiter)
    assert graph(read_edges(file(rows)).build()) == SPORTS


def test_line_ends_a_byte_order_mark_and_blank_rows_do_not_matter(file):
    rows = b"\xef\xbb\xbfchild,parent\r\n\r\nswimming,water sports\r\n,\r\nwater sports,sports"
    assert graph(read_edges(file(rows)).build()) == SPORTS


def test_an_empty_parent_makes_a_root_and_several_rows_make_several_parents(file):
    tax = read_edges(file("child,parent\na,\nb,\nc,a\nc,b\n")).build()
    assert graph(tax) == {"a": ("a", set()), "b": ("b", set()), "c": ("c", {"a", "b"})}


def test_ids_have_labels_synonyms_and_glosses_and_labels_need_not_be_unique(file):
    rows = "id,parent id,name,synonyms,definition\n1,,sausage,,\n2,1,sausage,wurst; banger|brat,a boiled one\n"
    tax = read_edges(file(rows)).build()
    two = tax.code("2")
    assert graph(tax) == {"1": ("sausage", set()), "2": ("sausage", {"1"})}
    assert tax.labels(two) == ["sausage", "wurst", "banger", "brat"]
    assert tax.gloss(two) == "a boiled one"


def test_without_a_label_column_a_concept_with_synonyms_keeps_its_own_name(file):
    tax = read_edges(file("child,parent,synonyms\nflu,disease,influenza|grippe\n")).build()
    assert tax.labels(tax.code("flu")) == ["flu", "influenza", "grippe"]
    assert tax.codes("flu") == tax.codes("grippe") == [tax.code("flu")]


def test_one_cell_holds_several_parents_where_the_children_are_ids(file):
    tax = read_edges(file("id,parent,name\n1,,a\n2,,b\n3,1|2,c\n4,1; 2,d\n")).build()
    assert graph(tax)["3"] == ("c", {"1", "2"})
    assert graph(tax)["4"] == ("d", {"1", "2"})


def test_a_bar_or_semicolon_inside_a_known_id_or_a_plain_label_does_not_split_it(file):
    assert graph(read_edges(file("id,parent,name\n1|2,,a\n3,1|2,b\n")).build())["3"] == ("b", {"1|2"})
    assert graph(read_edges(file("child,parent\nbread,food; drink\n")).build())["bread"] == ("bread", {"food; drink"})


def test_columns_can_be_named(file):
    path = file("key;above;text\n1;;a\n2;1;b\n")
    tax = read_edges(path, columns={"child": "key", "parent": "above", "label": "TEXT"}).build()
    assert graph(tax) == {"1": ("a", set()), "2": ("b", {"1"})}


def test_an_older_encoding_can_be_named(file):
    tax = read_edges(file("child,parent\ncafé,drinks\n".encode("latin-1")), encoding="latin-1").build()
    assert tax.codes("café") == [tax.code("café")]
    assert len(read_edges(file("child,parent\ncafé,drinks\n".encode("utf-16")), encoding="utf-16").build()) == 2


def test_a_line_of_a_million_characters_is_read(file):
    synonyms = ",".join(["y" * 100_000] * 10)
    rows = f"child,parent,{'note,' * 10}\nx,,{',' * 10}\ny,x,{synonyms},\n"
    assert len(read_edges(file(rows)).build()) == 2


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        ("", {}, ["file is empty"]),
        ("\n\n", {}, ["file is empty"]),
        ("child,parent\n", {}, ["holds no concept"]),
        ("child,parent\na,b\nc\n", {}, ["line 3", "1 cells instead of 2", "Fill up"]),
        ("child,parent\na,b\nc,d,e\n", {}, ["line 3", "3 cells instead of 2", "Quote"]),
        ("child,parent\na,b\n,b\n", {}, ["line 3", "child is empty", "remove the row"]),
        ("x,y,z\n1,2,3\n", {}, ["'x', 'y', 'z'", "columns={'child'"]),
        (",".join("x" * 30_000), {}, ["'x', 'x'", "and 29,980 more"]),
        ("x,y\n1,2\n", {"columns": {"child": "x", "parent": "up"}}, ["no column 'up'", "'x', 'y'"]),
        ("id,parent,name\n1,,a\n2,7,b\n", {}, ["line 3", "never defined: '7'"]),
        ("id,parent,name\n1,,a\n2,1,b\n2,,c\n", {}, ["line 4", "'2' has another label in line 3", "unique"]),
        ("id,parent,name\n1,,a\n2,1,\n", {}, ["line 3", "'2' has an empty label", "Give it a name"]),
        ('child,parent\na,"b\nc,d\n', {}, ["line 2", "quote is opened and not closed"]),
        ("child,parent\na,b\0\n", {}, ["line 2", "NUL byte", "UTF-8"]),
        (b"\xff\xfe\x00\x01 caf\xe9", {}, ["is not utf-8 text", "encoding="]),
        (gzip.compress(b"child,parent\n" * 9000, mtime=0)[:60], {}, ["gzip archive is damaged", "again"]),
    ],
)
def test_a_broken_table_of_links_ends_in_one_line_that_helps(file, rows, options, words):
    with pytest.raises(BadTaxonomy) as error:
        read_edges(file(rows), **options).build()
    message = one_line(error)
    assert "table.csv" in message
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"columns": {"child": "a", "parent": "b", "uncle": "c"}}, "not 'uncle'"),
        ({"columns": {"child": "a"}}, "column of the parent"),
        ({"delimiter": ", "}, "one character"),
        ({"encoding": "klingon"}, "no encoding named 'klingon'"),
    ],
)
def test_a_wrong_option_is_named(file, options, words):
    with pytest.raises(BadPlan, match=words):
        read_edges(file("a,b\n1,2\n"), **options)


def test_a_cell_of_a_million_characters_just_works(file):
    long = "b" * 1_000_000
    tax = read_edges(file(f'child,parent\na,"{long}"\n')).build()
    assert tax.code(long) == tax.parents(tax.code("a"))[0]


def test_a_concept_that_is_its_own_parent_is_named(file):
    with pytest.raises(CyclicTaxonomy, match="a → a"):
        read_edges(file("child,parent\na,a\n")).build()


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(BadTaxonomy, match="no such file"):
        read_edges(tmp_path / "gone.csv")
    with pytest.raises(BadTaxonomy, match="cannot be read"):
        read_edges(tmp_path)


# ---------------------------------------------------------------------- one column per level


@pytest.mark.parametrize(
    "rows",
    [
        "labels,level2,level1\nswimming,water sports,sports\n,chess,sports\n",
        "level 1;level 2;level 3\nsports;water sports;swimming\nsports;chess;\n",
        "area,game,kind\nsports,water sports,swimming\nsports,chess,\n",
        "swimming;water sports;sports\n;chess;sports\n",
        "level0\tlevel1\tlevel2\t\nswimming\twater sports\tsports\t\n\tchess\tsports\t\n",
    ],
    ids=["leaf first", "root first", "root first by its values", "no header", "counted from the leaf"],
)
def test_levels_are_read_whichever_end_is_the_root(file, rows):
    assert graph(read_levels(file(rows)).build()) == SPORTS_BY_PATH


def test_a_hierarchy_that_ends_in_a_star_has_the_star_as_its_root(file):
    tax = read_levels(file("34;30-39;*\n35;30-39;*\n41;40-49;*\n")).build()
    assert [tax.label(root) for root in tax.roots] == ["*"]
    assert graph(tax)["* > 30-39 > 35"] == ("35", {"* > 30-39"})
    assert len(tax) == 6


def test_a_label_under_an_equal_label_is_another_concept(file):
    tax = read_levels(file("labels,level2,level1\nsausage,sausage,meat\nham,sausage,meat\n")).build()
    assert [tax.id(c) for c in tax.codes("sausage")] == ["meat > sausage", "meat > sausage > sausage"]


def test_a_label_with_a_lone_arrow_cannot_pass_for_a_path(file):
    tax = read_levels(file("level1,level2\na,b > c\na,b\n")).build()
    assert {tax.label(c) for c in range(len(tax))} == {"a", "b", "b > c"}
    tax = read_levels(file("level1,level2,level3\na,b > c,d\na,b,c\na > b,c,d\n")).build()
    assert len(tax) == 8


def test_a_hierarchy_of_values_is_read_leaf_first_and_its_values_may_skip_levels(file):
    tax = read_levels(file("value,level 1,level 2\nswimming,water sports,sports\nchess,,sports\n")).build()
    assert graph(tax) == SPORTS_BY_PATH
    tax = read_levels(file("Value;level 1\nvalue;top\n")).build()
    assert graph(tax) == {"top": ("top", set()), "top > value": ("value", {"top"})}
    with pytest.raises(BadTaxonomy, match="line 2: an empty cell stands above"):
        read_levels(file("label,level 2,level 1\nchess,,sports\n")).build()


def test_level_columns_and_the_header_can_be_named(file):
    path = file("n,leaf,group\n1,swimming,sports\n2,chess,sports\n3,go,sports\n")
    assert len(read_levels(path, columns=["leaf", "group"]).build()) == 4
    tax = read_levels(path, columns=["group", "leaf"], order="root-first").build()
    assert [tax.label(root) for root in tax.roots] == ["sports"]
    assert len(read_levels(file("a,x\nb,y\n"), header=False, order="root-first").build()) == 4


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        ("", {}, ["file is empty"]),
        ("level1,level2\n", {}, ["holds no concept"]),
        ("level1,level2,level3\na,,c\n", {}, ["line 2", "empty cell stands above a filled one", "Fill it"]),
        ("level1,level2\na,b\nc\n", {}, ["line 3", "1 cells instead of 2"]),
        ("level1,level2\na,b,c\n", {}, ["line 2", "3 cells instead of 2"]),
        ("level1,level2\na,b\n", {"columns": ["level1", "level9"]}, ["no column 'level9'", "'level1', 'level2'"]),
        (",".join("abc" * 100) + "\n" + ",".join("abc" * 100), {"header": False}, ["line 1", "300 levels deep"]),
        (b"\x89PNG\r\n\x1a\n\x00\x00", {}, ["is not utf-8 text"]),
    ],
)
def test_a_broken_table_of_levels_ends_in_one_line_that_helps(file, rows, options, words):
    with pytest.raises(BadTaxonomy) as error:
        read_levels(file(rows), **options).build()
    message = one_line(error)
    assert [word for word in words if word not in message] == []


def test_a_wrong_order_is_named(file):
    with pytest.raises(BadPlan, match="guess, leaf-first, root-first"):
        read_levels(file("a,b\n"), order="upwards")
    with pytest.raises(BadPlan, match="needs a header"):
        read_levels(file("a,b\n"), columns=["a"], header=False)
