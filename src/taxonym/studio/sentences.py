"""What a setting means, and how two states of a project differ, in words. Terms of persons are counted, not told."""

import csv
import io
import json
import tomllib
from collections.abc import Mapping
from typing import Any

from taxonym.plan import Method
from taxonym.publish.registry import METHODS
from taxonym.studio.history import State
from taxonym.studio.project import HIERARCHIES, PLAN

ROLES = {
    "quasi-identifier": "masked",
    "confidential": "kept and watched",
    "other": "kept as it is",
    "identifier": "removed",
    "left out": "left out",
}
ROLE_MEANING = {
    "quasi-identifier": "Others may know it of somebody: it is published in a form that k persons share.",
    "confidential": "It is what researchers want to study: it is kept, and watched for what it gives away.",
    "other": "It is published as it is, and counts when persons are compared.",
    "identifier": "It names persons: it is never published.",
    "left out": "It is not published.",
}
KINDS = {
    "nominal": "one value",
    "set": "several values in a cell",
    "text": "free text",
    "number": "numbers",
    "date": "dates",
}
SHAPES = {
    "table": "a table",
    "querylog": "a search log",
    "accesslog": "a web server's access log",
    "documents": "documents",
}
METHOD_MEANING = {
    "refined": "Persons who said similar things form groups, which are improved one by one. The best choice for most.",
    "mdav": "Persons who said similar things form groups, the most unusual first. The classic method; fast.",
    "adaptive-mdav": "Groups grow as long as persons are about as close as those already in.",
    "generalize": "Every word rises in the hierarchy until k persons share it. What is published is always true.",
    "noise": "Every value becomes another at random. Nobody is promised k others.",
}


def k_meaning(k: int) -> str:
    return (
        f"Whatever is published of somebody is published of at least {k - 1} other person{'s' * (k > 2)} alike: who "
        f"looks for one finds {k}."
    )


def known_items_meaning(m: int) -> str:
    if m == 0:
        return "Nothing is promised about things that are known of somebody together."
    things = "any one thing" if m == 1 else f"any {m} things together"
    return f"Who knows {things} that somebody said finds at least k persons who said so."


def l_meaning(value: int | None) -> str:
    if value is None:
        return "Confidential values: a group may share one, so that it is known of all in it (l is not set)."
    return f"Every group has at least {value} different values in each confidential column."


def t_meaning(value: float | None) -> str:
    if value is None:
        return "They may be shared out in a group quite otherwise than among everybody (t is not set)."
    return f"In no group are confidential values farther than {value:g} from those of everybody."


def topics_meaning(topics: tuple[str, ...]) -> str:
    if not topics:
        return "No topic is treated as sensitive beyond what the other settings promise."
    named = "all sensitive topics" if topics == ("all",) else ", ".join(topics)
    return f"Words about {named} are published as their topic only, where most of a group said them."


def promise_of(method: Method) -> str:
    """What a method promises, in a sentence."""
    if METHODS[method.name].how == "noise":
        return METHOD_MEANING["noise"]
    return k_meaning(method.k)


# ---------------------------------------------------------------------- differences


def differences(before: State, after: State) -> list[str]:
    """How two states differ, one sentence each."""
    old, new = (tomllib.loads(state.get(PLAN, "")) for state in (before, after))
    columns = [*dict.fromkeys((*old.get("columns", {}), *new.get("columns", {})))]
    found: list[str] = []
    for column in columns:
        found += _column(column, *(tables.get("columns", {}).get(column) for tables in (old, new)))
    for table in sorted({*old, *new} - {"columns"}):
        found += _table(table, old.get(table), new.get(table))
    for name in sorted({*before, *after} - {PLAN, HIERARCHIES}):
        found += _file(name, before.get(name, ""), after.get(name, ""))
    bases = [json.loads(state.get(HIERARCHIES, "{}")) for state in (before, after)]
    for column in bases[1].keys() - bases[0].keys():
        found.append(f"The hierarchy of column {column} is an edited {bases[1][column]}.")
    for column in bases[0].keys() - bases[1].keys():
        found.append(f"The hierarchy of column {column} is {bases[0][column]} again, without edits.")
    return found or ["They are the same."]


def _column(name: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> list[str]:
    if old == new:
        return []
    if new is None:
        return [f"Column {name} is left out."]
    if old is None:
        kind = f" as {KINDS[new['kind']]}" if "kind" in new else ""
        return [f"Column {name} is {ROLES[new['role']]}{kind}; it was left out."]
    found = []
    for key in (*dict.fromkeys((*old, *new)),):
        a, b = old.get(key), new.get(key)
        if a == b or key == "overrides":
            continue
        if key == "role":
            found.append(f"Column {name} is {ROLES[str(b)]}; it was {ROLES[str(a)]}.")
        else:
            found.append(f"Column {name}: {_key(key)} is {_value(b)}; it was {_value(a)}.")
    return found


def _table(table: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> list[str]:
    if table in SHAPES and (old is None) != (new is None):
        return [f"The file is {'not ' * (new is None)}read as {SHAPES[table]}."]
    old, new = old or {}, new or {}
    found = []
    for key in (*dict.fromkeys((*old, *new)),):
        a, b = old.get(key), new.get(key)
        if a != b:
            found.append(f"{_key(key, table)} is {_value(b)}; it was {_value(a)}.")
    return found


def _file(name: str, old: str, new: str) -> list[str]:
    if old == new:
        return []
    what, _, column = name.rpartition(".")[0].partition("-")
    lines = [{tuple(row) for row in [*csv.reader(io.StringIO(text))][1:]} for text in (old, new)]
    if what == "overrides":
        a, b = (dict(row for row in some if len(row) == 2) for some in lines)
        changed = sum(a.get(term) != b.get(term) for term in a.keys() | b.keys())
        return [f"{changed:,} word{'s' * (changed > 1)} of column {column} mean{'s' * (changed == 1)} something else."]
    more, less = len(lines[1] - lines[0]), len(lines[0] - lines[1])
    parts = [f"{n:,} edit{'s' * (n > 1)} {way}" for n, way in ((more, "more"), (less, "fewer")) if n]
    return [f"The hierarchy of column {column} has {' and '.join(parts)}."]


def _key(key: str, table: str = "") -> str:
    named = {
        "name": "the method", "k": "k", "known_items": "the number of known things", "on_unknown": "unknown words",
        "on_empty": "empty cells", "person": "the column that says whose row it is", "path": "the file",
    }  # fmt: skip
    said = named.get(key, key.replace("_", " "))
    return said if not table else said[0].upper() + said[1:] if said != "k" else "k"


def _value(value: Any) -> str:
    if value is None:
        return "not set"
    if value is False:
        return "none"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)
