"""Short HTML, for notebooks: what an object is, at a glance."""

from collections.abc import Iterable, Mapping
from typing import Any

from taxonym.render.markup import facts, text
from taxonym.render.plainly import spanned

_LOOK = (  # stronger than what Jupyter says of the same elements
    "<style>div.taxonym{font:14px/1.45 system-ui,sans-serif;max-width:46em}"
    "div.taxonym dl{display:grid;gap:.15em 1em;grid-template-columns:max-content 1fr;margin:.5em 0}"
    "div.taxonym dl div{display:contents}"
    "div.taxonym dl dt{float:none;font-weight:inherit;opacity:.75;width:auto}"
    "div.taxonym dl dd{float:none;margin:0;width:auto}div.taxonym p{margin:.3em 0}</style>"
)


def short(title: str, pairs: Iterable[tuple[str, Any]], lead: str = "") -> str:
    """A title, a sentence, and some facts."""
    told = f"<p>{text(lead)}</p>" if lead else ""
    return f'{_LOOK}<div class="taxonym"><p><strong>{text(title)}</strong></p>{told}{facts(pairs)}</div>'


def short_report(report: Mapping[str, Any]) -> str:
    """A release: its verdict, and the figures that people ask for first."""
    records, groups, loss = (report.get(name) or {} for name in ("records", "groups", "loss"))
    found, pairs = report.get("linkage") or {}, list[tuple[str, Any]]()
    if "published_rows" in records:
        pairs.append(("rows", records["published_rows"]))
    if records.get("published_persons") is not None:
        pairs.append(("persons", records["published_persons"]))
    if groups.get("count"):
        sizes = f" of {spanned(groups['smallest'], groups['largest'], ' to ')} rows" if groups.get("smallest") else ""
        pairs.append(("classes", f"{groups['count']:,}{sizes}"))
    if loss.get("mean") is not None:
        pairs.append(("mean distance from the originals", round(loss["mean"], 3)))
    if found.get("dr_percent") is not None:
        pairs.append(("found by an intruder who knows all", f"{found['dr_percent']:g} of 100"))
    return short("Release", pairs, str(report.get("verdict", "")))


def short_plan(toml: str, notes: Iterable[str] = ()) -> str:
    """A plan: why it is so, and the file that it would be."""
    told = "".join(f"<li>{text(note)}</li>" for note in notes)
    return (
        f'{_LOOK}<div class="taxonym"><p><strong>Plan</strong></p>{f"<ul>{told}</ul>" if told else ""}'
        f"<pre>{text(toml)}</pre></div>"
    )
