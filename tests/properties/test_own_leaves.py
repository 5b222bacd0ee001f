"""What a column adds to its taxonomy changes nothing of the other concepts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.distance.matrix import concept_distances
from taxonym.distance.registry import DISTANCES
from taxonym.knowledge.combine import with_phrases, with_values
from taxonym.knowledge.content import CONTENTS, corpus
from taxonym.knowledge.floor import says_nothing
from taxonym.measure.generalization import leaf_share
from tests.strategies import taxonomies


@st.composite
def with_own(draw: st.DrawFn) -> tuple[Taxonomy, Taxonomy, list[int]]:
    """A taxonomy, the same with values and phrases of a column, and the heads of the phrases."""
    tax = draw(taxonomies())
    heads = draw(st.lists(st.integers(0, len(tax) - 1), min_size=1, max_size=5))
    root = draw(st.none() | st.sampled_from(tax.roots))
    more = with_values(tax, [f"value {i}" for i in range(draw(st.integers(0, 2)))], root)
    return tax, with_phrases(more, [(head, f"phrase {i}") for i, head in enumerate(heads)]), heads


@given(with_own())
def test_own_leaves_count_in_no_content_no_depth_no_floor_and_no_share_of_leaves(
    made: tuple[Taxonomy, Taxonomy, list[int]],
) -> None:
    tax, more, heads = made
    n = len(tax)
    for name, one in CONTENTS.items():
        before, after = ((corpus(t, np.arange(len(t)) % 7) if name == "corpus" else one.define(t)) for t in (tax, more))
        assert after[:n].tolist() == before.tolist()
        assert after[len(more) - len(heads) :].tolist() == [before[head] or 1.0 for head in heads]
    assert more.max_depth == tax.max_depth
    assert more.depths[len(more) - len(heads) :].tolist() == [tax.depth(head) + 1 for head in heads]
    assert says_nothing(more)[:n].tolist() == says_nothing(tax).tolist()
    assert leaf_share(more)[:n].tolist() == leaf_share(tax).tolist()


@settings(max_examples=max(5, settings().max_examples // 5))  # of which each asks for all distances
@given(made=with_own())
def test_own_leaves_change_no_distance_between_others_and_are_one_node_below_their_head(
    made: tuple[Taxonomy, Taxonomy, list[int]],
) -> None:
    tax, more, heads = made
    n, every = len(tax), np.arange(len(more))
    for name in DISTANCES:
        found = concept_distances(more, every, every, name)
        assert found[:n, :n].tolist() == concept_distances(tax, every[:n], every[:n], name).tolist()
        assert found.min() >= 0
        assert found.max() <= 1
        assert found == pytest.approx(found.T)
        defined = [[DISTANCES[name].define(more, a, b) for b in every.tolist()] for a in every[n:].tolist()]
        assert found[n:] == pytest.approx(np.array(defined), abs=1e-9)
    near = concept_distances(more, every, every, "jaccard")[len(more) - len(heads) :]
    assert [near[i, head] for i, head in enumerate(heads)] == [1 / (1 + len(tax.ancestors(head))) for head in heads]
