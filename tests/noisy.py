"""A small hierarchy of jobs and tables about them, for tests of noise."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from taxonym import Taxonomy
from taxonym.measure.nominal import Domain
from taxonym.methods.noise.column import noise_columns_of
from taxonym.methods.noise.statistics import write_statistics
from taxonym.plan import Plan
from taxonym.publish.noise.private import MISSING, exponential_weights
from taxonym.shapes.table.read import prepare

EDGES = [
    ("employee", "worker"), ("clerk", "employee"), ("salesperson", "employee"), ("teller", "clerk"),
    ("cashier", "salesperson"), ("self-employed", "worker"), ("farmer", "self-employed"), ("baker", "self-employed"),
    ("dairy farmer", "farmer"), ("fruit farmer", "farmer"),
]  # fmt: skip
JOBS = sorted({job for edge in EDGES for job in edge})


def share_of_clerks(epsilon: float) -> float:
    """How often a set of two values that holds one clerk should be published with a clerk, if all of it costs ε."""
    domain = Domain.of(Taxonomy.from_edges(EDGES))
    weights = exponential_weights(domain, epsilon / 2)
    clerk = domain.tax.code("clerk")
    rows = weights.rows(np.array([clerk, MISSING], np.int32))
    some = rows[:, weights.outcomes.tolist().index(clerk)] / rows.sum(axis=1)
    return float(1 - (1 - some).prod())


def hierarchy(folder: Path) -> str:
    path = folder / "jobs.csv"
    path.write_text("child,parent\n" + "".join(f"{child},{parent}\n" for child, parent in EDGES))
    return str(path)


def column(folder: Path, **more: Any) -> dict[str, Any]:
    return {"role": "quasi-identifier", "taxonomy": hierarchy(folder), **more}


def jobs(n: int = 200, seed: int = 1, skew: float = 1.0) -> list[str]:
    """Many jobs, some of them more often than others."""
    share = np.arange(1, len(JOBS) + 1) ** skew
    found: list[str] = np.random.default_rng(seed).choice(JOBS, n, p=share / share.sum()).tolist()
    return found


def people(n: int = 200, seed: int = 1) -> pl.DataFrame:
    """Persons with a job, the jobs of their parents and a pay; every fourth has two rows."""
    rng = np.random.default_rng(seed)
    whose = [f"Kowalska{i - i % 4 // 3}" for i in range(n)]
    family = [";".join(rng.choice(JOBS, rng.integers(1, 4), replace=False)) for _ in range(n)]
    return pl.DataFrame({"who": whose, "job": jobs(n, seed), "family": family, "pay": rng.integers(0, 9, n)})


def plan(folder: Path, method: dict[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
    """A plan for records of jobs: settings of the method, and of the column."""
    return {
        "input": {"person": "who", "person_rows": "keep"},
        "columns": {"job": column(folder, **settings)},
        "method": {"name": "noise", **(method or {})},
    }


def statistics_of(table: pl.DataFrame, given: dict[str, Any], path: Path, frequencies: bool = True) -> str:
    made = Plan.from_dict(given)
    write_statistics(path, noise_columns_of(made), prepare(table, made), frequencies, made.method.k)
    return str(path)
