"""The folder that was opened: what lies below it may be read, and its projects are written there. Nothing else is."""

import os
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from taxonym.errors import BadInput

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

SUFFIX = ".studio"  # ends the name of a project's folder
MOST_BYTES = 4 * 10**9  # of an upload
MOST_LISTED = 500
_DATA = (
    ".csv", ".tsv", ".tab", ".parquet", ".pq", ".jsonl", ".ndjson", ".json", ".xlsx", ".sav", ".dta", ".log", ".txt",
)  # fmt: skip
_PACKED = (".gz", ".zst", ".xz", ".bz2", ".zip")
_DEPTH = 4


class FoundFile(NamedTuple):
    """A file or folder that may be opened, by its path below the folder, and its bytes."""

    name: str
    size: int
    is_folder: bool = False


class OpenedFolder:
    """A folder and the lock on it: one studio at a time."""

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise BadInput(f"{path}: is not a folder. Name a folder, or a file in it.")
        self.path = path.resolve()
        self._lock = locked(self.path)

    def close(self) -> None:
        """Let another studio have it."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def inside(self, name: str) -> Path:
        """The place of something below the folder; raise if it is elsewhere, be it by dots or by a link."""
        given = Path(name)
        if not name or "\0" in name or given.is_absolute() or ".." in given.parts:
            raise BadInput("A file must lie below the folder that was opened.")
        try:
            place = (self.path / given).resolve()
        except (OSError, RuntimeError):  # a link that leads to itself
            raise BadInput("A file must lie below the folder that was opened.") from None
        if not place.is_relative_to(self.path):
            raise BadInput("A file must lie below the folder that was opened; this link leads out of it.")
        return place

    def name_of(self, place: Path) -> str:
        """How something below the folder is called in it."""
        return str(place.resolve().relative_to(self.path))

    def data(self) -> list[FoundFile]:
        """What may be opened: files whose names say that they are tables or logs, and folders of texts."""
        found: list[FoundFile] = []
        for at, folders, names in os.walk(self.path):
            here = Path(at)
            depth = len(here.relative_to(self.path).parts)
            folders[:] = sorted(f for f in folders if not f.startswith(".") and not f.endswith(SUFFIX))
            if depth >= _DEPTH:
                folders.clear()
            for name in sorted(names):
                file = here / name
                if name.startswith(".") or not _is_data(name):
                    continue
                with suppress(BadInput, OSError):
                    below = self.inside(str(file.relative_to(self.path)))
                    if below.is_file():
                        found.append(FoundFile(str(file.relative_to(self.path)), below.stat().st_size))
            if len(found) > MOST_LISTED:
                break
        texts = {str(Path(one.name).parent) for one in found if one.name.endswith(".txt")} - {"."}
        listed = [one for one in found[:MOST_LISTED] if str(Path(one.name).parent) not in texts]
        return [*listed, *(FoundFile(name, 0, True) for name in sorted(texts))]

    def plans(self) -> list[str]:
        """Plans that lie in the folder itself."""
        return sorted(file.name for file in self.path.glob("*.toml") if file.is_file() and not file.is_symlink())

    async def keep(self, name: str, chunks: AsyncIterator[bytes], most: int = MOST_BYTES) -> str:
        """Write what is uploaded to a new file of the folder, piece by piece; raise if it is too much. Its name."""
        place = self._free(name)
        part = place.with_name(f".{place.name}.part")
        written = 0
        try:
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
            with os.fdopen(handle, "wb") as file:
                async for chunk in chunks:
                    written += len(chunk)
                    if written > most:
                        raise BadInput(f"This is more than {most:,} bytes. Put the file into the folder yourself.")
                    file.write(chunk)
            os.replace(part, place)
        except OSError as error:
            raise BadInput(f"The file could not be kept ({error.strerror}).") from None
        finally:
            with suppress(OSError):
                os.unlink(part)
        return place.name

    def _free(self, name: str) -> Path:
        """A place for a file of this name that takes no other's."""
        plain = "".join(c if c.isalnum() or c in "-_. ()" else "_" for c in name)[-120:].strip(". ")
        if not plain or not _is_data(plain):
            raise BadInput(f"This is not a file that can be opened. Its name must end in {', '.join(_DATA)}.")
        stem, dot, rest = plain.partition(".")
        place, n = self.path / plain, 1
        while place.exists() or place.is_symlink():
            n += 1
            place = self.path / f"{stem}-{n}{dot}{rest}"
        return place


def _is_data(name: str) -> bool:
    low = name.lower()
    for packed in _PACKED:
        low = low.removesuffix(packed)
    return low.endswith(_DATA)


def locked(path: Path) -> int | None:
    """A lock on a folder, which ends with the process; raise if another has it."""
    if fcntl is None:
        return None
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise BadInput(f"{path}: another studio is open on this folder. Use that one, or end it first.") from None
    return handle
