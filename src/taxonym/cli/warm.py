"""taxonym warm: compile everything once, so that no later run has to."""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import TYPE_CHECKING

from taxonym.cli.shared import show_json
from taxonym.cli.terminal import Bar, clock
from taxonym.io.files import read as files_read
from taxonym.jit.cache import cache_folder
from taxonym.jit.compiling import watch
from taxonym.plan import Plan, read_plan, with_settings
from taxonym.run.pipeline import anonymize
from taxonym.run.questions import loss, risk, verify

if TYPE_CHECKING:
    import polars as pl

PERSONS = 60
_METHODS = ("refined", "mdav", "adaptive-mdav", "generalize")
_SHAPES = ("access-log", "proposals")  # logs and documents; the search log is a table, too


def run(options: argparse.Namespace) -> int:
    compiled = 0

    def count(done: int) -> None:
        nonlocal compiled
        compiled = done

    stop, begun, bar = watch(count), process_time(), Bar()
    jobs = list(_jobs())
    bar.start("compiling", len(jobs))
    try:
        for job in jobs:
            job()
            bar.advance()
    finally:
        bar.finish()
        stop()
    folder = cache_folder()
    if options.json:
        return show_json({"compiled": compiled, "folder": None if folder is None else str(folder)})
    told = f"{compiled} functions were compiled" if compiled else "Everything was compiled already"
    where = "and cannot be kept" if folder is None else f"and are kept in {folder}"
    print(f"{told} in {clock(process_time() - begun)} {where}." if compiled else f"{told}: {folder}.")
    return 0


def _jobs() -> Iterator[Callable[[], object]]:
    """Runs on the bundled examples that between them need every function that is usual."""
    folder = Path(str(files("taxonym") / "examples"))
    for name in ("search-log", "diagnoses", "survey"):
        plan = read_plan(folder / f"{name}.toml")
        source = _few(files_read(folder / f"{name}.csv"), plan.input.person)
        for method in _METHODS:
            numbers = any(c.role == "quasi-identifier" and c.kind in ("number", "date") for c in plan.columns.values())
            if not (method == "generalize" and numbers):
                yield lambda s=source, p=plan, m=method: _asked(s, _by(p, m))  # type: ignore[misc]
    for name in _SHAPES:
        plan = read_plan(folder / f"{name}.toml")
        path = folder / Path(plan.input.path or f"{name}.csv").name
        yield lambda s=path, p=plan: anonymize(s, p, baselines=False)  # type: ignore[misc]


def _few(table: "pl.DataFrame", person: str | None) -> "pl.DataFrame":
    """The rows of some persons: what is compiled does not depend on how many there are."""
    if person is None:
        return table.head(PERSONS)
    return table.filter(table[person].is_in(table[person].unique(maintain_order=True).head(PERSONS).to_list()))


def _by(plan: Plan, method: str) -> Plan:
    return replace(plan, method=with_settings(plan.method, name=method, seed=1))


def _asked(source: "pl.DataFrame", plan: Plan) -> None:
    """Everything that can be asked of a release."""
    release = anonymize(source, plan, baselines=plan.method.name == "refined")
    with TemporaryDirectory(prefix="taxonym-") as folder:
        written = release.written_to(Path(folder))
        trail = written.with_name("trail")
        verify(written, original=source, trail=trail)
        loss(source, written, trail=trail)
        risk(source, written, knows=2, sample=100, trail=trail)
