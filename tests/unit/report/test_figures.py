"""What a report says of linkage and of branches, beside other ways to find the same."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taxonym
from taxonym.attack import everybody as linked
from taxonym.attack.risk import risk_of
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.plan import Plan
from taxonym.records.support import Holders
from taxonym.report import disclosure
from taxonym.report.branches import antichain
from taxonym.report.disclosure import Disclosure
from taxonym.report.figures import linkage_told

EDGES = [
    ("food", "thing"), ("tool", "thing"), ("fruit", "food"), ("bread", "food"), ("apple", "fruit"), ("pear", "fruit"),
    ("hammer", "tool"), ("saw", "tool"), ("tomato", "fruit"), ("tomato", "vegetable"), ("vegetable", "food"),
]  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> str:
    path = tmp_path / "tree.csv"
    path.write_text("child,parent\n" + "".join(f"{child},{parent}\n" for child, parent in EDGES))
    return str(path)


def plan(tree: str, **method: Any) -> dict[str, Any]:
    column = {"role": "quasi-identifier", "kind": "set", "separator": ";", "taxonomy": tree}
    return {"columns": {"has": column}, "method": {"k": 2, "seed": 3, **method}}


def table(tmp_path: Path) -> Path:
    cells = ["apple;pear", "apple;pear", "pear", "bread", "bread;apple", "hammer", "saw;hammer", "saw", "tomato;saw"]
    path = tmp_path / "in.csv"
    path.write_text("has\n" + "".join(f"{cell}\n" for cell in cells * 3))
    return path


def test_linkage_is_that_of_the_library(tree: str, tmp_path: Path) -> None:
    source = table(tmp_path)
    release = taxonym.anonymize(source, plan(tree, known_items=1) | {"output": {"shuffle": False}}, baselines=False)
    tax = taxonym.load(tree)
    original = [[tax.codes(term)[0] for term in line.split(";")] for line in source.read_text().splitlines()[1:]]
    published = [[tax.codes(word)[0] for word in row] for row in release.frame["has"].to_list()]
    assert len(original) == len(published)
    risk = taxonym.linkage_risk(original, published, tax=tax, k=2)
    found = release.private_report()["linkage"]
    assert found["dr_percent"] == pytest.approx(risk.dr)
    assert found["max_p"] == round(risk.max, 4) <= 0.5
    assert found["baseline_dr_percent"] == pytest.approx(100 / len(original), rel=0.01)
    own = len({tuple(sorted(o)) for o in original})
    assert found["dr_percent_without_masking"] == pytest.approx(100 * own / len(original))
    assert (found["sampled"], found["records_linked"]) == (False, len(original))
    told = release.report["linkage"]
    assert abs(told["dr_percent"] - risk.dr) < 10  # 27 persons at k = 2: steps of 2 · 2 · 50 % / 27, so 10 %
    assert told["dr_percent"] % 10 == 0
    assert "max_p" not in told


def test_of_many_records_a_sample_is_linked_and_the_interval_told(
    tree: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linked, "PAIRS", 1)
    monkeypatch.setattr(linked, "LEAST", 10)
    monkeypatch.setattr(disclosure, "ENOUGH", 1)
    found = taxonym.anonymize(table(tmp_path), plan(tree), baselines=False).report["linkage"]
    assert (found["sampled"], found["records_linked"]) == (True, 10)
    least, most = found["dr_percent_interval_95"]
    assert least <= found["dr_percent"] <= most


@pytest.mark.parametrize("method", [{"name": "generalize"}, {"name": "generalize", "recoding": "items"}])
def test_every_method_tells_how_often_an_intruder_finds_somebody(tree: str, tmp_path: Path, method: Any) -> None:
    release = taxonym.anonymize(table(tmp_path), plan(tree, **method), baselines=False)
    kept = release.report["promise"]["kind"] == "k"
    assert ("in 1 of " if kept else " of 100 cases") in release.report["verdict"]
    assert (release.private_report()["linkage"]["max_p"] <= 0.5) or not kept


def test_an_intruder_looks_only_among_records_with_the_same_other_columns(tree: str, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("has,site\n" + "apple,north\n" * 4 + "apple,south\n" * 2)
    wanted = plan(tree)
    wanted["columns"]["site"] = {"role": "other"}
    found = taxonym.anonymize(path, wanted, baselines=False).private_report()["linkage"]
    assert found["dr_percent"] == pytest.approx(100 * 2 / 6)
    assert found["max_p"] == 0.5


@pytest.mark.parametrize(
    ("kind", "certain", "told"), [("local", 0, 0), ("items", 0, "<k"), ("items", 2, "<k"), ("items", 3, 3)]
)
def test_how_few_records_are_better_known_than_k_promises_is_not_told(kind: str, certain: int, told: int | str) -> None:
    """None are where whole records are alike: that is what k promises."""
    p = np.array([1.0] * certain + [0.25] * (9 - certain))
    exact = linked.told_risk(risk_of(p, 3, 9), 9, False, 100)
    given = Plan.from_dict(
        {"columns": {"a": {"role": "quasi-identifier"}}, "method": {"name": "generalize", "recoding": kind, "k": 3}}
    )
    guard = Disclosure(3, seed=1)
    found = linkage_told(guard, exact, given, guard.public(9), True, 9)
    assert found is not None
    assert found.value["records_above_1_over_k"] == told


def test_what_groups_lost_is_private_and_does_not_tell_which_group_it_is(tree: str, tmp_path: Path) -> None:
    """Means come by their size, not in the order of the groups."""
    release = taxonym.anonymize(table(tmp_path), plan(tree, name="mdav"), baselines=False)
    assert not {"groups", "by_group_size", "weakest_groups"} & set(release.report["loss"])
    told = release.private_report()["loss"]["groups"]
    release.write_trail(tmp_path / "trail")
    lost: dict[int, list[float]] = {}
    for line in (tmp_path / "trail").read_text().splitlines()[1:]:
        record = json.loads(line)
        lost.setdefault(record["group"], []).append(record["loss"])
    means = [round(float(np.mean(lost[group])), 4) for group in sorted(lost)]
    assert means != sorted(means, reverse=True)  # or nothing would be tried here
    assert told == sorted(means, reverse=True)


# ---------------------------------------------------------------------- branches


def test_branches_lie_beside_each_other_and_are_not_too_general() -> None:
    tax = taxonym.Taxonomy.from_edges(EDGES)
    records = [[tax.codes(name)[0]] for name in ["apple"] * 3 + ["tomato"] * 3 + ["saw"] * 2 + ["hammer"] * 20]
    holders = Holders(ConceptSets.of(records, tax))
    found = antichain(tax, holders.counts, holders.persons, 2)
    names = [tax.label(code) for code in found]
    assert names == ["hammer", "apple", "vegetable", "saw"]
    assert not any(a != b and a in tax.ancestors(b) for a in found for b in found)


def test_branches_are_chosen_by_what_is_published(tree: str, tmp_path: Path) -> None:
    release = taxonym.anonymize(table(tmp_path), plan(tree), baselines=False)
    (column,) = release.report["columns"]
    tax = taxonym.load(tree)
    shown = {above for row in release.frame["has"].to_list() for w in row for above in tax.ancestors(tax.codes(w)[0])}
    named = [one["concept"] for branch in column["branches"] for one in (branch, *branch["concepts"])]
    assert named
    assert {tax.codes(name)[0] for name in named} <= shown
    for branch in column["branches"]:
        below = set(tax.descendants(tax.codes(branch["concept"])[0]))
        rows = [{tax.codes(word)[0] for word in row} for row in release.frame["has"].to_list()]
        assert branch["persons_after"] == sum(bool(below & row) for row in rows)
        assert all(one["persons_before"] is None for one in (branch, *branch["concepts"]))
