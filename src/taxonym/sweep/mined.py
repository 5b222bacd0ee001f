"""What data mining still finds, setting by setting: the tables of `taxonym mine` over k, as curves and pictures.

For logs and documents these are the figures of [NavarroArribas2010]: browsers per click and per session over k (Figures
3.1 to 3.5), the most frequent queries and words (3.6, 3.7) and clusters of users (3.8, 3.9), sums of squares of
documents (Table 2.2, Figure 2.1), and how steady each curve is over k, by its standard deviation and slope (Table 3.1).
k = 1 is the original.
"""

import csv
import io
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taxonym.measure.usage import slope, spread
from taxonym.plan import Plan
from taxonym.render.lines import charts
from taxonym.run.release import Release
from taxonym.shapes.mining import Mining
from taxonym.shapes.shape import Published, shape_of
from taxonym.shapes.table.reread import Trail

NAMES = {"accesslog": "release.log", "querylog": "release.tsv", "documents": "release.csv"}
FIGURES = {"after": "count", "share after": "share", "release": "count"}
TWINS = {"after": "before", "share after": "share before", "release": "original"}  # what stands for the original
DRAWN = 5  # lines of a picture
COLUMNS = ("method", "aggregate", "measure", "k", "table", "of", "figure", "value")


def mined(published: Published, source: str | Path, plan: Plan) -> list[dict[str, Any]]:
    """The tables of what mining finds in what is published, which is written for it and forgotten."""
    release = Release(
        groups=[],
        report={"released": {}, "notes": []},  # nobody reads it
        batches=published.batches,
        separators=published.separators,
        check=published.check,
        trail=published.trail,
        private_report=dict,
        save=published.save,
        make_codebook=published.codebook,
        formulas=published.formulas,
    )
    with tempfile.TemporaryDirectory() as folder:
        out, trail = Path(folder) / NAMES[plan.kind], Path(folder) / "trail.jsonl"
        release.write(out, trail=trail)
        found = shape_of(plan).mine(str(source), str(out), plan, Trail(trail), Mining(seed=plan.method.seed))
    tables: list[dict[str, Any]] = found["tables"]
    return tables


@dataclass(frozen=True, slots=True)
class Curve:
    """One figure of one thing (of a browser its sessions, say) over k, by one method; k = 1 is the original, where that
    has the figure."""

    method: str
    aggregate: str | None
    measure: str | None
    table: str
    title: str
    of: str
    figure: str
    points: tuple[tuple[int, float], ...]


def curves(rows: Sequence[Mapping[str, Any]]) -> list[Curve]:
    """All curves of the settings that were mined."""
    found: dict[tuple[Any, ...], dict[int, float]] = {}
    titles: dict[str, str] = {}
    for row in rows:
        for table in row.get("mined") or ():
            titles.setdefault(table["name"], table["title"])
            for of, figure, value, before in _values(table):
                key = (row["method"], row["aggregate"], row["measure"], table["name"], of, figure)
                curve = found.setdefault(key, {} if before is None else {1: before})
                curve[row["k"]] = value
    return [
        Curve(method, aggregate, measure, table, titles[table], of, figure, tuple(sorted(points.items())))
        for (method, aggregate, measure, table, of, figure), points in found.items()
    ]


def _values(table: Mapping[str, Any]) -> list[tuple[str, str, float, float | None]]:
    """(of what, figure, value, the original's value) of the cells of a table."""
    heads, rows, made = table["columns"], table["rows"], []
    words = [i for i in range(len(heads)) if i == 0 or any(isinstance(row[i], str) for row in rows)]
    for i, head in enumerate(heads):
        if i in words or head in TWINS.values() or head.endswith(" before"):
            continue
        twin = TWINS.get(head, "") if TWINS.get(head) in heads else heads[i - 1] if head == "after" else ""
        at = heads.index(twin) if twin else None
        figure = (
            twin.removesuffix(" before") if head == "after" and twin not in TWINS.values() else FIGURES.get(head, head)
        )
        for row in rows:
            if isinstance(row[i], int | float):
                before = row[at] if at is not None and isinstance(row[at], int | float) else None
                made.append((" → ".join(str(row[w]) for w in words), figure, float(row[i]), before))
    return made


def as_csv(found: Sequence[Curve]) -> str:
    """All points."""
    rows = [
        (one.method, one.aggregate or "", one.measure or "", k, one.table, one.of, one.figure, f"{value:.6g}")
        for one in found
        for k, value in one.points
    ]
    return _csv(COLUMNS, rows)


def steadiness(found: Sequence[Curve]) -> str:
    """How steady every curve is over k: σ and the slope b, each times 100 [NavarroArribas2010, Table 3.1]."""
    rows = []
    for one in found:
        if len(one.points) > 1:
            ks, values = [k for k, _ in one.points], [value for _, value in one.points]
            told = f"{100 * spread(values):.4g}", f"{100 * slope(ks, values):.4g}"
            rows.append((one.method, one.aggregate or "", one.measure or "", one.table, one.of, one.figure, *told))
    return _csv((*COLUMNS[:3], *COLUMNS[4:7], "sigma_100", "slope_100"), rows)


def pictures(found: Sequence[Curve]) -> dict[str, str]:
    """One picture for every table of the first method that was tried: a panel for each figure, a line for each of the
    first things over k."""
    if not found:
        return {}
    first = [one for one in found if (one.method, one.aggregate, one.measure) == _who(found[0])]
    made = {}
    for table in dict.fromkeys(one.table for one in first):
        mine = [one for one in first if one.table == table and len(one.points) > 1]
        mine = [one for one in mine if min(value for _, value in one.points) >= 0]  # a scale begins at 0
        panels: dict[str, dict[str, tuple[tuple[int, float], ...]]] = {}
        for one in mine:
            lines = panels.setdefault(one.figure, {})
            if len(lines) < DRAWN:
                lines[one.of] = one.points
        panels = {figure: lines for figure, lines in panels.items() if any(y for p in lines.values() for _, y in p)}
        if panels:
            made[table] = charts(mine[0].title, panels, "k (1: the original)")
    return made


def _who(one: Curve) -> tuple[str, str | None, str | None]:
    return one.method, one.aggregate, one.measure


def _csv(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(heads)
    lines.writerows(rows)
    return out.getvalue()
