"""What web usage mining counts, and how steady it stays over k [NavarroArribas2010, §3.1.2, Table 3.1]."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import fsum, sqrt
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)

OTHERS = "others"


def shares(counts: Mapping[str, int], names: Sequence[str]) -> dict[str, float]:
    """The share of each name, and of all others together; all 0 where nothing was counted."""
    total = sum(counts.values())
    found = {name: counts.get(name, 0) / total if total else 0.0 for name in names}
    rest = sum(n for name, n in counts.items() if name not in found)
    return found | {OTHERS: found.get(OTHERS, 0.0) + (rest / total if total else 0.0)}


def per_session(sessions: Iterable[Key], browsers: Iterable[str]) -> Counter[str]:
    """In how many sessions each browser is used; line i is in the i-th session and from the i-th browser."""
    return Counter(browser for _, browser in set(zip(sessions, browsers, strict=True)))


def spread(values: Sequence[float]) -> float:
    """σ, the standard deviation of a share over k [NavarroArribas2010, Table 3.1].

    σ = √(Σ (x - mean)² / n)
    """
    mean = fsum(values) / len(values)
    return sqrt(fsum((x - mean) ** 2 for x in values) / len(values))


def slope(ks: Sequence[float], values: Sequence[float]) -> float:
    """b, how much a share changes with every step of k: the coefficient of linear regression [NavarroArribas2010,
    Table 3.1].

        b = Σ (k - mean k) (x - mean x) / Σ (k - mean k)²
    """
    mean_k, mean_x = fsum(ks) / len(ks), fsum(values) / len(values)
    squares = fsum((k - mean_k) ** 2 for k in ks)
    return fsum((k - mean_k) * (x - mean_x) for k, x in zip(ks, values, strict=True)) / squares if squares else 0.0


def moved(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The share that has another name in the other: half the sum of all differences, from 0 (the same) to 1."""
    return fsum(abs(one.get(name, 0.0) - other.get(name, 0.0)) for name in {*one, *other}) / 2
