"""A small table with a plan, for sweeps."""

from pathlib import Path

import pytest

LIKES = ["swimming;sailing", "swimming", "chess", "go;chess", "sailing", "chess", "go", "rowing;go", "rowing"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tree.csv").write_text(
        "child,parent\nswimming,sports\nsailing,sports\nrowing,sports\nchess,games\ngo,games\n"
        "sports,pastime\ngames,pastime\n"
    )
    rows = [f"Kowalska{i},{LIKES[i % 9]},{i % 7}\n" for i in range(63)]
    (tmp_path / "in.csv").write_text("who,likes,pay\n" + "".join(rows))
    (tmp_path / "plan.toml").write_text(
        '[input]\nperson = "who"\n[columns.who]\nrole = "identifier"\n'
        '[columns.likes]\nrole = "quasi-identifier"\nkind = "set"\ntaxonomy = "tree.csv"\n'
        '[columns.pay]\nrole = "confidential"\n[method]\nk = 3\n'
    )
    return tmp_path
