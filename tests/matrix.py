"""Cells of docs/matrix.md, run on the data of the golden runs: tests/house runs a sample, and bench/matrix.py
all of them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import polars as pl
from tools.build_matrix import COMMANDS, ENDS, FRUIT, IT, TOPICS, Row, cells, line, typed

from taxonym.plan import to_toml

DATA = Path(__file__).parent / "golden" / "data"
SOURCES = {"table": "baskets.csv", "querylog": "queries.tsv", "accesslog": "access.log", "documents": "essays.csv"}
SPARK = "anonymize {here}/source.parquet -o {here}/release --plan plan.toml --engine spark"


def wrong(row: Row, commands: tuple[str, ...] = tuple(COMMANDS)) -> Iterator[str]:
    """What some cells of a row say and the commands do not do, in the present folder, which must be empty."""
    given, why = row.made()
    end = ENDS.get(row.kind, ".csv")
    shutil.copytree(DATA, ".", dirs_exist_ok=True)
    shutil.copy(DATA / SOURCES[row.kind], f"source{end}")
    Path(TOPICS).write_text(FRUIT, "utf-8")
    Path("work").mkdir()
    if given is None:
        Path("plan.toml").write_text(to_toml(list(row.plans())[-1]), "utf-8")
        code, said = typed(line("anonymize", row, "source", "release"))
        if not why.startswith("promises ") and "belongs to [" not in why:  # these ask for something else
            yield from _compared(row, "anonymize", why, code, said)
        return
    for command, reason in zip(COMMANDS, cells(row, given), strict=True):
        blocks = {"blocks": "always", "block_size": 8} if command == "in blocks" else {}
        Path("plan.toml").write_text(to_toml({**given, "method": {**given["method"], **blocks}}), "utf-8")
        if command in commands or command == "anonymize":
            code, said = typed(_typed(row, command))
            unused = command == "in blocks" and reason  # such a setting is no mistake
            yield from _compared(row, command, "" if unused else reason, code, said)


def _typed(row: Row, command: str) -> str:
    """The command on real files; with the trail, where rows must find each other."""
    if command == "on Spark":
        shutil.rmtree("source.parquet", ignore_errors=True)
        Path("source.parquet").mkdir()
        pl.read_csv(DATA / SOURCES["table"]).write_parquet("source.parquet/part.parquet")
        return SPARK.format(here=Path.cwd())  # Java stays in the folder where it was begun
    if command == "stream" and row.method == "noise":
        typed("stats source.csv --column basket --plan plan.toml -o source.json")
    words = line("anonymize" if command == "in blocks" else command, row, "source", "release")
    end = ENDS.get(row.kind, ".csv")
    words += f" --original source{end}" * (command == "verify")
    return words + " --trail trail.jsonl" * (command in ("verify", "loss", "risk"))


def _compared(row: Row, command: str, reason: str, code: int, said: str) -> Iterator[str]:
    reason = reason.replace(IT, repr(row.method))
    if (code, reason in said) != (2 if reason else 0, True):
        yield f"{row.kind}, {row.method}, {row.promise.name}: {command}: exit {code} {said!r}; the page says {reason!r}"
