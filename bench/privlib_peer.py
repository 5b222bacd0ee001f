"""A peer that anonymises words by WordNet: privlib 0.0.4 beside Taxonym, on one column of one word each.

    python bench/privlib_peer.py --peers DIR [--data DIR] [--python PYTHON]

privlib needs Python 3.10 or older (it draws samples from sets, which later ones refuse): PYTHON, or the python3.10 that
is found. Its environment and WordNet are made in the folder of the peers. It has no sets of words, so the column is the
first item of baskets, as far as WordNet knows it. Each program is judged by its own distance and by the other's.
"""

import argparse
import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

WANTED, K, SEED = "privlib==0.0.4", 3, 20261116
SIZES = (12, 24)  # what privlib manages in some minutes
SETTINGS = (
    '<dataset><attribute name="item" attribute_type="semantic_categorical_wordnet" '
    'sensitivity_type="quasi_identifier"/></dataset>'
)
Result = dict[str, Any]


def main() -> None:
    if sys.argv[1:] == ["--peer"]:
        print(json.dumps(peer(json.load(sys.stdin))))
        return
    from common import section, short, table
    from concept_pairs import nltk_data
    from real_sets import BESIDE

    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--peers", type=Path, required=True, metavar="DIR", help="folder for the environment")
    arguments.add_argument("--data", type=Path, default=BESIDE, metavar="DIR")
    arguments.add_argument("--python", default=shutil.which("python3.10") or "python3.10", metavar="PYTHON")
    given = arguments.parse_args()
    title, command = "Beside privlib", "python bench/privlib_peer.py --peers DIR"
    try:
        python = environment(given.peers.resolve(), given.python)
    except (OSError, subprocess.CalledProcessError) as error:
        section("privlib", title, command, [f"{WANTED} could not be installed with {given.python}: {error}."])
        return
    data = nltk_data(given.peers.resolve(), sys.executable)
    items = words(given.data)
    lines = []
    for n in SIZES:
        values = random.Random(SEED).sample(items, n)
        print(f"{n} values …", file=sys.stderr)
        theirs = ask(python, data, {"values": values, "k": K})
        ways = {"privlib, MDAV": theirs} | {f"Taxonym, {name}": ours(values, name) for name in ("mdav", "refined")}
        told = {name: [lemma(word) for word in way["published"]] for name, way in ways.items()}
        judged = ask(python, data, {"values": values, "judge": told})
        for name, way in ways.items():
            classes = [way["published"].count(word) for word in way["published"]]
            lines.append(
                (n, len(set(values)), name, short(way["seconds"]), f"{judged['by'][name]:.3f}",
                 f"{by_us(values, way['published']):.3f}", len(set(way["published"])), min(classes),
                 ", ".join(sorted(set(way["published"]))[:4]))
            )  # fmt: skip
    head = ("values", "different", "program", "CPU s", "loss by privlib", "loss by Taxonym", "words published")
    section(
        "privlib",
        title,
        command,
        [
            f"privlib {theirs['version']} on Python {theirs['python']}, NLTK {theirs['nltk']}, WordNet 3.0. One "
            f"column, the first item of random baskets that WordNet knows as a whole; k = {K}. Both use Wu-Palmer "
            "(`measure = \"wu-palmer\"`); privlib takes the two senses that are closest, Taxonym the most usual one. "
            "Loss: mean distance of the values to what is published for them, by privlib's distance and by ours. CPU "
            "seconds of grouping and publishing, WordNet loaded, everything compiled; ours under the support rule, and "
            "with its report and verification.",
            table((*head, "smallest class", "such as"), lines),
            "privlib's centre of a group is the hypernym closest to all hypernyms of all senses of the values, not to "
            "the values themselves, hence words such as `matter`; and for every group it compares all hypernyms of all "
            "remaining records with each other, which is where the time goes (see its calculate_centroid). Larger "
            "columns were not tried for that reason.",
        ],
    )  # fmt: skip


# ---------------------------------------------------------------------- in its own environment


def peer(task: Result) -> Result:
    """privlib, which prints a lot: to the error output. Only it and the standard library are imported here."""
    import platform
    from importlib.metadata import version

    with contextlib.redirect_stdout(sys.stderr):
        import pandas
        from privlib.anonymization.src.algorithms.k_anonymity import K_anonymity
        from privlib.anonymization.src.algorithms.mdav import Mdav
        from privlib.anonymization.src.attribute_types.semantic_categorical_wordnet import Semantic_categorical_wordnet
        from privlib.anonymization.src.entities.dataset_DataFrame import Dataset_DataFrame

        values = task["values"]
        if "judge" in task:
            similar = Semantic_categorical_wordnet.similarity_wp
            return {
                "by": {
                    name: sum(1 - similar(a, b) for a, b in zip(values, published, strict=True)) / len(values)
                    for name, published in task["judge"].items()
                }
            }
        random.seed(SEED)
        frame = pandas.DataFrame({"item": values})
        frame.name = "items"
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(SETTINGS)
            file.flush()
            dataset = Dataset_DataFrame(frame, file.name)
        began = time.process_time()
        scheme = K_anonymity(dataset, task["k"])
        scheme.calculate_anonymization(Mdav)
        seconds = time.process_time() - began
        published = [str(record.values[0]) for record in scheme.anonymized_dataset.records]
    versions = {"version": version("privlib"), "nltk": version("nltk"), "python": platform.python_version()}
    return {"published": published, "seconds": seconds, **versions}


# ---------------------------------------------------------------------- here


def environment(folder: Path, python: str) -> str:
    own = folder / "privlib"
    if not (own / "bin" / "python").exists():
        subprocess.run([python, "-m", "venv", str(own)], check=True, stdout=sys.stderr)
        subprocess.run([str(own / "bin" / "pip"), "install", "--quiet", WANTED], check=True, stdout=sys.stderr)
    return str(own / "bin" / "python")


def ask(python: str, data: Path, task: Result) -> Result:
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, __file__, "--peer"], input=json.dumps(task), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True, check=True, env={**clean, "NLTK_DATA": str(data)},
    )  # fmt: skip
    result: Result = json.loads(done.stdout.splitlines()[-1])
    return result


def words(data: Path) -> list[str]:
    """The first items that WordNet knows as nouns, with _ for blanks as NLTK wants them."""
    import taxonym

    wordnet = taxonym.load("wordnet")
    baskets = (data / "groceries" / "groceries_baskets.csv").read_text("utf-8").splitlines()
    items = [line.split(",")[0] for line in baskets]
    known = {item for item in set(items) if any(".n." in wordnet.id(code) for code in wordnet.codes(item))}
    return [item.replace(" ", "_") for item in items if item in known]


def ours(values: list[str], method: str) -> Result:
    import polars as pl

    import taxonym

    plan = {
        "columns": {"item": {"role": "quasi-identifier", "taxonomy": "wordnet"}},
        "method": {"name": method, "k": K, "measure": "wu-palmer", "seed": SEED},
        "output": {"shuffle": False},
    }
    frame = pl.DataFrame({"item": [value.replace("_", " ") for value in values]})
    taxonym.anonymize(frame, plan, baselines=False)  # compiles
    began = time.process_time()
    release = taxonym.anonymize(frame, plan, baselines=False)
    seconds = time.process_time() - began
    published = [str(word).replace(" ", "_") for word in release.table["item"]]
    if len(published) != len(values):
        raise SystemExit(f"{len(values) - len(published)} values were suppressed")
    return {"published": published, "seconds": seconds}


def lemma(word: str) -> str:
    """Without the number of a sense, which Taxonym prints where the word alone would mean another."""
    return re.sub(r"\.n\.\d+$", "", word)


def by_us(values: list[str], published: list[str]) -> float:
    """Mean Wu-Palmer distance between the most usual meanings of the nouns."""
    import taxonym

    wordnet = taxonym.load("wordnet")

    def noun(word: str) -> int:
        if lemma(word) != word:
            return wordnet.code(word)
        return next(code for code in wordnet.codes(word.replace("_", " ")) if ".n." in wordnet.id(code))

    apart = [
        taxonym.concept_distance(wordnet, noun(a), noun(b), "wu-palmer") for a, b in zip(values, published, strict=True)
    ]
    return sum(apart) / len(apart)


if __name__ == "__main__":
    main()
