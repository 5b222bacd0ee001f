"""What a look at a file gives: a plan, why it is so, and what only the owner of the file can tell.

Nothing here prints or asks: commands and pages show these objects, and give back answers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from taxonym.plan.toml import key_of, to_toml

PERSON, ROWS = "person", "rows"  # questions; those about a column are role:NAME and format:NAME


@dataclass(frozen=True, slots=True)
class TaxonomyTrial:
    """One way to read the words of a column: the taxonomies, the share of its terms that they know, and how much these
    have to do with each other (None where that was not asked)."""

    taxonomy: tuple[str, ...]
    coverage: float
    coherence: float | None
    fits: bool


@dataclass(frozen=True, slots=True)
class ColumnDraft:
    """What was found out about a column. `role` is None where it is left out; `coverage` None where no taxonomy was
    asked. `settings` are those of the plan beside the role; `examples` are terms that at least k persons share, with
    what they are taken for; `warnings` say what is dangerous in it."""

    name: str
    role: str | None
    why: str
    recognised: str | None = None
    confidence: float | None = None
    coverage: float | None = None
    coherence: float | None = None
    missing: float = 0.0
    settings: dict[str, Any] = field(default_factory=dict)
    tried: tuple[TaxonomyTrial, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def kind(self) -> str | None:
        kind: str | None = self.settings.get("kind")
        return kind

    def under(self, said: Mapping[str, Any] | None) -> "ColumnDraft":
        """The same column with the settings of a plan, None if that leaves it out."""
        if said is None:
            return replace(self, role=None)
        settings = {key: value for key, value in said.items() if key != "role"}
        why = self.why
        if said["role"] != self.role:
            why = f"Column {self.name!r} is {said['role']}, as was answered."
        elif said.get("kind") != self.kind:
            why = self.why.replace(f"is masked as {self.kind}", f"is masked as {said.get('kind')}", 1)
        return replace(self, role=said["role"], settings=settings, why=why)

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        figures = {key: getattr(self, key) for key in ("confidence", "coverage", "coherence", "missing")}
        return {
            "role": self.role,
            **{key: self.settings.get(key) for key in ("kind", "separator", "taxonomy", "category", "from")},
            **{key: value if value is None else round(value, 4) for key, value in figures.items()},
            "recognised": self.recognised,
            "examples": [list(pair) for pair in self.examples],
            "warnings": list(self.warnings),
            "why": self.why,
            "tried": [
                {"taxonomy": list(one.taxonomy), "coverage": round(one.coverage, 4),
                 "coherence": None if one.coherence is None else round(one.coherence, 4), "fits": one.fits}
                for one in self.tried
            ],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class PersonCandidate:
    """A column that may say whose row it is, with its number of different values in so many rows."""

    column: str
    distinct: int
    rows: int
    form: str
    says: str

    def as_data(self) -> dict[str, Any]:
        return {key: getattr(self, key) for key in ("column", "distinct", "rows", "form", "says")}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer in a few words, and what it changes in the tables of the plan: None takes a key away."""

    says: str
    plan: Mapping[str, Any] = field(default_factory=dict)

    @property
    def toml(self) -> str:
        """The tables that say so in a plan."""
        return to_toml(_without_nothing(self.plan)).strip()

    @property
    def lines(self) -> list[str]:
        """The same, a line for each key: input.person = "AnonID"."""
        return _lines(_without_nothing(self.plan))


@dataclass(frozen=True, slots=True)
class Question:
    """What the file cannot tell. answers[safe] protects most; where it `stops`, nothing is published before it is
    answered, and else the draft is as if the safe answer had been given."""

    id: str
    text: str
    answers: tuple[Answer, ...]
    safe: int = 0
    column: str | None = None
    stops: bool = False

    def as_data(self) -> dict[str, Any]:
        answers = [{"says": one.says, "toml": one.toml, "plan": dict(one.plan)} for one in self.answers]
        return {"id": self.id, "column": self.column, "question": self.text, "answers": answers, "safe": self.safe,
                "stops": self.stops}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlanDraft:
    """`plan` has the tables of a plan file, as Plan.from_dict takes them; `notes` explains every proposal. `kind` is
    the shape of the data, and `candidates` are the columns that may say whose rows these are."""

    plan: dict[str, Any]
    notes: list[str]
    columns: list[ColumnDraft] = field(default_factory=list)
    kind: str = "table"
    candidates: list[PersonCandidate] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    k: int = 5

    @property
    def person(self) -> str | None:
        """The column that says whose row it is; None where rows count as persons, or that is still a question."""
        user = self.plan.get("querylog", {}).get("user")
        person = self.plan.get("input", {}).get("person")
        return user if isinstance(user, str) else person if isinstance(person, str) else None

    @property
    def warnings(self) -> list[str]:
        return [warning for column in self.columns for warning in column.warnings]

    @property
    def stopping(self) -> list[Question]:
        """The questions that have to be answered before anything is published."""
        return [question for question in self.questions if question.stops]

    def answered(self, id: str, answer: int) -> "PlanDraft":
        """The draft with an answer to a question, which is a question no longer."""
        question = next(question for question in self.questions if question.id == id)
        plan = patched(self.plan, question.answers[answer].plan)
        asked = [one for one in self.questions if one.id != id]
        said = plan.get("columns", {})
        columns = [column.under(said.get(column.name)) for column in self.columns]
        notes = [*self.notes]
        if id == PERSON:
            notes[0] = f"Whose rows these are was asked, and answered: {question.answers[answer].says}."
        return replace(self, plan=plan, questions=asked, columns=columns, notes=notes)

    def safely(self) -> "PlanDraft":
        """The draft with the safe answer to every question."""
        made = self
        for question in self.questions:
            made = made.answered(question.id, question.safe)
        return made

    def described(self) -> dict[str, dict[str, Any]]:
        """Every column with its settings, what it was taken for and how sure that is, for JSON."""
        return {column.name: column.as_data() for column in self.columns}

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "person": self.person,
            "candidates": [one.as_data() for one in self.candidates],
            "kind": self.kind,
            "columns": self.described(),
            "questions": [one.as_data() for one in self.questions],
            "plan": self.plan,
            "notes": self.notes,
            "warnings": self.warnings,
        }


def patched(tables: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Nested tables with changes; None takes a key away."""
    made = dict(tables)
    for key, value in changes.items():
        if value is None:
            made.pop(key, None)
        elif isinstance(value, Mapping):
            made[key] = patched(made.get(key, {}), value)
        else:
            made[key] = value
    return made


def _lines(tables: Mapping[str, Any], above: str = "") -> list[str]:
    made = list[str]()
    for key, value in tables.items():
        if isinstance(value, Mapping):
            made += _lines(value, f"{above}{key_of(key)}.")
        else:
            made.append(f"{above}{to_toml({key: value}).strip()}")
    return made


def _without_nothing(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Only what is said."""
    plain = {key: value for key, value in tables.items() if value is not None}
    return {key: _without_nothing(v) if isinstance(v, Mapping) else v for key, v in plain.items()}
