"""What a paper prints, beside what we get: one item for every example, table and figure."""

from dataclasses import dataclass
from typing import Any

VERDICTS = {
    "exact": "the same, to the digits printed",
    "within": "not the same, but within the spread that is stated",
    "consistent": "what is printed is one of several answers that the reading allows",
    "fitted": "the reading was found by trying; it says how many were tried",
    "not": "we get something else, or cannot try",
}


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that a paper prints; `reading` is how it has to be read so that `ours` comes out."""

    item: str
    printed: str
    ours: str
    reading: str
    verdict: str
    tried: int = 0

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"{self.item}: {self.verdict!r} is no verdict. Choose one of {', '.join(VERDICTS)}.")
        if (self.tried > 0) != (self.verdict == "fitted"):
            raise ValueError(
                f"{self.item}: say how many readings were tried if the verdict is 'fitted', and only then."
            )

    def as_data(self) -> dict[str, Any]:
        said = f"fitted ({self.tried} readings tried)" if self.tried else self.verdict
        return {
            "item": self.item,
            "printed": self.printed,
            "ours": self.ours,
            "reading": self.reading,
            "verdict": said,
        }


def checked(item: str, printed: object, ours: object, reading: str) -> Item:
    """An item that is `exact` if both sides are the same and `not` otherwise."""
    return Item(item, str(printed), str(ours), reading, "exact" if printed == ours else "not")
