"""Documents on the command line: from a folder to a release, verified and mined."""

import json
import os
from pathlib import Path

import pytest

from tests.unit.cli.common import rows_of, run

TEXTS = {
    "pets": ["A dog and a cat.", "The cat and the dog.", "Dogs and cats, a horse.", "A dog, a cat, a cow."],
    "fruit": [
        "An apple and a pear.",
        "Pears and apples.",
        "The apple, the pear, a cherry.",
        "An apple; a pear; a plum.",
    ],
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for topic, texts in TEXTS.items():
        for i, text in enumerate(texts):
            path = tmp_path / "docs" / topic / f"Kowalska{i}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    (tmp_path / "plan.toml").write_text('[documents]\nclasses = "folder"\n[method]\nk = 4\n')
    return tmp_path


@pytest.fixture
def made(here: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    done = run(capsys, "anonymize", "docs", "--plan", "plan.toml", "-o", "out.csv", "--trail", "trail", "--seed", "1")
    assert done[0] == 0, done[2]
    assert "at least 3 other documents" in done[1]
    return here


def test_a_folder_becomes_a_release_that_names_nobody(made: Path) -> None:
    found = rows_of(made / "out.csv")
    assert {row["document"] for row in found} == {str(i) for i in range(1, 9)}
    assert {row["term"] for row in found} >= {"dog", "cat", "apple", "pear"}
    assert not {"horse", "cow", "cherry", "plum"} & {row["term"] for row in found}
    assert "Kowalska" not in (made / "out.csv").read_text()
    assert os.stat(made / "trail").st_mode & 0o077 == 0


def test_a_release_of_documents_is_verified_by_its_plan_or_its_trail(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "verify", "out.csv", "-k", "4", "--plan", "plan.toml")[0] == 0
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "4", "--original", "docs", "--trail", "trail")
    assert (code, "at least 4 persons" in out) == (0, True)
    assert run(capsys, "verify", "out.csv", "-k", "5", "--plan", "plan.toml")[0] == 1


def test_mining_tells_terms_clusters_and_topics(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--kind", "documents", "--clusters", "2", "--seed", "1", "--json")
    code, out, _ = run(capsys, "mine", "docs", "out.csv", *options, "--trail", "trail")
    assert code == 0
    tables = {table["name"]: table for table in json.loads(out)["tables"]}
    assert {row[0] for row in tables["terms"]["rows"]} == {"dog", "cat", "apple", "pear"}
    assert all(row[2] > 0 for row in tables["terms"]["rows"])
    for row in tables["clusters"]["rows"]:
        assert row[2:] == [1.0, 1.0, 1.0, 1.0]  # two topics that nobody mistakes
    asked = {row[0]: row[1:] for row in tables["classes"]["rows"]}
    assert asked["the most frequent class for all"][0] == 0.5
    assert set(asked) == {
        "originals, learned from originals", "published vectors, learned from originals",
        "originals, learned from published vectors", "published vectors, dealt by lot, learned from originals",
        "the most frequent class for all",
    }  # fmt: skip
    found = dict(tables["retrieval"]["rows"])
    assert found["published vectors"] > found["published vectors, dealt by lot"]


def test_mining_without_a_trail_or_classes_says_what_is_missing(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "mine", "docs", "out.csv", "--kind", "documents")
    assert (code, "Give --trail" in out) == (0, True)
    (made / "plan.toml").write_text("[documents]\n[method]\nk = 4\n")
    options = ("--kind", "documents", "--trail", "trail", "--plan", "plan.toml", "--clusters", "2")
    code, out, _ = run(capsys, "mine", "docs", "out.csv", *options)
    assert (code, "classes = " in out) == (0, True)


def test_too_few_documents_and_broken_ones_leave_no_release(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "anonymize", "docs", "--kind", "documents", "-k", "9", "-o", "out.csv")
    assert (code, "has 8 documents, fewer than k = 9" in err) == (1, True)
    (here / "docs" / "half.pdf").write_bytes(b"%PDF-1.4 Kowalska")
    code, _, err = run(capsys, "anonymize", "docs", "--kind", "documents", "-o", "out.csv")
    assert (code, err.count("\n"), "half.pdf" in err) == (2, 1, True)
    code, _, err = run(capsys, "anonymize", "docs", "--kind", "documents", "-o", "out.xlsx")
    assert (code, "out.xlsx: files of this kind are only read. Let the name end in .csv," in err) == (2, True)
    code, _, err = run(capsys, "anonymize", "docs", "--kind", "documents", "-o", "out.what")
    assert (code, "does not tell the format" in err) == (2, True)
    assert not [*here.glob("out.*")]


def test_a_release_is_verified_by_its_kind_alone(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "verify", "out.csv", "-k", "4", "--kind", "documents")[0] == 0
    assert run(capsys, "verify", "out.csv", "-k", "5", "--kind", "documents")[0] == 1


def test_a_document_that_a_table_names_is_never_written_over(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = sorted(str(path.relative_to(here)) for path in here.glob("docs/*/*.txt"))
    (here / "list.csv").write_text("file\n" + "\n".join(names) + "\n")
    before = Path(names[0]).read_text()
    code, _, err = run(
        capsys, "anonymize", "list.csv", "--kind", "documents", "-k", "4", "-o", "out.csv", "--trail", names[0]
    )
    assert (code, "or that the input names" in err) == (2, True)
    assert Path(names[0]).read_text() == before
    assert not (here / "out.csv").exists()


def test_options_of_the_command_reach_documents_and_what_is_not_for_them_is_refused(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (made / "mine.csv").write_text("child,parent\ndog,pet\ncat,pet\napple,fruit\npear,fruit\npet,thing\nfruit,thing\n")
    options = ("docs", "--kind", "documents", "-k", "4", "--measure", "jaccard", "--taxonomy", "mine.csv", "--json")
    code, out, _ = run(capsys, "anonymize", *options, "-o", "own.csv", "--measure", "path")
    report = json.loads(out)
    assert (code, report["documents"]["taxonomy"], report["loss"]["distance"]["measure"]) == (0, "mine", "path")
    code, _, err = run(capsys, "anonymize", *options, "-o", "mine.csv")
    assert (code, "is the plan or a file that it names" in err) == (2, True)
    code, _, err = run(capsys, "anonymize", *options, "-o", "own.csv", "--aggregate", "max")
    assert (code, "documents are compared by pairs of terms" in err) == (2, True)
