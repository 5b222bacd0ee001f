"""Write a taxonomy of nouns and verbs as a wordnet in XML (WN-LMF 1.1): python tools/write_lmf.py OUT [TAXONOMY]

For tests and measurements of the reader at real size: words, order of senses, counts, glosses and links all go along.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import taxonym
from taxonym import Taxonomy
from taxonym.knowledge.strings import fold

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
"""


def lmf(tax: Taxonomy, lexicon: str = "copy", language: str = "en") -> Iterator[str]:
    """The lines of the file: entries by label and part of speech, then synsets."""
    yield _HEAD
    about = f'label={quoteattr(tax.name)} language="{language}" email="nobody@example.org" license="" version="1"'
    yield f"<Lexicon id={quoteattr(lexicon)} {about}>\n"
    ids = [f"{lexicon}-{code:08d}-{_part(tax, code)}" for code in range(len(tax))]
    written: dict[str, dict[int, str]] = {}
    for code in range(len(tax)):
        for label in tax.labels(code):
            written.setdefault(fold(label), {}).setdefault(code, label)
    entries: dict[tuple[int, str], str] = {}  # of a concept's label, letters' case aside
    for n, key in enumerate(tax.keys):
        senses = list(zip(tax.codes(key), tax.counts(key), strict=True))
        for part in dict.fromkeys(_part(tax, code) for code, _ in senses):
            mine = [(code, count) for code, count in senses if _part(tax, code) == part]
            forms = dict.fromkeys(written.get(key, {}).get(code, key) for code, _ in mine)
            for m, form in enumerate(forms):
                entry = f"{lexicon}-w{n}-{part}{m}"
                yield f'<LexicalEntry id="{entry}"><Lemma writtenForm={quoteattr(form)} partOfSpeech="{part}"/>'
                for rank, (code, count) in enumerate(mine, 1):
                    if written.get(key, {}).get(code, key) == form:
                        entries[code, key] = entry
                        seen = f"<Count>{count}</Count>" if count else ""
                        yield f'<Sense id="{entry}-{code}" n="{rank}" synset="{ids[code]}">{seen}</Sense>'
                yield "</LexicalEntry>\n"
    for code in range(len(tax)):
        members = " ".join(dict.fromkeys(entries[code, fold(label)] for label in tax.labels(code)))
        yield f'<Synset id="{ids[code]}" ili="" partOfSpeech="{_part(tax, code)}" members="{members}">'
        if gloss := tax.gloss(code):
            yield f"<Definition>{escape(gloss)}</Definition>"
        kind = "instance_hypernym" if tax.is_instance(code) else "hypernym"
        for parent in tax.parents(code):
            yield f'<SynsetRelation relType="{kind}" target="{ids[parent]}"/>'
        yield "</Synset>\n"
    yield "</Lexicon>\n</LexicalResource>\n"


def _part(tax: Taxonomy, code: int) -> str:
    return "v" if tax.id(code).rsplit(".", 2)[-2:-1] == ["v"] or tax.id(code).endswith("-v") else "n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("taxonomy", nargs="?", default="wordnet")
    options = parser.parse_args()
    with options.out.open("w", encoding="utf-8") as file:
        file.writelines(lmf(taxonym.load(options.taxonomy)))


if __name__ == "__main__":
    main()
