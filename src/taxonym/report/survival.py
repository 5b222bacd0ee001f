"""What survives of what persons said, as a report tells it: figures on the grid of the guard, the sentence of the
verdict, and what a run warns of.

Every person counts alike, however much they said: so a figure is a mean over persons with a public bound. Sizes and
frequencies are told as far as one person's share in them is bounded; the same over all that was said is private.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from taxonym.measure.survival import FORMS, MANY
from taxonym.methods.generalization import NOTHING_IN_COMMON, TO_GENERALISE_LESS
from taxonym.methods.microaggregation import NO_SHARED
from taxonym.methods.survival import ColumnSurvival
from taxonym.records.records import FEW_ALIKE, MISSING_VALUE, NO_CONCEPT
from taxonym.render.plainly import fine
from taxonym.report.disclosure import Disclosure, Told, grid
from taxonym.report.figures import COARSEST, STEPS, TWICE

# limits of a release beyond which it warns, in percent
MOST_UNMAPPED = 25  # of what a person said in a column, lost for want of a concept or a value
MOST_LEFT_OUT = 10  # of the persons, left out so that others are protected
MOST_UNPUBLISHED = 25  # of what a person said in a column, lost so that persons are protected
NEARLY_ALL = 90  # of what has a concept is kept, and as much is true: then a column need not be better than chance

OF_100 = 10  # steps in which so many of 100 things said may be told
WHOLE = 1.0  # steps in which the items of a record may be told
BY_MAPPING = (MISSING_VALUE, NO_CONCEPT)  # why persons are left out
BY_PROTECTION = (FEW_ALIKE, NO_SHARED, TO_GENERALISE_LESS, NOTHING_IN_COMMON)
SINGLE = ("unmapped", "true", "true_by_content")  # percentages that have nothing to add up to
HELPS = "Choose a smaller k, fewer items that are known together, fewer columns"
LESS_NOISE = "Choose less noise (a smaller alpha or threshold, a larger ε), or another method"
Parts = dict[str, Told[Any]]


def survival_told(
    guard: Disclosure, found: Sequence[ColumnSurvival], n: int, countable: bool = False
) -> Told[dict[str, Any]] | None:
    """Means over n persons; None where there are no columns of words. Of several columns the mean by their weights is
    made of what is told of each. Items of published records can be counted in the release where it is `countable`."""
    if not found:
        return None
    told = [_figures(guard, one, n) for one in found]
    by_chance = [
        None if one.random is None else _means(guard, one.random.by_record(), _persons(one, n), TWICE) for one in found
    ]
    columns = {
        one.name: guard.table(
            _opened(guard, mine)
            | {"random": guard.public(None) if random is None else guard.table(_opened(guard, random))}
            | _beside(guard, one, _persons(one, n), countable)
        )
        for one, mine, random in zip(found, told, by_chance, strict=True)
    }
    weights, known = [one.weight for one in found], [random for random in by_chance if random is not None]
    random = guard.table(_opened(guard, _average(guard, known, weights))) if len(known) == len(found) else None
    every = guard.table(columns)
    return guard.table(
        _opened(guard, _average(guard, told, weights))
        | {"random": guard.public(None) if random is None else random}
        | {STEPS: guard.public({"information": guard.step(n), "random": guard.step(n, TWICE)})}
        | {"worst_column": guard.derived(worst_column, every), "columns": every}
    )


def _persons(one: ColumnSurvival, n: int) -> int:
    """How many of n persons a column's figures are means over, at least."""
    return min(n, int(one.sums.records))


def _figures(guard: Disclosure, one: ColumnSurvival, n: int) -> Parts:
    return _means(guard, one.sums.by_record(), _persons(one, n), 1.0)


def _means(guard: Disclosure, found: Mapping[str, float | None], n: int, times: float) -> Parts:
    """Figures on the grid: information, how many of 100 are there up to each form, and the others. Forms are told by
    what they add up to, so that they add up to 100."""
    most, fine = times * TWICE * 100, n if is_fine(guard, n) else 0
    made: Parts = {"information": guard.mean(found["information"], n, times, COARSEST)}
    for i, form in enumerate(FORMS[:4]):
        first = [found[name] for name in FORMS[: i + 1]]
        made[form] = guard.mean(None if None in first else sum(x for x in first if x is not None), fine, most)
    return made | {name: guard.mean(found[name], fine, most) for name in SINGLE}


def is_fine(guard: Disclosure, n: int) -> bool:
    """Whether so many of 100 things said can be told of n persons without telling something quite different."""
    step = grid(guard.k, n, TWICE * 100)
    return guard.exact or (step is not None and step.size <= OF_100)


def _average(guard: Disclosure, parts: Sequence[Parts], weights: Sequence[float]) -> Parts:
    """The mean of columns by their weights, of what is told of each; others have nothing to tell."""

    def mean(*values: float | None) -> float | None:
        known = [(w, v) for w, v in zip(weights, values, strict=True) if v is not None]
        return round(sum(w * v for w, v in known) / sum(w for w, _ in known), 12) if known else None

    return {name: guard.derived(mean, *(part[name] for part in parts)) for name in parts[0]}


def _opened(guard: Disclosure, parts: Parts) -> Parts:
    """Each form for itself, from what they add up to."""
    forms = guard.derived(_apart, *(parts[name] for name in FORMS[:4]))
    made = {"information": parts["information"]}
    for i, name in enumerate(FORMS):
        made[name] = guard.derived(_taken(i), forms)
    return made | {name: parts[name] for name in SINGLE}


def _taken(i: int) -> Callable[[Sequence[float | None]], float | None]:
    return lambda forms: forms[i]


def _apart(*sums: float | None) -> list[float | None]:
    if None in sums:
        return [None] * len(FORMS)
    made, before = list[float | None](), 0.0
    for value in (*sums, 100.0):
        made.append(round(max(0.0, (value or 0.0) - before), 9))
        before = max(before, value or 0.0)
    return made


def _beside(guard: Disclosure, one: ColumnSurvival, n: int, countable: bool) -> Parts:
    """Sizes and frequencies, what was changed, and the figures over all that was said, for who must sign.

    What one person changes is bounded where records count as if they had MANY items at most, where it is asked whether
    a record is as large as before, and where everybody weighs alike in the frequencies. In ranks, correlations and
    lifts it is not: a concept may pass many others by one more holder.
    """
    sizes, shift = one.sums.sizes(), dict(one.frequencies)
    bounded, mine = sizes.pop("bounded"), shift.pop("total_variation_by_person", None)
    most, after = float(MANY), sizes["after"]
    told = {
        "before": guard.mean(sizes["before"] if guard.exact else bounded, n, most, WHOLE),
        "after": guard.public(None if after is None else round(after, 2)) if countable else guard.mean(after, 0),
        "as_large": guard.mean(sizes["as_large"], n, 100 * TWICE, 100 * COARSEST),
    }
    return {
        "sizes": guard.table(told | {"correlation": guard.private(sizes["correlation"])}),
        "frequencies": guard.table(
            {"shift": guard.mean(mine, n, TWICE, COARSEST)}
            | {name: guard.private(value) for name, value in shift.items()}
        ),
        "changes": guard.private(one.sums.changes()),
        "of_everything_said": guard.private(one.sums.by_item()),
    }


def worst_column(columns: Mapping[str, Mapping[str, Any]]) -> str | None:
    """The column that keeps the least information; None where that is not told."""
    known = {name: one["information"] for name, one in columns.items() if one["information"] is not None}
    return min(known, key=lambda name: (known[name], name)) if known else None


# ---------------------------------------------------------------------- in words


def survived(told: Mapping[str, Any] | None) -> str:
    """What survives in one sentence, from figures that are told; nothing where they are not."""
    if told is None or told["information"] is None:
        return ""
    steps = told.get(STEPS) or {}
    if fine(told["information"], steps.get("information")) is None:
        return ""
    random = fine((told["random"] or {}).get("information"), steps.get("random"))
    beside = "" if random is None else f"; a random grouping keeps {random:.2f}"
    worst, columns = told["worst_column"], told["columns"]
    last = f"; worst column: {worst} ({columns[worst]['information']:.2f})" if worst and len(columns) > 1 else ""
    kept = f"information kept {told['information']:.2f}{beside}"
    if told["kept"] is None:
        return f"What survives of what was said: {kept}{last}."
    forms = [f"{round(told[name], 1):g}" for name in FORMS]
    true = "" if told["true"] is None else f", and of 100 published {round(told['true'], 1):g} are true"
    return (
        f"Of 100 things said, {forms[0]} are published as they are, {forms[1]} one step more general, {forms[2]} more "
        f"generally, {forms[3]} merged, {forms[4]} not at all{true} ({kept}){last}."
    )


def in_short(warnings: Sequence[str]) -> str:
    """What a verdict says of warnings: each up to its colon."""
    said = "; ".join(one.partition(": ")[0] for one in warnings)
    return f"Warning: {said}." if said else ""


def warnings_of(
    guard: Disclosure,
    survival: Told[dict[str, Any]] | None,
    records: Told[dict[str, Any]],
    n: int,
    noise: bool = False,
) -> Told[list[str]]:
    """What a release of n persons warns of, which may be one by noise. Where they are so few that a figure would be
    told far from what it is, only those who are left out are looked at."""
    if survival is None or not is_fine(guard, n):
        return guard.derived(lambda found: limits_passed(None, found, noise), records)
    return guard.derived(lambda told, found: limits_passed(told, found, noise), survival, records)


def limits_passed(told: Mapping[str, Any] | None, records: Mapping[str, Any], noise: bool = False) -> list[str]:
    """What a release warns of, from figures that are told; each names what is wrong up to its colon, then why and what
    helps."""
    found = [] if noise else _persons_lost(records, "protection", BY_PROTECTION, MOST_LEFT_OUT, HELPS)
    if told is None:
        fix = "Choose another taxonomy, or another policy for what is unknown or missing"
        found += _persons_lost(records, "mapping", BY_MAPPING, MOST_UNMAPPED, fix)
    for name, one in ({} if told is None else told["columns"]).items():
        unmapped, lost, kept = one["unmapped"], one["lost"], one["information"]
        random = (one["random"] or {}).get("information")
        if unmapped is not None and unmapped > MOST_UNMAPPED:
            found.append(
                f"{unmapped:.3g} of 100 things said in column {name} are lost by mapping (limit {MOST_UNMAPPED}): they "
                f"have no concept in its taxonomy, or stand in records without a value or concept. Choose another "
                f"taxonomy, name what terms mean, or keep unknown terms as concepts of their own."
            )
        if unmapped is not None and lost is not None and round(lost - unmapped, 6) > MOST_UNPUBLISHED:
            by, why = "protection", "nothing is published for them, since too few persons share them or what they are "
            why += f"published with. {HELPS}, or a taxonomy that joins them."
            if noise:
                by, why = "noise", f"what is published instead is neither what was said nor above it. {LESS_NOISE}."
            limit = f"(limit {MOST_UNPUBLISHED})"
            found.append(f"{lost - unmapped:.3g} of 100 things said in column {name} are lost by {by} {limit}: {why}")
        if kept is not None and random is not None and kept <= random and not _all_alike(one):
            found.append(
                f"Column {name} keeps no more information than a random grouping ({kept:.2f}, at random {random:.2f}): "
                f"what is published says nothing of its persons. {HELPS}, or another taxonomy."
            )
    return found


def _all_alike(one: Mapping[str, Any]) -> bool:
    """Whether nearly all that was said in a column and has a concept is kept, and what is published is true: where all
    say the same, chance does as well; but not where everything is said of everybody."""
    mapped, true = 100 - (one["unmapped"] or 0.0), one["true"]
    return bool(100 * one["information"] >= NEARLY_ALL * mapped / 100 and (true is None or true >= NEARLY_ALL))


def _persons_lost(records: Mapping[str, Any], by: str, reasons: Sequence[str], most: float, fix: str) -> list[str]:
    share, whys = left_out_share(records, reasons)
    if share is None or share <= most:
        return []
    return [f"{share:.0f} of 100 persons are left out by {by} (limit {most:g}): {'; '.join(whys)}. {fix}."]


def left_out_share(records: Mapping[str, Any], reasons: Sequence[str]) -> tuple[float | None, list[str]]:
    """Of 100 persons those who are left out for some reasons, as far as told, and the reasons."""
    left = {why: n for why, n in (records.get("suppressed_persons") or {}).items() if isinstance(n, int) and n}
    published = records.get("published_persons")
    if not isinstance(published, int):
        return None, []
    whys = {why: n for why, n in left.items() if why in reasons}
    return 100 * sum(whys.values()) / max(1, published + sum(left.values())), sorted(whys)
