"""A plan from a look at a table, for those who write Python."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from taxonym.drafting import draft_plan
from taxonym.plan import Plan


def draft(table: Any, taxonomies: str | Sequence[str] = ("wordnet",)) -> Plan:
    """A plan for a table or a file: roles, kinds, separators, taxonomies, and whose privacy counts.

    `notes` of the plan say why each column is what it is; look at them before anything is published. What the draft
    cannot know, such as which column is confidential, is for you to say: `plan.to_toml()` is the plan as a file.
    """
    names = (taxonomies,) if isinstance(taxonomies, str) else tuple(taxonomies)
    made = draft_plan(table, names)
    where = str(table) if isinstance(table, str | Path) else "the draft"
    return replace(Plan.from_dict(made.plan, where=where), notes=tuple(made.notes))
