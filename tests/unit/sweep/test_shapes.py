"""A sweep over a log or documents gives what single runs give."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taxonym
from taxonym.cli import main
from taxonym.errors import BadPlan
from taxonym.io.progress import SILENCE
from taxonym.plan import with_settings
from taxonym.run.attack import Intruder, risk_of_release
from taxonym.shapes.shape import shape_of
from taxonym.shapes.table.reread import Trail

QUERIES = ["swimming", "sailing", "swimming lessons", "chess", "go", "chess", "sailing", "go lessons"]
AGENTS = ["curl/8.5.0", "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0"]
INPUTS = {"querylog": "log.tsv", "accesslog": "access.log", "documents": "texts.csv"}
OUTPUTS = {"querylog": "out.tsv", "accesslog": "out.log", "documents": "out.csv"}


def planned(kind: str) -> dict[str, Any]:
    plan: dict[str, Any] = {kind: {} if kind == "accesslog" else {"taxonomy": "tree.csv"}, "method": {"k": 2}}
    return plan | ({"input": {"person": "who"}} if kind == "documents" else {})


@pytest.fixture
def inputs(here: Path) -> Path:
    """Beside the table a query log, an access log and documents."""
    asked = [f"{user}\t{QUERIES[(3 * user + i) % 8]}" for user in range(16) for i in (0, 1)]
    (here / "log.tsv").write_text("\n".join(["user\tquery", *asked]) + "\n")
    lines = [
        f'192.0.2.{i} - - [02/Mar/2026:10:{i:02}:11 +0000] "GET /{"ab"[i % 2]}/{i % 3} HTTP/1.1" 200 {i} "-" "{agent}"'
        for i in range(1, 17)
        for agent in (AGENTS[i % 2],)
    ]
    (here / "access.log").write_text("\n".join(lines) + "\n")
    words = ["swimming and chess", "sailing", "rowing, swimming", "go and chess", "chess", "go, rowing"]
    (here / "texts.csv").write_text("\n".join(["who,text", *(f'a{i},"{words[i % 6]}"' for i in range(14))]) + "\n")
    return here


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("method", ["refined", "mdav"])
def test_the_figures_of_a_setting_are_those_of_a_release_by_it(inputs: Path, kind: str, method: str) -> None:
    (row,) = taxonym.compare(INPUTS[kind], planned(kind), k=[3], method=[method], seed=7).rows
    plan = taxonym.Plan.from_dict(planned(kind))
    plan = replace(plan, method=with_settings(plan.method, name=method, k=3, seed=7))
    release = taxonym.anonymize(INPUTS[kind], plan, baselines=False)
    release.write(OUTPUTS[kind])
    release.write_trail("trail")
    compared = shape_of(plan).compared(INPUTS[kind], OUTPUTS[kind], plan, Trail("trail"), SILENCE)
    found = risk_of_release(compared, np.random.default_rng(1), Intruder(measure="jaccard"))["semantic_linkage"]
    assert row["refused"] is None
    assert row["dr_percent"] == pytest.approx(found["dr_percent"], abs=6e-3)
    assert row["max_p"] == pytest.approx(found["max_p"], abs=6e-5)
    assert row["records_above_1_over_k"] == found["records_above_1_over_k"] == 0
    assert row["smallest_class"] == release.private_report()["verified"]["smallest_class"] >= 3
    private = release.private_report()
    assert row["groups"] == private["groups"]["of_groups"]["count"]
    loss = private["loss"]
    judged = loss["judged_by_another_distance"]
    assert row["loss_by_another"] == pytest.approx(judged["mean"], abs=6e-5)
    if kind != "documents":  # which are grouped by another distance than the common judge's
        assert row["loss"] == pytest.approx(loss["mean"], abs=6e-5)


@pytest.mark.parametrize("kind", INPUTS)
def test_every_shape_gets_a_recommendation_and_a_page(
    inputs: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    (inputs / "plan.toml").write_text(taxonym.Plan.from_dict(planned(kind)).to_toml())
    command = (
        f"compare {INPUTS[kind]} --plan plan.toml -o sweep -k 2,3 --measure wu-palmer,jaccard --seed 1 --workers 1"
    )
    assert main(command.split()) == 0
    assert "-> " in capsys.readouterr().out
    assert "min-sum" in (inputs / "sweep" / "comparison.html").read_text() or kind != "querylog"
    found = taxonym.compare(INPUTS[kind], planned(kind), k=[2, 3], measure=["wu-palmer", "jaccard"], seed=1)
    assert len({row["loss"] for row in found.rows}) > 2  # a measure makes a difference
    assert {row["method"] for row in found.rows} == {"refined", "mdav", "adaptive-mdav"}
    assert {row["aggregate"] for row in found.rows} == {"min-sum" if kind == "querylog" else None}
    assert taxonym.anonymize(INPUTS[kind], found.plan()).report["promise"]["k"] in (2, 3)


@pytest.mark.parametrize("kind", INPUTS)
def test_too_few_persons_refuse_a_k_and_not_the_sweep(inputs: Path, kind: str) -> None:
    few, many = taxonym.compare(INPUTS[kind], planned(kind), k=[2, 50], method=["mdav"], seed=1).rows
    assert few["refused"] is None
    assert "fewer than" in many["refused"]
    assert INPUTS[kind] not in many["refused"]


def test_what_has_no_place_in_a_sweep_over_a_shape_is_refused_at_once(inputs: Path) -> None:
    for kind, source in INPUTS.items():
        with pytest.raises(BadPlan, match="is for tables; logs and documents are published in groups"):
            taxonym.compare(source, planned(kind), method=["generalize"])
    for kind, why in (("accesslog", "one value in each part"), ("documents", "pairs of their terms")):
        with pytest.raises(BadPlan, match=why):
            taxonym.compare(INPUTS[kind], planned(kind), aggregate=["max"])


def test_a_kind_stands_for_a_plan_and_a_log_for_its_kind(inputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = "compare access.log -k 2 --method mdav --seed 1 --workers 1"
    assert main([*command.split(), "-o", "named", "--kind", "accesslog"]) == 0
    assert "access log" not in capsys.readouterr().err
    assert main([*command.split(), "-o", "drafted"]) == 0
    err = capsys.readouterr().err
    assert "Its lines are those of a web server's access log: k counts visitors" in err
    assert "[accesslog]" in err
    assert Path("drafted/comparison.csv").read_text() == Path("named/comparison.csv").read_text()
    Path("access.log").write_text("nothing of a log\n" * 20)
    assert main([*command.split(), "-o", "refused"]) == 2
    assert "If it is a log, say so: --kind accesslog" in capsys.readouterr().err
    assert not Path("refused").exists()


def test_mining_over_k_begins_with_the_original_and_is_what_mine_tells_of_a_release(inputs: Path) -> None:
    plan = {"accesslog": {"records": "sessions"}, "method": {"k": 2}}
    found = taxonym.compare("access.log", plan, k=[2, 4], method=["mdav"], mine=True, seed=7, out="tried")
    release = taxonym.anonymize("access.log", {**plan, "method": {"k": 4, "name": "mdav", "seed": 7}}, baselines=False)
    release.write("out.log")
    (clicks,) = [
        one for one in found.curves if (one.table, one.of, one.figure) == ("browsers_per_click", "curl", "count")
    ]
    lines = [Path(name).read_text().count("curl/") for name in ("access.log", "out.log")]
    assert (clicks.points[0], clicks.points[-1]) == ((1, lines[0]), (4, lines[1]))
    assert {"mining.csv", "mining-steadiness.csv", "mining-browsers_per_click.svg"} <= {
        path.name for path in Path("tried").iterdir()
    }
    with pytest.raises(BadPlan, match="mine: asks"):
        taxonym.compare("table.csv", {"columns": {"a": {"role": "quasi-identifier"}}}, mine=True)


def test_mining_documents_and_queries_over_k_gives_the_tables_and_pictures_of_the_paper(inputs: Path) -> None:
    found = taxonym.compare(
        "texts.csv", planned("documents"), k=[2, 3], method=["mdav"], mine=True, seed=7, out="texts"
    )
    sums = {
        one.figure: dict(one.points)
        for one in found.curves
        if (one.table, one.of) == ("homogeneity", "published vectors")
    }
    assert sums.keys() == {"SSE", "SSA", "SST", "L"}  # Table 2.2
    for k in (2, 3):
        assert sums["SST"][k] == pytest.approx(sums["SSE"][k] + sums["SSA"][k])
        assert sums["L"][k] == pytest.approx(100 * sums["SSE"][k] / sums["SST"][k])
    taxonym.compare("log.tsv", planned("querylog"), k=[2, 3], method=["mdav"], mine=True, seed=7, out="log")
    assert {"mining-homogeneity.svg", "mining-retrieval.svg"} <= {path.name for path in Path("texts").iterdir()}
    assert {"mining-queries.svg", "mining-words.svg"} <= {path.name for path in Path("log").iterdir()}
    assert not list(Path("log").glob("* *"))
