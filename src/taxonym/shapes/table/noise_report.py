"""The report of a release by noise.

Under ε nothing in it depends on the data but the number of rows, which the release shows anyway: what is expected of
the mechanism is computed over the whole public domain instead. Without ε it has the figures of [RodriguezGarcia2015,
§IV] for columns with values of at least LEAST persons: of fewer, a mean would be somebody's value.
"""

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.measure.loss import measures
from taxonym.measure.noise import noise_loss
from taxonym.methods.noise.column import NoiseColumn
from taxonym.methods.noise.statistics import score_table
from taxonym.plan import public_settings
from taxonym.promises import Epsilon, main_promise
from taxonym.publish.noise.correlated import correlation
from taxonym.publish.noise.mechanisms import MECHANISMS
from taxonym.publish.noise.private import SYMBOLS, weights_for
from taxonym.report.builder import promise_of
from taxonym.report.disclosure import Disclosure
from taxonym.report.report import Report
from taxonym.shapes.table.noise_proof import NoiseProof

if TYPE_CHECKING:
    from taxonym.methods.noise.records import NoiseResult

LEAST = 20  # persons with values of whom a column's figures are told
FEW = 5  # persons below which a count is not told
TRIED = 500  # values of the domain over which expectations are taken, spread evenly


def noise_report(outcome: "NoiseResult", proof: NoiseProof, loss: dict[str, Any]) -> Report:
    """Everything that may be told about a run."""
    plan, units = outcome.plan, outcome.units
    method, private = outcome.method, outcome.method.private
    columns = [_expected(c, outcome) if private else _figures(c, outcome, i) for i, c in enumerate(outcome.columns)]
    guard, suppressed = Disclosure(FEW, f"<{FEW}"), units.suppressed
    rows = guard.total(int(units.table.row_start[-1]), suppressed.values())
    persons = guard.total(units.table.persons, suppressed.values())
    told = plan.to_dict() | {"method": public_settings(method)}
    noise: dict[str, Any] = {
        "mechanism": method.noise_mechanism,
        "about": MECHANISMS[method.noise_mechanism].about,
        "draws": _draws(outcome),
        "columns": columns,
    }
    if private:
        noise |= {
            "epsilon_per_cell": method.epsilon,
            "epsilon_per_record": method.cost(len(outcome.columns)),
            "epsilon_per_person_at_most": method.allowed(len(outcome.columns)),
        }
    elif len(outcome.columns) > 1:
        noise["correlations"] = _correlations(outcome)
    return Report(
        verdict=guard.figures(verdict(outcome, columns)),
        promise=promise_of(guard, plan),
        verified=guard.public(proof.as_data()),
        watched=guard.public([]),
        plan=guard.public(told),
        records=guard.table(
            {
                "rows": guard.public(None) if private else rows,
                "persons": guard.public(None) if private else persons,
                "published_rows": guard.public(proof.rows),
                "published_persons": guard.public(None if private else len(np.unique(units.persons))),
                "suppressed_persons": guard.table({why: guard.count(n) for why, n in suppressed.items()}),
            }
        ),
        groups=guard.public({"count": 0, "smallest": None, "largest": None, "mean": None, "sizes": {}}),
        support_rule=guard.public(
            {
                "representative": "noise",
                "exposes": "names of concepts, never a person's own words; not how many persons hold them",
                "known_items": None,
                "consensus": False,
            }
        ),
        columns=guard.figures([column.as_data() | _understood(outcome, i) for i, column in enumerate(outcome.columns)]),
        loss=guard.figures(loss),
        noise=guard.figures(noise),
        notes=guard.public([*_notes(outcome, persons.value is not None)]),
    )


def verdict(outcome: "NoiseResult", columns: list[dict[str, Any]]) -> str:
    """One sentence that says what is promised and what was lost."""
    plan = outcome.plan
    if isinstance(main := main_promise(plan), Epsilon):
        return (
            f"Every masked cell is locally ε-differentially private with ε = {outcome.method.epsilon:g}, all cells "
            f"of a person together with at most ε = {main.spent:g}; nothing is promised about k."
        )
    far = [figures["mean_error"] for column in columns if (figures := column["figures"])]
    away = f", on average {sum(far) / len(far):.2f} away in meaning" if far else ""
    return f"Every masked value was replaced at random{away}. This makes guessing harder: neither k nor ε is promised."


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


def _figures(column: NoiseColumn, outcome: "NoiseResult", i: int) -> dict[str, Any]:
    """What noise did to a column. Target error: the mean |ε|; mean error: what the paper calls RMSE."""
    masked, method = outcome.masked[i], outcome.method
    said = column.as_data() | {"values": len(masked.before)}
    if masked.known is None or _persons(outcome, i) < LEAST:
        return said | {"figures": None}
    alpha = method.strength if masked.errors is not None else None
    loss = noise_loss(column.domain, masked.before, masked.after, alpha=alpha, errors=masked.errors)
    tax = column.finder.taxonomy
    named = {key: tax.label(getattr(loss, key)) for key in ("mean_before", "mean_after")}
    return said | {"statistics": masked.known.source, "figures": loss.as_data() | named}


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


def _understood(outcome: "NoiseResult", i: int) -> dict[str, Any]:
    """How much of a column was understood; under ε that is nobody's business."""
    words = outcome.units.words[i]
    known, unknown = len(words.row), int(words.unknown.sum())
    share = None if outcome.method.private else round(100 * known / max(1, known + unknown), 1)
    return {"terms_with_a_concept_percent": share}


def _notes(outcome: "NoiseResult", whole: bool) -> list[str]:
    method, table = outcome.method, outcome.units.table
    hidden = not whole or method.private
    notes = [note for note in table.notes if not (hidden and note.endswith("one per person."))]
    if method.seed is not None and method.private:
        notes.append("A seed was given, so the draws can be replayed: ε is not promised.")
    if method.private:
        notes.append(
            "ε rests on a domain, an ε and set sizes that were chosen without looking at the data, and on this being "
            "the only release of these persons' values: another one costs its own ε."
        )
        if not outcome.plan.output.shuffle:
            notes.append("Rows come in the order of the input: ε is kept only if that order tells nothing of values.")
        return notes
    if method.min_candidates == 1 and masks_by_errors(outcome):
        notes.append(
            "Values next to the mean may have a single concept on their near side, which gives them away; "
            "min_candidates = 10, say, widens the choice."
        )
    if outcome.plan.input.person_rows == "keep" and outcome.plan.input.person and not method.consistent:
        notes.append(
            "A person with several records gets a new draw for each, and draws of one value give it away together; "
            "consistent = true repeats the first."
        )
    return notes


def masks_by_errors(outcome: "NoiseResult") -> bool:
    return any(masked.errors is not None for masked in outcome.masked)
