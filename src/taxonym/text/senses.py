"""Which concept is meant, when a label has several.

An override (term -> concept) always wins, and a category keeps out what does not lie under it; both happen before these
policies see the choices. What is left to choose from comes with how often each sense was seen, the most usual first.
"""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from taxonym.errors import BadInput, BadPlan, UnknownConcept
from taxonym.knowledge.arrays import Floats
from taxonym.knowledge.content import content
from taxonym.knowledge.readers.source import open_text
from taxonym.knowledge.taxonomy import Taxonomy

MEASURE = "jiang-conrath"  # of ten distances the one that helps `context` most on bench/gold/dev.jsonl
WEIGHT = 4.0  # of closeness beside the log prior; 2 to 8 do equally well there
_BATCH = 64  # mentions whose senses are compared at once
MOST = 256  # other concepts that a choice is compared with, so that a long record costs no more than its length


class SenseChoice(NamedTuple):
    """The concepts that one mention may mean, the most usual first, and how often each was seen."""

    codes: list[int]
    counts: list[int]

    @property
    def prior(self) -> Floats:
        """P(c) = (count(c) + 1) / Σ (count + 1): a sense that was never seen is rare, not impossible."""
        seen = np.array(self.counts, dtype=np.float64) + 1
        share: Floats = seen / seen.sum()
        return share


class TextMentions(NamedTuple):
    """What a text mentions; the numbers of its words and of those of each mention, where the policy asks for words."""

    choices: Sequence[SenseChoice]
    words: Sequence[int]
    own: Sequence[Sequence[int]] = ()


def first(tax: Taxonomy, choices: Sequence[SenseChoice], ic: Floats | None = None) -> list[int]:
    """The taxonomy's own order [RodriguezGarcia2015]: in WordNet the sense that was seen most."""
    return [0] * len(choices)


def context(tax: Taxonomy, choices: Sequence[SenseChoice], ic: Floats | None = None) -> list[int]:
    """Prior plus closeness to what else the record mentions, d being the distance of [JiangConrath1997].

        score(c) = ln P(c) + w · mean over other mentions m of Σ_s P(s) · (1 - d(c, s)),  s the senses of m

    Closeness alone would follow chance: two rare senses of two words are often close. Ties: the more usual sense.
    """
    others = _distinct(choices)
    if len(others) < 2:
        return first(tax, choices)
    weights = np.concatenate([other.prior for other in others])
    edges = np.cumsum([0] + [len(other.codes) for other in others])[:-1]
    known: dict[tuple[int, ...], int] = {}
    for choice, own, apart in _compared(tax, choices, others, ic):
        near = np.add.reduceat((1 - apart) * weights, edges, axis=1)
        total = near.sum(axis=1) - (0 if own is None else near[:, own])
        closeness = total / (len(others) - (own is not None))
        known[tuple(choice.codes)] = _best(np.log(choice.prior) + WEIGHT * closeness)
    return [known.get(tuple(choice.codes), 0) for choice in choices]


def best_pair(tax: Taxonomy, choices: Sequence[SenseChoice], ic: Floats | None = None) -> list[int]:
    """Each mention takes the sense that is closest to some sense of another mention [NavarroArribas2010, §2.3].

        sense(m) = argmin over c of m of min over m' ≠ m, s of m', of d(c, s)

    With two terms it is the pair of senses with the largest similarity, among "the possible combination of synsets"
    by which the paper compares vectors of terms. How often a sense was seen counts only between equally close ones.
    """
    others = _distinct(choices)
    if len(others) < 2:
        return first(tax, choices)
    owner = np.repeat(np.arange(len(others)), [len(other.codes) for other in others])
    known: dict[tuple[int, ...], int] = {}
    for choice, own, apart in _compared(tax, choices, others, ic):
        known[tuple(choice.codes)] = _best(-apart[:, owner != (-1 if own is None else own)].min(axis=1))
    return [known.get(tuple(choice.codes), 0) for choice in choices]


def closest_pair(
    tax: Taxonomy, a: Sequence[int], b: Sequence[int], measure: str = "wu-palmer"
) -> tuple[int, int, float]:
    """The senses of two terms that are most alike, and their distance; ties: the more usual senses."""
    if not a or not b:
        raise UnknownConcept(f"{tax.name}: a term without a concept has no closest pair.")
    apart = _distances(tax, a, b, measure)
    i, j = divmod(_best(-apart.ravel()), len(b))
    return a[i], b[j], float(apart[i, j])


def column(tax: Taxonomy, choices: Sequence[SenseChoice], ic: Floats | None = None) -> list[int]:
    """What column_senses.ColumnSenses decides without any text, record or subject: the most usual sense."""
    from taxonym.text.column_senses import ColumnSenses  # here, for word vectors are not always needed

    return ColumnSenses(tax).choose([[TextMentions(choices, ())]])[0][0]


@dataclass(frozen=True, slots=True)
class SensePolicy:
    """One way to choose. `record`: it looks at all mentions of a record, not at each by itself. `words`: it looks at
    the words of the text, at those of the record where one is given as a whole, and at the subject of the column where
    there is one; a Finder keeps what it needs for that. text.record_terms reads
    many records."""

    name: str
    choose: Callable[[Taxonomy, Sequence[SenseChoice], Floats | None], list[int]]
    paper: str
    record: bool = True
    words: bool = False

    @property
    def first(self) -> bool:
        """Whether it always takes the first sense."""
        return not self.record and not self.words


DEFAULT = "column"


SENSES = {
    p.name: p
    for p in (
        SensePolicy("column", column, "Arora2017", record=False, words=True),
        SensePolicy("first", first, "RodriguezGarcia2015", record=False),
        SensePolicy("context", context, "JiangConrath1997"),
        SensePolicy("best-pair", best_pair, "NavarroArribas2010"),
    )
}


def policy_named(name: str) -> SensePolicy:
    """The policy with this name, or one clear complaint."""
    if name not in SENSES:
        raise BadPlan(f"senses: {name!r} is not known. Choose one of {', '.join(SENSES)}.")
    return SENSES[name]


def content_of(tax: Taxonomy) -> Floats:
    """What the policies' distance needs to know of every concept; computed once for many records."""
    return content(tax)


def read_overrides(path: Path, tax: Taxonomy) -> dict[str, int]:
    """A file of your own choices: CSV or TSV with the columns term and concept (an id of the taxonomy).

    Other columns are not read. A term whose concept is a hyphen has none yet (`taxonym concepts --suggest`).
    """
    found: dict[str, int] = {}
    with open_text(path, "utf-8-sig") as file:
        head = file.readline()
        between = "\t" if "\t" in head else ","
        names = [name.strip().lower() for name in next(csv.reader([head], delimiter=between), [])]
        if "term" not in names or "concept" not in names:
            raise BadInput(f"{path}: line 1: the first line must name the columns term and concept.")
        term_at, concept_at = names.index("term"), names.index("concept")
        for number, row in enumerate(csv.reader(file, delimiter=between), 2):
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if len(cells) <= max(term_at, concept_at) or not cells[term_at] or not cells[concept_at]:
                raise BadInput(f"{path}: line {number}: needs a term and a concept.")
            if cells[concept_at] == "-":
                continue
            found[cells[term_at]] = _code(tax, cells[concept_at], f"{path}: line {number}")
    return found


def override_codes(overrides: Mapping[str, str | int], tax: Taxonomy) -> dict[str, int]:
    """Term -> code, from ids or codes."""
    return {
        term: _code(tax, concept, "overrides") if isinstance(concept, str) else tax.code(tax.id(concept))
        for term, concept in overrides.items()
    }


def _code(tax: Taxonomy, id: str, where: str) -> int:
    try:
        return tax.code(id)
    except UnknownConcept:
        raise UnknownConcept(f"{where}: {tax.name!r} has no concept with the id {id!r}.") from None


def _distinct(choices: Sequence[SenseChoice]) -> list[SenseChoice]:
    """What the record mentions, each once, at most MOST: those mentioned most, then by code, whatever the order."""
    times: dict[tuple[int, ...], int] = {}
    by_codes: dict[tuple[int, ...], SenseChoice] = {}
    for choice in choices:
        codes = tuple(choice.codes)
        times[codes] = times.get(codes, 0) + 1
        by_codes[codes] = choice
    return [by_codes[codes] for codes in sorted(times, key=lambda codes: (-times[codes], codes))[:MOST]]


def _compared(
    tax: Taxonomy, choices: Sequence[SenseChoice], others: list[SenseChoice], ic: Floats | None
) -> Iterator[tuple[SenseChoice, int | None, Floats]]:
    """Every distinct choice that is one, its place among the others, and how far its senses are from all of theirs."""
    columns = [code for other in others for code in other.codes]
    place = {tuple(other.codes): n for n, other in enumerate(others)}
    rows = list({tuple(choice.codes): choice for choice in choices if len(choice.codes) > 1}.values())
    for batch in (rows[i : i + _BATCH] for i in range(0, len(rows), _BATCH)):
        codes = [code for choice in batch for code in choice.codes]
        apart = _distances(tax, codes, columns, MEASURE, "seco" if ic is None else ic)
        at = 0
        for choice in batch:
            yield choice, place.get(tuple(choice.codes)), apart[at : at + len(choice.codes)]
            at += len(choice.codes)


def _distances(
    tax: Taxonomy, a: Sequence[int], b: Sequence[int], measure: str, content: str | Floats = "seco"
) -> Floats:
    from taxonym.distance.matrix import concept_distances  # here, for most texts are mapped without any distance

    return concept_distances(tax, a, b, measure, content=content, threads=1)


def _best(scores: Floats) -> int:
    """The first of the largest; differences in the last digits are none."""
    return int(np.argmax(np.round(scores, 9)))
