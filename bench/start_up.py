"""How long until Taxonym is there: the command's --help, the import, and WordNet?

    python bench/start_up.py [TAXONYM]

TAXONYM is the console script of an environment in which Taxonym is installed (default: the one beside this
interpreter). Wall-clock seconds, medians of fresh processes; the runs that are compared alternate.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from common import met, section, table

RUNS, LOADS = 20, 10
CLEAN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # what is installed is timed
VERSIONS = "import numpy, sys; print(f'Python {sys.version.split()[0]}, numpy {numpy.__version__}')"
IMPORT = """
import time
begin = time.perf_counter()
import {module}
print(time.perf_counter() - begin)
"""
LOAD = """
import time
import taxonym
{also}
begin = time.perf_counter()
tax = taxonym.load("wordnet")
print(time.perf_counter() - begin)
"""


def main() -> None:
    script = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(sys.executable).with_name("taxonym")
    if not script.exists():
        sys.exit(f"{script.name}: not found beside this interpreter; name the console script of an environment.")
    python = script.read_text(encoding="utf-8").splitlines()[0].removeprefix("#!").strip()
    bare, helped = [], []
    for _ in range(RUNS):
        bare.append(wall([python, "-c", "pass"]))
        helped.append(wall([str(script), "--help"]))
    imports = {module: middle(python, IMPORT.format(module=module)) for module in ("taxonym", "numpy")}
    ready, later = (middle(python, LOAD.format(also=also)) for also in ("", "import numpy"))
    start, ratio = statistics.median(bare), statistics.median(helped) / statistics.median(bare)
    rows = [
        ("`python -c pass`", f"{start:.4f}", "1", ""),
        ("`taxonym --help`", f"{statistics.median(helped):.4f}", f"{ratio:.2f}", f"≤ 5: {met(ratio, 5, most=True)}"),
        ("`import taxonym` (inside a process)", f"{imports['taxonym']:.4f}", "", ""),
        ("`import numpy` (inside a process)", f"{imports['numpy']:.4f}", "", ""),
        ('`load("wordnet")`, numpy imported with it', f"{ready:.3f}", "", f"≤ 0.3 s: {met(ready, 0.3, most=True)}"),
        ('`load("wordnet")`, numpy already there', f"{later:.3f}", "", f"≤ 0.3 s: {met(later, 0.3, most=True)}"),
    ]
    section(
        "start_up",
        "Start-up",
        "python bench/start_up.py",
        [
            f"Wall-clock, medians of {RUNS} (commands) and {LOADS} (library) fresh processes of "
            f"{told(python, VERSIONS)}.",
            table(("what", "seconds", "× bare Python", "target"), rows),
        ],
        packages=["numpy"],
    )


def wall(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=CLEAN)
    return time.perf_counter() - begin


def told(python: str, program: str) -> str:
    """What a program in a fresh process prints."""
    return subprocess.run([python, "-c", program], check=True, capture_output=True, text=True, env=CLEAN).stdout.strip()


def middle(python: str, program: str) -> float:
    """Median of what a program prints in several fresh processes."""
    return statistics.median(float(told(python, program)) for _ in range(LOADS))


if __name__ == "__main__":
    main()
