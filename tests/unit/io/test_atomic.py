import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from taxonym.errors import BadInput
from taxonym.io.atomic import Together, whole_file


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
        "import time\nfrom pathlib import Path\nfrom taxonym.io.atomic import whole_file\n"
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


# ---------------------------------------------------------------------- several files


def write_all(*paths: Path) -> None:
    with Together() as files:
        for path in paths:
            with files.stage(path) as file:
                file.write(b"new")
            assert not path.exists() or path.read_bytes() == b"old"


def test_files_of_a_run_get_their_names_only_when_all_are_written(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"old")
    write_all(*(tmp_path / name for name in "abc"))
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == dict.fromkeys("abc", b"new")


def test_files_of_a_run_that_fails_leave_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")

    def fail() -> None:
        with Together() as files:
            for name in "ab":
                with files.stage(tmp_path / name) as file:
                    file.write(b"new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [(name, (tmp_path / name).read_bytes()) for name in os.listdir(tmp_path)] == [("a", b"old")]


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("stop", [OSError(21, "Is a directory"), KeyboardInterrupt()])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_names_that_were_given_are_taken_back_if_one_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, stop: BaseException, links: bool
) -> None:
    (tmp_path / "b").write_bytes(b"old")
    paths, replace = [tmp_path / name for name in "abc"], os.replace

    def fails(beside: str, path: Path) -> None:
        if Path(path) == paths[at] and not str(beside).endswith(".old.part"):
            raise stop
        replace(beside, path)

    def no_links(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "replace", fails)
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    with pytest.raises(KeyboardInterrupt if isinstance(stop, KeyboardInterrupt) else BadInput) as told:
        write_all(*paths)
    if isinstance(stop, OSError):
        assert str(told.value) == f"{paths[at]}: could not be written (Is a directory); nothing was changed."
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == {"b": b"old"}


def test_what_a_killed_run_has_left_is_removed_by_the_next_and_nothing_of_a_living_one(tmp_path: Path) -> None:
    stale, old, other = (tmp_path / name for name in (".x.abc123.part", ".x.abc123.old.part", ".y.abc123.part"))
    for path in (stale, old, other):
        path.write_bytes(b"left")
    with Together() as living, living.stage(tmp_path / "x") as file:
        file.write(b"1")
        with whole_file(tmp_path / "x") as again:
            again.write(b"2")
        assert (tmp_path / "x").read_bytes() == b"2"
    assert (tmp_path / "x").read_bytes() == b"1"
    assert sorted(os.listdir(tmp_path)) == sorted([old.name, other.name, "x"])  # the second name may be in use
    os.utime(old)
    with whole_file(tmp_path / "x") as file:
        file.write(b"3")
    assert old.exists()


def test_a_second_name_that_is_old_enough_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / ".x.abc123.old.part"
    old.write_bytes(b"left")
    monkeypatch.setattr("taxonym.io.atomic.time", lambda: old.stat().st_ctime + 61)
    with whole_file(tmp_path / "x") as file:
        file.write(b"new")
    assert os.listdir(tmp_path) == ["x"]


def test_nobody_stops_a_process_while_names_are_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace, handlers = os.replace, (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM))

    def stopped(beside: str, path: Path) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)
        replace(beside, path)

    monkeypatch.setattr(os, "replace", stopped)
    write_all(tmp_path / "a", tmp_path / "b")
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == handlers


def test_a_file_that_may_neither_be_linked_nor_replaced_leaves_no_copy_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a shared folder, where it is somebody else's."""
    for name in "ab":
        (tmp_path / name).write_bytes(b"old")
    replace = os.replace

    def refuse(beside: str, path: Path) -> None:
        if Path(path).name == "b":
            raise OSError(1, "Operation not permitted")
        replace(beside, path)

    def no_links(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(os, "link", no_links)
    with pytest.raises(BadInput, match="b: could not be written .Operation not permitted.; nothing was changed"):
        write_all(tmp_path / "a", tmp_path / "b")
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == dict.fromkeys("ab", b"old")


def test_what_cannot_be_put_back_is_named_instead_of_denied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "ab":
        (tmp_path / name).write_bytes(b"old")
    replace = os.replace

    def refuse(beside: str, path: Path) -> None:
        if Path(path).name == "b" or str(beside).endswith(".old.part"):
            raise OSError(5, "Input/output error")
        replace(beside, path)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(BadInput, match="b: could not be written .Input/output error.; .*/a could not be put back"):
        write_all(tmp_path / "a", tmp_path / "b")


def test_a_disk_that_is_full_leaves_no_half_of_a_second_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "b").write_bytes(b"old")

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "link", fails)
    monkeypatch.setattr("shutil.copyfile", fails)
    with pytest.raises(BadInput, match="b: could not be written .No space left on device.; nothing was changed"):
        write_all(tmp_path / "a", tmp_path / "b")
    assert os.listdir(tmp_path) == ["b"]


def test_a_copy_of_a_private_file_is_never_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a file may have no second name, it is copied; while that takes, nobody else may look."""
    (tmp_path / "b").write_bytes(b"old")
    copy, modes = shutil.copyfile, list[int]()

    def watched(source: Path, target: str) -> None:
        modes.append(stat.S_IMODE(os.stat(target).st_mode))
        copy(source, target)

    def no_links(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr("shutil.copyfile", watched)
    write_all(tmp_path / "a", tmp_path / "b")
    assert modes == [0o600]
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    with whole_file(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(BadInput, match="is not an ordinary file"), whole_file(pipe) as file:
        file.write(b"new")
    assert pipe.is_fifo()


def test_a_file_of_what_is_replaced_goes_with_it_or_stays(tmp_path: Path) -> None:
    new, gone = tmp_path / "new", tmp_path / "gone"
    gone.write_bytes(b"old")
    with pytest.raises(RuntimeError), Together() as files:  # noqa: PT012
        with whole_file(new, together=files) as file:
            file.write(b"new")
        files.remove(gone)
        raise RuntimeError
    assert os.listdir(tmp_path) == ["gone"]
    with Together() as files:
        files.remove(gone)
        with whole_file(new, together=files) as file:
            file.write(b"new")
        assert gone.exists()
    assert os.listdir(tmp_path) == ["new"]


def test_a_file_that_was_to_go_is_put_back_if_another_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new, gone, stays = (tmp_path / name for name in ("new", "gone", "stays"))
    for path in (new, gone, stays):
        path.write_bytes(b"old")
    unlink = os.unlink

    def refuse(path: str | Path) -> None:
        if Path(path) == stays:
            raise PermissionError(1, "not permitted")
        unlink(path)

    monkeypatch.setattr("taxonym.io.atomic.os.unlink", refuse)
    with pytest.raises(BadInput, match="nothing was changed"), Together() as files:  # noqa: PT012
        with whole_file(new, together=files) as file:
            file.write(b"new")
        files.remove(gone)
        files.remove(stays)
    assert {path.read_bytes() for path in (new, gone, stays)} == {b"old"}
    assert sorted(os.listdir(tmp_path)) == ["gone", "new", "stays"]
