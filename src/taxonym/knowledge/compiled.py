"""The compiled form of a taxonomy: one file that loads by memory map.

    8 bytes  b"TAXONYM\\n"
    4 bytes  version of the form, little-endian
    4 bytes  length of the header
    header   JSON: name, fingerprint, and per section its type, length and position
    sections little-endian arrays, each at a multiple of 64 bytes

The fingerprint is that of the concepts, their graph and their labels. What stands beside them (numbers of senses,
related words) has sections and a digest of its own, `beside`, which an older Taxonym does not look for.

Nothing in it is ever executed. On load the version, the lengths, the fingerprint over all bytes and the positions that
arrays hold into one another are checked, so that a broken or hostile file ends in one error and not in wild reads.
"""

import json
import mmap
from collections.abc import Iterator
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.errors import BadTaxonomy
from taxonym.io.atomic import whole_file
from taxonym.knowledge.arrays import Ints
from taxonym.knowledge.related import RelatedWords
from taxonym.knowledge.strings import Strings
from taxonym.knowledge.taxonomy import Taxonomy

MAGIC = b"TAXONYM\n"
VERSION = 1
SUFFIX = ".taxonym"
_ALIGN = 64
_BESIDE = ("sense_number", "related", "own")
_PARTS = [part.name for part in fields(Taxonomy) if part.name not in ("name", "fingerprint", *_BESIDE)]
_STRINGS = ("ids", "aliases", "words", "keys", "glosses")
_RELATED = ("keys.start", "keys.blob", "start", "code", "count")
_TYPES: dict[str, np.dtype[Any]] = {"i4": np.dtype("<i4"), "u1": np.dtype("u1")}


def sections(tax: Taxonomy) -> dict[str, NDArray[Any]]:
    """The plain arrays behind a taxonomy, in the order in which they are written and hashed."""
    out: dict[str, NDArray[Any]] = {}
    for name in _PARTS:
        part = getattr(tax, name)
        if isinstance(part, Strings):
            out[f"{name}.start"], out[f"{name}.blob"] = part.start, part.blob
        else:
            out[name] = part
    return out


def beside(tax: Taxonomy) -> dict[str, NDArray[Any]]:
    """The arrays of what stands beside the concepts; none where there is nothing of the kind."""
    out: dict[str, NDArray[Any]] = {}
    if len(tax.sense_number):
        out["sense_number"] = tax.sense_number
    if len(tax.related):
        words = tax.related
        parts: tuple[NDArray[Any], ...] = (words.keys.start, words.keys.blob, words.start, words.code, words.count)
        out |= {f"related.{name}": part for name, part in zip(_RELATED, parts, strict=True)}
    return out


def fingerprint(tax: Taxonomy) -> str:
    """A digest of concepts, graph and labels, without the name: equal for equal taxonomies, however they were read."""
    return _digest(sections(tax))


def _digest(arrays: dict[str, NDArray[Any]]) -> str:
    digest = sha256()  # the fastest of the strong ones where processors help with it
    for name, array in arrays.items():
        digest.update(f"{name}:{array.dtype.str[1:]}:{len(array)};".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()[:32]


def write(tax: Taxonomy, path: Path) -> None:
    """Write a taxonomy in its compiled form; the file appears whole or not at all."""
    with whole_file(path) as file:
        for piece in _pieces(tax):
            file.write(piece)


def as_bytes(tax: Taxonomy) -> bytes:
    """The compiled form as it would stand in a file, for other machines."""
    return b"".join(_pieces(tax))


def _pieces(tax: Taxonomy) -> Iterator[bytes | memoryview]:
    more = beside(tax)
    arrays = sections(tax) | more
    at = 0
    table = {}
    for name, array in arrays.items():
        table[name] = [array.dtype.str[1:], len(array), at]
        at += -(-array.nbytes // _ALIGN) * _ALIGN
    told = {"name": tax.name, "fingerprint": tax.fingerprint} | ({"beside": _digest(more)} if more else {})
    header = json.dumps(told | {"sections": table}).encode()
    header += b" " * (-(len(MAGIC) + 8 + len(header)) % _ALIGN)
    yield MAGIC + VERSION.to_bytes(4, "little") + len(header).to_bytes(4, "little") + header
    for array in arrays.values():
        data = array.astype(array.dtype.newbyteorder("<"), copy=False)
        yield data.data
        yield b"\0" * (-data.nbytes % _ALIGN)


def read(path: Path) -> Taxonomy:
    """Load a compiled taxonomy. Its arrays stay in the file and are shared by all processes that read it."""
    with path.open("rb") as file:
        size = path.stat().st_size
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
    return of_bytes(memoryview(data), path)


def of_bytes(data: bytes | memoryview, path: Path) -> Taxonomy:
    """The taxonomy in bytes that as_bytes made; `path` is what complaints name."""
    name, (expected, other), arrays = _open(path, memoryview(data), len(data))
    parts: dict[str, Any] = {}
    for part in _PARTS:
        try:
            parts[part] = Strings(arrays[f"{part}.start"], arrays[f"{part}.blob"]) if part in _STRINGS else arrays[part]
        except KeyError as missing:
            raise _damaged(path, f"the part {missing} is missing") from None
    if other:
        parts |= _read_beside(path, arrays)
    tax = Taxonomy(name=name, fingerprint=expected, **parts)
    if fingerprint(tax) != expected or (other and _digest(beside(tax)) != other):
        raise _damaged(path, "its content does not match its fingerprint")
    if not _sound(tax):
        raise _damaged(path, "its parts do not fit together")
    return tax


def _read_beside(path: Path, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if "sense_number" in arrays:
        found["sense_number"] = arrays["sense_number"]
    if "related.start" in arrays:
        try:
            start, blob, *rest = (arrays[f"related.{name}"] for name in _RELATED)
        except KeyError as missing:
            raise _damaged(path, f"the part {missing} is missing") from None
        found["related"] = RelatedWords(Strings(start, blob), *rest)
    return found


def is_compiled(path: Path) -> bool:
    """Whether a file begins like a compiled taxonomy."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _open(path: Path, data: memoryview, size: int) -> tuple[str, tuple[str, str], dict[str, NDArray[Any]]]:
    if bytes(data[: len(MAGIC)]) != MAGIC:
        raise BadTaxonomy(f"{path}: not a compiled taxonomy. Make one with 'taxonym taxonomy compile'.")
    version = int.from_bytes(data[8:12], "little")
    if version != VERSION:
        raise BadTaxonomy(
            f"{path}: compiled in form {version}, but this Taxonym reads form {VERSION}. "
            f"Compile it again from its source."
        )
    length = int.from_bytes(data[12:16], "little")
    try:
        header = json.loads(bytes(data[16 : 16 + length]))
        name, expected = str(header["name"]), (str(header["fingerprint"]), str(header.get("beside", "")))
        arrays: dict[str, NDArray[Any]] = {}
        for section, (kind, count, at) in header["sections"].items():
            begin = 16 + length + at
            end = begin + count * _TYPES[kind].itemsize
            if at < 0 or count < 0 or end > size:
                raise ValueError
            array = np.frombuffer(data[begin:end], dtype=_TYPES[kind])
            arrays[section] = array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
            arrays[section].flags.writeable = False
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _damaged(path, "it is cut short or its header is unreadable") from None
    return name, expected, arrays


def _sound(tax: Taxonomy) -> bool:
    """Whether every position that one array holds into another lies inside it."""

    def runs(start: Ints, into: int, owners: int) -> bool:
        whole = len(start) == owners + 1 and int(start[0]) == 0 and int(start[-1]) == into
        return whole and bool((np.diff(start) >= 0).all())

    def inside(values: Ints, below: int) -> bool:
        return not len(values) or (int(values.min()) >= 0 and int(values.max()) < below)

    n = len(tax.depths)
    texts = (tax.ids, tax.aliases, tax.words, tax.keys, tax.glosses, tax.related.keys)
    return (
        n > 0
        and all(len(text.start) and runs(text.start, len(text.blob), len(text)) for text in texts)
        and runs(tax.parent_start, len(tax.parent), n)
        and runs(tax.child_start, len(tax.child), n)
        and runs(tax.ancestor_start, len(tax.ancestor), n)
        and runs(tax.label_start, len(tax.label_word), n)
        and runs(tax.sense_start, len(tax.sense), len(tax.keys))
        and all(inside(v, n) for v in (tax.parent, tax.child, tax.ancestor, tax.id_order, tax.alias_code, tax.sense))
        and inside(tax.label_word, len(tax.words))
        and inside(tax.climb, n)
        and len(tax.climb) == len(tax.ancestor)
        and len(tax.sense_count) == len(tax.sense)
        and len(tax.alias_code) == len(tax.aliases)
        and len(tax.ids) == len(tax.id_order) == len(tax.instance) == n
        and len(tax.glosses) in (0, n)
        and len(tax.sense_number) in (0, len(tax.sense))
        and runs(tax.related.start, len(tax.related.code), len(tax.related))
        and inside(tax.related.code, n)
        and len(tax.related.count) == len(tax.related.code)
        and bool((np.diff(tax.label_start) > 0).all())
        and bool((np.diff(tax.ancestor_start) > 0).all())
        and bool((tax.ancestor[tax.ancestor_start[1:] - 1] == np.arange(n)).all())
    )


def _damaged(path: Path, why: str) -> BadTaxonomy:
    return BadTaxonomy(f"{path}: the compiled taxonomy is damaged ({why}). Compile it again from its source.")
