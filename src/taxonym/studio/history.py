"""Every change of a project, kept for ever: to be undone, redone, named, and gone back to.

A state is what the project's own files say: the plan, overrides, edits of hierarchies. A change leads from one state to
another. Where something else is done after an undo, what had been undone stays in the list, too.

    PROJECT/history/changes.json   all changes, and which one the files show now
    PROJECT/history/parts/         the texts of all states, each once, under the name of its file and a digest
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path, PurePath

from taxonym.errors import BadInput
from taxonym.io.atomic import Together, whole_file

State = Mapping[str, str]  # texts by the names of files


@dataclass(frozen=True, slots=True)
class Change:
    """What was done, in a sentence, when, and to which earlier state; `files` are the parts that hold the new one."""

    number: int
    before: int | None
    when: str
    what: str
    files: dict[str, str]
    name: str = ""


class History:
    """The changes of one project, in its folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._changes: list[Change] = []
        self._again: dict[int, int] = {}  # which change a redo takes after each
        self._now = -1
        file = home / "history" / "changes.json"
        if file.exists():
            self._read(file)

    def _read(self, file: Path) -> None:
        try:
            kept = json.loads(file.read_text("utf-8"))
            self._changes = [Change(**one) for one in kept["changes"]]
            self._again = {int(a): int(b) for a, b in kept["again"].items()}
            self._now = int(kept["now"])
            self._changes[self._now]
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            raise BadInput(f"{file}: is not the history of a project. Move it away to begin a new one.") from None

    # ------------------------------------------------------------------ what there is

    @property
    def changes(self) -> list[Change]:
        """All changes, the first first."""
        return list(self._changes)

    @property
    def now(self) -> Change | None:
        """The change that led to what the files say now."""
        return self._changes[self._now] if self._changes else None

    @property
    def can_undo(self) -> bool:
        return bool(self._changes) and self._changes[self._now].before is not None

    @property
    def can_redo(self) -> bool:
        return self._now in self._again

    def state(self, number: int | None = None) -> dict[str, str]:
        """The texts of a state, by the names of their files; without a number, of the present one."""
        if not self._changes:
            return {}
        if number is not None and not 0 <= number < len(self._changes):
            raise BadInput("There is no such change.")
        change = self._changes[self._now if number is None else number]
        try:
            return {name: (self._parts / part).read_text("utf-8") for name, part in change.files.items()}
        except OSError as error:
            raise BadInput(f"{self._parts}: a part of the history cannot be read ({error.strerror}).") from None

    @property
    def _parts(self) -> Path:
        return self.home / "history" / "parts"

    # ------------------------------------------------------------------ what changes it

    def record(self, what: str, state: State) -> Change | None:
        """A new state, and why; None where nothing is different."""
        if self._changes and dict(state) == self.state():
            return None
        files = {name: self._keep(name, text) for name, text in state.items()}
        when = datetime.now(UTC).isoformat(timespec="seconds")
        before = self._now if self._changes else None
        change = Change(len(self._changes), before, when, what, files)
        self._changes.append(change)
        if before is not None:
            self._again[before] = change.number
        self._show(change.number)
        return change

    def undo(self) -> bool:
        if not self.can_undo:
            return False
        before = self._changes[self._now].before
        assert before is not None
        self._again[before] = self._now
        self._show(before)
        return True

    def redo(self) -> bool:
        if not self.can_redo:
            return False
        self._show(self._again[self._now])
        return True

    def go(self, number: int) -> None:
        """To any state, whatever lies between."""
        if not 0 <= number < len(self._changes):
            raise BadInput("There is no such change.")
        self._show(number)

    def name(self, number: int, name: str) -> None:
        """Give a state a name; an empty one takes it away."""
        if not 0 <= number < len(self._changes):
            raise BadInput("There is no such change.")
        self._changes[number] = replace(self._changes[number], name=" ".join(name.split())[:80])
        self._show(self._now)

    def _keep(self, name: str, text: str) -> str:
        """The part that holds a text, which is written if it is new."""
        given = PurePath(name)
        part = f"{given.stem}-{sha256(text.encode()).hexdigest()[:16]}{given.suffix}"
        place = self._parts / part
        if not place.exists():
            self._parts.mkdir(parents=True, exist_ok=True)
            with whole_file(place, private=True) as file:
                file.write(text.encode())
        return part

    def _show(self, number: int) -> None:
        """Let the project's files say what a state says; they and the list change together."""
        state, old = self.state(number), self.state() if self._now >= 0 else {}
        kept = {"changes": [asdict(one) for one in self._changes], "again": self._again, "now": number}
        with Together() as files:
            for name, text in state.items():
                with files.stage(self.home / name, private=True) as file:
                    file.write(text.encode())
            with files.stage(self.home / "history" / "changes.json", private=True) as file:
                file.write(json.dumps(kept, ensure_ascii=False, indent=1).encode())
        for name in old.keys() - state.keys():
            (self.home / name).unlink(missing_ok=True)
        self._now = number
