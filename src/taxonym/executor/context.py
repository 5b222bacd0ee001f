"""What every step of a run needs, in one object."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

import numpy as np

from taxonym.executor.checkpoints import WorkFolder
from taxonym.executor.machine import Machine
from taxonym.executor.workers import InProcess, Processes
from taxonym.io.progress import SILENCE, Progress


def today() -> date:
    """The day, in the time of Greenwich; or that of SOURCE_DATE_EPOCH, by which runs can be repeated."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(fixed), UTC) if fixed.isdecimal() and len(fixed) < 12 else datetime.now(UTC)
    return now.date()


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """Where draws come from, what the run may take of the machine, who wants to know how far it is.

    `baselines` asks for what other ways would lose; `kept` has what a killed run had finished; `clock` tells the day.
    """

    rng: np.random.Generator
    machine: Machine = field(default_factory=Machine.of)
    progress: Progress = SILENCE
    baselines: bool = True
    kept: WorkFolder | None = None
    clock: Callable[[], date] = today

    @contextmanager
    def step(self, what: str, total: int | None = None) -> Iterator[None]:
        """A step of the run, which is told to whoever waits."""
        self.progress.start(what, total)
        yield
        self.progress.finish()

    def executor(self, threads: int = 1, processes: int = 1) -> InProcess:
        """Who works on parts on this machine: this process by so many threads, or so many others."""
        if processes > 1:
            return Processes(progress=self.progress, kept=self.kept, workers=processes)
        return InProcess(threads, self.progress, self.kept)
