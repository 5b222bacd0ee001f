"""Where the data of a plan comes from and whose it is, and how its release is written."""

from dataclasses import dataclass, fields

from taxonym.errors import BadPlan
from taxonym.io.delimited import Dialect
from taxonym.io.files import FORMATS
from taxonym.io.sizes import bytes_of
from taxonym.records.column import PERSON_ROWS, check_types, one_of

ORDERS = ("sorted", "shuffled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """Where the data is, how its file is written, and whose privacy counts (every row's, unless `person` is named).

    `each_row` says that this is meant (in a plan: person = false), also where ids of a column that is removed repeat.

    `person_rows`: the rows of one person are united into one record, kept as records that count as one person, or must
    be unique. `missing` lists cells that mean "no value", such as "?" or "NA". `format` names the format of the file,
    `sheet` that of a workbook; `labels` = false keeps codes that have labels (SPSS, Stata); `max_unpacked` is how much
    a packed file may hold ("20G").
    """

    path: str | None = None
    person: str | None = None
    each_row: bool = False
    person_rows: str = "unite"
    missing: tuple[str, ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    names: tuple[str, ...] = ()
    format: str | None = None
    sheet: str | None = None
    labels: bool = True
    max_unpacked: str | None = None

    def __post_init__(self) -> None:
        check_types(self, "input")
        one_of("input.person_rows", self.person_rows, PERSON_ROWS)
        if self.format is not None:
            one_of("input.format", self.format, FORMATS)
        if self.max_unpacked is not None:
            bytes_of(self.max_unpacked, "input.max_unpacked")
        if self.each_row and self.person is not None:
            raise BadPlan("input.person: names a column, so not every row is another person. Keep one of the two.")
        for key in ("delimiter", "quote"):
            value = getattr(self, key)
            if value is not None and (len(value) > 1 or value in ("\n", "\r", "\0")):
                raise BadPlan(f'input.{key}: must be one character or "" for none, got {value!r}.')

    @property
    def keeps_rows(self) -> bool:
        """Whether a person may have several rows in the release."""
        return self.person is not None and self.person_rows == "keep"

    @property
    def dialect(self) -> Dialect:
        settings = {f.name: getattr(self, f.name) for f in fields(Dialect)}
        if self.max_unpacked is not None:
            settings["max_unpacked"] = bytes_of(self.max_unpacked)
        return Dialect(**settings)


INPUT = [f for f in fields(Input) if f.name != "each_row"]  # its keys; person = false stands for that one


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """How the release is written: rows and the items of a set sorted by what is published, or shuffled.

    `shuffle` is the older key: false keeps the rows in the order of the input, true is the order "shuffled". `hints`
    prints every word with the name of what is above its concept, dog (canine), not only where it would be unclear.
    """

    path: str | None = None
    shuffle: bool | None = None
    order: str = "sorted"
    hints: bool = False

    def __post_init__(self) -> None:
        check_types(self, "output")
        one_of("output.order", self.order, ORDERS)

    @property
    def rows(self) -> str:
        """The order of the rows: "sorted", "shuffled", or "kept" as the input has them."""
        return self.order if self.shuffle is None else "shuffled" if self.shuffle else "kept"

    @property
    def items(self) -> str:
        """The order of the items of a set: "sorted" or "shuffled"."""
        return "shuffled" if self.shuffle else self.order
