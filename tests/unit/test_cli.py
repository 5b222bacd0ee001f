import csv
import io
import json
import os
import re
import subprocess
import sys
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from taxonym import __version__
from taxonym.cli import main
from taxonym.demo import tour


@pytest.fixture
def sports(tmp_path: Path) -> str:
    path = tmp_path / "sports.csv"
    path.write_text("child,parent\nswimming,water sports\nwindsurfing,water sports\nwater sports,sports\n")
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_distance_prints_the_number_and_what_it_compared(capsys: pytest.CaptureFixture[str], sports: str) -> None:
    code, out, err = run(capsys, "distance", "swimming", "windsurfing", "--taxonomy", sports)
    assert (code, err) == (0, "")
    assert out == "0.5000  jaccard           swimming  –  windsurfing\n"


def test_distance_as_json_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "distance", "flu", "pneumonia", "--measure", "log", "--json")
    found = json.loads(out)
    assert found["taxonomy"] == "wordnet"
    assert found["measure"] == "log"
    assert round(found["distance"], 3) == 0.341
    assert found["a"]["id"] == "influenza.n.01"


def test_distance_shows_all_measures_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    from taxonym.distance.registry import DISTANCES

    _, out, _ = run(capsys, "distance", "flu", "pneumonia", "--measure", "all")
    assert [line.split()[1] for line in out.splitlines()] == list(DISTANCES)


def test_distance_takes_ids_before_labels_and_the_best_senses_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    _, first, _ = run(capsys, "distance", "bank", "money box")
    _, best, _ = run(capsys, "distance", "bank", "money box", "--sense", "best")
    assert "bank.n.01" in first
    assert best.startswith("0.0000")
    assert "savings_bank.n.02" in best
    _, by_id, _ = run(capsys, "distance", "bank.n.09", "money box")
    assert "bank.n.09" in by_id


def test_content_changes_lin_but_not_jaccard(capsys: pytest.CaptureFixture[str]) -> None:
    def value(measure: str, content: str) -> str:
        return run(capsys, "distance", "flu", "pneumonia", "--measure", measure, "--content", content)[1]

    assert len({value("lin", c) for c in ("seco", "sanchez", "corpus")}) == 3
    assert len({value("jaccard", c) for c in ("seco", "sanchez", "corpus")}) == 1


def test_concepts_shows_what_a_text_means_and_what_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "concepts", "a new ice cream for my zyzzyva9")
    assert code == 0
    assert "ice_cream.n.01" in out
    assert "zyzzyva9                 unknown to wordnet" in out


def test_concepts_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "concepts", "chronic lung infection", "--explain")
    assert "exact label; sense 1 of" in out
    assert "dropped on the left: chronic" in out
    assert "infection < ill health < pathological state <" in out


def test_concepts_as_json_gives_codes_that_the_library_understands(capsys: pytest.CaptureFixture[str]) -> None:
    import taxonym

    _, out, _ = run(capsys, "concepts", "the bank of a river", "--json")
    found = json.loads(out)["texts"][0]["mentions"]
    assert [(m["term"], m["id"]) for m in found] == [("bank", "bank.n.01"), ("river", "river.n.01")]
    assert taxonym.load("wordnet").id(found[0]["code"]) == "bank.n.01"


def test_concepts_lists_other_senses_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "concepts", "bank", "--all-senses")
    assert "depository_financial_institution.n.01" in out


def test_concepts_names_sensitive_topics_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "concepts", "flu and bicycles", "--topics")
    assert out.count("sensitive: health") == 1


def test_an_override_file_wins_and_a_category_restricts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("term,concept\nbank,savings_bank.n.02\n")
    _, own, _ = run(capsys, "concepts", "bank", "--overrides", str(tmp_path / "own.csv"))
    assert "savings_bank.n.02" in own
    _, firms, _ = run(capsys, "concepts", "bank", "--category", "organization.n.01")
    assert "depository_financial_institution.n.01" in firms
    (tmp_path / "own.csv").write_text("term,concept\nbank,nosuch.n.01\n")
    code, _, err = run(capsys, "concepts", "bank", "--overrides", str(tmp_path / "own.csv"))
    assert code == 2
    assert "own.csv: line 2" in err


def test_verbs_are_found_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    _, nouns, _ = run(capsys, "concepts", "how to bake a cake")
    _, both, _ = run(capsys, "concepts", "how to bake a cake", "--parts", "n,v")
    assert "bake.v." not in nouns
    assert "bake.v.01" in both


def test_spelling_is_corrected_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    _, plain, _ = run(capsys, "concepts", "pnuemonia")
    _, corrected, _ = run(capsys, "concepts", "pnuemonia", "--spelling", "1")
    assert "unknown to wordnet" in plain
    assert "pneumonia.n.01" in corrected


def test_several_taxonomies_are_asked_in_their_order(
    capsys: pytest.CaptureFixture[str], sports: str, tmp_path: Path
) -> None:
    _, out, _ = run(capsys, "concepts", "swimming in the river", "--taxonomy", f"{sports},wordnet", "--json")
    found = {m["term"]: m["id"] for m in json.loads(out)["texts"][0]["mentions"]}
    assert found == {"swimming": "swimming", "river": "river.n.01"}


@pytest.fixture
def answers(tmp_path: Path) -> str:
    rows = ["pneumonia and zyzzyva9"] * 6 + ["fever of jane roe99", "cough"]
    (tmp_path / "answers.csv").write_text("id,answer\n" + "".join(f"{i},{row}\n" for i, row in enumerate(rows)))
    return str(tmp_path / "answers.csv")


def test_a_column_is_summed_up_and_its_unknown_phrases_are_listed_but_not_those_of_few(
    capsys: pytest.CaptureFixture[str], answers: str, tmp_path: Path
) -> None:
    target = tmp_path / "unknown.tsv"
    arguments = ["concepts", "--file", answers, "--column", "answer", "--unknown", str(target), "--topics"]
    code, out, _ = run(capsys, *arguments)
    assert code == 0
    assert "8 texts, 100.0% with a concept" in out
    assert target.read_text() == "records\tphrase\n6\tzyzzyva9\n"
    assert "roe99" not in out
    assert re.search(r"sensitive: Health +8 records", out)
    _, text, _ = run(capsys, *arguments, "--json")
    assert json.loads(text)["unknown_listed"] == 1


def test_a_missing_column_lists_those_there_are(capsys: pytest.CaptureFixture[str], answers: str) -> None:
    code, _, err = run(capsys, "concepts", "--file", answers, "--column", "answr")
    assert code == 2
    assert "there is no column 'answr'. It has: id, answer." in err


def test_texts_and_a_file_exclude_each_other(capsys: pytest.CaptureFixture[str], answers: str) -> None:
    for arguments in (["concepts"], ["concepts", "flu", "--file", answers, "--column", "answer"]):
        code, _, err = run(capsys, *arguments)
        assert code == 2
        assert "give either texts, or --file with --column, or --document" in err


def test_taxonomy_info_counts_what_is_there(capsys: pytest.CaptureFixture[str], sports: str) -> None:
    _, out, _ = run(capsys, "taxonomy", "info", sports, "--json")
    found = json.loads(out)
    assert (found["concepts"], found["roots"], found["max_depth"], found["leaves"]) == (4, 1, 3, 2)
    _, text, _ = run(capsys, "taxonomy", "info", sports)
    assert "concepts          4" in text
    assert "has glosses       no" in text


def test_taxonomy_check_remarks_on_what_may_surprise(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("child,parent\na,b\nb,c\na,c\nlone,\nother,root2\n")
    code, out, _ = run(capsys, "taxonomy", "check", str(path))
    assert code == 0
    assert "sound, 6 concepts" in out
    assert "3 roots" in out
    assert "1 concepts have neither parent nor child: 'lone'" in out
    assert "1 links repeat what longer paths say (such as 'a' to 'c')" in out


def test_taxonomy_check_of_a_broken_file_ends_with_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "loop.csv"
    path.write_text("child,parent\na,b\nb,a\n")
    code, out, err = run(capsys, "taxonomy", "check", str(path))
    assert (code, out) == (2, "")
    assert err == (
        f"taxonym: error: {path}: these concepts are their own ancestors: a → b → a. "
        f"Remove one of the links between them.\n"
    )


def test_taxonomy_compile_writes_a_file_that_loads(
    capsys: pytest.CaptureFixture[str], sports: str, tmp_path: Path
) -> None:
    target = tmp_path / "sports.taxonym"
    code, out, _ = run(capsys, "taxonomy", "compile", sports, "-o", str(target), "--json")
    assert code == 0
    assert json.loads(out)["concepts"] == 4
    code, out, _ = run(capsys, "distance", "swimming", "windsurfing", "--taxonomy", str(target))
    assert out.startswith("0.5000")


def test_roots_are_joined_on_request(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("child,parent\na,b\nc,d\n")
    _, apart, _ = run(capsys, "distance", "a", "c", "--taxonomy", str(tmp_path / "x.csv"))
    _, joined, _ = run(capsys, "distance", "a", "c", "--taxonomy", str(tmp_path / "x.csv"), "--join-roots")
    assert apart.startswith("1.0000")
    assert joined.startswith("0.8000")


def test_columns_of_a_table_can_be_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("what,belongs to,note\napple,fruit,\npear,fruit,\n")
    named = ["--format", "edges", "--columns", "child=what,parent=belongs to"]
    _, out, _ = run(capsys, "taxonomy", "info", str(tmp_path / "x.csv"), "--json", *named)
    assert json.loads(out)["concepts"] == 3
    levels = ["--format", "levels", "--columns", "what,belongs to"]
    _, out, _ = run(capsys, "taxonomy", "info", str(tmp_path / "x.csv"), "--json", *levels)
    assert json.loads(out)["max_depth"] == 2


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["distance", "flu", "xyzzyq"], "no concept has the id or label 'xyzzyq'"),
        (
            ["distance", "flu", "pneumonia", "--measure", "euclid"],
            "measure: 'euclid' is not known. Choose one of jaccard",
        ),
        (["distance", "flu", "pneumonia", "--measure", "lin", "--content", "x"], "content: 'x' is not known"),
        (["taxonomy", "info", "nosuch"], "nosuch: is neither a file nor a built-in taxonomy"),
        (["distance", "flu"], "the following arguments are required: B"),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        ([], "required: COMMAND"),
    ],
)
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("taxonym: error: ")
    assert err.count("\n") == 1
    assert complaint in err


def test_debug_shows_the_place_but_not_more(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = run(capsys, "distance", "flu", "xyzzyq", "--debug")
    *frames, last = err.splitlines()
    assert last.startswith("taxonym: error: ")
    assert all("xyzzyq" not in frame for frame in frames)
    assert any("cli/__init__.py" in frame for frame in frames)


def test_an_unforeseen_error_gives_no_value_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("Jane Doe, HIV")

    monkeypatch.setattr("taxonym.cli.shared.load", fail)
    for extra in ([], ["--debug"]):
        code, _, err = run(capsys, "distance", "a", "b", *extra)
        assert code == 2
        assert "unforeseen ZeroDivisionError" in err
        assert "Jane" not in err


DEMO = pytest.mark.xdist_group("demo")  # one tour for both


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a demo, and what it printed."""
    folder, printed = tmp_path_factory.mktemp("demo") / "new", io.StringIO()
    with redirect_stdout(printed):
        assert main(["demo", "--out", str(folder), "--seed", "1"]) == 0
    return folder, printed.getvalue()


@DEMO
def test_the_demo_writes_verified_releases_and_reports_of_both_examples(toured: tuple[Path, str]) -> None:
    folder, out = toured
    assert "95,882 concepts" in out
    assert out.count("Before     ") == 10
    assert out.count("After      ") == 2
    for prefix, rows in (("", 600), ("diagnoses-", 965)):
        classes = Counter()
        with (folder / f"{prefix}release.csv").open(newline="") as file:
            for row in csv.DictReader(file):
                classes[tuple(value for name, value in row.items() if name != "stay_days")] += 1
        assert sum(classes.values()) == rows
        assert min(classes.values()) >= 5
        report = json.loads((folder / f"{prefix}report.json").read_text())
        assert report["verified"]["holds"]
        assert report["verdict"] in (folder / f"{prefix}report.html").read_text()
        assert 0 < report["loss"]["mean"] < report["loss"]["mean_to_a_random_record"]


@DEMO
def test_the_demo_leaves_examples_to_try_and_when_it_is_run_again_the_same_release_and_what_somebody_changed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, toured: tuple[Path, str]
) -> None:
    folder = toured[0] / "examples"
    there = {path.name for path in folder.iterdir()}
    assert {"diagnoses.csv", "diagnoses.toml", "diagnoses-taxonomy.csv", "access.log"} <= there
    plan = ["--plan", str(folder / "survey.toml")]
    assert run(capsys, "anonymize", str(folder / "survey.csv"), *plan, "-o", str(tmp_path / "r.csv"))[0] == 0
    (folder / "survey.toml").write_text("mine")
    release = (toured[0] / "release.csv").read_bytes()
    (toured[0] / "release.csv").unlink()
    steps = tour(toured[0], 1)
    assert (toured[0] / "release.csv").read_bytes() == release
    assert str(folder) in steps[-1].text
    assert (folder / "survey.toml").read_text() == "mine"
    monkeypatch.setattr("taxonym.cli.demo.tour", lambda *_: steps)
    _, text, _ = run(capsys, "demo", "--json")
    assert [step["verified"]["smallest_class"] for step in json.loads(text)[1:3]] == [5, 5]


def test_the_version_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--version")
    assert (code, out) == (0, f"taxonym {__version__}\n")
    done = subprocess.run([sys.executable, "-m", "taxonym", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == out


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys\nfrom taxonym.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "heavy = ('numpy', 'numba', 'typing', 'json', 'pathlib', 'polars')\n"
        "print([m for m in heavy if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, env=_bare(), check=True)
    assert done.stderr.strip() == "[]"


def test_output_cut_off_by_its_reader_is_no_error() -> None:
    command = f"{sys.executable} -m taxonym concepts bank run set --explain --all-senses | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout == "bank\n"
    assert done.stderr == ""


def _bare() -> dict[str, str]:
    """Without site-packages' start-up hooks, so that only our own imports are seen."""
    import numpy

    import taxonym

    places = [Path(taxonym.__file__).parents[1], Path(numpy.__file__).parents[1]]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))}
