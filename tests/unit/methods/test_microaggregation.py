"""What a run decides by itself: the method's topics, whether groups are fitted, and how loss is judged."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from taxonym import Taxonomy, anonymize
from taxonym.executor.context import Context
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.methods.blocks import GroupBlock
from taxonym.methods.microaggregation import RecordGroups, publish
from taxonym.plan import Plan
from taxonym.publish.fit import work
from taxonym.records.support import Holders
from taxonym.shapes.table.read import prepare

WORDS = ["flu;bicycle", "pneumonia;car", "bronchitis;tram", "flu;train", "asthma;bus", "measles;ship", "mumps;boat"] * 3
TABLE = pl.DataFrame({"words": WORDS})


def plan(**method: Any) -> dict[str, Any]:
    column = {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}
    return {"columns": {"words": column}, "method": {"k": 3, "seed": 1, **method}}


def test_topics_of_the_method_are_those_of_columns_that_name_none() -> None:
    assert anonymize(TABLE, plan(), baselines=False).report["columns"][0]["topics"] == {}
    topics = anonymize(TABLE, plan(topics=["health"]), baselines=False).private_report()["columns"][0]["topics"]
    assert topics == {"health": 21}
    own = plan(topics=["health"])
    own["columns"]["words"]["topics"] = ["religion"]
    assert list(anonymize(TABLE, own, baselines=False).report["columns"][0]["topics"]) == ["religion"]


def test_groups_are_fitted_only_where_that_is_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def fitted(holders: Holders, groups: list[list[int]], *_: Any, **__: Any) -> Any:
        asked.append(len(groups))
        raise InterruptedError

    monkeypatch.setattr("taxonym.methods.microaggregation.fitted", fitted)
    with pytest.raises(InterruptedError):
        anonymize(TABLE, plan(), baselines=False)
    assert len(asked) == 1
    anonymize(TABLE, plan(fit=False), baselines=False)
    monkeypatch.setattr("taxonym.methods.microaggregation.WORK", 0)
    anonymize(TABLE, plan(), baselines=False)
    assert len(asked) == 1


def test_the_work_of_fitting_grows_with_the_square_of_the_concepts_of_a_group() -> None:
    tax = Taxonomy.from_edges([("a", "x"), ("b", "x")])
    a, b, x = (tax.code(name) for name in "abx")
    assert work(Holders(ConceptSets(np.array([0, 1, 2]), np.array([a, a]), tax)), [[0, 1]]) == 2 * 2**2
    assert work(Holders(ConceptSets(np.array([0, 3, 6]), np.array([a, b, x] * 2), tax)), [[0, 1]]) == 2 * 6**2


def test_loss_is_judged_by_meaning_where_groups_were_formed_without_it(tmp_path: Path) -> None:
    release = anonymize(TABLE, plan(measure="equal-terms"), baselines=False)
    release.write_trail(tmp_path / "trail")
    lines = [json.loads(line) for line in (tmp_path / "trail").read_text().splitlines()[1:]]
    assert release.report["loss"]["distance"]["measure"] == "jaccard"
    assert np.mean([line["loss"] for line in lines]) == pytest.approx(release.private_report()["loss"]["mean"])


@pytest.mark.parametrize("largest", [0, 5])
def test_with_consensus_a_group_publishes_what_half_of_it_hold_in_blocks_and_without(
    tmp_path: Path, largest: int
) -> None:
    kinds = {"apple": "fruit", "pear": "fruit", "tea": "drink", "bun": "bread"}
    edges = [*kinds.items(), *((kind, "food") for kind in ("fruit", "drink", "bread"))]
    (tmp_path / "food.csv").write_text("child,parent\n" + "".join(f"{c},{p}\n" for c, p in edges))
    table = pl.DataFrame({"words": ["apple;tea", "apple;tea", "tea", "tea;bun", "tea;bun"]})
    shown = []
    for consensus in (False, True):
        given = plan(k=2, known_items=1, consensus=consensus, fit=False)
        given["columns"]["words"]["taxonomy"] = str(tmp_path / "food.csv")
        made = Plan.from_dict(given)
        formed = RecordGroups([GroupBlock((0, 0), [[0, 1, 2, 3, 4]])], largest, largest)
        outcome = publish(prepare(table, made), formed, made, Context(np.random.default_rng(1)))
        [[[words, *_]]] = outcome.words
        shown.append(set(words))
    assert shown == [{"apple", "bun", "tea"}, {"tea"}]


def test_groups_that_are_fitted_do_not_depend_on_the_order_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.golden.runs import DATA

    monkeypatch.chdir(DATA)
    note = {"role": "quasi-identifier", "kind": "text", "taxonomy": "things.csv"}
    plan = {"input": {"person": False}, "columns": {"note": note}, "method": {"k": 3, "seed": 7}}
    table = pl.read_csv("baskets.csv")
    releases = [anonymize(rows, plan, baselines=False).frame for rows in (table, table.reverse())]
    assert sorted(map(repr, releases[0].rows())) == sorted(map(repr, releases[1].rows()))
