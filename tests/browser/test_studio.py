"""The studio as people use it: the whole way from a file to a release, with a mouse and without one."""

import csv
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from taxonym.cli import main
from tests.browser.studio_common import HOSTILE, Person, Served, fill, is_alive, served

WIDE = {"width": 1280, "height": 900}
SIZES = [{"width": 360, "height": 740}, {"width": 768, "height": 1024}, WIDE, {"width": 2560, "height": 1440}]
pytestmark = pytest.mark.xdist_group("studio")
PLACES = ("/", "/words", "/hierarchy", "/choose", "/before-and-after", "/run", "/release", "/history")


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("studio")
    fill(folder)
    with served(folder) as made:
        yield made


@pytest.fixture(scope="module")
def context(browser: Any, studio: Served) -> Iterator[Any]:
    made = browser.new_context(viewport=WIDE, color_scheme="light")
    page = made.new_page()
    page.goto(studio.start)
    page.wait_for_url(studio.home + "/")
    page.close()
    yield made
    made.close()


@pytest.fixture
def person(context: Any, studio: Served) -> Iterator[Person]:
    made = Person(context, studio.home)
    yield made
    made.page.close()


def open_file(person: Person, name: str) -> None:
    person.go("/?choose=1")
    person.button(name).click()
    person.page.wait_for_load_state()
    person.settled()


def take_plan(person: Person, name: str) -> None:
    person.page.get_by_text("Use a plan from this folder").click()
    person.page.get_by_label("Plan", exact=True).select_option(name)
    with person.page.expect_navigation():
        person.button("Take it over").click()


def find(person: Person, text: str) -> None:
    """Look for a word, and wait for the answer."""
    with person.page.expect_response("**/words/table"):
        person.page.get_by_label("Find a word").fill(text)
    person.settled()


def run(person: Person) -> None:
    person.go("/run")
    person.button("Start the run").click()
    person.page.get_by_role("link", name="To the release").wait_for()


def test_the_whole_way_for_diagnoses_with_a_mouse(person: Person, studio: Served) -> None:
    page = person.page
    person.go("/?choose=1")
    person.check()
    person.button("diagnoses.csv").click()
    page.get_by_text("Whose privacy counts?").wait_for()
    person.check()
    take_plan(person, "diagnoses.toml")
    page.get_by_role("link", name="Look at the words").click()
    page.get_by_role("heading", name="What words were taken for").wait_for()
    person.settled()
    find(person, "hypertension")
    person.button("Change Essential hypertension").click()
    page.get_by_role("heading", name="What does Essential hypertension mean?").wait_for()
    person.check()
    page.get_by_role("link", name="Hierarchy").click()
    person.settled()
    page.locator(".tree button").first.click()
    page.locator(".tree ul li").first.wait_for()
    page.get_by_label("Find a concept").fill("diabetes")
    page.get_by_role("link", name="Diabetes mellitus").first.click()
    page.get_by_label("Another name").fill("Diabetes")
    person.button("Rename").click()
    page.locator("h2").get_by_text("Diabetes", exact=True).wait_for()
    person.check()
    page.get_by_role("link", name="Choose").click()
    page.locator("#preview tr.best").wait_for()
    page.get_by_label("Persons who are published alike (k)").fill("6")
    page.get_by_text("at least 5 other persons alike").wait_for()
    page.locator("#preview tr", has_text="k = 5").wait_for()  # two settings side by side
    person.settled()
    person.check()
    person.button("Take these settings").click()
    page.locator("output", has_text="6").wait_for()
    page.get_by_role("link", name="See before and after").click()
    page.locator("[data-drawn]").first.wait_for()
    assert person.button("Their records").count() == 0
    person.check()
    page.get_by_role("link", name="Make the release", exact=True).click()
    person.button("Start the run").click()
    page.get_by_role("link", name="To the release").click()
    person.button("Verify").click()
    page.get_by_text("It holds.").wait_for()
    person.button("Attack").click()
    page.get_by_role("table").wait_for()
    person.check()
    home = studio.folder / "diagnoses.csv.studio"
    plan = (home / "plan.toml").read_text()
    assert 'taxonomy = "hierarchy-diagnoses.taxonym"' in plan
    assert "k = 6" in plan
    assert main(["verify", str(home / "release" / "release.csv"), "--plan", str(home / "plan.toml")]) == 0
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open the report").click()
    report = opened.value
    report.locator(".verdict").wait_for()
    assert report.evaluate("window.origin") == "null"  # in a sandbox
    report.close()


def test_every_screen_fits_every_window_light_and_dark(person: Person) -> None:
    page = person.page
    open_file(person, "baskets.csv")
    take_plan(person, "plan.toml")
    run(person)  # all screens have something to show
    for place in PLACES:
        person.go(place)
        person.settled(".spin")
        for size in SIZES:
            page.set_viewport_size(size)
            person.until("document.documentElement")
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], (place, size)
        page.set_viewport_size(SIZES[0])
        page.emulate_media(color_scheme="dark")
        assert person.violations() == [], place
        page.emulate_media(color_scheme="light")
    assert person.said == []


def test_undo_leads_back_to_the_start_and_redo_to_the_end(person: Person, studio: Served) -> None:
    open_file(person, "orders.csv")
    plan = studio.folder / "orders.csv.studio" / "plan.toml"
    first = plan.read_text()
    take_plan(person, "plan.toml")
    for k in ("4", "5"):
        person.go("/choose")
        person.page.get_by_label("Persons who are published alike (k)").fill(k)
        person.button("Take these settings").click()
        person.page.locator("output", has_text=k).wait_for()
        person.settled()
    last, undone = plan.read_text(), 0
    person.go("/history")
    while person.button("Undo").is_enabled():
        person.button("Undo").click()
        person.page.wait_for_load_state()
        undone += 1
    assert undone == 3
    assert plan.read_text() == first != last
    while person.button("Redo").is_enabled():
        person.button("Redo").click()
        person.page.wait_for_load_state()
    assert plan.read_text() == last


def test_rolls_and_soda_are_put_right_by_clicks_and_markup_is_text(person: Person, studio: Served) -> None:
    page = person.page
    open_file(person, "groceries.csv")
    page.locator(".column .name").get_by_text(HOSTILE, exact=True).wait_for()
    assert page.evaluate("window.stolen") is None
    page.get_by_role("link", name="Look at the words").click()
    page.get_by_role("heading", name="What words were taken for").wait_for()
    person.settled()
    for term, wanted in (("rolls", "bun"), ("soda", "soft drink")):
        find(person, term)
        change = page.locator("#terms tr", has=page.get_by_role("rowheader", name=term, exact=True))
        change.get_by_role("button", name="Change").click()
        page.locator(".note h3").wait_for()
        person.settled()
        page.get_by_label("Something else").fill(wanted)
        page.locator("[data-concept]", has_text=wanted).first.click()
        person.button("This is what it means").click()
        page.locator("#terms tr", has_text="decided by you").filter(has_text=term).wait_for()
    person.check()
    with open(studio.folder / "groceries.csv.studio" / "overrides-items.csv", newline="") as file:
        decided = dict(csv.reader(file))
    assert decided.keys() == {"term", "rolls", "soda"}
    assert decided["rolls"].startswith(("bun.", "roll."))
    assert decided["soda"].startswith("soft_drink.")
    run(person)
    release = (studio.folder / "groceries.csv.studio" / "release" / "release.csv").read_text()
    assert "buttocks" not in release
    person.check()


def test_the_whole_way_for_a_search_log_by_the_keyboard_alone(person: Person, studio: Served) -> None:
    page, keys = person.page, person.page.keyboard
    person.go("/?choose=1")
    keys.press("Tab")
    keys.press("Enter")  # past the bar and the steps
    person.press_to("searches.csv")
    keys.press("Enter")
    page.get_by_role("link", name="Look at the words").wait_for()
    person.press_to("Look at the words")
    keys.press("Enter")
    page.get_by_role("heading", name="What words were taken for").wait_for()
    person.settled()
    person.press_to("Find a word")
    with page.expect_response("**/words/table"):
        keys.type("weather")
    person.settled()
    person.press_to("Change")
    keys.press("Enter")
    page.locator(".note h3").wait_for()
    person.settled()
    assert page.evaluate("document.activeElement.textContent") == "Close"  # the keyboard goes on in the panel
    keys.press("Enter")
    page.locator(".note h3").wait_for(state="detached")
    assert page.evaluate("document.activeElement.textContent").startswith("Change")  # and back where it came from
    person.go("/choose")
    page.locator("#preview tr.best").wait_for()
    person.press_to("Persons who are published alike")
    keys.press("ArrowLeft")
    page.get_by_text("at least 3 other persons alike").wait_for()
    person.settled()
    person.press_to("Take these settings")
    keys.press("Enter")
    page.locator("output", has_text="4").wait_for()
    person.go("/run")
    person.press_to("Start the run")
    keys.press("Enter")
    page.get_by_role("link", name="To the release").wait_for()
    person.press_to("To the release")
    keys.press("Enter")
    page.get_by_role("heading", name="The release").wait_for()
    person.check()
    assert (studio.folder / "searches.csv.studio" / "release" / "release.csv").exists()


def test_a_run_survives_a_reload_ends_with_its_worker_and_stops_when_it_is_cancelled(
    person: Person, studio: Served
) -> None:
    page = person.page
    open_file(person, "access.log")
    release = studio.folder / "access.log.studio" / "release"
    before = studio.workers()
    person.go("/run")
    person.button("Start the run").click()
    page.get_by_role("heading", name="Running").wait_for()
    page.reload()
    page.get_by_role("heading", name="Running").wait_for()
    person.until("document.querySelectorAll('.jobsteps li').length > 0")
    killed = [pid for pid in studio.workers() if pid not in before][-1]
    os.kill(killed, signal.SIGKILL)
    page.get_by_text("was ended from outside").wait_for()
    assert not list(release.glob("release*")) if release.exists() else True
    person.button("Start the run").click()
    page.get_by_role("heading", name="Running").wait_for()
    person.until("document.querySelectorAll('.jobsteps li').length > 0")
    running = [pid for pid in studio.workers() if pid not in before][-1]
    person.button("Cancel").click()
    page.get_by_text("This was cancelled").wait_for()
    assert not is_alive(running)
    assert not list(release.glob("release*")) if release.exists() else True
    run(person)
    assert (release / "release.log").exists()
    person.check()


def test_a_studio_says_nothing_on_the_way_and_leaves_no_process_behind(browser: Any, tmp_path: Path) -> None:
    fill(tmp_path)
    with served(tmp_path) as studio:
        context = browser.new_context()
        person = Person(context, studio.home)
        person.page.goto(studio.start)
        person.page.wait_for_url(studio.home + "/")
        person.button("access.log").click()
        person.page.get_by_text("web server's access log").first.wait_for()
        workers = studio.workers()
        assert workers
        studio.process.send_signal(signal.SIGHUP)  # the terminal is closed
        said = "".join(studio.process.communicate(timeout=120))
        context.close()
        assert studio.process.returncode is not None
        assert not [pid for pid in workers if is_alive(pid)]
        assert "access" not in said
        assert "Traceback" not in said
