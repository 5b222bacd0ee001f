"""A run that is killed at any moment leaves the old release whole, or the new one whole, or none."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from taxonym.cli import main

OPTIONS = ["anonymize", "in.csv", "-o", "out.csv", "--plan", "plan.toml", "--no-baselines"]

# Runs the command, and kills itself on reaching a given place.
AT_A_PLACE = """
import dataclasses, os, signal, sys
from taxonym.cli import main
import taxonym.io.atomic, taxonym.io.files

place, options = sys.argv[1], sys.argv[2:]

def die(*_, **__):
    sys.stdout.write("reached")
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)

def half(table, file):
    file.write(b"likes" * 20000)
    file.flush()
    die()

if place == "while writing":
    formats = taxonym.io.files.FORMATS
    formats["csv"] = dataclasses.replace(formats["csv"], write=half)
elif place == "while verifying":
    gathered = taxonym.io.files._gathered
    taxonym.io.files._gathered = lambda *given: die() if given[1] == "out.csv" else gathered(*given)
elif place == "after os.replace":
    replace = os.replace
    os.replace = lambda *names: (replace(*names), die())
else:
    setattr(os, place.removeprefix("before os."), die)
sys.exit(main(options))
"""

# Runs the command again and again, with one seed and another.
FOR_EVER = """
import itertools, sys
from taxonym.cli import main

for seed in itertools.cycle("12"):
    main([*sys.argv[1:], "--seed", seed, "--json"])
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tree.csv").write_text("child,parent\nswimming,sports\nsailing,sports\nchess,games\ngo,games\n")
    likes = ["swimming;sailing", "swimming", "chess", "go;chess", "sailing", "chess"]
    rows = [f"{likes[i % 6]},{i % 7}\n" for i in range(120)]
    (tmp_path / "in.csv").write_text("likes,pay\n" + "".join(rows))
    (tmp_path / "plan.toml").write_text(
        '[columns.likes]\nrole = "quasi-identifier"\nkind = "set"\ntaxonomy = "tree.csv"\n'
        '[columns.pay]\nrole = "confidential"\n[method]\nk = 3\n[output]\norder = "shuffled"\n'
    )
    return tmp_path


def start(script: str, *options: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", script, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def whole_releases(here: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, bytes]:
    """What the runs with each seed write when nobody disturbs them."""
    found = {}
    for seed in "12":
        assert main([*OPTIONS, "--seed", seed]) == 0
        found[seed] = (here / "out.csv").read_bytes()
    capsys.readouterr()
    return found


PLACES = ["while writing", "while verifying", "before os.fsync", "before os.chmod", "before os.replace"]


@pytest.mark.parametrize("place", PLACES)
def test_a_kill_before_the_new_file_has_its_name_leaves_the_old_one(here: Path, place: str) -> None:
    out = here / "out.csv"
    out.write_bytes(b"likes,pay\nold,1\n")
    process = start(AT_A_PLACE, place, *OPTIONS)
    shown, _ = process.communicate(timeout=600)
    assert (shown, process.returncode) == ("reached", -signal.SIGKILL)
    assert out.read_bytes() == b"likes,pay\nold,1\n"


def test_a_kill_after_the_new_file_has_its_name_leaves_it_whole(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = whole_releases(here, capsys)["1"]
    (here / "out.csv").write_bytes(b"old")
    process = start(AT_A_PLACE, "after os.replace", *OPTIONS, "--seed", "1")
    shown, _ = process.communicate(timeout=600)
    assert (shown, process.returncode) == ("reached", -signal.SIGKILL)
    assert (here / "out.csv").read_bytes() == new


def test_a_kill_at_any_moment_leaves_one_release_or_the_other(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = whole_releases(here, capsys)
    assert whole["1"] != whole["2"]
    moments = random.Random(5)
    for _ in range(2):
        process = start(FOR_EVER, *OPTIONS)
        assert process.stdout is not None
        assert process.stdout.readline() == "{\n"  # the first run is done
        until = time.monotonic() + moments.uniform(0, 0.3)
        seen = set()
        while time.monotonic() < until:  # whoever looks meanwhile sees a whole file, too
            seen.add((here / "out.csv").read_bytes())
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert seen | {(here / "out.csv").read_bytes()} <= set(whole.values())


def test_where_there_was_no_file_a_kill_leaves_none_and_the_next_run_is_as_good_as_ever(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    process = start(AT_A_PLACE, "before os.replace", *OPTIONS)
    shown, _ = process.communicate(timeout=600)
    assert shown == "reached"
    assert not (here / "out.csv").exists()
    assert main([*OPTIONS, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verified"]["holds"] is True
    assert (here / "out.csv").read_text().startswith("likes,pay\n")
