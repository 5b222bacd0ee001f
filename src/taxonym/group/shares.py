"""Classes of records of which one person may have many, so that nobody owns more than 1/k of a class.

A person may give as many rows to a class as the k-th largest of its members does (records/person_rows.py). What
somebody has too much of need not be lost: a row goes to the nearest class in which the person has still room, unless
that class is so far away that it would tell something else than the row.
"""

from collections.abc import Sequence

import numpy as np

from taxonym.distance.record import Compare, Part, record_rectangle
from taxonym.knowledge.arrays import Long, Mask
from taxonym.records.person_rows import most_rows, within_shares

FARTHEST = 0.5  # of the classes to which a row may go, between what is the same and what has nothing in common


def rehoused(
    parts: Sequence[Part],
    record: Long,
    person: Long,
    number: Long,
    middles: Long,
    scope: Long,
    k: int,
    lots: Long,
    how: Compare,
    farthest: float = FARTHEST,
) -> Long:
    """The class of every row, -1 where a person has too many rows and no near class has room for one of them.

    Row i is of record[i] and of person[i]; the record was grouped into class number[i], and class g has the record
    middles[g] in its middle. Records go to classes of the same scope[g] only, with as many of their rows as there is
    room for; which of them stay, and which come first, is decided by lots.
    """
    first = np.full(int(record.max(initial=-1)) + 1, len(lots), np.int64)
    np.minimum.at(first, record, lots)
    turn = np.empty(len(lots), np.int64)  # the rows of a record come together
    turn[np.lexsort((lots, first[record]))] = np.arange(len(lots))
    stay = within_shares(number, person, k, turn)
    found = np.where(stay, number, -1)
    gone = np.setdiff1d(record, record[stay])
    rows = np.flatnonzero(np.isin(record, gone))
    rows = rows[np.argsort(turn[rows], kind="stable")]
    for at in np.unique(scope[number[rows]]).tolist():
        _house(parts, record, person, found, rows[scope[number[rows]] == at], scope == at, middles, k, how, farthest)
    return found


def _house(
    parts: Sequence[Part],
    record: Long,
    person: Long,
    found: Long,
    rows: Long,
    inside: Mask,
    middles: Long,
    k: int,
    how: Compare,
    farthest: float,
) -> None:
    """Find classes for the records of these rows, which come record by record, among those that are inside a scope."""
    classes = np.flatnonzero(inside)
    there = np.flatnonzero(found >= 0)
    there = there[inside[found[there]]]
    whose, local = np.unique(np.concatenate((person[there], person[rows])), return_inverse=True)
    many = np.zeros((len(classes), len(whose)), np.int64)
    np.add.at(many, (np.searchsorted(classes, found[there]), local[: len(there)]), 1)
    room = most_rows(many, k)[:, None] - many
    begin = np.flatnonzero(np.concatenate(([True], np.diff(record[rows]) != 0)))
    apart = record_rectangle(parts, parts, record[rows[begin]], middles[classes], how).round(9)
    for i, mine in enumerate(np.split(rows, begin[1:])):
        who = local[len(there) + begin[i]]
        near = np.where(room[:, who] > 0, apart[i], np.inf)
        to = int(near.argmin())
        if near[to] <= farthest:
            some = mine[: room[to, who]]
            found[some] = classes[to]
            room[to, who] -= len(some)
