"""What all tests of the papers look at is computed once: those that ask for it are one group, `REPRODUCE`."""

import time

import pytest

from taxonym.papers.items import Item
from taxonym.papers.registry import PAPERS

REPRODUCE = pytest.mark.xdist_group("reproduce")


class Reproduced(dict[str, list[Item]]):
    """The items of a paper by its number, computed when they are asked for, and how long that took."""

    seconds = 0.0

    def __missing__(self, number: str) -> list[Item]:
        begun = time.process_time()
        self[number] = PAPERS[number].reproduce()
        self.seconds += time.process_time() - begun
        return self[number]


@pytest.fixture(scope="session")
def reproduced() -> Reproduced:
    return Reproduced()
