"""taxonym reproduce [PAPER]"""

import argparse
from collections import Counter
from textwrap import wrap

from taxonym.cli.shared import show_json
from taxonym.cli.terminal import Bar
from taxonym.papers.items import VERDICTS, Item
from taxonym.papers.registry import Paper, papers_named

_WIDTH = 110


def run(options: argparse.Namespace) -> int:
    papers = papers_named(options.paper)
    found: dict[str, list[Item]] = {}
    for paper, bar in ((paper, Bar()) for paper in papers):
        bar.start(f"{paper.number} {paper.key}")
        found[paper.number] = paper.reproduce()
        bar.finish()
    if options.json:
        return show_json(
            [
                {"paper": p.number, "key": p.key, "title": p.title, "items": [i.as_data() for i in found[p.number]]}
                for p in papers
            ]
        )
    for paper in papers:
        print("\n".join(_lines(paper, found[paper.number])))
    for name, about in VERDICTS.items():
        print(f"{name:<11} {about}")
    return 0


def _lines(paper: Paper, items: list[Item]) -> list[str]:
    counts = Counter(item.verdict for item in items)
    said = ", ".join(f"{counts[name]} {name}" for name in VERDICTS if counts[name])
    lines = [f"{paper.number}  {paper.title} [{paper.key}]", f"     {len(items)} items: {said}", ""]
    for item in items:
        told = item.as_data()
        lines.append(f"  {told['verdict']:<10} {item.item}")
        for name in ("printed", "ours", "reading"):
            first, *more = wrap(told[name], _WIDTH - 23) or [""]
            lines += [f"{'':13}{name:<8}  {first}", *(f"{'':23}{line}" for line in more)]
    return [*lines, ""]
