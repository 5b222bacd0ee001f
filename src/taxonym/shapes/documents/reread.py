"""A release of documents as it is written, (document or group, term, weight), and what is recounted from it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from taxonym.errors import BadInput, BrokenRelease
from taxonym.io.files import read_released
from taxonym.io.rewrite import form_faults
from taxonym.methods.closeness import ConfidentialRule
from taxonym.plan import Plan
from taxonym.promises.classes import Classes, check_support, owned_too_much
from taxonym.publish.groups import Support
from taxonym.publish.vectors import is_printed
from taxonym.records.column import Column
from taxonym.records.person_rows import large_owners
from taxonym.records.records import Records
from taxonym.records.table import Table
from taxonym.shapes.codebook import Codebook
from taxonym.shapes.documents.read import TERM, Authors, prepare_documents, settings_of, term_settings
from taxonym.shapes.table.form import odd_values
from taxonym.shapes.table.reread import Trail

if TYPE_CHECKING:
    import polars as pl

DOCUMENT, GROUP, DOCUMENTS, WEIGHT = "document", "group", "documents", "weight"
Written = tuple[tuple[str, float], ...]  # a vector as words, in order


@dataclass(frozen=True, slots=True)
class ReadVectors:
    """The vectors of a written release: numbers[i] is that of a document or a group, which stands for sizes[i]."""

    numbers: list[int]
    sizes: list[int]
    vectors: list[Written]


def frame_of(vectors: Sequence[Written], sizes: Sequence[int], layout: str) -> "pl.DataFrame":
    """One row for every term: vector i is that of document i + 1, or of group i + 1, which has sizes[i] documents."""
    import polars as pl

    number = [i for i, vector in enumerate(vectors, 1) for _ in vector]
    columns = {GROUP if layout == "groups" else DOCUMENT: number}
    if layout == "groups":
        columns[DOCUMENTS] = [size for vector, size in zip(vectors, sizes, strict=True) for _ in vector]
    words = {TERM: [term for v in vectors for term, _ in v], WEIGHT: [weight for v in vectors for _, weight in v]}
    return pl.DataFrame(columns | words)


def published(frame: "pl.DataFrame", where: str) -> ReadVectors:
    """The vectors of a release, or one clear complaint."""
    import polars as pl

    first = next((name for name in (DOCUMENT, GROUP) if name in frame.columns), DOCUMENT)
    wanted = [first, *([DOCUMENTS] if first == GROUP else []), TERM, WEIGHT]
    if sorted(frame.columns) != sorted(wanted):
        raise BadInput(f"{where}: must have the columns {', '.join(wanted)}. Is it a release of documents?")
    kinds = {name: pl.Float64 if name == WEIGHT else pl.Int64 for name in wanted if name != TERM}
    cells = {name: frame[name].cast(kind, strict=False) for name, kind in kinds.items()}
    for name, cell in (cells | {TERM: frame[TERM]}).items():
        if cell.null_count():
            row = cell.is_null().arg_max() or 0
            raise BadInput(f"{where}: column {name!r}: row {row + 1}: is not a sound cell. Is it a release as written?")
    found: dict[int, list[tuple[str, float]]] = {}
    sizes: dict[int, int] = {}
    counts = cells[DOCUMENTS].to_list() if first == GROUP else [1] * frame.height
    rows = zip(cells[first].to_list(), counts, frame[TERM].to_list(), cells[WEIGHT].to_list(), strict=True)
    for row, (number, size, term, weight) in enumerate(rows, 1):
        found.setdefault(number, []).append((term, weight))
        if sizes.setdefault(number, size) != size or size < 1:
            raise BadInput(f"{where}: column {DOCUMENTS!r}: row {row}: is below 1, or not that of its group before.")
    return ReadVectors(list(found), list(sizes.values()), [tuple(sorted(vector)) for vector in found.values()])


def recount(found: ReadVectors, k: int, weights: str, persons: Sequence[Sequence[int]] | None = None) -> Classes:
    """The classes of equal vectors; `persons` are those whom each vector stands for, and k counts these then. `weights`
    says how they are printed."""
    place: dict[Written, int] = {}
    number = np.array([place.setdefault(vector, len(place)) for vector in found.vectors], np.int64)
    whom: list[set[int]] = [set() for _ in place]
    sizes = np.zeros(len(place), np.int64)
    for i, at in enumerate(number.tolist()):
        sizes[at] += found.sizes[i]
        whom[at].update(persons[i] if persons is not None else ())
    counted = sizes if persons is None else np.array([len(some) for some in whom], np.int64)
    broken: list[str] = []
    if persons is not None:
        at = np.repeat(number, [len(some) for some in persons])
        large = large_owners(at, np.array([who for some in persons for who in some], np.int64), k)
        broken += owned_too_much(large, k, rows="documents")
    if bare := sum(not is_printed(weight, weights) for vector in place for _, weight in vector):
        broken.append(f"{bare:,} weights are not {'rounded to 1, 2 or 5' if weights == 'rounded' else 'sound'}")
    if found.numbers != list(range(1, len(found.numbers) + 1)):
        broken.append("what is written is not numbered from 1 on, so that numbers may tell something")
    return Classes(
        rows=int(sizes.sum()),
        classes=len(place),
        smallest=int(counted.min(initial=int(sizes.sum()))),
        below=int(np.count_nonzero(counted < k)),
        k=k,
        counted="documents" if persons is None else "persons",
        number=number,
        broken=tuple(broken),
    )


def check(
    found: ReadVectors,
    k: int,
    known_items: int,
    support: Support,
    persons: Sequence[Sequence[int]],
    where: str,
    weights: str,
) -> Classes:
    """Recount everything that a run promised; raise if anything fails."""
    counted = recount(found, k, weights, persons)
    if not counted.holds:
        why = "; ".join([f"{counted.below:,} classes would have fewer than {k} persons", *counted.broken])
        raise BrokenRelease(f"{where}: {why}", ours=True)
    check_support([([[term for term, _ in vector] for vector in found.vectors], support)], k, known_items)
    return counted


# ---------------------------------------------------------------------- a release that is already written


Again = Callable[[Authors, list[list[int]]], list[Written]]  # what groups of authors publish


def verify(
    release: str,
    k: int,
    plan: Plan,
    original: str | None = None,
    trail: Trail | None = None,
    again: Again | None = None,
    codebook: Codebook | None = None,
) -> Classes:
    """Recount the classes of equal vectors, and look at the form of the file; with the original and the trail also
    persons, the support rule and, `again`, what the groups of the trail publish."""
    weights = settings_of(plan).weights
    frame = read_released(release)
    found = published(frame, str(release))
    faults = [] if trail is None else trail.changed_release(release)
    faults += [*form_faults(release, frame), *_faults(frame, found, plan)]
    for cells in (frame[name] for name in frame.columns if name != TERM):
        faults += odd_values(cells, Column(name=cells.name, role="other", kind="number"), release)
    if original is None or trail is None:
        counted = recount(found, k, weights)
        if codebook is not None:
            said = {term for vector in found.vectors for term, _ in vector}
            faults += codebook.faults_by_plan({TERM: (term_settings(settings_of(plan)), said)}, plan)
        return replace(counted, broken=(*counted.broken, *faults))
    authors = prepare_documents(original, plan)
    trail.check_original(authors.corpus.fingerprint)
    documents = documents_of(found, authors, trail, str(release))
    faults += [] if codebook is None else codebook.faults_beside(vector_codebook(found.vectors, authors))
    counted = recount(found, k, weights, [[int(authors.person[d]) for d in some] for some in documents])
    if counted.holds:
        everybody = np.arange(len(authors))
        inside = {document for some in documents for document in some}
        alive = np.array([not inside.isdisjoint(authors.documents[unit]) for unit in everybody.tolist()], np.bool_)
        support = Support.of(authors.words, everybody, k).released(everybody, alive)
        words = [[term for term, _ in vector] for vector in found.vectors]
        check_support([(words, support)], k, plan.method.together)
        faults += _foreign(found, authors, documents, trail, again) if again is not None else []
        faults += kept_promises(found, authors, documents, plan)
    return replace(counted, broken=(*counted.broken, *faults))


def watch_of(authors: Authors, plan: Plan) -> ConfidentialRule | None:
    """What l and t watch in documents, the topics of their authors' words; None where neither is promised."""
    if plan.method.l is None and plan.method.t is None:
        return None
    import polars as pl

    column, n = authors.words.column, len(authors)
    frame = pl.DataFrame({column.name: [[""]] * n}, schema={column.name: pl.List(pl.String)})
    table = replace(Table.of(frame, {column.name: column}), where=authors.corpus.where)
    units = Records(table, [authors.words], [[i] for i in range(n)], np.arange(n), np.zeros(n, np.int64), {})
    return ConfidentialRule.of(units, plan)


def kept_promises(found: ReadVectors, authors: Authors, documents: Sequence[Sequence[int]], plan: Plan) -> list[str]:
    """Where l or t fail in a release, of which vector i stands for documents[i]."""
    watch = watch_of(authors, plan)
    if watch is None:
        return []
    unit_of = {d: unit for unit, mine in enumerate(authors.documents) for d in mine}
    like: dict[Written, int] = {}
    pairs = [
        (like.setdefault(v, len(like)), unit_of[d])
        for v, some in zip(found.vectors, documents, strict=True)
        for d in some
    ]
    number, unit = np.array(pairs, np.int64).T
    return watch.broken(number, unit)


def vector_codebook(vectors: Sequence[Written], authors: Authors) -> Codebook:
    """What the terms of vectors stand for."""
    terms = {term for vector in vectors for term, _ in vector}
    return Codebook.of({TERM: (terms, authors.words.tax, authors.words.maps_to)})


def _faults(frame: "pl.DataFrame", found: ReadVectors, plan: Plan) -> list[str]:
    """What is not in the order in which vectors are written: columns, terms by weight and name, and themselves."""
    first = DOCUMENT if DOCUMENT in frame.columns else GROUP
    cells = [frame[name].cast(str).to_list() for name in (first, TERM, WEIGHT)]
    rows = [(number, (term, float(weight))) for number, term, weight in zip(*cells, strict=True)]
    pieces = [(number, [term for _, term in some]) for number, some in groupby(rows, key=lambda row: row[0])]
    shown = dict(pieces)
    wanted = [name for name in (DOCUMENT, GROUP, DOCUMENTS, TERM, WEIGHT) if name in frame.columns]
    faults = [] if list(frame.columns) == wanted else ["its columns are not in their order"]
    if len(shown) < len(pieces):
        return [*faults, "the terms of some vectors do not stand together"]
    if any(vector != sorted(vector, key=lambda one: (-one[1], one[0])) for vector in shown.values()):
        faults.append("the terms of some vectors are not sorted by weight and name")
    order = [(tuple(vector), size) for vector, size in zip(shown.values(), found.sizes, strict=True)]
    if plan.output.rows == "sorted" and order != sorted(order):
        faults.append("its vectors are not sorted")
    return faults


def _foreign(found: ReadVectors, authors: Authors, documents: list[list[int]], trail: Trail, again: Again) -> list[str]:
    """Vectors that are not those of the groups of the trail."""
    unit_of = {d: unit for unit, mine in enumerate(authors.documents) for d in mine}
    group_of = dict(zip(trail.first, trail.groups, strict=True))
    members: dict[int, set[int]] = {}
    for document, group in group_of.items():
        if group >= 0 and document - 1 in unit_of:
            members.setdefault(group, set()).add(unit_of[document - 1])
    groups = sorted(members)
    vectors = dict(zip(groups, again(authors, [sorted(members[g]) for g in groups]), strict=True))
    wrong = 0
    for vector, some in zip(found.vectors, documents, strict=True):
        mine = {group_of[document + 1] for document in some}
        wrong += len(mine) != 1 or tuple(sorted(vectors.get(min(mine), ()))) != vector
    return [f"{wrong:,} vectors are not those of their groups"] * bool(wrong)


def documents_of(found: ReadVectors, authors: Authors, trail: Trail, where: str) -> list[list[int]]:
    """The documents that each vector of a release stands for, by the trail."""
    place = {number: i for i, number in enumerate(found.numbers)}
    documents: list[list[int]] = [[] for _ in found.numbers]
    for document, row in zip(trail.first, trail.released, strict=True):
        if row:
            if row not in place or not 0 < document <= len(authors.corpus):
                raise BadInput(f"{trail.where}: belongs to another release or original: they have fewer documents.")
            documents[place[row]].append(document - 1)
    for i, (size, some) in enumerate(zip(found.sizes, documents, strict=True)):
        if size != len(some):
            raise BadInput(f"{where}: the trail does not tell whose vector {found.numbers[i]} is. Is it the right one?")
    return documents
