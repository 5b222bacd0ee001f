"""How pages are made: templates, what every page shows, and answers to forms."""

from collections.abc import Callable
from functools import wraps
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from taxonym.errors import TaxonymError
from taxonym.render.look import OF_THE_PAGE, config
from taxonym.studio.gate import Keys, form_of
from taxonym.studio.jobs import RUNNING, Job
from taxonym.studio.sentences import KINDS, ROLE_MEANING, ROLES, SHAPES
from taxonym.studio.state import Studio

SCREENS = (
    ("/", "File", "What it is and whose privacy counts"),
    ("/words", "Words", "What words were taken for"),
    ("/hierarchy", "Hierarchy", "What lies below what"),
    ("/choose", "Choose", "How much protection, at what loss"),
    ("/before-and-after", "Before and after", "What is published instead"),
    ("/run", "Run", "Make the release"),
    ("/release", "Release", "Prove it, attack it, hand it over"),
)
PLACES = (*(path for path, _, _ in SCREENS), "/history")
Endpoint = Callable[[Request], Response]


class Pages:
    """Templates for one studio."""

    def __init__(self, studio: Studio, keys: Keys) -> None:
        self.studio, self.keys = studio, keys
        self._made = Environment(
            loader=PackageLoader("taxonym.studio", "templates"),
            autoescape=select_autoescape(default=True, default_for_string=True),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        filters: dict[str, Callable[..., str]] = {
            "count": lambda n: f"{n:,}",
            "percent": _percent,
            "seconds": _seconds,
            "clip": clip,
            "begin": _begin,
        }
        self._made.filters |= filters
        self._made.globals |= {
            "SCREENS": SCREENS, "ROLES": ROLES, "ROLE_MEANING": ROLE_MEANING, "KINDS": KINDS, "SHAPES": SHAPES,
        }  # fmt: skip

    def fragment(self, template: str, **shown: Any) -> HTMLResponse:
        """A part of a page."""
        return HTMLResponse(self._made.get_template(template).render(self._common() | shown))

    def page(self, template: str, here: str, charts: dict[str, Any] | None = None, **shown: Any) -> HTMLResponse:
        """A whole page; `charts` are drawn by the script that reports use, into the places with their names."""
        more = {
            "here": here,
            "charts": charts or {},
            "chart_look": config(OF_THE_PAGE),
            "messages": self.studio.heard(),
        }
        return self.fragment(template, **more, **shown)

    def _common(self) -> dict[str, Any]:
        studio = self.studio
        return {
            "studio": studio, "project": studio.project, "private": studio.private, "csrf": self.keys.csrf,
            "k": studio.project.k if studio.project else 5,
        }  # fmt: skip

    def wait(self, job: Job, here: str, title: str) -> HTMLResponse:
        """A page that waits for a job, and is loaded again when it is over."""
        return self.page("wait.html", here, job=job, title=title)

    def moved(self, request: Request, to: str = "/") -> Response:
        """Where a person goes after a form: back to a screen."""
        place = form_of(request).get("back", to)
        return RedirectResponse(place if place.split("?")[0].split("#")[0] in PLACES else to, 303)

    def guarded(self, here: str) -> Callable[[Endpoint], Endpoint]:
        """A screen whose trouble is told on a page: nothing is open yet, or something is wrong with the plan."""

        def around(endpoint: Endpoint) -> Endpoint:
            @wraps(endpoint)
            def safe(request: Request) -> Response:
                try:
                    job = self.studio.drafted()
                    if here != "/" and self.studio.project is None:
                        return RedirectResponse("/", 303)
                    if here != "/" and job is not None and job.state == RUNNING:
                        return self.wait(job, here, "Looking at the file")
                    return endpoint(request)
                except TaxonymError as error:
                    return self.page("trouble.html", here, error=str(error))

            return safe

        return around


def is_htmx(request: Request) -> bool:
    return request.headers.get("hx-request") == "true"


def number(text: str | None, usual: int = 0) -> int:
    """A whole number from a form or an address; the usual one where it is none."""
    try:
        return int(text or "")
    except ValueError:
        return usual


def asset(name: str) -> bytes:
    """A file of the studio's, or of reports: styles and scripts."""
    room = "taxonym.render" if name in ("charts.js", "page.js") else "taxonym.studio"
    return (files(room) / "assets" / name).read_bytes()


def clip(text: str, most: int = 120) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _percent(share: float | None, digits: int = 0) -> str:
    return "–" if share is None else f"{100 * share:.{digits}f} %"


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds // 60)} min {int(seconds % 60)} s"


def _begin(text: str) -> str:
    """A sentence that begins with a capital."""
    return text[:1].upper() + text[1:]
