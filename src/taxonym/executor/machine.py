"""What a run may take of the machine: how many threads work, and how much memory the process may fill.

The number of workers changes no result. Little memory may: records are then grouped in blocks, and the report says so.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from taxonym.distance.sets_matrix import free_memory
from taxonym.errors import BadInput, BadPlan
from taxonym.io.sizes import bytes_of, gigabytes

SHARE = 0.9  # of what is free: others want to live, too


@dataclass(frozen=True, slots=True)
class Machine:
    """So many threads, and a ceiling for the memory of the whole process, in bytes; None: what the machine has free.

    `processes` says that worker processes may be started, too. A script without `if __name__ == "__main__":` cannot
    start any, so the library does it only when it is told how many workers there are.
    """

    workers: int = 1
    memory: int | None = None
    processes: bool = False

    @classmethod
    def of(cls, workers: int | None = None, max_memory: int | str | None = None) -> "Machine":
        """All cores, unless told otherwise; memory in bytes or as people write it: "4G", "500 MB", "2GiB"."""
        if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
            raise BadPlan(f"workers: must be a whole number from 1 on, got {workers!r}.")
        memory = None if max_memory is None else bytes_of(max_memory)
        return cls(workers or cores(), memory, processes=workers is not None)

    @property
    def left(self) -> int:
        """Bytes that may still be taken."""
        free = int(SHARE * free_memory())
        return free if self.memory is None else min(free, self.memory - in_use())

    def check(self, need: float, where: str, what: str) -> None:
        """Raise if so many bytes more cannot be had."""
        if need > (left := self.left):
            ceiling = "than this machine has free" if self.memory is None else "than max_memory leaves"
            raise BadInput(
                f"{where}: {what} would take {gigabytes(need)}, more {ceiling} ({gigabytes(max(0, left))}). "
                f"Allow more memory, or divide the table."
            )

    def fitting(self, need: float, where: str, what: str) -> int:
        """How many workers may take so many bytes each; raise if not even one may."""
        self.check(need, where, what)
        return max(1, min(self.workers, int(self.left // need)))


def cores() -> int:
    """The cores that this process may use."""
    found = getattr(os, "sched_getaffinity", None)
    return len(found(0)) if found else os.cpu_count() or 1


def in_use() -> int:
    """Bytes of memory that this process fills now; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
