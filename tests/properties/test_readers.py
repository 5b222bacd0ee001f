"""A random forest or graph, written in each format and read back, is the same, whatever the order of the rows."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.errors import BadTaxonomy
from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.edges import read_edges, read_levels
from taxonym.knowledge.readers.mesh import read_mesh
from taxonym.knowledge.readers.nested import read_json
from taxonym.knowledge.readers.outline import JOINT, read_indented, read_paths
from taxonym.knowledge.readers.rf2 import read_rf2
from taxonym.knowledge.taxonomy import Taxonomy
from tests.strategies import Graph, graphs

Path_ = tuple[str, ...]
Forest = dict[Path_, None]  # the paths from the root of all concepts, parents first

PLAIN = st.text("abcé日 _-&", min_size=1, max_size=5).map(lambda text: "x" + text.strip())
ODD = st.text("ab >/;,\"'|:*#[]\t=", min_size=1, max_size=5).map(lambda text: " ".join(text.split())).filter(bool)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readers")


@st.composite
def forests(draw: st.DrawFn, labels: st.SearchStrategy[str]) -> Forest:
    """Trees in which siblings differ, though labels come back elsewhere."""
    forest: Forest = {}
    for _ in range(draw(st.integers(1, 12))):
        above = draw(st.sampled_from([(), *forest]))
        forest[*above, draw(labels)] = None
    return forest


def by_path(draft: Draft) -> set[Path_]:
    """The labels on the way down to every concept: what a tree is, ids aside."""
    tax = draft.build()
    assert len(set(tax.ids)) == len(tax)
    found = []
    for c in range(len(tax)):
        way = [c]
        while above := tax.parents(way[-1]):
            assert len(above) == 1
            way.append(above[0])
        found.append(tuple(tax.label(w) for w in reversed(way)))
    assert len(set(found)) == len(found)
    return set(found)


def links(tax: Taxonomy) -> dict[str, tuple[str, set[str]]]:
    return {tax.id(c): (tax.label(c), {tax.id(p) for p in tax.parents(c)}) for c in range(len(tax))}


def write(folder: Path, text: str, name: str = "file.txt") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def table(rows: list[list[str]], delimiter: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue()


def leaves(forest: Forest) -> list[Path_]:
    return [path for path in forest if not any(other[:-1] == path for other in forest)]


READERS = (read_edges, read_levels, read_paths, read_indented, read_json, read_mesh)
BYTES = st.binary(max_size=60) | st.text('a1 >/;,"|\t\n-[]{}:*\0\r\ufeff#A.é', max_size=60).map(str.encode)


@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)
@given(content=BYTES, packed=st.booleans(), cut=st.integers(0, 40))
def test_whatever_a_file_holds_it_is_read_or_ends_in_one_line(folder, read, content, packed, cut):
    path = folder / "any.txt"
    path.write_bytes(gzip.compress(content)[: 20 + cut] if packed else content)
    message = complaint(read, path)
    assert message is None or (message.startswith(("any.txt", str(path))) and len(message.splitlines()) == 1)


def complaint(read: Callable[[Path], Draft], path: Path) -> str | None:
    try:
        read(path).build()
    except BadTaxonomy as error:
        return str(error)
    return None


# ---------------------------------------------------------------------- tables


@given(graph=graphs(), delimiter=st.sampled_from(",;\t|"), data=st.data())
def test_links_come_back_from_a_table_in_any_order(folder, graph: Graph, delimiter, data):
    rows = [[c, p] for c, above in graph.items() for p in above or [""]]
    text = table([["child", "parent"], *data.draw(st.permutations(rows))], delimiter)
    assert links(read_edges(write(folder, text)).build()) == {c: (c, set(above)) for c, above in graph.items()}


@given(graph=graphs(), delimiter=st.sampled_from(",;\t|"), data=st.data())
def test_ids_labels_and_several_parents_in_one_cell_come_back(folder, graph: Graph, delimiter, data):
    labels = {c: data.draw(ODD.filter(lambda text: text.strip("_"))) for c in graph}
    rows = [[labels[c], "|".join(above), c] for c, above in graph.items()]
    text = table([["a made-up title"], ["Name", "Parent", "ID"], *data.draw(st.permutations(rows))], delimiter)
    tax = read_edges(write(folder, text)).build()
    assert links(tax) == {c: (labels[c], set(above)) for c, above in graph.items()}


@given(forest=forests(ODD), delimiter=st.sampled_from(",;\t|"), leaf_first=st.booleans(), data=st.data())
def test_levels_come_back_from_a_table_in_any_order(folder, forest: Forest, delimiter, leaf_first, data):
    depth = max(2, *map(len, forest))
    rows = [[*path, *[""] * (depth - len(path))] for path in data.draw(st.permutations(leaves(forest)))]
    rows.insert(0, [f"level {i + 1}" for i in range(depth)])
    text = table([row[::-1] for row in rows] if leaf_first else rows, delimiter)
    assert by_path(read_levels(write(folder, text), delimiter=delimiter)) == set(forest)


# ---------------------------------------------------------------------- plain text


@given(forest=forests(PLAIN), separator=st.sampled_from([" > ", "/", "::", ";", "\t"]), data=st.data())
def test_paths_come_back_in_any_order_with_or_without_their_inner_nodes(folder, forest: Forest, separator, data):
    lines = data.draw(st.permutations(data.draw(st.sampled_from([list(forest), leaves(forest)]))))
    path = write(folder, "\n".join(separator.join(line) for line in lines))
    assert by_path(read_paths(path, separator=separator)) == set(forest)


@given(forest=forests(PLAIN), mark=st.sampled_from([" - ", "\t"]), data=st.data())
def test_paths_with_ids_come_back_in_any_order(folder, forest: Forest, mark, data):
    ids = {path: f"N{number}" for number, path in enumerate(forest)}
    lines = data.draw(st.permutations([f"{id}{mark}{JOINT.join(path)}" for path, id in ids.items()]))
    tax = read_paths(write(folder, "\n".join(lines))).build()
    assert links(tax) == {id: (p[-1], {ids[p[:-1]]} if len(p) > 1 else set()) for p, id in ids.items()}
    assert all(tax.code(JOINT.join(path)) == tax.code(id) for path, id in ids.items())


INDENTS: dict[str, Callable[[int, str, int], str]] = {
    "tabs": lambda depth, label, number: "\t" * depth + label,
    "bullets": lambda depth, label, number: "   " * depth + "- " + label,
    "ids left": lambda depth, label, number: "  " * depth + f"{number} | {label}",
}


@pytest.mark.parametrize("write_line", INDENTS.values(), ids=list(INDENTS))
@given(forest=forests(PLAIN), first=st.integers(1, 9_990))
def test_indented_lines_come_back(folder, write_line, forest: Forest, first):
    lines = [write_line(len(path) - 1, path[-1], first + i) for i, path in enumerate(depth_first(forest))]
    assert by_path(read_indented(write(folder, "\n".join(lines)))) == set(forest)


@given(forest=forests(PLAIN), first=st.integers(1, 9_990), data=st.data())
def test_a_nested_set_comes_back_in_any_order(folder, forest: Forest, first, data):
    spans: dict[Path_, list[int]] = {}
    clock, around = 0, []
    for path in [*depth_first(forest), ()]:
        while around and around[-1] != path[: len(around[-1])]:
            spans[around.pop()].append(clock := clock + 1)
        while path == () and around:
            spans[around.pop()].append(clock := clock + 1)
        if path:
            spans[path] = [clock := clock + 1]
            around.append(path)
    lines = []
    for number, (path, (left, right)) in enumerate(spans.items(), first):
        lines.append(f"{number:>{5 + 2 * len(path)}} | [{left:>4}-{right:>4}] | {path[-1]}")
    assert by_path(read_indented(write(folder, "\n".join(data.draw(st.permutations(lines)))))) == set(forest)


def depth_first(forest: Forest) -> list[Path_]:
    return sorted(forest)


@given(forest=forests(ODD), objects=st.booleans())
def test_nested_json_comes_back(folder, forest: Forest, objects):
    def plain(above: Path_) -> dict[str, Any]:
        return {path[-1]: plain(path) for path in forest if path[:-1] == above}

    def nodes(above: Path_) -> list[dict[str, Any]]:
        return [{"name": path[-1], "children": nodes(path)} for path in forest if path[:-1] == above]

    content = nodes(()) if objects else plain(())
    assert by_path(read_json(write(folder, json.dumps(content)))) == set(forest)


# ---------------------------------------------------------------------- medicine


@given(graph=graphs(max_size=8), data=st.data())
def test_a_mesh_graph_comes_back_in_any_order(folder, graph: Graph, data):
    places: dict[str, list[str]] = {}
    lines: list[str] = []
    for i, (name, above) in enumerate(graph.items()):  # parents come first
        over = [f"{place}." for parent in above for place in places[parent]] or ["A"]
        places[name] = [f"{place}{i:03}" for place in over]
        lines += [f"{name};{place}" for place in places[name]]
    tax = read_mesh(write(folder, "\n".join(data.draw(st.permutations(lines))))).build()
    assert links(tax) == {"A": ("Anatomy", set())} | {c: (c, set(above) or {"A"}) for c, above in graph.items()}


@given(graph=graphs(max_size=8), data=st.data())
def test_an_rf2_snapshot_comes_back_in_any_order(folder, graph: Graph, data):
    number = {name: str(100 + i) for i, name in enumerate(graph)}
    pairs = [(number[c], number[p]) for c, above in graph.items() for p in above]

    def put(name: str, header: str, rows: list[str]) -> None:
        lines = [header, *data.draw(st.permutations(rows))]
        write(folder, "\n".join("\t".join(line.split(" ")) for line in lines), f"rf2/{name}_INT_20240101.txt")

    put("sct2_Concept_Snapshot", "id active", [f"{id} 1" for id in number.values()])
    header = "active sourceId destinationId typeId characteristicTypeId modifierId"
    rest = "116680003 900000000000011006 900000000000451002"
    put("sct2_Relationship_Snapshot", header, [f"1 {c} {p} {rest}" for c, p in pairs])
    header = "id active conceptId languageCode typeId term"
    rows = [f"9{id} 1 {id} en 900000000000003001 {name}" for name, id in number.items()]
    put("sct2_Description_Snapshot-en", header, rows)
    tax = read_rf2(folder / "rf2").build()
    assert links(tax) == {number[c]: (c, {number[p] for p in above}) for c, above in graph.items()}
