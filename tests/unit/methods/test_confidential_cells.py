"""Confidential columns through a whole run: what is printed, which warnings it brings, and what verify says of it."""

import datetime as dt
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import taxonym
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.methods.confidential_cells import expected_in_classes, permuted
from taxonym.plan import Plan
from taxonym.records.table import class_numbers
from taxonym.shapes.table.read import prepare
from taxonym.shapes.table.reread import Trail, verify_release

QUASI = {"role": "quasi-identifier", "kind": "number"}
CONFIDENTIAL = {"role": "confidential"}
NUMBER = CONFIDENTIAL | {"kind": "number"}
ILLS = "child,parent\nflu,lung\nasthma,lung\nlung,illness\nulcer,gut\ncolic,gut\ngut,illness\nillness,thing\n"


def plan(columns: dict[str, Any], k: int = 3, **more: Any) -> dict[str, Any]:
    method = {"k": k, "seed": 1} | more.pop("method", {})
    return {"columns": columns, "method": method, "output": {"shuffle": False}, **more}


def table(rows: int = 60, seed: int = 1) -> pl.DataFrame:
    dice = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "who": [f"p{i // 2}" for i in range(rows)],
            "age": dice.integers(20, 80, rows),
            "pay": dice.integers(1_000, 9_000, rows),
            "day": [dt.date(2020, 1, 1) + dt.timedelta(int(n)) for n in dice.integers(0, 900, rows)],
            "ill": ["gout", "colic", "ulcer", "flu", "ulcer", *dice.choice(["flu", "asthma"], rows - 5)],
            "tags": [list(dice.choice(list("abcdefgh"), 2, replace=False)) for _ in range(rows)],
        }
    )


@pytest.fixture
def columns(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "ills.csv").write_text(ILLS)
    return {
        "who": {"role": "identifier"},
        "age": QUASI,
        "pay": NUMBER,
        "day": CONFIDENTIAL | {"kind": "date"},
        "ill": CONFIDENTIAL | {"taxonomy": str(tmp_path / "ills.csv")},
        "tags": CONFIDENTIAL | {"kind": "set"},
    }


PERSONS: dict[str, Any] = {"person": "who", "person_rows": "keep"}
METHODS = [
    {"name": "refined"},
    {"name": "mdav"},
    {"name": "adaptive-mdav"},
    {"name": "refined", "blocks": "always", "block_size": 15},
    {"name": "generalize"},
    {"name": "generalize", "recoding": "full-domain"},
    {"name": "generalize", "recoding": "items"},
]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: "-".join(map(str, m.values())))
def test_every_printed_value_is_that_of_k_persons_whatever_the_method(
    columns: dict[str, Any], method: dict[str, Any]
) -> None:
    frame, persons = table(90), PERSONS
    if method["name"] == "generalize":  # values rise, so that they need something above them
        ages = pl.Series("age", (["flu", "asthma", "ulcer", "colic"] * 23)[:90])
        frame, persons = frame.with_columns(ages, who=pl.Series(map(str, range(90)))), {}
        columns["age"] = {"role": "quasi-identifier", "taxonomy": columns["ill"]["taxonomy"]}
    release = taxonym.anonymize(frame, plan(columns, input=persons, method=method), baselines=False)
    assert release.frame.height > 60
    who = _persons(release, frame)
    for name in ("pay", "day", "ill", "tags"):
        holders: dict[Any, set[str]] = defaultdict(set)
        for cell, person in zip(release.frame[name].to_list(), who, strict=True):
            for value in cell if isinstance(cell, list) else [cell]:
                holders[value].add(person)
        holders.pop(None, None)
        assert holders
        assert min(map(len, holders.values())) >= 3
    assert release.frame["ill"].dtype == pl.String
    assert set(release.frame["ill"]) == {"flu", "asthma", "gut", None}  # no taxonomy knows gout


def _persons(release: Any, frame: pl.DataFrame) -> list[str]:
    """Whose the rows of a release are, by its trail."""
    found = {record["release_row"]: frame["who"][record["rows"][0] - 1] for record in release.trail()["records"]}
    return [found[row] for row in range(1, release.frame.height + 1)]


def test_a_run_from_a_work_folder_prints_the_same(columns: dict[str, Any], tmp_path: Path) -> None:
    frame = table(80)
    frame.with_columns(pl.col("tags").list.join(";")).write_csv(tmp_path / "in.csv")
    chosen = plan(columns, input=PERSONS, method={"blocks": "always", "block_size": 15})
    plain = taxonym.anonymize(tmp_path / "in.csv", chosen, baselines=False)
    (tmp_path / "work").mkdir()
    streamed = taxonym.anonymize(tmp_path / "in.csv", chosen, baselines=False, work=tmp_path / "work")
    assert streamed.frame.equals(plain.frame)
    assert streamed.report["warnings"] == plain.report["warnings"]


def test_only_persons_in_the_release_are_holders() -> None:
    frame = pl.DataFrame({"age": [1, 1, 1, None, None], "pay": [7, 8, 8, 7, 7]})
    release = taxonym.anonymize(frame, plan({"age": QUASI, "pay": NUMBER}, k=2), baselines=False)
    assert release.frame["pay"].to_list() == [8, 8, 8]


def test_a_person_with_many_rows_is_one_holder() -> None:
    frame = pl.DataFrame({"who": list("aaabcd"), "age": [1] * 6, "pay": [70, 70, 70, 80, 80, 80]})
    chosen = plan({"who": {"role": "identifier"}, "age": QUASI, "pay": NUMBER}, input=PERSONS)
    release = taxonym.anonymize(frame, chosen, baselines=False)
    assert release.frame["pay"].to_list() == [80] * 4  # of one person's three rows, one is published


# ---------------------------------------------------------------------- what is said


def test_exact_values_stay_and_are_warned_of_with_a_guarded_count() -> None:
    frame = pl.DataFrame({"age": [1] * 9, "pay": [1, 1, 1, 1, 1, 1, 1, 50, 60]})
    release = taxonym.anonymize(frame, plan({"age": QUASI, "pay": NUMBER | {"exact": True}}), baselines=False)
    assert release.frame["pay"].to_list() == frame["pay"].to_list()
    assert release.report["warnings"] == [
        "Column 'pay': values are published as they are (exact = true); <k persons have one that fewer than 3 persons "
        "share."
    ]
    quiet = taxonym.anonymize(frame, plan({"age": QUASI, "pay": NUMBER}), baselines=False)
    assert quiet.report["warnings"] == []
    assert quiet.frame["pay"].to_list() == [1] * 7 + [None] * 2
    assert quiet.report["notes"][-1].startswith(
        "Column 'pay': cells of <k persons are emptied: no value that 3 persons"
    )
    assert "50" not in str(quiet.report["notes"])


def test_rare_combinations_of_confidential_columns_are_warned_of_until_links_are_cut() -> None:
    frame = pl.DataFrame({"age": [1] * 6, "pay": [1, 1, 1, 2, 2, 2], "ill": list("ababab")})
    together = plan({"age": QUASI, "pay": NUMBER, "ill": CONFIDENTIAL})
    (said,) = taxonym.anonymize(frame, together, baselines=False).report["warnings"]
    assert said.startswith("Confidential columns: 6 persons have a combination of values that fewer than 3 persons")
    together["columns"]["ill"] = CONFIDENTIAL | {"links": "cut"}
    assert taxonym.anonymize(frame, together, baselines=False).report["warnings"] == []


def test_a_set_is_a_combination_too() -> None:
    frame = pl.DataFrame({"age": [1] * 6, "tags": [["a", "b"], ["a"], ["b"], ["a"], ["b"], ["a"]]})
    release = taxonym.anonymize(frame, plan({"age": QUASI, "tags": CONFIDENTIAL | {"kind": "set"}}), baselines=False)
    assert [said[:38] for said in release.report["warnings"]] == ["Confidential columns: 3 persons have a"]


def test_a_column_whose_name_has_braces_is_named_in_warnings() -> None:
    frame = pl.DataFrame({"age": [1] * 3, "{persons}{k}": [1, 1, 1]})
    release = taxonym.anonymize(frame, plan({"age": QUASI, "{persons}{k}": NUMBER}), baselines=False)
    assert [said[:35] for said in release.report["warnings"]] == ["Column '{persons}{k}': 3 persons are"[:35]]


@pytest.mark.parametrize("setting", [{"exact": True}, {"links": "cut"}])
@pytest.mark.parametrize("role", ["identifier", "quasi-identifier", "other"])
def test_settings_of_confidential_columns_are_refused_elsewhere(setting: dict[str, Any], role: str) -> None:
    (key,) = setting
    with pytest.raises(BadPlan, match=rf"columns\.pay\.{key}: belongs to columns with the role 'confidential'"):
        Plan.from_dict({"columns": {"pay": {"role": role} | setting}})


def test_links_are_kept_or_cut_and_noise_cannot_cut_them() -> None:
    with pytest.raises(BadPlan, match=r"columns\.pay\.links: 'shut' is not known\. Choose one of keep, cut"):
        Plan.from_dict({"columns": {"pay": CONFIDENTIAL | {"links": "shut"}}})
    job = {"role": "quasi-identifier", "taxonomy": "wordnet"}
    with pytest.raises(BadPlan, match=r"columns\.pay\.links: noise makes no classes"):
        Plan.from_dict({"columns": {"job": job, "pay": CONFIDENTIAL | {"links": "cut"}}, "method": {"name": "noise"}})


# ---------------------------------------------------------------------- links


def test_cut_links_move_values_inside_their_class_only(columns: dict[str, Any]) -> None:
    frame, kept = table(90), plan(columns, input=PERSONS)
    cut = plan(columns | {name: columns[name] | {"links": "cut"} for name in ("pay", "tags")}, input=PERSONS)
    before, after = (taxonym.anonymize(frame, chosen, baselines=False).frame for chosen in (kept, cut))
    assert before.drop("pay", "tags").equals(after.drop("pay", "tags"))
    for name in ("pay", "tags"):
        assert not before[name].equals(after[name])
        assert _multisets(before, name) == _multisets(after, name)


def _multisets(frame: pl.DataFrame, name: str) -> dict[int, Counter[str]]:
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for age, cell in zip(frame["age"].to_list(), frame[name].to_list(), strict=True):
        found[age][str(cell)] += 1
    return found


def test_values_are_permuted_over_their_whole_group() -> None:
    group, dice = np.array([0, 1, 0, 1, 0]), np.random.default_rng(1)
    drawn = {tuple(permuted(group, np.arange(5), dice).tolist()) for _ in range(200)}
    assert len(drawn) == 12
    assert all((group[list(one)] == group).all() for one in drawn)


def test_the_order_of_the_rows_changes_no_cut(columns: dict[str, Any]) -> None:
    frame = table(60).unique("age", maintain_order=True)
    chosen = plan(columns | {"pay": NUMBER | {"links": "cut"}}, input=PERSONS)
    one, other = (taxonym.anonymize(some, chosen, baselines=False).frame for some in (frame, frame.reverse()))
    assert sorted(map(str, one.rows())) == sorted(map(str, other.rows()))


# ---------------------------------------------------------------------- proof


@pytest.mark.parametrize("links", ["keep", "cut"])
def test_verify_knows_what_classes_must_hold(columns: dict[str, Any], tmp_path: Path, links: str) -> None:
    columns["pay"] = NUMBER | {"links": links}
    table(60).with_columns(pl.col("tags").list.join(";")).write_csv(tmp_path / "in.csv")
    chosen = Plan.from_dict(plan(columns, input=PERSONS))
    release = taxonym.anonymize(tmp_path / "in.csv", chosen, baselines=False)
    release.write(tmp_path / "out.csv", trail=tmp_path / "trail")
    units, trail = prepare(tmp_path / "in.csv", chosen), Trail(tmp_path / "trail")
    verify_release(tmp_path / "out.csv", 3, chosen, units, trail)
    number = class_numbers(release.frame, ["pay", "day", "ill", "tags"])
    expected = expected_in_classes(units.table, trail.rows(units, release.frame.height), number, chosen)
    for name, classes in expected.items():
        found: dict[int, Counter[Any]] = defaultdict(Counter)
        for at, cell in zip(number.tolist(), release.frame[name].to_list(), strict=True):
            found[at][tuple(cell) if isinstance(cell, list) else cell] += 1
        assert found == classes
    lines = (tmp_path / "out.csv").read_text().splitlines()
    cells = lines[1].split(",")
    (tmp_path / "out.csv").write_text("\n".join([lines[0], ",".join([cells[0], "1", *cells[2:]]), *lines[2:], ""]))
    with pytest.raises(BrokenPromise, match="column 'pay': row .* has not the value of the record"):
        verify_release(tmp_path / "out.csv", 3, chosen, units, trail)


# ---------------------------------------------------------------------- classes that share a value


@pytest.mark.parametrize(("near", "sizes"), [(20, [3, 6]), (2, [3, 3, 3])])
def test_a_class_with_one_value_is_merged_with_one_that_is_near_enough(
    monkeypatch: pytest.MonkeyPatch, near: float, sizes: list[int]
) -> None:
    monkeypatch.setattr("taxonym.methods.shared_values.NEAR", near)
    ills = ["flu"] * 3 + ["ulcer", "flu", "gout", "ulcer", "ulcer", "ulcer"]
    frame = pl.DataFrame({"age": [20, 21, 22, 24, 25, 26, 90, 91, 92], "ill": ills})
    release = taxonym.anonymize(frame, plan({"age": QUASI, "ill": CONFIDENTIAL | {"exact": True}}), baselines=False)
    assert sorted(map(len, release.groups)) == sizes
    known = [said[:23] for said in release.report["warnings"] if "share a value" in said]
    assert known == [f"Column 'ill': {3 if near == 20 else 6} persons"]


def test_a_class_with_one_value_that_is_far_from_all_others_is_warned_of() -> None:
    frame = pl.DataFrame({"age": [20, 20, 20, 80, 80, 80, 81, 81, 81], "ill": ["flu"] * 3 + ["ulcer", "colic"] * 3})
    release = taxonym.anonymize(frame, plan({"age": QUASI, "ill": CONFIDENTIAL}), baselines=False)
    assert list(map(len, release.groups)) == [3, 3, 3]
    assert release.report["warnings"] == [
        "Column 'ill': 3 persons are in classes in which all share a value, so that it is known of them. l = 2 in the "
        "plan rules that out."
    ]


def test_what_most_have_is_no_reason_to_merge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taxonym.methods.shared_values.NEAR", 1e9)
    frame = pl.DataFrame({"age": [20, 21, 22, 24, 25, 26, 29, 30, 31], "ill": ["flu"] * 7 + ["ulcer", "colic"]})
    release = taxonym.anonymize(frame, plan({"age": QUASI, "ill": CONFIDENTIAL | {"exact": True}}), baselines=False)
    assert list(map(len, release.groups)) == [3, 3, 3]


def test_groups_of_equal_records_are_one_class_and_are_not_merged() -> None:
    frame = pl.DataFrame({"age": [20] * 9, "ill": ["flu"] * 3 + ["ulcer"] * 3 + ["colic"] * 3})
    release = taxonym.anonymize(frame, plan({"age": QUASI, "ill": CONFIDENTIAL}), baselines=False)
    assert list(map(len, release.groups)) == [3, 3, 3]
    assert release.report["warnings"] == []


def test_a_promise_of_l_needs_no_warning() -> None:
    frame = pl.DataFrame({"age": [20, 20, 20, 80, 80, 80], "ill": ["flu"] * 3 + ["ulcer", "colic", "flu"]})
    release = taxonym.anonymize(frame, plan({"age": QUASI, "ill": CONFIDENTIAL}, method={"l": 2}), baselines=False)
    assert list(map(len, release.groups)) == [6]
    assert release.report["warnings"] == []


def test_where_l_is_promised_it_speaks_of_original_values_whatever_is_printed() -> None:
    frame, columns = pl.DataFrame({"age": [1] * 4, "pay": [10, 10, 10, 11]}), {"age": QUASI, "pay": NUMBER}
    free, kept = (taxonym.anonymize(frame, plan(columns, method=m), baselines=False) for m in ({}, {"l": 2}))
    assert free.frame["pay"].to_list() == kept.frame["pay"].to_list() == [10] * 4
    assert (len(free.report["warnings"]), kept.report["warnings"]) == (1, [])
    assert kept.private_report()["watched"][0]["smallest_distinct_l"] == 2
