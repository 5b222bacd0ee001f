"""Sentences about a run with counts of persons in them: a method writes them, the guard of the report tells them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class CountedSentence:
    """A sentence with counts of persons, by name between braces: they are told as the guard lets them pass."""

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str, persons: int, **known: Any) -> "CountedSentence":
        """About so many {persons}; what else the text names is `known`. A name may have braces of its own."""
        before, after = (part.format(**known).replace("{", "{{").replace("}", "}}") for part in text.split("{persons}"))
        return cls(f"{before}{{persons}}{after}", {"persons": persons})


def sentences(*counted: tuple[str, int], **known: Any) -> list[CountedSentence]:
    """Those that are about anybody at all."""
    return [CountedSentence.of(text, persons, **known) for text, persons in counted if persons]
