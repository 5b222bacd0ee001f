from contextlib import suppress
from pathlib import Path

import pytest

from taxonym import load
from taxonym.errors import BadPlan, BadTaxonomy
from taxonym.knowledge import compiled
from taxonym.knowledge.catalog import READERS, guess_format


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("x.csv", "child,parent\na,b\n", "edges"),
        ("x.csv", "a,b\nb,c\n", "edges"),
        ("x.tsv", "Unique ID\tParent\tName\n1\t\tThing\n", "edges"),
        ("x.csv", "labels,level2,level1\nham,sausage,meat\n", "levels"),
        ("x.csv", "value,level 1\nham,meat\n", "levels"),
        ("x.csv", "value,level 1,level 2\nLisa,parents,any\n", "levels"),
        ("x.csv", "value,parent\nham,meat\n", "edges"),
        ("x.txt", "A > B > C\nA > D\n", "paths"),
        ("x.txt", "top/business/accounting\ntop/arts\n", "paths"),
        ("x.txt", "1 - Animals\n2 - Animals > Dogs\n3 - Animals > Cats\n", "paths"),
        ("x.txt", "animals\n  dogs\n  cats\n", "indented"),
        ("x.txt", "animals\n\tdogs\n\tcats\n", "indented"),
        ("mtrees2026.bin", "Body Regions;A01\nAbdomen;A01.923.047\n", "mesh"),
        ("x.json", '{"a": ["b"]}', "json"),
        ("x.obo", "format-version: 1.2\n", "obo"),
        ("x.xml", '<?xml version="1.0"?>\n<LexicalResource></LexicalResource>', "lmf"),
    ],
)
def test_the_format_is_guessed_from_name_and_first_lines(tmp_path: Path, name: str, text: str, format: str) -> None:
    (tmp_path / name).write_text(text)
    assert guess_format(tmp_path / name) == format


def test_what_cannot_be_guessed_lists_the_formats(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("one\ntwo\nthree\n")
    with pytest.raises(BadTaxonomy, match="cannot be guessed .* edges, levels, paths"):
        load(tmp_path / "x.txt")


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(BadTaxonomy, match="no lines"):
        load(tmp_path / "x.txt")


def test_a_folder_of_other_things_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTaxonomy, match="a folder without WordNet or SNOMED CT files"):
        load(tmp_path)


def test_an_unknown_name_lists_the_built_in_ones() -> None:
    with pytest.raises(
        BadTaxonomy,
        match="neither a file nor a built-in taxonomy. Built in are: wordnet, icd10cm, icd9cm, hpo, countries",
    ):
        load("wordnett")


def test_an_unknown_format_lists_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n")
    with pytest.raises(BadPlan, match="'xls' is not known. Choose one of edges"):
        load(tmp_path / "x.csv", format="xls")


def test_an_option_that_a_format_does_not_have_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n")
    with pytest.raises(BadPlan, match="langage: the format 'edges' has no such option. It has columns"):
        load(tmp_path / "x.csv", langage="en")


def test_a_compiled_taxonomy_takes_no_reading_options() -> None:
    with pytest.raises(BadPlan, match="relations: wordnet is compiled"):
        load("wordnet", relations=("part_of",))


def test_roots_are_joined_also_in_a_compiled_taxonomy_as_they_would_be_in_its_source(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("child,parent\na,b\nc,d\n")
    compiled.write(load(tmp_path / "x.csv"), tmp_path / "x.taxonym")
    for join_roots in (True, "all things"):
        source, again = (load(tmp_path / name, join_roots=join_roots) for name in ("x.csv", "x.taxonym"))
        assert again.fingerprint == source.fingerprint
        assert again.name == "x"
        assert len(again.roots) == 1


def test_progress_ends_whether_a_file_can_be_read_or_not(tmp_path: Path) -> None:
    (tmp_path / "good.csv").write_text("child,parent\na,b\n")
    (tmp_path / "loop.csv").write_text("child,parent\na,a\n")
    compiled.write(load(tmp_path / "good.csv"), tmp_path / "good.taxonym")
    for name in ("good.csv", "loop.csv", "good.taxonym"):
        steps: list[str] = []
        with suppress(BadTaxonomy):
            load(tmp_path / name, progress=Listener(steps))
        assert steps[0] == f"reading {name}"
        assert steps[-1] == "finished"


class Listener:
    def __init__(self, steps: list[str]) -> None:
        self.steps = steps

    def start(self, what: str, total: int | None = None) -> None:
        self.steps.append(what)

    def advance(self, done: int = 1) -> None: ...

    def finish(self) -> None:
        self.steps.append("finished")


def test_a_loaded_file_is_named_for_the_file(tmp_path: Path) -> None:
    (tmp_path / "sports.csv").write_text("child,parent\nswimming,water sports\n")
    assert load(tmp_path / "sports.csv").name == "sports"


def test_complaints_name_the_file_as_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "loop.csv"
    path.write_text("child,parent\na,b\nb,a\n")
    with pytest.raises(BadTaxonomy, match=f"^{path}: these concepts are their own ancestors: a → b → a"):
        load(path)


@pytest.mark.parametrize("reader", READERS.values(), ids=lambda r: r.name)
def test_every_reader_names_a_function_that_exists(reader) -> None:  # type: ignore[no-untyped-def]
    assert reader.read.__doc__
