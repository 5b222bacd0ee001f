"""Random tables with their plans, and what a release must be, counted by hand from the original rows."""

import csv
import datetime as dt
import json
import random
from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.distance.registry import DISTANCES
from taxonym.distance.sets import AGGREGATIONS
from taxonym.knowledge import compiled
from taxonym.promises.ranges import range_of
from tests.strategies import taxonomies

SEED = 918273645
UNKNOWN = ["zzqa", "zzqb"]
KEPT = ["suppress", "keep-as-own-concept"]
Row = dict[str, Any]
Concept = tuple[str, Hashable]  # the column, and a code or the value itself


@dataclass
class Case:
    """Rows, and how they are to be published; in `columns` the taxonomy is only promised."""

    tax: Taxonomy
    rows: list[Row]
    columns: dict[str, dict[str, Any]]
    method: dict[str, Any]
    input: dict[str, Any]
    output: dict[str, Any] = field(default_factory=dict)

    def plan(self, folder: Path) -> dict[str, Any]:
        path = folder / "tax.taxonym"
        compiled.write(self.tax, path)
        columns = {n: c | ({"taxonomy": str(path)} if c.get("taxonomy") else {}) for n, c in self.columns.items()}
        return {"input": self.input, "columns": columns, "method": self.method, "output": self.output}

    @property
    def k(self) -> int:
        return int(self.method["k"])

    def person(self, row: int) -> Hashable:
        return self.rows[row]["who"] if self.input.get("person") else row

    def published(self) -> list[str]:
        return [name for name, c in self.columns.items() if c["role"] != "identifier"]

    def of_words(self) -> list[str]:
        quasi = {name: c for name, c in self.columns.items() if c["role"] == "quasi-identifier"}
        return [name for name, c in quasi.items() if c.get("kind") not in ("number", "date")]

    def terms(self, row: int, name: str) -> list[str]:
        cell = self.rows[row][name]
        return [] if cell is None else cell.split(";") if self.columns[name].get("kind") == "set" else [cell]

    def record(self, row: int) -> str:
        """What the record says that a row belongs to: the row itself, or all rows of its person together."""
        if self.input.get("person_rows") != "unite":
            return json.dumps([self.rows[row][name] for name in self.published()])
        mine = [i for i in range(len(self.rows)) if self.person(i) == self.person(row)]
        said: list[Any] = []
        for name in self.published():
            kind, values = self.columns[name].get("kind"), [v for i in mine if (v := self.rows[i][name]) is not None]
            if kind in ("number", "date"):
                said.append(sorted(values)[(len(values) - 1) // 2] if values else None)
            else:
                said.append(sorted({term for value in values for term in value.split(";")}))
        return json.dumps(said)

    def concept(self, name: str, word: str) -> Concept | None:
        """What a word of a column means, by the labels of the taxonomy alone."""
        column = self.columns[name]
        if not column.get("taxonomy"):
            return name, word
        if codes := self.tax.codes(word):
            return name, codes[0]
        return (name, word) if word in UNKNOWN or word == "(missing)" else None

    def above(self, concept: Concept) -> set[Concept]:
        """A concept and all above it. A value that is kept although the taxonomy does not know it stands below the root
        of its column, if there is one; to have no value is no kind of value."""
        name, code = concept
        if isinstance(code, int):
            return {(name, t) for t in self.tax.ancestors(code)}
        column, roots = self.columns[name], self.tax.roots
        kept = column.get("taxonomy") and column.get("on_unknown") == "keep-as-own-concept" and code != "(missing)"
        return {concept, (name, roots[0])} if kept and len(roots) == 1 else {concept}

    # ------------------------------------------------------------------ who holds and who wrote what

    def gap(self, row: int, name: str) -> list[str]:
        """What an empty cell says: nothing, where the rows of its person are united and another has a term."""
        mine = [other for other in range(len(self.rows)) if self.person(other) == self.person(row)]
        united = self.input.get("person_rows", "unite") == "unite"
        return [] if united and any(self.terms(other, name) for other in mine) else ["(missing)"]

    def held(self) -> dict[Hashable, set[Concept]]:
        """Everything that each person holds, in all columns together."""
        found: dict[Hashable, set[Concept]] = defaultdict(set)
        for row in range(len(self.rows)):
            mine = found[self.person(row)]
            for name in self.of_words():
                for term in self.terms(row, name) or self.gap(row, name):
                    if concept := self.concept(name, term):
                        mine |= self.above(concept)
        return found

    def items(self) -> dict[Hashable, set[Concept]]:
        """Everything that each person says, in all columns together."""
        found: dict[Hashable, set[Concept]] = defaultdict(set)
        for row in range(len(self.rows)):
            for name in self.of_words():
                said = (self.concept(name, term) for term in self.terms(row, name) or self.gap(row, name))
                found[self.person(row)] |= {concept for concept in said if concept}
        return found

    def writers(self, name: str, word: str) -> int:
        wrote = [self.terms(row, name) or self.gap(row, name) for row in range(len(self.rows))]
        return len({self.person(row) for row, terms in enumerate(wrote) if word in terms})


# ---------------------------------------------------------------------- random cases


@st.composite
def cases(draw: st.DrawFn, max_rows: int = 18, representative: str | None = None) -> Case:
    """Tables with sets and other columns, of persons with a row each or with several.

    What makes a difference is drawn; the cells come from a seed, which is faster and fills the tables better.
    """
    tax = draw(taxonomies(9).filter(lambda t: len(t) > 2) | taxonomies(3))
    dice = random.Random(draw(st.integers(0, 2**32)))
    tax = replace(tax, instance=np.array([dice.random() < 0.15 for _ in range(len(tax))], np.uint8))
    tax = replace(tax, fingerprint=compiled.fingerprint(tax))
    several = dice.random() < 0.6
    n = dice.randint(max(2, max_rows // 2), max_rows)
    people = [dice.randint(0, n // 2) for _ in range(n)] if several else dice.sample(range(99), n)
    labels = [tax.label(code) for code in range(len(tax))]
    words = [*labels, *labels, *(label.upper() for label in labels), *(UNKNOWN if dice.random() < 0.5 else [])]

    def some(*values: Any) -> Any:
        return None if dice.random() < 0.08 else dice.choice(values)

    cells: dict[str, Callable[[], Any]] = {
        "words": lambda: ";".join(dict.fromkeys(dice.choices(words, k=dice.choice([0, 1, 2, 2, 3, 4, 4])))) or None,
        "job": lambda: some(*words),
        "town": lambda: some("Ulm", "Ulm", "Pau", "Ely"),
        "age": lambda: some(7001.25, 7002.5, 7003.0, 7010.75),
        "born": lambda: some("1801-02-03", "1801-02-04", "1801-12-31"),
        "site": lambda: some("north", "north", "north", "north", "south"),
        "pay": lambda: dice.choice(["pay771", "pay772"]),
    }
    known = {"taxonomy": True, "on_unknown": draw(st.sampled_from(KEPT))}
    settings: dict[str, dict[str, Any]] = {
        "words": {"kind": "set", **known},
        "job": {"kind": "nominal", **known},
        "town": {"kind": "nominal"},
        "age": {"kind": "number"},
        "born": {"kind": "date"},
    }
    chosen = ["words", *draw(st.lists(st.sampled_from(list(cells)[1:]), min_size=1, max_size=4, unique=True))]
    columns: dict[str, dict[str, Any]] = {}
    for name in chosen:
        if name in settings:
            policy = {"on_empty": draw(st.sampled_from(KEPT)), "weight": dice.choice([0.5, 1.0, 3.0])}
            columns[name] = {"role": "quasi-identifier", **settings[name], **policy}
        else:
            columns[name] = {"role": "other" if name == "site" else "confidential"}
    rows = [
        {"who": f"Kowalska{who}", **{name: cells[name]() for name in chosen}, "unnamed": f"Secret{i}"}
        for i, who in enumerate(people)
    ]
    method = {
        "k": draw(st.integers(2, 3)),
        "known_items": draw(st.sampled_from([2, 3, 1, 0])),
        "consensus": draw(st.booleans()),
        "representative": representative or draw(st.sampled_from(["best", "best", "per-record"])),
        "aggregate": draw(st.sampled_from(sorted(AGGREGATIONS))),
        "measure": draw(st.sampled_from([*sorted(DISTANCES), "equal-terms"])),
        "name": draw(st.sampled_from(["refined", "mdav"])),
        "seed": SEED,
    }
    whose = {"person": "who", "person_rows": draw(st.sampled_from(["unite", "keep"]))} if several else {}
    if draw(st.booleans()):
        columns["who"] = {"role": "identifier"}
    return Case(tax, rows, columns, method, whose, {"shuffle": draw(st.booleans())})


# ---------------------------------------------------------------------- files, by other means than ours


def write_rows(rows: list[Row], path: Path) -> None:
    if path.suffix == ".csv":
        with path.open("w", newline="") as file:
            made = csv.DictWriter(file, list(rows[0]))
            made.writeheader()
            made.writerows(rows)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        text = pl.DataFrame(rows, schema={name: pl.Float64 if name == "age" else pl.String for name in rows[0]})
        text.write_parquet(path)


def read_rows(path: Path) -> list[Row]:
    """Cells as strings (sets joined by ";"), None where empty."""
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            return [{name: cell or None for name, cell in row.items()} for row in csv.DictReader(file)]
    found = (
        [json.loads(line) for line in path.read_text().splitlines()]
        if path.suffix == ".jsonl"
        else pl.read_parquet(path).to_dicts()
    )
    return [{name: _plain(value) for name, value in row.items()} for row in found]


def _plain(value: Any) -> str | None:
    return value if value is None else ";".join(value) if isinstance(value, list) else str(value)


# ---------------------------------------------------------------------- what must hold


def record_of(trail: list[Row]) -> dict[int, Row]:
    """The input record behind each row of the release, from 1."""
    return {record["release_row"]: record for record in trail if record["release_row"]}


def meant(case: Case, row: Row) -> set[Concept]:
    """The concepts of a published row; a word that means nothing is a fault."""
    found = {name: case.concept(name, w) for name in case.of_words() for w in split(row[name])}
    assert None not in found.values()
    return {c for name in case.of_words() for w in split(row[name]) if (c := case.concept(name, w))}


def split(cell: str | None) -> list[str]:
    return cell.split(";") if cell else []


def check_classes(case: Case, rows: list[Row], trail: list[Row]) -> None:
    """At least k persons in every class: equal in all columns but confidential ones (words: by concept, if drawn)."""
    records, persons = record_of(trail), defaultdict(set)
    assert sorted(records) == list(range(1, len(rows) + 1))
    open_ = [name for name in case.published() if case.columns[name]["role"] != "confidential"]
    by_concept = case.method["representative"] == "per-record"
    for number, row in enumerate(rows, 1):
        assert list(row) == case.published()
        plain = tuple(row[name] for name in open_ if not by_concept or name not in case.of_words())
        key = (plain, frozenset(meant(case, row)) if by_concept else None)
        persons[key].add(case.person(records[number]["rows"][0] - 1))
    assert all(len(whose) >= case.k for whose in persons.values())


def check_support(case: Case, rows: list[Row]) -> None:
    """The support rule for every published record, over all its columns together, and for every printed word."""
    held, k, m = case.held(), case.k, case.method["known_items"]
    for concepts in {frozenset(meant(case, row)) for row in rows}:
        for size in range(1, m + 1):
            for some in combinations(concepts, size):
                assert sum(mine.issuperset(some) for mine in held.values()) >= k
    printed = {(column, word) for row in rows for column in case.of_words() for word in split(row[column])}
    for name, word in printed:
        concept = case.concept(name, word)
        assert concept is not None
        own, names = concept[1], []  # nobody's own word is a name
        if isinstance(own, int) and not case.tax.is_instance(own):
            names = [*case.tax.labels(own), case.tax.id(own)]
        assert case.writers(name, word) >= k or word in names


def check_all_accounted_for(case: Case, rows: list[Row], trail: list[Row], report: Row) -> None:
    """Every input row is in one record, which is published once or counted as suppressed."""
    assert sorted(row for record in trail for row in record["rows"]) == list(range(1, len(case.rows) + 1))
    lost = [record for record in trail if not record["release_row"]]
    assert len(lost) + len(rows) == len(trail)
    persons = {case.person(record["rows"][0] - 1) for record in lost}
    counted = report["records"]["suppressed_persons"]
    assert all(n == "<k" or (n >= case.k and n % case.k == 0) for n in counted.values())
    least = [0 if n == "<k" else n - case.k + 1 for n in counted.values()]
    most = [case.k - 1 if n == "<k" else n + case.k - 1 for n in counted.values()]
    published = {case.person(record["rows"][0] - 1) for record in trail if record["release_row"]}
    assert max(least, default=0) <= len(persons)
    assert len(persons - published) <= sum(most)  # of others some rows are left out, which are surplus


def check_ranges(case: Case, rows: list[Row], trail: list[Row]) -> None:
    """A published range holds the values of all members of its group; an empty cell says nothing."""
    records = record_of(trail)
    for name in {"age", "born"} & set(case.columns):
        united = bool(case.input.get("person")) and case.input.get("person_rows", "unite") == "unite"
        members: dict[int, list[Any]] = defaultdict(list)
        for record in trail:
            if record["group"] is not None and not (
                united and len(record["rows"]) > 1
            ):  # the middle one stands for all
                members[record["group"]] += [case.rows[row - 1][name] for row in record["rows"]]
        for number, row in enumerate(rows, 1):
            if row[name] is None:
                continue
            low, high = range_of(str(row[name]), date=name == "born") or (1.0, 0.0)
            for value in members[records[number]["group"]]:
                assert value is not None
                at = (dt.date.fromisoformat(value) - dt.date(1970, 1, 1)).days if name == "born" else value
                assert low <= at < high
