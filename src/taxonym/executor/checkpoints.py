"""The work folder of a large run: what does not fit into memory, and what a killed run need not do again.

Everything lies in a folder of our own inside the one that the user names: readable by its owner only, numbers instead
of text, removed when the run succeeds. A run that finds the folder of a killed one with the same input and plan goes on
from there; that of any other run is refused.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import file_digest, sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from taxonym import __version__
from taxonym.errors import BadInput, TaxonymError
from taxonym.io.atomic import whole_file
from taxonym.io.compressed import as_it_is
from taxonym.io.files import files_of

FOLDER = "taxonym-work"
_RUN = "run.json"


class Settings(Protocol):
    """A plan, as far as it says whether two runs are the same."""

    @property
    def files(self) -> Sequence[str]: ...
    def to_toml(self) -> str: ...


class WorkFolder:
    """An open work folder. `entropy` is what all draws of the run depend on, also after it was killed."""

    def __init__(self, folder: Path, entropy: list[int]) -> None:
        self.folder, self.entropy = folder, entropy

    def path(self, name: str) -> Path:
        return self.folder / name

    def has(self, name: str) -> bool:
        return self.path(name).exists()

    def save(self, name: str, **arrays: NDArray[Any]) -> None:
        """Keep arrays of numbers, whole or not at all."""
        buffer = BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        with whole_file(self.path(name), private=True) as file:
            file.write(buffer.getbuffer())

    def load(self, name: str) -> Mapping[str, NDArray[Any]]:
        with np.load(self.path(name), allow_pickle=False) as found:
            return dict(found)

    def remove(self, pattern: str) -> None:
        for path in self.folder.glob(pattern):
            path.unlink()


@contextmanager
def work_folder(parent: str | Path, source: str | Path, plan: Settings, entropy: list[int]) -> Iterator[WorkFolder]:
    """The work folder below `parent` for anonymising a file by a plan; gone when all went well.

    Where a run was killed, its entropy counts instead of the one given.
    """
    if not Path(parent).is_dir():
        raise BadInput(
            f"{parent}: there is no such folder. Make it first: large work files will lie there for a while."
        )
    folder = Path(parent) / FOLDER
    mine = {"version": __version__, "input": _input_hash(source), "plan": _plan_hash(plan)}
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be made ({error.strerror}). Choose a folder you may write to.") from None
    if os.name == "posix" and (folder.stat().st_uid != os.getuid() or folder.stat().st_mode & 0o077):
        raise BadInput(f"{folder}: others can see into it. Remove it, so that it is made for your eyes only.")
    with _alone(folder):
        found = _run_in(folder)
        if found is None:
            if any(path.name != _LOCK for path in folder.iterdir()):
                raise BadInput(f"{folder}: holds files of something else. Choose another folder.")
            found = mine | {"entropy": entropy}
            with whole_file(folder / _RUN, private=True) as out:
                out.write(json.dumps(found).encode())
        elif any(found.get(key) != value for key, value in mine.items()):
            raise BadInput(
                f"{folder}: belongs to a run with another input, plan or version. Remove it, or choose another folder."
            )
        try:
            yield WorkFolder(folder, [int(e) for e in found["entropy"]])
        except TaxonymError:
            if not any(folder.glob("*.npz")):  # nothing that another try could go on with
                shutil.rmtree(folder)
            raise
        shutil.rmtree(folder)


_LOCK = "lock"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else works in the folder meanwhile; a killed run holds it no longer."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with (folder / _LOCK).open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadInput(f"{folder}: another run works there now. Wait for it, or choose another folder.") from None
        yield


def _run_in(folder: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((folder / _RUN).read_text())
        return found if isinstance(found, dict) else None
    except (OSError, ValueError):
        return None


def _input_hash(source: str | Path) -> str:
    """Of the file, or of the files of the folder, which count by their places and not by their names."""
    found = sha256()
    for path in files_of(source):
        with as_it_is(path) as file:
            found.update(file_digest(file, "sha256").digest())
    return found.hexdigest()


def _plan_hash(plan: Settings) -> str:
    """Of the plan, and of the files that it names."""
    found = sha256(plan.to_toml().encode())
    for name in plan.files:
        if Path(name).is_file():
            with Path(name).open("rb") as file:
                found.update(file_digest(file, "sha256").digest())
    return found.hexdigest()
