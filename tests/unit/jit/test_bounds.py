"""Kernels read and write inside their arrays: their tests, with bounds checked.

A subset that compiles in seconds; the demo runs with bounds checked, too (tests/unit/test_read_only.py).
"""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[2] / "properties"


def test_kernels_that_sort_search_and_compare_stay_inside_their_arrays() -> None:
    files = [str(TESTS / name) for name in ("test_sorting.py", "test_direct.py")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *files],
        env=os.environ | {"NUMBA_BOUNDSCHECK": "1"}, cwd=TESTS.parents[1], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout
