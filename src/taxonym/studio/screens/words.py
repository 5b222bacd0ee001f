"""The words of a column: what each was taken for, and another meaning by a click. Decisions become an override file."""

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from taxonym.errors import BadInput
from taxonym.knowledge.edit import TaxonomyEdit
from taxonym.studio import changes
from taxonym.studio.gate import all_of, form_of
from taxonym.studio.jobs import RUNNING, Job
from taxonym.studio.pages import Pages, is_htmx, number
from taxonym.studio.terms import FILTERS, TermTable

_POLICIES = {
    "suppress": "are left out",
    "keep-as-own-concept": "stand for themselves",
    "error": "stop the run",
}


def routes(pages: Pages) -> list[Route]:
    studio = pages.studio

    def column_of(asked: Any) -> tuple[int, str]:
        columns, at = studio.columns(), number(asked.get("c"))
        if not columns:
            raise BadInput(studio.wordless)
        at = at if 0 <= at < len(columns) else 0
        return at, columns[at]

    def table_of(asked: Any) -> tuple[int, str, TermTable]:
        at, column = column_of(asked)
        found = studio.terms(column)
        if isinstance(found, Job):
            raise BadInput("The words of this column are still being read.")
        return at, column, found

    def listed(at: int, column: str, table: TermTable, asked: Any) -> dict[str, Any]:
        project, only = studio.sound, asked.get("only", "all")
        overrides = project.overrides(column)
        shown = {"private": studio.private, "text": asked.get("text", ""), "page": number(asked.get("page"), 1)}
        only = only if only in FILTERS else "all"
        return {
            "c": at,
            "column": column,
            "found": table.page(overrides, project.k, only=only, **shown),
            "counts": table.counts(overrides, project.k, studio.private),
            "only": only,
            "text": shown["text"],
            "FILTERS": FILTERS,
        }

    @pages.guarded("/words")
    def show(request: Request) -> Response:
        asked = request.query_params
        at, column = column_of(asked)
        found = studio.terms(column)
        if isinstance(found, Job):
            if found.state == RUNNING:
                return pages.wait(found, "/words", f"Reading the words of column {column}")
            raise BadInput(found.error)
        settings = changes.word_columns(studio.sound.tables)[column]
        taxonomy = settings["taxonomy"]
        return pages.page(
            "words.html",
            "/words",
            **listed(at, column, found, asked),
            columns=studio.columns(),
            figures=found.figures,
            settings=settings,
            taxonomy=taxonomy if isinstance(taxonomy, str) else ", ".join(taxonomy),
            policies=_POLICIES,
        )

    def table(request: Request) -> Response:
        form = form_of(request)
        return pages.fragment("terms.html", **listed(*table_of(form), form))

    def term(request: Request) -> Response:
        asked = request.query_params
        at, column, found = table_of(asked)
        n = _row(asked.get("n"), found)
        _may_be_seen(found, [n], studio.sound.k, studio.private)
        decided = found.decided(studio.sound.overrides(column))
        one = found.term(n, decided)
        guesses = [] if one.concept is not None else found.concepts.suggestions(one.term)
        return pages.fragment("term.html", c=at, one=one, senses=found.senses(n), guesses=guesses)

    def find(request: Request) -> Response:
        form = form_of(request)
        _, column = column_of(form)
        secret = studio.secret(column)
        found = [one for one in studio.concepts(column).search(form.get("find", "")) if one.code not in secret]
        return pages.fragment("found.html", found=found, asked=form.get("find", ""), way=form.get("way", "concept"))

    def decide(request: Request) -> Response:
        form = form_of(request)
        at, column, found = table_of(form)
        if form.get("every"):  # all that are listed, on every page
            project = studio.sound
            rows = found.chosen(project.overrides(column), form.get("text", ""), form.get("only", "all"))
            rows = [n for n in rows if studio.private or found.rows[n][2] >= project.k]
        else:
            rows = [_row(n, found) for n in all_of(request, "n")]

        def do() -> None:
            _may_be_seen(found, rows, studio.sound.k, studio.private)
            _decide(pages, column, found, rows, form)

        studio.attempt(do)
        if is_htmx(request):
            return pages.fragment("terms.html", **listed(*table_of(form), form), bar=True, messages=studio.heard())
        return RedirectResponse(f"/words?c={at}", 303)

    def policy(request: Request) -> Response:
        form = form_of(request)
        at, column = column_of(form)

        def do() -> None:
            project, key, value = studio.sound, form.get("key", ""), form.get("value", "")
            if key == "words":
                project.change(f"Column {column} is no column of words.", changes.without_words(project.tables, column))
            elif key in ("on_unknown", "category"):
                said = "unknown words" if key == "on_unknown" else "the category"
                what = f"Column {column}: {said} {'are' if key == 'on_unknown' else 'is'} {value or 'not set'}."
                project.change(what, changes.with_setting(project.tables, column, key, value))

        studio.attempt(do)
        return RedirectResponse(f"/words?c={at}" if column in studio.columns() else "/words", 303)

    return [
        Route("/words", show),
        Route("/words/table", table, methods=["POST"]),
        Route("/words/term", term),
        Route("/words/find", find, methods=["POST"]),
        Route("/words/decide", decide, methods=["POST"]),
        Route("/words/policy", policy, methods=["POST"]),
    ]


def _row(text: str | None, table: TermTable) -> int:
    at = number(text, -1)
    if not 0 <= at < len(table.rows):
        raise BadInput("There is no such word.")
    return at


def _may_be_seen(table: TermTable, rows: Sequence[int], k: int, private: bool) -> None:
    if not private and any(table.rows[n][2] < k for n in rows):
        raise BadInput(f"This word is one of fewer than {k} persons. Show private values to see it.")


def _decide(pages: Pages, column: str, table: TermTable, rows: Sequence[int], form: Any) -> None:
    """Give words another meaning: a concept, one of their own, or again what they are taken for without a decision."""
    if not rows:
        raise BadInput("Choose a word first.")
    project, way, concept = pages.studio.sound, form.get("way", "concept"), form.get("concept", "").strip()
    terms = [table.rows[n][0] for n in rows]
    overrides, edits = project.overrides(column), None
    decided = table.decided(overrides)
    words = "A word" if len(rows) == 1 else f"{len(rows):,} words"
    if way == "back":
        overrides = {term: id for term, id in overrides.items() if term not in terms}
        what = f"{words} of column {column} mean{'s' * (len(rows) == 1)} again what was found."
    elif way == "own" and not concept:
        now = {table.rows[n][0]: table.term(n, decided).concept for n in rows}
        edits = _own(pages, column, {term: one.id if one else _top(table) for term, one in now.items()})
        overrides |= {term: term for term in terms}
        what = f"{words} of column {column} {'stands for itself' if len(rows) == 1 else 'stand for themselves'}."
    else:
        chosen = table.concepts.tax.find(concept)
        if chosen < 0:
            raise BadInput("Choose a concept first: look for it by its name.")
        told = table.concepts.shown(chosen)
        name = f"{told.label} ({told.hint})" if told.hint else told.label
        if chosen in pages.studio.secret(column, always=True):
            name = "a word of few persons"
        if way == "own":
            edits = _own(pages, column, dict.fromkeys(terms, told.id))
            overrides |= {term: term for term in terms}
            what = f"{words} of column {column} {'is a concept' if len(rows) == 1 else 'are concepts'} below {name}."
        else:
            overrides |= dict.fromkeys(terms, told.id)
            what = f"{words} of column {column} mean{'s' * (len(rows) == 1)} {name}."
    project.change(what, overrides={column: overrides}, edits=edits)


def _top(table: TermTable) -> str:
    """Where a word goes that has no concept: below the only root."""
    tax = table.concepts.tax
    if len(tax.roots) != 1:
        raise BadInput("Choose a concept first: this taxonomy has several roots, and the word is below none.")
    return tax.id(tax.roots[0])


def _own(pages: Pages, column: str, parents: Mapping[str, str]) -> dict[str, Any]:
    """Edits that add words as concepts of their own, each below another."""
    project = pages.studio.sound
    base, edits = project.hierarchy(column)
    tax = pages.studio.concepts(column).tax
    new = [TaxonomyEdit("add", term, parent) for term, parent in parents.items() if tax.find(term) < 0]
    return {column: (base or base_of(pages, column), [*edits, *new])}


def base_of(pages: Pages, column: str) -> str:
    """The one taxonomy of a column, which edits may begin with."""
    named = changes.word_columns(pages.studio.sound.tables)[column]["taxonomy"]
    if not isinstance(named, str) and len(named) != 1:
        raise BadInput("This column has several taxonomies. Leave one of them on the screen File to edit it.")
    return named if isinstance(named, str) else str(named[0])
