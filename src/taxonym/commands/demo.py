"""taxonym demo"""

import argparse
from pathlib import Path

from taxonym.commands.shared import show_json
from taxonym.demo import tour
from taxonym.terminal import Bar


def run(options: argparse.Namespace) -> int:
    steps = tour(Path(options.out), options.seed, Bar())
    if options.json:
        return show_json([step.data for step in steps])
    for step in steps:
        print(f"{step.title}\n{'-' * len(step.title)}\n{step.text}\n")
    return 0
