"""An intruder with a solver: random small tables, and what all data agree on that fit a release and its report.

The solver knows how a run works, but not the random numbers. Unknown to it are, for every nominal column, how many
persons of each class had each value, how many of those who were left out did, and how many were left out for each
reason. It looks for figures that are told, finds out which solutions they allow, and asks of every count whether it
has one value only. The grid of figures is written down here once more, apart from the product.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

import taxonym
from taxonym.run.release import Release

SMALL = 1e-7
EDGES = {
    "colour": [("red", "warm"), ("orange", "warm"), ("blue", "cold"), ("green", "cold"), ("teal", "cold"),
               ("warm", "any"), ("cold", "any")],
    "hiv": [("positive", "result"), ("negative", "result")],
}  # fmt: skip
TOPIC = "[topics.warmth]\nconcepts = ['warm']\n"


@dataclass
class Made:
    """A random table and its plan."""

    frame: pl.DataFrame
    plan: dict[str, Any]

    @property
    def k(self) -> int:
        return int(self.plan["method"]["k"])

    @property
    def nominal(self) -> list[str]:
        return [name for name in self.plan["columns"] if name in EDGES]

    def released(self) -> Release:
        return taxonym.anonymize(self.frame, self.plan, baselines=False)


def taxonomy_files(folder: Path) -> None:
    """What the plans of random tables name."""
    for name, edges in EDGES.items():
        (folder / f"{name}.csv").write_text("child,parent\n" + "".join(f"{a},{b}\n" for a, b in edges))
    (folder / "topics.toml").write_text(TOPIC)


def random_table(dice: random.Random, folder: Path) -> Made:
    """A few columns of 20 to 60 rows, k from 2 to 5, grouped or generalised, some cells empty."""
    n, k = dice.randint(20, 60), dice.randint(2, 5)
    rare, gaps = dice.choice([0.02, 0.05, 0.2]), dice.choice([0, 0, 0.05])
    generalize = dice.random() < 0.5
    cells: dict[str, list[Any]] = {}
    columns: dict[str, dict[str, Any]] = {}
    for name, edges in EDGES.items():
        if name == "hiv" or dice.random() < 0.8:
            leaves = [a for a, _ in edges if a not in {b for _, b in edges}]
            odds = [rare if i == 0 else 1 / i for i, _ in enumerate(leaves)]
            cells[name] = [None if dice.random() < gaps else dice.choices(leaves, odds)[0] for _ in range(n)]
            columns[name] = {"role": "quasi-identifier", "kind": "nominal", "taxonomy": str(folder / f"{name}.csv")}
    if "colour" in columns and dice.random() < 0.5:
        columns["colour"] |= {"topics": ["warmth"], "topics_file": str(folder / "topics.toml")}
    if not generalize and dice.random() < 0.5:
        cells["age"] = [dice.randint(18, 90) for _ in range(n)]
        columns["age"] = {"role": "quasi-identifier", "kind": "number"}
    if dice.random() < 0.5:
        cells["salary"] = [dice.randint(10, 99) * 1000 for _ in range(n)]
        columns["salary"] = {"role": "confidential", "kind": "number"}
    method: dict[str, Any] = {"k": k, "seed": dice.randint(0, 2**31)}
    if generalize:
        method |= {"name": "generalize", "suppress": dice.choice([0.0, 0.1, 0.2])}
    return Made(pl.DataFrame(cells), {"columns": columns, "method": method})


# ---------------------------------------------------------------------- the grid, once more


def step(k: int, n: int, most: float = 1.0) -> float:
    """The smallest 1, 2 or 5 · 10^j of at least 2 · k · most / n."""
    for power in count(-9):
        for digit in (1, 2, 5):
            if digit * 10.0**power >= 2 * k * most / n * (1 - 1e-9):
                return digit * 10.0**power
    raise AssertionError


# ---------------------------------------------------------------------- the solver


@dataclass
class System:
    """Whole numbers from 0 to `most`, and linear sums of them between bounds."""

    most: int
    names: list[Any] = field(default_factory=list)
    rows: list[tuple[dict[Any, float], float, float]] = field(default_factory=list)

    def unknown(self, name: Any) -> Any:
        self.names.append(name)
        return name

    def between(self, least: float, total: Mapping[Any, float], largest: float) -> None:
        self.rows.append((dict(total), least, largest))

    def solution(self, total: Mapping[Any, float], sign: int) -> dict[Any, int] | None:
        """One in which the sum is least (sign 1) or largest (sign -1)."""
        place = {name: i for i, name in enumerate(self.names)}
        matrix: NDArray[np.float64] = np.zeros((len(self.rows), len(place)))
        for i, (row, _, _) in enumerate(self.rows):
            for name, value in row.items():
                matrix[i, place[name]] += value
        aim = np.zeros(len(place))
        for name, value in total.items():
            aim[place[name]] += sign * value
        low, high = np.array([row[1] for row in self.rows]), np.array([row[2] for row in self.rows])
        found = milp(
            aim,
            constraints=LinearConstraint(matrix, low, high),
            bounds=Bounds(0, self.most),
            integrality=np.ones(len(place)),
        )
        if found.x is None:
            return None
        return {name: round(float(found.x[i])) for name, i in place.items()}

    def settled(self, targets: Mapping[str, Mapping[Any, float]]) -> dict[str, int]:
        """The targets on whose value all solutions agree, with it."""
        seen: dict[str, set[int]] = {name: set() for name in targets}
        for name, total in targets.items():
            for sign in (-1, 1):
                if len(seen[name]) > 1:
                    break
                found = self.solution(total, sign)
                if found is None:
                    raise ValueError("the report contradicts the release")
                for other, parts in targets.items():
                    seen[other].add(round(sum(value * found[part] for part, value in parts.items())))
        return {name: values.pop() for name, values in seen.items() if len(values) == 1}


def finds(made: Made, release: pl.DataFrame, report: Mapping[str, Any]) -> dict[str, int]:
    """Counts from 1 to k - 1, and values of classes, that release and report settle, and the release alone does not."""
    found: dict[str, int] = {}
    for column in made.nominal:
        system, targets = _system(made, release, column)
        _add_report(system, made, release, column, report)
        settled = {name: n for name, n in system.settled(targets).items() if _tells(name, n, made.k)}
        if settled:
            bare, _ = _system(made, release, column)
            alone = bare.settled({name: targets[name] for name in settled})
            found |= {f"{column}: {name}": n for name, n in settled.items() if name not in alone}
    return found


def _tells(name: str, n: int, k: int) -> bool:
    return n > 0 if name.startswith("class") else 0 < n < k


def _system(made: Made, release: pl.DataFrame, column: str) -> tuple[System, dict[str, dict[Any, float]]]:
    """What a release tells of a column: its classes have these sizes, and what it publishes has k holders."""
    tax, k = taxonym.Taxonomy.from_edges(EDGES[column]), made.k
    leaves = [c for c in range(len(tax)) if not tax.children(c)]
    generalize = made.plan["method"].get("name") == "generalize"
    system = System(made.frame.height)
    open_ = [name for name in release.columns if made.plan["columns"][name]["role"] != "confidential"]
    classes = Counter(zip(*(map(str, release[name].to_list()) for name in open_), strict=True))
    targets: dict[str, dict[Any, float]] = {"changed": {}, "left out": {}}
    for v in leaves:
        targets[f"holders of {tax.label(v)}"] = {system.unknown(("out", v)): 1}
    for reason in ("missing", "others"):
        targets["left out"][system.unknown(reason)] = 1
        targets[f"left out: {reason}"] = {reason: 1}
    for c, (row, size) in enumerate(classes.items()):
        shown = _code(tax, row[open_.index(column)])
        for v in leaves:
            x = system.unknown((c, v, shown))
            targets[f"holders of {tax.label(v)}"][x] = 1
            targets[f"class {c}: {tax.label(v)}"] = {x: 1}
            if v != shown:
                targets["changed"][x] = 1
            if generalize and shown is not None and shown not in tax.ancestors(v):
                system.between(0, {x: 1}, 0)
        system.between(size, {(c, v, shown): 1 for v in leaves}, size)
    outs = {("out", v): 1.0 for v in leaves}
    system.between(0, outs | {"others": -1.0}, 0)
    for shown in {_code(tax, row[open_.index(column)]) for row in classes} - {None}:
        below = {name: 1.0 for name in system.names if isinstance(name, tuple) and shown in tax.ancestors(name[1])}
        system.between(k, below, np.inf)
    return system, targets


def _code(tax: taxonym.Taxonomy, label: str) -> int | None:
    return next(iter(tax.codes(label)), None)


def left_out_of(report: Mapping[str, Any]) -> list[int]:
    """Counts of persons who are left out, as far as told."""
    return [n for n in report["records"]["suppressed_persons"].values() if isinstance(n, int) and n]


def _add_report(system: System, made: Made, release: pl.DataFrame, column: str, report: Mapping[str, Any]) -> None:
    """What a report adds: figures on their grid, or as they are where it is private."""
    tax, k, n = taxonym.Taxonomy.from_edges(EDGES[column]), made.k, release.height
    exact = "notice" in report
    xs = [name for name in system.names if isinstance(name, tuple) and len(name) == 3]

    def mean(told: float | None, parts: Mapping[Any, float], most: float = 1.0) -> None:
        if told is not None:
            wide = SMALL if exact else step(k, n, most) - SMALL
            system.between((told - wide) * n, parts, (told + wide) * n)

    def counted(told: Any, parts: Mapping[Any, float]) -> None:
        if isinstance(told, str):
            system.between(0, parts, k - 1)
        elif told is not None:
            if exact:
                system.between(told, parts, told)
            else:
                system.between(max(k, told - 4 * k + 1), parts, 4 * k - 1 if told == k else told + 4 * k - 1)

    far = {x: 1.0 if x[2] is None else taxonym.concept_distance(tax, x[1], x[2]) for x in xs}
    mean(report["loss"].get("columns", {}).get(column), far)
    if len(made.plan["columns"]) == 1:
        another = report["loss"]["judged_by_another_distance"]
        lin = {x: 1.0 if x[2] is None else taxonym.concept_distance(tax, x[1], x[2], measure="lin") for x in xs}
        mean(another["mean"], lin, 2.0)
    survival = report["survival"]["columns"][column]
    kept = {x: 1.0 for x in xs if x[1] == x[2]}
    true = {x: 1.0 for x in xs if x[2] is not None and x[2] in tax.ancestors(x[1])}
    if survival["kept"] is not None and not any(left_out_of(report)):
        mean(survival["kept"] / 100, kept, 2.0)
    if survival["true"] is not None and all(x[2] is not None for x in xs):
        mean(survival["true"] / 100, true, 2.0)
    shift = survival["frequencies"]["shift"]
    if shift is not None and all(x[2] is not None for x in xs):
        _add_shift(system, tax, release[column].to_list(), n, shift + (SMALL if exact else step(k, n, 2.0)))
    left_out = report["records"]["suppressed_persons"]
    missing = left_out.get("missing value", 0)
    wide = 0 if exact else k - 1
    least, most = (0, k - 1) if isinstance(missing, str) else (missing - wide, missing + wide)
    system.between(least, {"missing": 1}, most)
    others = [told for why, told in left_out.items() if why != "missing value"]
    if all(isinstance(told, int) for told in others):
        wide = 0 if exact else (k - 1) * len(others)
        system.between(sum(others) - wide, {"others": 1}, sum(others) + wide)
    elif not any(isinstance(told, int) and told for told in others):
        system.between(0, {"others": 1}, (k - 1) * len(others))
    if (persons := report["records"]["persons"]) is not None:
        system.between(persons - n, {"missing": 1, "others": 1}, persons - n)
    for one in report["columns"]:
        for branch in one["branches"] if one["name"] == column else ():
            for concept in (branch, *branch["concepts"]):
                code = _code(tax, concept["concept"])
                held = {x: 1.0 for x in xs if code in tax.ancestors(x[1])}
                if held:
                    counted(concept["persons_before"], held)
        if one["name"] == column and (exact or n >= 10 * k):
            told = {row["term"]: row["persons"] for row in one["mapped"]}
            for v in {name[1] for name in system.names if isinstance(name, tuple) and name[0] == "out"}:
                wrote = {x: 1.0 for x in xs if x[1] == v}  # who is left out is not counted
                if (persons := told.get(tax.label(v))) is not None:
                    counted(persons, wrote)
                else:  # it was told as fewer than 4k, or exactly as fewer than k
                    system.between(0, wrote, (k if exact else 4 * k) - 1)
        if one["name"] == column and "warmth" in one.get("topics", {}):
            warm = _code(tax, "warm")
            held = {x: 1.0 for x in persons_of(system) if warm in tax.ancestors(x[1])}
            counted(one["topics"]["warmth"], held)


def persons_of(system: System) -> list[Any]:
    """The unknowns that count persons with a value, of classes or left out."""
    return [name for name in system.names if isinstance(name, tuple) and name[0] != "shift"]


def _add_shift(system: System, tax: taxonym.Taxonomy, cells: Sequence[str], n: int, most: float) -> None:
    """Frequencies shifted by no more than this: the holders of every value differ from those who are published with it
    by so many in all, and by those who are left out."""
    shown, differing = Counter(_code(tax, cell) for cell in cells), dict[Any, float]()
    persons = persons_of(system)
    for v in range(len(tax)):
        apart = system.unknown(("shift", v, None))
        differing[apart] = 1.0
        held = {name: 1.0 for name in persons if name[1] == v}
        system.between(shown[v], held | {apart: 1.0}, np.inf)
        system.between(-np.inf, held | {apart: -1.0}, shown[v])
    system.between(0, differing | {"others": -1.0}, 2 * n * most)


# ---------------------------------------------------------------------- who knows all cells but one


def contradictions(told: Mapping[str, Any], exact: Mapping[str, Any], k: int) -> Iterator[str]:
    """Figures of a report that cannot be told of data whose private report is `exact`, whatever the random numbers."""
    n = told["records"]["published_rows"]
    for mine, true in zip(told["columns"], exact["columns"], strict=False):
        yield from _terms_against(mine["mapped"], true["mapped"], k, n)
    for path, value in leaves_of(told):
        name = path[-1]
        if (
            path[0] in ("taxonym", "versions", "plan", "verdict", "warnings", "questions", "released")
            or "told_in_steps_of" in path
            or "mapped" in path
            or name in DERIVED
            or path in (("loss", "mean"), ("loss", "mean_of_published"), ("loss", "ratio_to_a_random_record"))
        ):
            continue  # they follow from the others
        true: Any = exact
        for key in path:
            true = true.get(key, MISSING) if isinstance(true, Mapping) else true[key] if key < len(true) else MISSING
            if true is MISSING:
                yield f"{path} is not there"
                break
        else:
            yield from (f"{path}: {value} of {true}" for _ in "1" if not _possible(path, value, true, k, n))


MISSING = object()
DERIVED = ("baseline_dr_percent", "dr_percent_interval_95", "rows", "persons")
MEANS = {
    "dr_percent": lambda k: 100 / k,
    "dr_percent_without_masking": lambda k: 1000,
    "understood_percent": lambda k: 100,
}


def _may_survive(path: Sequence[Any], told: Any, exact: Any, k: int, n: int) -> bool:
    """What is told of a column; forms are told by what they add up to. What is told of all columns follows."""
    if path[1:2] != ("columns",) or told is None or exact is None:
        return path[1:2] != ("columns",) or told is None or exact is None
    times = 2.0 if "random" in path else 1.0
    if path[-2] in ("sizes", "frequencies"):
        most = {"before": 20.0, "as_large": 200.0, "shift": 2.0}.get(path[-1])
        return abs(told - exact) < (0.006 if most is None else step(k, n, most) + SMALL)
    if path[-1] == "information":
        return abs(told - exact) < step(k, n, times) + SMALL
    wide = step(k, n, times * 200)
    return abs(told - exact) < (wide if path[-1] in ("unmapped", "true", "true_by_content") else 2 * wide) + SMALL


def _terms_against(told: Sequence[Any], exact: Sequence[Any], k: int, n: int) -> Iterator[str]:
    """Terms that are told to have another number of writers than they can have, or that would have to be told."""
    writers, named = ({row["term"]: row["persons"] for row in rows} for rows in (exact, told))
    for term, persons in named.items():
        if abs(writers.get(term, 0) - persons) >= 4 * k:
            yield f"{term} has not about {persons} writers"
    for term, persons in writers.items():
        if persons >= 4 * k and term not in named and n >= 10 * k and len(named) < 20:
            yield f"{term} would be told"


def _possible(path: Sequence[Any], told: Any, exact: Any, k: int, n: int) -> bool:
    name = path[-1]
    if path[0] == "survival":
        return _may_survive(path, told, exact, k, n)
    if (path[0] == "loss" and name not in ("measure", "aggregate")) or name in MEANS:
        if told is None or exact is None:
            return told is None or exact is None
        most = MEANS[name](k) if name in MEANS else 4.0 if "to_a_random_record" in str(path) else 1.0
        most = 2.0 if "judged_by_another_distance" in path else most
        return abs(told - exact) < step(k, n, most) + SMALL
    if (
        name == "persons_before"
        or "topics" in path
        or "suppressed_persons" in path
        or name in ("records_above_1_over_k", "surplus_rows")
    ):
        if told is None:
            return True
        wide = 4 * k if name == "persons_before" or "topics" in path else k
        return exact < k if isinstance(told, str) else told == exact == 0 or (exact >= k and abs(told - exact) < wide)
    if path[0] in ("notes", "warnings"):  # sentences whose counts the guard has told
        return re.sub(r"[\d,]+|<k", "#", str(told)) == re.sub(r"[\d,]+|<k", "#", str(exact))
    return bool(told == exact)


def leaves_of(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every figure of a report, with the keys that lead to it."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from leaves_of(value, (*path, key))
    elif isinstance(data, list):
        for i, value in enumerate(data):
            yield from leaves_of(value, (*path, i))
    else:
        yield path, data


@dataclass
class Replay:
    """How many candidates for a cell the release leaves, and how many of them the report leaves."""

    release: int
    report: int
    why: list[str]


def replay(made: Made, dice: random.Random) -> Replay:
    """Who knows all cells but one, the plan and the algorithm runs it for every value that the cell may have."""
    column, row = dice.choice(made.nominal), dice.randrange(made.frame.height)
    own = made.released()
    edges = EDGES[column]
    values = [*(a for a, _ in edges if a not in {b for _, b in edges}), None]
    left, kept, why = 0, 0, []
    for value in values:
        cells = made.frame[column].to_list()
        same = cells[row] == value
        cells[row] = value
        other = (
            own if same else _released(Made(made.frame.with_columns(pl.Series(column, cells, pl.String)), made.plan))
        )
        if other is None or _rows(other) != _rows(own):
            continue
        against = list(contradictions(own.report, other.private_report(), made.k))
        left += 1
        kept += not against
        why += against
        assert not (same and against), against
    return Replay(left, kept, why)


def _released(made: Made) -> Release | None:
    try:
        return made.released()
    except taxonym.errors.TaxonymError:
        return None


def _rows(release: Release) -> Counter[Any]:
    """The release as everybody sees it, in no order."""
    return Counter(map(str, release.frame.rows()))
