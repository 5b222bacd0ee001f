"""The three questions that European regulators ask of anonymised data, answered by name.

Singling out, linking, inference [WP29 Opinion 05/2014, §2.2.2]: each answer is a word, a sentence, the figures it rests
on, and what it leaves open. All of it follows from what a report tells anyway.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from math import exp
from typing import Any

from taxonym.plan import Generalization, Plan
from taxonym.promises import ByLine, Epsilon, NoPromise, main_promise
from taxonym.promises.limits import COMMON_KNOWLEDGE, EXCLUSION, MEMBERSHIP, SEVERAL, false_persons, more_items
from taxonym.report.disclosure import Disclosure
from taxonym.report.report import Report

NO, PARTLY, YES = "no, within its limits", "only in part", "possible"
SINGLING_OUT = "Can the records of one person be isolated in the release?"
LINKING = "Can two records of the same person be brought together, in this release or with other data?"
INFERENCE = "Can something about a person be concluded with great certainty from what is published?"
SAME_RELEASE = "It is not looked at what other data say that is not published here."
Part = Mapping[str, Any]


def answers(
    plan: Plan, promise: Part, verified: Part, linkage: Part | None, watched: Sequence[Part], support: Part
) -> dict[str, Any]:
    """What is answered to each question, from parts of a report as they are told."""
    about = _Release(plan, promise, verified, linkage or {}, watched, support)
    asked = {"singling_out": SINGLING_OUT, "linking": LINKING, "inference": INFERENCE}
    return {name: {"question": text, **getattr(about, name)()} for name, text in asked.items()}


class _Release:
    """What is known of a release."""

    def __init__(
        self, plan: Plan, promise: Part, verified: Part, linkage: Part, watched: Sequence[Part], support: Part
    ) -> None:
        self.plan, self.main, self.k = plan, main_promise(plan), int(promise.get("k") or 1)
        self.verified, self.linkage, self.watched, self.support = verified, linkage, watched, support
        self.whom = str(promise.get("counts") or "rows").partition(":")[0]
        self.epsilon = promise.get("epsilon")

    @property
    def odds(self) -> str:
        """How much likelier anything published may be under ε."""
        return f"{exp(min(self.epsilon or 0.0, 50.0)):.3g}"

    @property
    def exposed(self) -> bool:
        """Whether the plan publishes middle records as they are."""
        return self.support.get("representative") == "medoid"

    def singling_out(self) -> dict[str, Any]:
        figures = {name: self.verified.get(name) for name in ("smallest_class", "classes_below_k")}
        found, above = self.linkage.get("dr_percent"), self.linkage.get("records_above_1_over_k")
        if isinstance(self.main, Epsilon):
            says = (
                f"Every value was drawn at random: nothing in a record is more than {self.odds} times (e to the ε) as "
                f"likely because of the person whose record it is. A record may still be the only one of its kind."
            )
            return _answer(PARTLY, says, {"epsilon": self.epsilon}, [MEMBERSHIP])
        if isinstance(self.main, NoPromise):
            told = "" if found is None else f" An intruder who knows everything finds {found:g} of 100 records."
            says = f"Nobody is hidden among others: a record may be the only one of its kind.{told}"
            return _answer(YES, says, {"dr_percent": found}, [])
        if isinstance(self.main, ByLine):
            says = f"Every line is identical to {self.k - 1} others at least, which may all be one visitor's."
            return _answer(YES, says, figures, ["Let accesslog.visitor be address+agent to hide visitors."])
        if not self.main.whole_records:
            m = self.verified.get("known_items") or self.support.get("known_items")
            says = (
                f"Not by up to {m} published items: at least {self.k} {self.whom} have them. By more items, or a whole "
                f"record, it may be possible."
            )
            return _answer(PARTLY, says, {"combinations_below_k": 0, "known_items": m}, [more_items(m or 1), EXCLUSION])
        alike = "has the concepts of" if self.main.by_concept else "is identical to"
        others = int(self.verified.get("smallest_class") or self.k) - 1
        says = (
            f"Every published record {alike} those of at least {others} other {self.whom}, counted again in the file "
            f"as it is written."
        )
        figures["records_above_1_over_k"] = above
        limits = [EXCLUSION, false_persons(self.k), MEMBERSHIP]
        if self.main.by_concept:
            limits.insert(0, "Words are drawn for each record, so a record may be the only one with just these words.")
        if self.exposed:
            limits.insert(0, "The middle record of a group is one member's: what only that person has is shown.")
        return _answer(PARTLY if self.exposed or self.main.by_concept else NO, says, figures, limits)

    def linking(self) -> dict[str, Any]:
        found, bare = self.linkage.get("dr_percent"), self.linkage.get("dr_percent_without_masking")
        figures = {"dr_percent": found, "dr_percent_without_masking": bare}
        if isinstance(self.main, Epsilon):
            says = (
                f"Whoever compares a record with other data learns about its values no more than {self.odds} to 1 "
                f"allows. Columns that are not masked link as they are."
            )
            return _answer(PARTLY, says, {"epsilon": self.epsilon}, ["Every further release adds its ε."])
        told = "" if found is None else f"; tried on this release, he is right in {found:g} of 100 cases"
        limits = [SEVERAL, SAME_RELEASE]
        if isinstance(self.main, NoPromise):
            says = (
                f"An intruder who knows the original links a record to the most similar one{told}. Nothing bounds that."
            )
            return _answer(YES, says, figures, limits)
        if isinstance(self.main, ByLine) or not self.main.whole_records:
            says = f"An intruder who knows the original takes the most similar record{told}."
            return _answer(YES, says, figures, limits)
        least = int(self.verified.get("smallest_class") or self.k)
        says = (
            f"An intruder who knows everything about a person links him to the right record in 1 of {least} cases at "
            f"best{told}."
        )
        if self.plan.input.keeps_rows or self.plan.kind == "accesslog":
            says += f" One person has at most 1 in {self.k} of the rows of a class; which of them is not told."
        return _answer(NO, says, figures, limits)

    def inference(self) -> dict[str, Any]:
        if isinstance(self.main, Epsilon):
            says = (
                f"What is published makes any belief about a person's masked values at most {self.odds} times as "
                f"likely as before."
            )
            return _answer(PARTLY, says, {"epsilon": self.epsilon}, ["Columns that are not masked say what they say."])
        if isinstance(self.main, NoPromise):
            says = "A value may be published as it was, and nobody knows which; what is usual can be guessed."
            return _answer(YES, says, {}, ["Correlations between columns give values away."])
        figures, sure, mixed = dict[str, Any](), list[str](), list[str]()
        for one in self.watched:
            shown = one.get("as_published")
            if shown is None:
                continue
            name, rows = one["column"], shown["rows_in_them"]
            figures[name] = shown
            (sure if rows else mixed).append(name)
        promised = [f"l = {self.plan.method.l}"] * (self.plan.method.l is not None)
        promised += [] if self.plan.method.t is None else [f"t = {self.plan.method.t:g}"]
        also = f" Promised and kept: {' and '.join(promised)}." if promised else ""
        limits = [COMMON_KNOWLEDGE, "What is usual in a class is likely for each of its members."]
        if sure:
            rows = ", ".join(f"{name} {figures[name]['rows_in_them']:,} rows" for name in sure)
            says = f"Where all rows of a class share a confidential value, it is known of its members: {rows}.{also}"
            return _answer(YES, says, figures, limits)
        if mixed:
            least = min(figures[name]["smallest_distinct_l"] for name in mixed)
            says = f"Every class has at least {least} different published values of each confidential column.{also}"
            return _answer(NO if promised else PARTLY, says, figures, limits)
        of = "was chosen for a group, and need not be true of each of its members"
        if isinstance(self.plan.method, Generalization):
            of = "is true of all that it is published for"
        says = f"No confidential column is published. What a record says {of}.{also}"
        return _answer(PARTLY, says, figures, limits)


def _answer(answer: str, says: str, figures: Mapping[str, Any], limits: Sequence[str]) -> dict[str, Any]:
    return {"answer": answer, "says": says, "figures": dict(figures), "limits": list(limits)}


def completed(guard: Disclosure, plan: Plan, report: Report, day: date) -> Report:
    """A report with what all shapes, methods and engines tell alike: the three answers, and the day. The fingerprint of
    the release is known when this is written."""
    linked = guard.public(None) if report.linkage is None else report.linkage
    parts = report.promise, report.verified, linked, report.watched, report.support_rule
    return replace(
        report,
        questions=guard.derived(partial(answers, plan), *parts),
        released=guard.public({"sha256": None, "date": day.isoformat()}),
    )
