"""Undo, redo, and the list of all changes: go back to any, name them, compare two."""

from collections.abc import Callable
from datetime import datetime

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from taxonym.studio.gate import form_of
from taxonym.studio.history import Change, History
from taxonym.studio.pages import Pages, number
from taxonym.studio.sentences import differences

_EXPLAINED = 60  # of the last changes what they changed is shown


def routes(pages: Pages) -> list[Route]:
    studio = pages.studio

    @pages.guarded("/history")
    def show(request: Request) -> Response:
        history, asked = studio.sound.history, request.query_params
        changes = history.changes
        first, second = (number(asked.get(key), -1) for key in ("first", "second"))
        compared = None
        if 0 <= first < len(changes) and 0 <= second < len(changes):
            compared = (changes[first], changes[second], differences(history.state(first), history.state(second)))
        return pages.page(
            "history.html", "/history", changes=changes[::-1], now=history.now, compared=compared, when=_when,
            steps={one.number: _steps(history, one) for one in changes[-_EXPLAINED:]},
        )  # fmt: skip

    def moved(deed: Callable[..., object], *arguments: int) -> None:
        """To another state, whose files are all made."""
        deed(*arguments)
        studio.sound.settle()

    def undo(request: Request) -> Response:
        studio.attempt(moved, studio.sound.history.undo)
        return pages.moved(request)

    def redo(request: Request) -> Response:
        studio.attempt(moved, studio.sound.history.redo)
        return pages.moved(request)

    def go(request: Request) -> Response:
        studio.attempt(moved, studio.sound.history.go, number(form_of(request).get("number"), -1))
        return RedirectResponse("/history", 303)

    def name(request: Request) -> Response:
        form = form_of(request)
        studio.attempt(studio.sound.history.name, number(form.get("number"), -1), form.get("name", ""))
        return RedirectResponse("/history", 303)

    return [
        Route("/history", show),
        Route("/history/undo", undo, methods=["POST"]),
        Route("/history/redo", redo, methods=["POST"]),
        Route("/history/go", go, methods=["POST"]),
        Route("/history/name", name, methods=["POST"]),
    ]


def _when(text: str) -> str:
    """A time as people read it, here."""
    return datetime.fromisoformat(text).astimezone().strftime("%d %b %H:%M:%S")


def _steps(history: History, change: Change) -> list[str]:
    if change.before is None:
        return []
    return differences(history.state(change.before), history.state(change.number))
