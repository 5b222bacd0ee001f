"""What terms of a column are taken for, as examples: only terms that at least k persons share."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from taxonym.io.delimited import split_cell
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.column_mapping import map_column
from taxonym.text.finder import Finder

if TYPE_CHECKING:
    import polars as pl

MOST = 5
_PERSONS = 20_000  # whose cells are looked at


def shared_terms(terms: Sequence[Sequence[str]], persons: Sequence[Sequence[Hashable]], k: int) -> Counter[str]:
    """The terms that at least k persons have, by every way to count persons, with the least count."""
    counts: list[Counter[str]] = []
    for whose in persons:
        pairs = {(term, who) for some, who in zip(terms, whose, strict=True) for term in some}
        counts.append(Counter(term for term, _ in pairs))
    least = Counter({term: min(count[term] for count in counts) for term in counts[0]})
    return Counter({term: n for term, n in least.items() if n >= k})


def terms_of(series: "pl.Series", separator: str | None, marks: Sequence[str]) -> list[list[str]]:
    """The terms of every cell of a column."""
    import polars as pl

    no = {"", *marks}
    if isinstance(series.dtype, pl.List | pl.Array):
        return [[str(item) for item in cell or () if item is not None and item not in no] for cell in series.to_list()]
    cells = series.cast(pl.String).str.strip_chars().to_list()
    if separator is None:
        return [[] if cell is None or cell in no else [cell] for cell in cells]
    return [[] if cell is None or cell in no else split_cell(cell, separator) for cell in cells]


def examples_of(
    finder: Finder, category: str | None, shared: Counter[str], terms: Sequence[Sequence[str]]
) -> tuple[tuple[str, str], ...]:
    """Up to five shared terms, and the concepts they are taken for in this column, with what is above these."""
    if not shared:
        return ()
    values = [term for some in terms[:_PERSONS] for term in some if term in shared]
    options = {"category": category} if category else {}
    meant = map_column(finder.taxonomies, values, **options)
    top = sorted(shared, key=lambda term: (-shared[term], term))
    found = [(term, named(finder.taxonomy, meant[term])) for term in top if meant.get(term)]
    return tuple(found[:MOST])


def named(tax: Taxonomy, codes: Sequence[int]) -> str:
    """Concepts as people know them: hammer (hand tool)."""
    shown = []
    for code in codes:
        above = [tax.label(parent) for parent in tax.parents(code)[:1]]
        shown.append(f"{tax.label(code)} ({above[0]})" if above else tax.label(code))
    return ", ".join(shown)
