import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from taxonym.atomic import whole_file
from taxonym.errors import BadInput


def test_a_file_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "x"
    with whole_file(target) as file:
        file.write(b"half")
        assert not target.exists()
    assert target.read_bytes() == b"half"


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "x"
    target.write_bytes(b"old")

    def fail() -> None:
        with whole_file(target) as file:
            file.write(b"new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x"]


def test_a_kill_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "x"
    target.write_bytes(b"old")
    script = (
        "import time\nfrom pathlib import Path\nfrom taxonym.atomic import whole_file\n"
        f"with whole_file(Path({str(target)!r})) as file:\n"
        "    file.write(b'new' * 100000)\n    print('writing', flush=True)\n    time.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert target.read_bytes() == b"old"


def test_private_files_are_for_their_owner_only(tmp_path: Path) -> None:
    with whole_file(tmp_path / "trail", private=True) as file:
        file.write(b"x")
    assert stat.S_IMODE((tmp_path / "trail").stat().st_mode) == 0o600


def test_other_files_follow_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        with whole_file(tmp_path / "x") as file:
            file.write(b"x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="none/x: cannot be written"), whole_file(tmp_path / "none" / "x"):
        pass


def test_a_write_that_fails_is_reported_as_such(tmp_path: Path) -> None:
    def fail() -> None:
        with whole_file(tmp_path / "x"):
            raise OSError(28, "No space left on device")

    with pytest.raises(BadInput, match="could not be written .No space left on device.; nothing was changed"):
        fail()
    assert os.listdir(tmp_path) == []
