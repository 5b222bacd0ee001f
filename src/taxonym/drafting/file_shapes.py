"""What a file is before it is looked at as a table: a query log, an access log, or a folder of documents.

An access log is told by its lines. A query log is a table in which one column says who searched, many times, and
another for what; or lines of user, time and query without a header.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxonym.drafting.plan_draft import ColumnDraft, PersonCandidate, PlanDraft
from taxonym.io.compressed import opened
from taxonym.io.delimited import Dialect
from taxonym.plan import SHAPES
from taxonym.records.headers import header_words
from taxonym.records.ids import id_columns
from taxonym.shapes.access_log.log_lines import CODEC, LONGEST, read_click
from taxonym.shapes.documents.extract import READERS
from taxonym.shapes.query_log.source import KNOWN, plain_name

if TYPE_CHECKING:
    import polars as pl

_LINES = 50
_MOSTLY = 0.8
_SEARCHED = {
    "query", "queries", "search", "searchterm", "searchterms", "searchquery", "keyword", "keywords", "suche",
    "suchbegriff", "suchanfrage", "anfrage", "busqueda", "consulta", "requete", "recherche", "ricerca", "zoekterm",
}  # fmt: skip
_FEW_ROWS = 1.5  # rows per user from which a table is a log
_MANY = 0.02  # share of different queries
NAMES = {"querylog": "a query log", "accesslog": "a web server's access log", "documents": "documents"}
assert set(NAMES) == set(SHAPES)


def shape_of_path(path: Path, k: int) -> PlanDraft | None:
    """The draft for a folder of documents or an access log; None for what may be a table."""
    if path.is_dir():
        if any(path.glob("*.parquet")):
            return None
        files = [file for file in path.rglob("*") if file.is_file() and file.suffix.lower() in READERS]
        if not files:
            return None
        folders = {file.parent for file in files}
        given = {"author": "folder"} if path not in folders and len(folders) > 1 else {}
        whose = (
            "the folders in it are taken for their authors, whom k counts" if given
            else "every document counts as a person; if authors have several, put each author's into a folder and set "
            'author = "folder"'
        )  # fmt: skip
        note = f"{path} holds {len(files):,} documents: {whose}."
        return _shaped("documents", path, given, [note], k)
    if not path.is_file():
        return None
    lines = _first_lines(path)
    if lines and sum(read_click(line) is not None for line in lines) >= _MOSTLY * len(lines):
        note = "Its lines are those of a web server's access log: k counts visitors, who are an address with a browser."
        return _shaped("accesslog", path, {}, [note], k)
    cells = [line.split("\t") for line in lines]
    if cells and all(len(one) == 3 and one[1].isdigit() and len(one[1]) >= 6 for one in cells):
        note = "Its lines are user, time and query, without a header: a query log, of which k counts users."
        return _shaped("querylog", path, {"user": 1, "time": 2, "query": 3, "header": False}, [note], k)
    return None


def query_log(path: str, frame: "pl.DataFrame", k: int, dialect: Dialect | None = None) -> PlanDraft | None:
    """The draft for a table of searches, if it is one; the dialect is that by which it was read."""
    import polars as pl

    ids = [one for one in id_columns(frame) if one.distinct * _FEW_ROWS <= one.rows]
    ids.sort(key=lambda one: (one.says, plain_name(one.name) not in KNOWN["user"], one.distinct))
    asked = [
        series.name for series in frame
        if series.dtype == pl.String and _says_search(series.name) and series.n_unique() >= _MANY * len(series)
        and _has_words(series)
    ]  # fmt: skip
    if not ids or len(asked) != 1:
        return None
    user, query = ids[0].name, asked[0]
    columns = [
        ColumnDraft(user, "identifier", f"Column {user!r} says who searched: k counts its values."),
        ColumnDraft(
            query, "quasi-identifier", f"Column {query!r} holds what was searched for.",
            settings={"kind": "text", "taxonomy": "wordnet"},
        ),
    ]  # fmt: skip
    for name in frame.columns:
        if name not in (user, query):
            columns.append(ColumnDraft(name, None, f"Column {name!r} is left out."))
    notes = [
        f"This is a query log: {ids[0].distinct:,} users in {user!r}, who wrote {ids[0].rows:,} queries in {query!r}. "
        f"k counts users. Times and clicks are dropped unless the plan says otherwise (times, clicks).",
        *(column.why for column in columns),
    ]
    made = _shaped("querylog", Path(path), {"user": user, "query": query}, notes, k)
    made.plan["input"].update((dialect or Dialect()).settings)
    candidates = [PersonCandidate(one.name, one.distinct, one.rows, one.form, "") for one in ids]
    return PlanDraft(made.plan, notes, columns, "querylog", candidates, [], k)


def _says_search(name: str) -> bool:
    return plain_name(name) in (*_SEARCHED, *KNOWN["query"]) or (bool(_SEARCHED & {*header_words(name)}) and not (
        {"time", "date", "id", "count", "rank"} & {*header_words(name)}
    ))  # fmt: skip


def _has_words(series: "pl.Series") -> bool:
    """Whether cells are words and not numbers or answers of a form."""
    some = [text for text in series.drop_nulls().head(1000).to_list() if text.strip()]
    letters = sum(any(map(str.isalpha, text)) for text in some)
    return bool(some) and letters >= _MOSTLY * len(some)


def _shaped(kind: str, path: Path, settings: dict[str, Any], notes: list[str], k: int) -> PlanDraft:
    return PlanDraft({"input": {"path": str(path)}, kind: settings}, notes, kind=kind, k=k)


def _first_lines(path: Path) -> list[str]:
    try:
        with opened(path) as file:
            lines = (file.readline(LONGEST) for _ in range(_LINES))
            return [line.decode(CODEC).rstrip("\r\n") for line in lines if line]
    except OSError:
        return []
