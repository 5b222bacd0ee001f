"""Every change of a project can be undone, redone, named and gone back to."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym.errors import BadInput
from taxonym.studio.history import History


def texts(home: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in home.iterdir() if file.is_file()}


def test_undo_goes_back_to_the_start_and_redo_to_the_end(tmp_path: Path) -> None:
    history = History(tmp_path)
    for n in range(5):
        history.record(f"change {n}", {"plan.toml": f"k = {n}", **({"o.csv": "x"} if n == 3 else {})})
    while history.undo():
        pass
    assert texts(tmp_path) == {"plan.toml": "k = 0"}
    assert not history.can_undo
    for n in range(1, 5):
        assert history.redo()
        assert texts(tmp_path) == {"plan.toml": f"k = {n}", **({"o.csv": "x"} if n == 3 else {})}
    assert not history.can_redo


def test_what_was_undone_stays_in_the_list_when_something_else_is_done(tmp_path: Path) -> None:
    history = History(tmp_path)
    for text in "abc":
        history.record(text, {"plan.toml": text})
    history.undo()
    history.record("d", {"plan.toml": "d"})
    assert [change.what for change in history.changes] == ["a", "b", "c", "d"]
    history.go(2)
    assert texts(tmp_path) == {"plan.toml": "c"}
    history.undo()
    assert texts(tmp_path) == {"plan.toml": "b"}


def test_a_project_that_is_opened_again_has_its_history_and_names(tmp_path: Path) -> None:
    first = History(tmp_path)
    first.record("one", {"plan.toml": "1"})
    first.record("two", {"plan.toml": "2"})
    first.undo()
    first.name(1, "  the   good one ")
    again = History(tmp_path)
    assert again.changes[1].name == "the good one"
    assert again.now == again.changes[0]
    assert again.redo()
    assert texts(tmp_path) == {"plan.toml": "2"}


def test_a_change_that_changes_nothing_is_none(tmp_path: Path) -> None:
    history = History(tmp_path)
    assert history.record("one", {"plan.toml": "1"}) is not None
    assert history.record("again", {"plan.toml": "1"}) is None
    assert len(history.changes) == 1


def test_a_history_that_is_none_is_complained_of(tmp_path: Path) -> None:
    (tmp_path / "history").mkdir()
    (tmp_path / "history" / "changes.json").write_text("[]")
    with pytest.raises(BadInput, match="not the history"):
        History(tmp_path)
    with pytest.raises(BadInput, match="no such change"):
        History(tmp_path / "other").go(0)


def test_files_of_a_project_are_for_their_owner_only(tmp_path: Path) -> None:
    History(tmp_path).record("one", {"plan.toml": "1"})
    every = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(every) == 3
    assert {file.stat().st_mode & 0o077 for file in every} == {0}


@settings(max_examples=20)
@given(st.lists(st.sampled_from(["undo", "redo", "a", "b", "c"]), max_size=12))
def test_undo_and_redo_agree_with_a_list_and_a_place_in_it(
    tmp_path_factory: pytest.TempPathFactory, deeds: list[str]
) -> None:
    history, past, future = History(tmp_path_factory.mktemp("h")), ["start"], []
    history.record("start", {"plan.toml": "start"})
    for deed in deeds:
        if deed == "undo":
            assert history.undo() == (len(past) > 1)
            if len(past) > 1:
                future.append(past.pop())
        elif deed == "redo":
            assert history.redo() == bool(future)
            if future:
                past.append(future.pop())
        elif history.record(deed, {"plan.toml": deed}):
            past.append(deed)
            future.clear()
        assert history.state() == {"plan.toml": past[-1]}
