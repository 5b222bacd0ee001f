"""The rules of the house, as tests: what imports what, what is public, what may print."""

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import taxonym
from taxonym.distance.attributes import MATCHINGS
from taxonym.distance.registry import DISTANCES
from taxonym.knowledge.catalog import PACKAGED, READERS
from taxonym.knowledge.content import CONTENTS
from taxonym.knowledge.hierarchies import HIERARCHIES
from taxonym.plan import RECODINGS
from taxonym.publish.generalize.costs import COSTS
from taxonym.publish.registry import METHODS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "taxonym"

# Each room imports only from those to its left.
ROOMS = [
    "errors", "jit", "io", "render", "knowledge", "distance", "text", "records", "measure", "executor", "group",
    "publish", "plan", "promises", "methods", "attack", "report", "shapes", "drafting", "run", "sweep", "papers",
    "demo", "studio", "cli", "__main__",
]  # fmt: skip
PAGES = sorted(SOURCE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "taxonym":
            found |= {alias.name for alias in node.names if alias.name in ROOMS}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("taxonym."):
            found.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {a.name.split(".")[1] for a in node.names if a.name.startswith("taxonym.")}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= set(re.findall(r"^taxonym\.(\w+)[\w.]*(?::\w+)?$", node.value))  # what import_module gets
    return found


@pytest.mark.parametrize("path", [p for p in PAGES if p.name != "__init__.py" or p.parent != SOURCE], ids=str)
def test_a_room_imports_only_from_rooms_before_it(path: Path) -> None:
    here = ROOMS.index(room(path))
    later = {name for name in imported_rooms(path) if ROOMS.index(name) > here}
    assert not later, f"{path.relative_to(ROOT)} imports from {later}"


def compiled(path: Path) -> list[ast.FunctionDef]:
    """The functions of a file that are compiled."""
    every = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
    return [node for node in every if any(re.match(r"kernel\b", ast.unparse(one)) for one in node.decorator_list)]


def test_kernels_sort_and_search_with_functions_of_our_own() -> None:
    """Those of numba's library share their names, and are found under each other's symbols in a cache (taxonym.jit)."""
    named = re.compile(r"sorted$|(.*\.)?\w*(sort|unique|search|partition|median|percentile|quantile)\w*$")
    ours = {"sort", "argsort", "distinct", "place", "places"}
    kernels = [(path, function) for path in PAGES for function in compiled(path)]
    assert len(kernels) > 100
    for path, function in kernels:
        for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
            called = ast.unparse(call.func)
            assert called in ours or not named.match(called), f"{path.name}:{call.lineno} calls {called}"


def test_everything_that_is_compiled_is_a_kernel() -> None:
    for path in PAGES:
        if room(path) != "jit":
            assert not re.search(
                r"\b(n?jit|vectorize|guvectorize|cfunc|stencil|jitclass)\b", _imports(path, "numba")
            ), path


def test_constants_of_kernels_are_part_of_the_stamp_of_their_cache() -> None:
    """A compiled function keeps the numbers that it knew; so they must stand in files that the stamp is made of."""
    stamped = {path for path in PAGES if "taxonym.jit" in path.read_text() or room(path) == "jit"}
    for path in PAGES:
        names = {node.id for function in compiled(path) for node in ast.walk(function) if isinstance(node, ast.Name)}
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("taxonym."):
                used = {alias.asname or alias.name for alias in node.names} & names
                home = SOURCE.joinpath(*(node.module or "").split(".")[1:])
                files = {home.with_suffix(".py"), home / "__init__.py"}
                types = {name for name in used if name in ("Long", "Floats", "Ints", "Sum", "Mask", "Shorts")}
                assert not used - types or files & stamped, f"{path.name} compiles {used} of {node.module}"


def test_types_of_arrays_and_groups_are_named_in_one_place() -> None:
    home = SOURCE / "knowledge" / "arrays.py"
    named = dict(re.findall(r"^(\w+): TypeAlias = ([^#\n]*\S)", home.read_text(), re.M))
    assert named["Long"] == "NDArray[np.int64]"
    later = ROOMS[ROOMS.index("knowledge") :]
    for path in (p for p in PAGES if p != home and room(p) in later):
        for name, meaning in re.findall(r"^(\w+)(?:: TypeAlias)? = ([^#\n]*\S)", path.read_text(), re.M):
            assert name not in named, f"{path.relative_to(SOURCE)} names {name}"
            assert not (meaning.startswith("NDArray") and meaning in named.values()), f"{path.name} names {meaning}"


def _imports(path: Path, package: str) -> str:
    """What a file imports from a package, in words."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package:
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.split(".")[0] == package]
    return " ".join(found)


def test_numba_is_bounded_because_an_internal_name_of_it_is_used() -> None:
    assert re.search(r'"numba>=[\d.]+,<[\d.]+"', (ROOT / "pyproject.toml").read_text())


def test_no_two_classes_have_one_name() -> None:
    homes: dict[str, list[str]] = {}
    for path in PAGES:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_knowledge_and_distance_never_see_tables() -> None:
    for path in PAGES:
        if room(path) in ("knowledge", "distance", "measure", "group"):
            assert not re.search(r"^\s*(import|from) (polars|pandas|pyarrow)", path.read_text(), re.M), path


def test_the_public_names_are_these_and_each_can_be_imported() -> None:
    assert sorted(taxonym.__all__) == [
        "Comparison",
        "Finder",
        "LinkageRisk",
        "Masker",
        "Mention",
        "Plan",
        "Release",
        "Taxonomy",
        "Verification",
        "__version__",
        "adaptive_mdav",
        "anonymize",
        "compare",
        "concept_distance",
        "concept_distance_blocks",
        "concept_distances",
        "content",
        "distance_matrix",
        "draft",
        "errors",
        "linkage_risk",
        "load",
        "loss",
        "map_column",
        "map_text",
        "mdav",
        "medoid",
        "mine",
        "noise",
        "nominal_mean",
        "nominal_variance",
        "read_log",
        "read_plan",
        "refined",
        "risk",
        "set_distance",
        "verify",
    ]
    for name in taxonym.__all__:
        assert getattr(taxonym, name) is not None
    assert dir(taxonym) == sorted(taxonym.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        taxonym.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_nothing_prints_but_the_command() -> None:
    for path in PAGES:
        if room(path) == "cli":
            continue
        calls = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)]
        assert not [n.lineno for n in calls if isinstance(n.func, ast.Name) and n.func.id == "print"], path


def test_nothing_unpickles_or_reaches_the_network() -> None:
    forbidden = {"pickle", "marshal", "shelve", "requests", "urllib.request", "http.client", "socket"}
    for path in PAGES:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not forbidden & set(names), path


ENTRIES = [("distance", d.name, d.paper) for d in DISTANCES.values()]
ENTRIES += [("matching", m.name, m.paper) for m in MATCHINGS.values()]
ENTRIES += [("method", m.name, m.paper) for m in METHODS.values()]
ENTRIES += [("cost", c.name, c.paper) for c in COSTS.values()]
ENTRIES += [("content", c.name, c.paper) for c in CONTENTS.values()]


@pytest.mark.parametrize(("kind", "name", "paper"), ENTRIES, ids=lambda x: str(x))
def test_every_registry_entry_has_its_paper_in_the_bibliography(kind: str, name: str, paper: str) -> None:
    assert f"{{{paper}," in (ROOT / "papers.bib").read_text()


@pytest.mark.parametrize("d", DISTANCES.values(), ids=lambda d: d.name)
def test_every_distance_cites_its_paper_and_has_a_twin(d) -> None:  # type: ignore[no-untyped-def]
    assert d.paper in (d.formula.__doc__ or "")
    assert callable(d.kernel)


def test_every_citation_in_the_code_is_in_the_bibliography() -> None:
    known = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "papers.bib").read_text(), re.M))
    for path in PAGES:
        for cited in re.findall(r"\[([A-Z]\w+\d{4})\b", path.read_text()):
            assert cited in known, f"{path.name} cites {cited}"


@pytest.mark.parametrize("reader", [*READERS.values(), *PACKAGED.values()], ids=lambda r: r.name)
def test_every_reader_has_a_test_file(reader) -> None:  # type: ignore[no-untyped-def]
    module, function = reader.where.split(":")
    tests = "".join(p.read_text() for p in (ROOT / "tests" / "unit" / "knowledge").rglob("*.py"))
    assert function in tests or (ROOT / "tests" / "unit" / "knowledge" / "readers" / f"test_{module}.py").exists()


def test_every_distance_method_and_format_is_documented() -> None:
    pages = "".join(p.read_text() for p in (ROOT / "docs").rglob("*.md"))
    names = [*DISTANCES, *MATCHINGS, *CONTENTS, *READERS, *PACKAGED, *HIERARCHIES, *METHODS, *COSTS, *RECODINGS]
    assert not [name for name in names if f"`{name}`" not in pages]


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_an_example_runs_and_shows_something(example: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_there_are_examples() -> None:
    assert list((ROOT / "examples").glob("*.py"))


def test_no_file_names_this_machine_or_a_package_registry() -> None:
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=False).stdout.split()
    wrong = re.compile(rb"(?:^|[^\w.-])/(?:work|farm|root|home)/[a-z]|https?://[^ )>\"]*(?:pypi|npmjs|debian\.org)")
    for name in listed:
        path = ROOT / name
        if path.suffix not in (".taxonym", ".gz") and path.is_file() and path != Path(__file__):
            assert not wrong.search(path.read_bytes()), name


def test_no_source_file_is_two_rooms_in_one() -> None:
    for path in PAGES:
        assert len(path.read_text().splitlines()) <= 400, path


def test_every_deliberate_break_finds_its_line_and_its_tests() -> None:
    """tools/breaks.py runs them, which takes too long for every test run; that they are up to date does not."""
    spec = importlib.util.spec_from_file_location("breaks", ROOT / "tools" / "breaks.py")
    assert spec is not None
    assert spec.loader is not None
    breaks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(breaks)
    assert len(breaks.BREAKS) >= 40
    for one in breaks.BREAKS:
        assert (SOURCE / one.file).read_text().count(one.before) == 1, one.name
        for test in one.tests.split():
            assert (ROOT / "tests" / test.split("::")[0]).exists(), one.name


def test_the_page_of_the_house_has_every_room_once_in_their_order() -> None:
    page = (ROOT / "docs" / "decisions" / "house.md").read_text()
    listed = re.findall(r"^\| `(\w+)` \|", page.partition("| room | has |")[2].partition("\n\n")[0], re.M)
    assert [*listed, "__main__"] == ROOMS
