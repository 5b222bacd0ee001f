"""The guard: what may be told about a run, value by value. Only it makes a Told, and a Report holds nothing else."""

from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

T = TypeVar("T")
HIDDEN = "<k"  # a count of persons that is above 0 and below k
_KEY = object()


class Told(Generic[T]):
    """A value that has passed the guard."""

    __slots__ = ("value",)

    def __init__(self, value: T, key: object) -> None:
        if key is not _KEY:
            raise TypeError("what is told must pass the guard: use a Disclosure")
        self.value = value

    def __repr__(self) -> str:
        return f"Told({self.value!r})"


class Disclosure:
    """What may be told of persons, k of whom are alike.

    A value is told as what it is: something `public`, which depends on no person or can be counted in the release; a
    `count` of persons; a `rounded` one, where several counts would tell more together; a `total`; or `figures` over all
    published records. A count below k is told as `hidden`.
    """

    def __init__(self, k: int, hidden: str = HIDDEN) -> None:
        self.k, self.hidden = k, hidden

    def public(self, value: T) -> Told[T]:
        """What the plan, the program or the release itself says."""
        return Told(value, _KEY)

    def count(self, persons: int) -> Told[int | str]:
        """So many persons; fewer than k, but not none, are not told."""
        return Told(persons if persons == 0 or persons >= self.k else self.hidden, _KEY)

    def rounded(self, persons: int, most: int) -> Told[int | str]:
        """So many persons to the next multiple of k, no more than there are: exact counts of sets that overlap would
        tell, beside the total, how few are in two of them."""
        if 0 < persons < self.k:
            return Told(self.hidden, _KEY)
        return Told(min((persons + self.k // 2) // self.k, most // self.k) * self.k, _KEY)

    def total(self, everybody: int, left_out: Iterable[int]) -> Told[int | None]:
        """A total beside counts of who is missing from it; None where the difference to what is published would give
        away a count that is hidden."""
        hidden = any(self.count(n).value == self.hidden for n in left_out)
        return Told(None if hidden else everybody, _KEY)

    def figures(self, value: T) -> Told[T]:
        """Figures over all published records, as they are or in tables and lists."""
        return Told(value, _KEY)

    def table(self, parts: "Mapping[str, Told[Any]]") -> Told[dict[str, Any]]:
        """A table of what may be told."""
        return Told({name: _opened(part) for name, part in parts.items()}, _KEY)

    def rows(self, parts: "Iterable[Told[Any]]") -> Told[list[Any]]:
        """A list of what may be told."""
        return Told([_opened(part) for part in parts], _KEY)


def _opened(part: Any) -> Any:
    if not isinstance(part, Told):
        raise TypeError("what is told must pass the guard: use a Disclosure")
    return part.value
