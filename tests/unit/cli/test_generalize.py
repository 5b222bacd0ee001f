"""Generalisation through the command line: made, verified, measured, and refused where it makes no sense."""

import json
from pathlib import Path

import pytest

from tests.unit.cli.common import PLANNED, SPORTS, WARNED, rows_of, run

GENERALIZE = (*PLANNED, "--method", "generalize", "--trail", "trail.jsonl")
ABOVE = dict(SPORTS)


def true_of(published: str, original: str) -> bool:
    """Whether every published word is one of the original ones or above one."""
    own = set(original.split(";"))
    return all(word in own | {ABOVE[term] for term in own} for word in published.split(";"))


@pytest.mark.parametrize("method", ["generalize", "generalise"])
def test_groups_publish_what_is_true_of_all_their_members(
    capsys: pytest.CaptureFixture[str], here: Path, method: str
) -> None:
    code, out, err = run(capsys, "anonymize", *PLANNED, "--method", method, "--keep-order", "--json")
    assert (code, err) == (0, WARNED)
    found, rows = json.loads(out), rows_of(here / "out.csv")
    assert found["promise"]["kind"] == "k"
    assert found["support_rule"]["exposes"] == "what is true of everybody it is published for"
    originals = [row["likes"] for row in rows_of(here / "in.csv")]
    assert len(rows) == len(originals) == 8
    assert all(true_of(row["likes"], original) for row, original in zip(rows, originals, strict=True))
    assert run(capsys, "verify", "out.csv", "-k", "3", "--plan", "plan.toml", "--keep-order")[0] == 0
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", "--plan", "plan.toml")
    assert (code, "Its rows are not sorted" in out) == (1, True)


def test_items_are_recoded_alike_and_combinations_are_verified(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    code, out, err = run(capsys, "anonymize", *GENERALIZE, "--recoding", "items", "--known-items", "2")
    assert (code, err) == (0, WARNED)
    assert out.startswith("Whoever looks for up to 2 published items of a record finds at least 2 other ")
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", "--original", "in.csv", "--trail", "trail.jsonl")
    assert (code, out) == (
        0,
        "Column 'pay': in every class l is at least " + out.split("at least ", 1)[1],
    )
    assert "At least 3 persons have every combination of at most 2 items in it. The support rule holds." in out


def test_a_rare_combination_fails_the_verification(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    """What k^m promises is counted from the file: a release in which two items meet only once is caught."""
    (here / "items.toml").write_text(
        (here / "plan.toml").read_text().replace("[method]", '[method]\nname = "generalize"\nrecoding = "items"')
    )
    rows = ["likes,pay", *(["chess,x"] * 3), *(["swimming,x"] * 3)]
    (here / "good.csv").write_text("\n".join(rows) + "\n")
    (here / "bad.csv").write_text("\n".join([*rows[:4], "chess;swimming,x", *rows[4:]]) + "\n")
    assert run(capsys, "verify", "good.csv", "-k", "3", "--plan", "items.toml")[0] == 0
    code, out, _ = run(capsys, "verify", "bad.csv", "-k", "3", "--plan", "items.toml")
    assert (code, out) == (
        1,
        "bad.csv: does not hold. Fewer than 3 rows have 1 of its combinations of at most 2 items.\n",
    )
    code, out, _ = run(capsys, "verify", "bad.csv", "-k", "3", "--plan", "items.toml", "--json")
    assert (code, json.loads(out)["combinations_below_k"], json.loads(out)["known_items"]) == (1, 1, 2)


def test_the_report_says_how_good_the_recoding_is(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    code, out, _ = run(capsys, "anonymize", *GENERALIZE, "--cost", "ncp", "--json", "--private-report", "exact.json")
    assert code == 0
    assert json.loads(out)["recoding"] == {"cost_in": "ncp"}
    assert "generalisation" not in json.loads(out)["loss"]
    found = json.loads((here / "exact.json").read_text())
    assert found["recoding"]["cost_in"] == "ncp"
    assert 0 <= found["recoding"]["no_recoding_costs_less_than"] <= found["recoding"]["cost"]
    classic = found["loss"]["generalisation"]
    assert 0 <= classic["ncp_percent"] <= 100
    assert 0 <= classic["precision"] <= 1
    assert classic["discernibility"] >= 8 * 3
    code, out, _ = run(capsys, "loss", "in.csv", "out.csv", "--trail", "trail.jsonl", "--json")
    assert code == 0
    assert json.loads(out)["generalisation"] == pytest.approx(classic)
    code, out, _ = run(capsys, "loss", "in.csv", "out.csv", "--trail", "trail.jsonl")
    assert f"certainty penalty, NCP          {classic['ncp_percent']:.2f} %" in out


def test_whole_columns_rise_to_one_level(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    answers = ["swimming", "sailing", "swimming", "chess", "go", "chess"]
    (here / "one.csv").write_text("likes\n" + "\n".join(answers) + "\n")
    (here / "one.toml").write_text(
        '[columns.likes]\nrole = "quasi-identifier"\ntaxonomy = "sports.csv"\n'
        '[method]\nname = "generalize"\nrecoding = "full-domain"\nk = 3\nseed = 3\n'
    )
    code, _, err = run(
        capsys,
        *("anonymize", "one.csv", "-o", "out.csv", "--plan", "one.toml", "--keep-order", "--private-report", "p.json"),
    )
    assert (code, err) == (0, "")
    found = json.loads((here / "p.json").read_text())["recoding"]
    assert [row["likes"] for row in rows_of(here / "out.csv")] == [ABOVE[answer] for answer in answers]
    assert found["levels"] == {"likes": 1}
    assert found["is_the_cheapest"] is True


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--recoding", "full-domain"), "whole columns rise to one level only where each record has one value"),
        (("--recoding", "items", "--l", "2"), "l and t are kept by merging groups, which 'items' does not allow"),
        (("--recoding", "globl"), "'globl' is not known"),
        (("--cost", "step"), "'step' is not known. Did you mean 'steps'?"),
        (("--suppress", "1"), "must be a share from 0 to below 1, got 1.0"),
    ],
)
def test_what_cannot_be_generalised_is_explained(
    capsys: pytest.CaptureFixture[str], here: Path, options: tuple[str, ...], message: str
) -> None:
    code, _, err = run(capsys, "anonymize", *GENERALIZE, *options)
    assert code == 2
    assert message in err
    assert not (here / "out.csv").exists()


def test_numbers_need_a_hierarchy_of_ranges(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    plan = (here / "plan.toml").read_text() + '[columns.age]\nrole = "quasi-identifier"\nkind = "number"\n'
    (here / "ages.toml").write_text(plan)
    code, _, err = run(capsys, "anonymize", "in.csv", "-o", "out.csv", "--plan", "ages.toml", "--method", "generalize")
    assert code == 2
    assert "columns.age.kind: a number cannot be generalised as it is." in err
    assert "taxonym taxonomy cut --kind number" in err


def test_loss_reads_dates_as_a_release_has_them(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "dates.csv").write_text("day\n" + "\n".join(f"{day:02}.03.2020" for day in (1, 1, 2, 7, 8, 8)) + "\n")
    (here / "dates.toml").write_text(
        '[columns.day]\nrole = "quasi-identifier"\nkind = "date"\nformat = "%d.%m.%Y"\n[method]\nk = 3\n'
    )
    given = ("dates.csv", "-o", "out.csv", "--plan", "dates.toml", "--trail", "t.jsonl")
    assert run(capsys, "anonymize", *given)[0] == 0
    assert {row["day"] for row in rows_of(here / "out.csv")} == {"< 2020-03-03", ">= 2020-03-07"}
    code, out, err = run(capsys, "loss", "dates.csv", "out.csv", "--trail", "t.jsonl", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["sum"] == pytest.approx(3 / 7)
