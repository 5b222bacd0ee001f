"""The screens over one project: what they show, what they change, what they keep to themselves."""

import csv
import io
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import taxonym
from taxonym.cli import main
from taxonym.studio.pages import SCREENS
from taxonym.studio.tasks import TRAIL
from tests.browser.studio_common import EXAMPLES, fill
from tests.unit.studio.common import HOME, Seat, baskets, text_of


def plan_of(seat: Seat) -> dict[str, object]:
    assert seat.studio.project is not None
    return tomllib.loads((seat.studio.project.home / "plan.toml").read_text())


def number_of(seat: Seat, term: str) -> int:
    table = seat.studio.terms("items")
    return [row[0] for row in table.rows].index(term)  # type: ignore[union-attr]


def released(seat: Seat) -> Path:
    seat.post("/run/start")
    assert seat.studio.release is not None
    return seat.studio.release


def test_a_second_tab_sees_the_same_state(seat: Seat) -> None:
    seat.post("/choose/take", k="4", name="mdav", known_items="1")
    assert 'value="4"' in seat.get("/choose")
    assert plan_of(seat)["method"] == {"name": "mdav", "k": 4, "known_items": 1, "seed": 1}


def test_words_of_fewer_than_k_persons_are_shown_behind_the_private_switch_only(seat: Seat) -> None:
    rare = number_of(seat, "secretgood")
    for page in (seat.get("/words"), seat.post("/words/table", c="0", text="secret").text):
        assert "secretgood" not in page
        assert "of fewer than 3 persons not shown" in text_of(page)
    assert seat.client.get(f"/words/term?c=0&n={rare}").status_code == 400
    assert "fewer than 3 persons" in seat.post("/words/decide", c="0", n=str(rare), way="concept", concept="apple").text
    assert seat.studio.sound.overrides("items") == {}
    seat.post("/private", private="on", back="/words")
    assert "secretgood" in seat.get("/words")
    assert seat.client.get(f"/words/term?c=0&n={rare}").status_code == 200
    seat.post("/private", back="/words")
    assert "secretgood" not in seat.get("/words")


def test_another_meaning_of_a_word_becomes_a_line_of_the_override_file_that_the_plan_names(seat: Seat) -> None:
    assert "unknown" in seat.get("/words")
    seat.post("/words/decide", c="0", n=str(number_of(seat, "zwieback")), way="concept", concept="bread")
    home = seat.studio.sound.home
    name = plan_of(seat)["columns"]["items"]["overrides"]  # type: ignore[index]
    assert list(csv.reader(io.StringIO((home / name).read_text()))) == [["term", "concept"], ["zwieback", "bread"]]
    page = text_of(seat.post("/words/table", c="0", only="decided").text)
    assert "zwieback bread" in page
    assert "decided by you" in page
    seat.post("/words/decide", c="0", n=str(number_of(seat, "zwieback")), way="back")
    assert "overrides" not in plan_of(seat)["columns"]["items"]  # type: ignore[index]
    assert not (home / name).exists()


def test_words_can_be_concepts_of_their_own_below_another_all_at_once(seat: Seat) -> None:
    rows = [str(number_of(seat, term)) for term in ("zwieback", "soda")]
    data = f"csrf={seat.keys.csrf}&c=0&way=own&concept=bread&n={rows[0]}&n={rows[1]}"
    kind = {"origin": HOME, "content-type": "application/x-www-form-urlencoded"}
    seat.client.post("/words/decide", content=data, headers=kind)
    tax = taxonym.load(seat.studio.sound.home / plan_of(seat)["columns"]["items"]["taxonomy"])  # type: ignore[index]
    made = tax.code("zwieback")
    assert [tax.label(code) for code in tax.parents(made)] == ["bread"]
    assert seat.studio.sound.overrides("items") == {"zwieback": "zwieback", "soda": "soda"}
    assert released(seat).exists()


@pytest.mark.parametrize(
    ("form", "child", "parent"),
    [
        ({"action": "rename", "value": "soft drink"}, "soft drink", "drink"),
        ({"action": "move", "concept": "food"}, "soda", "food"),
        ({"action": "add", "value": "cola"}, "cola", "soda"),
    ],
)
def test_the_hierarchy_is_edited_and_undone(seat: Seat, form: dict[str, str], child: str, parent: str) -> None:
    tree = seat.studio.tree("items")
    code = tree.tax.code("soda")  # type: ignore[union-attr]
    seat.post("/hierarchy/edit", c="0", code=str(code), **form)
    tax = seat.studio.concepts("items").tax
    assert tax.label(tax.parents(tax.codes(child)[0])[0]) == parent
    page = seat.get(f"/hierarchy?c=0&code={tax.codes(child)[0]}")
    assert child in page
    seat.post("/history/undo")
    assert "goods.csv" in str(plan_of(seat)["columns"]["items"]["taxonomy"])  # type: ignore[index]
    again = seat.studio.concepts("items").tax
    assert again.fingerprint == tree.tax.fingerprint  # type: ignore[union-attr]


def test_an_edit_that_makes_no_sense_changes_nothing_and_says_why(seat: Seat) -> None:
    tree = seat.studio.tree("items")
    before = seat.studio.stamp()
    said = seat.post("/hierarchy/edit", c="0", code=str(tree.tax.code("goods")), action="cut").text  # type: ignore[union-attr]
    assert "cannot be cut out" in said
    assert seat.studio.stamp() == before


def test_counts_of_fewer_than_k_persons_are_not_told_in_the_tree(seat: Seat) -> None:
    page = text_of(seat.get("/hierarchy"))
    assert "25" in page
    tree = seat.studio.tree("items")
    few = next(one for one in (tree.branch(c) for c in tree.holders) if one.persons > 0)  # type: ignore[union-attr]
    assert few._replace(persons=2).told(3, False) == "<3"
    assert few._replace(persons=2).told(3, True) == "2"


def test_a_preview_says_what_it_was_tried_on_and_changes_nothing(seat: Seat) -> None:
    before = seat.studio.stamp()
    page = text_of(seat.post("/choose/preview", k="4", name="refined", known_items="2").text)
    assert "all 25 persons" in page
    assert "refined, k = 4" in page
    assert "at least 3 other persons" in page
    both = text_of(seat.post("/choose/preview", k="5", name="mdav", known_items="2").text)
    assert "mdav, k = 5" in both
    assert "refined, k = 4" in both  # side by side
    assert seat.studio.stamp() == before
    assert "must be at least 2" in seat.post("/choose/preview", k="1").text
    assert "whole number" in seat.post("/choose/preview", k="many").text


def test_a_point_of_the_frontier_becomes_the_plan_by_a_click(seat: Seat) -> None:
    page = seat.post("/choose/sweep").text
    assert 'data-chart="frontier"' in page
    swept = seat.studio.current("frontier")
    assert swept is not None
    at = next(i for i, row in enumerate(swept.result["rows"]) if row["k"] == 5 and row["method"] == "mdav")
    seat.post("/choose/point", row=str(at))
    assert plan_of(seat)["method"] == {"name": "mdav", "seed": 1}


def test_single_records_are_told_behind_the_private_switch_only(seat: Seat) -> None:
    assert "Their records" not in seat.get("/before-and-after")
    assert seat.client.get("/before-and-after/members?group=0").status_code == 400
    seat.studio.private = True
    page = seat.get("/before-and-after")
    group = page.split("members?group=")[1].split('"')[0]
    assert "Private: the records of this group" in seat.get(f"/before-and-after/members?group={group}")


def test_every_change_can_be_undone_to_the_start_named_and_compared_in_words(seat: Seat) -> None:
    start = seat.studio.sound.history.state(0)
    seat.post("/choose/take", k="4", name="refined", known_items="2")
    seat.post("/words/decide", c="0", n=str(number_of(seat, "zwieback")), way="concept", concept="bread")
    said = seat.post("/file/column", number="1", role="confidential", kind="set", taxonomy="").text
    assert "none has the role &#39;quasi-identifier&#39;" in said  # refused: nothing would be masked
    seat.post("/history/name", number="1", name="four alike")
    page = text_of(seat.get("/history?first=0&second=2"))
    assert "K is 4; it was 3." in page or "k is 4; it was 3." in page
    assert "1 word of column items means something else." in page
    assert "four alike" in page
    while seat.studio.sound.history.can_undo:
        seat.post("/history/undo")
    assert seat.studio.sound.history.state() == start


def test_command_and_script_give_the_same_release_byte_for_byte(
    seat: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat.post("/words/decide", c="0", n=str(number_of(seat, "zwieback")), way="concept", concept="bread")
    assert_made_alike(seat, tmp_path, monkeypatch)


PLANS = {
    "diagnoses.csv": (EXAMPLES / "diagnoses.toml").read_text("utf-8").replace("[method]", "[method]\nseed = 1"),
    "searches.csv": (
        '[input]\npath = "searches.csv"\n[querylog]\nuser = "user"\nquery = "query"\n[method]\nk = 3\nseed = 1\n'
    ),
    "access.log": '[input]\npath = "access.log"\n[accesslog]\nrecords = "sessions"\n[method]\nk = 3\nseed = 1\n',
}


@pytest.mark.parametrize("name", PLANS)
def test_so_they_do_for_diagnoses_and_logs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    (tmp_path / "own.toml").write_text(PLANS[name], "utf-8")
    seat = Seat(tmp_path)
    try:
        seat.studio.open(name, "own.toml")
        assert_made_alike(seat, tmp_path, monkeypatch)
    finally:
        seat.close()


def assert_made_alike(seat: Seat, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command and the script that the page of the release shows make the release that the studio made."""
    place = released(seat)
    made, again = place.read_bytes(), folder / place.name
    command = seat.get("/release").split('id="command"')[1].split(">", 1)[1].split("</pre>")[0].split()
    monkeypatch.chdir(folder)
    assert main(command[1:]) == 0
    assert again.read_bytes() == made
    again.unlink()
    script = seat.client.get("/release/download/script").text
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert again.read_bytes() == made


def test_the_trail_is_kept_for_its_owner_and_never_served(seat: Seat) -> None:
    place = released(seat)
    trail = place.with_name(TRAIL)
    assert trail.stat().st_mode & 0o077 == 0
    page = seat.get("/release")
    for what in ("trail", TRAIL, "release/trail.jsonl", "..%2ftrail.jsonl", "../release/trail.jsonl", "stamp"):
        assert seat.client.get(f"/release/download/{what}").status_code == 404
    served = [part.split('"')[0] for part in page.split('href="/release/download/')[1:]]
    assert served == ["release", "codebook", "report", "report-data", "plan", "script"]
    for what in served:
        assert b"secretgood" not in seat.client.get(f"/release/download/{what}").content
        assert b"customer99" not in seat.client.get(f"/release/download/{what}").content


def test_a_release_is_proved_attacked_and_shown_in_a_sandbox(seat: Seat) -> None:
    released(seat)
    assert "It holds." in seat.post("/release/verify").text
    assert "knows everything and what words mean" in seat.post("/release/attack", knows="1").text
    report = seat.client.get("/release/report")
    assert "sandbox allow-scripts" in report.headers["content-security-policy"]
    assert "allow-same-origin" not in report.headers["content-security-policy"]
    seat.studio.release.write_text("items\napple\n")  # type: ignore[union-attr]
    assert "It does not hold." in seat.post("/release/verify").text


def test_a_release_of_another_plan_is_said_to_be_one(seat: Seat) -> None:
    released(seat)
    assert "of the plan as it is now" in seat.get("/release")
    seat.post("/choose/take", k="4", name="refined", known_items="2")
    assert "of an earlier plan" in seat.get("/release")


HOSTILE = "<script>alert(1)</script>"


def test_markup_in_names_of_files_and_columns_and_in_cells_is_shown_as_text(tmp_path: Path) -> None:
    baskets(tmp_path)
    folder = tmp_path / "in"
    folder.mkdir()
    column, cell = f"it'ems{HOSTILE}\"", f"{HOSTILE}' onload='x"
    rows = "".join(f'c{i},"{cell};apple"\n' for i in range(12))
    name = "b<img src=x onerror=1>.csv"
    (folder / name).write_text(f'customer,"{column.replace(chr(34), chr(34) * 2)}"\n{rows}')
    (folder / "goods.csv").write_text((tmp_path / "goods.csv").read_text())
    seat = Seat(folder)
    assert "<img src=x" not in seat.get("/")
    seat.studio.open(name)
    seat.get("/")
    seat.post("/file/column", number="1", role="quasi-identifier", kind="set", separator=";", taxonomy="goods.csv")
    seat.post("/file/person", person="customer", person_rows="unite")
    assert seat.studio.sound.problem is None
    seat.post("/run/start")
    shown = 0
    for path, _, _ in (*SCREENS, ("/history", "", "")):
        page = seat.get(path)
        assert HOSTILE not in page, path
        assert "<img src=x" not in page, path
        assert "onload='x" not in page, path
        shown += "&lt;script&gt;" in page
    assert shown >= 4
    seat.close()


def test_no_value_stands_in_an_address_or_a_title(seat: Seat) -> None:
    released(seat)
    for path, _, _ in SCREENS:
        page = seat.get(path)
        title = page.split("<title>")[1].split("</title>")[0]
        places = [part.split('"')[0] for key in ('href="', 'hx-get="', 'action="') for part in page.split(key)[1:]]
        for term in ("apple", "zwieback", "secretgood", "customer99"):
            assert term not in title
            assert not [place for place in places if term in place]


def test_a_plan_that_names_a_file_elsewhere_is_not_taken_over(seat: Seat, tmp_path: Path) -> None:
    (tmp_path.parent / "outside.csv").write_text("child,parent\na,b\n")
    (tmp_path / "bad.toml").write_text((tmp_path / "plan.toml").read_text().replace("goods.csv", "../outside.csv"))
    assert "does not lie below the folder" in seat.post("/file/plan", plan="bad.toml").text
    assert "below the folder" in seat.post("/file/plan", plan="../plan.toml").text
    assert "below the folder" in seat.post("/file/choose", file="../outside.csv").text
    said = seat.post("/file/column", number="1", role="quasi-identifier", kind="set", taxonomy="../outside.csv").text
    assert "below the folder" in said


def test_two_hundred_columns_are_all_there(tmp_path: Path) -> None:
    names = [f"column{i}" for i in range(200)]
    rows = [",".join(str((i * j) % 7) for j in range(200)) for i in range(30)]
    (tmp_path / "wide.csv").write_text("\n".join([",".join(names), *rows]) + "\n")
    seat = Seat(tmp_path)
    seat.studio.open("wide.csv")
    page = seat.get("/")
    assert page.count('class="column"') == 200
    seat.post("/file/column", number="199", role="quasi-identifier", kind="number")
    assert plan_of(seat)["columns"]["column199"]["role"] == "quasi-identifier"  # type: ignore[index]
    seat.close()
