"""Files as strangers brought them in another round, with headers of other languages, and how the draft went wrong."""

import random
from pathlib import Path

from tests.door.expected import IDENTIFIER, Expected, asks, masked
from tests.door.files import AGREE, GOODS, ICD, PETS, file, some, table


@file("patienten.csv")
def patienten(path: Path, r: random.Random) -> None:
    """Saved by a German spreadsheet: Latin-1, semicolons, decimal commas, lines that end in CR LF."""
    rows = [
        (f"P-{1000 + i // 3}", 30 + i // 3 % 50, "mw"[i // 3 % 2], f"1,{60 + i // 3 % 40}", r.choice(ICD))
        for i in range(150)
    ]
    table(path, "Patientennummer;Alter;Geschlecht;Größe;Diagnose", rows, ";")
    path.write_bytes(path.read_text("utf-8").replace("\n", "\r\n").encode("latin-1"))


@file("personnel.csv")
def personnel(path: Path, r: random.Random) -> None:
    """Names under French headers, few of them, so that they looked like choices of a form."""
    rows = [
        (
            2000 + i,
            r.choice(["Dupont", "Martin", "Bernard", "Petit"]),
            r.choice(["Marie", "Jean", "Pierre", "Julie"]),
            r.randint(0, 4),
            r.choice(["infirmier", "enseignant", "avocat", "boulanger"]),
        )
        for i in range(80)
    ]
    table(path, "matricule;nom;prénom;nombre d'enfants;poste", rows, ";")


@file("form.csv")
def form(path: Path, r: random.Random) -> None:
    """Times that no pattern reads, and postal codes with letters, were texts that mention GMT and AB."""
    rows = [
        (
            f"2024/03/{r.randint(1, 28):02} {r.randint(1, 12)}:{r.randint(0, 59):02}:11 AM GMT+1",
            r.choice([*[999] * 5, *range(18, 66)]),
            f"{r.randint(1000, 9999)} {r.choice(['AB', 'CD', 'XE'])}",
            r.choice(["open", "closed", "pending"]),
            ", ".join(some(r, GOODS)),
        )
        for _ in range(100)
    ]
    table(path, "Timestamp,What is your age?,Postcode,Status,Which of these do you buy?", rows)


@file("answers.csv")
def answers(path: Path, r: random.Random) -> None:
    """Every answer has an id, and some came from one address."""
    rows = [(f"R_{r.getrandbits(60):015x}", f"203.0.113.{r.randrange(99)}", r.choice(AGREE)) for _ in range(100)]
    table(path, "ResponseId,IPAddress,Q2", rows)


@file("homes.csv")
def homes(path: Path, r: random.Random) -> None:
    """Households of several persons: their numbers are no measurement."""
    rows = [(10_000 + i // 3, 1 + i % 3, r.randint(1, 90), r.choice(PETS)) for i in range(150)]
    table(path, "hhid,line,age,pet", rows)


@file("medication.csv")
def medication(path: Path, r: random.Random) -> None:
    """Months are no ranges, 2022-03 is not from 2022 to 3; days in eight digits are no numbers."""
    drugs = ["ASPIRIN", "INSULIN", "PENICILLIN", "MORPHINE", "CODEINE"]
    rows = [
        (
            f"ABC-01-{i // 3:04}",
            r.choice(drugs),
            f"2022-{r.randint(1, 12):02}",
            f"2023{r.randint(1, 12):02}{r.randint(1, 28):02}",
        )
        for i in range(150)
    ]
    table(path, "USUBJID,CMTRT,CMSTDTC,CMDAY", rows)


STRANGERS = {
    "patienten.csv": Expected(
        {
            "Patientennummer": IDENTIFIER,
            "Alter": masked("number"),
            "Geschlecht": masked("nominal", "sex"),
            "Diagnose": masked("set", "icd10cm"),
        },
        person="Patientennummer",
        asks=asks("rows", "role:Größe", "role:Diagnose"),
    ),
    "personnel.csv": Expected(
        {"matricule": IDENTIFIER, "nom": IDENTIFIER, "prénom": IDENTIFIER, "poste": masked("nominal")},
        person="matricule",
        asks=asks("role:nombre d'enfants"),
    ),
    "form.csv": Expected(
        {
            "Timestamp": IDENTIFIER,
            "What is your age?": masked("number"),
            "Postcode": IDENTIFIER,
            "Status": masked("nominal"),
            "Which of these do you buy?": masked("set", "wordnet", separator=","),
        },
        missing=("999",),
    ),
    "answers.csv": Expected(
        {"ResponseId": IDENTIFIER, "IPAddress": IDENTIFIER, "Q2": masked("set", "likert")},
        person="IPAddress",
        asks=asks("person", "rows"),
    ),
    "homes.csv": Expected(
        {"hhid": IDENTIFIER, "age": masked("number"), "pet": masked("set", "wordnet")},
        person="hhid",
        asks=asks("rows", "role:line"),
    ),
    "medication.csv": Expected(
        {"USUBJID": IDENTIFIER, "CMTRT": masked("set", "wordnet")},
        person="USUBJID",
        asks=asks("rows", "role:CMSTDTC", "role:CMDAY"),
    ),
}
