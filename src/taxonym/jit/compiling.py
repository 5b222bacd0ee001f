# mypy: allow-untyped-calls, allow-subclassing-any
"""Who waits for compilation is told how many functions have been compiled."""

from collections.abc import Callable
from typing import Any

from numba.core import event

USUAL = 200  # functions that a first run compiles, about


class _Listener(event.Listener):
    """Counts what numba compiles, functions that others call included."""

    def __init__(self, told: Callable[[int], None]) -> None:
        self._told, self._done = told, 0

    def on_start(self, event: Any) -> None:
        self._told(self._done)

    def on_end(self, event: Any) -> None:
        self._done += 1
        self._told(self._done)


def watch(told: Callable[[int], None]) -> Callable[[], None]:
    """Call `told` with the number of functions compiled so far whenever one begins or ends; gives how to stop that."""
    listener = _Listener(told)
    event.register("numba:compile", listener)
    return lambda: event.unregister("numba:compile", listener)
