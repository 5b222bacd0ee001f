"""Random taxonomies for property tests, and how many of them."""

from hypothesis import settings
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge.build import Draft

Graph = dict[str, list[str]]  # concept -> its parents
EACH = settings(max_examples=settings().max_examples * 2 // 5)  # where each of ten parameters takes some


@st.composite
def graphs(draw: st.DrawFn, max_size: int = 16) -> Graph:
    """Any directed graph without cycles: several roots, several parents, lone concepts, now and then a long chain."""
    n = draw(st.integers(1, max_size))
    names = draw(st.permutations([f"c{i:02}" for i in range(n)]))
    chain = draw(st.booleans())
    graph: Graph = {}
    for i, name in enumerate(names):
        above = draw(st.lists(st.sampled_from(names[:i]), max_size=3, unique=True)) if i else []
        if chain and i and not above:
            above = [names[i - 1]]
        graph[name] = above
    return graph


def build(graph: Graph, order: list[str] | None = None, reverse_parents: bool = False) -> Taxonomy:
    """The taxonomy of a graph, its concepts and links told in a given order."""
    draft = Draft("random")
    for child in order or list(graph):
        draft.add(child)
        for parent in reversed(graph[child]) if reverse_parents else graph[child]:
            draft.link(child, parent)
    return draft.build()


def taxonomies(max_size: int = 16) -> st.SearchStrategy[Taxonomy]:
    return graphs(max_size).map(build)
