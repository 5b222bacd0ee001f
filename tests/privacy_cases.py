"""Random tables and plans for the checker: small, and as awkward as real files can be. A seed makes one case again.

Whatever a case holds, the only outcomes are a release without violations and an error of Taxonym's own.
"""

import csv
import random
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

import taxonym
from taxonym import Taxonomy
from taxonym.errors import TaxonymError
from tests.checker import Violation, violations

METHODS = ("refined", "mdav", "adaptive-mdav", "generalize")
TAXONOMIES = 40  # different ones, so that few files are written
Draw = Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """A table, a plan and the taxonomies of its columns."""

    rows: list[dict[str, Any]]
    plan: dict[str, Any]
    taxonomies: dict[str, Taxonomy]

    def table(self) -> pl.DataFrame:
        return pl.DataFrame(self.rows, infer_schema_length=None)


@dataclass(frozen=True)
class Outcome:
    """What a run came to: "published", "refused" or "crashed", why, and the rules that it breaks."""

    kind: str
    why: str
    found: list[Violation]


def outcome(case: Case) -> Outcome:
    """Run a case through the whole pipeline and the release through the checker."""
    try:
        rows, trail = _run(case)
    except TaxonymError as error:
        failed = "nothing was written" in str(error)  # the proof found what should not have been published
        return Outcome("crashed" if failed else "refused", f"{type(error).__name__}: {error}", [])
    except Exception as error:  # whatever else it is, it is a fault
        return Outcome("crashed", f"{type(error).__name__}: {error}", [])
    return Outcome("published", "", violations(case.rows, case.plan, rows, trail, case.taxonomies))


def released(case: Case) -> list[dict[str, Any]] | None:
    """The rows of a release, or nothing where the case is refused."""
    try:
        return _run(case)[0]
    except TaxonymError:
        return None


def _run(case: Case) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        release = taxonym.anonymize(case.table(), case.plan, baselines=False)
    return release.table.to_dicts(), release.trail()


# ---------------------------------------------------------------------- taxonomies


@cache
def taxonomy(folder: Path, number: int) -> tuple[Path, Taxonomy, Path]:
    """One of the random taxonomies, its file, and a file of terms that are no labels of it."""
    rng = random.Random(f"taxonomy {number}")
    size, roots = rng.choice((3, 6, 12, 25, 40)), rng.choice((1, 1, 1, 2, 3))
    chain = rng.random() < 0.15
    path, own = folder / f"taxonomy{number}.csv", folder / f"terms{number}.csv"
    with path.open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["child", "parent", "label", "synonyms"])
        for i in range(size):
            above = [""] if i < roots else [f"i{i - 1}"] if chain else [f"i{rng.randrange(i)}"]
            if i > roots + 1 and rng.random() < 0.2:
                above = [f"i{p}" for p in rng.sample(range(i), 2)]
            for parent in above:
                lines.writerow([f"i{i}", parent, f"thing {i}", f"item {i}|sort {i}" if i % 3 == 0 else ""])
    with own.open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["term", "concept"])
        lines.writerows([f"own word {i}", f"i{i}"] for i in range(0, size, 2))
    return path, taxonym.load(str(path)), own


# ---------------------------------------------------------------------- cells


def words(rng: random.Random, tax: Taxonomy, *, own: bool) -> Draw:
    """Labels, synonyms, other spellings, own terms and now and then an unknown word; few are frequent, many rare."""
    size = len(tax)
    order = rng.sample(range(size), size)
    skew, unknown = rng.choice((0.5, 1.0, 3.0)), rng.choice((0.0, 0.0, 0.1, 0.5))

    def draw() -> str:
        if rng.random() < unknown:
            return f"unheard {rng.randrange(4)}"
        code = order[int(size * rng.random() ** (1 + skew))]
        word = rng.choice(tax.labels(code)) if rng.random() < 0.3 else tax.label(code)
        if own and rng.random() < 0.2 and (place := int(tax.id(code)[1:])) % 2 == 0:
            return f"own word {place}"
        return word.upper() if rng.random() < 0.03 else word

    return draw


def plain_values(rng: random.Random) -> Draw:
    """Values without a taxonomy: one, two, some, or as many as there are rows."""
    many = rng.choice((1, 2, 2, 2, 3, 4, 8, 1000))
    return lambda: f"v{rng.randrange(many)}"


def numbers(rng: random.Random) -> Draw:
    """Ages, constants, outliers, huge, tiny and negative ones, fractions."""
    at = rng.choice((0, 7, 1950, -40, 10**6))
    fractions = {
        "years": lambda: rng.randint(1920, 2010),
        "constant": lambda: at,
        "two": lambda: rng.choice((at, at + 1)),
        "small": lambda: rng.randint(0, 4),
        "outlier": lambda: rng.randint(20, 60) if rng.random() < 0.95 else rng.choice((10**9, -(10**9))),
        "negative": lambda: -rng.randint(0, 500),
        "round zero": lambda: rng.randint(-30, 30),
        "magnitudes": lambda: rng.choice((1, -1)) * 10 ** rng.randint(0, 12),
        "huge": lambda: 10**15 + rng.randint(0, 10**6),
        "money": lambda: round(rng.lognormvariate(7, 2), 2),
        "fraction": lambda: rng.randint(0, 20) / 10,
        "tiny": lambda: rng.randint(1, 99) / 10**7,
        "any": lambda: rng.uniform(-1e6, 1e6),
        "wide": lambda: float(rng.choice((1, -1))) * 10 ** rng.uniform(-8, 18),
    }
    return fractions[rng.choice(list(fractions))]


def dates(rng: random.Random) -> Draw:
    """Days of a week, a year, decades, millennia, or one and the same."""
    days = rng.choice((1, 2, 7, 90, 365, 4_000, 40_000, 700_000))
    first = date(2020, 2, 27) if days < 30_000 else date(1850, 1, 1) if days < 100_000 else date(1, 1, 1)
    outlier = rng.choice((0.0, 0.05))

    def draw() -> date:
        if rng.random() < outlier:
            return rng.choice((date(1, 1, 1), date(9999, 12, 31), date(1969, 12, 31)))
        return first + timedelta(days=rng.randrange(days))

    return draw


def persons(rng: random.Random, rows: int) -> list[str]:
    """Whose rows they are: all different, a few each, or one person's for the most part."""
    how = rng.choice(("different", "few", "few", "skewed", "owner"))
    if how == "different":
        return [f"p{i}" for i in range(rows)]
    many = rng.randint(min(6, rows), rows)
    shares = {
        "few": lambda: rng.randrange(many),
        "skewed": lambda: int(many * rng.random() ** 4),
        "owner": lambda: 0 if rng.random() < 0.6 else rng.randrange(many),
    }
    return [f"p{shares[how]()}" for _ in range(rows)]


# ---------------------------------------------------------------------- cases


def make(seed: int, folder: Path, method: str | None = None) -> Case:
    """The case of a seed; files that its plan names are put into a folder."""
    rng = random.Random(seed if method is None else f"{method} {seed}")
    count = rng.randint(*rng.choice(((2, 12), (10, 30), (20, 60), (20, 60))))
    rows: list[dict[str, Any]] = [{} for _ in range(count)]
    plan: dict[str, Any] = {"input": {}, "columns": {}, "method": _method(rng, method or rng.choice(METHODS), count)}
    if rng.random() < 0.7:
        for row, who in zip(rows, persons(rng, count), strict=True):
            row["who"] = who
        plan["input"] = {"person": "who", "person_rows": rng.choice(("unite", "keep", "keep"))}
    taxonomies: dict[str, Taxonomy] = {}
    for place in range(rng.choice((1, 2, 2, 3, 3, 4))):
        kind = rng.choice(("set", "set", "nominal", "number", "number", "date", "other", "confidential"))
        if kind in ("number", "date") and plan["method"]["name"] == "generalize" and rng.random() < 0.7:
            kind = "nominal"  # numbers have to be given a hierarchy there, or the plan is refused
        if place == 0 and kind in ("other", "confidential"):
            kind = "set"
        _column(rng, f"{kind[:4]}{place}", kind, rows, plan, taxonomies, folder)
    if plan["method"].get("recoding") == "full-domain" and any("set" in name for name in plan["columns"]):
        plan["method"]["recoding"] = "local"  # whole columns rise only where each record has one value
    if rng.random() < 0.2:
        _copies(rng, rows)
    return Case(rows, plan, taxonomies)


def _method(rng: random.Random, name: str, count: int) -> dict[str, Any]:
    method: dict[str, Any] = {"name": name, "known_items": rng.choice((1, 2, 2, 3)), "seed": rng.randrange(1000)}
    method["k"] = rng.choice((2, 3, 3, 4, 5)) if rng.random() < 0.93 else max(2, rng.choice((count, count // 2, 10)))
    if name == "generalize":
        return method | {"recoding": "full-domain" if rng.random() < 0.2 else "local"}
    method["representative"] = rng.choice(("best", "best", "redaction", "per-record"))
    if rng.random() < 0.25:
        method |= {"blocks": "always", "block_size": rng.choice((4, 8, 12, 20))}
    if rng.random() < 0.1:
        method["consensus"] = True
    if rng.random() < 0.2:
        method["aggregate"] = rng.choice(("avg", "max-sum", "min", "max"))
    return method


def _column(
    rng: random.Random,
    name: str,
    kind: str,
    rows: list[dict[str, Any]],
    plan: dict[str, Any],
    taxonomies: dict[str, Taxonomy],
    folder: Path,
) -> None:
    """Add a column to all rows and to the plan."""
    settings: dict[str, Any] = {"role": kind if kind in ("other", "confidential") else "quasi-identifier"}
    values = kind
    if kind == "confidential":
        values = rng.choice(("number", "nominal", "date", "plain"))
        if values != "plain":
            settings["kind"] = values
        if rng.random() < 0.1:
            settings["exact"] = True
    elif kind != "other":
        settings["kind"] = kind
    draw = numbers(rng) if values == "number" else dates(rng) if values == "date" else plain_values(rng)
    if values in ("set", "nominal"):
        if rng.random() < 0.85:
            path, tax, own = taxonomy(folder, rng.randrange(TAXONOMIES))
            taxonomies[name], settings["taxonomy"] = tax, str(path)
            with_own = kind != "confidential" and rng.random() < 0.4
            if with_own:
                settings["overrides"] = str(own)
            draw = words(rng, tax, own=with_own)
        if kind != "confidential":
            settings["on_unknown"] = rng.choice(("suppress", "keep-as-own-concept"))
            settings["on_empty"] = rng.choice(("suppress", "keep-as-own-concept"))
    elif kind in ("number", "date"):
        settings["on_empty"] = rng.choice(("suppress", "keep-as-own-concept"))
        if rng.random() < 0.3:
            settings["publish"] = rng.choice(("rounded", "mean", "range") if kind == "number" else ("range", "rounded"))
            if settings["publish"] == "rounded":
                settings["step"] = rng.choice((1, 5, 10, 100)) if kind == "date" else rng.choice((0.1, 1, 5, 20, 10**6))
    elif kind == "other" and rng.random() < 0.3:
        many = rng.choice((2, 3, 3, 30))
        draw = lambda: rng.randrange(many)  # noqa: E731
    drops = settings.get("on_empty") == "suppress"  # the record, where the cell is empty
    empty = rng.choice((0.0, 0.0, 0.0, 0.1, 0.3 if drops else 0.6, 0.3 if drops else 0.9))
    several = rng.choice((1, 3, 6))
    for row in rows:
        cell = ";".join(draw() for _ in range(rng.randint(1, several))) if values == "set" else draw()
        row[name] = None if rng.random() < empty else cell
    plan["columns"][name] = settings


def _copies(rng: random.Random, rows: list[dict[str, Any]]) -> None:
    """Most rows say the same, whoever they are from."""
    for row in rows[1:]:
        if rng.random() < 0.8:
            row.update({name: cell for name, cell in rows[0].items() if name != "who"})
