"""The documentation as a site: it builds offline, complains of nothing, and asks nobody for anything."""

import logging
import re
from pathlib import Path

import pytest

import taxonym

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs" / "library.md").read_text()
mkdocs_build = pytest.importorskip("mkdocs.commands.build")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from mkdocs.config import load_config

    folder = tmp_path_factory.mktemp("site")
    complaints: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            complaints.append(record.getMessage())

    listener, log = Listener(logging.WARNING), logging.getLogger("mkdocs")
    log.addHandler(listener)
    try:
        mkdocs_build.build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True))
    finally:
        log.removeHandler(listener)
    assert complaints == []
    return folder


def test_the_site_has_every_page_and_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
    made = {path.parent.relative_to(site) for path in site.rglob("index.html")}
    assert {page.parent if page.name == "index" else page for page in pages} <= made
    for page in site.rglob("*.html"):
        loaded = re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"?([^\"> ]+)", page.read_text())
        assert not [address for address in loaded if re.match(r"(https?:)?//", address)], page


def test_every_page_is_in_the_contents() -> None:
    contents = (ROOT / "mkdocs.yml").read_text()
    for page in (ROOT / "docs").rglob("*.md"):
        assert f"- {page.relative_to(ROOT / 'docs')}" in contents, page


@pytest.mark.parametrize("name", [name for name in taxonym.__all__ if name != "__version__"])
def test_every_public_name_is_in_the_reference(name: str) -> None:
    assert re.search(rf"^::: taxonym\.{name}$", REFERENCE, re.M)


def test_equations_of_docstrings_stand_apart_in_the_pages_of_methods(site: Path) -> None:
    """A line that begins like an equation must not have become a part of a paragraph."""
    for page in (site / "methods").rglob("*.html"):
        for paragraph in re.findall(r"<p>(.*?)</p>", page.read_text(), re.S):
            starts = re.match(r"\w+(?:\([^)]*\))? = ", paragraph)
            assert not starts or paragraph.endswith("."), f"{page}: {paragraph}"
    assert "<pre><code>d(a, b) = log2(1 + jaccard(a, b))" in (site / "methods" / "distances" / "index.html").read_text()
