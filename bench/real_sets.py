"""The real data that several benchmarks use, read as the pipeline reads it: six pairs of a data set and a taxonomy.

The data is not part of the project. DIR holds groceries/, queries/, synthea/ and dmoz/; shared/data beside the checkout
unless given. A person is a basket of Groceries, a user of Excite, a patient of Synthea.
"""

import argparse
import gzip
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import taxonym
from taxonym.io.files import read
from taxonym.knowledge import compiled
from taxonym.plan import Plan
from taxonym.records.records import Records, parts_of
from taxonym.records.words import WordColumn
from taxonym.shapes.table.read import prepare

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True)
class RealSet:
    """A data set with a taxonomy; unit i is a person's record, in the pipeline's order."""

    name: str
    units: Records

    @property
    def words(self) -> WordColumn:
        return self.units.words[0]

    @property
    def without(self) -> int:
        """Persons without any concept, who are suppressed."""
        return self.units.table.persons - len(self.units)

    def told(self) -> str:
        sizes = np.diff(self.words.start)
        known, unknown = len(self.words.row), int(self.words.unknown.sum())
        different = len(np.unique(self.words.codes))
        return (
            f"{len(sizes):,} persons with {sizes.mean():.1f} concepts each ({100 * (sizes == 1).mean():.0f} % have "
            f"one only), {different:,} different; {100 * known / max(1, known + unknown):.0f} % of the phrases have a "
            f"concept, {self.without:,} persons have none and are left out"
        )


def data_argument(about: str | None) -> Any:
    arguments = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=BESIDE, metavar="DIR", help="folder of the real data")
    arguments.add_argument("--only", default="", metavar="NAME", help="only the sets whose name holds this, for trials")
    return arguments


def real_sets(data: Path, only: str = "") -> Iterator[RealSet]:
    """All six, one after the other; taxonomies that the pipeline cannot load as they are lie in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        for name, table, plan in _sources(data, Path(folder), only):
            yield RealSet(name, prepare(table, plan))


def sources(data: Path, folder: Path, only: str = "") -> Iterator[tuple[str, pl.DataFrame, Plan]]:
    """All six as tables with their plans, every one with a column that says who it is; `folder` gets taxonomies."""
    for name, table, plan in _sources(data, folder, only):
        frame = table if isinstance(table, pl.DataFrame) else read(table)
        if plan.input.person is None:
            frame = frame.with_row_index("person").cast({"person": pl.String})
            given = plan.to_dict()
            given["columns"]["person"] = {"role": "identifier"}
            plan = Plan.from_dict(given | {"input": {"person": "person"}})
        yield name, frame.select(list(plan.columns)), plan


def _sources(data: Path, folder: Path, only: str) -> Iterator[tuple[str, Any, Plan]]:
    baskets = pl.DataFrame({"items": (data / "groceries" / "groceries_baskets.csv").read_text("utf-8").splitlines()})
    queries = data / "queries" / "excite1997_small_rekeyed.tsv"
    conditions = data / "synthea" / "conditions_1152.csv.gz"
    joined, dmoz = folder / "groceries.taxonym", folder / "dmoz.txt"
    levels = data / "groceries" / "groceries_taxonomy.csv"
    compiled.write(taxonym.load(levels, format="levels", join_roots=True), joined)
    with gzip.open(data / "dmoz" / "dmoz_categories_2012.txt.gz", "rt", encoding="utf-8") as file:
        more = (data / "dmoz" / "dmoz_extra_level3.txt").read_text("utf-8")
        dmoz.write_text(file.read().rstrip("\n") + "\n" + more, "utf-8")
    wanted: list[tuple[str, Any, tuple[str, str, str | None], Sequence[Path | str]]] = [
        ("Groceries, own taxonomy", baskets, ("items", "set", None), [joined]),
        ("Groceries, WordNet", baskets, ("items", "set", None), ["wordnet"]),
        ("Excite, WordNet", queries, ("query", "text", "user"), ["wordnet"]),
        ("Excite, DMOZ", queries, ("query", "text", "user"), [dmoz]),
        ("Synthea, WordNet", conditions, ("DESCRIPTION", "set", "PATIENT"), ["wordnet"]),
        ("Synthea, ICD-10-CM", conditions, ("DESCRIPTION", "set", "PATIENT"), ["icd10cm"]),
    ]
    for name, table, (column, kind, person), taxonomy in wanted:
        if only in name:
            print(f"{name} …", file=sys.stderr)
            yield name, table, _plan(column, kind, person, list(map(str, taxonomy)))


def _plan(column: str, kind: str, person: str | None, taxonomy: list[str]) -> Plan:
    settings: dict[str, Any] = {"role": "quasi-identifier", "kind": kind, "taxonomy": taxonomy}
    if kind == "set":
        settings["separator"] = "," if person is None else ";"  # one condition a row
    columns = {column: settings} | ({person: {"role": "identifier"}} if person else {})
    return Plan.from_dict({"input": {"person": person} if person else {}, "columns": columns, "method": {"k": 2}})


def sets_of(real: RealSet, raw: bool = False) -> Any:
    """The concepts of all persons as distances see them; `raw`: their terms, without meaning."""
    return parts_of([real.words], raw)[0]
