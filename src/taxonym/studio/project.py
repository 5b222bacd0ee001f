"""What a person has decided about one file: the plan, what words mean, how hierarchies were edited.

A project is a folder beside its file, which the command reads, too:

    FILE.studio/plan.toml            the plan: taxonym anonymize --plan FILE.studio/plan.toml
    FILE.studio/overrides-COLUMN.csv what words mean, as the plan names it
    FILE.studio/hierarchy-COLUMN.csv edits of a hierarchy; hierarchies.json says of which
    FILE.studio/hierarchy-COLUMN.taxonym  the edited hierarchy, as the plan names it; made from the two above
    FILE.studio/history/             every earlier state
    FILE.studio/release/             the last release, its report, and the private trail
"""

import csv
import io
import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from taxonym.errors import BadInput, BadPlan, TaxonymError
from taxonym.io.atomic import whole_file
from taxonym.knowledge import compiled
from taxonym.knowledge.catalog import BUILT_IN, load
from taxonym.knowledge.edit import TaxonomyEdit, edit_table, edited, read_edits
from taxonym.knowledge.hierarchies import SCALE
from taxonym.plan import Plan, read_plan, to_toml
from taxonym.studio.changes import Tables, word_columns
from taxonym.studio.history import Change, History
from taxonym.studio.opened import SUFFIX, OpenedFolder, locked

PLAN, HIERARCHIES = "plan.toml", "hierarchies.json"
_NAMED_FILES = ("topics_file", "subject", "names", "links", "statistics")


class Project:
    """A file and all that was decided about it; `look` is what the draft found, for the screens."""

    def __init__(self, opened: OpenedFolder, source: Path) -> None:
        self.opened, self.source = opened, source
        self.home = source.with_name(source.name + SUFFIX)
        if self.home.is_symlink():
            raise BadInput("The folder of this project is a link. Put a folder in its place.")
        try:
            self.home.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise BadInput(f"The folder of the project cannot be made ({error.strerror}).") from None
        self.history = History(self.home)
        self._lock = locked(self.home)
        self.look: dict[str, Any] = {}
        self.is_read_anew = False  # the next look makes another plan

    def close(self) -> None:
        """Let another studio have it."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @property
    def name(self) -> str:
        return self.opened.name_of(self.source)

    # ------------------------------------------------------------------ what was decided

    @property
    def tables(self) -> Tables:
        """The plan as the tables of its file."""
        text = self.history.state().get(PLAN)
        return {} if text is None else tomllib.loads(text)

    def plan(self) -> Plan:
        """The plan, with every file that it names in its place; raise if something is missing."""
        self.settle()
        return Plan.from_dict(self.tables, folder=self.home)

    @property
    def problem(self) -> str | None:
        """Why there is no plan that could be carried out, in a sentence."""
        try:
            Plan.from_dict(self.tables, folder=self.home)
        except TaxonymError as error:
            return str(error)
        return None

    @property
    def k(self) -> int:
        return int(self.tables.get("method", {}).get("k", 5))

    def overrides(self, column: str) -> dict[str, str]:
        """What the words of a column mean by decision: term -> id of a concept."""
        text = self.history.state().get(self._file("overrides", column, ".csv"), "")
        return _terms(text)

    def files_of(self, column: str) -> tuple[str, str]:
        """The names of the files that hold what was decided about the words of a column, and about its hierarchy."""
        return self._file("overrides", column, ".csv"), self._file("hierarchy", column, ".csv")

    def hierarchy(self, column: str) -> tuple[str | None, list[TaxonomyEdit]]:
        """The taxonomy that the edits of a column's hierarchy begin with, and the edits; None without any."""
        bases = json.loads(self.history.state().get(HIERARCHIES, "{}"))
        file = self.home / self._file("hierarchy", column, ".csv")
        return (bases[column], read_edits(file)) if column in bases else (None, [])

    # ------------------------------------------------------------------ changes

    def change(
        self,
        what: str,
        tables: Tables | None = None,
        overrides: Mapping[str, Mapping[str, str]] | None = None,
        edits: Mapping[str, tuple[str, Sequence[TaxonomyEdit]]] | None = None,
    ) -> Change | None:
        """A new state of the project, which must be a plan that can be carried out (unless there was none before)."""
        state, was_sound = self.history.state(), self.problem is None
        made = self.tables if tables is None else tables
        for column, terms in (overrides or {}).items():
            made = self._with_overrides(made, state, column, terms)
        for column, (base, listed) in (edits or {}).items():
            made = self._with_edits(made, state, column, base, listed)
        try:
            Plan.from_dict(made, folder=self.home)
        except BadPlan:
            if was_sound and self.history.now is not None:
                raise
        change = self.history.record(what, state | {PLAN: to_toml(made)})
        self.settle()
        return change

    def _with_overrides(self, tables: Tables, state: dict[str, str], column: str, terms: Mapping[str, str]) -> Tables:
        name = self._file("overrides", column, ".csv")
        settings = _settings(tables, column)
        if not terms:
            state.pop(name, None)
            settings.pop("overrides", None)
            return tables
        out = io.StringIO()
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(("term", "concept"))
        rows.writerows(sorted(terms.items()))
        state[name] = out.getvalue()
        settings["overrides"] = name
        return tables

    def _with_edits(
        self, tables: Tables, state: dict[str, str], column: str, base: str, edits: Sequence[TaxonomyEdit]
    ) -> Tables:
        edited(load(self._located(base)), edits)  # complains of what makes no sense, before anything is kept
        bases = json.loads(state.get(HIERARCHIES, "{}")) | {column: base}
        state[HIERARCHIES] = json.dumps(bases, ensure_ascii=False, indent=1)
        state[self._file("hierarchy", column, ".csv")] = edit_table(edits)
        _settings(tables, column)["taxonomy"] = self._file("hierarchy", column, ".taxonym")
        return tables

    def settle(self) -> None:
        """Make the edited hierarchies that the plan names, where they are not there as the edits say."""
        for column, base in json.loads(self.history.state().get(HIERARCHIES, "{}")).items():
            if column not in word_columns(self.tables):
                continue
            edits = read_edits(self.home / self._file("hierarchy", column, ".csv"))
            place = self.home / self._file("hierarchy", column, ".taxonym")
            stamp = sha256(f"{base}\n{edit_table(edits)}".encode()).hexdigest()
            beside = place.with_suffix(".stamp")
            if place.exists() and beside.exists() and beside.read_text() == stamp:
                continue
            compiled.write(edited(load(self._located(base)), edits), place)
            with whole_file(beside, private=True) as file:
                file.write(stamp.encode())

    # ------------------------------------------------------------------ beginnings

    def begin(self, look: Mapping[str, Any]) -> None:
        """The first state, from a look at the file; or another one, where the file is read in another way."""
        self.look = dict(look)
        anew, self.is_read_anew = self.is_read_anew, False
        if self.history.now is None:
            self.change("The plan was drafted from a look at the file.", self.placed(look["tables"]))
        elif anew:
            self.change("The file is read in another way; its plan was drafted anew.", self.placed(look["tables"]))

    def placed(self, tables: Tables) -> Tables:
        """Drafted tables with the path of the file as the plan of this project writes it."""
        return {**tables, "input": {**tables.get("input", {}), "path": os.path.relpath(self.source, self.home)}}

    def use(self, plan_file: str) -> None:
        """Take over a plan that lies in the folder, with the files that it names."""
        place = self.opened.inside(plan_file)
        plan = read_plan(place)
        tables, overrides = self.placed(plan.to_dict()), dict[str, dict[str, str]]()
        named_columns = {**tables.get("columns", {}), **({"query": tables["querylog"]} if "querylog" in tables else {})}
        for column, settings in named_columns.items():
            if "overrides" in settings:  # they go on in a file of this project
                place = self.opened.inside(self.opened.name_of(Path(plan.located(settings.pop("overrides")))))
                overrides[column] = _terms(place.read_text("utf-8-sig"))
            if named := settings.get("taxonomy"):
                listed = [named] if isinstance(named, str) else named
                found = [self.reference(one, plan) for one in listed]
                settings["taxonomy"] = found[0] if len(found) == 1 else found
            for key in _NAMED_FILES:
                if key in settings:
                    settings[key] = self.reference(settings[key], plan)
        self.change(f"The plan {Path(plan_file).name} was taken over.", tables, overrides)

    def reference(self, name: str, plan: Plan | None = None) -> str:
        """A built-in name, or a file below the folder as the plan of this project writes it."""
        if name in BUILT_IN or name.startswith(SCALE) or name in ("none", "wordnet"):
            return name
        if plan is not None:
            place = Path(plan.located(name)).resolve()
            if not place.is_relative_to(self.opened.path):
                raise BadInput("The plan names a file that does not lie below the folder that was opened.")
        elif (self.home / name).exists() and self.opened.name_of(self.home / name):
            place = self.home / name
        else:
            place = self.opened.inside(name)
        if not place.exists():
            raise BadInput("There is no such taxonomy: name a built-in one, or a file below the folder.")
        return os.path.relpath(place, self.home)

    def _located(self, name: str) -> str:
        beside = self.home / name
        return str(beside) if beside.exists() else name

    def _file(self, what: str, column: str, suffix: str) -> str:
        """The name of a project's file about a column, whatever the column is called."""
        plain = re.sub(r"[^a-z0-9]+", "-", column.lower()).strip("-")[:40]
        exact = plain == column.lower() and bool(plain)
        return f"{what}-{plain}{'' if exact else '-' + sha256(column.encode()).hexdigest()[:6]}{suffix}"


def _settings(tables: Tables, column: str) -> dict[str, Any]:
    settings: dict[str, Any] = tables["querylog"] if "querylog" in tables else tables["columns"][column]
    return settings


def _terms(text: str) -> dict[str, str]:
    """The lines of an override file that give a term a concept."""
    rows = csv.DictReader(io.StringIO(text), delimiter="\t" if "\t" in text.partition("\n")[0] else ",")
    return {row["term"]: row["concept"] for row in rows if row.get("concept", "-") != "-"}
