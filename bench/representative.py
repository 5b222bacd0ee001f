"""How close is what a group publishes to its members, and what does the support rule cost?

    python bench/representative.py [--data DIR]

Groceries: 9,835 baskets, each a person, in the order of the file, with their own taxonomy (roots joined under one, and
kept apart) and with WordNet; MDAV groups, min-sum over jaccard. DIR is the folder with groceries/ in it, shared/data
beside the checkout unless given.
"""

import argparse
import csv
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from common import RESULTS, section, short, table

import taxonym
from taxonym import Taxonomy
from taxonym.distance.sets_matrix import distance_matrix, set_distances
from taxonym.group.mdav import mdav
from taxonym.group.refine import refined
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.representative import REPRESENTATIVES, represent
from taxonym.records.support import Holders, Rule

SEED = 20261115
FOUND = {  # shared/findings.md: own taxonomy with joined roots
    (3, "medoid", 0): 0.1279, (3, "medoid-supported", 1): 0.1279, (3, "medoid-supported", 2): 0.1309,
    (3, "medoid-supported", 3): 0.1464, (3, "consensus", 2): 0.1242, (3, "best", 2): 0.1226,
    (5, "medoid", 0): 0.1751, (5, "medoid-supported", 1): 0.1751, (5, "medoid-supported", 2): 0.1787,
    (5, "medoid-supported", 3): 0.1935, (5, "consensus", 2): 0.1755, (5, "best", 2): 0.1710,
}  # fmt: skip
HEAD = (
    "published", "known items", "half of the group holds it", "mean distance", "to the medoid", "prototype",
    "by wu-palmer", "concepts", "sets of < k holders", "CPU s",
)  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    arguments.add_argument("--data", type=Path, default=beside, metavar="DIR")
    folder = arguments.parse_args().data / "groceries"
    with open(folder / "groceries_baskets.csv", encoding="utf-8", newline="") as file:
        baskets = list(csv.reader(file))
    own = folder / "groceries_taxonomy.csv"
    joined, apart = (taxonym.load(own, format="levels", join_roots=join) for join in (True, False))
    wordnet = taxonym.load("wordnet")
    parts = [
        *study("own taxonomy, roots joined", joined, baskets, lambda item: leaf(joined, item), FOUND, refine=True),
        *study("own taxonomy, roots kept apart (the default)", apart, baskets, lambda item: leaf(apart, item)),
        *study("WordNet by label", wordnet, baskets, lambda item: noun(wordnet, item), ks=(5,)),
    ]
    title, command = "What a group publishes", "python bench/representative.py"
    explained = (
        "Mean distance of the members to what their group publishes. `known items` is the m of the support rule, 0 "
        "being no rule; `prototype` is the figure of the first experiments (for `best`: the better of supported medoid "
        "and consensus). `by wu-palmer` judges by a distance that guided nothing. `sets of < k holders`: the whole "
        "published set is held by fewer than k persons, which the rule forbids only up to m concepts. CPU seconds are "
        "for all groups, everything compiled."
    )
    if RESULTS.is_dir():
        section("representative", title, command, [explained, *parts])
    else:
        sys.stdout.write("\n\n".join([f"## {title}", explained, *parts]) + "\n")


def leaf(tax: Taxonomy, item: str) -> int | None:
    """An item is the lowest of the levels that may share its name."""
    return max(tax.codes(item), key=tax.depth, default=None)


def noun(tax: Taxonomy, item: str) -> int | None:
    """The most usual noun for the item; without its left-most words, or a plural s, until there is one."""
    words = item.replace("/", " ").split()
    for left in range(len(words)):
        phrase = " ".join(words[left:])
        for form in (phrase, phrase.removesuffix("s"), phrase.removesuffix("es")):
            if codes := [code for code in tax.codes(form) if ".n." in tax.id(code)]:
                return codes[0]
    return None


def study(
    title: str,
    tax: Taxonomy,
    baskets: list[list[str]],
    maps_to: Callable[[str], int | None],
    found: dict[tuple[int, str, int], float] | None = None,
    *,
    ks: Sequence[int] = (3, 5),
    refine: bool = False,
) -> list[str]:
    """Tables for each k; with `refine` also one for groups made by `refined`."""
    code = {item: maps_to(item) for item in sorted({item for basket in baskets for item in basket})}
    rows = [sorted({c for item in basket if (c := code[item]) is not None}) for basket in baskets]
    records = [row for row in rows if row]
    lost = sum(c is None for c in code.values())
    holders = Holders(ConceptSets.of(records, tax))
    D = distance_matrix(tax, records, dtype="uint16")
    parts = [f"### Groceries, {title}\n\n{len(records):,} records; {lost} of {len(code)} items have no concept."]
    for k in ks:
        print(f"{title}, k = {k} …", file=sys.stderr)
        groups = mdav(D, k)
        parts += [f"k = {k}, {len(groups):,} MDAV groups:", one_table(holders, records, groups, k, found or {})]
    if refine:
        groups = refined(D, 5)
        parts += [f"k = 5, {len(groups):,} refined groups:", one_table(holders, records, groups, 5, {}, ms=(0, 2))]
    return parts


def one_table(
    holders: Holders,
    records: list[list[int]],
    groups: list[list[int]],
    k: int,
    found: dict[tuple[int, str, int], float],
    ms: Sequence[int] = (0, 1, 2, 3),
) -> str:
    settings = [("medoid", 0, False)]
    settings += [
        (name, m, half) for name, r in REPRESENTATIVES.items() if r.supported for half in (False, True) for m in ms
    ]
    plain = 0.0
    anyone = np.random.default_rng(SEED).integers(0, len(records), len(groups))
    at = [records[i] for i in anyone]
    lines = [
        ("a random record", "–", "", *judged(holders.tax, records, groups, at, "jaccard", "wu-palmer"), at, 0.0, "–")
    ]
    for name, m, half in settings:
        if name == "consensus" and half:
            continue  # the same
        rule = Rule(k=k, known_items=m, consensus=half)
        represent(holders, groups[:3], rule, name)  # compiles
        began = time.process_time()
        published = [p.concepts for p in represent(holders, groups, rule, name)]
        seconds = time.process_time() - began
        mean, other = judged(holders.tax, records, groups, published, "jaccard", "wu-palmer")
        plain = plain or mean
        lines.append((name, m, "yes" if half else "", mean, other, published, seconds, found.get((k, name, m), "–")))
    return table(
        HEAD,
        [
            (
                name, m, half, f"{mean:.4f}", f"{100 * (mean / plain - 1):+.1f} %", "–" if half else prototype,
                f"{other:.4f}", f"{np.mean([len(p) for p in published]):.2f}",
                f"{100 * np.mean([holders.joint_holders(p) < k for p in published]):.0f} %", short(seconds),
            )
            for name, m, half, mean, other, published, seconds, prototype in lines
        ],
    )  # fmt: skip


def judged(
    tax: Taxonomy, records: list[list[int]], groups: list[list[int]], published: Sequence[Sequence[int]], *measures: str
) -> list[float]:
    """Mean distance of all records to what is published for them, by the kernels that know nothing of the search."""
    means = []
    for measure in measures:
        total, step = 0.0, 500
        for first in range(0, len(groups), step):
            part = groups[first : first + step]
            rows = [row for group in part for row in group]
            owner = np.repeat(np.arange(len(part)), [len(group) for group in part])
            D = set_distances(tax, published[first : first + step], [records[row] for row in rows], measure=measure)
            total += float(D[owner, np.arange(len(rows))].sum())
        means.append(total / len(records))
    return means


if __name__ == "__main__":
    main()
