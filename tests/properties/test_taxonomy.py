from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge import compiled
from tests.strategies import Graph, build, graphs, taxonomies


def ancestors_by_hand(graph: Graph, concept: str) -> set[str]:
    return {concept}.union(*(ancestors_by_hand(graph, parent) for parent in graph[concept]))


def depth_by_hand(graph: Graph, concept: str) -> int:
    return 1 + max((depth_by_hand(graph, parent) for parent in graph[concept]), default=0)


def climb_by_hand(graph: Graph, low: str, high: str) -> float:
    return 0 if low == high else 1 + min((climb_by_hand(graph, p, high) for p in graph[low]), default=float("inf"))


@given(graphs())
def test_ancestors_depths_and_climbs_are_those_of_the_graph(graph: Graph) -> None:
    tax = build(graph)
    for concept in graph:
        c = tax.code(concept)
        assert {tax.id(t) for t in tax.ancestors(c)} == ancestors_by_hand(graph, concept)
        assert tax.depth(c) == depth_by_hand(graph, concept)
        assert {tax.id(p) for p in tax.parents(c)} == set(graph[concept])
        assert {tax.id(x) for x in tax.children(c)} == {x for x in graph if concept in graph[x]}
        assert all(steps == climb_by_hand(graph, concept, tax.id(t)) for t, steps in tax.climbs(c).items())


@given(graphs())
def test_the_lcs_is_the_deepest_common_ancestor_then_the_shorter_path_then_the_lower_code(graph: Graph) -> None:
    tax = build(graph)
    for a in range(len(tax)):
        for b in range(len(tax)):
            common = [t for t in tax.ancestors(a) if t in tax.ancestors(b)]
            ranked = sorted(common, key=lambda t: (-tax.depth(t), tax.climbs(a)[t] + tax.climbs(b)[t], t))
            assert tax.lcs(a, b) == (ranked[0] if ranked else None)


@given(taxonomies())
def test_a_concept_comes_after_all_its_ancestors_and_every_code_is_used_once(tax: Taxonomy) -> None:
    for c in range(len(tax)):
        assert tax.ancestors(c) == sorted(set(tax.ancestors(c)))
        assert tax.ancestors(c)[-1] == c
        assert tax.code(tax.id(c)) == c
        assert c in tax.codes(tax.label(c))


@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_in_which_a_file_lists_its_rows_does_not_matter(graph: Graph, random: Random) -> None:
    order = list(graph)
    random.shuffle(order)
    assert build(graph, order, reverse_parents=True).fingerprint == build(graph).fingerprint


@given(graphs(), graphs())
def test_taxonomies_with_equal_fingerprints_are_equal(one: Graph, other: Graph) -> None:
    same = {c: set(p) for c, p in one.items()} == {c: set(p) for c, p in other.items()}
    assert (build(one).fingerprint == build(other).fingerprint) == same


@given(taxonomies())
def test_a_compiled_file_gives_back_the_taxonomy_it_was_made_of(tax: Taxonomy) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.taxonym"
        compiled.write(tax, path)
        again = compiled.read(path)
    assert again.fingerprint == tax.fingerprint
    assert again.name == tax.name
    for name, array in compiled.sections(tax).items():
        assert np.array_equal(array, compiled.sections(again)[name]), name


@given(graphs(), st.data())
def test_the_part_below_a_concept_is_what_its_own_links_would_build(graph: Graph, data: st.DataObject) -> None:
    tax = build(graph)
    root = data.draw(st.sampled_from(sorted(graph)))
    part = tax.under(tax.code(root))
    inside = {c for c in graph if root in ancestors_by_hand(graph, c)}
    expected = build({c: [p for p in graph[c] if p in inside] for c in graph if c in inside})
    assert part.fingerprint == expected.fingerprint
    assert [part.id(c) for c in part.roots] == [root]


@given(graphs(8), graphs(8))
def test_joined_taxonomies_keep_their_inner_links_under_one_root(one: Graph, other: Graph) -> None:
    a, b = build(one), build({f"other {c}": [f"other {p}" for p in above] for c, above in other.items()})
    joined = Taxonomy.join([a, b])
    assert [joined.id(c) for c in joined.roots] == ["everything"]
    assert len(joined) == len(a) + len(b) + 1
    for tax in (a, b):
        for c in range(len(tax)):
            above = {joined.id(t) for t in joined.ancestors(joined.code(tax.id(c)))}
            assert above == {tax.id(t) for t in tax.ancestors(c)} | {"everything"}


labels = st.text(min_size=1, max_size=12).filter(lambda text: text.strip(" \t\n\r\v\f_\x1c\x1d\x1e\x1f\x85\xa0") != "")


@given(st.lists(st.tuples(labels, labels), max_size=12))
def test_any_unicode_string_can_be_an_id_and_a_label(pairs: list[tuple[str, str]]) -> None:
    # an edge list whose children come later in the alphabet than their parents has no cycle
    edges = [(max(pair), min(pair)) for pair in pairs if pair[0] != pair[1]]
    usable = [(c, p) for c, p in edges if c.split() and p.split()]
    if not usable:
        return
    tax = Taxonomy.from_edges(usable)
    for child, parent in usable:
        assert tax.code(parent) in tax.ancestors(tax.code(child))
        assert tax.code(child) in tax.codes(child)
