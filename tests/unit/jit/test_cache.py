"""Where compiled functions are kept, and what becomes of those that cannot be trusted."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np
import pytest

from taxonym.errors import TaxonymWarning
from taxonym.jit import cache, kernel
from taxonym.jit.cache import KernelCache, cache_folder
from taxonym.jit.sorting import sort
from tests.symbols import numbered


@pytest.fixture
def afresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A base for caches; nothing is known of any other."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "base"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(cache, "_warned", False)
    cache_folder.cache_clear()
    yield tmp_path / "base"
    cache_folder.cache_clear()


SPOILT = {
    "open to others": "is open to others; close it with chmod 700",
    "a link": "is a link or a file, and must be a folder",
    "a file": "is a link or a file, and must be a folder",
    "somebody else's": "belongs to somebody else",
}


def doubled(x):  # type: ignore[no-untyped-def]
    return 2 * x


def hits(function) -> int:  # type: ignore[no-untyped-def]
    return sum(function.stats.cache_hits.values())


def test_a_function_is_compiled_once_and_kept_for_its_owner_only(afresh: Path) -> None:
    first, second = kernel(doubled), kernel(doubled)
    assert (first(2), hits(first)) == (4, 0)
    assert (second(3), hits(second)) == (6, 1)
    folder = cache_folder()
    assert folder is not None
    assert folder.parent == afresh / "taxonym"
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent)] == [0o700, 0o700]
    assert len(list(folder.iterdir())) == 1


def test_every_signature_has_a_file_of_its_own_and_that_of_another_is_not_taken_for_it(afresh: Path) -> None:
    first = kernel(doubled)
    assert (first(2), first(2.5)) == (4, 5.0)
    folder = cache_folder()
    assert folder is not None
    one, other = sorted(folder.iterdir())
    shutil.copy(one, other)
    again = kernel(doubled)
    assert (again(2), again(2.5), hits(again)) == (4, 5.0, 1)


HARMS = {
    "half": lambda b: b[: len(b) // 2],
    "nothing": lambda b: b"",
    "something else": lambda b: b"no pickle",
    "one bit": lambda b: b[: len(b) // 2] + bytes([b[len(b) // 2] ^ 1]) + b[len(b) // 2 + 1 :],
    "a page of zeros": lambda b: b[:1024] + bytes(512) + b[1536:],
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_a_damaged_file_is_compiled_again(afresh: Path, harm) -> None:  # type: ignore[no-untyped-def]
    kernel(doubled)(2)
    folder = cache_folder()
    assert folder is not None
    (file,) = folder.iterdir()
    file.write_bytes(harm(file.read_bytes()))
    again = kernel(doubled)
    assert (again(2), hits(again)) == (4, 0)
    assert hits(kernel(doubled)) == 0
    third = kernel(doubled)
    assert (third(2), hits(third)) == (4, 1)


def test_a_disk_that_is_full_is_said_once_and_stops_nothing(afresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache._Files, "save", full)
    made = kernel(doubled)
    with pytest.warns(TaxonymWarning, match="results are the same.*longer.*No space left") as told:
        assert (made(2), made(2.5)) == (4, 5.0)
    assert len(told) == 1


@pytest.mark.parametrize("spoil", SPOILT)
@pytest.mark.parametrize("which", ["taxonym", "kernels"])
def test_a_folder_that_is_not_the_users_alone_is_neither_read_nor_written(
    afresh: Path, monkeypatch: pytest.MonkeyPatch, spoil: str, which: str
) -> None:
    folder = cache_folder()
    assert folder is not None
    kernel(doubled)(2)
    target = folder if which == "kernels" else folder.parent
    if spoil == "open to others":
        target.chmod(0o770)
    elif spoil == "a link":
        target.rename(afresh / "elsewhere")
        target.symlink_to(afresh / "elsewhere")
    elif spoil == "a file":
        target.rename(afresh / "elsewhere")
        target.write_bytes(b"")
    else:
        mine = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    cache_folder.cache_clear()
    with pytest.warns(TaxonymWarning, match=SPOILT[spoil]) as told:
        made = [kernel(doubled), kernel(doubled)]
    assert [(one(2), hits(one)) for one in made] == [(4, 0), (4, 0)]
    assert len(told) == 1
    assert len(list(afresh.rglob("*.nbc"))) == 1


@pytest.mark.parametrize("base", ["/dev/null/x", "/proc/none"])
def test_without_a_place_to_write_functions_are_compiled_and_that_is_said_once(
    afresh: Path, monkeypatch: pytest.MonkeyPatch, base: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    with pytest.warns(TaxonymWarning, match="every run takes about a minute longer") as told:
        assert (kernel(doubled)(2), kernel(doubled)(2.5)) == (4, 5.0)
    assert len(told) == 1


def test_without_a_home_functions_are_compiled(afresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # nobody knows this user
    with pytest.warns(TaxonymWarning, match="there is no such home folder"):
        assert kernel(doubled)(2) == 4


def test_another_place_can_be_named_and_a_relative_one_is_not_taken(
    afresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "other"))
    folder = cache_folder()
    assert folder is not None
    assert folder.parents[1] == tmp_path / "other"


def test_what_was_compiled_from_other_source_or_with_other_settings_is_not_read(
    afresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamps = {cache._stamp()}
    read = Path.read_bytes
    for change in (
        lambda: monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1),
        lambda: monkeypatch.setattr(numba, "__version__", "0.0"),
        lambda: monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"#" * (path.name == "sorting.py")),
    ):
        cache._stamp.cache_clear()
        change()
        stamps.add(cache._stamp())
    cache._stamp.cache_clear()
    assert len(stamps) == 4


def test_a_cache_that_cannot_be_written_is_read_however_old_it_is(
    afresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel(doubled)(2)
    folder = cache_folder()
    assert folder is not None
    os.utime(folder, (0, 0))

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    for name in ("utime", "unlink", "rmdir"):
        monkeypatch.setattr(os, name, refuse)
    cache_folder.cache_clear()
    again = kernel(doubled)
    assert (again(2), hits(again)) == (4, 1)


def test_what_is_behind_a_link_or_nobodys_cache_is_not_removed(afresh: Path, tmp_path: Path) -> None:
    above, precious = afresh / "taxonym", tmp_path / "precious"
    for folder in (precious, above, above / "kernels-other"):
        folder.mkdir(parents=True, mode=0o700)
    (precious / "x.nbc").write_bytes(b"mine")
    (above / "kernels-other" / "notes.txt").write_bytes(b"mine")
    (above / "kernels-link").symlink_to(precious)
    (above / "kernels-gone").symlink_to(tmp_path / "nowhere")
    for folder in (precious, above / "kernels-other"):
        os.utime(folder, (0, 0))
    assert cache_folder() is not None
    assert (precious / "x.nbc").exists()
    assert (above / "kernels-other" / "notes.txt").exists()


def test_folders_of_other_versions_are_removed_when_nobody_has_used_them_for_long(afresh: Path) -> None:
    old, recent = (afresh / "taxonym" / name for name in ("kernels-old", "kernels-recent"))
    for folder in (old, recent):
        folder.mkdir(parents=True)
        (folder / "x.nbc").write_bytes(b"x")
    (afresh / "taxonym").chmod(0o700)
    os.utime(old, (0, 0))
    mine = cache_folder()
    assert mine is not None
    assert sorted(path.name for path in mine.parent.iterdir()) == sorted([mine.name, "kernels-recent"])


def test_worker_processes_say_nothing(tmp_path: Path) -> None:
    script = (
        "import multiprocessing\n"
        "def work():\n    import taxonym.jit.sorting\n"
        "if __name__ == '__main__':\n"
        "    process = multiprocessing.get_context('spawn').Process(target=work)\n    process.start()\n"
        "    process.join()\n"
    )
    (tmp_path / "script.py").write_text(script)
    environment = os.environ | {"XDG_CACHE_HOME": "/dev/null/x"}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""


def test_kernels_of_the_product_are_kept_in_the_folder_and_none_has_the_number_of_another() -> None:
    values = np.array([3, 1, 2])
    sort(values)
    assert values.tolist() == [1, 2, 3]
    assert isinstance(sort._cache, KernelCache)
    folder = cache_folder()
    assert folder is not None
    found = numbered(folder)  # by all processes of these tests, in whatever order they ran
    assert found
    assert {number: names for number, names in found.items() if len(names) > 1} == {}
