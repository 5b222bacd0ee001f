"""What can be checked of a release by noise, from its file alone: every word is one that the plan lets come out.

That draws were made at random, with the strength that the plan names, is a property of the program that made them. No
file can prove it, and none proves k, which noise does not promise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.measure.noise import noise_loss
from taxonym.methods.noise.column import UNKNOWN_WORD, NoiseColumn, noise_columns_of
from taxonym.methods.noise.records import with_usual_outcomes
from taxonym.plan import Noise, Plan
from taxonym.promises import Epsilon, main_promise
from taxonym.promises.classes import published_words
from taxonym.publish.noise.semantic import SHAPES
from taxonym.records.column import Column
from taxonym.records.records import Records
from taxonym.shapes.codebook import Codebook, words_of
from taxonym.shapes.table.form import table_faults
from taxonym.shapes.table.recompute import check_kept
from taxonym.shapes.table.release_pair import TableReleasePair
from taxonym.shapes.table.reread import Trail, places, published_columns, read_release

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class NoiseProof:
    """What was looked at, and what is wrong with it."""

    promise: str
    rows: int
    words: int
    checked: tuple[str, ...]
    broken: tuple[str, ...]
    private: bool

    @property
    def holds(self) -> bool:
        return self.rows > 0 and not self.broken

    @property
    def why(self) -> tuple[str, ...]:
        return self.broken

    @property
    def unproved(self) -> str:
        if self.private and self.promise != Epsilon.name:
            return "anything about k or ε: a run with a seed promises neither, since who knows it replays the draws."
        if self.private:
            return (
                "that its words were drawn with the ε of the plan, from the operating system's generator and for every "
                "record once: that rests on the program, not on the file. Nothing is promised about k."
            )
        return "anything about k or ε: noise promises neither, and makes guessing harder, no more."

    def as_data(self) -> dict[str, Any]:
        return {
            "promise": self.promise,
            "k": None,
            "holds": self.holds,
            "rows": self.rows,
            "classes": None,
            "smallest_class": None,
            "classes_below_k": None,
            "counted": "rows",
            "words": self.words,
            "checked": list(self.checked),
            "broken": list(self.broken),
            "cannot_be_proved": self.unproved,
        }


def check_words(
    frame: "pl.DataFrame",
    columns: Sequence[NoiseColumn],
    published: Mapping[str, Column],
    plan: Plan,
    where: str,
    rows: int | None = None,
) -> NoiseProof:
    """Whether a table has the columns that are published, every word of them is allowed, and `rows` rows."""
    private, count, broken = Noise.of(plan).private, 0, []
    if set(frame.columns) != set(published):
        broken.append(f"{where}: its columns are not those that the plan publishes.")
    for column in columns:
        name = column.column.name
        if name not in frame.columns:
            continue
        allowed = {*column.names.values(), *([UNKNOWN_WORD] if private else [])}
        different, times = _different(frame, name)
        cells = [published_words(different, shown, where) for shown in _shown(published[name], plan, different)]
        fixed = column.size if private else column.column.set_size
        wrong = large = 0
        for n, *ways in zip(times, *cells, strict=True):
            words = next((some for some in ways if allowed.issuperset(some)), None)
            wrong += n * (words is None)
            count += n * len(words or ())
            large += n * (fixed is not None and len(words or ()) > fixed)
        if wrong:
            broken.append(f"{where}: column {name!r}: {wrong:,} rows hold a word that the plan does not let come out.")
        if large:
            broken.append(f"{where}: column {name!r}: {large:,} rows hold more than {fixed} words.")
    if rows is not None and frame.height != rows:
        broken.append(f"{where}: has {frame.height:,} rows, not {rows:,}.")
    checked = ["no other column is published", "every word is the name of a concept of the plan's domain, no instance"]
    checked += ["no cell holds more words than its set size"] if private else []
    return NoiseProof(main_promise(plan).name, frame.height, count, tuple(checked), tuple(broken), private)


def _different(frame: "pl.DataFrame", name: str) -> tuple["pl.DataFrame", list[int]]:
    """The different cells of a column, and how often each occurs; lists are taken one by one."""
    import polars as pl

    cells = pl.DataFrame([frame[name]])
    if cells.schema[name] != pl.String:
        return cells, [1] * frame.height
    counted = cells.rename({name: "0"}).group_by("0").len()
    return counted.select(pl.col("0").alias(name)), counted["len"].to_list()


def _shown(column: Column, plan: Plan, cells: "pl.DataFrame") -> list[Column]:
    """How the cells of a column may be read: the values of a person who has several rows may be a set, and are one
    where the file has lists."""
    import polars as pl

    if isinstance(cells.schema[column.name], pl.List):
        return [replace(column, kind="set")]
    if plan.input.person and plan.input.person_rows == "unite" and column.kind == "nominal":
        return [column, replace(column, kind="set")]
    return [column]


def verify_noise(
    path: str | Path,
    plan: Plan,
    units: Records | None = None,
    trail: Trail | None = None,
    codebook: Codebook | None = None,
) -> NoiseProof:
    """Check a written release. With the original and the trail also that kept columns hold what they held, that nobody
    is missing where ε was promised, and that noise left no value as it was."""
    frame, columns = read_release(path, plan), noise_columns_of(plan)
    if units is not None:
        columns = with_usual_outcomes(columns, units, plan)
    published = {name: column.published for name, column in plan.columns.items() if column.role != "identifier"}
    proof = check_words(frame, columns, published, plan, str(path))
    faults = [] if trail is None else trail.changed_release(path)
    faults += table_faults(path, frame, plan, published_columns(plan, units))
    if codebook is not None:
        faults += codebook.faults_beside(noise_codebook(frame, columns, published, plan))
    odd = tuple(f"{path}: {fault}." for fault in faults)
    if units is None or trail is None or not proof.holds:
        return replace(proof, broken=(*proof.broken, *odd))
    trail.check_records(units)
    unit, checked, broken = places(path, frame, plan, units, trail), list(proof.checked), []
    check_kept(str(path), frame, units, plan, trail.rows(units, frame.height), np.arange(frame.height))
    checked.append("columns that are kept hold the cells of the records that the trail names")
    if proof.private:
        checked.append("nobody is left out")
        if frame.height != len(units.table):
            broken.append(f"{path}: has {frame.height:,} rows where the original has {len(units.table):,} records.")
    elif Noise.of(plan).noise_mechanism in SHAPES and any(words.column.kind == "nominal" for words in units.words):
        checked.append("no single value is published as it was")
        broken += _unmasked(str(path), frame, units, columns, np.asarray(unit))
    return replace(proof, checked=tuple(checked), broken=(*broken, *odd))


def noise_codebook(
    frame: "pl.DataFrame", columns: Sequence[NoiseColumn], published: Mapping[str, Column], plan: Plan
) -> Codebook:
    """What the words of a release by noise stand for. Those for a value without a concept stand for none."""
    said = {}
    for column in columns:
        code = {name: number for number, name in column.names.items()}
        name = column.column.name
        ways = [words_of(frame, shown) for shown in _shown(published[name], plan, frame)]
        words = next((some for some in ways if some <= {*code, UNKNOWN_WORD}), ways[0])
        said[name] = words, column.finder.taxonomy, code.get
    return Codebook.of(said)


class NoiseReleasePair(TableReleasePair):
    """A table beside a release of it that was made by noise."""

    def loss(self, rng: np.random.Generator) -> dict[str, Any]:
        return super().loss(rng) | {"noise": noise_of_release(self)}


def noise_of_release(compared: TableReleasePair) -> list[Any]:
    """What noise did to every column of single values of a written release."""
    found, unit = [], compared.masked.record
    for column, words in zip(noise_columns_of(compared.plan), compared.units.words, strict=True):
        if words.column.kind != "nominal":
            continue
        code = {name: number for number, name in column.names.items()}
        shown = compared.words[words.column.name]
        pairs = [
            (words.record(int(i)), code.get(cell[0]) if cell else None) for i, cell in zip(unit, shown, strict=True)
        ]
        both = [(own[0], new) for own, new in pairs if len(own) == 1 and new is not None]
        if both:
            x, z = (column.domain.inside([pair[side] for pair in both]) for side in (0, 1))
            method = Noise.of(compared.plan)
            alpha = method.strength if method.noise_mechanism in SHAPES else None
            loss = noise_loss(column.domain, x, z, alpha=alpha)
            tax = column.finder.taxonomy
            means = {key: tax.label(getattr(loss, key)) for key in ("mean_before", "mean_after")}
            found.append(column.as_data() | {"values": len(both), "figures": loss.as_data() | means})
    return found


def _unmasked(
    where: str, frame: "pl.DataFrame", units: Records, columns: Sequence[NoiseColumn], unit: Any
) -> list[str]:
    """Columns of single values in which some are published as they were."""
    found = []
    for column, words in zip(columns, units.words, strict=True):
        if words.column.kind != "nominal":
            continue
        code = {name: number for number, name in column.names.items()}
        shown = [code[cell[0]] if cell else None for cell in published_words(frame, words.column.published, where)]
        same = sum(words.record(int(i)) == (shown[row],) for row, i in enumerate(unit))
        if same:
            found.append(f"{where}: column {words.column.name!r}: {same:,} rows hold the value of their record.")
    return found
