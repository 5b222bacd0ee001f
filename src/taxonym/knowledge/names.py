"""What the concepts of a taxonomy are called: their labels, the clearest first, and hints where no label is enough.

A hint is a word of the taxonomy in parentheses behind a label, `state (attribute)`. It is the name of the nearest
concept above that tells the meanings of the label apart: no other meaning is called so, or lies below what is, unless
it is a kind of this one. Where no single one does, several do together; where none do, another label of the concept, or
else a number. Ids are not names, unless a concept has no other label.
"""

import re
from collections.abc import Iterator
from functools import cached_property

from taxonym.io.canonical import canonical_text
from taxonym.knowledge.strings import fold
from taxonym.knowledge.taxonomy import Taxonomy

_PART = re.compile(r"\.([nvasr])\.[0-9]+$|-([nvasr])$")
RARE = 3  # a label that was seen so many times less often than another one of its concept does not take its place


class ConceptNames:
    """Names of the concepts of one taxonomy, worked out when they are asked for."""

    def __init__(self, tax: Taxonomy) -> None:
        self.tax = tax
        self._counted = bool(tax.sense_count.any())  # whether the source has counted how often labels were seen
        self._labels: dict[int, list[tuple[str, int]]] = {}
        self._called: dict[int, str] = {}
        self._hinted: dict[str, dict[int, list[str]]] = {}

    # ------------------------------------------------------------------ labels

    def labels(self, code: int) -> list[str]:
        """The labels of a concept as they are printed, the best first."""
        return [label for label, _ in self._ordered(code)]

    def called(self, code: int) -> str:
        """The best label of a concept, whatever else it may mean."""
        if code not in self._called:
            self._called[code] = next(iter(self.labels(code)), "")
        return self._called[code]

    def candidates(self, code: int, hints: bool = False) -> Iterator[str]:
        """What a concept may be called, the best first: usual labels; then those that people use and that mean
        nothing else; then labels with hints; and last, others that hardly anybody uses. With `hints`, those come first,
        if there is anything to hint at."""
        known = self._ordered(code)
        usual = [label for label, seen in known if _usual(seen, known)]
        hints = hints and self.hint(code) is not None
        if not hints:
            yield from usual
            yield from (label for label, seen in known if seen and len(self.tax.codes(label)) == 1)
        for label, _ in sorted(known, key=lambda one: -one[1]):
            yield from self._hints(fold(label)).get(code, ())
        yield from (label for label, _ in known if hints or label not in usual)

    def _ordered(self, code: int) -> list[tuple[str, int]]:
        """The labels of a concept, each with how often it was seen with this meaning.

        In a taxonomy that has counted that, the better label is the one that is more usual and clearer: the times it
        was seen so, times their share among the meanings of the label; but what is seen rarely comes after what is not.
        Else, and between equals, the order of the source tells.
        """
        if code not in self._labels:
            made: dict[str, tuple[float, int]] = {}
            for label in self.tax.labels(code):
                if text := canonical_text(label):
                    counts = zip(self.tax.codes(label), self.tax.counts(label), strict=True)
                    senses = {sense: seen for sense, seen in counts if self._part(sense) == self._part(code)}
                    seen, every = senses.get(code, 0), sum(senses.values()) + max(1, len(senses))
                    made.setdefault(text, ((seen + 1) ** 2 / every, seen))
            order = sorted(made, key=lambda text: -made[text][0]) if self._counted else list(made)
            known = [(text, made[text][1]) for text in order]
            self._labels[code] = sorted(known, key=lambda one: not _usual(one[1], known))
        return self._labels[code]

    def _part(self, code: int) -> str:
        """The part of speech of a concept, where ids tell it (craftsman.n.03, 00001740-v): nobody takes a verb for a
        noun."""
        told = _PART.search(self.tax.id(code)) if self._counted else None
        return told[1] or told[2] if told else ""

    # ------------------------------------------------------------------ hints

    def hint(self, code: int) -> str | None:
        """The name of the nearest concept above that is called otherwise; None below nothing."""
        own = {fold(label) for label in self.labels(code)}
        return next((name for name in self._above(code) if fold(name) not in own), None)

    def meant(self, word: str) -> int | None:
        """The concept that a label with a hint stands for; None for other words."""
        found = {
            code
            for label, _ in splits(word)
            for code, words in self._hints(fold(label)).items()
            if word in words
        }  # fmt: skip
        return found.pop() if len(found) == 1 else None

    def _hints(self, key: str) -> dict[int, list[str]]:
        """For each meaning of a label, given as it is looked up, what it is called with a hint, the best first."""
        if key not in self._hinted:
            self._hinted[key] = self._told_apart(key)
        return self._hinted[key]

    def _told_apart(self, key: str) -> dict[int, list[str]]:
        senses = list(dict.fromkeys([*self.tax.codes(key), *self._odd.get(key, ())]))
        above = {code: self._above(code) for code in senses}
        others = {code: [label for label in self.labels(code) if fold(label) != key] for code in senses}
        known = {code: {fold(name) for name in (*above[code], *others[code])} for code in senses}
        bearers: dict[str, set[int]] = {}  # the meanings that a name is true of
        for code, some in known.items():
            for name in some:
                bearers.setdefault(name, set()).add(code)
        texts = {code: next((label for label in self.labels(code) if fold(label) == key), None) for code in senses}
        names = {code: [name for name in above[code] if fold(name) != key] for code in senses}
        hints: dict[int, list[str]] = {}
        for code in senses:
            hints[code] = [name for name in names[code] if self._kinds_of(code, bearers[fold(name)])][:1]
            if not hints[code]:
                hints[code] = _together(names[code], bearers)
        taken = {fold(hint) for mine in hints.values() for hint in mine}
        left = {code for code in senses if not hints[code]}
        for code in left:  # the others have more telling ones
            free = (name for name in names[code] if fold(name) not in taken and bearers[fold(name)] & left == {code})
            hints[code] = [*free][:1]
        found = {}
        for place, code in enumerate(sorted(senses), 1):
            own = [label for label in others[code] if bearers[fold(label)] == {code}]
            numbered = [f"{name} {place}" for name in names[code][:1]]
            every = (*hints[code], *own, *numbered, f"{place}", f"meaning {place}")
            found[code] = [f"{texts[code]} ({hint})" for hint in every] if texts[code] else []
        return found

    @cached_property
    def _odd(self) -> dict[str, list[int]]:
        """The meanings of labels that are not looked up as they are printed, since Unicode has two forms for them."""
        found: dict[str, list[int]] = {}
        for key in self.tax.keys if (self.tax.keys.blob > 126).any() else ():
            if not key.isascii() and (printed := fold(canonical_text(key))) != key:
                found.setdefault(printed, []).extend(self.tax.codes(key))
        return found

    def _kinds_of(self, code: int, meanings: set[int]) -> bool:
        """Whether all these meanings are the concept itself or lie below it."""
        return all(code in self.tax.ancestors(meaning) for meaning in meanings)

    def _above(self, code: int) -> list[str]:
        """The names of all kinds of things above a concept, the nearest first, each once."""
        climbs = self.tax.climbs(code)
        order = sorted(climbs, key=lambda a: (climbs[a], a))
        names = (self.called(a) for a in order if a != code and not self.tax.is_instance(a))
        return list(dict.fromkeys(name for name in names if name))


def _usual(seen: int, known: list[tuple[str, int]]) -> bool:
    """Whether a label was seen about as often as the most usual one of its concept."""
    return RARE * (seen + 1) > max(most for _, most in known)


def _together(names: list[str], bearers: dict[str, set[int]]) -> list[str]:
    """The fewest of the nearest names that are true together of one meaning only."""
    for n in range(2, len(names) + 1):
        if len(set.intersection(*(bearers[fold(name)] for name in names[:n]))) == 1:
            return [", ".join(names[:n])]
    return []


def splits(word: str) -> Iterator[tuple[str, str]]:
    """All ways to read a word as a label and a hint."""
    at = word.find(" (", 1) if word.endswith(")") else -1
    while at > 0:
        yield word[:at], word[at + 2 : -1]
        at = word.find(" (", at + 1)
