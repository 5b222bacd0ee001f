"""Releases of documents, recounted by hand from the written file: k per class, the support rule, rounded weights."""

import csv
import json
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

import taxonym
from taxonym import Release, Taxonomy
from taxonym.errors import BrokenPromise
from taxonym.run.pipeline import anonymize

LINKS = {
    "thing": [], "animal": ["thing"], "food": ["thing"], "dog": ["animal"], "cat": ["animal"], "poodle": ["dog"],
    "cow": ["animal", "food"], "fruit": ["food"], "apple": ["fruit"], "pear": ["fruit"], "bread": ["food"],
}  # fmt: skip
TAX = Taxonomy.from_edges([(child, parent) for child, parents in LINKS.items() for parent in parents], name="things")
WORDS = [*LINKS, "zzqa", "zzqb"]
SEED = 8


def above(word: str) -> set[str]:
    return {word}.union(*(above(parent) for parent in LINKS[word])) if word in LINKS else {word}


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[list[str]], list[str], dict[str, Any]]:
    """Texts as lists of words, their authors, and settings."""
    texts = draw(st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=4, max_size=9))
    authors = [draw(st.sampled_from("abcdefgh")) for _ in texts]
    documents = {
        "terms": draw(st.integers(1, 5)),
        "centroid": draw(st.sampled_from(["medoid", "fold"])),
        "cover": draw(st.sampled_from([0.5, 1.0])),
        "layout": draw(st.sampled_from(["documents", "groups"])),
        "on_unknown": draw(st.sampled_from(["suppress", "keep-as-own-concept"])),
        "senses": draw(st.sampled_from(["first", "best-pair"])),
    }
    method = {
        "k": draw(st.integers(2, 3)),
        "known_items": draw(st.integers(0, 2)),
        "name": draw(st.sampled_from(["refined", "mdav"])),
        "consensus": draw(st.booleans()),
        "blocks": draw(st.sampled_from(["auto", "always"])),
        "block_size": 1,
    }
    person = draw(st.sampled_from([{}, {"person": "who"}, {"person": "who", "person_rows": "keep"}]))
    return texts, authors, {"documents": documents, "method": method | {"seed": SEED}, "input": person}


def released(texts: list[list[str]], authors: list[str], plan: dict[str, Any], folder: Path) -> Release | None:
    table = folder / "tax.csv"
    table.write_text("child,parent\n" + "".join(f"{c},{p}\n" for c, ps in LINKS.items() for p in ps))
    frame = pl.DataFrame({"text": [". ".join(text) for text in texts], "who": authors})
    settings = plan | {"documents": plan["documents"] | {"taxonomy": str(table)}}
    try:
        return anonymize(frame, settings, baselines=False)
    except BrokenPromise:
        return None


def vectors_in(path: Path) -> dict[int, tuple[int, tuple[tuple[str, str], ...]]]:
    """Number -> how many documents it stands for, and (term, weight) as written."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    size: dict[int, int] = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            number = int(row.get("document") or row["group"])
            found[number].append((row["term"], row["weight"]))
            size[number] = int(row.get("documents") or 1)
    return {number: (size[number], tuple(sorted(vector))) for number, vector in found.items()}


@given(cases())
@settings(max_examples=60)
def test_a_written_release_keeps_k_the_support_rule_and_rounded_weights(case):
    texts, authors, plan = case
    k, m = plan["method"]["k"], max(1, plan["method"]["known_items"])
    with TemporaryDirectory() as name:
        folder = Path(name)
        release = released(texts, authors, plan, folder)
        if release is None:
            return
        release.write(folder / "out.csv")
        release.write_trail(folder / "trail")
        found = vectors_in(folder / "out.csv")
        trail = [json.loads(line) for line in (folder / "trail").read_text().splitlines()[1:]]
    whose = authors if plan["input"] else [str(i) for i in range(len(texts))]
    persons, documents = defaultdict(Counter), Counter()
    for line in trail:
        if line["release_row"]:
            _, vector = found[line["release_row"]]
            persons[vector][whose[line["rows"][0] - 1]] += 1
            documents[line["release_row"]] += 1
    assert {number: size for number, (size, _) in found.items()} == documents
    assert set(persons) == {vector for _, vector in found.values()}
    order = [sorted(vector, key=lambda one: (-float(one[1]), one[0])) for _, vector in found.values()]
    assert order == sorted(order)  # so that it says nothing
    holds, inside = defaultdict(set), {who for some in persons.values() for who in some}
    for text, who in zip(texts, whose, strict=True):
        for word in text if who in inside else ():
            for concept in above(word):
                holds[concept].add(who)
    for vector, some in persons.items():
        assert len(some) >= k
        assert max(some.values()) * k <= some.total()
        terms = [term for term, _ in vector]
        assert len(set(terms)) == len(terms)
        for choice in combinations(terms, min(m, len(terms))):
            assert len(set.intersection(*(holds[term] for term in choice))) >= k
        for term, weight in vector:
            assert term not in ("zzqa", "zzqb") or plan["documents"]["on_unknown"] != "suppress"
            assert f"{float(weight):.0e}"[0] in "125"
            assert float(weight) == float(f"{float(weight):.0e}")


@given(cases(), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_the_same_seed_gives_the_same_release_and_the_order_of_the_documents_changes_no_vector(case, random):
    texts, authors, plan = case
    order = list(range(len(texts)))
    random.shuffle(order)
    with TemporaryDirectory() as name:
        first, again = (released(texts, authors, plan, Path(name)) for _ in "ab")
        other = released([texts[i] for i in order], [authors[i] for i in order], plan, Path(name))
    assert (first is None) == (again is None) == (other is None)
    if first is None or again is None or other is None:
        return
    assert first.frame.equals(again.frame)
    assert first.report == again.report

    def bag(release: Release) -> Counter[Any]:
        frame = release.frame.drop(release.frame.columns[0])
        return Counter(frame.iter_rows())

    assert bag(first) == bag(other)


def test_the_public_function_hands_documents_over() -> None:
    table = pl.DataFrame({"text": ["a dog and a cat", "a dog, a cat", "cats and dogs"]})
    release = taxonym.anonymize(table, {"documents": {}, "method": {"k": 3}})
    assert release.groups == [[0, 1, 2]]
    assert set(release.table["term"]) == {"dog", "cat"}
