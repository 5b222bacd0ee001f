"""Whole releases by noise: what is published, what the report tells, and what is refused."""

import json
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import taxonym
from taxonym.errors import BadInput, BadPlan, BrokenPromise
from taxonym.measure.nominal import Domain
from taxonym.methods.noise.column import UNKNOWN_WORD, noise_columns_of
from taxonym.methods.noise.records import NoiseColumnValues, masked_noisily
from taxonym.methods.noise.statistics import StatisticsFile, write_statistics
from taxonym.plan import Plan
from taxonym.publish.noise.mechanisms import MECHANISMS
from taxonym.publish.noise.private import PRIVATE, exponential_weights
from taxonym.shapes.table.read import prepare
from tests.noisy import EDGES, JOBS, column, jobs, people, share_of_clerks


def method(mechanism: str = "normal", **more: Any) -> dict[str, Any]:
    strength = {"epsilon": 3.0} if mechanism in PRIVATE else {}
    return {"name": "noise", "noise_mechanism": mechanism, **strength, **more}


def plan(folder: Path, how: dict[str, Any], *more: str, **settings: Any) -> dict[str, Any]:
    columns = {"job": column(folder, **settings)}
    if "family" in more:
        columns["family"] = column(folder, kind="set")
    if "pay" in more:
        columns["pay"] = {"role": "confidential", "kind": "number"}
    return {"input": {"person": False}, "columns": columns, "method": how, "output": {"shuffle": False}}


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_every_mechanism_publishes_words_of_the_hierarchy_for_every_row(mechanism: str, tmp_path: Path) -> None:
    table = people()
    release = taxonym.anonymize(table, plan(tmp_path, method(mechanism), "family"))
    allowed = {*JOBS, UNKNOWN_WORD} if mechanism in PRIVATE else set(JOBS)
    assert release.table.columns == ["job", "family"]
    assert release.table.height == table.height
    assert set(release.table["job"].drop_nulls()) <= allowed
    assert set(release.table["family"].explode().drop_nulls()) <= allowed
    assert release.groups == []
    assert release.report["promise"]["kind"] == MECHANISMS[mechanism].promise
    assert release.report["promise"]["k"] is release.report["verified"]["k"] is None
    assert "k" not in release.report["plan"]["method"]


def test_noise_leaves_no_value_as_it_was_and_says_what_it_did(tmp_path: Path) -> None:
    table = people(400)
    release = taxonym.anonymize(table, plan(tmp_path, method(alpha=0.4), "pay"))
    assert (release.table["job"] != table["job"]).all()
    assert release.table["pay"].to_list() == table["pay"].to_list()
    [found] = release.report["noise"]["columns"]
    assert set(found["figures"]) == {"mean_error", "target_error", "unchanged"}
    assert found["figures"]["unchanged"] == 0
    [found] = release.private_report()["noise"]["columns"]
    figures = found["figures"]
    assert figures["unchanged"] == 0
    assert figures["expected_variance"] == pytest.approx(1.4 * figures["variance_before"])
    assert figures["mean_error"] >= figures["target_error"] > 0
    assert figures["mean_before"] in JOBS
    assert 0 <= figures["total_variation"] <= 1
    assert "neither k nor ε is promised" in release.report["verdict"]
    assert found["statistics"] == "computed"


def test_a_seed_repeats_a_release_and_without_one_two_differ(tmp_path: Path) -> None:
    for mechanism in MECHANISMS:
        seeded = [taxonym.anonymize(people(), plan(tmp_path, method(mechanism, seed=4), "family")).table for _ in "ab"]
        assert seeded[0].equals(seeded[1])
        free = [taxonym.anonymize(people(), plan(tmp_path, method(mechanism), "family")).table for _ in "ab"]
        assert not free[0].equals(free[1])


def test_the_order_of_the_rows_does_not_change_what_a_seed_gives(tmp_path: Path) -> None:
    table = people()
    wanted = plan(tmp_path, method(seed=4), "pay")
    first = taxonym.anonymize(table, wanted).table
    second = taxonym.anonymize(table.reverse(), wanted).table
    assert sorted(first["job"]) == sorted(second["job"])


def test_rows_are_shuffled_unless_their_order_is_to_be_kept(tmp_path: Path) -> None:
    table = people(60).with_columns(pay=pl.Series(range(60)))
    for shuffle in (True, False):
        found = taxonym.anonymize(table, plan(tmp_path, method(), "pay") | {"output": {"shuffle": shuffle}}).table[
            "pay"
        ]
        assert (found.to_list() == list(range(60))) is not shuffle
        assert sorted(found) == list(range(60))


def masked_columns(
    folder: Path, how: dict[str, Any], table: pl.DataFrame, file: StatisticsFile | None = None
) -> list[NoiseColumnValues]:
    """All columns of jobs of a table, with their errors."""
    made = Plan.from_dict({"columns": {name: column(folder) for name in table.columns}, "method": how})
    units = prepare(table, made)
    return masked_noisily(units, noise_columns_of(made), made, np.random.default_rng(1), file)


def test_strength_shape_and_ring_are_those_of_the_plan(tmp_path: Path) -> None:
    table = pl.DataFrame({"job": jobs(4000)})
    for mechanism, peak in (("normal", np.sqrt(2 / np.pi)), ("laplace", np.sqrt(1 / 2))):
        for alpha in (0.05, 0.2):
            [made] = masked_columns(tmp_path, method(mechanism, alpha=alpha), table)
            assert made.errors is not None
            assert made.known is not None
            assert made.errors.var() == pytest.approx(alpha * made.known.statistics.variance, rel=0.1)
            assert np.abs(made.errors).mean() / made.errors.std() == pytest.approx(peak, abs=0.03)
    for least in (1, 5):
        [made] = masked_columns(tmp_path, method(alpha=0.2, min_candidates=least), table)
        assert made.errors is not None
        nearer = made.errors < 0
        rings = [set(made.after[nearer & (made.before == value)].tolist()) for value in np.unique(made.before)]
        assert (min(map(len, rings)) >= 5) is (least == 5)


def test_what_is_named_after_somebody_never_comes_out() -> None:
    given = {"role": "quasi-identifier", "taxonomy": "wordnet", "category": "physicist.n.01"}
    [made] = noise_columns_of(Plan.from_dict({"columns": {"who": given}, "method": method()}))
    tax = made.finder.taxonomy
    assert any(tax.is_instance(code) for code in made.domain.outer.tolist())
    assert len(made.names) > 1
    assert not any(tax.is_instance(code) for code in made.names)


def test_declared_statistics_replace_those_of_the_data(tmp_path: Path) -> None:
    wanted = plan(tmp_path, method(), mean="farmer", variance=0.3)
    [found] = taxonym.anonymize(people(), wanted).report["noise"]["columns"]
    assert found["statistics"] == "declared"
    wanted["columns"]["job"]["mean"] = "astronaut"
    with pytest.raises(BadPlan, match=r"columns.job.mean: 'astronaut' is not a concept of 'jobs'"):
        taxonym.anonymize(people(), wanted)


def test_a_person_with_a_value_twice_gets_the_same_answer_if_asked_for(tmp_path: Path) -> None:
    table = pl.DataFrame({"who": ["a", "b", "c", "d"] * 30, "job": ["clerk", "teller", "farmer", "baker"] * 30})
    wanted = plan(tmp_path, method(alpha=2.0, min_candidates=5, consistent=True))
    wanted["input"] = {"person": "who", "person_rows": "keep"}
    answers = taxonym.anonymize(table, wanted).table["job"].to_list()
    assert answers == answers[:4] * 30
    alike = table.with_columns(who=pl.Series(range(120)).cast(pl.String))
    answers = taxonym.anonymize(alike, wanted).table["job"].to_list()
    assert len(set(answers[::4])) > 1  # another person gets an answer of her own
    wanted["method"]["consistent"] = False
    found = taxonym.anonymize(table, wanted)
    assert len(set(found.table["job"].to_list()[::4])) > 1
    assert any("consistent = true" in note for note in found.report["notes"])


def test_rows_of_a_person_are_united_to_a_set(tmp_path: Path) -> None:
    wanted = plan(tmp_path, method())
    wanted["input"] = {"person": "who"}
    table = people()
    release = taxonym.anonymize(table, wanted)
    assert release.table.height == table["who"].n_unique()
    assert release.table["job"].dtype == pl.List(pl.String)
    release.write(tmp_path / "out.csv")


def test_unknown_and_missing_values_follow_the_policy(tmp_path: Path) -> None:
    table = pl.DataFrame({"job": [*jobs(30), "zzq", None]})
    release = taxonym.anonymize(table, plan(tmp_path, method()))
    assert release.table.height == 30
    assert set(release.report["records"]["suppressed_persons"].values()) == {"<5"}
    left_out = release.private_report()["records"]["suppressed_persons"]
    assert (left_out["missing value"], left_out["no concept"]) == (1, 1)
    assert release.report["records"]["rows"] is None
    kept = taxonym.anonymize(table, plan(tmp_path, method(), on_empty="keep-as-own-concept"))
    assert kept.table.height == 31
    assert kept.table["job"][-1] is None
    assert "zzq" not in json.dumps(kept.report)


def test_figures_of_few_persons_are_not_told(tmp_path: Path) -> None:
    for n, told in ((49, False), (50, True)):
        [found] = taxonym.anonymize(people(n), plan(tmp_path, method())).report["noise"]["columns"]
        assert set(found["figures"]) == {"mean_error", "target_error", "unchanged"}
        assert all((value is not None) is told for value in found["figures"].values())
    wanted = plan(tmp_path, method())
    wanted["input"] = {"person": "who", "person_rows": "keep"}
    table = pl.DataFrame({"who": [i % 100 for i in range(300)], "job": jobs(300)})
    [found] = taxonym.anonymize(table, wanted).report["noise"]["columns"]
    assert set(found["figures"].values()) == {None}  # nothing says how many rows a person may have


def test_a_value_that_may_be_missing_excuses_no_unknown_one_beside_it(tmp_path: Path) -> None:
    table = pl.DataFrame({"job": [*jobs(30), None, None], "boss": [*jobs(30, seed=2), "zzq", "clerk"]})
    wanted = plan(tmp_path, method(), on_empty="keep-as-own-concept")
    wanted["columns"]["boss"] = column(tmp_path)
    release = taxonym.anonymize(table, wanted)
    assert release.table.height == 31
    assert release.table["boss"].null_count() == 0
    assert release.private_report()["records"]["suppressed_persons"]["no concept"] == 1


@pytest.mark.parametrize("rows", [1, 30])
def test_a_column_of_equal_values_is_refused_rather_than_published_as_it_is(rows: int, tmp_path: Path) -> None:
    table = pl.DataFrame({"job": ["clerk"] * rows})
    with pytest.raises(BrokenPromise, match=r"column 'job'.* all alike, so noise would publish every value as it is"):
        taxonym.anonymize(table, plan(tmp_path, method()))
    declared = taxonym.anonymize(table, plan(tmp_path, method(), mean="employee", variance=0.2))
    assert "clerk" not in declared.table["job"].to_list()


def test_free_text_is_published_as_replaced_words_only(tmp_path: Path) -> None:
    texts = [f"I hired a {job} on Monday" for job in jobs(60)]
    wanted = {"columns": {"note": column(tmp_path, kind="text")}, "method": method(), "output": {"shuffle": False}}
    release = taxonym.anonymize(pl.DataFrame({"note": texts}), wanted)
    assert release.table["note"].dtype == pl.List(pl.String)
    assert set(release.table["note"].explode()) <= set(JOBS)
    for text, cell in zip(texts, release.table["note"], strict=True):
        assert not any(f" a {word} on" in text for word in cell)


# ---------------------------------------------------------------------- several columns


def two_columns(n: int = 1500) -> pl.DataFrame:
    """Who is near the middle in one column is so in the other."""
    order = ["employee", "clerk", "salesperson", "teller", "cashier", "worker", "farmer", "fruit farmer"]
    level = np.random.default_rng(3).integers(0, len(order), n)
    return pl.DataFrame({"job": [order[i] for i in level], "boss": [order[i] for i in level]})


def test_errors_of_different_columns_vary_together_only_if_asked_for(tmp_path: Path) -> None:
    """Equation 5: the correlation of n independent pairs has the deviation 1 / √n."""
    n, sizes = 1500, []
    for correlated, expected in ((False, 0), (True, 1)):
        masked = masked_columns(tmp_path, method(correlated=correlated), two_columns(n))
        errors = np.array([each.errors for each in masked])
        assert np.corrcoef(errors)[0, 1] == pytest.approx(expected, abs=4 / np.sqrt(n))
        sizes.append(np.abs(errors).mean(axis=1))
    np.testing.assert_allclose(sizes[0], sizes[1], rtol=0.1)  # no column has more noise for being correlated


def test_a_file_of_statistics_says_how_errors_vary_together(tmp_path: Path) -> None:
    apart = two_columns(800).with_columns(boss=pl.Series(jobs(800, seed=9)))
    made = Plan.from_dict({"columns": {name: column(tmp_path) for name in apart.columns}, "method": method()})
    write_statistics(tmp_path / "s.json", noise_columns_of(made), prepare(two_columns(800), made), False, 5)
    file = StatisticsFile(tmp_path / "s.json", 5)
    for given, expected in ((None, 0), (file, 1)):
        masked = masked_columns(tmp_path, method(correlated=True), apart, given)
        assert np.corrcoef([each.errors for each in masked])[0, 1] == pytest.approx(expected, abs=0.2)


def test_correlated_noise_keeps_more_of_a_correlation(tmp_path: Path) -> None:
    kept = {}
    for correlated in (False, True):
        wanted = plan(tmp_path, method(alpha=0.5, seed=2, correlated=correlated))
        wanted["columns"]["boss"] = column(tmp_path)
        [pair] = taxonym.anonymize(two_columns(), wanted).private_report()["noise"]["correlations"]
        assert pair["before"] == pytest.approx(1)
        kept[correlated] = pair["after"]
    assert kept[True] > kept[False] + 0.2


# ---------------------------------------------------------------------- ε


@pytest.mark.parametrize("mechanism", PRIVATE)
def test_under_epsilon_the_report_is_the_same_for_any_data_of_as_many_rows(mechanism: str, tmp_path: Path) -> None:
    many = pl.DataFrame({"who": [f"p{i}" for i in range(30)], "job": jobs(30), "family": ["clerk;baker"] * 30})
    strange = many.with_columns(
        job=pl.Series(["zzq", None] * 15), family=pl.Series([None, "zzq;teller;farmer;baker;clerk"] * 15)
    )
    wanted = plan(tmp_path, method(mechanism), "family")
    wanted["input"] = {"person": "who", "person_rows": "keep"}
    reports = []
    for table in (many, strange):
        release = taxonym.anonymize(table, wanted)
        assert release.table.height == 30
        found = release.report
        found["verified"].pop("words")  # of the release itself, which is private
        reports.append(found)
    assert reports[0] == reports[1]
    assert reports[0]["loss"] == {}
    assert (reports[0]["records"]["persons"], reports[0]["records"]["published_persons"]) == (None, None)
    assert reports[0]["promise"]["epsilon"] == 6.0


def test_the_likelihood_ratio_of_releases_of_two_values_stays_within_epsilon(tmp_path: Path) -> None:
    """Empirically, through the whole pipeline: shares of outcomes for two values, missing and unknown among them."""
    n, epsilon = 20_000, 1.0
    shares = []
    for value in ("clerk", "fruit farmer", None, "zzq"):
        table = pl.DataFrame({"job": pl.Series([value] * n, dtype=pl.String)})
        found = taxonym.anonymize(table, plan(tmp_path, method("exponential") | {"epsilon": epsilon})).table["job"]
        shares.append(np.array([found.eq_missing(word).mean() for word in (*JOBS, UNKNOWN_WORD, None)]))
    assert all(share.sum() == pytest.approx(1) for share in shares)
    for p in shares:
        for q in shares:
            assert (np.log(p / q) <= epsilon + 6 * np.sqrt(1 / (n * p) + 1 / (n * q))).all()
    assert shares[0].max() / shares[1][shares[0].argmax()] > exp(epsilon / 4)  # and is not just uniform


def test_a_set_costs_its_epsilon_as_a_whole_and_symbols_stay_apart(tmp_path: Path) -> None:
    """The members of a set share its ε; with a large one, missing and unknown values mostly stay what they are."""
    n, epsilon = 3000, 20.0
    wanted = plan(tmp_path, method("exponential") | {"epsilon": epsilon}, kind="set", set_size=2)
    found = taxonym.anonymize(pl.DataFrame({"job": ["clerk"] * n}), wanted).table["job"]
    share = share_of_clerks(epsilon)
    assert np.mean(["clerk" in (cell or []) for cell in found.to_list()]) == pytest.approx(
        share, abs=5 * np.sqrt(share * (1 - share) / n)
    )
    wanted = plan(tmp_path, method("exponential") | {"epsilon": 25.0})
    found = taxonym.anonymize(pl.DataFrame({"job": ["zzq", None] * 50}), wanted).table["job"]
    assert (found[::2] == UNKNOWN_WORD).sum() > 40
    assert found[1::2].null_count() > 40


def test_what_is_expected_under_epsilon_is_what_the_formula_gives(tmp_path: Path) -> None:
    domain = Domain.of(taxonym.Taxonomy.from_edges(EDGES))
    rows = exponential_weights(domain, 3.0).rows(domain.candidates)
    apart = np.hstack((domain.distances(domain.candidates, domain.candidates), np.ones((len(domain), 2))))
    p = rows / rows.sum(axis=1, keepdims=True)
    [found] = taxonym.anonymize(people(), plan(tmp_path, method("exponential"))).report["noise"]["columns"]
    assert found["expected"] == {
        "epsilon_per_value": 3.0,
        "values_published_per_cell": 1,
        "expected_distance": pytest.approx((p * apart).sum(axis=1).mean()),
        "distance_if_uniform": pytest.approx(apart.mean()),
        "expected_share_unchanged": pytest.approx(p[np.arange(len(domain)), np.arange(len(domain))].mean()),
    }


def test_how_many_rows_a_person_had_is_not_told_under_epsilon(tmp_path: Path) -> None:
    wanted = plan(tmp_path, method("exponential"), kind="set")
    wanted["input"] = {"person": "who"}
    reports = []
    for times in (1, 3):
        table = pl.DataFrame({"who": [f"p{i % 30}" for i in range(30 * times)], "job": jobs(30 * times)})
        found = taxonym.anonymize(table, wanted).report
        found["verified"].pop("words")
        reports.append(found)
    assert reports[0] == reports[1]


def test_a_budget_refuses_whoever_has_too_many_records_and_writes_nothing(tmp_path: Path) -> None:
    wanted = plan(tmp_path, method("exponential"))
    wanted["input"] = {"person": "who", "person_rows": "keep"}
    with pytest.raises(BrokenPromise, match=r"50 persons would spend more than ε = 3 \(first at record 3\)") as refused:
        taxonym.anonymize(people(200), wanted)
    assert "Kowalska" not in str(refused.value)
    wanted["method"]["budget"] = 6.0
    assert taxonym.anonymize(people(200), wanted).report["promise"]["epsilon"] == 6.0


def test_rows_that_keep_their_order_under_epsilon_come_with_a_warning(tmp_path: Path) -> None:
    for shuffle in (True, False):
        wanted = plan(tmp_path, method("exponential")) | {"output": {"shuffle": shuffle}}
        notes = taxonym.anonymize(people(), wanted).report["notes"]
        assert any("Rows come in the order of the input" in note for note in notes) is not shuffle


def test_a_seed_voids_the_promise_of_epsilon(tmp_path: Path) -> None:
    found = taxonym.anonymize(people(), plan(tmp_path, method("exponential", seed=1))).report
    assert found["promise"]["kind"] == "none"
    assert any("ε is not promised" in note for note in found["notes"])


# ---------------------------------------------------------------------- what is written


def test_a_release_is_checked_as_it_is_written(tmp_path: Path) -> None:
    release = taxonym.anonymize(people(), plan(tmp_path, method(), "family"))
    for name in ("out.csv", "out.parquet", "out.jsonl"):
        release.write(tmp_path / name)
    spoilt = release.frame.with_columns(job=pl.lit("zzq"))
    with pytest.raises(BrokenPromise, match="column 'job': 200 rows hold a word that the plan does not let come out"):
        release.check(iter([spoilt]))
    with pytest.raises(BrokenPromise, match="its columns are not those that the plan publishes"):
        release.check(iter([release.frame.with_columns(more=pl.lit("x"))]))
    with pytest.raises(BrokenPromise, match="has 199 rows, not 200"):
        release.check(iter([release.frame.head(199)]))


def test_a_category_that_leaves_nothing_to_choose_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPlan, match="fewer than two concepts could be published"):
        taxonym.anonymize(people(), plan(tmp_path, method(), category="baker"))


def test_correlations_are_told_of_no_set(tmp_path: Path) -> None:
    found = taxonym.anonymize(people(), plan(tmp_path, method(), "family")).private_report()["noise"]
    assert found["correlations"] == []
    with pytest.raises(BadInput, match="no such file|cannot be read"):
        taxonym.anonymize(people(), plan(tmp_path, method(statistics="nothing.json")))
