"""taxonym stream --plan PLAN: JSON lines in, JSON lines out, one record at a time"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from taxonym.errors import BadInput, TaxonymError
from taxonym.plan import read_plan, with_settings

CHUNK = 1 << 16
LONGEST = 1 << 22  # bytes of a line; a longer one is left out: to understand a text takes some 100 times its size


def run(options: argparse.Namespace) -> int:
    from taxonym.methods.noise.masker import Masker

    plan = read_plan(options.plan)
    if options.consistent:
        plan = replace(plan, method=with_settings(plan.method, consistent=True))
    key = None if options.key is None else _key(options.key)
    masker = Masker(plan, statistics=options.stats, key=key, seed=options.seed, persons=options.persons)
    print(f"taxonym: {masker.promise}", file=sys.stderr, flush=True)
    lines, code = Lines(), 0
    try:
        stream(masker.mask, sys.stdin.buffer, sys.stdout.buffer, lines)
    except KeyboardInterrupt:  # the usual end of a stream that has none
        code = 130
    out = lines.given - lines.masked
    print(f"taxonym: {lines.given:,} lines, {lines.masked:,} masked, {out:,} left out.", file=sys.stderr)
    return code


@dataclass(slots=True)
class Lines:
    """How many lines there were that are not blank, and how many came out."""

    given: int = 0
    masked: int = 0


def stream(
    mask: Callable[[dict[str, Any]], dict[str, Any]], source: BinaryIO, sink: BinaryIO, count: Lines | None = None
) -> Lines:
    """Mask every line, and count them.

    What cannot be masked goes to stderr, by its number and without its content, and never stops the stream. Output is
    handed on whenever all input that is there has been dealt with: at once for a single line, in bulk for many.
    """
    number, count = 0, count or Lines()
    try:
        for lines in _lines(source):
            for line in lines:
                number += 1
                if line is not None and not line.strip():
                    continue
                count.given += 1
                made = _masked(mask, line, number)
                if made is not None:
                    count.masked += 1  # before anybody can have seen it
                    sink.write(made)
            sink.flush()
    finally:
        sink.flush()
    return count


def _masked(mask: Callable[[dict[str, Any]], dict[str, Any]], line: bytes | None, number: int) -> bytes | None:
    try:
        if line is None:
            raise BadInput(f"is longer than {LONGEST >> 20} MiB.")
        record = json.loads(line, parse_constant=_not_json)
        if not isinstance(record, dict):
            raise ValueError
        return json.dumps(mask(record), ensure_ascii=False, allow_nan=False).encode() + b"\n"
    except TaxonymError as error:
        why = str(error)
    except (ValueError, RecursionError):  # no JSON, no UTF-8, half a surrogate pair, or a number that is no number
        why = "is not a sound JSON object. Write one {…} per line."
    except Exception as error:  # its message may hold a person's value
        why = f"unforeseen {type(error).__name__}; this is our fault."
    print(f"taxonym: line {number}: {why}", file=sys.stderr, flush=True)
    return None


def _not_json(constant: str) -> NoReturn:
    raise ValueError("NaN and Infinity are no JSON")


def _lines(source: BinaryIO) -> Iterator[list[bytes | None]]:
    """The lines that are there, as soon as they are there; None stands for one that is too long."""
    read: Callable[[int], bytes] = getattr(source, "read1", source.read)
    rest, long = b"", False
    while chunk := read(CHUNK):
        *whole, rest = (rest + chunk).split(b"\n")
        lines: list[bytes | None] = []
        for line in whole:
            lines.append(None if long else line)
            long = False
        if len(rest) > LONGEST or long:
            rest, long = b"", True
        yield lines
    if long or rest:
        yield [None if long else rest]


def _key(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}).") from None
