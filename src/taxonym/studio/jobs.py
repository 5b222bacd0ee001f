"""Work in processes of its own, so that the page always answers: steps with their times, a cancel that stops.

One process stays, for what is asked again and again (a look at a file, the words of a column, previews): it keeps what
it has read. A run gets a process of its own, which ends with it. All end with the studio, however that ends.
"""

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import connection, get_context, parent_process
from typing import TYPE_CHECKING, Any

from taxonym.errors import TaxonymError, TaxonymWarning

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

_EVERY = 0.1  # seconds between two messages about one step
_PATIENCE = 3.0  # seconds that a process is given to end when it is asked to
RUNNING, DONE, FAILED, CANCELLED, KILLED = "running", "done", "failed", "cancelled", "killed"


@dataclass(slots=True)
class JobStep:
    """A step of some work: how far it is, and how long it took so far."""

    what: str
    total: int | None
    done: int
    began: float
    ended: float | None = None

    @property
    def seconds(self) -> float:
        return (self.ended or time.monotonic()) - self.began


@dataclass(slots=True, eq=False)
class Job:
    """Something that is being done, or was: `kind` says what, `about` for which state of the project."""

    number: int
    kind: str
    about: str = ""
    state: str = RUNNING
    steps: list[JobStep] = field(default_factory=list)
    result: Any = None
    error: str = ""
    notes: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    ended: float | None = None
    over: threading.Event = field(default_factory=threading.Event)
    process: int | None = None

    @property
    def seconds(self) -> float:
        return (self.ended or time.monotonic()) - self.began

    def end(self, state: str, result: Any = None, error: str = "") -> None:
        """It is over; what comes first counts."""
        if self.state != RUNNING:
            return
        self.ended = time.monotonic()
        for step in self.steps:
            step.ended = step.ended or self.ended
        self.result, self.error, self.state = result, error, state
        self.over.set()

    def hear(self, message: tuple[Any, ...]) -> None:
        """What the process says about its way."""
        kind, *rest = message
        now = time.monotonic()
        if kind in ("start", "finish") and self.steps:
            self.steps[-1].ended = self.steps[-1].ended or now
        if kind == "start":
            self.steps.append(JobStep(rest[0], rest[1], 0, now))
        elif kind == "advance" and self.steps:
            self.steps[-1].done += rest[0]
        elif kind == "note":
            self.notes.append(rest[0])
        elif kind == "done":
            self.end(DONE, rest[0])
        elif kind == "failed":
            self.end(FAILED, error=rest[0])


class Worker:
    """A process that does one thing after the other."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None
        self._one = threading.Lock()

    def do(self, job: Job, task: str, arguments: tuple[Any, ...]) -> None:
        """Do a task of taxonym.studio.tasks and wait for its end; the job hears all of it."""
        with self._one:
            if job.state != RUNNING:  # cancelled while it waited
                return
            line = self._ready()
            assert self._process is not None
            job.process = self._process.pid
            try:
                line.send((task, arguments))
                while job.state == RUNNING:
                    job.hear(line.recv())
            except (EOFError, OSError):
                job.end(KILLED, error="The process that did this was ended from outside. Nothing was changed.")
                self.stop()

    def _ready(self) -> "Connection":
        if self._process is None or not self._process.is_alive() or self._line is None:
            spawn = get_context("spawn")
            self._line, theirs = spawn.Pipe()
            self._process = spawn.Process(target=_serve, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
        return self._line

    def stop(self) -> None:
        """End the process, whatever it does."""
        process, line = self._process, self._line
        self._process = self._line = None
        if process is not None:
            process.terminate()
            process.join(_PATIENCE)
            if process.is_alive():
                process.kill()
                process.join(_PATIENCE)
        if line is not None:
            line.close()


class Jobs:
    """All that is done for one studio. The last job of every kind is remembered, so that a page may be loaded again."""

    def __init__(self) -> None:
        self._quick = Worker()
        self._runs: dict[int, Worker] = {}
        self._last: dict[str, Job] = {}
        self._number = 0
        self._lock = threading.Lock()

    def start(
        self, kind: str, task: str, *arguments: Any, about: str = "", alone: bool = False, patient: bool = False
    ) -> Job:
        """Begin a task; `alone` in a process of its own. One of its kind that still runs is stopped; with `patient`
        only if it has not begun, for then the process keeps what it has read."""
        with self._lock:
            self._number += 1
            job = Job(self._number, kind, about)
            before, self._last[kind] = self._last.get(kind), job
            worker = Worker() if alone else self._quick
            if alone:
                self._runs[job.number] = worker
        if before is not None and not (patient and before.process is not None):
            self.cancel(before)

        def work() -> None:
            worker.do(job, task, arguments)
            if alone:
                worker.stop()
                self._runs.pop(job.number, None)

        threading.Thread(target=work, daemon=True, name=f"{kind} {job.number}").start()
        return job

    def last(self, kind: str) -> Job | None:
        return self._last.get(kind)

    def find(self, number: int) -> Job | None:
        return next((job for job in self._last.values() if job.number == number), None)

    def cancel(self, job: Job) -> None:
        """Stop a job: its process is ended."""
        running = job.state == RUNNING
        job.end(CANCELLED, error="This was cancelled. Nothing was changed.")
        if running and job.process is not None:
            self._runs.get(job.number, self._quick).stop()

    def forget(self) -> None:
        """Another project: what runs is stopped, and nothing is remembered."""
        for job in list(self._last.values()):
            self.cancel(job)
        self._last.clear()

    def close(self) -> None:
        self.forget()
        self._quick.stop()


# ---------------------------------------------------------------------- inside the process


class _Told:
    """Progress that is told over the line, not too often."""

    def __init__(self, line: "Connection") -> None:
        self._line, self._done, self._last = line, 0, 0.0

    def start(self, what: str, total: int | None = None) -> None:
        self._flush()
        self._line.send(("start", what, total))

    def advance(self, done: int = 1) -> None:
        self._done += done
        if time.monotonic() - self._last > _EVERY:
            self._flush()

    def finish(self) -> None:
        self._flush()
        self._line.send(("finish",))

    def _flush(self) -> None:
        if self._done:
            self._line.send(("advance", self._done))
        self._done, self._last = 0, time.monotonic()


def _serve(line: "Connection") -> None:
    """What a process does: one task after the other, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the keyboard ends the studio, which ends this
    _end_with_studio()
    from taxonym.studio import tasks

    kept: dict[str, Any] = {}
    while True:
        try:
            task, arguments = line.recv()
        except (EOFError, OSError):
            return
        function: Callable[..., Any] = tasks.TASKS[task]
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", TaxonymWarning)
            try:
                answer: tuple[Any, ...] = ("done", function(*arguments, _Told(line), kept))
            except TaxonymError as error:
                answer = ("failed", str(error))
            except Exception as error:  # its message may hold a person's value: only its kind is told
                answer = ("failed", f"Unforeseen {type(error).__name__}; this is our fault.")
        for one in said:
            line.send(("note", str(one.message)))
        line.send(answer)


def _end_with_studio() -> None:
    parent = parent_process()

    def wait() -> None:
        if parent is not None:
            connection.wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
