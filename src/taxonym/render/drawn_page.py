"""A report on its way to a page."""

from collections.abc import Mapping
from typing import Any

from taxonym.render.charts import Chart, Report
from taxonym.render.markup import attribute, table, text


class Page:
    """A report on its way to a page: which charts it has, and which of them are drawn."""

    def __init__(self, report: Report, charts: Mapping[str, Chart]) -> None:
        self.report, self.charts = report, charts
        self.drawn: dict[str, dict[str, Any]] = {}

    def part(self, name: str) -> Mapping[str, Any]:
        found = self.report.get(name)
        return found if isinstance(found, Mapping) else {}

    def figure(self, name: str) -> str:
        """A chart with what it says and its table; nothing where the report has no such figures."""
        chart = self.charts.get(name)
        if chart is None:
            return ""
        id = f"c{len(self.drawn) + 1}"
        self.drawn[id] = chart.drawn
        said = attribute(f"Chart: {chart.title}. {chart.says} The table below has the figures.")
        return (
            f'<figure><figcaption><h3>{text(chart.title)}</h3><p>{text(chart.says)}</p></figcaption>'
            f'<div class="chart" role="img" aria-label="{said}" data-chart="{id}"></div>'
            f"<details><summary>The same as a table</summary>{table(chart.heads, chart.rows, chart.title)}</details>"
            f"</figure>"
        )  # fmt: skip
