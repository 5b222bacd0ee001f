"""taxonym plan INPUT"""

import argparse
from pathlib import Path

from taxonym.cli.shared import drafted, show_json
from taxonym.io.atomic import whole_file


def run(options: argparse.Namespace) -> int:
    plan, notes = drafted(options.input, options.taxonomy)
    if options.json:
        return show_json({"plan": plan.to_dict(), "notes": notes})
    text = "".join(f"# {note}\n" for note in notes) + "\n" + plan.to_toml() + "\n[method]\nk = 5\n"
    if options.output:
        with whole_file(Path(options.output)) as file:
            file.write(text.encode())
        print(f"Written: {options.output}. Look at it, then: taxonym anonymize {options.input} -o OUT "
              f"--plan {options.output}")  # fmt: skip
    else:
        print(text, end="")
    return 0
