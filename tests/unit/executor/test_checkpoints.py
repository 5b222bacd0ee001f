"""Work folders: private, numbers only, gone on success, and gone on with after a kill."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import taxonym
from taxonym.cli import main
from taxonym.errors import BadInput, BadPlan
from taxonym.executor.checkpoints import FOLDER, work_folder
from taxonym.methods import blocks as pieces
from taxonym.plan import Plan, read_plan

WORDS = ["dog", "cat", "horse", "oak", "elm", "rose", "car", "truck", "bread", "cheese", "chair", "table"]

# Runs the command and kills itself when it has kept so many results.
KILLED = """
import os, signal, sys
from taxonym.cli import main
from taxonym.executor.checkpoints import WorkFolder

most, save, count = int(sys.argv[1]), WorkFolder.save, [0]

def counted(self, name, **arrays):
    save(self, name, **arrays)
    count[0] += 1
    if count[0] == most:
        sys.stdout.write("reached")
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGKILL)

WorkFolder.save = counted
sys.exit(main(sys.argv[2:]))
"""
OPTIONS = ["anonymize", "in.csv", "-o", "out.csv", "--plan", "plan.toml", "--no-baselines", "--work", "."]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    dice = np.random.default_rng(2)
    rows = [f"Secretperson{i % 90},{';'.join(dice.choice(WORDS, 3))},pay{i % 3}\n" for i in range(180)]
    (tmp_path / "in.csv").write_text("who,words,pay\n" + "".join(rows))
    (tmp_path / "plan.toml").write_text(
        '[input]\nperson = "who"\nperson_rows = "keep"\n'
        '[columns.words]\nrole = "quasi-identifier"\nkind = "set"\ntaxonomy = "wordnet"\n'
        '[columns.pay]\nrole = "confidential"\n[method]\nk = 3\nblocks = "always"\nblock_size = 20\n'
    )
    return tmp_path


def killed_after(kept: int, *more: str) -> None:
    command = [sys.executable, "-c", KILLED, str(kept), *OPTIONS, *more]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    assert (done.stdout, done.returncode) == ("reached", -signal.SIGKILL)


def kept_in(work: Path) -> set[str]:
    """The results kept so far: as many as asked for, and what other threads saved until the kill."""
    return {path.name for path in work.glob("*.npz")}


def text_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("kept", [1, 4, 9])
def test_a_killed_run_goes_on_from_finished_blocks_and_gives_the_same_bytes(
    here: Path, kept: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*OPTIONS, "--seed", "4"]) == 0
    whole = (here / "out.csv").read_bytes()
    (here / "out.csv").unlink()
    killed_after(kept, "--seed", "4")
    assert not (here / "out.csv").exists()
    work = here / FOLDER
    assert stat.S_IMODE(work.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in work.iterdir() if path.suffix == ".npz"} == {0o600}
    left = text_in(work)
    assert not any(word.encode() in left for word in ("Secretperson", "horse", "cheese", "pay1"))
    saved: list[str] = []
    save = taxonym.executor.checkpoints.WorkFolder.save

    def counted(self: Any, name: str, **arrays: Any) -> None:
        saved.append(name)
        save(self, name, **arrays)

    before = kept_in(work)
    assert len(before) >= kept
    monkeypatch.setattr("taxonym.executor.checkpoints.WorkFolder.save", counted)
    assert main([*OPTIONS, "--seed", "4"]) == 0
    assert (here / "out.csv").read_bytes() == whole
    assert not before & set(saved)
    assert saved
    assert not work.exists()
    assert "Secretperson" not in capsys.readouterr().err


def test_the_draws_of_a_killed_run_without_a_seed_are_those_of_the_run_that_goes_on(here: Path) -> None:
    killed_after(2)
    entropy = json.loads((here / FOLDER / "run.json").read_text())["entropy"]
    plan = Plan.from_dict({"columns": {"words": {"role": "quasi-identifier"}}})
    with pytest.raises(BadInput, match="belongs to a run with another input, plan or version"):  # noqa: SIM117
        with work_folder(here, here / "in.csv", plan, [1]):
            pass

    with work_folder(here, here / "in.csv", read_plan(here / "plan.toml"), [1, 2]) as work:
        assert work.entropy == entropy != [1, 2]
    assert not (here / FOLDER).exists()


def test_a_killed_run_without_a_seed_goes_on_to_the_same_release_each_time(here: Path) -> None:
    killed_after(2)
    shutil.copytree(here / FOLDER, here / "as it was")
    made = []
    for _ in range(2):
        assert main(OPTIONS) == 0
        made.append((here / "out.csv").read_bytes())
        shutil.copytree(here / "as it was", here / FOLDER)
    assert made[0] == made[1]


def test_another_input_is_refused_and_nothing_is_lost(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    killed_after(3)
    before = kept_in(here / FOLDER)
    assert len(before) >= 3
    with (here / "in.csv").open("a") as file:
        file.write("Secretperson1,dog,pay1\n")
    assert main(OPTIONS) == 2
    assert "belongs to a run with another input" in capsys.readouterr().err
    assert kept_in(here / FOLDER) == before


def test_a_folder_of_files_is_worked_on_like_one_file_and_nothing_is_written_into_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*OPTIONS, "--seed", "4"]) == 0
    whole, parts = pl.read_csv(here / "in.csv", infer_schema=False), here / "parts"
    parts.mkdir()
    for number, part in enumerate(whole.iter_slices(70)):
        part.write_parquet(parts / f"{number}.parquet")
    options = ["anonymize", "parts", "--plan", "plan.toml", "--no-baselines", "--work", ".", "--seed", "4", "-o"]
    assert main([*options, "again.csv", "--trail", "trail"]) == 0
    trail = [json.loads(line) for line in (here / "trail").read_text().splitlines()]
    assert len(trail) == 1 + whole.height
    checked = ["verify", "again.csv", "--plan", "plan.toml", "-k", "3", "--original", "parts", "--trail", "trail"]
    assert main(checked) == 0
    assert (here / "again.csv").read_bytes() == (here / "out.csv").read_bytes()
    before = text_in(parts)
    assert main([*options, "parts/0.parquet"]) == 2
    assert "lies in the folder to anonymise" in capsys.readouterr().err
    assert text_in(parts) == before


@pytest.mark.parametrize("workers", [1, 2])
def test_worker_processes_change_nothing(here: Path, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "WORTH_IT", 1)
    plan = Plan.from_dict(
        {
            "input": {"person": "who"},
            "columns": {"words": {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}},
            "method": {"k": 3, "blocks": "always", "block_size": 20, "seed": 3},
        }
    )
    made = taxonym.anonymize(here / "in.csv", plan, baselines=False, workers=workers, work=here)
    monkeypatch.setattr(pieces, "WORTH_IT", 10**9)
    assert made.frame.equals(taxonym.anonymize(here / "in.csv", plan, baselines=False, workers=1).frame)


def test_a_folder_that_others_can_see_into_or_that_is_not_there_is_refused(here: Path) -> None:
    plan = Plan.from_dict({"columns": {"words": {"role": "quasi-identifier"}}})
    with pytest.raises(BadInput, match="there is no such folder"):
        taxonym.anonymize(here / "in.csv", plan, work=here / "none")
    os.mkdir(here / FOLDER, 0o755)
    with pytest.raises(BadInput, match="others can see into it"):
        taxonym.anonymize(here / "in.csv", plan, work=here)
    os.chmod(here / FOLDER, 0o700)
    (here / FOLDER / "letter.txt").write_text("mine")
    with pytest.raises(BadInput, match="holds files of something else"):
        taxonym.anonymize(here / "in.csv", plan, work=here)
    assert (here / FOLDER / "letter.txt").exists()


def test_a_second_run_in_the_same_folder_at_the_same_time_is_refused(here: Path) -> None:
    plan = Plan.from_dict({"columns": {"words": {"role": "quasi-identifier"}}})
    with work_folder(here, here / "in.csv", plan, [1]), pytest.raises(BadInput, match="another run works there now"):  # noqa: SIM117
        with work_folder(here, here / "in.csv", plan, [1]):
            pass


def test_work_folders_are_for_files_and_for_senses_that_need_no_other_words(here: Path) -> None:
    plan = {
        "columns": {"words": {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet", "senses": "context"}}
    }
    with pytest.raises(BadPlan, match=r"columns.words.senses: 'context' looks at all words of a person at once"):
        taxonym.anonymize(here / "in.csv", plan, work=here)
    with pytest.raises(BadInput, match="a work folder is for files"):
        taxonym.anonymize(taxonym.io.files.read(here / "in.csv"), plan, work=here)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("who,pay\na,1\n", "in.csv: there is no column 'words' among its 2"),
        ("words,pay\ndog,1\n", "in.csv: there is no column 'who' among its 2"),
        ("", "in.csv: the file is empty"),
        ("who,words,pay\na,dog,1\nb,cat\n", "in.csv: line 3: has 2 cells, not 3"),
        ("who,words,pay\na,dog,1\n,cat,2\n", "'who': does not say whose row it is in 1 of 2 rows, first in row 2"),
        ("who,words,pay\na,dog,1\nb,cat,2\n", "has 2 persons, fewer than k = 3"),
    ],
)
def test_what_is_wrong_is_said_as_ever_and_leaves_no_folder_behind(
    here: Path, content: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "in.csv").write_text(content)
    assert main(OPTIONS) in (1, 2)
    assert complaint in capsys.readouterr().err
    assert not (here / FOLDER).exists()
    assert not (here / "out.csv").exists()
