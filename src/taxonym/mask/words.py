"""A column of words on its way through a run: from the cells of records to sets of concepts, and back to words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taxonym.data.column import Column
from taxonym.errors import UnknownTerms
from taxonym.knowledge.arrays import Ints, expand, frozen
from taxonym.knowledge.combine import flat, with_roots
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.mask.support import Long
from taxonym.mask.synthesis import MapsTo, Terms
from taxonym.progress import SILENCE, Progress
from taxonym.text.finder import Finder
from taxonym.text.sensitive import Topics
from taxonym.text.terms import Said, terms_of, tidy

MISSING = "(missing)"  # the concept of an empty cell under the policy keep-as-own-concept
Read = Callable[[Sequence[str]], list[Said]]


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The concepts of record i, ascending and each once, are codes[start[i]:start[i + 1]].

    Behind them stands what was written: names[term[j]] was taken for the concept meant[j] in the record row[j].
    `maps_to` says what a printed word means. `unknown` counts the phrases without a concept, record by record,
    `outside` those that were dropped because no topic of the column holds them.
    """

    column: Column
    tax: Taxonomy
    start: Long
    codes: Ints
    row: Long
    term: Long
    meant: Long
    names: list[str]
    unknown: Long
    outside: Long
    topics: Topics | None
    maps_to: MapsTo

    def __len__(self) -> int:
        return len(self.start) - 1

    def record(self, row: int) -> tuple[int, ...]:
        """The concepts of a record."""
        return tuple(self.codes[self.start[row] : self.start[row + 1]].tolist())

    def of(self, rows: Long) -> "Words":
        """The same column of some records, in another order."""
        place = np.full(len(self), -1, np.int64)
        place[rows] = np.arange(len(rows))
        kept = np.flatnonzero(place[self.row] >= 0)
        kept = kept[np.argsort(place[self.row[kept]], kind="stable")]
        first, last = self.start[rows], self.start[rows + 1]
        start, codes = np.concatenate(([0], np.cumsum(last - first))), frozen(self.codes[expand(first, last)])
        return Words(
            self.column, self.tax, start, codes, place[self.row[kept]], self.term[kept], self.meant[kept], self.names,
            self.unknown[rows], self.outside[rows], self.topics, self.maps_to,
        )  # fmt: skip

    def written(self, persons: Long) -> Terms:
        """The terms of these records, `persons` being whose they are."""
        return Terms.of_arrays(self.names, self.term, self.meant, persons[self.row])

    def raw(self) -> tuple[Taxonomy, Long, Ints]:
        """The terms as concepts of their own, without any meaning [Batet2014, §4.3]: a flat taxonomy and its runs."""
        tax = flat(self.names or [MISSING])
        place = np.array([tax.code(name) for name in self.names], np.int64)
        return tax, *_sets(self.row, place[self.term], len(self), len(tax))


def read_words(
    column: Column,
    cells: Sequence[Sequence[str]],
    finder: Finder | None,
    where: str,
    rows: Sequence[int],
    topics: Topics | None = None,
    progress: Progress = SILENCE,
) -> Words:
    """What the cells of a column mean: of every record its terms (of a text, its lines).

    Without a finder the column has no taxonomy, and every value is a concept that has nothing in common with others.
    `rows` are the input rows that complaints name.
    """
    if finder is None:
        if column.on_empty == "keep-as-own-concept":
            cells = [terms or [MISSING] for terms in cells]
        values = flat([tidy(term) for terms in cells for term in terms] or [MISSING], column.name)
        said = [[Said([(tidy(term), values.code(tidy(term)))], []) for term in terms] for terms in cells]
        return _words(column, values, said, [0] * len(said), None, _in(values))
    read = reader(finder, column)
    progress.start(f"concepts of {column.name}", len(cells))
    said = []
    for terms in cells:
        said.append(read(terms))
        progress.advance()
    progress.finish()
    tax, own = finder.taxonomy, dict[str, int]()
    if column.on_unknown == "error":
        unknown = [(row, term) for row, found in zip(rows, said, strict=True) for one in found for term in one.unknown]
        if unknown:
            first: dict[str, int] = {}
            for row, term in unknown:
                first.setdefault(term, row)
            raise UnknownTerms(
                f"{where}: column {column.name!r}: terms of {len({row for row, _ in unknown}):,} records have no "
                f"concept in {tax.name!r} (first in row {unknown[0][0]}). List them with 'taxonym concepts --file … "
                f"--column {column.name} --unknown OUT', let anonymize --show-values show them to you, or set "
                f'on_unknown = "suppress" for this column.',
                [(row, term) for term, row in first.items()],
                tax.keys,
            )
    new = []
    if column.on_unknown == "keep-as-own-concept":
        new = sorted({phrase for found in said for one in found for phrase in one.unknown})
    if column.on_empty == "keep-as-own-concept" and any(not terms for terms in cells):
        new.append(MISSING)
    if new:
        tax, own = with_roots(tax, new), {label: len(finder.taxonomy) + i for i, label in enumerate(new)}
        said = [[Said([*o.known, *((u, own[u]) for u in o.unknown if u in own)], o.unknown) for o in f] for f in said]
        said = [found or [Said([(MISSING, own[MISSING])], [])] if MISSING in own else found for found in said]
    outside = [0] * len(said)
    if topics is not None and column.other_words == "drop":
        inside = np.ones(len(tax), np.bool_)  # what is a concept by policy stays
        inside[: len(finder.taxonomy)] = topics.anywhere
        outside = [sum(not inside[code] for one in found for _, code in one.known) for found in said]
        said = [[Said([pair for pair in o.known if inside[pair[1]]], o.unknown) for o in found] for found in said]
    return _words(column, tax, said, outside, topics, meaning(finder, column.kind == "nominal", own))


def reader(finder: Finder, column: Column) -> Read:
    """How the texts of a record are read; a text that means the same wherever it stands is read once."""
    entries, single = column.kind != "text", column.kind == "nominal"
    if finder.policy.record:
        return lambda texts: terms_of(finder, texts, entries=entries, single=single)
    seen: dict[str, Said] = {}

    def read(texts: Sequence[str]) -> list[Said]:
        for text in texts:
            if text not in seen:
                seen[text] = terms_of(finder, [text], entries=entries, single=single)[0]
        return [seen[text] for text in texts]

    return read


def meaning(finder: Finder, single: bool, own: Mapping[str, int] | None = None) -> MapsTo:
    """What a printed word means: it is read as an entry of a list; `own` words are concepts by policy."""
    seen: dict[str, int | None] = {}
    own = own or {}

    def maps_to(word: str) -> int | None:
        if word not in seen:
            codes = {code for _, code in terms_of(finder, [word], entries=True, single=single)[0].known}
            seen[word] = own[word] if word in own else codes.pop() if len(codes) == 1 else None
        return seen[word]

    return maps_to


def _in(values: Taxonomy) -> MapsTo:
    def maps_to(word: str) -> int | None:
        at = values.ids.find(word, values.id_order)
        return at if at >= 0 else None

    return maps_to


def _words(
    column: Column,
    tax: Taxonomy,
    said: list[list[Said]],
    outside: list[int],
    topics: Topics | None,
    maps_to: MapsTo,
) -> Words:
    number: dict[str, int] = {}
    row, term, meant = [], [], []
    for i, found in enumerate(said):
        for text, code in (pair for one in found for pair in one.known):
            row.append(i)
            term.append(number.setdefault(text, len(number)))
            meant.append(code)
    unknown = [sum(len(one.unknown) for one in found) for found in said]
    lists = (row, term, meant, unknown, outside)
    rows, terms, codes_meant, without, dropped = (np.array(values, np.int64) for values in lists)
    start, codes = _sets(rows, codes_meant, len(said), len(tax))
    return Words(column, tax, start, codes, rows, terms, codes_meant, list(number), without, dropped, topics, maps_to)


def _sets(row: Long, code: Long, n: int, codes: int) -> tuple[Long, Ints]:
    """The codes of each of n records, ascending and each once, as runs."""
    keys = np.unique(row * codes + code)
    return np.concatenate(([0], np.cumsum(np.bincount(keys // codes, minlength=n)))), frozen(keys % codes)
