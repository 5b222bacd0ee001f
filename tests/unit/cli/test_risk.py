"""taxonym risk: what an intruder finds out from a written release, by what he knows and how he reads it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.common import ANSWERS, PLANNED, run

COPY = ("in.csv", "copy.csv", "--plan", "plan.toml", "--keep-order")


def risk(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, out, err = run(capsys, "risk", *arguments, "--json", "--seed", "1")
    assert (code, [line for line in err.splitlines() if "has no codebook" not in line]) == (0, [])
    found: dict[str, Any] = json.loads(out)
    return found


def write(path: Path, head: str, rows: list[str]) -> None:
    path.write_text("\n".join([head, *rows]) + "\n")


@pytest.fixture
def copied(here: Path) -> Path:
    """The folder with a release that hides nothing, in the order of the original."""
    write(here / "copy.csv", "likes,pay", [f"{cell},{i}" for i, cell in enumerate(ANSWERS)])
    return here


def test_every_way_to_attack_a_sound_release_stays_below_one_in_k(
    capsys: pytest.CaptureFixture[str], made: Path
) -> None:
    found = risk(capsys, "in.csv", "out.csv", "--trail", "trail", "--knows", "1", "--one-to-one")
    for name in ("semantic_linkage", "matching_linkage", "partial_knowledge", "one_to_one_linkage"):
        assert found[name]["records"] == 8
        assert found[name]["records_above_1_over_k"] == 0
        assert found[name]["max_p"] <= 1 / 3 + 1e-9
        assert found[name]["baseline_dr_percent"] == 100 / 8
    assert found["partial_knowledge"]["records_above_1_over_k_in_any_draw"] == 0
    assert found["partial_knowledge"]["worst_p"] <= 1 / 3 + 1e-9
    assert found["classes"]["holds"]
    assert found["unique_records_after"] == 0
    code, out, _ = run(capsys, "risk", "in.csv", "out.csv", "--trail", "trail", "--measure", "lin", "--sample", "4")
    assert code == 0
    assert "An intruder who knows everything and what words mean" in out
    assert "(from a sample: " in out


def test_a_copy_of_the_data_gives_everybody_away_who_is_unlike_others(
    capsys: pytest.CaptureFixture[str], copied: Path
) -> None:
    found = risk(capsys, *COPY)
    p = [1 / 2, 1 / 2, 1 / 2, 1 / 2, 1 / 2, 1 / 2, 1 / 2, 1 / 2]  # of the eight answers every one is given twice
    for name in ("semantic_linkage", "matching_linkage"):
        assert found[name]["dr_percent"] == pytest.approx(100 * sum(p) / len(p))
        assert found[name]["records_above_1_over_k"] == 8
    assert found["prosecutor_risk"] == found["journalist_risk"] == 1 / 2
    assert (found["smallest_class_persons"], found["share_above_1_over_k"]) == (2, 1)
    assert not found["classes"]["holds"]


def test_who_compares_words_does_not_see_that_others_mean_the_same(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    lines = ["sw,ws,swimming,bathing", "ws,s,water sports,", "ch,s,chess,", "s,,sports,"]
    write(here / "sports.csv", "child,parent,label,synonyms", lines)
    write(
        here / "in.csv", "who,likes,pay", [f"{i},{cell},1" for i, cell in enumerate(["swimming"] * 4 + ["chess"] * 4)]
    )
    write(here / "copy.csv", "likes,pay", ["bathing,1"] * 4 + ["chess,1"] * 4)
    found = risk(capsys, *COPY)
    assert found["semantic_linkage"]["dr_percent"] == pytest.approx(25)
    assert found["matching_linkage"]["dr_percent"] == pytest.approx(12.5)
    assert found["matching_linkage"]["max_p"] == 1 / 4


@pytest.mark.parametrize(("option", "wrong"), [("--measure", "nothing"), ("--aggregate", "nothing"), ("--sample", "0")])
def test_an_unknown_setting_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], copied: Path, option: str, wrong: str
) -> None:
    code, out, err = run(capsys, "risk", *COPY, option, wrong)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_the_distance_between_sets_is_the_intruders(capsys: pytest.CaptureFixture[str], copied: Path) -> None:
    found = risk(capsys, *COPY, "--aggregate", "min")["semantic_linkage"]
    # by the nearest two words, everybody who likes swimming is at 0 from all others who do
    assert found["aggregate"] == "min"
    assert found["dr_percent"] == pytest.approx(100 / 4)


# ---------------------------------------------------------------------- a taxonomy of his own


def test_with_the_maskers_taxonomy_the_intruder_sees_what_the_masker_does(
    capsys: pytest.CaptureFixture[str], made: Path
) -> None:
    given = ("in.csv", "out.csv", "--trail", "trail")
    assert risk(capsys, *given, "--intruder-taxonomy", "sports.csv") == risk(capsys, *given)


def test_words_that_the_intruder_does_not_know_are_the_same_or_they_are_not(
    capsys: pytest.CaptureFixture[str], copied: Path
) -> None:
    write(copied / "other.csv", "child,parent", ["apple,fruit", "pear,fruit"])
    found = risk(capsys, *COPY, "--intruder-taxonomy", "other.csv")
    assert found["semantic_linkage"]["taxonomies"] == ["other"]
    assert found["semantic_linkage"]["records"] == 8
    assert found["semantic_linkage"]["dr_percent"] == found["matching_linkage"]["dr_percent"] == 50
    write(copied / "copy.csv", "likes,pay", ["water sports,1"] * 4 + ["board games,1"] * 4)
    found = risk(capsys, *COPY, "--intruder-taxonomy", "other.csv")
    assert found["semantic_linkage"]["dr_percent"] == pytest.approx(100 / 8)  # all are equally far from him
    assert risk(capsys, *COPY)["semantic_linkage"]["dr_percent"] > 100 / 8


def test_another_taxonomy_finds_what_the_maskers_does_not_know(
    capsys: pytest.CaptureFixture[str], copied: Path
) -> None:
    write(copied / "sports.csv", "child,parent", [f"{name}," for name in ("swimming", "sailing", "chess", "go")])
    write(copied / "in.csv", "who,likes,pay", [f"{i},{cell},1" for i, cell in enumerate(["swimming", "chess"] * 4)])
    write(copied / "copy.csv", "likes,pay", ["sailing,1", "go,1"] * 4)
    write(copied / "better.csv", "child,parent", ["swimming,water", "sailing,water", "chess,board", "go,board"])
    assert risk(capsys, *COPY)["semantic_linkage"]["dr_percent"] == pytest.approx(100 / 8)
    better = risk(capsys, *COPY, "--intruder-taxonomy", "better.csv")
    assert better["semantic_linkage"]["dr_percent"] == pytest.approx(100 / 4)


# ---------------------------------------------------------------------- a file of his own


def test_a_file_with_everybody_is_the_worst_case(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    given = ("in.csv", "out.csv", "--trail", "trail")
    whole, worst = risk(capsys, *given, "--intruder", "in.csv"), risk(capsys, *given)
    for name in ("semantic_linkage", "matching_linkage", "classes", "prosecutor_risk", "unique_records_before"):
        assert whole[name] == worst[name]
    assert whole["intruder_file"] == {
        "persons_in_release": 8, "persons_not_in_release": 0, "membership_auc": None,
    }  # fmt: skip
    assert whole["population"] == "the intruder's file"


def test_persons_who_are_not_in_the_release_are_the_control(capsys: pytest.CaptureFixture[str], copied: Path) -> None:
    people = [f"Kowalska{i},{ANSWERS[i]}" for i in (7, 6, 0, 1)] + [f"Other{i},sailing;go" for i in range(5)]
    write(copied / "his.csv", "who,likes", people)
    found = risk(capsys, *COPY, "--intruder", "his.csv", "--knows", "1")
    assert found["semantic_linkage"]["records"] == 4
    assert found["semantic_linkage"]["dr_percent"] == 50
    file = found["intruder_file"]
    assert (file["persons_in_release"], file["persons_not_in_release"], file["membership_auc"]) == (4, 5, 1.0)
    learned = found["partial_knowledge"]["learned"]
    assert learned["in_release"]["precision"] > learned["not_in_release"]["precision"]
    code, out, _ = run(capsys, "risk", *COPY, "--intruder", "his.csv", "--knows", "1", "--one-to-one")
    assert code == 0
    assert "His file: 4 persons in the release, 5 who are not." in out
    assert "Kowalska" not in out


def test_few_persons_are_not_counted_out(capsys: pytest.CaptureFixture[str], copied: Path) -> None:
    write(copied / "his.csv", "who,likes", ["Kowalska7,chess", *(f"Other{i},go" for i in range(2))])
    found = risk(capsys, *COPY, "--intruder", "his.csv", "--knows", "1")
    file = found["intruder_file"]
    assert (file["persons_in_release"], file["persons_not_in_release"], file["membership_auc"]) == ("<k", "<k", None)
    assert found["partial_knowledge"]["learned"]["not_in_release"] is None


def test_a_population_that_fits_makes_the_journalist_less_sure(
    capsys: pytest.CaptureFixture[str], copied: Path
) -> None:
    people = [f"Kowalska{i},{cell}" for i, cell in enumerate(ANSWERS)]
    people += [f"Other{i},{cell}" for i, cell in enumerate(["swimming;sailing;chess;go"] * 6)]  # fit every class
    write(copied / "his.csv", "who,likes", people)
    found = risk(capsys, *COPY, "--intruder", "his.csv")
    assert found["prosecutor_risk"] == 1 / 2
    assert found["journalist_risk"] == pytest.approx(1 / 8)  # two of the class, six others
    # swimming and chess are held by the two of the larger set, too
    assert found["marketer_risk"] == pytest.approx((2 / 8 + 2 / 10 + 2 / 8 + 2 / 10) / 8)


def test_a_file_needs_persons_in_the_plan_and_in_the_file(capsys: pytest.CaptureFixture[str], copied: Path) -> None:
    write(copied / "his.csv", "name,likes", ["a,chess"])
    code, out, err = run(capsys, "risk", *COPY, "--intruder", "his.csv")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "his.csv: there is no column 'who'" in err
    plan = (copied / "plan.toml").read_text().replace('[input]\nperson = "who"\n', "")
    (copied / "plan.toml").write_text(plan)
    code, out, err = run(capsys, "risk", *COPY, "--intruder", "his.csv")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--intruder: the plan does not say whose row it is" in err


# ---------------------------------------------------------------------- columns and persons


def test_who_knows_the_other_columns_looks_only_where_they_are_the_same(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    plan = (here / "plan.toml").read_text() + '[columns.site]\nrole = "other"\n'
    (here / "plan.toml").write_text(plan)
    rows = [("chess", "north")] * 3 + [("chess", "south")] * 3 + [("go", "north")]
    write(here / "in.csv", "who,likes,pay,site", [f"{i},{likes},1,{site}" for i, (likes, site) in enumerate(rows)])
    write(here / "copy.csv", "likes,pay,site", [f"{likes},1,{site}" for likes, site in rows])
    found = risk(capsys, *COPY)
    for name in ("semantic_linkage", "matching_linkage"):
        assert found[name]["dr_percent"] == pytest.approx(100 * (6 / 3 + 1) / 7)
    assert found["unique_records_before"] == found["unique_records_after"] == 1


def test_numbers_are_compared_as_published(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    extra = '[columns.age]\nrole = "quasi-identifier"\nkind = "number"\n'
    (here / "plan.toml").write_text((here / "plan.toml").read_text() + extra)
    write(here / "in.csv", "who,likes,pay,age", [f"{i},chess,1,{20 + i}" for i in range(4)])
    write(here / "copy.csv", "likes,pay,age", ["chess,1,20.0", "chess,1,21.0", "chess,1,30", "chess,1,30"])
    found = risk(capsys, *COPY)
    assert found["matching_linkage"]["dr_percent"] == 50
    assert found["semantic_linkage"]["dr_percent"] == 50  # the two others are nearer to somebody else's age


def test_k_counts_persons_where_one_has_several_rows(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "plan.toml").write_text(
        (here / "plan.toml").read_text().replace("[input]", '[input]\nperson_rows = "keep"')
    )
    write(here / "in.csv", "who,likes,pay", [*(["a,chess,1"] * 5), "b,chess,1", "c,go,1"])
    write(here / "copy.csv", "likes,pay", [*(["chess,1"] * 6), "go,1"])
    found = risk(capsys, *COPY)
    assert found["semantic_linkage"]["records"] == 3
    assert found["semantic_linkage"]["dr_percent"] == pytest.approx(100 * (1 / 2 + 1 / 2 + 1) / 3)
    assert (found["largest_class_persons"], found["prosecutor_risk"]) == (2, 1)


def test_records_that_draw_their_own_words_are_a_class_by_their_concepts(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    assert run(capsys, "anonymize", *PLANNED, "--trail", "trail", "--representative", "per-record")[0] == 0
    found = risk(capsys, "in.csv", "out.csv", "--trail", "trail", "--knows", "2")
    assert found["classes"]["holds"]
    assert found["prosecutor_risk"] <= 1 / 3 + 1e-9
    assert found["semantic_linkage"]["max_p"] <= 1 / 3 + 1e-9
