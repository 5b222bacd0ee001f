"""Taxonym as people write it in Python: any kind of table in and out, the commands as functions, errors of its own."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import taxonym
from taxonym.errors import BadInput, BadPlan, TaxonymError
from taxonym.io.frames import as_polars, like

WORDS = ["nurse", "cook", "farmer", "nurse", "cook", "farmer"] * 5
TABLE = pl.DataFrame(
    {"patient": [f"Kowalska{i}" for i in range(30)], "job": WORDS, "year": [1990 + i % 3 for i in range(30)]}
)
PLAN: dict[str, Any] = {
    "input": {"person": "patient"},
    "columns": {
        "patient": {"role": "identifier"},
        "job": {"role": "quasi-identifier", "taxonomy": "wordnet"},
        "year": {"role": "other"},
    },
    "method": {"k": 3, "seed": 1},
}


class Stream:
    """Anything that speaks Arrow, once."""

    def __init__(self, table: pa.Table) -> None:
        self.reader = table.to_reader()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.reader.__arrow_c_stream__(requested_schema)


class Interchange:
    """What speaks the older protocol."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __dataframe__(self, **options: Any) -> object:
        return self.table.__dataframe__(**options)


def kinds() -> dict[str, tuple[Any, str]]:
    """A table of every kind, and the kind that comes back."""
    arrow, plain = TABLE.to_arrow(), pd.DataFrame(TABLE.to_dict(as_series=False))
    return {
        "polars": (TABLE, "DataFrame"),
        "lazy": (TABLE.lazy(), "LazyFrame"),
        "pandas": (plain, "DataFrame"),
        "arrow": (arrow, "Table"),
        "duckdb": (duckdb.from_arrow(arrow), "DuckDBPyRelation"),
        "stream": (Stream(arrow), "DataFrame"),
        "interchange": (Interchange(arrow), "DataFrame"),
        "dicts": (TABLE.to_dicts(), "list"),
    }


@pytest.fixture(scope="module")
def release() -> taxonym.Release:
    return taxonym.anonymize(TABLE, PLAN, baselines=False)


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_a_release_is_the_same_for_every_kind_of_table_and_comes_back_as_that_kind(
    kind: str, release: taxonym.Release
) -> None:
    table, back = kinds()[kind]
    made = taxonym.anonymize(table, PLAN, baselines=False)
    assert made.frame.equals(release.frame)
    assert type(made.table).__name__ == back
    assert as_polars(made.table).equals(release.frame)


def test_an_index_with_a_name_is_a_column_and_no_index_of_persons_comes_back(release: taxonym.Release) -> None:
    table = pd.DataFrame(TABLE.to_dict(as_series=False)).set_index("patient")
    made = taxonym.anonymize(table, PLAN, baselines=False)
    assert made.frame.equals(release.frame)
    assert list(made.table.index) == list(range(30))  # numbers of the rows of the release, not of persons
    assert "Kowalska" not in made.table.to_csv()
    other = pd.DataFrame(TABLE.to_dict(as_series=False)).set_index("year")
    found = taxonym.anonymize(other, PLAN, baselines=False).table
    assert found.index.name == "year"
    assert as_polars(found).select("job", "year").equals(release.frame.select("job", "year"))


def test_an_index_without_a_name_is_left_out() -> None:
    table = pd.DataFrame({"job": ["cook"]}, index=["Kowalska"])
    assert as_polars(table).columns == ["job"]
    assert list(like(as_polars(table), table).index) == [0]


@pytest.mark.parametrize(
    "table",
    [
        *(7, None, [1], [{1: 2}], {"a": [1]}, object(), [{"a": [[1]]}]),
        pa.array([1]),
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        pd.DataFrame({"a": [1]}, index=pd.Index([1], name="a")),
    ],
)
def test_what_is_no_table_is_refused_by_an_error_of_the_package(table: Any) -> None:
    with pytest.raises(BadInput):
        as_polars(table)


def test_a_draft_is_a_plan_that_says_why_and_anonymize_makes_one_itself() -> None:
    plan = taxonym.draft(TABLE)
    assert plan.input.person == "patient"
    assert plan.columns["job"].role == "quasi-identifier"
    assert any("'job'" in note for note in plan.notes)
    assert taxonym.Plan.from_dict(plan.to_dict()) == plan
    made = taxonym.anonymize(TABLE, baselines=False)
    assert "patient" not in made.table.columns
    assert taxonym.verify(made, k=5)


def test_the_questions_of_the_commands_are_functions(release: taxonym.Release, tmp_path: Path) -> None:
    release.write(tmp_path / "out.csv", trail=tmp_path / "trail")
    TABLE.write_csv(tmp_path / "in.csv")
    found = taxonym.verify(release)
    assert found.holds
    assert found.figures["counted"] == "persons"
    assert taxonym.verify(tmp_path / "out.csv", PLAN).holds
    assert taxonym.verify(release.table, k=3).holds
    lost = taxonym.loss(release, seed=1)
    assert lost["mean"] == taxonym.loss(TABLE, tmp_path / "out.csv", PLAN, trail=tmp_path / "trail", seed=1)["mean"]
    assert "PRIVATE" in lost["notice"]
    assert taxonym.risk(release, knows=1, seed=1)["semantic_linkage"]["max_p"] <= 1 / 3


def test_a_release_that_was_tampered_with_does_not_hold(release: taxonym.Release) -> None:
    frame = release.frame
    other = frame.with_columns(job=pl.concat([pl.Series(["teacher"]), frame["job"].slice(1)]))
    found = taxonym.verify(other, k=3)
    assert not found
    assert found.figures["classes_below_k"] == 1


def test_a_log_is_read_as_a_table(tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_text("AnonID\tQuery\n1\tflu\n2\t-\n2\tchess\n")
    assert taxonym.read_log(tmp_path / "q.tsv", "querylog")["query"].to_list() == ["flu", "chess"]
    (tmp_path / "a.log").write_text(
        '192.0.2.1 - - [02/Mar/2026:00:04:50 +0100] "GET / HTTP/1.1" 200 5 "-" "x"\nbroken\n'
    )
    table = taxonym.read_log(tmp_path / "a.log", "accesslog")
    assert table.select("line", "address", "referrer").rows() == [(1, "192.0.2.1", None)]
    assert str(table["time"][0]) == "2026-03-01 23:04:50"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda release: taxonym.anonymize(TABLE, 5), "plan: must be a Plan"),
        (lambda release: taxonym.verify(release.table), "-k: is missing"),
        (lambda release: taxonym.verify(release, k="5"), "-k: must be at least 1"),
        (lambda release: taxonym.verify(release.table, k=3, original=TABLE), "give both the original and the trail"),
        (lambda release: taxonym.loss(TABLE), "release: is missing"),
        (lambda release: taxonym.risk(release, knows=0), "knows: must be a whole number"),
        (lambda release: taxonym.risk(release, measure="x"), "measure: 'x' is not known"),
        (lambda release: taxonym.read_log("x", "y"), "kind: 'y' is not known"),
        (lambda release: taxonym.mine(release), "mine: asks what is particular to logs"),
        (lambda release: taxonym.load(5), "is not a taxonomy"),  # type: ignore[arg-type]
        (lambda release: taxonym.map_column(taxonym.load("wordnet"), [1]), "values: must be texts"),  # type: ignore[list-item]
        (lambda release: taxonym.compare(TABLE, PLAN, k="x"), "k: must be a whole number"),
        (lambda release: taxonym.draft("nothing.csv"), "nothing.csv: cannot be read"),
    ],
)
def test_a_bad_argument_is_an_error_of_the_package(call: Any, said: str, release: taxonym.Release) -> None:
    with pytest.raises(TaxonymError, match=said) as error:
        call(release)
    assert "Kowalska" not in str(error.value)


def test_a_notebook_shows_plans_and_releases_escaped_and_without_persons(release: taxonym.Release) -> None:
    odd = taxonym.draft(TABLE.rename({"job": "<script>"}))
    for shown in (odd._repr_html_(), release._repr_html_(), taxonym.verify(release)._repr_html_()):
        assert "<script>" not in shown
        assert "Kowalska" not in shown
    assert "&lt;script&gt;" in odd._repr_html_()


def test_the_index_of_the_release_has_nothing_to_do_with_the_order_of_the_input(release: taxonym.Release) -> None:
    table = pd.DataFrame(TABLE.to_dict(as_series=False))
    turned = taxonym.anonymize(table.iloc[::-1], PLAN, baselines=False).table
    assert turned.equals(like(release.frame, table))


def test_a_plan_in_a_dict_or_a_file_is_the_same_plan(tmp_path: Path, release: taxonym.Release) -> None:
    (tmp_path / "plan.toml").write_text(taxonym.Plan.from_dict(PLAN).to_toml())
    assert taxonym.anonymize(TABLE, tmp_path / "plan.toml", baselines=False).frame.equals(release.frame)
    (tmp_path / "bad.toml").write_text(json.dumps(PLAN))
    with pytest.raises(BadPlan, match="is not sound TOML"):
        taxonym.anonymize(TABLE, tmp_path / "bad.toml")


DAG = taxonym.Taxonomy.from_edges([("swimming", "sports"), ("rowing", "sports")])


@pytest.mark.parametrize(
    "misuse",
    [
        lambda: taxonym.mdav([[0, 1], [1, 0]], 1.5),
        lambda: taxonym.refined([[0, 1], [1, 0]], "2"),
        lambda: taxonym.Taxonomy.from_edges([("a",)]),
        lambda: taxonym.Taxonomy.from_edges("ab"),
        lambda: taxonym.Taxonomy.from_edges([(1, 2)]),
        lambda: DAG.label("swimming"),
        lambda: DAG.ancestors(1.0),
        lambda: taxonym.concept_distance(DAG, "swimming", "rowing"),
        lambda: taxonym.map_text(DAG, None),
        lambda: taxonym.map_column(DAG, "swimming"),
        lambda: taxonym.read_plan(3),
        lambda: taxonym.anonymize("job\nKowalska\n", PLAN),
        lambda: taxonym.anonymize([{"job": "\ud800"}], PLAN),
        lambda: taxonym.anonymize([{"job": ["\ud800"]}], PLAN),
        lambda: taxonym.anonymize(pd.DataFrame({"job": pd.Series(["\ud800"], dtype=object)}), PLAN),
    ],
)
def test_misuse_is_one_line_of_an_error_of_the_package_without_a_value(misuse: Any) -> None:
    with pytest.raises(TaxonymError) as error:
        misuse()
    assert "\n" not in str(error.value)
    assert "Kowalska" not in str(error.value)


def test_a_release_is_not_written_to_what_is_no_path(release: taxonym.Release) -> None:
    for write in (release.write, release.write_report, release.write_private_report, release.write_trail):
        with pytest.raises(BadInput, match="must be the name of a file"):
            write(None)  # type: ignore[operator]


def test_loss_is_judged_by_the_distance_that_is_asked_for(release: taxonym.Release) -> None:
    by = {measure: taxonym.loss(release, measure=measure, seed=1) for measure in ("jaccard", "equal")}
    assert [found["distance"]["measure"] for found in by.values()] == ["jaccard", "equal"]
    assert by["jaccard"]["mean"] <= by["equal"]["mean"]
    for ask in (taxonym.loss, taxonym.risk):
        with pytest.raises(BadPlan, match="is not known"):
            ask(release, measure="nearness")
        with pytest.raises(BadPlan, match="is not known"):
            ask(release, aggregate="sum")


def test_a_verification_that_fails_says_why(release: taxonym.Release) -> None:
    found = taxonym.verify(release.table, k=31)
    assert not found
    assert "have fewer than 31 rows" in found.broken[0]
