"""Documents: a folder of files, a list of files, or a column of long texts, and whose they are.

The plan's table [documents] selects this shape and says how documents become vectors [NavarroArribas2010, ch. 2].
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxonym.errors import BadInput, BadPlan
from taxonym.io.delimited import Dialect
from taxonym.io.frames import as_polars
from taxonym.io.progress import SILENCE, Progress
from taxonym.plan.documents import FOLDER, Documents
from taxonym.shapes.documents.extract import READERS, known_endings, text_of
from taxonym.text.terms import tidy

if TYPE_CHECKING:
    import polars as pl

SKIPPED = "Files that cannot be read were left out, if there were any; the private report names them."
FILE, TEXT = "file", "text"  # the columns that a table is looked through for


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Documents as texts. names[i] says where document i was found, authors[i] whose it is (None: not told), classes[i]
    what it is about."""

    where: str
    names: list[str]
    texts: list[str]
    authors: list[str] | None
    fingerprint: str
    notes: list[str] = field(default_factory=list)
    classes: list[str] | None = None
    files: Sequence[str] = ()  # that a table names
    skipped: Sequence[str] = ()  # files that cannot be read

    def __len__(self) -> int:
        return len(self.texts)


def read_documents(
    source: Any, how: Documents, person: str | None = None, dialect: Dialect | None = None, progress: Progress = SILENCE
) -> Corpus:
    """All documents of a folder, of the files that a table names, or of the texts in a table (or its file)."""
    dialect = dialect or Dialect()
    if isinstance(source, str | Path) and Path(source).is_dir():
        return _folder(Path(source), how, person, dialect.encoding, progress)
    if how.author:
        raise BadPlan(
            "documents.author: only a folder of documents has folders. Name the column: person under [input]."
        )
    where = str(source) if isinstance(source, str | Path) else "the table"
    if isinstance(source, str | Path) and Path(source).suffix.lower() in {*READERS} - {".txt"}:  # which may be a table
        raise BadInput(
            f"{source}: is the name of one document, among which nobody could hide. Give a folder or a table."
        )
    if isinstance(source, str | Path) and not Path(source).exists():
        raise BadInput(f"{source}: cannot be read (there is no such file or folder). Check its name.")
    frame = as_polars(source, dialect)
    column = how.file or how.text or next((name for name in (FILE, TEXT) if name in frame.columns), None)
    if column is None:
        raise BadInput(
            f"{where}: has no column 'file' or 'text'. Name the column with file = … or text = … under [documents]."
        )
    cells, authors = _cells(frame, column, where), None
    classes = None if how.classes is None else [str(cell or "") for cell in _cells(frame, how.classes, where)]
    if person is not None:
        authors = ["" if a is None else tidy(str(a)) for a in _cells(frame, person, where)]
        if "" in authors:
            row = authors.index("") + 1
            raise BadInput(f"{where}: column {person!r}: row {row}: does not say whose document it is. Fill it in.")
    if column == how.file or (how.text is None and column == FILE):
        base = Path(source).parent if isinstance(source, str | Path) else Path()
        paths = []
        for row, cell in enumerate(cells, 1):
            path = base / str(cell or "")
            if not cell or path.suffix.lower() not in READERS or not path.is_file():
                fix = f"Name one that is there and ends in {known_endings()}."
                raise BadInput(f"{where}: column {column!r}: row {row}: names no document. {fix}")
            paths.append(path)
        texts, sound = _texts(paths, how, dialect.encoding, progress)
        files = [str(paths[i]) for i in sound]
        skipped = [str(path) for i, path in enumerate(paths) if i not in set(sound)]
        kept = [None if some is None else [some[i] for i in sound] for some in (authors, classes)]
        digest, notes = _digest(texts), [SKIPPED] if how.broken == "skip" else []
        return Corpus(where, files, texts, kept[0], digest, notes, kept[1], files, skipped)
    texts = [str(cell or "") for cell in cells]
    names = [f"row {row}" for row in range(1, len(texts) + 1)]
    return Corpus(where, names, texts, authors, _digest(texts), classes=classes)


def _folder(folder: Path, how: Documents, person: str | None, encoding: str | None, progress: Progress) -> Corpus:
    """Every document in a folder and the folders in it, by name; hidden files and folders are left alone."""
    if person is not None:
        raise BadPlan('input.person: a folder has no columns. Set author = "folder" under [documents] instead.')
    for key in ("file", "text"):
        if getattr(how, key) is not None:
            raise BadPlan(f"documents.{key}: a folder has no columns. Leave it out, or give a table.")
    every = sorted(
        path for path in folder.rglob("*")
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )  # fmt: skip
    paths = [p for p in every if p.suffix.lower() in READERS and _fits(p.relative_to(folder), how.files)]
    if not paths:
        raise BadInput(f"{folder}: has no documents. They are files that end in {known_endings()}.")
    if how.classes not in (None, FOLDER):
        raise BadPlan(f'documents.classes: a folder has no columns. Set it to "{FOLDER}", or leave it out.')
    above = [path.relative_to(folder).parts[0] for path in paths]
    for key in ("author", "classes"):
        if getattr(how, key):
            for path in paths:
                if path.parent == folder:
                    raise BadInput(f"{path}: lies in no folder of its own. Put it into one, or leave {key} out.")
    left = len(every) - len(paths)
    notes = ["Files in the folder that are not documents that were asked for were left out."] if left else []
    texts, sound = _texts(paths, how, encoding, progress)
    notes += [SKIPPED] if how.broken == "skip" else []
    every_name = [str(path.relative_to(folder)) for path in paths]
    names, above = [every_name[i] for i in sound], [above[i] for i in sound]
    skipped, classes = sorted({*every_name} - {*names}), above if how.classes else None
    authors = above if how.author else None
    return Corpus(str(folder), names, texts, authors, _digest(texts), notes, classes, skipped=skipped)


def _fits(path: Path, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatch(str(path), one) or fnmatch(path.name, one) for one in patterns)


def _texts(
    paths: Sequence[Path], how: Documents, encoding: str | None, progress: Progress
) -> tuple[list[str], list[int]]:
    """The texts of all files that can be read, and which these are."""
    progress.start("reading documents", len(paths))
    texts, sound = [], []
    for i, path in enumerate(paths):
        try:
            texts.append(text_of(path, encoding))
            sound.append(i)
        except BadInput:
            if how.broken == "error":
                raise
        progress.advance()
    progress.finish()
    if not texts:
        raise BadInput(f"{paths[0].parent}: none of its {len(paths):,} documents can be read. Are they sound?")
    return texts, sound


def _cells(frame: "pl.DataFrame", name: str, where: str) -> list[Any]:
    if name not in frame.columns:
        raise BadInput(f"{where}: has no column {name!r}. It has {', '.join(map(repr, frame.columns))}.")
    return frame[name].to_list()


def _digest(texts: Sequence[str]) -> str:
    made = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "little") + data)
    return made.hexdigest()


def read_stop_words(path: Path) -> frozenset[str]:
    """A file of words, one or more on a line; # begins a comment."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise BadPlan(f"documents.stop_words: {path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise BadPlan(f"documents.stop_words: {path}: is not UTF-8 text. Save it as UTF-8.") from None
    return frozenset(word.lower() for line in lines for word in line.partition("#")[0].split())
