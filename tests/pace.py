"""Limits of time that hold on a slow or busy machine, too: they grow as a fixed piece of work takes longer there."""

import time

QUIET = 0.045  # seconds of processor time that the work takes on a quiet machine


def seconds(limit: float) -> float:
    """What a quiet machine does within `limit` seconds of processor time, in seconds of this machine, now."""
    begun = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number
    return limit * max(1.0, (time.process_time() - begun) / QUIET)
