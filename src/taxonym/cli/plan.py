"""taxonym plan INPUT"""

import argparse
from pathlib import Path

from taxonym.cli.shared import dialect_of, draft_of, show_json
from taxonym.io.atomic import whole_file
from taxonym.plan import Plan


def run(options: argparse.Namespace) -> int:
    draft = draft_of(options.input, options.taxonomy, dialect_of(options))
    if options.piped_in:
        del draft.plan["input"]["path"]  # there will be no such file
    plan, notes = Plan.from_dict(draft.plan, where=options.input), draft.notes
    if options.json:
        shown = {"plan": plan.to_dict(), "notes": notes, "person": plan.input.person, "columns": draft.described()}
        return show_json(shown)
    text = "".join(f"# {note}\n" for note in notes) + "\n" + plan.to_toml() + "\n[method]\nk = 5\n"
    if options.output:
        with whole_file(Path(options.output)) as file:
            file.write(text.encode())
        print(f"Written: {options.output}. Look at it, then: taxonym anonymize {options.input} -o OUT "
              f"--plan {options.output}")  # fmt: skip
    else:
        print(text, end="")
    return 0
