"""What looks like an identifier is found; what only has a number in it is not."""

import pytest

from taxonym.text.identifiers import looks_like_identifier, without_identifiers

FOUND = (
    "4111 1111 1111 1111", "4111111111111111", "visa 4111-1111-1111-1111 stolen", "078-05-1120", "ssn 078 05 1120",
    "john.smith@example.org", "mail me at a_b+c@mail.example.co.uk", "(212) 555-0123", "212-555-0123", "212.555.0123",
    "+44 20 7946 0958", "call 555-0123", "12 main street", "1600 pennsylvania avenue",
    "221b baker street london",
    "45 north oak st.", "hauptstrasse 12", "calle mayor 5", "123456789",
)  # fmt: skip
LEFT = (
    "flu", "500 gb hard drive", "world cup 1998", "1999 2000 2001", "24 hour fitness", "top 40 songs", "2 on the road",
    "windows 95", "boeing 747 400", "route 66", "3.14159265358979", "1996-1997", "9 11", "sesame street", "wall street",
    "catch 22", "area code 212", "10 things to do in paris", "4 mile drive",
)  # fmt: skip


@pytest.mark.parametrize("text", FOUND)
def test_it_looks_like_an_identifier(text: str) -> None:
    assert looks_like_identifier(text)


@pytest.mark.parametrize("text", LEFT)
def test_it_is_an_ordinary_query(text: str) -> None:
    assert without_identifiers(text) == text


def test_the_rest_of_a_text_stays() -> None:
    assert without_identifiers("divorce lawyer near 12 main street springfield") == "divorce lawyer near springfield"


def test_a_number_that_fails_the_check_of_cards_is_no_card_if_it_stands_in_groups() -> None:
    assert without_identifiers("4111 1111 1111 1112") == "4111 1111 1111 1112"
