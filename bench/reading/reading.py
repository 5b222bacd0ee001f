"""Is what is published useful to a reader? A list to be judged blindly, and the count of the answers.

    python bench/reading/reading.py list --old CHECKOUT --new CHECKOUT --out DIR [--data DIR] [--records 40] [--seed 1]
    python bench/reading/reading.py count DIR

`list` publishes Excite (users, text) and Groceries over WordNet by both versions at k = 5, draws persons whom both
publish, and writes each beside its original twice, once as each version publishes it: list.csv, unlabelled and in
random order, and key.csv, which the reader must not see. The reader gets list.csv and instructions.md, and writes
answers.csv. `count` joins answers and key. A version that prints ids can be told by them; that is judged, too.

The list holds what real people typed: judge it, keep key and answers, and think before you publish the originals.
"""

import argparse
import csv
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

BENCH = Path(__file__).resolve().parents[1]
SOURCES = ("Excite, text", "Groceries, WordNet")
K = 5
JUDGEMENTS = ("useful", "empty", "misleading")
LIST, KEY, ANSWERS = "list.csv", "key.csv", "answers.csv"


def main() -> None:
    sys.path.insert(0, str(BENCH))
    from real_sets import BESIDE

    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tasks = arguments.add_subparsers(dest="task", required=True)
    made = tasks.add_parser("list", help="write the list and its key")
    made.add_argument("--old", type=Path, required=True, metavar="CHECKOUT")
    made.add_argument("--new", type=Path, required=True, metavar="CHECKOUT")
    made.add_argument("--out", type=Path, required=True, metavar="DIR")
    made.add_argument("--data", type=Path, default=BESIDE, metavar="DIR", help="folder of the real data")
    made.add_argument("--records", type=int, default=40, help="persons of each source")
    made.add_argument("--seed", type=int, default=1)
    tasks.add_parser("count", help="count the answers").add_argument("folder", type=Path, metavar="DIR")
    given = arguments.parse_args()
    if given.task == "count":
        count(given.folder)
    else:
        write_list(given)


# ---------------------------------------------------------------------- the list


def write_list(given: argparse.Namespace) -> None:
    from meaning_sources import SAID, sources

    random, lines = Random(given.seed), []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in SOURCES:
            source = next(sources(given.data, folder, name, SAID))
            said = {who: list(dict.fromkeys(texts)) for who, texts in source.texts.items()}
            told = {v: words(source, getattr(given, v).resolve(), folder) for v in ("old", "new")}
            both = [who for who in said if told["old"].get(who) and told["new"].get(who)]
            print(
                f"{name}: {len(said):,} persons; published by old {len(told['old']):,}, by new {len(told['new']):,}",
                file=sys.stderr,
            )
            for who in random.sample(both, given.records):
                lines += [(name, version, who, said[who], found[who]) for version, found in told.items()]
    random.shuffle(lines)
    given.out.mkdir(parents=True, exist_ok=True)
    public = [(i, name, " | ".join(said), "; ".join(told)) for i, (name, _, _, said, told) in enumerate(lines, 1)]
    write(given.out / LIST, ("number", "source", "original", "published"), public)
    key = [(i, version, name, who) for i, (name, version, who, _, _) in enumerate(lines, 1)]
    write(given.out / KEY, ("number", "version", "source", "record"), key)


def words(source: Any, checkout: Path, folder: Path) -> dict[Any, list[str]]:
    """What a version publishes for each person, in one order for both versions."""
    from meaning import words_of
    from meaning_run import releases

    job = releases(source.frame, source.plan, [K], checkout, folder)
    return {who: sorted(mine, key=str.casefold) for who, mine in words_of(source, job, K)[0].items()}


def write(path: Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


# ---------------------------------------------------------------------- the answers


def count(folder: Path) -> None:
    """How often each version was judged how; answers that are missing or say something else are refused."""
    from common import section, table

    key = {row["number"]: row for row in read(folder / KEY)}
    answers = {row["number"]: row["judgement"].strip().lower() for row in read(folder / ANSWERS)}
    if gone := key.keys() - answers.keys():
        raise SystemExit(f"{folder / ANSWERS}: {len(gone)} lines have no answer, the first is {min(gone, key=int)}.")
    if odd := [number for number, answer in answers.items() if number not in key or answer not in JUDGEMENTS]:
        raise SystemExit(
            f"{folder / ANSWERS}: line {odd[0]}: choose one of {', '.join(JUDGEMENTS)} for a line of the list."
        )
    found = Counter((row["source"], row["version"], answers[number]) for number, row in key.items())
    rows = [
        (source, version, *(found[source, version, judgement] for judgement in JUDGEMENTS))
        for source in dict.fromkeys(row["source"] for row in key.values())
        for version in ("old", "new")
    ]
    about = (
        f"Published records (k = {K}) beside their originals, the same persons by both versions, unlabelled and in "
        "random order, judged by a reader who did not write the code (`bench/reading/instructions.md`)."
    )
    better = pairs(key, answers)
    section("reading", "Is it useful to a reader?", "python bench/reading/reading.py count DIR",
            [about, table(("source", "version", *JUDGEMENTS), rows), better])  # fmt: skip


def pairs(key: dict[str, dict[str, str]], answers: dict[str, str]) -> str:
    """Of how many persons only one version's record is useful."""
    useful: dict[tuple[str, str], dict[str, bool]] = {}
    for number, row in key.items():
        useful.setdefault((row["source"], row["record"]), {})[row["version"]] = answers[number] == "useful"
    gained = sum(one["new"] and not one["old"] for one in useful.values())
    lost = sum(one["old"] and not one["new"] for one in useful.values())
    return (
        f"Of {len(useful)} persons only the new version's record is useful for {gained}, only the old one's for {lost}."
    )


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main()
