"""Noise through the command line: anonymize, verify, loss and risk, stats and stream."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from taxonym.cli import main
from taxonym.cli.stream import LONGEST, Lines, stream
from tests.noisy import JOBS, hierarchy, people
from tests.unit.cli.common import rows_of, run

PLAN = """
[input]
person = "who"
person_rows = "keep"
[columns.job]
role = "quasi-identifier"
taxonomy = "jobs.csv"
{column}
[method]
name = "noise"
{method}
"""


def write_plan(folder: Path, method: str = "alpha = 0.4", column: str = "", more: str = "") -> None:
    (folder / "plan.toml").write_text(PLAN.format(method=method, column=column) + more)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    hierarchy(tmp_path)
    people(120).write_csv("in.csv")
    write_plan(tmp_path, more='[columns.pay]\nrole = "confidential"\nkind = "number"\n')
    return tmp_path


RELEASE = ("anonymize", "in.csv", "-o", "out.csv", "--plan", "plan.toml", "--trail", "trail", "--report", "report.json")


def test_a_release_is_made_verified_and_measured_and_k_is_never_claimed(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    code, out, err = run(capsys, *RELEASE)
    assert code == 0
    assert re.fullmatch(r"taxonym: warning: \S+ of 100 things said in column job are lost by noise .*\n", err)
    assert out.startswith("Every masked value was replaced at random. This makes guessing harder")
    assert "Column 'job': 11 concepts may come out; too few persons to tell more." in out
    report = json.loads((folder / "report.json").read_text())
    assert report["promise"].pop("limits")[0].startswith("Neither k nor ε is promised")
    assert report["promise"] == {"kind": "none", "k": None, "counts": "persons"}
    assert "Kowalska" not in out + json.dumps(report)
    assert {row["job"] for row in rows_of(folder / "out.csv")} <= set(JOBS)

    code, out, _ = run(capsys, "verify", "out.csv", "--plan", "plan.toml")
    assert code == 0
    assert out.startswith("out.csv: holds what can be checked: no other column is published; every word is the name of")
    assert "Promised: none. This file cannot prove anything about k or ε" in out
    code, out, _ = run(capsys, "verify", "out.csv", "--original", "in.csv", "--trail", "trail", "--json")
    found = json.loads(out)
    assert (code, found["k"], found["holds"]) == (0, None, True)
    assert "no single value is published as it was" in found["checked"]

    code, out, err = run(capsys, "verify", "out.csv", "-k", "2", "--plan", "plan.toml")
    assert (code, out) == (2, "")
    assert "-k: this plan masks by noise and promises no k" in err
    assert run(capsys, "verify", "out.csv")[0] == 2

    code, out, _ = run(capsys, "loss", "in.csv", "out.csv", "--trail", "trail")
    assert code == 0
    assert "mean error" in out
    code, out, _ = run(capsys, "risk", "in.csv", "out.csv", "--trail", "trail")
    assert code == 0
    assert out.startswith("This release was made by noise, which promises no k")


def test_verify_claims_no_check_of_single_values_where_there_are_none(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "plan.toml").write_text(PLAN.format(method="", column='kind = "set"').replace("job]", "family]"))
    assert run(capsys, *RELEASE)[0] == 0
    code, out, _ = run(capsys, "verify", "out.csv", "--original", "in.csv", "--trail", "trail")
    assert (code, "no single value is published as it was" in out) == (0, False)


def test_a_release_that_was_changed_is_caught(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert run(capsys, *RELEASE)[0] == 0
    whole = (folder / "out.csv").read_text()
    (folder / "bad.csv").write_text(f"{whole}zzq,1\n")
    code, out, _ = run(capsys, "verify", "bad.csv", "--plan", "plan.toml")
    assert (code, out) == (
        1,
        "bad.csv: does not hold. bad.csv: column 'job': 1 rows hold a word that the plan does not let come out.\n",
    )
    header, first, *rest = whole.splitlines()
    job, pay = first.split(",")
    (folder / "paid.csv").write_text("\n".join([header, f"{job},{int(pay) + 1}", *rest]) + "\n")
    code, out, err = run(capsys, "verify", "paid.csv", "--original", "in.csv", "--trail", "trail")
    assert (code, "column 'pay'" in out + err) == (1, True)
    (folder / "clear.csv").write_text(
        "job,pay\n" + "".join(f"{r['job']},{r['pay']}\n" for r in rows_of(folder / "in.csv"))
    )
    trail = [json.loads(line) for line in (folder / "trail").read_text().splitlines()]
    for number, line in enumerate(trail[1:], 1):
        line["release_row"] = number
    (folder / "trail").write_text("".join(json.dumps(line) + "\n" for line in trail))
    code, out, _ = run(capsys, "verify", "clear.csv", "--original", "in.csv", "--trail", "trail")
    assert code == 1
    assert "column 'job': 120 rows hold the value of their record" in out


def test_options_choose_the_mechanism_and_mistakes_name_them(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    write_plan(folder, method="")
    options = ("--noise-mechanism", "exponential", "--epsilon", "2", "--budget", "4", "--json")
    code, out, _ = run(capsys, *RELEASE, *options)
    found = json.loads(out)
    assert (code, found["promise"]["kind"], found["promise"]["epsilon"]) == (0, "ε", 4)
    code, _, err = run(capsys, *RELEASE, "--noise-mechanism", "exponential")
    assert (code, err.startswith("taxonym: error: --epsilon: is missing")) == (2, True)
    code, _, err = run(capsys, *RELEASE, "--noise-mechanism", "exponential", "--epsilon", "2")
    assert (code, "would spend more than ε = 2" in err) == (1, True)
    code, _, err = run(
        capsys, "anonymize", "in.csv", "-o", "x.csv", "--plan", "plan.toml", "--method", "mdav", "--alpha", "1"
    )
    assert (code, "--alpha: belongs to the method 'noise'" in err) == (2, True)
    code, _, err = run(capsys, "anonymize", "in.csv", "-o", "x.csv", "--plan", "plan.toml", "-k", "3")
    assert (code, "-k: noise forms no groups and promises no k" in err) == (2, True)
    assert run(capsys, *RELEASE, "--min-candidates", "3", "--category", "employee")[0] == 0
    assert {row["job"] for row in rows_of(folder / "out.csv")} <= {
        "employee",
        "clerk",
        "salesperson",
        "teller",
        "cashier",
    }
    assert run(capsys, *RELEASE, "--noise-mechanism", "naive")[0] == 0
    code, out, _ = run(capsys, "loss", "in.csv", "out.csv", "--trail", "trail")
    assert (code, "mean error" in out, "expected" in out) == (0, True, False)
    assert not (folder / "x.csv").exists()


def test_an_epsilon_release_is_verified_for_what_a_file_can_show(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    write_plan(folder, 'noise-mechanism = "exponential"\nepsilon = 2\nbudget = 4', 'kind = "set"\nset_size = 2')
    assert run(capsys, *RELEASE)[0] == 0
    code, out, _ = run(capsys, "verify", "out.csv", "--original", "in.csv", "--trail", "trail")
    assert code == 0
    assert "nobody is left out" in out
    assert "Promised: ε. This file cannot prove that its words were drawn with the ε of the plan" in out
    trail = [json.loads(line) for line in (folder / "trail").read_text().splitlines()]
    next(line for line in trail[1:] if line["release_row"] == 120)["release_row"] = None
    (folder / "trail").write_text("".join(json.dumps(line) + "\n" for line in trail))
    (folder / "less.csv").write_text("".join((folder / "out.csv").read_text().splitlines(keepends=True)[:-1]))
    code, out, _ = run(capsys, "verify", "less.csv", "--original", "in.csv", "--trail", "trail")
    assert (code, "has 119 rows where the original has 120 records" in out) == (1, True)
    (folder / "large.csv").write_text("job\nclerk;baker;teller\n")
    code, out, _ = run(capsys, "verify", "large.csv", "--plan", "plan.toml")
    assert (code, "1 rows hold more than 2 words" in out) == (1, True)


# ---------------------------------------------------------------------- stats


def test_statistics_are_written_for_their_owner(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, _ = run(capsys, "stats", "in.csv", "--column", "job", "--plan", "plan.toml", "-o", "s.json")
    assert code == 0
    assert "Column 'job': mean " in out
    assert "Private, not for publication: s.json" in out
    assert (folder / "s.json").stat().st_mode & 0o077 == 0
    made = json.loads((folder / "s.json").read_text())
    assert made["columns"]["job"]["values"] == 120
    assert "frequencies" not in made["columns"]["job"]
    given = ("--taxonomy", "jobs.csv", "--kind", "set", "--measure", "jaccard", "--frequencies", "--json")
    code, out, _ = run(capsys, "stats", "in.csv", "--column", "family", "-o", "f.json", *given)
    found = json.loads(out)["columns"]["family"]
    assert (code, found["measure"]) == (0, "jaccard")
    assert sum(found["frequencies"].values()) == found["values"]
    write_plan(folder, 'measure = "lin"\ncontent = "sanchez"')
    assert run(capsys, "stats", "in.csv", "--column", "job", "--plan", "plan.toml", "-o", "lin.json")[0] == 0
    assert run(capsys, *RELEASE, "--statistics", "lin.json")[0] == 0
    code, _, err = run(capsys, "stats", "in.csv", "--column", "nose", "--plan", "plan.toml", "-o", "s.json")
    assert (code, "the plan has no column 'nose'" in err) == (2, True)
    again = ("--plan", "plan.toml", "--category", "employee")
    code, _, err = run(capsys, "stats", "in.csv", "--column", "job", "-o", "s.json", *again)
    assert (code, "--category: the plan says that of every column" in err) == (2, True)
    code, _, err = run(capsys, "stats", "in.csv", "--column", "job", "--taxonomy", "jobs.csv", "-o", "in.csv")
    assert (code, "is the file to anonymise" in err) == (2, True)


# ---------------------------------------------------------------------- stream


def streamed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: bytes, *options: str
) -> tuple[int, list[str], str]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    code, out, err = run(capsys, "stream", "--plan", "plan.toml", *options)
    return code, out.splitlines(), err


def test_one_line_in_one_line_out_and_malformed_ones_are_named(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_plan(
        folder, column='mean = "employee"\nvariance = 0.2', more='[columns.pay]\nrole = "other"\nkind = "number"\n'
    )
    lines = [
        b'{"who": 1, "job": "clerk", "secret": "Kowalska"}', b"", b"Kowalska", b'["Kowalska"]',
        b'{"who": 1, "job": NaN}', b'{"who": 1, "job": "zzqKowalska"}', b'{"job": "clerk"}',
        b'{"who": "\\ud800", "job": "baker"}', b"\xff\xfe", b"[" * 100_000, b'{"who": 2, "job": "baker"}',
        b'{"who": 2, "job": "baker", "pay": 1e999}', b'{"who": 2, "job": "baker", "pay": %s}' % (b"1" * 5000),
    ]  # fmt: skip
    code, out, err = streamed(capsys, monkeypatch, b"\n".join(lines))
    assert code == 0
    assert [set(json.loads(line)) for line in out] == [{"job", "pay"}] * 3
    first, *told, last = err.splitlines()
    assert first.startswith("taxonym: neither k nor ε is promised; draws come from the operating system's")
    assert [line.split(":")[1] for line in told] == [f" line {n}" for n in (3, 4, 5, 6, 7, 9, 10, 12, 13)]
    assert last == "taxonym: 12 lines, 3 masked, 9 left out."
    assert "Kowalska" not in err + "".join(out)
    assert streamed(capsys, monkeypatch, b"")[:2] == (0, [])


def test_a_stream_repeats_for_a_seed_and_answers_alike_for_a_key(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_plan(folder, "alpha = 3.0\nmin_candidates = 6", 'mean = "employee"\nvariance = 0.2')
    text = b"".join(b'{"who": %d, "job": "clerk"}\n' % (i % 3) for i in range(30))
    (_, first, told), (_, second, _) = (streamed(capsys, monkeypatch, text, "--seed", "4") for _ in "ab")
    assert first == second
    assert told.startswith("taxonym: draws come from a seed: for tests and experiments only")
    (folder / "key").write_bytes(bytes(range(32)))
    first, second = (streamed(capsys, monkeypatch, text, "--consistent", "--key", "key")[1] for _ in "ab")
    assert first == second == first[:3] * 10
    (folder / "key").write_bytes(b"short")
    code, _, err = streamed(capsys, monkeypatch, text, "--consistent", "--key", "key")
    assert (code, "has fewer than 16 bytes" in err) == (2, True)
    assert streamed(capsys, monkeypatch, text, "--consistent", "--key", "none")[0] == 2


def test_a_stream_refuses_a_person_whose_budget_is_spent_and_goes_on(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_plan(folder, 'noise_mechanism = "exponential"\nepsilon = 1\nbudget = 2')
    text = b"".join(b'{"who": "%c", "job": "clerk"}\n' % who for who in b"aabacab")
    code, out, err = streamed(capsys, monkeypatch, text)
    assert (code, len(out)) == (0, 5)
    assert [line.split(":")[1] for line in err.splitlines()[1:-1]] == [" line 4", " line 6"]
    assert "ε = 1 for each cell and at most ε = 2 for each person, as long as this runs" in err.splitlines()[0]


def test_a_line_without_end_does_not_fill_the_memory(capsys: pytest.CaptureFixture[str]) -> None:
    endless = b'{"a": "' + b"x" * (LONGEST + (1 << 17))
    sink = io.BytesIO()
    assert stream(lambda record: record, io.BytesIO(endless + b'"}\n{"b": 1}\n'), sink) == Lines(2, 1)
    assert sink.getvalue() == b'{"b": 1}\n'
    assert "line 1: is longer than 4 MiB" in capsys.readouterr().err


def test_what_goes_wrong_in_a_line_stops_nothing_and_shows_no_value(capsys: pytest.CaptureFixture[str]) -> None:
    def fail(record: dict[str, object]) -> dict[str, object]:
        raise KeyError("Kowalska")

    assert stream(fail, io.BytesIO(b"{}\n{}\n"), io.BytesIO()) == Lines(2, 0)
    assert capsys.readouterr().err == "".join(
        f"taxonym: line {n}: unforeseen KeyError; this is our fault.\n" for n in (1, 2)
    )


def test_an_answer_comes_before_the_next_question_and_a_closed_pipe_ends_it(folder: Path) -> None:
    write_plan(folder, column='mean = "employee"\nvariance = 0.2')
    command = [sys.executable, "-m", "taxonym", "stream", "--plan", "plan.toml"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=os.environ
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(b'{"who": 1, "job": "clerk"}\n')
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["job"] in JOBS
        process.stdout.close()
        first = time.monotonic()
        try:
            while process.poll() is None and time.monotonic() - first < 300:
                process.stdin.write(b'{"who": 1, "job": "clerk"}\n' * 2000)
                process.stdin.flush()
        except BrokenPipeError:
            pass
        assert process.wait(300) == 0
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


def test_a_stream_that_is_stopped_by_the_keyboard_counts_what_came_out(folder: Path) -> None:
    write_plan(folder, column='mean = "employee"\nvariance = 0.2')
    command = [sys.executable, "-m", "taxonym", "stream", "--plan", "plan.toml"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=folder, env=os.environ, **pipes) as process:  # type: ignore[call-overload]
        process.stdin.write(b'{"who": 1, "job": "clerk"}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=300)
        assert (process.returncode, err.decode().splitlines()[1:]) == (130, ["taxonym: 1 lines, 1 masked, 0 left out."])


def test_help_of_the_new_commands_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("stats", "stream"):
        with pytest.raises(SystemExit) as done:
            main([command, "--help"])
        assert done.value.code == 0
        assert command in capsys.readouterr().out
