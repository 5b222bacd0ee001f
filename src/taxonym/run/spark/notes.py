"""What the parts of a table tell the driver beside their units: complaints, and what none could know alone."""

import json

from taxonym.errors import BadInput
from taxonym.run.spark.kit import KnownElsewhere


def learned_from(notes: list[str], where: str) -> KnownElsewhere:
    """What the parts learned; a complaint of any is raised."""
    found = [json.loads(note) for note in notes]
    cells = sorted((n for n in found if n[0] == "cells"), key=lambda n: (n[1], n[2], n[6], n[7]))
    if cells:
        _, column, what, fix, things, _, file, row = cells[0]
        count = sum(n[5] for n in cells if n[1:5] == cells[0][1:5])
        raise BadInput(f"{where}: column {column!r}: {what} in {count:,} {things}{_first(file, row)}. {fix}")
    unknown = sorted((n for n in found if n[0] == "unknown"), key=lambda n: n[1:])
    if unknown:
        _, column, _, file, row = unknown[0]
        raise BadInput(
            f"{where}: column {column!r}: some terms have no concept{_first(file, row)}. List them with "
            f"'taxonym concepts --file … --column {column} --unknown OUT', or set on_unknown = \"suppress\" for "
            f"this column."
        )
    for note in found:
        if note[0] == "input":
            raise BadInput(note[1])
    sets, broken, moments = (
        frozenset(n[2] for n in found if n[:2] == ["learned", kind]) for kind in ("sets", "broken", "moments")
    )
    names = {n[1] for n in found if n[0] == "known"}
    known = {name: frozenset(n[2] for n in found if n[:2] == ["known", name]) for name in names}
    return KnownElsewhere(sets, broken, moments, known, several=["learned", "several", ""] in found)


def _first(file: str, row: int) -> str:
    return f", first in row {row} of {file}" if file else ""
