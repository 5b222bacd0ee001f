"""The support rule: nothing is published that fewer than k persons hold."""

from taxonym.plan import Plan
from taxonym.promises.classes import Classes, refuse_rare
from taxonym.promises.limits import MEMBERSHIP, MINIMALITY, SEVERAL, false_writers, more_items
from taxonym.promises.promise import Promise, WrittenRelease
from taxonym.records.thresholds import RANDOM


class SupportRule(Promise):
    """Nothing of a row (words, ranges, kept cells) and no `known_items` things of it together are published that fewer
    than k persons in the release hold, in one row."""

    name = "support rule"
    main = False

    @classmethod
    def made_by(cls, plan: Plan) -> bool:
        return plan.method.supported

    @property
    def m(self) -> int:
        return self.plan.method.together

    def sentence(self) -> str:
        items = "" if self.m <= 1 else f", and no {self.m} of these in one row,"
        return f"support rule: no word, range or kept cell{items} is published that fewer than {self.k} persons hold"

    def limits(self) -> tuple[str, ...]:
        random = self.plan.method.support_threshold == RANDOM
        return (more_items(max(self.m, 1)), false_writers(self.k, random), MINIMALITY, MEMBERSHIP, SEVERAL)

    def check(self, written: WrittenRelease, counted: Classes) -> None:
        """Where the original is at hand, which tells who holds what."""
        if written.original:
            refuse_rare(
                self.k,
                written.rare_choices(self.k, self.m, self.plan.method.distinct_items),
                written.rare_words(self.k),
            )
