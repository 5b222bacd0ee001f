"""taxonym plan INPUT"""

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from taxonym.cli.shared import dialect_of, draft_of, show_json
from taxonym.io.atomic import whole_file

if TYPE_CHECKING:
    from taxonym.drafting import PlanDraft, Question


def run(options: argparse.Namespace) -> int:
    from taxonym.drafting.written_plan import written_plan

    draft = draft_of(options.input, options.taxonomy, options.k, dialect_of(options))
    if options.piped_in:
        draft.plan["input"].pop("path", None)  # there will be no such file
    draft = draft.safely() if options.yes else _asked(draft) if options.ask else draft
    text = written_plan(draft)
    if options.output:
        with whole_file(Path(options.output)) as file:
            file.write(text.encode())
    if options.json:
        return show_json(draft.as_data())
    if not options.output:
        print(text, end="")
        return 0
    print(f"Written: {options.output}. {_next(draft, options)}")
    return 0


def _next(draft: "PlanDraft", options: argparse.Namespace) -> str:
    """What to do with a plan that was written."""
    command = f"taxonym anonymize {shlex.quote(options.input)} -o OUT --plan {shlex.quote(options.output)}"
    if draft.stopping:
        lines = " or ".join(answer.lines[0].removeprefix("input.") for answer in draft.stopping[0].answers)
        return f"Say in it whose rows these are, {lines} under [input] (--yes takes the first), then: {command}"
    few = len(draft.questions)
    unsure = f" ({few} question{'s' * (few > 1)} at its top; --ask asks {'them' if few > 1 else 'it'})" if few else ""
    return f"Look at it{unsure}, then: {command}"


def _asked(draft: "PlanDraft") -> "PlanDraft":
    """The draft with the answers that are given on the terminal; an empty line is the safe one."""
    while draft.questions:
        question = draft.questions[0]
        print(_shown(question), file=sys.stderr)
        draft = draft.answered(question.id, _choice(question))
    return draft


def _shown(question: "Question") -> str:
    lines = [question.text]
    for i, answer in enumerate(question.answers):
        lines.append(f"  {i + 1}. {answer.says}{' (safe)' if i == question.safe else ''}")
    return "\n".join(lines)


def _choice(question: "Question") -> int:
    while True:
        print(f"1 to {len(question.answers)} [{question.safe + 1}]: ", end="", file=sys.stderr, flush=True)
        given = sys.stdin.readline()
        if not given.strip():
            return question.safe
        if given.strip().isdigit() and 1 <= int(given) <= len(question.answers):
            return int(given) - 1
        print("That is none of the answers.", file=sys.stderr)
