"""The charts of a report, as data: Vega-Lite, with a sentence that says what is seen and a table of the same."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from taxonym.render.look import LIGHT, config
from taxonym.render.plainly import coarse, number, spanned, words

Report = Mapping[str, Any]
Row = tuple[Any, ...]
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
MIME = "application/vnd.vegalite.v5+json"
BARS = 24  # sizes of groups, or ranges of them, that are drawn
WAYS = {
    "these_groups": "plain middle records",
    "groups_by_equal": "groups by equal concepts",
    "groups_by_equal_terms": "groups by equal words",
    "random_groups": "groups at random",
}


ON_WHITE = {"background": LIGHT["paper"], "padding": 10}  # a notebook may be dark


class Chart(dict[str, Any]):
    """A chart as a Vega-Lite dictionary, which notebooks draw; `says` is it in words, `heads` and `rows` as a table."""

    def __init__(self, title: str, says: str, heads: Row, rows: Sequence[Row], spec: Mapping[str, Any]) -> None:
        named = {"$schema": SCHEMA, "title": {"text": title, "subtitle": says}}
        super().__init__({**named, "description": says, **FRAME, "config": config(LIGHT) | ON_WHITE, **spec})
        self.title, self.says, self.heads, self.rows = title, says, heads, rows

    def __repr__(self) -> str:  # what a notebook shows that cannot draw it
        return f"<Chart {self.title}: {self.says}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {MIME: dict(self), "text/plain": repr(self)}

    @property
    def drawn(self) -> dict[str, Any]:
        """The chart alone: a page has its own heading and look."""
        return {key: value for key, value in self.items() if key not in ("$schema", "title", "description", "config")}


FRAME = {"width": 640, "autosize": {"type": "fit-x", "contains": "padding"}}  # a page has its own width


def charts_of(report: Report) -> dict[str, Chart]:
    """All charts that a report has the figures for, by name."""
    found: dict[str, Chart | None] = {name: make(report) for name, make in CHARTS.items()}
    for column in columns_of(report):
        found[f"branches of {column.get('name')}"] = branches(report, column)
    return {name: chart for name, chart in found.items() if chart is not None}


def columns_of(report: Report) -> list[Mapping[str, Any]]:
    """What a report says of columns, one by one."""
    return [column for column in report.get("columns") or () if isinstance(column, Mapping)]


# ---------------------------------------------------------------------- what an intruder finds


def linkage(report: Report) -> Chart | None:
    found = _part(report, "linkage")
    if not isinstance(found.get("dr_percent"), float | int):
        return None
    promise, smallest = _part(report, "promise"), _part(report, "verified").get("smallest_class")
    rows = [("this release", found["dr_percent"])]
    if (guessed := found.get("baseline_dr_percent")) is not None:
        rows.insert(0, ("guessing", guessed))
    if smallest and promise.get("kind") in ("k", "k by concept"):
        limit = f"limit set by k = {smallest}" if smallest == promise.get("k") else f"limit: {smallest} alike at least"
        rows.append((limit, 100 / smallest))
    if (bare := found.get("dr_percent_without_masking")) is not None:
        rows.append(("original without names", bare))
    more = f", where {bare:g} would be found in the original without names" if bare is not None else ""
    return Chart(
        "Right records found by an intruder who knows everything",
        f"Of 100 persons, {number(found['dr_percent'])} are found in this release{more}.",
        ("where", "found, of 100 persons"),
        [(what, number(value)) for what, value in rows],
        _bars(rows, "persons found, of 100", [0, 100]),
    )


# ---------------------------------------------------------------------- what was lost


def loss(report: Report) -> Chart | None:
    found = _part(report, "loss")
    if not isinstance(found.get("mean"), float | int):
        return None
    rows = [("exact copy", 0.0), ("this release", found["mean"])]
    ways = {way: value for way, value in (found.get("mean_to_plain_medoids") or {}).items() if value is not None}
    rows += sorted(((WAYS.get(way, words(way)), value) for way, value in ways.items()), key=lambda row: row[1])
    if (random := found.get("mean_to_a_random_record")) is not None:
        rows.append(("random record", random))
    beside = (
        " In grey what other ways would lose: the plain middle record of each group, whatever it gives away; the same "
        "of groups that were formed without regard to meaning, or at random."
    )
    return Chart(
        "Mean distance in meaning from the originals",
        f"Published records are {found['mean']:.2f} away from the originals: 0 is an exact copy, 1 nothing in common."
        f"{beside if ways else ''}{coarse(found)}",
        ("what is published", "mean distance"),
        [(what, f"{value:.3f}") for what, value in rows],
        _bars(rows, "mean distance", [0, 1], digits=2),
    )


def columns(report: Report) -> Chart | None:
    every = _part(report, "loss").get("columns") or {}
    found = {name: value for name, value in every.items() if value is not None}
    if len(found) < 2:
        return None
    rows = sorted(found.items(), key=lambda row: -row[1])
    return Chart(
        "Distance in meaning, column by column",
        f"Most was lost in {rows[0][0]} ({number(rows[0][1], 2)}), least in {rows[-1][0]} ({number(rows[-1][1], 2)})."
        f"{coarse(_part(report, 'loss'))}",
        ("column", "mean distance"),
        [(name, f"{value:.3f}") for name, value in rows],
        _bars(rows, "mean distance", [0, 1], digits=2, own=lambda name: True),
    )


def groups(report: Report) -> Chart | None:
    """How many groups lost how much."""
    found = _part(report, "loss")
    means = found.get("groups") or []
    if len(means) < 2 or not isinstance(found.get("mean"), float | int):
        return None
    step = 0.05
    counts: dict[int, int] = {}
    for mean in means:
        at = min(int(mean / step + 1e-9), round(1 / step) - 1)
        counts[at] = counts.get(at, 0) + 1
    every = range(min(counts), max(counts) + 1)
    data = [
        {
            "from": round(at * step, 2),
            "to": round((at + 1) * step, 2),
            "middle": round((at + 0.5) * step, 3),
            "groups": counts.get(at, 0),
        }
        for at in every
    ]
    middle = sorted(means)[len(means) // 2]
    return Chart(
        "How much the groups lost",
        f"Half of the {len(means):,} groups lost no more than {middle:.2f}. The dashed line: the mean of all records.",
        ("mean distance in a group", "groups"),
        [(f"{row['from']:.2f} to {row['to']:.2f}", f"{row['groups']:,}") for row in data],
        {
            "height": 180,
            "layer": [
                {
                    "data": {"values": data},
                    "mark": {"type": "bar", "style": "own", "binSpacing": 2},
                    "encoding": {
                        "x": {
                            "field": "from",
                            "bin": "binned",
                            "type": "quantitative",
                            "title": "mean distance",
                            "scale": {"domain": [data[0]["from"], data[-1]["to"]]},
                            "axis": {"values": [*(row["from"] for row in data), data[-1]["to"]], "format": "~f"},
                        },
                        "x2": {"field": "to"},
                        "y": _count("groups"),
                        "tooltip": [
                            {"field": "from", "title": "from", "format": ".2f"},
                            {"field": "to", "title": "to", "format": ".2f"},
                            {"field": "groups", "title": "groups"},
                        ],
                    },
                },
                {
                    "data": {"values": [row for row in data if row["groups"]]},
                    "mark": {"type": "text", "style": "value", "baseline": "bottom", "dy": -3},
                    "encoding": {
                        "x": {"field": "middle", "type": "quantitative"},
                        "y": _count("groups"),
                        "text": {"field": "groups", "format": ","},
                    },
                },
                {
                    "data": {"values": [{"mean": found["mean"]}]},
                    "mark": {"type": "rule", "style": "line"},
                    "encoding": {"x": {"field": "mean", "type": "quantitative"}},
                },
            ],
        },
    )


def size_loss(report: Report) -> Chart | None:
    """Loss against the size of groups."""
    found = _part(report, "loss").get("by_group_size") or []
    if len(found) < 2:
        return None
    data = [
        {"size": spanned(r["smallest"], r["largest"]), "loss": r["mean_loss"], "groups": r["groups"]} for r in found
    ]
    x = {"field": "size", "type": "ordinal", "sort": None, "title": "records in a group", "axis": {"labelAngle": 0}}
    y = {"field": "loss", "type": "quantitative", "title": "mean distance", "axis": {"tickCount": 4}}
    tip = [{"field": name, "title": title} for name, title in _TIPS.items()]
    return Chart(
        "Distance against the size of groups",
        f"In the smallest groups the mean is {data[0]['loss']:.2f}, in the largest {data[-1]['loss']:.2f}.",
        ("records in a group", "groups", "mean distance"),
        [(row["size"], f"{row['groups']:,}", f"{row['loss']:.2f}") for row in data],
        {
            "height": 180,
            "data": {"values": data},
            "encoding": {"x": x, "y": y, "tooltip": tip},
            "layer": [{"mark": {"type": "rule", "style": "between"}}, {"mark": {"type": "point", "style": "after"}}],
        },
    )


_TIPS = {"size": "records in a group", "loss": "mean distance", "groups": "groups"}


# ---------------------------------------------------------------------- groups and branches


def sizes(report: Report) -> Chart | None:
    found = _part(report, "groups").get("sizes") or {}
    if len(found) < 2:
        return None
    every = sorted((int(size), int(times)) for size, times in found.items())
    rows = list(_ranges(every))
    data = [{"size": size, "classes": times} for size, times in rows]
    return Chart(
        "Sizes of classes",
        f"The smallest classes have {every[0][0]} rows, the largest {every[-1][0]}.",
        ("rows in a class", "classes"),
        [(size, f"{times:,}") for size, times in rows],
        {
            "height": 180,
            "data": {"values": data},
            "encoding": {
                "x": {
                    "field": "size",
                    "type": "ordinal",
                    "sort": None,
                    "title": "rows in a class",
                    "axis": {"labelAngle": 0, "labelOverlap": True},
                },
                "y": _count("classes"),
                "tooltip": [{"field": "size", "title": "rows in a class"}, {"field": "classes", "title": "classes"}],
            },
            "layer": [
                {"mark": {"type": "bar", "style": "own", "width": {"band": 0.8}}},
                {
                    "mark": {"type": "text", "style": "value", "baseline": "bottom", "dy": -3},
                    "encoding": {"text": {"field": "classes", "format": ","}},
                },
            ],
        },
    )


def _ranges(every: Sequence[tuple[int, int]]) -> Iterable[tuple[str, int]]:
    """Sizes one by one, or several together where there are too many to draw."""
    together = -(-len(every) // BARS)
    for at in range(0, len(every), together):
        some = every[at : at + together]
        yield spanned(some[0][0], some[-1][0]), sum(times for _, times in some)


def branches(report: Report, column: Mapping[str, Any]) -> Chart | None:
    """What a column is about, in a private report before and after: hollow and full points."""
    every = column.get("branches") or []
    found = [one for one in every if one["persons_before"] is not None or one["persons_after"] is not None]
    if not found:
        return None
    both, whole = any(one["persons_before"] for one in found), _part(report, "records").get("published_persons")
    data = [
        {
            "concept": one["concept"],
            "before": _plain(one["persons_before"]),
            "after": _plain(one["persons_after"]),
            "most": max(_plain(one["persons_before"]) or 0, _plain(one["persons_after"]) or 0),
            "shown": _change(one),
        }
        for one in found
    ]
    y = _labels([row["concept"] for row in data], "concept")
    most = max(row["most"] for row in data)
    x: dict[str, Any] = {"type": "quantitative", "scale": _room([0, most or 1], 88), "axis": {"tickCount": 4}}
    x["title"] = "persons" if whole is None else f"persons, of {whole:,}"
    tip = [{"field": name, "title": name} for name in ("concept", "before", "after")]
    rows = []
    for one in found:
        inside = ", ".join(f"{c['concept']} ({_change(c)})" for c in one["concepts"])
        rows.append((one["concept"], one["persons_before"], one["persons_after"], inside))
    return Chart(
        f"Column {column['name']}{', before and after' * both}",
        f"Persons who hold something of each branch of the taxonomy{': ○ in the original, ●' * both} in the release.",
        ("branch", "before", "after", "most frequent in it"),
        rows,
        {
            "height": {"step": 28},
            "data": {"values": data},
            "encoding": {"y": y, "tooltip": tip},
            "layer": [
                {
                    "mark": {"type": "rule", "style": "between"},
                    "encoding": {"x": {"field": "before", **x}, "x2": {"field": "after"}},
                },
                {"mark": {"type": "point", "style": "blank"}, "encoding": {"x": {"field": "before", **x}}},
                {"mark": {"type": "point", "style": "before"}, "encoding": {"x": {"field": "before", **x}}},
                {"mark": {"type": "point", "style": "after"}, "encoding": {"x": {"field": "after", **x}}},
                {
                    "mark": {"type": "text", "style": "value", "align": "left", "dx": 12},
                    "encoding": {"x": {"field": "most", **x}, "text": {"field": "shown"}},
                },
            ],
        },
    )


def _change(one: Mapping[str, Any]) -> str:
    """Persons before and after, as far as both are told."""
    told = [one["persons_before"], one["persons_after"]]
    return " → ".join(str(n) for n in told if n is not None) or "–"


CHARTS: dict[str, Callable[[Report], Chart | None]] = {
    "linkage": linkage,
    "loss": loss,
    "columns": columns,
    "groups": groups,
    "sizes": sizes,
    "size_loss": size_loss,
}


# ---------------------------------------------------------------------- parts of charts


def _bars(
    rows: Sequence[tuple[str, float]],
    across: str,
    domain: list[float],
    digits: int = 1,
    own: Callable[[str], bool] = lambda name: name == "this release",
) -> dict[str, Any]:
    """Bars that lie, each with its value; those of this release stand out."""
    data = [{"what": w, "value": v, "shown": number(v, digits), "own": own(w)} for w, v in rows]
    x = {"field": "value", "type": "quantitative", "title": across, "scale": _room(domain, 48)}
    x["axis"] = {"values": [domain[1] * part / 5 for part in range(6)], "format": "~f"}
    bar = {"type": "bar", "height": {"band": 0.62}}
    return {
        "height": {"step": 30},
        "data": {"values": data},
        "encoding": {
            "y": _labels([row["what"] for row in data], "what"),
            "x": x,
            "tooltip": [{"field": "what", "title": "where"}, {"field": "shown", "title": across}],
        },
        "layer": [
            {"transform": [{"filter": "datum.own"}], "mark": {**bar, "style": "own"}},
            {"transform": [{"filter": "!datum.own"}], "mark": {**bar, "style": "other"}},
            {
                "mark": {"type": "text", "style": "value", "align": "left", "dx": 6},
                "encoding": {"text": {"field": "shown"}},
            },
        ],
    }


def _room(domain: list[float], pixels: int) -> dict[str, Any]:
    """A scale that leaves room for what is written at the end of the longest bar, however wide the chart is."""
    return {"domain": domain, "nice": False, "zero": True, "range": [0, {"expr": f"width - {pixels}"}]}


def _labels(order: list[Any], field: str) -> dict[str, Any]:
    """Words at the side, in this order. It is given as a domain: an order to sort by would become an expression, and
    no label may be a part of a program."""
    axis = {"domain": False, "ticks": False, "labelPadding": 8}
    return {"field": field, "type": "nominal", "scale": {"domain": order}, "title": None, "axis": axis}


def _count(field: str) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", "title": field, "axis": {"tickCount": 4, "tickMinStep": 1}}


def _part(report: Report, name: str) -> Mapping[str, Any]:
    found = report.get(name)
    return found if isinstance(found, Mapping) else {}


def _plain(count: Any) -> int | None:
    """A count that can be drawn; "<k" cannot."""
    return count if isinstance(count, int) else None
