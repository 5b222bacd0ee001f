"""What mining counts in sessions, on an example that is counted by hand."""

import pytest

from taxonym.measure.browsing import ClickSeen, browsing, changes, fits, rule, rules, shift

ONE = [ClickSeen("/", "200", ""), ClickSeen("/a", "200", "/"), ClickSeen("/a", "404", "/a")]
OTHER = [ClickSeen("/", "304", ""), ClickSeen("/b", "500", "")]
ALONE = [ClickSeen("/a", "200", "")]


def test_sessions_are_counted_as_by_hand() -> None:
    found = browsing([ONE, OTHER, ALONE])
    assert (found.sessions, found.clicks, found.moves) == (3, 6, 3)
    assert found.transitions == {("/", "/a"): 1, ("/a", "/a"): 1, ("/", "/b"): 1}
    assert (found.repeats, found.followed, found.failed) == (1, 2, 2)
    assert found.lengths == {3: 1, 2: 1, 1: 1}
    assert found.entries == {"/": 2, "/a": 1}
    assert found.exits == {"/a": 2, "/b": 1}
    assert found.statuses == {"2xx": 3, "3xx": 1, "4xx": 1, "5xx": 1}
    assert rule(found, "/", "/a") == ("/", "/a", pytest.approx(1 / 3), 0.5)
    assert [(one.has, one.also) for one in rules(found, [("/", "/a"), ("/", "/b")], 2)] == [("/b", "/"), ("/", "/a")]


def test_a_folder_that_is_asked_for_twice_is_no_page_again() -> None:
    risen = browsing([[ClickSeen("/a/*", "200", ""), ClickSeen("/a/*", "200", "/a/*")]])
    assert (risen.repeats, risen.followed) == (0, 1)


def test_a_referrer_fits_the_page_before_and_what_it_rose_to() -> None:
    assert fits("/a/b", "/a/b")
    assert fits("/a/b", "/a/*")
    assert fits("/a/b?q=1", "/a/b?*")
    assert not fits("/a/b", "/a/c")
    assert not fits("", "/a")


def test_nothing_moves_between_a_log_and_itself_and_all_to_another() -> None:
    found, other = browsing([ONE, OTHER]), browsing([ALONE])
    same = changes(found, found, rules(found, found.pairs, 5))
    assert set(same.values()) == {0.0}
    assert "rules, mean change of confidence" in same
    assert shift(found.transitions, other.transitions) == 1
    assert changes(found, other)["sessions"] == -0.5
    assert shift({"a": 1, "b": 1}, {"a": 1}) == 0.5
