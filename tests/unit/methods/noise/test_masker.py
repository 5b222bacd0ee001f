"""Records that come one at a time."""

import json
import secrets
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import chi2

import taxonym
from taxonym.errors import BadInput, BadPlan, BrokenPromise
from taxonym.measure.nominal import Domain
from taxonym.methods.noise.column import noise_columns_of
from taxonym.plan import Noise, Plan
from taxonym.publish.noise.private import exponential_weights
from taxonym.publish.noise.semantic import QUANTILES, SHAPES, deviation, replaced
from taxonym.publish.noise.stream import BYTES, BaselineStream, KeyedDraws, RecentOutcomes, SecureDraws
from tests.noisy import EDGES, JOBS, column, jobs, people, plan, share_of_clerks, statistics_of

DECLARED = {"mean": "employee", "variance": 0.2}


def private(folder: Path, budget: float = 100.0, epsilon: float = 2.0, **settings: Any) -> dict[str, Any]:
    return plan(folder, {"noise_mechanism": "exponential", "epsilon": epsilon, "budget": budget}, **settings)


# ---------------------------------------------------------------------- noise


def test_a_record_comes_out_with_its_masked_column_and_what_the_plan_keeps(tmp_path: Path) -> None:
    given = plan(tmp_path, **DECLARED)
    given["columns"]["pay"] = {"role": "confidential", "kind": "number"}
    masker = taxonym.Masker(given)
    made = masker.mask({"who": "Kowalska", "job": "clerk", "pay": 7, "secret": "x"})
    assert list(made) == ["job", "pay"]
    assert made["pay"] == 7
    assert made["job"] in set(JOBS) - {"clerk"}


@pytest.mark.parametrize("mechanism", SHAPES)
def test_a_stream_gives_what_a_column_gives_for_the_same_draws(mechanism: str, tmp_path: Path) -> None:
    given = plan(tmp_path, {"noise_mechanism": mechanism, "alpha": 0.8, "min_candidates": 2}, **DECLARED)
    values, n = jobs(80), 80
    masker = taxonym.Masker(given, seed=5)
    found = [masker.mask({"who": i, "job": job})["job"] for i, job in enumerate(values)]
    [noise] = noise_columns_of(Plan.from_dict(given))
    u = np.random.default_rng(5).random((n, 2))
    known = noise.declared()
    assert known is not None
    errors = QUANTILES[mechanism](deviation(0.8, known.variance), u[:, 0])
    codes = noise.domain.inside([noise.finder.taxonomy.code(job) for job in values])
    settings = Noise.of(Plan.from_dict(given))
    whole = replaced(noise.outcomes, known.mean, codes, errors, u[:, 1], settings.choice)
    assert found == [noise.word(int(noise.domain.outer[code])) for code in whole]


@pytest.mark.parametrize("mechanism", SHAPES)
def test_an_error_by_quantile_is_distributed_as_one_that_is_drawn(mechanism: str) -> None:
    rng = np.random.default_rng(1)
    for spread in (0.2, 0.9):
        drawn, made = SHAPES[mechanism](spread, 40_000, rng), QUANTILES[mechanism](spread, rng.random(40_000))
        levels = np.linspace(0.01, 0.99, 33)
        np.testing.assert_allclose(np.quantile(made, levels), np.quantile(drawn, levels), atol=0.02)
        assert np.abs(QUANTILES[mechanism](spread, np.array([0.0, 1 - 2.0**-53]))).max() <= 1
    assert not QUANTILES[mechanism](0.0, rng.random(3)).any()


def test_baselines_need_frequencies_and_give_them_back(tmp_path: Path) -> None:
    table = pl.DataFrame({"who": range(400), "job": ["clerk"] * 300 + ["baker"] * 100})
    for mechanism, share in (("naive", 0.5), ("probabilistic", 0.75)):
        given = plan(tmp_path, {"noise_mechanism": mechanism})
        bare = statistics_of(table, given, tmp_path / "bare.json", frequencies=False)
        with pytest.raises(BadPlan, match="taxonym stats --frequencies"):
            taxonym.Masker(given, statistics=bare)
        masker = taxonym.Masker(given, statistics=statistics_of(table, given, tmp_path / "f.json"), seed=1)
        found = Counter(masker.mask({"who": 1, "job": "farmer"})["job"] for _ in range(2000))
        assert set(found) == {"clerk", "baker"}
        assert found["clerk"] / 2000 == pytest.approx(share, abs=0.05)


def test_correlated_errors_need_a_file_of_both_columns(tmp_path: Path) -> None:
    level = np.random.default_rng(3).integers(0, len(JOBS), 300)
    table = pl.DataFrame({name: [JOBS[i] for i in level] for name in ("job", "boss")} | {"who": range(300)})
    given = plan(tmp_path, {"correlated": True})
    given["columns"]["boss"] = column(tmp_path)
    file = statistics_of(table, given, tmp_path / "s.json")
    assert json.loads(Path(file).read_text())["correlation"]["matrix"][0][1] == pytest.approx(1)
    made = taxonym.Masker(given, statistics=file).mask({"who": 1, "job": "clerk", "boss": "clerk"})
    assert set(made.values()) <= set(JOBS) - {"clerk"}
    masker = taxonym.Masker(given, statistics=file)
    assert np.corrcoef(np.array([masker._errors() for _ in range(300)]).T)[0, 1] == pytest.approx(1)
    said = json.loads(Path(file).read_text())
    for matrix in ([[1, float("nan")], [0, 1]], [[1, 7], [7, 1]], [[1]], "x", [[1, 0.5], [0, 1]]):
        (tmp_path / "bad.json").write_text(json.dumps(said | {"correlation": said["correlation"] | {"matrix": matrix}}))
        with pytest.raises(BadInput, match="its correlation is damaged"):
            taxonym.Masker(given, statistics=tmp_path / "bad.json")
    for one in given["columns"].values():
        one |= DECLARED
    with pytest.raises(BadPlan, match=r"method.correlated: how the columns are correlated has to be known"):
        taxonym.Masker(given)


def test_the_same_person_and_value_get_the_same_answer_with_the_same_key(tmp_path: Path) -> None:
    given = plan(tmp_path, {"consistent": True, "alpha": 3.0, "min_candidates": 6}, **DECLARED)

    def answers(masker: taxonym.Masker) -> list[str]:
        return [masker.mask({"who": who, "job": job})["job"] for who in range(12) for job in ("clerk", "baker")]

    one = taxonym.Masker(given, key=b"0" * 32)
    first = answers(one)
    assert answers(one) == first == answers(taxonym.Masker(given, key=b"0" * 32))
    assert answers(taxonym.Masker(given, key=b"1" * 32)) != first
    assert answers(taxonym.Masker(given)) != answers(taxonym.Masker(given))
    assert len(set(first)) > 2
    given["input"] = {}
    with pytest.raises(BadPlan, match=r"method.consistent: whose record it is has to be known"):
        taxonym.Masker(given)


# ---------------------------------------------------------------------- what cannot be masked


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ({"who": 1}, "column 'job': has no value"),
        ({"who": 1, "job": " "}, "column 'job': has no value"),
        ({"who": 1, "job": "zzq"}, "column 'job': has no concept"),
        ({"who": 1, "job": ["clerk"]}, "column 'job': holds a list or an object"),
        ({"job": "clerk"}, "column 'who': does not say whose record it is"),
        ({"who": None, "job": "clerk"}, "column 'who': does not say whose"),
    ],
)
def test_a_record_that_cannot_be_masked_is_refused_without_its_values(
    record: dict[str, Any], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=complaint) as refused:
        taxonym.Masker(plan(tmp_path, **DECLARED)).mask(record)
    assert "zzq" not in str(refused.value)


def test_only_noise_masks_record_by_record(tmp_path: Path) -> None:
    with pytest.raises(BadPlan, match="records cannot be masked one at a time by 'refined'"):
        taxonym.Masker({"columns": {"job": column(tmp_path)}})


def test_missing_marks_and_policies_are_those_of_the_plan(tmp_path: Path) -> None:
    given = plan(tmp_path, **DECLARED, on_empty="keep-as-own-concept")
    given["input"]["missing"] = ["?"]
    assert taxonym.Masker(given).mask({"who": 1, "job": "?"}) == {"job": None}
    strict = taxonym.Masker(plan(tmp_path, **DECLARED, on_unknown="error", kind="set", set_size=3))
    assert len(strict.mask({"who": 1, "job": "clerk;baker"})["job"]) in (1, 2, 3)
    assert strict.mask({"who": 1, "job": ["clerk"]})["job"] != ["clerk"]
    with pytest.raises(BadInput, match="has a term without a concept"):
        strict.mask({"who": 1, "job": ["clerk", "zzq"]})


# ---------------------------------------------------------------------- ε


def test_private_answers_follow_the_formula(tmp_path: Path) -> None:
    masker, n = taxonym.Masker(private(tmp_path, 9e9)), 6000
    found = Counter(masker.mask({"who": 1, "job": "clerk"})["job"] for _ in range(n))
    domain = Domain.of(taxonym.Taxonomy.from_edges(EDGES))
    weights = exponential_weights(domain, 2.0)
    row = weights.rows(np.array([domain.tax.code("clerk")], np.int32))[0]
    words = [*(domain.tax.label(c) for c in domain.candidates.tolist()), None, "(unknown)"]
    observed, expected = np.array([found[word] for word in words]), n * row / row.sum()
    assert observed.sum() == n
    assert chi2.sf(((observed - expected) ** 2 / expected).sum(), len(words) - 1) > 1e-9


def test_a_budget_is_spent_over_records_and_nobody_is_forgotten(tmp_path: Path) -> None:
    masker = taxonym.Masker(private(tmp_path, budget=4.0), persons=2)
    for who in ("a", "b", "a", "b"):
        masker.mask({"who": who, "job": None})
    for who, why in (
        ("a", "budget: its person would spend more than ε = 4, so nothing was drawn"),
        ("c", "2 persons have spent is remembered"),
    ):
        with pytest.raises(BrokenPromise, match=why):
            masker.mask({"who": who, "job": "clerk"})


def test_a_private_set_costs_its_epsilon_as_a_whole(tmp_path: Path) -> None:
    n, share = 3000, share_of_clerks(20.0)
    masker = taxonym.Masker(private(tmp_path, 1e6, 20.0, kind="set", set_size=2))
    found = np.mean(["clerk" in (masker.mask({"who": 1, "job": "clerk"})["job"] or ()) for _ in range(n)])
    assert found == pytest.approx(share, abs=5 * np.sqrt(share * (1 - share) / n))


def test_the_same_value_in_two_columns_gets_answers_of_its_own(tmp_path: Path) -> None:
    given = plan(tmp_path, {"consistent": True, "alpha": 3.0, "min_candidates": 6}, **DECLARED)
    given["columns"]["boss"] = column(tmp_path, **DECLARED)
    masker = taxonym.Masker(given)
    found = [masker.mask({"who": who, "job": "clerk", "boss": "clerk"}) for who in range(40)]
    assert any(record["job"] != record["boss"] for record in found)


def test_a_private_set_never_has_more_words_than_its_size(tmp_path: Path) -> None:
    given = private(tmp_path, 1e6, kind="set", set_size=2)
    masker = taxonym.Masker(given)
    for cell in ("", "clerk", "clerk;baker;teller;zzq", ["farmer"] * 9, None):
        for _ in range(20):
            made = masker.mask({"who": 1, "job": cell})["job"]
            assert made is None or (0 < len(made) <= 2 and set(made) <= {*JOBS, "(unknown)"})


# ---------------------------------------------------------------------- threads and memory


def test_words_outside_the_topics_are_dropped_if_the_plan_says_so() -> None:
    said = {"role": "quasi-identifier", "kind": "text", "taxonomy": "wordnet", "mean": "entity.n.01", "variance": 0.2}
    for other in ("keep", "drop"):
        told = said | {"topics": ["health"], "other_words": other, "set_size": 1}
        masker = taxonym.Masker({"columns": {"note": told}, "method": {"name": "noise"}})
        assert len(masker.mask({"note": "a bicycle and diabetes"})["note"]) == 1
        if other == "keep":
            assert masker.mask({"note": "a bicycle"})["note"]
    with pytest.raises(BadInput, match="column 'note': has no concept"):
        masker.mask({"note": "a bicycle"})


@pytest.mark.parametrize("value", [["clerk"], {"a": 1}, [["x"]]])
def test_under_epsilon_a_value_of_a_wrong_type_is_unknown_and_nobody_is_left_out(value: Any, tmp_path: Path) -> None:
    masker = taxonym.Masker(private(tmp_path, budget=1e6, epsilon=25.0))
    found = Counter(masker.mask({"who": 1, "job": value})["job"] for _ in range(50))
    assert found["(unknown)"] > 40
    with pytest.raises(BadInput, match="holds a list or an object"):
        taxonym.Masker(plan(tmp_path, **DECLARED)).mask({"who": 1, "job": value})


def test_what_is_promised_and_where_draws_come_from_is_said(tmp_path: Path) -> None:
    told = taxonym.Masker(private(tmp_path, budget=4.0)).promise
    assert "ε = 2 for each cell and at most ε = 4 for each person" in told
    assert told.endswith("the operating system's cryptographically secure generator.")
    alone = private(tmp_path) | {"input": {}}
    assert "at most ε = 100 for each record, taken for a person's only one" in taxonym.Masker(alone).promise
    noisy = plan(tmp_path, **DECLARED)
    assert taxonym.Masker(noisy).promise.startswith("neither k nor ε is promised; draws come from the operating")
    for given, seed in ((noisy, 1), (private(tmp_path), 1), (plan(tmp_path, {"seed": 1}, **DECLARED), None)):
        assert "from a seed" in taxonym.Masker(given, seed=seed).promise
        assert "ε = " not in taxonym.Masker(given, seed=seed).promise


@pytest.mark.parametrize(
    "how", [{"noise_mechanism": "exponential", "epsilon": 2.0, "budget": 9.0}, {}, {"consistent": True}]
)
def test_draws_come_from_the_secure_generator_unless_a_seed_is_given(
    how: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    real = secrets.token_bytes
    for module in ("taxonym.publish.noise.private.secrets.token_bytes", "taxonym.methods.noise.masker.token_bytes"):
        monkeypatch.setattr(module, lambda n: asked.append(n) or real(n))
    given = plan(tmp_path, how, **({} if "epsilon" in how else DECLARED))
    taxonym.Masker(given, seed=1).mask({"who": 1, "job": "clerk"})
    assert asked == []
    taxonym.Masker(given).mask({"who": 1, "job": "clerk"})
    assert sum(asked) >= 8
    if "epsilon" in how:
        asked.clear()
        taxonym.anonymize(people(40), given)
        assert sum(asked) >= 8 * 40


def test_settings_that_would_have_no_effect_are_refused(tmp_path: Path) -> None:
    noisy = plan(tmp_path, **DECLARED)
    with pytest.raises(BadPlan, match="key: belongs to consistent answers"):
        taxonym.Masker(noisy, key=bytes(32))
    with pytest.raises(BadPlan, match="the key has fewer than 16 bytes"):
        taxonym.Masker(noisy | {"method": {"name": "noise", "consistent": True}}, key=b"short")
    with pytest.raises(BadPlan, match="statistics: under ε nothing computed from data has a say"):
        taxonym.Masker(private(tmp_path), statistics="s.json")
    with pytest.raises(BadPlan, match="persons: at least 1"):
        taxonym.Masker(private(tmp_path), persons=0)
    with pytest.raises(BadInput, match="a record has to be a mapping"):
        taxonym.Masker(noisy).mask(["clerk"])  # type: ignore[arg-type]


def test_threads_share_a_masker_and_a_budget(tmp_path: Path) -> None:
    masker = taxonym.Masker(private(tmp_path, budget=200.0))

    def ask(_: int) -> bool:
        try:
            return masker.mask({"who": "a", "job": "clerk"})["job"] != ""
        except BrokenPromise:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(400))) == 100
    noisy = taxonym.Masker(plan(tmp_path, **DECLARED))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda job: noisy.mask({"who": 1, "job": job})["job"], JOBS * 40))
    assert all(new in JOBS and new != old for new, old in zip(found, JOBS * 40, strict=True))


def test_what_is_kept_ready_is_bounded() -> None:
    made: list[int] = []
    kept = RecentOutcomes(lambda v: made.append(v) or v, concepts=10, most=3)  # type: ignore[func-returns-value]
    for value in (1, 2, 3, 1, 4, 1, 2):
        assert kept[value] == value
    assert made == [1, 2, 3, 4, 2]
    assert RecentOutcomes(int, concepts=BYTES)._most == 1


def test_draws_are_numbers_below_1_and_keyed_ones_depend_on_the_question() -> None:
    numbers = SecureDraws().numbers(5000, b"")
    assert 0 <= numbers.min() < 0.01
    assert 0.99 < numbers.max() < 1
    keyed = KeyedDraws(b"k" * 16)
    assert keyed.numbers(2, b"a").tolist() == keyed.numbers(2, b"a").tolist() != keyed.numbers(2, b"b").tolist()
    spread = np.array([keyed.numbers(2, b"%d" % i) for i in range(2000)])
    assert np.abs(spread.mean(axis=0) - 0.5).max() < 0.03
    with pytest.raises(BadPlan, match="the key has fewer than 16 bytes"):
        KeyedDraws(b" " * 15 + b"k")


def test_a_baseline_has_to_have_something_to_publish() -> None:
    domain = Domain.of(taxonym.Taxonomy.from_edges(EDGES))
    with pytest.raises(BadPlan, match="may be published for another"):
        BaselineStream(domain, {}, naive=True)
