"""Files that appear whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from taxonym.errors import BadInput


@contextmanager
def whole_file(path: Path, private: bool = False) -> Iterator[BinaryIO]:
    """Write beside `path`, then rename: a kill at any moment leaves the old file, the new one, or none.

    `private` makes the file readable by its owner only.
    """
    try:
        handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}). Choose a folder you may write to.") from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, 0o600 if private else 0o666 & ~_umask())
        os.replace(beside, path)
    except OSError as error:
        raise BadInput(f"{path}: could not be written ({error.strerror}); nothing was changed.") from error
    finally:
        if os.path.exists(beside):
            os.unlink(beside)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
