"""What may be told of a run over documents, and its trail, which may not."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.distance.registry import DISTANCES
from taxonym.distance.vectors import Vectors
from taxonym.distance.vectors_matrix import vector_pairs
from taxonym.knowledge.arrays import Floats, Groups, Long
from taxonym.measure.groups import by_size, weakest
from taxonym.measure.squares import squares
from taxonym.plan import Microaggregation, Plan
from taxonym.promises.classes import Classes
from taxonym.publish.groups import Support
from taxonym.publish.vectors import Generalized, around, middle_of
from taxonym.records.records import NO_CONCEPT
from taxonym.report.branches import ConceptHolders, branches_of, mapped_told
from taxonym.report.builder import REASONS, promise_of, run_of, topics_told
from taxonym.report.disclosure import Disclosure, Told
from taxonym.report.figures import (
    away,
    classes_told,
    groups_told,
    linkage_told,
    loss_told,
    records_told,
)
from taxonym.report.report import Report
from taxonym.report.sentences import ONE_BLOCK, warnings_told
from taxonym.report.survival import in_short, survival_told, survived, warnings_of
from taxonym.shapes.documents.read import Authors

if TYPE_CHECKING:
    from taxonym.shapes.documents import GroupVectors

NO_BETTER = (
    "What is published is no nearer to the documents than a random document would be: it tells nothing of what they "
    "are about. known_items = 1 or fewer terms under [documents] let more be published; so do more documents, or a "
    "smaller k."
)
TOO_FEW = (
    "There are too few documents to tell how far the published vectors are from them, and what so few have in common "
    "often says nothing: look at the vectors. Fewer items that are known together, or fewer terms under [documents], "
    "let more be published."
)
EXACT_WEIGHTS = (
    'Weights are the exact means of the groups (weights = "exact"): whoever knows all documents of a group but one '
    "can tell the weights of that one; in a group of two, each author the other's."
)
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


SURPLUS = (
    "An author gives at most as many documents to a class as the k-th largest of its authors does, so that nobody owns "
    "more than 1/k of it: surplus documents, drawn at random, were left out."
)


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
    guard: Disclosure,
    authors: Authors,
    plan: Plan,
    support: Support,
    made: "GroupVectors",
    suppressed: Mapping[str, int],
    sizes: Long,
    surplus: int,
    loss: dict[str, Any],
    classes: Classes,
    linked: dict[str, Any] | None,
) -> Report:
    """Everything that may be told about a run; vector i of the release stands for sizes[i] documents."""
    how, corpus, countable = authors.how, authors.corpus, authors.corpus.authors is None
    members = np.array([len(group) for group in made.groups])
    n = int(members.sum())
    records = records_told(
        guard,
        rows=len(corpus),
        persons=authors.persons,
        published_rows=classes.rows,
        published=n,
        countable=countable,
        suppressed=suppressed,
        reasons=REASONS,
        surplus=surplus,
    )
    said = [*corpus.notes, *[SURPLUS] * (plan.input.person_rows == "keep")]
    verified, lost = classes_told(guard, classes, countable), loss_told(guard, loss, n, None, records)
    survival = survival_told(guard, loss.get("survival", ()), n, countable)
    about = guard.public(None) if survival is None else survival
    limits = warnings_of(guard, survival, records, n)
    useless = guard.derived(partial(_warnings, how.weights == "exact"), lost)
    persons = guard.derived(lambda found: found["published_persons"], records)
    private = {
        "terms_with_a_concept_percent": _known(authors),
        "terms_per_vector": float(authors.vectors.terms.sizes.mean()),
    }
    return Report(
        verdict=guard.derived(partial(_verdict, authors), lost, verified, about, limits),
        promise=guard.public(promise_of(guard, plan).value | {"counts": _whom(authors)}),
        verified=verified,
        watched=guard.public([]),
        plan=guard.public(plan.public_dict()),
        records=records,
        groups=groups_told(guard, np.repeat(classes.number, sizes), classes, members, made.blocks or None),
        support_rule=guard.table(
            {
                "exposes": guard.public(
                    f"concepts that the documents of at least {plan.method.k} persons mention, and up to "
                    f"{plan.method.known_items} of them together only where the same holds"
                ),
                "known_items": guard.public(plan.method.known_items),
                "consensus": guard.public(Microaggregation.of(plan).consensus),
                "compared_with_the_generalised_vectors": guard.private(
                    {"raised": made.raised, "dropped": made.dropped}
                ),
            }
        ),
        columns=guard.rows([_column(guard, authors, support, made, n, countable)]),
        loss=lost,
        survival=survival,
        linkage=linkage_told(
            guard, linked, plan, persons, countable, min(n, linked["records_linked"]) if linked else 0
        ),
        documents=guard.table(
            {
                "taxonomy": guard.public(authors.words.tax.name),
                "terms": guard.public(how.terms),
                "jaccard_of_terms_with_and_without_a_concept": guard.mean(authors.coverage, n),
                "terms_per_published_vector": guard.public(float(np.mean([len(one) for one in made.vectors]))),
                **{name: guard.private(value) for name, value in private.items()},
            }
        ),
        warnings=warnings_told(guard, (), limits, useless),
        notes=guard.rows([*map(guard.public, said), *_notes(guard, authors, plan, made, loss)]),
    )


def _column(
    guard: Disclosure, authors: Authors, support: Support, made: "GroupVectors", n: int, countable: bool
) -> Told[dict[str, Any]]:
    """How much of the documents of n authors was understood, and what they are about before and after."""
    tax, vectors = authors.words.tax, [tuple(code for code, _ in vector) for vector in made.vectors]
    members = np.array([unit for group in made.groups for unit in group], np.int64)
    group_of = np.repeat(np.arange(len(made.groups)), [len(group) for group in made.groups])
    held = ConceptHolders.of(support, vectors, members, group_of)
    private = {
        "terms_with_a_concept_percent": _known(authors),
        "concepts_per_record": float(authors.vectors.terms.sizes.mean()),
        "concepts_per_published_record": float(np.mean([len(codes) for codes in vectors])),
        "published_as_their_topic_only": made.veiled,
    }
    return guard.table(
        {
            "name": guard.public("documents"),
            "taxonomy": guard.public(tax.name),
            "taxonomy_fingerprint": guard.public(authors.words.column.public_fingerprint(tax)),
            "understood_percent": guard.mean(_understood(authors), n, 100.0),
            **{name: guard.private(value) for name, value in private.items()},
            "topics": topics_told(guard, authors.words, np.arange(len(authors))),
            "branches": branches_of(guard, held, n, countable),
            "mapped": mapped_told(guard, held, n),
        }
    )


def _understood(authors: Authors) -> float:
    """The percentage of an author's words that has a concept, on average over all authors; of those who are left out
    for want of a concept none has."""
    words = authors.words
    known = np.bincount(words.row, minlength=len(authors))
    wrote = known + words.unknown > 0
    shares = known[wrote] / (known + words.unknown)[wrote]
    return float(100 * shares.sum() / max(1, len(shares) + authors.suppressed.get(NO_CONCEPT, 0)))


def _known(authors: Authors) -> float:
    return round(100 * authors.known / max(1, authors.known + authors.unknown), 1)


def _verdict(
    authors: Authors,
    loss: dict[str, Any],
    verified: dict[str, Any],
    survival: dict[str, Any] | None = None,
    limits: Sequence[str] = (),
) -> str:
    whom = "authors" if authors.corpus.authors else "documents"
    smallest, whose = verified["smallest_class"], "the document's own"
    first = (
        f"Every published vector is that of at least {smallest - 1} other {whom}, too; an intruder who knows a whole "
        f"document finds the right vector in 1 of {smallest} cases at best; "
        f"{away(loss, ' in meaning', whose, 'that of a random document')}"
        f"{' It tells no more of a document than a random one would.' * bool(_no_better(loss))}"
    )
    return " ".join(filter(None, (first, survived(survival), in_short(limits))))


def _no_better(loss: Mapping[str, Any]) -> bool | None:
    """Whether a random document would be as near, by figures that are told; None where they are not."""
    mean, random = loss.get("mean_of_published"), loss.get("mean_to_a_random_record")
    return None if mean is None or random is None else bool(mean >= random)


def _warnings(exact: bool, loss: Mapping[str, Any]) -> list[str]:
    """What a run over documents warns of, by figures that are told."""
    found = {True: [NO_BETTER], None: [TOO_FEW], False: []}[_no_better(loss)]
    return [*found, *[EXACT_WEIGHTS] * exact]


def _whom(authors: Authors) -> str:
    return "authors" if authors.corpus.authors else "documents: nothing says whose they are, so each counts as a person"


def _notes(
    guard: Disclosure, authors: Authors, plan: Plan, made: "GroupVectors", loss: dict[str, Any]
) -> Iterator[Told[Any]]:
    if skipped := authors.corpus.skipped:
        yield guard.private(f"Left out, since they cannot be read: {', '.join(skipped)}.")
    random = loss.get("random_groups", {}).get("L")
    beside = f"; groups at random would lose {random:.1f} %" if random is not None else ""
    yield guard.private(
        f"{_known(authors)} % of the words have a concept in {authors.words.tax.name}; the vectors with and without "
        f"the others are alike by {authors.coverage:.3f} (Jaccard)."
    )
    yield guard.private(
        f"Under the support rule {made.raised:,} concepts of the generalised vectors rose and {made.dropped:,} were "
        f"dropped."
    )
    yield guard.private(
        f"SSE {loss['sse']:.3f}, SSA {loss['ssa']:.3f}: {loss['L'] or 0:.1f} % of the meaning is lost (L){beside}."
    )
    if made.blocks:
        yield guard.public("Grouped in blocks of documents that mean alike, without comparing all.")
        yield guard.private(f"There are {made.blocks:,} blocks.")
    elif Microaggregation.of(plan).blocks == "always":
        yield guard.public(ONE_BLOCK)
    if plan.method.k == 2:
        yield guard.public(TWO)


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
