"""k^m: whoever looks for up to m published items finds at least k persons with them."""

from typing import ClassVar

from taxonym.plan import Generalization, Plan
from taxonym.promises.classes import Classes
from taxonym.promises.k_anonymity import KAnonymity
from taxonym.promises.limits import more_items
from taxonym.promises.promise import WrittenRelease


class KToTheM(KAnonymity):
    """At least k persons have every combination of at most m items of a published record."""

    name = "k^m"
    settings: ClassVar = {"method": {"recoding": "items"}}
    whole_records = False

    @classmethod
    def made_by(cls, plan: Plan) -> bool:
        return isinstance(plan.method, Generalization) and plan.method.recoding == "items"

    @property
    def m(self) -> int:
        return self.plan.method.together

    def sentence(self) -> str:
        return (
            f"k^m, k = {self.k}, m = {self.m}: up to {self.m} items of a published record are those of at least "
            f"{self.k - 1} others"
        )

    def limits(self) -> tuple[str, ...]:
        return (more_items(self.m), "Whole records may be one person's only.", *super().limits())

    def count(self, written: WrittenRelease) -> Classes:
        return written.combinations(self.k, self.m)

    def failure(self, counted: Classes, where: str) -> str:
        return (
            f"{where}: {counted.rare:,} combinations of at most {self.m} items would have fewer than {self.k} persons"
        )
