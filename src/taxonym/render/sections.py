"""The sections of a report, in the order in which people ask. Each shows what the report holds, or nothing."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from taxonym.render.charts import columns_of
from taxonym.render.drawn_page import Page
from taxonym.render.markup import SafeHtml, bar, facts, nested, shares, table, text
from taxonym.render.plainly import UNTOLD, words
from taxonym.render.privacy_sections import intruder, limits, promised
from taxonym.render.signing import questions, sign_off, who_sees
from taxonym.render.told import size_lines

KNOWN = {
    "taxonym", "versions", "verdict", "promise", "verified", "watched", "plan", "records", "groups", "support_rule",
    "columns", "loss", "survival", "linkage", "warnings", "notes", "noise", "kept", "notice", "questions", "released",
}  # fmt: skip
FATES = {
    "kept": "as they are",
    "one_step": "one step more general",
    "more_general": "more generally",
    "merged": "merged",
    "lost": "not at all",
}
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
    return (
        shown
        + _mapped(columns)
        + "".join(
            f"<h3>Sensitive topics in {text(one.get('name'))}</h3><p>Persons with something of each, to a multiple of "
            f"k.</p>" + facts((name, n) for name, n in one["topics"].items())
            for one in columns
            if one.get("topics")
        )
    )


def _mapped(columns: Sequence[Mapping[str, Any]]) -> str:
    """What frequent terms were taken for."""
    rows = [(name, *term.values()) for one in columns for name in [one.get("name")] for term in one.get("mapped") or ()]
    if not rows:
        return ""
    heads = ("column", "term", "was taken for", "persons who wrote it, about")
    lead = "<p>Terms that many persons wrote, and the concepts that they were taken for. Rarer ones are not named.</p>"
    return f"<h3>How terms were mapped</h3>{lead}{table(heads, rows)}"


def rule(page: Page) -> str:
    found = page.part("support_rule")
    columns = page.part("survival").get("columns") or {}
    rows = [(name, *one["changes"].values()) for name, one in columns.items() if one.get("changes")]
    if page.part("noise") or (not found and not rows):  # noise counts nobody
        return ""
    lead = "<p>What too few persons hold rises in the taxonomy until enough do, or is dropped.</p>"
    return lead + nested({key: value for key, value in found.items() if value is not None}) + changed(rows)


def changed(rows: Sequence[Sequence[Any]], what: str = "column", of: str = "concepts") -> str:
    """How many things said were raised or dropped, and how many were added; in a private report."""
    heads = (what, "published more generally", "not published", "published, but not true of the record")
    return table(heads, rows, f"What was changed, in {of} over all records") if rows else ""


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
    counted = [(name, *one["changes"].values()) for name, one in found.items() if one.get("changes")]
    return (lead + table(("", *named.values()), rows) if rows else "") + changed(counted, "part", "values")


def noised(page: Page) -> str:
    return nested(page.part("noise"))


# ---------------------------------------------------------------------- the rest


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
    said = "".join(f"<li>{text(line)}</li>" for line in size_lines(page.report))
    beside = {
        name: {key: one[key] for key in ("sizes", "frequencies", "of_everything_said") if one.get(key)}
        for name, one in found["columns"].items()
    }
    exact = {name: one for name, one in beside.items() if "of_everything_said" in one}
    details = f"<details><summary>Sizes, frequencies and pairs</summary>{nested(exact)}</details>" if exact else ""
    return lead + table(heads, rows) + (f"<ul>{said}</ul>" if said else "") + details


def asked(page: Page) -> str:
    return questions(page.report)


def seen_by(page: Page) -> str:
    return who_sees(page.report)


def signed(page: Page) -> str:
    return sign_off(page.report)


SECTIONS: dict[str, Callable[[Page], str]] = {
    "Warnings": warned,
    "What is promised": promised,
    "Three questions": asked,
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
    "Who may see what": seen_by,
    "Notes": notes,
    "Settings": settings,
    "Sign-off": signed,
}
