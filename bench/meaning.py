"""What does a release still say? Ancestors, ids and words that say nothing; what survives of what was said.

    python bench/meaning.py --before CHECKOUT [--data DIR] [-k 3,5,10] [--only NAME] [--rows N] [--figures FILE]

CHECKOUT is a checkout of the version before; both versions run with this Python and its packages, each with compiled
kernels of its own, and get the same table and plan. Everything is measured here (meaning_figures.py) from the
originals, the releases and the trails, by the same lines for both versions. FILE keeps the figures as JSON.
"""

import argparse
import csv
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import polars as pl
from common import section, short, table
from meaning_figures import DRAWS, FATES, GENERAL, Knowledge, Original, PublishedRecords
from meaning_run import concepts_of, releases
from meaning_sources import SAID, MeaningSource, sources
from real_sets import BESIDE

HERE = Path(__file__).resolve().parents[1]
ALONE, RANDOM = "each concept raised alone", "a random published record"
FLOOR, ONCE = "by the floor", "by the floor, said once"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--before", type=Path, metavar="CHECKOUT", help="a checkout of the version before")
    arguments.add_argument("--data", type=Path, default=BESIDE, metavar="DIR", help="folder of the real data")
    arguments.add_argument("-k", default="3,5,10", metavar="K,K,…")
    arguments.add_argument("--only", default="", metavar="NAME", help="only the data whose name holds this")
    arguments.add_argument("--rows", type=int, default=SAID, metavar="N", help="persons of each table at most")
    arguments.add_argument("--figures", type=Path, metavar="FILE", help="keep all figures here, as JSON")
    given = arguments.parse_args()
    versions = ([("before", given.before.resolve())] if given.before else []) + [("now", HERE)]
    ks = [int(k) for k in given.k.split(",")]
    parts, figures = [about(given.rows)], {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for source in sources(given.data, folder, given.only, given.rows):
            as_written = source.told
            source, original = one_mapping(source, versions[0][1], folder)
            lines = bounds(original, ks)
            for version, checkout in versions:
                lines += measured(source, original, ks, version, checkout, folder)
            figures[source.name] = lines
            told = f"{as_written} {100 * original.known:.0f} % of what is said has a concept."
            parts += [f"### {source.name}", told, *tables(lines, ks)]
            print("\n".join(parts[-4:]), file=sys.stderr, flush=True)
            if given.figures:
                given.figures.write_text(json.dumps(figures, indent=1))
    section("meaning", "What a release still says", "python bench/meaning.py --before CHECKOUT", parts)


def about(most: int) -> str:
    return (
        f"The same table and plan by the version before and by this one, at most {most:,} persons or baskets of each "
        "source. Words are read once, by the version before, and both versions get the ids of their concepts, so that "
        "what is published is compared and not how words are read; a query log has a line for each concept of a user. "
        "What a record says are these concepts, each once, and the phrases without one, which nobody can publish and "
        "which weigh as much as the column's mean. `redundant`: published concepts that are "
        f"an ancestor of another one of the record. `general`: those with {GENERAL:,} or more concepts below them "
        "(WordNet). `items`: concepts a record, of those that are published. `true`: published concepts that hold for "
        "their record, then by content. `shift`: total variation between how often concepts are said and published. "
        "`loss`: mean min-sum distance by jaccard, 1 where nothing is published. `information kept`: the content "
        "(Seco) of the best published ancestor-or-self over that of what is said, 0 where nothing is published; "
        "`of known`: without the phrases that have no concept. Of 100 said: as they are, as a parent, more generally, "
        "by a published concept that stands for another of the record already, or not at all. "
        f"`{FLOOR}`: published concepts that say nothing (least_content, the upper list) count as nothing, as they do "
        f"for what is published now; `{ONCE}`: so do those that are above another one of their record, which the "
        "version before published beside it. "
        f"`{ALONE}`: the most specific ancestor that k records hold and that says something; `{RANDOM}`: what "
        "survives if the published records are dealt out at random, mean of "
        f"{DRAWS} draws. CPU seconds of the whole call, with the file written."
    )


def knowledge(name: str, known: dict[str, Knowledge] = {}) -> Knowledge:  # noqa: B006 (each is read once)
    if name not in known:
        known[name] = Knowledge(name)
    return known[name]


def one_mapping(source: MeaningSource, checkout: Path, folder: Path) -> tuple[MeaningSource, Original]:
    """The source with ids in the place of its words, as the version before reads these (or this one, if alone)."""
    known = knowledge(source.taxonomy)
    read = concepts_of(list(source.texts.values()), source.kind, source.taxonomy, checkout, folder)
    ids, said = {}, {}
    for who, (mine, phrases) in zip(source.texts, read, strict=True):
        ids[who] = mine
        said[who] = frozenset([*(known.tax.code(id) for id in mine), *phrases])
    return source.by_ids(ids), Original(said, source.kind, known)


# ---------------------------------------------------------------------- reading a release


def words_of(source: MeaningSource, job: Path, k: int) -> tuple[dict[Any, list[str]], dict[str, Any]]:
    """What is published for each record, word by word, and the trail that tells whose it is."""
    frame, trail = pl.read_parquet(job / f"{k}.parquet"), json.loads((job / f"{k}.json").read_text())
    if source.kind == "querylog":  # the trail counts users; each has several lines
        cells = frame.group_by("user", maintain_order=True).agg("query")["query"].to_list()
    else:
        cells = frame[source.column].to_list()
    found: dict[Any, list[str]] = {}
    alike: dict[Any, list[str]] = {}
    for record in trail["records"]:
        if place := record["release_row"]:
            cell = cells[place - 1]
            words = cell.split(";") if isinstance(cell, str) else cell or []
            whose = str(record["person"]) if source.person else record["rows"][0]
            found[whose] = sorted({word for word in words if word and word != "*"})
            # else the trail is not read as it is meant
            assert alike.setdefault(record["group"], found[whose]) == found[whose], "a group publishes one record"
    return found, trail


def codebook_of(source: MeaningSource, job: Path, k: int) -> dict[str, str]:
    """Which concept a published word stands for, where the version says so."""
    for path in (*job.glob(f"{k}.codebook.csv"), *job.glob(f"{k}.csv.codebook.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            return {row["word"]: row["concept"] for row in csv.DictReader(file) if row["column"] == source.column}
    return {}


# ---------------------------------------------------------------------- measuring


def bounds(original: Original, ks: list[int]) -> list[dict[str, Any]]:
    return [{"k": k, "version": ALONE} | original.survival(original.raised_alone(k)) for k in ks]


def measured(
    source: MeaningSource, original: Original, ks: list[int], version: str, checkout: Path, folder: Path
) -> list[dict[str, Any]]:
    print(f"{source.name}, {version} …", file=sys.stderr, flush=True)
    job = releases(source.frame, source.plan, ks, checkout, folder)
    lines: list[dict[str, Any]] = []
    for k in ks:
        if (why := job / f"{k}.refused").exists():
            lines.append({"k": k, "version": version, "refused": why.read_text()})
            continue
        words, trail = words_of(source, job, k)
        read = PublishedRecords(original, words, codebook_of(source, job, k))
        line = {"k": k, "version": version, "seconds": trail["seconds"], "verdict": trail["verdict"]}
        lines.append(line | read.figures())
        lines.append({"k": k, "version": f"{version}, {FLOOR}"} | read.by_the_floor())
        if version == "before":
            lines.append({"k": k, "version": f"{version}, {ONCE}"} | read.said_once())
        lines.append({"k": k, "version": f"{RANDOM}, {version}"} | read.random())
    return lines


# ---------------------------------------------------------------------- telling


def tables(lines: list[dict[str, Any]], ks: list[int]) -> list[str]:
    """What is published, then what survives, each by k."""
    lines = sorted(lines, key=lambda line: ks.index(line["k"]))
    before = {line["k"]: line for line in lines if line["version"] == "before"}
    form, left, notes = [], [], []
    for line in lines:
        if "refused" in line:
            notes.append(f"- k = {line['k']}, {line['version']}, refused: {line['refused']}")
            continue
        if line.get("uncoded"):
            notes.append(f"- k = {line['k']}, {line['version']}: {line['uncoded']:,} words are not in the codebook.")
        if "seconds" in line:
            then = before.get(line["k"], {}).get("seconds")
            ratio = f"{line['seconds'] / then:.2f}" if then and line["version"] == "now" else ""
            row = [line["k"], line["version"], *(percent(line[key]) for key in PERCENTS)]
            row += [f"{line['before']:.2f} → {line['after']:.2f}", number(line["sizes"])]
            row += [percent(line["true"]), percent(line["true by content"]), f"{line['shift']:.3f}"]
            form.append([*row, f"{line['loss']:.3f}", short(line["seconds"]), ratio])
        row = [line["k"], line["version"], f"{line['kept']:.3f}", f"{line['kept of known']:.3f}"]
        left.append([*row, *(f"{100 * line[fate]:.1f}" for fate in FATES)])
    head = ["k", "version", *PERCENTS.values(), "items", "correlation", "true", "true by content", "shift", "loss"]
    return [
        table([*head, "CPU s", "× before"], form),
        table(["k", "version", "information kept", "of known", *FATES], left),
        *(["\n".join(notes)] if notes else []),
    ]


PERCENTS = {
    "published": "records published",
    "redundant": "redundant",
    "records redundant": "records with them",
    "general": "general",
    "records general": "records of nothing else",
}


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    main()
