"""The support rule: nothing is published that fewer than k persons hold."""

from taxonym.plan import Plan
from taxonym.promises.classes import Classes, refuse_rare
from taxonym.promises.promise import Promise, WrittenRelease


class SupportRule(Promise):
    """No word, no concept and no `known_items` concepts of a record are published that fewer than k persons hold."""

    name = "support rule"
    main = False

    @classmethod
    def made_by(cls, plan: Plan) -> bool:
        return plan.method.supported

    @property
    def m(self) -> int:
        return self.plan.method.together

    def sentence(self) -> str:
        items = "no concept" if self.m <= 1 else f"no {self.m} concepts of a record"
        return f"support rule: no word and {items} are published that fewer than {self.k} persons hold"

    def limits(self) -> tuple[str, ...]:
        return (
            f"Whoever knows {max(self.m, 1) + 1} or more items of somebody may recognise more.",
            f"{self.k - 1} false users who write a word can see whether one more person wrote it.",
        )

    def check(self, written: WrittenRelease, counted: Classes) -> None:
        """Where the original is at hand, which tells who holds what."""
        if written.original:
            refuse_rare(self.k, written.rare_choices(self.k, self.m), written.rare_words(self.k))
