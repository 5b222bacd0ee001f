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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from struct import Struct

from taxonym.text.rules import BEFORE_ACTION, BEFORE_NOUN, LANE, OWING, POSSESSIVE, START, Rules
from taxonym.text.tokens import Kind, Token

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
_FAMILIES = ("word", "suffix", "first", "left", "left_suffix", "left2", "right", "right_suffix", "right2")
_LONGEST, _RECENT = 40, 1 << 15  # letters of a word, and words, whose sums of weights are remembered

NounShare = Callable[[str], float | None]
Feature = Callable[[str, int], int]


@dataclass(frozen=True, slots=True, eq=False)
class Tagger:
    """The weights and the lexicon, ready to add. Made by `load`."""

    tags: tuple[str, ...]
    lanes: Struct
    features: tuple[Feature, ...]  # look-ups of _FAMILIES
    sums: tuple[Callable[..., int], ...]  # what the word itself, the word before and the word after add
    pairs: Mapping[str, Mapping[str, int]]  # the two tags before -> the three features they make, and the offset
    tag_words: Mapping[str, Mapping[str, int]]  # the tag before -> the word
    lexicon: Mapping[str, str]  # word form -> readings
    known: Mapping[str, str | int]  # word form -> its only tag, or what its readings add
    closed: frozenset[str]
    rules: Rules
    unlisted: int
    hyphened: int
    name: int
    owed: int

    def tag(self, tokens: Sequence[Token], noun_share: NounShare | None = None) -> list[str]:
        """The tags of one sentence.

        `noun_share` says which share of a lower-case word's meanings in the taxonomy at hand is nouns (None: unknown
        word); from 0.9 on a word of an open class is a noun.
        """
        written = [token.text for token in tokens]
        words = [text.lower() for text in written]
        cased = words != written and self._capitals_count(written, words)
        context: list[str] = []
        found: list[str] = []
        unsettled: list[int] = []
        before, before2, owed = START, "NN", False
        entry_of, a_word = self.known.get, Kind.WORD
        for i, word in enumerate(words):
            kind = tokens[i].kind
            entry = entry_of(word)
            name = cased and written[i] != word
            if kind is not a_word:
                tag = _BY_KIND.get(kind) or _BY_FORM.get(word, ":")
            elif isinstance(entry, str) and not (name and entry[0] == "N"):
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
                if not isinstance(entry, int):
                    entry = self.hyphened if "-" in word else self.unlisted
                if name:
                    entry += self.name
                if owed and before[0] in "NP":
                    # at the end, or before a preposition, the verb is due
                    entry += self.owed * (3 if i + 1 == len(words) or words[i + 1] in self.closed else 1)
                context = context or _context(words)
                tag = self._best(entry, written[i] if name else word, context, i, before, before2)
                owed = owed and tag != "VB"
                unsettled.append(i)
            before2, before = before, tag
            if entry is None and word[-2:] in POSSESSIVE:
                tag, before2, before = "NN", "NN", "POS"
            found.append(tag)
        if unsettled:
            self.rules.settle(unsettled, words, found)
        return found

    def _best(self, entry: int, written: str, context: list[str], i: int, before: str, before2: str) -> str:
        """The tag with the largest sum of weights: one addition per feature, for all tags together."""
        written = written if len(written) <= _LONGEST else written[0] + written[-3:]
        own, left, right = self.sums
        left2, right2 = self.features[5], self.features[8]
        l2, l1, w, r1, r2 = context[i : i + 5]
        total = (
            (entry + self.pairs[before][before2])
            + (own(w, written) + self.tag_words[before].get(w, 0))
            + (left(l1) + left2(l2, 0))
            + (right(r1) + right2(r2, 0))
        )
        sums = self.lanes.unpack(total.to_bytes(self.lanes.size, "little"))
        return self.tags[sums.index(max(sums))]

    def _capitals_count(self, written: list[str], words: list[str]) -> bool:
        """Whether a capital distinguishes a word here: some words have one and most have not."""
        capital = sum(a != b for a, b in zip(written, words, strict=True))
        small = sum(a == b and a.isalpha() and b not in self.closed for a, b in zip(written, words, strict=True))
        return 0 < capital <= 2 * small


def _noun(word: str) -> str:
    return "NNS" if word[-1] == "s" and word[-2:] not in ("ss", "us", "is") else "NN"


def _context(words: list[str]) -> list[str]:
    """The words as the weights name them, with two places of edge on either side."""
    known = (w if w.isalpha() and len(w) <= _LONGEST else _normal(w) for w in words)
    return ["-START-", "-START2-", *known, "-END-", "-END2-"]


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
    """The English tagger, from the files shipped with the package; read once."""
    head, _, body = _read("english.weights.gz").partition(b"\n")
    meta = json.loads(head)
    tags: tuple[str, ...] = tuple(meta["tags"])
    bits, width, at = 8 * meta["lane"], meta["lane"] * len(tags), 0
    weights: dict[str, dict[str, int]] = {}
    for family, names in meta["families"].items():
        end = at + width * len(names)
        rows = [int.from_bytes(body[i : i + width], "little", signed=True) for i in range(at, end, width)]
        weights[family] = dict(zip(names, rows, strict=True))
        at = end

    def packed(units: Mapping[str, int], others: int = 0) -> int:
        return sum(units.get(tag, others) << (bits * i) for i, tag in enumerate(tags))

    # Half the range in every lane, so that no sum is negative there.
    offset = packed({}, 1 << (bits - 1)) + weights["bias"][""]
    start = packed(_AT_START)
    seen = {*weights["tag"], *tags, *_BY_FORM.values(), *_BY_KIND.values(), ":", "POS", START}

    def pair(before: str, before2: str) -> int:
        units = offset + (start if before == START else 0)
        before, before2 = _STREAM.get(before, before), _STREAM.get(before2, before2)
        both = weights["tag_pair"].get(f"{before} {before2}", 0)
        return units + weights["tag"].get(before, 0) + weights["tag2"].get(before2, 0) + both

    tag_words: dict[str, dict[str, int]] = {tag: {} for tag in seen}
    for feature, row in weights["tag_word"].items():
        tag, _, word = feature.partition(" ")
        tag_words.setdefault(tag, {})[word] = row
    tag_words[START] = tag_words["."]
    lexicon, known, closed = _words(packed)
    features = tuple(weights[family].get for family in _FAMILIES)
    return Tagger(
        tags=tags,
        lanes=Struct(f"<{len(tags)}H"),
        features=features,
        sums=_sums(features),
        pairs={a: {b: pair(a, b) for b in seen} for a in seen},
        tag_words=tag_words,
        lexicon=lexicon,
        known=known,
        closed=closed,
        rules=Rules(lexicon, closed, _cues()),
        unlisted=packed(_UNLISTED, _EXCLUDED),
        hyphened=packed(_HYPHENED, _EXCLUDED),
        name=packed({tag: units - _EXCLUDED for tag, units in _NAME.items()}),
        owed=packed(_OWED),
    )


def _sums(features: tuple[Feature, ...]) -> tuple[Callable[..., int], ...]:
    """What a word and its neighbours add wherever they stand, remembered for the most recent ones."""
    word, suffix, first, before, before_suffix, _, after, after_suffix, _ = features

    own = lru_cache(_RECENT)(lambda form, full: word(form, 0) + suffix(full[-3:], 0) + first(full[0], 0))
    left = lru_cache(_RECENT)(lambda form: before(form, 0) + before_suffix(form[-3:], 0))
    return own, left, lru_cache(_RECENT)(lambda form: after(form, 0) + after_suffix(form[-3:], 0))


def _read(name: str) -> bytes:
    return gzip.decompress((files("taxonym") / "text" / "data" / name).read_bytes())


def _cues() -> dict[str, int]:
    """Cue -> its weights for noun, verb and neither, in one integer; see `rules`."""
    found = {}
    for line in _read("english.cues.gz").decode().splitlines():
        cue, noun, verb, other = line.rsplit("\t", 3)
        found[cue] = int(noun) + (int(verb) << LANE) + (int(other) << 2 * LANE)
    return found


def _words(
    packed: Callable[[Mapping[str, int], int], int],
) -> tuple[dict[str, str], dict[str, str | int], frozenset[str]]:
    """Form -> readings; form -> its only tag, or what its readings add; the words of closed classes."""
    columns = _read("english.lexicon.gz").decode().split()
    lexicon = dict(zip(columns[::2], columns[1::2], strict=True))
    by_hand: dict[str, str] = {}
    for line in (files("taxonym") / "text" / "data" / "english.closed.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            how, *words = line.split()
            by_hand |= dict.fromkeys(words, how) | {word.replace("'", "’"): how for word in words}
    closed = {word: how for word, how in by_hand.items() if how[1] not in "0123456789"}
    for word in closed:
        lexicon.pop(word, None)
    lexicon |= {word: how for word, how in by_hand.items() if word not in closed}

    def meaning(readings: str) -> str | int:
        pairs = [(readings[i], int(readings[i + 1], 36)) for i in range(0, len(readings), 2)]
        choices = {tag: _PER_DIGIT * digit for reading, digit in pairs for tag in READINGS[reading]}
        first, digit = pairs[0]
        # Nine in ten of its meanings: a noun without asking, as the override says.
        sure = len(choices) == 1 or (first in "NP" and digit == 0)
        return READINGS[first][0] if sure else packed(choices, _EXCLUDED)

    meanings = {readings: meaning(readings) for readings in set(lexicon.values())}  # the same few over and over
    known = {word: meanings[readings] for word, readings in lexicon.items()}
    for word, how in closed.items():
        known[word] = packed(dict.fromkeys(how.split("|"), 0), _EXCLUDED) if "|" in how else how
    return lexicon, known, frozenset(closed)
