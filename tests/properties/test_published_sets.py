"""Whatever the method: a published set says a thing once, and nothing that says nothing."""

import tempfile
from pathlib import Path
from typing import Any

import polars as pl
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import taxonym
from taxonym import Taxonomy
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.knowledge import compiled
from taxonym.knowledge.floor import says_nothing
from tests.strategies import taxonomies

METHODS: dict[str, dict[str, Any]] = {
    "refined": {"name": "refined"},
    "not fitted": {"name": "refined", "fit": False},
    "in blocks": {"name": "mdav", "blocks": "always"},
    "adaptive": {"name": "adaptive-mdav", "topic_share": 1.0},
    "average": {"name": "mdav", "aggregate": "avg"},
    "farthest": {"name": "mdav", "aggregate": "max"},
    "farthest sums": {"name": "mdav", "aggregate": "max-sum"},
    "medoid": {"name": "mdav", "representative": "medoid"},
    "redaction": {"name": "mdav", "representative": "redaction"},
    "per record": {"name": "mdav", "representative": "per-record"},
    "consensus": {"name": "mdav", "consensus": True},
    "three items": {"name": "mdav", "known_items": 3},
}


@st.composite
def sets(draw: st.DrawFn) -> tuple[Taxonomy, list[list[str]]]:
    tax = draw(taxonomies(10))
    few = draw(st.lists(st.sampled_from(list(tax.ids)), min_size=1, max_size=6))
    return tax, draw(st.lists(st.lists(st.sampled_from(few), min_size=1, max_size=4), min_size=6, max_size=14))


@given(case=sets(), method=st.sampled_from(list(METHODS)))
@settings(max_examples=80, deadline=None)
def test_no_published_concept_is_above_another_of_its_record_or_says_nothing(
    case: tuple[Taxonomy, list[list[str]]], method: str
) -> None:
    tax, records = case
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "tax.taxonym"
        compiled.write(tax, path)
        column = {"role": "quasi-identifier", "kind": "set", "taxonomy": str(path)}
        plan = {"columns": {"words": column}, "method": {"k": 2, "seed": 1} | METHODS[method]}
        try:
            release = taxonym.anonymize(pl.DataFrame({"words": records}), plan, baselines=False)
        except BrokenPromise:
            assume(False)
        meant = {row["word"]: tax.code(row["concept"]) for row in release.codebook.to_dicts()}
    nothing = says_nothing(tax)
    for cell in release.frame["words"].to_list():
        codes = {meant[word] for word in cell}
        assert len(codes) == len(cell)
        assert not any(a != b and a in tax.ancestors(b) for a in codes for b in codes)
        assert not any(nothing[code] for code in codes)


@given(case=sets(), private=st.booleans())
@settings(max_examples=20, deadline=None)
def test_no_concept_that_noise_publishes_is_above_another_of_its_record(
    case: tuple[Taxonomy, list[list[str]]], private: bool
) -> None:
    tax, records = case
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "tax.taxonym"
        compiled.write(tax, path)
        column = {"role": "quasi-identifier", "kind": "set", "taxonomy": str(path)}
        noise = {"noise-mechanism": "exponential", "epsilon": 1.0} if private else {}
        plan = {"columns": {"words": column}, "method": {"name": "noise", "seed": 1} | noise}
        try:
            release = taxonym.anonymize(pl.DataFrame({"words": records}), plan, baselines=False)
        except (BadPlan, BrokenPromise):
            assume(False)
        meant = {row["word"]: tax.code(row["concept"]) for row in release.codebook.to_dicts()}
    for cell in release.frame["words"].drop_nulls().to_list():
        codes = {meant[word] for word in cell if word in meant}
        assert not any(a != b and a in tax.ancestors(b) for a in codes for b in codes)
