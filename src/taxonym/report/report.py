"""The report of a run: the same keys for every shape, method and engine, and nothing that has not passed the guard."""

import platform
from dataclasses import dataclass, fields
from importlib.metadata import version
from typing import Any

from taxonym import __version__
from taxonym.report.disclosure import Told, check_together

BELOW = ("numpy", "numba", "scipy", "polars")  # what a run is computed with


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything that may be told about a run; None is what a shape or a method has nothing to say about.

    `warnings` are sentences about what is promised to nobody, and might be missed: a strict run is refused for them.
    `survival` tells what is left of what persons said, column by column of words;
    `recoding` tells how good a generalisation is, `noise` what it did, `documents` how their vectors came about, `kept`
    how many values of an access log are published as somebody had them. `questions` are the three of regulators, with
    their answers; `released` is the SHA-256 of the file that was published with the report, and the day.
    """

    verdict: Told[str]
    promise: Told[dict[str, Any]]
    verified: Told[dict[str, Any]]
    watched: Told[list[Any]]
    plan: Told[dict[str, Any]]
    records: Told[dict[str, Any]]
    groups: Told[dict[str, Any]]
    support_rule: Told[dict[str, Any]]
    columns: Told[list[Any]]
    recoding: Told[dict[str, Any]] | None = None
    noise: Told[dict[str, Any]] | None = None
    documents: Told[dict[str, Any]] | None = None
    kept: Told[dict[str, Any]] | None = None
    loss: Told[dict[str, Any]]
    survival: Told[dict[str, Any]] | None = None
    linkage: Told[dict[str, Any]] | None = None
    questions: Told[dict[str, Any]] | None = None
    warnings: Told[list[Any]]
    notes: Told[list[Any]]
    released: Told[dict[str, Any]] | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, Told) and value is not None:
                raise TypeError(f"{field.name} has not passed the guard")
        parts = (getattr(self, field.name) for field in fields(self))
        check_together("the report", (entry for part in parts if part is not None for entry in part.entries))

    def as_data(self, *packages: str) -> dict[str, Any]:
        """As JSON has it; `packages` are what the run was computed with beside the usual ones."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        told = {name: None if part is None else part.value for name, part in parts.items()}
        told["warnings"] = told["warnings"] or []
        return {"taxonym": __version__, "versions": versions(*packages), **told}


def versions(*more: str) -> dict[str, str]:
    """Of what a run was computed with."""
    return {"python": platform.python_version(), **{name: version(name) for name in (*BELOW, *more)}}
