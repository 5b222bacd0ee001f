"""A wheel built from the repository works alone: its data files are inside."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from taxonym.knowledge.hierarchies import HIERARCHIES

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(target.glob("taxonym-*.whl"))


def test_the_wheel_holds_data_licences_and_the_type_marker_and_no_caches(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in ("taxonym/py.typed", "taxonym/knowledge/data/wordnet.taxonym", "taxonym/render/assets/charts.js"):
        assert wanted in names
    examples = {p.name for p in (ROOT / "src" / "taxonym" / "examples").iterdir()}
    assert examples == {Path(name).name for name in names if name.startswith("taxonym/examples/")}
    assert {f"taxonym/knowledge/data/hierarchies/{name}.txt" for name in HIERARCHIES} <= {*names}
    for wanted in ("LICENSE", "NOTICE", "wordnet.LICENSE", "charts.LICENSE", "cldr.LICENSE"):
        assert any(name.endswith(wanted) for name in names), wanted
    assert not [name for name in names if "__pycache__" in name or name.endswith((".nbi", ".nbc"))]


def test_the_wheel_works_from_a_folder_of_its_own(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    script = (
        "import sys; sys.path.insert(0, '.')\n"
        "import taxonym, taxonym.cli\n"
        "assert taxonym.__file__.startswith(sys.argv[1]), taxonym.__file__\n"
        "raise SystemExit(taxonym.cli.main(['demo', '--out', 'shown']))"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert "95,882 concepts" in done.stdout
