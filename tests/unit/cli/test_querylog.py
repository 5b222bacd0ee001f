"""A query log through the commands: anonymize, verify, mine."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.unit.cli.common import SPORTS, run

ASKED = {
    "swimming": ["swimming pool", "swimming", "sailing", "swimming zzuniquea"],
    "chess": ["chess", "chess club", "go", "chess zzuniqueb"],
}
PLAN = '[querylog]\ntaxonomy = "sports.csv"\n[method]\nk = 3\nseed = 7\n'
MADE = ("log.tsv", "-o", "out.tsv", "--plan", "plan.toml")


@pytest.fixture
def logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an AOL-like log of twelve users, a taxonomy and a plan."""
    monkeypatch.chdir(tmp_path)
    edges = [*SPORTS, ("water sports", "sports"), ("board games", "sports")]
    (tmp_path / "sports.csv").write_text("child,parent\n" + "".join(f"{c},{p}\n" for c, p in edges))
    lines = ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL"]
    for user in range(12):
        mine = ASKED["swimming" if user % 2 else "chess"]
        for i, query in enumerate(mine[: 3 + (user == 5)]):
            click = f"{i + 1}\thttp://www.{'pool' if user % 2 else 'mate'}.example/u{user}" if i == 0 else "\t"
            lines.append(f"Kowalska{user}\t{query}\t2026-03-{10 + user % 2} 07:{10 + user}:00\t{click}")
    (tmp_path / "log.tsv").write_text("\n".join(lines) + "\n")
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def lines_of(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text().splitlines()]


def test_a_log_is_published_verified_and_mined(
    capsys: pytest.CaptureFixture[str], logged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")  # reports tell the day of their run, which is none of the log's
    code, out, err = run(capsys, "anonymize", *MADE, "--trail", "trail", "--report", "report.json")
    assert (code, "of 100 things said in column query are lost by mapping (limit 25)" in err) == (0, True)
    assert "Column 'ItemRank' is left out." in out
    head, *rows = lines_of(logged / "out.tsv")
    assert head == ["AnonID", "Query", "form"]
    assert len({row[0] for row in rows}) == 12
    assert {"swimming", "chess"} <= {row[1] for row in rows if row[2] == "query"}
    for private in ("Kowalska", "zzunique", "http", "2026"):
        assert private not in (logged / "out.tsv").read_text()
        assert private not in (logged / "report.json").read_text()
    code, out, _ = run(capsys, "verify", "out.tsv", "-k", "3", "--plan", "plan.toml")
    assert (code, "classes has at least 3 users" in out) == (0, True)
    code, out, _ = run(capsys, "verify", "out.tsv", "-k", "3", "--original", "log.tsv", "--trail", "trail")
    assert (code, "The support rule holds." in out) == (0, True)
    assert run(capsys, "verify", "out.tsv", "-k", "13", "--plan", "plan.toml")[0] == 1
    assert run(capsys, "verify", "out.tsv", "-k", "3", "--kind", "querylog")[0] == 0
    assert run(capsys, "verify", "out.tsv", "-k", "13", "--kind", "querylog")[0] == 1
    asked = ("mine", "log.tsv", "out.tsv", "--kind", "querylog", "--trail", "trail", "--clusters", "2,3", "--seed", "1")
    code, out, err = run(capsys, *asked)
    assert (code, err) == (0, "")
    assert "The 6 most frequent queries, lines per 100 users" in out
    assert "Clusters of users before and after, on our distance between users (k-medoids)" in out
    assert "zzunique" not in out
    found = json.loads(run(capsys, *asked, "--json")[1])
    assert found == json.loads(run(capsys, *asked, "--json")[1])
    clusters = next(one for one in found["tables"] if one["name"] == "clusters")
    assert [row[0] for row in clusters["rows"]] == [2, 3]
    assert all(0 <= value <= 1 for row in clusters["rows"] for value in row[1:3])


def test_frequencies_are_kept_and_a_name_is_no_name_before(capsys: pytest.CaptureFixture[str], logged: Path) -> None:
    assert run(capsys, "anonymize", *MADE)[0] == 0
    rows = lines_of(logged / "out.tsv")[1:]
    printed = Counter(row[1] for row in rows if row[2] == "query")
    assert all(abs(printed[query] - 6) <= 3 for query in ("swimming", "swimming pool", "chess", "chess club"))
    assert run(capsys, "anonymize", *MADE, "-o", "again.tsv")[0] == 0
    assert (logged / "again.tsv").read_bytes() == (logged / "out.tsv").read_bytes()
    assert run(capsys, "anonymize", *MADE, "-o", "other.tsv", "--seed", "8")[0] == 0
    assert {row[0] for row in lines_of(logged / "other.tsv")[1:]}.isdisjoint(row[0] for row in rows)


def test_times_and_hosts_are_told_where_k_users_of_a_group_share_them(
    capsys: pytest.CaptureFixture[str], logged: Path
) -> None:
    (logged / "plan.toml").write_text(PLAN.replace("[method]", 'times = "hour"\nclicks = "host"\n[method]'))
    assert run(capsys, "anonymize", *MADE, "--trail", "trail")[0] == 0
    head, *rows = lines_of(logged / "out.tsv")
    assert head == ["AnonID", "Query", "QueryTime", "ClickURL", "form"]
    assert {row[2] for row in rows} <= {"2026-03-10 07:00", "2026-03-11 07:00", "2026-03", ""}
    assert {row[3] for row in rows} <= {"www.pool.example", "www.mate.example", ""}
    assert any(row[2] for row in rows)
    assert any(row[3] for row in rows)
    assert run(capsys, "verify", "out.tsv", "-k", "3", "--kind", "querylog")[0] == 0
    assert run(capsys, "verify", "out.tsv", "-k", "3", "--original", "log.tsv", "--trail", "trail")[0] == 0
    text = (logged / "out.tsv").read_text()
    (logged / "out.tsv").write_text(text.replace("www.pool.example", "www.mate.example"))
    code, _, err = run(capsys, "verify", "out.tsv", "-k", "3", "--original", "log.tsv", "--trail", "trail")
    assert (code, "fewer than 3 users of its class share" in err) == (1, True)


@pytest.mark.parametrize(
    ("old", "new"),
    [("\tquery\n", "\tword\n"), ("\tswimming\tquery\n", "\tswimming zzuniquea\tquery\n")],
)
def test_a_changed_release_does_not_pass(capsys: pytest.CaptureFixture[str], logged: Path, old: str, new: str) -> None:
    assert run(capsys, "anonymize", *MADE, "--trail", "trail")[0] == 0
    text = (logged / "out.tsv").read_text()
    assert old in text
    (logged / "out.tsv").write_text(text.replace(old, new))
    asked = ("verify", "out.tsv", "-k", "3", "--original", "log.tsv", "--trail", "trail")
    code, _, err = run(capsys, *asked)
    assert code == 1
    assert "has fewer than 3 writers" in err or "does not map back" in err
    assert "zzunique" not in err


def test_a_users_own_name_and_repeats_of_one_user_do_not_pass(capsys: pytest.CaptureFixture[str], logged: Path) -> None:
    log = (logged / "log.tsv").read_text()  # with names that look like new ones
    (logged / "log.tsv").write_text(re.sub(r"Kowalska(\d+)", lambda user: f"1{int(user[1]):011}", log))
    assert run(capsys, "anonymize", *MADE, "--trail", "trail")[0] == 0
    text = (logged / "out.tsv").read_text()
    asked = ("verify", "out.tsv", "-k", "3", "--original", "log.tsv", "--trail", "trail")
    first = lines_of(logged / "out.tsv")[1][0]
    (logged / "out.tsv").write_text(text.replace(first, "100000000003"))
    code, _, err = run(capsys, *asked)
    assert (code, "a user's own name" in err, "100000000003" in err) == (1, True, False)
    (logged / "out.tsv").write_text(text.replace(first, "u00003"))
    for more in (asked[4:], ("--plan", "plan.toml")):
        code, out, _ = run(capsys, *asked[:4], *more)
        assert (code, "1 users are not named by random numbers" in out, "u00003" in out) == (1, True, False)
    head, *rows = text.splitlines(keepends=True)
    (logged / "out.tsv").write_text("".join([head, *(row * 2 if "\tquery" in row else row for row in rows)]))
    code, _, err = run(capsys, *asked)
    assert (code, "repeats a line more often than 3 users do" in err) == (1, True)


def test_what_fewer_than_k_users_repeat_is_not_repeated_in_a_release(
    capsys: pytest.CaptureFixture[str], logged: Path
) -> None:
    again = re.compile(r"^Kowalska[02]\tchess\t.*\n", re.MULTILINE)
    log = (logged / "log.tsv").read_text()
    assert len(again.findall(log)) == 2
    (logged / "log.tsv").write_text(again.sub(lambda line: line[0] * 2, log))
    assert run(capsys, "anonymize", *MADE, "--trail", "trail")[0] == 0
    text = (logged / "out.tsv").read_text()
    asked = ("verify", "out.tsv", "-k", "3", "--original", "log.tsv", "--trail", "trail")
    assert run(capsys, *asked)[0] == 0
    assert (said := re.findall(r"^\d+\tchess\tquery\n", text, re.MULTILINE))
    assert len(set(said)) == len(said)
    (logged / "out.tsv").write_text(re.sub(r"^(\d+\tchess\tquery\n)", r"\1\1", text, flags=re.MULTILINE))
    code, _, err = run(capsys, *asked)
    assert (code, "repeats a line more often than 3 users do" in err) == (1, True)


@pytest.mark.parametrize(
    ("plan", "arguments", "code", "why"),
    [
        (PLAN, ("-k", "13"), 1, "has 12 users, fewer than k = 13"),
        (PLAN.replace("[method]", 'on_unknown = "error"\n[method]'), (), 2, "words in the queries of"),
        (PLAN, ("--method", "generalize"), 2, "all users of a group publish the same log"),
        (PLAN, ("--representative", "medoid"), 2, 'set choice = "meaning" under [querylog]'),
        (PLAN, ("--topics", "health"), 2, "the topics 'wordnet': topic 'health': concepts: no concept of 'sports'"),
        (PLAN.replace("sports.csv", "none.csv"), (), 2, "none.csv"),
        (PLAN.replace("[method]", 'user = "who"\n[method]'), (), 2, "there is no column 'who' in its header"),
    ],
)
def test_what_cannot_be_kept_or_read_is_refused_without_a_file(
    capsys: pytest.CaptureFixture[str], logged: Path, plan: str, arguments: tuple[str, ...], code: int, why: str
) -> None:
    (logged / "plan.toml").write_text(plan)
    found, _, err = run(capsys, "anonymize", *MADE, *arguments)
    assert (found, why in err) == (code, True), err
    assert err.startswith("taxonym: error:")
    assert err.count("\n") == 1
    assert "Kowalska" not in err
    assert not (logged / "out.tsv").exists()


def test_the_file_of_overrides_is_never_written_over(capsys: pytest.CaptureFixture[str], logged: Path) -> None:
    (logged / "own.tsv").write_text("term\tconcept\n")
    (logged / "plan.toml").write_text(PLAN.replace("[method]", 'overrides = "own.tsv"\n[method]'))
    code, _, err = run(capsys, "anonymize", *MADE, "-o", "own.tsv")
    assert (code, "a file that it names" in err) == (2, True)


def test_a_trail_knows_where_the_files_of_its_plan_are(
    capsys: pytest.CaptureFixture[str], logged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("plan.toml", "sports.csv"):
        (logged / "set" / name).parent.mkdir(exist_ok=True)
        (logged / name).rename(logged / "set" / name)
    assert run(capsys, "anonymize", "log.tsv", "-o", "out.tsv", "--plan", "set/plan.toml", "--trail", "trail")[0] == 0
    (logged / "other").mkdir()
    monkeypatch.chdir(logged / "other")
    asked = ("verify", "../out.tsv", "-k", "3", "--original", "../log.tsv", "--trail", "../trail")
    assert run(capsys, *asked)[0] == 0


def test_mine_says_what_it_cannot_do(capsys: pytest.CaptureFixture[str], logged: Path) -> None:
    assert run(capsys, "anonymize", *MADE)[0] == 0
    code, out, _ = run(capsys, "mine", "log.tsv", "out.tsv", "--kind", "querylog", "--plan", "plan.toml")
    assert (code, "Clusters of users were not compared" in out) == (0, True)
    assert "the trail" not in run(capsys, "mine", "log.tsv", "out.tsv", "--kind", "querylog", "--json")[1][:100]
    for arguments, why in (
        (("--kind", "weather"), "'weather' is not known"),
        (("--kind", "querylog", "--clusters", "two"), "--clusters: must be whole numbers"),
        (("--kind", "querylog", "--clusters", "1"), "--clusters: must be at least 2"),
        (("--kind", "querylog", "--plan", "in.toml"), "in.toml"),
    ):
        code, _, err = run(capsys, "mine", "log.tsv", "out.tsv", *arguments)
        assert (code, why in err) == (2, True), err
    (logged / "table.toml").write_text('[columns.Query]\nrole = "quasi-identifier"\n')
    code, _, err = run(capsys, "mine", "log.tsv", "out.tsv", "--kind", "querylog", "--plan", "table.toml")
    assert (code, "the plan is not one for a querylog" in err) == (2, True)


def test_groups_by_meaning_and_by_syntax_can_differ_and_both_hold(
    capsys: pytest.CaptureFixture[str], logged: Path
) -> None:
    for setting in ('grouping = "syntax"', 'choice = "meaning"'):
        (logged / "plan.toml").write_text(PLAN.replace("[method]", f"{setting}\n[method]"))
        assert run(capsys, "anonymize", *MADE, "--trail", "trail")[0] == 0
        assert run(capsys, "verify", "out.tsv", "-k", "3", "--original", "log.tsv", "--trail", "trail")[0] == 0
