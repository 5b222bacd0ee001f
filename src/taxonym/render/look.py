"""How charts look: one palette for light pages, and the same in the words of a page that may be dark or printed."""

from typing import Any

INKS = ("ink", "soft", "rule", "quiet", "own", "paper")
LIGHT = dict(zip(INKS, ("#1c2430", "#55606e", "#dfe3e8", "#c3cad3", "#1f5fa8", "#ffffff"), strict=True))
OF_THE_PAGE = {name: f"var(--{name})" for name in INKS}  # page.css has their values
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"


def config(inks: dict[str, str]) -> dict[str, Any]:
    """Vega-Lite's settings. Marks have styles by what they stand for: `own` is this release, `other` what it is
    compared with. They differ in lightness and shape, not in hue alone."""
    ink, soft, rule, quiet, own, paper = (inks[name] for name in INKS)
    return {
        "aria": False,  # the page says in words what a chart shows, and has its table
        "background": "transparent",
        "font": FONT,
        "padding": 0,
        "view": {"stroke": None},
        "axis": {
            "domainColor": rule,
            "gridColor": rule,
            "labelColor": soft,
            "labelFontSize": 13,
            "tickColor": rule,
            "titleColor": soft,
            "titleFontSize": 13,
            "titleFontWeight": "normal",
        },
        "legend": {"labelColor": ink, "labelFontSize": 13, "symbolSize": 90, "rowPadding": 4, "offset": 12},
        "axisY": {"labelColor": ink, "labelLimit": 300},
        "title": {"anchor": "start", "color": ink, "subtitleColor": soft, "fontSize": 15, "offset": 12},
        "style": {
            "own": {"color": own, "filled": True, "opacity": 1},
            "other": {"color": quiet, "filled": True, "opacity": 1},
            "blank": {"color": paper, "filled": True, "opacity": 1, "size": 95},
            "before": {"color": soft, "filled": False, "strokeWidth": 1.8, "opacity": 1, "size": 95},
            "after": {"color": own, "filled": True, "opacity": 1, "size": 110},
            "between": {"color": quiet, "strokeWidth": 3},
            "line": {"color": ink, "strokeWidth": 1.5, "strokeDash": [4, 3]},
            "value": {"color": ink, "fontSize": 13},
        },
    }
