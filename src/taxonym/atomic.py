"""Files that appear whole or not at all, one by one or several together."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from taxonym.errors import BadInput


@contextmanager
def whole_file(path: Path, private: bool = False, together: "Together | None" = None) -> Iterator[BinaryIO]:
    """Write beside `path`, then rename: a kill at any moment leaves the old file, the new one, or none.

    `private` makes the file readable by its owner only. `together` names it when it names all others of a run.
    """
    with ExitStack() as stack:
        files = together if together is not None else stack.enter_context(Together())
        with files.stage(path, private) as file:
            yield file


class Together:
    """Files of a run. Each is written beside its place; at the end of the `with` all get their names, or none does.

    Where a name cannot be given, those given before are taken back. Only a kill in between, which is a few renames
    long, leaves some files new and some old.
    """

    def __init__(self) -> None:
        self._staged: dict[Path, str] = {}  # a file's place, and where it is written

    def __enter__(self) -> "Together":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._name_all()
        finally:
            for beside in self._staged.values():
                with suppress(OSError):
                    os.unlink(beside)

    @contextmanager
    def stage(self, path: Path, private: bool = False) -> Iterator[BinaryIO]:
        """A file to be written beside its place."""
        try:
            handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        except OSError as error:
            raise BadInput(f"{path}: cannot be written ({error.strerror}). Choose a folder you may write to.") from None
        self._staged[path] = beside
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.chmod(beside, 0o600 if private else 0o666 & ~_umask())
        except OSError as error:
            raise BadInput(f"{path}: could not be written ({error.strerror}); nothing was changed.") from error

    def _name_all(self) -> None:
        old: dict[Path, str | None] = {}
        try:
            for path, beside in self._staged.items():
                if len(self._staged) > 1:
                    old[path] = _second_name(path)
                os.replace(beside, path)
        except BaseException as error:
            for named, before in old.items():
                _put_back(named, before)
            if isinstance(error, OSError):
                raise BadInput(f"{path}: could not be written ({error.strerror}); nothing was changed.") from error
            raise
        for before in filter(None, old.values()):
            os.unlink(before)


def _second_name(path: Path) -> str | None:
    """Another name for the file that is there; a copy where the file system knows no second names."""
    if not path.exists():
        return None
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".old.part", dir=path.parent)
    os.close(handle)
    os.unlink(name)
    try:
        os.link(path, name)
    except OSError:
        shutil.copy2(path, name)
    return name


def _put_back(path: Path, before: str | None) -> None:
    if before is None:
        path.unlink(missing_ok=True)
    elif path.exists() and os.path.samefile(before, path):  # was not replaced, and a rename would leave both names
        os.unlink(before)
    else:
        os.replace(before, path)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
