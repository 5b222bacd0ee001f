"""taxonym concepts TEXT… and taxonym concepts --file FILE --column NAME"""

import argparse
from pathlib import Path
from typing import Any

from taxonym.cli.shared import chosen_taxonomy, named, show_json, way_up
from taxonym.errors import BadPlan
from taxonym.text.finder import Finder
from taxonym.text.lookup import Mention
from taxonym.text.senses import read_overrides
from taxonym.text.sensitive import Topics, load_topics


def run(options: argparse.Namespace) -> int:
    if bool(options.text) == bool(options.file):
        raise BadPlan("concepts: give either texts or --file with --column, not both.")
    finder = _finder(options)
    if options.file:
        return _column(finder, options)
    topics = load_topics(finder.taxonomy, options.topics) if options.topics else None
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
    taxonomies = [chosen_taxonomy(source, options) for source in options.taxonomy.split(",")]
    chosen: dict[str, Any] = {
        "senses": options.senses,
        "category": options.category.split(",") if options.category else None,
        "parts": tuple(options.parts.split(",")),
        "prefer": options.prefer,
        "spelling": options.spelling,
    }
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


def _column(finder: Finder, options: argparse.Namespace) -> int:
    """Coverage of a column, and what found no concept, without what few records share."""
    from taxonym.cli.terminal import Bar
    from taxonym.io.files import read
    from taxonym.text.bulk import map_column

    frame = read(options.file)
    if options.column not in frame.columns:
        known = ", ".join(frame.columns)
        raise BadPlan(f"{options.file}: there is no column {options.column!r}. It has: {known}.")
    texts = [None if text is None else str(text) for text in frame[options.column]]
    found = map_column(finder, texts, min_records=options.min_records, progress=Bar())
    summary: dict[str, Any] = {
        "texts": found.coverage.texts,
        "with_concept": round(found.coverage.text_share, 4),
        "phrases_known": round(found.coverage.phrase_share, 4),
        "unknown_listed": len(found.unknown),
        "unknown_in_fewer_than_min_records": found.rare,
    }
    if options.topics:
        topics = load_topics(finder.taxonomy, options.topics)
        counts = topics.summary(found[i] for i in range(len(found)))
        summary["sensitive"] = {title: records for title, records, _ in counts.shown(options.min_records)}
    if options.unknown:
        from taxonym.io.atomic import whole_file

        with whole_file(Path(options.unknown)) as file:
            file.write(b"records\tphrase\n")
            file.writelines(f"{records}\t{phrase}\n".encode() for phrase, records in found.unknown)
        summary["unknown_file"] = options.unknown
    if options.json:
        return show_json({"taxonomy": finder.taxonomy.name, **summary})
    print(
        f"{options.file}: column {options.column!r}: {summary['texts']:,} texts, "
        f"{found.coverage.text_share:.1%} with a concept, {found.coverage.phrase_share:.1%} of their phrases known."
    )
    print(
        f"{len(found.unknown):,} unknown phrases are in {options.min_records} or more records, "
        f"{found.rare:,} in fewer (these are never shown)."
    )
    for phrase, records in [] if options.unknown else found.unknown[:20]:
        print(f"  {records:>7,}  {phrase}")
    for topic, records in summary.get("sensitive", {}).items():
        print(f"  sensitive: {topic:<20} {records} records")
    return 0
