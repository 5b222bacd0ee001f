"""python -m tests.golden.record [CASE…]: run the cases (or those named) and record what they leave behind.

Prints for each case whether it is new, unchanged or changed, and how. Cases for Spark need Java.
"""

import sys
import tempfile
from pathlib import Path

from taxonym.run.spark.session import has_java, session
from tests.golden.cases import CASES
from tests.golden.runs import RUNS, difference, record, recorded, run


def main(names: list[str]) -> int:
    cases = {case.name: case for case in CASES}
    if unknown := [name for name in names if name not in cases]:
        say(f"There is no case {', '.join(unknown)}.")
        return 2
    for name in names or cases:
        case = cases[name]
        if case.spark and not has_java():
            say(f"{name}: skipped, there is no Java")
            continue
        if case.spark:
            session("local[2]")  # one for all, which the command then finds
        with tempfile.TemporaryDirectory() as folder:
            texts = run(case, Path(folder))
        before = recorded(case)
        diff = difference(before, texts)
        say(f"{name}: {'new' if not before else 'changed' if diff else 'unchanged'}")
        if diff:
            record(case, texts)
            say(diff * bool(before))
    for path in sorted(RUNS.iterdir()):
        if path.name not in cases:
            say(f"{path.name}: has no case any more. Remove tests/golden/runs/{path.name}.")
    return 0


def say(line: str) -> None:
    if line:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
