"""How much a partition into groups loses, by sums of squares [NavarroArribas2010, §2.4]."""

from dataclasses import dataclass
from math import fsum

from taxonym.knowledge.arrays import Floats


@dataclass(frozen=True, slots=True)
class Squares:
    """SSE: squared distances of the records to what is published for them; SSA: those of what is published to the
    middle of all records, once for every record."""

    sse: float
    ssa: float

    @property
    def sst(self) -> float:
        """SST = SSA + SSE, as the paper defines it: without sums of numbers there is no such theorem."""
        return self.sse + self.ssa

    @property
    def loss(self) -> float | None:
        """L = 100 · SSE / SST [NavarroArribas2010, eq. 2.3]; None where all records are alike."""
        return 100 * self.sse / self.sst if self.sst else None

    def as_data(self) -> dict[str, float | None]:
        return {"sse": self.sse, "ssa": self.ssa, "sst": self.sst, "L": self.loss}


def squares(within: Floats, between: Floats) -> Squares:
    """From the distance of every record to what is published for it, and of that to the middle of all records.

    SSE = Σ_i D(x_i, c(x_i))²,  SSA = Σ_i D(c(x_i), c)²
    """
    return Squares(*(fsum((values * values).tolist()) for values in (within, between)))
