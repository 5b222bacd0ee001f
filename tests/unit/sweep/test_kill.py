"""A sweep that is killed goes on where it was, and gives the table that it would have given."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from taxonym.cli import main

OPTIONS = ["compare", "in.csv", "--plan", "plan.toml", "-k", "2,4", "--method", "mdav,generalize", "-o"]
FILES = ("comparison.csv", "comparison.json", "comparison.html", "risk-loss.svg")

# Runs the command, and kills itself when a cell is about to get its name, before or after.
DYING = """
import os, signal, sys
from taxonym.cli import main

left, after, options = int(sys.argv[1]), sys.argv[2] == "after", sys.argv[3:]
replace = os.replace

def dying(*names):
    global left
    left -= "cells" in str(names[1])
    if left == 0 and not after:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(*names)
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

os.replace = dying
sys.exit(main(options))
"""


def written(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.mark.parametrize(("cell", "moment", "kept"), [(1, "before", 0), (2, "after", 2)])
def test_a_sweep_killed_at_a_cell_goes_on_and_gives_the_same_table(
    here: Path, cell: int, moment: str, kept: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*OPTIONS, "whole", "--seed", "5", "--workers", "1"]) == 0
    options = [*OPTIONS, "killed", "--seed", "5", "--workers", "1"]
    done = subprocess.run([sys.executable, "-c", DYING, str(cell), moment, *options], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(list((here / "killed" / "cells").glob("*.json"))) == kept
    assert not (here / "killed" / "comparison.csv").exists()
    assert main([*OPTIONS, "killed", "--workers", "1"]) == 0  # the seed was kept
    assert written(here / "killed") == written(here / "whole")
    printed = capsys.readouterr().out.replace("killed/", "whole/").splitlines()
    assert printed[: len(printed) // 2] == printed[len(printed) // 2 :]


def test_processes_of_a_killed_sweep_end_and_the_sweep_goes_on(here: Path) -> None:
    options = [*OPTIONS, "killed", "--workers", "2"]
    process = subprocess.Popen([sys.executable, "-m", "taxonym", *options], stdout=subprocess.DEVNULL)
    until = time.monotonic() + 300
    while not list(here.glob("killed/cells/*.json")) and time.monotonic() < until:
        time.sleep(0.02)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    workers = [int(pid) for pid in children.read_text().split()] if children.exists() else []
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert main([*OPTIONS, "killed", "--workers", "1", "--json"]) == 0
    kept = (here / "killed" / "private.json").read_bytes()
    assert main([*OPTIONS, "killed", "--workers", "2"]) == 0
    again = here / "again"
    again.mkdir()
    (again / "private.json").write_bytes(kept)
    assert main([*OPTIONS, "again", "--workers", "1"]) == 0
    assert written(again) == written(here / "killed")
    for pid in workers:
        while _runs(pid) and time.monotonic() < until:
            time.sleep(0.05)
        assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:1]
    except (ProcessLookupError, FileNotFoundError):
        return False
