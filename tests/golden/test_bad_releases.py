"""What people read when `taxonym anonymize` cannot do its work: one line, the right exit code, and nothing written."""

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from taxonym.cli import main

SECRET = "Kowalska"  # in every file, in no message
TREE = "child,parent\nswimming,water sports\nsailing,water sports\nwater sports,sports\n"
ROWS = f"id,likes,age\n{SECRET}1,swimming,31\n{SECRET}2,sailing;swimming,32\n{SECRET}3,swimming,33\n"
PLAN = """
[input]
person = "id"
{input}
[columns.likes]
role = "quasi-identifier"
kind = "set"
taxonomy = "tree.csv"
{likes}
[columns.age]
role = "quasi-identifier"
kind = "number"
{age}
[method]
k = 2
{method}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tree.csv").write_text(TREE)
    (tmp_path / "in.csv").write_text(ROWS)
    write_plan(tmp_path)
    return tmp_path


def write_plan(folder: Path, **more: str) -> None:
    settings = dict.fromkeys(("input", "likes", "age", "method"), "") | more
    (folder / "plan.toml").write_text(PLAN.format(**settings))


def check(
    capfd: pytest.CaptureFixture[str],
    here: Path,
    message: str,
    code: int = 2,
    source: str = "in.csv",
    out: str = "o.csv",
) -> None:
    """Run the command: it must say the message, end with the code and leave every file as it was."""
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    found = main(["anonymize", source, "-o", out, "--plan", "plan.toml", "--trail", "t.jsonl", "--report", "r.json"])
    shown = capfd.readouterr()
    assert (found, shown.out, shown.err) == (code, "", f"taxonym: error: {message}\n")
    assert SECRET not in shown.err
    assert {path: path.read_bytes() for path in here.rglob("*") if path.is_file()} == before


FILES: list[tuple[str, bytes, str]] = [
    (
        "latin.csv",
        ROWS.replace("31", "31\xe9").encode("latin-1"),
        "latin.csv: line 2: is not utf-8 text. Save the file as UTF-8, or name its encoding: "
        'encoding = "latin-1" under [input].',
    ),
    (
        "ragged.csv",
        (ROWS + f"{SECRET}4,swimming\n").encode(),
        "ragged.csv: line 5: has 2 cells, not 3. Put cells that hold the delimiter in double quotes; if each line is "
        'a list, set delimiter = "" and names = ["items"] under [input].',
    ),
    ("empty.csv", b"", "empty.csv: the file is empty. Is it the right file?"),
    ("header.csv", b"id,likes,age\n", "header.csv: has column names but no rows. Is it the right file?"),
    (
        "column.csv",
        ROWS.replace("likes", "like").encode(),
        "column.csv: there is no column 'likes' among its 3. Did you mean 'like'? Correct the plan, or see the columns "
        "with 'taxonym plan'.",
    ),
    (
        "nan.csv",
        ROWS.replace("32", "inf").replace("33", "NaN").encode(),
        "nan.csv: column 'age': is not a finite number in 2 of 3 rows, first in row 2. Write it like 12.5, set "
        'decimal, or set kind = "nominal".',
    ),
    (
        "nobody.csv",
        (ROWS + ",swimming,4\n").encode(),
        "nobody.csv: column 'id': does not say whose row it is in 1 of 4 rows, first in row 4. Fill it in, or remove "
        "these rows.",
    ),
    ("short.parquet", b"PAR1", "short.parquet: is not a sound Parquet file. Fetch or write it again."),
    (
        "text.parquet",
        ROWS.encode(),
        "text.parquet: is not a sound Parquet file. Fetch or write it again.",
    ),
    (
        "footer.parquet",
        b"PAR1" + ROWS.encode() + b"\xff\xff\xff\x7fPAR1",
        "footer.parquet: is not a sound Parquet file. Fetch or write it again.",
    ),
]


@pytest.mark.parametrize(("name", "content", "message"), FILES, ids=[name for name, *_ in FILES])
def test_a_file_that_cannot_be_anonymised_is_explained(
    capfd: pytest.CaptureFixture[str], here: Path, name: str, content: bytes, message: str
) -> None:
    (here / name).write_bytes(content)
    check(capfd, here, message, source=name)


@pytest.mark.parametrize("where", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_damaged_parquet_file_is_explained(capfd: pytest.CaptureFixture[str], here: Path, where: float) -> None:
    """Cut in the middle, and with bytes turned where the data or the footer is."""
    rows = [line.split(",") for line in ROWS.splitlines()]
    pl.DataFrame(rows[1:], schema=rows[0], orient="row").write_parquet(here / "good.parquet")
    content = bytearray((here / "good.parquet").read_bytes())
    at = int(len(content) * where)
    (here / "bad.parquet").write_bytes(content[:at])
    check(capfd, here, "bad.parquet: is not a sound Parquet file. Fetch or write it again.", source="bad.parquet")
    content[-8:-4] = (len(content) * 2).to_bytes(4, "little")
    (here / "bad.parquet").write_bytes(content)
    check(capfd, here, "bad.parquet: is not a sound Parquet file. Fetch or write it again.", source="bad.parquet")


def test_an_id_that_repeats_is_explained(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    write_plan(here, input='person_rows = "unique"')
    (here / "in.csv").write_text(ROWS + f"{SECRET}1,sailing,9\n")
    check(
        capfd,
        here,
        'in.csv: column \'id\': repeats an id in 1 of 4 rows, first in row 4. Set person_rows = "unite" or "keep".',
    )


def test_unknown_terms_under_the_policy_error_are_explained(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    write_plan(here, likes='on_unknown = "error"')
    (here / "in.csv").write_text(ROWS + f"x,swimming;{SECRET},9\ny,{SECRET},9\n")
    check(
        capfd,
        here,
        "in.csv: column 'likes': terms of 2 records have no concept in 'tree' (first in row 4). List them with "
        "'taxonym concepts --file … --column likes --unknown OUT', let anonymize --show-values show them to you, or "
        'set on_unknown = "suppress" for this column.',
    )


def test_an_empty_cell_under_the_policy_error_is_explained(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    write_plan(here, age='on_empty = "error"')
    (here / "in.csv").write_text(ROWS + "x,swimming,\n")
    check(
        capfd,
        here,
        "in.csv: column 'age': has no value in 1 of 4 records, first in row 4. Fill it in, or set on_empty to another "
        "policy.",
    )


def test_fewer_persons_than_k_end_with_1(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    write_plan(here, method='name = "mdav"')
    (here / "plan.toml").write_text((here / "plan.toml").read_text().replace("k = 2", "k = 4"))
    (here / "in.csv").write_text(ROWS + f"{SECRET}1,sailing,9\n" * 9)
    message = "in.csv: has 3 persons, fewer than k = 4: nobody could hide. Choose a smaller k."
    check(capfd, here, message, code=1)


def test_a_table_of_which_nothing_is_left_ends_with_1(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "in.csv").write_text(f"id,likes,age\nx,{SECRET},1\ny,,2\nz,{SECRET},\n")
    check(
        capfd,
        here,
        "in.csv: every record would have to be suppressed (missing value; no concept), so nothing is left.",
        code=1,
    )


def test_groups_that_share_nothing_end_with_1(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "tree.csv").write_text("child,parent\nswimming,sports\nchess,games\n")
    (here / "in.csv").write_text("id,likes,age\nx,swimming,1\ny,chess,2\n")
    check(
        capfd,
        here,
        "in.csv: no group has a concept that 2 persons share, so nothing is left. Choose a smaller k or known_items.",
        code=1,
    )


def test_a_misspelt_key_is_explained(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    write_plan(here, method="know_items = 2")
    check(
        capfd,
        here,
        "plan.toml: method.know_items: there is no such key. Did you mean 'known_items'? Choose among name, k, "
        "aggregate, measure, threshold, content, known_items, least_content, support_threshold, consensus, "
        "representative, fit, "
        "topics, topic_share, l, l_kind, t, t_distance, recoding, cost, suppress, blocks, block_size, passes, "
        "growth, noise_mechanism, alpha, "
        "epsilon, budget, min_candidates, aim, correlated, consistent, statistics, outcomes, "
        "public, avoid, seed.",
    )


def test_a_promise_about_nothing_is_explained(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    for key, value in (("l", "2"), ("t", "0.2")):
        write_plan(here, method=f"{key} = {value}")
        check(
            capfd,
            here,
            f"plan.toml: method.{key}: there is nothing to watch. Give a column the role 'confidential', or name the "
            f"sensitive topics of a column with a taxonomy (topics).",
        )


@pytest.mark.parametrize(
    ("method", "what", "fix"),
    [
        ("l = 2", "distinct l = 2", "Leave l or this column out"),
        ("l = 3", "distinct l = 3", "Choose a smaller l"),
        ('l = 3\nl_kind = "entropy"', "entropy l = 3", "Choose a smaller l"),
        ("t = 0.2", "t = 0.2 (semantic)", "Choose a larger t, or publish fewer 'other' columns"),
        ('t = 0.2\nt_distance = "equal"', "t = 0.2 (equal)", "Choose a larger t, or publish fewer 'other' columns"),
    ],
)
def test_a_promise_that_cannot_be_kept_ends_with_1(
    capfd: pytest.CaptureFixture[str], here: Path, method: str, what: str, fix: str
) -> None:
    """Everybody has the same value, or of two towns each has its own."""
    towns = method.startswith("t")
    columns = 'weight = 2\n[columns.ill]\nrole = "confidential"\n[columns.town]\nrole = "other"\n'
    write_plan(here, age=columns if towns else columns.split("[columns.town]")[0], method=method)
    rows = [f"{SECRET}{i},swimming,3{i},{SECRET if i < 2 or not towns else 'x'},{i // 2}\n" for i in range(4)]
    (here / "in.csv").write_text("id,likes,age,ill,town\n" + "".join(rows))
    whom = "all persons with the same other columns" if towns else "all published persons"
    check(capfd, here, f"in.csv: {what} in column 'ill' cannot be kept, even with {whom} in one group. {fix}.", code=1)


def test_a_folder_that_is_not_there_is_explained(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    check(capfd, here, "none/o.csv: there is no folder none. Make it first, or choose another.", out="none/o.csv")


def test_a_folder_is_no_file_to_write_to(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "sub.csv").mkdir()
    check(capfd, here, "sub.csv: is a folder. Name a file in it.", out="sub.csv")


def test_a_folder_that_may_not_be_written_to_is_explained(
    capfd: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "locked").mkdir(mode=0o500)
    if os.access(here / "locked", os.W_OK):  # the superuser may write anywhere
        real = os.access
        monkeypatch.setattr(os, "access", lambda path, mode: "locked" not in str(path) and real(path, mode))
    message = "locked/o.csv: cannot be written (Permission denied). Choose a folder you may write to."
    check(capfd, here, message, out="locked/o.csv")


def test_a_name_that_tells_no_format_is_explained(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    check(
        capfd,
        here,
        "o.xlsx: files of this kind are only read. Let the name end in .csv, .txt, .tsv, .tab, .jsonl, .ndjson, .json, "
        ".parquet, .pq.",
        out="o.xlsx",
    )


FULL = """
import resource, signal, sys, tempfile
from taxonym.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # else the system ends the process
make = tempfile.mkstemp
def mkstemp(*args, **options):  # from the first file of ours on, no file may grow beyond a few bytes
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8))
    return make(*args, **options)
tempfile.mkstemp = mkstemp
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "jsonl", "parquet"])
def test_a_disk_that_is_full_is_explained(here: Path, suffix: str) -> None:
    out = here / f"o.{suffix}"
    out.write_bytes(b"old")
    before = sorted(os.listdir(here))
    options = ["anonymize", "in.csv", "-o", out.name, "--plan", "plan.toml"]
    done = subprocess.run([sys.executable, "-c", FULL, *options], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    told = [line for line in done.stderr.splitlines() if not line.startswith("taxonym: warning: ")]
    assert told == [f"taxonym: error: {out.name}: could not be written (File too large); nothing was changed."]
    assert out.read_bytes() == b"old"
    assert sorted(os.listdir(here)) == before
