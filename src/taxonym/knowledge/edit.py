"""A taxonomy edited by hand: concepts renamed, moved, merged, cut out and added, one edit after the other.

Edits are kept as a table (action, id, value), so that they can be read, changed and applied to the same taxonomy again.

    rename  id  label    the concept gets another preferred label; it is still found under the old one
    move    id  parent   the concept, with all below it, hangs below this parent only
    merge   id  other    both are one concept, the other; labels and children of the first go to it
    cut     id           the concept is merged into its parent
    add     id  parent   a new concept below this parent, or a root where that is empty; its id is its label
"""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from taxonym.errors import BadInput, BadTaxonomy
from taxonym.knowledge.build import Draft
from taxonym.knowledge.combine import copy_into
from taxonym.knowledge.taxonomy import Taxonomy

ACTIONS = ("rename", "move", "merge", "cut", "add")
HEADER = ("action", "id", "value")


class TaxonomyEdit(NamedTuple):
    """One edit: what is done to which concept, and with what."""

    action: str
    id: str
    value: str = ""


class _Edited:
    """What edits have changed so far, by ids; everything else is as the taxonomy has it."""

    def __init__(self, tax: Taxonomy) -> None:
        self.tax = tax
        self.label: dict[str, str] = {}
        self.parents: dict[str, list[str]] = {}
        self.into: dict[str, str] = {}
        self.added: list[str] = []

    def known(self, id: str, what: str) -> str:
        """The id of a concept as it is now; raise if there is none."""
        code = -1 if id in self.added else self.tax.find(id)
        if id not in self.added and code < 0:
            raise BadTaxonomy(f"{what}: {self.tax.name} has no concept {id!r}. Look for its id by its label.")
        id = id if id in self.added else self.tax.id(code)
        while id in self.into:
            id = self.into[id]
        return id

    def above(self, id: str) -> list[str]:
        """The parents of a concept as they are now."""
        given = self.parents.get(id)
        if given is None:
            given = [self.tax.id(code) for code in self.tax.parents(self.tax.code(id))]
        return [*dict.fromkeys(one for one in (self.known(p, "above") for p in given) if one != id)]

    def is_above(self, high: str, low: str) -> bool:
        """Whether a concept is another or an ancestor of it, as they are now."""
        front, seen = [low], set[str]()
        while front:
            id = front.pop()
            if id == high:
                return True
            if id not in seen:
                seen.add(id)
                front += self.above(id)
        return False

    def do(self, edit: TaxonomyEdit, place: str) -> None:
        action, id, value = edit
        if action not in ACTIONS:
            raise BadTaxonomy(f"{place}: there is no action {action!r}. Choose one of {', '.join(ACTIONS)}.")
        if action == "add":
            self._add(id, value, place)
            return
        id = self.known(id, place)
        if action == "rename":
            if not value.strip():
                raise BadTaxonomy(f"{place}: a concept needs a label. Write one.")
            self.label[id] = value.strip()
        elif action == "move":
            other = self.known(value, place)
            if self.is_above(id, other):
                raise BadTaxonomy(f"{place}: a concept cannot hang below itself. Choose another parent.")
            self.parents[id] = [other]
        elif action == "merge":
            self._merge(id, self.known(value, place), place)
        else:
            above = self.above(id)
            if not above:
                raise BadTaxonomy(f"{place}: a root has nothing above it, so it cannot be cut out.")
            self._merge(id, above[0], place)

    def _add(self, id: str, parent: str, place: str) -> None:
        if not id.strip() or id != id.strip():
            raise BadTaxonomy(f"{place}: a new concept needs a name without blanks around it.")
        if id in self.added or self.tax.find(id) >= 0:
            raise BadTaxonomy(f"{place}: there is a concept {id!r} already. Choose another name.")
        self.parents[id] = [self.known(parent, place)] if parent else []
        self.added.append(id)

    def _merge(self, id: str, other: str, place: str) -> None:
        if id == other:
            raise BadTaxonomy(f"{place}: a concept cannot be merged into itself. Choose another.")
        if self.is_above(id, other):
            raise BadTaxonomy(f"{place}: a concept cannot be merged into one below it. Merge the lower one into it.")
        self.into[id] = other


def edited(tax: Taxonomy, edits: Iterable[TaxonomyEdit], name: str | None = None) -> Taxonomy:
    """The taxonomy after all edits, in their order. A concept that was merged is still found by its old id."""
    state = _Edited(tax)
    for number, edit in enumerate(edits, 1):
        state.do(edit, f"edit {number}")
    draft = Draft(name or tax.name, declared=True)
    for id in state.added:
        draft.add(id, [*dict.fromkeys((state.label.get(id, id), id))])
    apart = {tax.code(id) for id in (*state.parents, *state.into) if id not in state.added}
    renamed = {tax.code(id): label for id, label in state.label.items() if id not in state.added}
    copy_into(tax, draft, np.arange(len(tax)), dict(enumerate(tax.ids)), unlinked=apart, renamed=renamed)
    for id in state.parents.keys() - state.into.keys():
        for parent in state.above(id):
            draft.link(id, parent)
    for id in state.into:
        draft.alias(id, state.known(id, id))
    return draft.build()


def read_edits(path: Path) -> list[TaxonomyEdit]:
    """Edits from their table."""
    try:
        rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"))))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}).") from None
    if not rows or tuple(rows[0]) != HEADER:
        raise BadInput(f"{path}: line 1: the first line must be {','.join(HEADER)}.")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(HEADER):
            raise BadInput(f"{path}: line {number}: needs an action, an id and a value, which may be empty.")
    return [TaxonomyEdit(*row) for row in rows[1:]]


def edit_table(edits: Sequence[TaxonomyEdit]) -> str:
    """Edits as the table that read_edits reads."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(HEADER)
    rows.writerows(edits)
    return out.getvalue()
