"""What fewer than k persons said is in no page, no answer and no download unless private values are shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.studio.common import GOODS, Seat, text_of

PLAN = """
[input]
path = "rare.csv"
person = "customer"
[columns.customer]
role = "identifier"
[columns.items]
role = "quasi-identifier"
kind = "set"
taxonomy = "goods.csv"
[columns.illness]
role = "confidential"
exact = true
[method]
k = 3
seed = 1
"""


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Seat]:
    """Baskets in which one person bought a pear and a thing of its own, and has an illness that nobody else has."""
    rows = [f"c{i},{'apple;rolls' if i % 2 else 'soda;rolls'},{'flu' if i % 3 else 'cold'}" for i in range(12)]
    rows.append("c12,pear;zither;apple,scurvy")
    (tmp_path / "rare.csv").write_text("customer,items,illness\n" + "\n".join(rows) + "\n")
    (tmp_path / "goods.csv").write_text(GOODS)
    (tmp_path / "plan.toml").write_text(PLAN)
    made = Seat(tmp_path)
    made.studio.open("rare.csv", "plan.toml")
    yield made
    made.close()


def number_of(seat: Seat, term: str) -> str:
    return str([row[0] for row in seat.studio.terms("items").rows].index(term))  # type: ignore[union-attr]


def test_the_tree_does_not_tell_what_few_hold_from_what_nobody_holds(seat: Seat) -> None:
    tax = seat.studio.concepts("items").tax
    fruit, drink = tax.code("fruit"), tax.code("drink")
    page = text_of(seat.get(f"/hierarchy?c=0&code={fruit}"))
    assert "apple 7" in page
    assert "pear" not in page
    for code, rare in ((fruit, "pear"), (drink, "beer")):  # one person has a pear, nobody a beer
        assert "1 more that fewer than 3 persons have" in text_of(seat.get(f"/hierarchy/children?c=0&code={code}"))
        rest = text_of(seat.get(f"/hierarchy/children?c=0&code={code}&rest=1"))
        assert f"{rare} &lt;3" in rest
    seat.post("/private", private="on")
    assert "pear 1" in text_of(seat.get(f"/hierarchy/children?c=0&code={fruit}"))
    assert "1 more that nobody has" in text_of(seat.get(f"/hierarchy/children?c=0&code={drink}"))


def test_a_group_shows_no_value_of_a_single_person_of_it(seat: Seat) -> None:
    page = text_of(seat.get("/before-and-after"))
    assert "scurvy" not in page
    assert "of fewer than 3 persons" in page
    assert "1 persons" not in page  # a warning with the exact number
    seat.post("/private", private="on")
    assert "scurvy 1 person" in text_of(seat.get("/before-and-after"))


def test_a_word_of_few_that_became_a_concept_is_in_no_page_and_no_download(seat: Seat) -> None:
    seat.post("/private", private="on")
    seat.post("/words/decide", c="0", way="own", n=number_of(seat, "zither"))  # below the top: nothing was chosen
    tax = seat.studio.concepts("items").tax
    made = tax.code("zither")
    assert [tax.label(code) for code in tax.parents(made)] == ["goods"]
    seat.post("/hierarchy/edit", c="0", code=str(made), action="rename", value="zither or lute")
    seat.post("/run/start")
    served = [part.split('"')[0] for part in seat.get("/release").split('href="/release/download/')[1:]]
    assert {"overrides-items.csv", "hierarchy-items.csv"} < set(served)
    assert "zither" in seat.get("/hierarchy?c=0")
    seat.post("/private")
    page = seat.get("/release")
    assert "overrides-items.csv" in text_of(page)  # said to be there
    for name in ("overrides-items.csv", "hierarchy-items.csv"):
        assert seat.client.get(f"/release/download/{name}").status_code == 404
    pages = [seat.get(path) for path in ("/words", "/hierarchy?c=0", f"/hierarchy?c=0&code={made}", "/history", "/run")]
    pages += [seat.post(path, c="0", find="zither").text for path in ("/words/find", "/hierarchy/find")]
    pages.append(seat.get(f"/hierarchy/children?c=0&code={tax.code('goods')}&rest=1"))
    shown = [page for page in pages if "zither" in page]
    assert shown == []


def test_all_listed_words_are_changed_at_once_but_not_those_of_few(seat: Seat) -> None:
    seat.post("/words/decide", c="0", way="concept", concept="food", every="yes", only="all", text="")
    assert seat.studio.sound.overrides("items") == dict.fromkeys(("apple", "rolls", "soda"), "food")
    seat.post("/words/decide", c="0", way="back", every="yes", only="decided", text="so")
    assert seat.studio.sound.overrides("items") == dict.fromkeys(("apple", "rolls"), "food")
