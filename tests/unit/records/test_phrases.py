"""Phrases that k persons wrote are concepts of their own below their heads, from the table to the release and back."""

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import taxonym
from taxonym import Taxonomy
from taxonym.cli import main
from taxonym.knowledge import compiled
from taxonym.plan import Plan
from taxonym.records.phrases import PhraseWriters, written_by
from taxonym.records.records import Records
from taxonym.shapes.table.read import prepare

TREE = Taxonomy.from_edges([("pain", "symptom"), ("fever", "symptom"), ("cough", "symptom"), ("symptom", "thing")])


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("tree") / "symptoms.taxonym"
    compiled.write(TREE, path)
    return str(path)


def plan(tree: str, k: int = 3, **column: Any) -> Plan:
    says = {"role": "quasi-identifier", "kind": "set", "taxonomy": tree} | column
    columns = {"who": {"role": "identifier"}, "says": says}
    return Plan.from_dict({"input": {"person": "who"}, "columns": columns, "method": {"k": k, "seed": 1}})


def table(cells: list[str], who: list[str] | None = None) -> pl.DataFrame:
    return pl.DataFrame({"who": who or [f"p{i}" for i in range(len(cells))], "says": cells})


def own(units: Records) -> list[str]:
    words = units.words[0]
    return [words.tax.id(code) for code in range(words.tax.base, len(words.tax))]


def test_a_phrase_with_k_writers_is_published_as_written_and_one_with_fewer_as_its_head(tree: str) -> None:
    for n, word in ((3, "back pain"), (2, "pain")):
        release = taxonym.anonymize(table(["back pain"] * n + ["pain"] * 3 * (n < 3) + ["fever"] * 3), plan(tree))
        assert set(release.frame["says"].explode().to_list()) == {word, "fever"}


def test_a_phrase_is_one_whatever_its_capitals_and_printed_in_small_letters_where_no_way_to_write_it_has_k_writers(
    tree: str,
) -> None:
    release = taxonym.anonymize(table(["Back pain", "back pain", "BACK pain", "fever", "fever", "fever"]), plan(tree))
    assert set(release.frame["says"].explode().to_list()) == {"back pain", "fever"}


def test_the_writers_of_a_phrase_are_persons_and_not_rows(tree: str) -> None:
    cells, who = ["back pain"] * 4 + ["pain"] * 3 + ["fever"] * 3, [*"aaab", *"cdefgh"]
    assert own(prepare(table(cells, who), plan(tree))) == []
    assert own(prepare(table(cells, who), plan(tree, k=2))) == ["pain: back pain"]


def test_the_codebook_says_what_a_phrase_stands_for_by_its_head_and_never_shows_it_in_the_release(tree: str) -> None:
    release = taxonym.anonymize(table(["back pain"] * 3 + ["pain"] * 3), plan(tree))
    assert release.codebook.rows() == [
        ("says", "back pain", "pain: back pain", "", "pain"),
        ("says", "pain", "pain", "", "symptom"),
    ]


@pytest.mark.parametrize(("phrases", "found"), [("whole", ["pain: back pain"]), ("head", []), ("words", [])])
def test_a_plan_says_what_becomes_of_phrases(tree: str, phrases: str, found: list[str]) -> None:
    assert own(prepare(table(["back pain"] * 3), plan(tree, phrases=phrases))) == found


def test_of_a_text_a_phrase_takes_the_place_of_its_head(tree: str) -> None:
    units = prepare(table(["I have bad back pain and a fever."] * 3), plan(tree, kind="text"))
    assert own(units) == ["pain: bad back pain"]
    assert [units.words[0].tax.label(c) for c in units.words[0].record(0)] == ["fever", "bad back pain"]


def test_an_own_phrase_is_in_the_topics_of_its_head(tree: str, tmp_path: Path) -> None:
    path = tmp_path / "topics.toml"
    path.write_text('taxonomy = "edges"\n[topics.pains]\ntitle = "Pains"\nconcepts = ["pain"]\n')
    chosen = plan(tree, topics=["pains"], topics_file=str(path), other_words="drop", on_unknown="keep-as-own-concept")
    words = prepare(table(["back pain;dry cough"] * 3), chosen).words[0]
    assert [words.tax.label(code) for code in words.record(0)] == ["back pain"]
    release = taxonym.anonymize(table(["back pain;zyzzyva"] * 3), chosen)
    assert release.frame["says"].to_list() == [["pain", "zyzzyva"]] * 3  # all share it, so that its topic stands for it
    assert words.topics is not None
    assert words.topics.of(words.record(0)[0]) == ("pains",)


def test_a_phrase_with_several_heads_is_below_that_of_most_writers() -> None:
    counts = [PhraseWriters(5, "hot dog", 3), PhraseWriters(2, "hot dog", 4), PhraseWriters(1, "big cat", 2)]
    assert written_by(3, counts) == ((2, "hot dog"),)
    assert written_by(3, [PhraseWriters(5, "hot dog", 4), PhraseWriters(2, "hot dog", 4)]) == ((2, "hot dog"),)


WORDS = ["pain", "back pain", "Back pain", "knee pain", "fever", "high fever", "dry cough", "cough", "zyzzyva"]


@settings(max_examples=4, phases=[Phase.explicit, Phase.generate])  # shrinking would take longer than looking
@given(seed=st.integers(0, 10_000), unknown=st.sampled_from(["suppress", "keep-as-own-concept"]))
def test_the_same_phrases_are_concepts_in_any_order_of_rows_and_in_blocks(
    tree: str, tmp_path_factory: pytest.TempPathFactory, seed: int, unknown: str
) -> None:
    dice = random.Random(seed)
    cells = [";".join(dice.sample(WORDS, dice.randint(1, 3))) for _ in range(60)]
    data, chosen = table(cells, [f"p{dice.randint(0, 30)}" for _ in cells]), plan(tree, on_unknown=unknown)
    turned = data.sample(fraction=1, shuffle=True, seed=seed)
    first, second = prepare(data, chosen), prepare(turned, chosen)
    assert own(first) == own(second)
    assert list(first.words[0]) == list(second.words[0])
    folder = tmp_path_factory.mktemp("blocks")
    data.write_csv(folder / "in.csv")
    (folder / "plan.toml").write_text(chosen.to_toml())
    (folder / "work").mkdir()
    whole, blocks = folder / "whole.csv", folder / "blocks.csv"
    common = ["anonymize", str(folder / "in.csv"), "--plan", str(folder / "plan.toml"), "--no-baselines"]
    assert main([*common, "-o", str(whole)]) == main([*common, "-o", str(blocks), "--work", str(folder / "work")]) == 0
    assert whole.read_bytes() == blocks.read_bytes()
    assert Path(f"{whole}.codebook.csv").read_bytes() == Path(f"{blocks}.codebook.csv").read_bytes()


def test_a_release_with_phrases_is_verified_measured_and_attacked(tree: str, tmp_path: Path, capsys: Any) -> None:
    data = table((["back pain", "fever"] * 4 + ["knee pain"]) * 2)
    data.write_csv(tmp_path / "in.csv")
    (tmp_path / "plan.toml").write_text(plan(tree).to_toml())
    source, settings_, out, trail = (str(tmp_path / n) for n in ("in.csv", "plan.toml", "out.csv", "trail.json"))
    assert main(["anonymize", source, "--plan", settings_, "-o", out, "--trail", trail]) == 0
    assert "back pain" in (tmp_path / "out.csv").read_text()
    assert "knee" not in (tmp_path / "out.csv").read_text()
    beside = ["--plan", settings_, "--original", source, "--trail", trail]
    assert main(["verify", out, "-k", "3"]) == main(["verify", out, *beside[:2]]) == main(["verify", out, *beside]) == 0
    for command in ("loss", "risk"):
        assert main([command, source, out, "--plan", settings_, "--trail", trail]) == 0
    book = tmp_path / "out.csv.codebook.csv"
    book.write_text(book.read_text().replace("pain: back pain", "fever: back pain"))
    assert main(["verify", out, *beside[:2]]) == 1
