# mypy: allow-untyped-calls, allow-subclassing-any
"""Where compiled functions are kept: in a folder of the user's that nobody else may enter.

They are machine code, so a folder is used only if it is the user's own. Its name is a digest of the source of all
kernels, of numba and of the settings that change what it compiles: what was compiled from other source, or by a version
that kept its functions elsewhere, is never read. Where there is no folder to be had, every process compiles for itself.
"""

import os
import sys
import warnings
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
            path.mkdir(mode=0o700, exist_ok=True)
            _check_owner(path)
        _forget_unused(folder)
    except OSError as error:
        _warn(f"{error.filename or 'compiled functions'}: {error.strerror}")
        return None
    return folder


def _user_folder() -> Path:
    """Where caches of this user belong, by the custom of the system; NUMBA_CACHE_DIR names another place."""
    for name in ("NUMBA_CACHE_DIR", "LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME"):
        if os.path.isabs(found := os.environ.get(name, "")):
            return Path(found)
    home = Path(os.path.expanduser("~"))
    if not home.is_absolute():
        raise FileNotFoundError(2, "there is no home folder", "compiled functions")
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def _check_owner(path: Path) -> None:
    """Refuse a folder into which somebody else could have put something."""
    if os.name == "nt":
        return  # a user's profile is closed to others
    found = path.lstat()
    if path.is_symlink() or found.st_uid != os.geteuid() or found.st_mode & OTHERS:
        raise PermissionError(1, "is not a folder for you alone (owner and mode 700)", str(path))


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
    """Remove what versions have left behind that were not used for long."""
    if os.access(folder, os.W_OK):
        os.utime(folder)
    for other in folder.parent.glob("kernels-*"):
        if other.stat().st_mtime < time() - UNUSED:
            for file in other.iterdir():
                file.unlink(missing_ok=True)
            other.rmdir()


def _warn(why: str) -> None:
    """Say once, and not in every worker process, that nothing is kept."""
    global _warned
    if not _warned and parent_process() is None:
        _warned = True
        warnings.warn(
            f"{why}. Functions are compiled in every run, which takes about a minute each time; set XDG_CACHE_HOME or "
            f"NUMBA_CACHE_DIR to a folder of yours that can be written.",
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
    """One file for every signature, named after it, with the signature inside.

    numba numbers the files and lists them in an index; two processes that compile two signatures of one function at
    once may give both the same number, and the index then names one and the file holds the other.
    """

    def save(self, key: Any, data: Any) -> None:
        self._save_data(self._file_of(key), (key, data))

    def load(self, key: Any) -> Any:
        try:
            known, data = self._load_data(self._file_of(key))
        except Exception:  # absent, or damaged by a full disk or a power cut: it is compiled again
            return None
        return data if known == key else None

    def _file_of(self, key: Any) -> str:
        digest = blake2b(repr(key).encode(), digest_size=12).hexdigest()
        return f"{self._index_name.removesuffix('.nbi')}.{digest}.nbc"
