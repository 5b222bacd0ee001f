"""What to do, as frozen settings that check themselves, and as a TOML file.

    [input]         where the data is and whose privacy counts
    [columns.NAME]  what every column is for (data.table.Column); a column that is not named is left out
    [method]        how records are grouped and what is published instead
    [output]        how the release is written

Every mistake is a BadPlan that names the file, the key and what is allowed there.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from taxonym.data.column import PERSON_ROWS, ROLES, Column, check_types, meant, one_of
from taxonym.data.delimited import Dialect
from taxonym.errors import BadPlan

EQUAL_TERMS = "equal-terms"  # on the strings as written, so it is no distance between concepts [Batet2014, §4.3]
REPRESENTATIVES = ("best", "redaction", "medoid", "per-record")
ORDERS = ("shuffled", "sorted")
RECODINGS = ("local", "full-domain", "items")
L_KINDS = ("distinct", "entropy")
T_DISTANCES = ("semantic", "equal")
BLOCKS = ("auto", "always", "never")
FOR_CHECKING = (
    "Algorithm 3 of Imran-Daud et al. 2022 as printed is kept for checking the paper only: its groups depend on the "
    "order of the records, lose records and may have fewer than k. Use 'adaptive-mdav' for a release."
)
NOT_FOR_RELEASE = {"papers": FOR_CHECKING, "adaptive-mdav-papers": FOR_CHECKING}
_ON_A_LINE = ("number", "date")
Settings = TypeVar("Settings", bound="Input | Column | Method | Output")


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
class Method:
    """How records are grouped (by groups of at least k) and what is published for a group.

    `known_items` is the support rule's m, `consensus` asks that half of a group holds what is published. `fit` lets
    refined groups be fitted to what they publish, where that does not take long. `topics` are those of columns that
    name none themselves. A sensitive concept that more than `topic_share` of a group's persons hold is published as its
    topic only, in columns with topics. `l` and `t` promise l-diversity (by `l_kind`) and t-closeness (by `t_distance`)
    of every class, in confidential columns and in the topics of others. The seed belongs to tests and experiments:
    whoever knows it can replay the draws.

    For `generalize`: `recoding` lets every record rise for itself, whole columns to one level, or every item alike
    wherever it stands; `cost` is what is made small; `suppress` is the largest share of records that may be left out.

    `blocks` lets very many records be grouped in blocks of about `block_size` that mean alike, always or never.
    """

    name: str = "refined"
    k: int = 5
    aggregate: str = "min-sum"
    measure: str = ""  # jaccard, or log where attributes are matched
    threshold: float = 0.8
    content: str = "seco"
    known_items: int = 2
    consensus: bool = False
    representative: str = "best"
    fit: bool = True
    topics: tuple[str, ...] = ()
    topic_share: float = 0.75
    l: int | None = None  # noqa: E741
    l_kind: str = "distinct"
    t: float | None = None
    t_distance: str = "semantic"
    recoding: str = "local"
    cost: str = "steps"
    suppress: float = 0.0
    blocks: str = "auto"
    block_size: int = 2000
    seed: int | None = None

    def __post_init__(self) -> None:
        # The registries are imported when a plan is checked, not before.
        from taxonym.distance.attributes import MATCHINGS, check_threshold
        from taxonym.distance.registry import DISTANCES
        from taxonym.distance.sets import AGGREGATIONS
        from taxonym.knowledge.content import CONTENTS
        from taxonym.mask.generalize.costs import COSTS
        from taxonym.mask.registry import METHODS

        check_types(self, "method")
        object.__setattr__(self, "name", american(self.name, METHODS))
        if self.name in NOT_FOR_RELEASE:
            raise BadPlan(f"method.name: {NOT_FOR_RELEASE[self.name]}")
        one_of("method.name", self.name, METHODS)
        one_of("method.aggregate", self.aggregate, [*AGGREGATIONS, *MATCHINGS])
        if not self.measure:
            object.__setattr__(self, "measure", usual_measure(self.aggregate))
        one_of("method.measure", self.measure, [*DISTANCES, EQUAL_TERMS])
        one_of("method.content", self.content, CONTENTS)
        one_of("method.representative", self.representative, REPRESENTATIVES)
        one_of("method.recoding", self.recoding, RECODINGS)
        one_of("method.cost", self.cost, COSTS)
        one_of("method.blocks", self.blocks, BLOCKS)
        if not 0 <= self.suppress < 1:
            raise BadPlan(f"method.suppress: must be a share from 0 to below 1, got {self.suppress}.")
        try:
            check_threshold(self.threshold)
        except BadPlan as error:
            raise BadPlan(f"method.{error}") from None
        if not 0 <= self.topic_share <= 1:
            raise BadPlan(f"method.topic_share: must lie between 0 and 1, got {self.topic_share}.")
        one_of("method.l_kind", self.l_kind, L_KINDS)
        one_of("method.t_distance", self.t_distance, T_DISTANCES)
        if self.t is not None and not 0 < self.t <= 1:
            raise BadPlan(f"method.t: must lie above 0 and be at most 1, got {self.t}.")
        for key, least in (("k", 2), ("known_items", 0), ("l", 2), ("block_size", 1), ("seed", 0)):
            value = getattr(self, key)
            if value is not None and value < least:
                raise BadPlan(f"method.{key}: must be at least {least}, got {value}.")

    @property
    def together(self) -> int:
        """How many concepts of a record need k persons who hold them all: at least one, for every single one does."""
        return max(1, self.known_items)

    @property
    def generalizes(self) -> bool:
        """Whether values rise for themselves, so that no record stands for a group."""
        from taxonym.mask.registry import METHODS

        return METHODS[self.name].how == "generalize"

    @property
    def supported(self) -> bool:
        """Whether the support rule is promised."""
        return self.generalizes or self.representative != "medoid"

    @property
    def promise(self) -> str:
        """What a release by this method keeps."""
        if self.generalizes:
            return "k^m" if self.recoding == "items" else "k"
        return "k by concept" if self.representative == "per-record" else "k"


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
    columns: dict[str, Column]
    method: Method = field(default_factory=Method)
    output: Output = field(default_factory=Output)
    folder: Path | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name, column in self.columns.items():
            if name != column.name:
                raise BadPlan(f"columns.{name}: holds the settings of a column named {column.name!r}. Name them alike.")
        if all(c.role != "quasi-identifier" for c in self.columns.values()):
            raise BadPlan(
                "columns: none has the role 'quasi-identifier', so nothing would be masked. Give one that role."
            )
        self._check_watched()
        self._check_generalized()
        person = None if self.input.person is None else self.columns.get(self.input.person)
        if person and person.role != "identifier":
            raise BadPlan(
                f"columns.{person.name}.role: this column says whose row it is (input.person), so it must be "
                f"'identifier', not {person.role!r}; it would be published otherwise."
            )

    def _check_watched(self) -> None:
        """l and t are about something: a confidential column, or topics of one that has words."""
        for key in ("l", "t"):
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
            _known_keys(given, "", [f.name for f in fields(cls) if f.name != "folder"])
            for key, value in given.items():
                if not isinstance(value, Mapping):
                    raise BadPlan(f"{key}: must be a table, written [{key}{'.NAME' * (key == 'columns')}].")
            columns = {}
            for name, settings in given.get("columns", {}).items():
                if not isinstance(settings, Mapping):
                    raise BadPlan(f"columns.{name}: must be a table, written [columns.{_key(name)}].")
                columns[name] = _made(Column, f"columns.{name}", settings, name=name)
            return cls(
                input=_made(Input, "input", given.get("input", {})),
                columns=columns,
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
        return {name: table for name, table in made.items() if table}

    def to_toml(self) -> str:
        """The plan as a file that read_plan reads back as the same plan."""
        return to_toml(self.to_dict())

    def located(self, file: str) -> str:
        """A file that the plan names: beside the plan if it is there, else as it is written (or a built-in name)."""
        beside = (self.folder or Path()) / file
        return str(beside) if beside.exists() else file


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


def usual_measure(aggregate: str) -> str:
    """The distance between concepts that belongs to a distance between sets, unless told otherwise."""
    return "log" if aggregate.startswith("matching") else "jaccard"


def american(name: str, known: Iterable[str]) -> str:
    """A name as it is registered, where it was written the British way (generalise)."""
    other = re.sub(r"is(e|ed|ation)\b", r"iz\1", name)
    return other if name not in known and other in known else name


def _made(kind: type[Settings], key: str, given: Mapping[str, Any], **more: Any) -> Settings:
    types = {f.name: str(f.type) for f in fields(kind) if f.name not in more}
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


def _said(settings: Input | Column | Method | Output) -> dict[str, Any]:
    """The settings that differ from their defaults; a tuple as a list, one taxonomy as its name."""
    made: dict[str, Any] = {}
    for f in fields(settings):
        value = getattr(settings, f.name)
        implied = isinstance(settings, Method) and f.name == "measure" and value == usual_measure(settings.aggregate)
        if value != f.default and not implied and not (f.name == "name" and isinstance(settings, Column)):
            made[f.name] = (
                value
                if not isinstance(value, tuple)
                else value[0]
                if f.name == "taxonomy" and len(value) == 1
                else list(value)
            )
    return made


def to_toml(tables: Mapping[str, Any], above: str = "") -> str:
    """Nested tables of texts, numbers, truth values and lists of texts as TOML."""
    plain = [f"{_key(k)} = {_value(v)}\n" for k, v in tables.items() if not isinstance(v, Mapping)]
    parts = ["".join(([f"[{above[:-1]}]\n"] if above and plain else []) + plain)] if plain else []
    for key, value in tables.items():
        if isinstance(value, Mapping):
            parts.append(to_toml(value, f"{above}{_key(key)}."))
    return "\n".join(part for part in parts if part)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _value(name)


def _value(value: object) -> str:
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda c: f"\\u{ord(c[0]):04x}", escaped) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else repr(value)
