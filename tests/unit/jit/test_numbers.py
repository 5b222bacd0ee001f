"""Compiled functions of many processes in one cache compute what they say."""

import json
import os
import random
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from numba.core.bytecode import FunctionIdentity

import taxonym.jit
from tests.symbols import numbered

# Functions of numba's library that are closures of one name: what the product must not use, and what users may.
KERNELS = """
import numpy as np
from taxonym.jit import kernel

@kernel
def sort(x):
    return np.sort(x)

@kernel
def argsort(x):
    return np.argsort(x)

@kernel
def merged(x):
    return np.argsort(x, kind="mergesort")

@kernel
def left(x):
    return np.searchsorted(x[:100], x)

@kernel
def right(x):
    return np.searchsorted(x[:100], x, side="right")

TWINS = {
    "sort": (sort, np.sort), "argsort": (argsort, np.argsort),
    "merged": (merged, lambda x: np.argsort(x, kind="stable")),
    "left": (left, left.py_func), "right": (right, right.py_func),
}
"""

# Compiles some functions in order, each in this process or in a forked child; prints the numbers that were used.
USE = """
import json, os, sys
import numpy as np
from numba.core.bytecode import FunctionIdentity
import taxonym.jit
if sys.argv[1] == "alike":
    import itertools
    FunctionIdentity._unique_ids = itertools.count(1)
from kernels import TWINS

def next_number():
    return FunctionIdentity.from_function(next_number).unique_id

x = np.random.default_rng(0).permutation(1000)
x[:100].sort()
first, right = next_number(), {}
for name in sys.argv[3:]:
    kernel, plain = TWINS[name]
    if sys.argv[2] == "fork" and not os.fork():
        first = next_number()
        kernel(x)
        print(json.dumps([first, next_number(), {}]), flush=True)
        os._exit(0)
    elif sys.argv[2] == "fork":
        os.wait()
    else:
        right[name] = bool((kernel(x) == plain(x)).all())
print(json.dumps([first, next_number(), right]))
"""


def used(folder: Path, how: str, where: str, names: list[str]) -> list[list[Any]]:
    """What the processes print: first and last number, and whether the functions were right."""
    (folder / "kernels.py").write_text(KERNELS)
    environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": str(folder)}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", USE, how, where, *names], env=environment, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


NAMES = ["sort", "argsort", "merged", "left", "right"]


def test_what_many_processes_have_compiled_in_many_orders_is_right_for_whoever_loads_all(tmp_path: Path) -> None:
    """Few; bench/compiled_cache.py takes many."""
    luck, processes = random.Random(1), list[list[Any]]()
    for order in range(4):
        names = luck.sample(NAMES, 2)
        for file in luck.sample(list(tmp_path.rglob("*.nbc")), len(list(tmp_path.rglob("*.nbc"))) // 3):
            file.unlink()  # compiled anew by another process
        processes += used(tmp_path, "apart", "fork" if order == 2 else "here", names)
    (last,) = used(tmp_path, "apart", "here", NAMES)
    assert last[2] == dict.fromkeys(NAMES, True)
    ranges = [range(first, end + 1) for first, end, _ in [*processes, last]]
    for one, other in combinations(ranges, 2):
        assert one.stop <= other.start or other.stop <= one.start, "two processes number functions alike"
    found = numbered(tmp_path / "cache")
    assert len(found) >= 10
    assert all(any(number in one for one in ranges) for number in found)
    assert {number: names for number, names in found.items() if len(names) > 1} == {}


def test_processes_that_number_functions_alike_are_noticed(tmp_path: Path) -> None:
    processes = [one for name in ("sort", "argsort") for one in used(tmp_path, "alike", "here", [name])]
    (one, other) = [range(first, end + 1) for first, end, _ in processes]
    assert set(one) & set(other)
    assert any(number in one and number in other for number in numbered(tmp_path / "cache"))


def test_numbers_are_those_that_numba_gives_to_what_it_compiles() -> None:
    taxonym.jit.number_anew()
    first = next(FunctionIdentity._unique_ids)
    assert FunctionIdentity.from_function(used).unique_id == first + 1
    taxonym.jit.number_anew()
    assert abs(FunctionIdentity.from_function(used).unique_id - first) > 1_000_000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_forked_children_number_functions_as_neither_their_parent_nor_each_other(tmp_path: Path) -> None:
    script = (
        "import os, taxonym.jit\nfrom numba.core.bytecode import FunctionIdentity as numbers\n"
        "for _ in range(3):\n    if not os.fork():\n        break\n    os.wait()\n"
        "print(next(numbers._unique_ids) >> 20)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert len(set(done.stdout.split())) == 4
