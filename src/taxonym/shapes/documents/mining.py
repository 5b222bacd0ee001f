"""What data mining still finds in a release of documents.

terms        the heaviest ones; beside them, how much two halves of the documents differ
retrieval    how many of the nearest documents are still found; beside it, two halves of the terms of every document
clusters     of the originals and of the release; beside them, two clusterings of the originals
classes      by the nearest one, where the plan names them; beside them, those of the originals
homogeneity  sums of squares: Table 2.2 and Figure 2.1 of [NavarroArribas2010] over k

What is published, dealt to the documents by lot, shows what groups without meaning would keep.
"""

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.distance.vectors import Vector, Vectors
from taxonym.distance.vectors_matrix import vector_matrix, vector_pairs
from taxonym.errors import BadInput
from taxonym.io.files import read_released
from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.content import content
from taxonym.measure.mining import agreement, k_means, k_medoids, still_on_top, total_variation
from taxonym.measure.nearest import ClassificationScore, features, nearest_class, neighbours_kept
from taxonym.measure.squares import squares
from taxonym.plan import Plan
from taxonym.shapes.documents.read import Authors, prepare_documents
from taxonym.shapes.documents.report import overall
from taxonym.shapes.documents.reread import ReadVectors, published
from taxonym.shapes.mining import Mining, table

if TYPE_CHECKING:
    from taxonym.shapes.table.reread import Trail

MOST = 2_000  # documents that are clustered: more are drawn from
AXES = 50  # of the independent features that k-means looks at
FOLDS = 5
NEAREST = 5  # documents that a search shows
AS_PUBLISHED, BY_LOT = "published vectors", "published vectors, dealt by lot"


def mine(original: str, release: str, plan: Plan, trail: "Trail | None", options: Mining) -> dict[str, Any]:
    """Terms; with the trail also clusterings and, where the plan names classes, classification by the nearest one."""
    rng = np.random.default_rng(options.seed)
    lots = np.random.default_rng(None if options.seed is None else [options.seed, 1])
    authors = prepare_documents(original, plan)
    found = published(read_released(release), release)
    y = _meant(found, authors, release)
    terms, told = _terms(authors, y, found, plan.method.k, options, lots)
    tables, notes = [terms], [told]
    if trail is None:
        notes.append(
            "Give --trail to compare what is near, clusters and classes: it tells which document became which vector."
        )
        return {"kind": "documents", "tables": tables, "notes": notes}
    unit, place, document = _together(authors, found, trail)
    if len(unit) > MOST:
        some = np.sort(rng.permutation(len(unit))[:MOST])
        notes.append(f"Clusters, and what is near, are those of {MOST:,} documents, drawn at random.")
    else:
        some = np.arange(len(unit))
    x, dealt = authors.vectors, lots.permutation(place)
    tables.append(_retrieval(x.take(unit[some]), y.take(place[some]), y.take(dealt[some]), lots))
    tables.append(_clusters(x.take(unit[some]), y.take(place[some]), authors.how.measure, options, rng))
    if (classes := authors.corpus.classes) is None:
        notes.append("Name the column of topics with classes = … under [documents] to see whether they can be told.")
    else:
        labels = [classes[d] for d in document.tolist()]
        tables.append(_classes(x.take(unit), y.take(place), y.take(dealt), labels, rng))
        notes.append(
            "Classes are found by the nearest one, learned from documents of other groups: from originals, and from "
            "what is published of these. Guessing the most frequent class is the floor, originals are the ceiling."
        )
    tables.append(_homogeneity(x, y, unit, place, dealt, authors.how.measure))
    return {"kind": "documents", "tables": tables, "notes": notes}


def _meant(found: ReadVectors, authors: Authors, where: str) -> Vectors:
    """The published vectors as concepts."""
    vectors = []
    for vector in found.vectors:
        codes = [(authors.words.maps_to(term), weight) for term, weight in vector]
        if any(code is None for code, _ in codes):
            raise BadInput(f"{where}: has a term without a concept in {authors.words.tax.name}. Is it the right plan?")
        vectors.append([((code,), weight) for code, weight in codes if code is not None])
    return Vectors.of(authors.words.tax, vectors)


def _together(authors: Authors, found: ReadVectors, trail: "Trail") -> tuple[Long, Long, Long]:
    """For every published document its author's place, its place in the release, and its number."""
    unit_of = {d: unit for unit, documents in enumerate(authors.documents) for d in documents}
    place = {number: i for i, number in enumerate(found.numbers)}
    rows = []
    for first, row in zip(trail.first, trail.released, strict=True):
        if row:
            if row not in place or first - 1 not in unit_of:
                raise BadInput(f"{trail.where}: belongs to another release or original: they have fewer documents.")
            rows.append((unit_of[first - 1], place[row], first - 1))
    unit, at, document = np.array(rows, np.int64).reshape(-1, 3).T
    return unit, at, document


# ---------------------------------------------------------------------- terms


def _mass(x: Vectors, times: Floats) -> Floats:
    """How much weight every concept has, with what lies below it, in a document on average; times[i] documents are
    like vector i, and the weights of each are taken to add up to 1."""
    tax = x.senses.tax
    out = np.zeros(len(tax))
    for i, vector in enumerate(x):
        total = sum(weight for _, weight in vector) or 1.0
        for senses, weight in vector:
            out[tax.ancestor[tax.ancestor_start[senses[0]] : tax.ancestor_start[senses[0] + 1]]] += (
                times[i] * weight / total
            )
    mass: Floats = out / max(1.0, times.sum())
    return mass


def _terms(
    authors: Authors, y: Vectors, found: ReadVectors, k: int, options: Mining, rng: np.random.Generator
) -> tuple[dict[str, Any], str]:
    """The heaviest concepts of the originals that at least k persons have as they are, and what is left of them."""
    x, tax = authors.vectors, authors.words.tax
    own, held = np.zeros(len(tax)), Counter[int]()
    half, halves = rng.permutation(len(x)) % 2, np.zeros((2, len(tax)))
    for vector, side in zip(x, half.tolist(), strict=True):
        for senses, weight in vector:
            halves[side, senses[0]] += weight
            held[senses[0]] += 1
    own += halves.sum(axis=0)
    published = np.zeros(len(tax))
    for vector, size in zip(y, found.sizes, strict=True):
        for senses, weight in vector:
            published[senses[0]] += size * weight
    before, after = _mass(x, np.ones(len(x))), _mass(y, np.array(found.sizes, np.float64))
    common = np.array([held[code] >= k for code in range(len(tax))])
    top = [int(c) for c in np.argsort(-own * common, kind="stable")[: options.top] if own[c] > 0 and common[c]]
    rows: list[tuple[Any, ...]] = [(tax.label(code), float(before[code]), float(after[code])) for code in top]
    kept, moved = still_on_top(own * common, published, options.top), total_variation(own, published)
    told = (
        f"{kept} of these {len(top)} are among the {options.top} heaviest of the release as they are; "
        f"{100 * moved:.0f} % of all weight lies on other concepts, as a rule on more general ones"
        + (f" (of two halves of the documents: {100 * total_variation(*halves):.0f} %)." if len(x) > 1 else ".")
    )
    title = "Weight of the heaviest concepts in a document, with what lies below them"
    return table("terms", title, ["concept", "original", "release"], rows), told


# ---------------------------------------------------------------------- what is near


def _retrieval(x: Vectors, y: Vectors, dealt: Vectors, rng: np.random.Generator) -> dict[str, Any]:
    """How many of the documents nearest to each are the nearest again, by features that did not group."""
    parts: tuple[list[Vector], list[Vector]] = ([], [])
    for vector in x:
        order = rng.permutation(len(vector)).tolist()
        for part, places in zip(parts, (order[::2], order[1::2] or order), strict=True):
            part.append([vector[i] for i in sorted(places)])
    original, halves = features(x), [features(Vectors.of(x.senses.tax, part)) for part in parts]
    n = min(NEAREST, len(x) - 1)
    rows = [
        (name, neighbours_kept(one, other, n))
        for name, one, other in (
            ("two halves of the terms of every document", *halves),
            (AS_PUBLISHED, original, features(y)),
            (BY_LOT, original, features(dealt)),
        )
        if n > 0
    ]
    return table("retrieval", f"Of the {max(n, 1)} nearest documents, the share that is found", ["by", "found"], rows)


def _homogeneity(x: Vectors, y: Vectors, unit: Long, place: Long, dealt: Long, measure: str) -> dict[str, Any]:
    """Sums of squares, and the share of them inside groups [NavarroArribas2010, Table 2.2]."""
    middle, rows = overall(x, measure), []
    to_middle = vector_pairs(y, middle, np.arange(len(y)), np.zeros(len(y), np.int64), measure)
    for name, at in ((AS_PUBLISHED, place), (BY_LOT, dealt)):
        found = squares(vector_pairs(x, y, unit, at, measure), to_middle[at])
        rows.append((name, found.sse, found.ssa, found.sst, found.loss))
    title = "Sums of squares inside and between groups, and L, the percentage inside"
    return table("homogeneity", title, ["of", "SSE", "SSA", "SST", "L"], rows)


# ---------------------------------------------------------------------- clusters and classes


def _clusters(x: Vectors, y: Vectors, measure: str, options: Mining, rng: np.random.Generator) -> dict[str, Any]:
    """Clusterings of originals and of their release, by the distance that grouped and by features that did not."""
    ways: tuple[tuple[str, Any, Any, Any], ...] = (
        ("distance", k_medoids, vector_matrix(x, measure), vector_matrix(y, measure)),
        ("features", k_means, *_points(x, y)),
    )
    rows = []
    for n in (n for n in options.clusters if n < len(x)):
        for name, how, original, release in ways:
            kept, most = agreement(partial(how, original), partial(how, release), n, options.runs, rng)
            rows.append((name, n, kept.rand, kept.jaccard, kept.adjusted_rand, most.adjusted_rand))
    return table(
        "clusters",
        "Clusterings of the originals and of the release, by pairs; the ceiling is that of two of the originals",
        ["by", "clusters", "Rand", "Jaccard", "adjusted Rand", "ceiling"],
        rows,
    )


def _points(x: Vectors, y: Vectors) -> tuple[Floats, Floats]:
    """Features of both along the widest axes of the originals."""
    from scipy.sparse.linalg import svds

    ic = content(x.senses.tax)
    a, b = features(x, ic), features(y, ic)
    used = np.unique(np.concatenate((a.indices, b.indices)))
    a, b = a.tocsc()[:, used].tocsr(), b.tocsc()[:, used].tocsr()
    axes = min(AXES, min(a.shape) - 1)
    if axes < 1:
        return a.toarray(), b.toarray()
    _, _, directions = svds(a, k=axes, v0=np.ones(min(a.shape)))
    return a @ directions.T, b @ directions.T


def _classes(x: Vectors, y: Vectors, dealt: Vectors, labels: list[str], rng: np.random.Generator) -> dict[str, Any]:
    """Documents that are published alike are tested together, so that nothing was learned from them."""
    ic = content(x.senses.tax)
    original, release, by_lot = features(x, ic), features(y, ic), features(dealt, ic)
    alike: dict[tuple[object, ...], int] = {}
    group = np.array([alike.setdefault(tuple(vector), len(alike)) for vector in y])
    fold = rng.permutation(len(alike))[group] % FOLDS
    said: dict[str, list[str]] = {name: [""] * len(labels) for name in ("originals", "release", "taught", "dealt")}
    for number in range(min(FOLDS, len(alike))):
        test, train = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        known = [labels[i] for i in train.tolist()]
        if not known:
            continue
        for name, teach, ask in (
            ("originals", original, original),
            ("release", original, release),
            ("taught", release, original),
            ("dealt", original, by_lot),
        ):
            for i, label in zip(test.tolist(), nearest_class(teach[train], known, ask[test]), strict=True):
                said[name][i] = label
    most = Counter(labels).most_common(1)[0][0]
    said["guessed"] = [most] * len(labels)
    shown = {
        "originals": "originals, learned from originals",
        "release": "published vectors, learned from originals",
        "taught": "originals, learned from published vectors",
        "dealt": f"{BY_LOT}, learned from originals",
        "guessed": "the most frequent class for all",
    }
    rows = []
    for name, text in shown.items():
        hits = ClassificationScore.of(labels, said[name])
        rows.append((text, hits.accuracy, hits.macro_f))
    return table(
        "classes", f"Topics of {len(labels):,} documents by the nearest class", ["asked", "accuracy", "macro F"], rows
    )
