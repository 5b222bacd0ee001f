import os

import pytest
from hypothesis import HealthCheck, settings

import taxonym
from taxonym import Taxonomy

# Machines are noisy and kernels compile on first use: no deadline. CI takes the same examples every time, and fewer of
# them so that it stays well under a quarter of an hour; HYPOTHESIS_PROFILE=thorough takes many.
settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("local"), derandomize=True, max_examples=50)
settings.register_profile("thorough", settings.get_profile("local"), max_examples=1_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "local"))

# They compile for up to a minute each, and are begun early so that nobody waits for them at the end.
LONG = ("tests/unit/test_read_only.py", "tests/unit/jit/test_bounds.py", "tests/unit/jit/test_numbers.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


@pytest.fixture(scope="session")
def wordnet() -> Taxonomy:
    return taxonym.load("wordnet")


@pytest.fixture(scope="session")
def person(wordnet: Taxonomy) -> Taxonomy:
    return wordnet.under(wordnet.code("person.n.01"))
