"""A progress bar for people who wait at a terminal: what is done, how far it is, how long it will take."""

import sys
from time import monotonic
from typing import TextIO

_WIDTH = 24
_EVERY = 0.1  # seconds between two drawings
_PATIENCE = 1.0  # seconds before an estimate is worth showing


class Bar:
    """Draws on stderr if it is a terminal, and is silent otherwise."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._shown = self._stream.isatty()
        self._what, self._done = "", 0
        self._total: int | None = None
        self._begun = self._drawn = 0.0

    def start(self, what: str, total: int | None = None) -> None:
        self._what, self._total, self._done = what, total, 0
        self._begun, self._drawn = monotonic(), 0.0
        self._draw()

    def advance(self, done: int = 1) -> None:
        self._done += done
        if self._shown and monotonic() - self._drawn >= _EVERY:
            self._draw()

    def finish(self) -> None:
        if self._shown:
            self._stream.write("\r\033[K")
            self._stream.flush()

    def _draw(self) -> None:
        if not self._shown:
            return
        self._drawn = monotonic()
        self._stream.write(f"\r\033[K{self.line(self._drawn - self._begun)}")
        self._stream.flush()

    def line(self, elapsed: float) -> str:
        """What the bar says after so many seconds."""
        if not self._total:
            return f"{self._what} … {clock(elapsed)}"
        share = min(1.0, self._done / self._total)
        full = round(share * _WIDTH)
        left = f", about {clock(elapsed / share - elapsed)} left" if share and elapsed >= _PATIENCE else ""
        return f"{self._what} {'█' * full}{'░' * (_WIDTH - full)} {share:4.0%}  {clock(elapsed)}{left}"


def clock(seconds: float) -> str:
    """Seconds as people read them: 7 s, 3:05, 1:02:03."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    hours, rest = divmod(whole, 3600)
    minutes, last = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{last:02}" if hours else f"{minutes}:{last:02}"
