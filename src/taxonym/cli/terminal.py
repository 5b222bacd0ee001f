"""A progress bar for people who wait at a terminal: what is done, how far it is, how long it will take."""

import sys
from threading import Event, Thread
from time import monotonic
from typing import TextIO

_WIDTH = 24
_EVERY = 0.1  # seconds between two drawings
_TICK = 1.0  # seconds after which a step that says nothing is drawn again
_PATIENCE = 1.0  # seconds before an estimate is worth showing
_SOME = 0.05  # and the share of the work: the first units tell little of the others


class Bar:
    """Draws on stderr if it is a terminal, and is silent otherwise. A step ticks though it may have nothing to tell,
    and what is compiled meanwhile is told: it happens in the first run only."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._shown = self._stream.isatty()
        self._what, self._done, self._compiled = "", 0, 0
        self._total: int | None = None
        self._begun = self._drawn = 0.0
        self._over = Event()
        if self._shown:
            from taxonym.jit.compiling import watch

            watch(self._compiling)

    def start(self, what: str, total: int | None = None) -> None:
        self._what, self._total, self._done = what, total, 0
        self._begun, self._drawn = monotonic(), 0.0
        self._draw()
        self._tick()

    def advance(self, done: int = 1) -> None:
        self._done += done
        if self._shown and monotonic() - self._drawn >= _EVERY:
            self._draw()

    def finish(self) -> None:
        self._over.set()
        if self._shown:
            self._stream.write("\r\033[K")
            self._stream.flush()

    def _tick(self) -> None:
        """Draw every second until the step is over, whatever the work does."""
        self._over.set()
        self._over = over = Event()
        if not self._shown:
            return

        def run() -> None:
            while not over.wait(_TICK):
                self._draw()

        Thread(target=run, daemon=True).start()

    def _compiling(self, done: int) -> None:
        self._compiled = done
        if monotonic() - self._drawn >= _EVERY:
            self._draw()

    def _draw(self) -> None:
        if not self._shown:
            return
        self._drawn = monotonic()
        self._stream.write(f"\r\033[K{self.line(self._drawn - self._begun)}")
        self._stream.flush()

    def line(self, elapsed: float) -> str:
        """What the bar says after so many seconds."""
        more = ""
        if self._compiled:
            from taxonym.jit.compiling import USUAL

            more = f"  (first run: {self._compiled} of about {max(USUAL, self._compiled)} functions are compiled)"
        if not self._total:
            return f"{self._what} … {clock(elapsed)}{more}"
        share = min(1.0, self._done / self._total)
        full = round(share * _WIDTH)
        known = share >= _SOME and elapsed >= _PATIENCE
        left = f", about {clock(elapsed / share - elapsed)} left" if known else ""
        return f"{self._what} {'█' * full}{'░' * (_WIDTH - full)} {share:4.0%}  {clock(elapsed)}{left}{more}"


def clock(seconds: float) -> str:
    """Seconds as people read them: 7 s, 3:05, 1:02:03."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    hours, rest = divmod(whole, 3600)
    minutes, last = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{last:02}" if hours else f"{minutes}:{last:02}"
