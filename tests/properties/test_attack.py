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
from taxonym.engine.attack import Found, Intruder, risk_of_release
from taxonym.engine.prepare import prepare
from taxonym.engine.written import Trail
from taxonym.errors import BrokenPromise
from taxonym.plan import Plan
from tests.releases import Case, cases, write_rows


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
    return [risk_of_release(folder / "out.csv", plan, units, trail, rng, who) for who in intruders]


@settings(max_examples=25)
@given(
    case=cases(),
    measure=st.sampled_from(sorted(DISTANCES)),
    aggregate=st.sampled_from(sorted(AGGREGATIONS)),
    knows=st.integers(1, 3),
)
def test_nobody_is_found_with_more_than_one_in_k(case: Case, measure: str, aggregate: str, knows: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own = (str(folder / "tax.taxonym"),)
        shared = Intruder(measure=measure, aggregate=aggregate, knows=knows, one_to_one=True)
        reader = Intruder(taxonomies=own, knows=knows)
        for found in attacked(case, folder, shared, reader):
            linked = [name for name in found if name.endswith(("_linkage", "_knowledge"))]
            if case.method["representative"] == "per-record":  # which promises k by concept: words may be one's own
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
