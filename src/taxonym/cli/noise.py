"""What the commands print of a release by noise."""

from collections.abc import Iterator, Mapping
from typing import Any

from taxonym.render.plainly import UNTOLD
from taxonym.render.told import question_lines, size_lines


def noise_lines(report: dict[str, Any]) -> Iterator[str]:
    """A run in a few lines. Under ε nothing is printed that depends on the data."""
    records = report["records"]
    yield report["verdict"]
    yield f"{records['published_rows']:,} rows are published."
    yield from suppressed_lines(records["suppressed_persons"])
    for column in report["noise"]["columns"]:
        yield from column_lines(column)
    yield from size_lines(report)
    yield from question_lines(report)
    yield from report["notes"]


def suppressed_lines(found: Mapping[str, int | str]) -> Iterator[str]:
    """Who is not in the release: reasons that concern many one by one, others together."""
    many = {why: n for why, n in found.items() if isinstance(n, int)}
    yield from (f"Suppressed ({why}): about {n:,} persons." for why, n in many.items() if n)
    if hidden := [n for n in found.values() if not isinstance(n, int)]:
        yield f"Suppressed for any {'other ' * bool(many)}reason: {hidden[0]} persons."


def column_lines(column: dict[str, Any]) -> Iterator[str]:
    """The figures of a column, for people."""
    name, many = column["name"], column["concepts_that_may_come_out"]
    may = "what at least k persons wrote may come out" if many is None else f"{many:,} concepts may come out"
    if expected := column.get("expected"):
        yield (
            f"Column {name!r}: {may}. Over all values a replacement is expected "
            f"{expected['expected_distance']:.3f} away (drawn blindly: {expected['distance_if_uniform']:.3f}), and "
            f"{100 * expected['expected_share_unchanged']:.2f} % stay as they are."
        )
        return
    found = column["figures"]
    if not found or found["mean_error"] is None:
        yield f"Column {name!r}: {may}; {UNTOLD} more."
        return
    if "variance_before" not in found:  # a report, which rounds what it tells
        stay = "" if found["unchanged"] is None else f"; {100 * found['unchanged']:g} % unchanged"
        drawn = found.get("target_error")
        target = "" if drawn is None else f" (errors of {drawn:g} were drawn)"
        yield f"Column {name!r}: {may}. Mean error {found['mean_error']:g}{target}{stay}."
        return
    expected = "" if found["expected_variance"] is None else f" (expected {found['expected_variance']:.3f})"
    target = "" if found["target_error"] is None else f" (target {found['target_error']:.3f})"
    yield (
        f"Column {name!r}: {may}. Mean {found['mean_before']} before, "
        f"{found['mean_after']} after ({found['mean_shift']:.3f} apart); variance {found['variance_before']:.3f}, "
        f"{found['variance_after']:.3f} after{expected}; mean error {found['mean_error']:.3f}{target}, RMSE "
        f"{found['root_mean_square_error']:.3f}; {100 * found['unchanged']:.1f} % unchanged; frequencies of the top "
        f"concepts shifted by {found['total_variation']:.3f}."
    )
