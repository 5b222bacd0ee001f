import io
import time

import numba
import pytest

from taxonym.cli.terminal import Bar, clock


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_says_what_how_far_and_how_long_still() -> None:
    bar = Bar(Screen())
    bar.start("grouping", total=200)
    bar.advance(50)
    assert bar.line(elapsed=30) == "grouping ██████░░░░░░░░░░░░░░░░░░  25%  30 s, about 1:30 left"


def test_no_estimate_is_made_before_anything_is_known() -> None:
    bar = Bar(Screen())
    bar.start("grouping", total=200)
    assert "left" not in bar.line(elapsed=30)
    bar.advance(1)
    assert "left" not in bar.line(elapsed=0.5)


def test_work_of_unknown_length_shows_the_time_only() -> None:
    bar = Bar(Screen())
    bar.start("reading")
    bar.advance(10)
    assert bar.line(elapsed=4) == "reading … 4 s"


def test_a_finished_bar_leaves_an_empty_line() -> None:
    screen = Screen()
    bar = Bar(screen)
    bar.start("reading")
    bar.finish()
    assert screen.getvalue().endswith("\r\033[K")


def test_nothing_is_drawn_where_nobody_watches() -> None:
    pipe = io.StringIO()
    bar = Bar(pipe)
    bar.start("reading", total=3)
    bar.advance(3)
    bar.finish()
    assert pipe.getvalue() == ""


@pytest.mark.parametrize(("seconds", "shown"), [(0.4, "0 s"), (59, "59 s"), (61, "1:01"), (3723, "1:02:03")])
def test_times_are_written_as_people_read_them(seconds: float, shown: str) -> None:
    assert clock(seconds) == shown


def test_a_step_without_a_total_ticks_and_says_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taxonym.cli.terminal._TICK", 0.01)
    monkeypatch.setattr("taxonym.cli.terminal.clock", lambda seconds: f"{seconds:.3f} s")
    stream = Screen()
    bar = Bar(stream)
    bar.start("reading")
    for _ in range(100):  # ten seconds on a busy machine
        time.sleep(0.1)
        if stream.getvalue().count("reading …") >= 3:
            break
    bar.finish()
    seen = stream.getvalue()
    assert seen.count("reading …") >= 3
    time.sleep(0.05)
    assert stream.getvalue() == seen  # nothing is drawn once a step is over
    numba.njit(lambda x: x + 1)(1)
    assert "functions are compiled)" in bar.line(1)
    assert "first run: 1 of about 200" in bar.line(1) or "first run: 2 of about 200" in bar.line(1)
