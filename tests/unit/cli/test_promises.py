"""l and t on the command line: promised by `anonymize`, recounted by `verify`, which spoilt releases do not pass."""

import json
from pathlib import Path

import pytest

from tests.unit.cli.common import PLANNED, rows_of, run

WHOLE = ("--original", "in.csv", "--trail", "trail")
ILLS = ["flu", "ulcer", "flu", "ulcer", "flu", "ulcer", "colic", "colic"]


@pytest.fixture
def kept(capsys: pytest.CaptureFixture[str], here: Path) -> Path:
    """A release that promises three illnesses in every class, those of water sports and of board games."""
    lines = (here / "in.csv").read_text().splitlines()
    changed = [f"{line.rsplit(',', 1)[0]},{ill}" for line, ill in zip(lines[1:], ILLS, strict=True)]
    (here / "in.csv").write_text("\n".join([lines[0], *changed, ""]))
    code, _, err = run(capsys, "anonymize", *PLANNED, "--trail", "trail", "--l", "3", "--t", "0.5", "--no-baselines")
    assert (code, "error" in err) == (0, False)
    return here


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text("\n".join(["likes,pay", *(f"{row['likes']},{row['pay']}" for row in rows), ""]))


def test_a_release_with_promises_is_verified_with_the_plan_of_its_trail(
    capsys: pytest.CaptureFixture[str], kept: Path
) -> None:
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", *WHOLE)
    assert code == 0
    assert "Column 'pay': in every class l is at least 3 (entropy 2.83) and t at most 0.125" in out
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", *WHOLE, "--json")
    found = json.loads(out)
    assert (code, found["promised"]) == (0, {"l": 3, "l_kind": "distinct", "t": 0.5, "t_distance": "semantic"})
    (told,) = found["watched"]
    assert (told["smallest_distinct_l"], told["homogeneous_classes"], found["broken"]) == (3, 0, [])
    assert "flu" not in out


def test_confidential_cells_that_were_swapped_are_caught(capsys: pytest.CaptureFixture[str], kept: Path) -> None:
    rows = rows_of(kept / "out.csv")
    other = next(i for i, row in enumerate(rows) if row["pay"] != rows[0]["pay"])
    rows[0]["pay"], rows[other]["pay"] = rows[other]["pay"], rows[0]["pay"]
    write_rows(kept / "out.csv", rows)
    code, _, err = run(capsys, "verify", "out.csv", "-k", "3", *WHOLE)
    assert code == 1
    assert err == (
        "taxonym: error: out.csv: column 'pay': row 1 has not the value of the record that the trail names. The "
        "release, the original or the trail was changed, or one belongs to another run.\n"
    )


def test_a_trail_whose_rows_were_swapped_is_caught(capsys: pytest.CaptureFixture[str], kept: Path) -> None:
    lines = [json.loads(line) for line in (kept / "trail").read_text().splitlines()]
    pay = [line.rsplit(",", 1)[1] for line in (kept / "in.csv").read_text().splitlines()[1:]]
    other = next(i for i in range(len(pay)) if pay[i] != pay[0])
    first, second = lines[1], lines[1 + other]
    first["release_row"], second["release_row"] = second["release_row"], first["release_row"]
    (kept / "trail").write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, _, err = run(capsys, "verify", "out.csv", "-k", "3", *WHOLE)
    assert (code, "the record that the trail names" in err) == (1, True)


def test_a_row_that_was_moved_to_another_class_is_caught_though_k_holds(
    capsys: pytest.CaptureFixture[str], kept: Path
) -> None:
    """Both classes have four persons; one leaves three with two illnesses behind."""
    rows = rows_of(kept / "out.csv")
    for row in rows:
        mine = [other for other in rows if other["likes"] == row["likes"]]
        if len({other["pay"] for other in mine if other is not row}) == 2:
            row["likes"] = next(other["likes"] for other in rows if other["likes"] != row["likes"])
            break
    write_rows(kept / "out.csv", rows)
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", *WHOLE)
    assert code == 1
    assert "out.csv: does not hold. Distinct l = 3 in column 'pay' fails in 1 of 2 classes. " in out
    assert "1 groups of the trail are not published alike." in out
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", *WHOLE, "--json")
    assert (code, json.loads(out)["holds"]) == (1, False)
    assert "Distinct l = 3 in column 'pay' fails in 1 of 2 classes." in json.loads(out)["broken"]
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "4", *WHOLE)
    assert (code, "have fewer than 4 persons (the smallest 3). Distinct l = 3" in out) == (1, True)


def test_a_release_that_never_promised_is_told_what_it_reaches(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    """Everybody in the table has another pay, so that classes of four have four; halves are 1/2 away from the whole."""
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", *WHOLE)
    assert (code, "l is at least 4 (entropy 4.00) and t at most 0.500" in out) == (0, True)


def test_dates_numbers_and_sets_that_are_kept_are_compared_as_they_are_written(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    """Read with their own format and decimal comma, written as usual; nothing is wrong with them."""
    lines = (here / "in.csv").read_text().splitlines()
    more = [f'3{i % 2}/12/2001,"{i % 3},5",b|a{i % 2},0{i % 2}' for i in range(8)]
    changed = [f"{line},{add}" for line, add in zip(lines[1:], more, strict=True)]
    (here / "in.csv").write_text("\n".join([f"{lines[0]},born,fee,tags,code", *changed, ""]))
    columns = (
        '[columns.born]\nrole = "confidential"\nkind = "date"\nformat = "%d/%m/%Y"\n'
        '[columns.fee]\nrole = "confidential"\nkind = "number"\ndecimal = ","\n'
        '[columns.tags]\nrole = "confidential"\nkind = "set"\nseparator = "|"\n'
        '[columns.code]\nrole = "confidential"\n'
    )
    (here / "plan.toml").write_text((here / "plan.toml").read_text().replace("[method]", f"{columns}[method]"))
    for out in ("out.csv", "out.jsonl", "out.parquet"):
        planned = ("in.csv", "-o", out, "--plan", "plan.toml", "--trail", "trail", "--no-baselines")
        assert run(capsys, "anonymize", *planned)[0] == 0
        code, told, err = run(capsys, "verify", out, "-k", "3", *WHOLE)
        assert (code, "holds" in told, err) == (0, True, err)


@pytest.mark.parametrize(
    ("options", "code", "complaint"),
    [
        (("--l", "1"), 2, "taxonym: error: --l: must be at least 2, got 1.\n"),
        (("--t", "2"), 2, "taxonym: error: --t: must lie above 0 and be at most 1, got 2.0.\n"),
        (("--l", "9"), 1, "taxonym: error: in.csv: distinct l = 9 in column 'pay' cannot be kept, even with all "
                          "published persons in one group. Choose a smaller l.\n"),
    ],
)  # fmt: skip
def test_what_cannot_be_promised_is_one_line_and_writes_nothing(
    capsys: pytest.CaptureFixture[str], here: Path, options: tuple[str, ...], code: int, complaint: str
) -> None:
    found, out, err = run(capsys, "anonymize", *PLANNED, *options)
    assert (found, out, err) == (code, "", complaint)
    assert not (here / "out.csv").exists()
