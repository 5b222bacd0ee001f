"""Tables of columns that are no words: what a header and its values are taken for."""

import json
import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from taxonym import anonymize
from taxonym.cli import main
from taxonym.drafting import PlanDraft, draft_plan
from taxonym.drafting.column_kinds import COLUMN_KINDS, recognise
from taxonym.drafting.sample import ColumnSample, header_words
from taxonym.drafting.separators import set_separator
from taxonym.knowledge.hierarchies import HIERARCHIES
from taxonym.plan import Plan

STATES = re.findall(r"\w+", "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI NY TX WA")
AGREE = ["Strongly agree", "Agree", "Neutral", "Disagree", "Strongly disagree"]
PETS = ["dog", "cat", "horse", "cow", "eagle", "shark", "salmon", "lizard"]
ROWS = 200


def seen(header: str, values: Iterable[str]) -> Any:
    """What recognise says of a column in which every value stands about as often."""
    some = [*values]
    cells = [some[i % len(some)] for i in range(ROWS)]
    return recognise(ColumnSample(header, cells, ROWS, len({*some}), 0.0, values=[*dict.fromkeys(some)]))


def drafted(folder: Path, **columns: list[str]) -> PlanDraft:
    """The draft for a file of 200 rows, with a column of pets, so that there is something to mask."""
    lines = [",".join([*columns, "pet"])]
    for i in range(ROWS):
        lines.append(",".join([*(values[i % len(values)] for values in columns.values()), PETS[i * 7 % 8]]))
    (folder / "x.csv").write_text("\n".join(lines))
    return draft_plan(folder / "x.csv")


@pytest.mark.parametrize(
    ("header", "values", "taxonomy"),
    [
        ("sex", ["M", "F"], "sex"),
        ("x", ["M", "F"], "sex"),
        ("Gender", ["male", "female", "non-binary"], "sex"),
        ("GESCHLECHT", ["w", "m", "d"], "sex"),
        ("sexo", ["hombre", "mujer"], "sex"),
        ("state", ["CA", "DE", "IN"], "us-states"),
        ("State_Code", STATES[:4], "us-states"),
        ("x", STATES, "us-states"),
        ("residence", ["California", "New York", "Texas"], "us-states"),
        ("country", ["CA", "DE", "IN"], "countries"),
        ("countryOfBirth", ["USA", "DEU", "FRA"], "countries"),
        ("País", ["ES", "FR", "PT"], "countries"),
        ("native-country", ["United-States", "Puerto-Rico", "El-Salvador", "England"], "countries"),
        ("from", ["Germany", "Côte d'Ivoire", "South Korea"], "countries"),
        ("lang", ["en", "de", "no"], "languages"),
        ("Muttersprache", ["de", "tr", "pl"], "languages"),
        ("spoken", ["German", "Turkish", "Polish"], "languages"),
        ("smoker", ["Yes", "No", "Don't know"], "yes-no"),
        ("smoker", ["y", "n"], "yes-no"),
        ("raucht", ["ja", "nein"], "yes-no"),
        ("q1", AGREE, "likert"),
        ("q2", ["very satisfied", "satisfied", "neutral", "dissatisfied"], "satisfaction"),
        ("q3", ["never", "rarely", "sometimes", "often", "always"], "frequency"),
        ("q4", ["daily", "weekly", "monthly", "never"], "how-often"),
        ("q5", ["very likely", "likely", "unlikely"], "likelihood"),
        ("q6", ["not important", "somewhat important", "very important"], "importance"),
        ("q7", ["poor", "fair", "good", "excellent"], "quality"),
        ("q8", ["mild", "moderate", "severe"], "severity"),
        ("q9", ["low", "medium", "high"], "level"),
        ("when", ["Jan", "Feb", "Mar"], "months"),
        ("when", ["Monday", "Tuesday", "Sunday"], "weekdays"),
        ("marital.status", ["Never-married", "Divorced", "Married-civ-spouse"], "marital-status"),
        ("education", ["HS-grad", "Bachelors", "11th", "Masters"], "education"),
        ("diagnosis", ["E11.9", "I10", "J45.909"], "icd10cm"),
        ("age group", ["25-34", "65+", "under 18", "18-24", "35-64"], "scale: under 18 < 18-24 < 25-34 < 35-64 < 65+"),
    ],
)
def test_a_column_is_recognised_by_values_and_header(header: str, values: list[str], taxonomy: str) -> None:
    found = seen(header, values)
    assert found.mask
    assert found.settings == {"kind": "nominal", "taxonomy": taxonomy}


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("x", ["CA", "DE", "IN"]),  # states or countries
        ("x", ["en", "de", "no"]),
        ("x", ["H", "M"]),  # hombre and mujer, or anything
        ("size", ["S", "M", "L", "XL"]),
        ("blood", ["A", "B", "AB", "O"]),
        ("grade", ["A", "B", "C", "D", "F"]),
        ("department", ["HR", "IT", "FIN", "R&D"]),
        ("code", ["A1", "B22", "C305"]),
        ("paid", ["0", "1"]),
    ],
)
def test_codes_that_nothing_is_known_of_stand_for_themselves(header: str, values: list[str]) -> None:
    found = seen(header, values)
    assert found.mask
    assert found.settings == {"kind": "nominal"}


@pytest.mark.parametrize(
    ("header", "values", "name", "settings"),
    [
        ("age", ["18", "44", "90"], "age", {"kind": "number"}),
        ("Alter", ["18", "44", "90"], "age", {"kind": "number"}),
        ("birth_year", ["1950", "1999"], "year of birth", {"kind": "number"}),
        ("dob", ["1980-12-31", "1975-01-02"], "date of birth", {"kind": "date"}),
        ("dob", ["12/31/1980", "01/02/1975"], "date of birth", {"kind": "date", "format": "%m/%d/%Y"}),
        ("Geburtsdatum", ["31.12.1980", "1.2.1975"], "date of birth", {"kind": "date", "format": "%d.%m.%Y"}),
    ],
)
def test_ages_and_births_are_masked_as_numbers_and_dates(
    header: str, values: list[str], name: str, settings: dict[str, str]
) -> None:
    found = seen(header, values)
    assert (found.name, found.mask, found.settings) == (name, True, settings)


@pytest.mark.parametrize(
    ("header", "values", "said"),
    [
        ("page", ["18", "44", "90"], "it holds numbers"),  # "age" is no word of it
        ("bmi", ["22,5", "31,1"], "it holds numbers"),
        ("income", ["1,000", "25,300"], "commas between thousands"),
        ("zip", ["02139", "10001"], "postal codes with leading zeros"),
        ("PLZ", ["10115", "80331"], "postal codes"),
        ("visit", ["2024-01-05", "2024-02-11T10:00"], "it holds dates"),
        ("visit", ["01/02/2024", "03/04/2024"], "day and month cannot be told apart"),
        ("dob", ["31.12.45", "01.02.75"], "either century"),
        ("age", [*map(str, range(18, 90)), "90 or so"], "some cells are none"),
    ],
)
def test_other_numbers_and_dates_are_left_out_with_a_reason(header: str, values: list[str], said: str) -> None:
    found = seen(header, values)
    assert not found.mask
    assert said in found.reason


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("pet", PETS),
        ("drink", ["tea", "gin", "rum", "ale"]),
        ("job", ["teacher", "nurse", "cook"]),
        ("note", ["a b c d"]),
    ],
)
def test_words_are_no_codes(header: str, values: list[str]) -> None:
    assert seen(header, values) is None


def test_ranges_that_overlap_are_no_scale() -> None:
    assert seen("income", ["18-24", "20-30", "25-34"]).settings == {"kind": "nominal"}


def test_a_header_is_split_at_capitals_and_marks_and_loses_accents() -> None:
    assert header_words("nativeCountry_2") == ("native", "country")
    assert header_words("PAÍS de Origen") == ("pais", "de", "origen")


def test_every_kind_has_a_name_and_every_hierarchy_a_kind() -> None:
    assert all(kind.name == name for name, kind in COLUMN_KINDS.items())
    assert COLUMN_KINDS.keys() >= HIERARCHIES.keys()


# ---------------------------------------------------------------------- whole drafts


def test_letters_states_and_ages_never_become_units_elements_and_large_integers(tmp_path: Path) -> None:
    ages = [str(i) for i in range(18, 90)]
    columns = drafted(tmp_path, sex=["M", "F"], state=STATES, age=ages, answer=["Yes", "No"]).plan["columns"]
    assert columns["sex"]["taxonomy"] == "sex"
    assert columns["state"]["taxonomy"] == "us-states"
    assert columns["answer"]["taxonomy"] == "yes-no"
    assert columns["age"] == {"role": "quasi-identifier", "kind": "number"}
    assert [name for name, column in columns.items() if column.get("taxonomy") == "wordnet"] == ["pet"]


def test_marks_are_proposed_and_numbers_with_marks_stay_numbers(tmp_path: Path) -> None:
    draft = drafted(tmp_path, age=["20", "31", "NA"], born=["1980-01-01", "?", "1990-02-03"], state=["CA", "n/a", "TX"])
    assert draft.plan["input"]["missing"] == ["?", "NA", "n/a"]
    assert draft.plan["columns"]["age"] == {
        "role": "quasi-identifier", "kind": "number", "on_empty": "keep-as-own-concept",
    }  # fmt: skip
    assert draft.plan["columns"]["born"]["kind"] == "date"
    assert draft.plan["columns"]["state"]["taxonomy"] == "us-states"
    assert Plan.from_dict(draft.plan).input.missing == ("?", "NA", "n/a")


def test_an_answer_is_no_mark_unless_it_stands_among_numbers(tmp_path: Path) -> None:
    draft = drafted(tmp_path, age=["20", "31", "44"], pain=["none", "mild", "severe"])
    assert "missing" not in draft.plan["input"]
    assert drafted(tmp_path, age=["20", "None", "44"]).plan["input"]["missing"] == ["None"]
    both = drafted(tmp_path, age=["20", "none", "44"], pain=["none", "mild", "severe"])
    assert "missing" not in both.plan["input"]


def test_namibia_is_not_taken_for_missing_unless_other_columns_say_so(tmp_path: Path) -> None:
    draft = drafted(tmp_path, country=["NA", "ZA", "DE"])
    assert "missing" not in draft.plan["input"]
    assert "may be Namibia" in draft.notes[-1]
    draft = drafted(tmp_path, country=["NA", "ZA", "DE"], age=["20", "NA", "30"])
    assert draft.plan["input"]["missing"] == ["NA"]
    assert "Namibia" in draft.notes[-1]


def test_a_country_or_age_of_customers_is_not_taken_for_the_customer(tmp_path: Path) -> None:
    ages = [str(i) for i in range(18, 60)]
    columns = drafted(tmp_path, customer_country=["US", "DE", "FR", *STATES[:9]], customer_age=ages).plan
    assert "person" not in columns["input"]


def test_a_name_in_a_header_does_not_hide_what_the_values_are(tmp_path: Path) -> None:
    columns = drafted(tmp_path, country_name=["Germany", "France", "Spain"], name=["Rose", "Iris", "Jack"]).plan[
        "columns"
    ]
    assert columns["country_name"]["taxonomy"] == "countries"
    assert columns["name"] == {"role": "identifier"}


def test_the_order_of_the_rows_does_not_matter(tmp_path: Path) -> None:
    rows = [f"{i % 70 + 18},{STATES[i % 25]},{AGREE[i % 5]},{PETS[i % 8]}" for i in range(ROWS)]
    plans = []
    for seed in range(3):
        random.Random(seed).shuffle(rows)
        (tmp_path / "x.csv").write_text("\n".join(["age,state,q,pet", *rows]))
        plans.append(json.dumps(draft_plan(tmp_path / "x.csv").plan))
    assert len({*plans}) == 1


def test_truth_values_of_json_are_yes_and_no(tmp_path: Path) -> None:
    lines = [json.dumps({"smokes": i % 2 == 0, "pet": PETS[i % 8]}) for i in range(ROWS)]
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    assert draft_plan(tmp_path / "x.jsonl").plan["columns"]["smokes"]["taxonomy"] == "yes-no"


def test_notes_and_columns_say_how_sure_the_draft_is(tmp_path: Path) -> None:
    draft = drafted(tmp_path, sex=["M", "F", "F"])
    column = draft.columns[0]
    assert (column.name, column.recognised, column.confidence, column.role) == ("sex", "sex", 1.0, "quasi-identifier")
    assert draft.columns[1].coherence is not None


# ---------------------------------------------------------------------- sets

TOOLS = ["HTML/CSS", "JavaScript", "Bash/Shell", "SQL", "C++"]


def chosen(options: list[str], separator: str) -> list[str]:
    """Ever other combinations of some options."""
    rng = random.Random(1)
    return [separator.join(rng.sample(options, rng.randint(1, 3))) for _ in range(ROWS)]


@pytest.mark.parametrize(
    ("header", "options", "separator", "taxonomy"),
    [
        ("langs", ["en", "de", "fr", "es"], ";", "languages"),
        ("countries visited", ["Italy", "France", "Spain", "Peru"], "|", "countries"),
        ("diagnoses", ["E11.9", "I10", "J45.909", "K21.9"], ", ", "icd10cm"),
        ("codes", ["A1", "B2", "C3", "D4"], ";", None),
    ],
)
def test_sets_of_codes_are_recognised_by_their_terms(
    header: str, options: list[str], separator: str, taxonomy: str | None
) -> None:
    cells = chosen(options, separator)
    found = recognise(ColumnSample(header, cells, ROWS, len({*cells}), 0.0, values=[*dict.fromkeys(cells)]))
    assert found is not None
    assert found.settings["kind"] == "set"
    assert found.settings["separator"] == separator.strip()
    assert found.settings.get("taxonomy") == taxonomy


def test_the_separator_is_the_one_whose_parts_come_again_and_again() -> None:
    assert set_separator(chosen(TOOLS, ";")) == ";"
    assert set_separator([f"I saw {i} dogs, and then, in the house, {i + 1} cats" for i in range(ROWS)]) is None
    assert set_separator(["HTML/CSS", "JavaScript", "SQL"] * 60) is None  # options with a slash, one in each cell


def test_lists_of_codes_are_sets_of_them(tmp_path: Path) -> None:
    rng = random.Random(2)
    rows = [{"countries": rng.sample(["IT", "FR", "DE"], 2), "pet": PETS[i % 8]} for i in range(ROWS)]
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, rows)))
    column = draft_plan(tmp_path / "x.jsonl").plan["columns"]["countries"]
    assert column == {"role": "quasi-identifier", "kind": "set", "taxonomy": "countries"}


def test_options_that_no_taxonomy_knows_stand_for_themselves(tmp_path: Path) -> None:
    tools = ["qqx a/b", "zzy", "xxq/wwv", "vvk"]
    column = drafted(tmp_path, tools=chosen(tools, ";")).plan["columns"]["tools"]
    assert column == {"role": "quasi-identifier", "kind": "set", "separator": ";"}


def test_addresses_of_pages_are_no_sets_of_words(tmp_path: Path) -> None:
    draft = drafted(tmp_path, link=[f"http://www.dog.org/cat/{i}" for i in range(10)])
    assert "link" not in draft.plan["columns"]
    assert "addresses of pages" in " ".join(draft.notes)


def test_a_draft_with_marks_scales_and_sets_runs_and_keeps_everybody(tmp_path: Path) -> None:
    draft = drafted(
        tmp_path, sex=["M", "F"], age=["20", "31", "NA", "44", "58"], band=["18-24", "25-34", "35-44", "65+"], q=AGREE
    )
    release = anonymize(tmp_path / "x.csv", draft.plan | {"method": {"k": 5, "seed": 1}})
    assert release.table.height == ROWS
    assert {*release.table["sex"]} <= {"M", "F", None}
    allowed = {"18-24", "25-34", "35-44", "65+", "18-34", "25-44", "35+", "18-44", "25+", None}
    assert {*release.table["band"]} <= allowed


def test_the_order_of_a_scale_decides_what_merges(tmp_path: Path) -> None:
    """Two neighbours that too few chose are published as the run of both, not as what is farther."""
    bands = ["18-24"] * 3 + ["25-34"] * 3 + ["65+"] * 14
    (tmp_path / "x.csv").write_text("band\n" + "\n".join(bands))
    column = {"role": "quasi-identifier", "taxonomy": "scale: 18-24 < 25-34 < 35-64 < 65+"}
    release = anonymize(tmp_path / "x.csv", {"columns": {"band": column}, "method": {"k": 5, "seed": 1}})
    assert sorted(release.table["band"].to_list()) == ["18-34"] * 6 + ["65+"] * 14
    assert "35-64" not in json.dumps(release.report)  # a report does not tell what a scale lists
    assert release.report["plan"]["columns"]["band"]["taxonomy"] == "scale"


def test_the_draft_is_described_for_programs(tmp_path: Path) -> None:
    shown = drafted(tmp_path, sex=["M", "F"], bmi=["22.5", "NA"]).described()
    assert shown["sex"]["taxonomy"] == "sex"
    assert shown["sex"]["coverage"] == 1.0
    assert (shown["bmi"]["role"], shown["bmi"]["recognised"], shown["bmi"]["missing"]) == (None, "number", 0.5)


def test_a_hierarchy_of_ages_is_checked_although_a_draft_would_take_them_for_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drafted(tmp_path, age=["20", "31", "44"])
    (tmp_path / "ages.csv").write_text("value,level 1\n20,young\n31,old\n44,old\n")
    words = ["taxonomy", "check", str(tmp_path / "ages.csv"), "--data", str(tmp_path / "x.csv"), "--column", "age"]
    assert main(words) == 0
    assert "every value is in it" in capsys.readouterr().out


def test_the_command_shows_small_hierarchies_and_says_how_sure_a_draft_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["taxonomy", "info", "us-states"]) == 0
    assert "us-states" in capsys.readouterr().out
    drafted(tmp_path, sex=["M", "F"])
    assert main(["plan", str(tmp_path / "x.csv"), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["person"] is None
    assert shown["columns"]["sex"]["confidence"] == 1.0
