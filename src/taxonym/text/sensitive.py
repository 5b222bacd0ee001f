"""Which concepts fall under legally sensitive topics [ImranDaud2022, §3.1]: health, religion, places and so on.

A topic is a part of a taxonomy, written down in a TOML file by the ids of its concepts; below(x) holds x itself.

    topic = ((below(concepts) ∪ instances(named)) - instances(except_named) - below(except)) ∪ also

The topics for WordNet are shipped. A file of one's own, for any taxonomy, has the same form.
"""

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.errors import BadPlan, UnknownConcept
from taxonym.knowledge.arrays import Ints, Mask
from taxonym.knowledge.runs import frozen
from taxonym.knowledge.taxonomy import Taxonomy

SHIPPED = ("wordnet",)
_TEXTS = ("title", "law", "about")
_LISTS = ("concepts", "except", "also", "named", "except_named")
_SUFFIX = ".toml"


@dataclass(frozen=True, slots=True)
class Topic:
    """For people: what a topic is called, its legal ground, and a sentence on what it holds."""

    name: str
    title: str
    law: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class TopicCount:
    """How many records have a concept of a topic, and how often all records together do."""

    topic: Topic
    records: int
    mentions: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What a column says about each topic."""

    records: int
    counts: tuple[TopicCount, ...]

    def shown(self, minimum: int) -> list[tuple[str, str, str]]:
        """Title, records, mentions of each topic, fit to be shown: nothing about fewer than `minimum` records.

        Mentions are hidden with the records they are in, for one person may have made them all.
        """
        return [
            (c.topic.title, at_least(c.records, minimum), at_least(c.mentions, minimum, hidden=c.records < minimum))
            for c in self.counts
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Topics:
    """Topics over one taxonomy: matrix[i, c] tells whether concept c is in topics[i]."""

    topics: tuple[Topic, ...]
    matrix: Mask

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(topic.name for topic in self.topics)

    def of(self, code: int) -> tuple[str, ...]:
        """The names of the topics that a concept is in, as the file orders them."""
        self._check(np.array([code]))
        return tuple(self.topics[i].name for i in np.flatnonzero(self.matrix[:, code]))

    def mask(self, name: str) -> Mask:
        """For each concept whether it is in the topic."""
        if name not in self.names:
            raise BadPlan(f"topic: {name!r} is not known. {_guess(name, self.names)}")
        found: Mask = self.matrix[self.names.index(name)]
        return found

    def only(self, names: Sequence[str]) -> "Topics":
        """Some of the topics."""
        matrix = np.array([self.mask(name) for name in names])
        return Topics(tuple(self.topics[self.names.index(name)] for name in names), matrix)

    def with_leaves(self, concepts: int, above: Mapping[int, Collection[int]]) -> "Topics":
        """The same over a taxonomy with more concepts, so many in all: a new one is in the topics of those above it."""
        matrix = np.zeros((len(self.topics), concepts), np.bool_)
        matrix[:, : self.matrix.shape[1]] = self.matrix
        for code, parents in above.items():
            matrix[:, code] = matrix[:, sorted(parents)].any(axis=1)
        return Topics(self.topics, matrix)

    @property
    def anywhere(self) -> Mask:
        """For each concept whether it is in any topic."""
        found: Mask = np.logical_or.reduce(self.matrix, axis=0)
        return found

    def codes(self, name: str) -> Ints:
        """The concepts in a topic, ascending."""
        return frozen(np.flatnonzero(self.mask(name)))

    def summary(self, records: Iterable[Sequence[int] | Ints]) -> Summary:
        """Per topic the number of records and of mentions, from the codes of each record, repeated ones included."""
        rows = [np.asarray(row, dtype=np.int64) for row in records]
        codes = np.concatenate([np.empty(0, np.int64), *rows])
        self._check(codes)
        owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        counts = []
        for topic, inside in zip(self.topics, self.matrix, strict=True):
            hit = inside[codes]
            counts.append(TopicCount(topic, len(np.unique(owner[hit])), int(hit.sum())))
        return Summary(len(rows), tuple(counts))

    def _check(self, codes: NDArray[np.integer]) -> None:
        n = self.matrix.shape[1]
        if len(codes) and not (codes.min() >= 0 and codes.max() < n):
            raise UnknownConcept(f"topics: a code is outside the taxonomy they were loaded for (0 to {n - 1}).")


def at_least(count: int, minimum: int, *, hidden: bool = False) -> str:
    """A count as it may be shown: "<5" for all below a minimum of 5, nought included, and for what is hidden."""
    return f"<{minimum}" if hidden or count < minimum else f"{count:,}"


def load_topics(tax: Taxonomy, source: str | Path = "wordnet") -> Topics:
    """The topics of a file, or those shipped under a name, over a taxonomy that has the file's ids."""
    if str(source) in SHIPPED:
        with as_file(files("taxonym") / "text" / "topics" / f"{source}{_SUFFIX}") as path:
            return _read(tax, path, f"the topics {source!r}")
    path = Path(source)
    if not path.is_file():
        raise BadPlan(f"{source}: is neither a topic file nor shipped. Shipped are: {', '.join(SHIPPED)}.")
    return _read(tax, path, str(path))


def _read(tax: Taxonomy, path: Path, name: str) -> Topics:
    """The topics in a file; complaints call it by `name`."""
    try:
        plan = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadPlan(f"{name}: is not a TOML file: {error}.") from error
    for key in plan:
        if key not in ("taxonomy", "topics"):
            raise BadPlan(f"{name}: {key!r} is not a key of a topic file. {_guess(key, ('taxonomy', 'topics'))}")
    tables = plan.get("topics")
    if not isinstance(tables, dict) or not tables:
        raise BadPlan(f"{name}: has no topics. Write a table for each: [topics.health], concepts = [...].")
    source = str(plan.get("taxonomy", tax.name))
    matrix = np.zeros((len(tables), len(tax)), np.bool_)
    topics = []
    for i, (topic, table) in enumerate(tables.items()):
        where = f"{name}: topic {topic!r}"
        topics.append(_topic(where, topic, table))
        matrix[i] = _members(tax, {key: _codes(tax, where, key, table.get(key, []), source) for key in _LISTS})
    matrix.flags.writeable = False
    return Topics(tuple(topics), matrix)


def _topic(where: str, name: str, table: Any) -> Topic:
    if not isinstance(table, dict):
        raise BadPlan(f"{where}: must be a table of its own: [topics.{name}].")
    for key, value in table.items():
        if key not in (*_TEXTS, *_LISTS):
            raise BadPlan(f"{where}: {key!r} is not a key of a topic. {_guess(key, (*_TEXTS, *_LISTS))}")
        if key in _TEXTS and not isinstance(value, str):
            raise BadPlan(f"{where}: {key} must be text in quotes.")
        if key in _LISTS and not (isinstance(value, list) and all(isinstance(id, str) for id in value)):
            raise BadPlan(f"{where}: {key} must be a list of ids, each in quotes.")
    if not any(table.get(key) for key in ("concepts", "also", "named")):
        raise BadPlan(f"{where}: has no concepts. List their ids: concepts = [...].")
    return Topic(name, **({"title": name} | {key: table[key] for key in _TEXTS if key in table}))


def _codes(tax: Taxonomy, where: str, key: str, ids: list[str], source: str) -> Ints:
    codes = []
    for id in ids:
        try:
            codes.append(tax.code(id))
        except UnknownConcept as error:
            raise UnknownConcept(
                f"{where}: {key}: no concept of {tax.name!r} has the id {id!r}. The topics are written for {source!r}: "
                f"mend the id, take that taxonomy, or name a topics_file for this one."
            ) from error
    return frozen(codes)


def _members(tax: Taxonomy, codes: dict[str, Ints]) -> Mask:
    """The equation at the top of this file."""
    named = tax.instance.astype(np.bool_)
    inside = _below(tax, codes["concepts"]) | (named & _below(tax, codes["named"]))
    inside &= ~(named & _below(tax, codes["except_named"])) & ~_below(tax, codes["except"])
    inside[codes["also"]] = True
    return inside


def _below(tax: Taxonomy, codes: Ints) -> Mask:
    marked = np.zeros(len(tax), np.bool_)
    marked[codes] = True
    if not len(codes):
        return marked
    found: Mask = np.logical_or.reduceat(marked[tax.ancestor], tax.ancestor_start[:-1])
    return found


def _guess(wrong: str, known: Sequence[str]) -> str:
    near = get_close_matches(wrong, known, 1)
    return f"Did you mean {near[0]!r}?" if near else f"Known are: {', '.join(known)}."
