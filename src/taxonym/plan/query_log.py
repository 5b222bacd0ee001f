"""The plan's table [querylog]: how a query log is read, what its words mean, and what groups of users publish."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from taxonym.errors import BadPlan
from taxonym.io.files import writer_of
from taxonym.knowledge.related import MODES
from taxonym.records.column import POLICIES, check_types, one_of

CELLS = ("user", "query", "time", "rank", "click")
BROKEN = ("error", "skip")
GROUPINGS = ("meaning", "syntax")
CHOICES = ("frequencies", "meaning")
TIMES = ("drop", "hour", "day", "month", "year")
CLICKS = ("drop", "host")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLog:
    """The plan's table [querylog].

    `user`, `query`, `time`, `rank` and `click` say where these are, by the header's names or by places from 1; what is
    not said is recognised. `broken` lines (too few cells, no user) stop the run, or are skipped and counted. `taxonomy`
    to `topics_file` say how words get their meaning, as those of a column do. `grouping` is by meaning or, as a
    baseline, by the words and clicked hosts as they are written. `choice`: a group publishes what keeps the
    frequencies of the whole log, or what means most to its users. `times` and `clicks` are dropped, or told as finely
    as said where at least k users of a group share them.
    """

    whole: ClassVar[str] = "whether k users wrote a query is known at the end of the log only, so it is read whole."
    no_sets: ClassVar[str] = ""

    user: str | int | None = None
    query: str | int | None = None
    time: str | int | None = None
    rank: str | int | None = None
    click: str | int | None = None
    header: bool | None = None
    broken: str = "error"
    taxonomy: tuple[str, ...] = ("wordnet",)
    senses: str = "column"
    overrides: str | None = None
    category: str | None = None
    parts: tuple[str, ...] = ("n",)
    related: str = "alone"
    spelling: int = 0
    on_unknown: str = "keep-as-own-concept"
    topics_file: str = "wordnet"
    grouping: str = "meaning"
    choice: str = "frequencies"
    times: str = "drop"
    time_format: str | None = None
    clicks: str = "drop"

    def __post_init__(self) -> None:
        check_types(self, "querylog")
        for key, allowed in (
            ("broken", BROKEN),
            ("on_unknown", POLICIES),
            ("related", MODES),
            ("grouping", GROUPINGS),
            ("choice", CHOICES),
            ("times", TIMES),
            ("clicks", CLICKS),
        ):
            one_of(f"querylog.{key}", getattr(self, key), allowed)
        if not self.taxonomy:
            raise BadPlan("querylog.taxonomy: names none, so that no query would have a meaning. Name one: 'wordnet'.")
        for key in CELLS:
            if isinstance(place := getattr(self, key), int) and place < 1:
                raise BadPlan(f"querylog.{key}: places of cells are counted from 1, got {place}.")

    @property
    def named(self) -> tuple[str | None, ...]:
        return *self.taxonomy, self.overrides, self.topics_file

    def check_output(self, out: str) -> None:
        """A release is a table with a header."""
        writer_of(Path(out))
