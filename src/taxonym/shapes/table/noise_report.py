"""The report of a release by noise.

Under ε nothing in it depends on the data but the number of rows, which the release shows anyway: what is expected of
the mechanism is computed over the whole public domain instead. Without ε it tells how far values moved; the other
figures of [RodriguezGarcia2015, §IV], among them the mean of the original, which is somebody's value, are private.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.distance.record import Sets
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.content import seco
from taxonym.measure.loss import measures
from taxonym.measure.noise import noise_loss
from taxonym.measure.survival import SurvivalSums, fates, mean_content
from taxonym.methods.noise.column import NoiseColumn
from taxonym.methods.noise.statistics import score_table
from taxonym.methods.survival import ColumnSurvival, shift_of
from taxonym.promises import Epsilon, main_promise
from taxonym.publish.noise.correlated import correlation
from taxonym.publish.noise.mechanisms import MECHANISMS
from taxonym.publish.noise.private import SYMBOLS, weights_for
from taxonym.records.records import FEW_ALIKE, MISSING_VALUE, NO_CONCEPT
from taxonym.report.builder import promise_of, understood_of
from taxonym.report.disclosure import Disclosure, Told
from taxonym.report.figures import linkage_told, loss_told, records_told, row_per_person
from taxonym.report.report import Report
from taxonym.report.survival import in_short, survival_told, survived, warnings_of
from taxonym.shapes.table.noise_proof import NoiseProof

if TYPE_CHECKING:
    from taxonym.methods.noise.records import NoiseResult

LEAST = 20  # persons with values in two columns whose correlation is of interest
TRIED = 500  # values of the domain over which expectations are taken, spread evenly


def noise_report(
    guard: Disclosure,
    outcome: "NoiseResult",
    proof: NoiseProof,
    loss: dict[str, Any],
    linked: dict[str, Any] | None = None,
) -> Report:
    """Everything that may be told about a run."""
    plan, units = outcome.plan, outcome.units
    method, private, countable = outcome.method, outcome.method.private, row_per_person(outcome.plan)
    persons = len(np.unique(units.persons))
    columns = guard.rows(
        guard.public(_expected(c, outcome)) if private else _figures(guard, c, outcome, i)
        for i, c in enumerate(outcome.columns)
    )
    noise: dict[str, Told[Any]] = {
        "mechanism": guard.public(method.noise_mechanism),
        "about": guard.public(MECHANISMS[method.noise_mechanism].about),
        "draws": guard.public(_draws(outcome)),
        "columns": columns,
    }
    if private:
        noise |= {
            "epsilon_per_cell": guard.public(method.epsilon),
            "epsilon_per_record": guard.public(method.cost(len(outcome.columns))),
            "epsilon_per_person_at_most": guard.public(method.allowed(len(outcome.columns))),
        }
    elif len(outcome.columns) > 1 and guard.exact:
        noise["correlations"] = guard.private(_correlations(outcome))
    records = _records(guard, outcome, proof, persons, countable)
    published = guard.derived(lambda found: found["published_persons"], records)
    n = persons if countable else 0
    survival = survival_told(guard, loss.get("survival", ()), n, countable)
    about = guard.public(None) if survival is None else survival
    limits = warnings_of(guard, survival, records, n, noise=True)
    return Report(
        verdict=guard.derived(partial(verdict, outcome), columns, about, limits),
        promise=promise_of(guard, plan),
        verified=guard.public(proof.as_data()),
        watched=guard.public([]),
        plan=guard.public(plan.public_dict()),
        records=records,
        groups=guard.public({"count": 0, "smallest": None, "largest": None, "mean": None, "sizes": {}}),
        support_rule=guard.public(
            {
                "representative": "noise",
                "exposes": "names of concepts, never a person's own words; not how many persons hold them",
                "known_items": None,
                "consensus": False,
            }
        ),
        columns=guard.rows(
            guard.table(
                _about(guard, column, outcome)
                | _understood(guard, outcome, i, understood_of(loss).get(column.column.name), n)
            )
            for i, column in enumerate(outcome.columns)
        ),
        loss=loss_told(guard, loss, n, None, records),
        survival=survival,
        linkage=linkage_told(guard, linked, plan, published, countable, linked["persons_linked"] if linked else 0),
        noise=guard.table(noise),
        warnings=limits,
        notes=guard.rows(_notes(guard, outcome)),
    )


def _records(
    guard: Disclosure, outcome: "NoiseResult", proof: NoiseProof, persons: int, countable: bool
) -> Told[dict[str, Any]]:
    """Who is published; under ε only what the release shows."""
    units = outcome.units
    if outcome.method.private:
        bare = {"rows": None, "persons": None, "published_rows": proof.rows, "published_persons": None}
        return guard.public(bare | {"suppressed_persons": {}})
    return records_told(
        guard,
        rows=int(units.table.row_start[-1]),
        persons=units.table.persons,
        published_rows=proof.rows,
        published=persons,
        countable=countable,
        suppressed=units.suppressed,
        reasons=(MISSING_VALUE, NO_CONCEPT, FEW_ALIKE),
    )


def verdict(
    outcome: "NoiseResult",
    columns: list[dict[str, Any]],
    survival: dict[str, Any] | None = None,
    limits: Sequence[str] = (),
) -> str:
    """A sentence that says what is promised and what was lost, one about what survives, and what is to be warned of."""
    plan = outcome.plan
    if isinstance(main := main_promise(plan), Epsilon):
        return (
            f"Every masked cell is locally ε-differentially private with ε = {outcome.method.epsilon:g}, all cells "
            f"of a person together with at most ε = {main.spent:g}; nothing is promised about k."
        )
    far = [figures["mean_error"] for column in columns if (figures := column["figures"])]
    far = [error for error in far if error is not None]
    away = f", on average {sum(far) / len(far):.2f} away in meaning" if far else ""
    first = f"Every masked value was replaced at random{away}. This makes guessing harder: neither k nor ε is promised."
    return " ".join(filter(None, (first, survived(survival), in_short(limits))))


def _draws(outcome: "NoiseResult") -> str:
    if outcome.plan.method.seed is not None:
        return "from a seed: for tests and experiments, since whoever knows it can replay them; nothing is promised"
    if outcome.method.private:
        return "from the operating system's cryptographically secure generator"
    return "from numpy's generator (PCG64), seeded by the operating system"


def loss_by_noise(outcome: "NoiseResult", rng: np.random.Generator) -> dict[str, Any]:
    """Every measure of loss; under ε none, since it compares with the original."""
    if outcome.method.private:
        return {}
    every = np.arange(len(outcome.units))
    parts = outcome.units.parts
    return measures(parts, outcome.published, every, every, outcome.plan.method.judge, rng)


def survival_of_noise(outcome: "NoiseResult") -> list[ColumnSurvival]:
    """What survives where every record is masked for itself."""
    units, every = outcome.units, np.arange(len(outcome.units))
    never, found = units.never_grouped, []
    for c, (words, part) in enumerate(zip(units.words, outcome.published, strict=True)):
        assert isinstance(part, Sets)
        content = seco(words.tax)
        mean, shown = mean_content(words, content), ConceptSets(part.start, part.codes, words.tax)
        sums = SurvivalSums.of(fates(words, every, shown, every, content), words.unknown, mean)
        if never is not None:
            sums += SurvivalSums.left_out(never.words[c], never.unknown[c], mean, content, never.unmapped)
        about = words.column.name, words.tax.name, words.column.weight
        found.append(ColumnSurvival(*about, sums, None, shift_of(words, shown)))
    return found


def _figures(guard: Disclosure, column: NoiseColumn, outcome: "NoiseResult", i: int) -> Told[dict[str, Any]]:
    """What noise did to a column. Target error: the mean |ε|; mean error: what the paper calls RMSE.

    Where a cell is one value and a row one person, the mean error and the share of values that stayed are means over
    persons, and can be told.
    """
    masked, method = outcome.masked[i], outcome.method
    said = _about(guard, column, outcome)
    said["values"] = guard.private(len(masked.before))
    said["statistics"] = guard.public(None if masked.known is None else masked.known.source)
    if masked.known is None or not len(masked.before):
        return guard.table(said | {"figures": guard.withheld(None)})
    alpha = method.strength if masked.errors is not None else None
    loss = noise_loss(column.domain, masked.before, masked.after, alpha=alpha, errors=masked.errors)
    tax, bounded = column.finder.taxonomy, column.column.kind == "nominal" and row_per_person(outcome.plan)
    n = _persons(outcome, i) if bounded else 0
    figures: dict[str, Any] = loss.as_data() | {
        key: tax.label(getattr(loss, key)) for key in ("mean_before", "mean_after")
    }
    told = {
        "mean_error": guard.mean(loss.mean_error, n),
        "unchanged": guard.mean(loss.unchanged, n),
        "target_error": guard.mean(loss.target_error, n),
    }
    private = {key: guard.private(value) for key, value in figures.items() if key not in told}
    return guard.table(said | {"figures": guard.table(told | private)})


def _about(guard: Disclosure, column: NoiseColumn, outcome: "NoiseResult") -> dict[str, Told[Any]]:
    """What is told of a column whatever its values are; how many concepts k persons wrote is not."""
    said: dict[str, Told[Any]] = {name: guard.public(value) for name, value in column.as_data().items()}
    if outcome.method.outcomes == "usual":
        said["concepts_that_may_come_out"] = guard.withheld(len(column.outcomes))
    return said


def _persons(outcome: "NoiseResult", i: int) -> int:
    """How many persons have a value in a column."""
    return len(np.unique(outcome.units.persons[outcome.masked[i].sizes > 0]))


def _expected(column: NoiseColumn, outcome: "NoiseResult") -> dict[str, Any]:
    """What the mechanism does to a value, on average over the domain: all of it is public."""
    method, domain = outcome.method, column.outcomes
    weights = weights_for(method.noise_mechanism, domain, method.strength / column.size)
    tried = domain.candidates[np.unique(np.linspace(0, len(domain) - 1, TRIED).astype(np.int64))]
    rows = weights.rows(tried)
    p = rows / rows.sum(axis=1, keepdims=True)
    apart = domain.distances(tried, domain.candidates)
    own = p[np.arange(len(tried)), np.searchsorted(domain.candidates, tried)]
    figures = {
        "epsilon_per_value": method.strength / column.size,
        "values_published_per_cell": column.size,
        "expected_distance": float((p[:, : len(domain)] * apart).sum(axis=1).mean() + p[:, -2:].sum(axis=1).mean()),
        "distance_if_uniform": float((apart.sum(axis=1) + len(SYMBOLS)).mean() / rows.shape[1]),
        "expected_share_unchanged": float(own.mean()),
    }
    return column.as_data() | {"expected": figures, "figures": None}


def _correlations(outcome: "NoiseResult") -> list[dict[str, Any]]:
    """How the distances to the means of two columns went together before and do after, where each cell is one value."""
    found = []
    single = [i for i, words in enumerate(outcome.units.words) if words.column.kind == "nominal"]
    for i, j in combinations(single, 2):
        columns, both = [outcome.columns[i], outcome.columns[j]], [outcome.masked[i], outcome.masked[j]]
        known = [masked.known for masked in both]
        if known[0] is None or known[1] is None or min(_persons(outcome, i), _persons(outcome, j)) < LEAST:
            continue
        means = [one.statistics.mean for one in known if one is not None]
        rows = [np.flatnonzero(masked.sizes) for masked in both]
        before, after = (
            score_table(columns, [(getattr(m, when), r) for m, r in zip(both, rows, strict=True)], means)
            for when in ("before", "after")
        )
        found.append(
            {
                "columns": [column.column.name for column in columns],
                "before": float(correlation(before)[0, 1]) if len(before) else None,
                "after": float(correlation(after)[0, 1]) if len(after) else None,
            }
        )
    return found


def _understood(
    guard: Disclosure, outcome: "NoiseResult", i: int, percent: float | None, n: int
) -> dict[str, Told[Any]]:
    """How much of a column was understood; under ε that is nobody's business."""
    words = outcome.units.words[i]
    if outcome.method.private:
        return {"understood_percent": guard.public(None)}
    known, unknown = len(words.row), int(words.unknown.sum())
    return {
        "understood_percent": guard.mean(percent, n, 100.0),
        "terms_with_a_concept_percent": guard.private(round(100 * known / max(1, known + unknown), 1)),
    }


def _notes(guard: Disclosure, outcome: "NoiseResult") -> Iterator[Told[Any]]:
    method, table = outcome.method, outcome.units.table
    for note in table.notes:
        if not note.endswith("one per person."):
            yield guard.public(note)
        elif not method.private:
            yield guard.private(note)
    if method.seed is not None and method.private:
        yield guard.public("A seed was given, so the draws can be replayed: ε is not promised.")
    if method.private:
        yield guard.public(
            "ε rests on a domain, an ε and set sizes that were chosen without looking at the data, and on this being "
            "the only release of these persons' values: another one costs its own ε."
        )
        if outcome.plan.output.rows == "kept":
            yield guard.public(
                "Rows come in the order of the input: ε is kept only if that order tells nothing of values."
            )
        return
    if method.min_candidates == 1 and masks_by_errors(outcome):
        yield guard.public(
            "Values next to the mean may have a single concept on their near side, which gives them away; "
            "min_candidates = 10, say, widens the choice."
        )
    if outcome.plan.input.person_rows == "keep" and outcome.plan.input.person and not method.consistent:
        yield guard.public(
            "A person with several records gets a new draw for each, and draws of one value give it away together; "
            "consistent = true repeats the first."
        )


def masks_by_errors(outcome: "NoiseResult") -> bool:
    return any(masked.errors is not None for masked in outcome.masked)
