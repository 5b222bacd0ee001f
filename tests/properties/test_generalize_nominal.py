"""The searches for cheap generalisations against definitions that try everything."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import floor, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.errors import BrokenPromise
from taxonym.publish.generalize.costs import ANYTHING, COSTS
from taxonym.publish.generalize.full_domain import recode_full_domain
from taxonym.publish.generalize.local import recode_local
from taxonym.publish.generalize.recoding import Recoding, RecodingColumn
from tests.strategies import taxonomies


@dataclass(frozen=True)
class Case:
    columns: list[RecodingColumn]
    block: np.ndarray
    k: int
    cost: str
    suppress: float

    @property
    def rows(self) -> int:
        return len(self.block)


@st.composite
def cases(draw: st.DrawFn, most: int = 7) -> Case:
    """Up to three columns over random graphs, some of whose concepts may not be published; one or two blocks."""
    n = draw(st.integers(1, most))
    columns = []
    for _ in range(draw(st.integers(1, 3))):
        tax = draw(taxonomies(8))
        allowed = np.array(draw(st.lists(st.booleans(), min_size=len(tax), max_size=len(tax)))) | draw(st.booleans())
        codes = np.array(draw(st.lists(st.integers(0, len(tax) - 1), min_size=n, max_size=n)))
        columns.append(RecodingColumn(np.arange(n + 1), codes, tax, allowed, draw(st.sampled_from([1.0, 0.5]))))
    block = np.array(draw(st.lists(st.sampled_from([3, 8] if draw(st.booleans()) else [3]), min_size=n, max_size=n)))
    return Case(
        columns,
        block,
        draw(st.integers(2, 3)),
        draw(st.sampled_from(list(COSTS))),
        draw(st.sampled_from([0, 0.15, 0.5])),
    )


def price(column: RecodingColumn, cost: str, code: int, target: int) -> float:
    """What it costs a value to become a concept or anything; infinite if that may not be published for it."""
    each, anything = COSTS[cost].of(column.tax)
    if target == ANYTHING:
        return float(anything[code]) * column.weight
    if target not in column.tax.ancestors(code) or not column.allowed[target]:
        return inf
    first = int(column.tax.ancestor_start[code])
    return float(each[first + column.tax.ancestors(code).index(target)]) * column.weight


def group_cost(case: Case, rows: list[int]) -> float:
    """The cheapest common generalisation in every column."""
    total = 0.0
    for column in case.columns:
        targets = [ANYTHING, *range(len(column.tax))]
        total += min(sum(price(column, case.cost, int(column.codes[r]), t) for r in rows) for t in targets)
    return total


def full_cost(case: Case, row: int) -> float:
    return sum(price(column, case.cost, int(column.codes[row]), ANYTHING) for column in case.columns)


def partitions(rows: list[int]) -> Iterator[list[list[int]]]:
    if not rows:
        yield []
        return
    for rest in partitions(rows[1:]):
        yield [[rows[0]], *rest]
        for i in range(len(rest)):
            yield [*rest[:i], [rows[0], *rest[i]], *rest[i + 1 :]]


def cheapest_of_all(case: Case) -> float:
    """The least cost over all partitions of all but a few rows; infinite if there is none."""
    spare, known, best = floor(case.suppress * case.rows), {}, inf
    for parts in partitions(list(range(case.rows))):
        # the rows of every part that is too small or mixes blocks could only be left out
        good = [p for p in parts if len(p) >= case.k and len(set(case.block[p])) == 1]
        out = [r for p in parts if p not in good for r in p]
        if len(out) <= spare:
            for p in good:
                if tuple(p) not in known:
                    known[tuple(p)] = group_cost(case, p)
            best = min(best, sum(known[tuple(p)] for p in good) + sum(full_cost(case, r) for r in out))
    return best


def check(case: Case, found: Recoding) -> None:
    """Groups of at least k within blocks, true and allowed concepts, and the cost that is claimed."""
    rows = sorted([r for group in found.groups for r in group] + found.suppressed)
    assert rows == list(range(case.rows))
    assert len(found.suppressed) <= floor(case.suppress * case.rows)
    total = sum(full_cost(case, r) for r in found.suppressed)
    for group, concepts in zip(found.groups, found.concepts, strict=True):
        assert len(group) >= case.k
        assert len(set(case.block[group])) == 1
        for column, published in zip(case.columns, concepts, strict=True):
            target = published[0] if published else ANYTHING
            total += sum(price(column, case.cost, int(column.codes[r]), target) for r in group)
    assert found.cost == pytest.approx(total)
    assert total < inf
    assert found.bound <= found.cost + 1e-9
    labels = [(case.block[g[0]], c) for g, c in zip(found.groups, found.concepts, strict=True)]
    assert len(set(labels)) == len(labels)
    assert found.concepts == sorted(found.concepts)


def local(case: Case, **options: int) -> Recoding:
    return recode_local(
        case.columns, case.k, block=case.block, cost=case.cost, suppress=case.suppress, **options
    )  # fmt: skip


@given(case=cases())
def test_local_recoding_of_few_records_is_the_cheapest_of_all_partitions(case: Case) -> None:
    best = cheapest_of_all(case)
    if best == inf:
        with pytest.raises(BrokenPromise, match=f"k = {case.k}"):
            local(case)
        return
    found = local(case)
    check(case, found)
    assert found.cost == pytest.approx(best, abs=1e-7)
    assert found.cheapest


@given(case=cases())
def test_classes_without_the_search_are_sound_and_no_dearer_than_one_group_per_block(case: Case) -> None:
    best = cheapest_of_all(case)
    if best == inf:
        return
    found = local(case, budget=0)
    check(case, found)
    assert found.bound <= best + 1e-7
    blocks = [np.flatnonzero(case.block == b).tolist() for b in set(case.block.tolist())]
    together = sum(
        group_cost(case, rows) if len(rows) >= case.k else sum(full_cost(case, r) for r in rows) for rows in blocks
    )
    assert found.cost <= together + 1e-7


@given(case=cases(14), budget=st.sampled_from([0, 30, 5_000]), data=st.data())
def test_a_recoding_does_not_depend_on_the_order_of_the_rows(case: Case, budget: int, data: st.DataObject) -> None:
    order = np.array(data.draw(st.permutations(range(case.rows))))
    columns = [RecodingColumn(c.start, c.codes[order], c.tax, c.allowed, c.weight) for c in case.columns]
    other = Case(columns, case.block[order], case.k, case.cost, case.suppress)
    try:
        found, again = local(case, budget=budget), local(other, budget=budget)
    except BrokenPromise:
        return
    assert (found.cost, found.bound) == (again.cost, again.bound)
    assert found.concepts == again.concepts

    def members(some: Case, recoded: Recoding) -> list[list[tuple[int, ...]]]:
        return [
            sorted((int(some.block[r]), *(int(c.codes[r]) for c in some.columns)) for r in g) for g in recoded.groups
        ]

    assert members(case, found) == members(other, again)


@given(case=cases(40), budget=st.sampled_from([0, 200]))
def test_a_recoding_of_more_records_is_sound_and_its_bound_below_its_cost(case: Case, budget: int) -> None:
    try:
        found = local(case, budget=budget)
    except BrokenPromise:
        return
    check(case, found)


# ---------------------------------------------------------------------- full-domain


def images(column: RecodingColumn) -> list[dict[int, int]]:
    """What every value in use becomes, for every level."""
    tax, used = column.tax, sorted(set(column.codes.tolist()))
    deepest = max(tax.depth(v) for v in used)
    levels = []
    for level in range(deepest + 1):
        image = {}
        for at in used:
            value = at
            while at != ANYTHING and (tax.depth(at) > deepest - level or not column.allowed[at]):
                parents = tax.parents(at)
                at = max(parents, key=lambda p: (tax.depth(p), -p)) if parents else ANYTHING
            image[value] = at
        levels.append(image)
    return levels


def lattice_costs(case: Case) -> dict[tuple[int, ...], float]:
    """The cost of every node of the lattice that is anonymous enough."""
    every = [images(column) for column in case.columns]
    found = {}
    for levels in product(*(range(len(image)) for image in every)):
        published = [
            (int(case.block[r]), *(every[c][lv][int(case.columns[c].codes[r])] for c, lv in enumerate(levels)))
            for r in range(case.rows)
        ]
        out = [r for r in range(case.rows) if published.count(published[r]) < case.k]
        if len(out) <= floor(case.suppress * case.rows):
            found[levels] = sum(
                full_cost(case, r)
                if r in out
                else sum(
                    price(column, case.cost, int(column.codes[r]), published[r][c + 1])
                    for c, column in enumerate(case.columns)
                )
                for r in range(case.rows)
            )
    return found


@given(case=cases(12))
def test_full_domain_recoding_is_the_cheapest_node_of_the_whole_lattice(case: Case) -> None:
    costs = lattice_costs(case)

    def run() -> Recoding:
        return recode_full_domain(case.columns, case.k, block=case.block, cost=case.cost, suppress=case.suppress)

    if not costs:
        with pytest.raises(BrokenPromise, match=f"k = {case.k}"):
            run()
        return
    found = run()
    check(case, found)
    assert found.cost == pytest.approx(min(costs.values()), abs=1e-7)
    assert costs[tuple(found.levels or ())] == pytest.approx(found.cost, abs=1e-7)
    for c, image in enumerate(images(column) for column in case.columns):
        for group, concepts in zip(found.groups, found.concepts, strict=True):
            for r in group:
                at = image[(found.levels or ())[c]][int(case.columns[c].codes[r])]
                assert concepts[c] == (() if at == ANYTHING else (at,))


@given(case=cases(12))
def test_local_recoding_never_costs_more_than_full_domain_where_it_is_proved(case: Case) -> None:
    try:
        whole = recode_full_domain(case.columns, case.k, block=case.block, cost=case.cost, suppress=case.suppress)
    except BrokenPromise:
        return
    found = local(case)
    assert found.bound <= whole.cost + 1e-7
    if found.cheapest:
        assert found.cost <= whole.cost + 1e-7
