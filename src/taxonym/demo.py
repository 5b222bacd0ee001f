"""The tour that `taxonym demo` prints: what words mean, how far apart they are, why that helps."""

from dataclasses import dataclass
from typing import Any

from taxonym.distance.registry import DISTANCES, concept_distance
from taxonym.knowledge.catalog import load
from taxonym.knowledge.check import facts
from taxonym.knowledge.taxonomy import Taxonomy

_SPORTS = [
    ("swimming", "water sports"),
    ("windsurfing", "water sports"),
    ("water sports", "sports"),
    ("chess", "board games"),
]
_PAIRS = [("flu", "pneumonia"), ("flu", "diabetes"), ("flu", "bicycle")]


@dataclass(frozen=True, slots=True)
class Step:
    """One stop of the tour: for people as text, for programs as data."""

    title: str
    text: str
    data: dict[str, Any]


def tour() -> list[Step]:
    """All stops, computed, not told."""
    wordnet = load("wordnet")
    return [_words(wordnet), _senses(wordnet), _distances(wordnet), _hand_made()]


def _words(tax: Taxonomy) -> Step:
    about = facts(tax)
    return Step(
        "1. What words mean",
        f"{about.name}: {about.concepts:,} concepts, {about.labels:,} labels, up to {about.max_depth} levels deep.\n"
        f"It ships with Taxonym; ICD-10-CM, HPO and files of your own load the same way.",
        {"taxonomy": about.name, "concepts": about.concepts, "labels": about.labels},
    )


def _senses(tax: Taxonomy) -> Step:
    codes = tax.codes("bank")[:3]
    lines = [f"  {tax.id(c):<38} {tax.gloss(c)}" for c in codes]
    return Step(
        "2. A word may mean several things",
        "'bank', its three most usual senses:\n" + "\n".join(lines),
        {"term": "bank", "concepts": [tax.id(c) for c in codes]},
    )


def _distances(tax: Taxonomy) -> Step:
    shown = ("jaccard", "wu-palmer", "lin")
    rows, data = [], []
    for one, other in _PAIRS:
        a, b = tax.codes(one)[0], tax.codes(other)[0]
        lcs = tax.lcs(a, b)
        values = {m: concept_distance(tax, a, b, m) for m in shown}
        rows.append(
            f"  {one:<5}{other:<12}"
            + "".join(f"{values[m]:>11.3f}" for m in shown)
            + f"   {tax.label(lcs) if lcs is not None else '–'}"
        )
        data.append({"a": one, "b": other, **values})
    head = " " * 19 + "".join(f"{m:>11}" for m in shown) + "   in common"
    return Step(
        f"3. How far apart they are ({len(DISTANCES)} distances; 0 = the same, 1 = nothing in common)",
        head
        + "\n"
        + "\n".join(rows)
        + "\nRecords with a small distance can be published alike and keep their meaning.",
        {"distances": data},
    )


def _hand_made() -> Step:
    tax = Taxonomy.from_edges(_SPORTS)
    a, b, c = (tax.code(word) for word in ("swimming", "windsurfing", "chess"))
    near, far = concept_distance(tax, a, b), concept_distance(tax, a, c)
    return Step(
        "4. A hierarchy of your own",
        f"Four lines of child,parent make a taxonomy: swimming–windsurfing {near:.2f}, swimming–chess {far:.2f}.\n"
        f"Next: taxonym distance flu pneumonia --measure all; taxonym concepts bank --explain; taxonym --help",
        {"swimming-windsurfing": near, "swimming-chess": far},
    )
