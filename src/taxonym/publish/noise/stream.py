"""Noise for values that come one at a time: what is needed to answer each is prepared once and kept, within bounds.

Every stream answers a value for given draws, so that the same draws give what a whole column gives. All of them may be
used by several threads at once.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import blake2b
from threading import Lock
from typing import Generic, Protocol, TypeVar

import numpy as np

from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Floats, Ints
from taxonym.knowledge.runs import frozen
from taxonym.measure.nominal import Domain
from taxonym.publish.noise.kernels import Around, Rings
from taxonym.publish.noise.private import RandomSource, Weights
from taxonym.publish.noise.semantic import NoiseChoice

MOST = 1000  # values whose surroundings are kept ready
BYTES = 64 << 20  # and what these may take: 8 bytes for each and every concept of the domain

V = TypeVar("V")


class RecentOutcomes(Generic[V]):
    """What was worked out for the values that came last. Work is done outside the lock: at worst it is done twice."""

    __slots__ = ("_known", "_lock", "_most", "_work")

    def __init__(self, work: Callable[[int], V], concepts: int, most: int = MOST) -> None:
        self._work, self._lock = work, Lock()
        self._most = max(1, min(most, BYTES // (8 * max(1, concepts))))
        self._known: OrderedDict[int, V] = OrderedDict()

    def __getitem__(self, value: int) -> V:
        with self._lock:
            if value in self._known:
                self._known.move_to_end(value)
                return self._known[value]
        found = self._work(value)
        with self._lock:
            self._known[value] = found
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        return found


# ---------------------------------------------------------------------- draws


class Draws(Protocol):
    """Where numbers in [0, 1) come from; `about` says who asks, and only keyed draws care."""

    def numbers(self, n: int, about: bytes) -> Floats: ...


class SecureDraws:
    """The operating system's secure generator."""

    def numbers(self, n: int, about: bytes) -> Floats:
        return _as_numbers(secrets.token_bytes(8 * n))


class SeededDraws:
    """A generator that can be replayed: for tests and experiments only."""

    def __init__(self, seed: int) -> None:
        self._rng, self._lock = np.random.default_rng(seed), Lock()

    def numbers(self, n: int, about: bytes) -> Floats:
        with self._lock:
            return self._rng.random(n)


class KeyedDraws:
    """The same numbers whenever the same is asked about, for whoever has the key: so that asking again tells no more.

    Nothing is stored. Numbers are a keyed BLAKE2b hash of the question; without the key they look random.
    """

    def __init__(self, key: bytes) -> None:
        if len(key.strip()) < 16:
            raise BadPlan("the key has fewer than 16 bytes, which could be guessed. Make it of 32 random ones.")
        self._key = blake2b(key, digest_size=64).digest()

    def numbers(self, n: int, about: bytes) -> Floats:
        if n > 8:
            raise ValueError("one question has at most 8 numbers")
        return _as_numbers(blake2b(about, key=self._key, digest_size=8 * n).digest())


def _as_numbers(bits: bytes) -> Floats:
    """53 bits of every 64, as a number in [0, 1)."""
    return (np.frombuffer(bits, np.uint64) >> np.uint64(11)).astype(np.float64) * 2.0**-53


# ---------------------------------------------------------------------- answers


class NoiseStream:
    """Semantic noise, the mean of the column being known: (value, error, pick) -> code of the whole taxonomy.

    The same draws give the same codes as a column does. Values that come often are answered from memory.
    """

    __slots__ = ("_begin", "_kept", "_order", "_rings")

    def __init__(self, domain: Domain, mean: int, how: NoiseChoice, remember: int = MOST) -> None:
        self._rings = Rings(domain, mean, how)
        self._kept: RecentOutcomes[Around] = RecentOutcomes(
            lambda v: self._rings.around(frozen([v])), len(domain), remember
        )
        self._begin, self._order = np.array([0, 1]), np.zeros(1, np.int64)

    def given(self, value: int, error: Floats, pick: Floats) -> int:
        """What replaces a code of the domain for an error and a pick, as a code of the whole taxonomy."""
        out = np.empty(1, np.int64)
        self._rings.draw(self._kept[value], self._begin, self._order, error, pick, out)
        return int(self._rings.domain.outer[value if out[0] < 0 else int(out[0])])


class BaselineStream:
    """`naive` and `probabilistic` for a column whose frequencies are known: pick -> code of the whole taxonomy."""

    __slots__ = ("_domain", "_pool", "_sums")

    def __init__(self, domain: Domain, counts: Mapping[int, int], naive: bool) -> None:
        allowed = set(domain.candidates.tolist())
        times = {code: n for code, n in sorted(counts.items()) if code in allowed and n > 0}
        if not times:
            raise BadPlan(f"{domain.tax.name}: no frequent value may be published for another. Use 'normal'.")
        self._domain, self._pool = domain, list(times)
        self._sums = np.cumsum([1 if naive else n for n in times.values()])

    def given(self, pick: float) -> int:
        at = int(np.searchsorted(self._sums, int(pick * self._sums[-1]), side="right"))
        return int(self._domain.outer[self._pool[at]])


class PrivateStream:
    """A private mechanism: value -> outcome, both codes of the domain or symbols."""

    __slots__ = ("_kept", "_outcomes")

    def __init__(self, weights: Weights) -> None:
        self._outcomes: Ints = weights.outcomes
        self._kept: RecentOutcomes[Ints] = RecentOutcomes(
            lambda v: weights.rows(frozen([v]))[0].cumsum(),
            len(self._outcomes),
        )

    def draw(self, value: int, source: RandomSource) -> int:
        sums = self._kept[value]
        return int(self._outcomes[np.searchsorted(sums, source.below(int(sums[-1]), 1)[0], side="right")])
