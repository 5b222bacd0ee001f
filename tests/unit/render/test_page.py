"""One HTML file that needs nothing, escapes everything and shows whatever a report holds."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

import taxonym
from taxonym.render.charts import Chart, charts_of
from taxonym.render.look import INKS, LIGHT
from taxonym.render.markup import attribute, nested, script_data, text
from taxonym.render.page import asset, page
from taxonym.render.plainly import number
from tests.unit.render.common import HOSTILE, KINDS, REPORTS, PageWords, hostile_report, publish, seen

pytestmark = REPORTS
VOID = {"meta", "br", "path", "img", "link", "input"}


class Elements(HTMLParser):
    """The elements of a page, in their order, and whether each was ended."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    return publish("diagnoses").report


@pytest.mark.parametrize("example", [*KINDS, "hostile"])
def test_a_page_is_well_formed_and_names_no_other_file(example: str) -> None:
    made = page(hostile_report() if example == "hostile" else publish(example).report)
    seen = Elements(made)
    assert seen.open == []
    for tag, attributes in seen.found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert not {"src", "srcset", "data", "action", "onload", "onerror"} & set(attributes)
        assert attributes.get("href", "#").startswith("#")
    assert "url(" not in asset("page.css")
    assert "@import" not in asset("page.css")


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_of_any_kind_speaks_in_words_and_has_no_empty_places(kind: str) -> None:
    report = publish(kind).report
    said = PageWords(page(report)).said
    shown = "\n".join(one for one in said if not one.startswith(("{", "[")))  # not the data of charts
    for left_over in ("{'", "None", "null", " nan", "known_items", "l_kind"):
        assert left_over not in shown, left_over
    assert report["verdict"] in said
    if kind in ("noise", "epsilon"):
        assert "Groups" not in said
        assert "What noise did" in said
        assert "What the support rule changed" not in said


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_of_any_kind_tells_versions_and_what_is_needed_to_know_its_taxonomies(kind: str) -> None:
    report = publish(kind).report
    assert {"python", "numpy", "polars"} <= set(report["versions"])
    prints = {column["name"]: column["taxonomy_fingerprint"] for column in report["columns"]}
    public = {name for name, found in prints.items() if found == taxonym.load("wordnet").fingerprint}
    own = {name for name, found in prints.items() if found is None}
    assert prints.keys() == public | own
    assert bool(public) == (kind in ("search-log", "proposals"))  # others have some made for the data
    assert "seed" not in json.dumps(report["plan"])


def test_where_classes_may_be_single_records_no_figure_is_told_class_by_class() -> None:
    report = publish("items").private_report()
    assert report["groups"]["smallest"] == 1
    assert report["loss"]["groups"] == []
    assert "groups" not in charts_of(report)
    for kind in ("survey", "diagnoses"):
        private = publish(kind).private_report()
        assert len(private["loss"]["groups"]) == private["groups"]["of_groups"]["count"]
        assert "groups" in charts_of(private)
        assert "groups" not in publish(kind).charts()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("access-log", "noise", "epsilon")])
def test_every_run_that_hides_records_among_others_says_how_often_an_intruder_finds_one(kind: str) -> None:
    found = publish(kind).report["linkage"]
    if kind == "proposals":
        assert found["dr_percent"] is None
        assert "Too few persons to tell." in seen(publish(kind))
        found = publish(kind).private_report()["linkage"]
    else:
        assert "linkage" in publish(kind).charts()
    assert 0 < found["baseline_dr_percent"] < found["dr_percent"] < found["dr_percent_without_masking"]


@pytest.mark.parametrize(("kind", "whom"), [("access-log", "visitors"), ("proposals", "authors"), ("survey", "rows")])
def test_whoever_is_counted_is_named_beside_the_picture_of_them(kind: str, whom: str) -> None:
    said = "".join(PageWords(page(publish(kind).report)).said)
    assert f"{whom} at least share every published record" in said


def test_under_epsilon_a_page_shows_what_is_promised_and_what_is_to_be_expected() -> None:
    said = "".join(PageWords(page(publish("epsilon").report)).said)
    assert "more than 54.6 times" in said  # e to the 4, the budget of a person
    assert "drawn blindly 0.6" in said


def test_parts_that_are_alike_become_one_table_and_long_rows_are_turned_on_their_side() -> None:
    alike = nested({"address": {"whole": 1.5, "none": 2}, "path": {"whole": 3, "none": 4}})
    assert alike.count("<table") == 1
    assert re.sub(r"<[^>]*>", " ", alike).split() == ["whole", "none", "address", "1.5", "2", "path", "3", "4"]
    long = nested([{"name": "a", "figures": {f"f{i}": i / 4 for i in range(9)}}])
    assert long.count("<tr>") == 10
    assert "{" not in long


def test_a_page_allows_itself_only_the_scripts_that_it_holds(report: dict[str, Any]) -> None:
    made = page(report)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', made)
    assert policy is not None
    assert policy[1].startswith("default-src 'none';")
    assert "unsafe-eval" not in policy[1]
    scripts = re.findall(r"<script>(.*?)</script>", made, re.S)
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    assert len(scripts) == 2
    assert re.findall(r"'sha256-([^']*)'", policy[1]) == digests


def test_the_seed_is_not_in_a_page_and_the_plan_is(report: dict[str, Any]) -> None:
    made = page(report)
    assert "known items" in made
    assert "birth_year" in made
    assert report["columns"][1]["taxonomy"] in made
    assert "<bdi>seed</bdi>" not in made


@pytest.mark.parametrize("label", HOSTILE)
def test_no_label_leaves_its_place(label: str) -> None:
    for made in (text(label), nested({label: [{label: label}], "x": label})):
        assert not re.search(r"<(?!/?(bdi|div|dl|dt|dd|table|thead|tbody|tr|th|td|h4|p)\b)", made)
        Elements(made)
    assert not set("<>\"'") & set(attribute(label))
    data = script_data("specs", {label: label})
    assert data.count("<") == 2
    assert json.loads(data[data.index(">") + 1 : data.rindex("<")]) == {label: label}


def test_labels_are_data_of_a_chart_and_never_part_of_a_program() -> None:
    def strings(spec: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
        if isinstance(spec, dict):
            return [found for key, value in spec.items() for found in strings(value, (*path, key))]
        if isinstance(spec, list):
            return [found for value in spec for found in strings(value, path)]
        return [(path, spec)] if isinstance(spec, str) else []

    for chart in charts_of(hostile_report()).values():
        for path, value in strings(chart.drawn):
            if any(label in value for label in HOSTILE):
                assert "values" in path or path[-2:] == ("scale", "domain")


@pytest.mark.parametrize(
    "partial",
    [
        {},
        {"verdict": "Kept."},
        {"noise": {"alpha": 0.5, "columns": [{"name": "a", "rmse": 0.25}]}, "verdict": "Noise."},
        {"loss": {"mean": 0.5}, "promise": {"kind": "none"}},
        {"columns": [{"name": "x"}], "groups": {"count": 3}},
        {"linkage": {"dr_percent": 3.0, "baseline_dr_percent": 0.1}},
        {"linkage": {"other": 1}, "loss": {"mean": None, "groups": [0.1, 0.2]}, "columns": {"a": {"rmse": 1}}},
    ],
)
def test_what_a_report_does_not_hold_is_not_shown(partial: dict[str, Any]) -> None:
    made = page(partial)
    assert Elements(made).open == []
    assert partial.get("verdict", "") in made
    assert ("rmse" in made) == ("rmse" in json.dumps(partial))
    assert ("<script>" in made) == bool(charts_of(partial))


def test_charts_are_plain_data_with_words_and_a_table_that_notebooks_draw(report: dict[str, Any]) -> None:
    charts = publish("diagnoses").charts()
    assert {"linkage", "loss", "columns", "sizes", "branches of diagnoses"} <= set(charts)
    charts |= charts_of(publish("diagnoses").private_report())
    assert "groups" in charts
    for chart in charts.values():
        assert isinstance(chart, Chart)
        assert json.loads(json.dumps(chart)) == chart
        assert chart["$schema"].endswith("/vega-lite/v5.json")
        assert chart.says.endswith(".")
        assert chart.rows
        assert all(len(row) == len(chart.heads) for row in chart.rows)
        assert chart._repr_mimebundle_()["application/vnd.vegalite.v5+json"] == chart
        assert repr(chart) == f"<Chart {chart.title}: {chart.says}>"  # IPython asks a dict for its repr, not the bundle
        assert chart["config"]["background"] == "#ffffff"


def test_objects_show_themselves_in_notebooks(report: dict[str, Any]) -> None:
    shown = publish("diagnoses")._repr_html_()
    assert report["verdict"] in shown
    assert len(shown) < 3_000
    assert Elements(shown).open == []


def test_a_page_about_noise_speaks_of_no_groups_to_hide_in(report: dict[str, Any]) -> None:
    of_groups = "Whoever is known to be in a group"
    assert of_groups in page(report)
    noised = page({"promise": {"kind": "none", "k": None}, "verdict": "Noise.", "noise": {"mechanism": "normal"}})
    assert of_groups not in noised
    assert "nobody is hidden among others" in noised


def test_too_many_sizes_are_told_in_ranges() -> None:
    chart = charts_of({"groups": {"sizes": {str(size): size for size in range(5, 200)}}})["sizes"]
    assert len(chart.rows) <= 24
    assert sum(int(times.replace(",", "")) for _, times in chart.rows) == sum(range(5, 200))
    assert chart.rows[0][0] == "5–13"


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [(0.0, 2, "0"), (99, 1, "99"), (15.57, 1, "15.6"), (0.0014, 2, "0.0014"), (0.5, 2, "0.50"), (1234.5, 1, "1,234.5")],
)
def test_figures_have_few_digits(value: float, digits: int, shown: str) -> None:
    assert number(value, digits) == shown


def inks(block: str) -> dict[str, str]:
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))


def contrast(a: str, b: str) -> float:
    """The contrast of two colours, from 1 to 21 [WCAG 2.2]."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_words_and_marks_stand_out_in_light_and_dark_and_on_paper() -> None:
    looks = [inks(block) for block in re.findall(r":root \{(.*?)\}", asset("page.css"), re.S)]
    assert len(looks) == 3
    assert {name: looks[0][name] for name in INKS} == LIGHT
    for look in looks:
        for name in ("ink", "soft", "own"):
            assert contrast(look[name], look["paper"]) > 4.5
            assert contrast(look[name], look["raised"]) > 4.5
        assert contrast(look["own"], look["quiet"]) > 2.5  # told apart without any hue
