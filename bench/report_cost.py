"""What does a report cost: linking in every run, and the page?

    python bench/report_cost.py [--sizes 10000,30000,100000]

Synthetic records as in large.py, usual settings, no baselines. CPU seconds of the whole run, of linking in it, and of
making the page; every size in this process, after a small one that compiles.
"""

import argparse
import tempfile
from pathlib import Path
from typing import Any

from common import met, section, short, table
from large import Steps, seconds, write

SIZES = "10000,30000,100000"
SHARE = 0.05  # of a run that linking may take
COLUMNS = {
    "words": {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet", "separator": ";"},
    "ward": {"role": "confidential"},
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sizes", default=SIZES)
    sizes = [int(size) for size in arguments.parse_args().sizes.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        found = [measured(Path(folder), n) for n in [4_000, *sizes]][1:]
    rows = [
        (
            f"{f['n']:,}",
            short(f["cpu"]),
            short(f["linking"]),
            f"{100 * f['linking'] / f['cpu']:.1f} %",
            f"{f['linked']:,}",
            f"{f['dr']:.1f} ({f['between']})",
            short(f["page"]),
            f"{f['bytes'] / 1e6:.2f}",
        )
        for f in found
    ]
    head = ("records", "run, CPU s", "linking, CPU s", "share", "linked", "found of 100", "page, CPU s", "page, MB")
    most = max(f["linking"] / f["cpu"] for f in found)
    section(
        "report_cost",
        "What a report costs",
        "python bench/report_cost.py",
        [
            "The run is without baselines, which would take longer; linking is of a sample where published records "
            "are many.",
            table(head, rows),
            table(
                ("aim", "found", "met"),
                [
                    (
                        f"linking takes at most {100 * SHARE:.0f} % of a run",
                        f"{100 * most:.1f} %",
                        met(most, SHARE, most=True),
                    )
                ],
            ),
        ],
    )


def measured(folder: Path, n: int) -> dict[str, Any]:
    import taxonym

    file, steps = folder / f"{n}.csv", Steps()
    write(file, n)
    begin = seconds()
    release = taxonym.anonymize(
        file, {"columns": COLUMNS, "method": {"k": 5, "seed": 1}}, baselines=False, progress=steps
    )
    made = seconds()
    release.write_report(folder / "report.html")
    end = seconds()
    at = next(i for i, (what, _, _) in enumerate(steps.notes) if what == "linking")
    found = release.report["linkage"]
    interval = found["dr_percent_interval_95"]
    return {
        "n": n,
        "cpu": made - begin,
        "linking": steps.notes[at + 1][1] - steps.notes[at][1],
        "page": end - made,
        "bytes": (folder / "report.html").stat().st_size,
        "linked": found["records_linked"],
        "dr": found["dr_percent"],
        "between": "all" if interval is None else f"{interval[0]:.1f} to {interval[1]:.1f}",
    }


if __name__ == "__main__":
    main()
