"""How well problem-list entries find their ICD-10-CM code: `python bench/icd10cm_retrieval.py`.

On the test half of bench/gold/icd10cm.jsonl, beside what the papers do: drop the left-most word until a label is left.
"""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from taxonym.knowledge.catalog import load
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.lemmas import candidates
from taxonym.text.retrieval import Retriever
from taxonym.text.tokens import tokenise

HERE = Path(__file__).parent
THRESHOLD = 0.5
Answer = tuple[int, float] | None


def entries(split: str) -> list[dict[str, Any]]:
    lines = (HERE / "gold" / "icd10cm.jsonl").read_text(encoding="utf-8").splitlines()
    return [entry for entry in map(json.loads, lines) if entry["split"] == split]


def right(id: str, accept: Sequence[str]) -> bool:
    return any(id.startswith(code[:-1]) if code.endswith("*") else id == code for code in accept)


def left_drop(tax: Taxonomy, words: Sequence[str]) -> Answer:
    """The longest end of the entry that is a label, its last word as written or as a lemma [Batet2014, §3.1.1]."""
    for first in range(len(words)):
        *before, last = words[first:]
        for lemma in candidates(last.lower(), "n"):
            codes = tax.codes(" ".join([*before, lemma]))
            if codes:
                return codes[0], 1.0
    return None


def row(name: str, tax: Taxonomy, answer: Callable[[list[str]], Answer], split: str) -> str:
    """One line of the table."""
    gold = entries(split)
    asked = [[token.text for token in tokenise(entry["text"])] for entry in gold]
    found = [answer(words) for words in asked]
    good = [a is not None and right(tax.id(a[0]), e["accept"]) for a, e in zip(found, gold, strict=True)]
    sure = [a is not None and a[1] >= THRESHOLD for a in found]
    real = sum(bool(e["accept"]) for e in gold)
    both = sum(g and s for g, s in zip(good, sure, strict=True))
    unsure = len(gold) - sum(sure)
    start, rounds = time.process_time(), 0
    while time.process_time() - start < 1:
        rounds += 1
        for words in asked:
            answer(words)
    speed = rounds * len(asked) / (time.process_time() - start)
    return (
        f"| {name} | {split} | {sum(good)} of {real} ({sum(good) / real:.0%}) | {both} of {sum(sure)} "
        f"({both / max(sum(sure), 1):.0%}) | {both} of {real} ({both / real:.0%}) | {sum(good) - both} of {unsure} "
        f"| {speed:,.0f} |"
    )


def main() -> None:
    tax = load("icd10cm")
    start = time.process_time()
    retriever = Retriever(tax)
    built = time.process_time() - start
    lines = [
        "## Problem-list entries to ICD-10-CM",
        "",
        f"`python bench/icd10cm_retrieval.py`; {len(tax):,} concepts, {len(tax.label_word):,} labels; index built in "
        f"{built:.1f} s. CPU time of one core, entries already cut into tokens.",
        f"Ten of the 148 entries have no right code. Answered: with a confidence of {THRESHOLD} or more.",
        "",
        "| method | half | right at 1, of those with a code | right of the answered | answered right, of those with a "
        "code | right of the others | entries/s |",
        "|---|---|---|---|---|---|---|",
        row("left-drop of exact labels", tax, lambda words: left_drop(tax, words), "test"),
        row("retrieval", tax, retriever.best, "test"),
        row("retrieval", tax, retriever.best, "dev"),
    ]
    text = "\n".join(lines) + "\n"
    print(text)
    if (HERE / "results").is_dir():
        (HERE / "results" / "icd10cm_retrieval.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
