"""What may be told of a run over documents, and its trail, which may not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.distance.registry import DISTANCES
from taxonym.distance.vectors import Vectors
from taxonym.distance.vectors_matrix import vector_pairs
from taxonym.knowledge.arrays import Floats, Groups, Long
from taxonym.measure.groups import by_size, weakest
from taxonym.measure.squares import squares
from taxonym.plan import Microaggregation, Plan, public_settings
from taxonym.promises.classes import Classes
from taxonym.publish.groups import Support
from taxonym.publish.vectors import Generalized, around, middle_of
from taxonym.report.branches import ConceptHolders, branches_of
from taxonym.report.builder import ONE_BLOCK, promise_of, run_of, told_sizes, topics_told
from taxonym.report.disclosure import Disclosure, Told
from taxonym.report.report import Report
from taxonym.shapes.documents.read import Authors

if TYPE_CHECKING:
    from taxonym.shapes.documents import GroupVectors

SAMPLE = 400  # vectors among which the middle of all is looked for, spread evenly over them
TWO = (
    "k = 2: each author of a group of two knows one half of what was put together, and so learns something about the "
    "other's terms. Choose k = 3 or more."
)


def losses(
    authors: Authors,
    groups: Groups,
    vectors: list[Generalized],
    rng: np.random.Generator,
    again: Callable[[Groups], tuple[Groups, list[Generalized]]] | None = None,
    k: int = 2,
) -> dict[str, Any]:
    """What the groups of a run lose: all of it, group by group, and what random groups of the same sizes would lose
    (`again` publishes for groups, and says which ones something is left of)."""
    x, measure = authors.vectors, authors.how.measure
    middle, shown = overall(x, measure), ShownVectors.of(x, groups, vectors)
    within = shown.apart(measure)
    loss = loss_of_vectors(shown, within, measure, middle, rng) | _by_group(shown, within, k)
    if again is not None:
        members = rng.permutation([unit for group in groups for unit in group]).tolist()
        ends = np.cumsum([0, *map(len, groups)]).tolist()
        random = ShownVectors.of(x, *again([sorted(members[a:b]) for a, b in pairwise(ends)]))
        loss["random_groups"] = _loss(random, random.apart(measure), measure, middle)
    return loss


def loss_of_vectors(
    shown: "ShownVectors", within: Floats, measure: str, middle: Vectors, rng: np.random.Generator
) -> dict[str, Any]:
    """Sums of squares [NavarroArribas2010, eq. 2.3] of what is published; beside them the mean distance, judged also by
    a distance that did not guide the grouping. `within` is shown.apart(measure), `middle` is overall of all."""
    another = "wu-palmer" if DISTANCES[measure].informed else "lin"
    some = _spread(len(shown.x))
    sample = shown.x.take(some)
    apart = vector_pairs(sample, sample, np.arange(len(some)), rng.permutation(len(some)), measure)
    return {
        "distance": {"measure": measure},
        **_loss(shown, within, measure, middle),
        "mean_to_a_random_record": float(apart.mean()),
        "judged_by_another_distance": {
            "measure": another,
            **_loss(shown, shown.apart(another), another, overall(shown.x, another)),
        },
    }


@dataclass(frozen=True, slots=True, eq=False)
class ShownVectors:
    """What groups publish: member rows[i] of x gets the vector columns[i] of y."""

    x: Vectors
    y: Vectors
    rows: Long
    columns: Long

    @classmethod
    def of(cls, x: Vectors, groups: Groups, vectors: list[Generalized]) -> "ShownVectors":
        y = Vectors.of(x.senses.tax, [[((code,), weight) for code, weight in vector] for vector in vectors])
        rows = np.array([unit for group in groups for unit in group], np.int64)
        return cls(x, y, rows, np.repeat(np.arange(len(y)), [len(group) for group in groups]))

    def apart(self, measure: str) -> Floats:
        """How far every member is from what is published for it."""
        return vector_pairs(self.x, self.y, self.rows, self.columns, measure)


def _loss(shown: ShownVectors, within: Floats, measure: str, middle: Vectors) -> dict[str, Any]:
    y = shown.y
    to_middle = vector_pairs(y, middle, np.arange(len(y)), np.zeros(len(y), np.int64), measure)
    return {
        "records": len(within),
        "mean": float(within.mean()) if len(within) else None,
        **squares(within, to_middle[shown.columns]).as_data(),
    }


def _by_group(shown: ShownVectors, within: Floats, k: int) -> dict[str, Any]:
    """What groups lost: their means without their sizes, loss against size, and what those are like that lost most."""
    size, had = np.bincount(shown.columns), shown.x.terms.sizes[shown.rows]
    lost: Floats = np.bincount(shown.columns, within).astype(np.float64)
    before, after = np.bincount(shown.columns, had) / size, shown.y.terms.sizes.astype(np.float64)
    return {
        "groups": sorted((lost / size).round(4).tolist(), reverse=True),
        "by_group_size": by_size(size, lost, k),
        "weakest_groups": weakest(size, lost, before, after, k),
    }


def overall(x: Vectors, measure: str) -> Vectors:
    """The vector in the middle of all: what their terms have in common, paired with those of the medoid.

    Of more than 400 vectors, 400 that are spread evenly over them stand for all.
    """
    sample = x.take(_spread(len(x)))
    made = around(sample, middle_of(sample, measure), measure=measure)
    return Vectors.of(x.senses.tax, [[((code,), weight) for code, weight in made]])


def _spread(n: int) -> np.ndarray:
    return np.unique(np.linspace(0, n - 1, min(n, SAMPLE)).astype(np.int64))


def report(
    authors: Authors,
    plan: Plan,
    support: Support,
    made: "GroupVectors",
    suppressed: Mapping[str, int],
    loss: dict[str, Any],
    classes: Classes,
    linked: dict[str, Any],
) -> Report:
    """Everything that may be told about a run."""
    k, how, corpus = plan.method.k, authors.how, authors.corpus
    sizes = np.array([len(group) for group in made.groups])
    guard, left_out = Disclosure(k), suppressed.values()
    terms = {
        "taxonomy": authors.words.tax.name,
        "terms": how.terms,
        "terms_with_a_concept_percent": _known(authors),
        "jaccard_of_terms_with_and_without_a_concept": authors.coverage,
        "terms_per_vector": float(authors.vectors.terms.sizes.mean()),
        "terms_per_published_vector": float(np.mean([len(vector) for vector in made.vectors])),
    }
    return Report(
        verdict=guard.figures(_verdict(authors, loss, classes)),
        promise=guard.public(promise_of(guard, plan).value | {"counts": _whom(authors)}),
        verified=guard.public(classes.as_data()),
        watched=guard.public([]),
        plan=guard.public(plan.to_dict() | {"method": public_settings(plan.method)}),
        records=guard.table(
            {
                "rows": guard.total(len(corpus), left_out),
                "persons": guard.total(authors.persons, left_out),
                "published_rows": guard.public(classes.rows),
                "published_persons": guard.public(int(sizes.sum())),
                "suppressed_persons": guard.table({why: guard.count(n) for why, n in suppressed.items()}),
            }
        ),
        groups=guard.public(told_sizes(sizes) | ({"blocks": made.blocks} if made.blocks else {})),
        support_rule=guard.figures(
            {
                "exposes": f"concepts that the documents of at least {k} persons mention, and up to "
                f"{plan.method.known_items} of them together only where the same holds",
                "known_items": plan.method.known_items,
                "consensus": Microaggregation.of(plan).consensus,
                "compared_with_the_generalised_vectors": {"raised": made.raised, "dropped": made.dropped},
            }
        ),
        columns=guard.rows([_column(guard, authors, support, made)]),
        loss=guard.figures(loss),
        linkage=guard.figures(linked),
        documents=guard.figures(terms),
        notes=guard.public([*corpus.notes, *_notes(authors, plan, made, loss)]),
    )


def _column(guard: Disclosure, authors: Authors, support: Support, made: "GroupVectors") -> Told[dict[str, Any]]:
    """How much of the documents was understood, and what they are about before and after."""
    tax, vectors = authors.words.tax, [tuple(code for code, _ in vector) for vector in made.vectors]
    members = np.array([unit for group in made.groups for unit in group], np.int64)
    group_of = np.repeat(np.arange(len(made.groups)), [len(group) for group in made.groups])
    held = ConceptHolders.of(support, vectors, members, group_of)
    return guard.table(
        {
            "name": guard.public("documents"),
            "taxonomy": guard.public(tax.name),
            "taxonomy_fingerprint": guard.public(authors.words.column.public_fingerprint(tax)),
            "terms_with_a_concept_percent": guard.figures(_known(authors)),
            "concepts_per_record": guard.figures(float(authors.vectors.terms.sizes.mean())),
            "concepts_per_published_record": guard.figures(float(np.mean([len(codes) for codes in vectors]))),
            "topics": topics_told(guard, authors.words, np.arange(len(authors))),
            "published_as_their_topic_only": guard.figures(made.veiled),
            "branches": branches_of(guard, held, len(np.unique(support.holders.person[members]))),
        }
    )


def _known(authors: Authors) -> float:
    return round(100 * authors.known / max(1, authors.known + authors.unknown), 1)


def _verdict(authors: Authors, loss: dict[str, Any], classes: Classes) -> str:
    whom = "authors" if authors.corpus.authors else "documents"
    return (
        f"Every published vector is that of at least {classes.smallest - 1} other {whom}, too; an intruder who knows a "
        f"whole document finds the right vector in 1 of {classes.smallest} cases at best; on average it is "
        f"{loss['mean']:.2f} away in meaning from the document's own, where that of a random document would be "
        f"{loss['mean_to_a_random_record']:.2f} and an exact copy 0."
    )


def _whom(authors: Authors) -> str:
    return "authors" if authors.corpus.authors else "documents: nothing says whose they are, so each counts as a person"


def _notes(authors: Authors, plan: Plan, made: "GroupVectors", loss: dict[str, Any]) -> list[str]:
    random = loss.get("random_groups", {}).get("L")
    beside = f"; groups at random would lose {random:.1f} %" if random is not None else ""
    found = [
        f"{_known(authors)} % of the words have a concept in {authors.words.tax.name}; the vectors with and without "
        f"the others are alike by {authors.coverage:.3f} (Jaccard).",
        f"Under the support rule {made.raised:,} concepts of the generalised vectors rose and {made.dropped:,} were "
        f"dropped.",
        f"SSE {loss['sse']:.3f}, SSA {loss['ssa']:.3f}: {loss['L'] or 0:.1f} % of the meaning is lost (L){beside}.",
    ]
    if made.blocks:
        found.append(f"Grouped in {made.blocks:,} blocks of documents that mean alike, without comparing all.")
    elif Microaggregation.of(plan).blocks == "always":
        found.append(ONE_BLOCK)
    return [*found, TWO] if plan.method.k == 2 else found


def trail_of(authors: Authors, plan: Plan, groups: Groups, row_of: dict[int, int]) -> dict[str, Any]:
    """What must not be published: for every document where it was found, whose it is, its group and release row."""
    corpus = authors.corpus
    group_of = {unit: g for g, group in enumerate(groups) for unit in group}
    unit_of = {d: unit for unit, documents in enumerate(authors.documents) for d in documents}
    lines = []
    for d in range(len(corpus)):
        g = group_of.get(unit_of.get(d, -1))
        lines.append(
            {
                "rows": [d + 1],
                "document": corpus.names[d],
                "person": corpus.authors[d] if corpus.authors else None,
                "group": g,
                "release_row": row_of.get(d),
            }
        )
    return {"run": run_of(plan, corpus.fingerprint, {"documents": authors.words.tax.fingerprint}), "records": lines}
