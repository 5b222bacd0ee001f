"""Many pieces of work of one kind, done in their order: in this process, or by a team of others.

Worker processes get what is shared once, when they start. What a piece gives does not depend on who did it.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import Any, TypeVar

from taxonym.errors import BadInput
from taxonym.text.bulk import results_in_order

T = TypeVar("T")
R = TypeVar("R")
Run = Callable[[Callable[[Any, T], R], Iterable[T]], Iterator[R]]

WAITING = 3  # pieces for each worker that are ready or done before they are asked for
_SHARED: list[Any] = []  # of a worker process


@contextmanager
def team(shared: Any, workers: int) -> Iterator[Run[Any, Any]]:
    """How to run work(shared, piece) over pieces, in their order. `work` must be a function that has a name."""
    if workers == 1:
        yield lambda work, pieces: (work(shared, piece) for piece in pieces)
        return
    try:
        with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin, initargs=(shared,)) as pool:
            yield lambda work, pieces: results_in_order(pool, partial(_one, work), pieces, WAITING * workers)
    except BrokenProcessPool:
        raise BadInput(
            "a worker process was ended from outside, perhaps for want of memory. Use fewer workers."
        ) from None


def _begin(shared: Any) -> None:
    _SHARED[:] = [shared]


def _one(work: Callable[[Any, T], R], piece: T) -> R:
    return work(_SHARED[0], piece)
