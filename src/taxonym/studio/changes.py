"""A plan with one thing changed. Plans are the tables of their file here, as Plan.from_dict takes them."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from taxonym.errors import BadPlan
from taxonym.io.delimited import Dialect
from taxonym.plan import SHAPES
from taxonym.plan.input_output import Input
from taxonym.records.column import KINDS, ROLES, one_of

Tables = dict[str, Any]
WORDS = ("nominal", "set", "text")
READING = ("encoding", "delimiter", "quote", "names", "format", "sheet", "labels", "max_unpacked")
LEFT_OUT = "left out"  # the role of a column that the plan does not name
_OF_ALL_KINDS = ("role", "kind", "weight", "on_empty")
_OF_WORDS = ("taxonomy", "senses", "overrides", "category", "topics", "on_unknown", "language")
METHOD_KEYS = ("name", "k", "known_items", "l", "t", "topics", "aggregate", "measure", "seed")


def with_role(tables: Tables, column: str, role: str, drafted: Mapping[str, Any]) -> Tables:
    """A column in another role; one that was left out gets what was drafted for it."""
    one_of("role", role, (*ROLES, LEFT_OUT))
    made = deepcopy(tables)
    columns = made.setdefault("columns", {})
    if role == LEFT_OUT:
        columns.pop(column, None)
        if made.get("input", {}).get("person") == column:
            del made["input"]["person"]
        return made
    settings = columns.get(column) or {key: value for key, value in drafted.items() if key != "role"}
    if role != "confidential":
        settings = {key: value for key, value in settings.items() if key not in ("exact", "links")}
    columns[column] = {"role": role, **{key: value for key, value in settings.items() if key != "role"}}
    if role == "identifier":
        columns[column] = {"role": role}
    elif made.get("input", {}).get("person") == column:
        del made["input"]["person"]
    return made


def with_person(tables: Tables, column: str) -> Tables:
    """Another column says whose row it is, or none: then every row is a person, and that is meant. The one that said so
    before is removed as an identifier still."""
    made = deepcopy(tables)
    if column:
        made.setdefault("columns", {})[column] = {"role": "identifier"}
        made.setdefault("input", {})["person"] = column
    else:
        made.setdefault("input", {})["person"] = False
    return made


def with_person_rows(tables: Tables, how: str) -> Tables:
    made = deepcopy(tables)
    made.setdefault("input", {})["person_rows"] = how
    return made


def with_kind(tables: Tables, column: str, kind: str, separator: str = "") -> Tables:
    """A column of another kind: settings that do not belong to it go."""
    one_of("kind", kind, KINDS)
    made = deepcopy(tables)
    settings = _column(made, column)
    kept = (*_OF_ALL_KINDS, *(_OF_WORDS if kind in WORDS else ()))
    settings = {key: value for key, value in settings.items() if key in kept} | {"kind": kind}
    if kind == "set" and separator:
        settings["separator"] = separator
    if kind == "text":
        settings.setdefault("taxonomy", "wordnet")
    made["columns"][column] = settings
    return made


def with_setting(tables: Tables, column: str, key: str, value: Any) -> Tables:
    """One setting of a column, or of the queries of a log; an empty one goes."""
    made = deepcopy(tables)
    settings = made["querylog"] if "querylog" in made else _column(made, column)
    if value in ("", None, [], ()):
        settings.pop(key, None)
    else:
        settings[key] = value
    return made


def without_words(tables: Tables, column: str) -> Tables:
    """A column whose values stand for themselves: no taxonomy, no senses."""
    made = deepcopy(tables)
    settings = _column(made, column)
    kept = {key: value for key, value in settings.items() if key in (*_OF_ALL_KINDS, "separator")}
    made["columns"][column] = kept | ({"kind": "nominal"} if kept.get("kind") == "text" else {})
    return made


def reading_of(tables: Tables) -> dict[str, Any]:
    """How the file is written, as far as the plan says so."""
    return {key: value for key, value in tables.get("input", {}).items() if key in READING}


def dialect_of(reading: Mapping[str, Any]) -> Dialect:
    """How a file is written, as one is told who reads it."""
    return Input(**{**reading, "names": tuple(reading.get("names", ()))}).dialect


def with_shape(tables: Tables, kind: str, drafted: Tables) -> Tables:
    """Another reading of the whole file: a table as it was drafted, a log, documents."""
    one_of("kind", kind, ("table", *SHAPES))
    given = {"path": tables["input"]["path"], **reading_of(tables)}
    made = deepcopy(drafted if kind == "table" else {"input": given, kind: {}})
    for key in ("method", "output"):
        if key in tables:
            made[key] = deepcopy(tables[key])
    return made


def with_method(tables: Tables, settings: Mapping[str, Any]) -> Tables:
    """Other settings of the method; None takes one away."""
    made = deepcopy(tables)
    method = made.setdefault("method", {})
    for key, value in settings.items():
        if key not in METHOD_KEYS:
            raise BadPlan(f"method.{key}: is not changed here. Edit the plan's file.")
        if value in (None, "", [], ()):
            method.pop(key, None)
        else:
            method[key] = value
    return made


def _column(tables: Tables, column: str) -> dict[str, Any]:
    found = tables.get("columns", {}).get(column)
    if found is None:
        raise BadPlan(f"columns.{column}: is left out. Give it a role first.")
    settings: dict[str, Any] = found
    return settings


def word_columns(tables: Tables) -> dict[str, dict[str, Any]]:
    """The columns whose words have a meaning, with their settings."""
    if "querylog" in tables:
        return {"query": {"taxonomy": "wordnet", "kind": "text", **tables["querylog"]}}
    return {
        name: settings
        for name, settings in tables.get("columns", {}).items()
        if settings.get("role") in ("quasi-identifier", "confidential")
        and settings.get("kind", "nominal") in WORDS
        and settings.get("taxonomy")
    }
