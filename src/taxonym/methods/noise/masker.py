"""Masker: one record in, one masked record out, at once; for records that come one at a time."""

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from secrets import token_bytes
from threading import Lock
from typing import Any

import numpy as np

from taxonym.errors import BadInput, BadPlan
from taxonym.knowledge.arrays import Floats
from taxonym.methods.noise.cells import MaskedCells
from taxonym.methods.noise.column import NoiseColumn, noise_columns_of
from taxonym.methods.noise.outcomes import capped
from taxonym.methods.noise.statistics import ColumnStatistics, StatisticsFile, check_varies, known_of
from taxonym.plan import Noise, Plan, as_plan
from taxonym.publish.noise.budget import Budget
from taxonym.publish.noise.correlated import joined_errors, root_of
from taxonym.publish.noise.private import (
    MISSING,
    UNKNOWN,
    RandomSource,
    SeededSource,
    fixed_size,
    source_of,
    weights_for,
)
from taxonym.publish.noise.semantic import QUANTILES, deviation
from taxonym.publish.noise.stream import (
    BaselineStream,
    Draws,
    KeyedDraws,
    NoiseStream,
    PrivateStream,
    SecureDraws,
    SeededDraws,
)

PERSONS = 1_000_000  # persons whose budget is kept in memory, some 100 bytes each


class Masker:
    """Masks records one by one, by a plan whose method is noise. Safe in threads; memory is bounded.

    `plan` is a Plan, its tables as a dict, or the path of its file. `statistics` is a file that 'taxonym stats' made,
    if neither the plan names one nor its columns declare their mean and variance; ε needs none. With `consistent` in
    the plan the same person and value get the same answer; `key` (bytes) makes these the same in another run, too.
    Where ε is promised, what is left of a person's budget is kept for at most `persons` persons and for as long as the
    Masker lives. A seed is for tests and experiments: it voids every promise.
    """

    def __init__(
        self,
        plan: Plan | Mapping[str, Any] | str | Path,
        *,
        statistics: str | Path | None = None,
        key: bytes | None = None,
        seed: int | None = None,
        persons: int = PERSONS,
    ) -> None:
        self.plan = plan = as_plan(plan)
        if not isinstance(plan.method, Noise):
            raise BadPlan(f"method.name: records cannot be masked one at a time by {plan.method.name!r}. Use 'noise'.")
        self._method, seed = plan.method, plan.method.seed if seed is None else seed
        self._columns = noise_columns_of(plan)
        self._person = plan.input.person
        if key is not None and not self._method.consistent:
            raise BadPlan("key: belongs to consistent answers, which were not asked for. Set method.consistent = true.")
        if statistics is not None and self._method.private:
            raise BadPlan("statistics: under ε nothing computed from data has a say. Leave them out.")
        named = statistics or (plan.method.statistics and plan.located(plan.method.statistics))
        file = None if named is None or self._method.private else StatisticsFile(named, self._method.k)
        known = [None] * len(self._columns) if self._method.private else known_of(self._columns, None, file)
        if self._method.outcomes == "usual":
            self._columns = [_usual(*pair) for pair in zip(self._columns, known, strict=True)]
        self._cells = [MaskedCells.of(column, plan) for column in self._columns]
        self._known = known
        if not self._method.private:
            for column, one in zip(self._columns, known, strict=True):
                _check_lengths(column, one)
        self._answers = [self._answer(*pair) for pair in zip(self._columns, known, strict=True)]
        self._deviations = [
            deviation(self._method.strength, one.statistics.variance) if one and not self._method.private else 0.0
            for one in known
        ]
        self._root = self._joined(file) if self._method.correlated else None
        self._seeded, self._draws = seed is not None, self._made_draws(key, seed)
        self._source: RandomSource = _Locked(seed) if seed is not None else source_of(None)
        self._budget = Budget(self._method.allowed(len(self._columns)), persons) if self._method.private else None

    # ------------------------------------------------------------------ making

    def _answer(
        self, column: NoiseColumn, known: ColumnStatistics | None
    ) -> NoiseStream | BaselineStream | PrivateStream:
        method, name = self._method, column.column.name
        if method.private:
            epsilon = method.strength / column.size
            return PrivateStream(weights_for(method.noise_mechanism, column.outcomes, epsilon))
        if method.noise_mechanism not in QUANTILES:
            if known is None or known.counts is None:
                raise BadPlan(
                    f"columns.{name}: {method.noise_mechanism!r} has to know how often each value occurs. Make a "
                    f"file with 'taxonym stats --frequencies' and name it as method.statistics."
                )
            return BaselineStream(column.outcomes, known.counts, method.noise_mechanism == "naive")
        if known is None:
            raise BadPlan(
                f"columns.{name}: noise has to know the column's mean and variance. Declare them as mean and variance, "
                f"or make a file with 'taxonym stats' and name it as method.statistics."
            )
        check_varies(column, known)
        return NoiseStream(column.outcomes, known.statistics.mean, method.choice)

    def _joined(self, file: StatisticsFile | None) -> Floats:
        found = None if file is None else file.correlation([column.column.name for column in self._columns])
        if found is None:
            raise BadPlan(
                "method.correlated: how the columns are correlated has to be known. Make a file of all of them "
                "together with 'taxonym stats' and name it as method.statistics."
            )
        return root_of(found)

    def _made_draws(self, key: bytes | None, seed: int | None) -> Draws:
        if self._method.consistent:
            fresh = token_bytes(32) if seed is None else blake2b(b"%d" % seed).digest()
            return KeyedDraws(fresh if key is None else key)
        return SecureDraws() if seed is None else SeededDraws(seed)

    @property
    def promise(self) -> str:
        """What is promised of the answers, and where their draws come from."""
        if self._seeded:
            return "draws come from a seed: for tests and experiments only, since they can be replayed; no promise."
        system = "the operating system's cryptographically secure generator"
        if not self._method.private:
            drawn = f"a key, new from {system} unless given" if self._method.consistent else system
            return f"neither k nor ε is promised; draws come from {drawn}."
        whose = "each person, as long as this runs" if self._person else "each record, taken for a person's only one"
        return (
            f"local differential privacy with ε = {self._method.strength:g} for each cell and at most ε = "
            f"{self._method.allowed(len(self._columns)):g} for {whose}; draws come from {system}."
        )

    # ------------------------------------------------------------------ masking

    def mask(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The record as it may be published: its masked columns, and what the plan keeps; nothing else of it.

        A set or a text comes out as a list of words, a value that is missing as None. Raises BadInput where the plan
        would suppress the record, and BrokenPromise where its person's budget is spent; nothing was drawn then.
        """
        if not isinstance(record, Mapping):
            raise BadInput("a record has to be a mapping from the names of columns to values.")
        values = [cells.read(record.get(cells.name)) for cells in self._cells]
        person = self._whose(record)
        if self._budget is not None:
            cost = self._method.cost(len(self._columns))
            if person is not None:
                self._budget.charge([blake2b(person, digest_size=16).digest()], cost)
            masked = [self._privately(i, some) for i, some in enumerate(values)]
        else:
            errors = self._errors() if self._root is not None else None
            masked = [self._noisily(i, some, person or b"", errors) for i, some in enumerate(values)]
        words = {cells.name: cells.write(codes) for cells, codes in zip(self._cells, masked, strict=True)}
        published = (name for name, column in self.plan.columns.items() if column.role != "identifier")
        return {name: words[name] if name in words else record.get(name) for name in published}

    def _whose(self, record: Mapping[str, Any]) -> bytes | None:
        if self._person is None:
            return None
        whose = record.get(self._person)
        if isinstance(whose, bool) or not isinstance(whose, str | int) or not str(whose).strip():
            raise BadInput(f"column {self._person!r}: does not say whose record it is. Fill it in.")
        return str(whose).strip().encode("utf-8", "surrogatepass")

    def _privately(self, i: int, values: list[int]) -> list[int]:
        """Outcomes as codes of the whole taxonomy, or UNKNOWN."""
        column, stream = self._columns[i], self._answers[i]
        assert isinstance(stream, PrivateStream)
        [members] = fixed_size([values], column.size, self._source)
        drawn = {stream.draw(value, self._source) for value in members} - {MISSING}
        return sorted(code if code == UNKNOWN else int(column.domain.outer[code]) for code in drawn)

    def _noisily(self, i: int, values: list[int], person: bytes, errors: Floats | None) -> list[int]:
        stream, found = self._answers[i], set[int]()
        for value in self._sized(i, values):
            about = b"\0".join((person, b"%d" % i, b"%d" % value)) if self._method.consistent else b""
            u = self._draws.numbers(2, about)
            if isinstance(stream, BaselineStream):
                found.add(stream.given(float(u[0])))
                continue
            assert isinstance(stream, NoiseStream)
            if errors is None:
                error = QUANTILES[self._method.noise_mechanism](self._deviations[i], u[:1])
            else:
                error = errors[i : i + 1]
            found.add(stream.given(value, error, u[1:]))
        return sorted(found)

    def _sized(self, i: int, values: list[int]) -> list[int]:
        """As many values as may be published: fewer of many, drawn; more of few, if the plan fixes their number."""
        column, known, left = self._columns[i].column, self._known[i], list(values)
        if column.kind == "nominal" or not values or known is None:
            return values
        fixed = column.set_size
        keep = fixed or int(capped(np.array([len(left)]), known.lengths)[0])
        while len(left) > keep:
            left.pop(int(self._source.below(len(left), 1)[0]))
        return left + [known.statistics.mean] * ((fixed or 0) - len(left))

    def _errors(self) -> Floats:
        """The errors of one record, drawn together."""
        from scipy.special import ndtri

        assert self._root is not None
        u = np.maximum(self._draws.numbers(len(self._columns), b""), 2.0**-54)
        drawn: Floats = joined_errors(self._deviations, self._root, ndtri(u)[None, :])[0]
        return drawn


def _usual(column: NoiseColumn, known: ColumnStatistics | None) -> NoiseColumn:
    """The column with those outcomes only that k persons wrote, as its statistics say."""
    if known is None or known.usual is None:
        raise BadPlan(
            f"columns.{column.column.name}: what k persons wrote has to be known for outcomes = 'usual'. Make a file "
            f"with 'taxonym stats --plan' and this plan, and name it as method.statistics."
        )
    return column.only(known.usual)


def _check_lengths(column: NoiseColumn, known: ColumnStatistics | None) -> None:
    """Refuse sets of which nobody knows how many words may be published without pointing at somebody."""
    told = column.column
    if told.kind == "nominal" or told.set_size is not None or (known is not None and known.lengths):
        return
    raise BadPlan(
        f"columns.{told.name}.set_size: how many words of a cell are published has to be fixed, since a long one would "
        f"point at its person. Set it, or make a file with 'taxonym stats --plan' and this plan, which tells what k "
        f"persons have."
    )


class _Locked(SeededSource):
    """A seeded generator that threads share."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._lock = Lock()

    def below(self, total: int, n: int) -> Any:
        with self._lock:
            return super().below(total, n)
