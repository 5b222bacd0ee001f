"""What is published instead: by concept and branch, frequencies, sizes, groups. Single records are private."""

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from taxonym.errors import BadInput
from taxonym.render.charts import charts_of
from taxonym.studio.jobs import DONE, RUNNING
from taxonym.studio.pages import Pages, number

PAGE = 20
_WAIT = 60.0
_MOST = 12  # different values of a group that are shown


def routes(pages: Pages) -> list[Route]:
    studio = pages.studio

    @pages.guarded("/before-and-after")
    def show(request: Request) -> Response:
        job = studio.current("trial") or studio.task("trial", "trial")
        if job.state == RUNNING:
            return pages.wait(job, "/before-and-after", "Trying the plan on a sample")
        if job.state != DONE:
            return pages.page("trouble.html", "/before-and-after", error=job.error, again="/before-and-after/again")
        found, asked = job.result, request.query_params
        k, private = studio.sound.k, studio.private
        report = guarded(found["report"], found["warnings"], k, private)
        every = found["groups"]
        last = max(1, -(-len(every) // PAGE))
        page = min(max(1, number(asked.get("page"), 1)), last)
        charts = {
            f"c{i}": one
            for i, (name, one) in enumerate(charts_of(report).items())
            if name == "sizes" or name.startswith("branches")
        }
        return pages.page(
            "before_and_after.html",
            "/before-and-after",
            charts={name: one.drawn for name, one in charts.items()},
            figures=charts,
            report=report,
            sample=found["sample"],
            groups=[told_group(one, k, private) for one in every[(page - 1) * PAGE : page * PAGE]],
            count=len(every),
            page=page,
            pages=last,
        )

    def members(request: Request) -> Response:
        job = studio.current("trial")
        if not studio.private:
            raise BadInput("Single records are private. Show private values to see them.")
        if job is None or job.state != DONE:
            raise BadInput("There is no trial any more. Try the plan again.")
        group = number(request.query_params.get("group"), -1)
        asked = studio.jobs.start("members", "members", group, about=str(group), patient=True)
        asked.over.wait(_WAIT)
        if asked.state != DONE:
            raise BadInput(asked.error or "This takes longer than usual.")
        return pages.fragment("members.html", rows=asked.result["rows"], all=asked.result["all"])

    def again(request: Request) -> Response:
        studio.attempt(lambda: studio.task("trial", "trial"))
        return RedirectResponse("/before-and-after", 303)

    return [
        Route("/before-and-after", show),
        Route("/before-and-after/members", members),
        Route("/before-and-after/again", again, methods=["POST"]),
    ]


def told_group(group: dict[str, Any], k: int, private: bool) -> dict[str, Any]:
    """A group with what it publishes in each column: what fewer than k of its persons say is counted, and shown only
    where private values are."""
    cells = {}
    for name, said in group["cells"].items():
        told = [(value, persons) for value, persons in said if private or persons >= k]
        cells[name] = {"told": told[:_MOST], "more": len(said) - len(told[:_MOST]), "is_shared": len(said) == 1}
    return {**group, "cells": cells}


def guarded(report: dict[str, Any], warnings: list[str], k: int, private: bool) -> dict[str, Any]:
    """The owner's report, in which counts of fewer than k persons are not told, unless private values are shown."""
    if private:
        return report
    made = {**report, "warnings": warnings, "columns": [{**column} for column in report["columns"]]}
    for column in made["columns"]:
        column["branches"] = [_branch(one, k) for one in column.get("branches") or () if _told(one, k)]
    return made


def _told(branch: dict[str, Any], k: int) -> bool:
    return all(not isinstance(n, int) or n == 0 or n >= k for n in _counts(branch))


def _counts(branch: dict[str, Any]) -> list[Any]:
    return [branch.get("persons_before"), branch.get("persons_after")]


def _branch(branch: dict[str, Any], k: int) -> dict[str, Any]:
    return {**branch, "concepts": [one for one in branch.get("concepts") or () if _told(one, k)]}
