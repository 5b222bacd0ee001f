"""The JSON Schema of plans, made from the settings that a plan is read into; tools/build_schemas.py writes it."""

from collections.abc import Iterable
from dataclasses import Field, fields
from types import UnionType
from typing import Any, get_args, get_origin

from taxonym.distance.attributes import MATCHINGS
from taxonym.distance.registry import DISTANCES
from taxonym.distance.sets import AGGREGATIONS
from taxonym.knowledge.content import CONTENTS
from taxonym.plan import EQUAL_TERMS, INPUT, ORDERS, SHAPES, Output, shape_named
from taxonym.plan.families import BLOCKS, KEYS, RECODINGS, REPRESENTATIVES
from taxonym.plan.method import L_KINDS, T_DISTANCES, THRESHOLDS
from taxonym.plan.noise import OUTCOMES
from taxonym.plan.noise import TABLE as OF_NOISE
from taxonym.publish.generalize.costs import COSTS
from taxonym.publish.registry import METHODS
from taxonym.records.column import KINDS, OTHER_WORDS, PERSON_ROWS, POLICIES, ROLES, Column, key_of_field
from taxonym.records.thresholds import RANDOM
from taxonym.text.senses import SENSES

DIALECT = "https://json-schema.org/draft/2020-12/schema"
CHOICES: dict[str, dict[str, Iterable[str]]] = {
    "input": {"person_rows": PERSON_ROWS},
    "columns": {
        "role": ROLES, "kind": KINDS, "on_unknown": POLICIES, "on_empty": POLICIES, "other_words": OTHER_WORDS,
        "senses": SENSES, "decimal": (".", ","),
    },
    "method": {
        "name": METHODS, "aggregate": (*AGGREGATIONS, *MATCHINGS), "measure": (*DISTANCES, EQUAL_TERMS),
        "content": CONTENTS, "representative": REPRESENTATIVES, "recoding": RECODINGS, "cost": COSTS, "blocks": BLOCKS,
        "outcomes": OUTCOMES, "l_kind": L_KINDS, "t_distance": T_DISTANCES, "support_threshold": THRESHOLDS,
    },
    "output": {"order": ORDERS},
}  # fmt: skip
_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def plan_schema() -> dict[str, Any]:
    """What a plan may hold, as far as a schema can say it; read_plan says the rest, with reasons."""
    known = {"input": INPUT, "method": KEYS.values(), "output": fields(Output)}
    tables = {name: _table(settings, CHOICES[name]) for name, settings in known.items()}
    tables["input"]["properties"]["person"] = {"anyOf": [{"type": "string"}, {"const": False}]}
    tables["noise"] = _table([KEYS[key] for key in OF_NOISE], CHOICES["method"])
    tables["method"]["properties"]["threshold"] = {"anyOf": [{"type": "number"}, {"const": RANDOM}]}
    column = _table([f for f in fields(Column) if f.name != "name"], CHOICES["columns"]) | {"required": ["role"]}
    shapes = {name: _table(fields(shape_named(name)), {}) for name in sorted(SHAPES)}
    return {
        "$schema": DIALECT,
        "title": "A plan of Taxonym",
        "type": "object",
        "properties": {**tables, "columns": {"type": "object", "additionalProperties": column}, **shapes},
        "additionalProperties": False,
    }


def _table(known: Iterable[Field[Any]], choices: dict[str, Iterable[str]]) -> dict[str, Any]:
    made = {key_of_field(f.name): _setting(f.type, choices.get(f.name)) for f in known}
    return {"type": "object", "properties": made, "additionalProperties": False}


def _setting(type_: Any, choices: Iterable[str] | None) -> dict[str, Any]:
    if choices is not None:
        return {"enum": list(choices)}
    plain = (
        next((t for t in get_args(type_) if t is not type(None)), type_) if get_origin(type_) is UnionType else type_
    )
    if get_origin(plain) is tuple:
        return {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    return {"type": _TYPES[plain]}
