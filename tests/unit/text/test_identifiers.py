"""What looks like an identifier is found; what only has a number in it is not."""

import time

import pytest

from taxonym.text.identifiers import looks_like_identifier, without_identifiers
from tests import pace

FOUND = (
    "4111 1111 1111 1111", "4111111111111111", "visa 4111-1111-1111-1111 stolen", "078-05-1120", "ssn 078 05 1120",
    "john.smith@example.org", "mail me at a_b+c@mail.example.co.uk", "(212) 555-0123", "212-555-0123", "212.555.0123",
    "+44 20 7946 0958", "call 555-0123", "12 main street", "1600 pennsylvania avenue",
    "221b baker street london",
    "45 north oak st.", "hauptstrasse 12", "calle mayor 5", "123456789", "4111.1111.1111.1111", "1234 5678 9012 3456",
    "078.05.1120", "078\u201305\u20111120", "４１１１ １１１１ １１１１ １１１１", "ada . doe @ example . org",
    "ada[at]example[dot]org",
    "ada (at) example.org", "ada at example dot org", "ada@aol", "ada\u200b@example.org", "gb29nwbk60161331926819",
    "01 23 45 67 89", "030 1234567", "020 7946 0958", "12 rue de rivoli paris", "12-14 main street", "12, main street",
    "7 elm place", "berliner straße 12a", "hauptstr. 12", "calle mayor, 5", "po box 1234", "kerkstraat 7",
    "ul. długa 3",
)  # fmt: skip
LEFT = (
    "flu", "500 gb hard drive", "world cup 1998", "1999 2000 2001", "24 hour fitness", "top 40 songs", "2 on the road",
    "windows 95", "boeing 747 400", "route 66", "3.14159265358979", "1996-1997", "9 11", "sesame street", "wall street",
    "catch 22", "area code 212", "10 things to do in paris", "4 mile drive",
    "1998 1999 2000 2001", "jobs at amazon.com", "@nasa", "dot matrix printer", "dot com boom", "look at red dot",
    "192.168.0.1",
    "3 way lamp", "rue paul", "platz 1", "2006-03-01", "12 place settings",
)  # fmt: skip


@pytest.mark.parametrize("text", FOUND)
def test_it_looks_like_an_identifier(text: str) -> None:
    assert looks_like_identifier(text)


@pytest.mark.parametrize("text", LEFT)
def test_it_is_an_ordinary_query(text: str) -> None:
    assert without_identifiers(text) == text


def test_the_rest_of_a_text_stays() -> None:
    assert without_identifiers("divorce lawyer near 12 main street springfield") == "divorce lawyer near springfield"


@pytest.mark.parametrize("piece", ["a", "a.", "1 ", "a at ", "dot ", "1-", "rue a ", "x@", "+1", "de "])
def test_a_long_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    text = piece * (40_000 // len(piece)) + " 1"
    begun = time.process_time()
    without_identifiers(text)
    assert time.process_time() - begun < pace.seconds(1)  # what is quadratic takes half a minute
