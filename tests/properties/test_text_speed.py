"""What makes text mapping fast says the same as the plain definition beside it."""

import struct
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy, load
from taxonym.text import matching, tagger
from taxonym.text.finder import Finder
from taxonym.text.language import ENGLISH
from taxonym.text.lookup import NOUN, VERB, LabelIndex, _beginnings, _repeated
from taxonym.text.patterns import Patterns
from taxonym.text.phrases import analyse, noun_phrases, verbs
from taxonym.text.recent import LONGEST, Recent
from taxonym.text.rules import _OFFSET, LANE
from taxonym.text.tokens import Kind, Token, TokenWords, _pattern, low_words, tokenise

WORDNET = load("wordnet")
INDEX = LabelIndex(WORDNET, ENGLISH)
OWN = LabelIndex(Taxonomy.from_edges([("ice cream", "food"), ("cell phones", "thing"), ("a-b c", "thing")]), ENGLISH)
WORDS = (
    "heart attack attacks gave up give gives got rid of the a men's ill-health ICE cream cell phone phones st. u.s. "
    "200 g . , mothers-in-law mothers in law watch strap swimming pool glasses years left left-handed do does to book "
    "US it is have had been wash machine washing machines take took taken care for my mother credit cards "
    "World War II naïve"
)
PIECES = st.sampled_from(WORDS.split(" "))
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=20).map(" ".join))
PATTERNS = Patterns(ENGLISH)


@given(st.lists(st.text(max_size=3), max_size=60), st.integers(1, 5))
def test_recent_gives_what_the_function_gives_and_never_holds_more_than_it_may(words: list[str], most: int) -> None:
    recent = Recent(str.upper, most)
    for word in words:
        assert recent[word] == recent.__getitem__(word) == word.upper()
        assert len(recent) <= most
    long = "x" * (LONGEST + 1)
    assert recent[long] == long.upper()
    assert long not in recent


@given(st.text(st.sampled_from("aB "), max_size=20), st.sampled_from(["", " ", "x" * LONGEST, " or OR Not"]))
def test_plain_texts_are_cut_at_their_blanks_alone(text: str, more: str) -> None:
    whole = text + more
    operator = Kind.WORD if whole.isupper() else Kind.OPERATOR
    found = _pattern(ascii=True, net=False).finditer(whole)
    assert tokenise(whole) == [Token(m[0], *m.span(), operator if m[0] == "OR" else Kind.WORD) for m in found]


@given(TEXTS)
def test_phrases_and_verbs_by_pattern_are_those_of_the_definitions(text: str) -> None:
    for sentence in analyse(text):
        expected = noun_phrases(sentence.tokens, sentence.tags), verbs(sentence.tokens, sentence.tags, ENGLISH)
        assert PATTERNS.parse(sentence.tokens, sentence.tags) == expected
    assert analyse(text, parse=PATTERNS.parse) == analyse(text)


@given(TEXTS)
def test_the_tag_is_the_one_with_the_largest_sum_of_all_its_features(text: str) -> None:
    """Feature by feature, tag by tag, as the weights' file says; nothing remembered, nothing packed."""
    model = tagger.load()
    words = [token.text.lower() for token in tokenise(text)]
    context = [*model.edges[0], *map(model.sums, words), *model.edges[1]]
    names = [sums.name for sums in context]
    half = sum(1 << (16 * i + 15) for i in range(len(model.tags)))

    def lanes(packed: int) -> list[int]:
        raw = (packed + half).to_bytes(model.width, "little")
        return [value - (1 << 15) for value in struct.unpack(f"<{len(model.tags)}H", raw)]

    for i, word in enumerate(words):
        left2, left, name, right, right2 = names[i : i + 5]
        features = {"word": name, "suffix": word[-3:], "first": word[0], "left": left, "left_suffix": left[-3:]}
        features |= {"left2": left2, "right": right, "right_suffix": right[-3:], "right2": right2, "bias": ""}
        features |= {"tag": "DT", "tag2": "IN", "tag_pair": "DT IN", "tag_word": f"DT {name}"}
        rows = [model.units(word), *(model.families[family](feature) for family, feature in features.items())]
        sums = [sum(column) for column in zip(*map(lanes, rows), strict=True)]
        assert model._best(context, i, "DT", "IN") == model.tags[sums.index(max(sums))]


@given(TEXTS)
def test_a_word_is_read_by_the_largest_sum_of_the_weights_of_its_cues(text: str) -> None:
    """Cue by cue and one kind at a time; nothing remembered, nothing packed."""
    rules = tagger.load().rules
    for sentence in analyse(text, ENGLISH, INDEX.noun_share):
        words, found = [token.text.lower() for token in sentence.tokens], sentence.tags
        for i, word in enumerate(words):
            form = rules.form(word)
            if form is None:
                continue
            sums = [0, 0, 0]
            for packed in (rules._weights.get(cue, 0) for cue in rules.cues(words, found, i)):
                for kind in range(3):
                    weight = (packed + _OFFSET >> kind * LANE) & ((1 << LANE) - 1)
                    sums[kind] += weight - (1 << LANE - 1)
            tags = rules.tags(words, found, i)
            possible = [kind for kind in range(3) if tags[kind]]
            best = max(possible, key=lambda kind: sums[kind])
            read = found.copy()
            rules.settle([i], words, read)
            changed = found[i][0] in "NV" if best == 2 else found[i][0] != "NV"[best] or found[i] == "VBN"
            assert read[i] == (tags[best] if changed else found[i])


@pytest.mark.parametrize("index", [INDEX, OWN], ids=["wordnet", "own"])
@given(text=TEXTS)
def test_labels_of_several_words_are_found_as_by_trying_every_start(index: LabelIndex, text: str) -> None:
    """The walk passes over words after which no label can go on; here every beginning is followed."""
    for sentence in analyse(text, ENGLISH, index.noun_share):
        words, low = matching._words(index, sentence.tokens), [token.text.lower() for token in sentence.tokens]
        fast, plain = (matching._Walk(index, words, low, sentence.tags, set(sentence.verbs), 0, []) for _ in range(2))
        if len(words) > 1:
            fast.labels()
        for i, word in enumerate(words[:-1]):
            if word.begins and "\n" not in (word.form, words[i + 1].form):
                plain._from(word.form, i)
        assert set(plain.found) <= set(fast.found)


@given(TEXTS)
def test_what_is_said_once_of_words_alone_is_what_each_of_them_says(text: str) -> None:
    tokens = tokenise(text)
    assert isinstance(tokens, TokenWords) == all(t.kind is Kind.WORD and len(t.text.lower()) <= LONGEST for t in tokens)
    if isinstance(tokens, TokenWords):
        assert tokens.written == [token.text for token in tokens]
        assert tokens.low == low_words([*tokens]) == [token.text.lower() for token in tokens]
    for sentence in analyse(text, ENGLISH, INDEX.noun_share):
        one_by_one = sentence._replace(tokens=[*sentence.tokens])
        assert tagger.tag(one_by_one.tokens, INDEX.noun_share) == sentence.tags
        assert matching.match(INDEX, sentence) == matching.match(INDEX, one_by_one)


@given(TEXTS)
def test_only_nouns_or_only_verbs_are_what_is_left_of_both(text: str) -> None:
    for sentence in analyse(text, ENGLISH, INDEX.noun_share):
        both = matching.match(INDEX, sentence)
        for part in (NOUN, VERB):
            assert matching.match(INDEX, sentence, parts={part}) == [f for f in both if f.part == part]


@given(st.lists(st.text(st.sampled_from("ab "), max_size=6), min_size=1))
def test_forms_that_repeat_and_beginnings_are_those_of_the_definitions(labels: list[str]) -> None:
    several = {i for a, b in combinations(range(len(labels)), 2) if labels[a] == labels[b] for i in (a, b)}
    assert set(_repeated(labels)) == several
    starts = {label[:at].replace(" ", "") for label in labels for at, c in enumerate(label) if c == " "}
    assert _beginnings(labels) == starts - {""}


@given(TEXTS)
def test_what_a_mention_tells_does_not_depend_on_being_remembered(text: str) -> None:
    finder = Finder(WORDNET, parts=("n", "v"), senses="first")
    reading = finder.read(text)
    first = finder._mentions(reading, None)
    assert finder._mentions(reading, None) == first
    assert finder._mentions(reading, [(choice, 0) for choice in finder.choices(reading)]) == first
