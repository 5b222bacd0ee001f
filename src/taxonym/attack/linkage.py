"""Linking records that an intruder has to the published ones that are nearest in meaning [Martinez2012, §4].

L is the set of all published records that are nearest to record i, ties included [Martinez2012, eq. 4]:

    p(i) = 1 / |L| if the published record of person i is among them, else 0        [Martinez2012, def. 4.4]

Published records that are equal are compared once, with the number of persons who share them. The definitions come
first. Their twin goes through blocks of distances in fixed point, so that memory stays bounded: distances that tie by
the definition always tie there, those that differ by more than 1e-4 never do.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taxonym.distance.lines import UNIT
from taxonym.distance.record import Compare, Part, Sets, Values, record_distance
from taxonym.distance.record_kernels import ERROR
from taxonym.distance.sets_matrix import IndexedSets, set_distances
from taxonym.errors import BadPlan
from taxonym.io.progress import SILENCE, Progress
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Long, Mask, Shorts

Span: TypeAlias = tuple[Long, Long]

BLOCK = 1 << 27  # bytes of distances that are looked at in one go
MATCHED = 1 << 20  # pairs in one go where attributes or terms are matched, which takes more memory a pair
WORK = 1 << 28  # bytes that computing distances may take beside them
SAME = 1e-9  # distances that differ by less tie, but for the rounding of kernels
MOST_AT_ONCE = 5_000  # persons or published records that are assigned to each other


# ---------------------------------------------------------------------- the definitions


def linked(x: Sequence[Part], y: Sequence[Part], i: int, among: Sequence[int], how: Compare) -> list[int]:
    """The published records, of those given, that record i of x is linked to: all that are nearest."""
    apart = {j: record_distance(x, y, i, j, how) for j in among}
    least = min(apart.values(), default=0.0)
    return [j for j in among if apart[j] <= least + SAME]


def chance(found: Sequence[int], size: Sequence[int], true: int) -> float:
    """p, where size[j] persons share the published record j and `true` is that of the person (-1: none is)."""
    return 1 / sum(size[j] for j in found) if true in found else 0.0


# ---------------------------------------------------------------------- all records, block by block


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Of every record: how far the nearest published ones are, how many persons share these, and whether the true one
    is among them."""

    distance: Floats
    persons: Long
    hit: Mask

    @property
    def p(self) -> Floats:
        return np.where(self.hit, 1 / np.maximum(self.persons, 1), 0.0)


def nearest(
    x: Sequence[Part],
    y: Sequence[Part],
    size: Long,
    truth: Long,
    how: Compare,
    rows: Long | None = None,
    span: Span | None = None,
    progress: Progress = SILENCE,
) -> Links:
    """Some records of x (all unless given) against all different published records y.

    size[j] persons share record j, truth[i] is the one of record i of x, or -1: none is. An intruder who looks among
    some records only, those from span[0][i] to span[1][i] - 1, says so. Memory: 128 MB for distances and 256 MB to
    compute them, whatever the number of records.
    """
    rows = np.arange(len(x[0])) if rows is None else rows
    low, high = (np.zeros(len(truth), np.int64), np.full(len(truth), len(size))) if span is None else span
    found = Links(np.ones(len(rows)), np.zeros(len(rows), np.int64), np.zeros(len(rows), np.bool_))
    at = 0
    progress.start("linking", len(rows))
    for part, D in distance_blocks(x, y, rows, how):
        here = slice(at, at + len(part))
        scale = UNIT if D.dtype == np.uint16 else 1.0
        out = found.distance[here], found.persons[here], found.hit[here]
        _scan(D, tolerance(x) * scale, scale, size, truth[part], low[part], high[part], *out)
        at += len(part)
        progress.advance(len(part))
    progress.finish()
    return found


def links(
    x: Sequence[Part],
    y: Sequence[Part],
    size: Long,
    truth: Long,
    how: Compare,
    rows: Long | None = None,
    span: Span | None = None,
    progress: Progress = SILENCE,
) -> Floats:
    """p for some records of x (all unless given), see nearest."""
    return nearest(x, y, size, truth, how, rows, span, progress).p


def links_by_equality(published: Sequence[Hashable], original: Sequence[Hashable], size: Long, truth: Long) -> Floats:
    """p for an intruder without any taxonomy: equal records only; who equals nothing is linked to nobody
    [Martinez2012, eq. 8]."""
    place: dict[Hashable, list[int]] = {}
    for j, record in enumerate(published):
        place.setdefault(record, []).append(j)
    p = np.zeros(len(original))
    for i, record in enumerate(original):
        found = place.get(record, [])
        if truth[i] in found:
            p[i] = 1 / size[found].sum()
    return p


def tolerance(parts: Sequence[Part]) -> float:
    """How far distances may differ that tie: sets are compared in steps, numbers are not."""
    words = fsum(part.weight for part in parts if isinstance(part, Sets))
    return 2 * ERROR * words / fsum(part.weight for part in parts) + SAME


def distance_blocks(
    x: Sequence[Part], y: Sequence[Part], rows: Long, how: Compare
) -> Iterator[tuple[Long, NDArray[Any]]]:
    """Some records of x against all of y, a block of rows after the other: steps of 1/65535 where there is one column,
    of sets; else numbers."""
    if not x or [type(part) for part in x] != [type(part) for part in y]:
        raise BadPlan("records must have the same columns, of the same kinds, and at least one.")
    width = max(1, len(y[0]))
    alone = len(x) == 1 and isinstance(x[0], Sets)
    step = max(1, BLOCK // (width * (2 if alone else 10)))
    ready = [part.picked(np.arange(len(part))) if type(part) is Sets else None for part in y]
    if how.by_attributes or (alone and ready[0] is None):
        step = min(step, max(1, MATCHED // width))
    total = fsum(part.weight for part in x)
    for first in range(0, len(rows), step):
        part = rows[first : first + step]
        if alone and isinstance(x[0], Sets) and isinstance(y[0], Sets):
            yield part, _steps(x[0], y[0], ready[0], part, how)
            continue
        D = np.zeros((len(part), len(y[0])))
        for a, b, records in zip(x, y, ready, strict=True):
            if isinstance(a, Sets) and isinstance(b, Sets):
                _add_steps(D, _steps(a, b, records, part, how), a.weight / total / UNIT)
            elif isinstance(a, Values) and isinstance(b, Values):
                reach = np.zeros(len(b)) if b.reach is None else b.reach
                _add_numbers(D, a.values[part], b.values, reach, a.half, a.weight / total)
        yield part, D


def _steps(a: Sets, b: Sets, ready: IndexedSets | None, rows: Long, how: Compare) -> Shorts:
    if how.by_attributes or ready is None:
        steps: Shorts = np.rint(a.rectangle(rows, b, np.arange(len(b)), how) * UNIT).astype(np.uint16)
        return steps
    found: Shorts = set_distances(
        a.tax, a.picked(rows), ready, how.aggregate, how.measure, content=how.content, dtype="uint16", memory=WORK
    )
    return found


# ---------------------------------------------------------------------- one to one


def assigned(
    x: Sequence[Part],
    y: Sequence[Part],
    size: Long,
    truth: Long,
    how: Compare,
    rng: np.random.Generator,
    repeats: int = 1,
    rows: Long | None = None,
    span: Span | None = None,
) -> Floats:
    """p for an intruder who knows that no two persons share a row: every person gets a row of the release of its own,
    so that the distances add up to as little as possible.

        p(i) = 1 / size of the class, if the row that person i gets is in the true class, else 0

    Of several ways to add up to the least one is drawn at random; the mean over `repeats` draws is given. Where there
    are more persons than rows, some get none.
    """
    from scipy.optimize import linear_sum_assignment

    rows = np.arange(len(x[0])) if rows is None else rows
    if max(len(rows), int(size.sum())) > MOST_AT_ONCE:
        raise BadPlan(
            f"one to one: at most {MOST_AT_ONCE:,} persons can be assigned to as many published records, and here are "
            f"{max(len(rows), int(size.sum())):,}. Leave it out, or take a smaller sample and release."
        )
    D = np.concatenate([np.asarray(block, np.float64) / _scale(block) for _, block in distance_blocks(x, y, rows, how)])
    if span is not None:
        place = np.arange(len(size))
        D[(place < span[0][rows, None]) | (place >= span[1][rows, None])] = 2.0  # farther than anything
    kind = np.repeat(np.arange(len(size)), size)
    cost, p = D[:, kind], np.zeros(len(rows))
    for _ in range(repeats):
        person, row = linear_sum_assignment(cost + rng.random(cost.shape) * SAME)
        right = kind[row] == truth[rows[person]]
        p[person[right]] += 1 / size[kind[row[right]]]
    return p / repeats


def _scale(block: NDArray[Any]) -> float:
    return UNIT if block.dtype == np.uint16 else 1.0


# ---------------------------------------------------------------------- compiled


@kernel
def _scan(D, tolerance, scale, size, truth, low, high, distance, persons, hit):  # type: ignore[no-untyped-def]
    """Of every line of D the least from low to high - 1, the sizes of what ties with it, and whether truth does."""
    for i in range(len(D)):
        if low[i] >= high[i]:
            continue
        line, sizes = D[i, low[i] : high[i]], size[low[i] : high[i]]
        least = line[0]
        for j in range(len(line)):
            least = min(least, line[j])
        most = line.dtype.type(min(UNIT, least + tolerance))  # of the same type: vectors of 16 bits compare faster
        whole = 0
        for j in range(len(line)):
            if line[j] <= most:
                whole += sizes[j]
        distance[i], persons[i] = least / scale, whole
        hit[i] = low[i] <= truth[i] < high[i] and D[i, truth[i]] <= most


@kernel
def _add_steps(D, steps, factor):  # type: ignore[no-untyped-def]
    for i in range(D.shape[0]):
        for j in range(D.shape[1]):
            D[i, j] += factor * steps[i, j]


@kernel
def _add_numbers(D, own, other, reach, half, factor):  # type: ignore[no-untyped-def]
    """Values.distance for all pairs."""
    for i in range(D.shape[0]):
        for j in range(D.shape[1]):
            a, b = own[i], other[j]
            if np.isnan(a) or np.isnan(b):
                D[i, j] += 0.0 if np.isnan(a) and np.isnan(b) else factor
                continue
            away, far = abs(a / 2 - b / 2), reach[j] / 2
            if half > 0:
                away = (away * away + far * far) / (2 * far) if away < far else away
                D[i, j] += factor * min(1.0, away / half)
            elif away > far:
                D[i, j] += factor


def alike(block: Long, parts: Sequence[Part]) -> Long:
    """Published records by the same number that have the same concepts, numbers and `other` columns."""
    columns: list[list[Any]] = [block.tolist()]
    for part in parts:
        if isinstance(part, Sets):
            columns.append(list(part))
        else:
            reach = np.zeros(len(part)) if part.reach is None else part.reach
            numbers = zip(part.values.tolist(), reach.tolist(), strict=True)
            columns.append([None if value != value else (value, far) for value, far in numbers])
    return numbered(zip(*columns, strict=True))


def numbered(records: Iterable[Hashable]) -> Long:
    """Equal records by the same number, from 0 on."""
    number: dict[Hashable, int] = {}
    return np.array([number.setdefault(record, len(number)) for record in records], np.int64)
