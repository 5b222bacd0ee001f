"""Does every golden run, on one machine and on Spark, leave behind what is recorded, and every cell of docs/matrix.md
work or refuse as it says?

    python bench/matrix.py [OPTIONS OF PYTEST]

Runs the whole matrix of tests/golden/cases.py and of the page; the tests leave out cases that take long and of which
others have every setting, and run a sample of the cells. Needs the extra dev and Java.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = ("tests/golden/test_runs.py", "tests/spark/test_golden.py", "tests/house/test_matrix.py")


def main() -> int:
    environment = os.environ | {"TAXONYM_WHOLE_MATRIX": "1", "CI": "true"}  # without Java it fails instead of skipping
    command = [sys.executable, "-m", "pytest", "-q", *FILES, *sys.argv[1:]]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
