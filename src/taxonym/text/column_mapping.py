"""The mapping of a text, and of a column: what each of its values means there."""

from collections.abc import Hashable, Sequence
from typing import Any

from taxonym.errors import BadInput, BadPlan
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.codes import codes_among
from taxonym.text.finder import Finder
from taxonym.text.lookup import Mention
from taxonym.text.record_terms import RecordTerms
from taxonym.text.terms import TextTerms
from taxonym.text.votes import learn_column


def map_text(tax: Taxonomy | Sequence[Taxonomy], text: str, **options: Any) -> list[Mention]:
    """The concepts that a text mentions; the options are those of Finder. For many texts make a Finder once."""
    if not isinstance(text, str):
        raise BadInput(f"text: must be a text, not a {type(text).__name__}.")
    return Finder(tax, **options).find(text)


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
    if isinstance(values, str):
        raise BadInput("values: are the values of a column, not one text. For a text there is map_text.")
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
    found: list[list[int]] = []

    def add(said: TextTerms) -> int:
        found.append(sorted({code for _, code in said.known}))
        return len(found) - 1

    numbers = RecordTerms(finder, add, entries=True).numbers(distinct)
    return {value: [] if value in codes else found[n] for value, n in zip(distinct, numbers, strict=True)}


def _codes(finder: Finder, distinct: Sequence[str]) -> set[str]:
    """The values that are no words. The labels of a taxonomy that is not one of words may be anything."""
    if not finder.has_words:
        return set()
    found = codes_among(distinct, lambda value: finder.whole_choice(value) is not None)
    return {value for value in found if finder.own(value) is None}
