import os

import pytest
from hypothesis import HealthCheck, settings

import taxonym
from taxonym import Taxonomy

# Machines are noisy and kernels compile on first use: no deadline. CI takes the same examples every time.
settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session")
def wordnet() -> Taxonomy:
    return taxonym.load("wordnet")


@pytest.fixture(scope="session")
def person(wordnet: Taxonomy) -> Taxonomy:
    return wordnet.under(wordnet.code("person.n.01"))
