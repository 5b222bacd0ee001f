"""Any text of any length: mentions inside its bounds, no exception, linear time; any order, any number of workers."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Taxonomy, load
from taxonym.text.bulk import map_column
from taxonym.text.finder import Finder
from tests import pace

WORDNET = load("wordnet")
OWN = Taxonomy.from_edges(
    [("ice cream", "food"), ("Fish & chips", "food"), ("a-b c", "food"), ("cafés", "place"), ("lung, left", "body")],
    name="own",
)
FINDERS = {
    "nouns": Finder(WORDNET),
    "both": Finder(WORDNET, parts=("n", "v")),
    "own": Finder(OWN),
    "retrieve": Finder(OWN, retrieve=0.1),
    "spelling": Finder(OWN, spelling=1),
    "overrides": Finder(WORDNET, overrides={"cafe": "food.n.01", "the heart": "heart.n.02"}, parts=("n", "v")),
}
WORDS = (
    "heart attack attacks gave up got rid of the a men's driver’s ill-health ICE cream cafés naïve st. louis u.s. 2kg "
    '200 g . , ; ( ) " - – … ! \n \t www.example.org me@example.org site:x +must AND mothers-in-law world war ii '
    "iPhone crane bank glasses years left swimming pool 日本 😀 e\u0301 \x00 \u2028 \ud800 ' ''s"
)
PIECES = st.sampled_from(WORDS.split(" "))
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map(" ".join), st.lists(PIECES, max_size=40).map("".join))


@pytest.mark.parametrize("finder", FINDERS.values(), ids=FINDERS.keys())
@given(text=TEXTS)
def test_mentions_lie_in_the_text_and_do_not_overlap(finder: Finder, text: str) -> None:
    end = 0
    for mention in finder.find(text):
        assert end <= mention.start < mention.end <= len(text)
        assert text[mention.start : mention.end] == mention.term
        assert 0 <= mention.code < len(finder.taxonomy)
        assert mention.label == finder.taxonomy.label(mention.code)
        assert 0 < mention.confidence <= 1
        assert mention.why
        end = mention.end
    for start, stop in finder.unknown(text):
        assert 0 <= start < stop <= len(text)


@given(text=TEXTS)
def test_what_is_found_does_not_depend_on_what_was_found_before(text: str) -> None:
    assert Finder(WORDNET).find(text) == FINDERS["nouns"].find(text)


@settings(max_examples=20)
@given(texts=st.lists(st.one_of(st.none(), TEXTS), max_size=12), data=st.data())
def test_a_permuted_column_gives_the_permuted_result(texts: list[str | None], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(texts))))
    straight = map_column(FINDERS["nouns"], texts, min_records=1)
    permuted = map_column(FINDERS["nouns"], [texts[i] for i in order], min_records=1)
    assert [permuted[i] for i in range(len(order))] == [straight[i] for i in order]
    assert permuted.coverage == straight.coverage
    assert permuted.unknown == straight.unknown


def test_one_worker_and_two_find_the_same() -> None:
    texts = [f"{a} {b} for my {c}" for a in ("old", "heart") for b in ("attack", "iPhone") for c in ("dog", "é")]
    one, two = (map_column(FINDERS["both"], texts, workers=workers, min_records=1) for workers in (1, 2))
    assert one.codes.tolist() == two.codes.tolist()
    assert one.start.tolist() == two.start.tolist()
    assert one.unknown == two.unknown


@pytest.mark.parametrize("piece", ["a", "do ", "heart attack ", "gave up the old machine, 2kg! ", "'s"])
def test_a_million_characters_take_seconds(piece: str) -> None:
    find_in_time(piece * (1_000_000 // len(piece)), 60)  # 0 to 4 on a quiet machine


@pytest.mark.parametrize("piece", ["a.", "é😀"])
def test_two_hundred_thousand_characters_with_no_two_in_one_word_take_seconds(piece: str) -> None:
    find_in_time(piece * (200_000 // len(piece)), 12)  # 1 to 2 on a quiet machine


def find_in_time(text: str, seconds: float) -> None:
    start = time.process_time()
    mentions = FINDERS["both"].find(text)
    assert time.process_time() - start < pace.seconds(seconds)
    assert all(m.end <= len(text) for m in mentions[-3:])
