"""Columns of words: which taxonomy knows them, whether as whole cells, as the parts of a set, or as texts.

Every taxonomy that was named is tried, and several together where each knows words that the others do not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from taxonym.drafting.coherence import are_titles, coherence, least_coherence
from taxonym.drafting.plan_draft import TaxonomyTrial
from taxonym.drafting.sample import CELLS, ColumnSample, share
from taxonym.drafting.separators import HELD, SEPARATORS, reads_as_text, set_separator
from taxonym.io.delimited import split_cell
from taxonym.knowledge.catalog import BUILT_IN, load
from taxonym.text.finder import Finder

ENOUGH = 0.5  # share of cells or terms that a taxonomy must know
JUDGED = "wordnet"  # knows so many words that knowing those of a column says little
_BETTER = 0.1  # by so much must another kind be better known than whole cells
_MANY_WORDS = 4  # in a cell, from which a text is one
_SHORT = 2  # words in a part, on the average, where a separator is guessed by what is known
_WELL_KNOWN = 0.95  # share of terms from which one taxonomy is enough
_NUMBERS = 0.9  # share of cells with more digits than letters from which a column holds no words
_FEW = 8  # different answers, of which a taxonomy of words has to know most as they stand
_MORE = 0.05  # by so much must several know more than one


@dataclass(frozen=True, slots=True)
class WordsLook:
    """One way to read a column, and the share of what it then holds that a taxonomy knows.

    `coherence` says how much the words have to do with each other, None where that was not asked, and `least` how much
    they have to; `fits` is whether the taxonomy is to be used.
    """

    known: float
    kind: str
    why: str
    settings: dict[str, Any] = field(default_factory=dict)
    coherence: float | None = None
    least: float = 0.0

    @property
    def fits(self) -> bool:
        return self.known >= ENOUGH and (self.coherence is None or self.coherence >= self.least)


class KnownWords:
    """What one taxonomy knows, or several together. A cell is a label as a whole, or mentions concepts, which the
    finder tells."""

    def __init__(self, *sources: str) -> None:
        self.sources = sources
        self.finder = _built_in(*sources) if BUILT_IN.issuperset(sources) else Finder([load(one) for one in sources])

    @property
    def source(self) -> str:
        return " with ".join(self.sources)

    @property
    def judged(self) -> bool:
        """Whether knowing words says so little that they have to hang together."""
        return self.sources == (JUDGED,)

    @property
    def _named(self) -> str | list[str]:
        return self.sources[0] if len(self.sources) == 1 else list(self.sources)

    def labels(self, terms: list[str]) -> float:
        return share(self.finder.whole(term) is not None for term in terms)

    def mentions(self, texts: list[str]) -> float:
        return share(bool(self.finder.whole(text) is not None or self.finder.find(text)) for text in texts)

    def look(self, column: ColumnSample) -> WordsLook:
        """Sets if a separator is consistent, or parts are labels more often than whole cells; else words or texts."""
        if column.lists:
            return self._set([term for cell in column.cells for term in cell if term], {}, "it holds lists")
        cells: list[str] = column.cells
        if self.judged and share(_is_rather_number(cell) for cell in cells) >= _NUMBERS:
            return WordsLook(0.0, "nominal", "its cells are rather numbers than words", {"taxonomy": self._named})
        whole = self.labels(cells)
        consistent = set_separator(cells)
        parts: list[tuple[float, str, list[str]]] = []
        guessed = () if reads_as_text(cells) else SEPARATORS
        for separator in guessed if consistent is None else consistent:
            if share(separator in cell for cell in cells) >= HELD:
                terms = [term for cell in cells for term in split_cell(cell, separator)]
                if consistent is None and sum(len(term.split()) for term in terms) > _SHORT * len(terms):
                    continue
                parts.append((self.labels(terms), separator, terms))
        best = max(parts, key=lambda part: part[0], default=None)
        if best is not None and (consistent is not None or best[0] >= whole + _BETTER):
            held = share(best[1] in cell for cell in cells)
            how = f"{held:.0%} of the cells hold the separator {best[1]!r}"
            return self._set(best[2], {"separator": best[1]}, how)
        mentioned = self.mentions(cells)
        long = sum(len(cell.split()) for cell in cells) / len(cells)
        text = (long >= 2 and column.distinct > 0.1 * column.rows) or (long >= _MANY_WORDS and reads_as_text(cells))
        kind = "text" if whole < ENOUGH and text else "nominal"
        if self.judged and kind == "nominal" and column.few and column.distinct <= _FEW:
            mentioned = whole  # a few answers are what they are: "open" and "closed" are no places
        why = f"{whole:.0%} of the cells are labels of {self.source} and {mentioned:.0%} mention a concept of it"
        free = long >= _MANY_WORDS or (kind == "text" and not are_titles(cells))  # texts speak of many things
        return self._judged(WordsLook(mentioned, kind, why, {"taxonomy": self._named}), [] if free else cells)

    def _set(self, terms: list[str], settings: dict[str, Any], how: str) -> WordsLook:
        known = self.mentions(terms[: 2 * CELLS])
        why = f"{how}, and {known:.0%} of the terms are known to {self.source}"
        return self._judged(WordsLook(known, "set", why, {**settings, "taxonomy": self._named}), terms)

    def _judged(self, look: WordsLook, terms: list[str]) -> WordsLook:
        """The same, with how the words hang together, where that is asked."""
        if not self.judged or not terms or look.known < ENOUGH:
            return look
        values = sorted({*terms})
        found, words = coherence(self.finder, values)
        least = least_coherence(values)
        if words < ENOUGH:
            why = f"{look.why}, but only {words:.0%} of its values look like words that may be meant"
            return WordsLook(min(look.known, words), look.kind, why, look.settings, found, least)
        how = "hang together" if found >= least else "do not hang together"
        asked = "" if found >= least else f", {least:.2f} is asked for"
        why = f"{look.why}; they {how} (coherence {found:.2f}{asked})"
        return WordsLook(look.known, look.kind, why, look.settings, found, least)


def _is_rather_number(cell: str) -> bool:
    """Whether a cell has as many digits as letters, as times and postal codes do."""
    digits = sum(map(str.isdigit, cell))
    return digits > 0 and digits >= sum(map(str.isalpha, cell))


@cache
def _built_in(*sources: str) -> Finder:
    """Shipped taxonomies never change, and take a while to load."""
    return Finder([load(one) for one in sources])


@dataclass(frozen=True, slots=True)
class BestWords:
    """The best way to read a column as words, by which taxonomies, and all that was tried."""

    look: WordsLook
    by: KnownWords
    tried: tuple[TaxonomyTrial, ...]

    @property
    def compared(self) -> str:
        """What else was tried, in a few words."""
        others = [one for one in self.tried if one.taxonomy != self.by.sources]
        told = ", ".join(f"{' with '.join(one.taxonomy)} {one.coverage:.0%}" for one in others)
        return f"; known to others: {told}" if others else ""


def best_words(column: ColumnSample, known: Sequence[KnownWords]) -> BestWords | None:
    """The taxonomy that knows most of a column, or several where they together know clearly more."""
    looks = [(one.look(column), one) for one in known]
    if not looks:
        return None
    best = max(looks, key=lambda pair: (pair[0].fits, pair[0].known))
    useful = [
        one for look, one in looks if look.known > _MORE and (look.coherence is None or look.coherence >= look.least)
    ]
    if len(useful) > 1 and best[0].known < _WELL_KNOWN:
        useful.sort(key=lambda one: -next(look.known for look, other in looks if other is one))
        both = KnownWords(*(source for one in useful for source in one.sources))
        joint = both.look(column)
        looks.append((joint, both))
        if joint.fits and joint.known >= best[0].known + _MORE:
            best = joint, both
    tried = tuple(TaxonomyTrial(one.sources, look.known, look.coherence, look.fits) for look, one in looks)
    return BestWords(*best, tried)
