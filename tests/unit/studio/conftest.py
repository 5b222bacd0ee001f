"""A seat in front of a studio."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.studio.common import Seat, baskets


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Seat]:
    """With a file of baskets and its plan, open."""
    baskets(tmp_path)
    made = Seat(tmp_path)
    made.studio.open("baskets.csv", "plan.toml")
    yield made
    made.close()
