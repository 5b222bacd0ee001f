"""What a word is in a short text, English: noun, verb or neither, by weighted cues.

The weights of `tagger` were learned from newspapers; queries, survey answers and notes are built differently. For a
form that may be a noun and a verb, or one of them and an adjective, this asks again: the form itself, how rare each of
its readings is, and the words around it are cues, each with a weight for noun, verb and neither; the largest sum wins.
The weights were learned by tools/build_cues.py and are shipped as a plain table, `data/english.cues.gz`: per line a cue
and its three weights. To see why a word was read as it was, look its cues up there (see `Rules.cues`).

A reading's digit is its rarity: a quarter of -ln(share).
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from taxonym.text.tokens import word_set

START = "-START-"  # before the first word
POSSESSIVE = ("'s", "’s")
_OWNERS = (*POSSESSIVE, "s'", "s’")
OWING = word_set(
    "do does did can could will would should may might must shall don't doesn't didn't can't won't couldn't shouldn't"
    " wouldn't dont doesnt didnt cant wont"
)
# Before a noun that is to be asked whether it is a verb or an adjective, and an auxiliary whether it is a noun.
BEFORE_ACTION = frozenset({"TO", "PRP", "WP", "VBZ", "VBD", START})
BEFORE_NOUN = frozenset({"DT", "PRP$", "IN", "JJ"})

_NOUNS, _VERBS, _OTHERS = frozenset("NP"), frozenset("BZDG"), frozenset("JCSR")
_NEVER, _WIDEST = 36, 6  # the digit of a reading that a form has not; steps of rarity told apart either way
_REACH = 8  # words back; a bound keeps the time linear
_OBLIGED = OWING | word_set("to let lets make makes")  # an infinitive is due
_JOINTS = word_set(", and or then but ;")  # what follows is often what came before: peel and chop
_NOUNS_TOO = word_set("can may will must might")
_PARTICLES = word_set("up on out in off down over through away")  # fold up bed: verb and particle as an adjective
_DESCRIBED = frozenset("NSJ")
_RECENT = 1 << 14  # words whose own cues are remembered
# Tags as the cues name them.
_SHORT = {
    "NN": "N", "NNP": "N", "NNS": "S", "NNPS": "S", "VB": "B", "VBP": "B", "VBZ": "Z", "VBD": "D", "VBN": "D",
    "VBG": "G", "JJ": "J", "JJR": "J", "JJS": "J", "RB": "R", "RBR": "R", "RBS": "R", "RP": "R", "CD": "C",
}  # fmt: skip

# The three sums are added at once, in one integer of three lanes; half the range keeps every lane positive.
LANE = 24
_HALF = 1 << (LANE - 1)
_OFFSET = _HALF | _HALF << LANE | _HALF << 2 * LANE
_MASK = (1 << LANE) - 1


class Form(NamedTuple):
    """What is known of a form wherever it stands."""

    kind: str  # G, D, Z, B or J: the inflection that matters most
    rarity: str  # how much rarer the noun is than the verb, in steps of a factor e
    other: str  # how much rarer noun and verb are than the rest; - without a rest
    more_verb: bool
    weight: int  # of its own cues
    tags: tuple[str, str, str]  # as a noun, a verb, or neither; empty where it cannot be that


class Rules:
    """The cues' weights, with the lexicon and the closed classes of `tagger` that they ask."""

    __slots__ = ("_closed", "_lexicon", "_sums", "_weights", "form")

    def __init__(self, lexicon: Mapping[str, str], closed: frozenset[str], weights: Mapping[str, int]) -> None:
        self._lexicon, self._closed, self._weights = lexicon, closed, weights
        self.form: Callable[[str], Form | None] = lru_cache(_RECENT)(self._form)
        # The same few words stand around most words: what they add is remembered, bounded.
        self._sums = tuple(
            lru_cache(_RECENT)(self._sum_of(cues)) for cues in (_on_the_left, _on_the_right, _on_both_sides)
        )

    def _sum_of(self, cues: Callable[..., tuple[str, ...]]) -> Callable[..., int]:
        return lambda *facts: sum(self._weights.get(cue, 0) for cue in cues(*facts))

    def settle(self, places: list[int], words: list[str], found: list[str]) -> None:
        """Reads the words at these places again, from left to right; changes `found`."""
        on_the_left, on_the_right, on_both_sides = self._sums
        for i in places:
            form = self.form(words[i])
            if form is None:
                if found[i] == "MD" and self._is_container(words, found, i):
                    found[i] = "NN"
                continue
            left, right, both = self._around(words, found, i, form)
            total = _OFFSET + form.weight + on_the_left(*left) + on_the_right(*right) + on_both_sides(*both)
            for cue in self._rarer_cues(words, found, i, left[0], right[0], right[2], form):
                total += self._weights.get(cue, 0)
            noun, verb, other = form.tags
            if right[0] in _PARTICLES and _may_describe(form, right[2]):
                other = other or "JJ"
            best = total & _MASK if noun else -1
            tag, letter = noun, "N"
            if verb and (units := total >> LANE & _MASK) > best:
                best, tag, letter = units, verb, "V"
            if other and (total >> 2 * LANE & _MASK) > best:
                if found[i][0] in "NV":
                    found[i] = other
            elif found[i][0] != letter or (letter == "V" and found[i] == "VBN"):
                found[i] = tag  # a participle here is not one that only describes the noun after it

    def _form(self, word: str) -> Form | None:
        """None for a form that can be only one thing."""
        readings = self._lexicon.get(word, "")
        if not may_be_several(readings):
            return None
        has = set(readings[::2])
        noun, verb, other = (_digit(readings, kind) for kind in (_NOUNS, _VERBS, _OTHERS))
        kind = next((letter for letter in "GDZB" if letter in has), "J")
        rarity, rest = _steps(noun - verb), str(_steps(min(noun, verb) - other)) if other < _NEVER else "-"
        own = _own(word, readings, str(rarity), rest, kind)
        tags = (
            ("NNS" if "P" in has and "N" not in has else "NN") if noun < _NEVER else "",
            _VERB_TAGS[kind] if verb < _NEVER else "",
            next((_OTHER_TAGS[letter] for letter in readings[::2] if letter in _OTHERS), "JJ" if kind in "DG" else ""),
        )
        weight = sum(self._weights.get(cue, 0) for cue in own)
        return Form(kind, str(rarity), rest, rarity > 0, weight, tags)

    def cues(self, words: list[str], found: list[str], i: int) -> list[str]:
        """All cues for the word at i, as the table of weights names them."""
        readings, form = self._lexicon[words[i]], self.form(words[i])
        assert form is not None
        left, right, both = self._around(words, found, i, form)
        return [
            *_own(words[i], readings, form.rarity, form.other, form.kind),
            *_on_the_left(*left),
            *_on_the_right(*right),
            *_on_both_sides(*both),
            *self._rarer_cues(words, found, i, left[0], right[0], right[2], form),
        ]

    def tags(self, words: list[str], found: list[str], i: int) -> tuple[str, str, str]:
        """The tags between which the cues decide: as a noun, a verb, or neither; empty where it cannot be that."""
        form = self.form(words[i])
        assert form is not None
        after, _, after2, *_ = self._around(words, found, i, form)[1]
        noun, verb, other = form.tags
        return noun, verb, other or ("JJ" if after in _PARTICLES and _may_describe(form, after2) else "")

    def _around(self, words: list[str], found: list[str], i: int, form: Form) -> tuple[tuple[str, ...], ...]:
        """What the three kinds of cues from the neighbourhood are made of. Closed classes are named by their words."""
        closed, short, last = self._closed, _SHORT.get, len(words) - 1
        before = before2 = before_tag = "^"
        after = after2 = after_tag = "$"
        if i:
            before, before_tag = words[i - 1], found[i - 1]
            if before not in closed:
                before = "'s" if before[-2:] in _OWNERS else short(before_tag, before_tag)
            if i > 1:
                before2 = words[i - 2]
                if before2 not in closed:
                    before2 = short(found[i - 2], found[i - 2])
        if i < last:
            after, after_tag = words[i + 1], found[i + 1]
            if after not in closed:
                after = short(after_tag, after_tag)
            if i + 1 < last:
                after2 = words[i + 2]
                if after2 not in closed:
                    after2 = short(found[i + 2], found[i + 2])
        kind, rarity, other = form.kind, form.rarity, form.other
        owed = str(self._is_owed(words, found, i))
        return (
            (before, before_tag, before2, kind, rarity, other),
            (after, after_tag, after2, kind, rarity, other, owed),
            (before, before_tag, after, after_tag, kind),
        )

    def _rarer_cues(
        self, words: list[str], found: list[str], i: int, before: str, after: str, after2: str, form: Form
    ) -> list[str]:
        """At the start, after a conjunction, before a noun, before a particle."""
        cues = [f"wn {words[i]}"] if after in ("N", "S") else []
        if after in _PARTICLES and _may_describe(form, after2):
            known = self._lexicon.get(f"{words[i]}-{after}", "-")
            cues += (f"v {after} {known[0]} {i == 0} {after2}", f"vw {words[i]} {after}")
        if i == 0:
            cues += (f"s {after} {after2} {form.kind} {form.more_verb}", f"ws {words[0]}")
        elif words[i - 1] in _JOINTS:
            head = next((_SHORT[found[j]] for j in range(i - 2, max(-1, i - _REACH), -1) if found[j][0] in "NV"), "-")
            cues += (f"c {head} {before} {form.kind}", f"cn {head} {after} {form.kind}")
        return cues

    def _is_owed(self, words: list[str], found: list[str], i: int) -> bool:
        """why does my back ache: an auxiliary before, and no verb since."""
        for j in range(i - 1, max(-1, i - _REACH), -1):
            if words[j] in _OBLIGED:
                return True
            if found[j][0] == "V" and words[j] not in self._closed:
                return False
        return False

    def _is_container(self, words: list[str], found: list[str], i: int) -> bool:
        """a can of beans, born in may, his will: a noun that looks like an auxiliary."""
        if words[i] not in _NOUNS_TOO or (i + 1 < len(found) and found[i + 1][0] in "VPR"):
            return False
        return found[i - 1] != "IN" or words[i - 1] in ("in", "of", "by", "since", "until", "from")


def _may_describe(form: Form, after2: str) -> bool:
    """fold up bed, clip on tie: whether a verb may be an adjective together with the particle that follows."""
    return form.kind == "B" and after2 in _DESCRIBED


def _own(word: str, readings: str, rarity: str, other: str, kind: str) -> tuple[str, ...]:
    return f"r {''.join(sorted(readings[::2]))}", f"d {rarity} {other} {kind}", f"w {word}", f"e {word[-3:]}"


def _on_the_left(word: str, tag: str, word2: str, kind: str, rarity: str, other: str) -> tuple[str, ...]:
    near = f"{word} {kind}"
    return f"p {near}", f"l {word2} {near}", f"dp {rarity} {near}", f"jp {other} {near}", f"tp {tag} {kind}"


def _on_the_right(word: str, tag: str, word2: str, kind: str, rarity: str, other: str, owed: str) -> tuple[str, ...]:
    near = f"{word} {kind}"
    far = (f"a {word2} {near}", f"o {owed} {near}")
    return f"n {near}", f"dn {rarity} {near}", f"jn {other} {near}", f"tn {tag} {kind}", *far


def _on_both_sides(before: str, before_tag: str, after: str, after_tag: str, kind: str) -> tuple[str, ...]:
    return f"b {before} {after} {kind}", f"t {before_tag} {after_tag} {kind}"


def may_be_several(readings: str) -> bool:
    """Whether a form with these readings may be two of noun, verb and neither; a participle may always describe."""
    has = frozenset(readings[::2])
    verb = not has.isdisjoint(_VERBS)
    return (not has.isdisjoint(_NOUNS)) + verb + (not has.isdisjoint(_OTHERS) or not has.isdisjoint("DG")) > 1


_VERB_TAGS = {"G": "VBG", "D": "VBD", "Z": "VBZ", "B": "VB", "J": ""}
_OTHER_TAGS = {"J": "JJ", "C": "JJR", "S": "JJS", "R": "RB"}


def _digit(readings: str, kinds: frozenset[str]) -> int:
    """How rare the least rare of these readings is."""
    return min((int(readings[i + 1], 36) for i in range(0, len(readings), 2) if readings[i] in kinds), default=_NEVER)


def _steps(digits: int) -> int:
    return max(-_WIDEST, min(_WIDEST, round(digits / 4)))
