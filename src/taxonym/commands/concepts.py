"""taxonym concepts TEXT…"""

import argparse

from taxonym.commands.shared import chosen_taxonomy, named, show_json, way_up


def run(options: argparse.Namespace) -> int:
    tax = chosen_taxonomy(options.taxonomy, options)
    found = {term: tax.codes(term) for term in options.text}
    if options.json:
        terms = [{"term": term, "concepts": [named(tax, code) for code in codes]} for term, codes in found.items()]
        return show_json({"taxonomy": tax.name, "terms": terms})
    for term, codes in found.items():
        print(term + ("" if codes else f": unknown to {tax.name}"))
        for code in codes:
            print(f"  {tax.id(code):<24} {', '.join(tax.labels(code))}")
            if options.explain:
                print(f"    {tax.gloss(code)}\n    {' < '.join(way_up(tax, code))}")
    return 0
