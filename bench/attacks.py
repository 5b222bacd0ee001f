"""Every method attacked on real data: who is found, and what is learned about people in the release and out of it.

    python bench/attacks.py [--data DIR] [--only NAME]

A fifth of the persons is held out of the release at random. The intruder has a file of everybody, in and out, knows all
of a person or two or three random items, and compares by the masker's own distance. `in` and `out` are the shares of
what else he believes of a person that is true, for persons in the release and held out of it; `naive` is what believing
the most frequent published concepts would give. The negative control spoils one class of k on purpose.
"""

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from common import section, table
from real_sets import data_argument, sources

import taxonym
from taxonym.errors import TaxonymError
from taxonym.plan import Plan, with_settings
from taxonym.promises import main_promise
from taxonym.publish.registry import METHODS
from taxonym.run.attack import Intruder, risk_of_release
from taxonym.shapes.table.read import prepare
from taxonym.shapes.table.release_pair import TableReleasePair
from taxonym.shapes.table.reread import Trail, verify_release

K, SEED, SAMPLE = 5, 20261116, 2000
HEAD = ["data", "method", "s", "DR %", "max p", "p > 1/k", "DR % by words", "knows", "DR %", "in %", "out %", "naive %"]


def main() -> None:
    given = data_argument(__doc__).parse_args()
    rows, caught = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, frame, plan in sources(given.data, Path(folder), given.only):
            for method in METHODS:
                print(f"{name}, {method} …", file=sys.stderr)
                try:
                    found = attacked(frame, plan, method, Path(folder))
                except TaxonymError as error:
                    rows.append([name, method, str(error), *[""] * (len(HEAD) - 3)])
                    continue
                rows += [[name, method, *line] for line in found["lines"]]
                caught += found["caught"]
    section(
        "attacks",
        "Every method attacked on real data",
        "python bench/attacks.py",
        [
            f"k = {K}. {SAMPLE:,} random persons are linked (all, where there are fewer). s is the time to make and "
            f"verify the release. Where k is promised, nobody may be found with p > 1/k.",
            table(HEAD, rows),
            "`noise` (α = 0.5) promises no k: that few are found says how strong it is, not what it guarantees.",
            f"Negative control, for methods that promise k: one member of a class of k gets the record of another. "
            f"Caught by `verify` and by linkage (p > 1/k) in {sum(caught)} of {len(caught)} releases.",
        ],
        ["numpy", "numba", "polars"],
    )


def attacked(frame: pl.DataFrame, plan: Plan, method: str, folder: Path) -> dict[str, Any]:
    plan = replace(plan, method=with_settings(plan.method, name=method, k=K, seed=SEED))
    person = plan.input.person
    assert person is not None
    everybody = frame[person].unique().sort()
    rng = np.random.default_rng(SEED)
    out = everybody.gather(rng.permutation(len(everybody))[: len(everybody) // 5].tolist())
    inside = frame.filter(~pl.col(person).is_in(out.implode()))
    whole, original, release, trail = (folder / name for name in ("whole.csv", "in.csv", "out.csv", "trail"))
    frame.write_csv(whole)
    inside.write_csv(original)
    first = time.perf_counter()
    made = taxonym.anonymize(original, plan, baselines=False)
    made.write(release)
    seconds = time.perf_counter() - first
    made.write_trail(trail)
    units = prepare(original, plan)
    lines = []
    for knows in (2, 3):
        who = Intruder(file=whole, knows=knows, sample=SAMPLE)
        found = risk_of_release(
            TableReleasePair.of_table(release, plan, units, Trail(trail)), np.random.default_rng(SEED), who
        )
        one, some = found["semantic_linkage"], found["partial_knowledge"]
        learned = [some["learned"]["in_release"], some["learned"]["not_in_release"]]
        lines.append(
            [
                f"{seconds:.1f}",
                f"{one['dr_percent']:.2f}",
                f"{one['max_p']:.3f}",
                one["records_above_1_over_k"],
                f"{found['matching_linkage']['dr_percent']:.2f}",
                knows,
                f"{some['dr_percent']:.2f}",
                *(percent(of and of["precision"]) for of in learned),
                percent(learned[0]["naive_precision"]),
            ]
        )
    promised = "k" in main_promise(plan).name
    return {"lines": lines, "caught": [spoilt(release, plan, units, Trail(trail))] if promised else []}


def spoilt(release: Path, plan: Plan, units: Any, trail: Trail) -> bool:
    """Whether a release is refused in which one class of k has lost a member to another."""
    frame = pl.read_csv(release, infer_schema=False)
    column = frame.columns[0]
    sizes = frame.group_by(column).len().sort("len", column)
    smallest, largest = sizes[column][0], sizes[column][-1]
    row = frame[column].to_list().index(smallest)
    cells = frame[column].to_list()
    cells[row] = largest
    bad = release.with_name("bad.csv")
    frame.with_columns(pl.Series(column, cells)).write_csv(bad)
    verified = verify_release(bad, K, plan, units, trail)
    risk = risk_of_release(TableReleasePair.of_table(bad, plan, units, trail), np.random.default_rng(SEED), Intruder())
    return not verified.holds and not risk["classes"]["holds"]


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


if __name__ == "__main__":
    main()
