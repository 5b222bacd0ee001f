"""The verdict in pictures, drawn without any script: how many are alike, how often an intruder finds somebody, how far
the published records are from the originals."""

from collections.abc import Mapping
from math import exp

from taxonym.render.charts import Report
from taxonym.render.markup import attribute, text
from taxonym.render.plainly import fine, number

FIGURES = 20  # persons that are drawn one by one
MANY = 14  # an ε that means more than a million times
_PERSON = "M10 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM3 26c0-7 2-12 7-12s7 5 7 12z"


def hero(report: Report) -> str:
    cards = [card for card in (_alike(report), _bounded(report), _found(report), _lost(report)) if card]
    return f'<div class="cards">{"".join(cards)}</div>' if cards else ""


def _card(title: str, figure: str, picture: str, below: str) -> str:
    return (
        f'<section class="card"><h2>{text(title)}</h2><p class="figure">{figure}</p>{picture}'
        f'<p class="below">{below}</p></section>'
    )


def _alike(report: Report) -> str:
    """As many persons as share a published record at least, one of them looked for."""
    promise, verified = report.get("promise") or {}, report.get("verified") or {}
    least = promise.get("k") if promise.get("kind") == "k^m" else verified.get("smallest_class")
    if not isinstance(least, int) or least < 2:
        return ""
    whom = text(str(promise.get("counts") or "rows").partition(":")[0])
    sought = ' class="sought"'
    rows = "".join(
        f'<path d="{_PERSON}" transform="translate({i % 10 * 24} {i // 10 * 32})"{sought if i == 0 else ""}/>'
        for i in range(min(least, FIGURES))
    )
    wide, high = min(least, 10) * 24, (min(least, FIGURES) + 9) // 10 * 32
    label = attribute(f"{least} of them, one looked for")
    picture = (
        f'<svg class="persons" role="img" aria-label="{label}" viewBox="0 0 {wide} {high}" '
        f'width="{wide}" height="{high}">{rows}</svg>'
    )
    below = f"{whom} at least share every published record"
    if promise.get("kind") == "k by concept":
        below = f"{whom} at least share the concepts of every published record"
    if promise.get("kind") == "k^m":
        m = verified.get("known_items") or report.get("support_rule", {}).get("known_items")
        items = (
            "any published item" if m == 1 else f"any {text(m)} published items" if m else "what is known of a person"
        )
        below = f"{whom} at least have {items} of a record"
    return _card("Alike", f"{least:,}", picture, below)


def _bounded(report: Report) -> str:
    """Under ε: how much more likely anything published can be because of what is true of a person."""
    epsilon = (report.get("promise") or {}).get("epsilon")
    if not isinstance(epsilon, int | float):
        return ""
    times = number(exp(epsilon), 1) if epsilon < MANY else "many"
    below = (
        f"for a whole person: nothing that is published is more than {times} times (e to the ε) as likely as it would "
        f"be if all values of the person were others"
    )
    return _card("Promised", f"ε = {number(epsilon, 2)}", "", below)


def _found(report: Report) -> str:
    """The share that an intruder finds, between guessing and the original."""
    found = report.get("linkage") or {}
    if not isinstance(found.get("dr_percent"), int | float):
        return ""
    guessed = found.get("baseline_dr_percent")
    marks = [] if guessed is None else [("by guessing", guessed)]
    if (bare := found.get("dr_percent_without_masking")) is not None:
        marks.append(("in the original", bare))
    smallest = (report.get("verified") or {}).get("smallest_class") or 0
    limit = f"; {number(100 / smallest)} of 100 at best" if smallest > 1 else ""
    about = "about " if found.get("sampled") else ""
    return _card(
        "Found",
        f"{number(found['dr_percent'])} <small>of 100</small>",
        _scale(found["dr_percent"], 100, marks, "persons found"),
        f"records are found by an intruder who knows everything about everybody, {about}on average{limit}",
    )


def _lost(report: Report) -> str:
    """The mean distance, between a copy and a random record."""
    found = report.get("loss") or {}
    steps = found.get("told_in_steps_of") or {}
    if not isinstance(fine(found.get("mean"), steps.get("mean")), int | float):
        return _expected(report)
    marks = [("copy", 0.0)]
    random = fine(found.get("mean_to_a_random_record"), steps.get("mean_to_a_random_record"))
    if random is not None:
        marks.append(("random record", random))
    picture = _scale(found["mean"], 1, marks, "distance in meaning")
    below = "is the mean distance in meaning of published records from the originals; 1 is nothing in common"
    return _card("Lost", f"{found['mean']:.2f}", picture, below)


def _expected(report: Report) -> str:
    """Under ε: the distance that is to be expected, between a copy and a blind draw."""
    columns = (report.get("noise") or {}).get("columns") or ()
    found = [one["expected"] for one in columns if isinstance(one, Mapping) and one.get("expected")]
    if not found:
        return ""
    own, blind = (sum(one[key] for one in found) / len(found) for key in ("expected_distance", "distance_if_uniform"))
    picture = _scale(own, 1, [("copy", 0.0), ("drawn blindly", blind)], "distance in meaning to be expected")
    below = "is the distance in meaning to be expected of a published value from the original; 1 is nothing in common"
    return _card("Lost", f"{own:.2f}", picture, below)


def _scale(value: float, most: float, marks: list[tuple[str, float]], what: str) -> str:
    """A line from 0 to `most`, filled up to the value, with ticks that are named below."""
    digits = 2 if most <= 1 else 1
    named = [f"{name} {number(at, digits)}" for name, at in marks]
    said = attribute(f"{what}: {number(value, digits)} on a scale to {most:g}; {', '.join(named)}")

    def place(at: float) -> str:
        return f"{100 * min(1.0, max(0.0, at / most)):.1f}%"

    ticks = "".join(f'<b style="left:{place(at)}"></b>' for _, at in marks)
    return (
        f'<div class="scale" role="img" aria-label="{said}"><i style="width:{place(value)}"></i>{ticks}</div>'
        f'<p class="ticks" aria-hidden="true">{"".join(f"<span>{text(one)}</span>" for one in named)}</p>'
    )
