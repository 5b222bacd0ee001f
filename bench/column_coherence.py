"""Does coherence tell columns of words from codes and names? python bench/column_coherence.py

Prints coherence and share of words of the columns in gold/coherence.toml, what a threshold gets right, and the mean
similarity of random nouns, which draft/coherence.py has as a constant.
"""

import random
import tomllib
from itertools import combinations
from pathlib import Path

from taxonym import Taxonomy, load
from taxonym.drafting.coherence import coherence, least_coherence, lin_similarities, meanings_of
from taxonym.drafting.words import ENOUGH
from taxonym.text.finder import Finder

GOLD = Path(__file__).parent / "gold" / "coherence.toml"
NOUNS = 300
THRESHOLDS = (0.0, 0.03, 0.05, 0.07, 0.09, 0.12, 0.15, 0.2)


def random_similarity(finder: Finder, seed: int) -> float:
    """The mean of s over pairs of nouns that were seen twice at least."""
    tax, rng = finder.taxonomy, random.Random(seed)
    usual = [word for word in tax.words if word.isalpha() and word.islower() and _seen(tax, word) >= 2]
    meanings = [codes for word in rng.sample(usual, 2 * NOUNS) if (codes := meanings_of(finder, word))][:NOUNS]
    codes = sorted({code for some in meanings for code in some})
    place = {code: i for i, code in enumerate(codes)}
    similar = lin_similarities(tax, codes)
    rows = [[place[code] for code in some] for some in meanings]
    pairs = [max(similar[a, b] for a in one for b in other) for one, other in combinations(rows, 2)]
    return float(sum(pairs) / len(pairs))


def _seen(tax: Taxonomy, word: str) -> int:
    key = tax.keys.find(word)
    return int(tax.sense_count[tax.sense_start[key] : tax.sense_start[key + 1]].max()) if key >= 0 else 0


def main() -> None:
    finder = Finder(load("wordnet"))
    gold = tomllib.loads(GOLD.read_text("utf-8"))
    for half, kinds in gold.items():
        found = {
            kind: {name: coherence(finder, values) for name, values in some.items()} for kind, some in kinds.items()
        }
        for kind, columns in found.items():
            print(f"\n{half}, {kind}: column, coherence, share of words")
            for name, (value, words) in sorted(columns.items(), key=lambda item: -item[1][0]):
                print(f"  {name:20} {value:6.2f} {words:5.2f}")
        print(f"\n{half}: threshold, columns of words kept, others refused")
        for least in (*THRESHOLDS, None):
            kept, other = (
                [
                    value >= (least_coherence(kinds[kind][name]) if least is None else least) and words >= ENOUGH
                    for name, (value, words) in found[kind].items()
                ]
                for kind in ("words", "other")
            )
            shown = "as it is" if least is None else f"{least:.2f}"
            print(f"  {shown:8}  {sum(kept)} of {len(kept)}  {len(other) - sum(other)} of {len(other)}")
    print(f"\nrandom nouns: {', '.join(f'{random_similarity(finder, seed):.3f}' for seed in range(5))}")


if __name__ == "__main__":
    main()
