"""taxonym taxonomy cut, taxonym taxonomy check --data: hierarchies for the values of a column"""

import argparse
import csv
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from taxonym.cli.anonymize import check_places
from taxonym.cli.shared import chosen_taxonomy, drafted, show_json
from taxonym.errors import BadInput, BadPlan, UnknownTerms
from taxonym.io.atomic import whole_file
from taxonym.knowledge.cut import ColumnValue, Hierarchy, check_levels, cut
from taxonym.knowledge.ranges import date_ranges, number_ranges
from taxonym.knowledge.strings import fold
from taxonym.plan import Plan, read_plan
from taxonym.plan.meaning import finder_of
from taxonym.records.column import KINDS, Column, one_of
from taxonym.records.table import Table
from taxonym.text.finder import Finder
from taxonym.text.terms import TextTerms, terms_of
from taxonym.text.votes import learn_column

SHOWN = 20  # missing values that are listed
_RANGES: dict[str, Callable[..., Hierarchy]] = {"number": number_ranges, "date": date_ranges}


@dataclass(frozen=True, slots=True)
class _Source:
    """A column of a file, how it is read, and what its words are looked for in."""

    plan: Plan
    column: Column
    path: str
    finder: Finder | None

    def table(self, column: Column) -> Table:
        given = self.plan.input
        return Table.of(self.path, {column.name: column}, missing=given.missing, dialect=given.dialect)


def make(options: argparse.Namespace) -> int:
    """taxonym taxonomy cut"""
    check_levels(options.levels)
    source = _source(options)
    column = source.column
    if options.output:
        named = [name for name in (*column.taxonomy, column.overrides, column.subject) if name]
        check_places(source.path, [options.output], [options.plan, *map(source.plan.located, named)])
    if source.finder is None:
        made = _ranges(source, options.levels)
    else:
        made = cut(source.finder.taxonomy, _values(source, source.finder), options.levels)
    if not made.rows:
        raise BadInput(f"{source.path}: column {column.name!r}: holds no value, so there is nothing to generalise.")
    text = _written(made)
    if options.output:
        with whole_file(Path(options.output), private=True) as file:
            file.write(text.encode())
    if options.json:
        rows = {"file": options.output} if options.output else {"rows": made.rows}
        found = {"values": len(made.rows), "without_concept": made.unplaced, "levels": made.levels, "cost": made.cost}
        return show_json({"column": column.name, **found, **rows})
    if not options.output:
        print(text, end="")
    print(_told(source, made, options.output), file=sys.stdout if options.output else sys.stderr)
    return 0


def against(options: argparse.Namespace) -> list[str]:
    """The second part of taxonym taxonomy check: every value of the column must be in the hierarchy."""
    source = _source(options, as_written=True)
    finder, first, held = cast(Finder, source.finder), dict[str, int](), Counter[str]()
    for row, texts in _cells(source):
        missing: list[str] = []
        for text in texts:
            if source.column.kind != "text":
                missing += [text] if finder.whole_choice(text) is None else []
            else:
                missing += terms_of(finder, [text], entries=False)[0].unknown
        for value in dict.fromkeys(missing):
            first.setdefault(value, row)
            held[value] += 1
    where = f"{source.path}: column {source.column.name!r}"
    if first:
        raise UnknownTerms(
            f"{where}: {len(first):,} values in {held.total():,} places are not in {options.file} (first in rows "
            f"{_some(first.values())}). Add a line for each; --show-values shows them to you.",
            [(row, value) for value, row in first.items()],
            finder.taxonomy.keys,
        )
    return [f"{where}: every value is in it."]


def private_lines(error: UnknownTerms) -> Iterator[str]:
    """What the unknown terms are, with the nearest label of each: only for who asked with --show-values."""
    labels = list(error.labels)
    for row, term in error.terms[:SHOWN]:
        near = get_close_matches(fold(term), labels, 1)
        yield f"  row {row}: {term!r}" + (f", nearest label: {near[0]!r}" if near else "")
    if len(error.terms) > SHOWN:
        yield f"  and {len(error.terms) - SHOWN:,} more"


# ---------------------------------------------------------------------- the column


def _source(options: argparse.Namespace, as_written: bool = False) -> _Source:
    """The plan's column, or one as the options and a look at the file say.

    `as_written`: numbers and dates are words like others, and what the plan says about another taxonomy does not count.
    """
    if not options.column:
        raise BadPlan("--column: name the column of --data.")
    files = tuple(options.file.split(",")) if options.file else ()
    plan, column = _planned(options, files) if options.plan else (None, _described(options, files))
    if column.kind not in _RANGES and not column.taxonomy:
        raise BadPlan("taxonomy: name one to look the values up in, or say --kind number or --kind date.")
    if as_written:
        split: dict[str, Any] = {"separator": column.separator} if column.kind == "set" else {}
        kind = "nominal" if column.kind in _RANGES else column.kind
        column = Column(name=column.name, role=column.role, kind=kind, taxonomy=files, **split)
    plan = plan or Plan(columns={column.name: column})
    path = options.data or (plan.located(plan.input.path) if plan.input.path else None)
    if path is None:
        raise BadPlan("--data: name the file that has the column.")
    loaded = {file: chosen_taxonomy(file, options) for file in files}
    return _Source(plan, column, path, finder_of(column, plan, loaded))


def _planned(options: argparse.Namespace, files: tuple[str, ...]) -> tuple[Plan, Column]:
    plan = read_plan(options.plan)
    if options.column not in plan.columns:
        raise BadPlan(f"{options.plan}: columns.{options.column}: is not there. It has {', '.join(plan.columns)}.")
    column = replace(plan.columns[options.column], role="quasi-identifier")
    if files:
        column = replace(column, taxonomy=files)
    return plan, column


def _described(options: argparse.Namespace, files: tuple[str, ...]) -> Column:
    settings: dict[str, Any] = {}
    if options.kind:
        one_of("--kind", options.kind, KINDS)
        settings["kind"] = options.kind
    elif files and options.data:
        with suppress(BadInput):  # then nothing can be guessed; what is wrong will be met again
            seen = drafted(options.data, options.file)[0].columns.get(options.column)
            if seen is not None and seen.role == "quasi-identifier" and seen.kind not in _RANGES:
                settings = {"kind": seen.kind, "separator": seen.separator}
    if options.separator:
        settings |= {"kind": "set", "separator": options.separator}
    if settings.get("kind") not in _RANGES:
        settings["taxonomy"] = files
        for key in ("senses", "overrides", "category", "spelling"):
            if (value := getattr(options, key, None)) is not None:
                settings[key] = value
    return Column(name=options.column, role="quasi-identifier", **settings)


def _cells(source: _Source) -> Iterator[tuple[int, list[str]]]:
    """The texts of every row; those of a text are its lines."""
    table = source.table(source.column)
    for record, texts in enumerate(table.terms(source.column.name)):
        if source.column.kind == "text":
            texts = [line for text in texts for line in text.splitlines()]
        yield record + 1, texts


def _values(source: _Source, finder: Finder) -> list[ColumnValue]:
    """What the column holds: entries as a whole, of texts the terms; each with its concept and its records."""
    entries, counts = source.column.kind != "text", Counter[tuple[str, int | None]]()
    seen: dict[str, TextTerms] = {}
    cells = [texts for _, texts in _cells(source)]
    finder = learn_column(finder, cells, range(len(cells)), entries=entries)
    for texts in cells:
        if finder.policy.record:
            said = terms_of(finder, texts, entries=entries, single=True)
        else:
            for text in texts:
                if text not in seen:
                    seen[text] = terms_of(finder, [text], entries=entries, single=True)[0]
            said = [seen[text] for text in texts]
        held: set[tuple[str, int | None]] = {pair for one in said for pair in one.known}
        counts.update(held | {(phrase, None) for one in said for phrase in one.unknown})
    return [ColumnValue(text, code, records) for (text, code), records in counts.items()]


def _ranges(source: _Source, levels: int) -> Hierarchy:
    """Numbers and dates, each under all ways in which it is written."""
    column = source.column
    plain = Column(name=column.name, role="quasi-identifier")
    texts = source.table(plain).frame[column.name].to_list()
    values = source.table(column).frame[column.name].to_list()
    records = Counter(text for text in texts if text is not None)
    known = {text: value for text, value in zip(texts, values, strict=True) if text is not None}
    return _RANGES[column.kind](known, records, levels)


# ---------------------------------------------------------------------- what is written and told


def _written(made: Hierarchy) -> str:
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(made.header)
    rows.writerows(made.rows)
    return out.getvalue()


def _told(source: _Source, made: Hierarchy, out: str | None) -> str:
    name, plural = source.column.name, "" if made.levels == 1 else "s"
    lines = [
        f"{out or 'Hierarchy'}: {len(made.rows):,} values of column {name!r}, {made.levels} level{plural} above them.",
        "Private: it lists the values of the file. Keep it like the file itself.",
    ]
    if made.unplaced and source.finder is not None:
        lines.append(
            f"{made.unplaced:,} values have no concept in {source.finder.taxonomy.name} and stand right below the top, "
            f"in the last lines. Put them where they belong."
        )
    if out:
        lines.append(
            f"Edit it, look at it with 'taxonym taxonomy check {out} --data {source.path} --column {name}', and name "
            f'it in a plan: taxonomy = "{out}".'
        )
    return "\n".join(lines)


def _some(rows: Iterable[int]) -> str:
    listed = list(rows)
    return ", ".join(map(str, listed[:5])) + (", …" if len(listed) > 5 else "")
