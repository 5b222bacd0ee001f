"""One HTML file for a report: it needs nothing from anywhere, and forbids itself to ask.

The page says of itself that it loads nothing and runs no script but the two that it holds, whose digests it names, so
that not even a label that looks like a script could be one.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from taxonym import __version__
from taxonym.render.charts import Report, charts_of
from taxonym.render.drawn_page import Page
from taxonym.render.hero import hero
from taxonym.render.look import OF_THE_PAGE, config
from taxonym.render.markup import attribute, script_data, text
from taxonym.render.sections import SECTIONS

NO_SCRIPT = (
    "<noscript><p>Charts are drawn by a script. Where none runs, the table below each has the same figures.</p>"
    "</noscript>"
)


def page(report: Report) -> str:
    """The report as one HTML file."""
    made = Page(report, charts_of(report))
    parts = [(title, body) for title, write in SECTIONS.items() if (body := write(made))]
    sections = [
        f'<section id="s{i}"><h2><a href="#s{i}">{text(title)}</a></h2>{body}</section>'
        for i, (title, body) in enumerate(parts, 1)
    ]
    contents = "".join(f'<li><a href="#s{i}">{text(title)}</a></li>' for i, (title, _) in enumerate(parts, 1))
    top = [
        *([f'<p class="verdict"><strong>{text(notice)}</strong></p>'] if (notice := report.get("notice")) else []),
        f'<p class="verdict">{text(report.get("verdict", ""))}</p>',
        hero(report),
        f'<nav aria-label="Contents"><ol>{contents}</ol></nav>',
    ]
    data = script_data("report", report)  # the report itself, by which it is told whose release it is
    return document("Taxonym report", _title(report), [*top, *sections], _foot(report) + data, made.drawn)


def document(kind: str, title: str, body: Sequence[str], foot: str, drawn: Mapping[str, Any]) -> str:
    """A page that needs nothing; `drawn` are its charts, by the ids of their places."""
    scripts = [asset("charts.js"), asset("page.js")] if drawn else []
    data = [script_data("look", config(OF_THE_PAGE)), script_data("specs", drawn)] if drawn else []
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f'<meta name="generator" content="Taxonym {attribute(__version__)}">',
            f"<title>{attribute(title)}</title>",
            f"<style>{asset('page.css')}</style>",
            "</head>",
            "<body>",
            '<a class="skip" href="#main">To the report</a>',
            f'<header><p class="eyebrow">{text(kind)}</p><h1>{text(title)}</h1></header>',
            '<main id="main">',
            NO_SCRIPT if scripts else "",
            *body,
            "</main>",
            f"<footer>{foot}</footer>",
            *data,
            *(f"<script>{script}</script>" for script in scripts),
            "</body>",
            "</html>",
            "",
        ]
    )


def asset(name: str) -> str:
    return (files("taxonym.render") / "assets" / name).read_text(encoding="utf-8")


def _policy(scripts: list[str]) -> str:
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}; base-uri 'none'; form-action 'none'"


def _title(report: Report) -> str:
    day = (report.get("released") or {}).get("date")
    return f"Report of a release of {day}" if day else "Report of a release"


def _foot(report: Report) -> str:
    below = report.get("versions") or {}
    made = "".join(f", {text(name)} {text(version)}" for name, version in below.items())
    told = (
        "This page holds no person’s value and no figure of a single record; counts of persons below k are shown as "
        "“&lt;k”, and figures are rounded."
    )
    if report.get("notice"):
        told = "Its figures are exact: it must not leave its owner."
    return f"<p>Made by Taxonym {text(report.get('taxonym', ''))}{made}. {told} It loads nothing and works offline.</p>"
