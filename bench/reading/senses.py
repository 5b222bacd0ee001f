"""Are words read as they were meant? Mappings of persons' words to be judged blindly, and the count of the answers.

    python bench/reading/senses.py list --old CHECKOUT --new CHECKOUT --out DIR [--data DIR] [--persons 20] [--seed 1]
    python bench/reading/senses.py count DIR

`list` reads Excite (users, text), Groceries and Synthea over WordNet by both versions, draws persons of each and writes
what each version took their words for, with definitions: senses.csv, unlabelled and in random order, and
senses_key.csv, which the reader must not see. The reader writes senses_answers.csv: number, wrong (how many words are
taken in a wrong sense), split (how many names, brands or titles are cut into words). `count` joins answers and key.

The list holds what real people typed: judge it, keep key and answers, and think before you publish the originals.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

BENCH = Path(__file__).resolve().parents[1]
SOURCES = ("Excite, text", "Groceries, WordNet", "Synthea, WordNet")
LIST, KEY, ANSWERS = "senses.csv", "senses_key.csv", "senses_answers.csv"


def main() -> None:
    sys.path.insert(0, str(BENCH))
    from real_sets import BESIDE

    if sys.argv[1:2] == ["--map"]:
        return mapped(Path(sys.argv[2]))
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tasks = arguments.add_subparsers(dest="task", required=True)
    made = tasks.add_parser("list", help="write the list and its key")
    made.add_argument("--old", type=Path, required=True, metavar="CHECKOUT")
    made.add_argument("--new", type=Path, required=True, metavar="CHECKOUT")
    made.add_argument("--out", type=Path, required=True, metavar="DIR")
    made.add_argument("--data", type=Path, default=BESIDE, metavar="DIR")
    made.add_argument("--persons", type=int, default=20, metavar="N")
    made.add_argument("--seed", type=int, default=1, metavar="N")
    counted = tasks.add_parser("count", help="count the answers")
    counted.add_argument("out", type=Path, metavar="DIR")
    given = arguments.parse_args()
    if given.task == "count":
        count(given.out)
    else:
        write_list(given)


def mapped(job: Path) -> None:
    """Run in a process of its own: what one version takes the words of every person for."""
    import polars as pl

    import taxonym
    from taxonym.plan import Plan
    from taxonym.shapes.table.read import prepare

    given = json.loads((job / "plan.json").read_text())
    frame = pl.read_parquet(job / "table.parquet")
    plan = given["plan"] | {"method": {"k": 5}}
    units = prepare(frame, Plan.from_dict(plan))
    words, found = units.words[0], {}
    wordnet = taxonym.load("wordnet")
    table = units.table
    for i, records in enumerate(units.records):
        mine = words.row == i
        pairs = sorted({(words.names[t], int(c)) for t, c in zip(words.term[mine], words.meant[mine], strict=True)})
        told = []
        for term, code in pairs:
            while code >= len(wordnet):  # a phrase of the column's own: what it lies below
                code = words.tax.parents(code)[0]
            told.append(f"{term} = {wordnet.label(code)} ({wordnet.gloss(code).split(';')[0]})")
        row = int(table.row[table.row_start[int(records[0])]]) - 1
        key = str(frame[given["person"]][row] if given["person"] else row)
        found[key] = told
    (job / "mapping.json").write_text(json.dumps({"code": taxonym.__file__, "persons": found}))


def mapping_by(checkout: Path, source: Any, folder: Path) -> dict[str, list[str]]:
    job = Path(tempfile.mkdtemp(dir=folder))
    (job / "plan.json").write_text(json.dumps({"plan": source.plan, "person": source.person}))
    source.frame.write_parquet(job / "table.parquet")
    place = {"PYTHONPATH": str(checkout.resolve() / "src"), "XDG_CACHE_HOME": str(folder / "cache")}
    subprocess.run([sys.executable, __file__, "--map", str(job)], env=os.environ | place, check=True)
    found = json.loads((job / "mapping.json").read_text())
    assert Path(found["code"]).is_relative_to(checkout.resolve()), checkout
    persons: dict[str, list[str]] = found["persons"]
    return persons


def write_list(given: argparse.Namespace) -> None:
    from meaning_sources import sources

    random, lines = Random(given.seed), []
    with tempfile.TemporaryDirectory() as place:
        for name in SOURCES:
            source = next(sources(given.data, Path(place), name, 3_000))
            both = {v: mapping_by(getattr(given, v), source, Path(place)) for v in ("old", "new")}
            texts = {str(who if source.person else who - 1): said for who, said in source.texts.items()}
            known = sorted(who for who in texts if all(who in found for found in both.values()))
            for who in random.sample(known, given.persons):
                for version, found in both.items():
                    lines.append((name, who, version, " | ".join(texts[who]), " | ".join(found[who])))
    random.shuffle(lines)
    given.out.mkdir(parents=True, exist_ok=True)
    with (given.out / LIST).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["number", "source", "original", "taken for"]])
        csv.writer(file).writerows([i, one[0], one[3], one[4]] for i, one in enumerate(lines, 1))
    with (given.out / KEY).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["number", "source", "version"]])
        csv.writer(file).writerows([i, one[0], one[2]] for i, one in enumerate(lines, 1))


def count(out: Path) -> None:
    from common import section, table

    with (out / KEY).open(encoding="utf-8") as file:
        key = {row["number"]: row for row in csv.DictReader(file)}
    persons, wrong, split = Counter[Any](), Counter[Any](), Counter[Any]()
    words = Counter[Any]()
    with (out / ANSWERS).open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            one = (key[row["number"]]["source"], key[row["number"]]["version"])
            persons[one] += 1
            wrong[one] += int(row["wrong"]) > 0
            split[one] += int(row["split"]) > 0
            words[one] += int(row["wrong"])
    lines = [
        [
            source,
            version,
            persons[source, version],
            wrong[source, version],
            split[source, version],
            words[source, version],
        ]
        for source in SOURCES
        for version in ("old", "new")
    ]
    about = (
        "What each version took the words of the same persons for, unlabelled and in random order, judged by a reader "
        "who did not write the code."
    )
    head = ["source", "version", "persons", "with a wrong sense", "with a split name", "words in a wrong sense"]
    parts = [about, table(head, lines)]
    section("senses_read", "Are words read as they were meant?", "python bench/reading/senses.py count DIR", parts)


if __name__ == "__main__":
    main()
