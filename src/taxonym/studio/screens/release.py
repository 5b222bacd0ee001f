"""The release: its verdict and report, proof, attack, and everything to hand over. The trail is never served."""

import json
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from taxonym.errors import BadInput
from taxonym.plan import read_plan
from taxonym.shapes.codebook import codebook_path
from taxonym.studio.gate import REPORT_POLICY, form_of
from taxonym.studio.jobs import DONE, RUNNING
from taxonym.studio.pages import Pages, number
from taxonym.studio.project import PLAN
from taxonym.studio.script import command_of, script_of
from taxonym.studio.tasks import REPORT, REPORT_DATA


def routes(pages: Pages) -> list[Route]:
    studio = pages.studio

    def release() -> Path:
        if studio.release is None:
            raise BadInput("There is no release yet. Make one on the screen Run.")
        return studio.release

    @pages.guarded("/release")
    def show(request: Request) -> Response:
        if studio.release is None:
            return pages.page("no_release.html", "/release")
        place, project = release(), studio.sound
        report = json.loads((place.parent / REPORT_DATA).read_text("utf-8"))
        plan = project.plan()
        jobs = {kind: _about(pages, kind, place) for kind in ("verify", "attack")}
        return pages.page(
            "release.html",
            "/release",
            report=report,
            place=place,
            same=(place.parent / PLAN).read_text("utf-8") == plan.to_toml(),
            jobs=jobs,
            waiting=[job for job in jobs.values() if job is not None and job.state == RUNNING],
            DONE=DONE,
            offers=(offers := list(_offers(pages, place))),
            withheld=[name for name in project.history.state() if _is_decision(name) and name not in offers],
            command=command_of(project, plan),
            script=script_of(project, plan),
            folder=studio.opened.name_of(place.parent),
        )

    def ask(kind: str, *more: Any) -> None:
        """Something about the files as they are, whatever the plan says now."""
        given = (str(studio.sound.source), str(release()), *more)
        studio.jobs.start(kind, kind, *given, about=_stamp(release()))

    def check(request: Request) -> Response:
        studio.attempt(ask, "verify")
        return RedirectResponse("/release#proof", 303)

    def attack(request: Request) -> Response:
        seed = studio.sound.tables.get("method", {}).get("seed")
        studio.attempt(ask, "attack", number(form_of(request).get("knows")), seed)
        return RedirectResponse("/release#attack", 303)

    def report(request: Request) -> Response:
        return FileResponse(release().parent / REPORT, headers={"content-security-policy": REPORT_POLICY})

    def download(request: Request) -> Response:
        offers = _offers(pages, release())
        what = request.path_params["what"]
        if what not in offers:
            return PlainTextResponse("There is no such file to hand over.", 404)
        name, content = offers[what]
        if isinstance(content, Path):
            return FileResponse(content, filename=name, media_type="application/octet-stream")
        return Response(
            content.encode(),
            media_type="application/octet-stream",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    return [
        Route("/release", show),
        Route("/release/verify", check, methods=["POST"]),
        Route("/release/attack", attack, methods=["POST"]),
        Route("/release/report", report),
        Route("/release/download/{what}", download),
    ]


def _offers(pages: Pages, place: Path) -> dict[str, tuple[str, Path | str]]:
    """What may be handed over or kept: a name for each, its file's name, and where it is or what it says."""
    project = pages.studio.sound
    plan = read_plan(project.home / PLAN)
    made: dict[str, tuple[str, Path | str]] = {"release": (place.name, place)}
    if codebook_path(place).exists():
        made["codebook"] = (codebook_path(place).name, codebook_path(place))
    made["report"] = (REPORT, place.parent / REPORT)
    made["report-data"] = (REPORT_DATA, place.parent / REPORT_DATA)
    made["plan"] = (PLAN, project.home / PLAN)
    for name in project.history.state():
        if _is_decision(name) and (pages.studio.private or not pages.studio.is_secret(name)):
            made[name] = (name, project.home / name)
    made["script"] = ("make_release.py", script_of(project, plan))
    return made


def _is_decision(name: str) -> bool:
    """Whether a file of the project says what its words mean, or how a hierarchy was edited."""
    return name.startswith(("overrides-", "hierarchy-"))


def _stamp(place: Path) -> str:
    return f"{place} {place.stat().st_mtime_ns}"


def _about(pages: Pages, kind: str, place: Path) -> Any:
    """The last job of a kind, if it is about this release."""
    job = pages.studio.jobs.last(kind)
    return job if job is not None and job.about == _stamp(place) else None
