"""Do our distances agree with what people say about how similar words are?

    python bench/word_similarity.py [FOLDER]

FOLDER holds the public sets EN-*.txt (word, word, score); it defaults to the one shared beside the checkout. Two words
are as close as their closest noun senses; correlated are 1 - distance and the human score, over the pairs whose words
are both nouns of WordNet 3.0.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from common import section, table
from numpy.typing import NDArray

import taxonym
from taxonym.distance.registry import DISTANCES
from taxonym.knowledge.content import CONTENTS

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "wordsim"
FIRST = ("RG-65", "MC-30")
FEWEST = 30  # pairs that a set must have left
SHARE = 0.5  # and this part of all its pairs, which leaves out the sets of verbs and rare words
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rated:
    """Word pairs that people rated, as far as both words are known."""

    name: str
    pairs: list[tuple[str, str]]
    scores: Floats
    of: int


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    wordnet = taxonym.load("wordnet")
    nouns = wordnet.under(wordnet.code("entity.n.01"))
    sets = [rated for path in sorted(folder.glob("EN-*.txt")) if (rated := read(path, nouns))]
    sets.sort(key=lambda rated: (FIRST.index(rated.name) if rated.name in FIRST else len(FIRST), len(rated.pairs)))
    found = correlations(nouns, sets)
    whole = correlations(wordnet, sets)
    head = ["measure", "content", *(f"{r.name} ({len(r.pairs)}/{r.of})" for r in sets)]
    rows = [[*which, *map(shown, values)] for which, values in found.items()]
    differ = [
        [*which, *map(shown, whole[which])]
        for which in found
        if not np.allclose(found[which], whole[which], atol=5e-4, equal_nan=True)
    ]
    lin = {rated.name: found["lin", "seco"][i][0] for i, rated in enumerate(sets)}
    section(
        "word_similarity",
        "Agreement with people on word similarity",
        "python bench/word_similarity.py",
        [
            "Pearson / Spearman of 1 - distance with the human scores; closest noun senses; WordNet 3.0 nouns (below "
            "entity.n.01). In brackets: pairs with both words known, of all.",
            table(head, rows),
            f"Lin with Seco's content was expected at about .86 on RG-65 and .84 on MC-30: {lin['RG-65']:.3f} and "
            f"{lin['MC-30']:.3f}.",
            "The same noun senses in the whole of WordNet, nouns and verbs, where that changes a figure by more than "
            ".0005:" + ("" if differ else " nowhere."),
            *([table(head, differ)] if differ else []),
        ],
        packages=["numpy"],
    )


def read(path: Path, nouns: taxonym.Taxonomy) -> Rated | None:
    """The set in a file, unless too little of it is about nouns."""
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    known = [(a, b, float(score)) for a, b, score in lines if nouns.codes(a) and nouns.codes(b)]
    if len(known) < FEWEST or len(known) < SHARE * len(lines):
        return None
    scores = np.array([score for _, _, score in known])
    return Rated(path.stem.removeprefix("EN-"), [(a, b) for a, b, _ in known], scores, len(lines))


def correlations(tax: taxonym.Taxonomy, sets: list[Rated]) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """Pearson and Spearman for every measure and content, one pair of figures per set."""
    root = tax.code("entity.n.01")
    words = sorted({word for rated in sets for pair in rated.pairs for word in pair})
    senses = {word: [c for c in tax.codes(word) if root in tax.ancestors(c)] for word in words}
    codes = sorted({code for found in senses.values() for code in found})
    at = {code: i for i, code in enumerate(codes)}
    rows = {word: [at[code] for code in found] for word, found in senses.items()}
    contents = {name: content.define(tax) for name, content in CONTENTS.items()}
    result = {}
    for measure, distance in DISTANCES.items():
        for name in contents if distance.informed else ("",):
            d = taxonym.concept_distances(tax, codes, codes, measure, content=contents.get(name, "seco"))
            result[measure, name] = [
                agreement(np.array([1 - d[np.ix_(rows[a], rows[b])].min() for a, b in rated.pairs]), rated.scores)
                for rated in sets
            ]
    return result


def shown(values: tuple[float, float]) -> str:
    """Both figures, or a dash where all pairs have the same distance."""
    return "–" if np.isnan(values[0]) else "{:.3f} / {:.3f}".format(*values)


def agreement(x: Floats, y: Floats) -> tuple[float, float]:
    return pearson(x, y), pearson(ranks(x), ranks(y))


def pearson(x: Floats, y: Floats) -> float:
    x, y = x - x.mean(), y - y.mean()
    spread = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / spread if spread else float("nan")


def ranks(values: Floats) -> Floats:
    """Ranks from 1; equal values share the mean of theirs. Values apart by rounding alone count as equal."""
    _, which, count = np.unique(values.round(12), return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return (last - (count - 1) / 2)[which]


if __name__ == "__main__":
    main()
