"""taxonym distance A B"""

import argparse

from taxonym.cli.shared import chosen_taxonomy, named, show_json
from taxonym.distance.registry import DISTANCES, concept_distance
from taxonym.errors import UnknownConcept
from taxonym.knowledge.taxonomy import Taxonomy


def run(options: argparse.Namespace) -> int:
    tax = chosen_taxonomy(options.taxonomy, options)
    measures = list(DISTANCES) if options.measure == "all" else [options.measure]
    meanings_a, meanings_b = (_meanings(tax, word, options.sense) for word in (options.a, options.b))
    pairs = [(a, b) for a in meanings_a for b in meanings_b]
    closest = {
        m: min((concept_distance(tax, a, b, m, content=options.content), a, b) for a, b in pairs) for m in measures
    }
    if options.json:
        results = [
            {"measure": m, "distance": d, "a": named(tax, a), "b": named(tax, b)} for m, (d, a, b) in closest.items()
        ]
        return show_json({"taxonomy": tax.name, **(results[0] if len(results) == 1 else {"results": results})})
    for measure, (d, a, b) in closest.items():
        print(f"{d:.4f}  {measure:<17} {tax.id(a)}  –  {tax.id(b)}")
    return 0


def _meanings(tax: Taxonomy, word: str, sense: str) -> list[int]:
    """The concept with this id, else the concepts with this label."""
    try:
        return [tax.code(word)]
    except UnknownConcept:
        codes = tax.codes(word)
        if not codes:
            raise UnknownConcept(
                f"{tax.name}: no concept has the id or label {word!r}. Look for it with 'taxonym concepts'."
            ) from None
        return codes if sense == "best" else codes[:1]
