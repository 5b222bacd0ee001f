"""Promises: each counts itself in a table as it was written, states itself, and names its limits."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from taxonym import Taxonomy
from taxonym.errors import BrokenPromise
from taxonym.plan import Plan, shape_named
from taxonym.promises import (
    PROMISES,
    ByConcept,
    ByLine,
    Epsilon,
    KAnonymity,
    KToTheM,
    NoPromise,
    limits_of,
    main_promise,
    promises_of,
)  # fmt: skip
from taxonym.promises.check import check_table
from taxonym.promises.promise import WrittenTable
from taxonym.publish.groups import Support
from taxonym.records.column import Column
from taxonym.records.words import read_words
from taxonym.text.finder import Finder

LIKES = Column(name="likes", role="quasi-identifier", kind="set", taxonomy=("tree",))
TREE = Taxonomy.from_edges([("a1", "a"), ("a2", "a"), ("b1", "b"), ("a", "root"), ("b", "root")])


def plan(**method: Any) -> Plan:
    return Plan.from_dict(
        {
            "columns": {"likes": {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}},
            "method": {"k": 2} | method,
        }
    )


def noisy(**method: Any) -> Plan:
    columns = {"one": {"role": "quasi-identifier", "taxonomy": "wordnet"}}
    return Plan.from_dict({"columns": columns, "method": {"name": "noise"} | method})


def written(cells: list[str], persons: list[int] | None = None) -> WrittenTable:
    had = [["a1", "b1"], ["a1", "b1"], ["a2"], ["a2"]]
    support = Support.of(read_words(LIKES, had, Finder(TREE), "x", range(4)), np.arange(4), 2)
    frame = pl.DataFrame({"likes": cells})
    whose = np.array(persons if persons is not None else range(len(cells)), np.int64)
    return WrittenTable([frame], [], {"likes": LIKES}, "out.csv", whose, {"likes": support})


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (plan(), KAnonymity),
        (plan(representative="medoid"), KAnonymity),
        (plan(representative="per-record"), ByConcept),
        (plan(name="generalize"), KAnonymity),
        (plan(name="generalize", recoding="items"), KToTheM),
        (noisy(), NoPromise),
        (noisy(noise_mechanism="exponential", epsilon=1.0), Epsilon),
        (noisy(noise_mechanism="exponential", epsilon=1.0, seed=1), NoPromise),
        (Plan(shape=shape_named("accesslog")(visitor="line")), ByLine),
        (Plan(shape=shape_named("accesslog")()), KAnonymity),
    ],
)
def test_a_plan_makes_the_promise_that_its_method_can_keep(made: Plan, kind: type) -> None:
    assert type(main_promise(made)) is kind


def test_every_promise_states_itself_and_names_its_limits() -> None:
    made = [plan(l=2, t=0.5, topics=["health"]), plan(representative="per-record"), noisy()]
    made += [plan(name="generalize", recoding="items"), noisy(noise_mechanism="exponential", epsilon=1.0)]
    made += [Plan(shape=shape_named("accesslog")(visitor="line"))]
    found = {type(promise): promise for one in made for promise in promises_of(one)}
    assert found.keys() == set(PROMISES)
    for promise in found.values():
        assert promise.name.split(",")[0].split(" ")[0] in promise.sentence()
        assert all(limit.endswith(".") for limit in promise.limits())
        assert len(set(promise.limits())) == len(promise.limits()) > 2
    assert len({promise.name for promise in PROMISES}) == len(PROMISES)


def test_the_page_of_promises_says_every_limit_that_a_report_does() -> None:
    said = " ".join((Path(__file__).parents[2] / "docs" / "promises.md").read_text("utf-8").split())
    made = [plan(k=5), plan(k=5, threshold="random"), plan(k=5, l=2, t=0.5, topics=["health"]), noisy()]
    made += [plan(k=5, representative="per-record"), plan(k=5, name="generalize", recoding="items")]
    made += [noisy(noise_mechanism="exponential", epsilon=1.0), Plan(shape=shape_named("accesslog")(visitor="line"))]
    for one in made:
        for limit in limits_of(one):
            assert limit in said, limit


def test_false_users_minimality_more_items_membership_and_several_releases_are_named() -> None:
    told = limits_of(plan(k=5))
    for words in ("under 4 names", "adds 4 persons", "how the program chooses", "3 or more items", "Who took part"):
        assert any(words in limit for limit in told), words
    assert any("Two releases" in limit for limit in told)
    assert any("1 of 6 cases" in limit for limit in limits_of(plan(k=5, threshold="random")))


def test_classes_below_k_are_refused_and_records_alike_by_concept_on_request() -> None:
    with pytest.raises(BrokenPromise, match="out.csv: 2 classes would have fewer than 2 persons, so nothing"):
        check_table(plan(), written(["a1;b1", "b1;a1"]))
    drawn = plan(representative="per-record")
    assert check_table(drawn, written(["a1;b1", "b1;a1"])).holds
    with pytest.raises(BrokenPromise, match="1 classes would have fewer than 2 persons"):
        check_table(drawn, written(["a1;b1", "b1;a1"], [0, 0]))


def test_rare_combinations_are_refused_where_they_are_promised() -> None:
    items = plan(name="generalize", recoding="items")
    assert check_table(items, written(["a1;b1", "a1;b1", "a2", "a2"])).holds
    with pytest.raises(BrokenPromise, match="1 combinations of at most 2 items would have fewer than 2 persons"):
        check_table(items, written(["a1;b1", "a1", "b1", "a1"]))
    three = plan(name="generalize", recoding="items", k=3, known_items=2)
    with pytest.raises(BrokenPromise, match="3 combinations of at most 2 items would have fewer than 3 persons"):
        check_table(three, written(["a1;b1", "a1;b1"]))


def test_the_support_rule_is_not_asked_where_it_was_not_promised() -> None:
    cells = ["a1;a2", "a1;a2"]
    assert check_table(plan(representative="medoid"), written(cells)).holds
    with pytest.raises(BrokenPromise, match="fewer than 2 persons hold together"):
        check_table(plan(), written(cells))
    assert check_table(plan(), replace(written(cells), supports=None)).holds
