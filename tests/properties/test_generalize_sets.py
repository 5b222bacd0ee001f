"""Generalised sets on random taxonomies: promises recounted by brute force, optima against all that there is."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import inf

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge.arrays import Codes
from taxonym.knowledge.runs import Runs
from taxonym.measure.km import count_km, define_km, holders_of_combinations, rare_combinations
from taxonym.publish.generalize.costs import ANYTHING, COSTS
from taxonym.publish.generalize.forest import cover, forest_of
from taxonym.publish.generalize.groups import Costs, saving
from taxonym.publish.generalize.improve_sets import improved
from taxonym.publish.generalize.items import SEARCHES, recode_items
from taxonym.publish.generalize.nested import ColumnPrices, GroupPrices, cost_of_record
from taxonym.publish.generalize.recoding import Recoding, RecodingColumn
from taxonym.publish.generalize.shares import bound_of
from taxonym.publish.generalize.topdown import SEARCHES as WAYS
from taxonym.publish.generalize.topdown import covers, recode_sets, top_down
from taxonym.records.distinct import holds_distinctly
from tests.strategies import build, taxonomies

# ---------------------------------------------------------------------- counting


@given(
    rows=st.lists(st.tuples(st.sets(st.integers(0, 6), max_size=5), st.integers(0, 1), st.integers(0, 4)), max_size=12),
    k=st.integers(1, 4),
    m=st.integers(1, 4),
    blocked=st.booleans(),
    personal=st.booleans(),
)
def test_combinations_are_counted_as_the_definition_says(
    rows: list[tuple[set[int], int, int]], k: int, m: int, blocked: bool, personal: bool
) -> None:
    records = [record for record, _, _ in rows]
    block = [b for _, b, _ in rows] if blocked else None
    persons = [p for _, _, p in rows] if personal else None
    counted = count_km(
        Runs.of([sorted(record) for record in records]),
        k,
        m,
        None if block is None else np.array(block, np.int64),
        None if persons is None else np.array(persons, np.int64),
    )
    assert counted == define_km(records, k, m, block, persons)


@given(records=st.lists(st.sets(st.integers(0, 6), max_size=5), max_size=12), k=st.integers(1, 4), m=st.integers(1, 3))
def test_listed_combinations_are_rare_and_every_rare_one_continues_one_of_them(
    records: list[set[int]], k: int, m: int
) -> None:
    rare = {some for (_, some), who in holders_of_combinations(records, m).items() if len(who) < k}
    listed = [some for _, some in rare_combinations(Runs.of([sorted(record) for record in records]), k, m)]
    assert listed == sorted(some for some in rare if not any(some[:size] in rare for size in range(1, len(some))))


# ---------------------------------------------------------------------- data


@dataclass
class Data:
    columns: list[RecodingColumn]
    block: np.ndarray[tuple[int], np.dtype[np.int64]] | None

    def __len__(self) -> int:
        return len(self.columns[0])

    def blocks(self) -> list[int]:
        return [0] * len(self) if self.block is None else self.block.tolist()

    def picked(self, rows: list[int]) -> "Data":
        columns = [column.take(np.array(rows, np.int64)) for column in self.columns]
        return Data(columns, None if self.block is None else self.block[rows])


@st.composite
def datas(draw: st.DrawFn, concepts: int = 8, rows: int = 8, used: int = 4, nominal: bool = False) -> Data:
    """One or two columns over random graphs, few items in use, some concepts not to be published."""
    n = draw(st.integers(2, rows))
    columns = []
    for _ in range(draw(st.integers(1, 2))):
        tax = draw(taxonomies(concepts))
        items = draw(st.lists(st.integers(0, len(tax) - 1), min_size=1, max_size=used, unique=True))
        one = nominal and draw(st.booleans())
        record = st.sets(st.sampled_from(items), min_size=1 if one else 0, max_size=1 if one else 3)
        records = draw(st.lists(record, min_size=n, max_size=n))
        marks = draw(st.none() | st.lists(st.sampled_from([True, True, False]), min_size=len(tax), max_size=len(tax)))
        allowed = None if marks is None else np.array(marks, np.bool_)
        weight = draw(st.sampled_from([1.0, 2.0]))
        columns.append(RecodingColumn.of([sorted(r) for r in records], tax, allowed=allowed, weight=weight))
    half = draw(st.integers(2, 4))
    block = np.array([int(row >= half) for row in range(n)]) if draw(st.booleans()) and n - half >= 2 else None
    return Data(columns, block)


def shown(recoded: Recoding) -> dict[int, tuple[Codes, ...]]:
    return {row: told for rows, told in zip(recoded.groups, recoded.concepts, strict=True) for row in rows}


def price(tax: Taxonomy, cost: str, code: int, up: int) -> float:
    rise, beyond = COSTS[cost].of(tax)
    if up == ANYTHING:
        return float(beyond[code])
    return float(rise[int(tax.ancestor_start[code]) + tax.ancestors(code).index(up)])


def may(column: RecodingColumn, code: int) -> bool:
    return column.allowed is None or bool(column.allowed[code])


# ---------------------------------------------------------------------- items


def all_cuts(column: RecodingColumn) -> Iterator[dict[int, int]]:
    """Every way to replace the items of a column, by the definition alone."""
    tax, items = column.tax, sorted(set(column.codes.tolist()))
    ways = {x: [c for c in tax.ancestors(x) if may(column, c)] for x in items}
    joined = {x: {x} for x in items}
    for _ in items:
        for x in items:
            for y in items:
                if set(ways[x]) & set(ways[y]) or joined[x] & joined[y]:
                    joined[x] = joined[y] = joined[x] | joined[y]
    for chosen in product(*[[*ways[x], ANYTHING] for x in items]):
        cut = dict(zip(items, chosen, strict=True))
        if all(
            cut[y] == c for x, c in cut.items() for y in (joined[x] if c == ANYTHING else items)
            if c == ANYTHING or c in tax.ancestors(y)
        ):  # fmt: skip
            yield cut


def published(data: Data, cuts: tuple[dict[int, int], ...]) -> list[set[int]]:
    """The published concepts of every record, those of different columns told apart."""
    found: list[set[int]] = [set() for _ in range(len(data))]
    for c, (column, cut) in enumerate(zip(data.columns, cuts, strict=True)):
        for row in range(len(data)):
            found[row] |= {100 * c + cut[x] for x in column.record(row) if cut[x] != ANYTHING}
    return found


def paid(data: Data, cuts: tuple[dict[int, int], ...], cost: str) -> float:
    return sum(
        column.weight * price(column.tax, cost, x, cut[x])
        for column, cut in zip(data.columns, cuts, strict=True)
        for x in column.codes.tolist()
    )


OVERLAPPING = {
    "c00": [], "c01": ["c00"], "c03": ["c00"], "c02": ["c00"], "c04": ["c00", "c03"], "c05": ["c04"],
    "c06": ["c03", "c02"],
}  # fmt: skip


@settings(deadline=None)
@given(data=datas(), k=st.just(2), m=st.integers(1, 3), cost=st.sampled_from(sorted(COSTS)))
@example(Data([RecodingColumn.of([[2], [4, 5]], build(OVERLAPPING))], None), 2, 1, "content")
def test_the_cheapest_items_cost_as_little_as_the_best_of_all_cuts(data: Data, k: int, m: int, cost: str) -> None:
    best = min(
        paid(data, cuts, cost)
        for cuts in product(*[list(all_cuts(column)) for column in data.columns])
        if define_km(published(data, cuts), k, m, data.blocks()).holds
    )
    recoded = recode_items(data.columns, k, m, block=data.block, cost=cost)
    assert abs(recoded.cost - best) < 1e-6
    assert recoded.cheapest
    greedy = recode_items(data.columns, k, m, block=data.block, cost=cost, search="apriori")
    assert greedy.bound <= best + 1e-6 <= greedy.cost + 2e-6


@settings(deadline=None)
@given(
    data=datas(concepts=14, rows=14, used=8),
    k=st.just(2),
    m=st.integers(1, 3),
    search=st.sampled_from(SEARCHES),
    mix=st.data(),
)
def test_published_items_keep_the_promise_nest_nowhere_and_do_not_depend_on_the_order_of_rows(
    data: Data, k: int, m: int, search: str, mix: st.DataObject
) -> None:
    recoded = recode_items(data.columns, k, m, block=data.block, search=search)
    told = shown(recoded)
    together = [{100 * c + code for c, codes in enumerate(told[row]) for code in codes} for row in range(len(data))]
    assert define_km(together, k, m, data.blocks()).holds
    for c, column in enumerate(data.columns):
        used = {code for row in told for code in told[row][c]}
        assert all(may(column, code) for code in used)
        for row in told:
            for x in column.record(row):
                over = used & set(column.tax.ancestors(x))
                assert len(over) <= 1  # everything below a published concept became it
                assert over <= set(told[row][c])
            held = {a for x in column.record(row) for a in column.tax.ancestors(x)}
            assert set(told[row][c]) <= held
    order = mix.draw(st.permutations(range(len(data))))
    other = data.picked(list(order))
    again = shown(recode_items(other.columns, k, m, block=other.block, search=search))
    assert [again[i] for i in range(len(order))] == [told[row] for row in order]


# ---------------------------------------------------------------------- groups of sets


def partitions(rows: list[int], k: int) -> Iterator[list[list[int]]]:
    """All ways to divide rows into groups of at least k."""
    if not rows:
        yield []
    for size in range(k - 1, len(rows)):
        for others in combinations(rows[1:], size):
            rest = [row for row in rows[1:] if row not in others]
            for more in partitions(rest, k):
                yield [[rows[0], *others], *more]


def rows_of_blocks(data: Data) -> list[list[int]]:
    blocks = data.blocks()
    return [[row for row in range(len(data)) if blocks[row] == b] for b in sorted(set(blocks))]


@settings(deadline=None)
@given(data=datas(concepts=12, rows=9, used=6, nominal=True), cost=st.sampled_from(sorted(COSTS)), mix=st.data())
def test_the_cost_of_a_group_is_that_of_the_definition(data: Data, cost: str, mix: st.DataObject) -> None:
    forest = forest_of(data.columns, cost)
    rows = sorted(mix.draw(st.sets(st.integers(0, len(data) - 1), min_size=1)))
    costs = Costs(forest)
    assert list(costs.shown(rows)) == sorted(cover(forest, rows))
    lost = float(forest.anything[rows].sum())
    assert abs(costs.of(rows) - (lost - saving(forest, rows))) < 1e-9
    assert abs(sum(costs.shares(rows).values()) - costs.of(rows)) < 1e-9


def paid_for(column: RecodingColumn, cost: str, row: int, shown: Codes) -> float:
    """What a set costs a record of a column, by the definition."""
    above = column.tax.ancestors
    items = sorted(set(column.record(row)))
    prices = [[price(column.tax, cost, x, c) if c in above(x) else inf for c in shown] for x in items]
    return cost_of_record(prices, [price(column.tax, cost, x, ANYTHING) for x in items])


@settings(deadline=None)
@given(
    data=datas(concepts=12, rows=12, used=6, nominal=True),
    cost=st.sampled_from(sorted(COSTS)),
    search=st.sampled_from(WAYS),
    suppress=st.sampled_from([0.0, 0.2]),
    mix=st.data(),
)
def test_groups_have_k_records_each_with_an_item_of_its_own_for_everything_that_is_published(
    data: Data, cost: str, search: str, suppress: float, mix: st.DataObject
) -> None:
    recoded = recode_sets(data.columns, 2, block=data.block, cost=cost, search=search, suppress=suppress)
    blocks = data.blocks()
    assert sorted([row for rows in recoded.groups for row in rows] + recoded.suppressed) == list(range(len(data)))
    assert len(recoded.suppressed) <= suppress * len(data)
    lost = 0.0
    for rows, told in zip(recoded.groups, recoded.concepts, strict=True):
        assert len(rows) >= 2
        assert len({blocks[row] for row in rows}) == 1
        for column, codes in zip(data.columns, told, strict=True):
            assert all(holds_distinctly(column.tax, column.record(row), codes) for row in rows)
            assert all(may(column, code) for code in codes)
            lost += column.weight * sum(paid_for(column, cost, row, codes) for row in rows)
    for row in recoded.suppressed:
        for column in data.columns:
            lost += sum(column.weight * price(column.tax, cost, x, ANYTHING) for x in column.record(row))
    assert abs(recoded.cost - lost) < 1e-6
    assert recoded.bound <= recoded.cost + 1e-9
    order = list(mix.draw(st.permutations(range(len(data)))))
    other = data.picked(order)
    again = recode_sets(other.columns, 2, block=other.block, cost=cost, search=search, suppress=suppress)
    assert published_alike(other, again) == published_alike(data, recoded)


def published_alike(data: Data, recoded: Recoding) -> list[object]:
    """Groups and what they publish by the content of records, whatever their order."""
    blocks = data.blocks()

    def content(rows: list[int]) -> list[object]:
        return sorted((blocks[row], *(column.record(row) for column in data.columns)) for row in rows)

    groups = [(content(rows), told) for rows, told in zip(recoded.groups, recoded.concepts, strict=True)]
    return [sorted(groups), content(recoded.suppressed)]


@settings(deadline=None)
@given(data=datas(concepts=10, rows=7, used=5, nominal=True), cost=st.sampled_from(sorted(COSTS)))
def test_improving_groups_never_costs_more(data: Data, cost: str) -> None:
    forest = forest_of(data.columns, cost)
    costs = Costs(forest)
    for rows in rows_of_blocks(data):
        plain = top_down(forest, np.array(rows), 2)
        better = improved(costs, plain, 2)
        assert sum(map(costs.of, better)) <= sum(map(costs.of, plain)) + 1e-9
        assert sorted(row for group in better for row in group) == rows


def all_sets(column: RecodingColumn, rows: list[int]) -> Iterator[Codes]:
    """Every set that all of these records hold, with an item of its own for each concept, and that keeps what all of
    them have as it is."""
    shared = {x for x in column.record(rows[0]) if may(column, x) and all(x in column.record(row) for row in rows)}
    most = min(len(set(column.record(row))) for row in rows)
    for size in range(most + 1):
        for some in combinations([c for c in range(len(column.tax)) if may(column, c)], size):
            if shared <= set(some) and all(holds_distinctly(column.tax, column.record(row), some) for row in rows):
                yield some


def least_cost(column: RecodingColumn, cost: str, rows: list[int]) -> float:
    """What a group costs at least in one column, by trying every set."""
    return min(sum(paid_for(column, cost, row, some) for row in rows) for some in all_sets(column, rows))


@settings(deadline=None)
@given(data=datas(concepts=8, rows=5, used=6), cost=st.sampled_from(sorted(COSTS)))
def test_a_small_group_publishes_the_cheapest_of_all_sets(data: Data, cost: str) -> None:
    rows = list(range(len(data)))
    (told,) = covers(data.columns, [rows], cost)
    for column, codes in zip(data.columns, told, strict=True):
        best = least_cost(column, cost, rows)
        assert abs(sum(paid_for(column, cost, row, codes) for row in rows) - best) < 1e-6
        assert abs(GroupPrices.of(ColumnPrices(column, cost), rows).cost(codes) - best) < 1e-6


@settings(deadline=None)
@given(
    data=datas(concepts=8, rows=6, used=5, nominal=True),
    cost=st.sampled_from(sorted(COSTS)),
    suppress=st.sampled_from([0.0, 0.35]),
)
def test_no_recoding_of_a_small_table_costs_less_than_the_bound_nor_than_what_is_called_the_cheapest(
    data: Data, cost: str, suppress: float
) -> None:
    known: dict[tuple[int, ...], float] = {}

    def group_cost(rows: list[int]) -> float:
        if tuple(rows) not in known:
            known[tuple(rows)] = sum(column.weight * least_cost(column, cost, rows) for column in data.columns)
        return known[tuple(rows)]

    def nothing(rows: Iterable[int]) -> float:
        return sum(
            column.weight * price(column.tax, cost, x, ANYTHING)
            for column in data.columns
            for row in rows
            for x in set(column.record(row))
        )

    spare = int(suppress * len(data))
    best = inf
    for out in (some for size in range(spare + 1) for some in combinations(range(len(data)), size)):
        kept = [[row for row in rows if row not in out] for rows in rows_of_blocks(data)]
        ways = [[sum(map(group_cost, groups)) for groups in partitions(rows, 2)] for rows in kept]
        if all(ways):
            best = min(best, nothing(out) + sum(map(min, ways)))
    bound = sum(bound_of(data.columns, np.array(rows), 2, cost) for rows in rows_of_blocks(data))
    assert bound <= best + 1e-6
    recoded = recode_sets(data.columns, 2, block=data.block, cost=cost, suppress=suppress)
    assert recoded.bound - 1e-6 <= best <= recoded.cost + 1e-6
    assert not recoded.cheapest or abs(recoded.cost - best) < 1e-6


@given(data=st.data())
def test_a_record_pays_for_a_set_what_the_best_of_all_ways_costs(data: st.DataObject) -> None:
    tax = data.draw(taxonomies(8))
    record = sorted(data.draw(st.sets(st.integers(0, len(tax) - 1), min_size=1, max_size=4)))
    column = RecodingColumn.of([record], tax)
    shown = tuple(sorted(data.draw(st.sets(st.integers(0, len(tax) - 1), max_size=4))))
    group = GroupPrices.of(ColumnPrices(column, "steps"), [0])
    if set(shown) <= set(group.concepts):
        assert group.cost(shown) == paid_for(column, "steps", 0, shown)
    else:  # left out: another concept says more of the same items for less, or the record does not hold it
        assert group.cost(shown) == inf
