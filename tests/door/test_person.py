"""Nothing is published that counts rows as persons where removed ids repeat, unless the plan says so."""

import json
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import taxonym
from taxonym.cli import main
from taxonym.drafting import draft_plan
from taxonym.errors import BadPlan
from taxonym.plan import Plan
from taxonym.records.column import Column
from taxonym.records.headers import Whose, whose
from taxonym.records.identifiers import direct_form, is_card, spans_in
from taxonym.records.ids import RowsAsPersons, id_column
from tests.door.files import made

QUERY = {"role": "quasi-identifier", "kind": "text", "taxonomy": "wordnet"}
PLAN = """
[columns.AnonID]
role = "identifier"
[columns.Query]
role = "quasi-identifier"
kind = "text"
taxonomy = "wordnet"
"""


@pytest.fixture
def aol(tmp_path: Path) -> Path:
    return made("aol.tsv", tmp_path)


def users_per_class(log: Path, trail: Path) -> list[int]:
    """The users behind every class of a release, as the trail tells who became which row."""
    lines = [json.loads(line) for line in trail.read_text().splitlines()]
    users = pl.read_csv(log, separator="\t")["AnonID"].to_list()
    groups: dict[int, set[int]] = {}
    for line in lines:
        if line.get("group") is not None:
            groups.setdefault(line["group"], set()).update(users[row - 1] for row in line["rows"])
    return [len(some) for some in groups.values()]


def test_a_plan_that_drops_repeated_ids_is_refused_with_both_lines_to_paste(
    aol: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    out = tmp_path / "out.csv"
    assert main(["anonymize", str(aol), "--plan", str(tmp_path / "plan.toml"), "-o", str(out)]) == 2
    said = capsys.readouterr().err
    assert 'person = "AnonID"' in said
    assert "person = false" in said
    assert "40 different ones in 300 rows" in said
    assert not out.exists()


def test_the_draft_of_a_log_taken_as_it_is_has_no_class_with_fewer_than_k_users(
    aol: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.tsv"
    assert main(["anonymize", str(aol), "-o", str(out)]) == 2
    said = capsys.readouterr().err
    assert "--kind querylog" in said
    assert 'person = "AnonID"' in said
    assert "person = false" in said
    assert not out.exists()
    draft, trail = tmp_path / "draft.toml", tmp_path / "trail.jsonl"
    assert main(["plan", str(aol), "-o", str(draft)]) == 0
    run = ["anonymize", str(aol), "--plan", str(draft), "-o", str(out), "--trail", str(trail), "--no-baselines"]
    assert main(run) == 0
    found = pl.read_csv(out, separator="\t")
    users = found.group_by("Query").agg(pl.col("AnonID").n_unique())
    assert users["AnonID"].min() >= 5  # type: ignore[operator]
    assert main(["verify", str(out), "--plan", str(draft), "--original", str(aol), "--trail", str(trail)]) == 0


def test_with_the_person_named_every_class_has_k_users(aol: Path, tmp_path: Path) -> None:
    plan, out, trail = tmp_path / "plan.toml", tmp_path / "out.csv", tmp_path / "trail.jsonl"
    plan.write_text(f'[input]\nperson = "AnonID"\n{PLAN}')
    run = ["anonymize", str(aol), "--plan", str(plan), "-o", str(out), "--trail", str(trail), "--no-baselines"]
    assert main(run) == 0
    assert main(["verify", str(out), "--plan", str(plan), "--original", str(aol), "--trail", str(trail)]) == 0
    sizes = users_per_class(aol, trail)
    assert sizes
    assert min(sizes) >= 5


def test_rows_count_as_persons_where_the_plan_says_so(aol: Path) -> None:
    given = {"columns": {"Query": QUERY}, "method": {"seed": 1}}
    with pytest.raises(BadPlan, match='person = "AnonID", or person = false'):
        taxonym.anonymize(aol, given)
    release = taxonym.anonymize(aol, {"input": {"person": False}, **given}, baselines=False)
    assert release.report["records"]["published_rows"] > 0


def test_a_work_folder_does_not_open_another_way(aol: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    with pytest.raises(BadPlan, match="person = false"):
        taxonym.anonymize(aol, {"columns": {"Query": QUERY}}, work=tmp_path / "work")


def test_ids_that_repeat_only_in_later_rows_are_seen() -> None:
    first, later = (pl.DataFrame({"uid": [f"u{i}" for i in range(50)], "pet": ["dog"] * 50}) for _ in range(2))
    columns = {"pet": Column(name="pet", role="quasi-identifier")}
    RowsAsPersons(columns, ()).see(first).check("x.csv")
    with pytest.raises(BadPlan, match="50 different ones in 100 rows"):
        RowsAsPersons(columns, ()).see(first).see(later).check("x.csv")


def test_person_false_is_kept_when_a_plan_is_written_and_true_is_no_column() -> None:
    plan = Plan.from_dict({"input": {"person": False}, "columns": {"Query": QUERY}})
    assert plan.input.person is None
    assert plan.to_dict()["input"] == {"person": False}
    assert Plan.from_dict(plan.to_dict()) == plan
    with pytest.raises(BadPlan, match="name of a column, or false"):
        Plan.from_dict({"input": {"person": True}, "columns": {"Query": QUERY}})


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 40), min_size=30, max_size=60),
    st.sampled_from(["u{:03}", "KX-{:05}", "{:032x}", "p{}@x.example", "{:08}"]),
    st.sampled_from(["uid", "ref", "AnonID", "Kunde", "col7"]),
)
def test_no_form_of_repeated_ids_is_overlooked(numbers: list[int], form: str, header: str) -> None:
    ids = [form.format(70_000_001 + 7919 * i if form == "{:08}" else i) for i in numbers]
    frame = pl.DataFrame({header: ids, "pet": ["dog"] * len(ids)})
    watch = RowsAsPersons({"pet": Column(name="pet", role="quasi-identifier")}, ()).see(frame)
    if len({*ids}) < len(ids) and len({*ids}) >= 10:
        with pytest.raises(BadPlan, match="person = false"):
            watch.check("x.csv")
    else:
        watch.check("x.csv")


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("zip", [f"{10_000 + 37 * (i % 40)}" for i in range(120)]),
        ("department", [f"D{i % 12:03}" for i in range(120)]),
        ("seen", [f"2024{1 + i % 12:02}{1 + i % 28:02}" for i in range(120)]),
        ("seconds", [f"{1_700_000_000 + 60 * (i % 50)}" for i in range(120)]),
        ("first name", ["Mary", "John", "Susan", "Peter"] * 30),
        ("salary", [f"{30_000 + 500 * (i % 80)}" for i in range(120)]),
        ("product_id", [f"P{i % 30:05}" for i in range(120)]),
        ("subject", ["mathematics", "history", "biology"] * 40),
        ("Filiale", [f"{1000 + i % 40}" for i in range(120)]),
        ("año", [f"{1990 + i % 30}" for i in range(120)]),
        ("amount of it", [f"{1000 + 5 * (i % 40)}" for i in range(120)]),
        ("steps taken", [f"{900 + 37 * (i % 40)}" for i in range(120)]),
        ("StationID", [f"{10_000 + i % 40}" for i in range(120)]),
    ],
)
def test_what_many_persons_share_is_not_taken_for_ids(header: str, values: list[str]) -> None:
    assert id_column(pl.Series(header, values)) is None


PERSONS = [
    "AnonID", "MRN", "Respondent", "ResponseId", "SUBJID", "session", "cookie", "uid", "login", "Email", "Kunde",
    "Kundennummer", "user_id", "id_cliente", "PatientID", "numero_paciente", "CustomerNo", "subject_id", "visitor",
    "Teilnehmer", "usuario",
]  # fmt: skip


@pytest.mark.parametrize("header", [*PERSONS, "NHS number", "Patienten-ID", "Participant ID"])
def test_headers_of_persons_are_known_in_any_spelling(header: str) -> None:
    for spelling in (header, header.upper(), header.lower(), f"{header} "):
        assert whose(spelling) <= Whose.PROXY


OF_PERSONS = [
    "matricule", "matricola", "matrícula", "Matrikelnr", "hhid", "HHID", "IDPAC", "idcliente", "CodCliente",
    "nro_cliente", "numclient", "NumPatient", "KdNr", "Kundennr", "id_klienta", "nr_pacjenta", "id_paziente",
    "codice_paziente", "id_utente", "prontuario", "n°client", "ndossier", "KVNR", "hospital_patient_id",
    "store_customer_no", "PROLIFIC_PID", "reviewerID", "xwaveid", "lfdnr", "SERIALNO", "folio", "K",
]  # fmt: skip


@pytest.mark.parametrize("header", OF_PERSONS)
def test_numbers_that_repeat_are_ids_under_headers_of_many_languages_and_under_none(header: str) -> None:
    values = [f"{10_000 + 37 * (i * i % 47)}" for i in range(150)]
    assert id_column(pl.Series(header, values)) is not None


def test_headers_of_things_and_of_what_persons_have_name_nobody() -> None:
    assert whose("customer_pet") == Whose.UNCLEAR
    assert whose("product_id") == whose("movieId") == whose("customer product") == Whose.THING
    assert whose("order_id") == whose("InvoiceNo") == Whose.DEED


def test_direct_identifiers_are_told_by_their_form() -> None:
    forms = {
        "e-mail addresses": ["a.b@example.com", "c-d@sub.example.org"],
        "card numbers": ["4111111111111111", "5500 0000 0000 0004"],
        "social security numbers": ["123-45-6789", "321-54-9876"],
        "network addresses": ["192.0.2.7", "2001:db8::1"],
        "account numbers (IBAN)": ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"],
        "telephone numbers": ["+49 30 123456", "(201) 555-0123"],
        "web addresses": ["https://example.org/a", "www.example.com"],
        "names of persons": ["Mary Smith", "John A. Brown"],
        "UUIDs": ["123e4567-e89b-12d3-a456-426614174000"] * 2,
    }
    assert {form: direct_form(cells) for form, cells in forms.items()} == {form: form for form in forms}
    assert direct_form(["2024-01-31", "1999-12-01"]) is None
    assert direct_form(["12.5", "300.25"]) is None
    assert not is_card("4111111111111112")


def test_names_and_accounts_inside_texts_are_found_and_places_are_no_names() -> None:
    texts = ["This is Mary Miller, my laptop is broken", "Ask Paul Fischer", "Peter Smith wrote", "no network"]
    assert spans_in(texts) == ["names of persons"]
    assert spans_in(["From New York", "In Los Angeles", "The Great Wall", "Red Cross"]) == []
    assert "account numbers (IBAN)" in spans_in(["charged to DE89 3704 0044 0532 0130 00 twice"])


def test_addresses_inside_texts_are_found_the_most_frequent_first() -> None:
    texts = ["call +1 201 555 0123 now", "write to a@b.example", "or to c@d.example", "nothing here in 2024"]
    assert spans_in(texts) == ["e-mail addresses", "telephone numbers"]
    assert Counter(spans_in(["room 12, 3 of 4"])) == Counter()


@pytest.mark.parametrize("header", ["patient", "user_id", "Kunde", "subject"])
@pytest.mark.parametrize("taxonomies", [("wordnet",), ("icd10cm", "wordnet")])
def test_small_numbers_below_a_header_of_persons_are_persons_although_taxonomies_know_numbers(
    header: str, taxonomies: tuple[str, ...]
) -> None:
    words = ["flu", "cough", "fever", "migraine", "bronchitis"]
    table = pl.DataFrame(
        {header: [i * 7 % 60 + 1 for i in range(200)], "complaint": [words[i % 5] for i in range(200)]}
    )
    found = draft_plan(table, taxonomies)
    assert found.person == header
    assert found.plan["columns"][header] == {"role": "identifier"}
