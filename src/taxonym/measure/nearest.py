"""Which class a document belongs to, by the nearest class, and which documents are near: what a simple learner and a
search find in vectors of concepts.

Every concept of a vector also counts for what lies above it, the less the more general that is (by its information
content), so that a generalised vector still points where the original did. Two documents are as alike as the angle
between these features is small, and a class is the sum of its documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from taxonym.distance.vectors import Vectors
from taxonym.knowledge.arrays import Floats
from taxonym.knowledge.content import content


def features(x: Vectors, ic: Floats | None = None) -> Any:
    """One row of length 1 per document, one column per concept of the taxonomy (sparse).

        f(i, t) = IC(t) · Σ over terms c of document i, t being c or above it, of w(i, c)

    Of a term that may mean several concepts the most usual one counts.
    """
    tax = x.senses.tax
    ic = content(tax) if ic is None else ic
    code = x.senses.codes[x.senses.start[x.terms.codes]]
    which, at = tax.above(code)
    above = tax.ancestor[at]
    made = sparse.csr_array((x.weight[which] * ic[above], (x.terms.owner[which], above)), shape=(len(x), len(tax)))
    return _unit(made)


def _unit(made: Any) -> Any:
    length = np.sqrt(np.asarray(made.multiply(made).sum(axis=1)).ravel())
    return sparse.diags_array(1 / np.where(length > 0, length, 1)) @ made


def nearest_class(train: Any, labels: Sequence[str], test: Any) -> list[str]:
    """The class of each row of `test` that its features are nearest to; ties: the first by name."""
    names = sorted(set(labels))
    place = {name: i for i, name in enumerate(names)}
    rows = np.array([place[label] for label in labels])
    member = sparse.csr_array((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(len(names), len(rows)))
    alike = (test @ _unit(member @ train).T).toarray().round(12)
    return [names[i] for i in alike.argmax(axis=1).tolist()]


def neighbours_kept(original: Any, other: Any, n: int) -> float:
    """Of the n rows that are nearest to a row of `original`, the share that are among the n nearest in `other`: the
    mean over rows, where equally near ones share the places that are left."""
    kept: Floats = (_share_nearest(original, n) * _share_nearest(other, n)).sum(axis=1) / n
    return float(kept.mean())


def _share_nearest(rows: Any, n: int) -> Floats:
    """How likely each row is among the n nearest of each, if it is drawn who comes first of equally near ones."""
    alike: Floats = (rows @ rows.T).toarray().round(12)
    np.fill_diagonal(alike, -1)
    cut = -np.partition(-alike, n - 1, axis=1)[:, n - 1 : n]
    above, equal = alike > cut, alike == cut
    np.fill_diagonal(equal, False)
    room = (n - above.sum(axis=1)) / np.maximum(1, equal.sum(axis=1))
    found: Floats = above + equal * room[:, None]
    return found


@dataclass(frozen=True, slots=True)
class ClassificationScore:
    """How many were classified as they are: of all (accuracy), and the mean over classes of the F measure."""

    accuracy: float
    macro_f: float

    @classmethod
    def of(cls, true: Sequence[str], found: Sequence[str]) -> "ClassificationScore":
        pairs = list(zip(true, found, strict=True))
        scores = []
        for name in sorted(set(true)):
            hit = sum(t == f == name for t, f in pairs)
            said, there = sum(f == name for _, f in pairs), sum(t == name for t, _ in pairs)
            scores.append(2 * hit / (said + there))
        return cls(sum(t == f for t, f in pairs) / max(1, len(pairs)), float(np.mean(scores)) if scores else 0.0)
