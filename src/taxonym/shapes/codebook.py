"""The codebook of a release: what each of its words stands for, so that nobody has to guess.

A CSV file beside the release, OUT.codebook.csv: the column, the word as it is printed, the id of the concept in the
taxonomy, its gloss where there is one, and the name of the concept above it. It lists what is published and nothing
else, sorted, in one form. A word of a column stands for one concept. A whole query of a log stands for itself and is
not listed.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from taxonym.errors import BadInput, TaxonymError
from taxonym.io.atomic import Together, whole_file
from taxonym.io.canonical import canonical_text
from taxonym.io.formulas import escaped, unescaped
from taxonym.knowledge.names import ConceptNames
from taxonym.knowledge.strings import fold
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Plan
from taxonym.plan.meaning import finder_of
from taxonym.promises.classes import published_words
from taxonym.records.column import Column
from taxonym.records.terms import MapsTo
from taxonym.records.vocabulary import WHOLE, Vocabulary
from taxonym.records.words import KEEP, WordColumn
from taxonym.text.entries import open_entry
from taxonym.text.votes import learns

if TYPE_CHECKING:
    import polars as pl

SUFFIX = ".codebook.csv"
_ODD = re.compile(r'[,;\t|"\r\n\ufeff]|^ | $')  # what could pass for a delimiter, or be cut off
_CODEC = ("utf-8", "surrogatepass")  # ids may be odd


class CodebookEntry(NamedTuple):
    """What a word of a column stands for."""

    column: str
    word: str
    concept: str
    gloss: str
    parent: str


def codebook_path(release: str | Path) -> Path:
    """Where the codebook of a release lies: beside it."""
    return Path(f"{Path(release)}{SUFFIX}")


def is_codebook(path: Path) -> bool:
    """Whether there is a file that is a codebook."""
    try:
        return path.is_file() and bool(Codebook.read(path))
    except BadInput:
        return False


@dataclass(frozen=True)
class Codebook:
    """What the words of a release stand for; `whole` says whether a file was as such a file is written."""

    entries: tuple[CodebookEntry, ...]
    whole: bool = True

    @classmethod
    def of(cls, said: Mapping[str, tuple[Iterable[str], Taxonomy, MapsTo]]) -> "Codebook":
        """From the words that each column says, with their taxonomy and what they mean there. Words without a concept
        and whole queries are not listed."""
        found = set[CodebookEntry]()
        for column, (words, tax, maps_to) in said.items():
            names = maps_to.names if isinstance(maps_to, Vocabulary) else ConceptNames(tax)
            for word in words:
                code = None if word.startswith(WHOLE) else maps_to(word)
                if code is not None:
                    above = tax.parents(code)[:1]
                    parent = names.called(above[0]) if above else ""
                    gloss = canonical_text(tax.gloss(code))
                    found.add(CodebookEntry(column, word, tax.id(code), gloss, parent))
        return cls(tuple(sorted(found)))

    @classmethod
    def of_frames(cls, frames: "Iterable[pl.DataFrame]", words: Iterable[WordColumn]) -> "Codebook":
        """From the batches of a table."""
        columns = list(words)
        said: dict[str, set[str]] = {one.column.name: set() for one in columns}
        for frame in frames:
            for one in columns:
                said[one.column.name] |= words_of(frame, one.column.published)
        return cls.of({one.column.name: (said[one.column.name], one.tax, one.maps_to) for one in columns})

    # ------------------------------------------------------------------ the file

    @classmethod
    def read(cls, path: str | Path) -> "Codebook":
        try:
            content = Path(path).read_bytes()
            rows = [tuple(row) for row in csv.reader(io.StringIO(content.decode(*_CODEC), newline=""), strict=True)]
        except OSError as error:
            raise BadInput(f"{path}: cannot be read ({error.strerror}).") from None
        except (UnicodeDecodeError, csv.Error):
            rows = []
        if not rows or rows[0] != CodebookEntry._fields or any(len(row) != len(rows[0]) for row in rows):
            columns = ", ".join(CodebookEntry._fields)
            raise BadInput(f"{path}: is not a codebook: it must have the columns {columns}. Fetch it again.")
        found = cls(tuple(CodebookEntry(*map(unescaped, row)) for row in rows[1:]))
        return replace(found, whole=found.content == content and found.entries == tuple(sorted(set(found.entries))))

    @property
    def content(self) -> bytes:
        """The file."""
        rows = (CodebookEntry._fields, *(tuple(map(escaped, entry)) for entry in self.entries))
        lines = (",".join(map(_quoted, row)) for row in rows)
        return "".join(f"{line}\n" for line in lines).encode(*_CODEC)

    def write(self, path: str | Path, together: Together | None = None) -> None:
        with whole_file(Path(path), together=together) as file:
            file.write(self.content)

    @property
    def table(self) -> "pl.DataFrame":
        """The same as a polars table."""
        import polars as pl

        return pl.DataFrame(self.entries, dict.fromkeys(CodebookEntry._fields, pl.String), orient="row")

    # ------------------------------------------------------------------ reading a release by it

    @cached_property
    def concepts(self) -> dict[tuple[str, str], str]:
        """The id of the concept of every column and word."""
        return {(one.column, one.word): one.concept for one in self.entries}

    def coded(self, words: WordColumn, name: str | None = None) -> WordColumn:
        """A column (called `name` in the release) whose words are read by the codebook. One that it does not know is
        refused: figures about it would be wrong."""
        column, own = name or words.column.name, words.maps_to
        place = {words.tax.id(code): code for code in self._codes(words.tax, column)}

        def maps_to(word: str) -> int | None:
            if word.startswith(WHOLE):
                return own(word)
            code = place.get(self.concepts.get((column, word), ""))
            if code is None and own(word) is not None:
                raise BadInput(
                    f"column {column!r}: the codebook does not tell what some words of the release stand for, or tells "
                    f"it of another taxonomy. Name the right one with --codebook, or remove it."
                )
            return code

        return replace(words, maps_to=maps_to)

    def _codes(self, tax: Taxonomy, column: str) -> Iterator[int]:
        for one in self.entries:
            if one.column == column:
                at = tax.ids.find(one.concept, tax.id_order)
                yield from [at] if at >= 0 else ()

    # ------------------------------------------------------------------ what is wrong with it

    @property
    def _by_word(self) -> dict[tuple[str, str], CodebookEntry]:
        return {(one.column, one.word): one for one in self.entries}

    def faults(self) -> list[str]:
        """What is wrong with it whatever the release is."""
        found = [] if self.whole else ["its codebook is not in the form in which codebooks are written"]
        several = len(self.concepts) < len(self.entries)
        return found + ["its codebook says of a word that it stands for several concepts"] * several

    def faults_beside(self, told: "Codebook") -> list[str]:
        """What is wrong with it where `told` is the one that belongs to the release."""
        return self.faults() + self._differences(told._by_word)

    def faults_by_plan(self, said: Mapping[str, tuple[Column, set[str]]], plan: Plan) -> list[str]:
        """The same where only the plan and the words of the release are known: the taxonomies of the plan, so far as
        they are at hand, say what words stand for, unless a value is a concept of its own."""
        told: dict[tuple[str, str], CodebookEntry | None] = {}
        for name, (column, words) in said.items():
            mine = self._by_word
            known = _known(column, plan, {one.word: one.concept for one in self.entries if one.column == name})
            own = {w for w in words if KEEP in (column.on_unknown, column.on_empty) and _alone(mine.get((name, w)))}
            if known is not None and column.phrases == "whole":
                own |= {w for w in words if _below_head(mine.get((name, w)), known[0])}
            told |= {(name, word): mine.get((name, word)) if word in own else None for word in words}
            for one in Codebook.of({name: (words - own, *known)}).entries if known is not None else ():
                told[name, one.word] = one
        return self.faults() + self._differences(told)

    def _differences(self, told: Mapping[tuple[str, str], CodebookEntry | None]) -> list[str]:
        """How this differs from what words stand for; of some nobody knows."""
        mine = self._by_word
        lacking, more = len(told.keys() - mine.keys()), len(mine.keys() - told.keys())
        changed = sum(one is not None and one != mine[key] for key, one in told.items() if key in mine)
        return [
            *[f"its codebook lacks {lacking:,} of its words"] * bool(lacking),
            *[f"its codebook has {more:,} words that are not in it"] * bool(more),
            *[f"its codebook says of {changed:,} words what they do not stand for"] * bool(changed),
        ]


def _quoted(cell: str) -> str:
    """A cell as a CSV file has it."""
    return '"' + cell.replace('"', '""') + '"' if _ODD.search(cell) else cell


def _alone(entry: CodebookEntry | None) -> bool:
    """Whether a word is said to be a concept of its own."""
    return entry is not None and entry.concept.strip("()") == entry.word.strip("()") and not entry.gloss + entry.parent


def _below_head(entry: CodebookEntry | None, tax: Taxonomy) -> bool:
    """Whether a word is said to be a phrase below a concept of the taxonomy."""
    id, _, label = ("", "", "") if entry is None else entry.concept.rpartition(": ")
    head = tax.ids.find(id, tax.id_order) if entry is not None and label == fold(entry.word) and not entry.gloss else -1
    return head >= 0 and entry is not None and entry.parent == ConceptNames(tax).called(head)


def words_of(frame: "pl.DataFrame", column: Column) -> set[str]:
    """The different words of a column of a release."""
    import polars as pl

    cells = pl.DataFrame([frame[column.name]])
    different = cells.unique() if cells.schema[column.name] == pl.String else cells
    return {word for row in published_words(different, column, "the release") for word in row}


def _known(column: Column, plan: Plan, told: Mapping[str, str]) -> tuple[Taxonomy, MapsTo] | None:
    """What words of a column mean as far as the plan tells; nothing where its taxonomy is not at hand. Where the data
    chose between the senses of a word, any of them may be `told`."""
    try:
        finder = finder_of(column, plan, {})
    except TaxonymError:
        return None
    if finder is None:
        return None
    tax, single, words = finder.taxonomy, column.kind == "nominal", column.phrases == "words"
    own = Vocabulary(finder, {}, single, hints=plan.output.hints, words=words)
    if not learns(finder):
        return tax, own

    def maps_to(word: str) -> int | None:
        code, at = own(word), tax.ids.find(told.get(word, ""), tax.id_order)
        term = own.term(word) if code is not None else word
        return at if at in {sense for choice in open_entry(finder, term)[1] for sense in choice.codes} else code

    return tax, maps_to
