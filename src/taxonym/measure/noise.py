"""What noise did to a column: the figures of [RodriguezGarcia2015, §IV], and a few that it does not print.

All of them are computed from the original values: they belong into a report for the data's owner, and beside a private
release (ε) they must not be published.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Floats, Ints
from taxonym.measure.nominal import CELLS, Domain, statistics

TOP = 10  # concepts whose frequencies are compared


@dataclass(frozen=True, slots=True)
class NoiseLoss:
    """A column before and after noise; means are codes of the whole taxonomy.

    `expected_variance` is (1 + α)·variance [eq. 4]. `mean_error` is what the paper calls RMSE, the mean distance of a
    value to its replacement; `root_mean_square_error` is one. `target_error` is the mean |ε|, if the errors are known.
    `total_variation` compares frequencies over the most frequent concepts of the original, all others being one.
    """

    values: int
    mean_before: int
    mean_after: int
    mean_shift: float
    variance_before: float
    variance_after: float
    expected_variance: float | None
    root_mean_square_error: float
    mean_error: float
    target_error: float | None
    unchanged: float
    total_variation: float

    @property
    def variance_off(self) -> float | None:
        """|variance after - (1 + α)·variance before|, the second metric of the paper."""
        return None if self.expected_variance is None else abs(self.variance_after - self.expected_variance)

    def as_data(self) -> dict[str, float | int | None]:
        return {name: getattr(self, name) for name in (*self.__dataclass_fields__, "variance_off")}


def pair_distances(domain: Domain, x: Ints, z: Ints) -> Floats:
    """d(x_i, z_i) for codes of the domain: each distinct pair once, block by block."""
    pairs, back = np.unique(x.astype(np.int64) * len(domain.tax) + z, return_inverse=True)
    left, right = pairs // len(domain.tax), pairs % len(domain.tax)
    used, rows = np.unique(left, return_inverse=True)  # ascending, so rows of a block are neighbours
    out, columns = np.empty(len(pairs)), np.unique(right)
    step = max(1, CELLS // max(1, len(columns)))
    for first in range(0, len(used), step):
        mine = slice(*np.searchsorted(rows, (first, first + step)).tolist())
        block = domain.distances(used[first : first + step], columns)
        out[mine] = block[rows[mine] - first, np.searchsorted(columns, right[mine])]
    return out[back]


def total_variation(x: Ints, z: Ints, top: int = TOP) -> float:
    """½ Σ |p - q| over the `top` most frequent concepts before, everything else together being one more.

    Ties for the last place: the lowest code.
    """
    n = int(max(x.max(), z.max())) + 1
    p, q = (np.bincount(values, minlength=n) / len(values) for values in (x, z))
    most = np.argsort(-p, kind="stable")[:top]
    rest = abs(p[most].sum() - q[most].sum())
    return float((np.abs(p[most] - q[most]).sum() + rest) / 2)


def noise_loss(
    domain: Domain, x: Ints, z: Ints, *, alpha: float | None = None, errors: Floats | None = None, top: int = TOP
) -> NoiseLoss:
    """Compare codes of the domain before (x) and after (z) noise, row by row."""
    if len(x) != len(z):
        raise BadPlan(f"noise: {len(x):,} values before and {len(z):,} after cannot be compared row by row.")
    before, after = statistics(domain, x), statistics(domain, z)
    apart = pair_distances(domain, x, z)
    return NoiseLoss(
        values=len(x),
        mean_before=int(domain.outer[before.mean]),
        mean_after=int(domain.outer[after.mean]),
        mean_shift=float(domain.distances([before.mean], [after.mean])[0, 0]),
        variance_before=before.variance,
        variance_after=after.variance,
        expected_variance=None if alpha is None else (1 + alpha) * before.variance,
        root_mean_square_error=sqrt(float((apart**2).mean())),
        mean_error=float(apart.mean()),
        target_error=None if errors is None else float(np.abs(errors).mean()),
        unchanged=float((x == z).mean()),
        total_variation=total_variation(x, z, top),
    )
