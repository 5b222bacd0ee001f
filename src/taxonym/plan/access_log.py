"""The plan's table [accesslog]: how a web access log is read, whom k counts, and what is grouped."""

from dataclasses import dataclass
from typing import ClassVar

from taxonym.errors import BadInput, BadPlan
from taxonym.records.column import check_types, one_of

FORMATS = ("auto", "common", "combined")
VISITORS = ("address+agent", "address", "user", "line")
RECORDS = ("lines", "sessions")
ON_BROKEN = ("leave-out", "error")
PARTS = ("address", "request", "path", "status", "size", "referrer", "browser", "system", "time", "session")
WEIGHTS = {"request": 0.25, "status": 0.25, "size": 0.25}  # of the others: 1
_TABLES = (".csv", ".tsv", ".tab", ".parquet", ".pq", ".jsonl", ".ndjson", ".json")


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessLog:
    """How an access log is read, whom k counts, and what is grouped.

    `visitor` is the person: the address with the agent, the address alone, the user that the log names (where it names
    none, the user of other lines with the same address and agent, or these where there is no user), or, promising
    nothing to persons, every line. `records`: what is published alike, lines, or sessions as a whole. A
    pause of more than `gap` minutes ends a session, and so does, if `links` names a table from,to of the site's pages,
    a page that no page of the session leads to. `session` publishes which group of sessions a line belongs to, in the
    field of the user, where lines are the records.

    `time_step`: times are rounded down to so many seconds. `weights` of the parts in the distance, as "path=2".
    `on_broken`: lines that cannot be read are counted and left out, or stop the run; `aside` names a private file for
    them.
    """

    whole: ClassVar[str] = "the trees in which values rise are grown from all lines, so the log is read whole."
    no_topics: ClassVar[str] = "is about what is confidential, or words of a topic, and a line of a log has neither."
    no_sets: ClassVar[str] = "a line has one value in each part, so there are no sets to compare."

    format: str = "auto"
    visitor: str = "address+agent"
    records: str = "lines"
    session: bool = False
    gap: float = 30.0
    links: str | None = None
    time_step: int = 60
    weights: tuple[str, ...] = ()
    on_broken: str = "leave-out"
    aside: str | None = None

    def __post_init__(self) -> None:
        check_types(self, "accesslog")
        for key, allowed in (
            ("format", FORMATS),
            ("visitor", VISITORS),
            ("records", RECORDS),
            ("on_broken", ON_BROKEN),
        ):
            one_of(f"accesslog.{key}", getattr(self, key), allowed)
        if not 0 < self.gap < float("inf"):
            raise BadPlan(f"accesslog.gap: must be a number of minutes above 0, got {self.gap}.")
        if not 1 <= self.time_step <= 86_400:
            raise BadPlan(f"accesslog.time_step: must be from 1 to 86400 seconds, got {self.time_step}.")
        if self.aside and "\0" in self.aside:
            raise BadPlan("accesslog.aside: has a NUL character in its name. Correct it.")
        if self.whole_sessions and self.session:
            raise BadPlan("accesslog.session: whole sessions have numbers of their own. Leave it out.")
        self.weight("path")  # complains of any

    @property
    def whole_sessions(self) -> bool:
        """Whether a session is a record and published whole."""
        return self.records == "sessions"

    def weight(self, part: str) -> float:
        """How much a part counts in the distance between two records."""
        given = WEIGHTS.copy()
        for text in self.weights:
            name, _, number = text.partition("=")
            one_of("accesslog.weights", name.strip(), PARTS)
            try:
                given[name.strip()] = float(number)
            except ValueError:
                raise BadPlan(
                    f'accesslog.weights: write a part and a number, such as "path=2", got {text!r}.'
                ) from None
            if not 0 < given[name.strip()] < float("inf"):
                raise BadPlan(f"accesslog.weights: the weight of {name.strip()!r} must be above 0.")
        return given.get(part, 1.0)

    def weighs(self, part: str) -> bool:
        """Whether the plan itself says how much a part counts."""
        return any(text.partition("=")[0].strip() == part for text in self.weights)

    @property
    def named(self) -> tuple[str | None, ...]:
        return (self.links,)

    def check_output(self, out: str) -> None:
        """A log is text: refuse names that promise a table."""
        if out.lower().removesuffix(".gz").endswith(_TABLES):
            raise BadInput(
                f"{out}: an access log is written as a log again, not as a table. Let the name end in .log or .log.gz."
            )
