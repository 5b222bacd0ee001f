"""Every file is made, and drafted, once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from taxonym.drafting import PlanDraft, draft_plan
from tests.door.files import made

Drafted = Callable[[str], PlanDraft]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("door")


@pytest.fixture(scope="session")
def drafted(folder: Path) -> Drafted:
    found: dict[str, PlanDraft] = {}

    def draft(name: str) -> PlanDraft:
        if name not in found:
            found[name] = draft_plan(made(name, folder))
        return found[name]

    return draft
