"""Hashes of what records hold: equal for equal content, whatever the order."""

import numpy as np
from numpy.typing import NDArray

from taxonym.jit import kernel

SALT = 0x9E3779B97F4A7C15


def mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every bit of each number depends on all of its bits."""
    out = np.empty_like(values)
    _mix_all(values, out)
    return out


@kernel
def _mix_all(values, out):  # type: ignore[no-untyped-def]
    for i in range(len(values)):
        out[i] = mix(values[i])


@kernel
def mix(x):  # type: ignore[no-untyped-def]
    """Every bit of a number depends on all of them."""
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xFF51AFD7ED558CCD)
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xC4CEB9FE1A85EC53)
    return x ^ (x >> np.uint64(33))
