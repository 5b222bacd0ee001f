"""The ladder of a column, against the taxonomy it was made from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.publish.generalize.costs import ANYTHING, COSTS
from taxonym.publish.generalize.ladder import ladder
from taxonym.publish.generalize.recoding import RecodingColumn
from tests.strategies import taxonomies


@given(tax=taxonomies(10), cost=st.sampled_from(list(COSTS)), data=st.data())
def test_a_ladder_holds_what_may_be_published_and_joins_that_cost_least_together(
    tax: Taxonomy, cost: str, data: st.DataObject
) -> None:
    codes = np.array(data.draw(st.lists(st.integers(0, len(tax) - 1), min_size=1, max_size=6)))
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=len(tax), max_size=len(tax))))
    found = ladder(RecodingColumn(np.arange(len(codes) + 1), codes, tax, allowed, 2.0), cost)
    assert found.used[found.values].tolist() == codes.tolist()
    nodes = found.codes.tolist()
    assert set(nodes) == {a for c in codes for a in tax.ancestors(int(c)) if allowed[a]} | {ANYTHING}
    each, _ = COSTS[cost].of(tax)
    for value, code in enumerate(found.used.tolist()):
        above = dict(
            zip(tax.ancestors(code), each[tax.ancestor_start[code] : tax.ancestor_start[code + 1]], strict=True)
        )
        for node, concept in enumerate(nodes[:-1]):
            assert found.cost[value, node] == pytest.approx(2 * above.get(concept, np.inf))
        assert found.cost[value, found.home[value]] == found.cost[value].min()
    for a in range(len(nodes)):
        for b in range(len(nodes)):
            both = found.rise[a] + found.rise[b]
            assert both[found.join[a, b]] == both.min()
            assert found.lift[a, b] == found.rise[a, found.join[a, b]]
    for v in range(len(found.used)):
        for w in range(len(found.used)):
            assert found.apart[v, w] == found.cost[v][np.isfinite(found.cost[w])].min()


def test_the_deeper_of_two_nodes_that_cost_the_same_is_taken() -> None:
    tax = Taxonomy.from_edges([("low", "top"), ("a", "low"), ("b", "low")], name="chain")
    found = ladder(RecodingColumn(np.arange(3), np.array([tax.code("a"), tax.code("b")]), tax), "ncp")
    node, cost = found.common(np.array([0, 2]), np.array([0, 1]), np.array([1, 1]))
    assert found.codes[node[0]] == tax.code("low")
    assert cost[0] == 2.0
