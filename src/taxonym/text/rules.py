"""What a word is in a short text, English: noun, verb or neither, by weighted cues.

The weights of `tagger` were learned from newspapers; queries, survey answers and notes are built differently. For a
form that may be a noun and a verb, or one of them and an adjective, this asks again: the form itself, how rare each of
its readings is, and the words around it are cues, each with a weight for noun, verb and neither; the largest sum wins.
The weights were learned by tools/build_cues.py and are shipped as a plain table, `data/english.cues.gz`: per line a cue
and its three weights. To see why a word was read as it was, look its cues up there (see `Rules.cues`).

A reading's digit is its rarity: a quarter of -ln(share).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from taxonym.text.recent import Recent
from taxonym.text.tokens import word_set

START = "-START-"  # before the first word
POSSESSIVE = ("'s", "’s")
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
_NOUN_NAMES = frozenset("NS")
_NOUNS_TOO = word_set("can may will must might")
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


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """What is known of a form wherever it stands."""

    kind: str  # G, D, Z, B or J: the inflection that matters most
    sort: (
        str  # the kind; how much rarer the noun is than the verb, in steps of a factor e; both than the rest (-: none)
    )
    weight: int  # of its own cues
    first_weight: int  # of those of the form as the first word
    noun_weight: int  # of those of the form before a noun
    tags: tuple[str, str, str]  # as a noun, a verb, or neither; empty where it cannot be that


class Rules:
    """The cues' weights, with the lexicon and the closed classes of `tagger` that they ask."""

    __slots__ = ("_both", "_closed", "_closed_names", "_first", "_left", "_lexicon", "_right", "_weights", "form")

    def __init__(self, lexicon: Mapping[str, str], closed: frozenset[str], weights: Mapping[str, int]) -> None:
        self._lexicon, self._closed, self._weights = lexicon, closed, weights
        self._closed_names = {word: word for word in closed}
        self.form: Callable[[str], Form | None] = Recent(self._form, _RECENT).__getitem__
        # The same few words stand around most words: what they add is remembered, bounded.
        self._first, self._left, self._right, self._both = (
            Recent(self._sum_of(cues), _RECENT) for cues in (_at_start, _on_the_left, _on_the_right, _on_both_sides)
        )

    def _sum_of(self, cues: Callable[..., tuple[str, ...]]) -> Callable[[tuple[Any, ...]], int]:
        return lambda facts: self._sum(cues(*facts))

    def _sum(self, cues: Iterable[str]) -> int:
        return sum(self._weights.get(cue, 0) for cue in cues)

    def settle(self, places: list[int], words: list[str], found: list[str]) -> None:
        """Reads the words at these places again, from left to right; changes `found`. Sums the weights of `cues`."""
        names = self._names(words, found)
        last, owing = len(words) - 1, not _OBLIGED.isdisjoint(words)
        for i in places:
            word = words[i]
            form = self.form(word)
            if form is None:
                if found[i] == "MD" and self._is_container(words, found, i):
                    found[i] = "NN"  # its name stays: it is of a closed class
                continue
            before2, before, _, after, after2 = names[i : i + 5]
            after_tag, sort = found[i + 1] if i < last else "$", form.sort
            total = form.weight
            if i == 0:
                total += form.first_weight + self._first[after, after_tag, after2, sort]
            else:
                before_tag, owed = found[i - 1], owing and self._is_owed(words, found, i)
                total += (
                    self._left[before, before_tag, before2, sort]
                    + self._right[after, after_tag, after2, sort, owed]
                    + self._both[before, before_tag, after, after_tag, form.kind]
                )
                if words[i - 1] in _JOINTS:
                    total += self._sum(self._after_joint(found, i, before, after, form.kind))
            if after in _NOUN_NAMES:
                total += form.noun_weight
            noun, verb, other = form.tags
            best = total & _MASK if noun else -1
            tag, letter, old = noun, "N", found[i]
            if verb and (units := total >> LANE & _MASK) > best:
                best, tag, letter = units, verb, "V"
            if other and (total >> 2 * LANE) > best:
                if old[0] not in "NV":
                    continue
                tag = other
            elif old[0] == letter and old != "VBN":  # a verb here is no participle that only describes a noun
                continue
            found[i] = tag
            if word not in self._closed:
                names[i + 2] = _SHORT.get(tag, tag)

    def _form(self, word: str) -> Form | None:
        """None for a form that can be only one thing."""
        readings = self._lexicon.get(word, "")
        if not may_be_several(readings):
            return None
        has = set(readings[::2])
        noun, verb, other = (_digit(readings, kind) for kind in (_NOUNS, _VERBS, _OTHERS))
        kind = next((letter for letter in "GDZB" if letter in has), "J")
        rest = _steps(min(noun, verb) - other) if other < _NEVER else "-"
        sort = f"{kind} {_steps(noun - verb)} {rest}"
        tags = (
            ("NNS" if "P" in has and "N" not in has else "NN") if noun < _NEVER else "",
            _VERB_TAGS[kind] if verb < _NEVER else "",
            next((_OTHER_TAGS[letter] for letter in readings[::2] if letter in _OTHERS), "JJ" if kind in "DG" else ""),
        )
        weight = _OFFSET + self._sum(_own(word, readings, sort))
        return Form(kind, sort, weight, self._sum([f"ws {word}"]), self._sum([f"wn {word}"]), tags)

    def cues(self, words: list[str], found: list[str], i: int) -> list[str]:
        """All cues for the word at i, as the table of weights names them."""
        form = self.form(words[i])
        assert form is not None
        before2, before, _, after, after2 = self._names(words, found)[i : i + 5]
        after_tag, sort = found[i + 1] if i + 1 < len(words) else "$", form.sort
        cues = [*_own(words[i], self._lexicon[words[i]], sort)]
        if i == 0:
            cues += [*_at_start(after, after_tag, after2, sort), f"ws {words[0]}"]
        else:
            before_tag, owed = found[i - 1], self._is_owed(words, found, i)
            cues += _on_the_left(before, before_tag, before2, sort)
            cues += _on_the_right(after, after_tag, after2, sort, owed)
            cues += _on_both_sides(before, before_tag, after, after_tag, form.kind)
            if words[i - 1] in _JOINTS:
                cues += self._after_joint(found, i, before, after, form.kind)
        return [*cues, f"wn {words[i]}"] if after in _NOUN_NAMES else cues

    def _names(self, words: list[str], found: list[str]) -> list[str]:
        """How cues name the words of a sentence, closed classes by the word and others by the tag, and its two ends."""
        named = map(self._closed_names.get, words, map(_SHORT.get, found, found))
        return ["^", "^", *named, "$", "$"]

    def _after_joint(self, found: list[str], i: int, before: str, after: str, kind: str) -> tuple[str, ...]:
        head = next((_SHORT[found[j]] for j in range(i - 2, max(-1, i - _REACH), -1) if found[j][0] in "NV"), "-")
        return f"c {head} {before} {kind}", f"cn {head} {after} {kind}"

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


def _own(word: str, readings: str, sort: str) -> tuple[str, ...]:
    kind, rarity, other = sort.split(" ")
    return f"r {''.join(sorted(readings[::2]))}", f"d {rarity} {other} {kind}", f"w {word}"


def _at_start(after: str, tag: str, after2: str, sort: str) -> tuple[str, ...]:
    kind, rarity, _ = sort.split(" ")
    return (
        *_on_the_left("^", "^", "^", sort),
        *_on_the_right(after, tag, after2, sort, False),
        *_on_both_sides("^", "^", after, tag, kind),
        f"s {after} {after2} {kind} {int(rarity) > 0}",
    )


def _on_the_left(word: str, tag: str, word2: str, sort: str) -> tuple[str, ...]:
    kind, rarity, other = sort.split(" ")
    near = f"{word} {kind}"
    return f"p {near}", f"l {word2} {near}", f"dp {rarity} {near}", f"jp {other} {near}", f"tp {tag} {kind}"


def _on_the_right(word: str, tag: str, word2: str, sort: str, owed: bool) -> tuple[str, ...]:
    kind, rarity, other = sort.split(" ")
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
