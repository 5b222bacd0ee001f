"""A column of words on its way through a run: from the cells of records to sets of concepts, and back to words."""

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from taxonym.errors import UnknownTerms
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Ints, Long, Mask
from taxonym.knowledge.combine import flat, with_phrases, with_values
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.runs import Runs, edges
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.records.column import Column
from taxonym.records.phrases import WHOLE_PHRASES, OwnPhrase, PhraseWriters, ReadPhrases, labels_of, written_by
from taxonym.records.terms import MapsTo, Terms
from taxonym.records.vocabulary import Vocabulary
from taxonym.text.finder import Finder
from taxonym.text.record_terms import RecordTerms
from taxonym.text.sensitive import Topics
from taxonym.text.terms import TextTerms, terms_of, tidy

KEEP = "keep-as-own-concept"
MISSING = "(missing)"  # the concept of an empty cell under the policy keep-as-own-concept
_AT_ONCE = 1024  # records
LogRelease = Callable[[Sequence[str]], list[TextTerms]]


@dataclass(frozen=True, slots=True, eq=False)
class WordColumn(ConceptSets):
    """The concepts of every record, ascending and each once.

    Behind them stands what was written: names[term[j]] was taken for the concept meant[j] in the record row[j].
    `maps_to` says what a printed word means. `unknown` counts the phrases without a concept, record by record,
    `outside` those that were dropped because no topic of the column holds them. The last concepts of the taxonomy are
    values and phrases of the column itself (Taxonomy.own).
    """

    column: Column
    row: Long
    term: Long
    meant: Long
    names: list[str]
    unknown: Long
    outside: Long
    topics: Topics | None
    maps_to: MapsTo

    @property
    def subject(self) -> dict[str, object] | None:
        """What the column was found to be about: private, like all that was learnt from data."""
        return self.maps_to.subject if isinstance(self.maps_to, Vocabulary) else None

    def worded(self, hints: bool) -> "WordColumn":
        """The same column where all words are to be printed with `hints`, so far as a taxonomy has any."""
        if not hints or not isinstance(self.maps_to, Vocabulary):
            return self
        return replace(self, maps_to=self.maps_to.with_hints())

    def take(self, rows: Long) -> "WordColumn":
        """The same column of some records, in another order."""
        place = np.full(len(self), -1, np.int64)
        place[rows] = np.arange(len(rows))
        kept = np.flatnonzero(place[self.row] >= 0)
        kept = kept[np.argsort(place[self.row[kept]], kind="stable")]
        sets = Runs(self.start, self.codes).take(rows)
        return replace(
            self, start=sets.start, codes=sets.codes, row=place[self.row[kept]], term=self.term[kept],
            meant=self.meant[kept], unknown=self.unknown[rows], outside=self.outside[rows],
        )  # fmt: skip

    def united(self, unit: Long, n: int) -> "WordColumn":
        """The same column of n units that are made of these records: record i belongs to unit[i]. That a record has no
        value goes without saying where another of its unit has one."""
        of, term, meant = unit[self.row], self.term, self.meant
        if MISSING in self.names:
            gone = term == self.names.index(MISSING)
            kept = ~gone | (np.bincount(of[~gone], minlength=n) == 0)[of]
            of, term, meant = of[kept], term[kept], meant[kept]
        if self.column.kind != "text" and not self.column.multiplicity:
            width, depth = len(self.names) + 1, int(meant.max(initial=0)) + 1
            keys = np.unique((of * width + term) * depth + meant)
            of, term, meant = keys // depth // width, keys // depth % width, keys % depth
        order = np.argsort(of, kind="stable")
        of, term, meant = of[order], term[order], meant[order]
        counts = (np.bincount(unit, values, n).astype(np.int64) for values in (self.unknown, self.outside))
        more = (self.tax, self.column, of, term, meant, self.names, *counts, self.topics, self.maps_to)
        return WordColumn.of_pairs(of, meant, n, *more)

    def written(self, persons: Long, among: Mask | None = None) -> Terms:
        """The terms of these records, `persons` being whose they are; of some records only, if these are named."""
        if among is None:
            return Terms.of_arrays(self.names, self.term, self.meant, persons[self.row])
        some = among[self.row]
        return Terms.of_arrays(self.names, self.term[some], self.meant[some], persons[self.row[some]])

    def raw(self) -> ConceptSets:
        """The terms as concepts of their own, without any meaning [Batet2014, §4.3], in a flat taxonomy."""
        tax = flat(self.names or [MISSING])
        place = np.array([tax.code(name) for name in self.names], np.int64)
        return ConceptSets.of_pairs(self.row, place[self.term], len(self), tax)


class Readings:
    """What texts mean, each read once and kept as numbers; the text itself is not.

    Text i was taken for code[start[i]:start[i + 1]] in the words names[term[…]], and has so many unknown phrases.
    """

    __slots__ = ("_code", "_ends", "_names", "_phrases", "_said", "_term", "_unknown", "_unknown_ends")

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._ends, self._term, self._code = array("q", [0]), array("i"), array("i")
        self._phrases: dict[str, int] = {}
        self._unknown_ends, self._unknown = array("q", [0]), array("i")
        self._said = ReadPhrases()

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, said: TextTerms) -> int:
        """The number of a text."""
        self._said.add(said.phrases, len(self._term))
        for text, code in said.known:
            self._term.append(self._names.setdefault(text, len(self._names)))
            self._code.append(code)
        for phrase in said.unknown:
            self._unknown.append(self._phrases.setdefault(phrase, len(self._phrases)))
        self._ends.append(len(self._term))
        self._unknown_ends.append(len(self._unknown))
        return len(self) - 1

    def phrase_writers(self, text: Long, person: Long) -> list[PhraseWriters]:
        """How many persons wrote each phrase that says more than its head: person[j] wrote text[j]."""
        return self._said.writers(text, person)

    def words(
        self,
        column: Column,
        finder: Finder | None,
        where: str,
        row: Long,
        text: Long,
        rows: Sequence[int] | Long,
        topics: Topics | None = None,
        elsewhere: Collection[str] = (),
        phrases: Collection[OwnPhrase] = (),
    ) -> WordColumn:
        """The column: record row[j] has text[j]. `rows` are the input rows of all records, which complaints name.

        Without a finder there is no taxonomy, and every value is a concept that has nothing in common with others.
        `elsewhere` are values that are concepts by policy in other parts of the same table: codes are the same in all
        parts that know the same. `phrases` become concepts below their heads.
        """
        n, numbers = len(rows), dict(self._names)
        order = np.argsort(row, kind="stable")
        row, text = row[order], text[order]
        heads = [head for head, _ in phrases]
        leaves = labels_of(phrases, -len(phrases))  # their codes come after all others, which are not known yet
        (of, term, meant), (unknown_of, phrase) = self._known(text, leaves, numbers), self._not_known(text)
        names = list(numbers)
        of, without, outside = row[of], np.bincount(row[unknown_of], minlength=n), np.zeros(n, np.int64)
        empty = np.bincount(row, minlength=n) == 0
        gaps = column.on_empty == KEEP and (empty.any() or MISSING in elsewhere)
        if finder is None:
            labels = list(dict.fromkeys([*names, *([MISSING] if gaps else []), *sorted(elsewhere)]))
            tax = flat(labels or [MISSING], column.name)
            own = {label: tax.code(label) for label in labels}
            place = np.array([own[name] for name in names], np.int64)
            meant, maps_to = place[term], _in(tax)
        else:
            tax, unknown = finder.taxonomy, list(self._phrases)
            if column.on_unknown == "error" and len(phrase):
                raise self._complaint(column, tax, where, np.asarray(rows)[row[unknown_of]], phrase)
            more = set(elsewhere) | {unknown[p] for p in np.unique(phrase).tolist()}
            more -= {MISSING} if column.on_empty == KEEP else set()  # who writes it has no value, either
            new = sorted(more) if column.on_unknown == KEEP else []
            gaps = gaps or (column.on_unknown == column.on_empty == KEEP and MISSING in self._phrases)
            if gaps:
                new.append(MISSING)
            own = {label: len(tax) + i for i, label in enumerate(new)}
            if column.on_unknown == KEEP and len(phrase):
                number = {name: i for i, name in enumerate(names)}
                names += [label for label in new if label not in number and (label != MISSING or label in unknown)]
                number = {name: i for i, name in enumerate(names)}
                of = np.concatenate((of, row[unknown_of]))
                term = np.concatenate((term, np.array([number[p] for p in unknown], np.int64)[phrase]))
                meant = np.concatenate((meant, np.array([own.get(p, 0) for p in unknown], np.int64)[phrase]))
            values = new[:-1] if gaps else new
            tax = with_values(tax, values, finder.root) if values else tax
            tax = with_values(tax, [MISSING], None) if gaps else tax  # no value at all is no kind of value
            leaves = labels_of(phrases, len(tax))
            meant[meant < 0] += len(tax) + len(phrases)
            tax = with_phrases(tax, [*leaves]) if phrases else tax
            single, known = column.kind == "nominal", {label: code for (_, label), code in leaves.items()}
            maps_to = Vocabulary(finder, own, single, phrases=known, words=column.phrases == "words")
        if MISSING in own and empty.any():
            names = names if MISSING in names else [*names, MISSING]
            gone = np.flatnonzero(empty)
            of = np.concatenate((of, gone))
            term = np.concatenate((term, np.full(len(gone), names.index(MISSING))))
            meant = np.concatenate((meant, np.full(len(gone), own[MISSING])))
        if topics is not None and finder is not None and column.other_words == "drop":
            inside = np.ones(len(tax), np.bool_)  # what is a concept by policy stays
            inside[: len(finder.taxonomy)] = topics.anywhere
            inside[len(tax) - len(heads) :] = inside[heads]
            outside = np.bincount(of[~inside[meant]], minlength=n)
            of, term, meant = (values[inside[meant]] for values in (of, term, meant))
        order = np.argsort(of, kind="stable")
        of, term, meant = of[order], term[order], meant[order]
        if topics is not None and leaves:
            topics = topics.with_leaves(len(tax), {code: [head] for (head, _), code in leaves.items()})
        about = (column, of, term, meant, names, without, outside, topics, maps_to)
        return WordColumn.of_pairs(of, meant, n, tax, *about)

    def meant(self, column: Column, tax: Taxonomy, maps_to: MapsTo, texts: Runs) -> WordColumn:
        """The column where every text has been told with concepts of `tax`: record i has the texts texts.record(i)."""
        row, n = texts.owner, len(texts)
        of, term, code = self._known(texts.codes)
        without = np.bincount(row[self._not_known(texts.codes)[0]], minlength=n)
        more = (column, row[of], term, code, list(self._names), without, np.zeros(n, np.int64), None, maps_to)
        return WordColumn.of_pairs(row[of], code, n, tax, *more)

    def _known(
        self, text: Long, phrases: Mapping[OwnPhrase, int] | None = None, names: dict[str, int] | None = None
    ) -> tuple[Long, Long, Long]:
        """What these texts were taken for: the place of the text, the word and the concept, one after the other; with
        `phrases` that are concepts, as ReadPhrases.put_in has it."""
        term, code, start = _longs(self._term), _longs(self._code), _longs(self._ends)
        if phrases and names is not None:
            kept = self._said.put_in(phrases, names, term, code)
            term, code, start = term[kept], code[kept], edges(kept)[start]
        terms = Runs(start, term)
        at = terms.places(text)
        return terms.take(text).owner, terms.codes[at], code[at]

    def _not_known(self, text: Long) -> tuple[Long, Long]:
        """The unknown phrases of these texts: the place of the text, and the phrase."""
        found = Runs(_longs(self._unknown_ends), _longs(self._unknown)).take(text)
        return found.owner, found.codes

    def _complaint(self, column: Column, tax: Taxonomy, where: str, rows: Long, phrase: Long) -> UnknownTerms:
        phrases, first = list(self._phrases), dict[str, int]()
        for row, p in zip(rows.tolist(), phrase.tolist(), strict=True):
            first.setdefault(phrases[p], row)
        return UnknownTerms(
            f"{where}: column {column.name!r}: terms of {len(np.unique(rows)):,} records have no concept in "
            f"{tax.name!r} (first in row {rows[0]}). List them with 'taxonym concepts --file … --column {column.name} "
            f'--unknown OUT\', let anonymize --show-values show them to you, or set on_unknown = "suppress" for this '
            f"column.",
            [(row, term) for term, row in first.items()],
            tax.keys,
        )


@dataclass(frozen=True, slots=True, eq=False)
class PhraseRule:
    """Phrases of a column that at least k persons wrote are concepts; person[i] is whose record i is."""

    k: int
    person: Ints

    def own(self, column: Column, readings: Readings, row: Long, text: Long) -> tuple[OwnPhrase, ...]:
        """The phrases, where record row[j] has text[j]."""
        if column.phrases != WHOLE_PHRASES:
            return ()
        return written_by(self.k, readings.phrase_writers(text, self.person[row].astype(np.int64)))


def read_words(
    column: Column,
    cells: Sequence[Sequence[str]],
    finder: Finder | None,
    where: str,
    rows: Sequence[int],
    topics: Topics | None = None,
    progress: Progress = SILENCE,
    elsewhere: Collection[str] = (),
    phrases: Collection[OwnPhrase] | PhraseRule = (),
) -> WordColumn:
    """What the cells of a column mean: of every record its terms (of a text, its lines).

    `rows` are the input rows that complaints name; `elsewhere` as Readings.words has it. `phrases` are those that are
    concepts of their own, or how to find out.
    """
    readings, read = Readings(), reader(finder, column)
    together = finder is not None and finder.policy.record  # such a policy reads record by record
    texts, found = texts_of_column(finder, column, readings), array("q")
    of = np.repeat(np.arange(len(cells)), [*map(len, cells)])
    progress.start(f"concepts of {column.name}", len(cells))
    for some in (cells[i : i + _AT_ONCE] for i in range(0, len(cells), _AT_ONCE)):
        if together:
            found.extend(readings.add(one) for terms in some for one in read(terms))
        else:
            found.extend(texts.numbers([term for terms in some for term in terms]))
        progress.advance(len(some))
    progress.finish()
    said = _longs(found) if together else texts.in_records(of, _longs(found))
    if isinstance(phrases, PhraseRule):
        phrases = phrases.own(column, readings, of, said)
    return readings.words(column, finder, where, of, said, rows, topics, elsewhere, phrases)


def texts_of_column(finder: Finder | None, column: Column, readings: Readings) -> RecordTerms:
    """Reads the texts of a column into `readings`."""
    entries, single = column.kind != "text", column.kind == "nominal"
    return RecordTerms(finder, readings.add, entries=entries, single=single, words=column.phrases == "words")


def reader(finder: Finder | None, column: Column) -> LogRelease:
    """How the texts of a record are read; without a finder every value is its own concept."""
    if finder is None:
        return lambda texts: [TextTerms([(tidy(text), 0)], []) for text in texts]
    entries, single = column.kind != "text", column.kind == "nominal"
    return lambda texts: terms_of(finder, texts, entries=entries, single=single, words=column.phrases == "words")


def _in(values: Taxonomy) -> MapsTo:
    def maps_to(word: str) -> int | None:
        at = values.ids.find(word, values.id_order)
        return at if at >= 0 else None

    return maps_to


def _longs(values: "array[int]") -> Long:
    return np.array(values, np.int64)
