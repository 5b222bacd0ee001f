"""A comparison of settings for the eye: the risk–loss picture, a table, a page that opens without any network."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from taxonym.render.charts import Chart
from taxonym.render.scatter import INKS, SHAPES, Dot, scatter

Row = Mapping[str, Any]
Judges = Mapping[str, Mapping[str, str]]

TITLE = "Risk and loss of every setting"
_STYLE = """
.taxonym-comparison { font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark; }
.taxonym-comparison table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.taxonym-comparison :is(th, td) { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8886; }
.taxonym-comparison th { vertical-align: bottom; }
.taxonym-comparison .word { text-align: left; white-space: nowrap; }
.taxonym-comparison .efficient { font-weight: 600; }
.taxonym-comparison .wide { overflow-x: auto; }
.taxonym-comparison svg { max-width: 44rem; height: auto; display: block; margin: 1rem 0; }
"""


def series_of(row: Row) -> str:
    """A setting without its k."""
    return ", ".join(filter(None, (_method(row), _distance(row))))


def _method(row: Row) -> str:
    return str(row["method"])


def _distance(row: Row) -> str:
    return f"{row['aggregate']} over {row['measure']}" if row["measure"] else ""


def picture(rows: Sequence[Row], measure: str, title: str = TITLE) -> str:
    """Risk across, loss upwards; the settings that no other beats are filled and joined, the recommended one ringed.

    A shape for each setting but k; where these are too many, a shape for each method and an ink for each distance.
    """
    tried = [row for row in rows if row["refused"] is None]
    series = list(dict.fromkeys(map(series_of, tried)))
    legend = [(name, i, i) for i, name in enumerate(series)]
    looks = {name: (i, i) for name, i, _ in legend}
    if len(series) > SHAPES:
        methods, distances = (list(dict.fromkeys(map(part, tried))) for part in (_method, _distance))
        legend = [(name, i, len(INKS) - 2) for i, name in enumerate(methods)]
        legend += [(name, SHAPES - 1, i) for i, name in enumerate(distances) if name]
        looks = {series_of(row): (methods.index(_method(row)), distances.index(_distance(row))) for row in tried}
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
    across = "disclosure risk by linkage, % (filled and joined: no other setting is better in both)"
    return scatter(title, across, f"loss: mean distance, min-sum over {measure}", dots, legend, line)


def chart(rows: Sequence[Row], measure: str, reason: str) -> Chart:
    """The same as data for Vega-Lite."""
    shown = ("method", "aggregate", "measure", "k", "loss", "loss_by_another", "dr_percent", "max_p")
    values = [
        {name: row[name] for name in (*shown, "efficient", "recommended")} | {"setting": series_of(row)}
        for row in rows
        if row["refused"] is None
    ]
    x = {"field": "dr_percent", "type": "quantitative", "title": "disclosure risk by linkage, %"}
    y = {"field": "loss", "type": "quantitative", "title": f"loss: mean distance, min-sum over {measure}"}
    efficient = [{"filter": "datum.efficient"}]
    spec = {
        "height": 340,
        "data": {"values": values},
        "encoding": {"x": x, "y": y},
        "layer": [
            {
                "transform": efficient,
                "mark": {"type": "line", "strokeDash": [5, 4], "color": "#999"},
                "encoding": {"order": {"field": "dr_percent", "type": "quantitative"}},
            },
            {
                "transform": [{"filter": "datum.recommended"}],
                "mark": {"type": "point", "size": 420, "stroke": "#888", "strokeWidth": 2},
            },
            {
                "mark": {"type": "point", "size": 80, "filled": True},
                "params": [{"name": "view", "select": "interval", "bind": "scales"}],
                "encoding": {
                    "shape": {"field": "setting", "type": "nominal"},
                    "color": {"field": "setting", "type": "nominal"},
                    "opacity": {"condition": {"test": "datum.efficient", "value": 1}, "value": 0.35},
                    "tooltip": [{"field": name} for name in shown],
                },
            },
            {
                "transform": efficient,
                "mark": {"type": "text", "dx": 12, "dy": -8, "align": "left"},
                "encoding": {"text": {"field": "k"}},
            },
        ],
    }
    told = [tuple(value[name] for name in ("setting", "k", "loss", "dr_percent")) for value in values]
    return Chart(TITLE, reason, ("setting", "k", "loss", "risk %"), told, spec)


def summary(rows: Sequence[Row], reason: str, judges: Judges) -> str:
    """Short HTML, as a notebook shows it."""
    return (
        f'<div class="taxonym-comparison"><style>{_STYLE}</style><p>{escape(reason)}</p>'
        f"{picture(rows, judges['common']['measure'])}{_table([row for row in rows if row['efficient']], judges)}</div>"
    )


def page(rows: Sequence[Row], reason: str, judges: Judges) -> str:
    """All of it as one file without any other."""
    refused = [row for row in rows if row["refused"] is not None]
    said = "".join(f"<li>{escape(series_of(row))}, k = {row['k']}: {escape(row['refused'])}</li>" for row in refused)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Settings compared</title>'
        f"<style>{_STYLE}body {{ margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }}</style></head>"
        f'<body class="taxonym-comparison"><h1>Settings compared</h1><p><strong>{escape(reason)}</strong></p>'
        f"{picture(rows, judges['common']['measure'])}<p>{escape(_explained(judges))}</p>"
        f'<div class="wide">{_table([row for row in rows if row["refused"] is None], judges)}</div>'
        + (f"<h2>Refused</h2><ul>{said}</ul>" if refused else "")
        + "</body></html>\n"
    )


def _explained(judges: Judges) -> str:
    common, another = judges["common"], judges["another"]
    return (
        f"Loss is the mean distance of a person's record to what is published instead ({common['aggregate']} over "
        f"{common['measure']}; 0: the same, 1: nothing in common or left out), and again by {another['measure']}, "
        f"which guided no grouping here; beside it what groups by lot would lose. Risk is how often an "
        f"intruder who knows all of everybody's original finds the right published record, in percent. "
        f"Settings in bold are those that no other beats in both."
    )


def _table(rows: Sequence[Row], judges: Judges) -> str:
    head = (
        "method", "distance", "k", "groups", f"loss, {judges['common']['measure']}",
        f"loss, {judges['another']['measure']}", "groups by lot", "risk %", "at most", "found with more than 1/k",
        "left out", "",
    )  # fmt: skip
    lines = []
    for row in rows:
        words = (_method(row), _distance(row) or "–")
        cells = (
            str(row["k"]), f"{row['groups']:,}", f"{row['loss']:.3f}", f"{row['loss_by_another']:.3f}",
            f"{row['loss_of_random_groups']:.3f}",
            f"{row['dr_percent']:.2f}", f"{row['max_p']:.3f}", str(row["records_above_1_over_k"]),
            str(row["left_out_persons"]), "recommended" if row["recommended"] else "",
        )  # fmt: skip
        lines.append(
            f"<tr{' class=efficient' if row['efficient'] else ''}>"
            + "".join(f'<td class="word">{escape(word)}</td>' for word in words)
            + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
            + "</tr>"
        )
    top = "".join(f"<th{' class=word' if i < 2 else ''}>{escape(name)}</th>" for i, name in enumerate(head))
    return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
