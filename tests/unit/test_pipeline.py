"""From a table and a plan to a release, on tables that a person can follow."""

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import taxonym
from taxonym.errors import BrokenPromise
from taxonym.records.table import Table

QUASI = {"role": "quasi-identifier"}
SET = QUASI | {"kind": "set"}
TREE = "child,parent\nswimming,water\nsailing,water\nwater,sports\nchess,board\ngo,board\nboard,sports\nmusic,arts\n"


@pytest.fixture
def tree(tmp_path: Path) -> str:
    (tmp_path / "tree.csv").write_text(TREE)
    return str(tmp_path / "tree.csv")


def plan(columns: dict[str, Any], k: int = 2, shuffle: bool = False, **more: Any) -> dict[str, Any]:
    method = {"k": k, "seed": 1} | more.pop("method", {})
    return {"columns": columns, "method": method, "output": {"shuffle": shuffle, "order": "sorted"}, **more}


def test_numbers_and_dates_are_published_as_ranges_of_a_public_grid() -> None:
    days = [dt.date(2020, 1, day) for day in (1, 2, 3, 20, 21, 28)]
    moments = [dt.datetime(2020, 1, 1, hour) for hour in (1, 2, 3, 20, 21, 22)]
    frame = pl.DataFrame({"n": [1, 2, 3, 90, 91, 99], "x": [1.5, 2.5, 9.5, 90, 91, 99], "day": days, "at": moments})
    kinds = {"n": "number", "x": "number", "day": "date", "at": "date"}
    release = taxonym.anonymize(frame, plan({name: QUASI | {"kind": kind} for name, kind in kinds.items()}, k=3))
    assert set(release.table.schema.values()) == {pl.String}
    assert (
        release.table.rows()
        == [("< 5", "< 10", "< 2020-02-01", "< 2020-01-02")] * 3
        + [(">= 90", ">= 90", "< 2020-02-01", "< 2020-01-02")] * 3
    )  # no line of days parts the moments of one day; of six persons a line of days would tell the third one


def test_a_group_whose_concepts_nobody_shares_is_suppressed(tree: str) -> None:
    likes = ["chess", "chess", "swimming", "sailing", "music", "zyzzyva"]
    given = plan(
        {"likes": SET | {"taxonomy": tree, "on_unknown": "keep-as-own-concept"}, "n": QUASI | {"kind": "number"}}
    )
    frame = pl.DataFrame({"likes": likes, "n": [1, 1, 500, 500, 900, 900]})
    release = taxonym.anonymize(frame, given)
    assert release.table.rows() == [
        (["chess"], "< 50"),
        (["chess"], "< 50"),
        (["water"], "[500, 505)"),
        (["water"], "[500, 505)"),
    ]
    assert release.report["records"]["suppressed_persons"]["no concept that enough persons share"] == 2
    assert release.groups == [[0, 1], [2, 3]]
    assert release.report["records"]["published_rows"] == 4


def test_no_total_gives_a_small_count_away(tree: str) -> None:
    frame = pl.DataFrame({"who": list("aabcdefg"), "likes": ["chess"] * 7 + ["zyzzyva"]})
    given = plan({"likes": SET | {"taxonomy": tree}}, k=2, input={"person": "who"})
    report = taxonym.anonymize(frame, given).report
    reasons = ("missing value", "no concept", "fewer than k persons with the same other columns",
               "no concept that enough persons share")  # fmt: skip
    assert report["records"] == {
        "rows": None, "persons": None, "published_rows": 6, "published_persons": 6,
        "suppressed_persons": dict.fromkeys(reasons, "<k"), "surplus_rows": "<k",
    }  # fmt: skip
    assert not any("records" in note for note in report["notes"])
    given["method"]["k"] = 3
    frame = pl.concat([frame, frame.with_columns(who=pl.col("who") + "2"), frame.with_columns(who=pl.col("who") + "3")])
    release = taxonym.anonymize(frame, given)
    records = release.report["records"]
    assert (records["rows"], records["persons"], records["suppressed_persons"]["no concept"]) == (None, None, 3)
    records = release.private_report()["records"]
    assert (records["rows"], records["persons"], records["suppressed_persons"]["no concept"]) == (24, 21, 3)


def test_only_a_built_in_taxonomy_leaves_its_digest_in_the_report_and_the_trail_has_all(tree: str) -> None:
    """A hierarchy made for the column, or values that are concepts by policy, would confirm guesses."""
    columns = {
        "likes": SET | {"taxonomy": tree},
        "town": QUASI,
        "pet": QUASI | {"taxonomy": "wordnet"},
        "own": QUASI | {"taxonomy": "wordnet", "on_unknown": "keep-as-own-concept"},
    }
    cells = {"likes": ["chess"] * 4, "town": ["Ulm", "Ulm", "Ulm", "Pau"], "pet": ["dog"] * 4, "own": ["dog"] * 4}
    made = taxonym.anonymize(pl.DataFrame(cells), plan(columns))
    told = {column["name"]: column["taxonomy_fingerprint"] for column in made.report["columns"]}
    assert told == {"likes": None, "town": None, "pet": taxonym.load("wordnet").fingerprint, "own": None}
    kept = made.trail()["run"]["taxonomy_fingerprints"]
    assert kept["likes"] == taxonym.load(tree).fingerprint
    assert kept.keys() == columns.keys()
    assert not any(kept["likes"] in text for text in (json.dumps(made.report), made._repr_html_()))


def test_kept_rows_of_a_person_are_published_alike(tree: str) -> None:
    rng = np.random.default_rng(3)
    who = rng.integers(0, 9, 40)
    likes = rng.choice(["chess", "go", "swimming", "sailing", "music"], 40)
    frame = pl.DataFrame({"who": who, "likes": likes, "pay": range(40)})
    columns = {"likes": SET | {"taxonomy": tree}, "pay": {"role": "confidential", "exact": True}}
    release = taxonym.anonymize(frame, plan(columns, k=3, input={"person": "who", "person_rows": "keep"}))
    classes: dict[str, set[int]] = {}
    cells: dict[int, set[str]] = {}
    for likes_, pay in release.table.rows():
        classes.setdefault(str(likes_), set()).add(int(who[pay]))
        cells.setdefault(int(who[pay]), set()).add(str(likes_))
    assert all(len(persons) >= 3 for persons in classes.values())
    assert all(len(mine) == 1 for mine in cells.values())
    assert release.table.height + release.private_report()["records"]["surplus_rows"] == 40


def test_values_of_a_column_that_few_persons_share_are_not_published() -> None:
    frame = pl.DataFrame({"town": ["Ulm", "Ulm", "Ulm", "Pau", "Ely", "Rye"], "likes": ["a"] * 6})
    release = taxonym.anonymize(frame, plan({"town": QUASI, "likes": SET}, k=3))
    assert {town for town, _ in release.table.rows()} <= {"Ulm", None}


@pytest.mark.parametrize("known_items", [0, 1, 2])
def test_a_word_without_taxonomy_needs_k_writers_whatever_the_intruder_knows(known_items: int, tree: str) -> None:
    frame = pl.DataFrame({"likes": ["chess;Kowalska", "chess", "chess", "chess;Nowak", "chess", "chess"]})
    for column in (SET, SET | {"taxonomy": tree, "on_unknown": "keep-as-own-concept"}):
        given = plan({"likes": column}, k=2, method={"known_items": known_items})
        release = taxonym.anonymize(frame, given)
        assert {word for (cell,) in release.table.rows() for word in cell} == {"chess"}


def test_pandas_tables_come_back_as_such(tree: str) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"likes": ["chess", "go", "chess;go", "music", "music"], "n": [1.5, None, 2.5, 3.5, 4.5]})
    columns = {"likes": SET | {"taxonomy": tree}, "n": QUASI | {"kind": "number", "on_empty": "keep-as-own-concept"}}
    release = taxonym.anonymize(frame, plan(columns))
    assert isinstance(release.table, pandas.DataFrame)
    assert list(release.table.columns) == ["likes", "n"]
    assert len(release.table) == 5


def test_pyarrow_tables_come_back_as_such(tree: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"likes": [["chess"], ["go"], ["music"], ["music"]], "d": [dt.date(2020, 1, 1)] * 4})
    release = taxonym.anonymize(table, plan({"likes": SET | {"taxonomy": tree}, "d": QUASI | {"kind": "date"}}))
    assert isinstance(release.table, pyarrow.Table)
    assert release.table.num_rows == 4


def test_lazy_tables_come_back_lazy(tree: str) -> None:
    frame = pl.LazyFrame({"likes": ["chess", "chess"]})
    release = taxonym.anonymize(frame, plan({"likes": SET | {"taxonomy": tree}}))
    assert isinstance(release.table, pl.LazyFrame)


def test_texts_are_published_as_the_words_they_share(tree: str) -> None:
    texts = ["I play chess in Ulm.", "We play chess and go.", "chess or go?", "Music!", "music is nice", "some music"]
    given = plan({"said": QUASI | {"kind": "text", "taxonomy": tree}}, k=3)
    release = taxonym.anonymize(pl.DataFrame({"said": texts}), given)
    assert {tuple(cell) for (cell,) in release.table.rows()[3:]} == {("music",)} or {
        tuple(cell) for (cell,) in release.table.rows()[3:]
    } == {("Music",)}
    assert "Ulm" not in str(release.table.rows())


def test_a_written_release_is_checked_before_it_gets_its_name(tree: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"likes": ["chess", "chess", "music", "music"]})
    release = taxonym.anonymize(frame, plan({"likes": SET | {"taxonomy": tree}}))
    spoilt = pl.DataFrame({"likes": [["music"], ["chess"], ["music"], ["music"]]})
    release = replace(release, batches=lambda: iter([spoilt]))
    with pytest.raises(BrokenPromise, match="classes would have fewer than 2 persons"):
        release.write(tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("separator", [";", ",", "|", " ", ", ", "and"])
@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet", "csv.gz"])
def test_words_with_separators_and_quotes_survive_the_file(tmp_path: Path, separator: str, suffix: str) -> None:
    odd = ["gout; acute", 'the "big" one', "a|b, c", '"', "sand and sea", "NA", "=1+1", "é\u00a0é"]
    frame = pl.DataFrame({"said": [odd, odd, ["x"], ["x"]], "town": ['"Ulm", Süd'] * 2 + ["a;b"] * 2})
    release = taxonym.anonymize(frame, plan({"said": SET | {"separator": separator}, "town": QUASI}, k=2))
    release.write(tmp_path / f"o.{suffix}")
    again = taxonym.Plan.from_dict(plan({"said": SET | {"separator": separator}, "town": QUASI})).columns
    found = Table.of(tmp_path / f"o.{suffix}", again).frame
    assert sorted(sorted(cell) for cell in found["said"]) == sorted(sorted(cell) for cell in release.table["said"])
    assert sorted(found["said"][0]) == sorted(" ".join(word.split()) for word in odd)
    assert found["town"].to_list() == frame["town"].to_list()


def test_a_release_tells_its_verdict_and_no_seed(tree: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"likes": ["chess", "chess", "music", "music"]})
    release = taxonym.anonymize(frame, plan({"likes": SET | {"taxonomy": tree}}, method={"seed": 987654321}))
    assert repr(release).startswith("<Release: 4 rows in 2 groups. Every published record is identical to those of")
    release.write_report(tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text()) == json.loads(json.dumps(release.report))
    assert "987654321" not in (tmp_path / "r.json").read_text()


def test_without_a_seed_every_run_draws_anew(tree: str) -> None:
    frame = pl.DataFrame({"likes": ["chess", "Chess"] * 20, "pay": range(40)})
    given = plan({"likes": SET | {"taxonomy": tree}, "pay": {"role": "confidential", "exact": True}}, shuffle=True)
    del given["method"]["seed"]
    orders = {tuple(taxonym.anonymize(frame, given, baselines=False).table["pay"]) for _ in range(3)}
    assert len(orders) == 3


def test_huge_numbers_have_distances_too() -> None:
    frame = pl.DataFrame({"n": [-1.5e308, -1.4e308, 1.4e308, 1.5e308]})
    release = taxonym.anonymize(frame, plan({"n": QUASI | {"kind": "number"}}))
    assert release.groups == [[0, 1], [2, 3]]
    assert 0 <= release.private_report()["loss"]["mean"] <= 0.7  # open ranges end where floats hardly reach
