"""From published concepts back to words: the synthetic record of a group [Batet2014, §3.2].

Each concept is printed as a term drawn from those that mean it in the whole data, every occurrence alike, so that the
mixture of words survives while nobody's wording does. What the paper leaves open is fixed here:

    who wrote it    a term needs at least k persons who wrote it; else a name of the concept itself is printed
    what it means   whatever is printed maps back to the concept; else it is not printed. So a word stands for one
                    concept, and where no label does, a label with a hint does (knowledge.names); ids are never printed
    instances       a concept that names one thing is printed by such a term only, never by its own name
    multiplicity    a set: each concept once, so each word once
    set size        that of the published concepts, the same for all members of the group
    order           shuffled, or sorted where nothing is drawn: it says nothing about anybody's record
    copies          one record for all members (promise "k"), or a draw for each (`per_record`, "k by concept")
    wording         one word for a concept wherever it stands (`alike`), unless a draw for each record is wanted
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

import numpy as np

from taxonym.errors import BadPlan, BrokenPromise
from taxonym.knowledge.arrays import Mask
from taxonym.knowledge.names import ConceptNames
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.records.terms import MapsTo, Terms
from taxonym.records.vocabulary import Vocabulary

WordColumn: TypeAlias = tuple[str, ...]


def name_of(tax: Taxonomy, code: int, maps_to: MapsTo) -> str | None:
    """The best name of a concept that maps back to it (knowledge.names); None for instances."""
    if tax.is_instance(code):
        return None
    if not isinstance(maps_to, Vocabulary):
        return _name_of(ConceptNames(tax), code, maps_to)
    if code >= len(maps_to.names.tax):  # a phrase of the column, which as many persons wrote as hold it
        return name if maps_to(name := tax.label(code)) == code else None
    if code not in maps_to.named:
        maps_to.named[code] = _name_of(maps_to.names, code, maps_to, maps_to.hints)
    return maps_to.named[code]


def _name_of(names: ConceptNames, code: int, maps_to: MapsTo, hints: bool = False) -> str | None:
    return next((name for name in names.candidates(code, hints) if maps_to(name) == code), None)


def one_name(tax: Taxonomy, code: int, terms: Terms, k: int, maps_to: MapsTo) -> str:
    """The word for a concept that is printed alike everywhere: the most frequent term that may be, or else its name."""
    fit = terms.drawable(code, k, maps_to)
    name = max(fit, key=lambda t: (t.occurrences, t.writers)).text if fit else name_of(tax, code, maps_to)
    if name is None:
        raise _unprintable(tax, code, k)
    return name


def printable(tax: Taxonomy, codes: Iterable[int], terms: Terms, k: int, maps_to: MapsTo) -> Mask:
    """Of every concept whether there is a word to print for it: see Rule. Others than `codes` get no."""
    mask = np.zeros(len(tax), np.bool_)
    for code in codes:
        mask[code] = name_of(tax, code, maps_to) is not None or bool(terms.drawable(code, k, maps_to))
    return mask


@dataclass(frozen=True, slots=True)
class Synthetic:
    """The words to publish: records[g][i] are those of the i-th member of group g.

    `drawn` words are terms of the data, `named` ones are names of concepts, counted once for each different record.
    """

    records: list[list[WordColumn]]
    promise: str
    drawn: int
    named: int


def synthesize(
    tax: Taxonomy,
    groups: Sequence[Sequence[int]],
    published: Sequence[Collection[int]],
    terms: Terms,
    k: int,
    maps_to: MapsTo,
    *,
    rng: np.random.Generator | None = None,
    per_record: bool = False,
    alike: bool = False,
) -> Synthetic:
    """Words for the concepts that each group (row numbers) publishes; see choices_for for `alike`.

    Randomness is the operating system's unless `rng` is given. Each group has a generator of its own, known by its
    lowest row, and rows are served in ascending order: neither the order of the groups nor that of the rows in them
    changes a word. k = 1 draws as the paper does, from all terms.
    """
    if len(groups) != len(published):
        raise BadPlan(f"{len(groups):,} groups need as many sets of concepts, not {len(published):,}.")
    codes = sorted(set().union(*published))
    choices = choices_for(tax, codes, terms, k, maps_to, alike=alike)
    return drawn(choices, groups, published, rng=rng, per_record=per_record)


@dataclass(frozen=True, slots=True)
class WordChoice:
    """The words for one concept: terms with running sums of their occurrences, or else its name."""

    texts: tuple[str, ...]
    sums: tuple[int, ...]
    name: str = ""

    def draw(self, rng: np.random.Generator) -> str:
        if not self.texts:
            return self.name
        return self.texts[bisect_right(self.sums, int(rng.integers(self.sums[-1])))]


def choices_for(
    tax: Taxonomy, codes: Iterable[int], terms: Terms, k: int, maps_to: MapsTo, *, alike: bool = False
) -> dict[int, WordChoice]:
    """The words for each of these concepts; one that no word stands for breaks the promise.

    With `alike`, a concept has one word wherever it stands: a draw for each group would divide a class after it was
    counted who owns how many of its rows.
    """
    found = {}
    for code in codes:
        if alike:
            found[code] = WordChoice((), (), one_name(tax, code, terms, k, maps_to))
            continue
        fit = terms.drawable(code, k, maps_to)
        name = "" if fit else name_of(tax, code, maps_to)
        if name is None:
            raise _unprintable(tax, code, k)
        found[code] = WordChoice(tuple(t.text for t in fit), tuple(accumulate(t.occurrences for t in fit)), name)
    return found


def drawn(
    choices: Mapping[int, WordChoice],
    groups: Sequence[Sequence[int]],
    published: Sequence[Collection[int]],
    *,
    rng: np.random.Generator | None = None,
    per_record: bool = False,
) -> Synthetic:
    """synthesize from the words that there are to choose from."""
    entropy = (np.random.default_rng() if rng is None else rng).integers(0, 1 << 32, 8, np.uint32)
    records: list[list[WordColumn]] = []
    from_terms = named = 0
    for rows, concepts in zip(groups, published, strict=True):
        chosen = [choices[code] for code in sorted(set(concepts))]
        if not per_record and not any(
            choice.texts for choice in chosen
        ):  # nothing is drawn, so that equal sets look so
            records.append([tuple(sorted(choice.name for choice in chosen))] * len(rows))
            named += len(chosen)
            continue
        own = np.random.default_rng(np.random.SeedSequence(entropy.tolist(), spawn_key=(min(rows, default=0),)))
        copies = len(rows) if per_record else 1
        made = [_record(chosen, own) for _ in range(copies)]
        at = np.argsort(np.argsort(rows)) if per_record else np.zeros(len(rows), np.int64)
        records.append([made[i] for i in at.tolist()])
        from_terms += copies * sum(bool(choice.texts) for choice in chosen)
        named += copies * sum(not choice.texts for choice in chosen)
    return Synthetic(records, "k by concept" if per_record else "k", from_terms, named)


def _unprintable(tax: Taxonomy, code: int, k: int) -> BrokenPromise:
    return BrokenPromise(
        f"{tax.name}: concept {code} has no word that may be printed: no label of it maps back to it, and no "
        f"term of {k} writers does. Give printable(…) to the rule that chooses what is published."
    )


def _record(choices: Sequence[WordChoice], rng: np.random.Generator) -> WordColumn:
    words = [choice.draw(rng) for choice in choices]
    return tuple(words[i] for i in rng.permutation(len(words)).tolist())
