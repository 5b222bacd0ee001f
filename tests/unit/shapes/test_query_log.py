"""The engine of query logs from the library."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import taxonym
from taxonym.errors import BadPlan
from taxonym.shapes.query_log import new_names
from taxonym.shapes.query_log.lines import lines_of
from tests.unit.cli.common import run
from tests.unit.render.common import seen


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    path = tmp_path_factory.mktemp("taxonomy") / "animals.csv"
    path.write_text("child,parent\ntrout,fish\ncarp,fish\noak,tree\nfir,tree\nfish,thing\ntree,thing\n")
    return {"querylog": {"taxonomy": str(path)}, "method": {"k": 2, "seed": 3}}


TABLE = pl.DataFrame(
    {
        "user": [1, 1, 2, 2, 3, 3, 4, 4, 5],
        "query": ["trout", "trout carp", "trout", "carp", "oak", "fir oak", "oak", "oak fir", "-"],
    }
)


def test_a_table_of_the_caller_comes_back_as_one(plan: dict[str, dict[str, object]]) -> None:
    release = taxonym.anonymize(TABLE, plan)
    assert isinstance(release.table, pl.DataFrame)
    assert release.table.columns == ["user", "query", "form"]
    assert sorted(map(sorted, release.groups)) == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert release.report["verified"]["counted"] == "users"
    assert release.report["plan"]["querylog"] == {"taxonomy": "animals.csv"}  # where the file lies is not told
    assert "8 lines with a query were read" not in " ".join(release.report["notes"])
    assert "8 lines with a query were read" in " ".join(release.private_report()["notes"])
    assert set(release.report["loss"]["mean_to_plain_medoids"]) >= {"these_groups", "random_groups"}
    (column,) = release.report["columns"]
    assert {branch["concept"] for branch in column["branches"]} >= {"trout", "oak"}  # whole queries, as they were asked
    assert "{" not in seen(release)


@pytest.mark.parametrize(
    ("shape", "key"),
    [("querylog", "overrides"), ("accesslog", "links"), ("accesslog", "aside"), ("documents", "stop_words")],
)
def test_a_file_name_that_no_file_can_have_is_told(shape: str, key: str, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("user,query,text\n" + "a,dog,dog\nb,dog,dog\n" * 2)
    (tmp_path / "in.log").write_text('192.0.2.1 - - [02/Mar/2026:10:00:11 +0000] "GET / HTTP/1.1" 200 1\n' * 2)
    source = tmp_path / ("in.log" if shape == "accesslog" else "in.csv")
    with pytest.raises(BadPlan, match="NUL character"):
        taxonym.anonymize(source, {shape: {key: "a\0b"}, "method": {"k": 2}})


def test_few_broken_lines_are_not_counted_for_others(plan: dict[str, dict[str, object]]) -> None:
    broken = pl.concat([TABLE, pl.DataFrame({"user": [None], "query": ["trout"]}, schema=TABLE.schema)])
    skipping = plan | {"querylog": plan["querylog"] | {"broken": "skip"}}
    some, none = (taxonym.anonymize(table, skipping, baselines=False) for table in (broken, TABLE))
    assert some.report["notes"] == none.report["notes"]
    assert "1 are broken" in " ".join(some.private_report()["notes"])


def test_the_trail_names_the_lines_of_the_file(plan: dict[str, dict[str, object]], tmp_path: Path) -> None:
    log = tmp_path / "log.tsv"
    log.write_text("user\tquery\n" + "".join(f"{u}\t{q}\n" for u, q in TABLE.rows()))
    release = taxonym.anonymize(log, plan, baselines=False)
    release.write_trail(tmp_path / "trail")
    run, *records = [json.loads(line) for line in (tmp_path / "trail").read_text().splitlines()]
    assert run["plan"]["querylog"] == plan["querylog"]
    assert {record["person"]: record["rows"] for record in records} == {
        "1": [2, 3],
        "2": [4, 5],
        "3": [6, 7],
        "4": [8, 9],
    }
    assert sorted(record["release_row"] for record in records) == [1, 2, 3, 4]
    assert (tmp_path / "trail").stat().st_mode & 0o077 == 0


def test_the_order_of_the_lines_changes_no_group(plan: dict[str, dict[str, object]]) -> None:
    def classes(table: pl.DataFrame) -> set[frozenset[tuple[int, str]]]:
        rows = table.rows()
        return {frozenset(rows[i] for i in group) for group in taxonym.anonymize(table, plan, baselines=False).groups}

    assert classes(TABLE) == classes(TABLE.reverse()) == classes(TABLE.sample(fraction=1, shuffle=True, seed=1))


def test_a_new_name_is_no_name_before_and_nobody_elses() -> None:
    class Few(np.random.Generator):
        """Draws few different numbers."""

        def integers(self, *args: object, **kwargs: object) -> np.ndarray:  # type: ignore[override]
            return super().integers(10, 16, args[2])  # type: ignore[call-overload, no-any-return]

    names = new_names(4, {"11", "12"}, Few(np.random.PCG64(1)))
    assert sorted(names) == ["10", "13", "14", "15"]


def test_what_one_user_repeats_counts_as_often_as_k_users_repeat_it() -> None:
    row, code = np.array([0] * 9 + [1] * 3 + [2]), np.zeros(13, np.int64)
    assert lines_of(row, code, [[0, 1], [2]], 1) == ({(0, 0): 12, (1, 0): 1}, {0: 9})
    assert lines_of(row, code, [[0, 1], [2]], 2) == ({(0, 0): 6, (1, 0): 1}, {0: 3})
    assert lines_of(row, code, [[0, 1], [2]], 3) == ({(0, 0): 2, (1, 0): 1}, {0: 1})


def test_a_time_is_told_only_as_finely_as_k_users_have_it_beside_what_they_asked(
    plan: dict[str, dict[str, object]],
) -> None:
    asked = [("a", "trout", "19:10"), ("b", "trout", "07:10"), ("c", "oak", "07:50")]  # trout at seven: b alone
    table = pl.DataFrame(
        {"user": [user for user, _, _ in asked], "query": [query for _, query, _ in asked]}
        | {"time": [f"2026-03-01 {time}:00" for _, _, time in asked]}
    )
    made = plan | {"querylog": plan["querylog"] | {"times": "hour"}}
    told = taxonym.anonymize(table, made).table
    assert set(told["query"]) == {"trout"}
    assert set(told["time"]) == {"2026-03-01"}


SECRETS = ("078-05-1120", "ada@example.org", "12 main street", "call 212-555-0123", "4111 1111 1111 1111")


def test_what_looks_like_an_identifier_is_withheld_even_if_everybody_wrote_it(tmp_path: Path) -> None:
    (tmp_path / "animals.csv").write_text("child,parent\ntrout,fish\ncarp,fish\nmain,fish\nstreet,fish\n")
    plan = {"querylog": {"taxonomy": str(tmp_path / "animals.csv")}, "method": {"k": 3, "seed": 1}}
    table = pl.DataFrame([(u, q) for u in range(12) for q in (*SECRETS, "trout")], ["user", "query"], orient="row")
    release = taxonym.anonymize(table, plan, baselines=False)
    assert set(release.table["query"]) == {"trout", "call"}
    assert any("12 users wrote such a query" in note for note in release.report["notes"])
    kept = plan | {"querylog": plan["querylog"] | {"identifiers": "keep", "on_unknown": "keep-as-own-concept"}}
    assert set(taxonym.anonymize(table, kept, baselines=False).table["query"]) >= set(SECRETS)


def test_verify_finds_a_line_that_looks_like_an_identifier(tmp_path: Path) -> None:
    from taxonym.shapes.query_log.reread import verify

    (tmp_path / "animals.csv").write_text("child,parent\ntrout,fish\ncarp,fish\n")
    plan = {"querylog": {"taxonomy": str(tmp_path / "animals.csv")}, "method": {"k": 3, "seed": 1}}
    table = pl.DataFrame([(u, q) for u in range(12) for q in ("trout", "carp")], ["user", "query"], orient="row")
    release = taxonym.anonymize(table, plan, baselines=False)
    release.write(tmp_path / "out.csv")
    settings = taxonym.plan.Plan.from_dict(plan)
    assert verify(tmp_path / "out.csv", 3, settings, None, None).holds
    spoilt = (tmp_path / "out.csv").read_text().replace("trout", "zz@example.org")
    (tmp_path / "out.csv").write_text(spoilt)
    assert any(
        "look like identifiers" in fault for fault in verify(tmp_path / "out.csv", 3, settings, None, None).broken
    )


@pytest.mark.parametrize("representative", ["best", "redaction"])
def test_topics_of_nouns_verbs_and_adjectives_are_told_as_topics_only(representative: str) -> None:
    sick = ("pregnant", "vomit", "lesbian", "diabetes")
    asked = [(u, q) for u in range(6) for q in sick] + [(u, q) for u in range(6, 12) for q in ("chess", "garden")]
    table = pl.DataFrame(asked, ["user", "query"], orient="row")
    method = {"name": "adaptive-mdav", "k": 3, "seed": 1, "representative": representative}
    log = {"choice": "meaning", "parts": ["n", "v"]}
    bare = taxonym.anonymize(table, {"querylog": log, "method": method}, baselines=False)
    assert len(set(bare.table["query"]) & set(sick)) > 1
    plan = {"querylog": log, "method": method | {"topics": ["health", "sex-life"]}}
    release = taxonym.anonymize(table, plan, baselines=False)
    assert not set(release.table["query"]) & set(sick) - {"vomit"}  # which is listed for itself, and its own topic
    assert {"pathological state", "homosexual"} <= set(release.table["query"])
    assert set(release.table["query"]) & {"chess", "garden"}


def test_mining_counts_pairs_and_tells_the_originals_own_variation(tmp_path: Path) -> None:
    from taxonym.shapes.mining import Mining
    from taxonym.shapes.query_log.mining import mine, pairs_in

    assert pairs_in("dog and the cat, cat") == ["cat + dog"]
    (tmp_path / "animals.csv").write_text(
        "child,parent\ntrout,fish\ncarp,fish\noak,tree\nfir,tree\nfish,thing\ntree,thing\n"
    )
    plan = {"querylog": {"taxonomy": str(tmp_path / "animals.csv")}, "method": {"k": 2, "seed": 1}}
    rows = [(u, q) for u in range(8) for q in ("trout carp", "oak" if u % 2 else "fir")] + [(0, "carp oak")]
    pl.DataFrame(rows, ["user", "query"], orient="row").write_csv(tmp_path / "log.csv")
    taxonym.anonymize(tmp_path / "log.csv", plan, baselines=False).write(tmp_path / "out.csv")
    made = taxonym.plan.Plan.from_dict(plan)
    found = mine(str(tmp_path / "log.csv"), str(tmp_path / "out.csv"), made, None, Mining(seed=1))["frequencies"]
    assert found["pairs of words"]["counted"] == 1  # that which one user alone wrote does not count
    assert found["pairs of words"]["total_variation"] == 0
    assert 0 < found["queries"]["total_variation_of_two_halves"] < 0.5


def test_an_intruders_own_log_is_read_as_the_original_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("animals.csv").write_text("child,parent\ntrout,fish\ncarp,fish\noak,tree\nfir,tree\nfish,thing\ntree,thing\n")
    asked = ("trout", "carp", "oak")
    lines = [(f"{u}", q, "2026-03-01 07:30:00", "", "") for u in range(12) for q in asked[: 1 + u % 3]]
    heads = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
    Path("log.tsv").write_text(heads + "".join("\t".join(line) + "\n" for line in lines))
    stranger = "99\tfir\t2026-03-01 07:30:00\t\t\n"
    Path("his.tsv").write_text(heads + "".join("\t".join(line) + "\n" for line in lines[:9]) + stranger)
    made = ("anonymize", "log.tsv", "--kind", "querylog", "--taxonomy", "animals.csv", "-k", "3", "-o", "out.csv")
    assert run(capsys, *made, "--trail", "trail", "--no-baselines")[0] == 0
    code, out, _ = run(capsys, "risk", "log.tsv", "out.csv", "--trail", "trail", "--intruder", "his.tsv", "--json")
    found = json.loads(out)
    assert (code, found["semantic_linkage"]["records_above_1_over_k"]) == (0, 0)
    assert found["semantic_linkage"]["max_p"] <= 1 / 3
    his = found["intruder_file"]
    assert (his["persons_in_release"], his["persons_not_in_release"]) == (5, "<k")


def test_mining_counts_sessions_of_queries_in_the_steps_that_are_told(tmp_path: Path) -> None:
    from taxonym.shapes.mining import Mining
    from taxonym.shapes.query_log.mining import mine

    (tmp_path / "animals.csv").write_text("child,parent\ntrout,fish\ncarp,fish\n")
    times = ("2026-03-01 07:05:00", "2026-03-01 07:40:00", "2026-03-01 09:00:00")
    rows = [(u, q, t) for u in range(8) for q, t in zip(("trout", "carp", "trout"), times, strict=True)]
    pl.DataFrame(rows, ["user", "query", "time"], orient="row").write_csv(tmp_path / "log.csv")
    told = {}
    for step in ("hour", "drop"):
        log = {"taxonomy": str(tmp_path / "animals.csv"), "times": step}
        plan = {"querylog": log, "method": {"k": 4, "seed": 1}}
        taxonym.anonymize(tmp_path / "log.csv", plan, baselines=False).write(tmp_path / "out.csv")
        made = taxonym.plan.Plan.from_dict(plan)
        told[step] = mine(str(tmp_path / "log.csv"), str(tmp_path / "out.csv"), made, None, Mining(seed=1))
    (sessions,) = [table for table in told["hour"]["tables"] if table["name"] == "sessions"]
    assert [row[1] for row in sessions["rows"]] == [2, 1.5, 0.5]
    assert [row[2:4] for row in sessions["rows"]] == [[2, 2], [1.5, 1.5], [0.5, 0.5]]
    assert [row[4] for row in sessions["rows"]] == [2, 1.5, 0.5]
    assert any("no sessions of queries" in note for note in told["drop"]["notes"])
