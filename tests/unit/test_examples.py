"""The example data that ships with Taxonym is what its README says."""

import csv
import re
import subprocess
import sys
from collections import Counter, defaultdict
from datetime import datetime
from pathlib import Path

import pytest

import taxonym
from taxonym import Taxonomy
from taxonym.knowledge.check import facts, remarks
from taxonym.plan import Plan, read_plan
from taxonym.records.table import Table

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "src" / "taxonym" / "examples"
README = (EXAMPLES / "README.md").read_text("utf-8")
PLANS = ("search-log", "diagnoses")
BY_HAND = ("proposals.csv",)


def rows(name: str) -> list[dict[str, str]]:
    with (EXAMPLES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def table(plan: Plan) -> Table:
    given = plan.input
    assert given.path is not None
    return Table.of(
        plan.located(given.path),
        plan.columns,
        person=given.person,
        person_rows=given.person_rows,
        missing=given.missing,
        dialect=given.dialect,
    )


@pytest.fixture(scope="module")
def log() -> list[dict[str, str]]:
    return rows("search-log.csv")


@pytest.fixture(scope="module")
def visits() -> list[dict[str, str]]:
    return rows("diagnoses.csv")


@pytest.fixture(scope="module")
def hierarchy() -> Taxonomy:
    return taxonym.load(str(EXAMPLES / "diagnoses-taxonomy.csv"))


@pytest.fixture(scope="module")
def users_of(log: list[dict[str, str]]) -> dict[str, set[str]]:
    found = defaultdict(set)
    for row in log:
        found[row["query"]].add(row["user"])
    return found


# ---------------------------------------------------------------------- the files


def test_the_script_makes_the_shipped_files_byte_for_byte(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tools" / "make_examples.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted([*made, *BY_HAND]) == sorted(path.name for path in EXAMPLES.glob("*.csv"))
    for name, content in made.items():
        assert content == (EXAMPLES / name).read_bytes(), name


def test_the_script_makes_the_shipped_access_log_byte_for_byte_and_its_plan_keeps_k(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tools" / "make_access_log.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shipped = (EXAMPLES / "access.log").read_bytes()
    assert (tmp_path / "access.log").read_bytes() == shipped
    lines = shipped.decode().splitlines()
    assert f" {len(lines):,} lines" in README
    for line in lines:
        assert re.match(r"(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+ |2001:db8:", line)
    plan = read_plan(EXAMPLES / "access-log.toml")
    release = taxonym.anonymize(EXAMPLES / "access.log", plan)
    release.write(tmp_path / "release.log")
    published = Counter((tmp_path / "release.log").read_text().splitlines())
    assert sum(published.values()) >= 0.95 * len(lines)  # nobody owns more than a fifth of a class, which costs a few
    assert min(published.values()) >= plan.method.k


def test_the_examples_take_less_than_700_kilobytes() -> None:
    assert sum(path.stat().st_size for path in EXAMPLES.iterdir()) < 700_000


def test_every_file_is_described_in_the_readme_with_its_rows() -> None:
    for path in EXAMPLES.iterdir():
        assert path == EXAMPLES / "README.md" or f"`{path.name}`" in README, path.name
    for path in EXAMPLES.glob("*.csv"):
        line = next(line for line in README.splitlines() if line.startswith(f"| `{path.name}`"))
        assert f" {len(rows(path.name)):,} rows" in line, path.name


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_is_read_and_its_table_has_a_record_for_everybody(name: str) -> None:
    plan = read_plan(EXAMPLES / f"{name}.toml")
    made = table(plan)
    given = rows(f"{name}.csv")
    assert plan.method.k == 5
    assert made.persons == len({row[plan.input.person or ""] for row in given})
    assert len(made) == (made.persons if plan.input.person_rows == "unite" else len(given))
    assert not made.suppressed().any()


@pytest.mark.parametrize("name", PLANS)
def test_every_taxonomy_that_a_plan_names_can_be_loaded(name: str) -> None:
    plan = read_plan(EXAMPLES / f"{name}.toml")
    named = [source for column in plan.columns.values() for source in column.taxonomy]
    assert named
    assert all(len(taxonym.load(plan.located(source))) > 500 for source in named)


# ---------------------------------------------------------------------- the search log


def test_the_search_log_has_600_users_with_3_to_25_queries_each(log: list[dict[str, str]]) -> None:
    counts = Counter(row["user"] for row in log)
    assert len(counts) == 600
    assert (min(counts.values()), max(counts.values())) == (3, 25)
    assert list(log[0]) == ["user", "time", "query"]


def test_the_search_log_covers_two_weeks_in_the_order_of_time(log: list[dict[str, str]]) -> None:
    times = [datetime.fromisoformat(row["time"]) for row in log]
    assert times == sorted(times)
    assert {time.date().isoformat() for time in times} == {f"2026-03-{day:02}" for day in range(2, 16)}


def test_queries_are_lower_case_and_some_have_operators_or_addresses(log: list[dict[str, str]]) -> None:
    queries = [row["query"] for row in log]
    assert not [query for query in queries if query != query.lower() or query != query.strip()]
    assert not [query for query in queries if "{" in query or "}" in query or not query]
    for sign in ('"', "+", "site:", "www.", "how to "):
        assert sum(sign in query for query in queries) >= 5, sign


def test_a_web_address_in_the_log_is_nobodys(log: list[dict[str, str]]) -> None:
    for row in log:
        found = re.findall(r"(?:www\.|site:)\S+", row["query"])
        assert all(address.endswith(".example") for address in found)


def test_at_least_20_users_share_each_of_the_20_most_usual_queries(users_of: dict[str, set[str]]) -> None:
    counts = sorted((len(users) for users in users_of.values()), reverse=True)
    assert counts[19] >= 20


def test_most_different_queries_are_of_one_user_alone(users_of: dict[str, set[str]]) -> None:
    alone = sum(len(users) == 1 for users in users_of.values())
    assert 0.7 < alone / len(users_of) < 0.95


def test_each_revealing_query_is_of_one_user_alone(users_of: dict[str, set[str]]) -> None:
    text = (ROOT / "tools" / "examples" / "revealing.txt").read_text("utf-8")
    people = [[line for line in part.splitlines() if line[:1] != "#"] for part in text.strip().split("\n\n")]
    assert len(people) == 20
    for queries in people:
        assert len(users_of[queries[0]]) == 1
        assert len(set.union(*(users_of[query] for query in queries))) == 1


def test_queries_use_at_least_1500_different_words_that_wordnet_knows(
    users_of: dict[str, set[str]], wordnet: Taxonomy
) -> None:
    stop_words = taxonym.Finder(wordnet).language.stop_words
    words = {word for query in users_of for word in re.findall("[a-z]{3,}", query)} - stop_words
    assert sum(bool(wordnet.codes(word)) for word in words) >= 1_500


def test_wordnet_finds_a_concept_in_85_of_100_queries(log: list[dict[str, str]], wordnet: Taxonomy) -> None:
    finder = taxonym.Finder(wordnet)  # what map_text makes for each text
    mapped = {query: bool(finder.find(query)) for query in {row["query"] for row in log}}
    assert sum(mapped[row["query"]] for row in log) >= 0.85 * len(log)
    assert sum(mapped.values()) >= 0.85 * len(mapped)


# ---------------------------------------------------------------------- the diagnoses


def test_the_diagnoses_are_of_700_patients_with_1_to_8_each_visit(visits: list[dict[str, str]]) -> None:
    assert len({row["patient"] for row in visits}) == 700
    sizes = [len(row["diagnoses"].split(";")) for row in visits]
    assert (min(sizes), max(sizes)) == (1, 8)
    assert list(visits[0]) == ["patient", "birth_year", "sex", "visit", "diagnoses", "stay_days"]


def test_a_patient_has_one_sex_and_one_year_of_birth(visits: list[dict[str, str]]) -> None:
    persons = {(row["patient"], row["birth_year"], row["sex"]) for row in visits}
    assert len(persons) == 700
    assert {sex for _, _, sex in persons} == {"female", "male"}


def test_every_diagnosis_is_a_label_of_one_concept_of_the_hierarchy(
    visits: list[dict[str, str]], hierarchy: Taxonomy
) -> None:
    for row in visits:
        codes = [hierarchy.codes(term) for term in row["diagnoses"].split(";")]
        assert all(len(found) == 1 for found in codes), row["diagnoses"]
        assert len({found[0] for found in codes}) == len(codes), row["diagnoses"]


def test_hospitals_write_some_diagnoses_in_several_ways(visits: list[dict[str, str]], hierarchy: Taxonomy) -> None:
    ways = defaultdict(set)
    for row in visits:
        for term in row["diagnoses"].split(";"):
            ways[hierarchy.codes(term)[0]].add(term)
    assert sum(len(terms) > 1 for terms in ways.values()) > 100


def test_some_diagnoses_are_common_and_many_are_rare(visits: list[dict[str, str]], hierarchy: Taxonomy) -> None:
    counts = Counter(hierarchy.codes(term)[0] for row in visits for term in row["diagnoses"].split(";"))
    assert hierarchy.label(counts.most_common(1)[0][0]) == "Essential hypertension"
    assert counts.most_common(1)[0][1] > 150
    assert sum(count < 5 for count in counts.values()) > 100


def test_only_women_are_pregnant_and_only_men_have_a_prostate(
    visits: list[dict[str, str]], hierarchy: Taxonomy
) -> None:
    pregnancy = hierarchy.codes("Pregnancy and childbirth")[0]
    male = hierarchy.codes("Male genital diseases")[0]
    for row in visits:
        above = {a for term in row["diagnoses"].split(";") for a in hierarchy.ancestors(hierarchy.codes(term)[0])}
        assert pregnancy not in above or row["sex"] == "female"
        assert male not in above or row["sex"] == "male"


def test_the_hierarchy_of_diagnoses_has_no_problems(hierarchy: Taxonomy) -> None:
    about = facts(hierarchy)
    assert remarks(hierarchy) == []
    assert about.roots == 1
    assert about.max_depth == 5
    assert 300 <= about.leaves <= 450
    assert f"{about.concepts} concepts" in README
    assert f"{about.leaves} diagnoses" in README


def test_the_proposals_are_what_the_readme_says() -> None:
    found = rows("proposals.csv")
    wrote = Counter(row["applicant"] for row in found)
    assert (len(found), len(wrote)) == (26, 24)
    assert sorted(wrote.values())[-3:] == [1, 2, 2]
    assert {row["field"] for row in found} == {"medicine", "farming", "computing", "sea"}
