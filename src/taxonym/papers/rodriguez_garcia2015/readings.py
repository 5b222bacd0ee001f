"""Which concepts the terms of [RodriguezGarcia2015, §IV] stand for: the paper does not say, so all readings are tried.

Every sense of a term that lies under `person` is one; for farmer also the agricultural labourer, who works with his
hands as the others of the sample do. Sums of distances add up over the terms, so that trying all of them is quick.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.measure.nominal import TIE, Domain, marginalities
from taxonym.papers.rodriguez_garcia2015 import printed

MORE = {"farmer": ["agricultural_laborer.n.01"]}


@dataclass(frozen=True, slots=True)
class PaperReadings:
    """How many readings there are, and which of them give the mean and the variance that are printed."""

    tried: int
    occupation: list[tuple[str, ...]]  # by the ids of all terms
    sample: int
    both: list[tuple[str, ...]]


def readings(tax: Taxonomy, domain: Domain) -> PaperReadings:
    """All readings of the 14 terms, against what is printed of all records and of the sample of 100."""
    terms = [term for _, term, _ in printed.OCCUPATIONS]
    senses = [_senses(tax, domain, term) for term in terms]
    every = sorted({code for codes in senses for code in codes})
    sums = {code: marginalities(domain, np.bincount([code], minlength=len(domain.tax))) for code in every}
    found = {
        name: _fitting(domain, terms, senses, sums, counts, printed.STATISTICS[name])
        for name, counts in (("occupation", {t: n for _, t, n in printed.OCCUPATIONS}), ("sample", printed.SAMPLE))
    }
    ids = [tuple(domain.tax.id(code) for code in reading) for reading in found["occupation"]]
    both = [tuple(domain.tax.id(c) for c in reading) for reading in found["occupation"] if reading in found["sample"]]
    return PaperReadings(int(np.prod([len(codes) for codes in senses])), ids, len(found["sample"]), both)


def _senses(tax: Taxonomy, domain: Domain, term: str) -> list[int]:
    codes = [*tax.codes(term), *(tax.code(id) for id in MORE.get(term, ()))]
    return [int(domain.inner[code]) for code in codes if domain.inner[code] >= 0 and not tax.is_instance(code)]


def _fitting(
    domain: Domain,
    terms: list[str],
    senses: list[list[int]],
    sums: dict[int, np.ndarray],
    counts: dict[str, int],
    wanted: tuple[str, float],
) -> set[tuple[int, ...]]:
    """The readings whose mean and variance are the wanted ones, to the digits printed."""
    n, found, known = sum(counts.values()), set(), dict[tuple[int, ...], bool]()
    used = [i for i, term in enumerate(terms) if term in counts]
    for reading in product(*senses):
        key = tuple(reading[i] for i in used)
        if key not in known:
            total = sum(counts[terms[i]] * sums[reading[i]] for i in used)
            tied = domain.candidates[total <= np.min(total) + TIE * n]
            mean = int(tied[domain.outer[tied].argmin()])
            apart = domain.distances(list(key), [mean])[:, 0]
            variance = float(sum(counts[terms[i]] * d**2 for i, d in zip(used, apart.tolist(), strict=True)) / n)
            known[key] = (domain.tax.label(mean), round(variance, 2)) == wanted
        if known[key]:
            found.add(reading)
    return found
