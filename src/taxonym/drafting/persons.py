"""Whose rows these are: the columns of ids in a table, which of them counts persons, and when that has to be asked.

A header that names persons decides (user_id, Kundennummer, MRN), of several that with the fewest values, since whoever
is counted more coarsely is protected more. An id of one row each counts rows, and changes nothing. Where ids repeat
under a header that does not say whose they are, only the owner of the file knows, so nothing is published before that.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taxonym.drafting.plan_draft import PERSON, ROWS, Answer, PersonCandidate, Question
from taxonym.records.headers import Whose, is_id
from taxonym.records.ids import IdColumn

if TYPE_CHECKING:
    import polars as pl

_SAYS = {
    Whose.PERSON: "the header names persons",
    Whose.PROXY: "one person mostly has it alone",
    Whose.UNCLEAR: "the header does not say whose it is",
    Whose.DEED: "the header names what one person does",
    Whose.THING: "the header names things",
}


@dataclass(frozen=True, slots=True)
class WhosePersons:
    """The column that says whose rows these are, if one does; whether that is sure, and which others might."""

    person: IdColumn | None
    sure: bool
    candidates: Sequence[IdColumn]

    @property
    def repeats(self) -> bool:
        return self.person is not None and self.person.repeats

    @property
    def careful(self) -> list[str]:
        """The columns by which values have to be shared: the person's or, while that is open, all that repeat."""
        if self.person is not None:
            return [self.person.name]
        return [one.name for one in self.candidates if one.repeats]

    def listed(self) -> list[PersonCandidate]:
        return [PersonCandidate(one.name, one.distinct, one.rows, one.form, _SAYS[one.says]) for one in self.candidates]

    def note(self) -> str:
        if self.person is not None:
            one, many = self.person, self.person.rows / self.person.distinct
            return (
                f"Column {one.name!r} says whose row it is ({many:.1f} rows per value): it is removed, and k counts "
                f"its values."
            )
        if repeated := [one for one in self.candidates if one.repeats]:
            one = repeated[0]
            return (
                f"Column {one.name!r} holds {one.form} that repeat ({one.distinct:,} in {one.rows:,} rows): say whose "
                f"rows these are before anything is published."
            )
        return "No column says whose row it is: every row counts as a person."


def whose_rows(frame: "pl.DataFrame", found: Sequence[IdColumn]) -> WhosePersons:
    """Choose among columns of ids, the surest first."""
    named = [one for one in found if not one.generic]
    named = [one for one in named if not one.is_name] or named  # persons may share a name
    repeated = [one for one in found if one.repeats]
    if named:
        best = next((one for one in named if one.repeats and one.says == named[0].says), named[0])
        if not best.repeats and any(one.repeats for one in named):
            best = next(one for one in named if one.repeats)
        rivals = [one for one in repeated if one is not best and not one.is_name and not _same(frame, best, one)]
        surer = any(one.says < best.says and not one.is_name for one in named)  # an answer has an id, browsers repeat
        return WhosePersons(best, not rivals and not surer, found)
    alone = [one for one in found if not one.repeats and one.says == Whose.UNCLEAR and is_id(one.name)]
    if alone and not repeated:
        return WhosePersons(alone[0], True, found)
    return WhosePersons(None, not repeated, found)


def _same(frame: "pl.DataFrame", a: IdColumn, b: IdColumn) -> bool:
    """Whether two columns tell the same persons apart, or b is finer: then a is the safe one, whoever is meant."""
    import polars as pl

    both = pl.DataFrame([frame[a.name].alias("a"), frame[b.name].alias("b")]).n_unique()
    return both == b.distinct == a.distinct


Changes = Callable[[str | None], dict[str, Any]]  # what else changes in a plan that counts the values of a column


def person_questions(found: WhosePersons, changes: Changes) -> list[Question]:
    """Whose rows these are, and what becomes of several rows of a person."""
    asked = []
    if not found.sure:
        person = found.person
        repeated = [one for one in found.candidates if one.repeats or (person and one.says < person.says)]
        best = repeated[0] if person is None else person
        order = [best, *(one for one in repeated if one is not best)]
        answers = [
            Answer(
                f"{one.name}: {one.distinct:,} persons with {one.rows:,} rows ({_SAYS[one.says]})",
                {"input": {"person": one.name}} | _columns(changes(one.name)),
            )
            for one in order
        ]
        none = Answer("every row is another person", {"input": {"person": False}} | _columns(changes(None)))
        text = f"Whose rows are these? {'Column' if len(order) == 1 else 'Columns'} "
        text += ", ".join(f"{one.name!r} ({one.distinct:,} values)" for one in order)
        text += " may say so." if found.person is None else f" may; {best.name!r} is taken."
        asked.append(Question(PERSON, text, (*answers, none), stops=found.person is None))
    if found.repeats and found.person is not None:
        one = found.person
        asked.append(
            Question(
                ROWS,
                f"{one.distinct:,} persons have {one.rows:,} rows. Shall a person be one row of the release?",
                (
                    Answer("yes: what the rows of a person say is united", {"input": {"person_rows": "unite"}}),
                    Answer(
                        "no: rows stay apart, and their number may be cut",
                        {"input": {"person_rows": "keep"}} | _columns(changes(None)),
                    ),
                ),
            )
        )
    return asked


def _columns(changed: dict[str, Any]) -> dict[str, Any]:
    return {"columns": changed} if changed else {}
