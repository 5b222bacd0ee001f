"""Small files as people have them, each made by a function under its name; what they hold is invented."""

import json
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

FILES: dict[str, Callable[[Path, random.Random], object]] = {}

HOBBIES = ["reading", "hiking", "swimming", "chess", "gardening", "cooking", "photography", "dancing", "painting"]
TOOLS = ["HTML/CSS", "Python", "SQL", "C/C++", "JavaScript", "Bash/Shell", "Rust"]
PETS = ["dog", "cat", "rabbit", "hamster", "parrot", "goldfish", "turtle", "horse"]
GOODS = ["bread", "milk", "cheese", "apples", "rice", "coffee", "tea", "chicken", "butter", "yogurt", "beer", "sugar"]
SYMPTOMS = ["headache", "fever", "nausea", "dizziness", "fatigue", "rash", "chills", "vomiting", "cough", "insomnia"]
ILLNESSES = ["asthma", "diabetes", "migraine", "pneumonia", "influenza", "arthritis", "bronchitis", "hypertension"]
JOBS = ["nurse", "teacher", "carpenter", "lawyer", "electrician", "farmer", "engineer", "baker", "plumber", "librarian"]
STATES = ["CA", "TX", "NY", "FL", "IL", "OH", "GA", "WA", "MA", "OR"]
COUNTRIES = ["Germany", "Spain", "France", "Italy", "Poland", "Sweden"]
AGREE = ["Strongly agree", "Agree", "Neither agree nor disagree", "Disagree", "Strongly disagree"]
ICD = ["E11.9", "I10", "J45.909", "M54.5", "K21.9", "F32.9", "N39.0", "J18.9", "E78.5", "G43.909"]
FIRST = ["James", "Mary", "Robert", "Patricia", "John", "Jennifer", "Michael", "Linda", "David", "Elizabeth", "Susan"]
LAST = ["Smith", "Johnson", "Williams", "Brown", "Jones", "Garcia", "Miller", "Davis", "Wilson", "Anderson", "Taylor"]
SEARCHES = [
    "cheap flights to madrid",
    "knee pain treatment",
    "used cars",
    "weather boston",
    "chocolate cake recipe",
    "football scores",
    "divorce lawyer",
    "guitar lessons",
    "dog food",
    "wedding dresses",
    "tax forms",
    "back pain",
]


def file(name: str) -> Callable[[Callable[[Path, random.Random], object]], None]:
    def known(make: Callable[[Path, random.Random], object]) -> None:
        FILES[name] = make

    return known


def made(name: str, folder: Path) -> Path:
    """The file of that name, in a folder; always the same."""
    path = folder / name
    FILES[name](path, random.Random(name))
    return path


def table(path: Path, header: str, rows: Iterable[Sequence[object]], delimiter: str = ",") -> None:
    """Cells are quoted where they have to be."""

    def cell(value: object) -> str:
        text = "" if value is None else str(value)
        return '"' + text.replace('"', '""') + '"' if any(c in text for c in (delimiter, '"', "\n")) else text

    lines = [header, *(delimiter.join(map(cell, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def some(r: random.Random, pool: Sequence[str], most: int = 4) -> list[str]:
    return r.sample(pool, r.randint(1, most))


def luhn(r: random.Random) -> str:
    """A number of sixteen digits whose last one is the check digit of payment cards."""
    digits = [4] + [r.randrange(10) for _ in range(14)]
    total = sum(d if i % 2 else (2 * d - 9 if 2 * d > 9 else 2 * d) for i, d in enumerate(digits))
    return "".join(map(str, [*digits, -total % 10]))


def person(r: random.Random) -> tuple[str, str, str, str]:
    first, last = r.choice(FIRST), r.choice(LAST)
    mail = f"{first}.{last}{r.randrange(100)}@example.com".lower()
    return first, last, mail, f"+1 ({r.randint(201, 989)}) 555-{r.randint(1000, 9999)}"


# ---------------------------------------------------------------------- one row per person


@file("survey.csv")
def survey(path: Path, r: random.Random) -> None:
    header = "ResponseId,Age,Gender,Country,Hobbies,LanguageHaveWorkedWith,Q7,Salary,Comments"
    said = ["I like it", "Too long, but fine; thanks", "No comment on this one, really", "Write me at {}, please"]
    rows = [
        (
            f"R_{r.getrandbits(48):012x}",
            r.choice(["NA", *range(19, 70)]),
            r.choice(["Male", "Female", "Male", "Female", "Prefer not to say"]),
            r.choice(COUNTRIES),
            ";".join(some(r, HOBBIES)),
            ";".join(some(r, TOOLS)),
            r.choice(AGREE),
            r.choice(["NA", *range(21_000, 99_000, 500)]),
            r.choice(said).format(person(r)[2]),
        )
        for _ in range(90)
    ]
    table(path, header, rows)


@file("people.csv")
def people(path: Path, r: random.Random) -> None:
    rows = [
        (
            r.choice(["?", *range(18, 80)]),
            r.choice("MF"),
            r.choice(STATES),
            r.choice(AGREE),
            r.choice(["Y", "N"]),
            r.choice(["-", *range(12_000, 90_000, 250)]),
            r.choice(JOBS),
            r.choice(["18-24", "25-34", "35-49", "50+"]),
        )
        for _ in range(90)
    ]
    table(path, "age,sex,state,opinion,smoker,income,occupation,bracket", rows)


@file("staff.csv")
def staff(path: Path, r: random.Random) -> None:
    rows = []
    for i in range(80):
        first, last, mail, phone = person(r)
        rows.append(
            (
                f"E{1000 + i}",
                first,
                last,
                mail,
                phone,
                r.choice(["Sales", "IT", "HR", "Finance"]),
                r.choice(JOBS),
                r.randrange(30_000, 120_000, 500),
                f"{r.randint(2005, 2024)}-{r.randint(1, 12):02}-{r.randint(1, 28):02}",
            )
        )
    table(path, "employee_id,Given,Family,Contact,Reachable at,Department,Position,salary,hired", rows)


@file("german.csv")
def german(path: Path, r: random.Random) -> None:
    rows = [
        (
            100_000 + i,
            r.choice(["männlich", "weiblich", "divers"]),
            f"{r.randint(1, 28):02}.{r.randint(1, 12):02}.{r.randint(1940, 2004)}",
            f"{r.randint(0, 99999):05}",
            r.choice(["ledig", "verheiratet", "geschieden", "verwitwet"]),
            ", ".join(some(r, GOODS)),
            f"{r.randint(5, 300)},{r.randint(0, 99):02}",
        )
        for i in range(80)
    ]
    table(path, "Kundennummer;Geschlecht;Geburtsdatum;PLZ;Familienstand;Einkäufe;Umsatz", rows, ";")


@file("spanish.csv")
def spanish(path: Path, r: random.Random) -> None:
    illnesses = ["asma", "diabetes", "migraña", "neumonía", "gripe", "artritis"]
    rows = [
        (
            f"P{i // 2:04}",
            r.choice(["hombre", "mujer"]),
            f"{r.randint(1, 28):02}/{r.randint(1, 12):02}/{r.randint(1940, 2004)}",
            r.choice(["España", "Francia", "Portugal"]),
            r.choice(illnesses),
        )
        for i in range(120)
    ]
    table(path, "paciente,sexo,fecha_nacimiento,país,enfermedad", rows)


@file("vaers.csv")
def vaers(path: Path, r: random.Random) -> None:
    rows = []
    for i in range(90):
        said = some(r, SYMPTOMS, 5)
        rows.append(
            (
                900_000 + i,
                r.choice(STATES),
                r.choice([*range(18, 90), ""]),
                r.choice("MF"),
                *said,
                *[""] * (5 - len(said)),
            )
        )
    table(path, "VAERS_ID,STATE,AGE_YRS,SEX," + ",".join(f"SYMPTOM{i}" for i in range(1, 6)), rows)


@file("onehot.csv")
def onehot(path: Path, r: random.Random) -> None:
    rows = [(f"{i:03}", r.choice("MF"), *(r.choice([0, 0, 1]) for _ in PETS), r.choice([0, 1])) for i in range(90)]
    table(path, "Respondent,sex," + ",".join(f"pet_{name}" for name in PETS) + ",smoker", rows)


@file("ticked.csv")
def ticked(path: Path, r: random.Random) -> None:
    """A form's export: a column for each choice, which holds the choice or nothing."""
    rows = [(r.choice(["m", "f"]), *(h if r.random() < 0.3 else "" for h in HOBBIES)) for _ in range(90)]
    table(path, "gender," + ",".join(f"Q3_{i}" for i in range(1, len(HOBBIES) + 1)), rows)


@file("recipes.jsonl")
def recipes(path: Path, r: random.Random) -> None:
    lines = [
        {"id": i, "cuisine": r.choice(["italian", "greek", "indian", "thai"]), "ingredients": some(r, GOODS, 6)}
        for i in range(80)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))


@file("sentences.tsv")
def sentences(path: Path, r: random.Random) -> None:
    """Commas inside sentences, beside sets with semicolons."""
    rows = [
        (
            "; ".join(some(r, SYMPTOMS)),
            f"After {r.randint(2, 30)} days, and much {r.choice(SYMPTOMS)}, I saw a doctor, who helped",
        )
        for _ in range(80)
    ]
    table(path, "complaints\tstory", rows, "\t")


@file("payments.csv")
def payments(path: Path, r: random.Random) -> None:
    rows = [
        (
            luhn(r),
            f"{r.randint(100, 772)}-{r.randint(10, 99)}-{r.randint(1000, 9999)}",
            f"192.0.2.{r.randrange(256)}",
            f"https://shop{r.randrange(40)}.example/p/{r.randrange(999)}",
            r.choice(GOODS),
            r.randrange(1, 400),
        )
        for _ in range(80)
    ]
    table(path, "field1,field2,field3,field4,bought,amount", rows)


@file("dates.csv")
def dates(path: Path, r: random.Random) -> None:
    rows = []
    for _ in range(80):
        d, m, y = r.randint(1, 28), r.randint(1, 12), r.randint(1950, 2005)
        rows.append(
            (
                f"{d:02}.{m:02}.{y}",
                f"{m}/{d}/{y}",
                f"{y}-{m:02}-{d:02}T08:00:00",
                r.choice(["NA", f"{y}"]),
                r.choice(PETS),
            )
        )
    table(path, "dob,seen,entered,year_of_birth,pet", rows)


# ---------------------------------------------------------------------- several rows per person


@file("hospital.csv")
def hospital(path: Path, r: random.Random) -> None:
    rows = []
    for _ in range(150):
        who = r.randrange(60)
        rows.append(
            (
                f"{40_000_000 + 7919 * who}",
                "MF"[who % 2],
                f"{1930 + who % 70}-{1 + who % 12:02}-{1 + who % 28:02}",
                f"2024-{r.randint(1, 12):02}-{r.randint(1, 28):02}",
                r.choice(ICD),
                r.choice(["positive", "negative"]),
            )
        )
    table(path, "MRN,Sex,DOB,Admitted,Diagnosis,HIV result", rows)


@file("claims.tsv")
def claims(path: Path, r: random.Random) -> None:
    rows = [
        (f"B{r.randrange(70):05}", "|".join(code.replace(".", "") for code in some(r, ICD)), r.choice(STATES))
        for _ in range(150)
    ]
    table(path, "bene_id\tdx\tstate", rows, "\t")


@file("tags.csv")
def tags(path: Path, r: random.Random) -> None:
    rows = [(f"u{who}", what) for who in range(60) for what in some(r, HOBBIES, 5)]
    r.shuffle(rows)
    table(path, "member,tag", rows)


@file("adverse.csv")
def adverse(path: Path, r: random.Random) -> None:
    rows = [
        (f"01-{who:03}", r.choice(SYMPTOMS).upper(), r.choice(["MILD", "MODERATE", "SEVERE"]))
        for who in range(60)
        for _ in range(r.randint(1, 4))
    ]
    table(path, "SUBJID,AETERM,AESEV", rows)


@file("visits.csv")
def visits(path: Path, r: random.Random) -> None:
    cookies = [f"{r.getrandbits(128):032x}" for _ in range(50)]
    rows = [
        (r.choice(cookies), f"2024-05-{r.randint(1, 28):02} 10:{r.randint(0, 59):02}:00", r.choice(GOODS))
        for _ in range(200)
    ]
    table(path, "cookie,ts,viewed", rows)


@file("nhs.csv")
def nhs(path: Path, r: random.Random) -> None:
    rows = [
        (f"{4_000_000_000 + 1_234_567 * who}", r.choice(ILLNESSES)) for who in range(60) for _ in range(r.randint(1, 4))
    ]
    table(path, "NHS number,condition", rows)


@file("tickets.csv")
def tickets(path: Path, r: random.Random) -> None:
    said = [
        "My printer is broken, call {}",
        "The invoice is wrong, write to {}",
        "I forgot my password",
        "The delivery is late",
    ]
    rows = [
        (
            i,
            f"{r.choice(FIRST).lower()}{r.randrange(8)}",
            r.choice(said).format(person(r)[r.choice([2, 3])]),
            r.choice(["low", "medium", "high"]),
        )
        for i in range(1, 161)
    ]
    table(path, "ticket,login,message,priority", rows)


@file("unknown.csv")
def unknown(path: Path, r: random.Random) -> None:
    """Ids that repeat under a header that tells nothing."""
    rows = [(f"KX-{70_000 + 37 * r.randrange(50)}", r.choice(PETS), r.choice(GOODS)) for _ in range(150)]
    table(path, "ref,pet,food", rows)


@file("orders.csv")
def orders(path: Path, r: random.Random) -> None:
    rows = [
        (536_365 + order, f"{r.randint(10_000, 99_999)}", what) for order in range(60) for what in some(r, GOODS, 5)
    ]
    table(path, "InvoiceNo,StockCode,Description", rows)


@file("two_ids.csv")
def two_ids(path: Path, r: random.Random) -> None:
    rows = [
        (f"c{who}", f"d{who}-{r.randrange(3)}", r.choice(PETS)) for who in range(40) for _ in range(r.randint(2, 6))
    ]
    table(path, "customer,device,pet", rows)


@file("baskets.parquet")
def baskets(path: Path, r: random.Random) -> None:
    import polars as pl

    pl.DataFrame(
        {"Kunde": [f"K{i:04}" for i in range(80)], "Artikel": [some(r, GOODS) for _ in range(80)]}
    ).write_parquet(path)


# ---------------------------------------------------------------------- logs and documents


@file("aol.tsv")
def aol(path: Path, r: random.Random) -> None:
    rows = []
    for _ in range(300):
        click = r.random() < 0.5
        rows.append(
            (
                1_000_000 + 331 * r.randrange(40),
                r.choice(SEARCHES),
                f"2006-03-{r.randint(1, 28):02} 0{r.randint(0, 9)}:11:12",
                r.randint(1, 9) if click else "",
                f"http://www.site{r.randrange(30)}.example" if click else "",
            )
        )
    table(path, "AnonID\tQuery\tQueryTime\tItemRank\tClickURL", rows, "\t")


@file("searches.csv")
def searches(path: Path, r: random.Random) -> None:
    rows = [(f"u{r.randrange(40)}", r.choice(SEARCHES), f"2024-03-{r.randint(1, 28):02} 09:11:12") for _ in range(200)]
    table(path, "uid,search_term,timestamp", rows)


@file("access.log")
def access(path: Path, r: random.Random) -> None:
    pages = ["/", "/news", "/sports/football", "/sports/tennis", "/contact"]
    path.write_text(
        "".join(
            f"192.0.2.{r.randrange(40)} - - [{r.randint(1, 28):02}/May/2024:10:{r.randint(0, 59):02}:00 +0000] "
            f'"GET {r.choice(pages)} HTTP/1.1" 200 {r.randrange(9000)} "-" "Mozilla/5.0 (X11; Linux) Firefox/115.0"\n'
            for _ in range(120)
        )
    )


@file("letters")
def letters(path: Path, r: random.Random) -> None:
    path.mkdir(exist_ok=True)
    for i in range(12):
        (path / f"letter{i:02}.txt").write_text(
            f"Dear doctor, my {r.choice(SYMPTOMS)} came back after {r.choice(GOODS)}.\n"
        )
