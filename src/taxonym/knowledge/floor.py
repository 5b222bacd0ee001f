"""The information floor: concepts that say nothing are not published.

Of any taxonomy these are the root and its only children: everything lies below them. Of WordNet, whose upper part is
deep, also what has less information content [Seco2004] than a plan's `least_content`, and a shipped list of upper
concepts: the content of `attribute` is larger than that of `person`, so that one number is wrong both ways.
"""

import tomllib
from functools import cache
from importlib.resources import files

import numpy as np

from taxonym.knowledge.arrays import Mask
from taxonym.knowledge.content import seco
from taxonym.knowledge.taxonomy import Taxonomy

LEAST_CONTENT = 0.3  # of WordNet's concepts, unless a plan says otherwise
_TOP = "entity.n.01"


def says_nothing(tax: Taxonomy, least: float | None = None) -> Mask:
    """Of every concept whether it says too little to be published.

    `least` is the content that concepts need, of all taxonomies; unless it is given, WordNet's need LEAST_CONTENT, and
    the lists of upper concepts count. What has nothing below it says something.
    """
    inner = ~tax.leaves
    mask = np.zeros(len(tax), np.bool_)
    tops = [root for root in tax.roots if not tax.instance[root]]  # values that are concepts by policy are roots, too
    while len(tops) == 1 and inner[tops[0]]:  # everything lies below it, or below its only child
        mask[tops[0]] = True
        tops = [code for code in tax.children(tops[0]) if code < tax.base]
    top = tax.ids.find(_TOP, tax.id_order)
    if least is not None:
        mask |= inner & (seco(tax) < least)
    elif top >= 0:
        own = np.zeros(len(tax), np.bool_)
        own[tax.descendants(top)] = True
        something, nothing = (_codes(tax, some) for some in _upper())
        mask |= own & inner & (seco(tax) < LEAST_CONTENT)
        mask[something] = False
        mask[nothing] = True
    return mask


def _codes(tax: Taxonomy, ids: tuple[str, ...]) -> list[int]:
    found = (tax.ids.find(id, tax.id_order) for id in ids)
    return [code for code in found if code >= 0]


@cache
def _upper() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """WordNet's upper concepts that say something although much lies below them, and those that say nothing."""
    lists = tomllib.loads((files("taxonym") / "knowledge" / "upper" / "wordnet.toml").read_text("utf-8"))
    return tuple(lists["say_something"]), tuple(lists["say_nothing"])
