"""The main job on the bundled examples: what `taxonym demo` shows and writes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from taxonym.errors import BadInput
from taxonym.io.files import read
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.catalog import load
from taxonym.knowledge.check import facts
from taxonym.plan import read_plan
from taxonym.promises.classes import count_classes
from taxonym.run.pipeline import anonymize
from taxonym.run.release import Release

_SHOWN = 5  # members of a group and terms of a record that are shown
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Step:
    """One stop of the tour: for people as text, for programs as data."""

    title: str
    text: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Example:
    """A bundled example: its plan, what it is, the column to show, and how its files are named."""

    name: str
    about: str
    column: str
    prefix: str = ""


EXAMPLES = (
    Example("search-log", "what 600 invented people typed into a search engine in two weeks", "query"),
    Example("diagnoses", "visits of 700 invented patients to an invented hospital", "diagnoses", "diagnoses-"),
)


def tour(out: Path, seed: int | None = None, progress: Progress = SILENCE) -> list[Step]:
    """Anonymise, verify and measure every example; write releases and reports to the folder `out`, and the data and
    plans of all examples to try to its folder `examples`."""
    try:
        (out / "examples").mkdir(parents=True, exist_ok=True)
        for file in (files("taxonym") / "examples").iterdir():
            if file.is_file() and not (out / "examples" / file.name).exists():  # somebody may have changed a plan there
                (out / "examples" / file.name).write_bytes(file.read_bytes())
    except OSError as error:
        raise BadInput(f"{out}: cannot be made ({error.strerror}). Choose another folder with --out.") from None
    return [_words(), *(_shown(example, out, seed, progress) for example in EXAMPLES), _next(out)]


def _words() -> Step:
    about = facts(load("wordnet"))
    return Step(
        "What words mean",
        f"{about.name} ships with Taxonym: {about.concepts:,} concepts, {about.labels:,} labels. ICD-10-CM, HPO and "
        f"files of your own\n(CSV, OBO, OWL, SKOS, LMF …) load the same way.",
        {"taxonomy": about.name, "concepts": about.concepts, "labels": about.labels},
    )


def _shown(example: Example, out: Path, seed: int | None, progress: Progress) -> Step:
    folder = Path(str(files("taxonym") / "examples"))
    plan = read_plan(folder / f"{example.name}.toml")
    plan = replace(plan, method=replace(plan.method, seed=seed))
    source = folder / f"{example.name}.csv"
    release = anonymize(source, plan, progress=progress)
    written, reported = out / f"{example.prefix}release.csv", out / f"{example.prefix}report.json"
    shown = reported.with_suffix(".html")
    release.write(written, reports=[reported, shown])
    confidential = [c.name for c in plan.columns.values() if c.role == "confidential"]
    again = count_classes(read(written), plan.method.k, confidential)
    loss, found = (release.report[name] for name in ("loss", "linkage"))
    ways, frame = loss["mean_to_plain_medoids"], read(source)
    text = "\n".join(
        [
            f"{source.name}: {frame.height:,} rows of {frame[str(plan.input.person)].n_unique():,} persons: "
            f"{example.about}.",
            *_before_and_after(release, source, example, str(plan.input.person)),
            "",
            f"Verified   {written} has {again.rows:,} rows in {again.classes:,} classes; the smallest has "
            f"{again.smallest} (k = {plan.method.k}).",
            f"Found      {found['dr_percent']:.0f} of 100 persons by an intruder who knows everything about everybody; "
            f"{found['dr_percent_without_masking']:.0f} in the original without names.",
            f"Lost       {loss['mean']:.2f} of 1 on average; a random record would lose "
            f"{loss['mean_to_a_random_record']:.2f}, an exact copy 0.",
            f"           Plain middle records: {ways['these_groups']:.2f} of these groups, "
            f"{ways['groups_by_equal_terms']:.2f} of groups by equal words, {ways['random_groups']:.2f} at random.",
            f"Written    {written}, {reported}",
            f"To look at {shown}",
        ]
    )
    data: dict[str, Any] = {"release": str(written), "report": str(reported), "page": str(shown)}
    data |= {"verified": again.as_data(), "loss": loss["mean"]}
    return Step(f"Example: {example.name}", text, data)


def _before_and_after(release: Release, source: Path, example: Example, person: str) -> list[str]:
    """Of the groups that fit on a line, the one that lost least: what its persons wrote, what all are published as."""
    frame = read(source)
    whose, cells = frame[person].to_list(), frame[example.column].to_list()

    def terms(rows: Sequence[int]) -> dict[str, list[str]]:
        mine: dict[str, list[str]] = {}
        for row in rows:
            mine.setdefault(whose[row], []).extend(cells[row].split(";"))
        return mine

    trail = release.trail()["records"]
    loss = {row - 1: (line["loss"], line["release_row"]) for line in trail for row in line["rows"]}

    def fitness(group: list[int]) -> tuple[bool, float, list[int]]:
        sizes = [len(set(some)) for some in terms(group).values()]
        return not 3 <= min(sizes) <= max(sizes) <= 2 * _SHOWN, sum(loss[row][0] for row in group) / len(group), group

    group = min(release.groups, key=fitness)
    row = loss[group[0]][1]
    lines = ["", *(f"Before     {_short(some)}" for some in list(terms(group).values())[:_SHOWN])]
    return [*lines, f"After      {_short(release.frame[example.column][row - 1])}   (all of them)"]


def _short(terms: Sequence[str]) -> str:
    text = "; ".join(dict.fromkeys(terms))
    return text if len(text) <= _WIDTH else text[: _WIDTH - 2] + " …"


def _next(out: Path) -> Step:
    return Step(
        "Your own data",
        f"The data and plans of these and more examples are in {out / 'examples'}: change them and try.\n\n"
        "taxonym plan FILE -o plan.toml              draft a plan, and say why\n"
        "taxonym anonymize FILE --plan plan.toml -o RELEASE\n"
        "taxonym verify RELEASE -k 5                 recount the classes\n"
        "taxonym --help",
        {"out": str(out), "examples": str(out / "examples")},
    )
