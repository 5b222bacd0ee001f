"""Reports as people see them: in a browser, wide and narrow, light and dark, and on paper."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

import taxonym
from taxonym.plan import Plan
from taxonym.render.page import page as page_of
from taxonym.run.release import Release
from taxonym.sweep.comparison import Comparison
from taxonym.sweep.settings import Judges, Setting
from tests.browser.conftest import Opened
from tests.unit.render.common import KINDS, REPORTS, hostile_report, publish

pytestmark = REPORTS
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
Look = Callable[..., Opened]


@pytest.fixture(scope="module")
def release() -> Release:
    return publish("diagnoses")


@pytest.fixture(scope="module")
def report(release: Release, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    release.write_report(path)
    return path


@pytest.mark.parametrize("example", KINDS)
def test_a_report_complains_of_nothing_loads_nothing_and_draws_every_chart(
    look: Look, tmp_path: Path, example: str
) -> None:
    release = publish(example)
    release.write_report(tmp_path / "report.html")
    seen = look(tmp_path / "report.html", viewport=WIDE)
    assert seen.said == []
    assert seen.asked == [seen.file.as_uri()]
    assert seen.page.locator(".verdict").inner_text() == release.report["verdict"]
    charts = seen.page.locator("[data-chart] svg")
    assert charts.count() == len(release.charts()) >= (0 if example in ("epsilon", "proposals") else 1)
    for i in range(charts.count()):
        assert charts.nth(i).locator("path, text").count() > 5
        assert charts.nth(i).bounding_box()["height"] > 60


def test_no_page_of_any_kind_has_to_be_scrolled_sideways_on_a_phone(look: Look, tmp_path: Path) -> None:
    for kind in KINDS:
        publish(kind).write_report(tmp_path / f"{kind}.html")
        seen = look(tmp_path / f"{kind}.html", viewport=NARROW)
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], kind
        labels = seen.page.eval_on_selector_all("[data-chart] text", "all => all.map(t => t.textContent)")
        assert not [label for label in labels if label.endswith("…")], kind  # long ones have several lines


@pytest.mark.parametrize(
    "name", ["W" * 90, "a " * 60 + "z", "acute " * 15 + "W" * 60], ids=["one-word", "short-words", "both"]
)
def test_a_name_of_any_length_is_drawn_whole_on_a_phone(look: Look, report: Path, tmp_path: Path, name: str) -> None:
    """What no line holds goes on in the next; the lines of one label do not run into those of another."""
    said, page = "this release", report.read_text(encoding="utf-8")
    assert f'"{said}"' in page
    (tmp_path / "long.html").write_text(page.replace(f'"{said}"', f'"{name}"'), encoding="utf-8")
    seen = look(tmp_path / "long.html", viewport=NARROW)
    assert seen.said == []
    labels = seen.page.locator("[data-chart] .role-axis-label text")
    words = labels.evaluate_all("all => all.map(t => [...t.children].map(s => s.textContent).join(' '))")
    assert name.replace(" ", "") in {label.replace(" ", "") for label in words}
    boxes = labels.evaluate_all(
        "all => all.filter(t => t.getAttribute('opacity') !== '0').map(t => t.getBoundingClientRect())"
        ".map(b => [b.left, b.right, b.top, b.bottom])"
    )
    assert all(left >= 0 and right <= NARROW["width"] for left, right, _, _ in boxes)
    for i, (left, right, top, bottom) in enumerate(boxes):
        for a, b, c, d in boxes[:i]:
            assert right <= a or b <= left or bottom <= c + 1 or d <= top + 1


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_readable_without_scrolling_sideways(look: Look, report: Path, viewport: dict, scheme: str) -> None:
    seen = look(report, viewport=viewport, color_scheme=scheme)
    assert seen.said == []
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    cut = seen.page.evaluate(
        "[...document.querySelectorAll('[data-chart] text')].filter(t => t.getBoundingClientRect().right > innerWidth"
        " || t.getBoundingClientRect().left < 0).map(t => t.textContent)"
    )
    assert cut == []
    small = seen.page.evaluate(
        "[...document.querySelectorAll('main *, footer *')].filter(e => e.childNodes.length && e.offsetParent"
        " && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())"
        " && parseFloat(getComputedStyle(e).fontSize) < 12).map(e => e.tagName)"
    )
    assert small == []
    paper, ink = seen.page.evaluate(
        "(({backgroundColor, color}) => [backgroundColor, color])(getComputedStyle(document.body))"
    )
    assert (light(paper) > light(ink)) == (scheme == "light")
    own = seen.page.evaluate("getComputedStyle(document.querySelector('[data-chart] .mark-rect path')).fill")
    assert abs(light(own) - light(paper)) > 0.2  # the look of charts follows that of the page


def test_charts_fit_the_window_when_it_changes(look: Look, report: Path) -> None:
    seen = look(report, viewport=WIDE)
    wide = seen.page.locator("[data-chart] svg").first.bounding_box()["width"]
    seen.page.set_viewport_size(NARROW)
    seen.until("[...document.querySelectorAll('[data-drawn]')].every(e => e.dataset.drawn < 400)")
    assert seen.page.locator("[data-chart] svg").first.bounding_box()["width"] < min(wide, NARROW["width"])
    assert seen.said == []


def test_every_chart_has_words_and_a_table_for_those_who_cannot_see_it(look: Look, report: Path) -> None:
    seen = look(report, viewport=WIDE)
    figures = seen.page.locator("figure")
    for i in range(figures.count()):
        figure = figures.nth(i)
        assert len(figure.locator(".chart").get_attribute("aria-label")) > 40
        figure.locator("summary").click()
        assert figure.get_by_role("table").get_by_role("row").count() > 1
    levels = [int(tag[1]) for tag in seen.page.eval_on_selector_all("h1,h2,h3,h4", "all => all.map(h => h.tagName)")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_hovering_over_a_bar_tells_its_figure(look: Look, report: Path) -> None:
    seen = look(report, viewport=WIDE)
    seen.page.locator("[data-chart] .mark-rect path").first.hover()
    tip = seen.page.locator(".tip")
    tip.wait_for(state="visible")
    assert "this release" in tip.inner_text()


def test_on_paper_it_is_light_and_the_plan_is_open(look: Look, report: Path, tmp_path: Path) -> None:
    seen = look(report, viewport=WIDE, color_scheme="dark")
    seen.page.emulate_media(media="print")
    paper, ink = seen.page.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
    assert light(paper) > 0.9 > 0.2 > light(ink)
    assert not seen.page.locator("nav").is_visible()
    for heading in seen.page.locator("h1, h2, h3").all():
        assert heading.bounding_box()["height"] > 12
        assert heading.evaluate("h => getComputedStyle(h).clipPath") == "none"
    seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert seen.page.locator("section > details table").first.is_visible()
    seen.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert seen.page.pdf(path=tmp_path / "report.pdf").startswith(b"%PDF")


def test_labels_that_look_like_scripts_are_only_labels(look: Look, tmp_path: Path) -> None:
    report = hostile_report()
    (tmp_path / "report.html").write_text(page_of(report), encoding="utf-8")
    seen = look(tmp_path / "report.html", viewport=WIDE)
    assert seen.said == []
    assert seen.asked == [seen.file.as_uri()]
    assert seen.page.evaluate("window.stolen") is None
    assert seen.page.locator("img, iframe, object, link").count() == 0
    scripts = seen.page.eval_on_selector_all("script", "all => all.map(s => [s.type, s.id])")
    data = [["application/json", name] for name in ("report", "look", "specs")]
    assert scripts == [*data, ["", ""], ["", ""]]  # what is embedded, and the two programs
    assert json.loads(seen.page.locator("#report").text_content()) == json.loads(json.dumps(report))
    for label in ("</script><script>stolen = 1</script>", '" onmouseover="stolen = 1', "<img src=x onerror=stolen=1>"):
        assert seen.page.get_by_text(label, exact=True).count() > 0
    for row in seen.page.locator("[data-chart] .mark-symbol path").all():
        row.hover(force=True)
    assert seen.page.evaluate("window.stolen") is None


def test_a_comparison_can_be_looked_at_closer_and_whole_again(look: Look, tmp_path: Path) -> None:
    (tmp_path / "comparison.html").write_text(many_settings().html(), encoding="utf-8")
    seen = look(tmp_path / "comparison.html", viewport=NARROW, color_scheme="dark")
    assert seen.said == []
    assert seen.asked == [seen.file.as_uri()]
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    ticks = "[...document.querySelectorAll('.role-axis-label text')].map(t => t.textContent).sort().join()"
    whole = seen.page.evaluate(ticks)
    seen.page.get_by_role("button", name="Nearer").click()
    seen.until(f"{ticks} !== {whole!r}")
    seen.page.get_by_role("button", name="All").click()
    seen.until(f"{ticks} === {whole!r}")
    chart = seen.page.locator("[data-chart] svg").bounding_box()
    seen.page.mouse.move(chart["x"] + chart["width"] / 2, chart["y"] + 150)
    seen.page.keyboard.down("Control")
    seen.page.mouse.wheel(0, -200)
    seen.page.keyboard.up("Control")
    seen.until(f"{ticks} !== {whole!r}")
    assert seen.page.locator(".verdict").inner_text().startswith("Take ")
    assert seen.said == []


def many_settings() -> Comparison:
    """Eight settings, as if they had been tried."""
    settings = [Setting(m, a, "jaccard", k) for m in ("refined", "mdav") for a in ("min-sum", "avg") for k in (2, 5)]
    figures = {
        "promise": "k", "groups": 9, "smallest_class": 2, "loss_of_random_groups": 0.6, "dr_percent_by_another": 9.0,
        "max_p": 0.5, "records_above_1_over_k": 0, "left_out_persons": 0,
    }  # fmt: skip
    found = {
        setting: figures | {"loss": 0.1 + 0.02 * i, "loss_by_another": 0.2, "dr_percent": 40.0 - 4 * i}
        for i, setting in enumerate(settings)
    }
    plan = Plan.from_dict({"columns": {"a": {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}}})
    return Comparison.of(plan, Judges.of(plan, settings), found)


def test_a_taxonomy_shows_itself_in_a_notebook(look: Look, tmp_path: Path) -> None:
    tax = taxonym.Taxonomy.from_edges([("<b>apple</b>", "fruit")], name="<i>food</i>")
    (tmp_path / "t.html").write_text(f"<!doctype html><meta charset=utf-8>{tax._repr_html_()}")
    seen = look(tmp_path / "t.html")
    assert "Taxonomy <i>food</i>" in seen.page.inner_text("body")
    assert seen.said == []


def test_a_release_shows_itself_in_lines_where_jupyter_would_break_them(
    look: Look, release: Release, tmp_path: Path
) -> None:
    jupyter = ".jp dl dt { float: left; font-weight: bold; width: 20% } .jp dl dd { float: left; width: 80% }"
    made = f"<!doctype html><meta charset=utf-8><style>{jupyter}</style><div class=jp>{release._repr_html_()}</div>"
    (tmp_path / "r.html").write_text(made, encoding="utf-8")
    seen = look(tmp_path / "r.html", viewport=WIDE)
    heights = seen.page.eval_on_selector_all("dt", "all => all.map(e => e.getBoundingClientRect().height)")
    assert len(heights) >= 4
    assert max(heights) < 30


def light(colour: str) -> float:
    """How light a colour of a browser is, from 0 to 1."""
    red, green, blue = (float(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
