"""How much protection: settings and their meaning in a sentence, a preview at once, the frontier of all settings."""

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from taxonym.distance.registry import DISTANCES
from taxonym.distance.sets import AGGREGATIONS
from taxonym.errors import BadInput, BadPlan, TaxonymError
from taxonym.plan import Plan
from taxonym.publish.registry import METHODS
from taxonym.render.comparison import chart, distance_of, series_of
from taxonym.studio import changes, sentences
from taxonym.studio.gate import form_of
from taxonym.studio.jobs import DONE, RUNNING
from taxonym.studio.pages import Pages, number
from taxonym.text.sensitive import load_topics

SIZES = (2, 3, 5, 10, 20)
_WAIT = 20.0  # seconds for a preview, which usually takes one or two, until its page is told that it takes longer
_KEPT = 4


def routes(pages: Pages) -> list[Route]:
    studio = pages.studio

    @pages.guarded("/choose")
    def show(request: Request) -> Response:
        plan = studio.sound.plan()
        swept = studio.current("frontier")
        found = swept.result if swept is not None and swept.state == DONE else None
        drawn = {}
        if found and any(row["refused"] is None for row in found["rows"]):
            drawn["frontier"] = chart(found["rows"], distance_of(found["judges"]["common"]), found["reason"]).drawn
        return pages.page(
            "choose.html",
            "/choose",
            charts=drawn,
            plan=plan,
            method=plan.method,
            methods=_methods(plan),
            meaning=_meanings(plan),
            topics=_topics(plan),
            aggregates=list(AGGREGATIONS),
            measures=list(DISTANCES),
            frontier=found,
            swept=swept,
            series=series_of,
            confidential=any(column.role == "confidential" for column in plan.columns.values()),
            first=_try(studio.tries[0]) if studio.tries else None,
            tries=studio.tries,
        )

    def preview(request: Request) -> Response:
        form = form_of(request)
        project = studio.sound
        try:
            tables = changes.with_method(project.tables, _settings(form))
            plan = Plan.from_dict(tables, folder=project.home)
            project.settle()
            given = (plan.to_dict(), str(project.home), str(project.source))
            about = studio.stamp()
            asked, last = f"{about} {plan.method}", studio.jobs.last("preview")
            if last is not None and last.about == asked and last.state in (RUNNING, DONE):
                job = last  # the page asks again for what it waits for
            else:
                job = studio.jobs.start("preview", "preview", *given, about=asked, patient=True)
        except TaxonymError as error:
            return pages.fragment("preview.html", error=str(error), now=None, others=[], meaning=None, waits=None)
        job.over.wait(_WAIT)
        if studio.jobs.last("preview") is not job:
            return Response(status_code=204)  # the slider has moved on
        meaning = _meanings(plan)
        if job.state != DONE:
            waits = job if job.state == RUNNING else None
            return pages.fragment("preview.html", error=job.error, now=None, others=[], meaning=meaning, waits=waits)
        made = {"method": plan.method, "about": about, **job.result}
        if not any(one["method"] == plan.method and one["about"] == about for one in studio.tries):
            studio.tries = [*studio.tries, made][-_KEPT:]
        others = [one for one in studio.tries if one["method"] != plan.method and one["about"] == about]
        return pages.fragment(
            "preview.html", error="", now=_try(made), others=[_try(one) for one in others], meaning=meaning, waits=None
        )

    def take(request: Request) -> Response:
        form = form_of(request)

        def do() -> None:
            project, settings = studio.sound, _settings(form)
            tables = changes.with_method(project.tables, settings)
            plan = Plan.from_dict(tables, folder=project.home)
            project.change(f"Settings: {plan.method.name}, k = {plan.method.k}.", tables)

        studio.attempt(do)
        return RedirectResponse("/choose", 303)

    def sweep(request: Request) -> Response:
        studio.attempt(lambda: studio.task("frontier", "frontier", SIZES))
        return RedirectResponse("/choose#frontier", 303)

    def point(request: Request) -> Response:
        def do() -> None:
            swept = studio.current("frontier")
            at = number(form_of(request).get("row"), -1)
            if swept is None or swept.state != DONE or not 0 <= at < len(swept.result["plans"]):
                raise BadInput("These settings were tried on another plan. Try again.")
            project, made = studio.sound, swept.result["plans"][at]
            seed = project.tables.get("method", {}).get("seed")
            tables = project.tables
            tables["method"] = {**made, **({} if seed is None else {"seed": seed})}
            if seed is None:
                tables["method"].pop("seed", None)
            row = swept.result["rows"][at]
            project.change(f"Settings: {row['method']}, k = {row['k']}, from the frontier.", tables)

        studio.attempt(do)
        return RedirectResponse("/choose", 303)

    def job_state(request: Request) -> Response:
        job = studio.jobs.find(number(request.path_params["number"]))
        if job is None or job.state != RUNNING:
            return Response('<div id="job" data-reload></div>', media_type="text/html")
        return pages.fragment("job.html", job=job)

    def cancel(request: Request) -> Response:
        job = studio.jobs.find(number(form_of(request).get("number")))
        if job is not None:
            studio.jobs.cancel(job)
        return pages.moved(request, "/run")

    return [
        Route("/choose", show),
        Route("/choose/preview", preview, methods=["POST"]),
        Route("/choose/take", take, methods=["POST"]),
        Route("/choose/sweep", sweep, methods=["POST"]),
        Route("/choose/point", point, methods=["POST"]),
        Route("/job/{number:int}", job_state),
        Route("/job/cancel", cancel, methods=["POST"]),
    ]


def _settings(form: Any) -> dict[str, Any]:
    """The settings of a form, as the plan writes them."""
    made: dict[str, Any] = {}
    for key in ("k", "known_items", "l", "seed"):
        if key in form:
            text = form[key].strip()
            if text and not text.isdecimal():
                raise BadPlan(f"method.{key}: must be a whole number.")
            made[key] = int(text) if text else None
    if "t" in form:
        try:
            made["t"] = float(form["t"]) if form["t"].strip() else None
        except ValueError:
            raise BadPlan("method.t: must be a number above 0 and at most 1.") from None
    made |= {key: form[key] for key in ("name", "aggregate", "measure") if form.get(key)}
    if "topics" in form:
        made["topics"] = [one for one in form["topics"].split(",") if one]
    return made


def _methods(plan: Plan) -> dict[str, str]:
    """The methods that the plan allows, with what they do."""
    made: dict[str, str] = {}
    tables = plan.to_dict()
    for name in METHODS:
        try:
            if name != plan.method.name:
                Plan.from_dict(changes.with_method(tables, {"name": name}), folder=plan.folder)
        except TaxonymError:
            continue
        if METHODS[name].how != "noise" or name == plan.method.name:
            made[name] = sentences.METHOD_MEANING.get(name, METHODS[name].about)
    return made


def _meanings(plan: Plan) -> dict[str, str]:
    method = plan.method
    watched = any(column.role == "confidential" for column in plan.columns.values())
    return {
        "k": sentences.promise_of(method),
        "known_items": sentences.known_items_meaning(method.known_items),
        "l": sentences.l_meaning(method.l) if watched else "",
        "t": sentences.t_meaning(method.t) if watched else "",
        "topics": sentences.topics_meaning(method.topics),
        "name": sentences.METHOD_MEANING.get(method.name, METHODS[method.name].about),
    }


def _topics(plan: Plan) -> list[str]:
    """The topics that may be treated as sensitive, where words are those of WordNet."""
    from taxonym.knowledge.catalog import load

    named = {name for column in plan.columns.values() for name in column.taxonomy}
    if "wordnet" not in named:
        return []
    return [topic.name for topic in load_topics(load("wordnet")).topics]


def _try(made: dict[str, Any]) -> dict[str, Any]:
    """A setting that was tried, with what is shown of it."""
    return {**made, "title": f"{made['method'].name}, k = {made['method'].k}"}
