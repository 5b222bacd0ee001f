"""What survives of the terms of documents.

What an author said are the terms of the author's vector: these are what a release of vectors is about. How much of a
document they cover is told elsewhere in the report.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from taxonym.knowledge.arrays import Groups
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.content import seco
from taxonym.knowledge.runs import Runs
from taxonym.measure.survival import SurvivalSums, fates, mean_content
from taxonym.methods.survival import DRAWS, ColumnSurvival, random_groups, shift_of
from taxonym.publish.vectors import Generalized
from taxonym.shapes.documents.read import Authors

if TYPE_CHECKING:
    from taxonym.shapes.documents import GroupVectors


def survival_of_vectors(
    authors: Authors,
    made: "GroupVectors",
    again: Callable[[Groups], list[Generalized]],
    rng: np.random.Generator,
) -> list[ColumnSurvival]:
    """What survives of the authors' vectors; `again` publishes for other groups. Nothing where pairs of terms decide
    what a term means: then nobody knows what was said."""
    x, tax = authors.vectors, authors.words.tax
    if len(x.senses.codes) != len(x.senses):
        return []
    said = ConceptSets.of_pairs(x.terms.owner, x.senses.codes[x.terms.codes], len(x), tax)
    content = seco(tax)
    mean, none = mean_content(said, content), np.zeros(len(x), np.int64)

    def sums(groups: Groups, shown: Runs) -> SurvivalSums:
        own = Runs.of(groups)
        record = own.codes.astype(np.int64)
        return SurvivalSums.of(fates(said, record, shown, own.owner, content), none[record], mean)

    by_lot = SurvivalSums()
    for _ in range(DRAWS):
        groups = random_groups(made.groups, none, rng)
        by_lot += sums(groups, Runs.of(_concepts(again(groups))))
    shown = ConceptSets.of(_concepts(made.vectors), tax)
    mine, members = sums(made.groups, shown), Runs.of(made.groups)
    out = np.setdiff1d(np.arange(len(x)), members.codes)
    gone = SurvivalSums.left_out(said.take(out), none[out], mean, content, np.zeros(len(out), np.bool_))
    unread = float(sum(authors.suppressed.values()))  # no word of theirs has a concept
    gone += SurvivalSums(records=unread, informed=unread, unmapped=unread)
    random = by_lot.times(mine.records / max(1.0, by_lot.records)) + gone
    shift = shift_of(said, shown.take(members.owner))
    return [ColumnSurvival("documents", tax.name, 1.0, mine + gone, random, shift)]


def _concepts(vectors: Sequence[Generalized]) -> list[list[int]]:
    return [sorted(code for code, _ in vector) for vector in vectors]
