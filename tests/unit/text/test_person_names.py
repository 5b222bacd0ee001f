"""Names stay whole: what is taken for a name, and what is not."""

from pathlib import Path

import pytest

from taxonym import Finder, Taxonomy
from taxonym.errors import BadPlan
from taxonym.text.person_names import english_names, read_names

TEXTS = [  # a text, the terms that mean something, the names and other unknown words
    ("john baker", [], ["john baker"]),
    ("Rose Brown", [], ["Rose Brown"]),
    ("mary ann hill", [], ["mary ann hill"]),
    ("mel brooks movies", ["movies"], ["mel brooks"]),
    ("I met John Baker yesterday.", ["yesterday"], ["John Baker"]),
    ("florida congresswoman katherine harris", ["florida", "congresswoman"], ["katherine harris"]),
    ('I watched "Gone with the Wind" last night', ["night"], ['"Gone with the Wind"']),
    ("bought a Samsung Galaxy phone", ["phone"], ["Samsung Galaxy"]),
    # labels of the taxonomy stay labels
    ("george w bush", ["george w bush"], []),
    ("albert einstein", ["albert einstein"], []),
    ("Einstein", ["Einstein"], []),
    ("we visited the White House", ["White House"], []),
    # ordinary words stay words
    ("rose garden", ["rose garden"], []),
    ("brown rice", ["brown rice"], []),
    ("young cook", ["cook"], []),
    ("rosemary lamb", ["rosemary", "lamb"], []),
    ("baker", ["baker"], []),
    ("king", ["king"], []),
    ("Can Pepper Soup Help With Fever", ["Soup", "Fever"], []),
    # abbreviations do not stand for themselves left of a head
    ("AC charger", ["charger"], []),
    ("200 g jar", ["g", "jar"], []),
]


@pytest.mark.parametrize(("text", "terms", "unknown"), TEXTS)
def test_a_name_is_one_unknown_term_and_an_ordinary_word_is_none(
    wordnet: Taxonomy, text: str, terms: list[str], unknown: list[str]
) -> None:
    finder = Finder(wordnet)
    assert [mention.term for mention in finder.find(text)] == terms
    assert [text[start:end] for start, end in finder.unknown(text)] == unknown


def test_names_are_read_like_other_words_where_somebody_wants_that(wordnet: Taxonomy) -> None:
    assert [mention.term for mention in Finder(wordnet, names=False).find("john baker")] == ["john", "baker"]


def test_a_file_adds_names_of_one_word_and_of_several(wordnet: Taxonomy, tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("# ours\nMünevver\nburger palace\n", "utf-8")
    finder = Finder(wordnet, names=read_names(path))
    assert [mention.term for mention in finder.find("münevver hill")] == []
    assert [mention.term for mention in finder.find("menu of burger palace")] == ["menu"]
    assert [mention.term for mention in Finder(wordnet).find("menu of burger palace")] == ["menu", "burger", "palace"]


def test_a_file_of_names_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadPlan, match=r"names\.txt: cannot be read \(No such file"):
        read_names(tmp_path / "names.txt")
    (tmp_path / "names.txt").write_bytes(b"M\xfcnevver\n")
    with pytest.raises(BadPlan, match=r"names\.txt: is not UTF-8 text"):
        read_names(tmp_path / "names.txt")


def test_a_taxonomy_of_other_things_than_words_says_itself_what_its_labels_mean() -> None:
    tax = Taxonomy.from_edges([("john", "men"), ("baker", "jobs")])
    assert [mention.term for mention in Finder(tax).find("john baker")] == ["john", "baker"]


def test_the_lists_of_names_are_those_of_the_census() -> None:
    names = english_names()
    assert (len(names.frequent), len(names.given), len(names.usual), len(names.surnames)) == (199, 4964, 2000, 18000)
    assert {"mary", "john", "rose"} <= names.frequent
    assert "smith" in names.usual


@pytest.mark.parametrize(
    ("text", "is_name"),
    [
        ("jenny mccarthy", True), ("edgar allen poe", True), ("lance armstrong", True), ("noriko+sakai", True),
        ("fiona apple", True), ("mary baker", True), ("ruby ring", False), ("sunny day", False), ("sandy beach", False),
        ("merry christmas", False), ("victor mower", False), ("jean shorts", False), ("baker street", False),
        ("food in germany", False), ("rosie: anne", False),
    ],
)  # fmt: skip
def test_in_small_letters_a_surname_that_only_names_somebody_makes_a_name_and_an_ordinary_phrase_is_none(
    wordnet: Taxonomy, text: str, is_name: bool
) -> None:
    reading = Finder(wordnet).read(text)
    assert bool(reading.names[0]) == is_name
