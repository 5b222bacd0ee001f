"""What is watched by l-diversity and t-closeness: what could be found out about a person beyond the masked record.

    values   of every confidential column: its concepts where it has a taxonomy, else its words, its numbers, its dates
    topics   the sensitive topics that a person's words fall under, in every column that names topics

All of it is what the original records of a unit say, not what is published for them. A unit without any value has the
value "none"; without any topic that is harmless.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from taxonym.distance.matrix import concept_distances
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.measure.diversity import Apart, ConfidentialAttribute
from taxonym.plan import Plan
from taxonym.plan.meaning import finder_of, topics_of
from taxonym.records.column import Column
from taxonym.records.records import Records
from taxonym.records.words import WordColumn, read_words
from taxonym.text.sensitive import Topics

MEASURE = "jaccard"  # between the values of a taxonomy, whatever guides the groups: a metric, which bounds need
TABLE = 4096  # values whose distances are kept in a table (128 MB); those of more are computed when they are needed


@dataclass(frozen=True, slots=True, eq=False)
class AttributeValues:
    """One attribute of the units, and where it comes from: the values or the topics of a column."""

    column: str
    what: str
    attribute: ConfidentialAttribute

    def __str__(self) -> str:
        return f"column {self.column!r}" + (" (its topics)" if self.what == "topics" else "")


def watched(units: Records, plan: Plan, progress: Progress = SILENCE) -> list[AttributeValues]:
    """Everything that is watched, in the order of the plan."""
    own = {column.column.name: column for column in units.columns}
    found: list[AttributeValues] = []
    for name, column in units.table.columns.items():
        masked = own.get(name)
        if isinstance(masked, WordColumn) and masked.topics is not None:
            found.append(
                AttributeValues(name, "topics", _topics(masked, masked.topics, [[i] for i in range(len(units))]))
            )
        elif masked is None and column.role == "confidential":
            found += _confidential(units, column, plan, progress)
    return found


def _confidential(units: Records, column: Column, plan: Plan, progress: Progress) -> list[AttributeValues]:
    """The values of a confidential column, and its topics if it names any."""
    every = [record for records in units.records for record in records]
    ends = np.cumsum([len(records) for records in units.records]).tolist()
    places = [list(range(end - len(records), end)) for end, records in zip(ends, units.records, strict=True)]
    if column.kind in ("number", "date"):
        return [AttributeValues(column.name, "values", _ordered(units.table.values(column.name)[every], places))]
    finder = finder_of(column, plan, dict[str, Taxonomy](), progress)
    cells = _cells(units, column, every)
    if column.kind == "text" and finder is not None:
        cells = [[line for text in texts for line in text.splitlines()] for texts in cells]
    kept = replace(column, on_unknown="keep-as-own-concept", on_empty="suppress")
    words = read_words(kept, cells, finder, units.table.where, range(len(cells)), None, progress)
    found = [AttributeValues(column.name, "values", _values(words, places))]
    topics = topics_of(column, plan, finder)
    return found if topics is None else [*found, AttributeValues(column.name, "topics", _topics(words, topics, places))]


def _cells(units: Records, column: Column, records: list[int]) -> list[list[str]]:
    """The terms of some records; a column that is kept may hold numbers and truth values as they are."""
    import polars as pl

    series = units.table.frame[column.name].gather(records)
    if column.kind == "set":
        return [terms or [] for terms in series.cast(pl.List(pl.String)).to_list()]
    return [[] if term is None else [term] for term in series.cast(pl.String).to_list()]


def _values(words: WordColumn, places: Sequence[Sequence[int]]) -> ConfidentialAttribute:
    """The concepts of every unit, who has those of its records; the last value is that of whoever has none."""
    used = np.unique(words.codes)
    number = {code: i for i, code in enumerate(used.tolist())}
    sets = [{number[code] for place in mine for code in words.record(place)} or {len(used)} for mine in places]
    apart = _by_meaning(words.tax, used.astype(np.int64)) if words.column.taxonomy else None
    return ConfidentialAttribute.of([sorted(mine) for mine in sets], len(used) + 1, apart=apart)


def _by_meaning(tax: Taxonomy, used: Long) -> Apart:
    """Distances between concepts; values that the taxonomy does not know, and what comes after them ("none"), are at 1
    from all others: that they stand below a root must not make them alike."""
    strange = np.append(np.array([code >= tax.base and tax.is_instance(code) for code in used.tolist()], bool), True)
    table = concept_distances(tax, used, used, MEASURE) if len(used) <= TABLE else None

    def apart(a: Long, b: Long) -> Floats:
        inside, within = a < len(used), b < len(used)
        made: Floats = (a[:, None] != b[None, :]).astype(np.float64)
        both = np.ix_(inside, within)
        made[both] = (
            concept_distances(tax, used[a[inside]], used[b[within]], MEASURE, threads=1)
            if table is None
            else table[np.ix_(a[inside], b[within])]
        )
        odd = (strange[a][:, None] | strange[b][None, :]) & (a[:, None] != b[None, :])
        made[odd] = 1.0
        return made

    return apart


def _ordered(values: Floats, places: Sequence[Sequence[int]]) -> ConfidentialAttribute:
    """Numbers by their order; a missing one stands outside it."""
    different = np.unique(values[~np.isnan(values)])
    code = np.where(np.isnan(values), len(different), np.searchsorted(different, values)).tolist()
    rank = np.append(np.arange(len(different), dtype=np.float64), np.nan)
    sets = [sorted({code[place] for place in mine}) for mine in places]
    return ConfidentialAttribute.of(sets, len(rank), order=rank)


def _topics(words: WordColumn, topics: Topics, places: Sequence[Sequence[int]]) -> ConfidentialAttribute:
    """The topics of every unit; the last value, which is harmless, is to have none of them."""
    n, concepts = topics.matrix.shape
    sets = []
    for mine in places:
        codes = [code for place in mine for code in words.record(place) if code < concepts]
        sets.append(np.flatnonzero(topics.matrix[:, codes].any(axis=1)).tolist() or [n])
    return ConfidentialAttribute.of(sets, n + 1, harmless=n)
