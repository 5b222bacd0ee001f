"""taxonym concepts --document FILE: the term vector of a document, as groups of documents compare it."""

import argparse
from pathlib import Path
from typing import Any

from taxonym.cli.shared import chosen_taxonomy, show_json
from taxonym.errors import BadPlan
from taxonym.plan import read_plan
from taxonym.plan.documents import Documents
from taxonym.shapes.documents.extract import text_of
from taxonym.shapes.documents.source import read_stop_words
from taxonym.text.vectors import count_terms, finder_for, term_vector


def run(options: argparse.Namespace) -> int:
    plan = read_plan(options.plan) if options.plan else None
    how = Documents() if plan is None else plan.shape
    if not isinstance(how, Documents):
        raise BadPlan(f"{options.plan}: is no plan for documents. Give it a table [documents], or leave --plan out.")
    named = tuple(options.taxonomy.split(",")) if options.taxonomy else how.taxonomy
    sources = named if plan is None else [plan.located(name) for name in named]
    parts = tuple(options.parts.split(",")) if options.parts else how.parts
    senses = options.senses or ("first" if how.senses == "column" else how.senses)  # one document has no column
    taxonomies = [chosen_taxonomy(source, options) for source in sources]
    finder = finder_for(taxonomies, senses, parts=parts, category=options.category or how.category)
    stop_words = read_stop_words(Path(plan.located(how.stop_words))) if plan and how.stop_words else frozenset()
    text = text_of(Path(options.document))
    found = count_terms(finder, text, senses, shortest=how.shortest, stop_words=stop_words)
    tax, vector = finder.taxonomy, term_vector(found.known, how.terms)
    rows: list[dict[str, Any]] = [
        {"concepts": [tax.id(c) for c in codes], "label": tax.label(codes[0]), "count": found.known[codes], "weight": w}
        for codes, w in vector
    ]
    unknown = sorted(found.unknown.items(), key=lambda item: (-item[1], item[0]))
    if options.json:
        return show_json({"document": options.document, "vector": rows, "unknown": dict(unknown)})
    for row in rows:
        print(f"  {row['weight']:.4f}  {row['count']:>5,}  {row['label']:<24} {', '.join(row['concepts'])}")
    print(
        f"{len(rows):,} of {len(found.known):,} terms; {sum(found.unknown.values()):,} words have no concept in "
        f"{tax.name}."
    )
    return 0
