"""What does the support rule cost, and what does it prevent?

    python bench/support_cost.py [--data DIR] [--figures FILE]

Refined groups of all persons (min-sum over jaccard), formed once for each data set and k; then the plain medoid, and
`best` for every known_items from 0 to 3, with and without consensus. Also writes the table of
docs/choosing-protection.md, between its two marks. FILE keeps the figures: if it is there, they are reported again.
"""

import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from common import section, short, table
from real_sets import RealSet, data_argument, real_sets, sets_of

from taxonym.distance.record import Compare, Sets, record_matrix, record_pairs
from taxonym.group.refine import refined
from taxonym.publish.groups import Support, choose
from taxonym.records.support import Holders, Rule

KS = (3, 5, 10)
SETTINGS = [("medoid", 0, False), *(("best", m, False) for m in (0, 1, 2, 3)), ("best", 2, True)]  # 0: no rule
HOW = Compare(aggregate="min-sum", measure="jaccard")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "choosing-protection.md"
BEGIN, END = "<!-- from here on written by bench/support_cost.py -->", "<!-- up to here -->"
Result = dict[str, Any]


def main() -> None:
    arguments = data_argument(__doc__)
    arguments.add_argument("--figures", type=Path, metavar="FILE")
    given = arguments.parse_args()
    if given.figures and given.figures.exists():
        found = json.loads(given.figures.read_text())
    else:
        found = {"sets": {}, "lines": []}
        for real in real_sets(given.data, given.only):
            found["sets"][real.name] = real.told()
            found["lines"] += measured(real)
        found["seconds"] = time.process_time()
    if given.figures:
        given.figures.write_text(json.dumps(found))
    lines: list[Result] = found["lines"]
    parts = [
        "Refined groups by min-sum over jaccard, all persons, formed once for each k; `best` under the support rule "
        "unless it says medoid. `loss`: mean min-sum distance of the persons to what is published for them, 0 if "
        "unchanged; who gets nothing counts 1. `raised`, `dropped`: share of the concepts of the plain medoids that "
        "are published more generally, or not at all. `true`: how often a published concept holds for a member of "
        "the group. `single`, `pair`, `triple`, `whole`: share of the published sets with a concept (two, three, all "
        "of them) that fewer than k persons hold (together). `suppressed`: share of the persons whose group publishes "
        "nothing. CPU seconds are for choosing what all groups publish.",
    ]
    for name, told in found["sets"].items():
        parts += [f"### {name}", f"{told}.", one_table([line for line in lines if line["name"] == name])]
    conclusion = conclusions(lines)
    parts += ["### What it suggests", *conclusion, f"CPU seconds of the whole script: {found['seconds']:.0f}."]
    section("support_cost", "What the support rule costs", "python bench/support_cost.py", parts)
    write_page(lines, conclusion)


# ---------------------------------------------------------------------- measuring


def measured(real: RealSet) -> list[Result]:
    x: Sets = sets_of(real)
    D = record_matrix([x], np.arange(len(x)), HOW)
    lines = []
    for k in KS:
        groups = refined(D, k)
        support = {once: Support.of(real.words, real.units.persons, once) for once in (1, k)}
        choose([support[k]], groups[:3], Rule(k=k, known_items=3), "best", HOW)  # compiles
        for name, m, half in SETTINGS:
            plain = name == "medoid"  # as the pipeline does it: without the support rule, also for words
            rule = Rule(k=1 if plain else k, known_items=m, consensus=half)
            began = time.process_time()
            chosen = choose([support[rule.k]], groups, rule, name, HOW)[0]
            seconds = time.process_time() - began
            lines.append(
                {"name": real.name, "k": k, "published": name, "m": m, "half": half, "seconds": seconds}
                | judged(x, support[k].holders, groups, chosen.concepts, k)
                | shares(x, D, groups, chosen.raised, chosen.dropped)
            )
    return lines


def judged(x: Sets, holders: Holders, groups: list[list[int]], published: Sequence[Sequence[int]], k: int) -> Result:
    members = np.array([row for group in groups for row in group], np.int64)
    group_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    apart = record_pairs([x], [Sets.of(published, x.tax)], members, group_of, HOW)
    filled = [codes for codes in published if codes]
    holds = total = 0
    for group, codes in zip(groups, published, strict=True):
        own = holders.person[np.array(group)]
        for c in codes:
            among = holders.held[c]
            at = np.minimum(np.searchsorted(among, own), len(among) - 1)
            holds, total = holds + int((among[at] == own).sum()), total + len(own)
    few = [[not holders.allowed(codes, k, m) for codes in filled] for m in (1, 2, 3)]
    return {
        "groups": len(groups),
        "loss": float(apart.mean()),
        "concepts": float(np.mean([len(codes) for codes in filled])),
        "true": holds / max(1, total),
        "single": float(np.mean(few[0])),
        "pair": float(np.mean(few[1])),
        "triple": float(np.mean(few[2])),
        "whole": float(np.mean([holders.joint_holders(codes) < k for codes in filled])),
        "suppressed": float(np.mean([not published[g] for g in group_of.tolist()])),
    }


def shares(x: Sets, D: Any, groups: list[list[int]], raised: int, dropped: int) -> Result:
    """Of the concepts of all medoids."""
    middles = (group[int(D[np.ix_(group, group)].sum(axis=1, dtype=np.int64).argmin())] for group in groups)
    every = sum(len(x.record(middle)) for middle in middles)
    return {"raised": raised / every, "dropped": dropped / every}


# ---------------------------------------------------------------------- the report


def one_table(lines: list[Result]) -> str:
    head = [
        "k", "published", "known items", "consensus", "loss", "to the medoid", "concepts", "raised", "dropped", "true",
        "single", "pair", "triple", "whole", "suppressed", "CPU s",
    ]  # fmt: skip
    rows = []
    for line in lines:
        plain = at(lines, line["name"], line["k"], 0, published="medoid")
        rows.append(
            (
                line["k"],
                line["published"],
                line["m"] if line["published"] == "best" else "–",
                "yes" if line["half"] else "",
                f"{line['loss']:.4f}",
                f"{100 * (line['loss'] / plain['loss'] - 1):+.1f} %",
                f"{line['concepts']:.2f}",
                *(percent(line[key]) for key in ("raised", "dropped", "true", "single", "pair", "triple", "whole")),
                f"{100 * line['suppressed']:.1f} %",
                short(line["seconds"]),
            )
        )
    return table(head, rows)


def percent(share: float) -> str:
    if 0 < share < 0.0005:
        return "< 0.1 %"
    return f"{100 * share:.0f} %" if share == 0 or share >= 0.01 else f"{100 * share:.1f} %"


def at(lines: list[Result], name: str, k: int, m: int, half: bool = False, published: str = "best") -> Result:
    wanted = {"name": name, "k": k, "m": m, "half": half, "published": published}
    return next(line for line in lines if wanted.items() <= line.items())


def between(values: Iterable[float], form: str = "{:+.0f}") -> str:
    given = list(values)
    low, high = form.format(min(given)), form.format(max(given))
    return low if low == high else f"{low} to {high}"


def conclusions(lines: list[Result]) -> list[str]:
    cells = sorted({(line["name"], line["k"]) for line in lines})

    def change(m: int, half: bool, base: int, base_half: bool = False) -> str:
        every = [at(lines, *c, m, half)["loss"] / at(lines, *c, base, base_half)["loss"] - 1 for c in cells]
        return f"{between((100 * v for v in every), '{:+.1f}')} % (median {100 * float(np.median(every)):+.1f} %)"

    def over(key: str, m: int, half: bool = False, published: str = "best") -> str:
        return between((100 * at(lines, *c, m, half, published)[key] for c in cells), "{:.0f}")

    beside = between(
        (100 * (at(lines, *c, 2)["loss"] / at(lines, *c, 0, published="medoid")["loss"] - 1) for c in cells), "{:+.1f}"
    )
    return [
        f"Over all {len(cells)} pairs of data and k:",
        f"- Against no rule, `known_items = 1` changes the loss by {change(1, False, 0)}, 2 by "
        f"{change(2, False, 0)} and 3 by {change(3, False, 0)}. Step by step, from 1 to 2 it is {change(2, False, 1)}, "
        f"from 2 to 3 {change(3, False, 2)}.\n"
        f"- Against the plain medoid of the paper, `best` with `known_items = 2` changes the loss by {beside} %.\n"
        f"- `consensus` changes the loss by {change(2, True, 2)} at `known_items = 2`; a published concept is then "
        f"true of {over('true', 2, True)} % of the members instead of {over('true', 2)} %.\n"
        f"- The plain medoid has a concept that fewer than k persons hold in {over('single', 0, published='medoid')} % "
        f"of the published sets, such a pair in {over('pair', 0, published='medoid')} %. With 1, such a pair is in "
        f"{over('pair', 1)} % of the sets; with 2, such a triple in {over('triple', 2)} %; with 3, the whole set "
        f"belongs to fewer than k persons in {over('whole', 3)} % (with 2: {over('whole', 2)} %).\n"
        f"- Suppressed persons: {between((100 * at(lines, *c, 2)['suppressed'] for c in cells), '{:.1f}')} % with 2, "
        f"{between((100 * at(lines, *c, 3)['suppressed'] for c in cells), '{:.1f}')} % with 3.",
        *by_data(lines, cells),
    ]


def by_data(lines: list[Result], cells: list[tuple[str, int]]) -> list[str]:
    """Where a step of the rule is dear, and where it is cheap: the range over k, data set by data set."""
    rows = []
    for name in dict.fromkeys(line["name"] for line in lines):
        mine = [c for c in cells if c[0] == name]
        steps = [
            between((100 * (at(lines, *c, m)["loss"] / at(lines, *c, m - 1)["loss"] - 1) for c in mine), "{:+.1f}")
            for m in (1, 2, 3)
        ]
        found = [
            between((100 * at(lines, *c, m)[key] for c in mine), "{:.0f}") for m, key in ((1, "pair"), (2, "triple"))
        ]
        rows.append((name, *(f"{step} %" for step in steps), *(f"{share} %" for share in found)))
    head = (
        "data, over all k",
        "loss from no rule to 1",
        "from 1 to 2",
        "from 2 to 3",
        "pairs that 2 removes",
        "triples that 3 removes",
    )
    return [
        "What each step costs, and what it removes (share of the published sets that had such a combination):",
        table(head, rows),
    ]


# ---------------------------------------------------------------------- the page


def write_page(lines: list[Result], conclusion: list[str]) -> None:
    if not PAGE.exists():
        return
    names = list(dict.fromkeys(line["name"] for line in lines))
    loss, exposed = [], []
    for name in names:
        for k in KS:
            plain = at(lines, name, k, 0, published="medoid")
            best = [at(lines, name, k, m) for m in (0, 1, 2, 3)]
            half = at(lines, name, k, 2, True)
            loss.append((name, k, *(f"{line['loss']:.3f}" for line in (plain, *best, half))))
            cells = [percent(plain[key]) for key in ("single", "pair")]
            cells += [percent(best[1]["pair"]), percent(best[2]["triple"]), percent(best[2]["whole"])]
            exposed.append((name, k, *cells, percent(best[3]["whole"])))
    rules = ("plain medoid", "no rule", "1", "**2**", "3", "2 with consensus")
    made = [
        BEGIN,
        "Loss: the mean distance of the persons to what is published for them, from 0 (unchanged) to 1, by "
        "`known_items`:",
        table(("data", "k", *rules), loss),
        "What is left to find: the share of published records with a combination that fewer than k persons hold.",
        table(
            (
                "data", "k", "medoid: one concept", "medoid: a pair", "1: a pair", "**2**: a triple",
                "**2**: the whole record", "3: the whole record",
            ),
            exposed,
        ),
        *conclusion,
        END,
    ]  # fmt: skip
    text = PAGE.read_text("utf-8")
    PAGE.write_text(text[: text.index(BEGIN)] + "\n\n".join(made) + text[text.index(END) + len(END) :], "utf-8")


if __name__ == "__main__":
    main()
