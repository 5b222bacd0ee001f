"""Statistics of values that have a meaning but no order: the mean and the variance of concepts.

A column's values live in a domain: all concepts under a category. The mean is the concept of the domain that is least
far from all values together, the variance how far they are from it [RodriguezGarcia2015, §III]. Definitions first;
`marginalities` is the fast twin that `statistics` uses. It works on how often each concept occurs, so that a million
values cost no more than their distinct ones.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import fsum

import numpy as np

from taxonym.distance.matrix import concept_distances
from taxonym.distance.registry import content_for, distance_named
from taxonym.errors import BadPlan, UnknownConcept
from taxonym.knowledge.arrays import Floats, Ints, Long, Mask
from taxonym.knowledge.content import content as content_of
from taxonym.knowledge.runs import frozen
from taxonym.knowledge.taxonomy import Taxonomy

# Distances are rounded to this many steps: what differs in its last digits only is a tie. Kernels are compiled with it,
# so this file names taxonym.jit, which makes it part of what their cache depends on.
GRID = 1 << 40
TIE = 1e-9  # sums of distances that differ by less than this per value are a tie
CELLS = 1 << 22  # distances held at a time
WIDE = 1 << 26  # a table of counts larger than this is not made


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Domain:
    """The concepts a column's values may be, and may be replaced by [RodriguezGarcia2015, def. 1-2].

    `tax` is the part of a taxonomy below the category, which has depth 1 there; `outer` are the codes of its concepts
    in the whole taxonomy, `inner` the way back (-1 outside). `candidates` are those of its codes that may be the mean
    or a replacement: all but instances, so that no named person is published for another. A value may be an instance.
    """

    tax: Taxonomy
    outer: Ints
    inner: Ints
    candidates: Ints
    measure: str
    content: str | Floats

    @classmethod
    def of(
        cls, tax: Taxonomy, category: int | None = None, measure: str = "wu-palmer", content: str | Floats = "seco"
    ) -> "Domain":
        """The domain under a concept (its code), or the whole of a hierarchy that was made for the column.

        `content` is what resnik, lin and jiang-conrath use: a name, or one number for every concept of `tax`.
        """
        informed = distance_named(measure).informed
        if informed and not isinstance(content, str):
            content = content_of(tax, content)
        part = tax if category is None else tax.under(category)
        code_of = {id: code for code, id in enumerate(tax.ids)} if category is not None else {}
        outer = np.array([code_of[id] for id in part.ids]) if category is not None else np.arange(len(tax))
        inner = np.full(len(tax), -1)
        inner[outer] = np.arange(len(part))
        candidates = np.flatnonzero(part.instance == 0)
        if not len(candidates):
            raise BadPlan(
                f"{part.name}: every concept is an instance, so there is nothing to publish. Widen the category."
            )
        if informed:  # once for all
            content = content_of(part, content) if isinstance(content, str) else content[outer]
        return cls(part, frozen(outer), frozen(inner), frozen(candidates), measure, content)

    def __repr__(self) -> str:
        return f"<Domain {self.tax.name!r}: {len(self.candidates):,} concepts by {self.measure}>"

    def __len__(self) -> int:
        return len(self.candidates)

    def inside(self, codes: Iterable[int]) -> Ints:
        """Codes of the whole taxonomy as codes of the domain, or one clear complaint."""
        given = np.asarray(codes if isinstance(codes, np.ndarray) else list(codes))
        if given.ndim != 1 or (len(given) and given.dtype.kind not in "iu"):
            raise UnknownConcept(f"{self.tax.name}: codes must be a flat list of whole numbers.")
        known = (given >= 0) & (given < len(self.inner))
        found = np.full(len(given), -1)
        found[known] = self.inner[given[known].astype(np.int64)]
        if (found < 0).any():
            raise UnknownConcept(
                f"{self.tax.name}: {int((found < 0).sum()):,} values are no concepts of this domain (first at position "
                f"{int(np.argmax(found < 0))}). Choose a wider category, or leave these values out."
            )
        return frozen(found)

    def distances(self, a: Iterable[int], b: Iterable[int]) -> Floats:
        """Distances between codes of the domain, rounded to a grid of 2^-40.

        Columns are what takes preparation, so that a single row is found as a column: distances are symmetric.
        """
        rows, columns = (x if isinstance(x, np.ndarray) else np.array(list(x), np.int64) for x in (a, b))
        if len(rows) == 1 < len(columns):
            found = concept_distances(self.tax, columns, rows, self.measure, content=self.content).reshape(1, -1)
        else:
            found = concept_distances(self.tax, rows, columns, self.measure, content=self.content)
        found *= GRID
        np.rint(found, out=found)
        found /= GRID
        return found

    def distance(self, a: int, b: int) -> float:
        """The same for two codes, by the definition."""
        chosen = distance_named(self.measure)
        apart = chosen.define(self.tax, a, b, content_for(chosen, self.tax, self.content))
        return round(apart * GRID) / GRID


@dataclass(frozen=True, slots=True)
class Statistics:
    """What noise needs to know of a column; `mean` is a code of the domain. Enough to mask one record at a time."""

    mean: int
    variance: float
    values: int


# ---------------------------------------------------------------------- the definitions


def marginality(domain: Domain, c: int, values: Iterable[int]) -> float:
    """How far a concept is from all values together [RodriguezGarcia2015, eq. 11].

    m(c, X) = Σ_i d(c, x_i)
    """
    return fsum(domain.distance(c, x) for x in values)


def mean(domain: Domain, values: Iterable[int]) -> int:
    """The concept of the domain, used or not, that is least far from all values [RodriguezGarcia2015, eq. 10].

        mean = argmin_c m(c, X)

    Ties, which the paper leaves open: the lowest code of the whole taxonomy.
    """
    every = list(values)
    sums = {c: marginality(domain, c, every) for c in domain.candidates.tolist()}
    least = min(sums.values()) + TIE * len(every)
    return min((int(domain.outer[c]), int(c)) for c in sums if sums[c] <= least)[1]


def variance(domain: Domain, values: Iterable[int], mean: int) -> float:
    """The mean of the squared distances to the mean [RodriguezGarcia2015, eq. 12].

    variance = Σ_i d(x_i, mean)² / n
    """
    every = list(values)
    return fsum(domain.distance(x, mean) ** 2 for x in every) / len(every)


# ---------------------------------------------------------------------- their fast twins

# Distances of a and b by the sizes of both (depths, or numbers of ancestors) and of what they share, where the
# ancestors of a form a chain: then what they share is the upper part of that chain, and its depth is its size.
GROUPED: dict[str, Callable[[Floats, Floats, int], Floats]] = {
    "wu-palmer": lambda a, b, shared: 1 - 2 * shared / (a + b),
    "jaccard": lambda a, b, shared: 1 - shared / (a + b - shared),
    "log": lambda a, b, shared: np.log2(2 - shared / (a + b - shared)),
}


def marginalities(domain: Domain, counts: Long) -> Floats:
    """m(c, X) of every candidate, given how often each code of the domain occurs in X.

    A concept whose ancestors form a chain (seven of eight in WordNet) needs no distances under wu-palmer, jaccard and
    log. Let H(t, h) be the number of values of size h below t, each once however many ways lead up. The values that
    share exactly j ancestors with c are those below the j-th concept of its chain and not below the next, so that

        m(c, X) = n + Σ_j Σ_h H(t_j, h) (f(|c|, h, j) - f(|c|, h, j - 1))

    with f the distance by sizes. All other concepts are compared with the distinct values, block by block.
    """
    out = np.zeros(len(domain.candidates))
    if not counts.any():
        return out
    grouped = _by_chains(domain, counts, out)
    rest = np.flatnonzero(~grouped)
    used = np.flatnonzero(counts)
    step = max(1, CELLS // len(used))
    for first in range(0, len(rest), step):
        some = rest[first : first + step]
        out[some] = domain.distances(domain.candidates[some], used) @ counts[used]
    return out


def _by_chains(domain: Domain, counts: Long, out: Floats) -> Mask:
    """Fill in what grouping can tell, and say for which candidates it could."""
    tax, f = domain.tax, GROUPED.get(domain.measure)
    above = np.diff(tax.ancestor_start)
    size = tax.depths if domain.measure == "wu-palmer" else above
    width = int(size.max()) + 1
    if f is None or width * len(tax) > WIDE:
        return np.zeros(len(out), np.bool_)
    several = np.diff(tax.parent_start) > 1
    chain: Mask = (np.add.reduceat(several[tax.ancestor], tax.ancestor_start[:-1]) == 0)[domain.candidates]
    weight, owner = np.repeat(counts, above), np.repeat(size, above)
    below = np.bincount(tax.ancestor.astype(np.int64) * width + owner, weight, len(tax) * width).reshape(-1, width)
    codes, sums = domain.candidates[chain], np.full(int(chain.sum()), float(counts.sum()))
    own, other = (np.arange(width, dtype=np.float64)[shape] for shape in (np.s_[:, None], np.s_[None, :]))
    for shared in range(1, int(above[codes].max(initial=0)) + 1):
        deep = np.flatnonzero(above[codes] >= shared)
        t = tax.ancestor[tax.ancestor_start[codes[deep]] + shared - 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = f(own, other, shared) - (f(own, other, shared - 1) if shared > 1 else 1)
        gain[:shared, :] = gain[:, :shared] = 0  # nothing so small can share so much
        sums[deep] += np.einsum("ij,ij->i", below[t], gain[size[codes[deep]]])
    out[chain] = sums
    return chain


def statistics(domain: Domain, values: Ints) -> Statistics:
    """Mean and variance of codes of the domain. No values: nothing to say, which is an error."""
    if not len(values):
        raise BadPlan(f"{domain.tax.name}: a column without values has no mean.")
    counts = np.bincount(values, minlength=len(domain.tax))
    sums = marginalities(domain, counts)
    tied = domain.candidates[sums <= sums.min() + TIE * len(values)]
    middle = int(tied[domain.outer[tied].argmin()])
    used = np.flatnonzero(counts)
    apart = domain.distances(used, [middle])[:, 0]
    return Statistics(middle, float(apart**2 @ counts[used] / len(values)), len(values))


# ---------------------------------------------------------------------- by codes of the whole taxonomy


def nominal_mean(
    tax: Taxonomy,
    codes: Iterable[int],
    *,
    category: int | None = None,
    measure: str = "wu-palmer",
    content: str | Floats = "seco",
) -> int:
    """The concept under `category` that is least far from all values (codes) together; it need not be one of them."""
    domain = Domain.of(tax, category, measure, content)
    return int(domain.outer[statistics(domain, domain.inside(codes)).mean])


def nominal_variance(
    tax: Taxonomy,
    codes: Iterable[int],
    *,
    category: int | None = None,
    measure: str = "wu-palmer",
    content: str | Floats = "seco",
) -> float:
    """The mean squared distance of the values (codes) to their mean, from 0 (all the same) to 1."""
    domain = Domain.of(tax, category, measure, content)
    return statistics(domain, domain.inside(codes)).variance
