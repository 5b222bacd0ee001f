"""What to do, as frozen settings that check themselves, and as a TOML file.

    [input]         where the data is and whose privacy counts
    [columns.NAME]  what every column is for (records.column.Column); a column that is not named is left out
    [method]        how records are grouped and what is published instead
    [noise]         what may come out, where the method is noise
    [output]        how the release is written

A table of SHAPES ([querylog], [accesslog], [documents]) says that the input is not a plain table, and how it is read;
columns need not be named then.

Every mistake is a BadPlan that names the file, the key and what is allowed there.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import Field, asdict, dataclass, field, fields, replace
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any, ClassVar, Protocol

from taxonym.errors import BadPlan
from taxonym.knowledge.hierarchies import SCALE
from taxonym.plan.families import (
    KEYS,
    RECODINGS,
    Generalization,
    Microaggregation,
    method_of,
    method_settings,
    public_settings,
    with_settings,
)
from taxonym.plan.input_output import INPUT, ORDERS, Input, Output
from taxonym.plan.method import EQUAL_TERMS, FOR_CHECKING, Method, american, usual_measure
from taxonym.plan.noise import TABLE as OF_NOISE
from taxonym.plan.noise import Noise
from taxonym.plan.toml import key_of, to_toml
from taxonym.records.column import ROLES, Column, key_of_field, meant, one_of

__all__ = [
    "EQUAL_TERMS", "FOR_CHECKING", "INPUT", "ORDERS", "RECODINGS", "SHAPES", "Generalization", "Input", "Method",
    "Microaggregation", "Noise", "Output", "Plan", "ShapeSettings", "american", "as_plan", "check_kind",
    "imported", "method_settings", "public_settings", "read_plan", "shape_named", "to_toml", "usual_measure",
    "with_settings",
]  # fmt: skip
_UNTOLD = {"path", "overrides", "aside", "seed"}
_FILES = {"taxonomy", "subject", "names", "topics_file", "stop_words", "statistics"}
_COLUMN = [f for f in fields(Column) if f.name != "name"]  # its keys; the name is that of its table


@dataclass(frozen=True, slots=True)
class ShapeEntry:
    """Where a shape of data is, as module:name that is imported when it is met: its settings, and what works on it (see
    taxonym.shapes); modules that begin with a dot are those of the two rooms."""

    settings: str
    works: str


# Inputs that are not plain tables, by the plan's table that says so.
SHAPES = {
    "accesslog": ShapeEntry(".access_log:AccessLog", ".access_log:SHAPE"),
    "querylog": ShapeEntry(".query_log:QueryLog", ".query_log:SHAPE"),
    "documents": ShapeEntry(".documents:Documents", ".documents:SHAPE"),
}


class ShapeSettings(Protocol):
    """Settings of an input that is not a plain table."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    whole: ClassVar[str]  # why it is not read in batches
    no_topics: ClassVar[str]  # why there are no words of a topic that l and t could watch; "" where there are
    no_sets: ClassVar[str]  # why there are no sets to compare, so that no aggregate can be chosen; "" where there are

    @property
    def named(self) -> tuple[str | None, ...]:
        """The files that the settings name to be read, or None."""

    def check_output(self, out: str) -> None:
        """Raise BadInput if a release cannot be written to a file of this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All of it. `folder` is where the plan's own file lies; files that it names are looked for there first. `notes`
    say why a drafted plan is as it is."""

    input: Input = field(default_factory=Input)
    columns: dict[str, Column] = field(default_factory=dict)
    shape: ShapeSettings | None = None
    method: Method = field(default_factory=Microaggregation)
    output: Output = field(default_factory=Output)
    folder: Path | None = field(default=None, compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        for name, column in self.columns.items():
            if name != column.name:
                raise BadPlan(f"columns.{name}: holds the settings of a column named {column.name!r}. Name them alike.")
        if self.shape is None and all(c.role != "quasi-identifier" for c in self.columns.values()):
            raise BadPlan(
                "columns: none has the role 'quasi-identifier', so nothing would be masked. Give one that role."
            )
        self.method.check_plan(self)
        if self.method.least_content is not None:
            object.__setattr__(
                self, "columns", {name: self._with_least(column) for name, column in self.columns.items()}
            )
        person = None if self.input.person is None else self.columns.get(self.input.person)
        if person and person.role != "identifier":
            raise BadPlan(
                f"columns.{person.name}.role: this column says whose row it is (input.person), so it must be "
                f"'identifier', not {person.role!r}; it would be published otherwise."
            )

    def _with_least(self, column: Column) -> Column:
        """A column of words, with what the method says of how much concepts must say, unless it says so itself."""
        if column.kind in ("number", "date") or column.least_content is not None:
            return column
        return replace(column, least_content=self.method.least_content)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any], *, where: str | None = None, folder: Path | None = None) -> "Plan":
        """A plan from the tables of its TOML file; `where` is the file that complaints name."""
        try:
            own = (f.name for f in fields(cls) if f.name not in ("folder", "notes", "shape"))
            _known_keys(given, "", [*own, "noise", *SHAPES])
            for key, value in given.items():
                if not isinstance(value, Mapping):
                    raise BadPlan(f"{key}: must be a table, written [{key}{'.NAME' * (key == 'columns')}].")
            columns = {}
            for name, settings in given.get("columns", {}).items():
                if not isinstance(settings, Mapping):
                    raise BadPlan(f"columns.{name}: must be a table, written [columns.{key_of(name)}].")
                columns[name] = Column(name=name, **_read(f"columns.{name}", settings, _COLUMN))
            shapes = [name for name in SHAPES if name in given]
            if len(shapes) > 1:
                raise BadPlan(f"{shapes[1]}: the input cannot be a {shapes[0]} too. Keep one of the two tables.")
            shape = shape_named(shapes[0]) if shapes else None
            return cls(
                input=Input(**_input(given.get("input", {}))),
                columns=columns,
                shape=shape(**_read(shapes[0], given[shapes[0]], fields(shape))) if shape else None,
                method=method_of(
                    _read("method", given.get("method", {}), KEYS.values())
                    | _read("noise", given.get("noise", {}), [KEYS[key] for key in OF_NOISE])
                ),
                output=Output(**_read("output", given.get("output", {}), fields(Output))),
                folder=folder,
            )
        except BadPlan as error:
            raise BadPlan(f"{where}: {error}" if where else str(error)) from None

    def to_dict(self) -> dict[str, Any]:
        """The plan as from_dict takes it; what has its default value is left out."""
        method = method_settings(self.method)
        if self.method.measure == self.method.usual_measure:
            method["measure"] = ""
        made = {
            "input": _said(asdict(self.input), INPUT) | ({"person": False} if self.input.each_row else {}),
            "columns": {name: _said(self._own(column), _COLUMN) for name, column in self.columns.items()},
            "method": _said(method, [KEYS[key] for key in KEYS if key not in OF_NOISE]),
            "noise": _said(method, [KEYS[key] for key in OF_NOISE]),
            "output": _said(asdict(self.output), fields(self.output)),
        }
        said = {name: table for name, table in made.items() if table}
        if self.shape is not None:  # also where all of it has its default value
            said[self.kind] = _said(asdict(self.shape), fields(self.shape))
        return said

    def public_dict(self) -> dict[str, Any]:
        """The plan as a report tells it: without the seed, without what somebody has said of single terms, and without
        the values that a scale lists, which may be those of few persons. Of files only the names are told, and not even
        that of the original and of where things are written."""
        told = {name: table for name, table in self.to_dict().items() if name != "method"}
        told["method"] = public_settings(self.method)
        tables = [told.get(name, {}) for name in ("input", "output", "method", self.kind)]
        for place in (*tables, *told.get("columns", {}).values()):
            for key in _UNTOLD & place.keys():
                del place[key]
            for key in _FILES & place.keys():
                place[key] = _bare(place[key])
        return told

    def _own(self, column: Column) -> dict[str, Any]:
        """The settings of a column, less what it has from the method."""
        settings = asdict(column)
        if column.least_content == self.method.least_content:
            settings["least_content"] = None
        return settings

    @property
    def kind(self) -> str:
        """The shape of the input: a name of SHAPES, or "table"."""
        if self.shape is None:
            return "table"
        return next(name for name in SHAPES if isinstance(self.shape, shape_named(name)))

    @property
    def formulas(self) -> dict[str, str]:
        """What becomes of cells that a spreadsheet would take for formulas, by column, where the plan says so."""
        return {name: column.formulas for name, column in self.columns.items()}

    @property
    def kept_formulas(self) -> list[str]:
        return [name for name, policy in self.formulas.items() if policy == "keep"]

    @property
    def has_words(self) -> bool:
        """Whether words are published in the place of others."""
        quasi = [c for c in self.columns.values() if c.role == "quasi-identifier"]
        return hasattr(self.shape, "taxonomy") or any(c.kind not in ("number", "date") for c in quasi)

    def to_toml(self) -> str:
        """The plan as a file that read_plan reads back as the same plan."""
        return to_toml(self.to_dict())

    def _repr_html_(self) -> str:
        from taxonym.render.notebook import short_plan

        return short_plan(self.to_toml(), self.notes)

    @property
    def files(self) -> list[str]:
        """The files that the plan names to be read, where they are; built-in taxonomies by their names."""
        each = ((*c.taxonomy, c.topics_file, c.overrides, c.subject, c.names) for c in self.columns.values())
        named = [name for some in each for name in some if name != "none"]
        named += [*self.method.named, *(self.shape.named if self.shape else ())]
        return [self.located(name) for name in named if name and not name.startswith(SCALE)]

    def located(self, file: str) -> str:
        """A file that the plan names: beside the plan if it is there, else as it is written (or a built-in name)."""
        if "\0" in file:
            raise BadPlan("a file that the plan names has a NUL character in its name. Correct it.")
        if file.startswith(SCALE):  # too long for the name of a file
            return file
        beside = (self.folder or Path()) / file
        return str(beside) if beside.exists() else file


def shape_named(name: str) -> type[ShapeSettings]:
    """The settings of an input that is not a plain table."""
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
    if isinstance(plan, str | Path):
        return read_plan(plan)
    if not isinstance(plan, Mapping):
        raise BadPlan(f"plan: must be a Plan, the tables of one as a dict, or the path of its file, got {plan!r:.40}.")
    return Plan.from_dict(plan)


def check_kind(plan: Plan, kind: str | None) -> None:
    """Raise if a kind of data is named beside a plan, which says so itself, and it is another."""
    if kind is not None and plan.kind != kind:
        raise BadPlan(f"--kind: the plan is one of a {plan.kind}, not of a {kind}. Leave --kind out.")


def _bare(files: Any) -> Any:
    """Names of files without their folders; a scale without its values."""
    if isinstance(files, list | tuple):
        return [_bare(file) for file in files]
    return SCALE[:-1] if str(files).startswith(SCALE) else files and PurePath(files.replace("\\", "/")).name


def read_plan(path: str | Path) -> Plan:
    """The plan in a TOML file."""
    if not isinstance(path, str | Path):
        raise BadPlan(f"plan: must be the path of its file, not a {type(path).__name__}.")
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


def _read(table: str, given: Mapping[str, Any], known: Iterable[Field[Any]]) -> dict[str, Any]:
    """What a table says, by the names of settings; a text where a list belongs is the only one of it."""
    fields_of = {key_of_field(f.name): f for f in known}
    given = {key if (key := name.replace("-", "_")) in fields_of else name: value for name, value in given.items()}
    _known_keys(given, f"{table}.", fields_of)
    if "role" in fields_of and "role" not in given:
        raise BadPlan(f"{table}.role: is missing. Choose one of {', '.join(ROLES)}.")
    settings = {}
    for name, value in given.items():
        if str(fields_of[name].type).startswith("tuple"):
            value = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value
        settings[fields_of[name].name] = value
    return settings


def _input(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the table [input] says."""
    settings = _read("input", given, INPUT)
    person = settings.get("person")
    if person is True:
        raise BadPlan("input.person: must be the name of a column, or false if every row is another person.")
    return settings if person is not False else settings | {"person": None, "each_row": True}


def _known_keys(given: Mapping[str, Any], prefix: str, known: Iterable[str]) -> None:
    for key in given:
        if key not in known:
            raise BadPlan(f"{prefix}{key}: there is no such key.{meant(key, known)} Choose among {', '.join(known)}.")


def _said(settings: Mapping[str, Any], known: Iterable[Field[Any]]) -> dict[str, Any]:
    """The settings that differ from their defaults; a tuple as a list, one taxonomy as its name."""
    made: dict[str, Any] = {}
    for f in known:
        value = settings[f.name]
        if value != f.default:
            one = f.name == "taxonomy" and len(value) == 1
            made[key_of_field(f.name)] = value if not isinstance(value, tuple) else value[0] if one else list(value)
    return made
