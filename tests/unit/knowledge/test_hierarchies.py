import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.distance.concept import jaccard
from taxonym.errors import BadTaxonomy
from taxonym.knowledge.catalog import BUILT_IN, load
from taxonym.knowledge.hierarchies import HIERARCHIES, bounds, run_label, scale_of
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Plan
from taxonym.text.finder import Finder


def way_up(tax: Taxonomy, label: str) -> list[str]:
    (code,) = tax.codes(label)
    way = [code]
    while tax.parents(way[-1]):
        way += tax.parents(way[-1])
    return [tax.label(one) for one in way]


@pytest.mark.parametrize("name", HIERARCHIES)
def test_a_shipped_hierarchy_is_sound_and_no_label_of_it_means_two_things(name: str) -> None:
    tax = load(name)
    assert (tax.name, len(tax.roots)) == (name, 1)
    assert not [label for label in tax.words if len(tax.codes(label)) > 1]
    assert name in BUILT_IN
    finder = Finder(tax)
    for label in tax.words:  # as a cell of a column it is found
        assert [finder.whole(label)] == tax.codes(label)


def test_countries_lie_in_regions_and_continents_under_names_and_codes() -> None:
    tax = load("countries")
    for name in ("DE", "de", "DEU", "Germany"):
        assert way_up(tax, name) == ["Germany", "Western Europe", "Europe", "world"]
    assert way_up(tax, "NA")[0] == "Namibia"
    assert way_up(tax, "England")[1] == "United Kingdom"
    assert tax.codes("Ivory Coast") == tax.codes("CIV") == tax.codes("Cote d'Ivoire")
    two = [label for label in tax.words if len(label) == 2 and label.isupper()]
    assert len(two) >= 249  # the territories of ISO 3166, and "UK"


def test_the_states_of_the_usa_lie_in_nine_divisions_and_four_regions() -> None:
    tax = load("us-states")
    assert way_up(tax, "CA") == ["California", "Pacific", "West", "United States"]
    regions = {tax.label(code): tax.children(code) for code in tax.children(tax.roots[0])}
    islands = regions.pop("island areas")
    divisions = [division for some in regions.values() for division in some]
    states = [state for division in divisions for state in tax.children(division)]
    assert (len(regions), len(divisions), len(states), len(islands)) == (4, 9, 51, 5)


def test_languages_lie_in_families() -> None:
    tax = load("languages")
    assert way_up(tax, "en")[1:] == [
        "West Germanic languages",
        "Germanic languages",
        "Indo-European languages",
        "language",
    ]
    assert tax.codes("deu") == tax.codes("German")
    assert way_up(tax, "ko") == ["Korean", "language"]


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("likert", ["strongly agree", "agree", "neutral", "disagree", "strongly disagree"]),
        ("satisfaction", ["very satisfied", "satisfied", "neutral", "dissatisfied", "very dissatisfied"]),
        ("frequency", ["always", "often", "sometimes", "never"]),
        ("quality", ["excellent", "good", "fair", "poor"]),
        ("severity", ["none", "mild", "moderate", "severe"]),
        ("level", ["very low", "low", "medium", "high", "very high"]),
    ],
)
def test_on_a_scale_what_lies_between_is_never_farther_than_the_ends(name: str, order: list[str]) -> None:
    tax = load(name)
    codes = [tax.codes(label)[0] for label in order]
    for i in range(len(codes)):
        for j in range(i, len(codes)):
            apart = [jaccard(tax, codes[i], codes[m]) for m in range(i, j + 1)]
            assert max(apart) <= apart[-1] + 0.06  # a leaf beside a branch is a little nearer than one inside it
    assert jaccard(tax, codes[0], codes[1]) < jaccard(tax, codes[0], codes[-1])


def test_a_written_scale_has_a_concept_for_every_run_of_neighbours() -> None:
    tax = load("scale: under 18 < 18-24 < 25-34 < 65+")
    assert tax.name == "scale"  # what a report shows has no value in it
    assert {tax.id(code) for code in range(len(tax))} == {
        "under 18", "18-24", "25-34", "65+", "up to 24", "18-34", "25+", "up to 34", "18+", "under 18 to 65+",
    }  # fmt: skip
    assert [tax.label(code) for code in tax.parents(tax.code("18-24"))] == ["18-34", "up to 24"]


@given(st.integers(2, 12), st.data())
def test_in_a_written_scale_the_nearer_two_values_stand_the_closer_they_are(n: int, data: st.DataObject) -> None:
    tax = load(scale_of([f"v{i}" for i in range(n)]))
    i, j = sorted(data.draw(st.lists(st.integers(0, n - 1), min_size=2, max_size=2)))
    a, b = tax.code(f"v{i}"), tax.code(f"v{j}")
    assert tax.label(tax.lcs(a, b)) == (f"v{i} to v{j}" if i < j else f"v{i}")
    for m in range(i, j):
        assert jaccard(tax, a, tax.code(f"v{m}")) < jaccard(tax, a, b)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("scale:", "fewer than two values"),
        ("scale: low", "fewer than two values"),
        ("scale: low < LOW", "names a value twice"),
        ("scale: " + " < ".join(map(str, range(60))), "has 60 values, and at most 40"),
    ],
)
def test_a_scale_that_is_none_is_refused_in_one_line(name: str, said: str) -> None:
    with pytest.raises(BadTaxonomy, match=said):
        load(name)


def test_ranges_are_read_as_people_write_them() -> None:
    texts = ["18-24", "18 to 24 years", "18–24", "<18", "Under 18", "65+", "over 65", "dog"]
    assert [bounds(text) for text in texts] == [
        ("18", "24"), ("18", "24"), ("18", "24"), (None, "18"), (None, "18"), ("65", None), ("65", None), None,
    ]  # fmt: skip
    assert run_label("18-24", "25-34") == "18-34"
    assert run_label("low", "high") == "low to high"


def test_a_shipped_hierarchy_takes_part_wherever_a_name_of_a_taxonomy_does() -> None:
    both = Taxonomy.join([load("us-states"), load("countries")])
    assert len(both.codes("Georgia")) == 2


def test_a_scale_is_never_taken_for_a_file_however_long_it_is() -> None:
    name = scale_of([f"value number {i} of a long scale" for i in range(20)])
    plan = Plan.from_dict({"columns": {"band": {"role": "quasi-identifier", "taxonomy": [name, "wordnet"]}}})
    assert "wordnet" in plan.files
    assert name not in plan.files
    assert plan.located(name) == name
    assert plan.public_dict()["columns"]["band"]["taxonomy"] == ["scale", "wordnet"]
