"""Files that appear whole or not at all, one by one or several together."""

import hashlib
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path
from time import time
from typing import BinaryIO

from taxonym.errors import BadInput

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_OLD = ".old.part"  # ends the second name of a file that is about to be replaced
_PATIENCE = 60  # seconds: names are given in less


@contextmanager
def whole_file(path: Path, private: bool = False, together: "Together | None" = None) -> Iterator[BinaryIO]:
    """Write beside `path`, then rename: a kill at any moment leaves the old file, the new one, or none.

    `private` makes the file readable by its owner only. `together` names it when it names all others of a run.
    """
    with ExitStack() as stack:
        files = together if together is not None else stack.enter_context(Together())
        with files.stage(path, private) as file:
            yield file


def check_ordinary(path: Path) -> None:
    """Complain of a device or a pipe, which a file would take the place of."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise BadInput(f"{path}: is not an ordinary file. Name another, so that nothing is lost.")


class Together:
    """Files of a run. Each is written beside its place; at the end of the `with` all get their names, or none does.

    Where a name cannot be given, those given before are taken back. Only a kill in between, which is a few renames
    long, leaves some files new and some old.
    """

    def __init__(self) -> None:
        self._staged: dict[Path, str] = {}  # a file's place, and where it is written
        self._gone: list[Path] = []
        self._locks = ExitStack()  # held as long as a file that is not named yet is somebody's

    def __enter__(self) -> "Together":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                with _undisturbed():
                    self._name_all()
        finally:
            for beside in self._staged.values():
                with suppress(OSError):
                    os.unlink(beside)
            self._locks.close()

    @contextmanager
    def stage(self, path: Path, private: bool = False) -> Iterator[BinaryIO]:
        """A file to be written beside its place. What runs that were killed have left there is removed.

        A link stays: what it leads to is replaced. A device or a pipe is no place for a file, and would be lost.
        """
        path = Path(os.path.realpath(path)) if path.is_symlink() else path
        check_ordinary(path)
        _remove_left_over(path)
        try:
            handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        except OSError as error:
            raise BadInput(f"{path}: cannot be written ({error.strerror}). Choose a folder you may write to.") from None
        self._staged[path] = beside
        self._locks.callback(os.close, _lock(os.dup(handle)))
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.chmod(beside, 0o600 if private else 0o666 & ~_umask())
        except OSError as error:
            raise BadInput(f"{path}: could not be written ({error.strerror}); nothing was changed.") from error

    def remove(self, path: Path) -> None:
        """A file that belongs to what is replaced: it goes when the others get their names."""
        self._gone.append(path)

    def sha256(self, path: Path) -> str:
        """The fingerprint of a file that was written, before it gets its name."""
        with open(self._staged[Path(os.path.realpath(path)) if path.is_symlink() else path], "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def _name_all(self) -> None:
        old: dict[Path, str | None] = {}
        named: list[Path] = []
        try:
            for path, beside in self._staged.items():
                if len(self._staged) + len(self._gone) > 1:
                    old[path] = _second_name(path)
                os.replace(beside, path)
                named.append(path)
            for path in filter(Path.exists, self._gone):
                old[path] = _second_name(path)
                os.unlink(path)
                named.append(path)
        except BaseException as error:
            left = [str(other) for other in old if not _as_before(other, old[other], other in named)]
            if isinstance(error, OSError):
                state = f"{', '.join(left)} could not be put back" if left else "nothing was changed"
                raise BadInput(f"{path}: could not be written ({error.strerror}); {state}.") from error
            raise
        for before in filter(None, old.values()):
            os.unlink(before)


def _second_name(path: Path) -> str | None:
    """Another name for the file that is there; a copy where it may not have one."""
    if not path.exists():
        return None
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=_OLD, dir=path.parent)
    os.close(handle)
    try:
        os.unlink(name)
        os.link(path, name)
    except OSError:
        try:
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT, 0o600))  # for nobody else before it is whole
            shutil.copyfile(path, name)
            shutil.copystat(path, name)
        except OSError:
            with suppress(OSError):
                os.unlink(name)
            raise
    return name


def _as_before(path: Path, before: str | None, replaced: bool) -> bool:
    """Undo what was done to a file; whether that went well."""
    try:
        if not replaced:
            if before is not None:
                os.unlink(before)
        elif before is None:
            path.unlink()
        else:
            os.replace(before, path)
    except OSError:
        return False
    return True


# ---------------------------------------------------------------------- runs that were stopped


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Nobody stops the process meanwhile: who tries to is too late, since all files are written."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    stops = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(stop, signal.SIG_IGN) for stop in stops]
    try:
        yield
    finally:
        for stop, handler in zip(stops, before, strict=True):
            signal.signal(stop, signal.SIG_DFL if handler is None else handler)  # None: not set from Python


def _lock(handle: int) -> int:
    """Show that the file belongs to a process that lives."""
    if fcntl is not None:
        with suppress(OSError):  # a file system without locks: nothing is removed there
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return handle


def _remove_left_over(path: Path) -> None:
    """Remove files that were to become this one and belong to no process any more."""
    if fcntl is None:
        return
    for other in path.parent.glob(f".{escape(path.name)}.*.part"):
        with suppress(OSError), other.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not other.name.endswith(_OLD) or time() - other.stat().st_ctime > _PATIENCE:
                other.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
