"""Does any release tell more than it promises? Random runs, judged by a checker that shares nothing with the product.

    python bench/privacy.py [RUNS] [--first SEED] [--processes N] [--before CHECKOUT]

Every seed makes a small table and a plan (tests/privacy_cases.py) that go through the whole pipeline; tests/checker.py
reads the release beside the original and its trail. A stopped run goes on with --first and the seed it told last. With
--before the same seeds are run by an earlier version, too, without the keys that it does not know. A seed is made again
by make(SEED, FOLDER) of tests/privacy_cases.py.
"""

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from common import section, table

HERE = Path(__file__).resolve().parents[1]
AT_ONCE = 50  # seeds in a piece of work
SEEDS_TOLD = 5
NEW_KEYS = ("publish", "step", "exact", "links")  # of columns, since the version before
Finding = tuple[int, str, str, list[str], list[str]]  # seed, outcome, why, features of the case, rules broken


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("runs", type=int, nargs="?", default=10_000)
    arguments.add_argument("--first", type=int, default=0, metavar="SEED")
    arguments.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    arguments.add_argument("--before", type=Path, metavar="CHECKOUT", help="also run an earlier version")
    given = arguments.parse_args()
    sys.path.insert(0, str(HERE))
    after = found(given, HERE)
    before = found(given, given.before.resolve()) if given.before else []
    seeds = f"{given.runs:,} runs, seeds {given.first:,} to {given.first + given.runs - 1:,}"
    parts = [
        f"{seeds}. Small random tables (2 to 60 rows) with every kind of column, persons with one or many rows, "
        "missing values, outliers and copies; every method, in blocks and at once. Each release is read by a "
        "checker of its own, which counts holders by brute force. A run counts once for each rule that it breaks.",
        outcomes(after, before),
        broken(after, before),
        "What the published releases hold:",
        features(after),
    ]
    crashes = sorted({f"- {why} (seed {seed})" for seed, kind, why, _, _ in after if kind == "crashed"})
    if crashes:
        parts += ["Crashes:", "\n".join(crashes[:20])]
    command = f"python bench/privacy.py {given.runs}" + (" --before CHECKOUT" if given.before else "")
    section("privacy", "Nothing is told of fewer than k persons", command, parts)
    sys.exit(any(kind == "crashed" or rules for _, kind, _, _, rules in after))


# ---------------------------------------------------------------------- running


def found(given: Any, version: Path) -> list[Finding]:
    """All seeds, by several processes that import the version of a checkout."""
    source = str(version / "src")
    sys.path.insert(0, source)  # what child processes search first
    pieces = [
        (seed, min(seed + AT_ONCE, given.first + given.runs), version != HERE)
        for seed in range(given.first, given.first + given.runs, AT_ONCE)
    ]
    results: list[Finding] = []
    began = told = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        for piece in pool.imap(judged, pieces):
            results += piece
            now = time.monotonic()
            if now - told > 10:
                told = now
                bad = sum(bool(rules) or kind == "crashed" for _, kind, _, _, rules in results)
                left = (now - began) * (given.runs - len(results)) / len(results)
                sys.stderr.write(
                    f"{version.name}: {len(results):,} of {given.runs:,} runs, {bad:,} with a violation; about "
                    f"{left:.0f} s left; go on with --first {results[-1][0] + 1}\n"
                )
    sys.path.remove(source)
    return results


def judged(piece: tuple[int, int, bool]) -> list[Finding]:
    """The cases of some seeds."""
    from tests.privacy_cases import make, outcome

    first, end, is_old = piece
    results: list[Finding] = []
    with TemporaryDirectory() as folder:
        for seed in range(first, end):
            case = make(seed, Path(folder))
            if is_old:
                for settings in case.plan["columns"].values():
                    for key in NEW_KEYS:
                        settings.pop(key, None)
            result = outcome(case)
            rules = sorted({violation.rule for violation in result.found})
            results.append((seed, result.kind, result.why, [*shape(case.plan)], rules))
    return results


def shape(plan: dict[str, Any]) -> Iterator[str]:
    """What a case tries, in words of the plan."""
    method, columns = plan["method"], plan["columns"].values()
    yield f"method {method['name']}"
    yield (
        f"representative {method['representative']}" if "representative" in method else f"recoding {method['recoding']}"
    )
    yield f"known_items {method['known_items']}"
    yield f"k {method['k']}" if method["k"] <= 5 else "k above 5"
    yield "rows " + (plan["input"].get("person_rows") or "are persons")
    if method.get("blocks"):
        yield "blocks"
    for column in columns:
        yield column["role"] if column["role"] != "quasi-identifier" else column["kind"]
        if "publish" in column:
            yield f"publish {column['publish']}"


# ---------------------------------------------------------------------- telling


def outcomes(after: list[Finding], before: list[Finding]) -> str:
    kinds = ("published", "refused", "crashed")
    rows = []
    for name, results in (("version before", before), ("this version", after)):
        if results:
            count = Counter(kind for _, kind, _, _, _ in results)
            clean = sum(kind == "published" and not rules for _, kind, _, _, rules in results)
            rows.append((name, *(f"{count[kind]:,}" for kind in kinds), f"{clean:,}"))
    return table(("", *kinds, "published and without a violation"), rows)


def broken(after: list[Finding], before: list[Finding]) -> str:
    from tests.checker import RULES

    then, now = by_rule(before), by_rule(after)
    rows = []
    for rule, meaning in RULES.items():
        seeds = ", ".join(map(str, now[rule][:SEEDS_TOLD]))
        rows.append((rule, meaning, *([f"{len(then[rule]):,}"] if before else []), f"{len(now[rule]):,}", seeds))
    head = (
        "rule",
        "asks that",
        *(["runs that broke it before"] if before else []),
        "runs that break it",
        "first seeds",
    )
    return table(head, rows)


def by_rule(results: Iterable[Finding]) -> dict[str, list[int]]:
    seeds: dict[str, list[int]] = defaultdict(list)
    for seed, _, _, _, rules in results:
        for rule in rules:
            seeds[rule].append(seed)
    return seeds


def features(results: Iterable[Finding]) -> str:
    count: Counter[str] = Counter()
    for _, kind, _, names, _ in results:
        if kind == "published":
            count.update(set(names))
    return ", ".join(f"{name}: {number:,}" for name, number in sorted(count.items())) + "."


if __name__ == "__main__":
    main()
