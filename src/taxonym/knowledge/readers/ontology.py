"""What an ontology file says before it is settled: equal, merged and retired ids, which OBO, OWL and SKOS share."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from taxonym.errors import BadPlan, BadTaxonomy
from taxonym.knowledge.build import Draft

SYNONYMS = ("exact", "all")


@dataclass(slots=True)
class OntologyTerm:
    """A concept as the file describes it; labels are (rank, text), the preferred one first."""

    labels: list[tuple[int, str]] = field(default_factory=list)
    gloss: str = ""
    instance: bool = False
    line: int = 0


@dataclass
class Ontology:
    """Concepts, links and other ids in any order; draft() follows equal, merged and retired ids."""

    name: str
    terms: dict[str, OntologyTerm] = field(default_factory=dict)
    links: list[tuple[str, str, int]] = field(default_factory=list)  # child, parent, line
    implied: list[tuple[str, str, int]] = field(default_factory=list)  # by a definition
    same: list[tuple[str, str]] = field(default_factory=list)
    retired: dict[str, set[str]] = field(default_factory=dict)  # and what replaces them
    aliases: dict[str, str] = field(default_factory=dict)  # other id -> the first that claims it
    contested: dict[str, set[str]] = field(default_factory=dict)  # other id -> all that claim it, if several do
    notes: list[str] = field(default_factory=list)

    def alias(self, other: str, id: str) -> None:
        if other != id and (first := self.aliases.setdefault(other, id)) != id:
            self.contested.setdefault(other, {first}).add(id)

    def draft(self) -> Draft:
        draft = Draft(self.name, declared=True)
        for note in self.notes:
            draft.note(note)
        final = self._final_ids()
        merged: dict[str, list[str]] = {}
        for id in sorted(self.terms):
            merged.setdefault(final.get(id, id), []).append(id)
        for id in self.terms:
            if id in merged:
                self._add(draft, id, merged[id])
        for other, id in final.items():
            draft.alias(other, id)
        self._link(draft, final)
        return draft

    def _add(self, draft: Draft, id: str, together: list[str]) -> None:
        """One concept from all the terms that mean it, its own labels first."""
        terms = [self.terms[id], *(self.terms[other] for other in together if other != id)]
        gloss = next((term.gloss for term in terms if term.gloss), "")
        line = terms[0].line
        draft.add(id, gloss=gloss, instance=all(term.instance for term in terms), line=line)
        for term in terms:
            for rank, label in term.labels:
                draft.label(id, label, rank=rank, line=term.line)

    def _final_ids(self) -> dict[str, str]:
        """Other id -> the concept it means: the smallest of equal ids, the one replacement of a retired id."""
        head: dict[str, str] = {}

        def find(id: str) -> str:
            while id in head:
                head[id] = head.get(head[id], head[id])  # shorten the way for the next one
                id = head[id]
            return id

        for a, b in self.same:
            a, b = find(a), find(b)
            if a != b and not self.retired.keys() & {a, b}:
                # an id that the file does not define can only be another name
                low, high = sorted((a, b), key=lambda one: (one not in self.terms, one))
                head[high] = low
        onward = self.contested | {old: new for old, new in self.retired.items() if new}

        def ways(id: str) -> set[str]:
            if id in self.terms:
                return set()
            several = onward.get(id)
            return {find(way) for way in several or (self.aliases[id],)} if several or id in self.aliases else set()

        final = {}
        for other in dict.fromkeys([*head, *self.aliases, *onward]):
            id, seen = find(other), set[str]()
            while id not in seen and len(next_ids := ways(id)) == 1:
                seen.add(id)
                (id,) = next_ids
            if id in self.terms and id != other and (other in head or other not in self.terms):
                final[other] = id
        return final

    def _link(self, draft: Draft, final: Mapping[str, str]) -> None:
        lost = 0
        above: dict[str, set[str]] = {}
        for asserted, links in ((True, self.links), (False, self.implied)):
            for child, parent, line in links:
                if child in self.retired:
                    continue
                low, high = final.get(child, child), final.get(parent, parent)
                if high in self.retired:
                    lost += 1
                elif (low != high or child == parent) and (asserted or not _leads(above, low, high)):
                    draft.link(low, high, line=line)
                    if asserted and self.implied:
                        above.setdefault(low, set()).add(high)
        if lost:
            draft.note(f"{lost:,} links to obsolete concepts without one replacement were dropped")


def _leads(above: Mapping[str, set[str]], id: str, goal: str) -> bool:
    seen, front = {id}, [id]
    while front and goal not in seen:
        front = [up for low in front for up in above.get(low, ()) if up not in seen]
        seen.update(front)
    return goal in seen


def check_choice(path: Path, what: str, chosen: Iterable[str], present: Iterable[str]) -> None:
    """Complain of a choice that the file does not offer, saying what it does offer."""
    offered = sorted(set(present))
    for choice in chosen:
        if choice not in offered:
            has = ", ".join(offered[:20]) + (f" and {len(offered) - 20} more" if len(offered) > 20 else "")
            raise BadTaxonomy(f"{path}: has no {what} {choice!r}. It has: {has or 'none'}.")


def check_synonyms(synonyms: str) -> None:
    if synonyms not in SYNONYMS:
        raise BadPlan(f"synonyms: {synonyms!r} is not known. Choose one of {', '.join(SYNONYMS)}.")
