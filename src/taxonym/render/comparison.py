"""A comparison of settings for the eye: the risk–loss picture, a table, a page that opens without any network."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from taxonym import __version__
from taxonym.render.charts import Chart
from taxonym.render.markup import attribute, table, text
from taxonym.render.page import document
from taxonym.render.scatter import INKS, SHAPES, Dot, scatter

Row = Mapping[str, Any]
Judges = Mapping[str, Mapping[str, str | None]]

TITLE = "Risk and loss of every setting"
TONES = ("#3b82c4", "#d0743c", "#4a9d6b", "#9275c4", "#8a8f98", "#b8931f")  # seen on light and on dark pages
SHAPED = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross")
_STYLE = """
.taxonym-comparison { font: 1rem/1.5 system-ui, sans-serif; }
.taxonym-comparison table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.taxonym-comparison :is(th, td) { padding: .2rem .7rem; text-align: left; border-bottom: 1px solid #8886; }
.taxonym-comparison .n { text-align: right; }
.taxonym-comparison .wide { overflow-x: auto; }
.taxonym-comparison svg { max-width: 44rem; height: auto; display: block; margin: 1rem 0; }
"""


def series_of(row: Row) -> str:
    """A setting without its k."""
    return ", ".join(filter(None, (_method(row), distance_of(row))))


def _method(row: Row) -> str:
    return str(row["method"])


def distance_of(row: Row) -> str:
    """A distance: between concepts, and between sets of them where there are any."""
    return " over ".join(filter(None, (row["aggregate"], row["measure"])))


def picture(rows: Sequence[Row], distance: str, title: str = TITLE) -> str:
    """Risk across, loss upwards; the settings that no other beats are filled and joined, the recommended one ringed.

    A shape for each setting but k; where these are too many, a shape for each method and an ink for each distance.
    """
    tried = [row for row in rows if row["refused"] is None]
    series = list(dict.fromkeys(map(series_of, tried)))
    legend = [(name, i, i) for i, name in enumerate(series)]
    looks = {name: (i, i) for name, i, _ in legend}
    if len(series) > SHAPES:
        methods, distances = (list(dict.fromkeys(map(part, tried))) for part in (_method, distance_of))
        legend = [(name, i, len(INKS) - 2) for i, name in enumerate(methods)]
        legend += [(name, SHAPES - 1, i) for i, name in enumerate(distances) if name]
        looks = {series_of(row): (methods.index(_method(row)), distances.index(distance_of(row))) for row in tried}
    efficient = [row for row in tried if row["efficient"]]
    named = {row["k"]: row for row in sorted(efficient, key=lambda row: -row["loss"])}  # one label for each k
    dots = [
        Dot(
            row["dr_percent"],
            row["loss"],
            *looks[series_of(row)],
            f"{series_of(row)}, k = {row['k']}: loss {row['loss']:.3f}, risk {row['dr_percent']:.1f} %",
            row["efficient"],
            row["recommended"],
            f"k = {row['k']}" if row is named.get(row["k"]) else "",
        )
        for row in tried
    ]
    line = sorted((i for i, dot in enumerate(dots) if dot.full), key=lambda i: (dots[i].x, -dots[i].y))
    across = "disclosure risk by linkage, % (filled and joined: efficient)"
    return scatter(title, across, f"loss: mean distance, {distance}", dots, legend, line)


def chart(rows: Sequence[Row], distance: str, reason: str) -> Chart:
    """The same as data for Vega-Lite, to be moved and zoomed: many settings lie close together."""
    shown = ("method", "aggregate", "measure", "k", "loss", "loss_by_another", "dr_percent", "max_p")
    tried = [row for row in rows if row["refused"] is None]
    named = {row["k"]: row for row in sorted(tried, key=lambda row: (row["efficient"], -row["loss"]))}
    values = [
        {name: row[name] for name in (*shown, "efficient", "recommended")}
        | {"setting": series_of(row), "distance": distance_of(row) or "none"}
        | {"label": f"k = {row['k']}" if row["efficient"] and row is named[row["k"]] else ""}
        for row in tried
    ]
    few = len({value["setting"] for value in values}) <= SHAPES
    x = _axis(values, "dr_percent", "disclosure risk by linkage, %")
    y = _axis(values, "loss", f"loss: mean distance, {distance}")
    look = {
        "shape": _kinds(values, "setting" if few else "method", list(SHAPED)),
        "color": _kinds(values, "setting" if few else "distance", list(TONES)),
    }
    line, point = {"type": "line", "strokeDash": [5, 4], "color": TONES[4]}, {"type": "point", "size": 90, "opacity": 1}
    tips = [{"field": name, "title": title} for name, title in _TIPS.items()]
    spec = {
        "height": 380,
        "data": {"values": values},
        "encoding": {"x": x, "y": y},
        "layer": [
            {
                "transform": [{"filter": "datum.efficient"}],
                "mark": {**line, "clip": True},
                "encoding": {"order": {"field": "dr_percent", "type": "quantitative"}},
            },
            {
                "transform": [{"filter": "datum.recommended"}],
                "mark": {"type": "point", "size": 520, "stroke": TONES[4], "strokeWidth": 2.5, "clip": True},
            },
            {
                "params": [{"name": "view", "select": _MOVED, "bind": "scales"}],
                "transform": [{"filter": "!datum.efficient"}],
                "mark": {**point, "filled": False, "clip": True},
                "encoding": {**look, "tooltip": tips},
            },
            {
                "transform": [{"filter": "datum.efficient"}],
                "mark": {**point, "filled": True, "clip": True},
                "encoding": {**look, "tooltip": tips},
            },
            {
                "mark": {"type": "text", "style": "value", "dx": 14, "dy": -10, "align": "left", "clip": True},
                "encoding": {"text": {"field": "label"}},
            },
        ],
    }
    told = [tuple(value[name] for name in ("setting", "k", "loss", "dr_percent")) for value in values]
    return Chart(TITLE, reason, ("setting", "k", "loss", "risk %"), told, spec)


_MOVED = {"type": "interval", "zoom": "wheel![event.ctrlKey || event.metaKey]"}  # a page is scrolled by the wheel alone
_TIPS = {
    "setting": "setting", "k": "k", "loss": "loss", "loss_by_another": "loss by another distance",
    "dr_percent": "risk, %", "max_p": "found at most with",
}  # fmt: skip


def _axis(values: Sequence[Row], field: str, title: str) -> dict[str, Any]:
    """From 0 to a little more than the largest, so that there is room for what is written beside it."""
    most = max((value[field] for value in values), default=1.0) or 1.0
    scale = {"domain": [0, round(1.25 * most, 3)], "nice": False}
    return {"field": field, "type": "quantitative", "title": title, "scale": scale, "axis": {"tickCount": 6}}


def _kinds(values: Sequence[Row], field: str, range_: list[str]) -> dict[str, Any]:
    """A channel that tells kinds of settings apart, in the order in which they were tried."""
    order = list(dict.fromkeys(value[field] for value in values))
    legend = {"orient": "bottom", "direction": "vertical", "labelLimit": 400, "title": None}
    scale = {"domain": order, "range": [range_[i % len(range_)] for i in range(len(order))]}
    return {"field": field, "type": "nominal", "scale": scale, "legend": legend}


def summary(rows: Sequence[Row], reason: str, judges: Judges) -> str:
    """Short HTML, as a notebook shows it."""
    drawn = picture(rows, distance_of(judges["common"]))
    return (
        f'<div class="taxonym-comparison"><style>{_STYLE}</style><p>{escape(reason)}</p>'
        f"{drawn}{_table([row for row in rows if row['efficient']], judges)}</div>"
    )


def page(rows: Sequence[Row], reason: str, judges: Judges, mined: Mapping[str, str] | None = None) -> str:
    """All of it as one file without any other, in the look of a report; `mined` are pictures of what mining finds."""
    tried, refused = ([row for row in rows if (row["refused"] is None) == kept] for kept in (True, False))
    distance = distance_of(judges["common"])
    body = [f'<p class="verdict">{text(reason)}</p>']
    if tried:
        said = attribute(f"Chart: {TITLE}. {reason} The table below has the figures.")
        body.append(
            f"<figure><figcaption><h2>{text(TITLE)}</h2><p>Filled and joined: efficient, as no other "
            f"setting of the same or a larger k is better. The ring: recommended. "
            f"Drag to move; zoom by the buttons, by pinching, or with Ctrl and the wheel.</p>"
            f"</figcaption>"
            f'<div class="chart" role="img" aria-label="{said}" data-chart="c1" data-zoom="dr_percent loss"></div>'
            f"<noscript>{picture(rows, distance)}</noscript></figure>"
        )
        body.append(f"<section><h2>All settings</h2><p>{text(_explained(judges))}</p>{_table(tried, judges)}</section>")
    if mined:
        body.append(f"<section><h2>What mining finds over k</h2>{''.join(mined.values())}</section>")
    if refused:
        said = "".join(f"<li>{text(series_of(row))}, k = {row['k']}: {text(row['refused'])}</li>" for row in refused)
        body.append(f"<section><h2>Refused</h2><ul>{said}</ul></section>")
    foot = (
        f"<p>Made by Taxonym {text(__version__)}. This page holds no person’s value and no figure of a single record. "
        f"Nothing was published to make it. It loads nothing and works offline.</p>"
    )
    drawn = {"c1": chart(rows, distance, reason).drawn} if tried else {}
    return document("Taxonym comparison", "Settings compared", body, foot, drawn)


def _explained(judges: Judges) -> str:
    common, another = judges["common"], judges["another"]
    return (
        f"Loss is the mean distance of a person's record to what is published instead ({distance_of(common)}; "
        f"0: the same, 1: nothing in common or left out), and again by {another['measure']}, "
        f"which guided no grouping here; beside it what groups by lot would lose. Information kept is the "
        f"share of what persons said that is still said, by how special it is (0 of who is left out), beside what "
        f"groups by lot would keep. Risk is how often an intruder who knows all of everybody's original finds the "
        f"right published record, in percent; at most: with which probability a single one is found. A setting is "
        f"efficient if no other one of the same or a larger k loses no more and keeps no less, and is better in "
        f"something. The number of a setting is that of its plan: compare --take NUMBER."
    )


def _table(rows: Sequence[Row], judges: Judges) -> str:
    heads = (
        "number", "setting", "k", "",
        f"loss, {judges['common']['measure']}", f"loss, {judges['another']['measure']}", "by lot",
        "information kept", "by lot", "risk %", "at most", "above 1/k", "left out",
    )  # fmt: skip
    lines = [
        (
            str(row["number"]), series_of(row), str(row["k"]),
            "recommended" if row["recommended"] else "efficient" if row["efficient"] else "",
            f"{row['loss']:.3f}", f"{row['loss_by_another']:.3f}", f"{row['loss_of_random_groups']:.3f}",
            *(None if row[name] is None else f"{row[name]:.3f}" for name in ("information", "information_at_random")),
            f"{row['dr_percent']:.2f}", f"{row['max_p']:.3f}", str(row["records_above_1_over_k"]),
            str(row["left_out_persons"]),
        )
        for row in rows
    ]  # fmt: skip
    return table(heads, lines)
