"""The commands that make a release and look at one, through the command line."""

import json
import os
import signal
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from taxonym.plan import read_plan
from taxonym.run.release import PRIVATE, PRIVATE_FIGURES
from tests.unit.cli.common import PLANNED, WARNED, rows_of, run

# ---------------------------------------------------------------------- anonymize


@pytest.mark.parametrize("command", ["anonymize", "anonymise"])
def test_a_release_is_written_and_summed_up(capsys: pytest.CaptureFixture[str], here: Path, command: str) -> None:
    code, out, err = run(capsys, command, *PLANNED)
    assert (code, err) == (0, WARNED)
    assert out.startswith("Every published record is identical to those of at least ")
    assert "8 rows are published, in 2 classes of 4.\nSuppressed for any reason: <k persons." in out
    assert out.endswith("Written: out.csv, out.csv.codebook.csv\n")
    rows = rows_of(here / "out.csv")
    assert list(rows[0]) == ["likes", "pay"]
    assert sorted(row["pay"] for row in rows) == [f"pay77{i}" for i in range(8)]


def test_json_is_one_document_on_stdout_and_nothing_else(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    code, out, err = run(capsys, "anonymize", *PLANNED, "--json", "--report", "report.json")
    assert (code, err) == (0, WARNED)
    found = json.loads(out)
    assert found["verified"] == {
        "k": 3, "holds": True, "rows": 8, "classes": 2, "smallest_class": 4, "classes_below_k": 0, "counted": "persons",
    }  # fmt: skip
    assert json.loads((here / "report.json").read_text()) == found
    assert "Kowalska" not in out


def exact(here: Path) -> dict[str, Any]:
    """The private report."""
    found: dict[str, Any] = json.loads((here / "private.json").read_text())
    return found


@pytest.mark.parametrize("name", ["private.json", "private.html"])
def test_the_private_report_has_exact_figures_for_its_owner_only_and_says_so(
    capsys: pytest.CaptureFixture[str], here: Path, name: str
) -> None:
    code, out, _ = run(capsys, "anonymize", *PLANNED, "--private-report", name)
    assert code == 0
    assert out.endswith(f"Private, not for publication: {name}\n")
    assert stat.S_IMODE((here / name).stat().st_mode) == 0o600
    text = (here / name).read_text()
    assert PRIVATE_FIGURES.partition("'")[0] in text
    if name == "private.json":
        assert json.loads(text)["records"]["persons"] == 8
        assert json.loads(text)["loss"]["sum"] == pytest.approx(8 * json.loads(text)["loss"]["mean"])
    else:
        assert "no person’s value" not in text


def test_a_strict_run_that_warns_ends_before_anything_is_written(
    capsys: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taxonym.report.builder.worse_than_random", lambda *_, **__: ["It is of no use."])
    before = set(here.iterdir())
    options = ("--report", "report.html", "--trail", "trail", "--private-report", "private.json")
    code, out, err = run(capsys, "anonymize", *PLANNED, *options, "--strict")
    assert (code, out) == (1, "")
    assert err.startswith(
        f"{WARNED}taxonym: warning: It is of no use.\ntaxonym: error: There are 2 warnings, so nothing"
    )
    assert set(here.iterdir()) == before
    code, out, err = run(capsys, "anonymize", *PLANNED, *options)
    assert (code, err) == (0, f"{WARNED}taxonym: warning: It is of no use.\n")
    assert exact(here)["warnings"][1:] == ["It is of no use."]
    assert "It is of no use." in (here / "report.html").read_text()


def test_a_strict_run_without_warnings_is_written(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    plan = here / "plan.toml"
    plan.write_text(plan.read_text().replace('[columns.pay]\nrole = "confidential"\nexact = true\n', ""))
    assert run(capsys, "anonymize", *PLANNED, "--strict")[0] == 0
    assert (here / "out.csv").exists()


@pytest.mark.parametrize("fails", ["out.csv.codebook.csv", "report.html", "report.json", "trail", "private.json"])
def test_release_codebook_report_and_trail_appear_together_or_not_at_all(
    capsys: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    named, replace = (
        ("out.csv", "out.csv.codebook.csv", "report.html", "report.json", "trail", "private.json"),
        os.replace,
    )
    reports = ("--report", "report.html", "--report", "report.json", "--private-report", "private.json")
    options = ("anonymize", *PLANNED, *reports, "--trail", "trail")
    before = set(here.iterdir())

    def full(beside: str, path: Path) -> None:
        if Path(path).name == fails and not str(beside).endswith(".old.part"):
            raise OSError(28, "No space left on device")
        replace(beside, path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        code, _, err = run(capsys, *options)
    assert (code, err) == (
        2, f"{WARNED}taxonym: error: {fails}: could not be written (No space left on device); nothing was changed.\n"
    )  # fmt: skip
    assert set(here.iterdir()) == before
    assert run(capsys, *options)[0] == 0
    assert {path.name for path in set(here.iterdir()) - before} == set(named)


@pytest.mark.parametrize(
    ("stop", "code", "how"), [("SIGTERM", 143, "by the system"), ("SIGINT", 130, "by the keyboard")]
)
def test_a_run_that_is_stopped_says_so_and_leaves_everything_as_it_was(
    capsys: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch, stop: str, code: int, how: str
) -> None:
    (here / "out.csv").write_text("old")
    before = set(here.iterdir())

    def stopped(*_: object, **__: object) -> None:
        os.kill(os.getpid(), getattr(signal, stop))
        time.sleep(5)

    monkeypatch.setattr("taxonym.run.release.write_report", stopped)
    found = run(capsys, "anonymize", *PLANNED, "--report", "report.html", "--trail", "trail")
    assert found == (code, "", f"{WARNED}taxonym: error: stopped {how}; nothing was changed\n")
    assert set(here.iterdir()) == before
    assert (here / "out.csv").read_text() == "old"


def test_a_run_that_is_stopped_after_its_files_were_written_does_not_deny_them(
    capsys: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("taxonym.cli.anonymize._tell", stopped)
    assert run(capsys, "anonymize", *PLANNED) == (
        130, "", f"{WARNED}taxonym: error: stopped by the keyboard after all files were written\n"
    )  # fmt: skip
    assert (here / "out.csv").exists()


def test_options_change_the_plan(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    given = ("-k", "4", "--method", "mdav", "--aggregate", "avg", "--measure", "lin", "--known-items", "1")
    more = ("--consensus", "--representative", "per-record", "--no-baselines", "--seed", "99", "--l", "2", "--t", "0.9")
    code, out, _ = run(capsys, "anonymize", *PLANNED, "--json", *given, *more)
    assert code == 0
    found = json.loads(out)
    assert found["plan"]["method"] == {
        "name": "mdav", "k": 4, "aggregate": "avg", "measure": "lin", "content": "seco", "known_items": 1,
        "least_content": None,
        "support_threshold": "k", "consensus": True, "representative": "per-record", "threshold": 0.8, "fit": True,
        "topics": [], "topic_share": 0.75, "l": 2, "l_kind": "distinct", "t": 0.9, "t_distance": "semantic",
        "recoding": "local",
        "cost": "steps", "suppress": 0.0, "blocks": "auto", "block_size": 2000, "passes": 1,
        "growth": 1.25,
    }  # fmt: skip
    assert "mean_to_plain_medoids" not in found["loss"]


def test_adaptive_groups_by_matching_attributes(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    given = ("--method", "adaptive-mdav", "--aggregate", "matching", "--threshold", "0.3")
    more = ("--representative", "redaction")
    code, out, err = run(capsys, "anonymize", *PLANNED, "--json", *given, *more, "--private-report", "private.json")
    assert (code, err) == (0, WARNED)
    found = json.loads(out)
    keys = ("name", "aggregate", "measure", "threshold", "representative")
    assert [found["plan"]["method"][key] for key in keys] == ["adaptive-mdav", "matching", "log", 0.3, "redaction"]
    assert "threshold" not in " ".join(found["notes"])
    assert "attributes" not in found["loss"]
    measured = exact(here)["loss"]["attributes"]["likes"]
    assert measured["similar_to_nothing_else_percent"] == 0
    assert 0 <= measured["mean_cohesion"] <= 1
    assert measured["sse_of_sst_percent"] == pytest.approx(100 * measured["sse"] / measured["sst"])
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", "--plan", "plan.toml")
    assert code == 0


def test_a_threshold_that_nothing_reaches_is_worth_a_note(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    given = ("--method", "adaptive-mdav", "--aggregate", "matching", "--threshold", "0.7")
    private = ("--private-report", "private.json")
    code, out, _ = run(capsys, "anonymize", *PLANNED, *given, *private)
    assert code == 0
    note = "at threshold 0.7, 100 % of the concepts in use are similar to nothing else: records are compared by equal"
    assert f"Column 'likes': {note} concepts; lower the threshold." in exact(here)["notes"]
    assert "threshold" not in out
    run(capsys, "anonymize", *PLANNED, "--representative", "redaction", *private)
    told = " ".join(exact(here)["notes"])
    assert "at threshold 0.8, 100 % of the concepts in use" in told
    assert "only equal concepts are redacted alike" in told
    run(capsys, "anonymize", *PLANNED, "--method", "adaptive-mdav", "--threshold", "0.7", *private)
    found = exact(here)
    assert found["loss"]["attributes"]["likes"]["similar_to_nothing_else_percent"] == 100
    assert "threshold" not in " ".join(found["notes"])  # nothing here depends on the threshold


def test_the_measure_of_a_plan_survives_another_aggregate(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "plan.toml").write_text((here / "plan.toml").read_text() + 'measure = "lin"\n')
    _, out, _ = run(capsys, "anonymize", *PLANNED, "--json", "--aggregate", "matching")
    assert json.loads(out)["plan"]["method"]["measure"] == "lin"


def test_topics_are_counted_in_the_report_and_their_file_is_safe(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    (here / "topics.toml").write_text('[topics.wet]\nconcepts = ["water sports"]\n[topics.dry]\nconcepts = ["go"]\n')
    text = (here / "plan.toml").read_text()
    text = text.replace("[columns.pay]", 'topics = "all"\ntopics_file = "topics.toml"\n[columns.pay]')
    (here / "plan.toml").write_text(text)
    code, out, _ = run(capsys, "anonymize", *PLANNED, "--json", "--private-report", "private.json")
    assert code == 0
    (column,) = json.loads(out)["columns"]
    assert column["topics"] == {"wet": None, "dry": None}  # there are fewer than ten times k persons
    (column,) = exact(here)["columns"]
    assert column["topics"] == {"wet": 4, "dry": 2}
    assert column["published_as_their_topic_only"] == 1
    assert {row["likes"] for row in rows_of(here / "out.csv")} == {"water sports", "chess"}
    code, _, err = run(capsys, "anonymize", "in.csv", "-o", "out.csv", "--plan", "plan.toml", "--report", "topics.toml")
    assert code == 2
    assert "is the plan or a file that it names" in err


def test_the_trail_is_for_its_owner_only_and_says_so(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    code, out, _ = run(capsys, "anonymize", *PLANNED, "--trail", "trail.jsonl")
    assert code == 0
    assert out.endswith("Private, not for publication: trail.jsonl\n")
    path = here / "trail.jsonl"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    head, *records = [json.loads(line) for line in path.read_text().splitlines()]
    assert head["notice"] == PRIVATE
    assert head["seed"] == 7
    assert [record["person"] for record in records] == [f"Kowalska{i}" for i in range(8)]
    rows = rows_of(here / "out.csv")
    assert [rows[record["release_row"] - 1]["pay"] for record in records] == [f"pay77{i}" for i in range(8)]


def test_without_a_plan_one_is_drafted_and_shown(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    code, out, err = run(capsys, "anonymize", "in.csv", "-o", "out.csv", "--taxonomy", "sports.csv", "-k", "2")
    assert code == 0
    assert "Column 'likes' is masked as set" in err
    assert "Column 'pay' holds codes with a prefix" in err
    assert "[columns.likes]" in err
    assert "[columns" not in out
    assert list(rows_of(here / "out.csv")[0]) == ["likes"]
    assert "Kowalska" not in out + err


def test_the_file_to_anonymise_is_never_overwritten(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    before = (here / "in.csv").read_bytes()
    (here / "link.csv").symlink_to("in.csv")
    for option in (["-o", "in.csv"], ["-o", "link.csv"], ["-o", "out.csv", "--trail", "in.csv"]):
        code, out, err = run(capsys, "anonymize", "in.csv", "--plan", "plan.toml", *option)
        assert (code, out) == (2, "")
        assert err == (
            f"taxonym: error: {option[-1]}: is the file to anonymise. Write to another file, so that nothing is lost.\n"
        )
    assert (here / "in.csv").read_bytes() == before
    assert not (here / "out.csv").exists()


@pytest.mark.parametrize("extra", [["--report", "out.csv"], ["--trail", "out.csv"], ["--trail", "x", "--report", "x"]])
def test_two_outputs_never_share_a_file(capsys: pytest.CaptureFixture[str], here: Path, extra: list[str]) -> None:
    code, _, err = run(capsys, "anonymize", *PLANNED, *extra)
    assert code == 2
    assert "is named twice" in err
    assert not (here / "out.csv").exists()


@pytest.mark.parametrize("extra", [["-o", "sports.csv"], ["--trail", "plan.toml"], ["--report", "./sports.csv"]])
def test_the_plan_and_its_taxonomies_are_never_overwritten(
    capsys: pytest.CaptureFixture[str], here: Path, extra: list[str]
) -> None:
    code, _, err = run(capsys, "anonymize", *PLANNED, *extra)
    assert code == 2
    assert "is the plan or a file that it names" in err
    assert (here / "sports.csv").read_text().startswith("child,parent")


def test_a_plan_may_name_the_files(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    plan = (here / "plan.toml").read_text().replace("[input]", '[output]\npath = "out.csv"\n[input]\npath = "in.csv"')
    (here / "plan.toml").write_text(plan)
    assert run(capsys, "anonymize", "--plan", "plan.toml")[0] == 0
    assert len(rows_of(here / "out.csv")) == 8


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["anonymize"], "anonymize: name the file to anonymise, or a plan with --plan."),
        (["anonymize", "--plan", "plan.toml"], "name the file to anonymise, or let the plan name it as input.path"),
        (["anonymize", "in.csv", "--plan", "plan.toml"], "name the file to write with -o OUT"),
        (["anonymize", *PLANNED, "-k", "1"], "error: -k: must be at least 2, got 1."),
        (["anonymize", *PLANNED, "--measure", "euclid"], "--measure: 'euclid' is not known"),
        (["anonymize", *PLANNED, "--known-items", "-1"], "--known-items: must be at least 0, got -1."),
        (["verify", "out.csv"], "-k: is missing. Say how many persons every class must have."),
        (["verify", "in.csv", "-k", "0"], "-k: must be at least 1, got 0."),
        (["verify", "in.csv", "-k", "2", "--trail", "t"], "give both --original and --trail"),
    ],
)
def test_a_mistake_is_one_line_and_ends_with_2(
    capsys: pytest.CaptureFixture[str], here: Path, arguments: list[str], complaint: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("taxonym: error: ")
    assert complaint in err
    assert not (here / "out.csv").exists()


# ---------------------------------------------------------------------- plan


def test_a_drafted_plan_is_a_plan_that_runs(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    code, out, _ = run(capsys, "plan", "in.csv", "--taxonomy", "sports.csv", "-o", "drafted.toml")
    assert code == 0
    assert "taxonym anonymize in.csv -o OUT --plan drafted.toml" in out
    assert read_plan(here / "drafted.toml").columns["likes"].kind == "set"
    _, shown, _ = run(capsys, "plan", "in.csv", "--taxonomy", "sports.csv")
    assert shown == (here / "drafted.toml").read_text()
    _, text, _ = run(capsys, "plan", "in.csv", "--taxonomy", "sports.csv", "--json")
    assert json.loads(text)["plan"]["columns"]["likes"]["role"] == "quasi-identifier"
    assert run(capsys, "anonymize", "in.csv", "-o", "out.csv", "--plan", "drafted.toml", "-k", "2")[0] == 0


# ---------------------------------------------------------------------- verify


WHOLE = ("--plan", "plan.toml", "--original", "in.csv", "--trail", "trail")


def test_a_release_verifies(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", "--plan", "plan.toml")
    assert code == 0
    assert out.startswith("out.csv: holds. Each of its 2 classes has at least 3 rows (the smallest 4).\n")
    assert "Not checked without the original and the trail: persons, " in out
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", *WHOLE)
    assert code == 0
    assert "at least 3 persons (the smallest 4). The support rule holds." in out
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", *WHOLE, "--json")
    assert (code, json.loads(out)["support_rule"], json.loads(out)["counted"]) == (0, "holds", "persons")


def test_confidential_columns_count_unless_a_plan_says_so(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3")
    assert code == 1
    assert out == "out.csv: does not hold. 8 of its 8 classes have fewer than 3 rows (the smallest 1).\n"


def test_a_tampered_release_fails(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    lines = (made / "out.csv").read_text().splitlines()
    likes, pay = lines[1].rsplit(",", 1)
    (made / "out.csv").write_text("\n".join([lines[0], f"{likes};go;sailing,{pay}", *lines[2:], ""]))
    for more in (("--plan", "plan.toml"), WHOLE):
        code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", *more, "--json")
        assert (code, json.loads(out)["holds"]) == (1, False)


@pytest.mark.parametrize("cell", ["chess;swimming", "Kowalska;sports;water sports", "chess;go;swimming"])
def test_a_release_of_large_classes_that_breaks_the_support_rule_fails(
    capsys: pytest.CaptureFixture[str], made: Path, cell: str
) -> None:
    lines = (made / "out.csv").read_text().splitlines()
    changed = sorted(f"{cell},{line.split(',')[-1]}" for line in lines[1:])
    (made / "out.csv").write_text("\n".join([lines[0], *changed, ""]))
    (made / "out.csv.codebook.csv").unlink()  # which has other words
    assert run(capsys, "verify", "out.csv", "-k", "3", "--plan", "plan.toml")[0] == 0
    code, _, err = run(capsys, "verify", "out.csv", "-k", "3", *WHOLE)
    assert code == 1
    assert "taxonym: error: " in err
    assert "Kowalska" not in err


def test_rows_of_one_person_do_not_make_a_class(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    """A trail that would go with such a release is made by hand: no run writes one."""
    (made / "in.csv").write_text((made / "in.csv").read_text().replace("Kowalska1", "Kowalska0"))
    assert run(capsys, "verify", "out.csv", "-k", "4", *WHOLE)[0] == 2
    head, *lines = (made / "trail").read_text().replace("Kowalska1", "Kowalska0").splitlines()
    told = json.loads(head)
    told["input_fingerprint"] = None
    told["plan"]["input"]["person_rows"] = "keep"
    (made / "trail").write_text("\n".join([json.dumps(told), *lines, ""]))
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "4", "--original", "in.csv", "--trail", "trail")
    assert code == 1
    assert "1 of its 2 classes have fewer than 4 persons (the smallest 3)" in out


def test_a_release_of_drawn_words_is_verified_by_concept(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    text = (here / "in.csv").read_text() + "".join(f"Nowak{i},Chess,x\nNowak1{i},CHESS;go,x\n" for i in range(5))
    (here / "in.csv").write_text(text)
    (here / "plan.toml").write_text((here / "plan.toml").read_text() + 'representative = "per-record"\n')
    assert run(capsys, "anonymize", *PLANNED, "--trail", "trail")[0] == 0
    assert len({row["likes"].lower() for row in rows_of(here / "out.csv")}) < len(
        {row["likes"] for row in rows_of(here / "out.csv")}
    )
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "3", *WHOLE)
    assert (code, "holds" in out) == (0, True)
    code, _, err = run(capsys, "verify", "out.csv", "-k", "3", "--plan", "plan.toml")
    assert (code, "give --original" in err) == (2, True)


def test_a_trail_of_another_run_is_refused(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    for wrong in ("{}\n", "x", ""):
        (made / "trail").write_text(wrong)
        code, _, err = run(capsys, "verify", "out.csv", "-k", "3", *WHOLE)
        assert code == 2
        assert "trail: " in err


def test_a_report_is_written_as_a_page_and_as_data(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    both = ("--report", "report.html", "--report", "report.json")
    code, out, _ = run(capsys, "anonymize", *PLANNED, *both)
    assert code == 0
    assert out.endswith("Written: out.csv, out.csv.codebook.csv, report.html, report.json\n")
    told = json.loads((here / "report.json").read_text())
    page = (here / "report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert told["verdict"] in page
    code, _, err = run(capsys, "anonymize", *PLANNED, "--report", "r.html", "--report", "r.html")
    assert (code, "r.html: is named twice" in err) == (2, True)


def test_workers_and_memory_are_asked_for_on_the_command_line(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    code, _, err = run(capsys, "anonymize", *PLANNED, "--max-memory", "4Q", "--no-baselines")
    assert code == 2
    assert err == "taxonym: error: max_memory: must be a size such as 4G, 500M or a number of bytes, got '4Q'.\n"
    code, _, err = run(capsys, "anonymize", *PLANNED, "--workers", "0", "--no-baselines")
    assert code == 2
    assert err == "taxonym: error: workers: must be a whole number from 1 on, got 0.\n"
    made = []
    for workers in ("1", "3"):
        given = ("--workers", workers, "--max-memory", "64G", "--seed", "7", "--no-baselines", "--json")
        code, out, _ = run(capsys, "anonymize", *PLANNED, *given)
        assert code == 0
        made.append(out)
    assert made[0] == made[1]


def test_a_kind_beside_a_plan_of_another_is_refused_by_every_command(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (
        ("anonymize", "in.csv", "-o", "out.csv"),
        ("loss", "in.csv", "out.csv"),
        ("compare", "in.csv", "-o", "tried"),
    ):
        code, _, err = run(capsys, *command, "--plan", "plan.toml", "--kind", "querylog")
        assert (code, err.count("\n")) == (2, 1)
        assert "the plan is one of a table" in err


def test_no_draft_is_shown_whose_examples_one_person_has(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "anonymize", "in.csv", "-o", "out.csv", "-k", "1")
    assert (code, out) == (2, "")
    assert err == "taxonym: error: -k: must be at least 2, got 1.\n"


def test_a_port_that_is_none_is_told_as_such(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "studio", ".", "--no-open", "--port", "99999")
    assert code == 2
    assert "--port 99999: cannot be used" in err
