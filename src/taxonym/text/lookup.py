"""The labels of a taxonomy, ready to be found in texts; and a Mention, what was found and why.

Labels are found whatever the case, accents, hyphens, blanks and apostrophes: ill-health is ill health, cell phone is
cellphone. The form under which this works is the label without all of them (`plain`).
"""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from taxonym.knowledge.arrays import Bytes, Mask
from taxonym.knowledge.strings import Strings
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.language import Language
from taxonym.text.recent import LONGEST, Recent

NOUN, VERB = "n", "v"
_IGNORED = {ord(c): None for c in " -‐‑'’‘`´._,;:()[]{}/\"“”"}
_PIECES = _IGNORED | {ord(" "): " ", ord("-"): " "}
POSSESSIVE = ("'s", "’s")
_VERBS: "WeakKeyDictionary[Taxonomy, tuple[Mask, bool]]" = WeakKeyDictionary()


class Mention(NamedTuple):
    """A place of a text that means a concept; `text[start:end]` is the term, as written.

    `dropped` are the words of its noun phrase that were left out on the left until a label was known. `why` says in
    words how the label was found and how its meaning was chosen; `confidence` lies between 0 and 1.
    """

    term: str
    start: int
    end: int
    code: int
    label: str
    dropped: tuple[str, ...]
    why: str
    confidence: float


class LabelMatch(NamedTuple):
    """The label keys[key] of a source at the tokens first..last-1 of a sentence, as a noun or a verb.

    `other` is a second label that the same word may be a form of (glass, where glasses was found), or -1. `code` is set
    where there is nothing to choose.
    """

    first: int
    last: int
    source: int
    key: int
    part: str
    other: int = -1
    code: int = -1
    score: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class LabelFacts:
    """What an index knows of a lower-case word, wherever it stands."""

    form: str
    begins: bool  # a label of several words begins with it
    lemmas: tuple[str, ...]  # plain forms of what it may be a plural of
    noun: tuple[int, int] | None  # its label as a noun, and a second one it may be a form of (-1: none)


def plain(text: str) -> str:
    """The form under which labels are looked up: small letters without accents, hyphens, apostrophes and blanks."""
    if text.isascii():
        return text.lower() if text.isalpha() else text.lower().translate(_IGNORED)
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c)).casefold().translate(_IGNORED)


class Forms:
    """Plain forms -> positions in a list of labels, and every beginning of a label of several words."""

    __slots__ = ("beginnings", "keys", "places", "rivals")

    def __init__(self, keys: list[str], wanted: Mask | None = None) -> None:
        self.keys = keys
        text = "\n".join(keys)
        spaced = text.translate(_PIECES) if text.isascii() else "\n".join(map(_pieces, keys))
        pieces, forms = spaced.split("\n"), spaced.replace(" ", "").split("\n")
        places: Sequence[int] = range(len(keys))
        if wanted is not None:
            places = np.flatnonzero(wanted).tolist()
            pieces, forms = [pieces[i] for i in places], [forms[i] for i in places]
        self.places = dict(zip(reversed(forms), reversed(places), strict=True))
        self.rivals: dict[str, list[int]] = {}  # forms that several labels share (coop: coop and co-op)
        if len(self.places) < len(forms):
            for at in _repeated(forms):
                form, i = forms[at], places[at]
                if self.places[form] != i:
                    self.rivals.setdefault(form, [self.places[form]]).append(i)
        self.beginnings = _beginnings(pieces)
        self.places.pop("", None)

    def add(self, form: str, place: int) -> None:
        """One more form of a label, unless another label has it."""
        self.places.setdefault(form, place)


def _pieces(key: str) -> str:
    """The plain forms of what blanks and hyphens keep apart in a label."""
    return " ".join(map(plain, key.replace("-", " ").split()))


def _repeated(forms: list[str]) -> list[int]:
    """Places of forms that may occur several times: by their hashes, which are at hand, so that few are compared."""
    hashes = np.fromiter(map(hash, forms), dtype=np.int64, count=len(forms))
    order = np.argsort(hashes)
    same = np.diff(hashes[order]) == 0
    found: list[int] = np.unique(np.concatenate([order[1:][same], order[:-1][same]])).tolist()
    return found


def _beginnings(labels: list[str]) -> set[str]:
    """What stands before some blank of a label, without the blanks."""
    found: set[str] = set()
    for label in labels:
        if " " in label:
            begun, _, rest = label.partition(" ")
            found.add(begun)
            while " " in rest:
                piece, _, rest = rest.partition(" ")
                begun += piece
                found.add(begun)
    found.discard("")
    return found


class LabelIndex:
    """The labels of a taxonomy, ready to be found in sentences.

    Where the ids of a taxonomy tell parts of speech (craftsman.n.03, 00001740-v), nouns and verbs are told apart. Else
    every concept counts as a noun and any word with content may name it. `allowed` restricts to some concepts.
    """

    # The taxonomy itself is not kept, only arrays of it: whoever keeps an index by its taxonomy can let go of both.
    __slots__ = (
        "_count", "_kept", "_sense", "_start", "facts", "first", "forms", "has_parts", "language", "mass", "noun_share",
        "verb", "verb_beginnings",
    )  # fmt: skip

    def __init__(self, tax: Taxonomy, language: Language, allowed: Mask | None = None) -> None:
        self.language = language
        self.facts = Recent(self._facts).__getitem__
        self.verb = Recent(self._verb).__getitem__
        self.verb_beginnings = Recent(self._verb_beginnings).__getitem__
        self.noun_share = Recent(self._noun_share).__getitem__
        verb, self.has_parts = verbs_of(tax)
        self._start, self._sense, self._count = tax.sense_start.data, tax.sense.data, tax.sense_count.data
        n = len(tax.keys)
        owner = np.repeat(np.arange(n), np.diff(tax.sense_start))
        self.first: dict[str, Sequence[int]] = {}  # part -> per label its first sense, or -1
        self.mass: dict[str, Sequence[int]] = {}  # part -> per label how often it was seen
        # Which senses are of a part and allowed; nothing where that is all.
        self._kept: dict[str, memoryview] | None = {} if self.has_parts or allowed is not None else None
        usable = np.zeros(n, dtype=bool)
        for part, mine in ((NOUN, ~verb[tax.sense]), (VERB, verb[tax.sense])):
            if allowed is not None:
                mine &= allowed[tax.sense]
            if self._kept is not None:
                self._kept[part] = mine.data
            at = np.flatnonzero(mine)[::-1]
            first = np.full(n, -1, dtype=np.int64)
            first[owner[at]] = tax.sense[at]  # the last to be written is the first sense
            seen = np.bincount(owner[at], weights=tax.sense_count[at], minlength=n).astype(np.int64)
            self.first[part], self.mass[part] = first.data, seen.data
            usable |= first >= 0
        self.forms = Forms(_texts(tax.keys), None if usable.all() else usable)
        if not self.has_parts:
            self._add_singulars()
        if language.plural is not None:
            self._add_plurals(language.plural)

    def _add_singulars(self) -> None:
        """Hierarchies made by hand have plurals as labels; in a taxonomy of words the labels are lemmas."""
        for form, place in list(self.forms.places.items()):
            if form[-1] == "s":
                head, _, last = self.forms.keys[place].rpartition(" ")
                for lemma in self.language.lemmas(last, NOUN)[1:]:
                    self.forms.add(plain(head) + plain(lemma), place)

    def _add_plurals(self, plural: Callable[[str], str]) -> None:
        """Where more than the last word of a label is inflected, its plural is one more form of it."""
        for place in list(self.forms.places.values()):
            label = self.forms.keys[place]
            if " " in label:
                made = plural(label)
                self.forms.add(plain(made), place)
                self.forms.beginnings |= _beginnings([_pieces(made)])

    def senses(self, key: int, part: str) -> tuple[list[int], list[int]]:
        """The meanings of a label as a noun or verb, the most usual first, and how often each was seen."""
        run = slice(self._start[key], self._start[key + 1])
        codes, counts = self._sense[run].tolist(), self._count[run].tolist()
        if self._kept is None:
            return codes, counts
        kept = self._kept[part][run].tolist()
        if all(kept):
            return codes, counts
        return list(compress(codes, kept)), list(compress(counts, kept))

    def _noun_share(self, low: str) -> float | None:
        """Which share of a lower-case word's meanings is nouns; None for a word that is no label. The tagger asks."""
        if len(low) > LONGEST:
            return None
        noun, verb = self.facts(low).noun, self.verb(low)
        if noun is None:
            return None if verb is None else 0.0
        if verb is None:
            return 1.0
        seen = self.mass[NOUN][noun[0]]
        return seen / (seen + self.mass[VERB][verb[0]] or 1)

    # ------------------------------------------------------------------ single words

    def _facts(self, low: str) -> LabelFacts:
        form = plain(low)
        lemmas = tuple(plain(lemma) for lemma in self.language.lemmas(low, NOUN)[1:])
        return LabelFacts(form, form in self.forms.beginnings, lemmas, self.word(NOUN, low))

    def _verb_beginnings(self, low: str) -> tuple[str, ...]:
        """The lemmas of a verb's form that some label of several words begins with."""
        lemmas = (plain(lemma) for lemma in self.language.lemmas(low, VERB)[1:])
        return tuple(form for form in lemmas if form in self.forms.beginnings)

    def _verb(self, low: str) -> tuple[int, int] | None:
        """The label of a word as a verb, or where parts of speech are not told, of what it is a verb's form of."""
        if self.has_parts:
            return self.word(VERB, low)
        keys = (self._key(plain(lemma), lemma, self.first[NOUN]) for lemma in self.language.lemmas(low, VERB)[1:])
        return next(((key, -1) for key in keys if key >= 0), None)

    def word(self, part: str, low: str) -> tuple[int, int] | None:
        """The label of a lower-case word as a noun or verb, and a second one it may be a form of (-1: none).

        Of the word as written and its lemmas the one that was seen most; where they are even, as written (glasses).
        """
        first, mass = self.first[part], self.mass[part]
        own = self._key(plain(low), low, first)
        if own >= 0 and low[-2:] in POSSESSIVE and "'" not in self.forms.keys[own]:
            own = -1  # women's is no form of womens
        best = -1
        for lemma in self.language.lemmas(low, part)[1:]:
            key = self._key(plain(lemma), lemma, first)
            if key >= 0 and key != own and (best < 0 or mass[key] > mass[best]):
                best = key
        if own >= 0 and (best < 0 or mass[own] >= mass[best]):
            return own, best
        return (best, own) if best >= 0 else None

    def key(self, form: str, low: str, part: str) -> int:
        """The label that a text is as a whole, given in plain form and in small letters, or -1."""
        return self._key(form, low, self.first[part])

    def other(self, key: int, low: str, part: str) -> int:
        """The label that a text of one word may be a form of beside the label that it is, or -1."""
        word = self.word(part, low) if " " not in low and len(low) <= LONGEST else None
        return next((one for one in word or () if one not in (key, -1)), -1)

    def _key(self, form: str, low: str, first: Sequence[int]) -> int:
        """The label with this form that has a meaning as this part of speech; of several the one written so."""
        if form not in self.forms.rivals:
            key = self.forms.places.get(form, -1)
            return key if key >= 0 and first[key] >= 0 else -1
        keys = [key for key in self.forms.rivals[form] if first[key] >= 0]
        return min(keys, key=lambda key: self.forms.keys[key] != low, default=-1)

    def how(self, key: int, term: str) -> tuple[str, float]:
        """In which way a term is this label, in words, and how sure that is."""
        label, low = self.forms.keys[key], term.lower()
        if low == label:
            return ("multiword label" if " " in label else "exact label"), 1.0
        if plain(term) != plain(label):
            return f"lemma of the label '{label}'" if " " not in label else f"multiword label '{label}'", 0.98
        accents = not (term.isascii() and label.isascii())
        return f"{'accent' if accents else 'hyphen'} variant of the label '{label}'", 0.95


def _texts(strings: Strings) -> list[str]:
    """All strings at once. Search keys hold no line ends, so these can keep them apart."""
    whole = np.insert(strings.blob, strings.start[1:-1], ord("\n")).tobytes()
    return whole.decode("utf-8", "surrogatepass").split("\n")


def is_named(tax: Taxonomy, code: int) -> bool:
    """Whether a concept is somebody or something by name: all its labels begin with a capital."""
    return all(label[:1].isupper() for label in tax.labels(code))


def verbs_of(tax: Taxonomy) -> tuple[Mask, bool]:
    """Which concepts are verbs, and whether the ids tell: craftsman.n.03, 00001740-v. Looked at once, as long as the
    taxonomy is there: whoever reads a column asks for every word."""
    if tax not in _VERBS:
        _VERBS[tax] = _verbs_of(tax)
    return _VERBS[tax]


def _verbs_of(tax: Taxonomy) -> tuple[Mask, bool]:
    blob, end = tax.ids.blob, tax.ids.start[1:].astype(np.int64)

    def at(back: int) -> Bytes:
        where = end - back
        found: Bytes = np.where(where >= tax.ids.start[:-1], blob[np.maximum(where, 0)], 0)
        return found

    dotted, hyphened = (at(5) == ord(".")) & (at(3) == ord(".")), at(2) == ord("-")
    letter = np.where(dotted, at(4), np.where(hyphened, at(1), 0))
    told = np.isin(letter, np.frombuffer(b"nvasr", dtype=np.uint8))
    has_parts = bool(told.mean() >= 0.9)
    return (letter == ord("v")) & has_parts, has_parts
