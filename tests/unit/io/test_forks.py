"""Processes that are forked from one that has used tables."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")

SCRIPT = """
import os, sys
import polars as pl
import taxonym
from taxonym.errors import ForkedProcess

frame = pl.DataFrame({"town": ["Ulm", "Ulm", "Ulm", "Pau", "Pau", "Pau"]})
plan = {"columns": {"town": {"role": "quasi-identifier"}}, "method": {"k": 3}}
uses = {
    "anonymize": lambda: taxonym.anonymize(frame, plan),
    "a file": lambda: taxonym.anonymize("in.csv", plan),
    "batches": lambda: taxonym.anonymize("in.csv", plan, work="."),
    "a log": lambda: taxonym.anonymize("in.log", {"accesslog": {}, "method": {"k": 2}}),
    "write": lambda: made.write("out.csv"),
    "look": lambda: made.table,
}
made = taxonym.anonymize(frame, plan) if sys.argv[1] == "used" else None
for name, use in uses.items():
    if made is None and name in ("write", "look"):
        continue
    if not os.fork():
        try:
            use()
            print(name, "works", flush=True)
        except ForkedProcess as error:
            print(name, error, flush=True)
        os._exit(0)
    os.wait()
"""


def printed(folder: Path, before: str) -> list[str]:
    (folder / "in.csv").write_text("town\n" + "Ulm\n" * 4)
    line = '192.0.2.{} - - [02/Mar/2026:10:00:11 +0000] "GET / HTTP/1.1" 200 100 "-" "curl/8.5.0"\n'
    (folder / "in.log").write_text("".join(line.format(i) for i in range(4)))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, before], cwd=folder, capture_output=True, text=True, timeout=300, check=True
    )
    return done.stdout.splitlines()


def test_a_forked_process_ends_in_a_clear_error_instead_of_waiting_forever(tmp_path: Path) -> None:
    told = printed(tmp_path, "used")
    assert len(told) == 6
    assert all("was forked from one that had used taxonym" in line and "'spawn'" in line for line in told)


def test_processes_that_were_forked_before_may_use_tables(tmp_path: Path) -> None:
    assert printed(tmp_path, "not used") == ["anonymize works", "a file works", "batches works", "a log works"]
