"""The folder of a sweep: finished cells, so that a sweep that was killed goes on, and one private file.

    cells/NAME.json   figures of one setting, with a mark
    private.json      the key of the marks and the seed: for the owner only

A mark says what a cell was computed from: input, plan, taxonomies, setting, judges, seed and version. It must tell the
owner whether a cell is stale, and nobody else whether a guess at the input is right; so it is keyed with a random
number that is kept in the private file alone. Where that file is lost, cells are computed again.
"""

import hashlib
import hmac
import io
import json
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taxonym import __version__
from taxonym.errors import BadInput
from taxonym.io.atomic import whole_file
from taxonym.io.frames import as_polars
from taxonym.plan import Plan
from taxonym.sweep.settings import Judges, Setting

NOTICE = "PRIVATE: not for publication. Whoever has the key can test guesses at the input; the seed replays the draws."


@dataclass(frozen=True, slots=True)
class Store:
    """An open folder. `key` and `seed` are private."""

    folder: Path
    key: bytes
    seed: int

    @classmethod
    def open(cls, folder: Path, seed: int | None = None) -> "Store":
        """The folder of an earlier sweep, or a new one; `seed` replaces the one that is kept there."""
        try:
            (folder / "cells").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"{folder}: cannot be made ({error.strerror}). Choose another folder.") from None
        private = folder / "private.json"
        kept = _read(private)
        try:
            key, old = bytes.fromhex(kept["key"]), int(kept["seed"])
        except (KeyError, TypeError, ValueError):
            key, old = secrets.token_bytes(32), secrets.randbits(63)
        store = cls(folder, key, old if seed is None else seed)
        if kept.get("key") != key.hex() or kept.get("seed") != store.seed:
            with whole_file(private, private=True) as file:
                file.write((json.dumps({"notice": NOTICE, "key": key.hex(), "seed": store.seed}) + "\n").encode())
        return store

    def read(self, setting: Setting, mark: str) -> dict[str, Any] | None:
        """The figures of a finished cell; None if there is none, or it was computed from something else."""
        cell = _read(self.folder / "cells" / setting.file)
        figures = cell.get("figures")
        return figures if cell.get("mark") == mark and isinstance(figures, dict) else None

    def write(self, setting: Setting, mark: str, figures: dict[str, Any]) -> None:
        """Keep a cell, whole or not at all."""
        cell = {"taxonym_cell": 1, "mark": mark, "setting": setting.as_data(), "figures": figures}
        with whole_file(self.folder / "cells" / setting.file, private=True) as file:
            file.write((json.dumps(cell, indent=1) + "\n").encode())


def marks(
    store: Store, source: Any, plan: Plan, settings: list[Setting], judges: Judges, sample: int, mine: bool = False
) -> dict[Setting, str]:
    """The mark of every setting."""
    about = {
        "taxonym": __version__,
        "input": _digest(source),
        "files": [_digest(Path(name)) for name in sorted(plan.files) if Path(name).exists()],
        "judges": judges.as_data(),
        "sample": sample,
        "mine": mine,
    }

    def mark(setting: Setting) -> str:
        told = about | {"plan": setting.plan(plan, store.seed).to_dict(), "setting": setting.as_data()}
        return hmac.digest(store.key, json.dumps(told, sort_keys=True).encode(), "sha256").hex()

    return {setting: mark(setting) for setting in settings}


def _digest(source: Any) -> str:
    """SHA-256 of a file, of all files of a folder, or of a table."""
    if not isinstance(source, str | Path):
        buffer = io.BytesIO()
        as_polars(source).write_ipc(buffer)
        return hashlib.sha256(buffer.getbuffer()).hexdigest()
    path = Path(source)
    if path.is_dir():
        every = sorted(file for file in path.rglob("*") if file.is_file())
        return hashlib.sha256("".join(_digest(file) for file in every).encode()).hexdigest()
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}).") from None


def _read(path: Path) -> dict[str, Any]:
    """A JSON object; empty where there is none, or it is damaged."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
