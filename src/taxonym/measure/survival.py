"""What survives of what persons said, column by column: how much of its information, and in which form.

The definition comes first: what becomes of the concepts of one record. `fates` says the same of many records at once.
`SurvivalSums` adds them up, so that parts of a run can be added, too. A term without a concept is lost, and weighs as
much as what is said in its column does on average; so is all that was said in records that are not published.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Long, Mask
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.taxonomy import Taxonomy

MANY = 20  # items of a record, of which more are not counted where one person's must not weigh too much
FORMS = ("kept", "one_step", "more_general", "merged", "lost")  # what becomes of a thing said; they add up to 100 %


# ---------------------------------------------------------------------- the definition


class Fate(NamedTuple):
    """What becomes of the concepts that a record has in a column: how many there are and what they say, how much of
    that is kept, how many are published in which form; how many concepts are published instead, how many of these are
    true of the record, and what all of them and the true ones say; and for how many only something above them is
    published."""

    said: float
    content: float
    kept_content: float
    kept: float
    one_step: float
    more_general: float
    merged: float
    published: float
    true: float
    published_content: float
    true_content: float
    raised: float


def fate(tax: Taxonomy, content: Floats, said: Collection[int], published: Collection[int]) -> Fate:
    """What becomes of the concepts of one record.

    The best published concept for x is x itself, or else the ancestor of x that says most (ties: the lowest code); what
    it says is kept of x. Each published concept stands for one that was said: itself, else one a step below it (it is a
    direct parent by some path), else one farther below; of several the lowest code. Others that it is the best for are
    merged with that one. What has no best one is lost.

    Where a person said both x and something below it, and what is published for the latter is still below x, x goes
    without saying: all of it is kept, and it is merged. So data of which only the most special concepts are published
    keep all their information.
    """
    above = {x: set(tax.ancestors(x)) for x in said}
    told, kept = set(published), 0.0
    count = dict.fromkeys(FORMS[:4], 0)
    stands: dict[int, list[tuple[int, int]]] = {}  # of every published concept those it is the best for
    for x in sorted(above):
        best = x if x in told else min(told & above[x], key=lambda y: (-content[y], y), default=None)
        if best != x and any(x in set(tax.ancestors(y)) and y in above[other] for y in told - {x} for other in above):
            kept += content[x]
            count["merged"] += 1
        elif best is not None:
            kept += content[best]
            form = 0 if best == x else 1 if best in tax.parents(x) else 2
            stands.setdefault(best, []).append((form, x))
    for those in stands.values():
        count[FORMS[min(those)[0]]] += 1
        count["merged"] += len(those) - 1
    true = [y for y in told if any(y in up for up in above.values())]
    return Fate(
        said=len(above),
        content=float(sum(content[x] for x in above)),
        kept_content=float(kept),
        **count,
        published=len(told),
        true=len(true),
        published_content=float(sum(content[y] for y in told)),
        true_content=float(sum(content[y] for y in true)),
        raised=sum(x not in told and bool(told & up) for x, up in above.items()),
    )


# ---------------------------------------------------------------------- the same of many records


def fates(said: ConceptSets, record: Long, published: Runs, row: Long, content: Floats) -> Floats:
    """The fate of every record[p] that is published as the set row[p], a row each, in the order of Fate."""
    tax, found = said.tax, np.zeros((len(record), len(Fate._fields)))
    lists = tax.ancestor_start, tax.ancestor, tax.parent_start, tax.parent
    sets = [(one.start.astype(np.int64), one.codes.astype(np.int32)) for one in (said, published)]
    _fates(*lists, *sets[0], *sets[1], record.astype(np.int64), row.astype(np.int64), content, found)
    return found


@kernel
def _fates(above_start, above, parent_start, parent, start, codes, told_start, told, record, row, content, out):  # type: ignore[no-untyped-def]
    n = len(content)
    place, true, stood = np.full(n, -1, np.int64), np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    best_form, implied = np.zeros(n, np.int64), np.full(n, -1, np.int64)
    for p in range(len(record)):
        first, last = start[record[p]], start[record[p] + 1]
        told_first, told_last = told_start[row[p]], told_start[row[p] + 1]
        for j in range(told_first, told_last):
            place[told[j]] = p
        for i in range(first, last):  # which published concepts are true, and what lies above true ones
            x = codes[i]
            for a in range(above_start[x], above_start[x + 1]):
                y = above[a]
                if place[y] == p and true[y] != p:
                    true[y] = p
                    for b in range(above_start[y], above_start[y + 1]):
                        if above[b] != y:
                            implied[above[b]] = p
        for j in range(told_first, told_last):
            y = told[j]
            out[p, 7] += 1
            out[p, 9] += content[y]
            if true[y] == p:
                out[p, 8] += 1
                out[p, 10] += content[y]
        for i in range(first, last):
            x = codes[i]
            out[p, 0] += 1
            out[p, 1] += content[x]
            best, form = -1, 2
            for a in range(above_start[x], above_start[x + 1]):  # ascending, so that the lowest of equal ones stays
                y = above[a]
                if place[y] == p and (y == x or best < 0 or (best != x and content[y] > content[best])):
                    best = y
            if best >= 0 and best != x:
                out[p, 11] += 1
            if best != x and implied[x] == p:
                out[p, 2] += content[x]
                out[p, 6] += 1
                continue
            if best < 0:
                continue
            out[p, 2] += content[best]
            if best == x:
                form = 0
            else:
                for a in range(parent_start[x], parent_start[x + 1]):
                    if parent[a] == best:
                        form = 1
            if stood[best] != p:
                stood[best] = p
                best_form[best] = form
                out[p, 3 + form] += 1
            else:  # of all that it stands for the nearest counts, the others are merged
                out[p, 6] += 1
                if form < best_form[best]:
                    out[p, 3 + best_form[best]] -= 1
                    out[p, 3 + form] += 1
                    best_form[best] = form


# ---------------------------------------------------------------------- sums


@dataclass(frozen=True, slots=True)
class SurvivalSums:
    """What survives in a column, as sums over records that parts of a run can add.

    Sums of shares, in which every record counts alike: of `records` that said something the forms of what they said,
    and `unmapped`, what is lost for want of a concept or value; of `informed` ones, whose concepts say something,
    `information`; of `telling` ones, for which something is published, the shares that are `true`, and of `weighing`
    ones, for which something is published that says something, the true share of that; of what records said the share
    that has a concept (`understood`). Then all items and what they say, among them those that are only published as
    something above them (`items_raised`); then the sizes of published sets, after and before, for their correlation,
    those before up to MANY items, and how many are about as large as before.
    """

    records: float = 0.0
    informed: float = 0.0
    telling: float = 0.0
    weighing: float = 0.0
    information: float = 0.0
    kept: float = 0.0
    one_step: float = 0.0
    more_general: float = 0.0
    merged: float = 0.0
    unmapped: float = 0.0
    true: float = 0.0
    true_by_content: float = 0.0
    understood: float = 0.0
    items: float = 0.0
    items_unmapped: float = 0.0
    content: float = 0.0
    content_kept: float = 0.0
    items_kept: float = 0.0
    items_one_step: float = 0.0
    items_more_general: float = 0.0
    items_merged: float = 0.0
    items_raised: float = 0.0
    items_dropped: float = 0.0
    published: float = 0.0
    published_true: float = 0.0
    published_content: float = 0.0
    published_true_content: float = 0.0
    released: float = 0.0
    before: float = 0.0
    after: float = 0.0
    before_squared: float = 0.0
    after_squared: float = 0.0
    before_after: float = 0.0
    before_bounded: float = 0.0
    as_large: float = 0.0

    @classmethod
    def of(
        cls,
        fates: Floats,
        unknown: NDArray[Any],
        mean: float,
        released: Floats | None = None,
        unmapped: Mask | None = None,
    ) -> "SurvivalSums":
        """Of records with these fates, and so many terms without a concept, each of which weighs `mean`. `released` is
        the share of a record's rows that is published, and 1 unless given; `unmapped` are records that are left out for
        want of a concept or value."""
        own = dict(zip(Fate._fields, fates.T, strict=True))
        share = np.ones(len(fates)) if released is None else released
        terms, weight = own["said"] + unknown, own["content"] + mean * unknown
        some, informed = terms > 0, weight > 0
        telling, weighing = own["published"] > 0, own["published_content"] > 0
        none = unknown if unmapped is None else np.where(unmapped, terms, unknown)

        def total(values: Floats, by: Floats, which: Mask) -> float:
            return float((values[which] / by[which]).sum())

        forms = {name: own[name] * share for name in FORMS[:4]}
        there = (share > 0) & some
        size, shown = own["said"][there], own["published"][there]
        return cls(
            records=float(some.sum()),
            informed=float(informed.sum()),
            telling=float(telling.sum()),
            weighing=float(weighing.sum()),
            information=total(own["kept_content"] * share, weight, informed),
            **{name: total(forms[name], terms, some) for name in FORMS[:4]},
            unmapped=total(none, terms, some),
            true=total(own["true"], own["published"], telling),
            true_by_content=total(own["true_content"], own["published_content"], weighing),
            understood=total(own["said"], terms, some),
            items=float(terms.sum()),
            items_unmapped=float(none.sum()),
            content=float(weight.sum()),
            content_kept=float((own["kept_content"] * share).sum()),
            **{f"items_{name}": float(forms[name].sum()) for name in FORMS[:4]},
            items_raised=float(own["raised"].sum()),
            items_dropped=float((own["said"] - own["kept"] - own["raised"]).sum()),
            published=float(own["published"].sum()),
            published_true=float(own["true"].sum()),
            published_content=float(own["published_content"].sum()),
            published_true_content=float(own["true_content"].sum()),
            released=float(there.sum()),
            before=float(size.sum()),
            after=float(shown.sum()),
            before_squared=float(size @ size),
            after_squared=float(shown @ shown),
            before_after=float(size @ shown),
            before_bounded=float(np.minimum(size, MANY).sum()),
            as_large=float((np.abs(size - shown) <= 1).sum()),
        )

    @classmethod
    def left_out(
        cls, said: ConceptSets, unknown: NDArray[Any], mean: float, content: Floats, unmapped: Mask
    ) -> "SurvivalSums":
        """Of records that are not published; `unmapped` are those for which a concept or value is wanting."""
        found = np.zeros((len(said), len(Fate._fields)))
        found[:, 0], found[:, 1] = said.sizes, np.bincount(said.owner, content[said.codes], len(said))
        return cls.of(found, unknown, mean, np.zeros(len(said)), unmapped)

    def __add__(self, other: "SurvivalSums") -> "SurvivalSums":
        return SurvivalSums(*(a + b for a, b in zip(self.values, other.values, strict=True)))

    def times(self, factor: float) -> "SurvivalSums":
        return SurvivalSums(*(factor * value for value in self.values))

    @property
    def values(self) -> list[float]:
        return [getattr(self, field.name) for field in fields(self)]

    # ------------------------------------------------------------------ what they say

    def by_record(self) -> dict[str, float | None]:
        """Means over records, which count alike however much is said in them: information from 0 to 1, the rest in
        percent."""
        return {
            "information": _share(self.information, self.informed, 1),
            **_forms({name: _share(getattr(self, name), self.records) for name in FORMS[:4]}),
            "unmapped": _share(self.unmapped, self.records),
            "understood": _share(self.understood, self.records),
            "true": _share(self.true, self.telling),
            "true_by_content": _share(self.true_by_content, self.weighing),
        }

    def by_item(self) -> dict[str, float | None]:
        """The same over all that was said."""
        return {
            "information": _share(self.content_kept, self.content, 1),
            **_forms({name: _share(getattr(self, f"items_{name}"), self.items) for name in FORMS[:4]}),
            "unmapped": _share(self.items_unmapped, self.items),
            "true": _share(self.published_true, self.published),
            "true_by_content": _share(self.published_true_content, self.published_content),
        }

    def changes(self) -> dict[str, int]:
        """Over all records: concepts said that are published only as something above them, and that are not published
        at all, as those of records that are left out; and published ones that are not true of their record."""
        added = self.published - self.published_true
        return {"raised": round(self.items_raised), "dropped": round(self.items_dropped), "added": round(added)}

    def sizes(self) -> dict[str, float | None]:
        """How many items a published record had and has, and how these go together; `bounded` counts MANY of more, and
        `as_large` is the percentage of records with as many items as before, give or take one."""
        n = self.released
        spread = [n * self.before_squared - self.before**2, n * self.after_squared - self.after**2]
        together = n * self.before_after - self.before * self.after
        return {
            "before": _share(self.before, n, 1),
            "after": _share(self.after, n, 1),
            "bounded": _share(self.before_bounded, n, 1),
            "as_large": _share(self.as_large, n),
            "correlation": together / sqrt(spread[0] * spread[1]) if min(spread) > 1e-9 * n else None,
        }


def _share(part: float, whole: float, of: float = 100) -> float | None:
    return of * part / whole if whole > 0 else None


def _forms(found: dict[str, float | None]) -> dict[str, float | None]:
    """The forms in percent; what is in none of the others is lost."""
    known = [value for value in found.values() if value is not None]
    return found | {"lost": max(0.0, 100 - sum(known)) if known else None}


def mean_content(said: ConceptSets, content: Floats) -> float:
    """What the concepts that are said in a column say on average; 1 where there are none."""
    return float(content[said.codes].mean()) if len(said.codes) else 1.0
