"""How long work tells that it goes on. Silent unless somebody listens."""

from typing import Protocol


class Progress(Protocol):
    """Somebody who wants to know how far long work is."""

    def start(self, what: str, total: int | None = None) -> None:
        """A step begins; `total` is its number of units, if known."""

    def advance(self, done: int = 1) -> None:
        """So many more units of the step are done."""

    def finish(self) -> None:
        """The step is over."""


class Silence:
    """Nobody wants to know."""

    def start(self, what: str, total: int | None = None) -> None:
        pass

    def advance(self, done: int = 1) -> None:
        pass

    def finish(self) -> None:
        pass


SILENCE = Silence()
