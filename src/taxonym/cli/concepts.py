"""taxonym concepts TEXT… and taxonym concepts --file FILE --column NAME"""

import argparse
from pathlib import Path
from typing import Any

from taxonym.cli.shared import chosen_taxonomy, named, show_json, way_up
from taxonym.errors import BadPlan
from taxonym.text.finder import Finder
from taxonym.text.language import language_named, pack_code
from taxonym.text.lookup import Mention
from taxonym.text.senses import read_overrides
from taxonym.text.sensitive import Topics, load_topics


def run(options: argparse.Namespace) -> int:
    if sum(map(bool, (options.text, options.file, options.document))) != 1:
        raise BadPlan("concepts: give either texts, or --file with --column, or --document, not several of them.")
    if options.document:
        from taxonym.cli import document_concepts

        return document_concepts.run(options)
    if options.file:
        from taxonym.cli import column_concepts

        return column_concepts.run(options)
    finder = _finder(options)
    topics = load_topics(finder.taxonomy, options.topics) if options.topics else None
    if topics is not None:
        finder = finder.watching(topics.anywhere)
    found = [(text, finder.find(text)) for text in options.text]
    if options.json:
        texts = [{"text": text, **_as_data(finder, text, mentions, topics, options)} for text, mentions in found]
        return show_json({"taxonomy": finder.taxonomy.name, "texts": texts})
    for text, mentions in found:
        print(text)
        for mention in mentions:
            _print(finder, mention, topics, options)
        for start, end in finder.unknown(text):
            print(f"  {text[start:end]:<24} unknown to {finder.taxonomy.name}")
    return 0


def _finder(options: argparse.Namespace) -> Finder:
    taxonomies = [chosen_taxonomy(source, options) for source in (options.taxonomy or "wordnet").split(",")]
    chosen: dict[str, Any] = {
        "category": options.category.split(",") if options.category else None,
        "parts": tuple((options.parts or "n").split(",")),
        "prefer": options.prefer,
        "spelling": options.spelling or 0,
        "related": options.related or "alone",
    }
    if options.language:
        chosen["language"] = language_named(pack_code(options.language))
    if options.senses:
        chosen["senses"] = options.senses
    finder = Finder(taxonomies, **chosen)
    if options.overrides:  # they name concepts of the taxonomy that joins all those given
        finder = Finder(taxonomies, **chosen, overrides=read_overrides(Path(options.overrides), finder.taxonomy))
    return finder


def _print(finder: Finder, mention: Mention, topics: Topics | None, options: argparse.Namespace) -> None:
    tax = finder.taxonomy
    print(f"  {mention.term:<24} {tax.id(mention.code):<24} {', '.join(tax.labels(mention.code))}")
    if topics is not None and topics.of(mention.code):
        print(f"    sensitive: {', '.join(topics.of(mention.code))}")
    if options.explain:
        dropped = f"; dropped on the left: {' '.join(mention.dropped)}" if mention.dropped else ""
        print(f"    {mention.why} (confidence {mention.confidence:.2f}){dropped}")
        print(f"    {tax.gloss(mention.code)}\n    {' < '.join(way_up(tax, mention.code))}")
    if options.all_senses:
        for code in tax.codes(mention.label):
            print(f"      {tax.id(code):<24} {tax.gloss(code)}")


def _as_data(
    finder: Finder, text: str, mentions: list[Mention], topics: Topics | None, options: argparse.Namespace
) -> dict[str, Any]:
    tax = finder.taxonomy
    shown = []
    for mention in mentions:
        entry = mention._asdict() | {"id": tax.id(mention.code)}
        if topics is not None:
            entry["topics"] = list(topics.of(mention.code))
        if options.all_senses:
            entry["senses"] = [named(tax, code) for code in tax.codes(mention.label)]
        shown.append(entry)
    return {"mentions": shown, "unknown": [{"start": start, "end": end} for start, end in finder.unknown(text)]}
