"""What should a group publish? Objectives compared on real data: what survives, how much is said, how much is true.

    python bench/objectives.py [--data DIR] [--only NAME] [-k 5]

The same groups (refined) publish what is worth most by each objective (taxonym.publish.representative.OBJECTIVES),
under the same rules and without fitting, and the plain supported medoid. Information kept: of what members said, the
information content of the nearest published concept above. The last table shows how far the search is from trying
everything, on small groups of the same data.
"""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from common import section, table
from real_sets import data_argument, real_sets

from taxonym.executor.context import Context
from taxonym.knowledge.content import seco
from taxonym.methods.microaggregation import formed, supports_of
from taxonym.plan import Plan
from taxonym.publish import objective as objectives
from taxonym.publish.antichain import most_specific, net
from taxonym.publish.groups import rule_of
from taxonym.publish.objective import OBJECTIVES, by_person, sized_objective
from taxonym.publish.representative import represent
from taxonym.records.support import Rule

Codes = tuple[int, ...]


def main() -> None:
    arguments = data_argument(__doc__)
    arguments.add_argument("-k", type=int, default=5)
    given = arguments.parse_args()
    lines, gaps = [], []
    for real in real_sets(Path(given.data), given.only):
        units, words = real.units, real.words
        column = {"role": "quasi-identifier", "kind": words.column.kind, "taxonomy": "wordnet"}
        plan = Plan.from_dict({"columns": {words.column.name: column}, "method": {"k": given.k, "seed": 1}})
        groups = formed(units, plan, Context(np.random.default_rng(1))).groups
        support = supports_of(units, given.k)[0]
        rule = rule_of(Rule(k=given.k), support)
        default = OBJECTIVES["balanced"]
        for name in [*OBJECTIVES, "medoid-supported"]:
            OBJECTIVES["balanced"] = OBJECTIVES.get(name, default)
            way = "best" if name in OBJECTIVES else name
            found = represent(support.holders, groups, rule, way)
            lines.append([real.name, name, *judged(words, groups, found)])
        OBJECTIVES["balanced"] = default
        gaps.append([real.name, *gap(support.holders, groups, rule)])
    head = ["data", "objective", "information kept", "as they are", "one step up", "more general", "not at all", "true"]
    head += ["items before", "items after", "frequency shift"]
    parts = [
        f"k = {given.k}; shares of what has a concept, in percent; frequency shift: "
        "total variation of how often concepts are held, before and after.",
        table(head, lines),
        "Groups whose allowed antichains could all be tried (at most 14 candidates), and what the search finds of the "
        "best one's worth:",
        table(["data", "groups", "best found in", "mean share", "least share"], gaps),
    ]
    section("objectives", "What a group should publish", "python bench/objectives.py", parts)


def judged(words: Any, groups: list[list[int]], published: list[Codes]) -> list[str]:
    tax, content = words.tax, seco(words.tax)
    kept = said = true = 0.0
    forms, told = np.zeros(4, np.int64), 0
    before, after = np.zeros(len(tax)), np.zeros(len(tax))
    items = 0
    for group, concepts in zip(groups, published, strict=True):
        above = {t for y in concepts for t in tax.ancestors(y)}
        after[list(above)] += len(group)
        for unit in group:
            own = words.record(unit)
            items += len(own)
            held = {t for x in own for t in tax.ancestors(x)}
            before[list(held)] += 1
            told += len(concepts)
            true += len(held & set(concepts))
            for x in own:
                said += content[x]
                best = max((y for y in concepts if y in tax.ancestors(x)), key=lambda y: content[y], default=None)
                kept += 0.0 if best is None else content[best]
                forms[3 if best is None else 0 if best == x else 1 if best in tax.parents(x) else 2] += 1
    shift = np.abs(before / before.sum() - after / max(1, after.sum())).sum() / 2
    n = sum(map(len, groups))
    shares = [f"{100 * part / forms.sum():.1f}" for part in forms.tolist()]
    truth = f"{100 * true / max(1, told):.1f}"
    return [f"{kept / said:.3f}", *shares, truth, f"{items / n:.2f}", f"{told / n:.2f}", f"{shift:.3f}"]


def gap(holders: Any, groups: list[list[int]], rule: Rule, most: int = 14, enough: int = 150) -> list[str]:
    """On small groups: how often the search finds the best antichain, and which share of its worth."""
    tax, may, shares = holders.tax, objectives.may_be_published(holders, rule), list[float]()
    for rows in groups:
        members = [holders.sets.record(row) for row in rows]
        objective = sized_objective(holders, by_person(holders, [rows]), rule)  # as the group by itself chooses it
        weight, doubt = objective.weight.tolist(), float(objective.doubt[0])

        def value(some: Codes, members: Any = members, given: Any = (weight, doubt, objective.literal)) -> float:
            return net(tax, given[0], members, some, given[1], given[2])

        had = {x for record in members for x in record}
        pool = sorted({t for x in had for t in tax.ancestors(x) if may[t] == 2 or (may[t] == 1 and t in had)})
        worth = {c: value((c,)) for c in pool}
        pool = [c for c in pool if worth[c] > 0]
        if not pool or len(pool) > most or len(shares) == enough:
            continue
        (found,) = objectives.worthiest(holders, [rows], rule)
        best = 0.0
        for size in range(1, len(pool) + 1):
            for some in combinations(pool, size):
                apart = sum(worth[c] for c in some) > best and most_specific(tax, some) == some
                if apart and holders.allowed(some, rule.k, rule.known_items):
                    best = max(best, value(some))
        shares.append(value(found) / best if best else 1.0)
    exact = sum(share > 1 - 1e-9 for share in shares)
    return [f"{len(shares)}", f"{exact}", f"{np.mean(shares):.4f}", f"{min(shares):.4f}"] if shares else ["0"] * 4


if __name__ == "__main__":
    main()
