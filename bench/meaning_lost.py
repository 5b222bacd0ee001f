"""Where is meaning lost? What is kept after each step of a run, on the sources of meaning.py.

    python bench/meaning_lost.py [--data DIR] [-k 5] [--only NAME] [--rows N]

Information kept, of all that persons said (phrases without a concept weigh as much as the column's mean), if only the
rules up to a step applied: what has a concept; each concept raised until k persons hold it; those that say something;
then for the groups of the run what they could say at most: antichains; pairs of concepts that k persons hold together;
what they choose, less what is false, as large as the members' sets, and frequencies; the rule for whole rows, rows that
are cut, and persons that are left out.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from common import section, table
from meaning import one_mapping
from meaning_figures import Original, Terms, concepts
from meaning_sources import SAID, MeaningSource, sources
from real_sets import BESIDE

from taxonym.executor.context import Context
from taxonym.knowledge.arrays import Codes
from taxonym.methods.microaggregation import microaggregated, supports_of
from taxonym.methods.published_groups import PublishedGroups
from taxonym.plan import Plan
from taxonym.publish import objective as objectives
from taxonym.publish.groups import rule_of
from taxonym.publish.objective import OBJECTIVES, worthiest
from taxonym.records.support import Rule
from taxonym.shapes.table.read import prepare

HERE = Path(__file__).resolve().parents[1]
STEPS = ("a concept", "k hold it", "says something", "antichain", "pairs", "chosen", "published")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=BESIDE, metavar="DIR", help="folder of the real data")
    arguments.add_argument("-k", type=int, default=5)
    arguments.add_argument("--only", default="", metavar="NAME", help="only the data whose name holds this")
    arguments.add_argument("--rows", type=int, default=SAID, metavar="N", help="persons of each table at most")
    given = arguments.parse_args()
    lines = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for source in sources(given.data, folder, given.only, given.rows):
            if (
                source.kind == "querylog"
            ):  # its whole queries are concepts of their own, which these figures do not read
                continue
            print(f"{source.name} …", file=sys.stderr, flush=True)
            found = kept(*one_mapping(source, HERE, folder), given.k)
            lines.append([source.name, *(f"{value:.3f}" for value in found)])
    told = (
        f"k = {given.k}, words as this version reads them one by one. Information kept, of all that was said, if the "
        "rules up to a step applied (see the script). `says something` to `pairs` is what groups of persons cannot say "
        "at all; `pairs` to `chosen` is what they do not say because it is false of some, or because of frequencies; "
        "`chosen` to `published` are whole rows, rows that are cut, and persons that are left out."
    )
    section(
        "meaning_lost", "Where meaning is lost", "python bench/meaning_lost.py", [told, table(["data", *STEPS], lines)]
    )


def kept(source: MeaningSource, original: Original, k: int) -> list[float]:
    known = original.knowledge
    everything = {who: frozenset(concepts(terms)) for who, terms in original.said.items()}
    empty, known.empty = known.empty, np.zeros(len(known.tax), bool)
    alone = original.raised_alone(k)
    known.empty = empty
    bounds: list[Any] = [everything, alone, original.raised_alone(k)]
    outcome, whose = published(source, k)
    units, method = outcome.units, outcome.plan.method
    support = supports_of(units, k)[-1]
    row = len(units.words) - 1
    default, turns = OBJECTIVES["balanced"], objectives.TURNS
    for items, name in ((1, "members to published"), (method.together, "members to published")):
        OBJECTIVES["balanced"], objectives.TURNS = OBJECTIVES[name], 0
        rule = rule_of(Rule(k=k, known_items=items), support)
        bounds.append(by_record(outcome.groups, worthiest(support.holders, outcome.groups, rule), whose))
    OBJECTIVES["balanced"], objectives.TURNS = default, turns
    rule = rule_of(Rule(k=k, known_items=method.together), support)
    bounds.append(by_record(outcome.groups, worthiest(support.holders, outcome.groups, rule), whose))
    told = by_record(outcome.groups, outcome.chosen[row].concepts, whose)
    cut = {w for unit in outcome.members.tolist() for w in whose[unit]} - released(outcome, whose)
    bounds.append({who: terms for who, terms in told.items() if who not in cut})
    return [original.survival(bound)["kept"] for bound in bounds]


def published(source: MeaningSource, k: int) -> tuple[PublishedGroups, list[list[Any]]]:
    """What a run publishes, and whose records every unit is."""
    plan, context = json.loads(json.dumps(source.plan)), Context(np.random.default_rng(1))
    plan["method"] |= {"k": k, "seed": 1}
    outcome = microaggregated(prepare(source.frame, Plan.from_dict(plan)), Plan.from_dict(plan), context)
    units = outcome.units
    ids = units.table.person_ids
    if source.person:
        return outcome, [[str(ids[int(units.persons[u])])] for u in range(len(units))]
    return outcome, [
        [int(row) for record in units.records[u] for row in units.table.rows(record)] for u in range(len(units))
    ]


def released(outcome: PublishedGroups, whose: Sequence[Sequence[Any]]) -> set[Any]:
    """Whose records are published: where rows stay apart, of each row."""
    rows, found = outcome.units.rows, set[Any]()
    for unit in outcome.members.tolist():
        told = outcome.whole.released[rows.start[unit] : rows.start[unit + 1]]
        mine = whose[unit]
        found |= (
            set(mine) if len(mine) != len(told) else {who for who, is_told in zip(mine, told, strict=True) if is_told}
        )
    return found


def by_record(
    groups: Sequence[Sequence[int]], told: Sequence[Codes], whose: Sequence[Sequence[Any]]
) -> dict[Any, Terms]:
    return {
        who: frozenset(codes)
        for group, codes in zip(groups, told, strict=True)
        for unit in group
        for who in whose[unit]
    }


if __name__ == "__main__":
    main()
