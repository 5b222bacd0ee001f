"""Do groups whose sizes follow the data lose less, and does redaction keep more than a whole record?

    python bench/adaptive.py [--data DIR]

Records are sets of concepts by each of three ways to compare them; groups by mdav, adaptive-mdav and refined; published
is the plain medoid, the medoid under the support rule (two known items), its redaction, and `best`. DIR is the folder
with queries/ and synthea/ in it, shared/data beside the checkout unless given. About eight minutes.
"""

import argparse
import csv
import gzip
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, cast

import numpy as np
from common import section, short, table

import taxonym
from taxonym import Taxonomy
from taxonym.distance.attributes import Attributes
from taxonym.distance.record import Compare, Sets, record_pairs
from taxonym.group.adaptive import adaptive_mdav
from taxonym.group.mdav import mdav
from taxonym.group.refine import refined
from taxonym.measure.cohesion import cohesions, information_loss, middle_record
from taxonym.measure.loss import to_medoids
from taxonym.publish.redaction import redact, similar_by
from taxonym.publish.representative import RULED, Representative, represent
from taxonym.records.support import Holders, Rule
from taxonym.text.finder import Finder

KS = (2, 3, 5, 10)
PAPER = Compare(aggregate="matching", measure="log", threshold=0.8)
WAYS = {
    "matching 0.8": PAPER,
    "matching 0.6": Compare(aggregate="matching", measure="log", threshold=0.6),
    "min-sum": Compare(),
}
METHODS: dict[str, Callable[..., list[list[int]]]] = {"mdav": mdav, "adaptive": adaptive_mdav, "refined": refined}
PUBLISHED = ("medoid", "medoid-supported", "redaction", "redaction-half", "best")
SIZES = (1_000, 2_000, 5_000, 10_000, 20_000)
GROUPS_HEAD = (
    "compared by", "k", "groups", "number", "smallest", "median", "largest", "exactly k", "cohesion",
    "to the medoid", "beside mdav",
)  # fmt: skip
MASKED_HEAD = (
    "compared by",
    "k",
    "groups",
    *(f"IL {name}" for name in PUBLISHED),
    *(f"D {name}" for name in PUBLISHED),
)


def note(*words: object) -> None:
    print(*words, f"({time.process_time():.0f} CPU s)", file=sys.stderr)


# ---------------------------------------------------------------------- data


def queries(data: Path, most: int) -> list[str]:
    """Queries of the TREC Million Query tracks, in the order of their numbers."""
    texts: list[str] = []
    for name in ("1-10000", "10001-20000", "20001-60000"):
        with gzip.open(data / "queries" / f"topics.mq.{name}.txt.gz", "rt", encoding="latin-1") as file:
            texts += [line.rstrip("\n").split(":", 1)[1] for line in file if ":" in line]
        if len(texts) >= most:
            break
    return texts[:most]


def users(data: Path) -> list[list[str]]:
    """The queries of every user of the Excite log."""
    found: dict[str, list[str]] = {}
    with (data / "queries" / "excite1997_small_rekeyed.tsv").open(encoding="utf-8", errors="replace") as file:
        for line in list(file)[1:]:
            user, _, query = line.rstrip("\n").split("\t", 2)
            found.setdefault(user, []).append(query)
    return list(found.values())


def patients(data: Path) -> list[list[str]]:
    """The conditions of every patient."""
    found: dict[str, list[str]] = {}
    with gzip.open(data / "synthea" / "conditions_1152.csv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["PATIENT"], []).append(row["DESCRIPTION"])
    return list(found.values())


def concepts(finder: Finder, records: Iterable[Sequence[str]]) -> list[list[int]]:
    """The concepts of every record that has any."""
    seen: dict[str, set[int]] = {}
    found = []
    for texts in records:
        for text in texts:
            if text not in seen:
                seen[text] = {mention.code for mention in finder.find(text)}
        found.append(sorted(set().union(*(seen[text] for text in texts))))
    return [codes for codes in found if codes]


@dataclass
class Data:
    """One set of records, and what does not depend on groups."""

    name: str
    tax: Taxonomy
    records: list[list[int]]
    ks: Sequence[int] = KS
    sets: Sets = field(init=False)
    holders: Holders = field(init=False)
    attributes: dict[float, Attributes] = field(default_factory=dict)
    middle: int = 0

    def __post_init__(self) -> None:
        self.sets = Sets.of(self.records, self.tax)
        self.holders = Holders(self.sets)
        self.attributes = {t: Attributes.of(self.sets, t) for t in (0.8, 0.6)}
        self.middle = middle_record(self.attributes[0.8])

    @property
    def about(self) -> str:
        sizes = [len(record) for record in self.records]
        alone = [f"{100 * self.attributes[t].dissimilar:.0f} % at {t}" for t in (0.8, 0.6)]
        return (
            f"{len(self.records):,} records of {np.mean(sizes):.1f} concepts (median {np.median(sizes):.0f}, at most "
            f"{max(sizes)}), {len(np.unique(self.sets.codes)):,} different. Similar to no other concept in use: "
            f"{', '.join(alone)}."
        )


# ---------------------------------------------------------------------- groups and what they publish


def medoids(one: Data, groups: list[list[int]], how: Compare) -> list[int]:
    """The record of each group that is closest to all; ties: the lowest row."""
    found = []
    for some in np.array_split(np.arange(len(groups)), len(groups) // 500 + 1):
        chosen = [sorted(groups[g]) for g in some.tolist()]
        rows = np.concatenate([np.repeat(group, len(group)) for group in chosen])
        columns = np.concatenate([np.tile(group, len(group)) for group in chosen])
        apart, first = one.sets.pairs(rows, one.sets, columns, how), 0
        for group in chosen:
            square = apart[first : first + len(group) ** 2].reshape(len(group), len(group))
            first += len(group) ** 2
            found.append(group[int(square.sum(axis=0).round(9).argmin())])
    return found


def publish(one: Data, groups: list[list[int]], k: int, name: str, how: Compare) -> list[tuple[int, ...]]:
    rule, chosen = Rule(k=k, known_items=0 if name == "medoid" else 2), cast(Any, name)
    if name.startswith("redaction"):
        similar, share = similar_by(one.holders, how.threshold, "log"), 0.5 if name.endswith("half") else 1.0
        chosen = Representative(name, partial(redact, similar=similar, share=share), RULED)
    return represent(one.holders, groups, rule, chosen, "min-sum", how.measure)


def masked(one: Data, published: list[tuple[int, ...]], groups: list[list[int]]) -> tuple[float, float]:
    """IL at the paper's threshold, and the mean distance by min-sum over jaccard."""
    sets = Sets.of(published, one.tax)
    loss = information_loss(one.attributes[0.8], sets, groups, middle=one.middle).share
    rows = np.array([row for group in groups for row in group])
    owner = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    return loss or 0.0, float(record_pairs([one.sets], [sets], rows, owner, Compare()).mean())


Found = dict[tuple[str, int, str], dict[str, Any]]


def study(one: Data) -> Found:
    found: Found = {}
    every = np.arange(len(one.records))
    for way, how in WAYS.items():
        D = one.sets.square(every, how)
        for k in one.ks:
            for method, form in METHODS.items():
                groups = form(D, k)
                sizes = np.array([len(group) for group in groups])
                middles = medoids(one, groups, how)
                kept = {name: publish(one, groups, k, name, how) for name in PUBLISHED}
                found[way, k, method] = {
                    "groups": groups,
                    "sizes": sizes,
                    "cohesion": cohesions(one.attributes[0.8], groups, middles),
                    "apart": float(to_medoids([one.sets], groups, how).mean()),
                    "published": kept["redaction"],
                    **{name: masked(one, kept[name], groups) for name in PUBLISHED},
                }
            note(one.name, way, k)
    return found


def tables(one: Data, found: Found) -> list[str]:
    groups, what = [], []
    for (way, k, method), f in found.items():
        sizes, base = f["sizes"], found[way, k, "mdav"]["apart"]
        share = "" if method == "mdav" else f"{100 * (f['apart'] / base - 1):+.1f} %"
        groups.append(
            (
                way, k, method, f"{len(sizes):,}", sizes.min(), f"{np.median(sizes):.0f}", sizes.max(),
                f"{100 * np.mean(sizes == k):.0f} %", f"{f['cohesion'].mean():.3f}", f"{f['apart']:.4f}", share,
            )
        )  # fmt: skip
        il, apart = zip(*(f[name] for name in PUBLISHED), strict=True)
        what.append((way, k, method, *(f"{x:.1f}" for x in il), *(f"{x:.4f}" for x in apart)))
    return [f"### {one.name}\n\n{one.about}", table(GROUPS_HEAD, groups), table(MASKED_HEAD, what)]


# ---------------------------------------------------------------------- the paper's figures


def deciles(found: dict[str, Found], k: int = 5) -> str:
    """Figure 4: the cohesion of groups in the order in which they are formed."""
    rows = []
    for name, of in found.items():
        for method in ("mdav", "adaptive"):
            spread = of["matching 0.8", k, method]["cohesion"]
            rows.append((name, method, *(f"{part.mean():.2f}" for part in np.array_split(spread, 10))))
    return table(("data", "groups", *(f"{n}" for n in range(10, 101, 10))), rows)


def by_size(data: list[Data], found: dict[str, Found], k: int = 3) -> str:
    """Figures 5 and 6: what a record of a group of some size loses, as a share of the mean term of SST."""
    rows = []
    for one in data:
        f = found[one.name]["matching 0.8", k, "adaptive"]
        sets = Sets.of(f["published"], one.tax)
        loss = information_loss(one.attributes[0.8], sets, f["groups"], middle=one.middle)
        lost, sizes, mean, cells = np.array(loss.by_group), f["sizes"], loss.sst / len(one.records), []
        for low, high in ((k, k), (k + 1, 2 * k - 1), (2 * k, 4 * k), (4 * k + 1, 10 * k)):
            some = (low <= sizes) & (sizes <= high)
            share = 100 * lost[some].sum() / max(1, sizes[some].sum()) / mean
            cells.append(f"{share:.1f} ({some.sum()})" if some.any() else "–")
        rows.append((one.name, *cells))
    return table(("data", f"{k}", f"{k + 1}–{2 * k - 1}", f"{2 * k}–{4 * k}", f"> {4 * k}"), rows)


# ---------------------------------------------------------------------- speed


def speed(tax: Taxonomy, records: list[list[int]]) -> str:
    """CPU seconds of one thread; everything compiled before."""
    few = [record for record in records if len(record) <= 8]
    rows, seen = [], []
    for n in (200, *SIZES):
        sets = Sets.of(few[:n], tax)
        clock = [time.process_time()]
        made = Attributes.of(sets)
        clock.append(time.process_time())
        D = made.square(np.arange(n))
        clock.append(time.process_time())
        groups = adaptive_mdav(D, 5)
        clock.append(time.process_time())
        spent = np.diff(clock)
        if n >= SIZES[0]:
            seen.append((n, *spent, spent.sum()))
            rows.append((f"{n:,}", f"{len(made.codes):,}", *(short(s) for s in spent), short(spent.sum()), len(groups)))
            note("speed", n)
        del D
    (n1, *first), (n2, *last) = seen[-2], seen[-1]
    growth = [f"n^{np.log(b / a) / np.log(n2 / n1):.2f}" for a, b in zip(first, last, strict=True)]
    rows.append((f"growth from {n1:,}", "", *growth, ""))
    return table(("n", "concepts", "attributes", "distances", "groups (k = 5)", "CPU s", "number of groups"), rows)


# ---------------------------------------------------------------------- what it says


def verdicts(found: dict[str, Found]) -> list[str]:
    """How often, and where not."""
    every = [(name, key, f, of) for name, of in found.items() for key, f in of.items() if key[2] == "adaptive"]
    lost = [f"{name}, {way}, k = {k}" for name, (way, k, _), f, of in every if f["apart"] > of[way, k, "mdav"]["apart"]]
    to_mdav = [100 * (f["apart"] / of[way, k, "mdav"]["apart"] - 1) for _, (way, k, _), f, of in every]
    to_best = [100 * (f["apart"] / of[way, k, "refined"]["apart"] - 1) for _, (way, k, _), f, of in every]
    lines = [
        f"**Groups.** In mean distance to the medoid, `adaptive-mdav` is below `mdav` in {len(every) - len(lost)} of "
        f"{len(every)} cases ({min(to_mdav):+.1f} to {max(to_mdav):+.1f} %), and {min(to_best):+.1f} to "
        f"{max(to_best):+.1f} % beside `refined`. "
        + (f"Where it does not beat `mdav`: {'; '.join(lost)}." if lost else "It beats `mdav` everywhere.")
    ]
    for name in ("medoid", "redaction", "best"):
        for at, what in ((0, "IL"), (1, "D")):
            pairs = [(f[name][at], of[way, k, "mdav"][name][at]) for _, (way, k, _), f, of in every]
            change = [100 * (a / b - 1) for a, b in pairs]
            worse = [
                f"{key[0]} k = {key[1]} ({of})" for (a, b), (of, key, *_) in zip(pairs, every, strict=True) if a > b
            ]
            lines.append(
                f"By the {what} of `{name}`, adaptive groups are better than `mdav` in "
                f"{sum(a < b for a, b in pairs)} of {len(pairs)} cases (median {np.median(change):+.1f} %, at worst "
                f"{max(change):+.1f} %)" + (f"; not with {', '.join(worse)}." if worse else ".")
            )
    rows = []
    for ours, other in combinations(reversed(PUBLISHED[1:]), 2):
        for at, what in ((0, "IL (eq. 11)"), (1, "D by min-sum")):
            pairs = [(f[ours][at], f[other][at]) for of in found.values() for f in of.values()]
            change = [100 * (a / b - 1) for a, b in pairs if b]
            less, more = sum(a < b - 1e-9 for a, b in pairs), sum(a > b + 1e-9 for a, b in pairs)
            told = [f"{x:+.1f} %" for x in (min(change), np.median(change), max(change))]
            rows.append((ours, other, what, f"{less} of {len(pairs)}", f"{more}", *told))
    head = ("published", "beside", "by", "loses less in", "more in", "at best", "median", "at worst")
    return [*lines, "**What is published**, in all cases together:", table(head, rows)]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    arguments.add_argument("--data", type=Path, default=beside, metavar="DIR")
    folder = arguments.parse_args().data
    wordnet, icd = taxonym.load("wordnet"), taxonym.load("icd10cm")
    nouns, codes = Finder([wordnet]), Finder([icd])
    trec = concepts(nouns, ([text] for text in queries(folder, 30_000)))
    data = [
        Data("Excite users, WordNet", wordnet, concepts(nouns, users(folder))),
        Data("TREC queries, WordNet", wordnet, trec[:2_000]),
        Data("Synthea patients, WordNet", wordnet, concepts(nouns, patients(folder))),
        Data("Synthea patients, ICD-10-CM", icd, concepts(codes, patients(folder))),
    ]
    note("records", [len(one.records) for one in data])
    found = {one.name: study(one) for one in data}
    explained = (
        "`cohesion` is the mean over groups of eq. 10, around the medoid, at threshold 0.8 whatever the groups were "
        "made by (0: all alike). `to the medoid`: mean distance of the records to the medoid of their group, by what "
        "made the groups. IL is 100 · SSE / SST of eq. 11–13 at threshold 0.8: whether an attribute has something "
        "near it among what is published, whatever else that says. D is the mean distance to what is published by "
        "`min-sum` over `jaccard`, which goes both ways. `medoid` is the plain record, without the "
        "support rule; the others keep it with two known items. In a `redaction`, attributes that are not similar rise "
        "to a concept that all members hold, in `redaction-half` to one that half of them hold (no plan offers that). "
        "`exactly k`: share of groups."
    )
    parts = [explained, *verdicts(found)]
    for one in data:
        parts += tables(one, found[one.name])
    parts += [
        "### Cohesion of groups in the order they are formed (as Figure 4)\n\nMean in each tenth; matching at 0.8, "
        "k = 5, around the medoid.",
        deciles(found),
        "### IL by size of the group (as Figures 5 and 6)\n\nRedaction, adaptive groups, matching at 0.8, k = 3; in "
        "brackets how many groups.",
        by_size(data, found),
        "### Speed\n\nTREC queries of at most 8 attributes, threshold 0.8.",
        speed(wordnet, trec),
    ]
    section("adaptive", "Groups that fit the data", "python bench/adaptive.py", parts)


if __name__ == "__main__":
    main()
