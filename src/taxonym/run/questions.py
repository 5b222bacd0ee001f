"""What can be asked of a release once it is there: does it keep its promise, what was lost, what can be found out, what
does data mining still find. The commands of the same names ask here, too.

An original and a release may be files, tables of any kind, or a Release, which knows its original, plan and trail.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.drafting import draft_plan
from taxonym.errors import BadInput, BadPlan, BrokenPromise
from taxonym.io import files
from taxonym.io.delimited import Dialect
from taxonym.io.frames import as_polars
from taxonym.io.progress import SILENCE, Progress
from taxonym.plan import SHAPES, Noise, Plan, as_plan, check_kind, shape_named
from taxonym.records.column import one_of
from taxonym.run.attack import Intruder, risk_of_release
from taxonym.run.release import PRIVATE_FIGURES, Release
from taxonym.shapes.codebook import Codebook, codebook_path
from taxonym.shapes.mining import Mining
from taxonym.shapes.release_pair import ReleasePair
from taxonym.shapes.shape import Proof, shape_of
from taxonym.shapes.table.reread import Trail

if TYPE_CHECKING:
    import polars as pl

PlanLike = Plan | Mapping[str, Any] | str | Path


@dataclass(frozen=True, slots=True)
class Verification:
    """What a recount of a release found; true in an `if` where it holds. `broken` are sentences about what does not."""

    holds: bool
    broken: tuple[str, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __bool__(self) -> bool:
        return self.holds

    def _repr_html_(self) -> str:
        from taxonym.render.notebook import short

        lead = " ".join(f"{what[:1].upper()}{what[1:]}." for what in self.broken)
        shown = [(name.replace("_", " "), v) for name, v in self.figures.items() if isinstance(v, int | float | str)]
        return short("Holds" if self.holds else "Does not hold", shown, lead)


def verify(
    release: Any,
    plan: PlanLike | None = None,
    *,
    k: int | None = None,
    original: Any = None,
    trail: str | Path | None = None,
    codebook: str | Path | None = None,
    kind: str | None = None,
) -> Verification:
    """Recount a release: a file, a table, or what `anonymize` gave, whose original and trail are known.

    Without a plan, `k` says how many persons every class must have. With `original` and `trail`, also persons, the
    support rule, l and t are recounted, and what every class publishes. `kind` is querylog, accesslog or documents.
    """
    with _files(release, original, trail, codebook) as given:
        if bool(given.trail) != bool(given.original):
            raise BadPlan("verify: to count persons, give both the original and the trail.")
        known = Trail(given.trail) if given.trail else None
        chosen, least = plan_to_verify(None if plan is None else as_plan(plan), known, kind, k)
        try:
            found: Proof = shape_of(chosen).verify(
                given.release, chosen, least, given.original, known, given.codebook_read()
            )
        except BrokenPromise as error:
            return Verification(False, (str(error),))
        return Verification(found.holds, found.why, found.as_data())


def plan_to_verify(
    plan: Plan | None, trail: Trail | None, kind: str | None, k: int | None, keep_order: bool = False
) -> tuple[Plan | None, int | None]:
    """The plan by which a release is recounted, and its k."""
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
        raise BadPlan(f"-k: must be at least 1, got {k!r}.")
    known = plan if plan is not None else trail.plan if trail else None
    chosen = known if known is not None else _widest(kind)
    if chosen is not None:
        check_kind(chosen, kind)
    if plan is not None and trail is not None:
        trail.check_plan(plan)
        chosen = replace(trail.plan, folder=plan.folder)  # with what the command line of the run said otherwise
    if chosen is not None and keep_order:
        chosen = replace(chosen, output=replace(chosen.output, shuffle=False))
    if chosen is not None and trail is not None and trail.seed is not None:
        chosen = replace(chosen, method=replace(chosen.method, seed=trail.seed))
    noise = chosen is not None and isinstance(chosen.method, Noise)
    if noise and k is not None:
        raise BadPlan("-k: this plan masks by noise and promises no k. Leave -k out to check what it does promise.")
    if k is None and known is not None and chosen is not None and not noise:
        k = chosen.method.k
    if k is None and not noise:
        raise BadPlan("-k: is missing. Say how many persons every class must have.")
    return chosen, k


def _widest(kind: str | None) -> Plan | None:
    """The plan that allows all that a release of its kind may hold."""
    if kind is None:
        return None
    settings = shape_named(kind)
    return Plan(shape=settings(**shape_of(Plan(shape=settings())).widest))


def loss(
    original: Any,
    release: Any = None,
    plan: PlanLike | None = None,
    *,
    trail: str | Path | None = None,
    codebook: str | Path | None = None,
    kind: str | None = None,
    measure: str | None = None,
    aggregate: str | None = None,
    seed: int | None = None,
    progress: Progress = SILENCE,
) -> dict[str, Any]:
    """Every measure of loss that applies, of a release beside its original; or of what `anonymize` gave alone. Without
    a plan or a trail, a plan is drafted. `measure` and `aggregate` judge by another distance than the plan's. The
    figures are exact, and so for the owner of the data only."""
    with _pair(original, release, plan, trail, codebook, kind, progress) as pair:
        judge = pair.chosen(measure, aggregate)
        return {"notice": PRIVATE_FIGURES, **pair.judged(judge, np.random.default_rng(seed))}


def risk(
    original: Any,
    release: Any = None,
    plan: PlanLike | None = None,
    *,
    trail: str | Path | None = None,
    codebook: str | Path | None = None,
    kind: str | None = None,
    measure: str | None = None,
    aggregate: str | None = None,
    knows: int | None = None,
    sample: int | None = None,
    one_to_one: bool = False,
    intruder: str | Path | None = None,
    seed: int | None = None,
    progress: Progress = SILENCE,
) -> dict[str, Any]:
    """What an intruder finds out from a release; the arguments are those of `loss` and of the command `risk`."""
    for name, value in (("knows", knows), ("sample", sample)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise BadPlan(f"{name}: must be a whole number from 1 on, got {value!r}.")
    who = Intruder(
        measure=measure, aggregate=aggregate, knows=knows, sample=sample, one_to_one=one_to_one, file=intruder
    )
    with _pair(original, release, plan, trail, codebook, kind, progress) as pair:
        found = risk_of_release(pair, np.random.default_rng(seed), who, progress)
        return {"notice": PRIVATE_FIGURES, **found}


def mine(
    original: Any,
    release: Any = None,
    plan: PlanLike | None = None,
    *,
    trail: str | Path | None = None,
    kind: str | None = None,
    clusters: tuple[int, ...] | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """What data mining still finds in the release of a log or of documents: tables of figures."""
    asked = Mining(seed=seed) if clusters is None else Mining(seed=seed, clusters=tuple(sorted(clusters)))
    with _given(original, release, trail, None) as given:
        known = Trail(given.trail) if given.trail else None
        chosen = _plan_of(plan, known, kind, given)
        found = shape_of(chosen).mine(str(given.original), given.release, chosen, known, asked)
        return {"notice": PRIVATE_FIGURES, **found}


def read_log(source: str | Path, kind: str) -> "pl.DataFrame":
    """The lines of a log as a table, `line` being their number in the file: of a search engine (kind "querylog"), or of
    a web server ("accesslog"). Lines that cannot be read are left out."""
    one_of("kind", kind, [name for name in SHAPES if name != "documents"])
    if kind == "querylog":
        from taxonym.plan.query_log import QueryLog
        from taxonym.shapes.query_log import source as queries

        return queries.read_log(source, QueryLog(), Dialect()).frame
    from taxonym.shapes.access_log import log_lines

    return log_lines.read_log(source).table()


# ---------------------------------------------------------------------- files of what is asked about


@dataclass(frozen=True, slots=True)
class _Given:
    """Where an original, a release and what belongs to it are."""

    release: str
    original: str | None
    trail: str | None
    codebook: str | None

    def codebook_read(self) -> Codebook | None:
        beside = Path(self.codebook) if self.codebook else codebook_path(self.release)
        return Codebook.read(beside) if self.codebook or beside.exists() else None


@contextmanager
def _files(release: Any, original: Any, trail: str | Path | None, codebook: str | Path | None) -> Iterator[_Given]:
    """What is not a file is written to one, in a folder that only its owner may enter and that is gone afterwards."""
    with TemporaryDirectory(prefix="taxonym-") as folder:
        if isinstance(release, Release):
            written = release.written_to(Path(folder))
            original, trail = release.original if original is None else original, trail or written.with_name("trail")
            release = written
        yield _Given(
            _file(release, Path(folder) / "release.jsonl"),
            None if original is None else _file(original, Path(folder) / "original.parquet"),
            None if trail is None else str(trail),
            None if codebook is None else str(codebook),
        )


@contextmanager
def _given(original: Any, release: Any, trail: str | Path | None, codebook: str | Path | None) -> Iterator[_Given]:
    if release is None and not isinstance(original, Release):
        raise BadPlan("release: is missing. Give the original and its release, or what anonymize gave alone.")
    release, original = (original, None) if release is None else (release, original)
    with _files(release, original, trail, codebook) as given:
        yield given


def _file(table: Any, path: Path) -> str:
    if isinstance(table, str | Path):
        return str(table)
    files.write(as_polars(table), path, private=True)
    return str(path)


@contextmanager
def _pair(
    original: Any,
    release: Any,
    plan: PlanLike | None,
    trail: str | Path | None,
    codebook: str | Path | None,
    kind: str | None,
    progress: Progress,
) -> Iterator[ReleasePair]:
    with _given(original, release, trail, codebook) as given:
        known = known_trail(given.trail, str(given.original), given.release)
        chosen = _plan_of(plan, known, kind, given)
        yield shape_of(chosen).compared(
            str(given.original), given.release, chosen, known, progress, given.codebook_read()
        )


def _plan_of(plan: PlanLike | None, trail: Trail | None, kind: str | None, given: _Given) -> Plan:
    """The plan that a release was made by: the one named, the trail's, that of a kind of data, or a drafted one."""
    known = as_plan(plan) if plan is not None else trail.plan if trail is not None else None
    if known is not None:
        check_kind(known, kind)
        return known
    if kind is not None:
        return Plan(shape=shape_named(kind)())
    return Plan.from_dict(draft_plan(str(given.original), dialect=Dialect()).plan, where="the draft")


def known_trail(path: str | None, original: str, release: str) -> Trail | None:
    """The trail of the run that made a release from an original; raise if it is that of another run: figures would be
    those of a chance pairing, and a risk would look small."""
    if not path:
        return None
    trail = Trail(path)
    of_texts = "documents" in trail.run["plan"]  # their fingerprint is that of the texts, wherever these come from
    if trail.of_file and not of_texts and Path(original).is_file():
        trail.check_original(files.fingerprint(Path(original)))
    if faults := trail.changed_release(release):
        raise BadInput(f"{release}: {faults[0]}. Give the trail that was written with it.")
    return trail
