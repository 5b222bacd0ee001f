"""Runs in arrays: what belongs to thing i stands in values[start[i]:start[i + 1]]."""

from collections.abc import Iterable, Sequence, Sized
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int32]
Bytes: TypeAlias = NDArray[np.uint8]


def frozen(values: Iterable[int] | NDArray[np.generic]) -> Ints:
    """A read-only array of 32-bit integers."""
    array = np.array(values if isinstance(values, Sized) else list(values), dtype=np.int32)
    array.flags.writeable = False
    return array


def frozen_bytes(values: NDArray[np.uint8]) -> Bytes:
    """A read-only array of bytes."""
    array = np.array(values, dtype=np.uint8)
    array.flags.writeable = False
    return array


def group_by(owners: NDArray[np.integer], n: int) -> Ints:
    """Where each owner's run starts, given the owners in ascending order; n + 1 positions."""
    return frozen(np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(owners, minlength=n)))))


def expand(starts: NDArray[np.integer], ends: NDArray[np.integer]) -> NDArray[np.int64]:
    """All positions of the runs starts[i]:ends[i], one run after the other."""
    lengths = (ends - starts).astype(np.int64)
    offsets = np.repeat(starts.astype(np.int64) - np.cumsum(lengths) + lengths, lengths)
    return offsets + np.arange(len(offsets), dtype=np.int64)


def runs(lists: Iterable[Sequence[int]]) -> tuple[NDArray[np.int64], Ints]:
    """Lists one after the other: where each begins, and their values."""
    every = list(lists)
    start = np.concatenate((np.zeros(1, np.int64), np.cumsum([len(one) for one in every], dtype=np.int64)))
    return start, frozen([value for one in every for value in one])
