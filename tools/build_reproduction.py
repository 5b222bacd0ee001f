"""Write docs/reproduction.md and its pictures again: what the papers print, beside what comes out here.

    python tools/build_reproduction.py

The same text each time; a test compares the page with what is computed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from taxonym.papers.batet2014.experiment import experiment
from taxonym.papers.batet2014.printed import SIZES
from taxonym.papers.imran_daud2022.figures import figures
from taxonym.papers.items import VERDICTS, Item
from taxonym.papers.registry import PAPERS
from taxonym.render.lines import charts

DOCS = Path(__file__).resolve().parents[1] / "docs"
FIGURES = {
    "000": (
        "reproduction-000.svg",
        "Table 1 on our data: √L / n for k = 2 to 5, with meaning and by equal strings",
        "Table 1 again, on the search log of 600 invented persons that ships with Taxonym (WordNet). The paper's data "
        "is not given; on public query logs the gap is larger (`bench/RESULTS.md`).",
    ),
    "001": (
        "reproduction-001.svg",
        "Figures 4 and 6 on our data: cohesion of every group, and what groups lose together",
        "Figures 4 and 6 again, on 1,500 queries of the search log that ships with Taxonym: groups of `adaptive-mdav`, "
        "k = 5, in the order they are formed. The first groups are the most cohesive and lose least, as in the paper; "
        "far fewer than three quarters have a cohesion below 0.45.",
    ),
    "002": (
        "martinez2012.svg",
        "Figures 4 to 6 on our data: disclosure risk and loss for k = 2 to 20",
        "Figures 4 to 6 again, on 975 answers of our making with the paper's shape. The table of the same is on the "
        "page about [generalisation](generalize.md).",
    ),
    "003": (
        "accesslog.svg",
        "Figures 3.1 to 3.5 on a public log: shares of browsers per click and per session over k",
        "Figures 3.1 to 3.5 again, on a public log of 9,999 lines (`bench/results/accesslog.md`). Figures 3.6 to 3.9 "
        "are on the page about [query logs](querylog.md), Figure 2.1 on that about [documents](documents.md).",
    ),
}
OPENING = """# What the papers print, and what comes out here

Taxonym rests on five papers. `taxonym reproduce` computes every worked example and table of them again and says how the
printed value has to be read so that ours comes out; this page is the same, written by `tools/build_reproduction.py`.

```console
$ taxonym reproduce 001
  exact      Equation 8 on Table 2(a)
             printed   0.5
             ours      0.5
$ taxonym reproduce 001 --json
        "verdict": "consistent"
```

| verdict | meaning |
|---|---|
{verdicts}

The papers' own data (query logs of AOL, ODP, a survey, news groups) is not given with them. Where an experiment is
repeated on other data, the reading says which, and only trends can be compared.
"""


def page(found: Mapping[str, Sequence[Item]]) -> str:
    """The page, from the items of every paper."""
    verdicts = "\n".join(f"| {name} | {about} |" for name, about in VERDICTS.items())
    parts = [OPENING.format(verdicts=verdicts), _sums(found)]
    for number, items in found.items():
        paper = PAPERS[number]
        parts.append(f"## {number}: {paper.title} [{paper.key}]\n")
        if number in FIGURES:
            file, title, about = FIGURES[number]
            parts.append(f"![{title}](images/{file})\n\n{about}\n")
        rows = [item.as_data() for item in items]
        lines = ["| item | printed | ours | reading | verdict |", "|---|---|---|---|---|"]
        lines += ["| " + " | ".join(_cell(row[name]) for name in row) + " |" for row in rows]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _sums(found: Mapping[str, Sequence[Item]]) -> str:
    lines = ["| paper | " + " | ".join(VERDICTS) + " |", "|---|" + "---|" * len(VERDICTS)]
    for number, items in found.items():
        counts = Counter(item.verdict for item in items)
        lines.append(f"| {number} [{PAPERS[number].key}] | " + " | ".join(str(counts[v]) for v in VERDICTS) + " |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("[", "\\[").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def table_1() -> str:
    """√L / n of paper 000, by aggregation."""
    found = experiment()
    ways = {"semantic": "with meaning", "strings": "equal strings"}
    panels = {
        name: {said: [(k, found[name, way, k].root) for k in SIZES] for way, said in ways.items()}
        for name in ("avg", "min-sum", "max-sum")
    }
    return charts(FIGURES["000"][1], panels, "k")


def figures_4_and_6() -> str:
    """Cohesion of every group of paper 001, and their loss added up."""
    found = figures()
    numbers = range(1, len(found.cohesion) + 1)
    panels = {
        "cohesion of a group (eq. 10)": {"cohesion": list(zip(numbers, found.cohesion, strict=True))},
        "IL so far, % (eq. 11)": {"loss": list(zip(numbers, accumulate(found.loss), strict=True))},
    }
    return charts(FIGURES["001"][1], panels, "group, in the order of forming")


def main() -> None:
    found = {number: paper.reproduce() for number, paper in PAPERS.items()}
    (DOCS / "reproduction.md").write_text(page(found), encoding="utf-8")
    for number, draw in (("000", table_1), ("001", figures_4_and_6)):
        (DOCS / "images" / FIGURES[number][0]).write_text(draw(), encoding="utf-8")
    print(f"Written: {DOCS / 'reproduction.md'}")


if __name__ == "__main__":
    main()
