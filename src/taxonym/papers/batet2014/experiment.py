"""Table 1 of [Batet2014] on our search log: MDAV by five aggregations, with meaning and without.

The paper's data (1,000 users of AOL, ODP) is not given. Ours are the queries of 600 invented persons that ship with
Taxonym, by WordNet. As there, the record in the middle of a group stands for it, whatever it exposes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from math import sqrt
from pathlib import Path

import numpy as np

from taxonym.distance.record import Compare, Sets, record_matrix, record_pairs
from taxonym.distance.sets import AGGREGATIONS
from taxonym.group.mdav import mdav, medoid
from taxonym.knowledge.combine import flat
from taxonym.measure.loss import squared_sum
from taxonym.papers.batet2014 import printed
from taxonym.plan import read_plan
from taxonym.shapes.table.read import prepare

WAYS = {"semantic": "jaccard", "strings": "equal"}  # eq. 1, and eq. 9 on whole queries, as the paper has it
MIN_SUM = Compare(aggregate="min-sum", measure="jaccard")


@dataclass(frozen=True, slots=True)
class TableLoss:
    """Of one cell of the table: the root of eq. 8 over the records, and the mean min-sum distance, 0 if unchanged."""

    root: float
    apart: float


def experiment() -> dict[tuple[str, str, int], TableLoss]:
    """By aggregation, way and k."""
    folder = Path(str(files("taxonym") / "examples"))
    plan = read_plan(folder / "search-log.toml")
    first = {name: replace(column, senses="first") for name, column in plan.columns.items()}
    units = prepare(folder / "search-log.csv", replace(plan, columns=first))
    words, column = units.words[0], units.table.frame["query"]
    semantic = Sets(words.start, words.codes, words.tax)
    strings = _strings([[text for i in mine for text in column[i].splitlines()] for mine in units.records])
    rows = np.random.default_rng(2014).permutation(len(units))  # ties go to the earlier record: their order is random
    found = {}
    for aggregate in AGGREGATIONS:
        for way, measure in WAYS.items():
            part = semantic if way == "semantic" else strings
            D = record_matrix([part], rows, Compare(aggregate=aggregate, measure=measure))
            for k in printed.SIZES:
                groups = mdav(D, k)
                own = np.concatenate([rows[group] for group in groups])
                middles = np.concatenate([np.full(len(g), rows[medoid(D, g)]) for g in groups])
                total = squared_sum([semantic], [semantic], own, middles, MIN_SUM)
                apart = record_pairs([semantic], [semantic], own, middles, MIN_SUM)
                found[aggregate, way, k] = TableLoss(sqrt(total) / len(own), float(apart.mean()))
    return found


def _strings(records: Sequence[Sequence[str]]) -> Sets:
    """Queries without any meaning: each string is a concept that has nothing in common with others."""
    tax = flat(text for record in records for text in record)
    code = {tax.label(c): c for c in range(len(tax))}
    return Sets.of([sorted({code[text] for text in record}) for record in records], tax)
