"""A checker written apart from the product: reads an original, a plan, a release and its trail, and finds what is told
of fewer than k persons.

It knows the rules of publishing and the forms of published cells, nothing of how a release is made. All counting is
brute force over sets of persons; of the product it takes only the parents and labels of a taxonomy. A holder of an item
is a person of the release who has it: in one row where rows stay apart, in any of them where rows are united.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import inf
from statistics import median_low
from typing import Any

from taxonym import Taxonomy
from tests.checker_cells import MISSING, Column, Reading, number, steps

Row = Mapping[str, Any]

P_PERCENT = Fraction(15, 100)  # the second largest of a mean must not estimate the largest as well as that
FINEST = 100  # steps between the quartiles of a column: an end on a finer grid would tell somebody's value
RULES = {
    "trail": "every row of the release is one record of the trail",
    "class": "k persons share all that is not confidential",
    "item": "every published item has k holders",
    "joint": "every known_items published items of a row have k holders together",
    "word": "a word that is not a name of its concept is written by k persons",
    "form": "numbers and dates are ranges, rounded or means, as the plan asks",
    "grid": "the ends of ranges and rounded numbers lie on a public grid",
    "open": "the first and last range are open: beyond both ends of a closed one are k persons",
    "mean": "a mean is of k persons, rounded, and its second largest cannot estimate the largest",
    "confidential": "a confidential value has k holders, unless it is exact on purpose",
    "rows": "nobody owns more rows of a class than the k-th of its members",
    "order": "rows and items are sorted by what is published",
}


@dataclass(frozen=True)
class Violation:
    """A rule that is broken: by which row of the release (from 1), or by the whole, and what was counted."""

    rule: str
    row: int | None
    what: str


def violations(
    original: Sequence[Row],
    plan: Mapping[str, Any],
    release: Sequence[Row],
    trail: Mapping[str, Any],
    taxonomies: Mapping[str, Taxonomy],
) -> list[Violation]:
    """Everything that a release tells of fewer than k persons, and every form that the rules do not allow."""
    found = list(_unaligned(original, release, trail))
    return found or list(Release(original, plan, release, trail, taxonomies).check())


def _unaligned(original: Sequence[Row], release: Sequence[Row], trail: Mapping[str, Any]) -> Iterator[Violation]:
    """Without the trail nobody knows whose row is whose, and nothing can be counted."""
    used = Counter(row for record in trail["records"] if record["release_row"] for row in record["rows"])
    places = sorted(record["release_row"] for record in trail["records"] if record["release_row"])
    if places != list(range(1, len(release) + 1)):
        yield Violation("trail", None, f"{len(release)} rows, {len(places)} records that are published")
    if any(count > 1 or not 1 <= row <= len(original) for row, count in used.items()):
        yield Violation("trail", None, "an input row that is not there, or is published twice")


@dataclass(frozen=True)
class Unit:
    """What one person says in one row, or in all of them where rows are united."""

    person: Any
    written: Mapping[str, Sequence[Any]]
    meant: Mapping[str, Sequence[Any]]


def _is_multiple(value: Fraction | float, least: Fraction | float) -> bool:
    """Whether a number is a multiple of a public step that is not finer than the least."""
    smallest = Fraction(least) or Fraction(1, 10**9)
    size = abs(Fraction(value))
    return size == 0 or any(size % step == 0 for step in steps(smallest, size))


def _is_matched(choices: Sequence[set[Any]]) -> bool:
    """Whether each of some sets can be given an element of its own."""
    if not choices:
        return True
    first, *rest = sorted(choices, key=len)
    return any(_is_matched([other - {value} for other in rest]) for value in first)


# ---------------------------------------------------------------------- a release and its rules


class Release:
    """A release beside its original; every rule of RULES is one method."""

    def __init__(
        self,
        original: Sequence[Row],
        plan: Mapping[str, Any],
        release: Sequence[Row],
        trail: Mapping[str, Any],
        taxonomies: Mapping[str, Taxonomy],
        readings: Mapping[str, Reading] | None = None,
    ) -> None:
        source, method = plan.get("input", {}), plan.get("method", {})
        self.rows, self.k, self.known = release, method.get("k", 5), max(1, method.get("known_items", 2))
        self.method, self.by_concept = method, method.get("representative") == "per-record"
        output = plan.get("output", {})
        self.sorted = output.get("order", "sorted") == "sorted" and output.get("shuffle", True)
        published = [name for name in (release[0] if release else ()) if name in plan["columns"]]
        self.columns = {
            name: Column(
                name, plan["columns"][name], source.get("missing", ()), taxonomies.get(name), (readings or {}).get(name)
            )
            for name in published
        }
        who = source.get("person") or None
        persons = [row[who] if who else place for place, row in enumerate(original)]
        self.person = [persons[0]] * len(release)
        self.own: list[list[int]] = [[] for _ in release]  # input rows behind each row of the release
        for record in trail["records"]:
            if place := record["release_row"]:
                self.own[place - 1] = [row - 1 for row in record["rows"]]
                self.person[place - 1] = persons[record["rows"][0] - 1]
        self.united = united = bool(who) and source.get("person_rows", "unite") == "unite"
        together: dict[Any, list[int]] = defaultdict(list)
        for row, person in enumerate(persons):
            together[person if united else (person, row)].append(row)
        inside = set(self.person)
        self.everybody = [self._unit(original, rows, persons[rows[0]]) for rows in together.values()]
        self.units = [unit for unit in self.everybody if unit.person in inside]
        self.original = original
        for column in self.columns.values():
            if column.ordered and column.publish == "rounded" and column.step is None:
                column.step = self._step(column)
        self._holding: dict[tuple[str, str], frozenset[int]] = {}

    def _unit(self, original: Sequence[Row], rows: Sequence[int], person: Any) -> Unit:
        written = {n: [w for row in rows for w in c.items(original[row][n])] for n, c in self.columns.items()}
        return Unit(person, written, {name: self.columns[name].meanings(words) for name, words in written.items()})

    def _step(self, column: Column) -> Fraction:
        """The largest public step of which all printed numbers of a column are multiples."""
        printed = {abs(v) for row in self.rows for item in column.items(row[column.name]) if (v := number(item))}
        if not printed:
            return Fraction(1)
        return max(
            (s for s in steps(Fraction(1, 10**9), min(printed)) if all(v % s == 0 for v in printed)),
            default=Fraction(0),
        )

    def check(self) -> Iterator[Violation]:
        if not self.rows:
            return
        yield from self.classes()
        yield from self.support()
        yield from self.words()
        yield from self.ranges()
        yield from self.confidential()
        yield from self.order()

    def open_columns(self) -> list[Column]:
        return [column for column in self.columns.values() if column.role != "confidential"]

    def items(self, row: Row) -> list[tuple[Column, Any]]:
        """What a row says that is not confidential."""
        return [(column, item) for column in self.open_columns() for item in column.items(row[column.name])]

    def holding(self, column: Column, item: Any) -> frozenset[int]:
        """The units that hold an item."""
        key = (column.name, str(item))
        if key not in self._holding:
            inside = column.covers(item)
            found = (i for i, unit in enumerate(self.units) if any(map(inside, unit.meant[column.name])))
            self._holding[key] = frozenset(found)
        return self._holding[key]

    def holders(self, items: Sequence[tuple[Column, Any]]) -> int:
        """Persons who hold all of some items, in one unit."""
        shared = frozenset.intersection(*(self.holding(column, item) for column, item in items))
        if self.method.get("name") == "generalize":
            shared = frozenset(i for i in shared if self._one_to_one(self.units[i], items))
        return len({self.units[i].person for i in shared})

    def _one_to_one(self, unit: Unit, items: Sequence[tuple[Column, Any]]) -> bool:
        """Every concept of a generalised set is another item of the person: beside its own ancestor, the ancestor reads
        "and something else that is"."""
        for column in {column.name: column for column, _ in items if column.tax is not None}.values():
            inside = [column.covers(word) for other, word in items if other is column]
            own = set(unit.meant[column.name])
            if not _is_matched([{value for value in own if covers(value)} for covers in inside]):
                return False
        return True

    # ------------------------------------------------------------------ the rules

    def members(self) -> dict[Any, list[int]]:
        """The rows of each class, counted from 0."""
        found: dict[Any, list[int]] = defaultdict(list)
        for place, row in enumerate(self.rows):
            found[tuple(self._said(column, row) for column in self.open_columns())].append(place)
        return found

    def classes(self) -> Iterator[Violation]:
        """Rules "class" and "rows"."""
        for places in self.members().values():
            owned = sorted(Counter(self.person[place] for place in places).values(), reverse=True)
            if len(owned) < self.k:
                yield Violation("class", places[0] + 1, f"{len(owned)} persons")
            elif owned[0] > owned[self.k - 1]:
                yield Violation("rows", places[0] + 1, f"one person owns {owned[0]} of {len(places)} rows")

    def _said(self, column: Column, row: Row) -> Any:
        items = column.items(row[column.name])
        return tuple(
            sorted(str(column.concept(item)) if self.by_concept and column.tax else str(item) for item in items)
        )

    def support(self) -> Iterator[Violation]:
        """Rules "item" and "joint". Means are held by nobody; their own rule asks for them."""
        done = set()
        for place, row in enumerate(self.rows, 1):
            said = [(c, item) for c, item in self.items(row) if not (c.ordered and c.publish == "mean")]
            for size in range(1, self.known + 1):
                for some in combinations(said, size):
                    key = tuple((column.name, str(item)) for column, item in some)
                    if key not in done and (count := self.holders(some)) < self.k:
                        columns = ", ".join(column.name for column, _ in some)
                        yield Violation("item" if size == 1 else "joint", place, f"{columns}: {count} holders")
                    done.add(key)

    def words(self) -> Iterator[Violation]:
        for place, row in enumerate(self.rows, 1):
            for column, word in self.items(row):
                concept = column.concept(word) if column.tax and not column.ordered else None
                if column.role == "other" or not isinstance(concept, int) or column.tax is None:
                    continue
                names = column.tax.labels(concept)
                bare = re.sub(r" \(.+\)$", "", word)
                writers = {unit.person for unit in self.units if word in unit.written[column.name]}
                if word not in names and bare not in names and len(writers) < self.k:
                    yield Violation("word", place, f"{column.name}: {len(writers)} persons wrote it")

    def ranges(self) -> Iterator[Violation]:
        """Rules "form", "grid", "open" and "mean" of numbers and dates."""
        for column in self.open_columns():
            if not column.ordered:
                continue
            if column.publish == "mean":
                yield from self._means(column)
                continue
            cells = {item: place for place, row in enumerate(self.rows, 1) for item in column.items(row[column.name])}
            cells.pop(MISSING, None)
            yield from (self._ranges if column.publish == "range" else self._rounded)(column, cells)

    def _ranges(self, column: Column, cells: Mapping[Any, int]) -> Iterator[Violation]:
        spans = {item: column.span(item) for item in cells}
        values = self._values(column, self.everybody)
        # whoever was left out for an empty cell decides nothing
        finest = min(self._finest(column, units) for units in (self.everybody, self.units))
        for item, place in cells.items():
            if (span := spans[item]) is None:
                yield Violation("form", place, f"{column.name}: not a range")
                continue
            (low, high), on_grid = span
            ends = [end for end in (low, high) if abs(end) != inf]
            is_open = len(ends) == 1
            fine = is_open and column.kind == "number" and finest > 0 and not _is_multiple(ends[0], finest)
            if not on_grid or fine:
                yield Violation("grid", place, f"{column.name}: an end off the grid")
            below = len({person for person, value in values if value < low})
            above = len({person for person, value in values if value >= high})
            if not is_open and min(below, above) < self.k:  # who is in an open one, rule "item" counts
                yield Violation("open", place, f"{column.name}: {below} persons below, {above} above")

    def _values(self, column: Column, units: Sequence[Unit]) -> list[tuple[Any, Fraction]]:
        """The numbers that units have in a column, and whose they are."""
        said = [(unit.person, value) for unit in units for value in unit.meant[column.name]]
        return [(person, value) for person, value in said if isinstance(value, Fraction)]

    def _finest(self, column: Column, units: Sequence[Unit]) -> Fraction:
        """A step so fine, beside the middle half of what persons have, that a multiple of it may tell a value."""
        own: dict[Any, list[Fraction]] = defaultdict(list)
        for person, value in self._values(column, units):
            own[person].append(value)
        middles = sorted(median_low(sorted(some)) for some in own.values())
        inner = middles[len(middles) // 4 : len(middles) - len(middles) // 4]
        return (inner[-1] - inner[0]) / FINEST if inner else Fraction(0)

    def _rounded(self, column: Column, cells: Mapping[Any, int]) -> Iterator[Violation]:
        """Who is within one step of a rounded number, rules "item" and "joint" count."""
        for item, place in cells.items():
            if column.scale(item) is None and column.span(item) is None:
                yield Violation("form", place, f"{column.name}: neither a number nor a date")
            elif not column.step or (column.kind == "number" and (number(item) or 0) % column.step):
                yield Violation("grid", place, f"{column.name}: not rounded")

    def _means(self, column: Column) -> Iterator[Violation]:
        for places in self.members().values():
            cells = column.items(self.rows[places[0]][column.name])
            if not cells or cells == [MISSING]:
                continue
            said: dict[Any, list[Fraction]] = defaultdict(list)
            for place in places:
                cell = (word for row in self.own[place] for word in column.items(self.original[row][column.name]))
                said[self.person[place]] += sorted(value for w in cell if (value := column.scale(w)) is not None)
            # what a person gives, who counts once: the mean of the rows, or one value where they are united
            given = [median_low(own) if self.united else sum(own) / len(own) for own in said.values() if own]
            largest = sorted((abs(value) for value in given), reverse=True)
            every = given if self.united else [value for values in said.values() for value in values]
            printed = column.scale(cells[0])
            if printed is None:
                yield Violation("form", places[0] + 1, f"{column.name}: not a number")
            elif len(largest) < self.k or sum(largest[2:]) < P_PERCENT * largest[0]:
                yield Violation("mean", places[0] + 1, f"{column.name}: one of {len(largest)} can be estimated")
            elif not _is_multiple(printed, (max(every) - min(every)) / (2 * self.k)):
                yield Violation("mean", places[0] + 1, f"{column.name}: not rounded")

    def confidential(self) -> Iterator[Violation]:
        for column in self.columns.values():
            if column.role != "confidential" or column.exact:
                continue
            printing: dict[str, set[Any]] = defaultdict(set)
            for place, row in enumerate(self.rows):
                for item in column.items(row[column.name]):
                    printing[str(item)].add(self.person[place])
            for place, row in enumerate(self.rows, 1):
                for item in column.items(row[column.name]):
                    holders = {self.units[i].person for i in self.holding(column, item)}
                    count = max(len(holders), len(printing[str(item)]))  # a rounded value is held by who prints it
                    if count < self.k:
                        yield Violation("confidential", place, f"{column.name}: {count} holders")

    def order(self) -> Iterator[Violation]:
        if not self.sorted:
            return
        for place, row in enumerate(self.rows, 1):
            for column in self.columns.values():
                items = [str(item) for item in column.items(row[column.name])]
                values = [value for item in items if (value := number(item)) is not None]
                if not (
                    items == sorted(items)
                    or items == sorted(items, key=str.casefold)
                    or (len(values) == len(items) and values == sorted(values))
                ):
                    yield Violation("order", place, f"{column.name}: items are not sorted")
        last = [column for column in self.columns.values() if column.role == "confidential"]
        ways = product((0, 2), (False, True), (False, True))
        if not any(
            all(
                a <= b
                for a, b in pairwise([self._sort_key(row, [*self.open_columns(), *last], *way) for row in self.rows])
            )
            for way in ways
        ):
            yield Violation("order", None, "rows are not sorted by what is published, then by confidential values")

    def _sort_key(
        self, row: Row, columns: Sequence[Column], empty: int, by_value: bool, joined: bool
    ) -> tuple[Any, ...]:
        """A row's place, by where empty cells go, by text or by value, by whole lists or item by item."""
        key = []
        for column in columns:
            items = column.items(row[column.name])
            text = [column.separator.join(map(str, items))] if joined else [str(item) for item in items]
            values: list[Any] = []
            if by_value and len(items) == 1:
                value = number(items[0])  # the year 2027, too, is one; all other ranges go by their text
                values = [] if value is None else [value]
            key.append((1 if items else empty, not values, values, text))
        return tuple(key)
