"""What every step of a run needs, in one object."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from taxonym.executor.checkpoints import WorkFolder
from taxonym.executor.machine import Machine
from taxonym.executor.workers import InProcess, Processes
from taxonym.io.progress import SILENCE, Progress


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """Where draws come from, what the run may take of the machine, who wants to know how far it is.

    `baselines` asks for what other ways would lose; `kept` has what a killed run had finished.
    """

    rng: np.random.Generator
    machine: Machine = field(default_factory=Machine.of)
    progress: Progress = SILENCE
    baselines: bool = True
    kept: WorkFolder | None = None

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
