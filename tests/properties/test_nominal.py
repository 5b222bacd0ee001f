import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.distance.registry import DISTANCES
from taxonym.knowledge.build import Draft
from taxonym.measure.nominal import (
    Domain,
    marginalities,
    marginality,
    mean,
    nominal_mean,
    nominal_variance,
    statistics,
    variance,
)
from tests.strategies import EACH, taxonomies

every_distance = pytest.mark.parametrize("measure", DISTANCES)


def columns(tax: Taxonomy, max_size: int = 12) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, len(tax) - 1), min_size=1, max_size=max_size)


@every_distance
@EACH
@given(tax=taxonomies(20), data=st.data())
def test_sums_of_distances_mean_and_variance_equal_their_definitions(
    measure: str, tax: Taxonomy, data: st.DataObject
) -> None:
    domain, values = Domain.of(tax, measure=measure), data.draw(columns(tax))
    sums = marginalities(domain, np.bincount(values, minlength=len(tax)))
    np.testing.assert_allclose(
        sums, [marginality(domain, c, values) for c in range(len(tax))], rtol=0, atol=1e-10 * len(values)
    )
    found = statistics(domain, domain.inside(values))
    assert found.mean == mean(domain, values)
    assert found.variance == pytest.approx(variance(domain, values, found.mean), abs=1e-11)


@every_distance
@EACH
@given(tax=taxonomies(16), data=st.data())
def test_a_category_is_a_taxonomy_of_its_own(measure: str, tax: Taxonomy, data: st.DataObject) -> None:
    category = data.draw(st.integers(0, len(tax) - 1))
    codes = data.draw(st.lists(st.sampled_from(tax.descendants(category)), min_size=1, max_size=8))
    part = tax.under(category)
    own = [part.code(tax.id(c)) for c in codes]
    found = nominal_mean(tax, codes, category=category, measure=measure)
    assert found in tax.descendants(category)
    assert nominal_variance(tax, codes, category=category, measure=measure) == pytest.approx(
        variance(Domain.of(part, measure=measure), own, part.code(tax.id(found))), abs=1e-11
    )


@every_distance
@EACH
@given(tax=taxonomies(16), data=st.data())
def test_the_order_of_the_values_and_repeating_them_all_change_nothing(
    measure: str, tax: Taxonomy, data: st.DataObject
) -> None:
    values = data.draw(columns(tax))
    other = data.draw(st.permutations(values)) * data.draw(st.integers(1, 3))
    assert nominal_mean(tax, values, measure=measure) == nominal_mean(tax, other, measure=measure)
    assert nominal_variance(tax, values, measure=measure) == pytest.approx(
        nominal_variance(tax, other, measure=measure), abs=1e-12
    )


@every_distance
@EACH
@given(tax=taxonomies(16), data=st.data(), n=st.integers(1, 9))
def test_the_variance_lies_in_0_to_1_and_is_0_for_equal_values(
    measure: str, tax: Taxonomy, data: st.DataObject, n: int
) -> None:
    values = data.draw(columns(tax))
    assert 0 <= nominal_variance(tax, values, measure=measure) <= 1
    assert nominal_variance(tax, values[:1] * n, measure=measure) == 0


@given(tax=taxonomies(16), instances=st.integers(0, 2**16 - 1), data=st.data())
def test_the_mean_is_never_an_instance_even_where_all_values_are(
    tax: Taxonomy, instances: int, data: st.DataObject
) -> None:
    draft = Draft("with instances")
    for code in range(len(tax)):
        draft.add(tax.id(code), instance=code > 0 and bool(instances >> code & 1))
        for parent in tax.parents(code):
            draft.link(tax.id(code), tax.id(parent))
    named = draft.build()
    values = data.draw(columns(named))
    found = nominal_mean(named, values)
    assert not named.is_instance(found)
    assert found == mean(Domain.of(named), values)


@every_distance
@EACH
@given(tax=taxonomies(14))
def test_a_single_row_of_distances_is_that_of_the_whole_table(measure: str, tax: Taxonomy) -> None:
    domain = Domain.of(tax, measure=measure)
    every = range(len(tax))
    whole = domain.distances(every, every)
    for code in every:
        assert domain.distances([code], every)[0].tolist() == whole[code].tolist()
