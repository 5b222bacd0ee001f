"""The words of a column, page by page: what each was taken for, unknown and ambiguous ones first.

What the words mean without any decision of the person is computed once; decisions are laid over it, so that taking one
back needs no further look at the file. Words of fewer than k persons are counted, and shown only to who asks for them.
"""

import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from taxonym.knowledge.names import ConceptNames
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.explanation import explain
from taxonym.text.finder import Finder
from taxonym.text.lookup import plain
from taxonym.text.suggestions import Suggester

PAGE = 40
FILTERS = {"all": "All words", "unknown": "Unknown", "ambiguous": "Several senses", "decided": "Decided by you"}
_RANKS = {"unknown": 0, "ambiguous": 1}
_FOUND = 12  # concepts that a search shows


class ShownConcept(NamedTuple):
    """A concept as a person reads it."""

    code: int
    id: str
    label: str
    hint: str
    gloss: str


class ShownTerm(NamedTuple):
    """A word of the column, and what it was taken for (None: unknown)."""

    number: int
    term: str
    persons: int
    concept: ShownConcept | None
    why: str
    senses: int
    is_own: bool
    is_decided: bool


@dataclass(frozen=True, slots=True)
class TermPage:
    """Some of the words that were asked for; `hidden` are words of fewer than k persons that would be among them."""

    terms: list[ShownTerm]
    page: int
    pages: int
    found: int
    hidden: int


class Concepts:
    """The concepts of a column's taxonomy for people: names, searches, suggestions."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.tax: Taxonomy = finder.taxonomy
        self._names = ConceptNames(self.tax)
        self._shown: dict[int, ShownConcept] = {}
        self._suggester: Suggester | None = None
        self._keys: list[str] | None = None

    def shown(self, code: int) -> ShownConcept:
        if code not in self._shown:
            tax = self.tax
            hint = self._names.hint(code) or ""
            self._shown[code] = ShownConcept(code, tax.id(code), tax.label(code), hint, tax.gloss(code))
        return self._shown[code]

    def why(self, term: str, code: int) -> tuple[str, list[int]]:
        found = explain(self.finder, term, code)
        return found.why, found.senses

    def search(self, text: str) -> list[ShownConcept]:
        """Concepts whose id it is, whose label it is, or whose label begins with it."""
        wanted = " ".join(text.replace("_", " ").casefold().split())
        if not wanted:
            return []
        codes: dict[int, None] = {}
        if (by_id := self.tax.find(text.strip())) >= 0:
            codes[by_id] = None
        codes |= dict.fromkeys(self.tax.codes(wanted))
        if self._keys is None:
            self._keys = list(self.tax.keys)
        at = bisect.bisect_left(self._keys, wanted)
        while len(codes) < _FOUND and at < len(self._keys) and self._keys[at].startswith(wanted):
            codes |= dict.fromkeys(self.tax.codes(self._keys[at]))
            at += 1
        return [self.shown(code) for code in list(codes)[:_FOUND]]

    def suggestions(self, term: str) -> list[tuple[ShownConcept, str]]:
        """What an unknown word may mean, and why."""
        if self._suggester is None:
            self._suggester = Suggester(self.finder)
        return [(self.shown(one.code), one.why) for one in self._suggester.suggest(term)]


class TermTable:
    """The words of one column as they were mapped, and the decisions laid over them."""

    def __init__(self, mapped: Mapping[str, Any], concepts: Concepts) -> None:
        self.concepts = concepts
        self.rows: Sequence[tuple[str, int | None, int, bool, int]] = mapped["terms"]
        self.figures = {key: mapped[key] for key in ("records", "with_concept", "said", "known", "persons")}
        self._low = [row[0].casefold() for row in self.rows]
        self._plain = [plain(row[0]) for row in self.rows]
        self._rank = [0 if row[1] is None else 1 if row[4] > 1 else 2 for row in self.rows]
        # rows come by persons; sorting is stable
        self._order = sorted(range(len(self.rows)), key=self._rank.__getitem__)

    def decided(self, overrides: Mapping[str, str]) -> dict[str, int]:
        """Decisions by the plain form of their terms; those whose concept is gone are left out."""
        found = {plain(term): self.concepts.tax.find(id) for term, id in overrides.items()}
        return {term: code for term, code in found.items() if code >= 0}

    def page(
        self,
        overrides: Mapping[str, str],
        k: int,
        *,
        private: bool = False,
        text: str = "",
        only: str = "all",
        page: int = 1,
    ) -> TermPage:
        """A page of the words that hold a text, among those of a filter."""
        decided = self.decided(overrides)
        chosen = self.chosen(overrides, text, only)
        found = chosen if private else [i for i in chosen if self.rows[i][2] >= k]
        pages = max(1, -(-len(found) // PAGE))
        page = min(max(1, page), pages)
        some = found[(page - 1) * PAGE : page * PAGE]
        return TermPage([self.term(i, decided) for i in some], page, pages, len(found), len(chosen) - len(found))

    def chosen(self, overrides: Mapping[str, str], text: str = "", only: str = "all") -> list[int]:
        """The numbers of all words that hold a text, among those of a filter."""
        decided, wanted = self.decided(overrides), text.casefold().strip()
        rank, low, forms = self._rank, self._low, self._plain
        return [
            i
            for i in self._order
            if (not wanted or wanted in low[i])
            and (
                only == "all"
                or (only == "decided" and forms[i] in decided)
                or (rank[i] == _RANKS.get(only) and forms[i] not in decided)
            )
        ]

    def term(self, number: int, decided: Mapping[str, int]) -> ShownTerm:
        """One word; `decided` as decided() gives it."""
        term, code, persons, own, senses = self.rows[number]
        chosen = decided.get(self._plain[number])
        if chosen is not None:
            concept = self.concepts.shown(chosen)
            return ShownTerm(number, term, persons, concept, "decided by you", senses, False, True)
        if code is None:
            return ShownTerm(number, term, persons, None, "no label is known for it", 0, False, False)
        why = self.concepts.why(term, code)[0]
        return ShownTerm(number, term, persons, self.concepts.shown(code), why, senses, own, False)

    def senses(self, number: int) -> list[ShownConcept]:
        """All that a word may mean."""
        term, code, *_ = self.rows[number]
        found = [] if code is None else self.concepts.why(term, code)[1]
        return [self.concepts.shown(one) for one in found]

    def rare(self, k: int) -> set[str]:
        """The plain forms of words that fewer than k persons wrote."""
        many = {form for form, row in zip(self._plain, self.rows, strict=True) if row[2] >= k}
        return set(self._plain) - many

    def counts(self, overrides: Mapping[str, str], k: int, private: bool) -> dict[str, int]:
        """How many words each filter finds."""
        decided = self.decided(overrides)
        seen = [i for i, row in enumerate(self.rows) if private or row[2] >= k]
        ranks = [self._rank[i] for i in seen if self._plain[i] not in decided]
        return {
            "all": len(seen),
            "unknown": ranks.count(0),
            "ambiguous": ranks.count(1),
            "decided": len(seen) - len(ranks),
        }
