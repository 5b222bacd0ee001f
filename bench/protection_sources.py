"""The data that protection_cost.py publishes, and its plans. Real data lies outside the project."""

import gzip
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import polars as pl
from generalize import HIERARCHIES, NAMES, ladder

EXAMPLES = Path(__file__).resolve().parents[1] / "src" / "taxonym" / "examples"
STEPS = {"number": 5, "date": 200}  # years of age or birth; days
Settings = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """A table with its plan."""

    name: str
    frame: pl.DataFrame
    plan: Settings

    @property
    def told(self) -> str:
        who = self.plan["input"].get("person")
        persons = f", {self.frame[who].n_unique():,} persons" if who else ""
        return f"{len(self.frame):,} rows{persons}; {', '.join(self.plan['columns'])}."

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        return self.frame.to_dicts()

    @cached_property
    def readings(self) -> dict[str, Any]:
        """How the words of each column with a taxonomy are read: as a label, else as a text."""
        return {name: reading(tax) for name, tax in self.taxonomies.items()}

    @cached_property
    def taxonomies(self) -> dict[str, Any]:
        import taxonym

        named = {n: c["taxonomy"] for n, c in self.plan["columns"].items() if "taxonomy" in c}
        return {name: taxonym.load(path) for name, path in named.items()}


@dataclass(frozen=True)
class Setting:
    """A change of a plan, and whether only this version knows its keys."""

    name: str
    method: Settings = field(default_factory=dict)
    columns: dict[str, Settings] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    is_new: bool = True


def settings(plan: Settings) -> Iterator[Setting]:
    """The plan as it is, then with one rule after the other taken away."""
    yield Setting("all rules", is_new=False)
    yield Setting("one item known", {"known_items": 1}, is_new=False)
    scales = [n for n, c in plan["columns"].items() if c.get("kind") in ("number", "date") and is_masked(c)]
    if scales:
        steps = {name: STEPS[plan["columns"][name]["kind"]] for name in scales}
        rounded = {name: {"publish": "rounded", "step": step} for name, step in steps.items()}
        yield Setting("numbers rounded", columns=rounded)
        if all(plan["columns"][name]["kind"] == "number" for name in scales):
            yield Setting("numbers as means", columns={name: {"publish": "mean"} for name in scales})
        yield Setting("numbers left out", without=tuple(scales), is_new=False)
    kept = [name for name, column in plan["columns"].items() if column["role"] == "confidential"]
    if kept:
        yield Setting("confidential values exact", columns={name: {"exact": True} for name in kept})


def reading(tax: Any) -> Any:
    """The concepts of a word: by a label that means one thing, an id, a label with a hint, or as text is read."""
    import taxonym

    finder = taxonym.Finder(tax)
    ids = {tax.id(code): code for code in range(len(tax))}

    @cache
    def codes(word: str) -> tuple[int, ...]:
        found = tax.codes(word)
        if len(found) == 1:
            return tuple(found)
        if word in ids:
            return (ids[word],)
        bare = re.sub(r" \([^()]+\)$", "", word)
        return tuple({mention.code: None for mention in finder.find(word)}) or (codes(bare) if bare != word else ())

    return codes


def is_masked(column: Settings) -> bool:
    return column["role"] == "quasi-identifier"


def sources(data: Path, folder: Path, only: str, most: int) -> Iterator[Source]:
    """The examples that ship, then real data; `folder` gets what has to be written for it."""
    for name, file in (("Demo, diagnoses", "diagnoses"), ("Demo, search log", "search-log")):
        if only in name:
            plan = tomllib.loads((EXAMPLES / f"{file}.toml").read_text())
            plan["input"].pop("path")
            for column in plan["columns"].values():
                if column.get("taxonomy", "").endswith(".csv"):
                    column["taxonomy"] = str(EXAMPLES / column["taxonomy"])
            yield Source(name, pl.read_csv(EXAMPLES / f"{file}.csv", schema_overrides={"user": pl.String}), plan)
    if only in "Groceries":
        yield groceries(data, most)
    for dated in (False, True):
        name = "Synthea, conditions with their dates" if dated else "Synthea, conditions of a patient"
        if only in name:
            yield synthea(name, data, most, dated=dated)
    if only in "Adult":
        yield adult(data, folder, most)


def groceries(data: Path, most: int) -> Source:
    lines = (data / "groceries" / "groceries_baskets.csv").read_text("utf-8").splitlines()[:most]
    words = {"role": "quasi-identifier", "kind": "set", "separator": ","}
    path = str(data / "groceries" / "groceries_taxonomy.csv")
    return Source(
        "Groceries",
        pl.DataFrame({"items": lines}),
        {"input": {}, "columns": {"items": words | {"taxonomy": path}}, "method": {}},
    )


def synthea(name: str, data: Path, most: int, *, dated: bool) -> Source:
    frame = pl.read_csv(data / "synthea" / "conditions_1152.csv.gz", try_parse_dates=True).head(most)
    words = {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}
    plan: Settings = {
        "input": {"person": "PATIENT", "person_rows": "keep" if dated else "unite"},
        "columns": {"PATIENT": {"role": "identifier"}, "DESCRIPTION": words},
        "method": {},
    }
    if dated:
        plan["columns"]["START"] = {"role": "quasi-identifier", "kind": "date"}
    return Source(name, frame.select(list(plan["columns"])), plan)


def adult(data: Path, folder: Path, most: int) -> Source:
    with gzip.open(data / "adult" / "adult.data.gz", "rt") as file:
        rows = [line.strip().split(", ") for line in file if "?" not in line and line.strip()]
    frame = pl.DataFrame(rows[:most], schema=NAMES, orient="row").cast({"age": pl.Int64, "hours-per-week": pl.Int64})
    columns: dict[str, Settings] = {"age": {"role": "quasi-identifier", "kind": "number"}}
    for name in ("education", "marital-status", "occupation", "race", "sex", "native-country"):
        columns[name] = {"role": "quasi-identifier", "kind": "nominal"}
        if name != "sex":
            path = folder / f"{name}.csv"
            ladders = [ladder(name, value)[:-1] for value in HIERARCHIES[name]]
            edges = {pair: None for rungs in ladders for pair in zip(rungs, [*rungs[1:], "anything"], strict=True)}
            path.write_text("child,parent\n" + "".join(f'"{child}","{parent}"\n' for child, parent in edges))
            columns[name]["taxonomy"] = str(path)
    columns["income"] = {"role": "confidential", "kind": "nominal"}
    return Source("Adult", frame.select(list(columns)), {"input": {}, "columns": columns, "method": {}})
