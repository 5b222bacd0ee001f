"""The taxonomy of a column as a tree with counts: search, the path of a concept, cut, merge, rename, move, branches."""

from collections.abc import Collection
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from taxonym.errors import BadInput
from taxonym.knowledge.edit import TaxonomyEdit
from taxonym.studio.branches import ConceptTree
from taxonym.studio.gate import form_of
from taxonym.studio.jobs import RUNNING, Job
from taxonym.studio.pages import Pages, number
from taxonym.studio.screens.words import base_of

_DONE = {
    "rename": "was renamed",
    "move": "hangs below another",
    "merge": "was merged into another",
    "cut": "was cut out",
    "add": "has a new branch below it",
}


def routes(pages: Pages) -> list[Route]:
    studio = pages.studio

    def column_of(asked: Any) -> tuple[int, str]:
        columns, at = studio.columns(), number(asked.get("c"))
        if not columns:
            raise BadInput(studio.wordless)
        at = at if 0 <= at < len(columns) else 0
        return at, columns[at]

    def tree_of(asked: Any) -> tuple[int, str, ConceptTree]:
        at, column = column_of(asked)
        found = studio.tree(column)
        if isinstance(found, Job):
            raise BadInput("The persons of this column are still being counted.")
        return at, column, found

    def code_of(tree: ConceptTree, text: str | None) -> int:
        code = number(text, -1)
        return code if 0 <= code < len(tree.tax) else -1

    def branches(tree: ConceptTree, code: int, secret: Collection[int]) -> dict[str, Any]:
        """What lies below a concept, and how much is not listed because too few hold it."""
        least = 1 if studio.private else studio.sound.k
        return {"at": code, "below": tree.below(code, least), "rest": len(tree.rest(code, least, secret))}

    @pages.guarded("/hierarchy")
    def show(request: Request) -> Response:
        asked = request.query_params
        at, column = column_of(asked)
        found = studio.tree(column)
        if isinstance(found, Job):
            if found.state == RUNNING:
                return pages.wait(found, "/hierarchy", f"Counting who holds what in column {column}")
            raise BadInput(found.error)
        code = code_of(found, asked.get("code"))
        secret = studio.secret(column)
        code = code if code >= 0 and code not in secret else found.start()
        path = found.path(code) if code >= 0 else []
        base, edits = studio.sound.hierarchy(column)
        hidden = {found.tax.id(one) for one in secret}
        return pages.page(
            "hierarchy.html",
            "/hierarchy",
            c=at,
            column=column,
            columns=studio.columns(),
            tree=found,
            branch=found.branch(code) if code >= 0 else None,
            path=path,
            **branches(found, code, secret),
            labels=found.tax.labels(code)[1:] if code >= 0 else [],
            parents=[found.concepts.shown(p) for p in found.tax.parents(code)] if code >= 0 else [],
            edits=[one for one in edits if not hidden & {one.id, one.value}],
            base=base,
            size=len(found.tax),
        )

    def children(request: Request) -> Response:
        asked = request.query_params
        at, column, tree = tree_of(asked)
        shown = branches(tree, code_of(tree, asked.get("code")), studio.secret(column))
        if asked.get("rest"):
            least, code = 1 if studio.private else studio.sound.k, shown["at"]
            shown |= {"below": tree.rest(code, least, studio.secret(column)), "rest": 0}
        return pages.fragment("branches.html", c=at, **shown)

    def find(request: Request) -> Response:
        form = form_of(request)
        at, column = column_of(form)
        secret = studio.secret(column)
        found = [one for one in studio.concepts(column).search(form.get("find", "")) if one.code not in secret]
        return pages.fragment("found_links.html", found=found, asked=form.get("find", ""), c=at)

    def edit(request: Request) -> Response:
        form = form_of(request)
        at, column, tree = tree_of(form)
        code = code_of(tree, form.get("code"))
        done = studio.attempt(_edit, pages, column, tree, code, form)
        if done and form.get("action") in ("cut", "merge"):
            parents = tree.tax.parents(code)
            kept = tree.tax.id(parents[0]) if parents else ""
            code = studio.concepts(column).tax.find(kept) if kept else -1
        elif done and code >= 0:
            code = studio.concepts(column).tax.find(tree.tax.id(code))
        return RedirectResponse(f"/hierarchy?c={at}" + (f"&code={code}" if code >= 0 else ""), 303)

    return [
        Route("/hierarchy", show),
        Route("/hierarchy/children", children),
        Route("/hierarchy/find", find, methods=["POST"]),
        Route("/hierarchy/edit", edit, methods=["POST"]),
    ]


def _edit(pages: Pages, column: str, tree: ConceptTree, code: int, form: Any) -> None:
    """One edit of the hierarchy, as its form says."""
    project, action = pages.studio.sound, form.get("action", "")
    if code < 0 or action not in _DONE:
        raise BadInput("Choose a concept first.")
    concept, value = tree.concepts.shown(code), form.get("value", "").strip()
    name = "a word of few persons" if code in pages.studio.secret(column, always=True) else concept.label
    if action in ("move", "merge"):
        value = form.get("concept", "").strip()
        if tree.tax.find(value) < 0:
            raise BadInput("Choose the other concept first: look for it by its name.")
    made = TaxonomyEdit("add", value, concept.id) if action == "add" else TaxonomyEdit(action, concept.id, value)
    base, edits = project.hierarchy(column)
    what = f"Column {column}: {name} {_DONE[action]}."
    project.change(what, edits={column: (base or base_of(pages, column), [*edits, made])})
