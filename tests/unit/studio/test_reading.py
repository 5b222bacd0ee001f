"""Files that are not written as usual, trouble on the way, and who else has the project open."""

import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from taxonym.errors import BadInput
from taxonym.studio import state
from taxonym.studio.jobs import RUNNING, Job
from taxonym.studio.opened import OpenedFolder
from taxonym.studio.project import Project
from taxonym.studio.screens import choose
from tests.unit.studio.common import HOME, Seat, baskets, text_of

PAGE = {"accept": "text/html"}


def test_a_file_of_lists_without_a_header_is_read_as_one_says(tmp_path: Path) -> None:
    lists = ["bread,milk,butter", "beer", "bread,beer", "milk,butter,apple,pear"]
    (tmp_path / "lists.csv").write_text("\n".join(lists * 8) + "\n")
    seat = Seat(tmp_path)
    seat.studio.open("lists.csv")
    page = text_of(seat.get("/"))
    assert "line 2: has 1 cells, not 3" in page
    assert "How it is written" in page
    assert "Columns" not in page
    page = text_of(seat.post("/file/reading", delimiter="nothing").text)
    assert "32 rows, 1 column" in page
    plan = tomllib.loads((tmp_path / "lists.csv.studio" / "plan.toml").read_text())
    assert plan["input"] == {"path": "../lists.csv", "delimiter": "", "names": ["items"]}
    assert plan["columns"]["items"]["kind"] == "set"
    seat.close()
    seat = Seat(tmp_path)  # another day: what was said about the file is in the plan
    seat.studio.open("lists.csv")
    assert "32 rows, 1 column" in text_of(seat.get("/"))
    seat.close()


@pytest.mark.parametrize("text", ["", "a,b\n", "a,b\n\0\xff\n"])
def test_a_file_with_nothing_to_read_is_complained_of_on_its_page(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.csv").write_bytes(text.encode("latin-1"))
    seat = Seat(tmp_path)
    seat.studio.open("bad.csv")
    page = seat.get("/")
    assert 'class="bad" role="alert"' in page
    assert "Another file" in page
    seat.close()


def test_reading_a_file_in_another_way_is_a_change_that_undo_takes_back(seat: Seat) -> None:
    before = seat.studio.sound.history.state()
    seat.post("/file/reading", encoding="latin-1")
    assert seat.studio.sound.tables["input"]["encoding"] == "latin-1"
    assert "read in another way" in seat.get("/history")
    seat.post("/history/undo")
    assert seat.studio.sound.history.state() == before


def test_trouble_is_a_page_with_a_way_on_and_a_sentence_for_a_part_of_a_page(seat: Seat) -> None:
    for path, status in (("/nowhere", 404), ("/words/term?c=0&n=999", 400)):
        page = seat.client.get(path, headers=PAGE)
        assert page.status_code == status
        assert "Another file" in page.text
        part = seat.client.get(path, headers={**PAGE, "hx-request": "true"})
        assert "<" not in part.text


def test_what_belongs_to_a_project_is_not_opened_as_data(seat: Seat) -> None:
    seat.post("/run/start")
    for name in ("trail.jsonl", "release.csv"):
        said = seat.post("/file/choose", file=f"baskets.csv.studio/release/{name}").text
        assert "This belongs to a project" in said
    assert seat.studio.sound.name == "baskets.csv"


def test_a_project_is_open_in_one_studio_even_if_their_folders_differ(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    baskets(tmp_path / "in")
    outer, inner = OpenedFolder(tmp_path), OpenedFolder(tmp_path / "in")
    project = Project(outer, outer.inside("in/baskets.csv"))
    with pytest.raises(BadInput, match="another studio"):
        Project(inner, inner.inside("baskets.csv"))
    project.close()
    Project(inner, inner.inside("baskets.csv")).close()
    outer.close()
    inner.close()


def test_a_preview_that_takes_long_says_so_and_is_not_begun_anew(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = seat.studio.jobs
    seat.post("/choose/preview", k="4")
    done = jobs.last("preview")
    seat.post("/choose/preview", k="4")
    assert jobs.last("preview") is done
    assert done is not None
    monkeypatch.setattr(choose, "_WAIT", 0.0)
    jobs._last["preview"] = waiting = Job(99, "preview", done.about)
    assert waiting.state == RUNNING
    page = seat.client.post("/choose/preview", data={"csrf": seat.keys.csrf, "k": "4"}, headers={"origin": HOME}).text
    assert "Still trying this" in page
    assert 'hx-post="/choose/preview"' in page
    assert jobs.last("preview") is waiting


def test_what_many_requests_need_at_once_is_made_once(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    finder = state.column_finder

    def slow(plan: Any, column: str, *more: Any) -> Any:
        made.append(column)
        time.sleep(0.2)
        return finder(plan, column, *more)

    monkeypatch.setattr(state, "column_finder", slow)
    seat.studio.terms("items")
    seat.studio._concepts.clear()
    made.clear()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: seat.studio.concepts("items"), range(8)))
    assert made == ["items"]


def test_a_page_that_waits_asks_no_more_once_what_it_waits_for_is_over(seat: Seat) -> None:
    job = seat.studio.jobs.last("look")
    assert job is not None
    part = seat.get(f"/job/{job.number}")
    assert "data-reload" in part
    assert "hx-" not in part  # it would ask again and again while the page is loaded, which begins everything anew


def test_a_log_without_words_to_put_right_leads_on_to_the_choice(tmp_path: Path) -> None:
    line = '10.0.0.{} - - [01/Mar/2024:10:00:00 +0000] "GET /shop HTTP/1.1" 200 12 "-" "curl/8"\n'
    (tmp_path / "a.log").write_text("".join(line.format(i) for i in range(12)))
    seat = Seat(tmp_path)
    seat.studio.open("a.log")
    for path in ("/words", "/hierarchy"):
        assert "Go on with Choose." in seat.get(path)
    seat.close()


def test_that_every_row_is_a_person_can_be_said_on_purpose(tmp_path: Path) -> None:
    """Where ids repeat, a run wants to hear it."""
    rows = [f"P{i % 9:03},{('apple', 'bread', 'beer')[i % 3]}" for i in range(36)]
    (tmp_path / "visits.csv").write_text("visit id,item\n" + "\n".join(rows) + "\n")
    seat = Seat(tmp_path)
    seat.studio.open("visits.csv")
    seat.get("/")
    seat.post("/file/person", person="visit id", person_rows="unite")
    seat.post("/file/person", person="", person_rows="unite")
    assert seat.studio.sound.tables["input"]["person"] is False
    assert seat.studio.sound.plan().input.each_row
    assert "whose row it is is none; it was visit id." in text_of(seat.get("/history"))
    seat.post("/run/start")
    assert seat.studio.release is not None
    seat.close()
