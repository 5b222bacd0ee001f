"""The text of one document: plain text, Markdown, HTML, DOCX and PDF.

Files come from strangers. Each gives its text or one clear line; nothing in it is run or fetched, and what unpacks to
more than a bound is refused. PDF is read by pypdf (BSD licence), which the extra `documents` brings; the rest needs
nothing but the standard library.
"""

import io
import logging
import re
import zipfile
import zlib
from collections.abc import Callable
from contextlib import contextmanager, suppress
from html import unescape
from pathlib import Path
from typing import Any, BinaryIO

from taxonym.errors import BadInput, BadTaxonomy, MissingExtra
from taxonym.io.compressed import as_it_is
from taxonym.io.delimited import Dialect, encoding_of, text_lines
from taxonym.knowledge.readers.xml import Guard

LARGEST = 1 << 26  # bytes of a document, or of what it unpacks to
_BLOCK = 1 << 16
_SKIPPED = {"script", "style", "template", "noscript", "svg", "math"}
_INLINE = {"a", "abbr", "b", "big", "cite", "em", "font", "i", "mark", "q", "s", "small", "span", "strong", "sub", "u"}
_CHARSET = re.compile(rb"<meta[^<>]{0,200}?charset\s{0,5}=\s{0,5}[\"']?([\w-]{1,40})", re.I)


def text_of(path: Path, encoding: str | None = None) -> str:
    """The text of a file, by the ending of its name. `encoding` is that of text files which are not UTF-8."""
    read = READERS.get(path.suffix.lower())
    if read is None:
        raise BadInput(f"{path}: its name does not tell what kind of document it is. Let it end in {known_endings()}.")
    with as_it_is(path) as file:
        if file.seek(0, io.SEEK_END) > LARGEST:
            raise BadInput(f"{path}: is larger than {LARGEST >> 20} MB. Divide it, or leave it out.")
        file.seek(0)
        return read(file, str(path), encoding)


def known_endings() -> str:
    return ", ".join(READERS)


# ---------------------------------------------------------------------- text and its markup


def _plain(file: BinaryIO, where: str, encoding: str | None) -> str:
    """Folders mix encodings, and what is sound UTF-8 hardly ever means anything else: it is tried first."""
    if encoding is not None and encoding_of(file, where, Dialect(encoding=encoding)):  # a wrong name is told at once
        with suppress(BadInput):
            return _plain(file, where, None)
    return "".join(text_lines(file, where, encoding_of(file, where, Dialect(encoding=encoding))))


# What Markdown adds to the words of a line; every repetition is bounded or possessive, so that no line takes long.
_FENCE = re.compile(r" {0,3}(`{3,}+|~{3,}+)")
_NO_WORDS = re.compile(r"[|:\-=*_ \t]++|\[[^\[\]]{1,200}\]:\s.*")  # rules, and where links lead
_BEGINNING = re.compile(r" {0,3}(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)])\s++)++")
_INLINE_MARKS = [
    (re.compile(r"!?\[([^\[\]]{0,500})\]\([^()]{0,500}\)"), r"\1"),  # links and pictures: what they are called
    (re.compile(r"</?[A-Za-z][^<>]{0,500}>"), " "),
    (re.compile(r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}|`"), ""),
    (re.compile(r"\|"), " "),
]


def _markdown(file: BinaryIO, where: str, encoding: str | None) -> str:
    """Line by line, without code, comments and what stands for looks only."""
    found, fence = [], ""
    for line in _without_comments(_plain(file, where, encoding)).splitlines():
        if opened := _FENCE.match(line):
            mark = opened[1]
            if not fence:
                fence = mark
            elif mark.startswith(fence):
                fence = ""
        elif not fence and not _NO_WORDS.fullmatch(line):
            line = line[begun.end() :] if (begun := _BEGINNING.match(line)) else line
            for pattern, instead in _INLINE_MARKS:
                line = pattern.sub(instead, line)
            found.append(line)
    return "\n".join(found)


def _without_comments(text: str) -> str:
    pieces, at = [], 0
    while (begin := text.find("<!--", at)) >= 0:
        pieces.append(text[at:begin])
        end = text.find("-->", begin + 4)
        at = len(text) if end < 0 else end + 3
    return " ".join([*pieces, text[at:]])


# A tag ends before the next "<", so that no page of half tags takes long; the standard library's parser takes time in
# proportion to the square of them (Python 3.11).
_TAG = re.compile(
    r"<(/?)([A-Za-z][\w:-]{0,40})(?:[^<>\"']++|\"[^\"<]{0,5000}+\"|'[^'<]{0,5000}+'|[\"'])*+>|<[!?][^<>]{0,5000}+>"
)


def _html(file: BinaryIO, where: str, encoding: str | None) -> str:
    """What a reader would see; elements that stand by themselves begin a new line."""
    if encoding is None and (declared := _CHARSET.search(file.read(2048))):
        encoding = declared[1].decode("ascii")
    text = _without_comments(_plain(file, where, encoding))
    pieces, at = [], 0
    while tag := _TAG.search(text, at):
        pieces.append(text[at : tag.start()])
        at, name = tag.end(), (tag[2] or "").lower()
        if name not in _INLINE:
            pieces.append("\n")
        if name in _SKIPPED and not tag[1]:
            end = re.compile(f"</{name}", re.I).search(text, at)
            at = len(text) if end is None else end.start()
    return unescape("".join([*pieces, text[at:]]))


# ---------------------------------------------------------------------- DOCX


def _docx(file: BinaryIO, where: str, encoding: str | None) -> str:
    """The body, footnotes and endnotes; what was deleted with its changes kept is left out."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = [n for n in ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml") if _in(archive, n)]
            if "word/document.xml" not in names:
                raise BadInput(f"{where}: is an archive, but no DOCX document. Save it again as .docx.")
            return "\n".join(_docx_part(archive, name, where) for name in names)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        raise BadInput(f"{where}: is not a sound DOCX file, or is encrypted. Save it again as .docx.") from None


def _in(archive: zipfile.ZipFile, name: str) -> bool:
    with suppress(KeyError):
        return archive.getinfo(name) is not None
    return False


def _docx_part(archive: zipfile.ZipFile, name: str, where: str) -> str:
    guard = Guard(Path(f"{where}: {name}"))
    pieces: list[str] = []
    within = depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal within, depth
        depth += 1
        if depth > 1000:
            raise guard.too_deep()
        local = tag.rpartition(":")[2]
        within += local == "t"
        if local in ("br", "cr", "tab"):
            pieces.append(" ")

    def end(tag: str) -> None:
        nonlocal within, depth
        depth -= 1
        local = tag.rpartition(":")[2]
        within -= local == "t"
        if local == "p":
            pieces.append("\n")

    def text(data: str) -> None:
        if within:
            pieces.append(data)

    guard.on_element = start
    guard.parser.EndElementHandler = end
    guard.parser.CharacterDataHandler = text
    size, block = 0, b" "
    try:
        with archive.open(name) as part:
            while block:
                block = part.read(_BLOCK)
                size += len(block)
                if size > LARGEST:
                    raise BadInput(f"{where}: unpacks to more than {LARGEST >> 20} MB. Divide it, or leave it out.")
                guard.feed(block)
    except BadTaxonomy as error:  # the guard's word for XML that it refuses
        raise BadInput(str(error)) from None
    return "".join(pieces)


# ---------------------------------------------------------------------- PDF


def _pdf(file: BinaryIO, where: str, encoding: str | None) -> str:
    try:
        import pypdf
    except ImportError:
        raise MissingExtra(f"{where}: PDF needs an extra. Install it with: pip install 'taxonym[documents]'") from None
    pieces, size = [], 0
    with _quiet("pypdf"):
        try:
            reader = pypdf.PdfReader(file)
            if reader.is_encrypted and not reader.decrypt(""):
                raise BadInput(f"{where}: is encrypted. Save it without a password.")
            for page in reader.pages:
                pieces.append(page.extract_text())
                size += len(pieces[-1])
                if size > LARGEST:
                    raise BadInput(f"{where}: has more than {LARGEST >> 20} MB of text. Divide it, or leave it out.")
        except (BadInput, KeyboardInterrupt, MemoryError):
            raise
        except Exception:  # a library for files from anywhere meets whatever can go wrong
            raise BadInput(f"{where}: is not a sound PDF file. Save it again, or as text.") from None
    return "\n".join(pieces)


@contextmanager
def _quiet(name: str) -> Any:
    """Nothing that a library says of a file reaches the terminal: it may hold words of it."""
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


READERS: dict[str, Callable[[BinaryIO, str, str | None], str]] = {
    ".txt": _plain, ".text": _plain, ".md": _markdown, ".markdown": _markdown, ".html": _html, ".htm": _html,
    ".xhtml": _html, ".docx": _docx, ".pdf": _pdf,
}  # fmt: skip
