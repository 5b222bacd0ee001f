"""Documents from a table to a release: what is refused, what is told, and that nobody is named."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from taxonym import Taxonomy
from taxonym.attack import everybody
from taxonym.distance.record import Compare
from taxonym.distance.vectors import Vectors
from taxonym.distance.vectors_matrix import vector_pairs
from taxonym.errors import BadInput, BadPlan, BrokenPromise, UnknownTerms
from taxonym.plan import Plan
from taxonym.plan.documents import Documents
from taxonym.run.pipeline import anonymize
from taxonym.run.release import Release
from taxonym.shapes.documents import EXACT, verify
from taxonym.shapes.documents.read import prepare_documents
from taxonym.shapes.documents.release_pair import masked_vectors
from taxonym.shapes.documents.reread import published, recount
from taxonym.shapes.table.reread import Trail

TEXTS = [
    "The dog chased a cat. Zorbulax watched the dog.", "A cat and a dog slept.", "Dogs, cats and a horse.",
    "The apple and the pear are ripe.", "A pear fell on an apple.", "Apples and a cherry for Blinkoria.",
    "", "42",
]  # fmt: skip
WHO = [f"Kowalska{i}" for i in range(len(TEXTS))]
FRAME = pl.DataFrame({"text": TEXTS, "who": WHO})


def run(k: int = 3, frame: pl.DataFrame = FRAME, person: bool = True, method: Any = None, **settings: Any) -> Release:
    given = {"person": "who"} if person else {}
    plan = {"documents": settings, "method": {"k": k, "seed": 1} | (method or {}), "input": given}
    return anonymize(frame, plan)


@pytest.fixture(scope="module")
def release() -> Release:
    return run()


def test_documents_that_mean_alike_are_published_alike(release: Release) -> None:
    assert sorted(release.groups) == [[0, 1, 2], [3, 4, 5]]
    vectors = published(release.frame, "here").vectors
    assert [len(set(vectors)), len(vectors)] == [2, 6]
    assert {term for vector in vectors for term, _ in vector} >= {"dog", "cat", "apple"}


def test_documents_without_a_concept_are_suppressed_and_counted_without_telling_how_few(release: Release) -> None:
    assert release.report["records"]["suppressed_persons"]["no concept"] == "<k"
    assert release.private_report()["records"]["suppressed_persons"]["no concept"] > 0
    assert release.report["records"]["rows"] is None


@pytest.mark.parametrize("most", [1, 10_000])
def test_an_intruder_takes_the_nearest_vectors_and_finds_as_often_as_counting_says(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan.from_dict({"documents": {}, "method": {"k": 2, "seed": 1}, "input": {"person": "who"}})
    authors = prepare_documents(FRAME, plan)
    x, groups = authors.vectors, [[0, 1], [2, 3], [4, 5]]
    vectors = [[(senses[0], weight) for senses, weight in x[i]] for i in (0, 2, 0)]  # two publish the same
    size, truth = {0: 4, 1: 2}, {0: 0, 1: 0, 2: 1, 3: 1, 4: 0, 5: 0}
    y = Vectors.of(x.senses.tax, [[((code,), w) for code, w in vectors[g]] for g in (0, 1)])
    chances = []
    for unit in range(6):
        far = [vector_pairs(x, y, np.array([unit]), np.array([g]))[0] for g in (0, 1)]
        near = [g for g in (0, 1) if far[g] == min(far)]
        chances.append(1 / sum(size[g] for g in near) if truth[unit] in near else 0.0)
    monkeypatch.setattr(everybody, "LEAST_DOCUMENTS", most)
    monkeypatch.setattr(everybody, "PAIRS_OF_DOCUMENTS", most)
    record, row = np.concatenate(groups), np.repeat(np.arange(3), 2)
    masked = masked_vectors(authors, vectors, record, row)
    found = everybody.linkage(masked, Compare(measure=authors.how.measure), 2, np.random.default_rng(0))
    if most == 1:
        assert found["sampled"]
        assert found["records_linked"] == 1
        assert found["dr_percent_interval_95"] is not None
        return
    assert found["dr_percent"] == pytest.approx(100 * sum(chances) / 6, abs=0.01)
    assert found["max_p"] == pytest.approx(max(chances), abs=1e-4)
    assert found["baseline_dr_percent"] == pytest.approx(100 / 6, abs=0.1)


def test_neither_release_nor_report_holds_a_name_or_a_word_that_few_wrote(release: Release, tmp_path: Path) -> None:
    release.write(tmp_path / "out.jsonl")
    release.write_report(tmp_path / "report.json")
    release.write_report(tmp_path / "report.html")
    for path in tmp_path.iterdir():
        text = path.read_text()
        for secret in ("Kowalska", "zorbulax", "Zorbulax", "Blinkoria", "cherry", "horse"):
            assert secret not in text
    first = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])
    assert set(first) == {"document", "term", "weight"}


def test_the_report_tells_coverage_and_the_sums_of_squares(release: Release) -> None:
    private = release.private_report()
    loss, told = private["loss"], private["documents"]
    assert not {"sse", "ssa", "sst", "L", "random_groups"} & set(release.report["loss"])
    assert release.report["documents"]["jaccard_of_terms_with_and_without_a_concept"] is None
    assert loss["sst"] == pytest.approx(loss["sse"] + loss["ssa"])
    assert loss["L"] == pytest.approx(100 * loss["sse"] / loss["sst"])
    assert loss["L"] <= loss["random_groups"]["L"]
    # two of six documents have one unknown word: dog, cat + zorbulax; apple, cherry + blinkoria
    assert told["jaccard_of_terms_with_and_without_a_concept"] == pytest.approx((4 + 2 / 3 + 2 / 3) / 6)


def test_two_are_warned_of_and_three_are_not(release: Release) -> None:
    assert not any(note.startswith("k = 2") for note in release.report["notes"])
    assert any(note.startswith("k = 2") and "k = 3 or more" in note for note in run(2).report["notes"])


def test_authors_with_several_documents_count_once_and_may_be_published_once_or_for_each() -> None:
    frame = pl.DataFrame({"text": TEXTS[:3], "who": ["a", "a", "b"]})
    with pytest.raises(BrokenPromise, match="has 2 authors, fewer than k = 3"):
        run(3, frame)
    assert run(2, frame).frame["document"].n_unique() == 2
    every = anonymize(frame, {"documents": {}, "method": {"k": 2}, "input": {"person": "who", "person_rows": "keep"}})
    assert every.frame["document"].n_unique() == 2  # of three documents one author owns two, where half is the most
    frame = pl.DataFrame({"text": [*TEXTS[:3], TEXTS[2]], "who": ["a", "a", "b", "b"]})
    every = anonymize(frame, {"documents": {}, "method": {"k": 2}, "input": {"person": "who", "person_rows": "keep"}})
    assert every.frame["document"].n_unique() == 4
    assert every.private_report()["records"]["surplus_rows"] == 0
    with pytest.raises(BadInput, match="repeats an author"):
        anonymize(frame, {"documents": {}, "method": {"k": 2}, "input": {"person": "who", "person_rows": "unique"}})


def test_unknown_words_may_stop_the_run_or_be_concepts_of_their_own() -> None:
    with pytest.raises(UnknownTerms, match="document 1: 1 of its words have no concept") as told:
        run(on_unknown="error")
    assert "orbulax" not in str(told.value)
    frame = pl.DataFrame({"text": ["A zorbulax and a dog."] * 3, "who": list("abc")})
    assert set(run(3, frame, on_unknown="keep-as-own-concept").frame["term"]) == {"zorbulax", "dog"}


def test_each_vector_may_be_written_once_with_the_number_of_its_documents(tmp_path: Path) -> None:
    made = run(layout="groups")
    made.write(tmp_path / "out.csv")
    frame = pl.read_csv(tmp_path / "out.csv")
    assert frame.columns == ["group", "documents", "term", "weight"]
    assert frame.select("group", "documents").unique().sort("group").rows() == [(1, 3), (2, 3)]


def test_kept_order_numbers_documents_as_they_came() -> None:
    plan = {"documents": {}, "method": {"k": 3}, "output": {"shuffle": False}}
    made = anonymize(FRAME, plan, baselines=False)
    found = published(made.frame, "here").vectors
    assert found[0] == found[1] == found[2] != found[3]


def test_folding_blocks_consensus_and_other_measures_keep_the_promise() -> None:
    for settings, method in (
        ({"centroid": "fold"}, {}),
        ({"cover": 1.0, "senses": "best-pair"}, {"name": "mdav"}),
        ({"measure": "lin"}, {"consensus": True}),
        ({"senses": "context"}, {"blocks": "always", "block_size": 3}),
    ):
        made = run(method=method, **settings)
        assert made.report["verified"]["holds"]
    assert EXACT >= 1000


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"method": {"name": "generalize"}}, "method.name: documents are published in groups"),
        ({"method": {"representative": "medoid"}}, "method.representative"),
        ({"method": {"l": 2}}, "method.l: there is nothing to watch. Name sensitive topics of the words"),
        ({"columns": {"text": {"role": "quasi-identifier"}}}, "columns: documents have none to describe"),
    ],
)
def test_what_is_not_for_documents_is_refused(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadPlan) as told:
        anonymize(FRAME, {"documents": {}} | change)
    assert complaint in str(told.value)


@pytest.mark.parametrize("centroid", ["medoid", "fold"])
def test_what_one_of_two_wrote_beyond_the_other_is_not_told(centroid: str) -> None:
    texts = ["dog dog apple", "dog dog dog", "apple train", "train apple", "dog apple", "dog apple"]
    plan = {"documents": {"centroid": centroid}, "method": {"k": 2, "known_items": 1}}
    release = anonymize(pl.DataFrame({"text": texts}), plan, baselines=False)
    assert [0, 1] in release.groups
    vectors = {tuple(sorted(some)) for some in release.frame.group_by("document").agg("term")["term"].to_list()}
    assert vectors == {("dog",), ("apple", "train"), ("apple", "dog")}


def test_nothing_in_common_ends_the_run_without_a_release() -> None:
    frame = pl.DataFrame({"text": ["42"] * 5})
    with pytest.raises(BrokenPromise, match="no document has a word with a concept"):
        run(3, frame, person=False)
    frame = pl.DataFrame({"text": ["dog", "happiness", "42"]})
    with pytest.raises(BrokenPromise, match="only 2 authors have words with a concept"):
        run(3, frame, person=False)
    with pytest.raises(BrokenPromise, match="no group has a concept"):
        run(2, pl.DataFrame({"text": ["dog", "happiness"]}), person=False)


# ---------------------------------------------------------------------- a written release


@pytest.fixture
def written(release: Release, tmp_path: Path) -> tuple[Path, Path, Plan]:
    FRAME.write_csv(tmp_path / "in.csv")
    release.write(tmp_path / "out.csv")
    release.write_trail(tmp_path / "trail")
    plan = Plan.from_dict({"input": {"person": "who"}, "documents": {}, "method": {"k": 3}})
    return tmp_path / "out.csv", tmp_path / "in.csv", plan


def test_a_release_is_verified_alone_and_with_its_original(written: tuple[Path, Path, Plan]) -> None:
    out, original, plan = written
    alone = verify(out, 3, plan)
    assert (alone.holds, alone.counted, alone.classes, alone.smallest) == (True, "documents", 2, 3)
    assert not verify(out, 4, plan).holds
    whole = verify(out, 3, plan, str(original), Trail(out.parent / "trail"))
    assert (whole.holds, whole.counted) == (True, "persons")


def test_a_release_that_was_changed_does_not_hold(written: tuple[Path, Path, Plan]) -> None:
    out, original, plan = written
    text, trail = out.read_text(), Trail(out.parent / "trail")
    lines = text.splitlines(keepends=True)
    out.write_text("".join(line for line in lines if not line.startswith("1,")))
    assert "not numbered from 1 on" in verify(out, 3, plan).broken[0]
    with pytest.raises(BadInput, match="belongs to another release"):
        verify(out, 3, plan, str(original), trail)
    out.write_text("".join(line.replace("0.5", "0.47").replace("0.2", "0.23") for line in lines))
    assert "weights are not rounded" in verify(out, 3, plan).broken[0]
    for weight in ("inf", "nan", "5e-324", "-0.5", "2", "1e300"):
        out.write_text("".join(line.replace("0.5", weight) for line in lines))
        assert "weights are not rounded" in verify(out, 3, plan).broken[0]
    out.write_text(lines[0] + "".join(f"1985{line}" for line in lines[1:]))  # numbers that are somebody's own
    assert "not numbered from 1 on" in verify(out, 3, plan).broken[0]
    out.write_text(text.replace("dog,", "horse,"))
    with pytest.raises(BrokenPromise):
        verify(out, 3, plan, str(original), trail)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a,b\n1,2\n", "must have the columns document, term, weight"),
        ("document,term,weight\n1,dog,heavy\n", "column 'weight': row 1: is not a sound cell"),
        (
            "group,documents,term,weight\n1,3,dog,0.5\n1,4,cat,0.5\n",
            "column 'documents': row 2: is below 1, or not that of its group",
        ),
        ("group,documents,term,weight\n1,-3,dog,0.5\n", "column 'documents': row 1: is below 1"),
    ],
)
def test_what_is_no_release_of_documents_is_told(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "out.csv").write_text(text)
    with pytest.raises(BadInput) as told:
        verify(tmp_path / "out.csv", 3, Plan(shape=Documents()))
    assert complaint in str(told.value)


def test_two_groups_with_equal_vectors_are_one_class() -> None:
    frame = pl.DataFrame({"group": [1, 2], "documents": [2, 1], "term": ["dog", "dog"], "weight": [0.5, 0.5]})
    found = recount(published(frame, "here"), 3, "rounded")
    assert (found.classes, found.smallest, found.rows, found.holds) == (1, 3, 3, True)


def test_with_consensus_nothing_is_published_that_less_than_half_of_a_group_hold(
    monkeypatch: pytest.MonkeyPatch, wordnet: Taxonomy
) -> None:
    """Vectors of a group mostly have this of themselves, so one is given that does not."""
    texts = ["A dog, a cat and a violin.", "A dog and a cat.", "A cat and a dog.", "A dog, cat."]
    texts += ["A violin and a piano.", "The piano and a violin.", "A violin, a piano.", "A piano and violin."]
    frame = pl.DataFrame({"text": texts, "who": [f"p{i}" for i in range(8)]})
    dog, violin = (wordnet.codes(word)[0] for word in ("dog", "violin"))
    monkeypatch.setattr("taxonym.shapes.documents.generalized", lambda x, how: [(dog, 0.5), (violin, 0.5)])
    shown = []
    for consensus in (False, True):
        made = run(k=4, frame=frame, method={"known_items": 1, "consensus": consensus})
        assert [0, 1, 2, 3] in made.groups
        first = made.trail()["records"][0]["release_row"]
        shown.append({term for term, _ in published(made.frame, "here").vectors[first - 1]})
    assert "violin" in shown[0]
    assert "violin" not in shown[1]
    assert "dog" in shown[1]


def test_who_is_left_out_holds_nothing_for_those_who_are_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tmp_path / "tree.csv"
    tree.write_text("child,parent\npoodle,dog\ndog,animal\ncat,animal\nanimal,thing\napple,thing\nbread,thing\n")
    # The first three have nothing in common but the top; with one of them, three mention dogs, else two.
    frame = pl.DataFrame({"text": ["dog", "apple", "bread", "poodle", "dog and dog", "cat"]})
    rows = {text: i for i, text in enumerate(frame["text"])}

    def formed(authors: Any, *_: Any) -> tuple[list[list[int]], int]:
        unit = {authors.corpus.texts[some[0]]: i for i, some in enumerate(authors.documents)}
        ordered = [unit[text] for text in rows]
        return [ordered[:3], ordered[3:]], 0

    monkeypatch.setattr("taxonym.shapes.documents.form_groups", formed)
    release = anonymize(frame, {"documents": {"taxonomy": str(tree)}, "method": {"k": 3, "seed": 1}}, baselines=False)
    assert set(release.frame["term"]) == {"animal"}
    assert release.frame["document"].n_unique() == 3
