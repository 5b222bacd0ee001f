"""A drafted plan as a file that explains itself: what each table is for above it, and what is still open at the top."""

import re
from textwrap import wrap

from taxonym.drafting.file_shapes import NAMES
from taxonym.drafting.plan_draft import PERSON, ColumnDraft, PlanDraft, Question
from taxonym.plan import Plan
from taxonym.plan.toml import to_toml

_WIDTH = 116


def written_plan(draft: PlanDraft) -> str:
    """The text of a plan file."""
    tables = Plan.from_dict(draft.plan).to_dict()
    whose = next((one for one in draft.questions if one.id == PERSON and one.stops), None)
    parts = [_head(draft)]
    above = draft.notes[:1] if draft.kind == "table" else draft.notes
    parts.append("".join(map(_comment, above)) + to_toml({"input": tables.get("input", {})}) + _open(whose))
    for name, settings in tables.get("columns", {}).items():
        about = next((one for one in draft.columns if one.name == name), None)
        said = _about(about) if about is not None and name != draft.person else ""
        parts.append(said + to_toml({"columns": {name: settings}}))
    left = [one for one in draft.columns if one.name not in tables.get("columns", {})]
    if left and draft.kind == "table":
        parts.append("".join(map(_about, left)))
    rest = [note for note in draft.notes[1:] if not note.startswith("Column ")] if draft.kind == "table" else []
    parts += ["".join(map(_comment, rest))] if rest else []
    parts += [to_toml({name: table}) for name, table in tables.items() if name not in ("input", "columns", "method")]
    parts.append(to_toml({"method": tables.get("method", {}) | {"k": draft.k}}))
    return "\n".join(part.rstrip("\n") + "\n" for part in parts if part)


def _head(draft: PlanDraft) -> str:
    what = "a plan for a table" if draft.kind == "table" else f"a plan for {NAMES[draft.kind]}"
    text = _comment(f"This is {what}, drafted from a look at it. Read it: only you know what each column is for.")
    if not draft.questions:
        return text
    text += _comment(f"It is unsure of {len(draft.questions)} thing{'s' * (len(draft.questions) > 1)}:")
    for number, question in enumerate(draft.questions, 1):
        text += _question(number, question)
    return text


def _question(number: int, question: Question) -> str:
    lines = _comment(f"{number}. {question.text}", "#    ")
    for i, answer in enumerate(question.answers):
        mark = " (as it is now)" if i == question.safe and not question.stops else ""
        shown = "; ".join(answer.lines if i != question.safe or question.stops else ())
        lines += _comment(f"   - {answer.says}{mark}{f': {shown}' if shown else ''}", "#        ")
    return lines


def _open(question: Question | None) -> str:
    """The lines of which one has to be taken."""
    if question is None:
        return ""
    lines = []
    for answer in question.answers:
        person = answer.plan["input"]["person"]
        lines.append(f"# {to_toml({'person': person}).strip()}    # {answer.says}\n")
    return "# Nothing is published until one of these lines says whose rows these are:\n" + "".join(lines)


def _about(column: ColumnDraft) -> str:
    text = _comment(column.why) + "".join(_comment(f"Beware: {one}") for one in column.warnings)
    if column.examples:
        shown = "; ".join(f"{_plain(term)} = {_plain(concept)}" for term, concept in column.examples)
        text += _comment(f"For example: {shown}.")
    return text


def _comment(text: str, indent: str = "# ") -> str:
    lines = wrap(_plain(text), _WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
    return "".join(f"{'# ' if i == 0 else indent}{line}\n" for i, line in enumerate(lines))


def _plain(text: str) -> str:
    """Without what would end a comment or may not stand in one; blanks at its beginning stay."""
    return re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]", " ", text)
