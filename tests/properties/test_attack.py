"""Whole releases of random tables, attacked by every intruder there is."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import taxonym
from taxonym.distance.registry import DISTANCES
from taxonym.distance.sets import AGGREGATIONS
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.plan import Plan
from taxonym.publish.registry import METHODS
from taxonym.run.attack import Found, Intruder, risk_of_release
from taxonym.shapes.table.noise_proof import verify_noise
from taxonym.shapes.table.read import prepare
from taxonym.shapes.table.release_pair import TableReleasePair
from taxonym.shapes.table.reread import Trail, verify_release
from tests.releases import Case, cases, read_rows, split, write_rows


def attacked(case: Case, folder: Path, *intruders: Intruder) -> list[Found]:
    """What each finds out from a release of the case; nothing where it is refused."""
    write_rows(case.rows, folder / "in.csv")
    plan = Plan.from_dict(case.plan(folder))
    try:
        release = taxonym.anonymize(folder / "in.csv", plan, baselines=False)
    except BrokenPromise:
        return []
    release.write(folder / "out.csv")
    release.write_trail(folder / "trail")
    units, trail, rng = prepare(folder / "in.csv", plan), Trail(folder / "trail"), np.random.default_rng(1)
    compared = TableReleasePair.of_table(folder / "out.csv", plan, units, trail)
    return [risk_of_release(compared, rng, who) for who in intruders]


def masked_by(case: Case, method: str) -> Case:
    """The case with another method; numbers are left out where words alone can be masked."""
    without: tuple[str, ...] = ("age", "born") if METHODS[method].how in ("generalize", "noise") else ()
    columns, settings = case.columns, case.method | {"name": method}
    if METHODS[method].how == "noise":  # words that no taxonomy knows cannot be masked
        quasi = {name for name, column in columns.items() if column["role"] == "quasi-identifier"}
        without += tuple(name for name in quasi if not columns[name].get("taxonomy"))
        columns = {name: {key: v for key, v in c.items() if key != "on_unknown"} for name, c in columns.items()}
        settings |= {"l": None, "t": None, "measure": ""}
    return Case(
        case.tax,
        [{name: cell for name, cell in row.items() if name not in without} for row in case.rows],
        {name: column for name, column in columns.items() if name not in without},
        settings,
        case.input,
        case.output,
    )


PROMISE_K = [name for name, method in METHODS.items() if method.how != "noise"]


def test_only_noise_promises_no_k() -> None:
    assert set(METHODS) - set(PROMISE_K) == {"noise"}


@settings(max_examples=12)
@given(case=cases(), knows=st.integers(1, 3), alpha=st.sampled_from([0.1, 1.0, 50.0]))
def test_a_release_by_noise_is_attacked_like_others_and_shows_no_written_word(
    case: Case, knows: int, alpha: float
) -> None:
    """Nothing is promised about who is found; what is published are names of the taxonomy."""
    case = masked_by(case, "noise")
    case.method |= {"alpha": alpha}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            plan = Plan.from_dict(case.plan(folder))
            results = attacked(case, folder, Intruder(knows=knows, one_to_one=True))
        except BadPlan:  # nothing to mask, or nothing to choose from
            return
        for found in results:
            for kind in ("semantic_linkage", "matching_linkage", "one_to_one_linkage", "partial_knowledge"):
                assert 0 <= found[kind]["dr_percent"] <= 100
            labels = {label for c in range(len(case.tax)) for label in (*case.tax.labels(c), case.tax.id(c))}
            for row in read_rows(folder / "out.csv"):
                assert all(word in labels for column in case.of_words() for word in split(row[column]))
            proof = verify_noise(folder / "out.csv", plan, prepare(folder / "in.csv", plan), Trail(folder / "trail"))
            assert proof.holds, proof.broken


@pytest.mark.parametrize("method", PROMISE_K)
@settings(max_examples=12)
@given(
    case=cases(),
    measure=st.sampled_from(sorted(DISTANCES)),
    aggregate=st.sampled_from(sorted(AGGREGATIONS)),
    knows=st.integers(1, 3),
)
def test_nobody_is_found_with_more_than_one_in_k(
    method: str, case: Case, measure: str, aggregate: str, knows: int
) -> None:
    case = masked_by(case, method)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own = (str(folder / "tax.taxonym"),)
        shared = Intruder(measure=measure, aggregate=aggregate, knows=knows, one_to_one=True)
        reader = Intruder(taxonomies=own, knows=knows)
        for found in attacked(case, folder, shared, reader):
            linked = [name for name in found if name.endswith(("_linkage", "_knowledge"))]
            if case.method.get("representative") == "per-record":  # which promises k by concept: words may be one's own
                linked.remove("matching_linkage")
            for kind in linked:
                assert found[kind]["max_p"] <= 1 / case.k + 1e-9, kind
                assert found[kind]["records_above_1_over_k"] == 0
            assert found["partial_knowledge"]["records_above_1_over_k_in_any_draw"] == 0
            assert found["classes"]["holds"]
            assert found["prosecutor_risk"] <= 1 / case.k + 1e-9
            assert found["journalist_risk"] == found["prosecutor_risk"]


@settings(max_examples=25)
@given(case=cases().filter(lambda case: "person" in case.input and "site" not in case.columns))
def test_the_original_as_the_intruders_file_is_the_worst_case(case: Case) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = attacked(case, folder, Intruder(), Intruder(file=folder / "in.csv"))
        if found:
            worst, by_file = found
            for kind in ("semantic_linkage", "matching_linkage"):
                exact = {"records", "max_p", "records_above_1_over_k", "baseline_dr_percent"}
                assert {key: by_file[kind][key] for key in exact} == {key: worst[kind][key] for key in exact}
                assert by_file[kind]["dr_percent"] == pytest.approx(worst[kind]["dr_percent"])
            for key in ("classes", "prosecutor_risk", "unique_records_before", "unique_records_after"):
                assert by_file[key] == worst[key]


@pytest.mark.parametrize("method", PROMISE_K)
def test_a_release_that_was_spoilt_to_fewer_than_k_is_caught(method: str, tmp_path: Path) -> None:
    """The negative control: one member of a class of k gets the record of another class."""
    tax = taxonym.Taxonomy.from_edges([("cat", "animal"), ("dog", "animal"), ("oak", "plant"), ("fir", "plant")])
    rows = [{"who": f"p{i}", "words": cell} for i, cell in enumerate(["cat;dog", "oak;fir"] * 3)]
    columns = {"words": {"role": "quasi-identifier", "kind": "set", "taxonomy": True}}
    settings = {"name": method, "k": 3, "seed": 1}
    case = Case(tax, rows, columns, settings, {"person": "who"}, {"shuffle": False})
    (found,) = attacked(case, tmp_path, Intruder())
    assert (found["semantic_linkage"]["max_p"], found["classes"]["smallest_class"]) == (pytest.approx(1 / 3), 3)
    published = read_rows(tmp_path / "out.csv")
    assert len({row["words"] for row in published}) == 2
    published[0] = published[1]
    write_rows(published, tmp_path / "out.csv")
    plan = Plan.from_dict(case.plan(tmp_path))
    units, trail = prepare(tmp_path / "in.csv", plan), Trail(tmp_path / "trail")
    assert not verify_release(tmp_path / "out.csv", 3, plan, units, trail).holds
    risk = risk_of_release(
        TableReleasePair.of_table(tmp_path / "out.csv", plan, units, trail), np.random.default_rng(1), Intruder()
    )
    assert risk["semantic_linkage"]["max_p"] == pytest.approx(1 / 2)
    assert risk["semantic_linkage"]["records_above_1_over_k"] == 2
    assert not risk["classes"]["holds"]
