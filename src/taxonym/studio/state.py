"""One studio: the folder, the project that is open, what is being done for it, and what its pages show."""

import json
import threading
from hashlib import sha256
from pathlib import Path
from typing import Any

from taxonym.errors import BadInput, TaxonymError
from taxonym.knowledge.catalog import BUILT_IN
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Plan
from taxonym.studio.branches import ConceptTree
from taxonym.studio.changes import dialect_of, reading_of, word_columns
from taxonym.studio.jobs import DONE, RUNNING, Job, Jobs
from taxonym.studio.opened import SUFFIX, OpenedFolder
from taxonym.studio.project import Project
from taxonym.studio.tasks import release_name
from taxonym.studio.terms import Concepts, TermTable
from taxonym.studio.words import column_finder
from taxonym.text.lookup import plain

TAXONOMIES = ("wordnet",)
_WAIT = 20.0  # seconds for words that are being read


class Studio:
    """What all requests share. `private` is the switch for values of fewer than k persons; off at the start."""

    def __init__(self, opened: OpenedFolder) -> None:
        self.opened = opened
        self.jobs = Jobs()
        self.project: Project | None = None
        self.private = False
        self.reading: dict[str, Any] = {}  # how the file was taken to be written when it was looked at
        self.messages: list[str] = []
        self.lock = threading.RLock()
        self._making = threading.RLock()  # what takes seconds is made once, whoever asks meanwhile
        self.tries: list[dict[str, Any]] = []  # settings that were tried, to be seen side by side
        self._loaded: dict[str, Taxonomy] = {}  # those that are the same for all files
        self._concepts: dict[str, tuple[str, Concepts]] = {}
        self._tables: dict[str, tuple[int, TermTable]] = {}
        self._trees: dict[str, tuple[int, ConceptTree]] = {}

    # ------------------------------------------------------------------ the project

    def open(self, name: str, plan: str = "") -> Job:
        """Open a file or folder below the folder: a look at it, and its project."""
        place = self.opened.inside(name)
        if not place.exists():
            raise BadInput("There is no such file below the folder that was opened.")
        if any(part.endswith(SUFFIX) for part in place.relative_to(self.opened.path).parts):
            raise BadInput("This belongs to a project. Open the file that the project is about.")
        with self.lock:
            self.jobs.forget()
            if self.project is not None:
                self.project.close()
            self.project, self.tries = None, []
            self.project = Project(self.opened, place)
            for kept in (self._concepts, self._tables, self._trees):
                kept.clear()
            if plan:
                self.project.use(plan)
        return self._look(self.project, reading_of(self.project.tables))

    def read_as(self, reading: dict[str, Any]) -> Job:
        """Look at the file again, which is written in another way: its plan is drafted anew."""
        dialect_of(reading)  # complains of what makes no sense
        with self.lock:
            project = self.sound
            self.jobs.forget()
            project.look, project.is_read_anew = {}, True
        return self._look(project, reading)

    def _look(self, project: Project, reading: dict[str, Any]) -> Job:
        self.reading = reading
        return self.jobs.start("look", "look", str(project.source), TAXONOMIES, reading)

    def drafted(self) -> Job | None:
        """The look at the file; what it found becomes the project's first plan."""
        job = self.jobs.last("look")
        with self.lock:
            if job is not None and job.state == DONE and self.project is not None and not self.project.look:
                self.project.begin(job.result)
        return job

    @property
    def sound(self) -> Project:
        """The project that is open; raise if there is none."""
        if self.project is None:
            raise BadInput("No file is open yet. Choose one.")
        return self.project

    def task(self, kind: str, task: str, *more: Any, about: str = "", alone: bool = False) -> Job:
        """Begin something that is done with the plan as it is now."""
        project = self.sound
        plan = project.plan()
        given = (plan.to_dict(), str(project.home), str(project.source), *more)
        return self.jobs.start(kind, task, *given, about=about or self.stamp(), alone=alone)

    def stamp(self) -> str:
        """Which state of the project something is about."""
        return sha256(json.dumps(self.sound.history.state(), sort_keys=True).encode()).hexdigest()[:16]

    def current(self, kind: str) -> Job | None:
        """The last job of a kind, if it is about the project as it is now."""
        job = self.jobs.last(kind)
        return job if job is not None and self.project is not None and job.about == self.stamp() else None

    @property
    def release(self) -> Path | None:
        """The release that was written, if there is one."""
        if self.project is None or self.project.problem is not None:
            return None
        folder = self.project.home / "release"
        place = folder / release_name(str(self.project.source), Plan.from_dict(self.project.tables))
        return place if place.is_file() and (folder / "plan.toml").is_file() else None

    # ------------------------------------------------------------------ words and trees

    def columns(self) -> list[str]:
        """The columns whose words have a meaning."""
        return list(word_columns(self.project.tables)) if self.project is not None else []

    @property
    def wordless(self) -> str:
        """Why no words can be shown, and where to go on."""
        if {"accesslog", "documents"} & self.sound.tables.keys():
            return "The words of logs of web servers and of documents are read as they are. Go on with Choose."
        return "No column has words with a meaning. Give one a taxonomy on the screen File."

    def concepts(self, column: str) -> Concepts:
        """The concepts of a column's taxonomy, without the person's decisions about words."""
        with self._making:
            project = self.sound
            stamp = self._about(column, with_overrides=False)
            if self._concepts.get(column, ("",))[0] != stamp:
                plan = Plan.from_dict(_undecided(project, column), folder=project.home)
                project.settle()
                self._concepts[column] = (stamp, Concepts(column_finder(plan, column, self._loaded)))
                self._loaded = {name: tax for name, tax in self._loaded.items() if name in BUILT_IN}
            return self._concepts[column][1]

    def terms(self, column: str) -> TermTable | Job:
        """The words of a column, or the job that reads them."""
        job = self._read(f"words of {column}", column, False)
        if job.state != DONE:
            return job
        with self._making:
            if self._tables.get(column, (0,))[0] != job.number:
                self._tables[column] = (job.number, TermTable(job.result, self.concepts(column)))
            return self._tables[column][1]

    def tree(self, column: str) -> ConceptTree | Job:
        """The taxonomy of a column with who holds its concepts, or the job that counts them."""
        decided = bool(self.sound.overrides(column))
        job = self._read(f"tree of {column}" if decided else f"words of {column}", column, decided)
        if job.state != DONE:
            return job
        with self._making:
            if self._trees.get(column, (0,))[0] != job.number:
                self._trees[column] = (job.number, ConceptTree(self.concepts(column), job.result["holders"]))
            return self._trees[column][1]

    def rare_words(self, column: str) -> set[str] | None:
        """Words of a column that fewer than k persons wrote, in plain form; None where nobody knows yet."""
        found = self.terms(column)
        if isinstance(found, Job):
            found.over.wait(_WAIT)
            found = self.terms(column)
        return None if isinstance(found, Job) else found.rare(self.sound.k)

    def secret(self, column: str, always: bool = False) -> set[int]:
        """Concepts that a person made of words that fewer than k persons wrote: not to be shown, unless private values
        are (and with `always` even then, for what stays to be read)."""
        _, edits = self.sound.hierarchy(column)
        made = [one.id for one in edits if one.action == "add"]
        if not made or (self.private and not always):
            return set()
        rare, tax = self.rare_words(column), self.concepts(column).tax
        return {tax.find(id) for id in made if rare is None or plain(id) in rare} - {-1}

    def is_secret(self, name: str) -> bool:
        """Whether a file of the project, by its name, holds words that fewer than k persons wrote."""
        project = self.sound
        column = next((one for one in self.columns() if name in project.files_of(one)), None)
        rare = None if column is None else self.rare_words(column)
        if column is None or rare is None:
            return True
        _, edits = project.hierarchy(column)
        words = {*project.overrides(column)} | {word for one in edits for word in (one.id, one.value)}
        return any(plain(word) in rare for word in words)

    def _read(self, kind: str, column: str, with_overrides: bool) -> Job:
        project, stamp = self.sound, self._about(column, with_overrides)
        with self.lock:
            job = self.jobs.last(kind)
            if job is None or job.about != stamp or job.state not in (RUNNING, DONE):
                if job is not None and job.about == stamp:
                    return job  # it failed: it would fail again
                project.settle()
                tables = project.tables if with_overrides else _undecided(project, column)
                given = (tables, str(project.home), str(project.source), column)
                job = self.jobs.start(kind, "words", *given, about=stamp)
        return job

    def _about(self, column: str, with_overrides: bool) -> str:
        """What the meaning of a column's words depends on."""
        project = self.sound
        tables = project.tables if with_overrides else _undecided(project, column)
        parts: list[Any] = [tables.get("input"), word_columns(tables).get(column), project.hierarchy(column)]
        if with_overrides:
            parts.append(project.overrides(column))
        return sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:16]

    # ------------------------------------------------------------------ messages

    def say(self, message: str) -> None:
        """Something that the next page shows."""
        self.messages.append(message)

    def attempt(self, deed: Any, *arguments: Any) -> bool:
        """Do something; what goes wrong is said on the next page."""
        try:
            with self.lock:
                deed(*arguments)
        except TaxonymError as error:
            self.say(str(error))
            return False
        return True

    def heard(self) -> list[str]:
        said, self.messages = self.messages, []
        return said

    def close(self) -> None:
        self.jobs.close()
        if self.project is not None:
            self.project.close()
        self.opened.close()


def _undecided(project: Project, column: str) -> dict[str, Any]:
    """The plan without the person's decisions about the words of a column."""
    tables = project.tables
    settings = tables.get("querylog") if "querylog" in tables else tables.get("columns", {}).get(column)
    if settings:
        settings.pop("overrides", None)
    return tables
