"""What noise has to know of a column beforehand, kept in a file: made once from data, used for records that come later.

The file is computed from the original values, so it is private; with frequencies it tells how often each value occurs.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.errors import BadInput, BrokenPromise, UnknownConcept
from taxonym.io.atomic import whole_file
from taxonym.knowledge.arrays import Floats, Ints, Long
from taxonym.knowledge.runs import frozen
from taxonym.measure.nominal import Statistics, statistics
from taxonym.methods.noise.column import NoiseColumn
from taxonym.methods.noise.outcomes import usual_concepts, usual_lengths
from taxonym.publish.noise.correlated import correlation, scores
from taxonym.records.records import Records
from taxonym.records.words import WordColumn

NOTICE = "PRIVATE: computed from the original values, not for publication."
MADE_WITH = ("taxonomy_fingerprint", "category", "measure", "content")
WRONG = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, UnknownConcept)  # what damage leads to


@dataclass(frozen=True, slots=True)
class ColumnStatistics:
    """The statistics of a column, where they come from, and how often each code of the domain occurs, if told."""

    statistics: Statistics
    source: str
    counts: Mapping[int, int] | None = None
    usual: Ints | None = None  # codes of the domain that k persons have
    lengths: tuple[int, ...] = ()  # numbers of words that a cell may be published with


class StatisticsFile:
    """The statistics of some columns, and how the distances to their means are correlated."""

    __slots__ = ("columns", "correlations", "k", "where")

    def __init__(self, path: str | Path, k: int) -> None:
        self.where, self.k = str(path), k
        try:
            given = json.loads(Path(path).read_text("utf-8"))
            self.columns: dict[str, dict[str, Any]] = given["columns"]
            self.correlations: dict[str, Any] | None = given.get("correlation")
            if given["taxonym_statistics"] != 1 or not all(isinstance(said, dict) for said in self.columns.values()):
                raise ValueError
        except OSError as error:
            raise BadInput(f"{path}: cannot be read ({error.strerror}). Make it with 'taxonym stats'.") from None
        except (*WRONG, RecursionError):
            raise BadInput(f"{path}: is not a file of statistics. Make it with 'taxonym stats'.") from None

    def of(self, column: NoiseColumn) -> ColumnStatistics | None:
        """Those of a column, made with the same taxonomy, category and measure; None if the file has none."""
        name = column.column.name
        if name not in self.columns:
            return None
        said, own = self.columns[name], made_with(column)
        for key in MADE_WITH:
            if said.get(key) != own[key]:
                raise BadInput(
                    f"{self.where}: column {name!r}: was made with another {key.split('_')[0]} than the plan names. "
                    f"Make it again with 'taxonym stats --plan'."
                )
        try:
            tax, inner = column.finder.taxonomy, column.domain.inner
            mean, variance = int(inner[tax.code(said["mean"])]), float(said["variance"])
            counts = said.get("frequencies")
            found = counts and {int(inner[tax.code(id)]): int(n) for id, n in counts.items()}
            usual, k = said.get("usual"), said.get("k")
            some = None if usual is None or k != self.k else frozen(sorted(int(inner[tax.code(id)]) for id in usual))
            lengths = tuple(map(int, said.get("lengths", ()))) if k == self.k else ()
            known = ColumnStatistics(Statistics(mean, variance, int(said["values"])), "file", found, some, lengths)
            if (
                mean < 0
                or any(n < 1 for n in lengths)
                or not 0 <= variance <= 1
                or (found and (min(found) < 0 or min(found.values()) < 0))
            ):
                raise ValueError
        except WRONG:
            raise BadInput(f"{self.where}: column {name!r}: is damaged. Make it again with 'taxonym stats'.") from None
        return known

    def correlation(self, names: Sequence[str]) -> Floats | None:
        """The correlations between these columns, if the file has them."""
        said = self.correlations
        try:
            if said is None or not set(names) <= set(said["columns"]):
                return None
            places = [said["columns"].index(name) for name in names]
            matrix: Floats = np.array(said["matrix"], np.float64)[np.ix_(places, places)]
            if not (np.abs(matrix) <= 1 + 1e-9).all() or not np.allclose(matrix, matrix.T):
                raise ValueError
        except WRONG:
            raise BadInput(f"{self.where}: its correlation is damaged. Make it again with 'taxonym stats'.") from None
        return matrix


def made_with(column: NoiseColumn) -> dict[str, Any]:
    """What the distances in a column depend on: statistics that were made with anything else are of no use."""
    said = _domain(column)
    return {key: said[key] for key in MADE_WITH}


def _domain(column: NoiseColumn) -> dict[str, Any]:
    """What a private file tells of the domain of a column."""
    return column.as_data() | {"content": column.content, "taxonomy_fingerprint": column.finder.taxonomy.fingerprint}


def column_values(column: NoiseColumn, words: WordColumn) -> tuple[Ints, Long]:
    """The values of a column as codes of its domain, and the record of each."""
    inner, row = column.inside(words.codes), words.owner
    known = inner >= 0
    return frozen(inner[known]), row[known]


def known_of(
    columns: Sequence[NoiseColumn], words: Sequence[WordColumn] | None, file: StatisticsFile | None
) -> list[ColumnStatistics | None]:
    """What is known of each column: declared in the plan, from the file, or computed from the values."""
    found: list[ColumnStatistics | None] = []
    for i, column in enumerate(columns):
        declared = column.declared()
        if declared is not None:
            found.append(ColumnStatistics(declared, "declared"))
        elif file is not None and (said := file.of(column)) is not None:
            found.append(said)
        else:
            values = column_values(column, words[i])[0] if words is not None else frozen([])
            found.append(ColumnStatistics(statistics(column.domain, values), "computed") if len(values) else None)
    return found


def check_varies(column: NoiseColumn, known: ColumnStatistics) -> None:
    """Refuse a column that errors would leave as it is: without variance all of them are 0, and 0 keeps the value."""
    if known.statistics.variance == 0:
        raise BrokenPromise(
            f"column {column.column.name!r}: the values that its variance was computed from are all alike, so noise "
            f"would publish every value as it is. Declare a mean and a variance for it in the plan, or, if it may be "
            f"published, make its role 'other'."
        )


def score_table(columns: Sequence[NoiseColumn], values: Sequence[tuple[Ints, Long]], means: Sequence[int]) -> Floats:
    """The distance of every value to its column's mean, for the records that have one value in every column."""
    n = 1 + max((int(row.max(initial=-1)) for _, row in values), default=-1)
    table = np.full((n, len(columns)), np.nan)
    for j, (column, (codes, row), mean) in enumerate(zip(columns, values, means, strict=True)):
        table[row, j] = scores(column.domain, codes, mean)
    whole: Floats = table[~np.isnan(table).any(axis=1)]
    return whole


def lengths_of(column: NoiseColumn, words: WordColumn, row: Long, persons: Long, k: int) -> tuple[int, ...]:
    """How many words a cell may be published with: what the plan says, or what k persons have; () for single values."""
    if words.column.kind == "nominal":
        return ()
    if column.column.set_size is not None:
        return tuple(range(1, column.column.set_size + 1))
    return usual_lengths(np.bincount(row, minlength=len(words)), persons, k)


def write_statistics(
    path: str | Path, columns: Sequence[NoiseColumn], units: Records, frequencies: bool, k: int
) -> dict[str, Any]:
    """Compute and write what noise has to know of some columns; the file is its owner's."""
    values = [column_values(column, some) for column, some in zip(columns, units.words, strict=True)]
    made: dict[str, Any] = {"taxonym_statistics": 1, "notice": NOTICE, "columns": {}}
    means = []
    for column, words, (codes, row) in zip(columns, units.words, values, strict=True):
        found = statistics(column.domain, codes)
        tax, outer = column.finder.taxonomy, column.domain.outer
        means.append(found.mean)
        said = _domain(column) | {
            "mean": tax.id(int(outer[found.mean])),
            "mean_label": tax.label(int(outer[found.mean])),
            "variance": found.variance,
            "values": found.values,
            "k": k,
            "usual": [tax.id(int(outer[code])) for code in usual_concepts(codes, units.persons[row], k).tolist()],
        }
        if lengths := lengths_of(column, words, row, units.persons, k):
            said["lengths"] = list(lengths)
        if frequencies:
            used, times = np.unique(codes, return_counts=True)
            ids = [tax.id(int(outer[code])) for code in used.tolist()]
            said["frequencies"] = dict(zip(ids, times.tolist(), strict=True))
        made["columns"][column.column.name] = said
    if len(columns) > 1 and all(column.column.kind == "nominal" for column in columns):
        table = score_table(columns, values, means)
        if len(table):
            names = [column.column.name for column in columns]
            made["correlation"] = {"columns": names, "matrix": correlation(table).tolist()}
    with whole_file(Path(path), private=True) as file:
        file.write((json.dumps(made, ensure_ascii=False, indent=2) + "\n").encode())
    return made
