"""Proof: classes and the support rule, recounted from a table as it was written.

A class is the rows that are equal in all columns but the confidential ones.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.errors import BrokenRelease
from taxonym.knowledge.arrays import Long
from taxonym.knowledge.runs import Runs
from taxonym.measure.km import count_km
from taxonym.publish.groups import CellSupport, Support
from taxonym.publish.wording import name_of
from taxonym.records.cells import typed
from taxonym.records.column import Column
from taxonym.records.distinct import DistinctHolders
from taxonym.records.person_rows import large_owners
from taxonym.records.support import JointHolders
from taxonym.records.table import class_numbers
from taxonym.records.terms import MapsTo, Terms
from taxonym.records.vocabulary import Vocabulary
from taxonym.records.words import WordColumn

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Classes:
    """How many rows (or persons, where these are known) the classes of a table have."""

    rows: int
    classes: int
    smallest: int
    below: int  # classes with fewer than k
    k: int
    counted: str  # "rows" or "persons"
    number: Long = field(default_factory=lambda: np.zeros(0, np.int64), repr=False, compare=False)  # of every row
    broken: tuple[str, ...] = ()  # which promises beyond k fail, and in how many classes
    privacy: tuple[dict[str, Any], ...] = ()  # l and t of what is watched, where the original can tell
    m: int | None = None  # where combinations of at most m items were promised instead of classes
    rare: int = 0  # such combinations that fewer than k have
    sizes: tuple[tuple[int, int], ...] = ()  # rows in a class, and in how many, where `number` is not known

    @property
    def holds(self) -> bool:
        return self.rows > 0 and (self.below if self.m is None else self.rare) == 0 and not self.broken

    @property
    def why(self) -> tuple[str, ...]:
        """Sentences about what does not hold."""
        found = tuple(f"{what[:1].upper()}{what[1:]}." for what in self.broken)
        if self.holds:
            return ()
        if self.m is not None:
            items = f"combinations of at most {self.m} items"
            return (f"Fewer than {self.k} {self.counted} have {self.rare:,} of its {items}.", *found)
        if not self.below and found:
            return found
        few = f"{self.below:,} of its {self.classes:,} classes have fewer than {self.k} {self.counted}"
        return (f"{few} (the smallest {self.smallest:,}).", *found)

    def as_data(self) -> dict[str, Any]:
        items = {} if self.m is None else {"known_items": self.m, "combinations_below_k": self.rare}
        return items | {
            "k": self.k,
            "holds": self.holds,
            "rows": self.rows,
            "classes": self.classes,
            "smallest_class": self.smallest,
            "classes_below_k": self.below,
            "counted": self.counted,
        }


def count_classes(
    frame: "pl.DataFrame", k: int, confidential: Collection[str] = (), persons: Long | None = None
) -> Classes:
    """The classes of a table; `persons` says whose each row is, and k counts these then."""
    return count_numbers(class_numbers(frame, confidential), k, persons)


def count_numbers(number: Long, k: int, persons: Long | None = None) -> Classes:
    """The same, where the class of every row is known."""
    own = number
    if persons is not None:
        pairs = np.unique(number * (int(persons.max(initial=0)) + 1) + persons)
        number = pairs // (int(persons.max(initial=0)) + 1)
    sizes = np.bincount(number)
    return Classes(
        rows=len(own),
        classes=len(sizes),
        smallest=int(sizes.min(initial=len(own))),
        below=int(np.count_nonzero(sizes < k)),
        k=k,
        counted="rows" if persons is None else "persons",
        number=own,
    )


def count_owned(
    number: Long, k: int, persons: Long | None = None, person: str = "person", rows: str = "rows"
) -> Classes:
    """The same, and whether somebody owns more than 1/k of a class: who keeps several rows could."""
    counted = count_numbers(number, k, persons)
    large = 0 if persons is None or counted.below else large_owners(number, persons, k)
    return replace(counted, broken=owned_too_much(large, k, person, rows))


def owned_too_much(classes: int, k: int, person: str = "person", rows: str = "rows") -> tuple[str, ...]:
    """What is wrong where so many classes have somebody who owns more than 1/k of them."""
    return (f"{classes:,} classes have a {person} with more than 1 in {k} of their {rows}",) if classes else ()


def count_combinations(
    frame: "pl.DataFrame",
    items: Mapping[str, Sequence[Sequence[str]]],
    k: int,
    m: int,
    confidential: Collection[str] = (),
    persons: Long | None = None,
) -> Classes:
    """The classes of a table, and how many combinations of at most m items of a row fewer than k of them have.

    `items` are the words of every row, column by column. What else is published is taken to be known.
    """
    number: dict[tuple[str, str], int] = {}
    found = [
        sorted({number.setdefault((name, word), len(number)) for name, words in items.items() for word in words[row]})
        for row in range(frame.height)
    ]
    block = class_numbers(frame, [*confidential, *items])
    counted = count_km(Runs.of(found), k, m, block, persons)
    rare = sum(of.rare for of in counted.sizes)
    return replace(count_classes(frame, k, confidential, persons), m=m, rare=rare)


def published_words(frame: "pl.DataFrame", column: Column, where: str) -> list[list[str]]:
    """The words of every row in a column that is published as words."""
    cells = typed(frame[column.name], column, where, ()).to_list()
    return [cell or [] for cell in cells] if column.kind == "set" else [[cell] if cell else [] for cell in cells]


def concepts_of(words: Sequence[Sequence[str]], maps_to: MapsTo) -> list[tuple[int, ...]]:
    """What the words of every row mean; a word that means nothing breaks the promise."""
    seen: dict[tuple[str, ...], tuple[int, ...]] = {}  # rows of a class are equal
    for row in set(map(tuple, words)):
        codes = [maps_to(word) for word in row]
        if None in codes:
            raise BrokenRelease("A published word does not map back to a concept")
        seen[row] = tuple(sorted({code for code in codes if code is not None}))
    return [seen[tuple(row)] for row in words]


def as_concepts(
    frame: "pl.DataFrame", columns: Mapping[str, tuple[Sequence[Sequence[str]], Support]]
) -> "pl.DataFrame":
    """The table with concepts in the place of words: what is equal for the promise "k by concept"."""
    import polars as pl

    meant = {name: concepts_of(words, support.words.maps_to) for name, (words, support) in columns.items()}
    return frame.with_columns(pl.Series(name, codes, pl.List(pl.Int64)) for name, codes in meant.items())


def check_support(columns: Sequence[tuple[Sequence[Sequence[str]], Support]], k: int, known_items: int) -> None:
    """Raise unless the words of every row obey the support rule; rows that are equal are looked at once."""
    refuse_rare(k, rare_choices(columns, k, known_items), rare_words(columns, k))


def refuse_rare(k: int, choices: int, words: int) -> None:
    """Raise if any choices of concepts are published that fewer than k persons hold, or words that fewer wrote."""
    if choices:
        raise BrokenRelease(f"A published record has concepts that fewer than {k} persons hold together")
    if words:
        raise BrokenRelease(f"A published word is not the name of a concept and has fewer than {k} writers")


def rare_choices(
    columns: Sequence[tuple[Sequence[Sequence[str]], Support | CellSupport]], k: int, m: int, distinct: bool = False
) -> int:
    """How many different records have at most m concepts that fewer than k persons hold together; where `distinct`,
    with an item of their own for each."""
    together = (DistinctHolders if distinct else JointHolders)([support.holders for _, support in columns])
    meant = [concepts_of(words, support.maps_to) for words, support in columns]
    return sum(not together.allowed(concepts, k, m) for concepts in set(zip(*meant, strict=True)))


def rare_words(columns: Sequence[tuple[Sequence[Sequence[str]], Support]], k: int) -> int:
    """How many different words are printed that are no name of their concept and have fewer than k writers."""
    return sum(
        not may_be_printed(word, support.words, support.terms, k)
        for words, support in columns
        for word in {word for row in words for word in row}
    )


def may_be_printed(word: str, words: WordColumn, terms: Terms, k: int) -> bool:
    """Whether a word is the name of the concept that it stands for, or was written by at least k persons."""
    code, term = words.maps_to(word), words.maps_to.term(word) if isinstance(words.maps_to, Vocabulary) else word
    return terms.writers(term) >= k or (code is not None and word == name_of(words.tax, code, words.maps_to))


class Recount:
    """The classes of a table that is met in batches: different rows once each, and the class of every row."""

    def __init__(self, confidential: Collection[str]) -> None:
        self.confidential = confidential
        self._number: dict[bytes, int] = {}
        self._rows: list[Long] = []
        self._different: list[pl.DataFrame] = []

    def add(self, frame: "pl.DataFrame") -> None:
        import polars as pl

        kept = [frame[name] for name in frame.columns if name not in self.confidential]
        local = class_numbers(frame, self.confidential)
        first = np.unique(local, return_index=True)[1]
        rows = zip(*(column.gather(first).to_list() for column in kept), strict=True) if kept else [()] * len(first)
        number, new = [], []
        for i, row in enumerate(rows):
            key = blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=16).digest()
            if key not in self._number:
                self._number[key] = len(self._number)
                new.append(int(first[i]))
            number.append(self._number[key])
        self._rows.append(np.array(number, np.int64)[local])
        self._different.append(pl.DataFrame([column.gather(new) for column in kept]))

    @property
    def number(self) -> Long:
        """The class of every row."""
        return np.concatenate([np.zeros(0, np.int64), *self._rows])

    @property
    def different(self) -> "pl.DataFrame":
        """One row of each class, without the confidential columns."""
        import polars as pl

        return pl.concat(self._different)
