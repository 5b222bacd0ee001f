"""How well and how fast texts become concepts: `python bench/text_mapping.py [DATA] [--peer PYTHON] [--sets dev,dev3]`.

On bench/gold: noun concepts by span and lemma, labels of several words, verbs, senses by policy, beside the plain
procedure of [Batet2014, §3.1.1] (tag, noun phrases, drop the left-most word). Then texts per second on one core and
coverage of the shared data in the folder DATA (default: shared/data beside the checkout; left out where it is missing).
--peer names a Python with HanTa and numpy, whose tagger and lemmatiser alone are timed on the same texts.
Of the data only counts are shown.
"""

import argparse
import csv
import gzip
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from common import met, section, table

import taxonym
from taxonym import Taxonomy
from taxonym.errors import TaxonymError
from taxonym.knowledge.strings import fold
from taxonym.text.bulk import map_column
from taxonym.text.column_senses import ColumnSenses
from taxonym.text.finder import Finder
from taxonym.text.language import ENGLISH
from taxonym.text.lookup import LabelIndex
from taxonym.text.phrases import analyse
from taxonym.text.senses import SENSES, SenseChoice
from taxonym.text.subject import Subject, Voter
from taxonym.text.word_vectors import word_vectors

HERE = Path(__file__).parent
SETS = "dev,dev2,dev3,dev4,test"
FIRST_SENSES = {"dev4"}  # sets in which senses were not chosen
Spot = tuple[int, int, str, int]  # start, end, part of speech, code
PEER = """
import sys, time, json, re
from HanTa import HanoverTagger
texts = json.load(sys.stdin)
tagger = HanoverTagger.HanoverTagger("morphmodel_en.pgz")
words = re.compile(r"\\w+|[^\\w\\s]")
tagger.tag_sent(words.findall(texts[0]))
start = time.process_time()
for text in texts:
    tagger.tag_sent(words.findall(text))
print("HanTa", len(texts) / (time.process_time() - start))
"""


def gold(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / "gold" / f"{name}.jsonl").read_text("utf-8").splitlines()]


# ---------------------------------------------------------------------- the two procedures


def ours(tax: Taxonomy, finder: Finder) -> Callable[[str], set[Spot]]:
    def spots(text: str) -> set[Spot]:
        found: set[Spot] = set()
        for m in finder.find(text):
            part = tax.id(m.code).rsplit(".", 2)[1]
            found.add((m.start, m.end, part, m.code))
        return found

    return spots


def drop_left(tax: Taxonomy) -> Callable[[str], set[Spot]]:
    """[Batet2014, §3.1.1] to the letter: each noun phrase is one concept, found by dropping words on the left."""
    index = LabelIndex(tax, ENGLISH)

    def spots(text: str) -> set[Spot]:
        found: set[Spot] = set()
        for sentence in analyse(text):
            for phrase in sentence.phrases:
                last = sentence.tokens[phrase.end - 1]
                for i in range(phrase.start, phrase.end):
                    head = text[sentence.tokens[i].start : last.start].lower()
                    codes = next(
                        (c for lemma in ENGLISH.lemmas(last.text.lower(), "n") if (c := tax.codes(head + lemma))), []
                    )
                    nouns = [c for c in codes if ".n." in tax.id(c)]
                    if nouns:
                        found.add((sentence.tokens[i].start, last.end, "n", nouns[0]))
                        break
            for i in sentence.verbs:
                verb = index.verb(sentence.tokens[i].text.lower())
                if verb is not None:
                    token = sentence.tokens[i]
                    found.add((token.start, token.end, "v", index.first["v"][verb[0]]))
        return found

    return spots


# ---------------------------------------------------------------------- scores


def score(tax: Taxonomy, records: list[dict[str, Any]], spots: Callable[[str], set[Any]]) -> dict[str, float]:
    """A mention is right if span, part of speech and lemma are: its concept has the gold lemma among its labels."""
    right = {"n": 0, "v": 0}
    found = {"n": 0, "v": 0}
    wanted = {"n": 0, "v": 0}
    several, several_right = 0, 0
    for record in records:
        mine = {(start, end, part): code for start, end, part, code in spots(record["text"])}
        for _, _, part in mine:
            found[part] += 1
        for m in record["mentions"]:
            wanted[m["pos"]] += 1
            code = mine.get((m["start"], m["end"], m["pos"]))
            good = code is not None and m["lemma"] in {fold(label) for label in tax.labels(code)}
            right[m["pos"]] += good
            if " " in m["lemma"] or "-" in m["lemma"]:
                several += 1
                several_right += good
    out = {}
    for part in "nv":
        out[f"{part} P"], out[f"{part} R"] = right[part] / max(1, found[part]), right[part] / wanted[part]
        out[f"{part} F"] = 2 * right[part] / (found[part] + wanted[part])
    out["multiword R"] = several_right / several
    return out


def by_words(
    tax: Taxonomy, records: list[dict[str, Any]], choices: list[list[SenseChoice]], subject: bool
) -> list[list[int]]:
    """Senses by the text and, with `subject`, by what all texts of the set are about, as if they were a column."""
    senses, votes = ColumnSenses(tax), Counter[Voter]()
    if subject:
        for record, some in zip(records, choices, strict=True):
            counts = [tuple(senses.counts(choice)) for choice in some]
            terms = zip(record["mentions"], some, counts, strict=True)
            votes.update({Voter(m["lemma"], tuple(choice.codes), seen) for m, choice, seen in terms})
        senses = ColumnSenses(tax, Subject.learn(tax, word_vectors(), votes))
    spans = [[(m["start"], m["end"]) for m in record["mentions"]] for record in records]
    return senses.alone([record["text"] for record in records], choices, spans)


def sense_accuracy(
    tax: Taxonomy, records: list[dict[str, Any]], policy: str, subject: bool = True
) -> tuple[float, float]:
    """Right senses among all mentions, and among those whose label has several; spans and lemmas as in the gold set."""
    index = LabelIndex(tax, ENGLISH)
    place = {key: i for i, key in enumerate(index.forms.keys)}
    right = total = hard_right = hard = 0
    every = [[SenseChoice(*index.senses(place[m["lemma"]], m["pos"])) for m in r["mentions"]] for r in records]
    if SENSES[policy].words:
        picked = by_words(tax, records, every, subject)
    else:
        picked = [SENSES[policy].choose(tax, choices, None) for choices in every]
    for record, choices, chosen in zip(records, every, picked, strict=True):
        for m, choice, at in zip(record["mentions"], choices, chosen, strict=True):
            if m.get("near"):
                continue
            good = choice.codes[at] in {tax.code(id) for id in (m["synset"], *m.get("also", []))}
            total, right = total + 1, right + good
            if len(choice.codes) > 1:
                hard, hard_right = hard + 1, hard_right + good
    return right / total, hard_right / hard


# ---------------------------------------------------------------------- speed and coverage


def per_second(work: Callable[[str], Any], texts: list[str], seconds: float = 4.0) -> float:
    """Texts per second of processor time: the best of several rounds, for machines are noisy."""
    best, until = 0.0, time.process_time() + seconds
    while time.process_time() < until:
        start = time.process_time()
        for text in texts:
            work(text)
        best = max(best, len(texts) / (time.process_time() - start))
    return best


def startup() -> float:
    """Import, WordNet, its index and the tagger, in a fresh process; the best of five."""
    code = (
        "import time; t = time.process_time(); import taxonym; from taxonym.text.finder import Finder\n"
        "Finder(taxonym.load('wordnet')).find('heart attack'); print(time.process_time() - t)"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5)]
    return min(float(run.stdout) for run in runs)


def queries(data: Path) -> list[str]:
    with gzip.open(data / "queries" / "topics.mq.10001-20000.txt.gz", "rt", encoding="latin-1") as file:
        return [line.split(":")[-1].strip() for line in file]


def columns(data: Path) -> Iterator[tuple[str, list[str], list[Any] | None]]:
    """(what, texts, record of each) for the shared data."""
    with (data / "groceries" / "groceries_taxonomy.csv").open(encoding="utf-8") as file:
        yield "groceries, 169 items", [row[0] for row in list(csv.reader(file))[1:]], None
    yield "TREC queries", queries(data), None
    with (data / "queries" / "excite1997_small_rekeyed.tsv").open(encoding="utf-8", errors="replace") as file:
        rows = [row for row in (line.rstrip("\n").split("\t") for line in list(file)[1:]) if row[-1].strip()]
    yield "Excite queries, without the empty ones", [row[-1] for row in rows], [row[0] for row in rows]
    with gzip.open(data / "synthea" / "conditions_1152.csv.gz", "rt", encoding="utf-8") as file:
        conditions = list(csv.DictReader(file))
    yield "Synthea conditions", [c["DESCRIPTION"] for c in conditions], [c["PATIENT"] for c in conditions]


# ---------------------------------------------------------------------- the report


def quality(tax: Taxonomy, sets: list[str]) -> Iterator[str]:
    procedures = {
        "Taxonym": ours(tax, Finder(tax, parts=("n", "v"))),
        'Taxonym, `related="none"`': ours(tax, Finder(tax, parts=("n", "v"), related="none")),
        "Taxonym, `spelling=1`": ours(tax, Finder(tax, parts=("n", "v"), spelling=1)),
        "tag, noun phrase, drop left": drop_left(tax),
    }
    keys = ("n P", "n R", "n F", "multiword R", "v P", "v R", "v F")
    rows, targets = [], []
    for name in sets:
        for procedure, spots in procedures.items():
            s = score(tax, gold(name), spots)
            rows.append([name, procedure, *(f"{s[key]:.3f}" for key in keys)])
            if procedure == "Taxonym":
                targets.append(
                    f"{name}: noun F ≥ .97 {met(s['n F'], 0.97)}, multiword R ≥ .97 {met(s['multiword R'], 0.97)}, "
                    f"verb F ≥ .90 {met(s['v F'], 0.90)}"
                )
    head = ["set", "procedure", "noun P", "noun R", "noun F", "multiword R", "verb P", "verb R", "verb F"]
    yield "Right: span, part of speech and lemma (the concept has the gold lemma among its labels)."
    yield table(head, rows)
    yield "Targets. " + "; ".join(targets) + "."
    yield "Senses, on gold spans and lemmas: right of all mentions, and of those whose label has several senses."
    rows = []
    for name in [name for name in sets if name not in FIRST_SENSES]:
        for policy in SENSES:
            every, several = sense_accuracy(tax, gold(name), policy)
            rows.append([name, policy, f"{every:.3f}", f"{several:.3f}"])
    yield table(["set", "policy", "all", "several senses"], rows)


def speed(tax: Taxonomy, data: Path, peer: str | None) -> Iterator[str]:
    texts = [record["text"] for name in ("dev", "test") for record in gold(name)]
    many = queries(data) if data.is_dir() else []
    nouns, both, bare = Finder(tax), Finder(tax, parts=("n", "v")), Finder(tax, related="none")
    work: dict[str, Callable[[str], Any]] = {
        "mentions, nouns": nouns.find,
        'mentions, nouns, `related="none"`': bare.find,
        "mentions, nouns and verbs": both.find,
        "codes only, as for columns": lambda text: nouns.codes(nouns.read(text)),
        "tokens, tags and phrases alone": analyse,
    }
    rows = [
        [what, *(f"{per_second(one, some):,.0f}" if some else "" for some in (texts, many))]
        for what, one in work.items()
    ]
    if peer:
        done = subprocess.run(
            [peer, "-c", PEER], input=json.dumps(texts * 2), capture_output=True, text=True, check=True
        )
        name, rate = done.stdout.split()
        rows.append([f"{name}: tags and lemmas alone", f"{float(rate):,.0f}", ""])
    yield f"Texts per second of processor time, one core. Plain loop for comparison: {loop():.1f} million additions/s."
    yield table(["from string to", "gold texts", "TREC queries"], rows)
    yield f"Start-up (import, WordNet, its index, tagger): {startup():.2f} s of processor time."


def loop() -> float:
    """How fast this machine is at the moment."""
    start, x = time.process_time(), 0
    for i in range(5_000_000):
        x += i
    return 5 / (time.process_time() - start)


def coverage(tax: Taxonomy, data: Path) -> Iterator[str]:
    finders = {"wordnet": Finder(tax)}
    with suppress(TaxonymError):
        finders["icd10cm"] = Finder(taxonym.load("icd10cm"))
    rows = []
    for what, texts, records in columns(data):
        for name, finder in finders.items():
            if name == "wordnet" or "Synthea" in what:
                done = map_column(finder, texts, records=records, workers=1)
                c = done.coverage
                shares = [f"{c.text_share:.1%}", f"{c.phrase_share:.1%}", len(done.unknown), done.rare]
                rows.append([what, name, f"{c.texts:,}", *shares])
    yield "Coverage of the shared data; unknown phrases are counted by records (persons, where the data tells them)."
    yield table(
        ["data", "taxonomy", "rows", "with a concept", "phrases known", "unknown, of 5 records or more", "rarer"], rows
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", default=HERE.parents[1] / "shared" / "data")
    parser.add_argument("--peer")
    parser.add_argument("--sets", default=SETS, help="with others nothing is kept")
    options = parser.parse_args()
    tax = taxonym.load("wordnet")
    parts = list(quality(tax, options.sets.split(",")))
    if options.sets != SETS:
        print("\n\n".join(parts))
        return
    parts += speed(tax, options.data, options.peer)
    if options.data.is_dir():
        parts += coverage(tax, options.data)
    section("text_mapping", "Text to concepts", "python bench/text_mapping.py", parts)


if __name__ == "__main__":
    main()
