import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.distance.registry import DISTANCES
from taxonym.measure.nominal import Domain, statistics
from taxonym.publish.noise.kernels import replaced as fast
from taxonym.publish.noise.semantic import AIMS, NOISES, NoiseChoice, choices, noise, replaced
from tests.strategies import EACH, taxonomies

every_distance = pytest.mark.parametrize("measure", DISTANCES)
errors_of = st.floats(-1, 1) | st.sampled_from([0.0, 1.0, -1.0, 0.5, -0.5, 0.25, -1e-9])


@st.composite
def columns(draw: st.DrawFn, tax: Taxonomy, n: int = 12) -> tuple[list[int], list[float], list[float]]:
    values = draw(st.lists(st.integers(0, len(tax) - 1), min_size=1, max_size=n))
    errors = draw(st.lists(errors_of, min_size=len(values), max_size=len(values)))
    picks = draw(st.lists(st.floats(0, 1, exclude_max=True), min_size=len(values), max_size=len(values)))
    return values, errors, picks


@every_distance
@EACH
@given(tax=taxonomies(20), data=st.data(), m=st.integers(1, 6))
def test_the_fast_twin_replaces_as_the_definition_does_for_the_same_draws(
    measure: str, tax: Taxonomy, data: st.DataObject, m: int
) -> None:
    values, errors, picks = (np.array(part) for part in data.draw(columns(tax)))
    domain, how = Domain.of(tax, measure=measure), NoiseChoice(min_candidates=m)
    mean = statistics(domain, domain.inside(values)).mean
    arguments = domain, mean, domain.inside(values), errors, picks, how
    np.testing.assert_array_equal(fast(*arguments), replaced(*arguments))


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("measure", ["wu-palmer", "jaccard", "lin"])
@EACH
@given(tax=taxonomies(20), data=st.data())
def test_the_fast_twin_aims_as_the_definition_does(measure: str, aim: str, tax: Taxonomy, data: st.DataObject) -> None:
    values, errors, picks = (np.array(part) for part in data.draw(columns(tax)))
    domain, how = Domain.of(tax, measure=measure), NoiseChoice(aim=aim)
    mean = statistics(domain, domain.inside(values)).mean
    arguments = domain, mean, domain.inside(values), errors, picks, how
    np.testing.assert_array_equal(fast(*arguments), replaced(*arguments))


@every_distance
@EACH
@given(tax=taxonomies(16), data=st.data(), error=st.floats(-1, 1).filter(bool), m=st.integers(1, 5))
def test_a_replacement_is_never_the_value_and_at_least_m_concepts_may_come_out(
    measure: str, tax: Taxonomy, data: st.DataObject, error: float, m: int
) -> None:
    domain = Domain.of(tax, measure=measure)
    x, mean = (data.draw(st.integers(0, len(tax) - 1)) for _ in "xm")
    ring = choices(domain, mean, x, error, m)
    assert len(set(ring)) == len(ring) >= min(m, len(tax) - 1)
    assert x not in ring or len(tax) == 1


@every_distance
@EACH
@given(tax=taxonomies(16), data=st.data(), error=st.floats(-1, 1).filter(bool))
def test_a_replacement_is_the_nearest_that_is_far_enough_and_on_its_side(
    measure: str, tax: Taxonomy, data: st.DataObject, error: float
) -> None:
    domain = Domain.of(tax, measure=measure)
    x, mean = (data.draw(st.integers(0, len(tax) - 1)) for _ in "xm")
    d = domain.distances(range(len(tax)), range(len(tax)))
    own = d[x, mean]
    right = {
        c for c in range(len(tax)) if c != x and (x == mean or (d[c, mean] > own if error > 0 else d[c, mean] < own))
    }
    enough = {c for c in right if d[c, x] >= abs(error)}
    ring = set(choices(domain, mean, x, error))
    if enough:
        nearest = min(d[c, x] for c in enough)
        assert ring == {c for c in enough if d[c, x] == nearest}
    elif right:
        farthest = max(d[c, x] for c in right)
        assert ring == {c for c in right if d[c, x] == farthest}


@pytest.mark.parametrize("mechanism", NOISES)
@given(tax=taxonomies(16), data=st.data(), seed=st.integers(0, 2**32), alpha=st.floats(0.01, 5))
def test_the_same_seed_gives_the_same_codes_of_the_category(
    mechanism: str, tax: Taxonomy, data: st.DataObject, seed: int, alpha: float
) -> None:
    category = data.draw(st.integers(0, len(tax) - 1))
    below = tax.descendants(category)
    codes = data.draw(st.lists(st.sampled_from(below), max_size=10))
    first, second = (
        noise(tax, codes, category=category, alpha=alpha, seed=seed, mechanism=mechanism) for _ in range(2)
    )
    assert first == second
    assert len(first) == len(codes)
    assert set(first) <= set(below)
