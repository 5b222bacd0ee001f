"""What the documentation shows is run: Python blocks as they stand, commands as a person would type them, plans as they
are read. A block of data or a plan that follows a line ending in "`NAME`:" is a file of that name."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from taxonym import Taxonomy, load
from taxonym.cli import _parser, main
from taxonym.distance.registry import DISTANCES
from taxonym.group.registry import GROUPINGS
from taxonym.plan import SHAPES, Plan
from taxonym.promises import PROMISES
from taxonym.publish.registry import METHODS
from taxonym.text.sensitive import load_topics

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
    studio = tmp_path / "answers.csv.studio"  # a project as the studio leaves it
    studio.mkdir()
    plan = (tmp_path / "diagnoses.toml").read_text()
    (studio / "plan.toml").write_text(plan.replace('= "diagnoses', '= "../diagnoses'))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def registries() -> Iterator[None]:
    """What a page adds to a registry is taken out again."""
    kept = [(one, one.copy()) for one in (DISTANCES, GROUPINGS, METHODS.maps[0], SHAPES)]
    promises = PROMISES.copy()
    yield
    PROMISES[:] = promises
    for one, before in kept:
        one.clear()
        one.update(before)


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.M | re.S)


def write_files(page: Path, folder: Path) -> None:
    """The files that a page shows."""
    named = r"`([\w.-]+)`:\n\n```(?:csv|toml|text|python)\n(.*?)^```"
    for name, text in re.findall(named, page.read_text(), re.M | re.S):
        (folder / name).write_text(text)


# what needs a Spark session is run in tests/spark
@pytest.mark.parametrize(
    "page", [p for p in PAGES if blocks(p, "python") and p.name != "spark.md"], ids=lambda p: p.name
)
def test_the_python_of_a_page_runs_from_top_to_bottom(
    page: Path, here: Path, registries: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(page, here)
    monkeypatch.syspath_prepend(here)
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), names)


SESSIONS = [(p, block) for p in PAGES for block in blocks(p, "console")]


@pytest.mark.parametrize(("page", "session"), SESSIONS, ids=lambda x: getattr(x, "name", ""))
def test_a_command_shown_in_a_page_prints_what_the_page_says(
    page: Path, session: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(page, here)
    for shown in re.split(r"^\$ ", session, flags=re.M)[1:]:
        command, _, expected = shown.partition("\n")
        words = shlex.split(command)
        assert words[0] == "taxonym"
        code = main(words[1:])
        printed = capsys.readouterr()
        assert (code != 0) == ("taxonym: error:" in expected), printed.err
        for line in expected.strip().splitlines():
            assert line.rstrip() in printed.out + printed.err


PLANS = [(p, block) for p in PAGES for block in blocks(p, "toml")]


@pytest.mark.parametrize(("page", "plan"), PLANS, ids=lambda x: getattr(x, "name", ""))
def test_a_plan_or_topic_file_shown_in_a_page_is_one(page: Path, plan: str, tmp_path: Path) -> None:
    given = tomllib.loads(plan)
    if "topics" in given:
        (tmp_path / "topics.toml").write_text(plan)
        named = [name for topic in given["topics"].values() for name in topic["concepts"] + topic["except"]]
        tax = load("wordnet") if given["taxonomy"] == "wordnet" else Taxonomy.from_edges([(n, "all") for n in named])
        assert len(load_topics(tax, tmp_path / "topics.toml").topics) == len(given["topics"])
        return
    columns = given.setdefault("columns", {})
    if not [name for name in SHAPES if name in given]:  # a page may show a part of a plan
        if not any(column["role"] == "quasi-identifier" for column in columns.values()):
            columns["words"] = {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}
        if {"l", "t"} & set(given.get("method", {})):
            columns.setdefault("pay", {"role": "confidential"})
    Plan.from_dict(given)


SHELL = [(p, block) for p in PAGES for block in blocks(p, "sh")]
ELSEWHERE = ("pip install", "scripts/", "taxonym demo", "python3 -m venv", "hdfs:")  # installs, tours, needs a cluster


@pytest.mark.parametrize(("page", "script"), SHELL, ids=lambda x: getattr(x, "name", ""))
def test_what_a_page_tells_to_type_into_a_shell_runs_or_is_there(page: Path, script: str, here: Path) -> None:
    if not any(part in script for part in ELSEWHERE):
        write_files(page, here)
        (here / "taxonym").write_text(f'#!/bin/sh\nexec {sys.executable} -m taxonym "$@"\n')
        (here / "taxonym").chmod(0o755)
        path = {"PATH": f"{here}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src")}
        done = subprocess.run(
            ["sh", "-e", "-c", script], env=os.environ | path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return
    for line in filter(None, script.replace("\\\n", " ").splitlines()):
        words = shlex.split(line, comments=True)
        if words and words[0] == "taxonym":
            _parser().parse_args(words[1:])
        elif words and words[:2] != ["pip", "install"] and words[0] not in ("export", "python3"):
            assert (ROOT / words[0]).exists() or shutil.which(words[0]) or words[0].startswith("pack/"), line


def test_every_block_is_of_a_kind_that_is_checked() -> None:
    known = {"python", "console", "toml", "sh", "csv", "text"}  # text is what a program prints or a file looks like
    for page in PAGES:
        fences = re.findall(r"^ *```(.*)$", page.read_text(), re.M)
        assert set(fences[::2]) <= known, page
        assert set(fences[1::2]) <= {""}, page
        assert len(fences) == 2 * sum(len(blocks(page, kind)) for kind in known), f"{page}: an indented block escapes"
        for block in blocks(page, "text"):
            assert not re.search(r"^(\$ |taxonym |pip |import |from \w+ import )", block, re.M), f"{page}: runs nothing"
