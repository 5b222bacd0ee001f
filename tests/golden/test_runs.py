"""What the whole program did when it was recorded, it does today: releases, reports, trails, messages, exit codes."""

from pathlib import Path

import pytest

from taxonym.plan import SHAPES
from taxonym.publish.registry import METHODS
from tests.golden.cases import CASES, SELDOM, WHOLE, Case, chosen
from tests.golden.runs import RUNS, difference, recorded, run


def check(case: Case, folder: Path) -> None:
    """Fail, and show how, unless a case leaves behind what is recorded."""
    diff = difference(recorded(case), run(case, folder))
    if diff:
        pytest.fail(
            f"{case.name} does not do what is recorded.\n{diff}\n\n"
            f"If this is meant, record it anew: python -m tests.golden.record {case.name}",
            pytrace=False,
        )


@pytest.mark.parametrize("case", chosen(spark=False), ids=lambda c: c.name)
def test_a_run_leaves_behind_what_is_recorded(case: Case, tmp_path: Path) -> None:
    check(case, tmp_path)


def test_every_recorded_run_has_a_case_and_names_are_unique() -> None:
    names = [case.name for case in CASES]
    assert len(names) == len(set(names))
    assert sorted(path.name for path in RUNS.iterdir()) == sorted(names)


def test_every_method_and_every_shape_appears_in_a_case() -> None:
    released = [case for case in CASES if "release" in " ".join(recorded(case))]
    assert {case.plan.get("method", {}).get("name", "refined") for case in released} >= set(METHODS)
    assert {shape for case in released for shape in SHAPES if shape in case.plan} == set(SHAPES)


def test_what_is_run_seldom_sets_nothing_that_is_never_set_in_what_is_run_always(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(WHOLE, raising=False)
    always = [*chosen(spark=False), *chosen(spark=True)]
    seldom = [case for case in CASES if case not in always]
    assert sorted(case.name for case in seldom) == sorted(SELDOM)
    for case in seldom:
        like = set().union(*(set_in(other) for other in always))
        assert set_in(case) <= like, case.name


def set_in(case: Case) -> set[str]:
    """Every setting of a case's plan with its value, the columns as a whole."""
    columns = {str(sorted(column.items())) for column in case.plan.get("columns", {}).values()}
    rest = {table: settings for table, settings in case.plan.items() if table != "columns"}
    return columns | {f"{table}.{key} = {value}" for table, each in rest.items() for key, value in each.items()}


def test_the_whole_matrix_is_run_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WHOLE, "1")
    assert {case.name for spark in (False, True) for case in chosen(spark)} == {case.name for case in CASES}


def test_what_is_refused_writes_nothing() -> None:
    for case in CASES:
        if case.name.startswith("refused-"):
            (text,) = recorded(case).values()
            assert "written:" not in text, case.name
            assert text.count("exit 1\n") + text.count("exit 2\n") == len(case.commands), case.name


def test_nothing_of_the_machine_is_recorded() -> None:
    for path in RUNS.rglob("*.*"):
        text = path.read_text("utf-8")
        assert "/tmp" not in text, path
        assert str(Path.home()) not in text, path
