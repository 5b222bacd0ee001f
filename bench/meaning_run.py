"""Releases by one version of Taxonym, for meaning.py and reading/: run in a process of its own, imports nothing else.

    python bench/meaning_run.py JOB
    python bench/meaning_run.py --read JOB

JOB holds plan.json ({"plan": …, "k": […]}) and the table; it gets for every k a release (K.csv, with whatever the
version writes beside it, and K.parquet) and its trail (K.json), or why there is none (K.refused). With --read it holds
texts.json ({"taxonomy": …, "kind": …, "texts": [[…], …]}) and gets read.json: of every record the ids of its concepts,
and the phrases that have none, as the version reads them.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl


def run(job: Path) -> None:
    """A small run that compiles, then one for every k."""
    import taxonym

    warnings.simplefilter("ignore")
    given = json.loads((job / "plan.json").read_text())
    plan, is_log = given["plan"], "querylog" in given["plan"]
    table: Any = job / "table.tsv" if is_log else pl.read_parquet(job / "table.parquet")
    few: Any = job / "few.tsv" if is_log else table.head(400)
    with suppress(taxonym.errors.TaxonymError):  # so few rows may be refused; what is measured is the whole
        plan["method"] |= {"k": given["k"][0], "seed": 1}
        taxonym.anonymize(few, plan, baselines=False).write(job / "few.csv")
    for k in given["k"]:
        plan["method"] |= {"k": k, "seed": 1}
        began = cpu()
        try:
            release = taxonym.anonymize(table, plan, baselines=False)
            release.write(job / f"{k}.csv")
        except taxonym.errors.TaxonymError as error:
            (job / f"{k}.refused").write_text(str(error))
            continue
        seconds = cpu() - began
        release.frame.write_parquet(job / f"{k}.parquet")
        told = {"records": release.trail()["records"], "seconds": seconds, "verdict": release.report["verdict"]}
        (job / f"{k}.json").write_text(json.dumps(told | {"code": taxonym.__file__}, default=str))


def read(job: Path) -> None:
    import taxonym
    from taxonym.text.terms import terms_of

    given = json.loads((job / "texts.json").read_text())
    tax, found = taxonym.load(given["taxonomy"]), []
    finder = taxonym.Finder(tax)
    for texts in given["texts"]:
        if given["kind"] == "querylog":
            terms = [terms_of(finder, [text], entries=finder.whole(text) is not None)[0] for text in texts]
        else:
            terms = terms_of(finder, texts, entries=given["kind"] == "set")
        ids = sorted({tax.id(code) for one in terms for _, code in one.known})
        found.append([ids, sorted({phrase for one in terms for phrase in one.unknown})])
    (job / "read.json").write_text(json.dumps({"read": found, "code": taxonym.__file__}))


def cpu() -> float:
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def releases(frame: pl.DataFrame, plan: dict[str, Any], ks: list[int], checkout: Path, folder: Path) -> Path:
    """The folder of a version's releases, by a process with its code and a cache of its own."""
    job = Path(tempfile.mkdtemp(dir=folder))
    (job / "plan.json").write_text(json.dumps({"plan": plan, "k": ks}))
    frame.write_parquet(job / "table.parquet")
    frame.write_csv(job / "table.tsv", separator="\t")
    frame.head(1_000).write_csv(job / "few.tsv", separator="\t")
    _ask([str(job)], checkout, folder)
    for k in ks:  # an installed version must not answer in the place of the checkout
        if (trail := job / f"{k}.json").exists():
            assert Path(json.loads(trail.read_text())["code"]).is_relative_to(checkout.resolve()), checkout
    return job


def concepts_of(texts: list[list[str]], kind: str, taxonomy: str, checkout: Path, folder: Path) -> list[Any]:
    """Of every record the ids of its concepts and the phrases without one, as a version reads them."""
    job = Path(tempfile.mkdtemp(dir=folder))
    (job / "texts.json").write_text(json.dumps({"taxonomy": taxonomy, "kind": kind, "texts": texts}))
    _ask(["--read", str(job)], checkout, folder)
    found = json.loads((job / "read.json").read_text())
    assert Path(found["code"]).is_relative_to(checkout.resolve()), checkout
    return list(found["read"])


def _ask(arguments: list[str], checkout: Path, folder: Path) -> None:
    cache = folder / f"cache of {checkout.resolve().as_posix().replace('/', ' ').strip()}"
    place = {"PYTHONPATH": str(checkout / "src"), "XDG_CACHE_HOME": str(cache)}
    ended = subprocess.run(
        [sys.executable, __file__, *arguments], env=os.environ | place, stderr=subprocess.PIPE, text=True
    )
    if ended.returncode:
        raise SystemExit(f"{checkout}: {ended.stderr.strip()}")


if __name__ == "__main__":
    if sys.argv[1] == "--read":
        read(Path(sys.argv[2]))
    else:
        run(Path(sys.argv[1]))
