"""What the documentation shows is run: Python blocks as they stand, commands as a person would type them."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from taxonym.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the pages speak of."""
    (tmp_path / "diagnoses.obo").write_text("[Term]\nid: X:1\nname: illness\n")
    (tmp_path / "list.txt").write_text("food::fruit::apple\nfood::meat\n")
    (tmp_path / "sports.csv").write_text("child,parent\na,b\nb,a\n")
    (tmp_path / "answers.csv").write_text("id,answer\n1,headache\n2,a cold\n")
    (tmp_path / "my_hierarchy.csv").write_text("child,parent\napple,fruit\n")
    (tmp_path / "my_ontology.owl").write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "<http://example.org/a> a owl:Class ; rdfs:label 'a'@en .\n"
    )
    for example in (ROOT / "src" / "taxonym" / "examples").iterdir():
        shutil.copy(example, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.M | re.S)


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.name)
def test_the_python_of_a_page_runs_from_top_to_bottom(page: Path, here: Path) -> None:
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), names)


SESSIONS = [(p, block) for p in PAGES for block in blocks(p, "console")]


@pytest.mark.parametrize(("page", "session"), SESSIONS, ids=lambda x: getattr(x, "name", ""))
def test_a_command_shown_in_a_page_prints_what_the_page_says(
    page: Path, session: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for shown in re.split(r"^\$ ", session, flags=re.M)[1:]:
        command, _, expected = shown.partition("\n")
        words = shlex.split(command)
        assert words[0] == "taxonym"
        code = main(words[1:])
        printed = capsys.readouterr()
        assert (code != 0) == ("taxonym: error:" in expected), printed.err
        for line in expected.strip().splitlines():
            assert line.rstrip() in printed.out + printed.err
