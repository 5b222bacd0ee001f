"""What the columns of a file are about that is too large for memory: learnt in passes over its batches, before any word
becomes a concept. The result is that of a table at hand, to the last bit."""

from collections.abc import Iterator, Mapping
from functools import partial

from taxonym.io.files import read_batches
from taxonym.io.progress import SILENCE, Progress
from taxonym.plan import Plan
from taxonym.records.cells import typed
from taxonym.records.column import Column
from taxonym.records.gathered import gathered
from taxonym.text.finder import Finder
from taxonym.text.votes import count_votes, learn, learns, limit_of, smallest_hashes, voters_of

Finders = Mapping[str, Finder | None]


def about_columns(source: str, plan: Plan, finders: Finders, progress: Progress = SILENCE) -> dict[str, Finder | None]:
    """The finders of the columns, each knowing what its column is about, if its policy asks for that."""
    found = dict(finders)
    for name, finder in finders.items():
        if finder is not None and learns(finder):
            progress.start(f"subject of {name}")
            found[name] = _learnt(source, plan, plan.columns[name], finder)
            progress.finish()
    return found


def _learnt(source: str, plan: Plan, column: Column, finder: Finder) -> Finder:
    smallest = set[int]()
    for texts, _ in _batches(source, plan, column):
        smallest = set(smallest_hashes((text for some in texts for text in some), smallest))
    entries, whose = column.kind != "text", dict[str | int, int]()
    cells = ((some, who) for texts, ids in _batches(source, plan, column) for some, who in zip(texts, ids, strict=True))
    persons = ((some, whose.setdefault(who, len(whose))) for some, who in cells)
    return learn(finder, count_votes(partial(voters_of, finder, entries=entries), persons, limit_of(smallest)))


def _batches(source: str, plan: Plan, column: Column) -> Iterator[tuple[list[list[str]], list[str | int]]]:
    """The texts of every row, and whose they are; rows and files that say neither are for others to complain about."""
    import polars as pl

    given, row = plan.input, 0
    for raw in read_batches(source, given.dialect):
        needed = column.from_ or (column.name,)
        if not {*needed, given.person} - {None} <= {*raw.columns}:
            return
        raw = gathered(raw, {column.name: column}, source, given.missing)
        cells = typed(raw[column.name], column, source, given.missing).to_list()
        if column.kind == "set":
            texts = [cell or [] for cell in cells]
        else:
            texts = [(cell.splitlines() if column.kind == "text" else [cell]) if cell else [] for cell in cells]
        ids: list[str | int] = list(range(row, row + raw.height))
        if given.person is not None:
            id_column = Column(name=given.person, role="identifier")
            ids = typed(raw[given.person], id_column, source, given.missing).cast(pl.String).to_list()
        row += raw.height
        yield texts, ids
