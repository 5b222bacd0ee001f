"""The plans that a careful person would write for the files, made before the code that drafts them.

A column that is published has its settings here, `identifier` stands for one that is removed because it tells who
somebody is; all others are left out. `asks` names the questions that a careful person would put to the owner of the
file, `refuses` says that nothing may be published before one of them is answered.
"""

from dataclasses import dataclass, field
from typing import Any

IDENTIFIER: dict[str, Any] = {"role": "identifier"}


def masked(kind: str, taxonomy: str | None = None, **more: Any) -> dict[str, Any]:
    return {"role": "quasi-identifier", "kind": kind, "taxonomy": taxonomy, **more}


@dataclass(frozen=True)
class Expected:
    columns: dict[str, dict[str, Any]] = field(default_factory=dict)
    person: str | None = None
    kind: str = "table"
    asks: frozenset[str] = frozenset()
    refuses: bool = False
    missing: tuple[str, ...] = ()
    warns: tuple[str, ...] = ()  # columns of free text that hold addresses or numbers of persons


def asks(*ids: str) -> frozenset[str]:
    return frozenset(ids)


EXPECTED = {
    "survey.csv": Expected(
        {
            "ResponseId": IDENTIFIER,
            "Age": masked("number"),
            "Gender": masked("nominal", "sex"),
            "Country": masked("nominal", "countries"),
            "Hobbies": masked("set", "wordnet", separator=";"),
            "LanguageHaveWorkedWith": masked("set", separator=";"),
            "Q7": masked("nominal", "likert"),
            "Comments": masked("text", "wordnet"),
        },
        person="ResponseId",
        asks=asks("role:Salary"),
        missing=("NA",),
        warns=("Comments",),
    ),
    "people.csv": Expected(
        {
            "age": masked("number"),
            "sex": masked("nominal", "sex"),
            "state": masked("nominal", "us-states"),
            "opinion": masked("nominal", "likert"),
            "smoker": masked("nominal", "yes-no"),
            "occupation": masked("nominal", "wordnet", category="person.n.01"),
            "bracket": masked("nominal", "scale: 18-24 < 25-34 < 35-49 < 50+"),
        },
        asks=asks("role:income"),
        missing=("-", "?"),
    ),
    "staff.csv": Expected(
        {
            "employee_id": IDENTIFIER,
            "Given": IDENTIFIER,
            "Family": IDENTIFIER,
            "Contact": IDENTIFIER,
            "Reachable at": IDENTIFIER,
            "Department": masked("nominal"),
            "Position": masked("nominal", "wordnet", category="person.n.01"),
        },
        person="employee_id",
        asks=asks("role:salary", "role:hired"),
    ),
    "german.csv": Expected(
        {
            "Kundennummer": IDENTIFIER,
            "Geschlecht": masked("nominal", "sex"),
            "Geburtsdatum": masked("date", format="%d.%m.%Y"),
            "Familienstand": masked("nominal", "marital-status"),
            "Einkäufe": masked("set", "wordnet", separator=","),
        },
        person="Kundennummer",
        asks=asks("role:Umsatz"),
    ),
    "spanish.csv": Expected(
        {
            "paciente": IDENTIFIER,
            "sexo": masked("set", "sex"),
            "fecha_nacimiento": masked("date", format="%d/%m/%Y"),
            "país": masked("set"),
            "enfermedad": masked("set"),
        },
        person="paciente",
        asks=asks("rows", "role:enfermedad"),
    ),
    "vaers.csv": Expected(
        {
            "VAERS_ID": IDENTIFIER,
            "STATE": masked("nominal", "us-states"),
            "AGE_YRS": masked("number"),
            "SEX": masked("nominal", "sex"),
            "symptoms": masked("set", "wordnet", **{"from": [f"SYMPTOM{i}" for i in range(1, 6)]}),
        },
        person="VAERS_ID",
    ),
    "onehot.csv": Expected(
        {
            "Respondent": IDENTIFIER,
            "sex": masked("nominal", "sex"),
            "pets": masked(
                "set",
                "wordnet",
                marks=["1"],
                **{
                    "from": [
                        f"pet_{p}" for p in ["dog", "cat", "rabbit", "hamster", "parrot", "goldfish", "turtle", "horse"]
                    ]
                },
            ),
            "smoker": masked("nominal"),
        },
        person="Respondent",
    ),
    "ticked.csv": Expected(
        {
            "gender": masked("nominal", "sex"),
            "q3": masked("set", "wordnet", **{"from": [f"Q3_{i}" for i in range(1, 10)]}),
        },
    ),
    "recipes.jsonl": Expected(
        {
            "id": IDENTIFIER,
            "cuisine": masked("nominal", "wordnet"),  # as the people of a country
            "ingredients": masked("set", "wordnet"),
        },
        person="id",
    ),
    "sentences.tsv": Expected(
        {
            "complaints": masked("set", "wordnet", separator=";"),
            "story": masked("text", "wordnet"),
        },
    ),
    "payments.csv": Expected(
        {
            "field1": IDENTIFIER,
            "field2": IDENTIFIER,
            "field3": IDENTIFIER,
            "field4": IDENTIFIER,
            "bought": masked("nominal", "wordnet"),
        },
        person="field2",
        asks=asks("person", "role:amount"),
    ),
    "dates.csv": Expected(
        {
            "dob": masked("date", format="%d.%m.%Y"),
            "year_of_birth": masked("number"),
            "pet": masked("nominal", "wordnet"),
        },
        asks=asks("role:seen", "role:entered"),
        missing=("NA",),
    ),
    "hospital.csv": Expected(
        {
            "MRN": IDENTIFIER,
            "Sex": masked("nominal", "sex"),
            "DOB": masked("date"),
            "Diagnosis": masked("set", "icd10cm"),
        },
        person="MRN",
        asks=asks("rows", "role:HIV result", "role:Diagnosis", "role:Admitted"),
    ),
    "claims.tsv": Expected(
        {
            "bene_id": IDENTIFIER,
            "dx": masked("set", "icd10cm", separator="|"),
            "state": masked("set", "us-states"),
        },
        person="bene_id",
        asks=asks("rows", "role:dx"),
    ),
    "tags.csv": Expected(
        {"member": IDENTIFIER, "tag": masked("set", "wordnet")},
        person="member",
        asks=asks("rows"),
    ),
    "adverse.csv": Expected(
        {
            "SUBJID": IDENTIFIER,
            "AETERM": masked("set", "wordnet"),
            "AESEV": masked("set", "severity"),
        },
        person="SUBJID",
        asks=asks("rows"),
    ),
    "visits.csv": Expected(
        {"cookie": IDENTIFIER, "viewed": masked("set", "wordnet")},
        person="cookie",
        asks=asks("rows", "role:ts"),
    ),
    "nhs.csv": Expected(
        {"NHS number": IDENTIFIER, "condition": masked("set", "wordnet")},
        person="NHS number",
        asks=asks("rows"),  # what the data is about is all there is to mask
    ),
    "tickets.csv": Expected(
        {
            "ticket": IDENTIFIER,
            "login": IDENTIFIER,
            "message": masked("text", "wordnet"),
            "priority": masked("set", "level"),
        },
        person="login",
        asks=asks("rows"),
        warns=("message",),
    ),
    "unknown.csv": Expected(
        {"ref": IDENTIFIER, "pet": masked("nominal", "wordnet"), "food": masked("nominal", "wordnet")},
        asks=asks("person"),
        refuses=True,
    ),
    "orders.csv": Expected(
        {"InvoiceNo": IDENTIFIER, "StockCode": IDENTIFIER, "Description": masked("nominal", "wordnet")},
        asks=asks("person"),
        refuses=True,
    ),
    "two_ids.csv": Expected(
        {"customer": IDENTIFIER, "device": IDENTIFIER, "pet": masked("set", "wordnet")},
        person="customer",
        asks=asks("person", "rows"),
    ),
    "baskets.parquet": Expected(
        {"Kunde": IDENTIFIER, "Artikel": masked("set", "wordnet")},
        person="Kunde",
    ),
    "aol.tsv": Expected(kind="querylog", person="AnonID"),
    "searches.csv": Expected(kind="querylog", person="uid"),
    "access.log": Expected(kind="accesslog"),
    "letters": Expected(kind="documents"),
}
