"""An option that the data or the method has no use for is refused, never left out in silence."""

from pathlib import Path

import pytest

import taxonym
from tests.unit.cli.common import run

LOG = str(Path(taxonym.__file__).parent / "examples" / "access.log")
QUERIES = str(Path(taxonym.__file__).parent / "examples" / "search-log.csv")
SHAPES = {"accesslog": LOG, "querylog": QUERIES, "documents": QUERIES}
UNUSED = [
    (kind, option)
    for kind, options in {
        "accesslog": ("--taxonomy wordnet", "--threshold .7", "--keep-order", "--category dog.n.01", "--suppress .1"),
        "querylog": ("--keep-order", "--category dog.n.01", "--suppress .1", "--recoding items"),
        "documents": ("--threshold .7", "--category dog.n.01", "--suppress .1", "--cost ncp"),
    }.items()
    for option in options
]


@pytest.mark.parametrize(("kind", "option"), UNUSED)
def test_an_option_without_effect_is_refused_by_its_name(
    kind: str, option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "release.txt"
    code, _, err = run(capsys, "anonymize", SHAPES[kind], "--kind", kind, "-o", str(out), *option.split())
    assert (code, out.exists()) == (2, False)
    assert f"taxonym: error: {option.split()[0]}: " in err


@pytest.mark.parametrize("command", ["anonymize", "risk", "loss", "compare"])
def test_a_kind_that_is_not_the_plans_is_refused(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[accesslog]\nrecords = "sessions"\n')
    files = [LOG, LOG] if command in ("risk", "loss") else [LOG, "-o", str(tmp_path / "out.log")]
    code, _, err = run(capsys, command, *files, "--plan", str(plan), "--kind", "querylog")
    assert (code, "--kind: the plan is one of a accesslog, not of a querylog" in err) == (2, True)
