import tomllib
from pathlib import Path

import pytest

from taxonym import load
from taxonym.distance.concept import lin
from taxonym.drafting.coherence import coherence, least_coherence, lin_similarities, meanings_of
from taxonym.drafting.sample import ColumnSample
from taxonym.drafting.words import ENOUGH, KnownWords
from taxonym.knowledge.content import seco
from taxonym.text.finder import Finder

GOLD = tomllib.loads((Path(__file__).parents[3] / "bench" / "gold" / "coherence.toml").read_text("utf-8"))
SURNAMES = GOLD["later"]["other"]["surnames 3"]


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder(load("wordnet"))


def test_columns_of_words_hang_together_and_codes_and_names_do_not(finder: Finder) -> None:
    wrong = []
    for half in GOLD.values():
        for kind, columns in half.items():
            for name, values in columns.items():
                found, words = coherence(finder, values)
                if (found >= least_coherence(values) and words >= ENOUGH) != (kind == "words"):
                    wrong.append(name)
    assert wrong == ["plans", "streets"]  # metals and trees they are


def test_similarity_is_that_of_lin(finder: Finder) -> None:
    tax = finder.taxonomy
    codes = [tax.code(id) for id in ("dog.n.01", "cat.n.01", "teapot.n.01", "entity.n.01")]
    made = lin_similarities(tax, codes)
    for i, a in enumerate(codes):
        for j, b in enumerate(codes):
            if a != b:
                assert made[i, j] == pytest.approx(1 - lin(tax, a, b, seco(tax)), abs=1e-6)


def test_short_values_are_words_only_in_small_letters(finder: Finder) -> None:
    assert meanings_of(finder, "cat")
    assert meanings_of(finder, "Cat")
    assert not any(meanings_of(finder, code) for code in ("M", "F", "AL", "NA", "CAT", "en", "Mon", "42"))


def test_the_head_of_a_phrase_is_what_it_means(finder: Finder) -> None:
    labels = {finder.taxonomy.label(code) for code in meanings_of(finder, "sprain of ankle")}
    assert "sprain" in labels
    assert "ankle" not in labels


def test_names_of_single_things_do_not_count(finder: Finder) -> None:
    assert not meanings_of(finder, "Helsinki")


def test_one_value_is_not_coherent(finder: Finder) -> None:
    assert coherence(finder, ["dog"]) == (0.0, 1.0)
    assert coherence(finder, []) == (0.0, 0.0)


def column(values: list[str]) -> ColumnSample:
    return ColumnSample("x", values, 10 * len(values), len(values), 0.0, values=values)


def test_wordnet_is_used_only_where_a_column_hangs_together() -> None:
    wordnet = KnownWords("wordnet")
    names = wordnet.look(column(SURNAMES))
    assert names.known >= 0.9
    assert not names.fits
    assert "do not hang together (coherence" in names.why
    assert wordnet.look(column(["dog", "cat", "horse", "salmon"])).fits


def test_full_names_are_no_texts_but_sentences_may_speak_of_anything() -> None:
    wordnet = KnownWords("wordnet")
    full = [f"{first} {last}" for first, last in zip(GOLD["later"]["other"]["given names 3"], SURNAMES, strict=True)]
    assert not wordnet.look(column(full)).fits
    assert wordnet.look(column([f"the {name.lower()} was in the house all day" for name in SURNAMES])).fits


def test_a_taxonomy_that_was_named_is_not_judged(tmp_path: Path) -> None:
    own = tmp_path / "own.csv"
    own.write_text("child,parent\n" + "".join(f"{name},surname\n" for name in SURNAMES))
    look = KnownWords(str(own)).look(column(SURNAMES))
    assert (look.fits, look.coherence) == (True, None)
