"""The JSON Schemas that ship: made from the code, and true of every plan and report at hand."""

import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from taxonym.plan import Plan, read_plan
from taxonym.plan.schema import plan_schema
from taxonym.report.schema import report_schema

EXAMPLES = sorted(Path(str(files("taxonym") / "examples")).glob("*.toml"))
REPORTS = sorted((Path(__file__).parents[1] / "golden" / "runs").rglob("report.json"))


def shipped(name: str) -> Draft202012Validator:
    schema = json.loads((files("taxonym") / "schemas" / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_schemas_that_ship_are_those_of_the_code() -> None:
    again = "Build them anew with tools/build_schemas.py."
    assert shipped("plan").schema == json.loads(json.dumps(plan_schema())), again
    assert shipped("report").schema == json.loads(json.dumps(report_schema())), again


def test_every_recorded_report_fits_the_schema() -> None:
    assert len(REPORTS) > 50
    for path in REPORTS:
        report = json.loads(path.read_text("utf-8"))
        report["released"]["sha256"] = None  # not recorded
        assert not list(shipped("report").iter_errors(report)), path.parent.name


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_plan_of_the_examples_fits_the_schema_as_written_and_as_read(path: Path) -> None:
    plan = read_plan(path)
    for given in (tomllib.loads(path.read_text("utf-8")), plan.to_dict(), json.loads(json.dumps(plan.to_dict()))):
        assert not list(shipped("plan").iter_errors(given))


@pytest.mark.parametrize(
    "given",
    [
        {"methods": {}},
        {"method": {"name": "magic"}},
        {"method": {"k": "five"}},
        {"columns": {"a": {"kind": "set"}}},
        {"columns": {"a": {"role": "quasi-identifier", "kind": "sets"}}},
        {"input": {"person": 3}},
        {"querylog": {"colour": "red"}},
    ],
)
def test_what_a_plan_may_not_say_does_not_fit_the_schema_either(given: dict[str, Any]) -> None:
    assert list(shipped("plan").iter_errors(given))
    with pytest.raises(Exception, match="."):
        Plan.from_dict(given)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda report: report.pop("linkage"),
        lambda report: report.update(more=1),
        lambda report: report["records"]["suppressed_persons"].update(why="3 of them"),
        lambda report: report["verified"].update(holds=False),
    ],
)
def test_a_report_that_lacks_or_adds_something_does_not_fit(spoil: Any) -> None:
    report = json.loads(REPORTS[0].read_text("utf-8"))
    spoil(report)
    assert list(shipped("report").iter_errors(report))
