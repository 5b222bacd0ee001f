"""WordNet in its own database format (WNDB): a folder with data.noun, index.noun and their verb twins, and
index.sense or cntlist.rev for how often senses were seen.

Ids are those of the field's tools: first word of the synset, part of speech, number of that word's sense
(craftsman.n.03). `@i` links make instances (Benjamin Franklin). Labels carry their sense number and how often the sense
was seen in the tagged texts. Of the gloss the definition is kept, its examples are not. Adjectives, if there are any,
and verbs are related to the nouns that the database links them to (wordnet_links.py).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from taxonym.errors import BadTaxonomy
from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.source import chosen, numbered_lines
from taxonym.knowledge.readers.wordnet_links import Pointer, Synset, adjectives_first, linked_nouns
from taxonym.knowledge.related import ADJECTIVE, ADJECTIVE_FIRST, VERB

PARTS_OF_SPEECH = {"noun": "n", "verb": "v"}
_UPWARD = {"is_a": ("@", "@i"), "part_of": ("#p",), "member_of": ("#m",), "substance_of": ("#s",)}
RELATIONS = tuple(_UPWARD)
_LINKING = {"adj": ADJECTIVE, "verb": VERB}
_VERBS_AFTER = 1_000  # senses of a word as a verb follow those as a noun


def read_wndb(path: Path, *, parts: Sequence[str] = ("noun", "verb"), relations: Sequence[str] = ("is_a",)) -> Draft:
    """Read a WNDB folder."""
    draft = Draft(str(path), declared=True)
    upward = {symbol for relation in chosen("relations", relations, _UPWARD) for symbol in _UPWARD[relation]}
    counts = _sense_counts(path)
    nouns: dict[int, tuple[str, Synset]] = {}
    for part in chosen("parts", parts, PARTS_OF_SPEECH):
        pos = PARTS_OF_SPEECH[part]
        senses = _sense_numbers(path / f"index.{part}")
        ids: dict[int, str] = {}
        links: list[tuple[int, int, int]] = []
        for synset in _synsets(path / f"data.{part}"):
            line, offset, _, words, pointers, gloss = synset
            numbers = [senses.get(word.lower(), {}).get(offset, 0) for word in words]
            if 0 in numbers:
                unknown = words[numbers.index(0)]
                raise BadTaxonomy(
                    f"{path}: data.{part}: line {line}: the word {unknown!r} is not in index.{part} with this synset."
                )
            ids[offset] = id = f"{words[0].lower()}.{pos}.{numbers[0]:02}"
            if pos == "n":
                nouns[offset] = id, synset
            instance = any(pointer.symbol == "@i" for pointer in pointers)
            draft.add(id, gloss=gloss, instance=instance, line=line)
            for word, sense in zip(words, numbers, strict=True):
                draft.label(
                    id,
                    word.replace("_", " "),
                    rank=sense + (_VERBS_AFTER if pos == "v" else 0),
                    count=counts.get((word.lower(), pos, sense), 0),
                    sense=sense,
                    line=line,
                )
            links += [(offset, p.offset, line) for p in pointers if p.symbol in upward and p.part == pos]
        for child, parent, line in links:
            draft.link(ids[child], ids.get(parent, f"{parent:08}-{pos}"), line=line)
    for part, pos in _LINKING.items():
        if nouns and (path / f"data.{part}").exists():
            senses = _sense_numbers(path / f"index.{part}")
            synsets = {synset.offset: synset for synset in _synsets(path / f"data.{part}")}
            for word, id, count in linked_nouns(pos, synsets, senses, counts, nouns):
                draft.relate(pos, word.replace("_", " "), id, count)
            if pos == ADJECTIVE:
                of_nouns = _sense_numbers(path / "index.noun")
                for word, id in adjectives_first(synsets, senses, of_nouns, counts, nouns):
                    draft.relate(ADJECTIVE_FIRST, word.replace("_", " "), id)
    return draft


def _synsets(path: Path) -> Iterator[Synset]:
    """Every synset of a data file."""
    for line, text in _fields(path):
        try:
            data, _, gloss = text.partition(" | ")
            field = data.split(" ")
            n_words = int(field[3], 16)
            words = [field[4 + 2 * i].partition("(")[0] for i in range(n_words)]  # galore(ip): where it may stand
            at = 4 + 2 * n_words
            pointers = [
                Pointer(field[p], int(field[p + 1]), field[p + 2], int(field[p + 3][:2], 16), int(field[p + 3][2:], 16))
                for p in range(at + 1, at + 1 + 4 * int(field[at]), 4)
            ]
            yield Synset(line, int(field[0]), field[1], words, pointers, gloss.split('; "')[0].strip())
        except (ValueError, IndexError):
            raise BadTaxonomy(f"{path}: line {line}: is not a synset line of a WordNet data file.") from None


def _sense_numbers(path: Path) -> dict[str, dict[int, int]]:
    """Word -> synset offset -> number of the sense, 1 being the most usual."""
    senses: dict[str, dict[int, int]] = {}
    for line, text in _fields(path):
        try:
            field = text.split()
            n_synsets, n_pointers = int(field[2]), int(field[3])
            offsets = field[6 + n_pointers : 6 + n_pointers + n_synsets]
            senses[field[0]] = {int(offset): number for number, offset in enumerate(offsets, 1)}
        except (ValueError, IndexError):
            raise BadTaxonomy(f"{path}: line {line}: is not a line of a WordNet index file.") from None
    return senses


def _sense_counts(folder: Path) -> dict[tuple[str, str, int], int]:
    """(word, part of speech, sense number) -> times seen in the tagged texts; empty without a file that says it."""
    counts: dict[tuple[str, str, int], int] = {}
    pos = {"1": "n", "2": "v", "3": "a", "5": "a"}
    path = next((folder / name for name in ("index.sense", "cntlist.rev") if (folder / name).exists()), None)
    for line, text in _fields(path) if path else ():
        try:
            key, *_, sense, seen = text.split()
            word, _, lexical = key.partition("%")
            if seen != "0" and lexical[0] in pos:
                counts[word, pos[lexical[0]], int(sense)] = int(seen)
        except (ValueError, IndexError):
            raise BadTaxonomy(f"{path}: line {line}: is not a line of a WordNet sense index.") from None
    return counts


def _fields(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a database file without its licence, whose lines begin with two blanks."""
    for number, line in numbered_lines(path, "utf-8"):
        if line.strip() and not line.startswith("  "):
            yield number, line
