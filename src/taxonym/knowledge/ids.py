"""Which concept an id means, in all the ways in which people write ids.

As the source writes it; as another name of it (an older or merged id, an ICD code without its dot); in small letters or
capitals; and in a WordNet by any of the words of a synset, with the number of that word's sense: protector.n.01 is
defender.n.01.
"""

import re
from typing import TYPE_CHECKING

from taxonym.knowledge.strings import fold

if TYPE_CHECKING:
    from taxonym.knowledge.taxonomy import Taxonomy

_SENSE = re.compile(r"(.+)\.([nvasr])\.(\d{1,3})", re.DOTALL)
_DIGIT = re.compile(r"\d")


def find_id(tax: "Taxonomy", text: str) -> int:
    """The concept that an id means, or -1."""
    found = _exactly(tax, text)
    if found >= 0 or not _DIGIT.search(
        text
    ):  # what has no digit is a word: whatever its case, it is found by its label
        return found
    for form in dict.fromkeys((text.strip(), text.strip().upper(), text.strip().lower())):
        if form != text and (found := _exactly(tax, form)) >= 0:
            return found
    return _by_sense(tax, text.strip().lower()) if len(tax.sense_number) else -1


def _exactly(tax: "Taxonomy", id: str) -> int:
    i = tax.ids.find(id, tax.id_order)
    if i >= 0:
        return i
    i = tax.aliases.find(id)
    return int(tax.alias_code[i]) if i >= 0 else -1


def _by_sense(tax: "Taxonomy", id: str) -> int:
    """A synset by one of its words, the part of speech, and which sense of the word it is."""
    told = _SENSE.fullmatch(id)
    key = tax.keys.find(fold(told[1])) if told else -1
    if told is None or key < 0:
        return -1
    first, last = int(tax.sense_start[key]), int(tax.sense_start[key + 1])
    part, number = f".{told[2]}.", int(told[3])
    for code, sense in zip(tax.sense[first:last].tolist(), tax.sense_number[first:last].tolist(), strict=True):
        if sense == number and part in tax.ids[code][-6:]:
            return int(code)
    return -1
