"""Trees as plain text: paths, indented lines, nested JSON."""

import gzip
import json
from pathlib import Path

import pytest

from taxonym.errors import BadPlan, BadTaxonomy
from taxonym.knowledge.readers.nested import read_json
from taxonym.knowledge.readers.outline import read_indented, read_paths
from taxonym.knowledge.taxonomy import Taxonomy


@pytest.fixture
def file(tmp_path: Path):
    def write(content: str | bytes) -> Path:
        path = tmp_path / "tree.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        return path

    return write


def graph(tax: Taxonomy) -> dict[str, tuple[str, set[str]]]:
    return {tax.id(c): (tax.label(c), {tax.id(p) for p in tax.parents(c)}) for c in range(len(tax))}


SPORTS = {
    "sports": ("sports", set()),
    "sports > chess": ("chess", {"sports"}),
    "sports > water sports": ("water sports", {"sports"}),
    "sports > water sports > swimming": ("swimming", {"sports > water sports"}),
}


def message_of(reader, path: Path, **options: object) -> str:
    with pytest.raises(BadTaxonomy) as error:
        reader(path, **options).build()
    message = str(error.value)
    assert "tree.txt" in message
    assert "\n" not in message
    assert len(message) < 700
    return message


@pytest.mark.parametrize("reader", [read_paths, read_indented, read_json])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is not utf-8 text"),
        ("café".encode("latin-1"), "encoding="),
        (b"a\n\0\n", "line 2: holds a NUL byte"),
        (gzip.compress(b'["a"]' * 9000, mtime=0)[:30], "gzip archive is damaged"),
    ],
    ids=["binary", "latin-1", "NUL", "truncated gzip"],
)
def test_a_file_that_is_no_text_ends_in_one_line(file, reader, content, words):
    assert words in message_of(reader, file(content))


@pytest.mark.parametrize("reader", [read_paths, read_indented])
@pytest.mark.parametrize("content", ["", "\n \n", "# a comment alone\n"])
def test_a_file_without_lines_is_empty(file, reader, content):
    assert "the file is empty" in message_of(reader, file(content))


# ---------------------------------------------------------------------- one path per line


@pytest.mark.parametrize("separator", [" > ", "/", "::", ";", ">", "|", "  >   "])
def test_paths_are_read_whatever_the_separator_with_all_steps_between(file, separator):
    lines = "# version 1\n\nsports > water sports > swimming\nsports > chess\n".replace(" > ", separator)
    tax = read_paths(file(lines)).build()
    joint = " > " if ">" in separator else separator
    assert graph(tax) == {
        id.replace(" > ", joint): (label, {p.replace(" > ", joint) for p in parents})
        for id, (label, parents) in SPORTS.items()
    }


def test_a_separator_can_be_named_and_stands_at_either_end_for_nothing(file):
    assert len(read_paths(file("a\tb\na\tc\n"), separator="\t").build()) == 3
    assert graph(read_paths(file("/a/b/\n/a/\n")).build()) == {"a": ("a", set()), "a/b": ("b", {"a"})}
    assert graph(read_paths(file("a > b >\n> a\n")).build()) == {"a": ("a", set()), "a > b": ("b", {"a"})}


def test_a_slash_inside_a_label_and_underscores_stay_as_written(file):
    tax = read_paths(file("TV/Video\nTV/Video > Blu-ray/DVD\nTV/Video > home_cinema\nArt/Craft\n")).build()
    assert {tax.label(c) for c in range(len(tax))} == {"TV/Video", "Blu-ray/DVD", "home_cinema", "Art/Craft"}
    assert tax.codes("home cinema") == [tax.code("TV/Video > home_cinema")]


@pytest.mark.parametrize("mark", [" - ", "\t"], ids=["dash", "tab"])
def test_leading_ids_are_the_ids_and_the_paths_other_names(file, mark):
    lines = ["12|animals > pets > cats", "1|animals", "7|animals > birds - wild"]
    tax = read_paths(file("\n".join(line.replace("|", mark) for line in lines))).build()
    assert graph(tax) == {
        "1": ("animals", set()),
        "animals > pets": ("pets", {"1"}),
        "12": ("cats", {"animals > pets"}),
        "7": ("birds - wild", {"1"}),
    }
    assert tax.code("animals > pets > cats") == tax.code("12")


def test_lines_that_merely_look_as_if_some_had_ids_are_labels(file):
    assert read_paths(file("1 - a\nb\n")).build().codes("1 - a")
    assert read_paths(file("1 - a\n2 - b\n"), ids=False).build().codes("1 - a")


def test_an_id_that_equals_another_concepts_path_wins(file):
    tax = read_paths(file("x2 - x1\nx1 - x2\n")).build()
    assert tax.label(tax.code("x2")) == "x1"


def test_a_flat_list_is_all_roots(file):
    assert len(read_paths(file("a\nb\nb\n")).build().roots) == 2


def test_a_step_of_a_million_characters_is_read(file):
    assert len(read_paths(file("a > " + "x" * 1_000_000 + "\n")).build()) == 2


@pytest.mark.parametrize(
    ("lines", "options", "words"),
    [
        ("a/b\na//b\n", {}, ["line 2", "step of the path is empty", "separator"]),
        ("a/b\n/\n", {}, ["line 2", "step of the path is empty"]),
        ("a > b\na > > b\n", {}, ["line 2", "stray '>'"]),
        ("a::b\na: :: b\n", {}, ["line 2", "stray '::'"]),
        ("a/" * 500_000, {}, ["line 1", "500,000 levels deep", "separator"]),
        ("1 - a\n2 - a > b\n2 - a > c\n", {}, ["line 3", "id '2' is given twice"]),
        ("1 - a\n2 - a\n", {}, ["line 2", "path 'a' is given twice"]),
        ("a > b\n", {"ids": True}, ["not every line begins with an id"]),
        ("\n".join(f"{i} - a{i}" for i in range(1000)) + "\nb", {}, ["line 1001", "has no id", "ids=False"]),
        ("x1 - a\n2 - x1 > b\n", {}, ["line 2", "'x1' is a path here and the id of another path"]),
    ],
)
def test_a_broken_list_of_paths_ends_in_one_line_that_helps(file, lines, options, words):
    message = message_of(read_paths, file(lines), **options)
    assert [word for word in words if word not in message] == []


def test_an_empty_separator_is_refused(file):
    with pytest.raises(BadPlan, match="separator is empty"):
        read_paths(file("a"), separator="")


# ---------------------------------------------------------------------- indented lines


@pytest.mark.parametrize(
    "lines",
    [
        "sports\n\twater sports\n\t\tswimming\n\tchess\n",
        "# mine\n- sports\n  - water sports\n    * swimming\n\n  • chess\n",
        "   sports\n     water sports\n          swimming\n     chess\n",
        "9 | sports\n  10 | water sports\n    101 | swimming\n  7 | chess\n",
        "   9 | [1-8] | sports\n    10 | [2- 5] | water sports\n     101 | [ 3-4] | swimming\n     7 | [6-7] | chess",
        "A1 - sports\n\tA12 - water sports\n\t\tA123 - swimming\n\tA7 - chess\n",
    ],
    ids=["tabs", "bullets", "blanks", "ids aligned left", "ids aligned right", "codes"],
)
def test_the_indentation_says_what_stands_under_what(file, lines):
    assert graph(read_indented(file(lines)).build()) == SPORTS


def test_the_numbers_of_a_nested_set_order_lines_that_do_not_stand_in_depth_first_order(file):
    lines = "1 | [1-8] | sports\n  2 | [2-5] | water sports\n  4 | [6-7] | chess\n    3 | [3-4] | swimming\n"
    assert graph(read_indented(file(lines)).build()) == SPORTS


def test_the_id_of_a_line_is_another_name_for_its_path(file):
    tax = read_indented(file("1 | a\n  2 | b\n")).build()
    assert tax.id(tax.code("2")) == "a > b"


def test_the_alignment_of_ids_can_be_named_where_two_lines_do_not_tell(file):
    path = file("100 | a\n  1 | b\n")
    draft = read_indented(path)
    assert len(draft.build().roots) == 2
    assert "aligned right" in draft.notes[0]
    assert len(read_indented(path, align="left").build().roots) == 1
    assert len(read_indented(path, align="right").build().roots) == 2
    with pytest.raises(BadPlan, match="guess, left, right"):
        read_indented(path, align="centre")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("a\n    b\n  c\n", ["line 3", "indentation fits no line above", "Indent siblings alike"]),
        ("  a\nb\n", ["line 2", "indentation fits no line above"]),
        ("a\n\tb\n    c\n", ["line 3", "with tabs or with blanks throughout"]),
        ("1 | [1-4] | a\n  2 | [2-9] | b\n", ["line 2", "do not lie within its parent's", "Mend"]),
        ("a\n  b\n  b\n", ["line 3", "'a > b' is given twice"]),
        ("\n".join(" " * i + "x" for i in range(300)), ["line 201", "201 levels deep"]),
    ],
)
def test_broken_indentation_ends_in_one_line_that_helps(file, lines, words):
    message = message_of(read_indented, file(lines))
    assert [word for word in words if word not in message] == []


# ---------------------------------------------------------------------- nested JSON


@pytest.mark.parametrize(
    "content",
    [
        {"sports": {"water sports": ["swimming"], "chess": None}},
        {"sports": [{"water sports": "swimming"}, "chess"]},
        [{"name": "sports", "children": [{"label": "water sports", "items": ["swimming"]}, {"name": "chess"}]}],
        {"name": "sports", "narrower": [{"water sports": {"swimming": {}}}, {"id": "sports > chess", "name": "chess"}]},
    ],
)
def test_names_and_objects_nest(file, content):
    assert graph(read_json(file(json.dumps(content))).build()) == SPORTS


def test_objects_have_ids_synonyms_and_glosses_and_unread_keys_are_noted(file):
    content = {
        "name": "a",
        "kids": [],
        "children": [{"id": 7, "name": "b", "synonyms": ["c", "d"], "gloss": "e"}, 2001],
    }
    draft = read_json(file(json.dumps(content)))
    tax = draft.build()
    assert graph(tax) == {"a": ("a", set()), "7": ("b", {"a"}), "a > 2001": ("2001", {"a"})}
    assert tax.code("a > b") == tax.code("7")
    assert tax.labels(tax.code("7")) == ["b", "c", "d"]
    assert tax.gloss(tax.code("7")) == "e"
    assert draft.notes == ["tree.txt: these keys were not read: kids."]


def test_a_key_that_is_called_name_but_holds_a_list_is_a_label(file):
    assert len(read_json(file('{"name": ["first", "last"], "id": ["passport"]}')).build()) == 5


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ["line 1", "is not JSON"]),
        ("[]", ["holds no concept"]),
        ('{"a": [1,\n2', ["line 2", "is not JSON", "Mend"]),
        ('{"a": 1, "b": 2, "a": 3}', ["'a' stands twice in one object", "rename"]),
        ('{"a": ["b", "b"]}', ["'a > b' is given twice"]),
        ('{"a": [true]}', ["under 'a'", "a bool stands where a name"]),
        ('{"a": [""]}', ["under 'a'", "an empty name stands where"]),
        ('{"": ["a"]}', ["empty id"]),
        ('{"name": "a", "synonyms": [3]}', ["'a'", "a synonym is not a name"]),
        ("[" * 100_000 + "]" * 100_000, ["nested too deeply"]),
        ('{"a":' * 300 + "1" + "}" * 300, ["201 levels deep"]),
        ("[" + "9" * 5000 + "]", ["number of thousands of digits"]),
    ],
)
def test_broken_json_ends_in_one_line_that_helps(file, content, words):
    message = message_of(read_json, file(content))
    assert [word for word in words if word not in message] == []


def test_odd_unicode_in_json_is_kept(file):
    assert read_json(file(r'["\ud800", "naïve", "日本"]')).build().codes("日本")
