"""The mapping of a column: what each of its values means there."""

from collections.abc import Hashable, Sequence
from typing import Any

from taxonym.errors import BadInput, BadPlan
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.bulk import CHUNK_TEXTS
from taxonym.text.codes import codes_among
from taxonym.text.finder import Finder
from taxonym.text.terms import terms_of
from taxonym.text.votes import learn_column


def map_column(
    tax: Taxonomy | Sequence[Taxonomy],
    values: Sequence[str | None],
    persons: Sequence[Hashable] | None = None,
    **options: Any,
) -> dict[str, list[int]]:
    """What every distinct value of a column means: its concepts, ascending; none for a value that is not known.

    `persons` says whose each value is (every value has its own unless given): a term counts once for each person who
    has it. Values are entries of a list, such as *recorder* or *snare drum*; None stands for a missing one. Numbers,
    dates, marks such as NA and columns of codes have no concepts in a taxonomy of words (text.codes), unless overrides
    name them. The options are those of Finder.
    """
    if persons is not None and len(persons) != len(values):
        raise BadPlan(f"persons: there are {len(persons)} for {len(values)} values. Give one for each.")
    if not all(value is None or isinstance(value, str) for value in values):
        raise BadInput("values: must be texts, or None where one is missing. Turn other values into text.")
    number: dict[Hashable, int] = {}
    whose = [number.setdefault(person, len(number)) for person in (range(len(values)) if persons is None else persons)]
    finder = Finder(tax, **options)
    distinct = list(dict.fromkeys(value for value in values if value is not None))
    codes = _codes(finder, distinct)
    cells = [[] if value is None or value in codes else [value] for value in values]
    finder = learn_column(finder, cells, whose, entries=True)
    size = 1 if finder.policy.record else CHUNK_TEXTS  # such a policy would take values together for one record
    found: dict[str, list[int]] = {}
    for some in (distinct[i : i + size] for i in range(0, len(distinct), size)):
        for value, terms in zip(some, terms_of(finder, some, entries=True), strict=True):
            found[value] = [] if value in codes else sorted({code for _, code in terms.known})
    return found


def _codes(finder: Finder, distinct: Sequence[str]) -> set[str]:
    """The values that are no words. The labels of a taxonomy that is not one of words may be anything."""
    if not finder.has_words:
        return set()
    found = codes_among(distinct, lambda value: finder.whole_choice(value) is not None)
    return {value for value in found if finder.own(value) is None}
