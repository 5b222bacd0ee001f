"""Agreement of a second annotation with the gold set.

    python bench/gold/agreement.py SECOND [--first FILE] [--list]

A mention agrees if its offsets, its part of speech and its lemma are those of a mention of the first
annotation; senses are not compared. SECOND is scored as if FIRST (test.jsonl beside this script) were
right: precision, recall and F for nouns, for verbs and for nouns of several words. F does not depend on
which of the two is taken as right. --list prints every mention that only one of the two has.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Mention = tuple[int, int, str, str]
"""Start, end, part of speech and lemma."""

GROUPS: dict[str, Callable[[str, Mention], bool]] = {
    "nouns": lambda text, mention: mention[2] == "n",
    "verbs": lambda text, mention: mention[2] == "v",
    "multiword nouns": lambda text, mention: (
        mention[2] == "n" and bool({" ", "-"} & set(text[mention[0] : mention[1]]))
    ),
    "all": lambda text, mention: True,
}
"""What is scored; several words, as in check.py: a space or a hyphen in the phrase as written."""


def read(path: Path) -> list[dict[str, Any]]:
    """The records of a file, in order."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def mentions(record: dict[str, Any]) -> set[Mention]:
    """The mentions of a record without their senses."""
    return {(m["start"], m["end"], m["pos"], m["lemma"]) for m in record["mentions"]}


def pairs(
    first: list[dict[str, Any]], second: list[dict[str, Any]]
) -> Iterator[tuple[str, set[Mention], set[Mention]]]:
    """Text by text, the mentions of both."""
    for a, b in zip(first, second, strict=True):
        if a["text"] != b["text"]:
            raise ValueError("the two files do not hold the same texts in the same order")
        yield a["text"], mentions(a), mentions(b)


def main() -> int:
    """Compare, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("second", type=Path, help="second annotation, same texts in the same order")
    parser.add_argument("--first", type=Path, default=Path(__file__).parent / "test.jsonl")
    parser.add_argument("--list", action="store_true", help="print every mention that only one of the two has")
    options = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    texts = differing = 0
    for number, (text, a, b) in enumerate(pairs(read(options.first), read(options.second)), 1):
        texts += 1
        differing += a != b
        for name, holds in GROUPS.items():
            for part, found in (("first", a), ("second", b), ("both", a & b)):
                counts[name, part] += sum(holds(text, mention) for mention in found)
        if options.list:
            for start, end, pos, lemma in sorted(a ^ b):
                side = "first" if (start, end, pos, lemma) in a else "second"
                print(f"{number}\t{side}\t{start}-{end}\t{text[start:end]}\t{pos}\t{lemma}")
    print(f"{'':16}{'first':>7}{'second':>8}{'both':>6}{'P':>7}{'R':>7}{'F':>7}")
    for name in GROUPS:
        one, two, both = (counts[name, part] for part in ("first", "second", "both"))
        rates = (both / max(two, 1), both / max(one, 1), 2 * both / max(one + two, 1))
        print(f"{name:16}{one:7}{two:8}{both:6}" + "".join(f"{rate:7.3f}" for rate in rates))
    print(f"{texts} texts, {differing} of them differ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
