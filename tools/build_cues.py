"""Learns the weights of the cues in src/taxonym/text/rules.py, once; nothing of this runs at a user's place.

    python tools/build_cues.py FOLDER_OF_THE_WORDNET_3.0_DATABASE [--held dev3]

Writes src/taxonym/text/data/english.cues.gz: per line, tab separated, a cue and its weights for noun, verb and neither,
in units of 1/100. What it learns from, and how much one word of each counts:

- bench/gold/dev*.jsonl, never test.jsonl; and tools/cues.txt, short texts with their verbs marked (15);
- the examples in WordNet's glosses, where a word of the synset is a noun, a verb or neither as the synset is (1);
- how WordNet's definitions begin: those of verbs with a verb, those of nouns with a noun or an adjective (0.3);
- its labels of two words, which are nouns, and of verbs with their particle (0.15).

The model is a logistic regression with three outcomes, trained by AdaGrad in a fixed order: the same file on every run.
With --held nothing is written: the weights are learned without that set and the share of its words that they read right
is printed. Words that can be only one thing, or that the tagger does not ask about, are in neither.
"""

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import njit

import taxonym
from taxonym.text import tagger
from taxonym.text.language import ENGLISH
from taxonym.text.lemmas import candidates
from taxonym.text.lookup import LabelIndex
from taxonym.text.rules import Rules
from taxonym.text.tokens import Kind, sentences

ROOT = Path(__file__).parent.parent
OUT = ROOT / "src" / "taxonym" / "text" / "data" / "english.cues.gz"
SETS = ("dev", "dev2", "dev3", "dev4")
HAND, EXAMPLE, DEFINITION, LABEL = 15.0, 1.0, 0.3, 0.15
NOUN, VERB, OTHER = 0, 1, 2
EPOCHS, RATE, SHRINK = 12, 0.15, 1e-3
SETTLED = 4  # epochs after which the weights are averaged, so that chance in the order of the cases counts less
LEAST = 3  # times a cue must occur
UNIT, SMALL = 100, 5  # weights all below SMALL units are left out
MARKS = {"*": VERB, "~": OTHER, "+": NOUN}


class Word(NamedTuple):
    """The word at a place of a text, and what it is there."""

    text: str
    start: int
    kind: int
    counts: float
    source: str


class Case(NamedTuple):
    cues: list[str]
    kind: int
    possible: tuple[bool, ...]
    counts: float
    source: str


# ---------------------------------------------------------------------- the words to learn from


def wordnet(folder: Path, lexicon: dict[str, str]) -> Iterator[Word]:
    for name, kind in (("noun", NOUN), ("verb", VERB), ("adj", OTHER), ("adv", OTHER)):
        part = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}[name]
        for line in (folder / f"data.{name}").read_text("latin1").splitlines():
            if line.startswith(" "):
                continue
            head, _, gloss = line.partition(" | ")
            fields = head.split()
            labels = [re.sub(r"\(.*\)", "", w).lower() for w in fields[4 : 4 + 2 * int(fields[3], 16) : 2]]
            single = {label for label in labels if "_" not in label}
            for example in re.findall(r'"([^"]+)"', gloss):
                text = example.strip()
                for m in re.finditer(r"[A-Za-z]+", text):
                    if single & set(candidates(m[0].lower(), part)):
                        yield Word(text, m.start(), kind, EXAMPLE, "examples")
            for piece in re.sub(r'"[^"]+"', "", gloss).split(";"):
                text = re.sub(r"\([^)]*\)", "", piece).strip(" :,;.").lower()
                readings = set(lexicon.get(text.partition(" ")[0], "")[::2])
                if (kind == VERB and "B" in readings) or (kind == NOUN and readings <= set("NPBZ")):
                    yield Word(text, 0, kind, DEFINITION, "definitions")
            for label in labels:
                words = label.split("_")
                if len(words) > 1 and kind == VERB:
                    yield Word(" ".join(words), 0, VERB, LABEL, "labels")
                elif len(words) == 2 and kind == NOUN:
                    for word, start in zip(words, (0, len(words[0]) + 1), strict=True):
                        if set(lexicon.get(word, "N")[::2]) <= set("NPBZ"):
                            yield Word(" ".join(words), start, NOUN, LABEL, "labels")


def by_hand(lexicon: dict[str, str]) -> Iterator[Word]:
    for line in (ROOT / "tools" / "cues.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        text, places = "", []
        for marked in line.split(" "):
            word, mark, point = re.fullmatch(r"([^*~+]*)([*~+]?)([,.]?)", marked).groups()  # type: ignore[union-attr]
            start = len(text) + bool(text)
            text += " " * bool(text) + word + point
            places.append((start, word.lower(), mark))
        for start, word, mark in places:
            readings = lexicon.get(word, "")
            nominal = not {"N", "P"}.isdisjoint(readings)
            if mark:
                yield Word(text, start, MARKS[mark], HAND, "by hand")
            elif readings[:1] in tuple("JRCS"):
                yield Word(text, start, OTHER, HAND, "by hand")
            elif nominal or "D" in readings:
                yield Word(text, start, NOUN if nominal else OTHER, HAND, "by hand")


def gold(name: str) -> Iterator[Word]:
    for line in (ROOT / "bench" / "gold" / f"{name}.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        for token in (t for sentence in sentences(record["text"]) for t in sentence if t.kind is Kind.WORD):
            around = next((m for m in record["mentions"] if m["start"] <= token.start and token.end <= m["end"]), None)
            if around is None:
                yield Word(record["text"], token.start, OTHER, HAND, name)
            elif around["pos"] == "n" and token.end == around["end"]:  # inside a label words may be anything
                yield Word(record["text"], token.start, NOUN, HAND, name)
            elif around["pos"] == "v" and token.start == around["start"]:
                yield Word(record["text"], token.start, VERB, HAND, name)


# ---------------------------------------------------------------------- from words to cues


class Recorder(Rules):
    """Keeps what the tagger asks instead of answering."""

    __slots__ = ("asked",)

    def settle(self, places: list[int], words: list[str], found: list[str]) -> None:
        self.asked = set(places)


def cases(words: list[Word]) -> Iterator[Case]:
    """The cues of every word that the tagger asks about; words on the left are taken as they should be read."""
    plain = tagger.load()
    rules = Recorder(plain.lexicon, frozenset(plain.closed), {})
    tagging = replace(plain, rules=rules)
    share = LabelIndex(taxonym.load("wordnet"), ENGLISH).noun_share
    by_text: dict[str, list[Word]] = {}
    for word in words:
        by_text.setdefault(word.text, []).append(word)
    for text, mine in by_text.items():
        at = {word.start: word for word in mine}
        for tokens in sentences(text):
            rules.asked = set()
            found, low = tagging.tag(tokens, share), [token.text.lower() for token in tokens]
            for i, token in enumerate(tokens):
                form = rules.form(low[i]) if i in rules.asked and token.start in at else None
                if form is None:
                    continue
                kind = at[token.start].kind
                tags = rules.tags(low, found, i)
                possible = tuple(map(bool, tags))
                if possible[kind]:
                    yield Case(
                        rules.cues(low, found, i), kind, possible, at[token.start].counts, at[token.start].source
                    )
                    if (found[i][0] == "N", found[i][0] == "V") != (kind == NOUN, kind == VERB):
                        found[i] = tags[kind]


# ---------------------------------------------------------------------- learning


@njit
def learn(start, cue, kind, possible, counts, n):  # type: ignore[no-untyped-def]
    """AdaGrad over all cases, in a new order each time; `cue[start[k]:start[k + 1]]` are those of case k."""
    np.random.seed(1)
    weights, steps, total = np.zeros((n, 3)), np.full((n, 3), 1e-6), np.zeros((n, 3))
    order = np.arange(len(kind))
    for epoch in range(EPOCHS):
        np.random.shuffle(order)
        for k in order:
            mine = cue[start[k] : start[k + 1]]
            sums = np.zeros(3)
            for c in mine:
                sums += weights[c]
            likely = np.where(possible[k], np.exp(sums - sums.max()), 0.0)
            likely /= likely.sum()
            for j in range(3):
                if possible[k, j]:
                    wrong = counts[k] * (likely[j] - (kind[k] == j))
                    for c in mine:
                        slope = wrong + SHRINK * weights[c, j]
                        steps[c, j] += slope * slope
                        weights[c, j] -= RATE * slope / np.sqrt(steps[c, j])
        if epoch >= SETTLED:
            total += weights
    return total / (EPOCHS - SETTLED)


def weights_of(train: list[Case]) -> dict[str, tuple[int, ...]]:
    seen = Counter(cue for case in train for cue in case.cues)
    names = sorted(cue for cue, times in seen.items() if times >= LEAST)
    place = {cue: i for i, cue in enumerate(names)}
    rows = [[place[cue] for cue in case.cues if cue in place] for case in train]
    learned = learn(
        np.cumsum([0, *map(len, rows)]),
        np.array([c for row in rows for c in row]),
        np.array([case.kind for case in train]),
        np.array([case.possible for case in train]),
        np.array([case.counts for case in train]),
        len(names),
    )
    units = np.rint(learned * UNIT).astype(int).tolist()
    return {cue: tuple(row) for cue, row in zip(names, units, strict=True) if max(map(abs, row)) >= SMALL}


def right(test: list[Case], weights: dict[str, tuple[int, ...]]) -> float:
    """Share of cases that the weights read right."""
    good = 0
    for case in test:
        sums = [sum(weights.get(cue, (0, 0, 0))[k] for cue in case.cues) for k in range(3)]
        good += max((k for k in range(3) if case.possible[k]), key=lambda k: sums[k]) == case.kind
    return good / len(test)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("--held", choices=SETS)
    args = parser.parse_args()
    lexicon = dict(tagger.load().lexicon)
    words = [w for name in SETS for w in gold(name)]
    known = {word.text for word in words}
    words += [w for w in (*by_hand(lexicon), *wordnet(args.wordnet, lexicon)) if w.text not in known]
    found = list(cases(list(dict.fromkeys(words))))
    weights = weights_of([case for case in found if case.source != args.held])
    print(f"{len(found)} words, {len(weights)} cues", dict(Counter(case.source for case in found)))
    for name in SETS if args.held is None else [args.held]:
        print(name, f"{right([case for case in found if case.source == name], weights):.3f}")
    if args.held is None:
        table = "\n".join("\t".join(map(str, (cue, *row))) for cue, row in sorted(weights.items()))
        OUT.write_bytes(gzip.compress(table.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
