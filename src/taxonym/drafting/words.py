"""Columns of words: which taxonomy knows them, whether as whole cells, as the parts of a set, or as texts."""

from dataclasses import dataclass, field

from taxonym.drafting.coherence import are_titles, coherence, least_coherence
from taxonym.drafting.sample import CELLS, ColumnSample, share
from taxonym.drafting.separators import HELD, SEPARATORS, set_separator
from taxonym.io.delimited import split_cell
from taxonym.knowledge.catalog import load
from taxonym.text.finder import Finder

ENOUGH = 0.5  # share of cells or terms that a taxonomy must know
JUDGED = "wordnet"  # knows so many words that knowing those of a column says little
_BETTER = 0.1  # by so much must another kind be better known than whole cells
_MANY_WORDS = 4  # in a cell, from which a text is one


@dataclass(frozen=True, slots=True)
class WordsLook:
    """One way to read a column, and the share of what it then holds that a taxonomy knows.

    `coherence` says how much the words have to do with each other, None where that was not asked, and `least` how much
    they have to; `fits` is whether the taxonomy is to be used.
    """

    known: float
    kind: str
    why: str
    settings: dict[str, str] = field(default_factory=dict)
    coherence: float | None = None
    least: float = 0.0

    @property
    def fits(self) -> bool:
        return self.known >= ENOUGH and (self.coherence is None or self.coherence >= self.least)


class KnownWords:
    """What one taxonomy knows. A cell is a label as a whole, or mentions concepts, which the finder tells."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._taxonomy = load(source)
        self._finder = Finder(self._taxonomy)

    def labels(self, terms: list[str]) -> float:
        return share(self._finder.whole(term) is not None for term in terms)

    def mentions(self, texts: list[str]) -> float:
        return share(bool(self._finder.whole(text) is not None or self._finder.find(text)) for text in texts)

    def look(self, column: ColumnSample) -> WordsLook:
        """Sets if a separator is consistent, or parts are labels more often than whole cells; else words or texts."""
        if column.lists:
            return self._set([term for cell in column.cells for term in cell if term], {}, "it holds lists")
        cells: list[str] = column.cells
        whole = self.labels(cells)
        consistent = set_separator(cells)
        parts: list[tuple[float, str, list[str]]] = []
        for separator in SEPARATORS if consistent is None else consistent:
            if share(separator in cell for cell in cells) >= HELD:
                terms = [term for cell in cells for term in split_cell(cell, separator)]
                parts.append((self.labels(terms), separator, terms))
        best = max(parts, key=lambda part: part[0], default=None)
        if best is not None and (consistent is not None or best[0] >= whole + _BETTER):
            held = share(best[1] in cell for cell in cells)
            how = f"{held:.0%} of the cells hold the separator {best[1]!r}"
            return self._set(best[2], {"separator": best[1]}, how)
        mentioned = self.mentions(cells)
        long = sum(len(cell.split()) for cell in cells) / len(cells)
        kind = "text" if whole < ENOUGH and long >= 2 and column.distinct > 0.1 * column.rows else "nominal"
        why = f"{whole:.0%} of the cells are labels of {self.source} and {mentioned:.0%} mention a concept of it"
        free = long >= _MANY_WORDS or (kind == "text" and not are_titles(cells))  # texts speak of many things
        return self._judged(WordsLook(mentioned, kind, why, {"taxonomy": self.source}), [] if free else cells)

    def _set(self, terms: list[str], settings: dict[str, str], how: str) -> WordsLook:
        known = self.mentions(terms[: 2 * CELLS])
        why = f"{how}, and {known:.0%} of the terms are known to {self.source}"
        return self._judged(WordsLook(known, "set", why, {**settings, "taxonomy": self.source}), terms)

    def _judged(self, look: WordsLook, terms: list[str]) -> WordsLook:
        """The same, with how the words hang together, where that is asked."""
        if self.source != JUDGED or not terms or look.known < ENOUGH:
            return look
        values = sorted({*terms})
        found, words = coherence(self._finder, values)
        least = least_coherence(values)
        if words < ENOUGH:
            why = f"{look.why}, but only {words:.0%} of its values look like words that may be meant"
            return WordsLook(min(look.known, words), look.kind, why, look.settings, found, least)
        how = "hang together" if found >= least else "do not hang together"
        asked = "" if found >= least else f", {least:.2f} is asked for"
        why = f"{look.why}; they {how} (coherence {found:.2f}{asked})"
        return WordsLook(look.known, look.kind, why, look.settings, found, least)
