"""Secret thresholds: how they are spread, what false users see, and that every way through the program agrees."""

import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from taxonym.errors import BadPlan
from taxonym.plan import Plan, with_settings
from taxonym.records.thresholds import Thresholds
from taxonym.run.pipeline import anonymize

TREE = [("poodle", "dog"), ("dog", "animal"), ("cat", "animal"), ("animal", "thing"), ("apple", "thing")]


def thresholds(seed: int, k: int = 5) -> Thresholds:
    return Thresholds.of_run(k, "random", np.random.default_rng(seed))


def test_thresholds_lie_between_k_and_2k_each_as_often_as_another():
    k, n = 5, 6_000
    drawn = Counter(thresholds(1).of("term", f"word {i}") for i in range(n))
    assert set(drawn) == set(range(k, 2 * k + 1))
    expected = n / (k + 1)
    chi = sum((times - expected) ** 2 / expected for times in drawn.values())
    assert chi < 20.5  # of chi-square with 5 degrees of freedom 99.9 percent lie below


def test_a_threshold_depends_on_the_run_the_kind_and_the_name_only():
    names = [f"word {i}" for i in range(200)]
    own = [thresholds(1).of("term", name) for name in names]
    assert own == [thresholds(1).of("term", name) for name in names]
    assert own != [thresholds(2).of("term", name) for name in names]
    assert own != [thresholds(1).of("concept", name) for name in names]
    rng = np.random.default_rng(1)
    rng.random(99)  # draws in between change nothing
    assert Thresholds.of_run(5, "random", rng).of("term", names[0]) == own[0]
    assert {Thresholds.of_run(5, "k", rng).of("term", name) for name in names} == {5}


@pytest.fixture(scope="module")
def taxonomy(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("tree") / "tree.csv"
    path.write_text("child,parent\n" + "".join(f"{child},{parent}\n" for child, parent in TREE))
    return str(path)


def settings(taxonomy: str, **method: Any) -> dict[str, Any]:
    column = {"role": "quasi-identifier", "kind": "set", "taxonomy": taxonomy}
    return {"columns": {"pets": column}, "method": {"k": 3, "seed": 1} | method}


def published(taxonomy: str, false: int, true: int, **method: Any) -> bool:
    """Whether "poodle" is told, which so many false users and so many others wrote, among many who wrote dog."""
    rows = ["poodle"] * (false + true) + ["dog"] * 12
    release = anonymize(pl.DataFrame({"pets": rows}), settings(taxonomy, **method), baselines=False)
    return "poodle" in set(release.frame["pets"].explode())


def test_false_users_see_one_more_writer_by_k_and_hardly_ever_by_a_secret_threshold(taxonomy):
    k = 3
    assert not published(taxonomy, k - 1, 0)
    assert published(taxonomy, k - 1, 1)
    for false in (k - 1, 2 * k - 1):
        seen = [
            published(taxonomy, false, 1, threshold="random", seed=seed)
            != published(taxonomy, false, 0, threshold="random", seed=seed)
            for seed in range(40)
        ]
        assert 0 < sum(seen) < 40 / (k + 1) + 4 * math.sqrt(40 * k) / (k + 1)  # 1 of k + 1, and four deviations
    assert not any(published(taxonomy, k - 1, 0, threshold="random", seed=seed) for seed in range(20))


def test_a_seed_repeats_and_blocks_ask_for_the_same_thresholds(taxonomy):
    words = np.random.default_rng(4).choice(["poodle", "dog", "cat", "apple"], 90, p=[0.06, 0.5, 0.38, 0.06]).tolist()
    above = {"dog": {"dog", "poodle"}, "animal": {"dog", "poodle", "cat"}}
    holders = {word: sum(own in above.get(word, {word}) for own in words) for word in {*words, *above}}
    frame, hidden = pl.DataFrame({"pets": words}), 0
    for seed in range(6):
        secret = thresholds(seed, 3)
        for blocks in ({}, {"blocks": "always", "block_size": 20}):
            plan = settings(taxonomy, threshold="random", seed=seed, **blocks)
            one, again = (anonymize(frame, plan, baselines=False).frame for _ in "ab")
            assert one.equals(again)
            told = set(one["pets"].explode())
            assert all(holders[word] >= secret.of("concept", word) for word in told), told
            hidden += not {"poodle", "apple"} <= told
    assert hidden


def test_query_logs_documents_and_access_logs_take_it_too(taxonomy, tmp_path: Path):
    hidden = set()
    for seed in range(8):
        method = {"k": 3, "seed": seed, "threshold": "random"}
        log = pl.DataFrame({"user": list("abcdefgh"), "query": ["poodle"] * 4 + ["dog"] * 4})
        release = anonymize(log, {"querylog": {"taxonomy": taxonomy}, "method": method}, baselines=False)
        hidden.add(("query log", "poodle" in set(release.frame["query"])))
        texts = pl.DataFrame({"text": ["poodle"] * 4 + ["dog"] * 8})
        release = anonymize(texts, {"documents": {"taxonomy": taxonomy}, "method": method}, baselines=False)
        hidden.add(("documents", "poodle" in set(release.frame["term"])))
        line = '192.0.2.{} - - [02/Mar/2026:10:00:11 +0000] "GET /{} HTTP/1.1" 200 100'
        lines = [line.format(i, "rare" if i < 4 else "usual") for i in range(12)]
        (tmp_path / "in.log").write_text("\n".join(lines) + "\n")
        release = anonymize(tmp_path / "in.log", {"accesslog": {}, "method": method}, baselines=False)
        hidden.add(("access log", any("/rare" in text for text in release.frame["request"])))
    assert hidden == {(shape, told) for shape in ("query log", "documents", "access log") for told in (True, False)}


def test_a_plan_says_it_under_either_key_and_keeps_the_number_beside_it(taxonomy):
    plan = Plan.from_dict(settings(taxonomy, threshold="random"))
    assert (plan.method.threshold, plan.method.support_threshold) == (0.8, "random")
    assert Plan.from_dict(plan.to_dict()) == plan
    both = Plan.from_dict(settings(taxonomy, threshold=0.6, support_threshold="random")).method
    assert (both.threshold, both.support_threshold) == (0.6, "random")
    assert with_settings(both, threshold="random").support_threshold == "random"
    with pytest.raises(BadPlan, match="method.support_threshold"):
        Plan.from_dict(settings(taxonomy, support_threshold="secret"))
