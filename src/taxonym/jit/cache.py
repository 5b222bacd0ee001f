# mypy: allow-untyped-calls, allow-subclassing-any
"""Where compiled functions are kept: in a folder of the user's that nobody else may enter.

They are machine code, so a folder is used only if it is the user's own. Its name is a digest of the source of all
kernels, of numba and of the settings that change what it compiles: what was compiled from other source, or by a version
that kept its functions elsewhere, is never read. Where there is no folder to be had, every process compiles for itself.
"""

import os
import sys
import warnings
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from multiprocessing import parent_process
from pathlib import Path
from time import time
from typing import Any

import llvmlite
import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, NullCache

from taxonym.errors import TaxonymWarning

SETTINGS = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT", "CPU_NAME", "CPU_FEATURES")
OTHERS = 0o077  # what group and others may do
DIGEST = 32  # bytes
UNUSED = 30 * 86_400  # seconds after which the folder of another version is removed


def keep_compiled(made: Any) -> None:
    """Let a compiled function be found by later processes, if there is a place for it."""
    made._cache = NullCache() if (folder := cache_folder()) is None else KernelCache(made.py_func, folder)


@cache
def cache_folder() -> Path | None:
    """The folder of this user, source and compiler; None, and a warning, where there can be none."""
    try:
        above = _user_folder() / "taxonym"
        above.parent.mkdir(parents=True, exist_ok=True)
        folder = above / f"kernels-{_stamp()}"
        for path in (above, folder):
            with suppress(FileExistsError):
                path.mkdir(mode=0o700)
            _check_owner(path)
    except OSError as error:
        _warn(f"{error.filename}: {error.strerror}")
        return None
    _forget_unused(folder)
    return folder


def _user_folder() -> Path:
    """Where caches of this user belong, by the custom of the system; NUMBA_CACHE_DIR names another place."""
    for name in ("NUMBA_CACHE_DIR", "LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME"):
        if os.path.isabs(found := os.environ.get(name, "")):
            return Path(found)
    home = Path(os.path.expanduser("~"))
    if not home.is_absolute() or home == Path(home.anchor):
        raise FileNotFoundError(2, "there is no such home folder", str(home))
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def _check_owner(path: Path) -> None:
    """Refuse a folder into which somebody else could have put something."""
    if path.is_symlink() or not path.is_dir():
        raise NotADirectoryError(20, "is a link or a file, and must be a folder", str(path))
    if os.name == "nt":
        return  # a user's profile is closed to others
    found = path.stat()
    if found.st_uid != os.geteuid():
        raise PermissionError(1, "belongs to somebody else", str(path))
    if found.st_mode & OTHERS:
        raise PermissionError(1, "is open to others; close it with chmod 700", str(path))


@cache
def _stamp() -> str:
    """A digest of all that compiled functions depend on."""
    package, known = Path(__file__).parents[1], blake2b(digest_size=12)
    about = [numba.__version__, llvmlite.__version__, sys.implementation.cache_tag]
    about += [f"{name}={getattr(numba.config, name, None)}" for name in SETTINGS]
    known.update("\n".join(about).encode())
    sources = [(path.relative_to(package).as_posix(), path.read_bytes()) for path in sorted(package.rglob("*.py"))]
    for name, source in sources:
        if b"taxonym.jit" in source or name.startswith("jit/"):  # has kernels, or constants of some
            known.update(b"\0%s\0%d\0%s" % (name.encode(), len(source), source))
    if not sources:
        raise FileNotFoundError(2, "the package is not a folder of files", str(package))
    return known.hexdigest()


def _forget_unused(folder: Path) -> None:
    """Remove the files of other versions that were not used for long; what cannot be removed stays."""
    with suppress(OSError):
        os.utime(folder)
    for other in folder.parent.glob("kernels-*"):
        with suppress(OSError):
            if other != folder and not other.is_symlink() and other.stat().st_mtime < time() - UNUSED:
                for file in other.glob("*.nbc"):
                    file.unlink()
                other.rmdir()


def _warn(why: str) -> None:
    """Say once, and not in every worker process, that nothing is kept."""
    global _warned
    if not _warned and parent_process() is None:
        _warned = True
        warnings.warn(
            f"the results are the same, but every run takes about a minute longer, since what it compiles cannot be "
            f"kept ({why}). To keep it, mend that, or set XDG_CACHE_HOME to a folder of yours that can be written.",
            TaxonymWarning,
            stacklevel=2,
        )


_warned = False


class KernelCache(FunctionCache):
    """numba's cache of one function, in our folder. A file that cannot be written is compiled again next time."""

    def __init__(self, function: Any, folder: Path) -> None:
        self._name, self._py_func = repr(function), function
        self._impl = _Place(function, folder)
        self._cache_path = str(folder)
        self._cache_file = _Files(str(folder), self._impl.filename_base, folder.name)
        self.enable()

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn(f"{self._cache_path}: {error.strerror}")


class _Place(CompileResultCacheImpl):
    """How the files of a function are called, which stand beside those of all others."""

    def __init__(self, function: Any, folder: Path) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._filename_base = f"{function.__module__}.{function.__qualname__}-{self._lineno}"
        self._locator = self
        self._py_file = function.__code__.co_filename

    def ensure_cache_path(self) -> None:
        """The folder is there."""


class _Files(IndexDataCacheFile):
    """One file for every signature, named after it: the signature, the code, and a digest of both.

    numba numbers the files and lists them in an index; two processes that compile two signatures of one function at
    once may give both the same number, and the index then names one and the file holds the other.
    """

    def save(self, key: Any, data: Any) -> None:
        kept = self._dump((key, data))
        with self._open_for_write(self._data_path(self._name_of(key))) as file:
            file.write(kept + _digest(kept))

    def load(self, key: Any) -> Any:
        """None where there is nothing, or where a full disk or a power cut has left something else: in machine code one
        wrong bit is enough."""
        name = self._name_of(key)
        try:
            found = Path(self._data_path(name)).read_bytes()
        except OSError:
            return None
        if len(found) < DIGEST or found[-DIGEST:] != _digest(found[:-DIGEST]):
            return None
        known, data = self._load_data(name)
        return data if known == key else None

    def _name_of(self, key: Any) -> str:
        digest = blake2b(repr(key).encode(), digest_size=12).hexdigest()
        return f"{self._index_name.removesuffix('.nbi')}.{digest}.nbc"


def _digest(kept: bytes) -> bytes:
    return blake2b(kept, digest_size=DIGEST).digest()
