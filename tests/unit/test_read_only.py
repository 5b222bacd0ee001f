"""A machine on which nothing but the output can be written, as in a hardened container."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import taxonym

FREEZE = """
set -eu
for folder in "$PACKAGE" "$PREFIX" "$HOME"; do
  mount --bind "$folder" "$folder"
  mount -o remount,ro,bind "$folder"
done
if touch "$HOME/x" "$PACKAGE/x" 2>/dev/null; then echo "not read-only" >&2; exit 3; fi
cd "$OUT"
exec "$PYTHON" -m taxonym anonymize --plan plan.toml -o release.csv --report report.html --report report.json
"""
PLAN = """
[input]
path = "answers.csv"
[columns.answer]
role = "quasi-identifier"
taxonomy = "goods.csv"
[method]
name = "mdav"
k = 3
"""


def may_mount() -> bool:
    return (
        bool(shutil.which("unshare"))
        and not subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode
    )


@pytest.mark.skipif(not may_mount() and not os.environ.get("CI"), reason="needs 'unshare -rm' (util-linux)")
def test_a_release_is_made_where_package_and_home_are_read_only_and_it_is_said_once_that_it_compiles(
    tmp_path: Path,
) -> None:
    """With bounds checked, since everything is compiled for this run only."""
    (tmp_path / "home").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "goods.csv").write_text("child,parent\napple,fruit\npear,fruit\nfruit,food\nbread,food\n")
    (tmp_path / "out" / "answers.csv").write_text("answer\n" + "apple\npear\nbread\n" * 5)
    (tmp_path / "out" / "plan.toml").write_text(PLAN)
    environment = {name: value for name, value in os.environ.items() if "CACHE" not in name} | {
        "HOME": str(tmp_path / "home"), "OUT": str(tmp_path / "out"), "PACKAGE": str(Path(taxonym.__file__).parent),
        "PREFIX": sys.prefix, "PYTHON": sys.executable, "NUMBA_BOUNDSCHECK": "1", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", FREEZE], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("taxonym: note:") == done.stderr.count("\n") == 1
    assert "every run takes about a minute longer" in done.stderr
    assert {"release.csv", "report.json", "report.html"} <= set(os.listdir(tmp_path / "out"))
    assert os.listdir(tmp_path / "home") == []
