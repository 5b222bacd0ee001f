"""The sentences of a report: the verdict, what is exposed, what a run warns of, how its groups came about."""

from collections.abc import Sequence
from typing import Any

from taxonym.methods.sentences import CountedSentence
from taxonym.plan import Generalization, Microaggregation, Plan
from taxonym.promises import main_promise
from taxonym.publish.groups import REDACTION
from taxonym.publish.representative import REPRESENTATIVES
from taxonym.report.disclosure import Disclosure, Told
from taxonym.report.figures import away
from taxonym.report.survival import in_short, survived

A_RECORD = "a random record would be"
IN_BLOCKS = "Grouped in blocks of records that mean alike, without comparing all."
ONE_BLOCK = "Blocks were asked for, but there are so few records that one block holds all: grouping is exact."
OF_ALL = (
    "Generalisation says only what is true of every member of a group, which is little where records have few words "
    "in common, as free texts do: the method 'refined' says what most of a group have, and recoding = \"items\" raises "
    "every word for itself. "
)
TOO_STRICT = 90  # percent of concepts that are similar to nothing else: then the threshold is worth a word


MIDDLE = (
    'The middle record of every group is published as one member has it (representative = "medoid"): words and '
    "combinations of them may be that person's alone. Choose another representative, under which k persons hold them."
)


def exposing(plan: Plan) -> list[CountedSentence]:
    """What a plan exposes by the way in which it chooses words."""
    plain = isinstance(plan.method, Microaggregation) and plan.method.representative == "medoid"
    return [CountedSentence(MIDDLE, {})] if plain else []


def warnings_told(guard: Disclosure, found: Sequence[CountedSentence], *more: Told[list[str]]) -> Told[list[Any]]:
    """What a run warns of, its counts rounded; `more` follows from figures that are told."""
    mine = guard.rows(guard.sentence(one.text, **one.counts) for one in found)
    return guard.derived(lambda *parts: [one for part in parts for one in part], mine, *more)


def why_no_better(plan: Plan) -> str:
    """What may be the cause where a release is no better than a random record."""
    return OF_ALL if isinstance(plan.method, Generalization) else ""


def verdict(
    plan: Plan,
    loss: dict[str, Any],
    verified: dict[str, Any],
    linkage: dict[str, Any] | None = None,
    survival: dict[str, Any] | None = None,
    limits: Sequence[str] = (),
) -> str:
    """A sentence that says what was promised, kept and lost, one about what survives, and in short what is to be warned
    of; from figures that are told."""
    whom = "persons" if plan.input.person else "rows"
    main, smallest = main_promise(plan), verified["smallest_class"]
    alike = "has the same concepts as" if main.by_concept else "is identical to"
    kept = f"Every published record {alike} those of at least {smallest - 1} other {whom}"
    found = f"in 1 of {smallest} cases at best"
    if not main.whole_records:
        m = verified["known_items"]
        items = "one published item" if m == 1 else f"up to {m} published items"
        kept = f"Whoever looks for {items} of a record finds at least {verified['k'] - 1} other {whom} with them"
        far = None if linkage is None else linkage["dr_percent"]
        found = "" if far is None else f"in {far:.0f} of 100 cases"
    who = f"; an intruder who knows everything about a person finds the right record {found}" if found else ""
    words = any(c.role == "quasi-identifier" and c.kind not in ("number", "date") for c in plan.columns.values())
    it = "it" if main.whole_records else "a published record"
    first = f"{kept}{who}; {away(loss, ' in meaning' * words, it=it)}"
    return " ".join(filter(None, (first, survived(survival), in_short(limits))))


def support_rule(plan: Plan) -> dict[str, Any]:
    """What the words of a published record may tell."""
    if isinstance(plan.method, Generalization):
        return {
            "recoding": plan.method.recoding,
            "exposes": "what is true of everybody it is published for",
            "known_items": None if main_promise(plan).whole_records else plan.method.together,
        }
    method = Microaggregation.of(plan)
    return {
        "representative": method.representative,
        "exposes": REPRESENTATIVES["medoid" if method.representative == "medoid" else "best"].exposes.format(
            k=method.k, no_concepts="no concept" if method.known_items == 1 else f"no {method.known_items} concepts"
        ),
        "known_items": method.known_items,
        "consensus": method.consensus,
    }


def in_blocks(guard: Disclosure, found: dict[str, Any] | None, plan: Plan) -> list[Told[Any]]:
    """How the groups came about, where not all distances were looked at, or the plan asked for that."""
    if found is None:
        asked = isinstance(plan.method, Microaggregation) and plan.method.blocks == "always"
        return [guard.public(ONE_BLOCK)] if asked else []
    exactly = (
        f"Grouped in {found['count']:,} blocks of at most {found['largest']:,} records that mean alike; exact grouping "
        f"would need {_memory(found['exact_would_need_gb'])}."
    )
    return [guard.public(IN_BLOCKS), guard.private(exactly)]


def _memory(gigabytes: float) -> str:
    if gigabytes >= 1:
        return f"{gigabytes:,g} GB"
    return f"{1000 * gigabytes:,g} MB" if gigabytes >= 0.001 else "less than 1 MB"


def too_strict(plan: Plan, loss: dict[str, Any]) -> list[str]:
    """Columns in which nearly nothing reaches the threshold, where a threshold is asked for."""
    method, matched = plan.method, plan.method.compare.by_attributes
    if not matched and not (isinstance(method, Microaggregation) and method.representative == REDACTION):
        return []
    so = "records are compared by equal concepts" if matched else "only equal concepts are redacted alike"
    return [
        f"Column {name!r}: at threshold {method.threshold:g}, {found['similar_to_nothing_else_percent']:.0f} % of the "
        f"concepts in use are similar to nothing else: {so}; lower the threshold."
        for name, found in loss["attributes"].items()
        if found["similar_to_nothing_else_percent"] > TOO_STRICT
    ]
