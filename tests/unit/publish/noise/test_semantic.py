from math import sqrt

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan, UnknownConcept
from taxonym.knowledge.build import Draft
from taxonym.measure.noise import NoiseLoss, noise_loss
from taxonym.measure.nominal import Domain, Statistics, statistics
from taxonym.papers.rodriguez_garcia2015.runs import Data
from taxonym.publish.noise.kernels import replaced as fast
from taxonym.publish.noise.mechanisms import MECHANISMS
from taxonym.publish.noise.semantic import (
    AIMS,
    NOISES,
    NoiseChoice,
    choices,
    deviation,
    laplace,
    noise,
    normal,
    probabilistic,
    pull,
    replaced,
    semantic,
)

WORK = [
    ("employee", "worker"), ("clerk", "employee"), ("salesperson", "employee"), ("teller", "clerk"),
    ("cashier", "salesperson"), ("self-employed", "worker"), ("farmer", "self-employed"), ("baker", "self-employed"),
]  # fmt: skip


@pytest.fixture(scope="module")
def work() -> Domain:
    return Domain.of(Taxonomy.from_edges(WORK))


@pytest.fixture(scope="module")
def data(wordnet: Taxonomy) -> Data:
    return Data.of(wordnet)


def names(domain: Domain, codes: list[int]) -> set[str]:
    return {domain.tax.label(c) for c in codes}


# ---------------------------------------------------------------------- algorithm 1


def test_the_ring_of_a_hand_made_column(work: Domain) -> None:
    """Depths: worker 1, employee 2, clerk 3, teller 4. Mean: employee. d(clerk, employee) = 1 - 4/5 = 0.2."""
    clerk, employee, worker = (work.tax.code(id) for id in ("clerk", "employee", "worker"))
    # farther: worker 1/3 and teller 1/3 from employee, salesperson is as far as clerk, all self-employed are farther
    assert names(work, choices(work, employee, clerk, 0.1)) == {"teller"}  # 1/7 away; worker is 1/2 away
    assert names(work, choices(work, employee, clerk, 0.2)) == {"cashier"}  # 3/7 away, 1/3 from the mean
    assert names(work, choices(work, employee, clerk, 0.45)) == {"worker"}
    assert names(work, choices(work, employee, clerk, -0.1)) == {"employee"}
    assert names(work, choices(work, employee, clerk, -0.9)) == {"employee"}  # the farthest on that side
    assert names(work, choices(work, employee, employee, 0.1)) == {"clerk", "salesperson"}
    assert names(work, choices(work, employee, employee, -0.1)) == {"clerk", "salesperson"}
    assert choices(work, employee, worker, 0.0) == [worker]


def test_a_ring_widens_until_enough_qualify(work: Domain) -> None:
    clerk, employee = work.tax.code("clerk"), work.tax.code("employee")
    assert names(work, choices(work, employee, clerk, 0.2, 2)) == {"cashier", "worker"}
    # all that is nearer to the mean, then what is as near and far enough
    assert names(work, choices(work, employee, clerk, -0.1, 2)) == {"employee", "salesperson"}
    assert len(choices(work, employee, clerk, -0.1, 99)) == len(work) - 1


def test_an_error_of_0_keeps_the_value_and_a_column_of_equal_values_has_no_other(work: Domain) -> None:
    codes = [work.tax.code("clerk")] * 5
    assert noise(work.tax, codes, alpha=1.0, seed=1) == codes
    values = work.inside([work.tax.code("clerk"), work.tax.code("farmer")])
    kept = fast(work, 0, values, np.zeros(2), np.zeros(2), NoiseChoice())
    assert kept.tolist() == values.tolist()


@pytest.mark.parametrize(
    "how", [NoiseChoice(), NoiseChoice(min_candidates=3), *(NoiseChoice(aim=aim) for aim in AIMS)], ids=str
)
def test_no_value_stays_and_no_instance_comes_out(how: NoiseChoice) -> None:
    draft = Draft("people")
    for child, parent in WORK:
        draft.link(child, parent)
    for name in ("Ann", "Bob", "Cid"):
        draft.add(name, instance=True)
        draft.link(name, "clerk")
    tax = draft.build()
    domain = Domain.of(tax)
    values = domain.inside([*range(len(tax))] * 40)
    masked, errors = semantic(domain, values, 1.0, np.random.default_rng(3), how=how)
    assert (masked != values).all()
    assert not any(tax.is_instance(c) for c in masked.tolist())
    picks = np.random.default_rng(4).random(len(values))
    mean = statistics(domain, values).mean
    arguments = domain, mean, values, errors, picks, how
    assert replaced(*arguments).tolist() == fast(*arguments).tolist()


def test_a_domain_of_one_concept_leaves_nothing_to_choose() -> None:
    domain = Domain.of(Taxonomy.from_edges([("b", "a")]).under(1))
    assert choices(domain, 0, 0, 0.5) == [0]
    assert fast(domain, 0, domain.inside([0]), np.array([0.5]), np.array([0.5]), NoiseChoice()).tolist() == [0]


def test_the_twin_equals_the_definition_on_wordnet(data: Data) -> None:
    rng = np.random.default_rng(7)
    values = rng.choice(data.domain.candidates, 40)
    errors, picks = normal(0.4, 40, rng), rng.random(40)
    mean = statistics(data.domain, values).mean
    for how in (NoiseChoice(), NoiseChoice(min_candidates=25), NoiseChoice(aim="error")):
        arguments = data.domain, mean, values, errors, picks, how
        np.testing.assert_array_equal(fast(*arguments), replaced(*arguments))


def test_ties_are_drawn_uniformly(work: Domain) -> None:
    employee = work.tax.code("employee")
    n = 20_000
    picks = np.random.default_rng(2).random(n)
    out = fast(work, employee, work.inside([employee] * n), np.full(n, 0.1), picks, NoiseChoice())
    share = float((out == work.tax.code("clerk")).mean())
    assert abs(share - 0.5) < 4 * sqrt(0.25 / n)


# ---------------------------------------------------------------------- errors


@pytest.mark.parametrize("shape", [normal, laplace], ids=lambda f: f.__name__)
def test_errors_have_the_variance_asked_for_and_none_exceeds_1(shape) -> None:  # type: ignore[no-untyped-def]
    small = shape(0.1, 100_000, np.random.default_rng(1))
    assert float(small.std()) == pytest.approx(0.1, rel=0.02)
    assert abs(float(small.mean())) < 4 * 0.1 / sqrt(100_000)
    assert float(np.abs(shape(3.0, 5_000, np.random.default_rng(1))).max()) <= 1


def test_laplace_errors_are_more_peaked_than_normal_ones_of_the_same_variance() -> None:
    drawn = {f.__name__: f(0.1, 100_000, np.random.default_rng(1)) for f in (normal, laplace)}
    kurtosis = {name: float((e**4).mean() / (e**2).mean() ** 2) for name, e in drawn.items()}
    assert kurtosis["normal"] == pytest.approx(3, abs=0.2)
    assert kurtosis["laplace"] == pytest.approx(6, abs=0.6)


@pytest.mark.parametrize("alpha", [0, -1, 101, float("nan")])
def test_an_alpha_out_of_range_is_refused(alpha: float) -> None:
    with pytest.raises(BadPlan, match="alpha must be above 0 and at most 100"):
        deviation(alpha, 0.2)


# ---------------------------------------------------------------------- aims


def over_seeds(data: Data, how: NoiseChoice, alpha: float = 0.5, seeds: int = 12) -> list[NoiseLoss]:
    out = []
    for seed in range(seeds):
        masked, errors = semantic(data.domain, data.sample, alpha, np.random.default_rng(seed), how=how)
        out.append(noise_loss(data.domain, data.sample, masked, alpha=alpha, errors=errors))
    return out


def test_every_aim_keeps_its_statistic_better_than_the_paper_does(data: Data) -> None:
    plain = over_seeds(data, NoiseChoice())
    found = {aim: over_seeds(data, NoiseChoice(aim=aim)) for aim in AIMS}

    def off(some: list[NoiseLoss], what: str) -> float:
        if what == "error":
            return sum(abs(run.mean_error - (run.target_error or 0)) for run in some)
        return sum(run.mean_shift if what == "mean" else run.variance_off or 0 for run in some)

    for aim in AIMS:
        assert off(found[aim], aim) < 0.7 * off(plain, aim)


def test_only_what_lies_nearer_to_a_parent_of_the_mean_pulls_it(work: Domain) -> None:
    pulls = dict(zip(work.candidates.tolist(), pull(work, work.tax.code("employee")).tolist(), strict=True))
    assert pulls[work.tax.code("worker")] == pytest.approx(1 / 3)
    assert pulls[work.tax.code("farmer")] > 0
    assert pulls[work.tax.code("teller")] == pulls[work.tax.code("employee")] == 0
    assert not pull(work, work.tax.code("worker")).any()


# ---------------------------------------------------------------------- the rest


def test_baselines_only_ever_publish_values_of_the_column(work: Domain) -> None:
    codes = [work.tax.code(id) for id in ("clerk", "clerk", "farmer", "teller")] * 50
    for name in ("naive", "probabilistic"):
        assert set(noise(work.tax, codes, mechanism=name, seed=1)) == set(codes)


def test_naive_replacements_are_uniform_and_probabilistic_ones_as_frequent_as_before(work: Domain) -> None:
    values = np.repeat(work.candidates[:2], [9_000, 1_000])
    rng = np.random.default_rng(5)
    share = {
        "naive": float((NOISES["naive"].function(work, values, 0.5, rng) == values[0]).mean()),
        "probabilistic": float((probabilistic(work, values, 0.5, rng) == values[0]).mean()),
    }
    assert share["naive"] == pytest.approx(0.5, abs=0.02)
    assert share["probabilistic"] == pytest.approx(0.9, abs=0.012)


def test_known_statistics_serve_records_that_come_one_at_a_time(work: Domain) -> None:
    known = Statistics(mean=work.tax.code("employee"), variance=0.2, values=1000)
    rng = np.random.default_rng(9)
    codes = [work.tax.code(id) for id in ("clerk", "farmer", "baker")]
    for code in codes:
        [one], [error] = semantic(work, work.inside([code]), 0.5, rng, known=known)
        assert one in choices(work, known.mean, code, float(error))
        assert one != code


def test_without_a_seed_two_runs_differ(work: Domain) -> None:
    codes = list(range(len(work.tax))) * 30
    assert noise(work.tax, codes, alpha=1.0) != noise(work.tax, codes, alpha=1.0)


def test_an_empty_column_stays_empty(work: Domain) -> None:
    for name in NOISES:
        assert noise(work.tax, [], mechanism=name) == []


def test_mistakes_are_named(work: Domain) -> None:
    with pytest.raises(BadPlan, match="mechanism: 'loud' is not known. Choose one of normal"):
        noise(work.tax, [0], mechanism="loud")
    with pytest.raises(BadPlan, match="'naive' has neither min_candidates nor aim"):
        noise(work.tax, [0], min_candidates=2, mechanism="naive")
    with pytest.raises(BadPlan, match="aim: 'high' is not known. Choose one of mean, variance, error"):
        NoiseChoice(aim="high")
    with pytest.raises(BadPlan, match="min_candidates must be at least 1, got 0"):
        NoiseChoice(min_candidates=0)
    with pytest.raises(BadPlan, match="aim narrows .* min_candidates widens"):
        NoiseChoice(aim="mean", min_candidates=2)
    with pytest.raises(UnknownConcept, match="1 values are no concepts of this domain .first at position 1."):
        noise(work.tax, [work.tax.code("clerk"), work.tax.code("farmer")], category=work.tax.code("employee"))


def test_every_mechanism_says_what_it_promises() -> None:
    promises = {m.name: m.promise for m in MECHANISMS.values()}
    assert promises == dict.fromkeys(NOISES, "none") | {"exponential": "ε", "geometric": "ε"}
    assert "not ε" in MECHANISMS["laplace"].about
    assert all(name == m.name and callable(m.function) and m.about for name, m in MECHANISMS.items())
