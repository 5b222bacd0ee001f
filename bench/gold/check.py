"""Check the gold set against a WordNet 3.0 database folder.

    python bench/gold/check.py FOLDER [FILE ...]

FOLDER holds the files of a WordNet database (data.noun, index.noun, noun.exc, data.verb, ...).
Without FILE, the dev.jsonl and test.jsonl beside this script are checked. Every fault is printed
with its file and line; the exit code is 1 if there is one. A table of counts ends the report.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

KINDS = ("query", "survey", "problem", "product")
PARTS = {"n": "noun", "v": "verb"}
ENDINGS = {
    "n": [("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe"), ("men", "man")],
    "v": [("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e")],
}
MENTION_KEYS = {"start", "end", "pos", "lemma", "synset"}
OPTIONAL_KEYS = {"also", "near", "misspelt"}
SPELLING_LIMIT = 2


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lemmas, synsets and irregular forms of one part of speech."""

    synsets: dict[str, frozenset[str]]
    """Synset id to the lemmas it holds, in lower case with underscores."""
    irregular: dict[str, list[str]]
    """Inflected form to its base forms."""
    lemmas: frozenset[str]


def read_lexicon(folder: Path, pos: str) -> Lexicon:
    """Read one part of speech; a synset's id is its first lemma with that lemma's sense number."""
    part = PARTS[pos]
    offsets: dict[str, list[str]] = {}
    for line in _lines(folder / f"index.{part}"):
        fields = line.split()
        offsets[fields[0]] = fields[-int(fields[2]) :]
    synsets: dict[str, frozenset[str]] = {}
    for line in _lines(folder / f"data.{part}"):
        fields = line.split(" | ")[0].split()
        words = [word.lower() for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]]
        number = offsets[words[0]].index(fields[0]) + 1
        synsets[f"{words[0]}.{pos}.{number:02d}"] = frozenset(words)
    irregular: dict[str, list[str]] = {}
    for line in _lines(folder / f"{part}.exc"):
        form, *bases = line.split()
        irregular.setdefault(form, []).extend(bases)
    return Lexicon(synsets, irregular, frozenset(offsets))


def _lines(path: Path) -> Iterator[str]:
    """The lines of a database file; the licence at its head, indented, is skipped."""
    with path.open(encoding="latin-1") as file:
        yield from (line for line in file if not line.startswith("  ") and line.strip())


def base_forms(word: str, pos: str, lexicon: Lexicon) -> set[str]:
    """The word itself, its irregular bases, and what is left when a regular ending is undone."""
    forms = {word, *lexicon.irregular.get(word, [])}
    for ending, instead in ENDINGS[pos]:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word[: -len(ending)]
            forms.add(stem + instead)
            if pos == "v" and not instead and stem[-1:] == stem[-2:-1]:
                forms.add(stem[:-1])
    return forms


def reduces(surface: str, lemma: str, pos: str, lexicon: Lexicon) -> bool:
    """Whether the surface is the lemma up to case, inflection, hyphens and spaces."""
    target = _joined(lemma)
    words = surface.lower().replace("-", " ").split()
    if _joined(surface.lower()) == target or lemma in base_forms(surface.lower(), pos, lexicon):
        return True
    choices = [base_forms(word, pos, lexicon) for word in words]
    return any(_joined("".join(choice)) == target for choice in product(*choices))


def _joined(phrase: str) -> str:
    return phrase.replace(" ", "").replace("_", "").replace("-", "")


def _inside_word(text: str, place: int) -> bool:
    return text[place - 1 : place].isalnum() and text[place : place + 1].isalnum()


def edits(a: str, b: str) -> int:
    """Levenshtein distance."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def mention_faults(text: str, mention: dict[str, Any], lexicons: dict[str, Lexicon]) -> Iterator[str]:
    """What is wrong with one mention."""
    keys = set(mention)
    if not MENTION_KEYS <= keys <= MENTION_KEYS | OPTIONAL_KEYS:
        yield f"keys {sorted(keys)}"
        return
    start, end, pos, lemma = mention["start"], mention["end"], mention["pos"], mention["lemma"]
    if pos not in lexicons:
        yield f"part of speech {pos!r}"
        return
    if not 0 <= start < end <= len(text):
        yield f"offsets {start}-{end} outside the text"
        return
    surface, lexicon = text[start:end], lexicons[pos]
    if surface != surface.strip() or _inside_word(text, start) or _inside_word(text, end):
        yield f"{surface!r} does not begin and end at a word's edge"
    key = lemma.replace(" ", "_")
    if lemma != lemma.lower() or key not in lexicon.lemmas:
        yield f"{lemma!r} is not a {PARTS[pos]} label"
    for synset in [mention["synset"], *mention.get("also", [])]:
        if key not in lexicon.synsets.get(synset, frozenset()):
            yield f"{synset!r} does not exist or does not hold {lemma!r}"
    if mention["synset"] in mention.get("also", []):
        yield f"{mention['synset']!r} is listed twice"
    if mention.get("misspelt"):
        forms = base_forms(surface.lower(), pos, lexicon)
        if not 0 < min(edits(form, lemma) for form in forms) <= SPELLING_LIMIT:
            yield f"{surface!r} is no misspelling of {lemma!r}"
    elif not reduces(surface, lemma, pos, lexicon):
        yield f"{surface!r} does not reduce to {lemma!r}"


def record_faults(record: dict[str, Any], lexicons: dict[str, Lexicon]) -> Iterator[str]:
    """What is wrong with one line."""
    if set(record) != {"text", "kind", "mentions"}:
        yield f"keys {sorted(record)}"
        return
    if record["kind"] not in KINDS:
        yield f"kind {record['kind']!r}"
    last = 0
    for mention in record["mentions"]:
        yield from mention_faults(record["text"], mention, lexicons)
        if mention["start"] < last:
            yield f"mention at {mention['start']} overlaps the one before it or is out of order"
        last = mention["end"]


def read_records(paths: Iterable[Path]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every line of the files as a record, with its place."""
    for path in paths:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                yield f"{path.name}:{number}", json.loads(line)


def main() -> int:
    """Check, report, count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="folder with data.noun, index.noun, noun.exc, ...")
    here = Path(__file__).parent
    parser.add_argument("files", type=Path, nargs="*", default=[here / "dev.jsonl", here / "test.jsonl"])
    options = parser.parse_args()
    lexicons = {pos: read_lexicon(options.folder, pos) for pos in PARTS}
    counts: Counter[str] = Counter()
    seen: dict[str, str] = {}
    faults = 0
    for place, record in read_records(options.files):
        found = list(record_faults(record, lexicons))
        if record["text"] in seen:
            found.append(f"same text as {seen[record['text']]}")
        seen.setdefault(record["text"], place)
        for fault in found:
            print(f"{place}: {fault}")
        faults += len(found)
        counts.update(_features(place.partition(":")[0], record))
    for name, count in sorted(counts.items()):
        print(f"{name:32}{count:6}")
    print("no fault" if not faults else f"{faults} faults")
    return 1 if faults else 0


def _features(file: str, record: dict[str, Any]) -> Iterator[str]:
    """What a record counts for in the table at the end."""
    yield f"{file} texts"
    yield f"{file} texts, {record['kind']}"
    for mention in record["mentions"]:
        yield f"{file} mentions, {PARTS[mention['pos']]}"
        if {" ", "-"} & set(record["text"][mention["start"] : mention["end"]]):
            yield f"{file} mentions, multiword"


if __name__ == "__main__":
    sys.exit(main())
