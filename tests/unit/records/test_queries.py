"""Whole queries as concepts below those of their words."""

import numpy as np
import pytest

from taxonym import Finder, Taxonomy
from taxonym.errors import UnknownTerms
from taxonym.knowledge.arrays import Long
from taxonym.publish.groups import Support
from taxonym.records.column import Column
from taxonym.records.queries import Queries, read_queries
from taxonym.records.vocabulary import WHOLE

TAX = Taxonomy.from_edges([("trout", "fish"), ("carp", "fish"), ("oak", "tree"), ("fish", "thing"), ("tree", "thing")])
ASKED = [["trout oak", "zzq"], ["trout oak", "zzq carp"], ["trout", "trout oak"], ["carp", "trout"]]


def read(on_unknown: str = "keep-as-own-concept", k: int = 3) -> Queries:
    column = Column(name="query", role="quasi-identifier", kind="set", taxonomy=("x",), on_unknown=on_unknown)
    return read_queries(column, ASKED, Finder(TAX), k, "log.tsv", range(1, 5))


def persons() -> Long:
    return np.arange(len(ASKED))


def test_a_query_of_k_users_is_a_concept_below_those_of_its_words() -> None:
    found = read()
    (whole,) = found.codes["trout oak"]
    tax = found.words.tax
    assert set(tax.parents(whole)) == {TAX.code("trout"), TAX.code("oak")}
    assert found.words.maps_to(f"{WHOLE}trout oak") == whole
    assert tax.depth(whole) == 1 + TAX.depth(TAX.code("trout"))
    assert whole in tax.children(TAX.code("oak"))
    assert set(tax.ancestors(whole)) == {whole} | set(TAX.ancestors(TAX.code("trout"))) | set(
        TAX.ancestors(TAX.code("oak"))
    )


def test_other_queries_are_their_words_and_rare_unknown_words_are_nothing() -> None:
    found = read()
    assert found.codes["trout"] == (TAX.code("trout"),)
    assert found.codes["zzq carp"] == (TAX.code("carp"),)
    assert found.codes["zzq"] == ()
    two = read(k=2)
    own = two.words.maps_to("zzq")
    assert own is not None
    assert two.codes["zzq carp"] == (TAX.code("carp"), own)
    assert two.words.tax.parents(own) == TAX.roots
    assert read("suppress", 2).codes["zzq"] == ()


def test_who_asked_a_whole_query_holds_its_words_and_only_writers_count_for_it() -> None:
    found = read()
    support = Support.of(found.words, persons(), 3)
    (whole,) = found.codes["trout oak"]
    assert support.holders.holders(whole) == 3
    assert support.holders.holders(TAX.code("trout")) == 4
    assert support.printable[whole]
    assert not Support.of(found.words, persons(), 4).printable[whole]


def test_unknown_words_can_be_an_error_that_shows_none_of_them() -> None:
    with pytest.raises(UnknownTerms, match="queries of 2 users") as error:
        read("error")
    assert "zzq" not in str(error.value)


def test_a_phrase_inside_queries_that_k_users_wrote_is_a_concept_below_its_head(wordnet: Taxonomy) -> None:
    asked = [["my injection site pain"], ["Injection Site Pain."], ["is injection site pain bad"], ["pain"]]
    for phrases, k, found in (("whole", 3, True), ("whole", 4, False), ("head", 3, False)):
        column = Column(name="query", role="quasi-identifier", kind="set", multiplicity=True, phrases=phrases)
        words = read_queries(column, asked, Finder(wordnet), k, "log.tsv", range(1, 5)).words
        pain = wordnet.codes("pain")[0]
        own = [c for c in range(words.tax.base, len(words.tax)) if words.tax.label(c) == "injection site pain"]
        assert bool(own) == found
        if found:
            assert words.tax.parents(own[0]) == [pain]
            assert all(own[0] in words.record(i) and pain not in words.record(i) for i in range(3))
            assert words.maps_to("injection site pain") == own[0]
