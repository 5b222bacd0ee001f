"""What the commands print of a release by noise."""

from collections.abc import Iterator
from typing import Any


def noise_lines(report: dict[str, Any]) -> Iterator[str]:
    """A run in a few lines. Under ε nothing is printed that depends on the data."""
    records = report["records"]
    of_all = "" if records["rows"] is None else f" of {records['rows']:,}"
    yield report["verdict"]
    yield f"{records['published_rows']:,}{of_all} rows are published."
    yield from (f"Suppressed ({why}): {n} persons." for why, n in records["suppressed_persons"].items())
    for column in report["noise"]["columns"]:
        yield from column_lines(column)
    for pair in report["noise"].get("correlations", ()):
        a, b = pair["columns"]
        yield f"Columns {a!r} and {b!r}: correlation of distances to the mean {_figure(pair['before'])} before, " + (
            f"{_figure(pair['after'])} after."
        )
    yield from report["notes"]


def column_lines(column: dict[str, Any]) -> Iterator[str]:
    """The figures of a column, for people."""
    name, concepts = column["name"], column["concepts_that_may_come_out"]
    if expected := column.get("expected"):
        yield (
            f"Column {name!r}: {concepts:,} concepts may come out. Over all values a replacement is expected "
            f"{expected['expected_distance']:.3f} away (drawn blindly: {expected['distance_if_uniform']:.3f}), and "
            f"{100 * expected['expected_share_unchanged']:.2f} % stay as they are."
        )
        return
    if not (found := column["figures"]):
        yield f"Column {name!r}: {concepts:,} concepts may come out; too few persons for figures."
        return
    expected = "" if found["expected_variance"] is None else f" (expected {found['expected_variance']:.3f})"
    target = "" if found["target_error"] is None else f" (target {found['target_error']:.3f})"
    yield (
        f"Column {name!r}: {concepts:,} concepts may come out. Mean {found['mean_before']} before, "
        f"{found['mean_after']} after ({found['mean_shift']:.3f} apart); variance {found['variance_before']:.3f}, "
        f"{found['variance_after']:.3f} after{expected}; mean error {found['mean_error']:.3f}{target}, RMSE "
        f"{found['root_mean_square_error']:.3f}; {100 * found['unchanged']:.1f} % unchanged; frequencies of the top "
        f"concepts shifted by {found['total_variation']:.3f}."
    )


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
