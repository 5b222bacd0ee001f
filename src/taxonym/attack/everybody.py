"""How often an intruder who knows everything about everybody finds the right record of a run [Martinez2012, §4].

`taxonym risk` attacks a written release in many ways. Here is the worst case only, for the report of every run, with a
bound on its work: of many records a random sample is linked.
"""

from typing import Any

import numpy as np

from taxonym.attack.published import PublishedKinds
from taxonym.attack.risk import LinkageRisk, drawn_rows, risk_of
from taxonym.distance.record import Compare, Part, different
from taxonym.distance.vector_sets import VectorSets
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Floats, Long
from taxonym.records.masked import MaskedRecords

PAIRS = 20_000_000  # of records that are compared, which takes a second or two where a record has few concepts
MATCHED_PAIRS = 1_000_000  # where attributes are matched, which takes about as long
PAIRS_OF_DOCUMENTS = 100_000  # which takes a few seconds
LEAST = 200  # persons that are linked, however many published records there are
LEAST_DOCUMENTS = 50


def linkage(
    masked: MaskedRecords,
    how: Compare,
    k: int,
    rng: np.random.Generator,
    progress: Progress = SILENCE,
    by_person: bool = False,
) -> dict[str, Any]:
    """Linkage by meaning, beside guessing and beside what the same intruder would find in the original without names.

    Groups that publish the same are one record to him. Where a sample is linked, the interval is told. `by_person` lets
    everybody count alike, however many records they have.
    """
    x, record, kinds = masked.x, np.sort(masked.record), PublishedKinds.of(masked)
    most = most_linked(x, len(kinds), how)
    rows = record if most >= len(record) else record[drawn_rows(len(record), most, rng)]
    alone = np.unique(np.stack((masked.block[record], different(x, record)[1])), axis=1, return_inverse=True)[1].ravel()
    if not by_person:
        own = int(alone.max(initial=-1)) + 1
        return linked(kinds, x, rows, how, k, len(record), masked.published_persons, own, progress)
    sampled, whose = len(rows) < len(record), masked.persons
    p = _by_person(kinds.links(x, how, rows, progress), whose[rows])
    found = risk_of(p, k, masked.published_persons, np.unique(whose[rows]) if sampled else None)
    bare = _by_person(1 / np.bincount(alone)[alone], whose[record])
    return told_risk(found, len(rows), sampled, 100 * float(bare.mean())) | {"persons_linked": len(p)}


def _by_person(values: Floats, whose: Long) -> Floats:
    """The mean of each person's values."""
    at = np.unique(whose, return_inverse=True)[1]
    means: Floats = np.bincount(at, values) / np.bincount(at)
    return means


def linked(
    kinds: PublishedKinds, x: list[Part], rows: Long, how: Compare, k: int, records: int, persons: int, own: int,
    progress: Progress = SILENCE,
) -> dict[str, Any]:  # fmt: skip
    """What is found of some of the published records, which are those of so many persons; `own` of them differ in the
    original."""
    sampled = len(rows) < records
    found = risk_of(kinds.links(x, how, rows, progress), k, persons, rows if sampled else None)
    return told_risk(found, len(rows), sampled, 100 * own / records)


def told_risk(found: LinkageRisk, linked: int, sampled: bool, bare: float) -> dict[str, Any]:
    """What linkage found, as it is: a report rounds it. `bare` is the percentage that is found in the original without
    names."""
    return {
        "records_linked": linked,
        "sampled": sampled,
        "dr_percent": found.dr,
        "dr_percent_interval_95": None if found.interval is None else [round(float(end), 2) for end in found.interval],
        "max_p": round(found.max, 4),
        "records_above_1_over_k": found.above_1_over_k,
        "baseline_dr_percent": float(f"{found.baseline:.3g}"),
        "dr_percent_without_masking": bare,
    }


def most_linked(x: list[Part], published: int, how: Compare) -> int:
    """How many records are linked at most; of more, a sample."""
    if any(isinstance(part, VectorSets) for part in x):
        return max(LEAST_DOCUMENTS, PAIRS_OF_DOCUMENTS // max(1, published))
    return max(LEAST, (MATCHED_PAIRS if how.by_attributes else PAIRS) // max(1, published))
