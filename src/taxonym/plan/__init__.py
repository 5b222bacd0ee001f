"""What to do, as frozen settings that check themselves, and as a TOML file.

    [input]         where the data is and whose privacy counts
    [columns.NAME]  what every column is for (records.column.Column); a column that is not named is left out
    [method]        how records are grouped and what is published instead
    [output]        how the release is written

A table of SHAPES ([querylog], [accesslog], [documents]) says that the input is no plain table, and how it is read;
columns need not be named then.

Every mistake is a BadPlan that names the file, the key and what is allowed there.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from taxonym.errors import BadPlan
from taxonym.io.delimited import Dialect
from taxonym.plan.method import EQUAL_TERMS, FOR_CHECKING, RECODINGS, Method, american, usual_measure
from taxonym.plan.toml import key_of, to_toml
from taxonym.records.column import PERSON_ROWS, ROLES, Column, check_types, meant, one_of

__all__ = [
    "EQUAL_TERMS", "FOR_CHECKING", "RECODINGS", "SHAPES", "Input", "Method", "Output", "Plan", "ShapeSettings",
    "american", "as_plan", "imported", "read_plan", "shape_named", "to_toml", "usual_measure",
]  # fmt: skip
ORDERS = ("shuffled", "sorted")
_ON_A_LINE = ("number", "date")


@dataclass(frozen=True, slots=True)
class ShapeEntry:
    """Where a shape of data is, as module:name that is imported when it is met: its settings, and what works on it (see
    taxonym.shapes); modules that begin with a dot are those of the two rooms."""

    settings: str
    works: str


# Inputs that are no plain tables, by the plan's table that says so.
SHAPES = {
    "accesslog": ShapeEntry(".access_log:AccessLog", ".access_log:SHAPE"),
    "querylog": ShapeEntry(".query_log:QueryLog", ".query_log:SHAPE"),
    "documents": ShapeEntry(".documents:Documents", ".documents:SHAPE"),
}


class ShapeSettings(Protocol):
    """Settings of an input that is not a plain table."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    whole: ClassVar[str]  # why it is not read in batches
    no_sets: ClassVar[str]  # why there are no sets to compare, so that no aggregate can be chosen; "" where there are

    @property
    def named(self) -> tuple[str | None, ...]:
        """The files that the settings name to be read, or None."""

    def check_output(self, out: str) -> None:
        """Raise BadInput if a release cannot be written to a file of this name."""


Settings = TypeVar("Settings", bound="Input | Column | Method | Output | ShapeSettings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """Where the data is, how its file is written, and whose privacy counts (every row's, unless `person` is named).

    `person_rows`: the rows of one person are united into one record, kept as records that count as one person, or must
    be unique. `missing` lists cells that mean "no value", such as "?" or "NA".
    """

    path: str | None = None
    person: str | None = None
    person_rows: str = "unite"
    missing: tuple[str, ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_types(self, "input")
        one_of("input.person_rows", self.person_rows, PERSON_ROWS)
        for key in ("delimiter", "quote"):
            value = getattr(self, key)
            if value is not None and (len(value) > 1 or value in ("\n", "\r", "\0")):
                raise BadPlan(f'input.{key}: must be one character or "" for none, got {value!r}.')

    @property
    def dialect(self) -> Dialect:
        return Dialect(encoding=self.encoding, delimiter=self.delimiter, quote=self.quote, names=self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """How the release is written: rows shuffled or as they came, the terms of a set shuffled or sorted."""

    path: str | None = None
    shuffle: bool = True
    order: str = "shuffled"

    def __post_init__(self) -> None:
        check_types(self, "output")
        one_of("output.order", self.order, ORDERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All of it. `folder` is where the plan's own file lies; files that it names are looked for there first."""

    input: Input = field(default_factory=Input)
    columns: dict[str, Column] = field(default_factory=dict)
    shape: ShapeSettings | None = None
    method: Method = field(default_factory=Method)
    output: Output = field(default_factory=Output)
    folder: Path | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name, column in self.columns.items():
            if name != column.name:
                raise BadPlan(f"columns.{name}: holds the settings of a column named {column.name!r}. Name them alike.")
        if self.shape is None and all(c.role != "quasi-identifier" for c in self.columns.values()):
            raise BadPlan(
                "columns: none has the role 'quasi-identifier', so nothing would be masked. Give one that role."
            )
        self._check_watched()
        self._check_generalized()
        if self.method.perturbs:
            if self.shape is not None:
                raise BadPlan("method.name: noise masks values of columns, which only a table has. Choose another.")
            self.method.noise.check_columns(self.columns, self.input.person, self.input.person_rows)
        person = None if self.input.person is None else self.columns.get(self.input.person)
        if person and person.role != "identifier":
            raise BadPlan(
                f"columns.{person.name}.role: this column says whose row it is (input.person), so it must be "
                f"'identifier', not {person.role!r}; it would be published otherwise."
            )

    def _check_watched(self) -> None:
        """l and t are about something: a confidential column, or topics of one that has words."""
        for key in ("l", "t"):
            if getattr(self.method, key) is not None and self.shape is not None:
                raise BadPlan(
                    f"method.{key}: is about confidential columns, which a release keeps as they are; a log or "
                    f"documents have none. Leave it out."
                )
            if getattr(self.method, key) is not None and not any(
                c.role == "confidential"
                or (c.role == "quasi-identifier" and (c.topics or (c.taxonomy and self.method.topics)))
                for c in self.columns.values()
            ):
                raise BadPlan(
                    f"method.{key}: there is nothing to watch. Give a column the role 'confidential', or name the "
                    f"sensitive topics of a column with a taxonomy (topics)."
                )

    def _check_generalized(self) -> None:
        """Generalisation is for words; l and t are kept by merging groups."""
        method = self.method
        if not method.generalizes:
            return
        for name, column in self.columns.items():
            if column.role == "quasi-identifier" and column.kind in _ON_A_LINE:
                raise BadPlan(
                    f"columns.{name}.kind: a {column.kind} cannot be generalised as it is. Make it 'nominal', with a "
                    f"hierarchy of ranges ('taxonym taxonomy cut --kind {column.kind}'), or choose another method."
                )
        if method.recoding != "local" and (method.l is not None or method.t is not None):
            raise BadPlan(
                f"method.recoding: l and t are kept by merging groups, which {method.recoding!r} does not allow. "
                f"Choose 'local', or leave l and t out."
            )

    @classmethod
    def from_dict(cls, given: Mapping[str, Any], *, where: str | None = None, folder: Path | None = None) -> "Plan":
        """A plan from the tables of its TOML file; `where` is the file that complaints name."""
        try:
            _known_keys(given, "", [*(f.name for f in fields(cls) if f.name not in ("folder", "shape")), *SHAPES])
            for key, value in given.items():
                if not isinstance(value, Mapping):
                    raise BadPlan(f"{key}: must be a table, written [{key}{'.NAME' * (key == 'columns')}].")
            columns = {}
            for name, settings in given.get("columns", {}).items():
                if not isinstance(settings, Mapping):
                    raise BadPlan(f"columns.{name}: must be a table, written [columns.{key_of(name)}].")
                columns[name] = _made(Column, f"columns.{name}", settings, name=name)
            shapes = [name for name in SHAPES if name in given]
            if len(shapes) > 1:
                raise BadPlan(f"{shapes[1]}: the input cannot be a {shapes[0]} too. Keep one of the two tables.")
            return cls(
                input=_made(Input, "input", given.get("input", {})),
                columns=columns,
                shape=_made(shape_named(shapes[0]), shapes[0], given[shapes[0]]) if shapes else None,
                method=_made(Method, "method", given.get("method", {})),
                output=_made(Output, "output", given.get("output", {})),
                folder=folder,
            )
        except BadPlan as error:
            raise BadPlan(f"{where}: {error}" if where else str(error)) from None

    def to_dict(self) -> dict[str, Any]:
        """The plan as from_dict takes it; what has its default value is left out."""
        made: dict[str, Any] = {"input": _said(self.input), "columns": {}}
        made["columns"] = {name: _said(column) for name, column in self.columns.items()}
        made |= {"method": _said(self.method), "output": _said(self.output)}
        said = {name: table for name, table in made.items() if table}
        if self.shape is not None:  # also where all of it has its default value
            said[self.kind] = _said(self.shape)
        return said

    @property
    def kind(self) -> str:
        """The shape of the input: a name of SHAPES, or "table"."""
        if self.shape is None:
            return "table"
        return next(name for name in SHAPES if isinstance(self.shape, shape_named(name)))

    def to_toml(self) -> str:
        """The plan as a file that read_plan reads back as the same plan."""
        return to_toml(self.to_dict())

    @property
    def files(self) -> list[str]:
        """The files that the plan names to be read, where they are; built-in taxonomies by their names."""
        named = [name for c in self.columns.values() for name in (*c.taxonomy, c.topics_file, c.overrides)]
        named += [self.method.statistics, *(self.shape.named if self.shape else ())]
        return [self.located(name) for name in named if name]

    def located(self, file: str) -> str:
        """A file that the plan names: beside the plan if it is there, else as it is written (or a built-in name)."""
        if "\0" in file:
            raise BadPlan("a file that the plan names has a NUL character in its name. Correct it.")
        beside = (self.folder or Path()) / file
        return str(beside) if beside.exists() else file


def shape_named(name: str) -> type[ShapeSettings]:
    """The settings of an input that is no plain table."""
    one_of("kind", name, SHAPES)
    found: type[ShapeSettings] = imported(SHAPES[name].settings, __name__)
    return found


def imported(where: str, room: str | None = None) -> Any:
    """What "module:name" stands for; so heavy modules are imported only by those who need them. A module that begins
    with a dot is one of a room."""
    module, name = where.split(":")
    return getattr(import_module(module, room), name)


def as_plan(plan: Plan | Mapping[str, Any] | str | Path) -> Plan:
    """A plan, from whatever it is given as."""
    if isinstance(plan, Plan):
        return plan
    return Plan.from_dict(plan) if isinstance(plan, Mapping) else read_plan(plan)


def read_plan(path: str | Path) -> Plan:
    """The plan in a TOML file."""
    path = Path(path)
    try:
        given = tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise BadPlan(f"{path}: there is no such file. Draft a plan with 'taxonym plan'.") from None
    except OSError as error:
        raise BadPlan(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise BadPlan(f"{path}: is not UTF-8 text. Save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line \d+|at end of document", str(error))
        raise BadPlan(
            f"{path}: is not sound TOML ({place[0] if place else 'see toml.io'}). Correct it there."
        ) from None
    return Plan.from_dict(given, where=str(path), folder=path.parent)


# ---------------------------------------------------------------------- settings from and to tables


def _made(kind: type[Settings], key: str, given: Mapping[str, Any], **more: Any) -> Settings:
    types = {f.name: str(f.type) for f in fields(kind) if f.name not in more}
    given = {plain if (plain := name.replace("-", "_")) in types else name: value for name, value in given.items()}
    _known_keys(given, f"{key}.", types)
    if "role" in types and "role" not in given:
        raise BadPlan(f"{key}.role: is missing. Choose one of {', '.join(ROLES)}.")
    settings = {}
    for name, value in given.items():
        if types[name].startswith("tuple"):
            value = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value
        settings[name] = value
    return kind(**more, **settings)


def _known_keys(given: Mapping[str, Any], prefix: str, known: Iterable[str]) -> None:
    for key in given:
        if key not in known:
            raise BadPlan(f"{prefix}{key}: there is no such key.{meant(key, known)} Choose among {', '.join(known)}.")


def _said(settings: Input | Column | Method | Output | ShapeSettings) -> dict[str, Any]:
    """The settings that differ from their defaults; a tuple as a list, one taxonomy as its name."""
    made: dict[str, Any] = {}
    for f in fields(settings):
        value = getattr(settings, f.name)
        implied = f.name == "measure" and isinstance(settings, Method) and value == settings.usual_measure
        if value != f.default and not implied and not (f.name == "name" and isinstance(settings, Column)):
            made[f.name] = (
                value
                if not isinstance(value, tuple)
                else value[0]
                if f.name == "taxonomy" and len(value) == 1
                else list(value)
            )
    return made
