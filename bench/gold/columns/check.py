"""Check the gold set of columns: ids, kinds, repeated values, the split by lot; print the counts.

    python bench/gold/columns/check.py [FOLDER]

Every fault is printed with its file and line; the exit code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import taxonym
from taxonym import Taxonomy
from taxonym.errors import TaxonymError

FIELDS = ["column", "value", "accepted", "parts", "kind", "note"]
KINDS = ("words", "sex", "yes-no", "scale", "state", "country", "language", "age", "range", "date", "code", "missing")
NOTHING = "-"  # among the accepted ids: to find no concept is right, too
SURVEY = "survey/"  # columns of codes, which go into a half as a whole
SEED = 20
LEAST = 150


@dataclass(frozen=True, slots=True)
class GoldValue:
    """One value of a column, and what a careful reader of that column takes it for."""

    place: str
    column: str
    value: str
    accepted: tuple[str, ...]
    parts: tuple[str, ...]
    kind: str

    def right(self, ids: list[str]) -> bool:
        """Whether a mapping of this value is right: an accepted concept, and beside it nothing but parts."""
        if not ids:
            return NOTHING in self.accepted
        return any(one in self.accepted for one in ids) and set(ids) <= {*self.accepted, *self.parts}


def read_gold(path: Path) -> Iterator[GoldValue]:
    """The values of one half."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != FIELDS:
            raise SystemExit(f"{path.name}: the header must be {','.join(FIELDS)}.")
        for row in reader:
            accepted, parts = tuple(row["accepted"].split()), tuple(row["parts"].split())
            yield GoldValue(f"{path.name}:{reader.line_num}", row["column"], row["value"], accepted, parts, row["kind"])


def split(values: dict[str, list[str]]) -> set[tuple[str, str]]:
    """The (column, value) pairs of the dev half: by lot within each column, columns of codes as a whole.

    `values` has the kind of a column of codes as its key's third part (survey/KIND/COLUMN).
    """
    draw = random.Random(SEED)
    dev: set[tuple[str, str]] = set()
    codes: dict[str, list[str]] = {}
    for column in sorted(values):
        if column.startswith(SURVEY):
            kind, name = column.removeprefix(SURVEY).split("/")
            codes.setdefault(kind, []).append(name)
            continue
        mixed = sorted(values[column])
        draw.shuffle(mixed)
        dev |= {(column, value) for value in mixed[: len(mixed) // 2]}
    for kind in sorted(codes):
        mixed = sorted(codes[kind])
        draw.shuffle(mixed)
        for name in mixed[: len(mixed) // 2]:
            dev |= {(SURVEY + name, value) for value in values[f"{SURVEY}{kind}/{name}"]}
    return dev


def faults(gold: GoldValue, tax: Taxonomy) -> Iterator[str]:
    """What is wrong with one line."""
    if gold.kind not in KINDS:
        yield f"kind {gold.kind!r}"
    if not gold.accepted:
        yield "nothing is accepted"
    for one in (*gold.accepted, *gold.parts):
        if one == NOTHING and one not in gold.parts:
            continue
        try:
            tax.code(one)
        except TaxonymError:
            yield f"{one!r} is no concept of WordNet"
    if len({*gold.accepted, *gold.parts}) < len(gold.accepted) + len(gold.parts):
        yield "an id stands there twice"
    if gold.kind not in ("words", "country") and gold.accepted != (NOTHING,):
        yield f"a value of kind {gold.kind} has concepts"


def main() -> int:
    """Check, report, count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).parent)
    folder: Path = parser.parse_args().folder
    tax = taxonym.load("wordnet")
    halves = {half: list(read_gold(folder / f"{half}.csv")) for half in ("dev", "test")}
    found = [f"{gold.place}: {fault}" for half in halves.values() for gold in half for fault in faults(gold, tax)]
    everything = [gold for half in halves.values() for gold in half]
    seen = Counter((gold.column, gold.value.lower()) for gold in everything)
    found += [f"{column}: {value!r} stands there {n} times" for (column, value), n in seen.items() if n > 1]
    found += _split_faults(halves, everything)
    more = list(read_gold(folder / "everyday_dev.csv"))
    found += [f"{gold.place}: {fault}" for gold in more for fault in faults(gold, tax)]
    twice = Counter((gold.column, gold.value.lower()) for gold in more)
    found += [f"{column}: {value!r} stands there {n} times" for (column, value), n in twice.items() if n > 1]
    print(f"{'column':24}{'dev':>6}{'test':>6}{'no concept is right':>22}{'several senses':>16}")
    for name in dict.fromkeys(gold.column.partition("/")[0] for gold in everything):
        mine = [gold for gold in everything if gold.column.partition("/")[0] == name]
        counts = [sum(gold.column.partition("/")[0] == name for gold in half) for half in halves.values()]
        nothing = sum(NOTHING in gold.accepted for gold in mine)
        several = sum(len(tax.codes(gold.value.lower())) > 1 for gold in mine)
        print(f"{name:24}{counts[0]:6}{counts[1]:6}{nothing:22}{several:16}")
        if sum(counts) < LEAST:
            found.append(f"{name}: {sum(counts)} values, fewer than {LEAST}")
    for fault in found:
        print(fault)
    print(f"{len(found)} faults" if found else "no fault")
    return 1 if found else 0


def _split_faults(halves: dict[str, list[GoldValue]], everything: list[GoldValue]) -> list[str]:
    kinds = {gold.column: gold.kind for gold in everything if gold.kind != "missing"}
    values: dict[str, list[str]] = {}
    for gold in everything:
        name = gold.column
        if name.startswith(SURVEY):
            name = f"{SURVEY}{kinds[gold.column]}/{gold.column.removeprefix(SURVEY)}"
        values.setdefault(name, []).append(gold.value)
    dev = split(values)
    wrong = dev ^ {(gold.column, gold.value) for gold in halves["dev"]}
    return [f"{column}: {value!r} is not in the half that the lot gives it" for column, value in sorted(wrong)]


if __name__ == "__main__":
    raise SystemExit(main())
