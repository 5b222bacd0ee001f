"""The run: its steps with their times, and a cancel that really stops. It goes on while pages are loaded again."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from taxonym.studio.jobs import DONE, RUNNING
from taxonym.studio.pages import Pages
from taxonym.studio.script import command_of


def routes(pages: Pages) -> list[Route]:
    studio = pages.studio

    @pages.guarded("/run")
    def show(request: Request) -> Response:
        job = studio.jobs.last("run")
        project = studio.sound
        plan = project.plan()
        return pages.page(
            "run.html",
            "/run",
            job=job,
            is_current=job is not None and job.about == studio.stamp(),
            running=job is not None and job.state == RUNNING,
            done=job is not None and job.state == DONE,
            plan=plan,
            command=command_of(project, plan),
            release=studio.release,
        )

    def start(request: Request) -> Response:
        def do() -> None:
            studio.task("run", "run", str(studio.sound.home / "release"), alone=True)

        job = studio.jobs.last("run")
        if job is None or job.state != RUNNING:  # a second click begins no second run
            studio.attempt(do)
        return RedirectResponse("/run", 303)

    return [Route("/run", show), Route("/run/start", start, methods=["POST"])]
