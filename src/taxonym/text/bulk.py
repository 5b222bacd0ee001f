"""Mapping a whole column: every distinct text once, on all cores, in bounded memory.

What a text means depends on nothing but the text (and on the other texts of its record and the subject of its column,
where the policy for senses looks at these), so the result is the same in any order of the rows and with any number of
workers.
"""

import os
from array import array
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

import numpy as np

from taxonym.errors import BadPlan
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge import compiled
from taxonym.knowledge.arrays import Ints, Long
from taxonym.knowledge.runs import edges, frozen, positions
from taxonym.text.finder import Finder
from taxonym.text.language import Language
from taxonym.text.reading import Reading
from taxonym.text.senses import SenseChoice, TextMentions
from taxonym.text.subject import Voter
from taxonym.text.votes import count_votes, learn, learns, limit_of, smallest_hashes, voters_for

CHUNK_TEXTS, CHUNK_LETTERS, CHUNK_RECORDS = 2_000, 200_000, 200  # most of a piece of work, which holds at least one
_AT_ONCE = (
    128  # texts whose senses are chosen together; what is read for more lives long enough to burden the collector
)
WORTH_IT = 20_000  # distinct texts from which starting other processes pays
MIN_RECORDS = 5  # a phrase that fewer records share may give somebody away

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a column has concepts; all counts are over rows, repeated texts counted as often as they occur."""

    texts: int
    with_concept: int
    phrases: int  # that name something, known or not
    known: int

    @property
    def text_share(self) -> float:
        return self.with_concept / self.texts if self.texts else 0.0

    @property
    def phrase_share(self) -> float:
        return self.known / self.phrases if self.phrases else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class ColumnConcepts:
    """The concepts of text i, ascending and each once, are codes[start[i]:start[i + 1]].

    `unknown` lists phrases without a concept and the number of records that have them, the most frequent first, but
    only those that enough records share; `rare` is the number of the others.
    """

    start: Long
    codes: Ints
    coverage: Coverage
    unknown: list[tuple[str, int]]
    rare: int

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, i: int) -> list[int]:
        found: list[int] = self.codes[self.start[i] : self.start[i + 1]].tolist()
        return found


class _Text(NamedTuple):
    """What was read in one text: codes, or what to choose them from, and where that stands; phrases without a concept;
    mentions."""

    codes: list[int]
    said: TextMentions
    spans: list[tuple[int, int]]
    unknown: list[str]
    mentions: int


_NOTHING = TextMentions((), ())
_NOWHERE: list[tuple[int, int]] = []


class _Lists:
    """Many short lists of numbers, one after the other, in two arrays."""

    def __init__(self) -> None:
        self.ends = array("q", [0])
        self.values = array("i")

    def add(self, values: Iterable[int]) -> None:
        self.values.extend(values)
        self.ends.append(len(self.values))

    def spread(self, which: Long) -> tuple[Long, Ints]:
        """The lists asked for, as (start, values); -1 asks for an empty one."""
        ends = np.append(np.frombuffer(self.ends, dtype=np.int64), len(self.values))
        left, right = ends[:-1][which], ends[1:][which]
        start = edges(right - left)
        values = np.frombuffer(self.values, dtype=np.int32) if len(self.values) else np.empty(0, np.int32)
        return start, frozen(values[positions(left, right)])


class _Read:
    """What was read in all distinct texts, compactly."""

    def __init__(self) -> None:
        self.codes, self.unknown = _Lists(), _Lists()
        self.said: list[TextMentions] = []
        self.mentions = array("i")
        self.phrases: dict[str, int] = {}

    def add(self, texts: list[_Text]) -> None:
        for text in texts:
            self.codes.add(text.codes)
            self.unknown.add(self.phrases.setdefault(phrase, len(self.phrases)) for phrase in text.unknown)
            self.said.append(text.said)
            self.mentions.append(text.mentions)


def map_column(
    finder: Finder,
    texts: Sequence[str | None],
    *,
    records: Sequence[Hashable] | None = None,
    workers: int | None = None,
    min_records: int = MIN_RECORDS,
    progress: Progress = SILENCE,
) -> ColumnConcepts:
    """The concepts of every text of a column; a missing text has none.

    `records` says to which record each text belongs (every text is one unless given): senses are chosen over a record,
    and unknown phrases are counted by records. `workers` is the number of processes, all cores by default where the
    column is long enough to pay for them. A language that cannot be sent to another process is mapped in this one.
    """
    if records is not None and len(records) != len(texts):
        raise BadPlan(f"records: there are {len(records)} for {len(texts)} texts. Give one for each.")
    if workers is not None and workers < 1:
        raise BadPlan(f"workers must be at least 1, got {workers}.")
    number = {one: i for i, one in enumerate(dict.fromkeys(records or ()))}
    record = np.array([number[one] for one in records] if records is not None else range(len(texts)), dtype=np.int64)
    together = not finder.policy.first and records is not None
    rest = list(dict.fromkeys(text for text in texts if text is not None))
    sample: dict[str, _Text] = {}
    if learns(finder):
        finder, sample = _learnt(finder, rest, texts, record)
        rest = [text for text in rest if text not in sample]
    distinct = {text: i for i, text in enumerate([*sample, *rest])}
    of_text = np.array([-1 if text is None else distinct[text] for text in texts], dtype=np.int64)
    if workers is None:
        workers = (os.cpu_count() or 1) if len(distinct) >= WORTH_IT else 1
    with _team(finder, workers, together) as run:
        progress.start("concepts", len(distinct))
        read = _Read()
        for some in _chunks(sample):
            read.add(_settled(finder, some, [sample[text] for text in some], together))
            progress.advance(len(some))
        for piece in run(_read_texts, _chunks(rest)):
            read.add(piece)
            progress.advance(len(piece))
        progress.finish()
        found = _over_records(run, read, of_text, record, progress) if together else read.codes.spread(of_text)
    phrases, rare = _unknown(read, of_text, record, min_records)
    return ColumnConcepts(*found, _coverage(found[0], read, of_text), phrases, rare)


# ---------------------------------------------------------------------- what one process does

_FINDER: list[Any] = []  # of a worker process: the finder, and whether senses wait for the whole record


def _begin(paths: list[str], options: dict[str, Any], together: bool) -> None:
    """A worker starts: it loads the taxonomies by memory map, so that all workers share them."""
    _FINDER[:] = [Finder([compiled.read(Path(path)) for path in paths], **options), together]


def _read_texts(texts: list[str], finder: Finder | None = None, together: bool = False) -> list[_Text]:
    if finder is None:
        finder, together = _FINDER
    out: list[_Text] = []
    for some in (texts[i : i + _AT_ONCE] for i in range(0, len(texts), _AT_ONCE)):
        out += _settled(finder, some, [_analysed(finder, finder.read(text)) for text in some], together)
    return out


def _analysed(finder: Finder, reading: Reading) -> _Text:
    """A text whose senses, where the policy looks at more than one, are not chosen yet."""
    text = reading.text
    unknown = {" ".join(text[a:b].lower().split()) for a, b in finder.unknown_in(reading)}
    codes, choices, spans = list[int](), list[SenseChoice](), list[tuple[int, int]]()
    if finder.policy.first:
        codes = sorted(set(finder.codes(reading)))
    else:
        choices, spans = finder.choices(reading), reading.spans
    return _Text(codes, TextMentions(choices, ()), spans, sorted(unknown), sum(map(len, reading.found)))


def _settled(finder: Finder, texts: list[str], read: list[_Text], together: bool) -> list[_Text]:
    """The senses of these texts; where records decide, what these will look at."""
    if finder.policy.first or (together and not finder.policy.words):
        return read
    if together:
        hear = finder.by_words.heard
        heard = [hear(text, one.said.choices, one.spans) for text, one in zip(texts, read, strict=True)]
        return [one._replace(said=said, spans=[]) for one, said in zip(read, heard, strict=True)]
    if finder.policy.words:
        picked = finder.by_words.alone(texts, [one.said.choices for one in read], [one.spans for one in read])
    else:
        picked = [
            finder.choose_record([text], [one.said.choices], [one.spans])[0]
            for text, one in zip(texts, read, strict=True)
        ]
    return [
        _Text(_codes(one.said, some), _NOTHING, _NOWHERE, one.unknown, one.mentions)
        for one, some in zip(read, picked, strict=True)
    ]


def _choose(records: list[list[TextMentions]], finder: Finder | None = None, _: bool = True) -> list[list[list[int]]]:
    """For every record, for every text of it, its concepts."""
    finder = finder or _FINDER[0]
    picked = finder.choose_records(records)
    return [
        [_codes(*one) for one in zip(texts, some, strict=True)] for texts, some in zip(records, picked, strict=True)
    ]


def _codes(said: TextMentions, picked: list[int]) -> list[int]:
    return sorted({choice.codes[at] for choice, at in zip(said.choices, picked, strict=True)})


def _learnt(
    finder: Finder, distinct: list[str], texts: Sequence[str | None], record: Long
) -> tuple[Finder, dict[str, _Text]]:
    """The finder that knows what the column is about, and the texts that were read for that."""
    limit = limit_of(smallest_hashes(distinct))
    sample: dict[str, _Text] = {}

    def voters(text: str) -> list[Voter]:
        reading = finder.read(text)
        sample[text] = _analysed(finder, reading)
        return voters_for(finder, finder.labels(reading), sample[text].said.choices)

    cells = (([] if text is None else [text], one) for text, one in zip(texts, record.tolist(), strict=True))
    return learn(finder, count_votes(voters, cells, limit)), sample


Run = Callable[[Callable[..., Any], Iterable[Any]], Iterator[Any]]


@contextmanager
def _team(finder: Finder, workers: int, together: bool) -> Iterator[Run]:
    """How to run a function over pieces of work, in order: here, or in other processes."""
    if workers == 1 or not _can_travel(finder.language):
        yield lambda work, pieces: (work(piece, finder, together) for piece in pieces)
        return
    with TemporaryDirectory(prefix="taxonym-") as folder:
        paths = []
        for i, tax in enumerate(finder.taxonomies):
            path = Path(folder, f"{i}{compiled.SUFFIX}")
            compiled.write(tax, path)
            paths.append(str(path))
        begin = (paths, finder.options, together)
        with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin, initargs=begin) as pool:
            yield lambda work, pieces: results_in_order(pool, work, pieces, 3 * workers)


def _can_travel(language: Language) -> bool:
    """Whether another process can be told the language: it must find its functions by their names."""
    functions = [f for f in (language.tokenise, language.lemmas, language.tag) if f is not None]
    return all("<" not in getattr(function, "__qualname__", "<") for function in functions)


def results_in_order(pool: ProcessPoolExecutor, work: Callable[[T], R], pieces: Iterable[T], most: int) -> Iterator[R]:
    """Results in the order of the pieces, of which no more than `most` wait at a time."""
    waiting: deque[Future[R]] = deque()
    for piece in pieces:
        waiting.append(pool.submit(work, piece))
        if len(waiting) >= most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _chunks(texts: Iterable[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    letters = 0
    for text in texts:
        if chunk and (len(chunk) >= CHUNK_TEXTS or letters + len(text) > CHUNK_LETTERS):
            yield chunk
            chunk, letters = [], 0
        chunk.append(text)
        letters += len(text)
    if chunk:
        yield chunk


def _over_records(run: Run, read: _Read, of_text: Long, record: Long, progress: Progress) -> tuple[Long, Ints]:
    """Senses over whole records; records that hold the same texts are looked at once."""
    rows: dict[int, list[int]] = {}
    for row, number in enumerate(record.tolist()):
        rows.setdefault(number, []).append(row)
    # The texts of a record as a set: neither their order nor repetitions change what they mean.
    texts = {number: tuple(sorted({int(of_text[r]) for r in mine} - {-1})) for number, mine in rows.items()}
    distinct = list(dict.fromkeys(texts.values()))
    place = {some: i for i, some in enumerate(distinct)}
    progress.start("senses", len(distinct))
    chosen = _Lists()
    pieces = (distinct[i : i + CHUNK_RECORDS] for i in range(0, len(distinct), CHUNK_RECORDS))
    for piece in run(_choose, ([[read.said[i] for i in some] for some in part] for part in pieces)):
        for codes in (codes for some in piece for codes in some):
            chosen.add(codes)
        progress.advance(len(piece))
    progress.finish()
    first = np.cumsum([0, *map(len, distinct)])
    where = np.full(len(of_text), -1, dtype=np.int64)
    for number, mine in rows.items():
        some = texts[number]
        at = {text: int(first[place[some]]) + i for i, text in enumerate(some)}
        for row in mine:
            where[row] = at.get(int(of_text[row]), -1)
    return chosen.spread(where)


def _unknown(read: _Read, of_text: Long, record: Long, min_records: int) -> tuple[list[tuple[str, int]], int]:
    """Phrases without a concept by the number of records that have them; how many are too rare to be named."""
    n = max(1, len(read.phrases))
    start, phrase = read.unknown.spread(of_text)
    pairs = np.unique(np.repeat(record, np.diff(start)) * n + phrase)
    counts = np.bincount(pairs % n, minlength=n)
    named = [(phrase, int(counts[i])) for phrase, i in read.phrases.items() if counts[i] >= min_records]
    return sorted(named, key=lambda pair: (-pair[1], pair[0])), len(read.phrases) - len(named)


def _coverage(start: Long, read: _Read, of_text: Long) -> Coverage:
    known = np.append(np.array(read.mentions, dtype=np.int64), 0)[of_text]
    unknown = np.diff(read.unknown.spread(of_text)[0])
    return Coverage(
        texts=len(of_text),
        with_concept=int(np.count_nonzero(np.diff(start))),
        phrases=int((known + unknown).sum()),
        known=int(known.sum()),
    )
