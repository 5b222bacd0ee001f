# mypy: allow-untyped-defs, allow-untyped-calls
"""Sorts and searches for compiled functions; numba's own must not be used there (see taxonym.jit)."""

import numpy as np

from taxonym.jit import kernel

RUN = 16  # so many are sorted by insertion, then runs are merged


@kernel
def argsort(values):
    """Places of the values in ascending order; equal values keep theirs."""
    n = len(values)
    order, other = np.empty(n, np.int64), np.empty(n, np.int64)
    for begin in range(0, n, RUN):
        for i in range(begin, min(begin + RUN, n)):
            j = i
            while j > begin and values[i] < values[order[j - 1]]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = i
    width = RUN
    while width < n:
        for begin in range(0, n, 2 * width):
            middle, end = min(begin + width, n), min(begin + 2 * width, n)
            a, b = begin, middle
            for to in range(begin, end):
                if a < middle and (b >= end or not values[order[b]] < values[order[a]]):
                    other[to], a = order[a], a + 1
                else:
                    other[to], b = order[b], b + 1
        order, other = other, order
        width *= 2
    return order


@kernel
def sort(values):
    """Put the values into ascending order, where they are."""
    n = len(values)
    for begin in range(0, n, RUN):
        for i in range(begin + 1, min(begin + RUN, n)):
            value, j = values[i], i
            while j > begin and value < values[j - 1]:
                values[j] = values[j - 1]
                j -= 1
            values[j] = value
    if n <= RUN:
        return
    here, other = values, np.empty_like(values)
    width, swapped = RUN, False
    while width < n:
        for begin in range(0, n, 2 * width):
            middle, end = min(begin + width, n), min(begin + 2 * width, n)
            a, b = begin, middle
            for to in range(begin, end):
                if a < middle and (b >= end or not here[b] < here[a]):
                    other[to], a = here[a], a + 1
                else:
                    other[to], b = here[b], b + 1
        here, other, swapped = other, here, not swapped
        width *= 2
    if swapped:
        values[:] = here


@kernel
def distinct(values):
    """The different values, ascending."""
    found = values.copy()
    sort(found)
    n = 0
    for value in found:
        if n == 0 or found[n - 1] != value:
            found[n], n = value, n + 1
    return found[:n]


@kernel
def place(ascending, value):
    """How many of the ascending values are below `value`."""
    low, high = 0, len(ascending)
    while low < high:
        middle = (low + high) // 2
        if ascending[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def places(ascending, values):
    """`place` of every value."""
    found = np.empty(len(values), np.int64)
    for i in range(len(values)):
        found[i] = place(ascending, values[i])
    return found
