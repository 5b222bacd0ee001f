"""What every step of a run needs, in one object."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from taxonym.executor.checkpoints import Work
from taxonym.executor.machine import Machine
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
    kept: Work | None = None

    @contextmanager
    def step(self, what: str, total: int | None = None) -> Iterator[None]:
        """A step of the run, which is told to whoever waits."""
        self.progress.start(what, total)
        yield
        self.progress.finish()
