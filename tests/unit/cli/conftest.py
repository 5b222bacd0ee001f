"""Folders for the commands to work in."""

from pathlib import Path

import pytest

from tests.unit.cli.common import ANSWERS, PLANNED, SPORTS, run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a taxonomy, a table and its plan."""
    monkeypatch.chdir(tmp_path)
    edges = [*SPORTS, ("water sports", "sports"), ("board games", "sports")]
    (tmp_path / "sports.csv").write_text("child,parent\n" + "".join(f"{c},{p}\n" for c, p in edges))
    rows = [f"Kowalska{i},{cell},pay77{i}\n" for i, cell in enumerate(ANSWERS)]
    (tmp_path / "in.csv").write_text("who,likes,pay\n" + "".join(rows))
    (tmp_path / "plan.toml").write_text(
        '[input]\nperson = "who"\n[columns.likes]\nrole = "quasi-identifier"\nkind = "set"\ntaxonomy = "sports.csv"\n'
        '[columns.pay]\nrole = "confidential"\nexact = true\n[method]\nk = 3\nseed = 7\n'
    )
    return tmp_path


@pytest.fixture
def made(capsys: pytest.CaptureFixture[str], here: Path) -> Path:
    """The folder with a release and its trail."""
    assert run(capsys, "anonymize", *PLANNED, "--trail", "trail")[0] == 0
    return here
