"""How one record travels through the code: python tools/walk.py [--path NAME] [--json]

Each journey is a small run of the command, once to warm up (imports, compiled kernels, caches) and once watched by
sys.setprofile. Only functions whose code lies below src/taxonym count, and only in the main thread.

functions   different functions that are called; comprehensions and lambdas belong to the function around them
files       different files that these are in
entries     An entry of a file is a call from code of another file of ours into it: control passes from A to B. It is
            known by its context, the chain of places in the code (function and line) that leads there from the start. A
            loop passes the same places again, so each context counts once, however many rows there are; a function
            that calls itself, straight or by way of others, stays in its first context.
again       files with more than one entry
re-entries  sum over all files of (entries - 1): how often the path comes back to a file where it has been. A straight
            path, in which every file hands on to the next, has none.

Code of other packages between A and B (sorted, map, a thread pool's map in this thread) is passed over.
"""

import argparse
import io
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import taxonym
from taxonym.cli import main as command

SOURCES = str(Path(taxonym.__file__).resolve().parent) + os.sep

HIERARCHY = "child,parent\n" + "".join(
    f"{child},{parent}\n"
    for parent, children in {"food": "fruit bread", "fruit": "apple pear cherry", "bread": "roll toast rye"}.items()
    for child in children.split()
)
PLAN = """[columns.basket]
role = "quasi-identifier"
kind = "set"
taxonomy = "things.csv"
[method]
k = 2
"""
NOISE = """[columns.thing]
role = "quasi-identifier"
taxonomy = "things.csv"
mean = "food"
variance = 0.3
[method]
name = "noise"
"""
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
WORDS = ("apple", "pear", "cherry", "roll", "toast", "rye")
PAIRS = [(a, b) for a in WORDS for b in WORDS if a < b][:8]
FILES = {
    "things.csv": HIERARCHY,
    "plan.toml": PLAN,
    "noise.toml": NOISE,
    "table.csv": "basket\n" + "".join(f"{a};{b}\n" for a, b in PAIRS),
    "queries.tsv": "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
    + "".join(f"{user}\t{word}\t2026-03-02 08:0{user}:00\t\t\n" for user, pair in enumerate(PAIRS) for word in pair),
    "access.log": "".join(
        f'198.51.100.{i} - - [02/Mar/2026:09:2{i}:00 +0000] "GET /{a}/{b} HTTP/1.1" 200 2111 "-" "{AGENT}"\n'
        for i, (a, b) in enumerate(PAIRS)
    ),
    "stream.jsonl": '{"thing": "apple"}\n',
    **{f"essays/{i}.txt": f"We ate {a} with {b}.\n" for i, (a, b) in enumerate(PAIRS)},
}
OPTIONS = "-k 2 --seed 1 --report report.json --trail trail.jsonl"
SHAPED = f"--taxonomy things.csv {OPTIONS} --kind"
JOURNEYS = {
    "table": f"anonymize table.csv --plan plan.toml -o table-release.csv {OPTIONS}",
    "querylog": f"anonymize queries.tsv -o queries-release.tsv {SHAPED} querylog",
    "accesslog": f"anonymize access.log -o access-release.log {OPTIONS} --kind accesslog",
    "documents": f"anonymize essays -o essays-release.csv {SHAPED} documents",
    "stream": "stream --plan noise.toml --seed 1",
}


@dataclass(slots=True)
class Walk:
    """What was seen on the way: functions, files in the order of their first entry, and how often each is entered."""

    functions: set[CodeType] = field(default_factory=set)
    entries: Counter[str] = field(default_factory=Counter)

    def figures(self) -> dict[str, int]:
        again = [count for count in self.entries.values() if count > 1]
        return {
            "functions": len(self.functions),
            "files": len(self.entries),
            "entries": self.entries.total(),
            "again": len(again),
            "re-entries": sum(again) - len(again),
        }


def walked(journey: Callable[[], object]) -> Walk:
    """What a journey passes in this thread."""
    walk = Walk()
    seen: set[tuple[int, int, CodeType]] = set()
    numbers: dict[tuple[int, int, CodeType], int] = {}
    stack: list[tuple[int, FrameType]] = []  # contexts, by number, with their frames

    def watch(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(SOURCES):
            return
        if event == "return":
            if stack and stack[-1][1] is frame:  # a generator that is closed returns without having been called
                stack.pop()
            return
        first = next((number for number, other in stack if other.f_code is code), None)  # it calls itself
        caller, above = stack[-1] if stack else (-1, None)
        place = (caller, above.f_lineno if above else 0, code)
        stack.append((numbers.setdefault(place, len(numbers)) if first is None else first, frame))
        if not code.co_name.startswith("<"):
            walk.functions.add(code)
        other = above is None or above.f_code.co_filename != code.co_filename
        if other and first is None and place not in seen:
            seen.add(place)
            walk.entries[code.co_filename.removeprefix(SOURCES)] += 1

    sys.setprofile(watch)
    try:
        journey()
    finally:
        sys.setprofile(None)
    return walk


def journeyed(name: str) -> Walk:
    """The walk of a journey, in the folder that has its files."""

    def journey() -> None:
        given = FILES["stream.jsonl"] if name == "stream" else ""
        printed, complained = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in "ab")
        before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8")
        try:
            with redirect_stdout(printed), redirect_stderr(complained):
                code = command(JOURNEYS[name].split())
        finally:
            sys.stdin = before
        if code:
            raise SystemExit(f"{name}: {complained.buffer.getvalue().decode()}")

    journey()
    return walked(journey)


@contextmanager
def folder() -> Iterator[None]:
    """A folder with the files of all journeys, for as long as it takes."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as made:
        for name, text in FILES.items():
            path = Path(made) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        os.chdir(made)
        try:
            yield
        finally:
            os.chdir(before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--path", choices=JOURNEYS, help="show the files of a journey, in the order of first entry")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    options = parser.parse_args()
    with folder():
        walks = {name: journeyed(name) for name in ([options.path] if options.path else JOURNEYS)}
    figures = {name: walk.figures() for name, walk in walks.items()}
    if options.json:
        print(json.dumps(figures, indent=1))
        return
    if options.path:
        for file, count in walks[options.path].entries.items():
            print(f"{count:4}  {file}")
        return
    print(f"{'journey':<10}" + "".join(f"{key:>12}" for key in next(iter(figures.values()))))
    for name, found in figures.items():
        print(f"{name:<10}" + "".join(f"{value:>12,}" for value in found.values()))


if __name__ == "__main__":
    main()
