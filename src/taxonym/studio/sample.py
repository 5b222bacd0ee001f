"""A sample of a file on which settings are tried: some persons with all their rows, the same ones every time."""

import tempfile
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.io.files import read
from taxonym.plan import Plan
from taxonym.plan.query_log import QueryLog

if TYPE_CHECKING:
    import polars as pl

PERSONS, ROWS, TEXTS, LINES = 1_000, 2_000, 500, 2_000


def sampled(source: str, plan: Plan, kept: dict[str, Any]) -> tuple[Any, str]:
    """A part of a file that settings can be tried on at once, and what it is in words; kept for the next time."""
    key = ("sample", source, Path(source).stat().st_mtime_ns, plan.kind, plan.input, tuple(plan.columns.items()))
    if kept.get("sample key") != key:
        kept["sample"], kept["sample key"] = _sampled(source, plan, kept), key
    found: tuple[Any, str] = kept["sample"]
    return found


def _sampled(source: str, plan: Plan, kept: dict[str, Any]) -> tuple[Any, str]:
    if plan.kind == "accesslog":
        return _lines(source, kept)
    if plan.kind == "documents":
        return source, "all documents"
    frame = read(source, plan.input.dialect)
    person = _person(plan, frame)
    texts = isinstance(plan.shape, QueryLog) or any(
        column.kind == "text" and column.role == "quasi-identifier" for column in plan.columns.values()
    )
    most = TEXTS if texts else ROWS
    if person is None:
        if frame.height <= min(most, PERSONS):
            return frame, f"all {frame.height:,} rows"
        rows = np.sort(np.random.default_rng(0).permutation(frame.height)[: min(most, PERSONS)])
        return frame[rows.tolist()], f"{len(rows):,} of {frame.height:,} rows, drawn at random"
    sizes = frame.group_by(person, maintain_order=True).len()
    order = np.random.default_rng(0).permutation(sizes.height)
    many = np.cumsum(sizes["len"].to_numpy()[order])
    n = max(1, min(PERSONS, int(np.searchsorted(many, most, side="right")), sizes.height))
    if n == sizes.height:
        return frame, f"all {n:,} persons"
    chosen = sizes[person][order[:n].tolist()]
    part = frame.filter(frame[person].is_in(chosen.implode()))
    return part, f"{n:,} of {sizes.height:,} persons, drawn at random, with all their {part.height:,} rows"


def _person(plan: Plan, frame: "pl.DataFrame") -> str | None:
    if not isinstance(plan.shape, QueryLog):
        return plan.input.person
    user = plan.shape.user
    if isinstance(user, int):
        return frame.columns[user - 1]
    return user if user is not None else next((name for name in frame.columns if "user" in name.lower()), None)


def _lines(source: str, kept: dict[str, Any]) -> tuple[str, str]:
    """The first lines of a log, in a file that goes when the process ends."""
    from taxonym.io.compressed import opened

    folder = kept.setdefault("folder", tempfile.TemporaryDirectory(prefix="taxonym-studio-"))
    part = Path(folder.name) / "sample.log"
    with opened(source) as file:
        lines = list(islice(file, LINES + 1))
    part.write_bytes(b"".join(lines[:LINES]))
    few = len(lines) <= LINES
    return str(part), f"all {len(lines):,} lines" if few else f"the first {LINES:,} lines"


def source_of(data: Any) -> "pl.DataFrame":
    """A sample as a table, to show rows of it."""
    import polars as pl

    if isinstance(data, pl.DataFrame):
        return data
    place = Path(data)
    if place.suffix == ".log":
        return pl.DataFrame({"line": place.read_text("utf-8", "replace").splitlines()})
    if place.is_dir():
        files = sorted(file for file in place.rglob("*") if file.is_file())
        return pl.DataFrame({"text": [file.read_text("utf-8", "replace")[:2_000] for file in files]})
    return read(place)
