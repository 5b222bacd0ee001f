"""What the pipeline asks of a shape of data: a table, a query log, an access log, documents."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from taxonym.executor.context import Context
from taxonym.io.atomic import Together
from taxonym.io.progress import Progress
from taxonym.methods.survival import ColumnSurvival
from taxonym.plan import SHAPES, Plan, imported
from taxonym.records.masked import MaskedRecords
from taxonym.report.disclosure import Disclosure
from taxonym.report.report import Report
from taxonym.shapes.codebook import Codebook

if TYPE_CHECKING:
    from taxonym.shapes.mining import Mining
    from taxonym.shapes.release_pair import ReleasePair
    from taxonym.shapes.table.reread import Trail


class Proof(Protocol):
    """What was recounted from a release as it is written."""

    @property
    def holds(self) -> bool: ...

    @property
    def why(self) -> tuple[str, ...]: ...  # sentences about what does not hold

    def as_data(self) -> dict[str, Any]: ...


class Published(ABC):
    """What a method says about the records of a shape instead, and all that can be told about it.

    The pipeline calls `check` on the batches, then `loss`, `survival`, `linkage` and `report`, in this order; the
    report finds what survives beside the other figures of loss, as `survival`.
    """

    @property
    @abstractmethod
    def groups(self) -> list[list[int]]:
        """The rows of the input (from 0) that are published alike."""

    @property
    def separators(self) -> Mapping[str, str]:
        """What stands between the terms of a set, by column, in a file of text."""
        return {}

    @property
    def formulas(self) -> Mapping[str, str]:
        """What becomes of cells that a spreadsheet would take for formulas, by column, where the plan says so."""
        return {}

    @property
    def sources(self) -> Sequence[str]:
        """Files that were read because the input names them."""
        return ()

    @property
    def save(self) -> Callable[[Path, Together | None], None] | None:
        """How the release is written where it is not a plain table; it must recount what was promised."""
        return None

    @property
    def masked(self) -> MaskedRecords | None:
        """The records beside what is published for each; None where every value is masked for itself."""
        return None

    @property
    def persons(self) -> int:
        """How many persons masked.persons numbers, be they published or not."""
        return 0

    @property
    def left_out(self) -> Mapping[str, int]:
        """How many persons are not in the release, by reason."""
        return {}

    @property
    def packages(self) -> Sequence[str]:
        """What the run was computed with, beside the usual."""
        return ()

    @abstractmethod
    def batches(self) -> Any:
        """The release, some rows at a time; where workers hold it, as their engine has it."""

    @abstractmethod
    def check(self, written: Any) -> Proof:
        """Recount what was promised from the release as it was written, which comes as `batches` has it; raise
        BrokenPromise if anything fails."""

    def codebook(self) -> Codebook | None:
        """What the words of the release stand for; None where it has none."""
        return None

    @abstractmethod
    def loss(self, context: Context) -> dict[str, Any]:
        """What was lost."""

    def survival(self, context: Context) -> Sequence[ColumnSurvival]:
        """What survives of what persons said, column by column; nothing where there are no columns of words."""
        return ()

    def linkage(self, context: Context) -> dict[str, Any] | None:
        """How often an intruder finds whom he looks for; None where nobody has asked yet."""
        return None

    @abstractmethod
    def report(self, guard: Disclosure, proof: Any, loss: dict[str, Any], linkage: dict[str, Any] | None) -> Report:
        """Everything about the run that the guard lets pass."""

    @abstractmethod
    def trail(self) -> dict[str, Any]:
        """What must not be told: who became what."""


class Publisher(Protocol):
    """How data go through a run."""

    def read(self, source: Any, plan: Plan, context: Context) -> Any:
        """The persons' records."""

    def publish(self, records: Any, plan: Plan, context: Context) -> Published:
        """What is published instead."""


class Shape(Publisher, Protocol):
    """A shape of data, and how it goes through a run and is looked at afterwards.

    `widest` are settings with which everything is allowed that a plan of the shape may publish: for a release whose
    plan is not at hand.
    """

    widest: Mapping[str, Any]

    def verify(
        self,
        release: str,
        plan: Plan | None,
        k: int | None,
        original: str | None,
        trail: "Trail | None",
        codebook: Codebook | None = None,
    ) -> Proof:
        """What can be recounted from a release that is already written, and from its codebook."""

    def compared(
        self,
        original: str,
        release: str,
        plan: Plan,
        trail: "Trail | None",
        progress: Progress,
        codebook: Codebook | None = None,
    ) -> "ReleasePair":
        """An original and a release of it, for who asks what was lost and what can be found out. Words are read by the
        codebook; without one they are looked up."""

    def mine(self, original: str, release: str, plan: Plan, trail: "Trail | None", options: "Mining") -> dict[str, Any]:
        """What data mining still finds: "kind", "tables" (made by shapes.mining.table), "notes", and any more."""


TABLE = ".table:SHAPE"  # what the plan names no shape for


def shape_of(plan: Plan | None) -> Shape:
    """The shape of what a plan is for; without a plan, a table. It is imported when it is met."""
    where = TABLE if plan is None or plan.shape is None else SHAPES[plan.kind].works
    found: Shape = imported(where, __package__)
    return found
