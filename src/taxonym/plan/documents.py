"""The plan's table [documents]: how documents become vectors, and what is published [NavarroArribas2010, ch. 2]."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import ClassVar

from taxonym.errors import BadPlan
from taxonym.io.files import writer_of
from taxonym.records.column import POLICIES, check_types, one_of

FOLDER = "folder"
AUTHORS = ("", FOLDER)
BROKEN = ("error", "skip")
LAYOUTS = ("documents", "groups")
CENTROIDS = ("medoid", "fold")
WEIGHTS = ("rounded", "exact")


@dataclass(frozen=True, slots=True, kw_only=True)
class Documents:
    """How documents are read, turned into vectors of terms, and published.

    A folder is searched for files whose names fit one of the patterns `files` (all kinds of documents unless given);
    `broken` files stop the run, or are skipped and named in the private report; `author` "folder" makes all files of
    one folder inside it one person's. A table has a column `file` that names files beside it, or a column `text` that
    holds the texts; [input] person names the column of authors.

    `terms` is the paper's N. Words with fewer than `shortest` letters and stop words (English ones, and those in the
    file `stop_words`) are dropped, and so are words without a concept, unless `on_unknown` says otherwise. `senses` may
    be a policy of its own for words or best-pair, where each pair of terms decides. `measure` compares concepts.
    `language` is that of the documents, `names` a file of names that stay whole beside those of persons, "none" for
    neither.

    What a group publishes is found around its `centroid`: all members' terms are paired with those of the medoid, or
    members are folded into it one after the other. A published concept covers at least the share `cover` of the terms
    that were paired, never one alone: 1 is the paper's least common subsumer (as is folding), half of them loses far
    less. `weights` "exact" publishes the means of the groups as they are, as the paper does: whoever knows the
    documents of all others of a group can tell the last one's weights from them. `classes` names a column (or "folder")
    that tells the topic of each document: `mine` asks whether it can still be told, and it is never published. `layout`
    "groups" writes each vector once, with the number of documents that it stands for, instead of once for every
    document. `topics_file` has the sensitive topics that the method may name.
    """

    whole: ClassVar[str] = "an author's vector needs all of the author's documents, so they are read whole."
    no_topics: ClassVar[str] = ""
    no_sets: ClassVar[str] = "documents are compared by pairs of their terms, not as sets."

    files: tuple[str, ...] = ()
    broken: str = "error"
    author: str = ""
    file: str | None = None
    text: str | None = None
    taxonomy: tuple[str, ...] = ("wordnet",)
    terms: int = 50
    shortest: int = 3
    stop_words: str | None = None
    parts: tuple[str, ...] = ("n",)
    category: str | None = None
    senses: str = "column"
    language: str = "en"
    names: str | None = None
    on_unknown: str = "suppress"
    measure: str = "wu-palmer"
    centroid: str = "medoid"
    cover: float = 0.5
    weights: str = "rounded"
    layout: str = "documents"
    classes: str | None = None
    topics_file: str = "wordnet"

    def __post_init__(self) -> None:
        check_types(self, "documents")
        one_of("documents.broken", self.broken, BROKEN)
        one_of("documents.author", self.author, AUTHORS)
        one_of("documents.senses", self.senses, import_module("taxonym.text.senses").SENSES)
        one_of("documents.on_unknown", self.on_unknown, POLICIES)
        one_of("documents.measure", self.measure, import_module("taxonym.distance.registry").DISTANCES)
        one_of("documents.centroid", self.centroid, CENTROIDS)
        one_of("documents.weights", self.weights, WEIGHTS)
        one_of("documents.layout", self.layout, LAYOUTS)
        if self.language != "en":
            one_of("documents.language", self.language, import_module("taxonym.text.language").LANGUAGES)
        if not self.taxonomy:
            raise BadPlan("documents.taxonomy: name at least one, such as 'wordnet'.")
        if not self.parts or not set(self.parts) <= {"n", "v"}:
            raise BadPlan(f"documents.parts: choose from n (nouns) and v (verbs), got {list(self.parts)}.")
        if not 0 < self.cover <= 1:
            raise BadPlan(f"documents.cover: must lie above 0 and be at most 1, got {self.cover}.")
        for key in ("terms", "shortest"):
            if getattr(self, key) < 1:
                raise BadPlan(f"documents.{key}: must be at least 1, got {getattr(self, key)}.")
        if self.file is not None and self.text is not None:
            raise BadPlan("documents.text: a table has files or texts. Name one of the two columns.")

    @property
    def named(self) -> tuple[str | None, ...]:
        return *self.taxonomy, self.stop_words, self.topics_file, None if self.names == "none" else self.names

    def check_output(self, out: str) -> None:
        """Raise BadInput if a release cannot be written to a file of this name."""
        writer_of(Path(out))
