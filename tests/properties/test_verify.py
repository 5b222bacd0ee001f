"""What a run writes, `verify` accepts with the original and the trail, by every method and in every format; and the
sorted file does not depend on the order of the input."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import taxonym
from taxonym.cli import main
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.plan import to_toml
from taxonym.publish.registry import METHODS
from tests.properties.test_attack import masked_by
from tests.releases import Case, cases, write_rows

SUFFIXES = [".csv", ".tsv.gz", ".jsonl", ".parquet"]


def released(case: Case, folder: Path, suffix: str) -> bytes:
    write_rows(case.rows, folder / "in.csv")
    plan = case.plan(folder)
    (folder / "plan.toml").write_text(to_toml(taxonym.Plan.from_dict(plan).to_dict()))
    try:
        release = taxonym.anonymize(folder / "in.csv", folder / "plan.toml", baselines=False)
    except (BadPlan, BrokenPromise):  # what cannot be published at all
        assume(False)
    release.write(folder / f"out{suffix}", trail=folder / "trail")
    return (folder / f"out{suffix}").read_bytes()


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=15)
@given(case=cases(), suffix=st.sampled_from(SUFFIXES), output=st.sampled_from([{}, {"order": "shuffled"}]))
def test_what_is_written_is_accepted(method: str, case: Case, suffix: str, output: dict[str, str]) -> None:
    case = masked_by(case, method)
    case.output.clear()
    case.output.update(output)
    assume(any(column["role"] == "quasi-identifier" for column in case.columns.values()))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        released(case, folder, suffix)
        out, plan = str(folder / f"out{suffix}"), str(folder / "plan.toml")
        whole = ["--original", str(folder / "in.csv"), "--trail", str(folder / "trail")]
        assert main(["verify", out, *whole]) == 0
        assert main(["verify", out, "--plan", plan, *whole]) == 0
        if case.method.get("representative") != "per-record":
            assert main(["verify", out, "--plan", plan]) == 0


@settings(max_examples=15)
@given(case=cases(max_rows=12), suffix=st.sampled_from(SUFFIXES), data=st.data())
def test_a_sorted_file_does_not_depend_on_the_order_of_the_input(case: Case, suffix: str, data: st.DataObject) -> None:
    case.output.clear()
    order = data.draw(st.permutations(range(len(case.rows))))
    turned = Case(case.tax, [case.rows[i] for i in order], case.columns, case.method, case.input, case.output)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        assert released(case, Path(one), suffix) == released(turned, Path(other), suffix)
