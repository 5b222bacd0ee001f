"""What travels to the workers: settings, compiled taxonomies, and what was learned of the table as a whole.

Nothing in it is a record. Taxonomies travel in their compiled form; finders are made of them where they are needed,
once in every process, for Spark keeps what it has broadcast as long as the process lives.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge import compiled
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Plan
from taxonym.plan.meaning import finder_of, topics_of
from taxonym.publish.confidential_values import WordMeaning
from taxonym.records.column import Column
from taxonym.records.phrases import WHOLE_PHRASES, OwnPhrase
from taxonym.records.words import WordColumn, read_words
from taxonym.text.finder import Finder
from taxonym.text.sensitive import Topics
from taxonym.text.subject import Subject


@dataclass(frozen=True, slots=True)
class KnownElsewhere:
    """What no part of a table can tell alone: nominal columns that become sets because some person has two values,
    numbers that are not all whole, dates with a time of day, the values that are concepts by policy, whether some unit
    has several records, what columns are about, where their senses go by that, and which phrases enough persons wrote
    to make them concepts, once that has been counted."""

    sets: frozenset[str] = frozenset()
    broken: frozenset[str] = frozenset()
    moments: frozenset[str] = frozenset()
    known: Mapping[str, frozenset[str]] = field(default_factory=dict)
    several: bool = False
    subjects: Mapping[str, Subject] = field(default_factory=dict)
    phrases: Mapping[str, tuple[OwnPhrase, ...]] | None = None

    def joined(self, other: "KnownElsewhere") -> "KnownElsewhere":
        names = {*self.known, *other.known}
        known = {n: self.known.get(n, frozenset()) | other.known.get(n, frozenset()) for n in names}
        several = self.several or other.several
        phrases = other.phrases if self.phrases is None else self.phrases
        return KnownElsewhere(
            self.sets | other.sets, self.broken | other.broken, self.moments | other.moments, known, several,
            {**self.subjects, **other.subjects}, phrases,
        )  # fmt: skip

    def beyond(self, other: "KnownElsewhere") -> "KnownElsewhere":
        """What of this the other did not know."""
        known = {n: more for n, found in self.known.items() if (more := found - other.known.get(n, frozenset()))}
        several = self.several and not other.several
        return KnownElsewhere(
            self.sets - other.sets, self.broken - other.broken, self.moments - other.moments, known, several
        )

    def __bool__(self) -> bool:
        return bool(self.sets or self.broken or self.moments or self.known or self.several)


class WorkerKit:
    """The plan and how the words of each column get their meaning, on any machine."""

    def __init__(
        self,
        plan: Plan,
        where: str,
        taxonomies: Mapping[str, bytes],
        options: Mapping[str, Mapping[str, Any] | None],
        topics: Mapping[str, Topics | None],
        secret: bytes,
        learned: KnownElsewhere,
    ) -> None:
        self.plan, self.where, self.compiled, self.options = plan, where, taxonomies, options
        self.topics, self.secret, self.learned = topics, secret, learned
        self._made: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_made": {}}

    def knowing(self, learned: KnownElsewhere) -> "WorkerKit":
        made = WorkerKit(self.plan, self.where, self.compiled, self.options, self.topics, self.secret, learned)
        made._made = {name: found for name, found in self._made.items() if isinstance(found, Finder)}
        return made

    @property
    def travelling(self) -> Plan:
        """The plan of the columns that go to the workers: identifiers do not, but for the hidden one of a person."""
        columns = self.plan.columns.items()
        own = {n: c for n, c in columns if c.role != "identifier" or n == self.plan.input.person}
        return replace(self.plan, columns=own)

    @property
    def quasi(self) -> list[Column]:
        """The masked columns, as they are read."""
        chosen = [c for c in self.plan.columns.values() if c.role == "quasi-identifier"]
        return [replace(c, kind="set") if c.name in self.learned.sets else c for c in chosen]

    @property
    def kept(self) -> list[Column]:
        """The columns that are published as they are."""
        chosen = [c for c in self.plan.columns.values() if c.role in ("confidential", "other")]
        return [replace(c, kind="set") if c.name in self.learned.sets else c for c in chosen]

    @property
    def confidential(self) -> dict[str, Column]:
        """The confidential columns, by their names in the rows of the release."""
        own = {c.name: c for c in self.kept if c.role == "confidential"}
        return {f"p{i}": own[c.name] for i, c in enumerate(self.published) if c.name in own}

    @property
    def numbers(self) -> list[Column]:
        """The masked columns of numbers and dates."""
        return [c for c in self.quasi if c.kind in ("number", "date")]

    @property
    def published(self) -> list[Column]:
        """The columns of the release, in its order."""
        chosen = [c for c in self.plan.columns.values() if c.role != "identifier"]
        return [replace(c, kind="set") if c.name in self.learned.sets else c for c in chosen]

    @property
    def spoken(self) -> list[Column]:
        """The masked columns of words."""
        return [c for c in self.quasi if c.kind not in ("number", "date")]

    def finder(self, name: str) -> Finder | None:
        """How the words of a column get their meaning."""
        options = self.options[name]
        if options is None:
            return None
        if name not in self._made:
            taxonomies = [self._taxonomy(one) for one in self.plan.columns[name].taxonomy]
            self._made[name] = Finder(taxonomies, **options)
        subject = self.learned.subjects.get(name)
        if subject is not None and self._made[name].subject is None:
            self._made[name] = self._made[name].about(subject)
        found: Finder = self._made[name]
        return found

    def phrases(self, name: str) -> tuple[OwnPhrase, ...]:
        """The phrases of a column that are concepts, so far as that is known."""
        return (self.learned.phrases or {}).get(name, ())

    @property
    def counts_phrases(self) -> bool:
        """Whether somebody still has to count who wrote which phrase."""
        some = any(self.options[c.name] is not None and c.phrases == WHOLE_PHRASES for c in self.spoken)
        return some and self.learned.phrases is None

    def words(self, name: str) -> WordColumn:
        """A column without any records: its taxonomy with all that is a concept by policy, and what words mean."""
        if f"{name}:words" not in self._made:
            column = next(c for c in self.spoken if c.name == name)
            known, phrases = self.learned.known.get(name, ()), self.phrases(name)
            made = read_words(column, [], self.finder(name), self.where, [], self.topics[name], SILENCE, known, phrases)
            self._made[f"{name}:words"] = made.worded(self.plan.output.hints)
        found: WordColumn = self._made[f"{name}:words"]
        return found

    def meaning(self, column: Column) -> WordMeaning | None:
        """What the words of a confidential column mean; None where they have no taxonomy."""
        key = f"{column.name}:meaning"
        if key not in self._made:
            finder = self.finder(column.name) if self.options.get(column.name) else None
            self._made[key] = None if finder is None else WordMeaning.of(finder, column)
        found: WordMeaning | None = self._made[key]
        return found

    def taxonomies(self) -> list[Taxonomy]:
        return [self.words(column.name).tax for column in self.spoken]

    def _taxonomy(self, name: str) -> Taxonomy:
        if f"{name}:taxonomy" not in self._made:
            self._made[f"{name}:taxonomy"] = compiled.of_bytes(self.compiled[name], Path(name))
        found: Taxonomy = self._made[f"{name}:taxonomy"]
        return found


def packed(plan: Plan, where: str, secret: bytes, progress: Progress = SILENCE) -> WorkerKit:
    """The kit of a run."""
    loaded: dict[str, Taxonomy] = {}
    finders: dict[str, Finder] = {}
    options: dict[str, Mapping[str, Any] | None] = {}
    topics: dict[str, Topics | None] = {}
    for column in plan.columns.values():
        if column.role == "quasi-identifier" and column.kind not in ("number", "date"):
            finder = finder_of(column, plan, loaded, progress)
            options[column.name] = None if finder is None else finder.options
            topics[column.name] = topics_of(column, plan, finder)
            finders |= {} if finder is None else {column.name: finder}
        elif column.role == "confidential" and column.kind in ("nominal", "set"):
            finder = finder_of(column, plan, loaded, progress)
            options[column.name] = None if finder is None else finder.options
            finders |= {} if finder is None else {column.name: finder}
    taxonomies = {name: compiled.as_bytes(tax) for name, tax in loaded.items()}
    made = WorkerKit(replace(plan, folder=None), where, taxonomies, options, topics, secret, KnownElsewhere())
    made._made |= finders  # this machine has them already
    return made
