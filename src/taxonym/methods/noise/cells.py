"""The cells of one column, record by record: from what is written to codes of the domain, and from codes to words."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from taxonym.errors import BadInput
from taxonym.io.delimited import split_cell
from taxonym.methods.noise.column import NoiseColumn
from taxonym.plan import Noise, Plan
from taxonym.plan.meaning import topics_of
from taxonym.publish.antichain import most_specific
from taxonym.publish.noise.private import UNKNOWN
from taxonym.records.column import Column
from taxonym.records.words import reader
from taxonym.text.recent import MOST, Recent
from taxonym.text.sensitive import Topics
from taxonym.text.terms import TextTerms

TEXTS = 1 << 12  # texts whose words are remembered: each takes some kilobytes, and few come twice


@dataclass(frozen=True, slots=True, eq=False)
class MaskedCells:
    """How a column is read and written. Texts that come often are read once; reading is one thread's work at a time."""

    column: Column
    noise: NoiseColumn
    topics: Topics | None
    missing: tuple[str, ...]
    private: bool
    said: Recent[str, TextTerms]
    lock: Lock

    @classmethod
    def of(cls, noise: NoiseColumn, plan: Plan) -> "MaskedCells":
        column, finder = noise.column, noise.finder
        most, read = TEXTS if column.kind == "text" else MOST, reader(finder, column)
        said: Recent[str, TextTerms] = Recent(lambda text: read([text])[0], most)
        topics = topics_of(column, plan, finder)
        return cls(column, noise, topics, plan.input.missing, Noise.of(plan).private, said, Lock())

    @property
    def name(self) -> str:
        return self.column.name

    def read(self, value: Any) -> list[int]:
        """The codes of a cell, ascending and each once; under ε with the symbol for what is unknown."""
        try:
            texts = self._texts(value)
        except BadInput:
            if self.private:  # who is left out would be known to have no proper value
                return [UNKNOWN]
            raise
        if not texts:
            if not self.private and self.column.on_empty != "keep-as-own-concept":
                raise BadInput(f"column {self.name!r}: has no value, so the record is left out.")
            return []
        said = self._said(texts)
        unknown = any(one.unknown for one in said)
        if unknown and self.column.on_unknown == "error":
            raise BadInput(f"column {self.name!r}: has a term without a concept.")
        codes = sorted({code for one in said for _, code in one.known})
        if self.topics is not None and self.column.other_words == "drop":
            codes = [code for code in codes if self.topics.anywhere[code]]
        inside = [int(self.noise.domain.inner[code]) for code in codes]
        found = sorted(code for code in inside if code >= 0)
        unknown |= len(found) < len(inside)
        if self.private:
            if self.column.kind == "nominal":
                return found or ([UNKNOWN] if unknown else [])
            return [*found, *([UNKNOWN] if unknown else [])]
        if not found:
            raise BadInput(f"column {self.name!r}: has no concept, so the record is left out.")
        return found

    def write(self, codes: Sequence[int]) -> str | list[str] | None:
        """The words for codes of the whole taxonomy, none of what is above another one; None where there are none."""
        told = {*most_specific(self.noise.finder.taxonomy, [code for code in codes if code >= 0])}
        words = [self.noise.word(code) for code in codes if code < 0 or code in told]
        return None if not words else words[0] if self.column.kind == "nominal" else words

    def _said(self, texts: Sequence[str]) -> list[TextTerms]:
        finder = self.noise.finder
        with self.lock:
            if finder.policy.record or (finder.policy.words and not self.private and len(texts) > 1):
                return reader(finder, self.column)(texts)
            return [self.said[text] for text in texts]

    def _texts(self, value: Any) -> list[str]:
        """A cell as texts, without what means that nothing is there."""
        if isinstance(value, list) and self.column.kind != "nominal":
            found = [self._word(one) for one in value]
        else:
            whole = self._word(value)
            if whole in self.missing:
                return []
            found = split_cell(whole, self.column.separator) if self.column.kind == "set" else [whole]
        if self.column.kind == "text":
            found = [line for text in found for line in text.splitlines()]
        return [text for one in found if (text := one.strip()) and text not in self.missing]

    def _word(self, value: Any) -> str:
        if isinstance(value, list | dict):
            raise BadInput(f"column {self.name!r}: holds a list or an object. Let it be text or a number.")
        return "" if value is None else value.strip() if isinstance(value, str) else json.dumps(value)
