"""The JSON Schema of reports; tools/build_schemas.py writes it."""

from dataclasses import fields
from types import NoneType
from typing import Any, get_args, get_type_hints

from taxonym.report.figures import STEPS
from taxonym.report.report import Report

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TEXT, _WHOLE = {"type": "string"}, {"type": "integer"}
_MAYBE, _MAYBE_WHOLE = {"type": ["number", "null"]}, {"type": ["integer", "null"]}  # null: too few persons to tell
_COUNT = {"anyOf": [_WHOLE, {"type": "string", "pattern": "^<"}]}  # of persons; below k as "<k"
_LOSSES = ("mean", "mean_of_published", "mean_to_a_random_record", "ratio_to_a_random_record")
_IN_PERCENT = ("kept", "one_step", "more_general", "merged", "lost", "unmapped", "true", "true_by_content")


def _survival() -> dict[str, Any]:
    """What survives: of all columns of words together, of each, and the same at random."""
    share, percent = ({"type": ["number", "null"], "minimum": 0, "maximum": most} for most in (1, 100))
    figures = {"information": share, **dict.fromkeys(_IN_PERCENT, percent)}
    random = {"type": ["object", "null"], "properties": figures, "required": [*figures], "additionalProperties": False}
    one = {"properties": {**figures, "random": random}, "required": [*figures, "random", "sizes", "frequencies"]}
    columns = {"type": "object", "additionalProperties": {"type": "object", **one}}
    steps = {"type": "object", "additionalProperties": _MAYBE}
    whole = {**figures, "random": random, STEPS: steps, "worst_column": {"type": ["string", "null"]}}
    whole["columns"] = columns
    return {"properties": whole, "required": [*whole], "additionalProperties": False}


def _answer() -> dict[str, Any]:
    """What is answered to a question of regulators."""
    texts = {"question": _TEXT, "answer": _TEXT, "says": _TEXT}
    parts = {**texts, "figures": {"type": "object"}, "limits": {"type": "array", "items": _TEXT}}
    return {"type": "object", "properties": parts, "required": [*parts], "additionalProperties": False}


_KNOWN: dict[str, dict[str, Any]] = {
    "verdict": _TEXT,
    "promise": {
        "properties": {
            "kind": _TEXT,
            "k": _MAYBE_WHOLE,
            "counts": _TEXT,
            "limits": {"type": "array", "items": _TEXT},
        },
        "required": ["kind", "k", "counts"],
    },
    "verified": {
        "properties": {"holds": {"const": True}, "rows": _WHOLE, "counted": _TEXT},
        "required": ["holds", "k", "rows", "classes", "smallest_class", "classes_below_k", "counted"],
    },
    "records": {
        "properties": {
            "rows": _MAYBE_WHOLE,
            "persons": _MAYBE_WHOLE,
            "published_rows": _WHOLE,
            "published_persons": _MAYBE_WHOLE,
            "suppressed_persons": {"type": "object", "additionalProperties": _COUNT},
        },
        "required": ["rows", "persons", "published_rows", "published_persons", "suppressed_persons"],
    },
    "groups": {"required": ["count", "smallest", "largest", "mean"]},
    "support_rule": {"required": ["exposes", "known_items"]},
    "columns": {"items": {"type": "object", "required": ["name", "taxonomy", "taxonomy_fingerprint"]}},
    "loss": {"properties": dict.fromkeys(_LOSSES, _MAYBE)},
    "survival": _survival(),
    "linkage": {"properties": {"dr_percent": _MAYBE, "records_above_1_over_k": _COUNT}, "required": ["dr_percent"]},
    "questions": {
        "properties": dict.fromkeys(("singling_out", "linking", "inference"), _answer()),
        "required": ["singling_out", "linking", "inference"],
        "additionalProperties": False,
    },
    "released": {
        "properties": {"sha256": {"type": ["string", "null"], "pattern": "^[0-9a-f]{64}$"}, "date": _TEXT},
        "required": ["sha256", "date"],
        "additionalProperties": False,
    },
    "watched": {"items": {"type": "object", "required": ["column", "what"]}},
    "warnings": {"items": _TEXT},
    "notes": {"items": _TEXT},
}


def report_schema() -> dict[str, Any]:
    """What every report holds."""
    types = get_type_hints(Report)
    parts = {field.name: _part(types[field.name]) | _KNOWN.get(field.name, {}) for field in fields(Report)}
    head = {"taxonym": _TEXT, "versions": {"type": "object", "additionalProperties": _TEXT}}
    return {
        "$schema": DIALECT,
        "title": "A report of Taxonym",
        "type": "object",
        "properties": {**head, **parts},
        "required": [*head, *parts],
        "additionalProperties": False,
    }


def _part(annotation: Any) -> dict[str, Any]:
    kind = "object" if "[dict" in str(annotation) else "array" if "[list" in str(annotation) else "string"
    return {"type": [kind, "null"] if NoneType in get_args(annotation) else kind}
