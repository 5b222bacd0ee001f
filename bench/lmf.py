"""A wordnet in XML (WN-LMF) of real size, from the file to a release: python -m bench.lmf

The shipped WordNet is written as LMF, read back and compared; then the same search log is published with either, which
must give the same words. Figures: results/lmf.md.
"""

import os
import platform
import resource
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from tools.write_lmf import lmf

import taxonym
from taxonym.plan import Plan, read_plan

EXAMPLES = Path(taxonym.__file__).parent / "examples"
RESULT = Path(__file__).parent / "results" / "lmf.md"


def planned(taxonomy: str) -> Plan:
    """The example's plan with another taxonomy, and a floor that does not need the built-in one's upper concepts."""
    plan = read_plan(EXAMPLES / "search-log.toml")
    columns = {n: replace(c, taxonomy=(taxonomy,)) if c.taxonomy else c for n, c in plan.columns.items()}
    return replace(plan, columns=columns, method=replace(plan.method, least_content=0.3))


def main() -> None:
    wordnet = taxonym.load("wordnet")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "wordnet.xml")
        path.write_text("".join(lmf(wordnet)), encoding="utf-8")
        before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        read = taxonym.load(str(path))
        seconds, after = time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        same = sum(
            [read.gloss(c) for c in read.codes(key)] == [wordnet.gloss(c) for c in wordnet.codes(key)]
            and read.counts(key) == wordnet.counts(key)
            for key in wordnet.keys
        )
        depths = sum(
            read.depth(read.code(f"copy-{c:08d}-{_part(wordnet, c)}")) == wordnet.depth(c) for c in range(len(read))
        )
        words = [_words(planned(one)) for one in ("wordnet", str(path))]
        lines = [
            "## A wordnet in LMF, of real size",
            "",
            f"`python -m bench.lmf`, {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
            "",
            f"- {path.stat().st_size / 1e6:.0f} MB of XML, {len(read):,} synsets, {len(read.keys):,} labels, read in "
            f"{seconds:.1f} CPU s, peak {after / 1e3:.0f} MB (before: {before / 1e3:.0f} MB)",
            f"- labels with the same senses in the same order and the same counts: {same:,} of {len(wordnet.keys):,}",
            f"- concepts at the same depth: {depths:,} of {len(wordnet):,}",
            f"- the example search log, published with the built-in taxonomy and with it (`least_content = 0.3`): "
            f"{len(words[0]):,} and {len(words[1]):,} different words, {len(words[0] & words[1]):,} of them in both",
            "",
        ]
    RESULT.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))


def _part(tax: taxonym.Taxonomy, code: int) -> str:
    return "v" if ".v." in tax.id(code) else "n"


def _words(plan: Plan) -> set[str]:
    """All words of the release."""
    release = taxonym.anonymize(str(EXAMPLES / "search-log.csv"), plan)
    return {word for row in release.table.rows() for cell in row for word in cell}


if __name__ == "__main__":
    main()
