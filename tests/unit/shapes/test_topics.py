"""Sensitive topics in query logs and documents: what most of a group share is published as its topic only."""

from pathlib import Path
from typing import Any

import pytest

import taxonym
from taxonym.errors import BadPlan
from taxonym.shapes.shape import shape_of
from taxonym.shapes.table.reread import Trail

ILL = ["flu", "cough", "flu cure", "cough"]  # of every user of the first group


@pytest.fixture
def health(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A taxonomy with a topic, and a log and documents of five persons who are ill and of five who play."""
    monkeypatch.chdir(tmp_path)
    Path("tree.csv").write_text(
        "child,parent\nflu,illness\ncough,illness\nillness,thing\ncure,thing\nchess,game\ngo,game\ngame,thing\n"
    )
    Path("topics.toml").write_text('taxonomy = "tree"\n[topics.health]\ntitle = "Health"\nconcepts = ["illness"]\n')
    asked = [(user, query) for user in range(5) for query in ILL]
    asked += [(user, query) for user in range(5, 10) for query in ("chess", "go")]
    Path("log.tsv").write_text("".join(f"{user}\t{query}\n" for user, query in (("user", "query"), *asked)))
    texts = ["flu and a cough, a cure"] * 5 + ["chess and go"] * 5
    Path("texts.csv").write_text("who,text\n" + "".join(f'a{i},"{text}"\n' for i, text in enumerate(texts)))
    return tmp_path


def released(source: str, kind: str, topics: bool = True, **shape: Any) -> tuple[set[str], dict[str, Any]]:
    """The words that are published, and what the private report says of their column."""
    method = {"k": 5, "seed": 1} | ({"topics": ["health"]} if topics else {})
    plan: dict[str, Any] = {kind: {"taxonomy": "tree.csv", "topics_file": "topics.toml", **shape}, "method": method}
    release = taxonym.anonymize(source, plan)
    (column,) = release.private_report()["columns"]
    return set(release.table["query" if kind == "querylog" else "term"].to_list()), column


@pytest.mark.parametrize("choice", ["frequencies", "meaning"])
def test_what_a_group_of_users_share_is_told_as_its_topic(health: Path, choice: str) -> None:
    bare, column = released("log.tsv", "querylog", topics=False, choice=choice)
    assert {"flu cure", "cough"} & bare
    assert (column["topics"], column["published_as_their_topic_only"]) == ({}, 0)
    words, column = released("log.tsv", "querylog", choice=choice)
    assert "illness" in words
    assert not {"flu", "cough", "flu cure"} & words  # nor a whole query that names one
    assert {"chess", "go"} & words
    assert column["topics"] == {"health": 5}
    assert column["published_as_their_topic_only"] > 0


def test_what_a_group_of_authors_share_is_told_as_its_topic(health: Path) -> None:
    bare, column = released("texts.csv", "documents", topics=False)
    assert {"flu", "cough"} <= bare
    assert (column["topics"], column["published_as_their_topic_only"]) == ({}, 0)
    words, column = released("texts.csv", "documents")
    assert "illness" in words
    assert not {"flu", "cough"} & words
    assert (column["topics"], column["published_as_their_topic_only"]) == ({"health": 5}, 2)


def test_a_clicked_host_would_tell_what_topics_hide(health: Path) -> None:
    with pytest.raises(BadPlan, match="a host would tell what topics hide"):
        released("log.tsv", "querylog", clicks="host")


def test_an_access_log_has_no_words_that_topics_could_be_about(health: Path) -> None:
    with pytest.raises(BadPlan, match="a line of an access log has no words"):
        taxonym.anonymize("log.tsv", {"accesslog": {}, "method": {"topics": ["health"]}})


def test_shipped_topics_that_do_not_fit_are_called_by_their_name(health: Path) -> None:
    plan = {"querylog": {"taxonomy": "tree.csv"}, "method": {"k": 5, "topics": ["health"]}}
    with pytest.raises(
        taxonym.errors.TaxonymError, match="^the topics 'wordnet': topic 'health': concepts: no concept"
    ):
        taxonym.anonymize("log.tsv", plan)


@pytest.mark.parametrize("promised", [{"l": 2}, {"t": 0.3}])
@pytest.mark.parametrize("source", ["log.tsv", "texts.csv"])
def test_topics_are_what_l_and_t_watch(health: Path, source: str, promised: dict[str, Any]) -> None:
    """Groups of five who are ill, and of five who play, are merged until the topic says nothing of anybody."""
    kind = "querylog" if source == "log.tsv" else "documents"
    shape = {kind: {"taxonomy": "tree.csv", "topics_file": "topics.toml"}}
    method = {"k": 5, "seed": 1, "topics": ["health"], "known_items": 1}
    bare, kept = (taxonym.anonymize(source, {**shape, "method": method | more}) for more in ({}, promised))
    assert (len(bare.groups), len(kept.groups)) == (2, 1)
    assert next(iter(promised)) in kept.report["promise"]
    kept.write("out.csv")
    kept.write_trail("trail")
    bare.write("bare.csv")
    bare.write_trail("bare.trail")
    plan = taxonym.plan.Plan.from_dict({**shape, "method": method | promised})
    found = [
        shape_of(plan).verify(f, plan, 5, source, Trail(t))
        for f, t in (("out.csv", "trail"), ("bare.csv", "bare.trail"))
    ]
    assert [one.holds for one in found] == [True, False]
    with pytest.raises(BadPlan, match="there is nothing to watch"):
        taxonym.anonymize(source, {**shape, "method": {"k": 5, **promised}})


def test_an_access_log_has_nothing_that_l_could_watch(health: Path) -> None:
    with pytest.raises(BadPlan, match="a line of a log has neither"):
        taxonym.anonymize("log.tsv", {"accesslog": {}, "method": {"k": 5, "l": 2}})
