"""What was lost and what can be found out, asked of access logs and documents."""

import json
from pathlib import Path
from typing import Any

import pytest

from taxonym.cli import main

BOTS = "curl/8.5.0"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0"
PAGES = ["/shop/bags", "/shop/shoes", "/news/today", "/news/old"]
ESSAYS = ["A dog and a cat.", "The cat, a dog, a cow.", "Dogs and a horse.", "An apple, a pear.", "Pears and plums.",
          "A cherry, an apple.", "A dog and an apple.", "A cat and a pear."]  # fmt: skip


def line(visitor: int, page: str, minute: int, agent: str) -> str:
    when = f"02/Mar/2026:10:{minute:02}:11 +0000"
    return f'192.0.{visitor % 2}.{visitor} - - [{when}] "GET {page} HTTP/1.1" 200 {100 * visitor + 7} "-" "{agent}"'


def lines_of(visitors: range) -> list[str]:
    agents = [FIREFOX if visitor % 3 else BOTS for visitor in visitors]
    each = zip(visitors, agents, strict=True)
    return [line(v, PAGES[(v + i) % 4], 7 * i + v, agent) for v, agent in each for i in (0, 1, 1)]


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an access log, its plan, its release, its report and its trail."""
    monkeypatch.chdir(tmp_path)
    Path("in.log").write_text("\n".join(lines_of(range(1, 13))) + "\n")
    Path("plan.toml").write_text("[accesslog]\n[method]\nk = 3\nseed = 7\n")
    assert (
        main(["anonymize", "in.log", "--plan", "plan.toml", "-o", "out", "--trail", "t", "--private-report", "r.json"])
        == 0
    )
    return tmp_path


@pytest.fixture
def essays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same for documents; somebody wrote two of them."""
    monkeypatch.chdir(tmp_path)
    rows = [f'Kowalska{i % 7},"{text}"' for i, text in enumerate(ESSAYS)]
    Path("in.csv").write_text("\n".join(["author,text", *rows]) + "\n")
    Path("plan.toml").write_text('[input]\nperson = "author"\n[documents]\n[method]\nk = 3\nseed = 7\n')
    command = "anonymize in.csv --plan plan.toml -o out.csv --trail t --private-report r.json"
    assert main(command.split()) == 0
    return tmp_path


def asked(capsys: pytest.CaptureFixture[str], command: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*command.split(), "--json", "--seed", "1"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], command: str) -> str:
    capsys.readouterr()
    assert main(command.split()) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err


def reported(key: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path("r.json").read_text())[key]
    return found


def assert_sound(found: dict[str, Any], k: int = 3) -> None:
    for attack in ("semantic_linkage", "matching_linkage", "one_to_one_linkage", "partial_knowledge"):
        assert 0 <= found[attack]["max_p"] <= 1 / k + 1e-9
        assert found[attack]["records_above_1_over_k"] == 0
    assert found["partial_knowledge"]["worst_p"] <= 1 / k + 1e-9
    assert found["classes"]["holds"]
    assert found["unique_records_after"] == 0
    assert found["k_m"]["release"]["sizes"][1]["persons_exposed"] == 0


# ---------------------------------------------------------------------- access logs


def test_the_loss_of_a_written_access_log_is_that_of_its_report(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, report = asked(capsys, "loss in.log out --trail t"), reported("loss")
    drawn = ("mean_to_a_random_record", "sampled_records")
    drawn += ("mean_of_published", "ratio_to_a_random_record", "columns_to_a_random_record")  # only reports have them
    drawn += ("told_in_steps_of",)
    assert {key: found[key] for key in report if key not in drawn} == {
        key: value for key, value in report.items() if key not in drawn
    }
    assert found["words_without_meaning"] == {}
    assert asked(capsys, "loss in.log out --kind accesslog --trail t") == found
    assert main(["loss", "in.log", "out", "--trail", "t"]) == 0
    assert "mean in each part               address " in capsys.readouterr().out


def test_nobody_is_found_in_a_written_access_log_with_more_than_one_in_k(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = asked(capsys, "risk in.log out --trail t --knows 2 --one-to-one")
    assert_sound(found)
    assert found["semantic_linkage"]["records"] == 24  # what a visitor repeats in a session is one record
    assert found["semantic_linkage"]["aggregate"] is None
    assert found["unique_records_before"] == 24


def forget_release() -> None:
    """A trail as older versions wrote it, which does not know the release byte for byte."""
    run, *rows = Path("t").read_text().splitlines()
    told = {key: value for key, value in json.loads(run).items() if key != "release_sha256"}
    Path("t").write_text("\n".join([json.dumps(told), *rows]) + "\n")


def test_an_access_log_that_hides_nobody_is_found_out(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    every = [json.loads(text) for text in Path("t").read_text().splitlines()[1:]]
    rows = [row for row in every if row["release_row"]]
    out, own = Path("out").read_text().splitlines(), Path("in.log").read_text().splitlines()
    for row in rows[:3]:  # one visitor's lines as they were
        out[row["release_row"] - 1] = own[row["rows"][0] - 1]
    Path("out").write_text("\n".join(out) + "\n")
    forget_release()
    found = asked(capsys, "risk in.log out --trail t")
    assert found["semantic_linkage"]["max_p"] == found["matching_linkage"]["max_p"] == 1
    assert found["semantic_linkage"]["records_above_1_over_k"] >= 2  # hers, and of who stays behind in her classes
    assert (found["prosecutor_risk"], found["classes"]["holds"]) == (1, False)


def test_an_intruder_may_have_an_access_log_of_his_own(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    his = [*lines_of(range(1, 5)), *lines_of(range(20, 26))]
    Path("his.log").write_text("\n".join(his) + "\n")
    found = asked(capsys, "risk in.log out --trail t --intruder his.log")
    assert found["semantic_linkage"]["records"] == 12
    assert found["semantic_linkage"]["max_p"] <= 1 / 3 + 1e-9
    assert found["intruder_file"]["persons_in_release"] == 4
    assert found["intruder_file"]["persons_not_in_release"] == 6
    # who publishes the log as it is gives all lines away that the intruder has, too
    run, *rows = [json.loads(text) for text in Path("t").read_text().splitlines()]
    told = [json.dumps(row | {"release_row": row["rows"][0]}) for row in rows]
    Path("t").write_text("\n".join([json.dumps(run), *told]) + "\n")
    Path("out").write_text(Path("in.log").read_text())
    forget_release()
    found = asked(capsys, "risk in.log out --trail t --intruder his.log")
    assert found["semantic_linkage"]["dr_percent"] == found["matching_linkage"]["dr_percent"] == 100
    assert found["intruder_file"]["membership_auc"] == 1


def test_what_makes_no_sense_for_an_access_log_is_refused_in_one_line(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "its lines are sorted by their times" in refused(capsys, "loss in.log out --plan plan.toml")
    one = "a line has one value in each part, so there are no sets to compare"
    assert f"--aggregate: {one}" in refused(capsys, "risk in.log out --trail t --aggregate max")
    assert f"method.aggregate: {one}" in refused(capsys, "anonymize in.log --kind accesslog -o new.log --aggregate max")
    assert "rise in trees of their own" in refused(capsys, "risk in.log out --trail t --intruder-taxonomy wordnet")
    Path("common.log").write_text('192.0.2.1 - - [02/Mar/2026:10:00:11 +0000] "GET / HTTP/1.1" 200 7\n')
    assert "not in the format of the original" in refused(capsys, "risk in.log out --trail t --intruder common.log")
    assert main(["anonymize", "in.log", "--kind", "accesslog", "-k", "3", "-o", "new.log", "--trail", "u"]) == 0
    Path("line.toml").write_text('[accesslog]\nvisitor = "line"\n[method]\nk = 3\n')
    err = refused(capsys, "risk in.log new.log --plan line.toml --trail u --intruder in.log")
    assert "every line counts for itself" in err


# ---------------------------------------------------------------------- documents


@pytest.mark.parametrize("layout", ["documents", "groups"])
def test_the_loss_of_written_documents_is_that_of_their_report(
    essays: Path, capsys: pytest.CaptureFixture[str], layout: str
) -> None:
    plan = Path("plan.toml").read_text().replace("[documents]", f'[documents]\nlayout = "{layout}"')
    Path("plan.toml").write_text(plan)
    assert (
        main(
            [
                "anonymize",
                "in.csv",
                "--plan",
                "plan.toml",
                "-o",
                "out.csv",
                "--trail",
                "t",
                "--private-report",
                "r.json",
            ]
        )
        == 0
    )
    found, report = asked(capsys, "loss in.csv out.csv --trail t"), reported("loss")
    for key in ("records", "mean", "sse", "ssa", "sst", "L", "judged_by_another_distance"):
        assert found[key] == pytest.approx(report[key])
    assert found["distance"] == {"measure": "wu-palmer"}
    assert main(["loss", "in.csv", "out.csv", "--trail", "t"]) == 0
    assert "sums of squares, SSE and SSA" in capsys.readouterr().out


def test_nobody_is_found_in_written_documents_with_more_than_one_in_k(
    essays: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, report = asked(capsys, "risk in.csv out.csv --trail t --knows 2 --one-to-one"), reported("linkage")
    assert_sound(found)
    for key in ("dr_percent", "max_p"):
        assert found["semantic_linkage"][key] == pytest.approx(report[key], abs=0.01)
    assert found["semantic_linkage"]["records"] == report["records_linked"] == 7


def test_documents_that_hide_nobody_are_found_out(essays: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["document,term,weight"]
    words = [["dog", "cat"], ["cat", "dog", "cow"], ["dog", "horse"], ["apple", "pear"], ["pear", "plum"],
             ["cherry", "apple"], ["dog", "apple"]]  # fmt: skip
    rows += [f"{i},{word},{1 / len(some):.1f}" for i, some in enumerate(words, 1) for word in some]
    Path("out.csv").write_text("\n".join(rows) + "\n")
    Path("out.csv.codebook.csv").unlink(missing_ok=True)
    found = asked(capsys, "risk in.csv out.csv --plan plan.toml --keep-order")
    assert found["semantic_linkage"]["max_p"] == found["matching_linkage"]["max_p"] == 1
    assert found["semantic_linkage"]["records_above_1_over_k"] == 6  # all but the one who wrote another, too
    assert not found["classes"]["holds"]


def test_weights_tell_published_vectors_apart(essays: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["document,term,weight", *(f"{i},{word},{0.1 * i:.1f}" for i in range(1, 8) for word in ("dog", "apple"))]
    Path("out.csv").write_text("\n".join(rows) + "\n")
    Path("out.csv.codebook.csv").unlink(missing_ok=True)
    found = asked(capsys, "risk in.csv out.csv --plan plan.toml --keep-order")
    assert found["smallest_class_persons"] == 1
    assert found["semantic_linkage"]["max_p"] == pytest.approx(1 / 7)  # by what they mean they are all the same


def test_an_intruder_may_have_documents_of_his_own(essays: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f'Kowalska{i % 7},"{text}"' for i, text in enumerate(ESSAYS)]
    rows += [f'Somebody{i},"A boat and a ship."' for i in range(3)]
    Path("his.csv").write_text("\n".join(["author,text", *rows]) + "\n")
    worst = asked(capsys, "risk in.csv out.csv --trail t")
    found = asked(capsys, "risk in.csv out.csv --trail t --intruder his.csv")
    assert found["semantic_linkage"]["dr_percent"] == pytest.approx(worst["semantic_linkage"]["dr_percent"])
    assert found["intruder_file"] == {
        "persons_in_release": 7, "persons_not_in_release": 3, "membership_auc": 1.0,
    }  # fmt: skip


def test_what_makes_no_sense_for_documents_is_refused_in_one_line(
    essays: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nobody knows whose vectors they are" in refused(capsys, "loss in.csv out.csv --plan plan.toml")
    assert "compared by pairs of their terms" in refused(capsys, "risk in.csv out.csv --trail t --aggregate max")
    assert "documents.taxonomy" in refused(capsys, "risk in.csv out.csv --trail t --intruder-taxonomy wordnet")
    Path("each.toml").write_text("[documents]\n[method]\nk = 3\n")
    assert main(["anonymize", "in.csv", "--plan", "each.toml", "-o", "each.csv", "--trail", "u"]) == 0
    err = refused(capsys, "risk in.csv each.csv --trail u --intruder in.csv")
    assert "nothing says whose the documents are" in err
    Path("each.csv").write_text("\n".join(Path("each.csv").read_text().splitlines()[:3]) + "\n")
    assert "so they do not correspond" in refused(capsys, "loss in.csv each.csv --plan each.toml --keep-order")


# ---------------------------------------------------------------------- what needs a table


@pytest.mark.parametrize(
    ("kind", "source", "why"),
    [
        ("accesslog", "in.log", "is about what is confidential, or words of a topic, and a line of a log has neither."),
        ("documents", "in", "there is nothing to watch. Name sensitive topics of the words (method.topics)."),
        ("querylog", "in.tsv", "there is nothing to watch. Name sensitive topics of the words (method.topics)."),
    ],
)
@pytest.mark.parametrize("promise", ["--l 2", "--t 0.5"])
def test_l_and_t_are_refused_for_what_they_are_about(
    capsys: pytest.CaptureFixture[str], kind: str, source: str, why: str, promise: str
) -> None:
    err = refused(capsys, f"anonymize {source} --kind {kind} -o out.log {promise}")
    assert f"{promise.split()[0]}: {why}" in err
    assert "role" not in err


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("querylog", "whether k users wrote a query is known at the end of the log only"),
        ("accesslog", "the trees in which values rise are grown from all lines"),
        ("documents", "an author's vector needs all of the author's documents"),
    ],
)
def test_a_work_folder_is_refused_for_what_must_be_read_whole(
    capsys: pytest.CaptureFixture[str], kind: str, why: str
) -> None:
    assert why in refused(
        capsys, f"anonymize nothing --kind {kind} -o {'out.log' if kind == 'accesslog' else 'out.csv'} --work work"
    )
