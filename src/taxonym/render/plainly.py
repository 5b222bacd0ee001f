"""Figures, ranges and the keys of a report as people write them."""

from collections.abc import Mapping
from typing import Any

UNTOLD = "too few persons to tell"  # of a figure that a report withholds
SPOKEN = 0.1  # steps in which a share of 1 must be told to be worth a word: in larger ones it says something else


def fine(value: float | None, step: float | None) -> float | None:
    """A share of 1, if it is told in steps that are small enough for a sentence or a picture."""
    return value if value is not None and (step is None or step <= SPOKEN) else None


def coarse(loss: Mapping[str, Any]) -> str:
    """That few persons let figures be told coarsely, if they do."""
    step = (loss.get("told_in_steps_of") or {}).get("mean") or 0.0
    return f" There are few persons, so figures are told in steps of {step:g}." if step > SPOKEN else ""


def spanned(least: int, most: int, to: str = "–") -> str:
    return str(least) if least == most else f"{least}{to}{most}"


def number(value: float, digits: int = 1) -> str:
    """A figure in few digits; what is small keeps two of them, and what is whole needs none."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.2g}" if abs(value) < 10**-digits else f"{value:,.{digits}f}"


def words(key: str) -> str:
    """A key of a report in words."""
    return key.replace("_", " ").replace("percent", "%")
