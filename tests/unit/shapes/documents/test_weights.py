"""Exact weights, and small corpora of which the default tells nothing, through the command."""

import csv
from pathlib import Path

import polars as pl
import pytest

import taxonym
from taxonym import Taxonomy
from taxonym.papers.navarro_arribas2010.documents import ANIMALS, ORIGINAL, PARTS
from taxonym.shapes.documents.report import EXACT_WEIGHTS, NO_BETTER, TOO_FEW
from tests.unit.cli.common import run

TABLE_2_1 = """[documents]
senses = "best-pair"
centroid = "fold"
cover = 1.0
weights = "exact"

[method]
name = "mdav"
k = 2
"""
TOPICS = {
    "computers": "the keyboard the laptop the software the screen the printer the mouse the network the modem",
    "animals": "the horse the dog the cat the lion the monkey the tiger the wolf the sheep",
    "food": "the bread the butter the cheese the milk the apple the pear the soup the wine",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_exact_weights_are_those_of_table_2_1(
    here: Path, wordnet: Taxonomy, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = ["".join(f"the {word}. " * round(10 * share) for word, share in terms) for terms in ORIGINAL]
    pl.DataFrame({"text": texts}).write_csv("four.csv")
    Path("plan.toml").write_text(TABLE_2_1)
    made = ("anonymize", "four.csv", "--kind", "documents", "--plan", "plan.toml", "-o", "out.csv")
    code, _, err = run(capsys, *made, "--trail", "trail", "--keep-order")
    assert (code, EXACT_WEIGHTS in err) == (0, True)
    with Path("out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for document, printed in enumerate((PARTS, ANIMALS, PARTS, ANIMALS), 1):
        found = {wordnet.codes(row["term"])[0]: row["weight"] for row in rows if row["document"] == str(document)}
        assert len(found) == len(printed)
        for term, weight in printed:  # another label of the same concept may be printed
            assert str(weight) in {found.get(code) for code in wordnet.codes(term.replace("_", " "))}
    asked = ("verify", "out.csv", "-k", "2", "--original", "four.csv", "--trail", "trail")
    assert run(capsys, *asked, "--keep-order")[0] == 0
    Path("rounded.toml").write_text(TABLE_2_1.replace("exact", "rounded"))
    code, out, _ = run(capsys, "verify", "out.csv", "-k", "2", "--plan", "rounded.toml")
    assert (code, "weights are not rounded to 1, 2 or 5" in out) == (1, True)


def small_corpus() -> list[str]:
    """Nine documents of three topics, each with words of its own in the middle of the topic's."""
    found = []
    for words in TOPICS.values():
        terms = words.split("the ")[1:]
        found += [". ".join(f"the {word.strip()}" for word in terms[i : i + 4]) for i in (0, 2, 4)]
    return found


def test_a_small_corpus_whose_vectors_are_no_nearer_than_a_random_document_says_so_and_what_would_help(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pl.DataFrame({"text": small_corpus()}).write_csv("nine.csv")
    Path("plan.toml").write_text('[documents]\nsenses = "first"\n')  # senses that fit a corpus make it nearer
    made = ("anonymize", "nine.csv", "--plan", "plan.toml", "-k", "3", "--seed", "1")
    code, _, err = run(capsys, *made, "-o", "out.csv")
    assert code == 0
    assert TOO_FEW in err
    assert NO_BETTER in err
    assert "known_items = 1" in NO_BETTER
    code, _, err = run(capsys, *made, "-o", "strict.csv", "--strict")
    assert (code, Path("strict.csv").exists()) == (1, False)
    code, _, err = run(capsys, *made, "-o", "better.csv", "--known-items", "1")
    assert (code, NO_BETTER in err) == (0, False)


def test_the_report_and_its_verdict_say_that_vectors_are_no_nearer_than_a_random_document(here: Path) -> None:
    frame = pl.DataFrame({"text": small_corpus()})
    plan = {"documents": {"senses": "first"}, "method": {"k": 3, "seed": 1}}
    release = taxonym.anonymize(frame, plan)
    assert release.report["warnings"] == [TOO_FEW]  # nothing about so few documents may be told
    private = release.private_report()
    assert private["warnings"] == [NO_BETTER]
    assert "It tells no more of a document than a random one would." in private["verdict"]
    plan["method"] |= {"known_items": 1}  # type: ignore[operator]
    better = taxonym.anonymize(frame, plan).private_report()
    assert better["loss"]["mean"] < private["loss"]["mean"]
    assert better["warnings"] == []
