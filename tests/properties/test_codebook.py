"""Releases over taxonomies whose labels collide are read back by the codebook, exactly, and have no ids."""

import csv
import io
import re
import tempfile
from pathlib import Path
from typing import Any

import polars as pl
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import taxonym
from taxonym import Taxonomy
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.io.progress import SILENCE
from taxonym.knowledge import compiled
from taxonym.plan import as_plan
from taxonym.shapes.codebook import Codebook, CodebookEntry, codebook_path
from taxonym.shapes.shape import shape_of
from taxonym.shapes.table.reread import Trail
from tests.properties.test_names import LABELS, labelled

NASTY = ["x (y)", "a;b", 'say "no"', "bow;", "(z)", "é́", "1,5", "=1+1", "bat (bow) "]
METHODS: list[dict[str, Any]] = [
    {"name": "mdav", "k": 2},
    {"name": "refined", "k": 2},
    {"name": "generalize", "k": 2},
    {"name": "mdav", "k": 2, "blocks": "always"},
    {"name": "noise", "alpha": 0.5},
]


@st.composite
def tables(draw: st.DrawFn, tax: Taxonomy) -> tuple[pl.DataFrame, dict[str, Any]]:
    method = draw(st.sampled_from(METHODS)) | {"seed": 1}
    noise = method["name"] == "noise"
    known = sorted({name for code in range(len(tax)) for name in (*tax.labels(code), tax.id(code))})
    value = st.sampled_from(known * 3 + ([] if noise else [*NASTY, *LABELS]))
    few = draw(st.lists(value, min_size=2, max_size=6))
    n = draw(st.integers(4, 12))
    one = [draw(st.sampled_from(few)) for _ in range(n)]
    some = [draw(st.lists(st.sampled_from(few), min_size=1, max_size=3)) for _ in range(n)]
    policy = draw(st.sampled_from(["suppress", "keep-as-own-concept"]))
    own = {"role": "quasi-identifier", "taxonomy": True, "on_unknown": policy}
    columns: dict[str, Any] = {"one": own | {"kind": "nominal"}, "some": own | {"kind": "set", "separator": ";"}}
    if not noise and draw(st.booleans()):
        columns["town"] = {"role": "quasi-identifier", "kind": "nominal"}
    town = [draw(st.sampled_from(NASTY[:3])) for _ in range(n)]
    plan = {"columns": columns, "method": method, "output": {"hints": draw(st.booleans())}}
    return pl.DataFrame({"one": one, "some": some, "town": town}), plan


@given(tax=labelled(), data=st.data())
@settings(max_examples=max(10, settings().max_examples // 5), deadline=None)
def test_a_release_is_read_back_by_its_codebook_and_has_no_ids(tax: Taxonomy, data: st.DataObject) -> None:
    table, plan = data.draw(tables(tax))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compiled.write(tax, folder / "tax.taxonym")
        for column in plan["columns"].values():
            column |= {"taxonomy": str(folder / "tax.taxonym")} if column.pop("taxonomy", None) else {}
        out, trail = folder / "out.csv", folder / "trail"
        table.write_ndjson(folder / "in.jsonl")
        try:
            release = taxonym.anonymize(folder / "in.jsonl", plan, baselines=False)
        except (BrokenPromise, BadPlan):
            assume(False)
        release.write(out, trail=trail)
        book = Codebook.read(codebook_path(out))
        assert not book.faults()
        assert release.codebook.rows() == list(book.entries)
        ids = {tax.id(code) for code in range(len(tax))} - {x for code in range(len(tax)) for x in tax.labels(code)}
        for column in plan["columns"]:
            cells = release.frame[column]
            words = {w for cell in cells.drop_nulls().to_list() for w in ([cell] if isinstance(cell, str) else cell)}
            listed = [entry for entry in book.entries if entry.column == column]
            assert {entry.word for entry in listed} == words - {"(unknown)"}
            assert len(listed) == len({entry.word for entry in listed})
            assert not words & ids
        shape, whole = shape_of(None), as_plan(plan)
        proof = shape.verify(str(out), whole, plan["method"].get("k"), str(folder / "in.jsonl"), Trail(trail), book)
        assert proof.holds, proof
        assert shape.verify(str(out), whole, plan["method"].get("k"), None, None, book).holds
        pair = shape.compared(str(folder / "in.jsonl"), str(out), whole, Trail(trail), SILENCE, book)
        plain = shape.compared(str(folder / "in.jsonl"), str(out), whole, Trail(trail), SILENCE)
        for by_book, looked_up in zip(pair.masked.y, plain.masked.y, strict=True):
            assert list(by_book) == list(looked_up)


ANY = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8)
ENTRY = st.builds(CodebookEntry, ANY, ANY, ANY, ANY, ANY)
NUMBER = re.compile(r"[+-]?\d+([.,]\d+)*([eE][+-]?\d+)?")


def shown(cell: str) -> str:
    """A cell of a file as a spreadsheet shows it: a quote before what could be a formula says that it is text."""
    return cell[1:] if cell[0] == "'" and cell.lstrip("'")[:1] in tuple("=+-@\t\r") else cell


@given(st.lists(ENTRY, unique_by=lambda e: (e.column, e.word)))
def test_a_codebook_is_read_as_it_was_written_whatever_it_holds(entries: list[CodebookEntry]) -> None:
    book = Codebook(tuple(sorted(entries)))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "book.csv"
        book.write(path)
        again = Codebook.read(path)
        with path.open(newline="", encoding="utf-8") as file:
            rows = [tuple(row) for row in csv.reader(io.StringIO(file.read(), newline=""))][1:]
    assert [tuple(map(shown, row)) for row in rows] == list(book.entries)
    assert not [cell for row in rows for cell in row if cell[0] in "=+-@\t\r" and not NUMBER.fullmatch(cell)]
    assert again == book
    assert again.whole
    assert not again.faults_beside(book)


@given(st.lists(ENTRY, min_size=1, unique_by=lambda e: (e.column, e.word)), st.data())
def test_a_codebook_with_any_other_row_is_not_the_same(entries: list[CodebookEntry], data: st.DataObject) -> None:
    book, at = Codebook(tuple(sorted(entries))), data.draw(st.integers(0, len(entries) - 1))
    field = data.draw(st.sampled_from(CodebookEntry._fields))
    changed = entries[at]._replace(**{field: getattr(entries[at], field) + "x"})
    assume(changed not in entries)
    other = [*entries[:at], *data.draw(st.sampled_from([[], [changed], [entries[at], changed]])), *entries[at + 1 :]]
    assert Codebook(tuple(sorted(other))).faults_beside(book)
