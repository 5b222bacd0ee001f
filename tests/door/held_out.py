"""Files that were written after the draft had been, to see how it does on what it was not made for."""

import random
from pathlib import Path

from tests.door.expected import IDENTIFIER, Expected, asks, masked
from tests.door.files import AGREE, COUNTRIES, GOODS, ILLNESSES, PETS, SYMPTOMS, file, some, table

SPORTS = ["football", "tennis", "swimming", "basketball", "rowing", "judo", "fencing", "golf", "hockey"]
INSTRUMENTS = ["piano", "violin", "guitar", "flute", "drum", "trumpet", "cello", "harp", "clarinet"]


@file("library.csv")
def library(path: Path, r: random.Random) -> None:
    """Loans: a card per reader, a title per loan."""
    rows = [
        (f"LIB{r.randrange(45):06}", f"2023-{r.randint(1, 12):02}-{r.randint(1, 28):02}", r.choice(INSTRUMENTS))
        for _ in range(180)
    ]
    table(path, "Borrower No.,loaned_on,subject_heading", rows)


@file("club.tsv")
def club(path: Path, r: random.Random) -> None:
    rows = [
        (
            i,
            r.choice(["Mr", "Ms"]),
            f"{r.choice('ABCDE')}. {r.choice(['Vega', 'Ruiz', 'Lopez'])}",
            " / ".join(some(r, SPORTS)),
            r.randint(1940, 2008),
        )
        for i in range(90)
    ]
    table(path, "member_no\ttitle\tmember name\tsports\tyear of birth", rows, "\t")


@file("french.csv")
def french(path: Path, r: random.Random) -> None:
    rows = [
        (
            f"{r.randint(1, 2)}{r.randint(40, 99)}{r.randint(1, 12):02}75{r.randint(100, 999)}{r.randint(100, 999)}",
            r.choice(["homme", "femme"]),
            f"{r.randint(1, 28):02}/{r.randint(1, 12):02}/{r.randint(1950, 2000)}",
            r.choice(["oui", "non"]),
            f"{r.randint(1000, 5000)},{r.randint(10, 99)}",
        )
        for _ in range(80)
    ]
    table(path, "numéro de sécurité sociale;sexe;date de naissance;fumeur;salaire", rows, ";")


@file("forum.jsonl")
def forum(path: Path, r: random.Random) -> None:
    import json

    names = [f"{a}{b}" for a in ("sky", "moon", "fox", "wolf", "sun") for b in ("fan", "rider", "cat", "22", "_x")]
    lines = [{"screen_name": r.choice(names), "topics": some(r, PETS, 3), "likes": r.randrange(50)} for _ in range(150)]
    path.write_text("\n".join(map(json.dumps, lines)))


@file("trial.csv")
def trial(path: Path, r: random.Random) -> None:
    rows = []
    for i in range(70):
        meds = some(r, ["aspirin", "ibuprofen", "insulin", "penicillin", "morphine", "warfarin"], 3)
        rows.append(
            (
                f"{i + 1:03}",
                r.choice(["Treatment", "Placebo"]),
                r.choice("MF"),
                r.randint(18, 80),
                *meds,
                *["."] * (3 - len(meds)),
                r.choice(["Improved", "Worse", "Same"]),
            )
        )
    table(path, "participant,arm,sex,age,med_1,med_2,med_3,outcome", rows)


@file("clinic.csv")
def clinic(path: Path, r: random.Random) -> None:
    marks = [[r.choice(["Yes", "No", "No"]) for _ in ILLNESSES] for _ in range(80)]
    rows = [
        (
            f"{r.choice(['Anna', 'Mary', 'John', 'Peter'])} {r.choice(['Smith', 'Miller', 'Brown'])}",
            r.randint(20, 90),
            *some,
        )
        for some in marks
    ]
    table(path, "Patient Name,Age," + ",".join(f"hx.{name}" for name in ILLNESSES), rows)


@file("pharmacy.csv")
def pharmacy(path: Path, r: random.Random) -> None:
    rows = [
        (
            f"{r.choice(['ann', 'bob', 'eve', 'max', 'zoe'])}{r.randrange(12)}@mail.example",
            r.choice(["aspirin", "insulin", "penicillin", "morphine", "codeine", "cortisone"]),
            r.randrange(1, 5),
        )
        for _ in range(160)
    ]
    table(path, "contact,medicine,boxes", rows)


@file("evaluation.csv")
def evaluation(path: Path, r: random.Random) -> None:
    rows = [
        (
            r.choice(["Biology", "History", "Physics"]),
            *(r.choice(AGREE) for _ in range(4)),
            r.choice(["", "n/a", "The lectures were clear, and I liked them", "Too fast for me"]),
        )
        for _ in range(80)
    ]
    table(path, "course,Q1,Q2,Q3,Q4,remarks", rows)


@file("webshop.tsv")
def webshop(path: Path, r: random.Random) -> None:
    sessions = [f"{r.getrandbits(64):016x}" for _ in range(60)]
    rows = [
        (r.choice(sessions), f"203.0.113.{r.randrange(99)}", r.choice(GOODS), r.choice(COUNTRIES)) for _ in range(200)
    ]
    table(path, "session_id\tclient_ip\tproduct\tcountry", rows, "\t")


@file("wide.csv")
def wide(path: Path, r: random.Random) -> None:
    rows = [
        (
            r.choice("fm"),
            r.choice(["18-29", "30-44", "45-59", "60+"]),
            "|".join(some(r, SYMPTOMS, 3)),
            r.choice(["rarely", "often", "never", "sometimes"]),
        )
        for _ in range(100)
    ]
    table(path, "g,agegroup,reported,how often", rows)


HELD_OUT = {
    "library.csv": Expected(
        {"Borrower No.": IDENTIFIER, "subject_heading": masked("set", "wordnet")},
        person="Borrower No.",
        asks=asks("rows", "role:loaned_on"),
    ),
    "club.tsv": Expected(
        {
            "member_no": IDENTIFIER,
            "member name": IDENTIFIER,
            "title": masked("nominal"),
            "sports": masked("set", "wordnet", separator="/"),
            "year of birth": masked("number"),
        },
        person="member_no",
    ),
    "french.csv": Expected(
        {
            "numéro de sécurité sociale": IDENTIFIER,
            "sexe": masked("nominal", "sex"),
            "date de naissance": masked("date", format="%d/%m/%Y"),
            "fumeur": masked("nominal", "yes-no"),
        },
        person="numéro de sécurité sociale",
        asks=asks("role:salaire"),
    ),
    "forum.jsonl": Expected(
        {"screen_name": IDENTIFIER, "topics": masked("set", "wordnet")},
        person="screen_name",
        asks=asks("rows", "role:likes"),
    ),
    "trial.csv": Expected(
        {
            "participant": IDENTIFIER,
            "arm": masked("nominal"),
            "sex": masked("nominal", "sex"),
            "age": masked("number"),
            "meds": masked("set", "wordnet", **{"from": ["med_1", "med_2", "med_3"]}),
        },
        person="participant",
        asks=asks("role:outcome"),
        missing=(".",),
    ),
    "clinic.csv": Expected(
        {
            "Patient Name": IDENTIFIER,
            "Age": masked("number"),
            "hxs": masked("set", "wordnet", marks=["Yes"], **{"from": [f"hx.{name}" for name in ILLNESSES]}),
        },
        person="Patient Name",
        asks=asks("rows"),
    ),
    "pharmacy.csv": Expected(
        {"contact": IDENTIFIER, "medicine": masked("set", "wordnet")},
        person="contact",
        asks=asks("rows", "role:boxes"),
    ),
    "evaluation.csv": Expected(
        {
            "course": masked("nominal", "wordnet"),
            **{f"Q{i}": masked("nominal", "likert") for i in range(1, 5)},
            "remarks": masked("text", "wordnet"),
        },
        missing=("n/a",),
    ),
    "webshop.tsv": Expected(
        {
            "session_id": IDENTIFIER,
            "client_ip": IDENTIFIER,
            "product": masked("set", "wordnet"),
            "country": masked("set", "countries"),
        },
        person="session_id",
        asks=asks("person", "rows"),
    ),
    "wide.csv": Expected(
        {
            "g": masked("nominal", "sex"),
            "agegroup": masked("nominal", "scale: 18-29 < 30-44 < 45-59 < 60+"),
            "reported": masked("set", "wordnet", separator="|"),
            "how often": masked("nominal", "frequency"),
        },
    ),
}
