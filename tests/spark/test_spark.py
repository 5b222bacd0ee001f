"""Releases from a Spark cluster: those of the local engine, whatever happens to its workers."""

import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import taxonym
from taxonym.cli import main
from taxonym.errors import BadInput, BadPlan
from taxonym.io.files import read
from taxonym.plan import Plan, to_toml
from taxonym.run.spark import anonymize
from taxonym.shapes.codebook import Codebook
from tests.spark.tables import SECRETS, assert_same, plan, sorted_rows, table

pytestmark = [
    pytest.mark.xdist_group("spark"),  # one cluster for all
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


def on_spark(spark: Any, data: pl.DataFrame, settings: Any, **how: Any) -> tuple[pl.DataFrame, dict[str, Any]]:
    with anonymize(spark.createDataFrame(data.to_arrow()), settings, **how) as release:
        frame = pl.from_arrow(release.table.toArrow())
        assert isinstance(frame, pl.DataFrame)
        return frame, release.private_report()  # exact figures: those of the public one are rounded by lot


def same(frame: pl.DataFrame, local: pl.DataFrame) -> None:
    assert frame.schema == local.schema
    assert frame.rows() == local.rows()  # sorted by what is published, wherever they were made


# ---------------------------------------------------------------------- the same release


@given(
    seed=st.integers(0, 99),
    several=st.integers(1, 3),
    rows=st.sampled_from(["keep", "unite"]),
    unknown=st.sampled_from(["suppress", "keep-as-own-concept"]),
    method=st.sampled_from([{"name": "mdav"}, {"representative": "per-record"}, {"known_items": 3}]),
)
@settings(max_examples=2, phases=[Phase.explicit, Phase.generate])  # shrinking would take longer than looking
def test_spark_and_one_machine_give_the_same_rows(
    spark: Any, tmp_path_factory: Any, seed: int, several: int, rows: str, unknown: str, method: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("plan")
    data, chosen = table(seed, 90 * several, several), plan(folder, rows, unknown, **method)
    local = taxonym.anonymize(data, chosen, baselines=False)
    assert local.private_report()["groups"]["blocks"]["count"] > 2
    frame, report = on_spark(spark, data, chosen)
    same(frame, local.frame)
    assert any(count for column in report["columns"] for count in column["topics"].values())
    assert report["loss"]["attributes"]["note"]["mean_cohesion"] > 0
    assert_same(report, local.private_report(), "report")


@pytest.mark.parametrize(
    ("exact", "chosen"),
    [
        (20_000, {}),  # all at once
        (20_000, {"blocks": "always", "block_size": 90, "representative": "per-record"}),  # one block
        (70, {"block_size": 15}),  # those of the north in blocks, those of the south at once
        (70, {"blocks": "always", "block_size": 90}),  # no blocks, and yet too many to be seen at once
    ],
)
def test_few_records_are_looked_at_at_once_wherever_they_are(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exact: int, chosen: dict[str, Any]
) -> None:
    monkeypatch.setattr("taxonym.methods.microaggregation.EXACT", exact)
    several = 1 if chosen else 2
    policies = () if chosen else ("unite", "keep-as-own-concept")
    settings, data = plan(tmp_path, *policies, **{"blocks": "auto", **chosen}), table(4, 130 * several, several)
    local = taxonym.anonymize(data, settings, baselines=False)
    told = local.private_report()
    assert ("blocks" in told["groups"]) == (chosen == {"block_size": 15})
    frame, report = on_spark(spark, data, settings)
    same(frame, local.frame)
    assert_same(report, told, "report")


def test_groups_are_fitted_to_what_they_publish_on_spark_too(spark: Any, tmp_path: Path) -> None:
    data = table(1, 120, 1).select("who", "things", "pay")
    settings = plan(tmp_path)
    columns = {name: settings["columns"][name] for name in data.columns}
    settings = {"input": {"person": "who"}, "columns": columns, "method": {"k": 3, "seed": 1}}
    local = taxonym.anonymize(data, settings, baselines=False)
    unfit = taxonym.anonymize(data, settings | {"method": {"k": 3, "seed": 1, "fit": False}}, baselines=False)
    assert sorted_rows(unfit.frame) != sorted_rows(local.frame)
    same(on_spark(spark, data, settings)[0], local.frame)


@pytest.mark.parametrize(
    ("method", "person"),
    [
        ({"blocks": "always", "block_size": 15}, {"person": "who", "person_rows": "keep"}),
        ({"blocks": "auto"}, {"person": False}),
    ],
)
def test_confidential_columns_are_printed_alike_on_spark(
    spark: Any, tmp_path: Path, method: dict[str, Any], person: dict[str, Any]
) -> None:
    given, data = plan(tmp_path), table(5, 150, 2)
    dice, known = np.random.default_rng(5), given["columns"]["things"]["taxonomy"]
    hidden = {"role": "confidential"}
    columns = {
        "who": {"role": "identifier"},
        "things": given["columns"]["things"],
        "fee": hidden | {"kind": "number"},
        "since": hidden | {"kind": "date"},
        "pet": hidden | {"taxonomy": known},
        "job": hidden | {"kind": "set", "exact": True},
        "age": hidden | {"kind": "number", "links": "cut"},
        "pay": hidden,
    }
    data = data.with_columns(
        fee=pl.Series(np.exp(dice.normal(7, 1, data.height)).round(2)),
        pet=pl.Series(
            dice.choice(["dog", "cat", "hamster", "cow", "grubbel"], data.height, p=[0.6, 0.35, 0.01, 0.02, 0.02])
        ),
        job=pl.when(pl.int_range(data.height) == 3).then(pl.lit("baker;spy")).otherwise("job"),
    )
    settings = {"input": person, "columns": columns, "method": {"k": 3, "seed": 7, **method}}
    local = taxonym.anonymize(data, settings, baselines=False)
    frame, report = on_spark(spark, data, settings)
    assert set(local.frame["pet"].drop_nulls()) - {"dog", "cat"}
    for of in (
        ("things", "age"),
        tuple(name for name in frame.columns if name != "age"),
    ):  # links of age are cut by lot
        assert sorted_rows(frame.select(of)) == sorted_rows(local.frame.select(of))
    assert len(report["warnings"]) >= 2
    assert_same(report, local.private_report(), "report")


class Killer:
    """Kills a worker as soon as Spark is busy with a step."""

    def __init__(self, spark: Any, step: str) -> None:
        self.spark, self.step = spark, step
        self.killed: list[int] = []

    def start(self, what: str, total: int | None = None) -> None:
        if what.startswith(self.step) and not self.killed:
            threading.Thread(target=self._kill, daemon=True).start()

    def advance(self, done: int = 1) -> None:
        pass

    def finish(self) -> None:
        pass

    def _kill(self) -> None:
        status = self.spark.sparkContext.statusTracker()
        while not any(
            stage.numActiveTasks
            for job in status.getActiveJobsIds()
            for id in (status.getJobInfo(job) or _Nothing).stageIds
            if (stage := status.getStageInfo(id))
        ):
            time.sleep(0.01)
        victim = executors(self.spark)[0]
        os.kill(victim, signal.SIGKILL)
        self.killed.append(victim)


class _Nothing:
    stageIds: tuple[int, ...] = ()  # noqa: N815


def executors(spark: Any) -> list[int]:
    """The processes of this cluster's workers."""
    found, mine = [], spark.sparkContext.applicationId.encode()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            said = path.read_bytes()
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in said and mine in said:
            found.append(int(path.parent.name))
    return sorted(found)


def test_a_killed_worker_changes_nothing_and_a_changed_file_is_not_published(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, chosen = table(5, 120, 1), plan(tmp_path)
    before, killer = executors(spark), Killer(spark, "groups of at least")
    with anonymize(spark.createDataFrame(data.to_arrow()), chosen, progress=killer) as release:
        assert killer.killed
        assert killer.killed[0] in before
        assert killer.killed[0] not in executors(spark)
        frame = pl.from_arrow(release.table.toArrow())
        same(frame, taxonym.anonymize(data, chosen, baselines=False).frame)  # type: ignore[arg-type]

        check = release._published.check

        def late(self: Any, written: Any) -> Any:
            """One cell is changed after the files were written."""
            file = next(tmp_path.glob(".out.*.part/*.parquet"))
            rows = pl.read_parquet(file).with_row_index()
            changed = pl.when(rows["index"] == 0).then(pl.lit("hangman")).otherwise("job").alias("job")
            (file.parent / f".{file.name}.crc").unlink()
            rows.with_columns(changed).drop("index").write_parquet(file)
            return check(written)

        monkeypatch.setattr(type(release._published), "check", late)
        with pytest.raises(BadInput, match="what Spark wrote is not what it reads"):
            release.write(tmp_path / "out")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["things.csv", "things.taxonym", "topics.toml"]


# ---------------------------------------------------------------------- folders, as the command has them


def folder_of(data: pl.DataFrame, path: Path) -> Path:
    path.mkdir()
    half = data.height // 2
    data[:half].write_parquet(path / "part-0.parquet")
    data[half:].write_parquet(path / "part-1.parquet")
    return path


def test_the_command_writes_a_proved_folder_whole_or_not_at_all(
    spark: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data, chosen = table(3, 90, 1), plan(tmp_path)
    source, out = folder_of(data, tmp_path / "in"), tmp_path / "out"
    (tmp_path / "plan.toml").write_text(to_toml(Plan.from_dict(chosen).to_dict()))
    how = ["--plan", str(tmp_path / "plan.toml"), "--engine", "spark"]
    assert main(["anonymize", str(source), "-o", str(out), *how, "--report", str(tmp_path / "r.json")]) == 0
    printed = capfd.readouterr()
    assert "Written:" in printed.out
    assert "WARN" not in printed.err
    local = taxonym.anonymize(read(source), chosen, baselines=False)
    same(read(out), local.frame)
    assert list(Codebook.read(tmp_path / "out.codebook.csv").entries) == local.codebook.rows()
    assert json.loads((tmp_path / "r.json").read_text())["verified"]["holds"]
    check = ["verify", str(out), "-k", "3", "--plan", str(tmp_path / "plan.toml")]
    assert main(check) == 0
    (out / "mark").write_text("7")
    assert main(check) == 1
    assert "1 files are in the folder that are never written" in capfd.readouterr().out
    (out / "mark").unlink()

    assert main(["anonymize", str(source), "-o", str(out), *how]) == 2
    assert "is there already" in capfd.readouterr().err
    wrong = data.with_columns(age=pl.when(pl.arange(0, 90) == 70).then(pl.lit("hushhush")).otherwise("age"))
    bad = folder_of(wrong, tmp_path / "bad")
    assert main(["anonymize", str(bad), "-o", str(tmp_path / "none"), *how]) == 2
    told = capfd.readouterr().err.strip().splitlines()[-1]
    assert "column 'age': is not a finite number in 1 rows, first in row 26 of part-1.parquet" in told
    assert "hushhush" not in told
    assert main(["anonymize", str(tmp_path / "nowhere"), "-o", str(tmp_path / "none"), *how]) == 2
    assert "there is no such folder" in capfd.readouterr().err
    left = [
        "bad",
        "in",
        "out",
        "out.codebook.csv",
        "plan.toml",
        "r.json",
        "things.csv",
        "things.taxonym",
        "topics.toml",
    ]
    assert sorted(p.name for p in tmp_path.iterdir()) == left


def test_no_log_of_the_cluster_has_anybodys_value(spark: Any) -> None:
    import pyspark

    logs = Path(pyspark.__file__).parent / "work" / spark.sparkContext.applicationId
    said = "".join(path.read_text(errors="replace") for path in logs.rglob("std*"))
    assert logs.is_dir()
    assert not [word for word in (*SECRETS, "person 1", "nonsense") if word in said]


# ---------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("method", "key"),
    [
        ({"l": 2}, "method.l"), ({"t": 0.5}, "method.t"), ({"name": "generalize"}, "method.name"),
        ({"blocks": "never"}, "method.blocks"), ({"representative": "medoid"}, "method.representative"),
        ({"measure": "equal-terms"}, "method.measure"), ({"passes": 2}, "method.passes"),
    ],
)  # fmt: skip
def test_what_spark_cannot_do_is_refused_in_one_line(method: dict[str, Any], key: str) -> None:
    from taxonym.run.spark.errors import check_plan

    columns = {"things": {"role": "quasi-identifier"}, "pay": {"role": "confidential"}}
    with pytest.raises(BadPlan, match=f"{key}: .*leave --engine spark out") as refused:
        check_plan(Plan.from_dict({"columns": columns, "method": method}))
    assert "\n" not in str(refused.value)
