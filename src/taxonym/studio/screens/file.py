"""The first screen: choose a file; its columns, their roles and kinds, each with its reason and a switch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from taxonym.errors import BadInput
from taxonym.knowledge.catalog import PACKAGED, SHIPPED
from taxonym.knowledge.hierarchies import HIERARCHIES
from taxonym.records.column import KINDS as ALL_KINDS
from taxonym.studio import changes
from taxonym.studio.gate import UPLOAD, form_of
from taxonym.studio.jobs import RUNNING
from taxonym.studio.opened import MOST_BYTES
from taxonym.studio.pages import Pages, number
from taxonym.studio.sentences import ROLES

# What cells of a line are separated by: for the plan, and in words.
DELIMITERS = {
    "comma": (",", "a comma"),
    "semicolon": (";", "a semicolon"),
    "tab": ("\t", "a tab"),
    "bar": ("|", "a bar |"),
}
DELIMITERS |= {"nothing": ("", "nothing: every line is one cell")}
ENCODINGS = ("utf-8", "latin-1", "windows-1252", "utf-16")
_TEXTS = (".csv", ".tsv", ".tab", ".txt")
_TAXONOMY_FILES = (".csv", ".obo", ".owl", ".ttl", ".rdf", ".xml", ".json", ".taxonym", ".txt")


def routes(pages: Pages) -> list[Route]:
    studio = pages.studio

    @pages.guarded("/")
    def show(request: Request) -> Response:
        project, job = studio.project, studio.drafted()
        if project is None or "choose" in request.query_params:
            return pages.page("choose_file.html", "/", files=studio.opened.data(), plans=studio.opened.plans())
        if job is not None and job.state == RUNNING:
            return pages.wait(job, "/", "Looking at the file")
        look = project.look or {"columns": [], "notes": [], "rows": None}
        tables = {"input": {}, **project.tables}
        known = {column["name"]: column for column in look["columns"]}
        for name, settings in tables.get("columns", {}).items():  # of a plan that was taken over
            known.setdefault(name, {"name": name, "why": "", "missing": 0.0, "settings": settings, "coverage": None})
        columns = [{**column, "now": tables.get("columns", {}).get(name)} for name, column in known.items()]
        return pages.page(
            "file.html",
            "/",
            columns=columns,
            look=look,
            tables=tables,
            unread=job.error if job is not None and not project.look else "",
            problem=project.problem,
            reading=changes.reading_of(tables) if project.look else studio.reading,
            is_text=project.source.is_file() and Path(project.name.lower().removesuffix(".gz")).suffix in _TEXTS,
            is_book=project.source.suffix.lower() == ".xlsx",
            DELIMITERS=DELIMITERS,
            ENCODINGS=ENCODINGS,
            kind=next((name for name in ("querylog", "accesslog", "documents") if name in tables), "table"),
            taxonomies=[*SHIPPED, *PACKAGED, *HIERARCHIES, *_files(pages)],
            all_kinds=ALL_KINDS,
        )

    def choose(request: Request) -> Response:
        form = form_of(request)
        studio.attempt(studio.open, form.get("file", ""), form.get("plan", ""))
        return RedirectResponse("/", 303)

    def use(request: Request) -> Response:
        studio.attempt(studio.sound.use, form_of(request).get("plan", ""))
        return RedirectResponse("/", 303)

    def column(request: Request) -> Response:
        form = form_of(request)
        studio.attempt(_change_column, pages, form)
        return RedirectResponse(f"/#column-{number(form.get('number'))}", 303)

    def reading(request: Request) -> Response:
        studio.attempt(lambda: studio.read_as(_reading(form_of(request))))
        return RedirectResponse("/", 303)

    def shape(request: Request) -> Response:
        kind = form_of(request).get("kind", "table")

        def do() -> None:
            project = studio.sound
            drafted = project.placed(project.look.get("table", {"input": {}}))
            project.change(f"The file is read as {kind}.", changes.with_shape(project.tables, kind, drafted))

        studio.attempt(do)
        return RedirectResponse("/", 303)

    def person(request: Request) -> Response:
        form = form_of(request)

        def do() -> None:
            project, name = studio.sound, form.get("person", "")
            tables = changes.with_person(project.tables, name)
            if rows := form.get("person_rows"):
                tables = changes.with_person_rows(tables, rows)
            what = f"Column {name} says whose row it is." if name else "Every row counts as a person."
            project.change(what, tables)

        studio.attempt(do)
        return RedirectResponse("/", 303)

    def private(request: Request) -> Response:
        studio.private = form_of(request).get("private") == "on"
        return pages.moved(request)

    async def upload(request: Request) -> Response:
        announced = request.headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > MOST_BYTES:
            return PlainTextResponse(f"This is more than {MOST_BYTES:,} bytes. Put the file into the folder.", 413)
        try:
            kept = await studio.opened.keep(unquote(request.headers.get("x-file-name", "")), request.stream())
        except BadInput as error:
            return PlainTextResponse(str(error), 400)
        studio.attempt(studio.open, kept)
        return JSONResponse({"to": "/"})

    return [
        Route("/", show),
        Route("/file/choose", choose, methods=["POST"]),
        Route("/file/plan", use, methods=["POST"]),
        Route("/file/column", column, methods=["POST"]),
        Route("/file/reading", reading, methods=["POST"]),
        Route("/file/shape", shape, methods=["POST"]),
        Route("/file/person", person, methods=["POST"]),
        Route("/private", private, methods=["POST"]),
        Route(UPLOAD, upload, methods=["POST"]),
    ]


def _reading(form: Mapping[str, str]) -> dict[str, Any]:
    """How a file is written, as its form says; what is left open is found out from the file."""
    names = [name.strip() for name in form.get("names", "").split(",") if name.strip()]
    made: dict[str, Any] = {"names": names} if names else {}
    if form.get("delimiter") in DELIMITERS:
        made["delimiter"] = DELIMITERS[form["delimiter"]][0]
    if made.get("delimiter") == "" and not names:
        made["names"] = ["items"]
    made |= {key: form[key].strip() for key in ("encoding", "sheet") if form.get(key, "").strip()}
    return made


def _files(pages: Pages) -> list[str]:
    """Files of the folder that may be taxonomies."""
    here = pages.studio.opened.path
    return sorted(
        file.name
        for file in here.iterdir()
        if file.suffix in _TAXONOMY_FILES and file.is_file() and not file.is_symlink()
    )


def _change_column(pages: Pages, form: Mapping[str, str]) -> None:
    """Role, kind, separator and taxonomy of a column, as its form says."""
    project = pages.studio.sound
    columns = [column["name"] for column in project.look.get("columns", ())]
    columns += [name for name in project.tables.get("columns", {}) if name not in columns]
    at = number(form.get("number"), -1)
    if not 0 <= at < len(columns):
        raise BadInput("There is no such column.")
    name, role = columns[at], form.get("role", "")
    drafted: dict[str, Any] = next((c["settings"] for c in project.look.get("columns", ()) if c["name"] == name), {})
    before = project.tables.get("columns", {}).get(name, {})
    tables = changes.with_role(project.tables, name, role, drafted)
    said = [f"Column {name} is {ROLES.get(role, role)}"]
    settings = tables.get("columns", {}).get(name)
    if settings is not None and role in ("quasi-identifier", "confidential"):
        kind, separator = form.get("kind", ""), form.get("separator", "")
        if kind and (kind != settings.get("kind", "nominal") or (separator and separator != settings.get("separator"))):
            tables = changes.with_kind(tables, name, kind, separator)
            said.append(f"holds {kind}s" if kind in ("number", "date") else f"is read as {kind}")
        kind = tables["columns"][name].get("kind", "nominal")
        named = form.get("taxonomy", "").strip()
        now = before.get("taxonomy", "")
        if kind in changes.WORDS and named != (now if isinstance(now, str) else ", ".join(now)):
            listed = [project.reference(one.strip()) for one in named.split(",") if one.strip()]
            tables = changes.with_setting(tables, name, "taxonomy", listed[0] if len(listed) == 1 else listed)
            said.append(f"has its words from {named or 'no taxonomy'}")
    project.change(", ".join(said) + ".", tables)
