"""Small pieces of HTML. Whatever comes from outside (labels, names of columns and files) is escaped here, and kept
apart from the direction in which the text around it runs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from taxonym.render.plainly import words

MORE = 30  # rows of a list of lists that are shown
WIDE = 7  # columns of a table; with more it is turned on its side


def text(value: Any) -> str:
    """A value as text of a page."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"<bdi>{escape(_visible(str(value)))}</bdi>"


def attribute(value: str) -> str:
    return escape(_visible(value), quote=True)


def _visible(value: str) -> str:
    """Without characters that no page may hold."""
    return "".join(c if c.isprintable() or c in "\n\t" or ord(c) > 0x9F else "�" for c in value)


def script_data(name: str, data: Any) -> str:
    """Data for a script: nothing in it can end the element or start another."""
    written = json.dumps(data, ensure_ascii=True)
    for sign in "<>&":
        written = written.replace(sign, f"\\u{ord(sign):04x}")
    return f'<script type="application/json" id="{name}">{written}</script>'


def data_of_page(page: str, name: str = "report") -> str:
    """What script_data has written into a page; nothing where it has not."""
    _, _, rest = page.partition(f'<script type="application/json" id="{name}">')
    return rest.partition("</script>")[0]


def table(heads: Sequence[Any], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """A table; the first cell of a row is its heading. Columns of numbers are set to the right."""
    every = [list(row) for row in rows]
    right = [all(_numeric(row[i]) for row in every) for i in range(len(heads))]
    kind = [' class="n"' if is_right else "" for is_right in right]
    head = "".join(f'<th scope="col"{kind[i]}>{text(name)}</th>' for i, name in enumerate(heads))
    body = "".join(
        f'<tr><th scope="row">{cell(row[0])}</th>'
        + "".join(f"<td{kind[i]}>{cell(row[i])}</td>" for i in range(1, len(row)))
        + "</tr>"
        for row in every
    )
    title = f"<caption>{text(caption)}</caption>" if caption else ""
    inside = f"{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide" tabindex="0"><table>{inside}</table></div>'


class SafeHtml(str):
    """HTML that was made here."""

    __slots__ = ()


def cell(value: Any) -> str:
    return value if isinstance(value, SafeHtml) else text(value)


def _numeric(value: Any) -> bool:
    if isinstance(value, SafeHtml):
        return False
    if isinstance(value, str):
        return value in ("<k", "–") or value.replace(",", "").replace(".", "").removesuffix(" %").isdecimal()
    return value is None or isinstance(value, int | float)


def bar(percent: float) -> SafeHtml:
    """A share with a bar in a cell of a table."""
    width = min(100.0, max(0.0, percent))
    return SafeHtml(f'<span class="share"><i style="width:{width:.1f}%"></i></span> {percent:g} %')


def shares(parts: Sequence[tuple[str, float]]) -> SafeHtml:
    """Percentages that add up to 100, as one bar in a cell of a table: the first is darkest, the last is empty."""
    said = attribute(", ".join(f"{name} {round(percent, 1):g} %" for name, percent in parts))
    made = "".join(
        f'<i style="width:{percent:.1f}%;opacity:{1 - i / max(1, len(parts) - 1):.2f}" title="{attribute(name)}"></i>'
        for i, (name, percent) in enumerate(parts)
    )
    return SafeHtml(f'<span class="share parts" role="img" aria-label="{said}">{made}</span>')


def facts(pairs: Iterable[tuple[str, Any]]) -> str:
    """Names and values, one pair a line."""
    made = "".join(f"<div><dt>{text(name)}</dt><dd>{cell(value)}</dd></div>" for name, value in pairs)
    return f"<dl>{made}</dl>" if made else ""


def nested(data: Any) -> str:
    """Any part of a report: what is plain as facts, what has parts below under their names."""
    if isinstance(data, Mapping) and (like := _alike(data)):
        return table(["", *map(words, like)], [[words(str(key)), *row.values()] for key, row in data.items()])
    if isinstance(data, Mapping):
        plain = [(words(str(key)), value) for key, value in data.items() if not _has_parts(value)]
        below = [(words(str(key)), value) for key, value in data.items() if _has_parts(value)]
        made = "".join(f'<div class="part"><h4>{text(name)}</h4>{nested(value)}</div>' for name, value in below)
        return facts((name, _listed(value)) for name, value in plain) + made
    if isinstance(data, list | tuple):
        shown = list(data)[:MORE]
        if shown and all(isinstance(row, Mapping) for row in shown):
            made = _rows([_flat(row) for row in shown])
        else:
            made = f"<p>{text(_listed(shown))}</p>"
        return made + (f"<p>{len(data) - MORE:,} more are in the JSON report.</p>" if len(data) > MORE else "")
    return f"<p>{text(data)}</p>"


def _alike(data: Mapping[Any, Any]) -> list[str]:
    """The keys of parts that all have the same plain figures; none where they differ."""
    parts = list(data.values())
    if len(parts) < 2 or not all(isinstance(part, Mapping) and part for part in parts):
        return []
    keys = list(parts[0])
    same = all(list(part) == keys and not any(map(_has_parts, part.values())) for part in parts)
    return [str(key) for key in keys] if same and len(keys) <= WIDE else []


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row whose parts stand beside its other figures; what is empty is left out."""
    made: dict[str, Any] = {}
    for key, value in row.items():
        made |= value if isinstance(value, Mapping) else {key: value}
    return {words(str(key)): _listed(value) for key, value in made.items() if value is not None}


def _rows(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as a table; where they are long, each is a column."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    if len(keys) <= WIDE or len(rows) > WIDE:
        return table(keys, [[row.get(key) for key in keys] for row in rows])
    first, *others = keys
    return table([first, *(row.get(first) for row in rows)], [[key, *(row.get(key) for row in rows)] for key in others])


def _has_parts(value: Any) -> bool:
    if isinstance(value, Mapping):
        return bool(value)
    return isinstance(value, list | tuple) and any(isinstance(one, Mapping | list | tuple) for one in value)


def _listed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return "; ".join(f"{words(str(key))}: {_listed(one)}" for key, one in value.items()) or None
    if isinstance(value, list | tuple):
        few = [str(_listed(one)) for one in value[:MORE]]
        return ", ".join([*few, "…"] if len(value) > MORE else few) or None
    return value
