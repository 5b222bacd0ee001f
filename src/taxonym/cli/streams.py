"""A dash in the place of a file: standard input and standard output.

A run reads its input more than once and checks its release before anybody sees it, so both pass through files in a
folder that only their owner may enter and that is gone when the command ends.
"""

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, TextIO, cast

from taxonym.errors import BadInput, BadPlan
from taxonym.io.compressed import PACKED, as_it_is, unpacked
from taxonym.io.files import FORMATS, writer_of

DASH = "-"
_INPUTS = ("input", "original", "release", "file")  # options that name a file to read
_HEADS = {  # how files begin, and the ending of their names
    b"PAR1": ".parquet", b"PK\x03\x04": ".xlsx", b"$FL2": ".sav", b"$FL3": ".zsav", b"<stata": ".dta", b"[": ".json",
    b"{": ".jsonl", b"HEADER RECORD": ".xpt",
}  # fmt: skip
_LOGS = {"accesslog": ".log", "querylog": ".tsv"}


@contextmanager
def piped(options: argparse.Namespace) -> Iterator[Callable[[str], str]]:
    """Put files in the place of dashes; what is written goes to standard output if the command ends well, and all that
    it prints goes to standard error then. Gives how a message names the files."""
    read = [name for name in _INPUTS if getattr(options, name, None) == DASH]
    options.piped_in, options.piped_out = bool(read), getattr(options, "output", None) == DASH
    if len(read) > 1:
        raise BadPlan(f"{DASH}: standard input is one file. Name a file for the other.")
    if options.piped_out and getattr(options, "json", False):
        raise BadPlan("-o -: the release goes to standard output, where --json would go too. Leave one out.")
    with TemporaryDirectory(prefix="taxonym-") as folder:
        names = {}
        ending = ".csv"
        if read:
            path = _received(Path(folder), options)
            setattr(options, read[0], str(path))
            names[str(path)] = "standard input"
            ending = next((s for s in path.suffixes if s not in PACKED), ".csv")
        out = Path(folder) / f"release{_written_as(options, ending)}"
        if options.piped_out:
            options.output = str(out)
            names[str(out)] = "standard output"

        def named(text: str) -> str:
            for place, name in names.items():
                text = text.replace(place, name)
            return text

        shown = sys.stderr if options.piped_out else sys.stdout
        with (
            redirect_stdout(cast(TextIO, _Naming(shown, named))),
            redirect_stderr(cast(TextIO, _Naming(sys.stderr, named))),
        ):
            yield named
        if out.exists():
            with out.open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()


class _Naming:
    """A stream in whose lines files have the names that people know them by."""

    def __init__(self, stream: TextIO, named: Callable[[str], str]) -> None:
        self._stream, self._named = stream, named

    def write(self, text: str) -> int:
        return self._stream.write(self._named(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _received(folder: Path, options: argparse.Namespace) -> Path:
    """What comes in, as a file whose name tells what it is."""
    whole = folder / "stdin"
    with whole.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    if not whole.stat().st_size:
        raise BadInput("standard input: is empty. Pipe a file into the command.")
    kind = getattr(options, "kind", None)
    with as_it_is(whole) as packed:
        mark = packed.read(4)
        with unpacked(packed, "standard input", 1 << 40) as plain:
            ending = _LOGS.get(kind or "") or _ending(plain)
    ending += next((name for name, begin in PACKED.items() if mark.startswith(begin)), "")
    return whole.rename(whole.with_name(f"stdin{ending}"))


def _ending(file: BinaryIO) -> str:
    """The ending that a file's name would have, by how it begins."""
    head = file.read(1 << 16)
    file.seek(0)
    plain = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    found = next((ending for mark, ending in _HEADS.items() if plain.startswith(mark)), None)
    first = plain.split(b"\n", 1)[0]
    return found or (".tsv" if first.count(b"\t") > first.count(b",") else ".csv")


def _written_as(options: argparse.Namespace, ending: str) -> str:
    """The ending of what goes out: as it is asked for, as what came in, or CSV."""
    if asked := getattr(options, "output_format", None):
        found = FORMATS[asked].suffixes[0]
        writer_of(Path(f"release{found}"))
        return found
    writable = [s for format in FORMATS.values() if format.write for s in format.suffixes]
    return ending if ending in writable else ".csv"
