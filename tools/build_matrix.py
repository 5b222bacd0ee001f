"""Write docs/matrix.md: which shape, method, promise, command and engine work together, and why others do not.

python tools/build_matrix.py

Every cell is asked of the command itself, with a file that is not there: what does not go together is refused before
anything is read, and whoever misses the file would have done the work. So page and error cannot differ.
"""

import io
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from taxonym.cli import main as command_line
from taxonym.errors import BadPlan
from taxonym.plan import SHAPES, Plan, read_plan, shape_named, to_toml
from taxonym.promises import PROMISES, Epsilon, LDiversity, Promise, TCloseness, promises_of
from taxonym.publish.registry import METHODS
from taxonym.run.spark.errors import check_plan

PAGE = Path(__file__).parents[1] / "docs" / "matrix.md"
KINDS = ("table", *SHAPES)
K = 3
MISSING = "nowhere"
TAXONOMY = "things.csv"
TOPICS, FRUIT = "fruit.toml", '[topics.fruit]\nconcepts = ["fruit"]\n'
ENDS = {"accesslog": ".log", "querylog": ".tsv"}  # of the names of files; others are .csv
IT = "'…'"  # stands for the name of the method
# What is typed, by column of the page; blocks and Spark are settings and another machine of the first.
COMMANDS = {
    "anonymize": "anonymize IN -o OUT --plan plan.toml --trail trail.jsonl",
    "in blocks": "",
    "with a work folder": "anonymize IN -o OUT --plan plan.toml --work work",
    "on Spark": "",
    "verify": "verify OUT --plan plan.toml",
    "loss": "loss IN OUT --plan plan.toml",
    "risk": "risk IN OUT --plan plan.toml",
    "compare": "compare IN --plan plan.toml -o sweep -k 2,3 --workers 1",
    "mine": "mine IN OUT --plan plan.toml",
    "stream": "stream --plan plan.toml",
}
# Commands whose plan, if they have one, only says how a column is read.
OF_COLUMNS = {"plan", "demo", "studio", "warm", "stats", "distance", "concepts", "reproduce", "taxonomy"}
HEAD = f"""# What works with what

The columns are [commands](command.md), and engines of `anonymize`. A number stands for a reason below the table: what
the command answers, with {IT} for the method. In the column *in blocks* it means that there are none, whatever
`blocks` says. The page is built by `tools/build_matrix.py`, which asks the program about every combination of
{len(KINDS)} shapes of data, {len(METHODS)} methods and {len(PROMISES)} [promises](promises.md).
"""


@dataclass(frozen=True)
class Row:
    """A shape of data, a method and a promise."""

    kind: str
    method: str
    promise: type[Promise]

    def __str__(self) -> str:
        return f"{self.kind}-{self.method}-{self.promise.name}"

    def plans(self) -> Iterator[dict[str, Any]]:
        """Plans that ask for it: for tables without and with a confidential column."""
        basket = {"basket": {"role": "quasi-identifier", "kind": "set", "taxonomy": TAXONOMY}}
        illness = {"illness": {"role": "confidential"}}
        tables: list[dict[str, Any]] = [
            {"input": {"person": False}, "columns": some} for some in (basket, basket | illness)
        ]
        if self.kind != "table":
            known = "taxonomy" in shape_named(self.kind).__dataclass_fields__
            tables = [{self.kind: {"taxonomy": TAXONOMY} if known else {}}]
            if known and self.promise in (LDiversity, TCloseness):  # which watch topics, where nothing is confidential
                tables = [{self.kind: {"taxonomy": TAXONOMY, "topics_file": TOPICS}, "method": {"topics": ["fruit"]}}]
        for plan in tables:
            plan["method"] = plan.get("method", {}) | {
                "name": self.method,
                **({} if self.method == "noise" else {"k": K}),
            }
            for table, settings in self.promise.settings.items():
                plan[table] = plan.get(table, {}) | settings
            yield plan

    def made(self) -> tuple[dict[str, Any] | None, str]:
        """A plan that makes the promise, or why there is none."""
        why = ""
        for table, settings in self.promise.settings.items():
            if table in SHAPES and table != self.kind:
                return None, f"{', '.join(map(_setting, settings.items()))} belongs to [{table}]"
        for given in self.plans():
            if reason := refusal("anonymize", self, given):
                why = reason
                continue
            made = promises_of(Plan.from_dict(given))
            if self.promise in map(type, made):
                return given, ""
            why = f"promises {' and '.join(one.name for one in made)}"
        return None, why


def refusal(command: str, row: Row, given: Mapping[str, Any]) -> str | None:
    """Why a command refuses a plan, or None."""
    if command == "in blocks":
        return METHODS[row.method].at_once or None
    said = _complaint(command, line(command, row, MISSING, f"{MISSING}-release"), to_toml(given))
    problem = said.removeprefix("plan.toml: ").partition(". ")[0]  # what follows is advice
    return problem.replace(repr(row.method), IT).removesuffix(".") or None


@cache
def _complaint(command: str, words: str, plan: str) -> str:
    """What a command says about a plan, unless it only misses its file."""
    with TemporaryDirectory() as folder, chdir(folder):
        Path("work").mkdir()
        Path(TAXONOMY).write_text("child,parent\napple,fruit\npear,fruit\n", "utf-8")
        Path(TOPICS).write_text(FRUIT, "utf-8")
        Path("plan.toml").write_text(plan, "utf-8")
        if command == "on Spark":
            return _complaint_of_spark()
        code, said = typed(words)
    return "" if not code or MISSING in said else said


def typed(words: str) -> tuple[int, str]:
    """The exit code of a command, and its complaint."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in "ab")
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO())
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = command_line(shlex.split(words))
    finally:
        sys.stdin = before
    return code, err.buffer.getvalue().decode().strip().rpartition("taxonym: error: ")[2]


def line(command: str, row: Row, source: str, release: str) -> str:
    """What is typed, without the word taxonym."""
    end = ENDS.get(row.kind, ".csv")
    words = COMMANDS[command].replace("IN", source + end).replace("OUT", release + end)
    if command == "verify" and row.method != "noise":
        words += f" -k {K}"
    if command == "mine":
        words += f" --kind {row.kind}"
    if command == "stream" and row.promise is not Epsilon:
        words += f" --stats {source}.json"
    return words


def _complaint_of_spark() -> str:
    try:
        check_plan(read_plan("plan.toml"))
    except BadPlan as error:
        return str(error)
    return ""


def _setting(pair: tuple[str, Any]) -> str:
    return to_toml({"x": dict([pair])}).splitlines()[1]


def rows() -> Iterator[Row]:
    """Everything that may go together."""
    for kind in KINDS:
        for promise in PROMISES:
            for method in METHODS:
                yield Row(kind, method, promise)


def cells(row: Row, given: Mapping[str, Any]) -> tuple[str, ...]:
    """For every command "" or why not."""
    return tuple(refusal(command, row, given) or "" for command in COMMANDS)


# ---------------------------------------------------------------------- the page


def page() -> str:
    """The page as Markdown."""
    return "\n".join([HEAD, *(text for kind in KINDS for text in _section(kind))])


def _section(kind: str) -> Iterator[str]:
    yield f"## {_title(kind)}\n"
    filled: dict[tuple[str, ...], dict[str, list[str]]] = {}
    empty: dict[str, dict[str, list[str]]] = {}
    for row in (row for row in rows() if row.kind == kind):
        given, why = row.made()
        of = filled.setdefault(cells(row, given), {}) if given else empty.setdefault(why, {})
        of.setdefault(row.promise.name, []).append(f"`{row.method}`")
    reasons = list(dict.fromkeys(why for found in filled for why in found if why))
    yield _line(["method", "promise", *COMMANDS])
    yield "|---" * (2 + len(COMMANDS)) + "|"
    for found, of in filled.items():
        for promises, methods in _together(of):
            yield _line([methods, promises, *(f"{reasons.index(why) + 1}" if why else "✓" for why in found)])
    yield ""
    yield from (f"{i}. {why}" for i, why in enumerate(reasons, 1))
    yield "\nNot promised:\n"
    yield _line(["method", "promise", "why"])
    yield "|---|---|---|"
    for why, of in empty.items():
        for promises, methods in _together(of):
            yield _line([methods, promises, why])
    yield ""


def _together(of: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """Promises that the same methods make, or do not make, and these."""
    by: dict[str, list[str]] = {}
    for promise, methods in of.items():
        by.setdefault(", ".join(methods), []).append(promise)
    for named, promises in by.items():
        yield "; ".join(promises), named


def _line(words: Iterable[str]) -> str:
    return f"| {' | '.join(words)} |"


def _title(kind: str) -> str:
    """A heading, after the module of the shape."""
    module = SHAPES[kind].settings.partition(":")[0].rpartition(".")[2] if kind in SHAPES else kind
    return module.replace("_", " ").removesuffix("s").capitalize() + "s"


def main() -> None:
    PAGE.write_text(page(), "utf-8")
    print(f"{PAGE.name}: written")


if __name__ == "__main__":
    main()
