"""What can go wrong, as a tree.

    TaxonymError
    ├── BadInput            the person's files or words are wrong             exit code 2
    │   ├── BadCells        cells of a column cannot be read
    │   ├── BadTaxonomy     a taxonomy file cannot be understood
    │   │   └── CyclicTaxonomy  a concept is its own ancestor; the concepts on one cycle are named
    │   ├── BadPlan         a plan or an option has a mistake
    │   ├── UnknownConcept  no concept has this id or label
    │   ├── UnknownTerms    terms of a column have no concept
    │   └── MissingExtra    an optional part is not installed
    ├── ForkedProcess       a forked process cannot use what its parent has used
    └── BrokenPromise       the privacy promised cannot be kept               exit code 1
        └── BrokenRelease   a release as it is written does not keep it

    TaxonymWarning          something to know; the run goes on

Every message is one line, says where the fault is and how to mend it, and never repeats a person's value.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as typing has it, whose import would cost start-up
if TYPE_CHECKING:
    from collections.abc import Iterable


class TaxonymError(Exception):
    """Any failure that Taxonym explains."""

    exit_code = 2


class BadInput(TaxonymError):
    """The person's files or words are wrong."""


class BadCells(BadInput):
    """Cells of a column cannot be read. What and where is kept for those who read a table in parts."""

    def __init__(
        self, where: str, column: str, what: str, fix: str, count: int, total: int, things: str, row: int
    ) -> None:
        super().__init__(
            f"{where}: column {column!r}: {what} in {count:,} of {total:,} {things}, first in row {row}. {fix}"
        )
        self.column, self.what, self.fix = column, what, fix
        self.count, self.total, self.things, self.row = count, total, things, row


class BadTaxonomy(BadInput):
    """A taxonomy file cannot be understood."""


class CyclicTaxonomy(BadTaxonomy):
    """A concept is its own ancestor."""


class BadPlan(BadInput):
    """A plan or an option has a mistake."""


class UnknownConcept(BadInput):
    """No concept has this id or label."""


class UnknownTerms(BadInput):
    """Terms of a column have no concept.

    `terms` are the first of them with their rows, and `labels` those they were looked for among: for the owner of the
    data alone. No message holds them; a command shows them if it is asked to (--show-values).
    """

    def __init__(self, message: str, terms: Iterable[tuple[int, str]] = (), labels: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.terms = list(terms)
        self.labels = labels


class MissingExtra(BadInput):
    """An optional part is not installed."""


class ForkedProcess(TaxonymError):
    """A forked process cannot use what its parent has used."""


class BrokenPromise(TaxonymError):
    """The privacy promised cannot be kept, so nothing is published."""

    exit_code = 1


class BrokenRelease(BrokenPromise):
    """A release does not keep what was promised: a run writes nothing then. `what` is wrong, for those who look at a
    release that is there already; `ours` says that no input should lead there."""

    def __init__(self, what: str, ours: bool = False) -> None:
        super().__init__(f"{what}, so nothing was written." + " This is our fault: please report it." * ours)
        self.what = what


class TaxonymWarning(UserWarning):
    """Something that a person should know, although the run goes on."""
