"""Access logs from file to file, on logs that a person can follow."""

import json
import re
import stat
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import taxonym
from taxonym.cli import main
from taxonym.errors import BadInput, BadPlan, BrokenPromise
from taxonym.shapes.access_log import reread
from tests.unit.render.common import seen

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0"
CURL = "curl/8.5.0"


def line(
    address: str, path: str, *, minute: int = 0, agent: str = FIREFOX, referrer: str = "-", size: str = "100"
) -> str:
    return (
        f'{address} - - [02/Mar/2026:10:{minute:02}:11 +0000] "GET {path} HTTP/1.1" 200 {size} "{referrer}" "{agent}"'
    )


def released(
    folder: Path, lines: list[str], k: int = 2, method: dict[str, Any] | None = None, **shape: Any
) -> list[str]:
    (folder / "in.log").write_text("\n".join(lines) + "\n")
    plan = {"accesslog": shape, "method": {"k": k, "seed": 1, **(method or {})}}
    taxonym.anonymize(folder / "in.log", plan).write(folder / "out.log")
    return (folder / "out.log").read_text().splitlines()


def test_visitors_of_a_network_publish_it_and_the_page_that_both_asked_for(tmp_path: Path) -> None:
    lines = [line("192.0.2.7", "/a/b"), line("192.0.2.9", "/a/b", minute=2)]
    assert released(tmp_path, lines) == 2 * [line("192.0.2.0", "/a/b").replace(":11 ", ":00 ")]


def test_a_network_is_not_named_by_an_address_that_somebody_has(tmp_path: Path) -> None:
    (one,) = set(released(tmp_path, [line("192.0.2.0", "/"), line("192.0.2.9", "/")]))
    assert one.startswith("192.0.0.0 ")


def test_what_only_one_visitor_had_rises_or_is_left_out(tmp_path: Path) -> None:
    lines = [
        line("192.0.2.7", "/a/ann?x=1", referrer="http://mail.example.org/ann", size="20417"),
        line("198.51.100.9", "/a/bob?x=2", referrer="http://news.example.org/bob", size="20555", agent=CURL),
    ]
    (one,) = set(released(tmp_path, lines))
    assert one == '0.0.0.0 - - [02/Mar/2026:10:00:00 +0000] "GET /a/* HTTP/1.1" 200 20000 "http://*.example.org/*" "-"'


@pytest.mark.parametrize("other", ["\ufeff192.0.2.7", "::ffff:192.0.2.7"])
def test_a_visitor_whose_address_is_written_otherwise_counts_once(tmp_path: Path, other: str) -> None:
    lines = [line(other, "/"), line("192.0.2.7", "/"), line("192.0.2.9", "/who/192.0.2.7")]
    with pytest.raises(BrokenPromise, match="fewer than 3 visitors"):
        released(tmp_path, lines, k=3)
    assert not any("192.0.2.7" in text for text in released(tmp_path, lines, k=2))


def test_many_lines_of_one_visitor_are_never_a_class_of_their_own(tmp_path: Path) -> None:
    lines = [line("192.0.2.7", f"/own/{i}", minute=i) for i in range(30)]
    lines += [line(f"198.51.100.{i}", "/", minute=i) for i in range(4)]
    published = Counter(released(tmp_path, lines, k=3))
    assert set(published.values()) <= {3, 4, 5}  # of each class she has a third at most, and the others one line each
    assert not any("/own/" in text for text in published)
    assert len(published) <= 2  # four others: each class needs two of them


def test_by_line_the_same_lines_are_classes_and_the_report_says_what_that_is_worth(tmp_path: Path) -> None:
    lines = [line("192.0.2.7", "/own", minute=i) for i in range(6)]
    with pytest.raises(BrokenPromise, match="fewer than 3 visitors"):
        released(tmp_path, lines, k=3)
    assert len(released(tmp_path, lines, k=3, visitor="line")) == 6
    report = taxonym.anonymize(tmp_path / "in.log", {"accesslog": {"visitor": "line"}, "method": {"k": 3}}).report
    assert report["promise"]["kind"] == "k by line, none for persons"
    assert any("none for persons" in note for note in report["notes"])


def test_declared_users_are_the_visitors_and_are_not_published(tmp_path: Path) -> None:
    named = [line("192.0.2.7", "/", minute=i).replace(" - - ", f" - user{i % 2} ") for i in range(4)]
    with pytest.raises(BrokenPromise):
        released(tmp_path, named)  # one address with one agent
    out = released(tmp_path, named, visitor="user")
    assert len(out) == 4
    assert not any("user" in text for text in out)


def test_who_logs_in_is_no_second_visitor(tmp_path: Path) -> None:
    lines = [line("192.0.2.7", "/login"), line("192.0.2.7", "/in", minute=1).replace(" - - ", " - ann ")]
    with pytest.raises(BrokenPromise, match="fewer than 2 visitors"):
        released(tmp_path, lines, visitor="user")
    lines += [line("192.0.2.7", "/in", minute=2).replace(" - - ", " - bob "), line("192.0.2.9", "/")]
    with pytest.raises(BrokenPromise, match="fewer than 4 visitors"):
        released(tmp_path, lines, visitor="user", k=4)
    assert len(released(tmp_path, lines, visitor="user", k=3)) == 3  # two are hers, and one of them is surplus


def test_a_session_mark_is_shared_by_at_least_k_visitors_and_new_in_every_run(tmp_path: Path) -> None:
    lines = [
        line(f"192.0.2.{v}" if v % 2 else f"198.51.100.{v}", page, minute=3 * v + i)
        for v in range(12)
        for i, page in enumerate(("/", "/a/b", "/a/c"))
    ]
    out = released(tmp_path, lines, k=3, session=True)
    marks = Counter(text.split(" ")[2] for text in out)
    assert all(mark.startswith("s") for mark in marks)
    assert 1 < len(marks) <= 4
    assert min(marks.values()) >= 3
    plan = {"accesslog": {"session": True}, "method": {"k": 3}}
    marked = (taxonym.anonymize(tmp_path / "in.log", plan).table.select("user", "address") for _ in range(9))
    assert len({tuple(table.rows()) for table in marked}) > 1


def test_broken_lines_are_counted_never_published_and_kept_aside_for_the_owner_only(tmp_path: Path) -> None:
    lines = [line(f"192.0.2.{i}", "/") for i in range(4)]
    (tmp_path / "in.log").write_text("\n".join([lines[0], "broken secret", *lines[1:], line("x", "/")[:-9]]) + "\n")
    with (tmp_path / "in.log").open("a") as file:
        file.write("x" * 100_000 + "\nlast\n")
    aside = tmp_path / "aside.log"
    release = taxonym.anonymize(tmp_path / "in.log", {"accesslog": {"aside": str(aside)}, "method": {"k": 2}})
    release.write(tmp_path / "out.log.gz")
    assert release.report["records"]["broken_lines"] == 4
    kept = aside.read_text().splitlines()
    assert [kept[0], kept[1], kept[3]] == ["broken secret", line("x", "/")[:-9], "last"]
    assert set(kept[2]) == {"x"}
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600
    assert "secret" not in str(release.report)
    with pytest.raises(BadInput, match="line 2"):
        taxonym.anonymize(tmp_path / "in.log", {"accesslog": {"on_broken": "error"}, "method": {"k": 2}})


@pytest.mark.parametrize(("broken", "told"), [(0, "<k"), (1, "<k"), (2, "<k"), (3, 3)])
def test_how_few_lines_were_broken_is_not_told_and_no_total_gives_it_away(
    tmp_path: Path, broken: int, told: int | str
) -> None:
    lines = [line(f"192.0.2.{i}", "/") for i in range(6)] + ["broken"] * broken
    (tmp_path / "in.log").write_text("\n".join(lines) + "\n")
    release = taxonym.anonymize(tmp_path / "in.log", {"accesslog": {}, "method": {"k": 3, "seed": 1}})
    records, private = release.report["records"], release.private_report()["records"]
    assert (records["broken_lines"], records["rows"]) == (told, None)
    assert (private["broken_lines"], private["rows"]) == (broken, 6 + broken)


def test_broken_lines_never_take_the_place_of_the_log(tmp_path: Path) -> None:
    lines = [line(f"192.0.2.{i}", "/") for i in range(1, 5)]
    with pytest.raises(BadInput, match="nothing is lost"):
        released(tmp_path, lines, aside=str(tmp_path / "in.log"))
    assert (tmp_path / "in.log").read_text().splitlines() == lines


@pytest.mark.parametrize("aside", ["out.log", "trail", "plan.toml", "links.txt", "nowhere/aside", "folder"])
def test_a_place_for_broken_lines_that_is_taken_or_not_there_stops_the_run_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], aside: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("links.txt").write_text("from,to\n/,/a\n")
    Path("in.log").write_text("".join(f"{line(f'192.0.2.{i}', '/')}\n" for i in range(4)) + "broken\n")
    Path("plan.toml").write_text(f'[accesslog]\naside = "{aside}"\nlinks = "links.txt"\n[method]\nk = 2\n')
    before = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert main(["anonymize", "in.log", "--plan", "plan.toml", "-o", "out.log", "--trail", "trail"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    if aside not in ("trail", "plan.toml"):  # which the library is not told of
        with pytest.raises(BadInput):
            taxonym.anonymize("in.log", "plan.toml").write("out.log")
    assert {path.name: path.stat().st_size for path in tmp_path.iterdir()} == before


def test_the_links_of_a_site_are_never_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("links.txt").write_text("from,to\n/,/a\n")
    Path("in.log").write_text("".join(f"{line(f'192.0.2.{i}', '/')}\n" for i in range(4)))
    Path("plan.toml").write_text('[accesslog]\nlinks = "links.txt"\n[method]\nk = 2\n')
    assert main(["anonymize", "in.log", "--plan", "plan.toml", "-o", "links.txt"]) == 2
    assert "a file that it names" in capsys.readouterr().err


def test_a_path_that_names_an_address_of_a_visitor_is_not_published_however_many_ask_for_it(tmp_path: Path) -> None:
    lines = [line(f"192.0.2.{i}", "/who/192.0.2.1") for i in range(1, 5)]
    assert {text.split('"')[1] for text in released(tmp_path, lines)} == {"GET /who/* HTTP/1.1"}


@pytest.mark.parametrize("user", ["ann", "Ann.Lee", "ann_b@example.org", "7", "linux", "get", "x"])
def test_what_mentions_a_user_is_not_published_however_many_visitors_had_it(tmp_path: Path, user: str) -> None:
    path, referrer = f"/people/{user}/me", f"http://intra.example/?who={user.upper()}"
    lines = [line(f"192.0.2.{i}", path, referrer=referrer).replace(" - - ", f" - {user} ") for i in range(1, 5)]
    (one,) = set(released(tmp_path, lines))
    agent = "Firefox/144.0 (-)" if user == "linux" else FIREFOX
    assert one == line("192.0.2.0", "/people/*", referrer="http://intra.example/?*", agent=agent).replace(
        ":11 ", ":00 "
    )


def test_the_page_of_a_report_speaks_of_visitors_and_lines(tmp_path: Path) -> None:
    released(tmp_path, [line(f"192.0.2.{i}", "/") for i in range(1, 5)])
    shown = seen(taxonym.anonymize(tmp_path / "in.log", {"accesslog": {}, "method": {"k": 2}}))
    assert "visitors at least share every published record" in shown
    assert "classes have 2 rows" in shown or "The only class has 4 rows" in shown
    assert "{" not in shown


def test_a_log_in_the_common_format_stays_one(tmp_path: Path) -> None:
    lines = [line(f"192.0.2.{i}", "/").partition(' "-" ')[0] for i in range(1, 5)]
    out = released(tmp_path, lines)
    assert set(out) == {'192.0.2.0 - - [02/Mar/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 100'}


def test_a_release_that_breaks_the_promise_is_not_even_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in.log").write_text("".join(f"{line(f'192.0.2.{i}', f'/{i}')}\n" for i in range(4)))
    plan = {"accesslog": {}, "method": {"k": 2}}
    with monkeypatch.context() as broken:
        broken.setattr("taxonym.shapes.access_log.publish.LineSupport.applied", lambda self, chosen: chosen)
        with pytest.raises(BrokenPromise, match="values that fewer than 2 visitors had"):
            taxonym.anonymize(tmp_path / "in.log", plan)
    monkeypatch.setattr("taxonym.shapes.access_log.publish.NOBODY", "192.0.2.1")
    monkeypatch.setattr("taxonym.shapes.access_log.publish.LineSupport.applied", lambda self, chosen: chosen * 0 - 1)
    with pytest.raises(BrokenPromise, match="addresses of the original"):
        taxonym.anonymize(tmp_path / "in.log", plan)


def test_nothing_is_left_behind_if_the_written_file_breaks_the_promise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [line(f"192.0.2.{i}", "/") for i in range(1, 5)]
    told = [f"{text}\n".encode() for text in 4 * [line("192.0.2.1", "/")]]
    monkeypatch.setattr("taxonym.shapes.access_log.write.WrittenLines.texts", lambda self: iter(told))
    with pytest.raises(BrokenPromise, match="addresses of the original"):
        released(tmp_path, lines)
    assert [path.name for path in tmp_path.iterdir()] == ["in.log"]


def test_a_value_that_fewer_than_k_had_is_found_in_a_changed_release(tmp_path: Path) -> None:
    from taxonym.plan import Plan
    from taxonym.shapes.access_log.log_lines import read_log
    from taxonym.shapes.access_log.publish import LineSupport
    from taxonym.shapes.access_log.read import prepare
    from taxonym.shapes.access_log.trees import plant

    lines = [line(f"192.0.2.{i}", "/" if i else "/ann", agent=FIREFOX if i > 1 else CURL) for i in range(5)]
    (tmp_path / "in.log").write_text("\n".join(lines) + "\n")
    clicks = prepare(read_log(tmp_path / "in.log"), Plan.from_dict({"accesslog": {}}))
    everywhere = np.ones(len(clicks.log), bool), (plant("session", [])[0], np.full(len(clicks.log), -1, np.int32))
    rule = LineSupport.of(clicks, 2, 2, *everywhere)
    for text, what in (
        (line("0.0.0.0", "/ann"), "fewer than 2 visitors had"),
        (line("0.0.0.0", "/elsewhere"), "none that rise from the original"),
        (line("192.0.2.3", "/"), "addresses of the original"),
        (line("0.0.0.0", "/", agent=CURL), "fewer than 2 visitors had"),  # each of the two has k, not both
        (line("0.0.0.0", "/", minute=1), "none that rise from the original"),  # a time that nobody was there
        (line("0.0.0.0", "/").replace(":10:00:11 ", ":10:00:00 "), ""),
    ):
        (tmp_path / "out.log").write_text(f"{text}\n")
        found = "; ".join(reread.failures(read_log(tmp_path / "out.log"), clicks, rule))
        assert (what in found) if what else not found


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (" - - [", " - ann [", "1 users of the original are in the release"),
        ("GET / ", "GET /~ann/ ", "mention an address or a user of the original"),
        (" - - [", " - s000001 [", "not marks of sessions that the plan publishes"),
        (" - - [", " ann - [", "not as a release is written"),
        ("\n", " \n", "not as a release is written"),
        (" +0000", " -0000", "not as a release is written"),
    ],
)
def test_verify_finds_what_no_run_writes_though_whole_classes_have_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, what: str
) -> None:
    lines = [line(f"192.0.2.{i}", "/").replace(" - - ", f" - {('ann', 'bob')[i % 2]} ") for i in range(1, 5)]
    out = released(tmp_path, lines, k=4)
    source, changed, trail, plan = (str(tmp_path / name) for name in ("in.log", "changed.log", "trail", "plan.toml"))
    Path(plan).write_text("[accesslog]\n[method]\nk = 4\n")
    assert main(["anonymize", source, "--plan", plan, "-o", str(tmp_path / "again.log"), "--trail", trail]) == 0
    whole = "".join(f"{text}\n" for text in out)
    Path(changed).write_text(whole)
    asked = ["verify", changed, "-k", "4", "--original", source, "--trail", trail]
    assert main(asked) == 0
    capsys.readouterr()
    Path(changed).write_text(whole.replace(old, new))
    assert main([*asked, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert what in "; ".join(found["broken"])
    assert found["classes_below_k"] == 0
    if "original" not in what:  # the rest can be told without it
        assert main(["verify", changed, "-k", "4", "--plan", plan]) == 1
        assert what in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new"),
    [(r'"release_row": \d+', f'"release_row": {value}') for value in ('"x"', "1.5", "-3", "true", "[1]", "9" * 30)]
    + [(r'"rows": \[\d+', '"rows": ["x"'), (r'"plan": \{', '"plan": 3, "x": {'), (r'"plan": \{', '"x": {')],
)
def test_a_trail_that_was_changed_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str
) -> None:
    source, out, trail = (str(tmp_path / name) for name in ("in.log", "out.log", "trail"))
    Path(source).write_text("".join(f"{line(f'192.0.2.{i}', '/')}\n" for i in range(1, 5)))
    assert main(["anonymize", source, "--kind", "accesslog", "-k", "2", "-o", out, "--trail", trail]) == 0
    Path(trail).write_text(re.sub(old, new, Path(trail).read_text(), count=1))
    capsys.readouterr()
    assert main(["verify", out, "-k", "2", "--original", source, "--trail", trail]) == 2
    assert "is not a trail" in capsys.readouterr().err


def test_an_ident_of_one_line_makes_it_a_class_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = released(tmp_path, [line(f"192.0.2.{i}", "/") for i in range(1, 5)], k=4)
    (tmp_path / "plan.toml").write_text("[accesslog]\n[method]\nk = 4\n")
    (tmp_path / "out.log").write_text("\n".join([out[0].replace(" - - ", " x - "), *out[1:]]) + "\n")
    assert main(["verify", str(tmp_path / "out.log"), "-k", "4", "--plan", str(tmp_path / "plan.toml")]) == 1
    assert "2 of its 2 classes have fewer than 4 rows" in capsys.readouterr().out


def test_a_session_mark_is_no_user_of_the_original(tmp_path: Path) -> None:
    lines = [line(f"192.0.2.{v}", "/", minute=v).replace(" - - ", f" - s{v:06x} ") for v in range(6)]
    out = released(tmp_path, lines, k=3, session=True)
    assert {text.split(" ")[2] for text in out} <= {"s000006", "s000007"}


@pytest.mark.parametrize(
    ("method", "shape", "key"),
    [
        ({"name": "generalize"}, {}, "method.name"),
        ({"known_items": 3}, {}, "method.known_items"),
        ({"representative": "medoid"}, {}, "method.representative"),
        ({"l": 2}, {}, "method.l"),
        ({"measure": "equal-terms"}, {}, "method.measure"),
        ({}, {"visitor": "line", "records": "sessions"}, "accesslog.records"),
        ({}, {"session": True, "records": "sessions"}, "accesslog.session"),
        ({"known_items": 1}, {"records": "sessions"}, "method.known_items"),
    ],
)
def test_what_makes_no_sense_for_a_log_is_refused(tmp_path: Path, method: Any, shape: Any, key: str) -> None:
    with pytest.raises(BadPlan, match=key):
        released(tmp_path, [line("192.0.2.1", "/")], method=method, **shape)


def test_a_table_in_memory_is_no_log() -> None:
    with pytest.raises(BadInput, match="path of a log"):
        taxonym.anonymize(pl.DataFrame({"a": [1]}), {"accesslog": {}})


def test_the_commands_publish_verify_and_mine_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line(f"192.0.2.{v}", page, minute=v) for v in range(12) for page in ("/", "/a/b")]
    (tmp_path / "in.log").write_text("\n".join(lines) + "\n")
    source, out, trail = (str(tmp_path / name) for name in ("in.log", "out.log", "trail.jsonl"))
    assert main(["anonymize", source, "--kind", "accesslog", "-k", "4", "-o", out, "--trail", trail]) == 0
    assert "at least 3 other visitors" in capsys.readouterr().out  # visitors cannot be counted in the release
    assert main(["anonymize", source, "--kind", "accesslog", "-o", str(tmp_path / "out.csv")]) == 2
    assert "taxonym: error: " in capsys.readouterr().err
    assert main(["anonymize", source, "--kind", "accesslog", "-k", "13", "-o", str(tmp_path / "more.log")]) == 1
    assert not (tmp_path / "more.log").exists()
    assert main(["verify", out, "-k", "4", "--original", source, "--trail", trail]) == 0
    assert main(["verify", out, "-k", "13", "--original", source, "--trail", trail]) == 1
    assert main(["verify", out, "-k", "4", "--kind", "accesslog"]) == 0
    assert main(["verify", out, "-k", "25", "--kind", "accesslog"]) == 1
    assert main(["verify", out, "-k", "4", "--kind", "weather"]) == 2
    capsys.readouterr()
    assert main(["verify", out, "-k", "4"]) == 2
    assert "If it is a log, say so: --kind accesslog" in capsys.readouterr().err
    capsys.readouterr()
    assert main(["mine", source, out, "--kind", "accesslog", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    clicks = next(one for one in found["tables"] if one["name"] == "browsers_per_click")
    assert clicks["rows"][0] == ["Firefox", 24, 24, 1.0, 1.0]
    assert found["browsers"]["session"]["before"] == 12
    assert "192.0.2.1 " not in Path(out).read_text()


def test_mine_names_no_page_and_no_browser_that_fewer_than_k_visitors_had(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [line(f"192.0.2.{v}", "/", minute=v) for v in range(6)]
    lines += [line("192.0.2.99", "/private/ann", minute=i, agent="AnnaBot/1.0") for i in range(9)]
    released(tmp_path, lines, k=5)
    assert main(["mine", str(tmp_path / "in.log"), str(tmp_path / "out.log"), "--kind", "accesslog"]) == 0
    out = capsys.readouterr().out
    assert "Firefox" in out
    assert "AnnaBot" not in out
    assert "private" not in out
    assert re.search(r"others +9 ", out)
