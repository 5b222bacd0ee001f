"""Reports to look at: of the bundled examples, and one whose every word comes from an enemy."""

import re
from dataclasses import replace
from functools import cache
from html import unescape
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from taxonym.plan import Plan, read_plan
from taxonym.render.page import page
from taxonym.run.pipeline import anonymize
from taxonym.run.release import Release

REPORTS = pytest.mark.xdist_group("reports")  # for those who publish, so that one process does
EXAMPLES = ("search-log", "diagnoses", "survey")
HOSTILE = (
    "</script><script>stolen = 1</script>",
    '" onmouseover="stolen = 1',
    "<img src=x onerror=stolen=1>",
    "' onload='stolen = 1",
    "<!-- <script>",
    "\u202egnorw \u05d0\u05d1\u05d2",
    "&lt;b&gt; ]]> \u2028 \x00 \x1b[0m",
    "{{constructor.constructor('stolen=1')()}}",
    "javascript:stolen=1",
)


KINDS = (*EXAMPLES, "query-log", "access-log", "proposals", "noise", "epsilon", "items")  # all that a report can be of


@cache
def publish(example: str) -> Release:
    """The release of a bundled example, or of the survey by noise and the diagnoses by k^m."""
    folder = Path(str(files("taxonym") / "examples"))
    if example == "query-log":
        return anonymize(folder / "search-log.csv", {"querylog": {}, "method": {"k": 5, "seed": 1}}, baselines=False)
    if example in WAYS:
        name, way = WAYS[example]
        plan = read_plan(folder / f"{name}.toml").to_dict()
        wanted = {n: c for n, c in plan["columns"].items() if "taxonomy" in c or c["role"] == "identifier"}
        told = Plan.from_dict({**plan, "columns": wanted, "method": way}, folder=folder)
        return anonymize(folder / f"{name}.csv", told, baselines=False)
    plan = read_plan(folder / f"{example}.toml")
    seeded = replace(plan, method=replace(plan.method, seed=1))
    return anonymize(folder / str(plan.input.path), seeded, baselines=False)


WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "noise": ("survey", {"name": "noise", "alpha": 0.3, "seed": 1}),
    "epsilon": ("survey", {"name": "noise", "noise_mechanism": "exponential", "epsilon": 2.0, "budget": 4.0}),
    "items": ("diagnoses", {"name": "generalize", "recoding": "items", "k": 5}),
}


def hostile_report() -> dict[str, Any]:
    """A report in which names of files, columns and concepts, reasons and notes are hostile."""
    report = publish("diagnoses").report
    first = HOSTILE[0]
    branches = [
        {
            "concept": label,
            "persons_before": 20,
            "persons_after": "<k",
            "concepts": [{"concept": label, "persons_before": 20, "persons_after": 0}],
        }
        for label in HOSTILE
    ]
    columns = [
        {**report["columns"][0], "name": label, "taxonomy": label, "topics": {label: "<k"}, "branches": branches}
        for label in HOSTILE[:3]
    ]
    plan = report["plan"]
    return {
        **report,
        "verdict": first,
        "columns": columns,
        "loss": {**report["loss"], "columns": dict.fromkeys(HOSTILE, 0.5), first: {first: [{first: first}]}},
        "records": {**report["records"], "suppressed_persons": {first: "<k"}},
        "plan": {
            **plan,
            "input": {"path": first, first: first},
            "columns": {label: {first: first} for label in HOSTILE},
        },
        "notes": list(HOSTILE),
        first: {label: label for label in HOSTILE},
    }


class PageWords(HTMLParser):
    """Everything that a page shows or says to a screen reader, and the data of its charts; not its own scripts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.quiet = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.quiet = tag == "style" or (tag == "script" and ("type", "application/json") not in attrs)
        self.said += [value or "" for name, value in attrs if name in ("aria-label", "content", "title")]

    def handle_endtag(self, tag: str) -> None:
        self.quiet = False

    def handle_data(self, data: str) -> None:
        if not self.quiet:
            self.said.append(data)


def seen(release: Release) -> str:
    """The words of a report's page that people see, without the data of its charts."""
    plain = re.sub(r"(?s)<(script|style).*?</\1>|<[^>]+>", " ", page(release.report))
    return unescape(re.sub(r"\s+", " ", plain))
