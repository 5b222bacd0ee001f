# mypy: allow-untyped-defs, allow-untyped-calls
"""The fast twins of the distances between sets: all records against all others, in 16-bit fixed point.

1.0 is 65535. Distances between concepts are rounded to it, sums are integers, and each of at most two divisions rounds
once more: what comes out is at most 1.5 units + 0.02 for 32-bit arithmetic, ERROR in all, from the definition (half a
unit for min and max). Equal sets are at exactly 0 where the definition says so. Integers add up to the same in any
order: the result does not depend on threads, on blocks or on the order of the records.

Records are runs: record r holds the concepts item[start[r]:start[r + 1]], numbered among those in use. 32 records, or
32 concepts, lie side by side as the lanes of a line (see lines.py). The steps:

    tile        distances of 32 concepts (lanes) to all concepts of the row records
    reached     for 32 row records (lanes) and every concept b of the column records: inner step over their concepts a
    directed    outer step over the concepts b of each column record
    both_ways   the two directions together
"""

import numpy as np

from taxonym.distance.lines import LANES, LEAST, MEAN, MOST, UNIT, add, gather, turn, unlike
from taxonym.jit import kernel

ERROR = 1.52 / UNIT
LARGEST_RECORD = 1 << 16  # so many distances of 65535 still add up to less than 2^32
LARGEST_COUNT = 255  # common ancestors are counted in bytes
STEPS = {"min": LEAST, "max": MOST, "mean": MEAN}


# ---------------------------------------------------------------------- tiles


@kernel
def jaccard_tile(how, above, own, run_start, low, high, sizes, counts, tile):
    """tile[c, j] = jaccard distance of row concept c and the concept in lane j, from the ancestors they share.

    `above` holds ancestor * 32 + lane, ascending, own[lane] and sizes[c] the numbers of ancestors; the row concepts
    below t are the runs low[r]:high[r], r from run_start[t] to run_start[t + 1] - 1. counts is 0 before and after.
    """
    ones = np.zeros((1, LANES), np.uint8)
    i = 0
    while i < len(above):  # neighbours in the taxonomy share most ancestors: each is handled once for all its lanes
        t = above[i] // LANES
        for lane in range(LANES):
            ones[0, lane] = 0
        while i < len(above) and above[i] // LANES == t:
            ones[0, above[i] % LANES] = 1
            i += 1
        for r in range(run_start[t], run_start[t + 1]):
            add(how, counts, low[r], high[r], ones)
    unlike(how, counts, len(sizes), sizes, own, tile)


@kernel
def rounded(distances, out):
    """The same in fixed point."""
    for i in range(len(distances)):
        for j in range(distances.shape[1]):
            out[i, j] = np.uint16(distances[i, j] * UNIT + 0.5)


@kernel
def turned_tile(how, rows, tile):
    """tile[c, j] = rows[j, c]; the number of columns is a multiple of 32."""
    for c in range(0, rows.shape[1], LANES):
        turn(how, rows, c, rows.shape[1], tile, c * LANES, LANES)


# ---------------------------------------------------------------------- from concepts to records


@kernel
def reach(how, step, tile, start, item, first, last, concept, concepts, reached):
    """reached[q * concepts + concept + j] = the records first + 32 q, … as a line: `step` over their lines of the tile.

    The tile holds the concepts from `concept` on, and `concepts` is how many there are in all.
    """
    square = np.zeros((LANES, LANES), np.uint16)
    for q in range((last - first + LANES - 1) // LANES):
        for w in range(min(LANES, last - first - q * LANES)):
            r = first + q * LANES + w
            gather(how, step, tile, 0, item, start[r], start[r + 1], square, w)
        turn(how, square, 0, LANES, reached, (q * concepts + concept) * LANES, LANES)


@kernel
def directed(how, step, reached, base, concepts, start, item, first, out, row):
    """out[row + lane, j] = `step` over the lines of column record j, for j from `first`; one line of row records."""
    columns, width = len(start) - 1, out.shape[1]
    square = np.zeros((LANES, LANES), np.uint16)
    rows = min(LANES, len(out) - row)
    if rows <= 0:
        return
    seen = np.uint16(0)
    for c in range(base, base + concepts):
        seen ^= reached[c, 0]  # reading it once in order brings it into the cache, where the jumps below find it
    square[0, 0] = seen
    for j in range(first, columns, LANES):
        some = min(LANES, columns - j)
        for w in range(some):
            gather(how, step, reached, base, item, start[j + w], start[j + w + 1], square, w)
        if some == LANES and rows == LANES:
            turn(how, square, 0, LANES, out, row * width + j, width)
        else:
            for lane in range(rows):
                for w in range(some):
                    out[row + lane, j + w] = square[w, lane]


# ---------------------------------------------------------------------- the two directions together


@kernel(inline="always")
def _weighed(there, back, own, other):
    """The way there counts the other's concepts, the way back one's own."""
    whole = other * np.float32(there) + own * np.float32(back)
    return np.uint16(np.int32(whole / (own + other) + np.float32(0.5)))


@kernel(error_model="numpy")  # weights are never 0: no branch for it
def both_ways_square(how, out, weight, row):
    """In place, for the rows row..row+31 and the columns from `row` on, with their mirror images."""
    n = len(out)
    last = min(row + LANES, n)
    back = np.empty((LANES, LANES), np.uint16)
    for j in range(row, n, LANES):
        if j + LANES > n or last - row < LANES or j == row:
            for i in range(row, last):
                for h in range(max(i, j), min(j + LANES, n)):
                    out[i, h] = _weighed(out[i, h], out[h, i], weight[i], weight[h])
                    out[h, i] = out[i, h]
            continue
        turn(how, out, j * n + row, n, back, 0, LANES)
        others = weight[j : j + LANES]
        for i in range(LANES):
            own, there, line = weight[row + i], out[row + i, j : j + LANES], back[i]
            for lane in range(LANES):
                line[lane] = _weighed(there[lane], line[lane], own, others[lane])
            for lane in range(LANES):
                there[lane] = line[lane]
        turn(how, back, 0, LANES, out, j * n + row, n)


@kernel
def mirror(how, out, row):
    """Where both directions are the same: copy the columns after `row` of the rows row..row+31 to the other side."""
    n = len(out)
    for j in range(row, n, LANES):
        if j + LANES > n or row + LANES > n or j == row:
            for i in range(row, min(row + LANES, n)):
                for h in range(max(i + 1, j), min(j + LANES, n)):
                    out[h, i] = out[i, h]
        else:
            turn(how, out, row * n + j, n, out, j * n + row, n)


@kernel(error_model="numpy")  # weights are never 0: no branch for it
def both_ways(out, back, column, own, other, first, last):
    """The rows first..last-1 of `out`, in the columns column..: with back[j, i], the way back from column + j."""
    for i in range(first, last):
        for j in range(len(back)):
            out[i, column + j] = _weighed(out[i, column + j], back[j, i], own[i], other[column + j])
