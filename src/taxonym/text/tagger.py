"""Part of speech, English: an averaged perceptron's weights, bounded by what each word form can be.

The noun phrases of [Batet2014, §3.1.1] and the nouns and verbs of [ImranDaud2022, §3.1] need to know which words are
nouns. The weights were learned from newspaper sentences; queries and survey answers are neither sentences nor cased, so
four things are added:

- a lexicon of forms that can be something else than a noun, with the share of each reading (from WordNet's sense
  counts): readings that a form cannot have are excluded, the others weighted by ln(share); a form with one reading is
  not scored;
- closed classes (determiners, prepositions, pronouns, auxiliaries) by list;
- capitals count only where they distinguish words: not in titles, not in capitals throughout;
- weighted cues for what short texts do and newspapers do not: begin with an infinitive, name an activity in -ing (see
  `rules`).

All tags are scored at once: a feature's weights are one integer with 16 bits per tag (see tools/build_tagger.py), so
adding features is adding integers. Tags are those of the Penn Treebank.
"""

import gzip
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from struct import Struct

from taxonym.text.recent import Recent
from taxonym.text.rules import BEFORE_ACTION, BEFORE_NOUN, LANE, OWING, POSSESSIVE, START, Rules
from taxonym.text.tokens import TEXT, Kind, Token, TokenWords, low_words

# The readings of the lexicon and the tags each stands for.
READINGS: Mapping[str, tuple[str, ...]] = {
    "N": ("NN",),
    "P": ("NNS",),
    "B": ("VB", "VBP"),
    "Z": ("VBZ",),
    "D": ("VBD", "VBN"),
    "G": ("VBG",),
    "J": ("JJ",),
    "C": ("JJR",),
    "S": ("JJS",),
    "R": ("RB",),
}
_OPEN = frozenset(tag for reading, tags in READINGS.items() if reading not in "NP" for tag in tags)

# All numbers are in units of 1/80 of a weight; they were chosen on bench/gold/dev.jsonl.
_PER_DIGIT = -80  # a digit of the lexicon is a quarter of ln(share)
_EXCLUDED = -8000
# A form that the lexicon does not hold: a noun, as far as WordNet knows, or a word it has never seen.
_UNLISTED = {"NN": 300, "NNS": 300, "JJ": 0, "VBG": -300, "VBD": -300, "VBN": -300, "RB": -100}
_HYPHENED = {"NN": 0, "NNS": 0, "JJ": 0, "RB": -100, "VBN": -300, "VBG": -300}
_NAME = {"NNP": 400, "NNPS": 200}  # what a capital adds where capitals count
_AT_START = {"VB": 300}  # a query begins with what one wants to do
_OWED = {"VB": 800}  # "why does my back ache": an auxiliary before its subject still owes a verb
_OVERRIDE = 0.9  # share of noun meanings from which a word is a noun whatever its neighbours say

_BY_FORM = {",": ",", ".": ".", "!": ".", "?": ".", "(": "-LRB-", ")": "-RRB-", "[": "-LRB-", "]": "-RRB-", "$": "$"}
_BY_KIND = {Kind.NUMBER: "CD", Kind.UNIT: "NN", Kind.URL: "NNP", Kind.EMAIL: "NNP", Kind.SYMBOL: "SYM"}
# The weights saw texts in one stream, where a sentence follows the full stop of another.
_STREAM = {START: "."}
_WORD = Kind.WORD
_HYPHEN = "-".join
_EDGES = (("-START-", "-START2-"), ("-END-", "-END2-"))  # as the weights name them
_LONGEST = 40  # letters by which the weights name a word
_DATA = Path(__file__).parent / "data"  # importlib.resources takes longer to import than the files to read


NounShare = Callable[[str], float | None]


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """The weights of one kind of feature; a row is made a number when it is asked for."""

    places: Mapping[str, int]  # feature -> where its row begins
    body: bytes
    width: int

    def __call__(self, feature: str) -> int:
        at = self.places.get(feature, -1)
        return 0 if at < 0 else int.from_bytes(self.body[at : at + self.width], "little", signed=True)


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """What a word adds, wherever it stands: to its own tag, and to those of the words one and two places off."""

    name: str  # as the weights name it
    own: int  # with what the readings of the word add
    left: int  # as the word before another
    left2: int
    right: int
    right2: int


@dataclass(frozen=True, slots=True, eq=False)
class Tagger:
    """The weights and the lexicon, ready to add. Made by `load`; what words add is remembered for recent ones."""

    tags: tuple[str, ...]
    width: int  # bytes of a row
    unpack: Callable[[bytes], tuple[int, ...]]  # a row -> what it says of each tag
    families: Mapping[str, Family]
    sums: Callable[[str], Sums]
    edges: tuple[list[Sums], list[Sums]]  # what stands before the first word and after the last
    pairs: Mapping[str, Mapping[str, int]]  # the two tags before -> the three features they make, and the offset
    tag_words: Callable[[str], int]  # "tag word": the tag before, and the word
    lexicon: Mapping[str, str]  # word form -> readings
    known: Callable[[str], str | None]  # word form -> its only tag; "" where it has several, None where it is unlisted
    units: Callable[[str], int]  # word form -> what its readings add
    closed: Collection[str]
    joined: frozenset[str]  # adjectives of two words with a hyphen, the second of an open class
    rules: Rules
    name: int
    owed: int

    def tag(self, tokens: Sequence[Token], noun_share: NounShare | None = None) -> list[str]:
        """The tags of one sentence.

        `noun_share` says which share of a lower-case word's meanings in the taxonomy at hand is nouns (None: unknown
        word); from 0.9 on a word of an open class is a noun.
        """
        others = not isinstance(tokens, TokenWords)
        words = low_words(tokens)
        written = tokens.written if isinstance(tokens, TokenWords) else [*map(TEXT, tokens)]
        cased = words != written and self._capitals_count(written, words)
        context: list[Sums] = []
        unsettled: list[int] = []
        before, before2, owed = START, "NN", False
        found = [""] * len(words)
        for i, (word, entry) in enumerate(zip(words, map(self.known, words), strict=True)):
            name = cased and written[i] != word
            if others and (kind := tokens[i].kind) is not _WORD:
                tag = _BY_KIND.get(kind) or _BY_FORM.get(word, ":")
            elif entry and not (name and entry[0] == "N"):
                tag = entry
                if tag == "NN":
                    if before in BEFORE_ACTION or word[-3:] == "ing":
                        unsettled.append(i)
                elif tag == "NNS":
                    if before is START:
                        unsettled.append(i)
                elif word in OWING:
                    if before in BEFORE_NOUN:
                        unsettled.append(i)
                    owed = True
            elif entry is None and not name and noun_share is not None and (noun_share(word) or 0) >= _OVERRIDE:
                tag = _noun(word)
            else:
                more = self.name + self._shape(written[i]) - self._shape(word) if name else 0
                if owed and before[0] in "NP":
                    # at the end, or before a preposition, the verb is due
                    more += self.owed * (3 if i + 1 == len(words) or words[i + 1] in self.closed else 1)
                if not context:
                    context = [*self.edges[0], *map(self.sums, words), *self.edges[1]]
                entry = tag = self._best(context, i, before, before2, more)
                owed = owed and tag != "VB"
                unsettled.append(i)
            before2, before = before, tag
            if entry is None and word[-2:] in POSSESSIVE:
                tag, before2, before = "NN", "NN", "POS"
            found[i] = tag
        if unsettled:
            self.rules.settle(unsettled, words, found)
        if not self.joined.isdisjoint(map(_HYPHEN, pairwise(words))):
            self._join_adjectives(words, found)
        return found

    def _join_adjectives(self, words: list[str], found: list[str]) -> None:
        """part time nurse, free range eggs: two words that are an adjective with a hyphen; changes `found`."""
        for i, pair in enumerate(pairwise(words)):
            if _HYPHEN(pair) in self.joined and found[i][-2:] != "DT":
                # before its noun, or at the end: a truck one way
                describes = found[i + 2][0] == "N" if i + 2 < len(words) else i > 0
                if describes:
                    found[i] = found[i + 1] = "JJ"

    def _best(self, context: list[Sums], i: int, before: str, before2: str, more: int = 0) -> str:
        """The tag with the largest sum of weights: one addition per feature, for all tags together."""
        left2, left, word, right, right2 = context[i : i + 5]
        pair = self.pairs[before][before2] + self.tag_words(f"{before} {word.name}")
        total = more + word.own + pair + left.left + left2.left2 + right.right + right2.right2
        sums = self.unpack(total.to_bytes(self.width, "little"))
        return self.tags[sums.index(max(sums))]

    def _shape(self, written: str) -> int:
        """What the letters at the ends of a word add."""
        return self.families["suffix"](written[-3:]) + self.families["first"](written[0])

    def _capitals_count(self, written: list[str], words: list[str]) -> bool:
        """Whether a capital distinguishes a word here: some words have one and most have not."""
        capital = sum(a != b for a, b in zip(written, words, strict=True))
        small = sum(a == b and a.isalpha() and b not in self.closed for a, b in zip(written, words, strict=True))
        return 0 < capital <= 2 * small


def _noun(word: str) -> str:
    return "NNS" if word[-1] == "s" and word[-2:] not in ("ss", "us", "is") else "NN"


def _normal(word: str) -> str:
    """How the weights name what is not a plain word."""
    if "-" in word and word[0] != "-":
        return "!HYPHEN"
    if word.isdigit() and len(word) == 4:
        return "!YEAR"
    if word[0].isdigit():
        return "!DIGITS"
    return word[-_LONGEST:]


def tag(tokens: Sequence[Token], noun_share: NounShare | None = None) -> list[str]:
    """The tags of one English sentence; see `Tagger.tag`."""
    return load().tag(tokens, noun_share)


@cache
def load() -> Tagger:
    """The English tagger, from the files shipped with the package; read once, and worked out as words need it."""
    head, _, body = _read("english.weights.gz").partition(b"\n")
    meta = json.loads(head)
    tags: tuple[str, ...] = tuple(meta["tags"])
    bits, width, at = 8 * meta["lane"], meta["lane"] * len(tags), 0
    families: dict[str, Family] = {}
    for family, names in meta["families"].items():
        end = at + width * len(names)
        families[family] = Family(dict(zip(names, range(at, end, width), strict=True)), body, width)
        at = end

    def packed(units: Mapping[str, int], others: int = 0) -> int:
        lanes = (units.get(tag, others) for tag in tags)
        return sum(lane << (bits * i) for i, lane in enumerate(lanes) if lane)

    # Half the range in every lane, so that no sum is negative there.
    offset = packed({}, 1 << (bits - 1)) + families["bias"]("")
    start = packed(_AT_START)
    seen = {*families["tag"].places, *tags, *_BY_FORM.values(), *_BY_KIND.values(), ":", "POS", START}

    def pair(before: str, before2: str) -> int:
        units = offset + (start if before == START else 0)
        before, before2 = _STREAM.get(before, before), _STREAM.get(before2, before2)
        both = families["tag_pair"](f"{before} {before2}")
        return units + families["tag"](before) + families["tag2"](before2) + both

    def tag_word(feature: str) -> int:
        before, _, word = feature.partition(" ")
        return families["tag_word"](f"{_STREAM.get(before, before)} {word}")

    lexicon, closed = _words()
    known, units = _readings(lexicon, closed, packed)
    sums = Recent(partial(_sums, families, units)).__getitem__
    return Tagger(
        tags=tags,
        width=width,
        unpack=Struct(f"<{len(tags)}H").unpack,
        families=families,
        sums=sums,
        edges=([*map(sums, _EDGES[0])], [*map(sums, _EDGES[1])]),
        pairs={before: Recent(partial(pair, before)) for before in seen},
        tag_words=Recent(tag_word).__getitem__,
        lexicon=lexicon,
        known=Recent(known).__getitem__,
        units=units,
        closed=closed.keys(),
        joined=frozenset(
            word for word in lexicon if "-" in word and lexicon[word][0] == "J" and word.partition("-")[2] not in closed
        ),
        rules=Rules(lexicon, frozenset(closed), _cues()),
        name=packed({tag: units - _EXCLUDED for tag, units in _NAME.items()}),
        owed=packed(_OWED),
    )


def _sums(families: Mapping[str, Family], units: Callable[[str], int], word: str) -> Sums:
    """What a lower-case word adds: its readings, and the features of it that do not depend on its neighbours."""
    name = word if word.isalpha() and len(word) <= _LONGEST else _normal(word)
    end = name[-3:]
    return Sums(
        name,
        own=units(word) + families["word"](name) + families["suffix"](word[-3:]) + families["first"](word[0]),
        left=families["left"](name) + families["left_suffix"](end),
        left2=families["left2"](name),
        right=families["right"](name) + families["right_suffix"](end),
        right2=families["right2"](name),
    )


def _read(name: str) -> bytes:
    return gzip.decompress((_DATA / name).read_bytes())


def _cues() -> dict[str, int]:
    """Cue -> its weights for noun, verb and neither, in one integer; see `rules`."""
    found = {}
    for line in _read("english.cues.gz").decode().splitlines():
        cue, noun, verb, other = line.rsplit("\t", 3)
        found[cue] = int(noun) + (int(verb) << LANE) + (int(other) << 2 * LANE)
    return found


def _words() -> tuple[dict[str, str], dict[str, str]]:
    """Form -> readings; and the words of closed classes, with their tags."""
    columns = iter(_read("english.lexicon.gz").decode().split())
    lexicon = dict(zip(columns, columns, strict=True))  # form, readings, form, readings, …
    by_hand: dict[str, str] = {}
    for line in (_DATA / "english.closed.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            how, *words = line.split()
            by_hand |= dict.fromkeys(words, how) | {word.replace("'", "’"): how for word in words}
    closed = {word: how for word, how in by_hand.items() if how[1] not in "0123456789"}
    for word in closed:
        lexicon.pop(word, None)
    lexicon |= {word: how for word, how in by_hand.items() if word not in closed}
    return lexicon, closed


def _readings(
    lexicon: Mapping[str, str], closed: Mapping[str, str], packed: Callable[[Mapping[str, int], int], int]
) -> tuple[Callable[[str], str | None], Callable[[str], int]]:
    """Two functions of a word form: its only tag ("" where it has several, None where it is unlisted), and what its
    readings add for every tag."""
    unlisted, hyphened = packed(_UNLISTED, _EXCLUDED), packed(_HYPHENED, _EXCLUDED)

    def known(word: str) -> str | None:
        how = closed.get(word)
        if how is not None:
            return "" if "|" in how else how
        readings = lexicon.get(word)
        if readings is None:
            return None
        tags = READINGS[readings[0]]
        # Nine in ten of its meanings: a noun without asking, as the override says.
        sure = (len(readings) == 2 and len(tags) == 1) or (readings[0] in "NP" and readings[1] == "0")
        return tags[0] if sure else ""

    def units(word: str) -> int:
        if known(word) != "":
            return hyphened if "-" in word else unlisted
        if word in closed:
            return packed(dict.fromkeys(closed[word].split("|"), 0), _EXCLUDED)
        return added[lexicon[word]]

    def spread(readings: str) -> int:
        digits = {readings[i]: int(readings[i + 1], 36) for i in range(0, len(readings), 2)}
        return packed({tag: _PER_DIGIT * digit for r, digit in digits.items() for tag in READINGS[r]}, _EXCLUDED)

    added = Recent(spread)  # the same few over and over
    return known, units
