"""Settings as TOML."""

import re
from collections.abc import Mapping
from typing import Any


def to_toml(tables: Mapping[str, Any], above: str = "") -> str:
    """Nested tables of texts, numbers, truth values and lists of texts as TOML."""
    plain = [f"{key_of(k)} = {_value(v)}\n" for k, v in tables.items() if not isinstance(v, Mapping)]
    head = [f"[{above[:-1]}]\n"] if above and (plain or not tables) else []
    parts = ["".join(head + plain)] if head or plain else []
    for key, value in tables.items():
        if isinstance(value, Mapping):
            parts.append(to_toml(value, f"{above}{key_of(key)}."))
    return "\n".join(part for part in parts if part)


def key_of(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _value(name)


def _value(value: object) -> str:
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda c: f"\\u{ord(c[0]):04x}", escaped) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else repr(value)
