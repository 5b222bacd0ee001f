import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan, UnknownConcept
from taxonym.knowledge.combine import flat
from taxonym.measure import nominal
from taxonym.measure.nominal import Domain, marginalities, nominal_mean, nominal_variance, statistics

SPORTS = Taxonomy.from_edges(
    [("water", "sports"), ("ball", "sports"), ("swimming", "water"), ("surfing", "water"), ("tennis", "ball")]
)


def test_the_mean_of_two_siblings_is_one_of_them_and_the_lowest_code_breaks_the_tie() -> None:
    """Wu-Palmer: each is 1/3 from the other and 1/5 from water, so three concepts: sums 1/3, 1/3 and 2/5."""
    swimming, surfing = SPORTS.code("swimming"), SPORTS.code("surfing")
    assert nominal_mean(SPORTS, [swimming, surfing]) == min(swimming, surfing)
    assert nominal_variance(SPORTS, [swimming, surfing]) == pytest.approx((1 / 3) ** 2 / 2)


def test_the_mean_need_not_be_a_value() -> None:
    domain = Domain.of(Taxonomy.from_edges([(f"x{i}", "x") for i in range(6)]))
    values = domain.inside([domain.tax.code(f"x{i}") for i in range(6)])
    assert domain.tax.label(statistics(domain, values).mean) == "x"


def test_a_category_shortens_all_depths() -> None:
    a, b = SPORTS.code("swimming"), SPORTS.code("surfing")
    category = SPORTS.code("water")
    inside, outside = Domain.of(SPORTS, category), Domain.of(SPORTS)
    assert inside.distance(*inside.inside([a, b]).tolist()) == pytest.approx(1 / 2)
    assert outside.distance(a, b) == pytest.approx(1 / 3)
    assert [int(c) for c in inside.outer] == [SPORTS.code(inside.tax.id(c)) for c in range(len(inside.tax))]


def test_grouping_by_chains_is_as_good_as_comparing_on_wordnet(
    wordnet: Taxonomy, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(1)
    person = wordnet.code("person.n.01")
    for measure in nominal.GROUPED:
        domain = Domain.of(wordnet, person, measure)
        counts = np.bincount(rng.integers(0, len(domain.tax), 2000), minlength=len(domain.tax))
        grouped = marginalities(domain, counts)
        with monkeypatch.context() as patch:
            patch.setattr(nominal, "GROUPED", {})
            np.testing.assert_allclose(grouped, marginalities(domain, counts), rtol=0, atol=1e-9 * 2000)


def test_a_table_of_counts_that_would_be_too_large_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    domain = Domain.of(SPORTS)
    counts = np.arange(len(SPORTS))
    grouped = marginalities(domain, counts)
    monkeypatch.setattr(nominal, "WIDE", 1)
    np.testing.assert_allclose(marginalities(domain, counts), grouped, atol=1e-10)


def test_content_of_ones_own_follows_the_concepts_into_the_category(wordnet: Taxonomy) -> None:
    person = wordnet.code("person.n.01")
    own = np.minimum(wordnet.depths / wordnet.depths.max(), 1.0)
    domain = Domain.of(wordnet, person, "lin", own)
    assert isinstance(domain.content, np.ndarray)
    assert (domain.content == own[domain.outer]).all()


def test_mistakes_are_named_without_values() -> None:
    with pytest.raises(BadPlan, match="a column without values has no mean"):
        nominal_mean(SPORTS, [])
    with pytest.raises(BadPlan, match="every concept is an instance"):
        Domain.of(flat(["Ann", "Bob"]))
    with pytest.raises(UnknownConcept, match="2 values are no concepts of this domain .first at position 1."):
        nominal_mean(SPORTS, [SPORTS.code("surfing"), SPORTS.code("tennis"), -1], category=SPORTS.code("water"))
    with pytest.raises(UnknownConcept, match="codes must be a flat list of whole numbers"):
        nominal_mean(SPORTS, [0.5])  # type: ignore[list-item]
    with pytest.raises(BadPlan, match="measure: 'near' is not known"):
        nominal_mean(SPORTS, [0], measure="near")
