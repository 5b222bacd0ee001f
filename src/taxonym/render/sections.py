"""The sections of a report, in the order in which people ask. Each shows what the report holds, or nothing."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from taxonym.render.charts import Chart, Report, columns_of
from taxonym.render.markup import SafeHtml, attribute, bar, facts, nested, shares, table, text
from taxonym.render.plainly import UNTOLD, words

KNOWN = {
    "taxonym", "versions", "verdict", "promise", "verified", "watched", "plan", "records", "groups", "support_rule",
    "columns", "loss", "survival", "linkage", "warnings", "notes", "noise", "kept", "notice",
}  # fmt: skip
FATES = {
    "kept": "as they are",
    "one_step": "one step more general",
    "more_general": "more generally",
    "merged": "merged",
    "lost": "not at all",
}
PROMISES = {
    "k": "k = {k}: every published record is identical to those of at least {others} others",
    "k by concept": "k = {k} by concept: every published record has the concepts of at least {others} others",
    "k^m": "k^m, k = {k}, m = {m}: up to {m} items of a published record are those of at least {others} others",
    "ε": "ε = {epsilon:g} for all that is published of a person together: local differential privacy",
    "none": "none: values are masked at random, which makes guessing harder, no more",
}
L = {"distinct": "{l} different values", "entropy": "values as mixed as {l} equally frequent ones (entropy)"}
T = "t = {t:g}: in no class are confidential values spread farther from those of all than this, on a scale to 1"


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


# ---------------------------------------------------------------------- promise and risk


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
    watched = [
        (
            f"{one.get('column')} ({one.get('what')})",
            one.get("smallest_distinct_l"),
            one.get("smallest_entropy_l"),
            (one.get("largest_t") or {}).get("semantic"),
            one.get("homogeneous_classes"),
            one.get("persons_in_homogeneous_classes"),
        )
        for one in page.report.get("watched") or ()
    ]
    heads = ("watched", "least distinct l", "least entropy l", "largest t", "classes of one value", "persons in them")
    return facts(rows) + (table(heads, watched, "l-diversity and t-closeness of the worst class") if watched else "")


def _promises(promise: Mapping[str, Any], m: int | None) -> Iterator[tuple[str, Any]]:
    """What is promised, each in a sentence."""
    said = {"kind", "k", "counts"}
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
        return ""
    if found.get("dr_percent") is None:
        return f"<p>{UNTOLD.capitalize()}.</p>"
    n = found.get("records_linked")
    sampled = found.get("sampled")
    how = f"A random sample of {text(n)} records was linked" if sampled else f"All {text(n)} records were linked"
    if between := found.get("dr_percent_interval_95"):
        how += f"; with 95 % certainty the mean of all is between {text(between[0])} and {text(between[1])} of 100"
    above = found.get("records_above_1_over_k")
    return (
        "<p>The intruder has the whole original, names included, knows how records are compared, and takes every "
        "published record that is nearest in meaning to the one he looks for; of several he picks one.</p>"
        + page.figure("linkage")
        + f"<p>{how}. Records that he finds more often than 1 in k: {text(above)}.</p>"
    )


# ---------------------------------------------------------------------- loss


def lost(page: Page) -> str:
    found = page.part("loss")
    figures = "".join(page.figure(name) for name in ("loss", "columns", "groups", "size_loss"))
    shown = ("columns", "groups", "by_group_size", "weakest_groups", "mean_to_plain_medoids")
    rest = {key: value for key, value in found.items() if key not in shown}
    sizes = page.part("groups").get("of_groups") or {}
    alone = ""
    if found and found.get("mean", 0) is None:
        alone = f"<p>{UNTOLD.capitalize()}.</p>"
    if found and "by_group_size" in found and not found["by_group_size"]:
        same = sizes.get("smallest") == sizes.get("largest")
        why = "all groups have the same size" if same else "too few groups differ in size to tell without naming one"
        alone = f"<p>Loss against the size of groups: {why}.</p>"
    all_of_it = f"<details><summary>All measures of loss</summary>{nested(rest)}</details>" if rest else ""
    return figures + alone + _weakest(found.get("weakest_groups")) + all_of_it


def _weakest(found: Mapping[str, Any] | None) -> str:
    """What the groups are like that lost most, beside the others."""
    if not found:
        return ""
    worst, others = found["weakest"], found["others"]
    heads = ("", f"{worst['groups']:,} weakest", f"{others['groups']:,} others")
    rows = [(words(key), worst[key], others[key]) for key in worst if key != "groups"]
    share = found.get("share_of_the_loss_percent")
    return (
        f"<h3>The weakest groups</h3><p>The groups that lost most carry {text(share)} % of the whole loss. Which they "
        f"are is in the trail only.</p>{table(heads, rows)}"
    )


# ---------------------------------------------------------------------- words


def topics(page: Page) -> str:
    made = [page.figure(name) for name in page.charts if name.startswith("branches of ")]
    lead = (
        "<p>Only concepts that at least k persons hold are named; what very many hold is shown by what is below it.</p>"
    )
    return lead + "".join(made) if made else ""


def understood(page: Page) -> str:
    columns = columns_of(page.report)
    if not columns:
        return ""
    heads = ("column", "taxonomy", "terms with a concept", "unknown", "concepts per record", "published")
    rows: list[tuple[Any, ...]] = []
    for one in columns:
        known = one.get("terms_with_a_concept_percent", one.get("understood_percent"))
        shares = (None, None) if known is None else (bar(known), SafeHtml(f"{round(100 - known, 1):g} %"))
        counts = (one.get("concepts_per_record"), one.get("concepts_per_published_record"))
        rows.append((one.get("name"), one.get("taxonomy"), *shares, *(c and round(c, 1) for c in counts)))
    told = [i for i in range(len(heads)) if i == 0 or any(row[i] is not None for row in rows)]
    shown = table([heads[i] for i in told], [[row[i] for i in told] for row in rows]) if len(told) > 2 else ""
    return shown + "".join(
        f"<h3>Sensitive topics in {text(one.get('name'))}</h3><p>Persons with something of each, to a multiple of "
        f"k.</p>" + facts((name, n) for name, n in one["topics"].items())
        for one in columns
        if one.get("topics")
    )


def rule(page: Page) -> str:
    found, columns = page.part("support_rule"), columns_of(page.report)
    rows = []
    for one in columns:
        changed, of = one.get("compared_with_the_medoids"), "middle records"
        if changed is None:
            changed, of = one.get("compared_with_the_originals"), "originals"
        if changed:
            veiled = one.get("published_as_their_topic_only")
            counts = (changed.get("raised"), changed.get("dropped"), changed.get("added"), veiled)
            rare = one.get("whole_sets_held_by_fewer_than_k_percent")
            rows.append((one.get("name"), of, *counts, None if rare is None else f"{rare:g} %"))
    if page.part("noise") or (not found and not rows):  # noise counts nobody
        return ""
    heads = ("column", "compared with the", "raised", "dropped", "added", "as their topic", "sets that < k hold")
    lead = "What too few persons hold rises in the taxonomy until enough do, or is dropped."
    return (
        f"<p>{lead}{' Counts are of concepts.' * bool(rows)}</p>"
        + nested({key: value for key, value in found.items() if value is not None})
        + (table(heads, rows) if rows else "")
    )


def grouped(page: Page) -> str:
    found = page.part("groups")
    if not found.get("count"):
        return ""
    private = {key: found[key] for key in ("of_groups", "blocks") if found.get(key)}
    told = {key: value for key, value in found.items() if key not in ("sizes", *private) and value is not None}
    behind = nested(private) if private else ""
    if len(found.get("sizes") or {}) == 1:
        count, size = found["count"], text(found.get("smallest"))
        whole = "The only class has" if count == 1 else f"All {text(count)} classes have"
        return f"<p>{whole} {size} rows.</p>{behind}"
    return page.figure("sizes") + nested(told) + behind


def parts(page: Page) -> str:
    """What the lines of an access log still say, part by part."""
    found = page.part("kept")
    named = {"whole": "as somebody had it", "risen": "in general", "none": "nothing"}
    named["none_in_the_original"] = "nothing, in the original"
    rows = [
        (name, *(None if shares[key] is None else f"{shares[key]:g} %" for key in named))
        for name, shares in found.items()
    ]
    lead = "<p>Of 100 published lines, how many have a part as it was, only in general, or not at all.</p>"
    return lead + table(("", *named.values()), rows) if rows else ""


def noised(page: Page) -> str:
    return nested(page.part("noise"))


# ---------------------------------------------------------------------- the rest


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


def settings(page: Page) -> str:
    plan, columns = page.part("plan"), columns_of(page.report)
    made = ""
    if of := plan.get("columns"):
        keys = list(dict.fromkeys(key for one in of.values() for key in one))
        rows = [(name, *(_setting(one.get(key)) for key in keys)) for name, one in of.items()]
        made += table(("column", *map(words, keys)), rows, "Columns; others were left out")
    prints = [(one.get("name"), one.get("taxonomy"), one.get("taxonomy_fingerprint")) for one in columns]
    if prints:
        made += table(("column", "taxonomy", "fingerprint"), prints, "Taxonomies")
    for name in (key for key in plan if key != "columns"):
        chosen = [(words(key), _setting(value)) for key, value in dict(plan[name]).items()]
        made += f"<h3>{text(words(name))}</h3>{facts(chosen)}" if chosen else ""
    return made and f"<details><summary>The plan, without its seed</summary>{made}</details>"


def _setting(value: Any) -> Any:
    return ", ".join(map(str, value)) or None if isinstance(value, list | tuple) else value


def notes(page: Page) -> str:
    found = page.report.get("notes") or []
    return "<ul>" + "".join(f"<li>{text(note)}</li>" for note in found) + "</ul>" if found else ""


def more(page: Page) -> str:
    """What no other section knows of."""
    told = {"columns"} if isinstance(page.report.get("columns"), list | tuple) else set()
    known = (KNOWN - {"columns"}) | told
    return nested({key: value for key, value in page.report.items() if key not in known and value is not None})


def warned(page: Page) -> str:
    found = page.report.get("warnings") or []
    return "<ul>" + "".join(f"<li>{text(one)}</li>" for one in found) + "</ul>" if found else ""


def survives(page: Page) -> str:
    """Of 100 things said what became of them, column by column, beside a random grouping."""
    found = page.part("survival")
    if not found:
        return ""
    if found.get("information") is None:
        return f"<p>{UNTOLD.capitalize()}.</p>"
    heads = ("column", "information kept", "at random", "of 100 things said", *FATES.values(), "true, of 100 published")
    every = [("all", found)] if len(found["columns"]) > 1 else []
    rows = [
        (
            name,
            one["information"],
            (one.get("random") or {}).get("information"),
            SafeHtml("–") if one["kept"] is None else shares([(FATES[form], one[form]) for form in FATES]),
            *(one[form] for form in FATES),
            one["true"],
        )
        for name, one in [*every, *found["columns"].items()]
    ]
    lead = (
        "<p>Measured on what persons said, whoever is left out included: how much of its information is still "
        "published (0: nothing, 1: all), and what became of 100 things said. Beside it what a random grouping of the "
        "same sizes would keep. Everybody counts alike, however much they said.</p>"
    )
    beside = {
        name: {key: one[key] for key in ("sizes", "frequencies", "of_everything_said") if one.get(key)}
        for name, one in found["columns"].items()
    }
    more = {name: one for name, one in beside.items() if one}
    details = f"<details><summary>Sizes, frequencies and pairs</summary>{nested(more)}</details>" if more else ""
    return lead + table(heads, rows) + details


SECTIONS: dict[str, Callable[[Page], str]] = {
    "Warnings": warned,
    "What is promised": promised,
    "What an intruder finds": intruder,
    "What survives": survives,
    "What was lost": lost,
    "What it is about": topics,
    "What noise did": noised,
    "What is left of every part": parts,
    "Classes": grouped,
    "How words were understood": understood,
    "What the support rule changed": rule,
    "More figures": more,
    "What this does not say": limits,
    "Notes": notes,
    "Settings": settings,
}
