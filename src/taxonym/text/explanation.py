"""Why a term of a column means a concept: how its label was found, and which of how many senses that is."""

from typing import Any, NamedTuple

from taxonym.text.finder import Finder
from taxonym.text.lookup import plain


class Explanation(NamedTuple):
    """How a term became a concept, in words, and all concepts that its label may mean, the most usual first."""

    why: str
    senses: list[int]


def explain(finder: Finder, term: str, code: int) -> Explanation:
    """The way from a term to the concept that it was taken for, whatever else its record or column had to say."""
    own: Any = finder.options["overrides"]
    if plain(term) in {plain(one) for one in own or ()}:
        return Explanation("override", [code])
    choice = finder.whole_choice(term)
    if choice is not None and code in choice.codes:
        exact = any(term.lower() == label.lower() for label in finder.taxonomy.labels(code))
        return _chosen("exact label" if exact else "form of the label", choice.codes, code)
    reading = finder.read(term)
    for mention, choice in zip(finder.find(term), finder.choices(reading), strict=True):
        if code in choice.codes:
            how = mention.why.partition(";")[0] if ";" in mention.why else mention.why
            if plain(mention.term) != plain(term):
                how = f"'{mention.term}' in it: {how}"
            return _chosen(how, choice.codes, code)
    return Explanation("id" if finder.taxonomy.id(code) == term else "as a whole", [code])


def _chosen(how: str, senses: list[int], code: int) -> Explanation:
    n = len(senses)
    which = "only sense" if n == 1 else f"sense {senses.index(code) + 1} of {n}"
    return Explanation(f"{how}; {which}", senses)
