"""How much closer is what is published where the groups are fitted to it?

    python bench/fitted.py [--data DIR] [--nouns N]

Groceries with their own taxonomy, roots joined, as in representative.py; N synthetic records of WordNet nouns as in
record_groups.py (none unless given). min-sum over jaccard, known items 2.
"""

import argparse
import csv
import sys
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from common import section, short, table
from record_tasks import draw, nouns
from representative import judged, leaf

import taxonym
from taxonym import Taxonomy
from taxonym.distance.sets_matrix import distance_matrix
from taxonym.group.mdav import mdav
from taxonym.group.refine import refined
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.fit import fitted
from taxonym.publish.representative import represent
from taxonym.records.support import Holders, Rule

HEAD = ("k", "start", "published", "mean distance", "to refined, medoid", "by wu-palmer", "groups", "sizes", "CPU s")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    arguments.add_argument("--data", type=Path, default=beside, metavar="DIR")
    arguments.add_argument("--nouns", type=int, default=0, metavar="N")
    given = arguments.parse_args()
    folder = given.data / "groceries"
    with open(folder / "groceries_baskets.csv", encoding="utf-8", newline="") as file:
        baskets = list(csv.reader(file))
    tax = taxonym.load(folder / "groceries_taxonomy.csv", format="levels", join_roots=True)
    code = {item: leaf(tax, item) for basket in baskets for item in basket}
    records = [sorted({c for item in basket if (c := code[item]) is not None}) for basket in baskets]
    parts = study("Groceries, own taxonomy, roots joined", tax, records)
    if given.nouns:
        tax = nouns()
        records = [record.tolist() for record in draw(tax, given.nouns)]
        parts += study(f"{given.nouns:,} records of ~20 WordNet nouns", tax, records, ks=(5,))
    explained = (
        "Mean distance of the members to what their group publishes, compared with the plain medoid, which knows no "
        "support rule, on refined groups. `by wu-palmer` judges by a distance that guided nothing. CPU seconds are for "
        "what comes after the start, everything compiled; fitting begins with `best` for all groups."
    )
    section("fitted", "Groups fitted to what they publish", "python bench/fitted.py", [explained, *parts])


def study(title: str, tax: Taxonomy, records: list[list[int]], *, ks: Sequence[int] = (3, 5, 10)) -> list[str]:
    """One table: groups by mdav and refined, what they publish, and the same groups fitted to it."""
    holders = Holders(ConceptSets.of(records, tax))
    D = distance_matrix(tax, records, dtype="uint16")
    lines: list[Sequence[object]] = []
    for k in ks:
        start, rule = {"mdav": mdav(D, k), "refined": refined(D, k)}, Rule(k=k, known_items=2)
        fitted(holders, start["mdav"][:3], rule)  # compiles
        done = []
        for (name, groups), what in product(start.items(), ("medoid", "best", "best, fitted")):
            if (name, what) == ("mdav", "best, fitted") and k != 5:
                continue  # it takes longer from there; one k shows how much
            print(f"{title}, k = {k}, {name}, {what} …", file=sys.stderr)
            began = time.process_time()
            if what == "best, fitted":
                groups, published = fitted(holders, groups, rule)
            else:
                published = represent(holders, groups, rule, what)
            seconds = time.process_time() - began
            sets = [p.concepts for p in published]
            done.append((name, what, groups, *judged(tax, records, groups, sets, "jaccard", "wu-palmer"), seconds))
        plain = next(mean for name, what, _, mean, *_ in done if (name, what) == ("refined", "medoid"))
        lines += [
            (
                k, name, what, f"{mean:.4f}", f"{100 * (mean / plain - 1):+.1f} %", f"{other:.4f}", f"{len(groups):,}",
                f"{min(map(len, groups))}–{max(map(len, groups))}", short(seconds),
            )
            for name, what, groups, mean, other, seconds in done
        ]  # fmt: skip
    return [f"{title}, {len(records):,} records:", table(HEAD, lines)]


if __name__ == "__main__":
    main()
