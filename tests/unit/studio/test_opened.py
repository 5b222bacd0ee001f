"""The folder that was opened: what lies elsewhere is neither read nor written."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from taxonym.cli import main
from taxonym.errors import BadInput
from taxonym.studio.opened import OpenedFolder
from taxonym.studio.server import demo_folder, opened


@pytest.fixture
def folder(tmp_path: Path) -> OpenedFolder:
    (tmp_path / "in").mkdir()
    (tmp_path / "outside.csv").write_text("a\n1\n")
    return OpenedFolder(tmp_path / "in")


@pytest.mark.parametrize("name", ["../outside.csv", "a/../../outside.csv", "/etc/passwd", "", "x\0y", "..", "a/.."])
def test_dots_and_other_places_are_refused(folder: OpenedFolder, name: str) -> None:
    with pytest.raises(BadInput, match="below the folder"):
        folder.inside(name)


def test_links_that_lead_out_are_refused_and_not_listed(folder: OpenedFolder, tmp_path: Path) -> None:
    (folder.path / "link.csv").symlink_to(tmp_path / "outside.csv")
    (folder.path / "up").symlink_to(tmp_path)
    (folder.path / "loop.csv").symlink_to(folder.path / "loop.csv")
    (folder.path / "own.csv").write_text("a\n1\n")
    (folder.path / "near.csv").symlink_to(folder.path / "own.csv")
    for name in ("link.csv", "up/outside.csv", "loop.csv"):
        with pytest.raises(BadInput, match="below the folder"):
            folder.inside(name)
    assert {one.name for one in folder.data()} == {"own.csv", "near.csv"}


def test_only_one_studio_may_have_a_folder(tmp_path: Path) -> None:
    first = OpenedFolder(tmp_path)
    code = "import sys; from pathlib import Path; from taxonym.studio.opened import OpenedFolder\n"
    code += "try: OpenedFolder(Path(sys.argv[1]))\nexcept Exception as e: print(e)"
    said = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True).stdout
    assert "another studio is open on this folder" in said
    first.close()
    OpenedFolder(tmp_path).close()


async def pieces(*texts: bytes) -> AsyncIterator[bytes]:
    for text in texts:
        yield text


def kept(coming: Coroutine[Any, Any, str]) -> str:
    """The name under which an upload was kept. In a thread of its own: a browser's tests leave a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coming).result()


@pytest.mark.parametrize(
    ("name", "plain"),
    [("a.csv", "a.csv"), ("../../b.csv", "_.._b.csv"), ("/etc/c.csv", "_etc_c.csv"), ("<b>d</b>.csv", "_b_d__b_.csv")],
)
def test_an_upload_lands_in_the_folder_under_a_plain_name(folder: OpenedFolder, name: str, plain: str) -> None:
    got = kept(folder.keep(name, pieces(b"a\n", b"1\n")))
    assert got == plain
    assert (folder.path / got).read_bytes() == b"a\n1\n"
    assert (folder.path / got).resolve().parent == folder.path
    assert "<" not in got
    assert "/" not in got
    assert (folder.path / got).stat().st_mode & 0o077 == 0


def test_an_upload_takes_no_other_files_place_and_ends_where_it_is_too_much(folder: OpenedFolder) -> None:
    first = kept(folder.keep("a.csv", pieces(b"1")))
    second = kept(folder.keep("a.csv", pieces(b"2")))
    assert first != second
    with pytest.raises(BadInput, match="more than 3 bytes"):
        kept(folder.keep("b.csv", pieces(b"12", b"34"), most=3))
    with pytest.raises(BadInput, match="not a file that can be opened"):
        kept(folder.keep("run.exe", pieces(b"1")))
    assert sorted(os.listdir(folder.path)) == sorted([first, second])


def test_a_file_a_folder_and_a_project_are_opened_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    (tmp_path / "a.csv.studio").mkdir()
    for given, source in ((tmp_path, None), (tmp_path / "a.csv", "a.csv"), (tmp_path / "a.csv.studio", "a.csv")):
        folder, found = opened(given)
        assert folder.path == tmp_path
        assert (found and found.name) == source
        folder.close()
    with pytest.raises(BadInput, match="no such file"):
        opened(tmp_path / "b.csv")


def test_the_demo_keeps_what_somebody_has_changed(tmp_path: Path) -> None:
    demo_folder(tmp_path / "demo")
    (tmp_path / "demo" / "diagnoses.toml").write_text("mine")
    demo_folder(tmp_path / "demo")
    assert (tmp_path / "demo" / "diagnoses.toml").read_text() == "mine"
    assert (tmp_path / "demo" / "diagnoses.csv").exists()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # uvicorn leaves a socket open
@pytest.mark.parametrize("port", ["99999", "-1", "taken"])
def test_a_port_that_cannot_be_used_is_one_line_and_exit_2(
    tmp_path: Path, port: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        number = str(other.getsockname()[1]) if port == "taken" else port
        assert main(["studio", str(tmp_path), "--no-open", "--port", number]) == 2
    out, said = capfd.readouterr()
    assert out == ""
    assert (
        said == f"taxonym: error: --port {number}: cannot be used. Choose another from 1 to 65535, or leave it out.\n"
    )
