"""Hierarchies cut out of random taxonomies: what they promise, and that no better choice of levels exists."""

import csv
from itertools import combinations, pairwise
from math import log2
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Finder, Taxonomy, load
from taxonym.knowledge.build import Draft
from taxonym.knowledge.cut import ColumnValue, Hierarchy, best_kept, cut, loss
from taxonym.knowledge.ranges import best_steps, number_ranges
from taxonym.knowledge.strings import fold
from tests.strategies import graphs

LABELS = ["a", "b", "c", "any a", "b (c01)", "any", "A"]  # few, so that they collide with each other and with values


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cut")


@st.composite
def columns(draw: st.DrawFn) -> tuple[Taxonomy, list[ColumnValue]]:
    """A taxonomy with labels that are not unique, and values for some of its concepts."""
    graph = draw(graphs())
    draft = Draft("random")
    for child, parents in graph.items():
        draft.add(child, [draw(st.sampled_from(LABELS))])
        for parent in parents:
            draft.link(child, parent)
    tax = draft.build()
    code = st.none() | st.integers(0, len(tax) - 1)
    text = st.sampled_from([*LABELS, "x", "y; z", 'q"', "x > y", "#d", "é"])
    return tax, draw(st.lists(st.builds(ColumnValue, text, code, st.integers(1, 9)), min_size=1, max_size=12))


@given(column=columns(), levels=st.integers(1, 4))
def test_every_value_has_one_row_of_at_most_so_many_of_its_ancestors_in_their_order(column, levels):
    tax, values = column
    made = cut(tax, values, levels)
    assert sorted(fold(row[0]) for row in made.rows) == sorted({fold(value.text) for value in values})
    for row, codes in zip(made.rows, made.codes, strict=True):
        assert len(row) == len(codes) == made.levels + 1 <= levels + 1
        above = [code for code in codes[1:] if code is not None]
        line = above if codes[0] is None else [codes[0], *above]
        for lower, upper in pairwise(line):
            assert upper in tax.ancestors(lower)
        assert len(above) == len(set(above))
        assert all(tax.label(code) in name for code, name in zip(codes[1:], row[1:], strict=True) if code is not None)


@given(column=columns(), levels=st.integers(1, 4))
def test_a_value_has_a_concept_that_its_rows_were_given_and_the_top_is_above_all(column, levels):
    tax, values = column
    made = cut(tax, values, levels)
    given_codes: dict[str, set[int | None]] = {}
    for value in values:
        given_codes.setdefault(fold(value.text), set()).add(value.code)
    for row, codes in zip(made.rows, made.codes, strict=True):
        assert codes[0] in given_codes[fold(row[0])]
        if codes[0] is None:
            assert set(row[1:-1]) <= {""}
    assert len({row[-1] for row in made.rows}) == 1
    assert made.unplaced == sum(codes[0] is None for codes in made.codes)


@given(column=columns(), levels=st.integers(1, 4))
def test_the_file_loads_back_as_the_tree_that_was_meant_and_every_value_is_found_in_it(folder, column, levels):
    tax, values = column
    made = cut(tax, values, levels)
    loaded = load(written(folder, made))
    finder = Finder(loaded)
    for row in made.rows:
        (code,) = loaded.codes(row[0])
        assert finder.whole(row[0]) == code
        assert not loaded.children(code)
        assert [loaded.label(c) for c in loaded.ancestors(code)] == [cell for cell in row[::-1] if cell]
    assert len(loaded) == len({cell for row in made.rows for cell in row if cell})
    leaves = [c for c in range(len(loaded)) if not loaded.children(c)]
    assert len(leaves) == len(made.rows)


def written(folder: Path, made: Hierarchy) -> Path:
    with (folder / "made.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([made.header, *made.rows])
    return folder / "made.csv"


@given(column=columns(), levels=st.integers(1, 4), data=st.data())
def test_more_levels_never_lose_more_and_the_order_of_values_does_not_matter(column, levels, data):
    tax, values = column
    made = cut(tax, values, levels)
    assert cut(tax, values, levels + 1).cost <= made.cost + 1e-9
    assert cut(tax, data.draw(st.permutations(values)), levels) == made


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Parents before children, and how many records each node has, those below it included."""
    n = draw(st.integers(1, 9))
    parent = [0, *(draw(st.integers(0, i - 1)) for i in range(1, n))]
    records = draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))
    for i in range(n - 1, 0, -1):
        records[parent[i]] += records[i]
    return parent, records


def deepest(parent: list[int], kept: set[int]) -> int:
    """The most nodes kept on a way from the top."""
    count = [1]
    for i in range(1, len(parent)):
        count.append(count[parent[i]] + (i in kept))
    return max(count)


@given(tree=trees(), levels=st.integers(1, 4))
def test_no_other_choice_of_nodes_within_the_levels_loses_less(tree, levels):
    parent, records = tree
    kept, cost = best_kept(parent, records, levels)
    assert 0 in kept
    assert deepest(parent, kept) <= levels
    assert cost == pytest.approx(loss(parent, records, kept))
    others = range(1, len(parent))
    every = [{0, *some} for size in range(len(parent)) for some in combinations(others, size)]
    least = min(loss(parent, records, some) for some in every if deepest(parent, some) <= levels)
    assert cost == pytest.approx(least)


NUMBERS = st.floats(-1e4, 1e4).map(lambda x: round(x, 2)) | st.integers(-50, 10_000).map(float)


@given(numbers=st.lists(NUMBERS, min_size=1, max_size=20, unique=True), levels=st.integers(1, 4))
def test_every_range_holds_its_numbers_and_lies_in_one_range_of_the_next_level(numbers, levels):
    known = {repr(number): number for number in numbers}
    made = number_ranges(known, dict.fromkeys(known, 1), levels)
    assert [known[row[0]] for row in made.rows] == sorted(numbers)
    assert {row[-1] for row in made.rows} == {"any"}
    assert made.levels <= levels
    above: dict[str, str] = {}
    for row in made.rows:
        for name in row[1:-1]:
            low, high = bounds(name)
            assert low <= known[row[0]] < high
        for lower, upper in pairwise(row):
            assert above.setdefault(lower, upper) == upper


def bounds(name: str) -> tuple[float, float]:
    """From, and up to but not including."""
    if name.startswith("["):
        low, high = name[1:-1].split(", ")
        return float(low), float(high)
    low, high = name.split(" to ")
    return float(low), float(high) + 1


@given(
    sizes=st.lists(st.integers(2, 4), max_size=4),
    records=st.lists(st.integers(1, 9), min_size=1, max_size=12),
    most=st.integers(0, 3),
)
def test_no_other_choice_of_steps_loses_less(sizes, records, most):
    steps, width = [], 1
    for size in sizes:
        width *= size
        steps.append([f"{width}:{i // width}" for i in range(len(records))])
    kept, cost = best_steps(steps, records, most)
    assert len(kept) <= most
    every = [list(some) for size in range(most + 1) for some in combinations(steps, min(size, len(steps)))]
    assert cost == pytest.approx(min(lost(steps, some, records) for some in every))
    assert cost == pytest.approx(lost(steps, kept, records))


def lost(steps: list[list[str]], kept: list[list[str]], records: list[int]) -> float:
    """Σ over all ranges of w(r) · log2(w(k(r)) / w(r)), range by range."""
    total = 0.0
    for s, names in enumerate(steps):
        wider = next((one for one in steps[s:] if one in kept), ["any"] * len(records))
        for name in set(names):
            inside = [v for v, other in enumerate(names) if other == name]
            held = sum(records[v] for v in inside)
            around = sum(count for v, count in enumerate(records) if wider[v] == wider[inside[0]])
            total += held * log2(around / held)
    return total
