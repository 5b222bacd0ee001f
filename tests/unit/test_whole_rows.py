"""The bundled visits of patients, and a table with towns: nothing in a row points to fewer than k persons."""

import csv
import random
from collections import Counter, defaultdict
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import taxonym
from taxonym.plan import read_plan
from tests.checker import violations

EXAMPLES = Path(str(files("taxonym") / "examples"))
K = 5


@pytest.fixture(scope="module")
def visits() -> tuple[list[dict[str, Any]], dict[str, Any], taxonym.Release]:
    plan = read_plan(EXAMPLES / "diagnoses.toml").to_dict()
    plan["columns"]["diagnoses"]["taxonomy"] = str(EXAMPLES / "diagnoses-taxonomy.csv")
    plan["method"] = {"k": K, "seed": 1}
    with open(EXAMPLES / "diagnoses.csv", newline="", encoding="utf-8") as file:
        original = list(csv.DictReader(file))
    return original, plan, taxonym.anonymize(EXAMPLES / "diagnoses.csv", plan, baselines=False)


def test_the_checker_finds_nothing_in_the_bundled_visits(
    visits: tuple[list[dict[str, Any]], dict[str, Any], taxonym.Release],
) -> None:
    original, plan, release = visits
    tax = taxonym.load(str(EXAMPLES / "diagnoses-taxonomy.csv"))
    found = violations(original, plan, release.frame.to_dicts(), release.trail(), {"diagnoses": tax})
    assert Counter(violation.rule for violation in found) == {}


def test_nobody_owns_more_than_a_fifth_of_a_class_of_visits(
    visits: tuple[list[dict[str, Any]], dict[str, Any], taxonym.Release],
) -> None:
    """In the plain union of visits one patient owned more than that in 107 of 139 classes."""
    _, _, release = visits
    rows = release.frame.to_dicts()
    owners: dict[Any, Counter[str]] = defaultdict(Counter)
    for line in release.trail()["records"]:
        if line["release_row"]:
            row = rows[line["release_row"] - 1]
            owners[row["birth_year"], row["sex"], tuple(row["diagnoses"])][line["person"]] += 1
    assert owners
    for counted in owners.values():
        assert max(counted.values()) * K <= counted.total()


def test_most_visits_are_published_and_most_of_what_they_say(
    visits: tuple[list[dict[str, Any]], dict[str, Any], taxonym.Release],
) -> None:
    original, _, release = visits
    assert release.frame.height >= 0.85 * len(original)
    told = release.private_report()["survival"]["columns"]["diagnoses"]
    assert told["of_everything_said"]["information"] >= 0.41


def test_five_persons_share_the_town_and_each_illness_of_a_published_row() -> None:
    """Towns are kept as they are, and some of them have few persons with an illness."""
    draw = random.Random(3)
    towns, ills = ["Ashford", "Brook", "Coldwell", "Dale"], ["flu", "asthma", "gout", "cough", "migraine", "measles"]
    table = [
        {"town": draw.choices(towns, [40, 20, 8, 5])[0], "ill": draw.choices(ills, [30, 20, 8, 5, 3, 2])[0]}
        for _ in range(160)
    ]
    plan = {
        "columns": {"town": {"role": "other"}, "ill": {"role": "quasi-identifier", "taxonomy": "wordnet"}},
        "method": {"k": K, "seed": 1},
    }
    release = taxonym.anonymize(pl.DataFrame(table), plan, baselines=False)
    tax = taxonym.load("wordnet")
    held = {ill: {tax.label(t) for code in tax.codes(ill)[:1] for t in tax.ancestors(code)} | {ill} for ill in ills}
    for row in release.frame.to_dicts():
        if row["town"] is not None and row["ill"] is not None:
            assert sum(one["town"] == row["town"] and row["ill"] in held[one["ill"]] for one in table) >= K
    assert 0 < len(release.frame) <= 160
    assert any(row["town"] for row in release.frame.to_dicts())


def test_who_is_left_out_holds_nothing(tmp_path: Path) -> None:
    """Concepts and pairs are counted among persons in the release: a checker of its own counts them."""
    draw = random.Random(5)
    words = [f"w{i}" for i in range(12)]
    edges = [(w, f"g{i // 3}") for i, w in enumerate(words)] + [(f"g{i}", "top") for i in range(4)]
    tax = taxonym.Taxonomy.from_edges(edges)
    above = {w: {tax.label(t) for t in tax.ancestors(tax.codes(w)[0])} for w in words}
    table = [{"id": str(i), "said": ";".join(sorted(draw.sample(words, draw.randint(1, 4))))} for i in range(60)]
    path = tmp_path / "said.csv"
    path.write_text("child,parent\n" + "".join(f"{child},{parent}\n" for child, parent in edges), "utf-8")
    plan = {
        "columns": {"said": {"role": "quasi-identifier", "kind": "set", "taxonomy": str(path)}},
        "method": {"k": 6, "known_items": 2, "seed": 2},
    }
    release = taxonym.anonymize(pl.DataFrame(table), plan, baselines=False)
    alive = {line["rows"][0] - 1 for line in release.trail()["records"] if line["release_row"]}
    said = {i: set().union(*(above[w] for w in table[i]["said"].split(";"))) for i in alive}
    for row in release.frame.to_dicts():
        for size in (1, 2):
            for some in combinations(row["said"], size):
                assert sum(set(some) <= own for own in said.values()) >= 6


def test_a_class_is_not_divided_by_words_after_it_was_counted_who_owns_its_rows(tmp_path: Path) -> None:
    """Groups that say the same are one class, of which one person gave 7 rows of 14 to what was printed as "auto"."""
    path = tmp_path / "things.csv"
    path.write_text("child,parent,label,synonyms\nc,t,car,auto\nb,t,bike,\nt,,thing,\n", "utf-8")
    draw = random.Random(1)
    table = [
        {"who": who, "owns": draw.choice(("car", "auto")), "age": draw.randint(20, 60)}
        for who, rows in zip("abcdefgh", (9, 9, 9, 2, 2, 1, 1, 1), strict=True)
        for _ in range(rows)
    ]
    columns = {
        "owns": {"role": "quasi-identifier", "kind": "nominal", "taxonomy": str(path)},
        "age": {"role": "quasi-identifier", "kind": "number"},
    }
    for seed in range(10):
        plan = {
            "input": {"person": "who", "person_rows": "keep"},
            "columns": columns,
            "method": {"name": "mdav", "k": 3, "known_items": 1, "seed": seed},
        }
        release = taxonym.anonymize(pl.DataFrame(table), plan, baselines=False)
        tax = {"owns": taxonym.load(str(path))}
        assert not violations(table, plan, release.frame.to_dicts(), release.trail(), tax)
        assert len({word for cell in release.frame["owns"].to_list() for word in cell}) == 1
