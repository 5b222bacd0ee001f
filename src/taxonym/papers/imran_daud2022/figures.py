"""Figures 4 and 6 of [ImranDaud2022] on our search log: how cohesive groups of queries are, and what each loses.

The paper's 10,000 queries of AOL are not given. Ours are queries of 600 invented persons that ship with Taxonym, by
WordNet: every query is a record, as there. What groups them is `adaptive-mdav`, which keeps the paper's idea, not its
Algorithm 3, which loses records.
"""

from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import numpy as np

from taxonym.distance.attributes import THRESHOLD, Attributes
from taxonym.distance.record import Sets
from taxonym.group.adaptive import adaptive_mdav
from taxonym.group.mdav import medoid
from taxonym.measure.cohesion import cohesions, information_loss
from taxonym.plan import read_plan
from taxonym.shapes.table.read import prepare

K, QUERIES, MEASURE = 5, 1500, "log"


@dataclass(frozen=True, slots=True)
class Groups:
    """Of every group, in the order they are formed: its size, its cohesion (eq. 10), and its part of IL in percent."""

    sizes: list[int]
    cohesion: list[float]
    loss: list[float]


def figures() -> Groups:
    """Queries drawn at random, grouped by matched attributes; the middle query of a group is published."""
    folder = Path(str(files("taxonym") / "examples"))
    plan = read_plan(folder / "search-log.toml")
    quasi = {name: column for name, column in plan.columns.items() if column.role == "quasi-identifier"}
    columns = {name: replace(column, senses="first") for name, column in quasi.items()}
    units = prepare(folder / "search-log.csv", replace(plan, input=replace(plan.input, person=None), columns=columns))
    rows = np.sort(np.random.default_rng(2022).choice(len(units), QUERIES, replace=False))
    words = units.words[0].take(rows)
    queries = Sets(words.start, words.codes, words.tax)
    attributes = Attributes.of(queries, THRESHOLD, MEASURE)
    D = attributes.square(np.arange(QUERIES), "matching")
    groups = adaptive_mdav(D, K)
    middles = [medoid(D, group) for group in groups]
    published = queries.take(np.array(middles))
    lost = information_loss(attributes, published, groups)
    return Groups(
        [len(group) for group in groups],
        cohesions(attributes, groups, middles).tolist(),
        [100 * sse / lost.sst for sse in lost.by_group],
    )
