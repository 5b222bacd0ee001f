"""What a report tells, in lines of text: for terminals, and where a page needs the same sentence."""

from collections.abc import Iterator, Mapping
from typing import Any

Report = Mapping[str, Any]
ASKED = {"singling_out": "Singling out", "linking": "Linking", "inference": "Inference"}


def confidential_lines(report: Report) -> Iterator[str]:
    """l and t of every confidential column, as anybody can count them in the release."""
    for one in report.get("watched") or ():
        which = f"Column {one['column']!r}{' (its topics)' * (one['what'] == 'topics')}"
        if shown := one.get("as_published"):
            least, rows = shown["smallest_distinct_l"], shown["rows_in_them"]
            sharing = f"{rows:,} rows are in classes that share one" if rows else "no class shares one"
            yield (
                f"{which}: a class has at least {least} different published value{'s' * (least != 1)} (l), at most "
                f"{shown['largest_t']:.2f} from those of all (t); {sharing}."
            )
        if (persons := one.get("persons_in_homogeneous_classes")) is not None:
            yield f"{which}: {persons} persons share a value of the original with all of their class."


def size_lines(report: Report) -> Iterator[str]:
    """Whether records are as large, and concepts as frequent, as they were."""
    columns = (report.get("plan") or {}).get("columns") or {}
    for name, one in ((report.get("survival") or {}).get("columns") or {}).items():
        sizes, shift = one.get("sizes") or {}, (one.get("frequencies") or {}).get("shift")
        said, plain = [], columns.get(name, {}).get("kind") or "nominal"
        if name in columns and plain == "nominal":  # one value, or none
            sizes = {}
        if sizes.get("before") is not None and sizes.get("after") is not None:
            said.append(f"a record has {sizes['before']:.3g} items, {sizes['after']:.3g} as published")
        if sizes.get("as_large") is not None:
            said.append(f"{sizes['as_large']:.0f} of 100 have as many as before, give or take one")
        if shift is not None:
            said.append(f"of 100 mentions {100 * shift:.0f} are of other concepts than were held")
        if said:
            yield f"Column {name!r}: {'; '.join(said)}."


def question_lines(report: Report) -> Iterator[str]:
    """The three questions of regulators with their answers, one a line."""
    for name, one in (report.get("questions") or {}).items():
        yield f"{ASKED.get(name, name)}: {one['answer']}. {one['says']}"
