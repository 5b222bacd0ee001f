"""The data whose releases meaning.py reads, with its plans. Real data lies outside the project."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl
from protection_sources import groceries, synthea
from protection_sources import sources as examples

from taxonym.io.files import read

USED = {"Demo, search log": "query", "Demo, diagnoses": "diagnoses"}
SAID = 3_000  # persons or baskets of a source, unless told otherwise


@dataclass(frozen=True)
class MeaningSource:
    """A table with its plan, and the column of words that is read."""

    name: str
    frame: pl.DataFrame
    plan: dict[str, Any]
    column: str
    taxonomy: str
    kind: str  # text, set or querylog

    @property
    def person(self) -> str | None:
        """The column that says who it is, where all rows of a person are one record."""
        if self.kind == "querylog":
            return "user"
        given = self.plan["input"]
        return given["person"] if "person" in given and given.get("person_rows", "unite") == "unite" else None

    @cached_property
    def texts(self) -> dict[Any, list[str]]:
        """What each record says, as it is written: by person, or by row (from 1) where rows stay apart."""
        split = self.plan.get("columns", {}).get(self.column, {}).get("separator", ";") if self.kind == "set" else None
        whose = self.frame[self.person].cast(pl.String) if self.person else range(1, len(self.frame) + 1)
        found: dict[Any, list[str]] = defaultdict(list)
        for who, cell in zip(whose, self.frame[self.column], strict=True):
            parts = [part.strip() for part in (cell or "").split(split)] if split else [cell or ""]
            found[who] += [part for part in parts if part]
        return dict(found)

    def by_ids(self, ids: Mapping[Any, Sequence[str]]) -> "MeaningSource":
        """The same records, each concept by its id, so that every version takes it for the same: a row for every
        concept of a person, or a set in the place of the text."""
        if self.kind == "querylog" or self.person:
            rows = [(str(who), one) for who, some in ids.items() for one in some]
            frame = pl.DataFrame(rows, schema=[self.person or "", self.column], orient="row")
        else:
            frame = self.frame.with_columns(pl.Series(self.column, [";".join(some) for some in ids.values()]))
        plan = json.loads(json.dumps(self.plan))
        if self.kind != "querylog":
            plan["columns"][self.column] |= {"kind": "set", "separator": ";"}
        kind = "querylog" if self.kind == "querylog" else "set"
        return replace(self, frame=frame, plan=plan, kind=kind)

    @property
    def told(self) -> str:
        return f"{len(self.frame):,} rows, {len(self.texts):,} records; {self.column}, {Path(self.taxonomy).name}."


def sources(data: Path, folder: Path, only: str, most: int) -> Iterator[MeaningSource]:
    """The examples that ship, then real data; at most so many persons of each."""
    for source in examples(data, folder, "Demo", most):
        if only in source.name:
            yield _source(source.name, source.frame, source.plan, USED[source.name], most)
    queries = read(data / "queries" / "excite1997_small_rekeyed.tsv")
    if only in "Excite, text":
        words = {"role": "quasi-identifier", "kind": "text", "taxonomy": "wordnet"}
        columns = {"user": {"role": "identifier"}, "query": words}
        plan = {"input": {"person": "user"}, "columns": columns, "method": {}}
        yield _source("Excite, text", queries.select("user", "query"), plan, "query", most)
    if only in "Excite, query log":
        plan = {"querylog": {}, "method": {}}
        frame = _some(queries, "user", most)
        yield MeaningSource("Excite, query log", frame, plan, "query", "wordnet", "querylog")
    for name in ("Groceries, own taxonomy", "Groceries, WordNet"):
        if only in name:
            made = groceries(data, most)
            if "WordNet" in name:
                made.plan["columns"]["items"]["taxonomy"] = "wordnet"
            yield _source(name, made.frame, made.plan, "items", most)
    for name, taxonomy in (("Synthea, WordNet", "wordnet"), ("Synthea, ICD-10-CM", "icd10cm")):
        if only in name:
            made = synthea(name, data, 1_000_000, dated=False)
            made.plan["columns"]["DESCRIPTION"]["taxonomy"] = taxonomy
            yield _source(name, made.frame, made.plan, "DESCRIPTION", most)


def _source(name: str, frame: pl.DataFrame, plan: dict[str, Any], column: str, most: int) -> MeaningSource:
    settings = plan["columns"][column]
    some = _some(frame, plan["input"].get("person"), most)
    return MeaningSource(name, some, plan, column, settings["taxonomy"], settings["kind"])


def _some(frame: pl.DataFrame, person: str | None, most: int) -> pl.DataFrame:
    """The rows of the first persons."""
    if person is None:
        return frame.head(most)
    first = frame[person].unique(maintain_order=True).head(most)
    return frame.filter(pl.col(person).is_in(first.implode()))
