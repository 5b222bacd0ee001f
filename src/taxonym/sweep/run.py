"""A whole sweep: cells that are not there yet are computed, one after the other or by several processes."""

import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np

from taxonym.drafting.plans import draft
from taxonym.errors import BadInput, BadPlan, BrokenPromise
from taxonym.executor.context import Context
from taxonym.executor.machine import Machine
from taxonym.io.frames import as_polars
from taxonym.io.progress import SILENCE, Progress
from taxonym.plan import Plan, as_plan
from taxonym.shapes.shape import shape_of
from taxonym.sweep.cell import tried, without_place
from taxonym.sweep.comparison import Comparison
from taxonym.sweep.settings import SIZES, Judges, Setting, settings_of
from taxonym.sweep.store import Store, marks

SAMPLE = 10_000  # persons who are linked; more are sampled
_PARTS = 2  # pieces of work for each process, so that none waits long for the others

Found = dict[Setting, dict[str, Any]]


def compare(
    table: Any,
    plan: Plan | Mapping[str, Any] | str | Path | None = None,
    *,
    k: int | Iterable[int] = SIZES,
    method: str | Iterable[str] | None = None,
    aggregate: str | Iterable[str] | None = None,
    measure: str | Iterable[str] | None = None,
    out: str | Path | None = None,
    max_risk: float | None = None,
    mine: bool = False,
    sample: int = SAMPLE,
    seed: int | None = None,
    workers: int = 1,
    progress: Progress = SILENCE,
) -> Comparison:
    """Try method × aggregate × measure × k on one table, log or folder of documents: what each setting loses, and what
    an intruder finds.

    Every setting is masked and verified as a release would be, and nothing is published. All are judged by the same
    distance (min-sum over jaccard), by another one that guided none of them, and by linkage with `sample` persons.
    `mine` also asks what data mining still finds in each, which logs and documents can tell.
    `max_risk` is the disclosure risk in percent that a recommended setting must not exceed. Persons without any concept
    are in no setting. Settings that the plan does not allow are listed with the reason, and the others are tried.
    Without a plan, one is drafted (see `draft`).

    `out` is a folder for the table, the picture and finished settings: a sweep that was killed goes on there, and gives
    the same table. `workers` is a number of processes; more than one need `if __name__ == "__main__":` in a script.
    """
    source = table if isinstance(table, str | Path) else as_polars(table)
    plan = draft(source) if plan is None else as_plan(plan)
    if sample < 1:
        raise BadPlan(f"sample: must be at least 1, got {sample}.")
    if workers < 1:
        raise BadPlan(f"workers: must be at least 1, got {workers}.")
    if max_risk is not None and not 0 <= max_risk <= 100:  # nor anything that is no number
        raise BadPlan(f"max_risk: must be a percentage from 0 to 100, got {max_risk:g}.")
    if mine and plan.shape is None:
        raise BadPlan("mine: asks what is particular to logs and documents. Leave it out.")
    every = settings_of(plan, [k] if isinstance(k, int) else k, *map(_several, (method, aggregate, measure)))
    settings = every.tried
    judges = Judges.of(plan, settings)
    if (
        out is not None
        and isinstance(source, str | Path)
        and Path(out).resolve().is_relative_to(Path(source).resolve())
    ):
        raise BadInput(
            f"{out}: lies in the folder to try settings on. Write elsewhere, so that nothing is added to it."
        )
    seed = plan.method.seed if seed is None else seed
    found: Found = {}
    if out is None:
        store, mark, seed = None, dict[Setting, str](), secrets.randbits(63) if seed is None else seed
    else:
        store = Store.open(Path(out), seed)
        mark, seed = marks(store, source, plan, settings, judges, sample, mine), store.seed
        kept = {setting: store.read(setting, mark[setting]) for setting in settings}
        found |= {setting: figures for setting, figures in kept.items() if figures is not None}
    left = [setting for setting in settings if setting not in found]
    progress.start(f"{len(settings)} settings", len(settings))
    progress.advance(len(found))
    found |= _computed(_Task(source, plan, judges, sample, seed, store, mark, mine), left, workers, progress)
    progress.finish()
    found |= {setting: {"refused": why} for setting, why in every.refused.items()}
    made = Comparison.of(plan, judges, {setting: found[setting] for setting in every.every}, max_risk)
    if store:
        made.write(store.folder)
    return made


def _several(given: str | Iterable[str] | None) -> list[str] | None:
    return None if given is None else [given] if isinstance(given, str) else list(given)


@dataclass(frozen=True, slots=True)
class _Task:
    """All that a process needs to try settings."""

    source: Any
    plan: Plan
    judges: Judges
    sample: int
    seed: int
    store: Store | None
    mark: dict[Setting, str]
    mine: bool

    def do(self, settings: Sequence[Setting], machine: Machine, progress: Progress = SILENCE) -> Found:
        """Try settings of one k, keeping each as soon as it is there."""
        found: Found = {}
        records = refused = None
        for setting in settings:
            plan = setting.plan(self.plan, self.seed)
            if records is None and refused is None:
                try:
                    records = shape_of(plan).read(self.source, plan, Context(np.random.default_rng(0), machine))
                except BrokenPromise as error:
                    refused = {"refused": without_place(error, self.source)}
            found[setting] = refused or tried(records, self.source, plan, self.judges, self.sample, machine, self.mine)
            if self.store:
                self.store.write(setting, self.mark[setting], found[setting])
            progress.advance()
        return found


def _computed(task: _Task, left: Sequence[Setting], workers: int, progress: Progress) -> Found:
    pieces = _pieces(left, workers)
    found: Found = {}
    if workers == 1 or len(pieces) < 2:
        for piece in pieces:
            found |= task.do(piece, Machine.of(), progress)
        return found
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_end_with_parent)
    try:
        for done in as_completed([pool.submit(task.do, piece, Machine.of(1)) for piece in pieces]):
            found |= done.result()
            progress.advance(len(done.result()))
    except BrokenProcessPool:
        raise BadInput(
            "compare: a process was ended from outside, maybe for want of memory. Run the same command again, with "
            "fewer workers: finished settings are kept."
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)
    return found


def _pieces(settings: Sequence[Setting], workers: int) -> list[list[Setting]]:
    """Settings of one k belong together, since they share the words that were read; but nobody shall be idle."""
    by_k: dict[int, list[Setting]] = {}
    for setting in settings:
        by_k.setdefault(setting.k, []).append(setting)
    parts = max(1, -(-_PARTS * workers // max(1, len(by_k)))) if workers > 1 else 1
    return [some[i::parts] for some in by_k.values() for i in range(parts) if some[i::parts]]


def _end_with_parent() -> None:
    """A process of a sweep that was killed must not stay: nobody would ever tell it to end."""
    parent = parent_process()

    def wait() -> None:
        if parent is not None:
            connection.wait([parent.sentinel])
            os._exit(1)

    Thread(target=wait, daemon=True).start()
