"""taxonym demo"""

import argparse
from pathlib import Path

from taxonym.cli.shared import show_json
from taxonym.cli.terminal import Bar
from taxonym.demo import tour


def run(options: argparse.Namespace) -> int:
    options.left = f"examples that were finished are in {options.out}. Nothing else was changed."
    steps = tour(Path(options.out), options.seed, Bar())
    if options.json:
        return show_json([step.data for step in steps])
    for step in steps:
        print(f"{step.title}\n{'-' * len(step.title)}\n{step.text}\n")
    return 0
