"""How often suggestions for unknown words are right: python bench/suggestions.py

Spelling: words of WordNet that were seen in use are misspelt by one or two random edits; how often the nearest label is
the word, by edits and letters. Vectors: a label of a concept that has others is taken for unknown, and out of what is
known about its concept; how often the nearest concept is that one, by the score. Figures: results/suggestions.md.
"""

import random
from collections import defaultdict

import numpy as np

import taxonym
from taxonym import Taxonomy
from taxonym.knowledge.runs import edges
from taxonym.text.glosses import GlossVectors, sense_text
from taxonym.text.lookup import verbs_of
from taxonym.text.spelling import SHORTEST, Speller, distance
from taxonym.text.word_vectors import UNIT, WordVectors, word_vectors

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS, LABELS, NEAREST = 6_000, 4_000, 60


def misspelt(word: str, draw: random.Random) -> str:
    """One random edit: a letter left out, put in, replaced, or swapped with the next."""
    i, letter = draw.randrange(len(word)), draw.choice(LETTERS)
    left, right = word[:i], word[i + 1 :]
    return draw.choice(
        [left + right, left + letter + word[i:], left + letter + right, left + right[:1] + word[i] + right[1:]]
    )


def spelling(tax: Taxonomy, draw: random.Random) -> None:
    seen = {key: sum(tax.counts(key)) for key in tax.keys if key.isascii() and key.isalpha()}
    speller = Speller(seen, 2, seen.__getitem__)
    used = [key for key, times in seen.items() if times and len(key) >= SHORTEST]
    tried, right = defaultdict[tuple[int, int], int](int), defaultdict[tuple[int, int], int](int)
    for word in draw.sample(used, WORDS):
        for edits in (1, 2):
            wrong = misspelt(word, draw) if edits == 1 else misspelt(misspelt(word, draw), draw)
            found = None if wrong in seen or len(wrong) < SHORTEST else speller.correct(wrong)
            if found is not None:
                at = distance(wrong, found), min(len(wrong), 12)
                tried[at] += 1
                right[at] += found == word
    for edits in (1, 2):
        print(f"{edits} edits  ", *(f"{n:>5}" for n in range(SHORTEST, 13)), sep=" ")
        print(
            "  right   ", *(f"{right[edits, n] / max(1, tried[edits, n]):5.2f}" for n in range(SHORTEST, 13)), sep=" "
        )
        print("  of      ", *(f"{tried[edits, n]:5}" for n in range(SHORTEST, 13)), sep=" ")


def directions(vectors: WordVectors, texts: list[str]) -> np.ndarray:
    words = [vectors.numbers(text) for text in texts]
    flat = np.array([word for some in words for word in some], np.int64)
    return vectors.directions(vectors.sums(flat, edges(np.array([*map(len, words)], np.int64))))


def meaning(tax: Taxonomy, draw: random.Random) -> None:
    vectors = word_vectors()
    nouns = np.flatnonzero(~verbs_of(tax)[0])
    labels, glosses = directions(vectors, [tax.label(int(code)) for code in nouns]), GlossVectors(tax, vectors)
    several = [int(code) for code in nouns if len(tax.labels(int(code))) > 1]
    tried, right = defaultdict[float, int](int), defaultdict[float, int](int)
    for code in draw.sample(several, LABELS):
        term = draw.choice(tax.labels(code)[1:])
        words = term.lower().split()
        known = sum(bool(vectors.numbers(word)) for word in words)
        if not known or len(tax.codes(term.lower())) > 1:
            continue
        asked = directions(vectors, [term])[0] / UNIT**2
        by_label = labels @ asked
        top = np.argsort(-by_label, kind="stable")[:NEAREST]
        by_gloss = glosses.rows(glosses.places(nouns[top].tolist())) @ asked
        at = np.flatnonzero(nouns[top] == code)
        if len(at):
            without = sense_text(tax, code).replace(f"; {term};", ";")
            by_gloss[at[0]] = directions(vectors, [without])[0] @ asked
        score = (by_label[top] + by_gloss) / 2 * (known / len(words))
        best = int(np.argmax(score))
        bin_ = int(float(score[best]) * 20) / 20
        tried[bin_] += 1
        right[bin_] += int(nouns[top[best]]) == code
    for least in sorted(tried):
        print(f"score from {least:.2f}: right {right[least] / tried[least]:.2f} of {tried[least]}")


if __name__ == "__main__":
    wordnet = taxonym.load("wordnet")
    spelling(wordnet, random.Random(1))
    meaning(wordnet, random.Random(2))
