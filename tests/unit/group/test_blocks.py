import pickle
from itertools import chain, pairwise

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.distance.record import Compare, Part, Sets, Values, record_matrix
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.executor.workers import InProcess
from taxonym.group.blocks import Cutter, form_in_blocks
from taxonym.group.embedding import content_hashes, sampled
from taxonym.group.mdav import mdav
from taxonym.group.refine import refined, sum_of_distances

HOW = Compare()


@pytest.fixture(scope="module")
def tax() -> Taxonomy:
    """Four levels of seven below each other: 2,801 concepts."""
    names = [["top"]]
    for _ in range(4):
        names.append([f"{name}.{i}" for name in names[-1] for i in range(7)])
    edges = [(name, name.rpartition(".")[0]) for level in names[1:] for name in level]
    return Taxonomy.from_edges(edges, name="sevens")


def drawn(tax: Taxonomy, n: int, topics: list[int], seed: int = 0) -> Sets:
    """Records of 3 to 12 concepts below one or two of the topics."""
    random = np.random.default_rng(seed)
    below = [np.array(tax.descendants(topic)) for topic in topics]
    records = []
    for _ in range(n):
        own = random.choice(len(topics), min(2, len(topics)), replace=False)
        size = int(random.integers(3, 13))
        picked = {int(random.choice(below[own[int(random.integers(0, len(own)))]])) for _ in range(size)}
        records.append(sorted(picked))
    return Sets.of(records, tax)


def topics(tax: Taxonomy) -> list[int]:
    return [c for c in range(len(tax)) if tax.depth(c) == 3]


def check(parts: list[Part], k: int, target: int) -> None:
    n = len(parts[0])
    found = form_in_blocks(parts, np.arange(n), HOW, k, refined, target=target)
    assert sorted(chain.from_iterable(found.groups)) == list(range(n))
    assert min(map(len, found.groups)) >= k
    assert found.largest <= target * 3 / 2
    assert found.blocks >= n / (target * 3 / 2)


def test_blocks_lose_less_than_mdav_on_all_and_at_most_a_tenth_more_than_refined_on_all(tax: Taxonomy) -> None:
    part = drawn(tax, 3000, topics(tax))
    matrix = record_matrix([part], np.arange(3000), HOW)
    best, simple = (sum_of_distances(matrix, form(matrix, 5)) / 65535 for form in (refined, mdav))
    found = form_in_blocks([part], np.arange(3000), HOW, 5, refined, target=500)
    assert found.blocks == 6
    assert found.distance <= 1.1 * best
    assert found.distance <= simple
    again = form_in_blocks([part], np.arange(3000), HOW, 5, refined, target=500, passes=2, executor=InProcess(2))
    assert again.distance < found.distance


def test_few_records_are_one_block_with_the_groups_of_all_distances(tax: Taxonomy) -> None:
    part = drawn(tax, 300, topics(tax))
    for form in (refined, mdav):
        found = form_in_blocks([part], np.arange(300), HOW, 4, form, target=200)
        assert found.blocks == 1
        assert found.groups == sorted(form(record_matrix([part], np.arange(300), HOW), 4))


def test_one_huge_topic_is_cut_like_any_other(tax: Taxonomy) -> None:
    deep = next(c for c in range(len(tax)) if tax.depth(c) == 4)
    check([drawn(tax, 900, [deep])], 5, 100)


@pytest.mark.parametrize("n", [601, 1000, 1003])
def test_equal_records_are_cut_by_their_order_into_groups_of_at_least_k(tax: Taxonomy, n: int) -> None:
    part = Sets.of([[5, 9, 40]] * n, tax)
    check([part], 5, 100)
    check([part, Values.of(np.full(n, 7.0))], 3, 64)
    check([Sets.of([[]] * n, tax)], 2, 64)
    check([Values.of(np.full(n, np.nan))], 2, 64)


def test_equal_records_beside_different_ones_neither_hide_them_nor_are_hidden(tax: Taxonomy) -> None:
    other = drawn(tax, 400, topics(tax))
    records = [[5, 9, 40]] * 1600 + [other.record(i) for i in range(400)]
    part = Sets.of(records, tax)
    check([part], 5, 100)
    chosen = sampled(content_hashes([part], np.arange(2000)), 500)
    assert 0.7 < (chosen < 1600).mean() < 0.9  # four of five records are the same one


def test_columns_that_weigh_more_decide_more(tax: Taxonomy) -> None:
    random = np.random.default_rng(1)
    sets, numbers = drawn(tax, 1200, topics(tax)), random.random(1200)
    within = []
    for weight in (0.05, 20.0):
        parts: list[Part] = [sets, Values.of(numbers, weight)]
        check(parts, 3, 150)
        cutter = Cutter.fit(parts, np.arange(1200), HOW, 3, 150)
        leaf = cutter.leaves(parts, np.arange(1200))
        within.append(np.mean([numbers[leaf == i].std() for i in range(8)]))
    assert within[1] < within[0] / 3


def test_a_block_has_at_least_twice_k_records() -> None:
    """So that it can be two groups: seven records that lie apart are joined with others."""
    part = Values.of(np.repeat([0.0, 2.0, 3.0, 5.0, 8.0, 13.0, 40.0], [7, 97, 69, 32, 31, 1, 6]))
    rows = np.arange(len(part))
    cutter = Cutter.fit([part], rows, HOW, 5, 20)
    found = list(cutter.blocks([part], rows, np.ones(len(rows), np.int64), 5, 5))
    assert sorted(np.concatenate(found).tolist()) == rows.tolist()
    assert len(found) > 1
    assert min(map(len, found)) >= 10


def test_n_just_above_k_is_one_group_or_two(tax: Taxonomy) -> None:
    part = drawn(tax, 11, topics(tax))
    for n in (5, 6, 9, 10, 11):
        found = form_in_blocks([part], np.arange(n), HOW, 5, refined, target=1)
        assert [len(group) >= 5 for group in found.groups] == [True] * len(found.groups)
        assert sum(map(len, found.groups)) == n


def test_what_is_fitted_can_be_sent_to_workers(tax: Taxonomy) -> None:
    part = drawn(tax, 1000, topics(tax))
    cutter = Cutter.fit([part], np.arange(1000), HOW, 5, 125)
    sent = pickle.dumps(cutter)
    assert len(sent) < 50_000
    there = pickle.loads(sent)
    assert (there.leaves([part], np.arange(1000)) == cutter.leaves([part], np.arange(1000))).all()


def test_progress_is_told_for_every_block(tax: Taxonomy) -> None:
    class Listener:
        total, done, steps = 0, 0, 0

        def start(self, what: str, total: int | None = None) -> None:
            self.total, self.done = total or 0, 0

        def advance(self, done: int = 1) -> None:
            self.done += done

        def finish(self) -> None:
            self.steps += self.done == self.total

    listener = Listener()
    found = form_in_blocks(
        [drawn(tax, 400, topics(tax))], np.arange(400), HOW, 3, refined,
        target=60, passes=2, executor=InProcess(progress=listener),
    )  # fmt: skip
    assert listener.steps == 2
    assert listener.total == found.blocks > 1


def test_groups_lie_within_blocks_that_lie_apart(tax: Taxonomy) -> None:
    """Records of two far topics: no group holds both."""
    far = [c for c in range(len(tax)) if tax.depth(c) == 2][:2]
    sides = [drawn(tax, 300, [topic], seed) for seed, topic in enumerate(far)]
    part = Sets.of([side.record(i) for side in sides for i in range(300)], tax)
    found = form_in_blocks([part], np.arange(600), HOW, 5, refined, target=100)
    mixed = [group for group in found.groups if len({row < 300 for row in group}) > 1]
    assert not mixed
    assert all(a < b for group in found.groups for a, b in pairwise(group))


@pytest.mark.parametrize("wrong", [{"passes": 0}, {"passes": 5}, {"target": 0}])
def test_what_cannot_be_is_said(tax: Taxonomy, wrong: dict[str, int]) -> None:
    part = Sets.of([[1], [2]], tax)
    with pytest.raises(BadPlan, match="blocks: target must be at least 1"):
        form_in_blocks([part], np.arange(2), HOW, 2, refined, **wrong)  # type: ignore[arg-type]
    with pytest.raises(BrokenPromise, match="fewer than k = 3"):
        form_in_blocks([part], np.arange(2), HOW, 3, refined)
