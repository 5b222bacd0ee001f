"""XML from strangers: read as a stream by expat, with everything refused that lets a small file do large harm.

An entity is allowed when it is written inside the file, short, and refers to no other entity: the abbreviations of
namespaces that ontology editors write. So nothing grows by more than a small factor, and nothing is ever fetched. A
DOCTYPE that names a DTD elsewhere is allowed and the DTD ignored. The standard library's expat is enough for this:
defusedxml would add a dependency and has no setting between "no entities" and "all entities".
"""

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple
from xml.parsers import expat

from taxonym.errors import BadTaxonomy
from taxonym.knowledge.readers.source import open_bytes

_BLOCK = 1 << 18
_LONGEST_ENTITY = 256  # characters; "&a;" is three, so no text grows more than 85-fold
_LONGEST_PROLOG = 1 << 20
_LONGEST_TEXT = 1 << 24
_DEEPEST = 1_000
_REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)|%|<")


class Event(NamedTuple):
    """An element begins (with its attributes) or ends (attributes None, with the text that stood directly in it)."""

    tag: str
    attributes: dict[str, str] | None
    text: str
    line: int


def events(path: Path, *, tags: Collection[str] | None = None, texts: Collection[str] = ()) -> Iterator[Event]:
    """What an XML file says of the elements named in `tags` (of all without), one event at a time.

    The text is kept of elements named in `texts` only.
    """
    found: list[Event] = []
    within: list[list[str] | None] = []  # the text so far of every open element, None where nobody wants it
    wanted, told = frozenset(texts), None if tags is None else frozenset(tags)
    guard = Guard(path)
    parser = guard.parser
    size = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal size
        if len(within) == _DEEPEST:
            raise guard.too_deep()
        if tag in wanted:
            size = 0
            within.append([])
        else:
            within.append(None)
        if told is None or tag in told:
            found.append(Event(tag, attributes, "", parser.CurrentLineNumber))

    def add_text(data: str) -> None:
        nonlocal size
        if within and (pieces := within[-1]) is not None:
            size += len(data)
            if size > _LONGEST_TEXT:
                raise guard.refuse(f"the text of one element is longer than {_LONGEST_TEXT:,} characters")
            pieces.append(data)

    def end(tag: str) -> None:
        text = within.pop()
        if told is None or tag in told:
            found.append(Event(tag, None, "".join(text) if text else "", parser.CurrentLineNumber))

    guard.on_element = start
    parser.EndElementHandler = end
    if wanted:
        parser.CharacterDataHandler = add_text
    with open_bytes(path) as file:
        more = True
        while more:
            block = file.read(_BLOCK)
            more = bool(block)
            guard.feed(block)
            yield from found
            found.clear()


class Guard:
    """An expat parser that has to see every block of a file before anyone else does."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self._first_element
        parser.EntityDeclHandler = self._entity
        parser.EndDoctypeDeclHandler = self._end_of_doctype
        parser.SkippedEntityHandler = self._skipped
        self.on_element: Callable[[str, dict[str, str]], None] | None = None  # once the prolog is over
        self._prolog: bytes | None = b""
        self._entities = 0

    def feed(self, block: bytes) -> None:
        """The next block; an empty one says that the file is over."""
        if self._prolog is not None:
            self._prolog += block
            if len(self._prolog) > _LONGEST_PROLOG + _BLOCK:
                raise self.refuse(f"more than {_LONGEST_PROLOG:,} bytes stand before the first element")
        try:
            self.parser.Parse(block, not block)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise BadTaxonomy(
                f"{self.path}: line {error.lineno}: is not well-formed XML ({reason}). Fetch the file again or mend it."
            ) from None
        except (LookupError, ValueError):  # what Python says to the encoding that the file declares
            raise BadTaxonomy(
                f"{self.path}: line 1: declares an encoding that cannot be read. Save it as UTF-8."
            ) from None

    def refuse(self, what: str) -> BadTaxonomy:
        return BadTaxonomy(
            f"{self.path}: line {self.parser.CurrentLineNumber}: refused, because {what}. "
            f"If you trust the file, save it again without that."
        )

    def too_deep(self) -> BadTaxonomy:
        return self.refuse(f"elements are nested more than {_DEEPEST:,} deep")

    def _first_element(self, tag: str, attributes: dict[str, str]) -> None:
        self._prolog = None
        self.parser.StartElementHandler = self.on_element
        if self.on_element:
            self.on_element(tag, attributes)

    def _entity(
        self,
        name: str,
        parameter: int,
        value: str | None,
        base: str | None,
        system: str | None,
        public: str | None,
        notation: str | None,
    ) -> None:
        self._entities += 1
        if value is None:
            raise self.refuse(f"the entity {name[:40]!r} is to be fetched from elsewhere")
        if parameter:
            raise self.refuse(f"the entity {name[:40]!r} is a piece of a DTD")
        if len(value) > _LONGEST_ENTITY:
            raise self.refuse(f"the entity {name[:40]!r} is longer than {_LONGEST_ENTITY} characters")
        if _REFERENCE.search(value):
            raise self.refuse(f"the entity {name[:40]!r} is made of other entities or of markup")

    def _end_of_doctype(self) -> None:
        # Parsers that read after us may take entities from places where XML has none, such as comments.
        doctype = (self._prolog or b"")[: self.parser.CurrentByteIndex]
        if doctype.count(b"<!ENTITY") > self._entities:
            raise self.refuse("its DOCTYPE hides entities in a comment or a text")

    def _skipped(self, name: str, parameter: bool) -> None:
        if not parameter:
            raise self.refuse(f"the entity {name[:40]!r} is not defined in it")


class GuardedFile:
    """A binary file for a parser that is not ours: a guard has seen every byte that read() gives."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._file = file
        self._guard = guard = Guard(path)
        depth = 0

        # deep nesting makes other parsers slow beyond measure
        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            if depth > _DEEPEST:
                raise guard.too_deep()

        def end(tag: str) -> None:
            nonlocal depth
            depth -= 1

        guard.on_element = start
        guard.parser.EndElementHandler = end
        self._block = memoryview(b"")

    def read(self, size: int = -1) -> bytes:
        if not self._block:
            block = self._file.read(_BLOCK)
            self._guard.feed(block)
            self._block = memoryview(block)
        size = len(self._block) if size < 0 else size
        given, self._block = self._block[:size], self._block[size:]
        return bytes(given)


def speaks(tag: str, language: str) -> bool:
    """Whether text tagged `tag` is in `language`: en-GB is English."""
    tag, language = tag.lower(), language.lower()
    return tag == language or tag.startswith(language + "-")
