"""Makes the data files of the English language pack, once; nothing of this runs at a user's place.

    pip download --no-deps --no-binary :all: textblob-aptagger==0.2.0 && tar xzf textblob-aptagger-0.2.0.tar.gz
    python tools/build_tagger.py textblob-aptagger-0.2.0 FOLDER_OF_THE_WORDNET_3.0_DATABASE

Writes into src/taxonym/text/data/ (byte for byte the same on every run):

- ``english.weights.gz``: the averaged perceptron of M. Honnibal (MIT, see LICENSE-perceptron.txt). First line: JSON
  with ``lane`` (bytes per tag), ``tags`` and ``families`` (feature names per family, in the order of the rows). Then
  one row per feature: a signed little-endian integer of ``lane * len(tags)`` bytes, the sum over tags t of
  round(80 * weight) * 2**(16 t). Adding such integers adds all tags at once: what makes a pure Python decoder fast.
- ``english.lexicon.gz``: word forms with a reading that is not a noun, from WordNet 3.0 (LICENSE-wordnet.txt); per line
  the form and its readings by sense count, see `lexicon_file`.
- ``english.forms.gz``: WordNet's exception lists (same licence); per line, tab separated: part of speech, form, lemmas.
- the two licences.
"""

import argparse
import gzip
import json
import math
import pickle
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

OUT = Path(__file__).parent.parent / "src" / "taxonym" / "text" / "data"
SCALE = 80  # a unit is 1/80 of a weight
LANE = 2  # bytes
LEAST = 80  # features without any weight of 1 are left out: 45 % of them, 7 in 10,000 tags of real queries change
PRIOR_LIMIT = 11000  # what tagger.py may add on top, in the same unit
# Known by form (the tokeniser) or by list (english.closed.txt): they stay as context but are never predicted.
_GIVEN = "# $ '' , -LRB- -RRB- . : `` LS SYM CC CD EX FW MD PDT POS TO UH WP WP$ WRB"
GIVEN = frozenset(_GIVEN.split())
PARTS = (("n", "noun"), ("v", "verb"), ("a", "adj"), ("r", "adv"))
# How much of a lemma's use falls on one of its forms, roughly, in running English.
SHARE = {"N": 0.75, "P": 0.25, "B": 0.4, "Z": 0.12, "D": 0.33, "G": 0.15, "J": 0.95, "C": 0.03, "S": 0.02, "R": 1.0}
# Verbs whose past is the verb itself: the exception lists do not hold them.
_UNCHANGED = "bet burst cast cost cut hit hurt let put quit read rid set shed shut split spread thrust"
UNCHANGED = frozenset(_UNCHANGED.split())
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
PROPER = "J0N3"  # readings of Thai: before a noun an adjective, elsewhere as the weights say; counts are too thin
UNSEEN = 0.5  # added to every count: most readings never occur in the counted texts
FAMILIES = {  # the perceptron's feature names, longest first, and ours
    "i-1 tag+i word": "tag_word",
    "i tag+i-2 tag": "tag_pair",
    "i-1 suffix": "left_suffix",
    "i+1 suffix": "right_suffix",
    "i suffix": "suffix",
    "i-1 word": "left",
    "i-2 word": "left2",
    "i+1 word": "right",
    "i+2 word": "right2",
    "i pref1": "first",
    "i-1 tag": "tag",
    "i-2 tag": "tag2",
    "i word": "word",
    "bias": "bias",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("perceptron", type=Path)
    parser.add_argument("wordnet", type=Path)
    args = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    with (args.perceptron / "textblob_aptagger" / "trontagger-0.1.0.pickle").open("rb") as file:
        weights, _, tags = pickle.load(file, encoding="latin1")  # trusted: the pinned release named above
    write("english.weights.gz", weight_file(weights, sorted(set(tags) - GIVEN)))
    write("english.lexicon.gz", lexicon_file(args.wordnet))
    write("english.forms.gz", forms_file(args.wordnet))
    for name, folder in (("perceptron", args.perceptron), ("wordnet", args.wordnet)):
        lines = (folder / "LICENSE").read_text(encoding="latin1").splitlines()
        (OUT / f"LICENSE-{name}.txt").write_text("".join(line.rstrip() + "\n" for line in lines), encoding="utf-8")


def write(name: str, content: bytes) -> None:
    (OUT / name).write_bytes(gzip.compress(content, 9, mtime=0))


def weight_file(weights: dict[str, dict[str, float]], tags: list[str]) -> bytes:
    rows: dict[str, list[tuple[str, int]]] = {ours: [] for ours in FAMILIES.values()}
    largest: dict[str, int] = defaultdict(int)
    for feature, by_tag in sorted(weights.items()):
        theirs = next(name for name in FAMILIES if feature == name or feature.startswith(name + " "))
        lanes = [round(SCALE * by_tag.get(tag, 0)) for tag in tags]
        if max(map(abs, lanes)) >= LEAST or theirs in ("bias", "i-1 tag", "i-2 tag", "i tag+i-2 tag"):
            family = FAMILIES[theirs]
            largest[family] = max(largest[family], *map(abs, lanes))
            rows[family].append((feature[len(theirs) + 1 :], sum(v << (8 * LANE * i) for i, v in enumerate(lanes))))
    # A sum takes at most one feature of every family: no lane can ever spill into its neighbour.
    assert sum(largest.values()) + PRIOR_LIMIT < 1 << (8 * LANE - 1), largest
    head = {"lane": LANE, "tags": tags, "families": {f: [name for name, _ in r] for f, r in rows.items()}}
    width = LANE * len(tags)
    body = b"".join(v.to_bytes(width, "little", signed=True) for r in rows.values() for _, v in r)
    return json.dumps(head, ensure_ascii=True, separators=(",", ":")).encode() + b"\n" + body


def lexicon_file(wordnet: Path) -> bytes:
    """Word forms that can be something else than a noun, with how likely each reading is.

    The counts are of lemmas; SHARE says which part of them falls on the form at hand. A reading is a letter of
    tagger.READINGS and a digit (0-9, a-z), round(-4 ln share).
    """
    counts = sense_counts(wordnet)
    irregular = irregular_forms(wordnet)
    mass: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for (lemma, part), count in counts.items():
        for reading, form in forms(lemma, part, irregular):
            mass[form][reading] += (count + UNSEEN) * SHARE[reading]
    lines = []
    proper = proper_adjectives(wordnet)
    for form, readings in sorted(mass.items()):
        if form in proper and "N" in readings:
            lines.append(form + " " + PROPER)
            continue
        if set(readings) <= {"N", "P"} or not form.isascii():
            continue
        total = sum(readings.values())
        ranked = sorted(readings.items(), key=lambda item: (-item[1], item[0]))
        lines.append(form + " " + "".join(r + DIGITS[min(35, round(-4 * math.log(m / total)))] for r, m in ranked))
    return "\n".join(lines).encode()


def proper_adjectives(wordnet: Path) -> set[str]:
    """Thai, Catholic: adjectives with a capital, lower-cased."""
    found = set()
    for line in (wordnet / "data.adj").read_text(encoding="latin1").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            words = (w.partition("(")[0] for w in fields[4 : 4 + 2 * int(fields[3], 16) : 2])
            found |= {w.lower() for w in words if w[0].isupper() and not w.isupper()}
    return found


def sense_counts(wordnet: Path) -> dict[tuple[str, str], int]:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for line in (wordnet / "index.sense").read_text(encoding="latin1").splitlines():
        key, _, _, count = line.split()
        lemma, _, rest = key.partition("%")
        if "_" not in lemma:
            counts[lemma, {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}[rest[0]]] += int(count)
    return counts


def irregular_forms(wordnet: Path) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for part, name in PARTS:
        for line in (wordnet / f"{name}.exc").read_text(encoding="latin1").splitlines():
            form, *lemmas = line.split()
            for lemma in lemmas:
                found[lemma, part].append(form)
    return found


def forms(lemma: str, part: str, irregular: dict[tuple[str, str], list[str]]) -> Iterator[tuple[str, str]]:
    """(reading, form) of a lemma: the exception lists, else the spelling rules."""
    listed = irregular.get((lemma, part), [])
    if part == "r":
        yield "R", lemma
    elif part == "n":
        yield "N", lemma
        for form in {*listed, with_s(lemma)}:  # gasses and gases; a plural that nobody writes does no harm
            yield "P", form
    elif part == "a":
        yield "J", lemma
        if lemma.isalpha() and (lemma[-1] == "y" or sum(c in "aeiouy" for c in lemma[:-1]) == 1):
            stem = lemma[:-1] + "i" if lemma[-1] == "y" else lemma[:-1] if lemma[-1] == "e" else lemma
            yield from (("C" if f.endswith("r") else "S", f) for f in listed or [stem + "er", stem + "est"])
    else:
        yield "B", lemma
        yield "Z", with_s(lemma)
        for stem in stems(lemma):
            yield "G", stem + "ing"
        past = [f for f in listed if not f.endswith("ing") and f != with_s(lemma)]
        if any(form.endswith("t") for form in past):  # learnt and learned
            past += regular_past(lemma)
        for form in [lemma] if lemma in UNCHANGED else past or regular_past(lemma):
            yield "D", form


def with_s(word: str) -> str:
    if word[-1:] == "y" and word[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def stems(verb: str) -> list[str]:
    """What -ed and -ing are added to: plane -> plan, plan -> plann, visit -> visit and visitt."""
    if verb[-1] == "e" and not verb.endswith(("ee", "ye", "oe")):
        return [verb[:-1]]
    if len(verb) > 2 and verb[-1] in "bdfgklmnprstvz" and verb[-2] in "aeiou" and verb[-3] not in "aeiou":
        doubled = verb + verb[-1]
        return [doubled] if sum(c in "aeiouy" for c in verb) == 1 else [verb, doubled]
    return [verb]


def regular_past(verb: str) -> list[str]:
    if verb[-1] == "y" and verb[-2:-1] not in tuple("aeiou"):
        return [verb[:-1] + "ied"]
    return [stem + "ed" for stem in stems(verb)]


def forms_file(wordnet: Path) -> bytes:
    lines = []
    for part, name in PARTS:
        for line in sorted((wordnet / f"{name}.exc").read_text(encoding="latin1").splitlines()):
            form, *lemmas = line.split()
            lines.append("\t".join([part, form, *lemmas]).replace("_", " "))
    return "\n".join(lines).encode()


if __name__ == "__main__":
    main()
