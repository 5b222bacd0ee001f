"""A plan drafted from a look at a file: what each column seems to be, and why.

Its shape is recognised first (`file_shapes`), then columns that make up one set (`column_groups`) and whose rows these
are (`persons`). Columns that hold codes, answers, places, ages or dates are recognised (`column_kinds`) before words
that a taxonomy knows (`words`). Identifiers are named as such; everything else is left out, and the notes say what it
looks like. What only the owner can tell becomes a question (`plan_draft`). Nothing shows a value that fewer than k
persons share.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxonym.drafting.column_groups import column_groups
from taxonym.drafting.column_kinds import recognise
from taxonym.drafting.encodings import NOT_UTF_8, western_encoding
from taxonym.drafting.examples import examples_of, shared_terms, terms_of
from taxonym.drafting.file_shapes import query_log, shape_of_path
from taxonym.drafting.missing import is_mark, missing_marks, missing_numbers
from taxonym.drafting.persons import person_questions, whose_rows
from taxonym.drafting.plan_draft import Answer, ColumnDraft, PersonCandidate, PlanDraft, Question
from taxonym.drafting.roles import KEEP, ColumnLook, as_set, is_plain, proposal, role_question, with_parts
from taxonym.drafting.sample import ColumnSample
from taxonym.drafting.words import ENOUGH, BestWords, KnownWords
from taxonym.errors import BadInput
from taxonym.io.delimited import Dialect
from taxonym.io.frames import as_polars
from taxonym.knowledge.hierarchies import SCALE, scale_of
from taxonym.records.column import Column
from taxonym.records.gathered import gathered
from taxonym.records.headers import is_id
from taxonym.records.ids import IdColumn, id_columns

if TYPE_CHECKING:
    import polars as pl

_ROWS = 20_000  # that are looked at cell by cell, spread over the file
_HALF = 0.5  # of the cells of a column that says whose rows these are may be missing; a run asks for them

__all__ = ["Answer", "ColumnDraft", "PersonCandidate", "PlanDraft", "Question", "draft_plan"]


def draft_plan(
    source: Any, taxonomies: Sequence[str] = ("wordnet",), dialect: Dialect | None = None, k: int = 5
) -> PlanDraft:
    """Look at a file, a folder or a table and propose roles, kinds, separators, taxonomies, missing marks, and whose
    privacy counts; k is the number of persons who must share what a draft shows.

    Memory: what read() needs, the taxonomies, and a thousand cells of one column.
    """
    of_path = isinstance(source, str | Path)
    where = str(source) if of_path else "the table"
    if of_path and (found := shape_of_path(Path(source), k)) is not None:
        return found
    try:
        frame = as_polars(source, dialect)
    except BadInput:
        encoding = western_encoding(Path(source)) if of_path and not (dialect and dialect.encoding) else None
        if encoding is None:
            raise
        dialect, note = replace(dialect or Dialect(), encoding=encoding), NOT_UTF_8
        frame = as_polars(source, dialect)
    else:
        note = ""
    made = query_log(where, frame, k, dialect)
    if made is None:
        made = _TableDraft(frame, [KnownWords(one) for one in taxonomies], k).draft(where, of_path, dialect)
    return replace(made, notes=[*made.notes, note]) if note else made


class _TableDraft:
    """A table while its plan is drafted."""

    def __init__(self, frame: "pl.DataFrame", known: list[KnownWords], k: int) -> None:
        self.known, self.k, self.frame = known, k, frame
        self.some = frame.gather_every(max(1, -(-frame.height // _ROWS)))
        self.marks, self.more_notes = missing_marks(frame, _numbers_but_for_marks(frame))
        self.marks = [*self.marks, *missing_numbers(frame, self.marks, k)]
        self.some, self.looks = self._looks(self.some)
        self.whose = whose_rows(self.frame, self._ids())
        self._persons = self._ways_to_count()

    def _looks(self, some: "pl.DataFrame") -> "tuple[pl.DataFrame, dict[str, ColumnLook]]":
        """Every column, those that make up one set as one; some rows tell which."""
        groups = {group.columns[0]: group for group in column_groups(some, self.marks)}
        used = {name for group in groups.values() for name in group.columns}
        sets = {
            g.name: Column(name=g.name, role="quasi-identifier", kind="set", from_=g.columns, marks=g.marks)
            for g in groups.values()
        }
        some = gathered(some, sets, "the table", self.marks)
        made: dict[str, ColumnLook] = {}
        for name in self.frame.columns:
            if (group := groups.get(name)) is not None:
                made[group.name] = ColumnLook.of(ColumnSample.of(some[group.name], self.marks), group)
            elif name not in used:
                made[name] = ColumnLook.of(ColumnSample.of(self.frame[name], self.marks))
        return some, made

    def _ids(self) -> list[IdColumn]:
        """Columns of ids that are not known to be something else, and no words."""
        found = []
        for one in id_columns(self.frame, self.marks):
            look = self.looks.get(one.name)
            if look is None or look.is_something or look.sample.missing > _HALF:
                continue
            # numbers are labels of many taxonomies ("7" of WordNet), so there the header decides
            numbered = one.form == "numbers" and (not one.generic or is_id(one.name))
            if numbered or max((words.labels(look.sample.cells) for words in self.known), default=0) < ENOUGH:
                found.append(one)
        return found

    def _ways_to_count(self) -> list[list[Any]]:
        """Whose every row is, by every column that may say so."""
        names = self.whose.careful
        return [self.some[name].to_list() for name in names] or [list(range(self.some.height))]

    # ------------------------------------------------------------------ the draft

    def draft(self, where: str, of_path: bool, dialect: Dialect | None) -> PlanDraft:
        person = self.whose.person.name if self.whose.person is not None else None
        ids = {one.name: one for one in self.whose.candidates}
        drafts, questions = list[ColumnDraft](), list[Question]()
        for name, look in self.looks.items():
            if name == person:
                drafts.append(ColumnDraft(name, "identifier", self.whose.note()))
                continue
            made, words = proposal(look, self.known, ids.get(name))
            made = self._shown(made, words)
            if self.whose.repeats and made.role == "quasi-identifier" and self._varies(made, person):
                made = as_set(made, look.sample)
            drafts.append(made)
        self._check(where, drafts)
        masked = [one.name for one in drafts if one.role == "quasi-identifier"]
        for one in drafts:
            if [one.name] != masked and (question := role_question(one, self.looks[one.name].sample)) is not None:
                questions.append(question)
        columns = {
            one.name: {"role": one.role, **one.settings} for one in drafts if one.role not in (None, "identifier")
        }
        columns = {one.name: {"role": "identifier"} for one in drafts if one.role == "identifier"} | columns
        columns = {one.name: columns[one.name] for one in drafts if one.name in columns}
        given = {"path": where if of_path else None, "person": person, "missing": self.marks}
        given |= (dialect or Dialect()).settings
        tables = {"input": {key: v for key, v in given.items() if v not in (None, (), [])}, "columns": columns}
        questions = person_questions(self.whose, lambda name: self._changes(drafts, name)) + questions
        return PlanDraft(tables, self._notes(drafts, person), drafts, "table", self.whose.listed(), questions, self.k)

    def _varies(self, draft: ColumnDraft, person: str | None) -> bool:
        """Whether persons have several values in a column of single words."""
        import polars as pl

        if draft.kind != "nominal" or person is None:
            return False
        pairs = pl.DataFrame([self.frame[person].alias("who"), self.frame[draft.name].alias("what")]).drop_nulls()
        return pairs.n_unique() > pairs["who"].n_unique()

    def _changes(self, drafts: Sequence[ColumnDraft], person: str | None) -> dict[str, Any]:
        """What else changes if k counts the values of another column, or rows: sets of single words."""
        changed: dict[str, Any] = {}
        for one in drafts:
            if one.role != "quasi-identifier" or one.kind not in ("nominal", "set") or one.name not in self.looks:
                continue
            single = one.kind == "nominal" or "one row per item" in one.why
            plain = replace(one, settings=one.settings | {"kind": "nominal"})
            kind = "set" if single and self._varies(plain, person) else "nominal"
            if single and kind != one.kind:
                changed[one.name] = {"kind": kind}
        return changed

    def _shown(self, draft: ColumnDraft, words: BestWords | None) -> ColumnDraft:
        """The draft with examples, and with no value in it that fewer than k persons share."""
        if draft.role != "quasi-identifier" or draft.kind not in ("nominal", "set"):
            return draft
        terms = terms_of(self.some[draft.name], with_parts(draft), self.marks)
        shared = shared_terms(terms, self._persons, self.k)
        taxonomy = draft.settings.get("taxonomy")
        if isinstance(taxonomy, str) and taxonomy.startswith(SCALE):
            return _with_shared_scale(draft, taxonomy, set(shared))
        if taxonomy is None:
            return draft
        finder = words.by.finder if words is not None else KnownWords(taxonomy).finder
        return replace(draft, examples=examples_of(finder, draft.settings.get("category"), shared, terms))

    def _notes(self, drafts: Sequence[ColumnDraft], person: str | None) -> list[str]:
        notes = [self.whose.note(), *(one.why for one in drafts if one.name != person)]
        notes += [warning for one in drafts for warning in one.warnings]
        if self.marks:
            said = ", ".join(f'"{mark}"' for mark in self.marks)
            notes.append(f"Cells that are {said} are taken for missing, in every column.")
        return notes + self.more_notes

    def _check(self, where: str, drafts: Sequence[ColumnDraft]) -> None:
        """Refuse a file of which nothing could be published."""
        if any(one.role not in (None, "identifier") for one in drafts):
            return
        removed = [one for one in drafts if one.role == "identifier" and one.name not in self.whose.careful]
        if removed and len(removed) == len([one for one in drafts if one.name not in self.whose.careful]):
            raise BadInput(f"{where}: no column can be masked. {removed[0].why} Write a plan that says otherwise.")
        best = max((one for one in drafts if one.role is None), key=lambda one: one.coverage or 0.0, default=None)
        found = 0.0 if best is None else best.coverage or 0.0
        if best is not None and found >= ENOUGH:
            raise BadInput(f"{where}: no column can be masked. {best.why} Write a plan that says otherwise.")
        named = " or ".join(one.source for one in self.known)
        raise BadInput(
            f"{where}: no column can be masked: of the best, {found:.0%} is known to {named}. "
            f"Name a taxonomy that has its words."
        )


def _with_shared_scale(draft: ColumnDraft, taxonomy: str, shared: set[str]) -> ColumnDraft:
    """A scale lists its values, so only those that k persons share; others stand for themselves."""
    values = taxonomy.removeprefix(SCALE).strip().split(" < ")
    kept = [value for value in values if value in shared]
    if len(kept) == len(values):
        return draft
    settings = {key: value for key, value in draft.settings.items() if key != "taxonomy"} | {"on_unknown": KEEP}
    if len(kept) < 2:
        settings.pop("on_unknown")
        return replace(draft, settings=settings)
    return replace(draft, settings=settings | {"taxonomy": scale_of(kept)})


def _numbers_but_for_marks(frame: "pl.DataFrame") -> list[str]:
    """Columns of numbers or dates, if cells that may be marks are left out."""
    found = []
    for series in frame:
        sample = ColumnSample.of(series)
        marked = not sample.lists and any(map(is_mark, sample.values))
        if marked and is_plain(recognise(sample.without(is_mark))):
            found.append(series.name)
    return found
