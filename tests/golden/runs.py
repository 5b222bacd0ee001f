"""Run a case of the golden runs, and give what it left behind as texts that are the same on every machine.

What depends on the clock, the machine or versions is made equal in this file and nowhere else: `Normal`.
"""

import io
import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any

import polars as pl

import taxonym
from taxonym.cli import main
from taxonym.plan import to_toml
from tests.golden.cases import Case

PACKAGE = Path(taxonym.__file__).parent
DATA = Path(__file__).parent / "data"
RUNS = Path(__file__).parent / "runs"
TRANSCRIPT = "run.txt"
RECORDED = (".csv", ".tsv", ".log", ".json", ".jsonl", ".toml", ".parquet")  # of other files only the name is told
WIDTH = 120  # JSON that fits into a line stays in one
KEPT = ("work", "cells")  # folders with work files, of which nothing is told
DAY = "1788220800"  # on which all runs are made, in seconds since 1970
SAME = "…"  # stands for what differs between machines


def run(case: Case, folder: Path) -> dict[str, str]:
    """Run the commands of a case in an empty folder: a transcript, and every file that they wrote, by name."""
    shutil.copytree(DATA, folder, dirs_exist_ok=True)
    if case.plan:
        (folder / "plan.toml").write_text(to_toml(case.plan))
    for path in folder.glob("*.csv"):
        if path.with_suffix(".parquet").name in case.commands[0]:
            pl.read_csv(path, infer_schema=False).write_parquet(path.with_suffix(".parquet"))
    (folder / "work").mkdir()
    given, normal = set(_files(folder)), Normal(folder)
    with _inside(folder):
        told = [_typed(command, normal) for command in case.commands]
    written = [path for path in _files(folder) if path not in given]
    told.append("".join(f"written: {path.relative_to(folder).as_posix()}\n" for path in written))
    texts = {TRANSCRIPT: "\n".join(told)}
    told_of = [path for path in written if path.suffix in RECORDED and ".gz." not in path.name]  # nor its codebook
    return texts | {_name(path.relative_to(folder)): normal.file(path) for path in told_of}


def recorded(case: Case) -> dict[str, str]:
    """What is recorded of a case; nothing if nothing is. Of one that must do the same as another, only what is told."""
    own = {path.name: path.read_text("utf-8") for path in sorted((RUNS / case.name).glob("*"))}
    others = {path.name: path.read_text("utf-8") for path in sorted((RUNS / case.same).glob("*"))} if case.same else {}
    return others | own if own else {}


def record(case: Case, texts: dict[str, str]) -> None:
    """Let these be what is recorded of a case."""
    shutil.rmtree(RUNS / case.name, ignore_errors=True)
    (RUNS / case.name).mkdir(parents=True)
    for file, text in texts.items():
        if file == TRANSCRIPT or not case.same:
            (RUNS / case.name / file).write_text(text, "utf-8")


def difference(before: dict[str, str], after: dict[str, str], lines: int = 40) -> str:
    """A unified diff of all files of a case, its first lines; empty if they are the same."""
    diff = [
        line
        for file in sorted({*before, *after})
        for line in unified_diff(
            before.get(file, "").splitlines(),
            after.get(file, "").splitlines(),
            f"recorded/{file}" if file in before else "nothing",
            f"now/{file}" if file in after else "nothing",
            n=2,
            lineterm="",
        )
    ]
    more = [f"… and {len(diff) - lines:,} lines more"] * (len(diff) > lines)
    return "\n".join(diff[:lines] + more)


@dataclass(frozen=True, slots=True)
class Normal:
    """Texts without what depends on the clock, the machine or versions.

    Versions of packages, the folders of the run and of the package, a sweep's random key and the fingerprint of a
    release, which may be a Parquet file, become SAME. Numbers keep ten significant digits, for the last ones depend on
    the processor. The day is always the same. Nothing else of clock or machine is recorded.
    """

    folder: Path

    def file(self, path: Path) -> str:
        if path.suffix == ".parquet":
            rows = pl.read_parquet(path / "*.parquet" if path.is_dir() else path).to_dicts()
            lines = [json.dumps(self.data(row), ensure_ascii=False, default=str) for row in rows]
            return "\n".join([*(sorted(lines) if path.is_dir() else lines), ""])  # a folder's rows have no order
        text = path.read_text("utf-8")
        if path.suffix == ".json":
            return pretty(self.data(json.loads(text))) + "\n"
        if path.suffix == ".jsonl":
            lines = [json.dumps(self.data(json.loads(line)), ensure_ascii=False) for line in text.splitlines()]
            return "\n".join([*lines, ""])
        return self.text(text)

    def text(self, text: str) -> str:
        for folder in (self.folder.resolve(), self.folder, PACKAGE):
            text = text.replace(str(folder), SAME)
        return re.sub(r"\d+\.\d{9,}(e-?\d+)?", lambda found: f"{float(found[0]):.10g}", text)

    def data(self, value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {k: SAME if key == "versions" else self.data(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [self.data(v) for v in value]
        if isinstance(value, float):
            return float(f"{value:.10g}")
        if isinstance(value, str):
            return SAME if key in ("taxonym", "key", "sha256") else self.text(value)
        return value


def pretty(value: Any, depth: int = 0) -> str:
    """JSON with an indent of one; what fits into a line is one."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or depth + len(flat) <= WIDTH:
        return flat
    inside = (
        [f"{json.dumps(k, ensure_ascii=False)}: {pretty(v, depth + 1)}" for k, v in value.items()]
        if isinstance(value, dict)
        else [pretty(v, depth + 1) for v in value]
    )
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    space = "\n" + " " * depth
    return opened + f",{space} ".join(["", *inside])[1:] + space + closed


# ---------------------------------------------------------------------- running


def _name(path: Path) -> str:
    """What a file is called where it is recorded: without folders, and Parquet as the lines that it is printed as."""
    return path.as_posix().replace("/", "-") + ".jsonl" * (path.suffix == ".parquet")


def _typed(command: str, normal: Normal) -> str:
    """What a person sees who types a command: it, its output, lines of stderr behind "! ", the exit code."""
    words = [word.replace("{here}", str(normal.folder)) for word in shlex.split(command)]
    given = b""
    if "<" in words:
        *words, _, source = words
        given = Path(source).read_bytes()
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in "ab")
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given), "utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code: object = main(words)
    except SystemExit as error:
        code = error.code
    finally:
        sys.stdin = before
    printed, complained = (stream.buffer.getvalue().decode() for stream in (out, err))
    if "--json" in words and printed.startswith("{"):
        printed = pretty(normal.data(json.loads(printed))) + "\n"
    complained = "".join(f"! {line}\n" for line in complained.splitlines())
    return f"$ taxonym {command}\n{normal.text(printed)}{normal.text(complained)}exit {code}\n"


def _files(folder: Path) -> Iterator[Path]:
    """All files in a folder and below; a Parquet folder counts as a file, and work files do not count."""
    for path in sorted(folder.iterdir()):
        if not path.is_dir() or path.suffix == ".parquet":
            yield path
        elif path.name not in KEPT:
            yield from _files(path)


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before, day = os.getcwd(), os.environ.get("SOURCE_DATE_EPOCH")
    os.chdir(folder)
    os.environ["SOURCE_DATE_EPOCH"] = DAY
    try:
        yield
    finally:
        os.chdir(before)
        del os.environ["SOURCE_DATE_EPOCH"]
        if day is not None:
            os.environ["SOURCE_DATE_EPOCH"] = day
