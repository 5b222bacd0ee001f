# mypy: allow-untyped-defs, allow-untyped-calls, disable-error-code="call-arg, import-untyped"
"""Lines: 32 distances of 16 bits, one cache line, worked on as one vector.

A compiler left to itself turns a loop over 32 lanes into code some ten times slower than the processor allows, so the
four steps that take the time are spelt out as vector instructions of LLVM, which translates them for any processor
(AVX-512, AVX2, NEON, …). Every step also has a plain twin with the same results bit for bit.

All steps take `how` first: VECTORS or PLAIN. It is the type of `how` that decides, while compiling, so the choice costs
nothing in a loop. Arrays of lines have 32 columns and are contiguous; indices are not checked here.
"""

import platform
from functools import cache
from typing import TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from taxonym.jit import kernel

LANES = 32
UNIT = 65535  # the distance 1.0
LEAST, MOST, MEAN = 0, 1, 2

How: TypeAlias = bool | None
VECTORS: How = True
PLAIN: How = None  # numba gives None a type of its own, which is all that is needed


@cache
def best_how() -> How:
    """Vectors where they compile, the plain twins elsewhere."""
    if platform.machine().lower() not in ("x86_64", "amd64", "aarch64", "arm64"):
        return PLAIN  # LLVM ends the whole process where it has no instruction for a vector: no way to try
    try:
        _probe(np.zeros((2, LANES), np.uint16), np.zeros(1, np.int32))
    except Exception:
        return PLAIN
    return VECTORS


@kernel
def _probe(lines, item):
    gather(True, LEAST, lines, 0, item, 0, 1, lines, 1)


# ---------------------------------------------------------------------- how to write vectors down

_I64 = ir.IntType(64)
_BYTES, _SHORTS, _INTS = (ir.VectorType(ir.IntType(bits), LANES) for bits in (8, 16, 32))
_FLOATS = ir.VectorType(ir.FloatType(), LANES)


def _all(kind, value):
    return ir.Constant(kind, [value] * LANES)


def _number(value):
    return ir.Constant(_I64, value)


def _spread(builder, value, kind):
    """One number in all lanes."""
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), _all(_INTS, 0))


def _data(context, builder, kind, array):
    return context.make_array(kind)(context, builder, array).data


def _line(builder, data, row, kind):
    """Pointer to a line of an array with 32 columns."""
    return _at(builder, data, builder.mul(row, _number(LANES)), kind)


def _at(builder, data, element, kind):
    return builder.bitcast(builder.gep(data, [element]), kind.as_pointer())


def _steps(builder, first, last):
    return cgutils.for_range_slice(builder, first, last, _number(1), _I64)


def _to_shorts(builder, floats):
    return builder.trunc(builder.fptosi(floats, _INTS), _SHORTS)


def _twins(step, plain, vectors):
    """Tell the compiler what a step is made of."""

    @overload(step, strict=False, inline="always")
    def choose(how, *args):
        return plain if isinstance(how, types.NoneType) else vectors


# ---------------------------------------------------------------------- least, most and mean of some lines


def _over_lines(start, step, finish=None):
    """An intrinsic: out[row] = what `step` makes of the lines base + item[p], p in first..last-1."""
    wide = _SHORTS if finish is None else _INTS

    @intrinsic
    def over_lines(typing, lines, base, item, first, last, inverse, out, row):
        signature = types.void(lines, types.int64, item, types.int64, types.int64, types.float32, out, types.int64)

        def generate(context, builder, signature, args):
            lines, item, out = (_data(context, builder, signature.args[i], args[i]) for i in (0, 2, 6))
            lines = builder.gep(lines, [builder.mul(args[1], _number(LANES))])
            found = cgutils.alloca_once_value(builder, _all(wide, start))
            with _steps(builder, args[3], args[4]) as (p, _):
                at = builder.zext(builder.load(builder.gep(item, [p])), _I64)
                line = builder.load(_line(builder, lines, at, _SHORTS), align=2)
                builder.store(step(builder, builder.load(found), line), found)
            result = builder.load(found)
            result = result if finish is None else finish(builder, result, args[5])
            builder.store(result, _line(builder, out, args[7], _SHORTS), align=2)
            return context.get_dummy_value()

        return signature, generate

    return over_lines


def _smaller(builder, found, line):
    return builder.select(builder.icmp_unsigned("<", line, found), line, found)


def _larger(builder, found, line):
    return builder.select(builder.icmp_unsigned(">", line, found), line, found)


def _sum(builder, found, line):
    return builder.add(found, builder.zext(line, _INTS))


def _rounded_share(builder, found, inverse):
    share = builder.fmul(builder.uitofp(found, _FLOATS), _spread(builder, inverse, _FLOATS))
    return _to_shorts(builder, builder.fadd(share, _all(_FLOATS, 0.5)))


_least, _most = _over_lines(UNIT, _smaller), _over_lines(0, _larger)
_mean = _over_lines(0, _sum, _rounded_share)


def gather(how, step, lines, base, item, first, last, out, row):
    """out[row] = least, most or rounded mean of the lines base + item[p], p in first..last-1; lane by lane.

    The sum of the lines must stay below 2^32 in every lane.
    """


def _gather_plain(how, step, lines, base, item, first, last, out, row):
    found = np.full(LANES, UNIT if step == LEAST else 0, np.uint32)
    for p in range(first, last):
        line = lines[base + item[p]]
        for lane in range(LANES):
            if step == MEAN:
                found[lane] += np.uint32(line[lane])
            elif (line[lane] < found[lane]) == (step == LEAST):
                found[lane] = line[lane]
    inverse = np.float32(1.0 / max(last - first, 1))
    for lane in range(LANES):
        share = np.float32(found[lane]) * inverse + np.float32(0.5)
        out[row, lane] = np.uint16(np.int32(share)) if step == MEAN else np.uint16(found[lane])


def _gather_vectors(how, step, lines, base, item, first, last, out, row):
    if step == LEAST:
        _least(lines, base, item, first, last, np.float32(0), out, row)
    elif step == MOST:
        _most(lines, base, item, first, last, np.float32(0), out, row)
    else:
        _mean(lines, base, item, first, last, np.float32(1.0 / max(last - first, 1)), out, row)


_twins(gather, _gather_plain, _gather_vectors)


# ---------------------------------------------------------------------- counting ancestors in lanes of 8 bits


@intrinsic
def _add(typing, counts, first, last, ones):
    signature = types.void(counts, types.int64, types.int64, ones)

    def generate(context, builder, signature, args):
        counts, ones = (_data(context, builder, signature.args[i], args[i]) for i in (0, 3))
        more = builder.load(_line(builder, ones, _number(0), _BYTES), align=1)
        with _steps(builder, args[1], args[2]) as (row, _):
            line = _line(builder, counts, row, _BYTES)
            builder.store(builder.add(builder.load(line, align=1), more), line, align=1)
        return context.get_dummy_value()

    return signature, generate


def add(how, counts, first, last, ones):
    """counts[row] += ones[0] for the rows first..last-1; lanes of 8 bits."""


def _add_plain(how, counts, first, last, ones):
    for row in range(first, last):
        for lane in range(LANES):
            counts[row, lane] += ones[0, lane]


def _add_vectors(how, counts, first, last, ones):
    _add(counts, first, last, ones)


_twins(add, _add_plain, _add_vectors)


@intrinsic
def _unlike(typing, counts, rows, sizes, own, out):
    signature = types.void(counts, types.int64, sizes, own, out)

    def generate(context, builder, signature, args):
        counts, sizes, own, out = (_data(context, builder, signature.args[i], args[i]) for i in (0, 2, 3, 4))
        own_sizes = builder.load(_at(builder, own, _number(0), _FLOATS), align=4)
        with _steps(builder, _number(0), args[1]) as (row, _):
            line = _line(builder, counts, row, _BYTES)
            common = builder.uitofp(builder.zext(builder.load(line, align=1), _INTS), _FLOATS)
            builder.store(_all(_BYTES, 0), line, align=1)
            size = _spread(builder, builder.load(builder.gep(sizes, [row])), _FLOATS)
            union = builder.fsub(builder.fadd(own_sizes, size), common)
            like = builder.fmul(_all(_FLOATS, float(UNIT)), builder.fdiv(common, union))
            distance = builder.fsub(_all(_FLOATS, UNIT + 0.5), like)
            builder.store(_to_shorts(builder, distance), _line(builder, out, row, _SHORTS), align=2)
        return context.get_dummy_value()

    return signature, generate


def unlike(how, counts, rows, sizes, own, out):
    """out[row] = 1 - common / (sizes[row] + own - common), rounded; common = counts[row], which is set to 0 again."""


def _unlike_plain(how, counts, rows, sizes, own, out):
    for row in range(rows):
        for lane in range(LANES):
            common = np.float32(counts[row, lane])
            like = np.float32(UNIT) * (common / (own[lane] + sizes[row] - common))
            out[row, lane] = np.uint16(np.int32(np.float32(UNIT + 0.5) - like))
            counts[row, lane] = 0


def _unlike_vectors(how, counts, rows, sizes, own, out):
    _unlike(counts, rows, sizes, own, out)


_twins(unlike, _unlike_plain, _unlike_vectors)


# ---------------------------------------------------------------------- turning a square of 32 lines


@intrinsic
def _turn(typing, source, at, stride, target, to, step):
    signature = types.void(source, types.int64, types.int64, target, types.int64, types.int64)

    def generate(context, builder, signature, args):
        source, target = (_data(context, builder, signature.args[i], args[i]) for i in (0, 3))

        def line(data, first, stride, i):
            return _at(builder, data, builder.add(first, builder.mul(stride, _number(i))), _SHORTS)

        lines = [builder.load(line(source, args[1], args[2], i), align=2) for i in range(LANES)]
        half = LANES // 2
        mixed = [lane for i in range(LANES) for lane in (i, LANES + i)]
        front, back = ir.Constant(_INTS, mixed[:LANES]), ir.Constant(_INTS, mixed[LANES:])
        for _ in range(5):  # 2^5 lanes: five rounds of shuffling line i with line i + 16
            pairs = [(lines[i], lines[i + half]) for i in range(half)]
            lines = [builder.shuffle_vector(a, b, mix) for a, b in pairs for mix in (front, back)]
        for i in range(LANES):
            builder.store(lines[i], line(target, args[4], args[5], i), align=2)
        return context.get_dummy_value()

    return signature, generate


def turn(how, source, at, stride, target, to, step):
    """Transpose 32 x 32: source's line i starts at element at + i * stride, target's at to + i * step."""


def _turn_plain(how, source, at, stride, target, to, step):
    into, out = source.ravel(), target.ravel()  # contiguous: views
    for i in range(LANES):
        for j in range(LANES):
            out[to + j * step + i] = into[at + i * stride + j]


def _turn_vectors(how, source, at, stride, target, to, step):
    _turn(source, at, stride, target, to, step)


_twins(turn, _turn_plain, _turn_vectors)
