"""The executors of one machine: parts are worked on in this process, by threads or one by one, or by other processes.

Worker processes get what is shared once, when they start. What a part gives does not depend on who did it.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np

from taxonym.errors import BadInput
from taxonym.executor.checkpoints import WorkFolder
from taxonym.executor.executor import PartsStep
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Long
from taxonym.text.bulk import results_in_order

WAITING = 3  # parts for each worker that are ready or done before they are asked for
_SHARED: list[Any] = []  # of a worker process


@dataclass(frozen=True)
class InProcess:
    """This process: one part after the other, or as many at once as there are threads, which pays where most of the
    work is compiled and leaves the interpreter to others. Results that are kept are not found again."""

    threads: int = 1
    progress: Progress = SILENCE
    kept: WorkFolder | None = None

    def __enter__(self) -> "InProcess":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def map(self, work: Callable[..., Any], parts: Iterable[Any], *shared: Any, step: PartsStep[Any]) -> Iterator[Any]:
        self.progress.start(step.what, len(step.names))
        new = [self.kept is None or not self.kept.has(name) for name in step.names]
        done = self._done(work, (part for part, fresh in zip(parts, new, strict=True) if fresh), shared)
        for name, fresh in zip(step.names, new, strict=True):
            if not fresh and self.kept is not None:
                found = step.restored(self.kept.load(name))
            else:
                found = next(done)
                if self.kept is not None:
                    self.kept.save(name, **step.arrays(found))
            yield found
            self.progress.advance()
        self.progress.finish()

    by_block = map  # a part is a block here

    def total(self, count: Callable[..., Long], parts: Iterable[Any], *shared: Any, size: int) -> Long:
        found = np.zeros(size, np.int64)
        for part in parts:
            found += count(part, *shared)
        return found

    def _done(self, work: Callable[..., Any], parts: Iterable[Any], shared: tuple[Any, ...]) -> Iterator[Any]:
        if self.threads == 1:
            yield from (work(part, *shared) for part in parts)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            yield from pool.map(lambda part: work(part, *shared), parts)


@dataclass(frozen=True)
class Processes(InProcess):
    """As many processes of this machine as there are `workers`, until the end of a `with`. `work` must be a function
    that has a name; steps that share the same things find the processes that have them."""

    workers: int = 2
    _pools: list[tuple[tuple[Any, ...], ProcessPoolExecutor]] = field(default_factory=list)

    def __exit__(self, *_: object) -> None:
        while self._pools:
            self._pools.pop()[1].shutdown(cancel_futures=True)

    def _done(self, work: Callable[..., Any], parts: Iterable[Any], shared: tuple[Any, ...]) -> Iterator[Any]:
        if not self._pools or any(a is not b for a, b in zip(self._pools[0][0], shared, strict=True)):
            self.__exit__()
            spawn = get_context("spawn")
            self._pools.append(
                (shared, ProcessPoolExecutor(self.workers, spawn, initializer=_begin, initargs=(shared,)))
            )
        try:
            yield from results_in_order(self._pools[0][1], partial(_one, work), parts, WAITING * self.workers)
        except BrokenProcessPool:
            raise BadInput(
                "a worker process was ended from outside, perhaps for want of memory. Use fewer workers."
            ) from None


def _begin(shared: tuple[Any, ...]) -> None:
    _SHARED[:] = shared


def _one(work: Callable[..., Any], part: Any) -> Any:
    return work(part, *_SHARED)
