"""Semantic Noise [RodriguezGarcia2015]: its examples and Tables I to IV, checked.

printed.py   the data and the tables as they are printed
readings.py  which concepts the terms may stand for: all readings tried
runs.py      the experiments, over many seeds, and what counts as the same
equal.py     all mechanisms at equal distortion, which the paper does not have
reproduce    all of it, item by item
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.measure.noise import NoiseLoss
from taxonym.measure.nominal import statistics
from taxonym.papers.items import Item, checked
from taxonym.papers.rodriguez_garcia2015 import printed
from taxonym.papers.rodriguez_garcia2015.readings import readings
from taxonym.papers.rodriguez_garcia2015.runs import SEEDS, Data, figures, runs, verdict, worst

METRICS = {
    "shift": "distance of the means",
    "variance": "|variance - (1 + α) variance before|",
    "actual": "actual RMSE",
    "target": "target RMSE",
}
SAYS = {
    "shift": "eq. 9 between the means",
    "variance": "eq. 12 after and before",
    "actual": "the mean distance of a value to its replacement, not its root mean square",
    "target": "the mean |ε|",
}


def reproduce(tax: Taxonomy | None = None, seeds: int = SEEDS) -> list[Item]:
    """Every number of the paper that can be checked; `tax` is WordNet 3.0 unless given."""
    if tax is None:
        from taxonym.knowledge.catalog import load

        tax = load("wordnet")
    data = Data.of(tax)
    return [*_statistics(tax, data), *_distances(tax, data), *_sweeps(data, seeds), *_comparisons(data, seeds)]


def _statistics(tax: Taxonomy, data: Data) -> list[Item]:
    """The mapping is not printed; it was chosen so that mean and variance come out, which therefore are `fitted`."""
    out = [checked("§IV: records", printed.RECORDS, len(data.occupation), "the sum of the counts printed")]
    tried = readings(tax, data.domain)
    out.append(
        Item(
            "§IV: which concepts the 14 terms are",
            "(not printed)",
            f"{len(tried.both)} of {tried.tried} readings give mean and variance of both columns, ours among them",
            "every sense of a term under person, and the agricultural labourer for farmer, without whom none does",
            "fitted",
            tried.tried,
        )
    )
    for name, values in (("occupation", data.occupation), ("sample", data.sample)):
        found = statistics(data.domain, values)
        ours = (data.domain.tax.label(found.mean), round(found.variance, 2))
        reading = f"WordNet 3.0, all {len(data.domain):,} persons that are no instances; variance {found.variance:.3f}"
        fits = printed.STATISTICS[name] == ours
        out.append(
            Item(
                f"§IV: mean and variance of the {name}",
                str(printed.STATISTICS[name]),
                str(ours),
                reading,
                "fitted" if fits else "not",
                tried.tried * fits,
            )
        )
    return out


def _distances(tax: Taxonomy, data: Data) -> list[Item]:
    out = []
    for a, b, value in printed.DISTANCES:
        x, y = data.domain.inside([tax.code(a), tax.code(b)]).tolist()
        item = f"Tables II-IV: sd({data.domain.tax.label(x)}, {data.domain.tax.label(y)})"
        apart = data.domain.distance(x, y)
        out.append(checked(item, value, round(apart, 2), f"eq. 9 with person at depth 1: {apart:.3f}"))
    return out


def _sweeps(data: Data, seeds: int) -> list[Item]:
    """Tables I and III, row by row."""
    full, drawn, sample = (
        [runs(data, values, alpha, seeds=seeds, records=records) for alpha in printed.ALPHAS]
        for values, records in ((data.occupation, None), (data.occupation, 100), (data.sample, None))
    )
    return [
        *_rows(data, "Table I", "all 30,242 records", printed.TABLE_1, full),
        *_rows(data, "Table I", "100 records drawn anew for each run, as its heading says", printed.TABLE_1, drawn),
        *_rows(data, "Table III", "the sample of 100", printed.TABLE_3, sample),
    ]


def _rows(
    data: Data, table: str, reading: str, values: Mapping[str, Sequence[Any]], found: Sequence[Sequence[NoiseLoss]]
) -> list[Item]:
    seeds = len(found[0])
    means = [Counter(data.label(run.mean_after) for run in some) for some in found]
    out = [
        Item(
            f"{table}: mean after noise",
            ", ".join(values["mean"]),
            ", ".join(_named(each) for each in means),
            f"{reading}; {seeds} runs, how many gave which mean",
            worst([mean_verdict(mean, each) for mean, each in zip(values["mean"], means, strict=True)]),
        )
    ]
    for metric, name in METRICS.items():
        ours = [figures(some, metric) for some in found]
        out.append(
            Item(
                f"{table}: {name}",
                ", ".join(f"{value:.2f}" for value in values[metric]),
                ", ".join(_spread(some) for some in ours),
                f"{reading}; {SAYS[metric]}; mean and range of {seeds} runs",
                worst([verdict(value, some) for value, some in zip(values[metric], ours, strict=True)]),
            )
        )
    return out


def _comparisons(data: Data, seeds: int) -> list[Item]:
    """Tables II and IV, method by method."""
    out = []
    for table, values, columns in (
        ("Table II", data.occupation, printed.TABLE_2),
        ("Table IV", data.sample, printed.TABLE_4),
    ):
        for mechanism, (mean, shift, actual) in columns.items():
            some = runs(data, values, 1.0, mechanism, seeds)
            means, errors = Counter(data.label(run.mean_after) for run in some), figures(some, "actual")
            reading = f"{len(values):,} records, {seeds} runs"
            out += [
                Item(
                    f"{table}: {mechanism}, mean and its distance",
                    f"{mean}, {shift:.2f}",
                    f"{_named(means)}, {_spread(figures(some, 'shift'))}",
                    f"{reading}, how many gave which mean",
                    mean_verdict(mean, means),
                ),
                Item(
                    f"{table}: {mechanism}, actual RMSE",
                    f"{actual:.2f}",
                    _spread(errors),
                    f"{reading}; {SAYS['actual']}",
                    verdict(actual, errors),
                ),
            ]
    return out


def mean_verdict(mean: str, found: Mapping[str, int]) -> str:
    """`exact` if every run has the mean that is printed, `consistent` if some have."""
    return "exact" if set(found) == {mean} else "consistent" if mean in found else "not"


def _named(found: Counter[str]) -> str:
    return " / ".join(f"{label} {n}" if len(found) > 1 else label for label, n in found.most_common())


def _spread(some: Sequence[float]) -> str:
    return f"{sum(some) / len(some):.3f} ({min(some):.3f}-{max(some):.3f})"
