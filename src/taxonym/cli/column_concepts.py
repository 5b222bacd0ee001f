"""taxonym concepts --file FILE --column NAME: what the words of a column were taken for"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.cli.anonymize import check_places
from taxonym.cli.column_source import NOUNS, ColumnSource, column_source
from taxonym.cli.shared import show_json
from taxonym.io.atomic import whole_file
from taxonym.knowledge.names import ConceptNames
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.records.column_mapping import ColumnMapping, MappedTerm
from taxonym.text.explanation import explain
from taxonym.text.finder import Finder
from taxonym.text.senses import SENSES, policy_named
from taxonym.text.sensitive import load_topics
from taxonym.text.suggestions import SuggestedTerm, Suggester, override_file

SHOWN = 40  # lines of the table, unless --limit says otherwise
CHANGES = 10  # terms shown that another policy would change
_GLOSS = 60


def run(options: argparse.Namespace) -> int:
    """The mapping, what is ambiguous, what is unknown, and what another policy would change."""
    source = column_source(options)
    written = [out for out in (options.unknown, options.suggest) if out]
    check_places(source.path, written, [options.plan, options.overrides])
    senses, k = source.column.senses, source.k
    others = _policies(options.against, senses)
    words = source.words(senses)
    mapping, finder = ColumnMapping.of(words, source.table.person.astype(np.int64)), source.under(senses)
    found = _found(source, mapping, finder)
    for name in others:
        found["policies"][name] = _changes(finder.taxonomy, mapping, source.mapping(name), k)
    if options.topics:
        topics, base = load_topics(finder.taxonomy, options.topics), len(finder.taxonomy)
        own = np.split(words.codes, words.start[1:-1])
        counts = topics.summary([code for code in codes.tolist() if code < base] for codes in own)
        found["sensitive"] = {title: records for title, records, _ in counts.shown(k)}
    if options.suggest:
        suggester = Suggester(finder)
        terms = [SuggestedTerm(one.term, one.persons, suggester.suggest(one.term)) for one in mapping.unknown(k)]
        _add_suggestions(found, terms, finder.taxonomy)
        with whole_file(Path(options.suggest), private=True) as file:
            file.write(override_file(terms, finder.taxonomy).encode())
        found["suggestions_file"] = options.suggest
    if options.unknown:
        with whole_file(Path(options.unknown)) as file:
            file.write(b"records\tphrase\n")
            file.writelines(f"{one.persons}\t{one.term}\n".encode() for one in mapping.unknown(k))
        found["unknown_file"] = options.unknown
    if options.json:
        return show_json(found)
    _print(found, source, options)
    return 0


def _policies(said: str | None, own: str) -> list[str]:
    """The policies to compare with: all others, unless some are named, or none."""
    if said == "none":
        return []
    if said:
        return [policy_named(name).name for name in said.split(",")]
    return [name for name in SENSES if name != own]


def _found(source: ColumnSource, mapping: ColumnMapping, finder: Finder) -> dict[str, Any]:
    tax, k = finder.taxonomy, source.k
    names, rare = ConceptNames(tax), mapping.rare(k)
    unknown = mapping.unknown(k)
    return {
        "taxonomy": tax.name,
        "column": source.column.name,
        "kind": source.column.kind,
        "senses": source.column.senses,
        "min_records": k,
        "texts": mapping.records,
        "with_concept": round(mapping.with_concept / max(1, mapping.records), 4),
        "phrases_known": round(mapping.known / max(1, mapping.said), 4),
        "terms": [_told(finder, names, one) for one in mapping.shown(k)],
        "terms_in_fewer_than_min_records": rare[0],
        "unknown": [{"term": one.term, "persons": one.persons} for one in unknown],
        "unknown_listed": len(unknown),
        "unknown_in_fewer_than_min_records": rare[1],
        "policies": {},
    }


def _told(finder: Finder, names: ConceptNames, one: MappedTerm) -> dict[str, Any]:
    tax, code = finder.taxonomy, one.code
    assert code is not None
    why, senses = explain(finder, one.term, code)
    others = [tax.id(other) for other in senses if other != code]
    told = {
        "term": one.term, "concept": tax.id(code), "label": tax.label(code), "hint": names.hint(code) or "",
        "gloss": tax.gloss(code), "why": why, "persons": one.persons, "other_senses": others,
    }  # fmt: skip
    return told | ({"own": True} if one.own else {})


def _changes(tax: Taxonomy, mine: ColumnMapping, other: ColumnMapping, k: int) -> list[dict[str, Any]]:
    found = mine.changes(other, k)
    return [
        {
            "term": one.term,
            "persons": one.persons,
            "concept": None if one.code is None else tax.id(one.code),
            "instead": None if instead is None else tax.id(instead),
        }
        for one, instead in found
    ]


def _add_suggestions(found: dict[str, Any], terms: list[SuggestedTerm], tax: Taxonomy) -> None:
    for entry, one in zip(found["unknown"], terms, strict=True):
        entry["suggestions"] = [
            {"concept": tax.id(s.code), "label": tax.label(s.code), "confidence": round(s.confidence, 2), "why": s.why}
            for s in one.suggestions
        ]


def _print(found: dict[str, Any], source: ColumnSource, options: argparse.Namespace) -> None:
    k, terms, limit = source.k, found["terms"], options.limit if options.limit is not None else SHOWN
    whom = "persons" if source.table.person_ids else "records"
    print(
        f"{source.path}: column {found['column']!r}: {found['texts']:,} {NOUNS[found['kind']]}, "
        f"{found['with_concept']:.1%} with a concept, {found['phrases_known']:.1%} of their phrases known."
    )
    shown = terms if limit == 0 else terms[:limit]
    if shown:
        print(f"Taxonomy {found['taxonomy']}, senses by {found['senses']!r}:")
        _table(shown, options.all_senses, source.under(source.column.senses).taxonomy)
    more = [f"{len(terms) - len(shown):,} more (--limit 0 shows all)"] * (len(shown) < len(terms))
    more += [f"{found['terms_in_fewer_than_min_records']:,} of fewer than {k} {whom} (these are never shown)"]
    print(f"{len(shown):,} known terms; {'; '.join(more)}.")
    several = sum(bool(one["other_senses"]) for one in terms)
    print(f"{several:,} of {len(terms):,} have several senses" + (" (--all-senses shows them)." if several else "."))
    print(
        f"{found['unknown_listed']:,} unknown phrases are in {k} or more {whom}, "
        f"{found['unknown_in_fewer_than_min_records']:,} in fewer (these are never shown)."
    )
    for one in [] if options.unknown else found["unknown"][:20]:
        best = one.get("suggestions", [])[:1]
        likely = f"   {best[0]['concept']}? {best[0]['confidence']:.2f}, {best[0]['why']}" if best else ""
        print(f"  {one['persons']:>7,}  {one['term']}{likely}")
    for name, changes in found["policies"].items():
        print(f"With senses = {name!r}, {len(changes):,} of these terms would mean something else.")
        for one in changes[:CHANGES]:
            print(
                f"  {one['persons']:>7,}  {one['term']}: {one['concept'] or 'unknown'} → {one['instead'] or 'unknown'}"
            )
    for topic, records in found.get("sensitive", {}).items():
        print(f"  sensitive: {topic:<20} {records} records")
    if options.suggest:
        print(
            f"{options.suggest}: suggestions to be read and edited; '-' leaves a term unknown. They count when a plan "
            f'names the file: overrides = "{options.suggest}".'
        )


def _table(terms: list[dict[str, Any]], senses: bool, tax: Taxonomy) -> None:
    rows = [("persons", "term", "concept", "hint", "why", "gloss")]
    rows += [(f"{t['persons']:,}", t["term"], t["concept"], t["hint"], _why(t), _short(t["gloss"])) for t in terms]
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    for n, row in enumerate(rows):
        cells = [
            row[0].rjust(widths[0]),
            *(cell.ljust(width) for cell, width in zip(row[1:], widths[1:], strict=False)),
        ]
        print("  " + "  ".join([*cells, row[5]]).rstrip())
        for other in terms[n - 1]["other_senses"] if senses and n else ():
            print(f"  {'':{widths[0]}}    or {other}: {_short(tax.gloss(tax.code(other)))}")


def _why(term: dict[str, Any]) -> str:
    return f"{term['why']}, own leaf below it" if term.get("own") else str(term["why"])


def _short(text: str) -> str:
    return text if len(text) <= _GLOSS else text[: _GLOSS - 1] + "…"
