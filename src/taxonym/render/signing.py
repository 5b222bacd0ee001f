"""The sections of a report for who must answer for a release: the three questions of regulators, who may see what, and
a page to be signed. What only people know is left open, to be filled in by hand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from taxonym.render.markup import SafeHtml, facts, nested, table, text
from taxonym.render.plainly import words
from taxonym.render.told import ASKED

Report = Mapping[str, Any]
EVERYBODY, OWNER = "everybody who may have the release", "its owner only"
WHO = (
    ("the release", EVERYBODY, "what is published"),
    ("its codebook", EVERYBODY, "what the words of the release stand for"),
    ("this report", EVERYBODY, "rounded figures; no value of a person, neither seed nor paths"),
    ("the private report", OWNER, "exact figures, from which values of some persons can be computed"),
    ("the trail", OWNER, "whose record is whose; needed to verify again with the original"),
    ("the original, and the plan with its seed", OWNER, "all of it"),
    ("output of risk, compare and mine", OWNER, "exact figures"),
)
ATTACKER = (
    "Somebody who has the release, its codebook and this report, who knows how the program works, and who may know "
    "everything else about all persons but their confidential values, names included."
)
BLANK = SafeHtml('<span class="blank"></span>')


def questions(report: Report) -> str:
    """Singling out, linking, inference, with their answers."""
    found = report.get("questions") or {}
    if not found:
        return ""
    lead = (
        "<p>The Article 29 Working Party (Opinion 05/2014 on anonymisation techniques) asks three questions of "
        "anonymised data. The answers hold for this release, under its promise.</p>"
    )
    return lead + "".join(_question(name, one) for name, one in found.items())


def _question(name: str, one: Mapping[str, Any]) -> str:
    limits = "".join(f"<li>{text(limit)}</li>" for limit in one.get("limits") or ())
    figures = one.get("figures") or {}
    behind = f"<details><summary>The figures behind it</summary>{nested(figures)}</details>" if figures else ""
    return (
        f'<div class="question"><h3>{text(ASKED.get(name, words(name)))}: {text(one.get("answer"))}</h3>'
        f'<p class="asked">{text(one.get("question"))}</p><p>{text(one.get("says"))}</p>'
        + (f"<p>Not covered:</p><ul>{limits}</ul>" if limits else "")
        + f"{behind}</div>"
    )


def who_sees(report: Report) -> str:
    own = ("this report", OWNER, "exact figures, from which values of some persons can be computed")
    rows = [own if row[0] == own[0] and report.get("notice") is not None else row for row in WHO]
    return table(("what", "who may see it", "it holds"), rows)


def sign_off(report: Report) -> str:
    """A page to be printed and signed; what is known is filled in."""
    released = report.get("released") or {}
    if not released:
        return ""
    asked = [(ASKED.get(name, name), f"{one['answer']}. {one['says']}") for name, one in _questions(report)]
    made = [
        ("release (SHA-256)", released.get("sha256") or BLANK),
        ("made on", released.get("date")),
        ("what is promised", _promised(report)),
        ("threat model", ATTACKER),
        *asked,
        ("left out", "; ".join(_left_out(report)) or "nothing"),
        ("warnings", "; ".join(one.partition(": ")[0] for one in report.get("warnings") or ()) or "none"),
    ]
    asks = (
        "purpose of the release",
        "legal basis, and who decided",
        "recipients, and what they have agreed to",
        "earlier releases of the same persons",
        "what recipients may know beside it",
        "the trail is kept where, and by whom",
        "the trail is deleted on",
        "to be looked at again on",
        "name of the data protection officer",
        "date and signature",
    )
    return (
        '<div class="signoff"><p>For the data protection officer, to be printed and filled in. '
        "<code>taxonym verify RELEASE --report REPORT</code> says whether a file is the one that is named here.</p>"
        f"{facts(made)}<h3>To be filled in by hand</h3>{facts((one, BLANK) for one in asks)}</div>"
    )


def _questions(report: Report) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from (report.get("questions") or {}).items()


def _promised(report: Report) -> str:
    promise = report.get("promise") or {}
    k, kind = promise.get("k"), promise.get("kind")
    said = [f"{kind} = {k}" if kind == "k" else f"{kind} (k = {k})" if k else str(kind)]
    said += [f"{name} = {promise[name]}" for name in ("l", "t", "epsilon") if promise.get(name) is not None]
    return f"{', '.join(said)}; counted are {promise.get('counts', 'rows')}"


def _left_out(report: Report) -> Iterator[str]:
    """Columns and persons that are not in the release, as far as told."""
    notes: Sequence[str] = report.get("notes") or ()
    yield from (one.rstrip(".") for one in notes if one.startswith("Column") and one.endswith(("out.", "removed.")))
    found = (report.get("records") or {}).get("suppressed_persons") or {}
    many = {why: n for why, n in found.items() if isinstance(n, int) and n}
    yield from (f"about {n:,} persons ({why})" for why, n in many.items())
    if hidden := [n for n in found.values() if isinstance(n, str)]:
        yield f"{hidden[0]} persons for any {'other ' * bool(many)}reason"
    if (surplus := (report.get("records") or {}).get("surplus_rows")) is not None:
        yield f"{surplus} rows of persons who own too many"
