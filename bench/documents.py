"""Documents: what generalised vectors of terms lose for k = 2 to 10, and whether topics can still be told.

    python bench/documents.py [--data DIR]

Speeches (59 inaugural addresses of US presidents) and news (2,189 items of Reuters R8, eight classes). Two ways are
compared. The paper's, in our reading: mdav, best pairs of senses, the least common subsumer of all, exact weights, no
support rule. Ours, the default of a release: refined groups, first senses, concepts that cover half of a group, the
support rule with known_items = 2, rounded weights. Draws docs/images/documents.svg.
"""

import gzip
import resource
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import polars as pl
from charts import charts
from common import section, short, table
from real_sets import data_argument
from scipy.optimize import linear_sum_assignment

import taxonym
from taxonym.distance.vectors import Vectors
from taxonym.distance.vectors_matrix import term_distances, vector_matrix
from taxonym.group.registry import grouping_named
from taxonym.measure.nearest import ClassificationScore, features, nearest_class
from taxonym.plan import Plan
from taxonym.publish.groups import Support
from taxonym.publish.vectors import Generalized, around, middle_of
from taxonym.shapes.documents import publish
from taxonym.shapes.documents.read import Authors, prepare_documents
from taxonym.shapes.documents.report import losses

PLOT = Path(__file__).resolve().parents[1] / "docs" / "images" / "documents.svg"
SIZES = range(2, 11)
TERMS = (50, 100)
PAPER, OURS = "paper", "release"
SENSES = {PAPER: "best-pair", OURS: "first"}


def speeches(data: Path) -> list[str]:
    with zipfile.ZipFile(data / "docs" / "inaugural.zip") as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".txt"))
        return [_decoded(archive.read(name)) for name in names]


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252")


def news(data: Path) -> tuple[list[str], list[str]]:
    """Texts and their classes."""
    with gzip.open(data / "docs" / "reuters-r8-test.tab.gz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][4:]
    return [row[1] for row in rows], [row[0] for row in rows]


def plan_of(k: int, terms: int, way: str) -> Plan:
    cover = 1.0 if way == PAPER else 0.5
    return Plan.from_dict(
        {"documents": {"terms": terms, "senses": SENSES[way], "cover": cover}, "method": {"k": k, "seed": 1}}
    )


def published(authors: Authors, groups: list[list[int]], k: int, way: str) -> tuple[list[list[int]], list[Generalized]]:
    if way == PAPER:
        x = authors.vectors
        parts = [x.take(np.array(group)) for group in groups]
        return groups, [around(part, middle_of(part)) for part in parts]
    support = Support.of(authors.words, np.arange(len(authors)), k)
    made = publish(authors, support, groups, plan_of(k, authors.how.terms, way).method)
    return made.groups, made.vectors


def runs(texts: Sequence[str], terms: int, way: str) -> Iterator[tuple[int, Authors, Any, list[Generalized]]]:
    """For every k the groups and what they publish."""
    authors = prepare_documents(pl.DataFrame({"text": list(texts)}), plan_of(2, terms, way))
    matrix = vector_matrix(authors.vectors, workers=2)
    form = grouping_named("mdav" if way == PAPER else "refined").form
    for k in SIZES:
        yield k, authors, *published(authors, sorted(form(matrix, k)), k, way)


def loss_tables(sets: dict[str, list[str]]) -> tuple[list[str], dict[str, Any]]:
    parts: list[str] = []
    panels: dict[str, Any] = {}
    for name, texts in sets.items():
        rows: dict[int, list[Any]] = {k: [k] for k in SIZES}
        told = ""
        for way in (PAPER, OURS):
            for terms in TERMS:
                for k, authors, groups, vectors in runs(texts, terms, way):
                    found = losses(authors, groups, vectors, np.random.default_rng(1))
                    rows[k] += [f"{found[key]:.3f}" for key in ("sse", "ssa", "sst")] + [f"{found['L']:.2f}"]
                    lines = panels.setdefault(f"L %, {name}, N = {terms}", {})
                    lines.setdefault(way, []).append((k, found["L"]))
                if way == OURS:
                    share = 100 * authors.known / (authors.known + authors.unknown)
                    told += (
                        f" N = {terms}: {share:.1f} % of the words have a concept, the vectors with and without the "
                        f"others are alike by {authors.coverage:.4f} (Jaccard; the paper has 0.7696 and 0.7712 for its "
                        f"50 papers)."
                    )
        head = ["k"] + [
            f"{what}, {way} N={terms}"
            for way in (PAPER, OURS)
            for terms in TERMS
            for what in ("SSE", "SSA", "SST", "L")
        ]
        parts.append(f"**{name}**, {len(texts):,} documents.{told}")
        parts.append(table(head, list(rows.values())))
    return parts, panels


def classification(texts: list[str], labels: list[str]) -> tuple[list[str], dict[str, Any]]:
    """Half of the news is published, the other half teaches what the classes are like, and the other way round."""
    half = np.random.default_rng(1).permutation(len(texts))
    public, private = half[: len(half) // 2], half[len(half) // 2 :]
    rows: dict[int, list[Any]] = {k: [k] for k in SIZES}
    lines: dict[str, list[tuple[float, float]]] = {}
    for way in (PAPER, OURS):
        outside = prepare_documents(pl.DataFrame({"text": [texts[i] for i in public]}), plan_of(2, 50, way))
        known = [labels[public[d[0]]] for d in outside.documents]
        taught = features(outside.vectors)
        for k, authors, groups, vectors in runs([texts[i] for i in private], 50, way):
            mine = [labels[private[d[0]]] for d in authors.documents]
            ceiling = ClassificationScore.of(mine, nearest_class(taught, known, features(authors.vectors)))
            units = [unit for group in groups for unit in group]
            concepts = [
                [((code,), w) for code, w in vector]
                for group, vector in zip(groups, vectors, strict=True)
                for _ in group
            ]
            theirs = features(Vectors.of(authors.vectors.tax, concepts))
            classes = [mine[unit] for unit in units]
            hits = ClassificationScore.of(classes, nearest_class(taught, known, theirs))
            back = ClassificationScore.of(known, nearest_class(theirs, classes, taught))
            rows[k] += [f"{x:.3f}" for x in (hits.accuracy, hits.macro_f, back.accuracy, back.macro_f)]
            lines.setdefault(way, []).append((k, hits.accuracy))
    floor = Counter(mine).most_common(1)[0][1] / len(mine)
    lines["original (ceiling)"] = [(k, ceiling.accuracy) for k in SIZES]
    lines["most frequent class"] = [(k, floor) for k in SIZES]
    head = ["k"]
    for way in (PAPER, OURS):
        head += [f"{way}: accuracy", "macro F", "taught by it: accuracy", "macro F"]
    parts = [
        f"**Topics of news by the nearest class** (N = 50). {len(private):,} items are published, {len(public):,} "
        f"others are not and teach the classes. Ceiling (originals, learned from originals): accuracy "
        f"{ceiling.accuracy:.3f}, macro F {ceiling.macro_f:.3f}; floor (most frequent class for all): {floor:.3f}. "
        f"*Taught by it*: classes learned from the published vectors, asked about the originals of the others.",
        table(head, list(rows.values())),
    ]
    return parts, {"accuracy, news": lines}


def speed() -> list[str]:
    """All pairs of 600 documents of 100 terms, beside scipy's assignment on the same tables, one thread each."""
    tax, rng = taxonym.load("wordnet"), np.random.default_rng(1)
    nouns = np.flatnonzero([".n." in tax.id(c) for c in range(len(tax))])
    common = rng.permutation(nouns)[:5000]
    share = 1 / np.arange(1, len(common) + 1) ** 0.7
    documents = [
        [((int(c),), 0.01) for c in rng.choice(common, 100, replace=False, p=share / share.sum())] for _ in range(600)
    ]
    x = Vectors.of(tax, documents)
    vector_matrix(x.take(np.arange(4)))  # compiled
    begun = process_time()
    terms = term_distances(x, x)
    compared = process_time() - begun
    begun = process_time()
    vector_matrix(x)
    whole = process_time() - begun
    pairs = len(x) * (len(x) - 1) // 2
    some = [(int(a), int(b)) for a, b in rng.integers(0, len(x), (3000, 2))]
    begun = process_time()
    for a, b in some:
        cost = terms[np.ix_(x.terms[a], x.terms[b])]
        linear_sum_assignment(cost)
    peer = (process_time() - begun) / len(some) * pairs
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return [
        f"**Speed**: all {pairs:,} pairs of 600 made documents with 100 terms each ({len(x.senses):,} different): "
        f"{short(whole)} CPU seconds on one thread ({short(1e6 * whole / pairs)} µs a pair, {short(compared)} s of it "
        f"for the distances between terms). scipy's `linear_sum_assignment` on the same tables, from Python, would "
        f"take {short(peer)} s ({len(some):,} pairs measured): {short(peer / whole)} times as long. Peak memory "
        f"of all this: {peak:.2f} GB."
    ]


def main() -> None:
    options = data_argument(__doc__).parse_args()
    texts, labels = news(options.data)
    fast = speed()
    lost, panels = loss_tables({"speeches": speeches(options.data), "news": texts})
    found, more = classification(texts, labels)
    PLOT.write_text(charts("Loss of meaning and topics found, k = 2 to 10", panels | more, "k"))
    section(
        "documents",
        "Documents: loss of generalised vectors, and topics (Navarro-Arribas and Torra 2010, chapter 2)",
        "python bench/documents.py",
        [
            "The shape of Table 2.2 and Figure 2.1 on public documents. *paper*: mdav, best pairs of senses, least "
            "common subsumers of all, exact weights, no support rule. *release*: the default of a release, under the "
            "support rule with known_items = 2. SSA is taken from the generalised vector of all documents. Best pairs "
            "of senses are nearer to each other than first senses, so compare the sums of one way with each other; "
            "what both ways leave of topics can be compared. The picture is docs/images/documents.svg.",
            *lost,
            *found,
            *fast,
        ],
        ("numpy", "numba", "scipy"),
    )


if __name__ == "__main__":
    main()
