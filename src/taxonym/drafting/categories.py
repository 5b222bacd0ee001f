"""The concept below which all words of a column lie, each in one of its meanings: occupations are persons.

With it as the plan's category no word of the column is taken for anything else.
"""

from collections.abc import Sequence

import numpy as np

from taxonym.drafting.coherence import meanings_of
from taxonym.knowledge.content import seco
from taxonym.knowledge.floor import says_nothing
from taxonym.text.finder import Finder

_FEWEST = 8  # words that all lie below one concept by more than chance


def category_of(finder: Finder, values: Sequence[str]) -> str | None:
    """The most special concept of which every known value has a meaning; None if that says nothing."""
    tax = finder.taxonomy
    known = [codes for value in dict.fromkeys(values) if (codes := meanings_of(finder, value))]
    if len(known) < _FEWEST:
        return None
    common: set[int] | None = None
    for codes in known:
        above = {int(code) for sense in codes for code in tax.ancestors(sense)}
        common = above if common is None else common & above
        if not common:
            return None
    empty, content = says_nothing(tax), np.asarray(seco(tax))
    told = [code for code in common or () if not empty[code]]
    return tax.id(max(told, key=lambda code: (content[code], -code))) if told else None
