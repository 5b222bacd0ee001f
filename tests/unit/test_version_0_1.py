"""Plans, trails and reports that version 0.1 wrote (tests/unit/version_0_1, with the data of the golden runs) are read
as docs/changes-0.2.md says."""

import json
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import taxonym
from taxonym.cli import main
from taxonym.executor.checkpoints import work_folder
from taxonym.plan import read_plan
from taxonym.render.page import page
from taxonym.report.schema import report_schema

HERE = Path(__file__).parent / "version_0_1"
DATA = Path(__file__).parents[1] / "golden" / "data"
PAGE = Path(__file__).parents[2] / "docs" / "changes-0.2.md"
SOURCES = {
    "table": "baskets.csv",
    "noise": "baskets.csv",
    "querylog": "queries.tsv",
    "accesslog": "access.log",
    "documents": "essays.csv",
}


@pytest.fixture(params=SOURCES)
def kind(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A kind of data; what 0.1 wrote for it is in the present folder."""
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    shutil.copytree(HERE / request.param, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return str(request.param)


def with_persons() -> None:
    """Say in a plan of 0.1 for a table that every row is another person, which 0.1 took for granted."""
    plan = Path("plan.toml").read_text("utf-8")
    Path("plan.toml").write_text(plan.replace("[input]", "[input]\nperson = false"), "utf-8")


def release() -> str:
    (found,) = Path().glob("release.*")
    return str(found)


IDS = ("table", "noise")  # plans that leave out a column of ids which repeat, and do not say whose rows these are
# rules that releases of 0.1 did not know: kept cells and numbers are under the support rule, time too, nobody may own
# more than 1/k of a class, and lines of a query log are antichains with one word for a concept
STRICTER = ("table", "accesslog", "documents", "querylog")


def test_a_plan_of_0_1_for_rows_with_repeated_ids_is_asked_whose_they_are(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["anonymize", SOURCES[kind], "--plan", "plan.toml", "-o", f"again{Path(release()).suffix}"])
    assert code == (2 if kind in IDS else 0)
    assert ("Say under [input] whose rows these are" in capsys.readouterr().err) == (kind in IDS)


def test_a_plan_of_0_1_is_read_and_gives_the_release_of_0_1_where_no_rule_has_changed(kind: str) -> None:
    if kind in IDS:
        with_persons()
    again = f"again{Path(release()).suffix}"
    with Path("plan.toml").open("a") as file:
        file.write('[output]\norder = "shuffled"\n')
    assert main(["anonymize", SOURCES[kind], "--plan", "plan.toml", "-o", again, "--seed", "7"]) == 0
    assert (Path(again).read_bytes() == Path(release()).read_bytes()) == (kind not in STRICTER)


def test_a_release_of_0_1_is_verified_by_its_trail_under_the_rules_of_today(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    k = [] if kind == "noise" else ["-k", "3"]
    code = main(["verify", release(), *k, "--original", SOURCES[kind], "--trail", "trail.jsonl"])
    printed = capsys.readouterr()
    assert code == (kind in ("table", "accesslog"))
    assert ("does not hold" in printed.out or "has not the value" in printed.err) == bool(code)  # of a rare value


def test_a_report_of_0_1_is_shown_and_lacks_no_key_but_those_that_the_page_names(kind: str) -> None:
    report = json.loads(Path("report.json").read_text("utf-8"))
    assert report["taxonym"] == "0.1.0"
    assert report["verdict"].partition(";")[0] in page(report)
    wrong = Draft202012Validator(report_schema()).iter_errors(report)
    lacking = {re.findall("'(.*?)'", error.message)[0] for error in wrong}
    named = re.findall(r"^\| `(\w+)` \|", PAGE.read_text("utf-8").partition("## Reports")[2], re.M)
    assert lacking <= set(named), lacking


def test_a_work_folder_of_0_1_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    shutil.copytree(HERE / "table", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    with_persons()
    Path("work").mkdir()
    with monkeypatch.context() as earlier:
        earlier.setattr("taxonym.executor.checkpoints.__version__", "0.1.0")
        with pytest.raises(KeyboardInterrupt), work_folder("work", "baskets.csv", read_plan("plan.toml"), [1]):
            raise KeyboardInterrupt
    run = ["anonymize", "baskets.csv", "--plan", "plan.toml", "-o", "again.csv", "--work", "work"]
    assert main(run) == 2
    assert "belongs to a run with another input, plan or version. Remove it" in capsys.readouterr().err
    with monkeypatch.context() as same:  # so that it is the version which is refused
        same.setattr("taxonym.executor.checkpoints.__version__", "0.1.0")
        assert main(run) == 0


def test_every_module_that_the_page_names_is_there_or_was() -> None:
    rows = re.findall(r"^\| (.*) \| (`taxonym\..*`) \|$", PAGE.read_text("utf-8").partition("## Modules")[2], re.M)
    assert len(rows) > 15
    for _, now in rows:
        first, *others = re.findall(r"`(.*?)`", now)
        for name in (first, *(n if n.startswith("taxonym") else first.rpartition(".")[0] + n for n in others)):
            assert find_spec(name), name


def test_the_version_is_0_2() -> None:
    assert taxonym.__version__.startswith("0.2.")
