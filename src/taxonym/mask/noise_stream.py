"""Semantic noise for records that come one at a time, the statistics of their column being known."""

from collections import OrderedDict
from collections.abc import Callable

import numpy as np

from taxonym.knowledge.arrays import frozen
from taxonym.knowledge.content import Floats
from taxonym.mask.noise import Choice, deviation, normal
from taxonym.mask.noise_kernels import Around, Rings
from taxonym.measure.nominal import Domain, Statistics

REMEMBERED = 1000  # values whose surroundings are kept ready: 8 bytes for each and every concept of the domain


class NoiseStream:
    """Masks one value after the other: stream(code) -> code, both of the whole taxonomy.

    The same draws in the same order give the same codes as a column does. Values that come often are answered from
    memory.
    """

    __slots__ = ("_begin", "_deviation", "_known", "_order", "_remember", "_rings", "_rng", "_shape")

    def __init__(
        self,
        domain: Domain,
        known: Statistics,
        alpha: float,
        *,
        shape: Callable[[float, int, np.random.Generator], Floats] = normal,
        how: Choice | None = None,
        seed: int | np.random.Generator | None = None,
        remember: int = REMEMBERED,
    ) -> None:
        self._rings, self._rng = Rings(domain, known.mean, how or Choice()), np.random.default_rng(seed)
        self._deviation, self._shape, self._remember = deviation(alpha, known.variance), shape, max(1, remember)
        self._known: OrderedDict[int, Around] = OrderedDict()
        self._begin, self._order = np.array([0, 1]), np.zeros(1, np.int64)

    def __call__(self, code: int) -> int:
        [value] = self._rings.domain.inside([code]).tolist()
        return self.given(value, self._shape(self._deviation, 1, self._rng), self._rng.random(1))

    def given(self, value: int, error: Floats, pick: Floats) -> int:
        """What replaces a code of the domain for an error and a pick, as a code of the whole taxonomy."""
        if value in self._known:
            self._known.move_to_end(value)
        else:
            self._known[value] = self._rings.around(frozen([value]))
            if len(self._known) > self._remember:
                self._known.popitem(last=False)
        out = np.empty(1, np.int64)
        self._rings.draw(self._known[value], self._begin, self._order, error, pick, out)
        return int(self._rings.domain.outer[value if out[0] < 0 else int(out[0])])
