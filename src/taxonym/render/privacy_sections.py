"""The sections of a report about privacy: what is promised, what an intruder finds, and what is left open."""

from collections.abc import Iterator, Mapping, Sequence
from math import exp
from typing import Any

from taxonym.render.drawn_page import Page
from taxonym.render.markup import facts, table, text
from taxonym.render.plainly import UNTOLD, words

PROMISES = {
    "k": "k = {k}: every published record is identical to those of at least {others} others",
    "k by concept": "k = {k} by concept: every published record has the concepts of at least {others} others",
    "k^m": "k^m, k = {k}, m = {m}: up to {m} items of a published record are those of at least {others} others",
    "ε": "ε = {epsilon:g} for all that is published of a person together: local differential privacy",
    "none": "none: values are masked at random, which makes guessing harder, no more",
}
L = {"distinct": "{l} different values", "entropy": "values as mixed as {l} equally frequent ones (entropy)"}
T = "t = {t:g}: in no class are confidential values spread farther from those of all than this, on a scale to 1"


def promised(page: Page) -> str:
    promise, verified, records = page.part("promise"), page.part("verified"), page.part("records")
    rows = [*_promises(promise, verified.get("known_items"))]
    if "counts" in promise:
        rows.append(("who counts", promise["counts"]))
    rows += _recounted(promise.get("kind"), verified)
    plain = {name: value for name, value in records.items() if not isinstance(value, Mapping)}
    rows += [(words(name), value) for name, value in plain.items() if value is not None]
    for why, count in (records.get("suppressed_persons") or {}).items():
        rows.append((f"suppressed persons ({why})", count))
    return facts(rows) + _watched(page.report.get("watched") or ())


def _watched(found: Sequence[Mapping[str, Any]]) -> str:
    """l and t of every confidential column: as anybody can count them, then of the originals, as far as told."""
    shown = [(one.get("column"), one["as_published"]) for one in found if one.get("as_published")]
    heads = ("column", "least distinct l", "least entropy l", "largest t", "classes that share a value", "rows in them")
    made = (
        table(heads, [(name, *one.values()) for name, one in shown], "Confidential columns as published")
        if shown
        else ""
    )
    if shown:
        made += (
            "<p>Counted in the release, whatever was asked for: in the class that is worst, how many different values "
            "it has (l), and how far its values are from those of all rows (t, from 0 to 1). Whoever is known to be in "
            "a class that shares a value is known to have it.</p>"
        )
    original = [
        (
            f"{one.get('column')} ({one.get('what')})",
            one.get("smallest_distinct_l"),
            one.get("smallest_entropy_l"),
            (one.get("largest_t") or {}).get("semantic"),
            one.get("homogeneous_classes"),
            one["persons_in_homogeneous_classes"],
        )
        for one in found
        if "persons_in_homogeneous_classes" in one
    ]
    if not original:
        return made
    heads = ("watched", "least distinct l", "least entropy l", "largest t", "classes of one value", "persons in them")
    told = [i for i in range(len(heads)) if i == 0 or any(row[i] is not None for row in original)]
    rows = [[row[i] for i in told] for row in original]
    return made + table([heads[i] for i in told], rows, "The same of the original values")


def _promises(promise: Mapping[str, Any], m: int | None) -> Iterator[tuple[str, Any]]:
    """What is promised, each in a sentence."""
    said = {"kind", "k", "counts", "limits"}
    if kind := promise.get("kind"):
        k = promise.get("k") or 1
        as_told = {"k": k, "others": k - 1, "m": m or "m", "epsilon": promise.get("epsilon", float("nan"))}
        yield "promise", PROMISES[kind].format_map(as_told) if kind in PROMISES else kind
        said.add("epsilon")
    if (least := promise.get("l")) is not None:
        mixed = L.get(str(promise.get("l_kind")), "{l}").format(l=least)
        yield "l-diversity", f"l = {least}: every class has at least {mixed} of each confidential column"
    if (t := promise.get("t")) is not None:
        yield "t-closeness", T.format(t=t)
    said |= {"l", "l_kind", "t", "t_distance"}
    yield from ((words(name), value) for name, value in promise.items() if name not in said)


def _recounted(kind: str | None, verified: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What was checked in the table as it is written, and what no table can show."""
    if "holds" in verified:
        mark = "✓ kept" if verified["holds"] else "✗ NOT kept"
        if checked := verified.get("checked"):
            yield "checked in the table as it is written", f"{'✓' if verified['holds'] else '✗'} {'; '.join(checked)}"
        else:
            yield "recounted", f"{mark}: recounted from the table as it is written"
    if verified.get("cannot_be_proved"):
        yield "cannot be proved by it", verified["cannot_be_proved"]
    named = {"classes": "classes of equal records", "smallest_class": "smallest class"}
    if kind == "k^m":  # whole records may be rare, and are
        named = {"classes": "different records"}
    else:
        named["classes_below_k"] = "classes below k"
    yield from ((title, verified[name]) for name, title in named.items() if verified.get(name) is not None)


def intruder(page: Page) -> str:
    found = page.part("linkage")
    if not found:
        return _bounded(page.part("promise").get("epsilon"))
    if found.get("dr_percent") is None:
        return f"<p>{UNTOLD.capitalize()}.</p>"
    n = found.get("records_linked")
    sampled = found.get("sampled")
    how = f"A random sample of {text(n)} records was linked" if sampled else f"All {text(n)} records were linked"
    if between := found.get("dr_percent_interval_95"):
        how += f"; with 95 % certainty the mean of all is between {text(between[0])} and {text(between[1])} of 100"
    above = found.get("records_above_1_over_k")
    more = "" if above is None else f" Records that he finds more often than 1 in k: {text(above)}."
    return (
        "<p>The intruder has the whole original, names included, knows how records are compared, and takes every "
        "published record that is nearest in meaning to the one he looks for; of several he picks one.</p>"
        + page.figure("linkage")
        + f"<p>{how}.{more}</p>"
    )


def _bounded(epsilon: float | None) -> str:
    """What holds instead of an attack, where ε is promised."""
    if epsilon is None:
        return ""
    return (
        "<p>Nobody has tried: what an attack finds would tell about the original, which ε does not allow. Whatever he "
        f"knows and does, nothing that is published is more than e<sup>{text(float(epsilon))}</sup> = "
        f"{text(exp(min(float(epsilon), 50.0)))} times as likely because of what one person's values are.</p>"
    )


def limits(page: Page) -> str:
    promise = page.part("promise")
    if not promise:
        return ""
    guarded = "l" in promise or "t" in promise
    asked = "were promised here" if guarded else "guard against that; they were not asked for here"
    first = (
        "Whoever is known to be in a group shares what the group shares: if all of it is true of him, it is known. "
        f"l-diversity and t-closeness {asked}."
    )
    if page.part("noise"):  # nobody is in a group
        first = (
            "Every value was masked for itself: nobody is hidden among others, and a rare record may stay a rare one."
        )
    more = "".join(f"<li>{text(limit)}</li>" for limit in promise.get("limits", ()))
    return (
        f"<ul><li>{first}</li>{more}"
        "<li>Do not publish the same data twice, with other settings or with a few persons more: what differs tells "
        "about those in whom it differs.</li>"
        "<li>The trail of a run, if one was written, says who became which record. It must never leave its owner.</li>"
        "</ul>"
    )
