"""Access logs: lines in and out, what values rise to, agents, sessions."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from taxonym.errors import BadInput, BadPlan
from taxonym.plan.access_log import AccessLog
from taxonym.shapes.access_log.agents import Agent, read_agent, write_agent
from taxonym.shapes.access_log.log_lines import read_click, read_log, write_click
from taxonym.shapes.access_log.sessions.find import find_sessions, linked_sessions, read_links
from taxonym.shapes.access_log.trees import (
    address_chain,
    address_text,
    mentions,
    path_chain,
    plant,
    referrer_chain,
    size_chain,
    size_text,
    split_request,
    status_chain,
)

COMMON = '192.0.2.7 - ann [10/Oct/2023:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326'
COMBINED = f'{COMMON} "http://www.example.org/x" "Firefox/121.0 (Linux)"'
FIREFOX = "Mozilla/5.0 (Windows NT 6.1; WOW64; rv:27.0) Gecko/20100101 Firefox/27.0"


@pytest.mark.parametrize(
    "line",
    [
        COMMON,
        COMBINED,
        '2001:db8::7 - - [29/Feb/2024:00:00:00 +0530] "-" 408 - "-" "-"',
        r'192.0.2.7 - - [01/Jan/2024:00:00:00 +0000] "GET /\"q\" HTTP/1.1" 404 0 "-" "a \"quoted\" \x16 agent"',
    ],
)
def test_a_line_that_is_read_and_written_again_is_the_same_line(line: str) -> None:
    click = read_click(line)
    assert click is not None
    assert write_click(click) == line


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hello",
        COMMON.replace("10/Oct", "31/Feb"),
        COMMON.replace("13:55", "24:55"),
        COMMON.replace("2023", "9999"),  # of which zones would make the year 10000
        COMMON.replace("2023", "0001"),
        COMMON.replace("-0700", "-9900"),  # which other readers refuse
        COMMON.replace("200", "ok"),
        COMBINED[:-1],
        COMBINED + ' "more"',
        "x" * 100_000,
    ],
)
def test_what_is_no_line_of_a_log_is_broken(line: str) -> None:
    assert read_click(line) is None


def test_a_time_is_a_moment_whatever_its_zone() -> None:
    here, there = (read_click(COMMON.replace("13:55:36 -0700", text)) for text in ("13:55:36 -0700", "20:55:36 +0000"))
    assert here is not None
    assert there is not None
    assert here.time == there.time


def test_broken_lines_are_counted_and_lines_keep_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.log.gz"
    path.write_bytes(gzip.compress(f"{COMBINED}\nrubbish\n\n{COMMON}\n{COMBINED}\n".encode()))
    log = read_log(path)
    assert (len(log), log.combined, log.broken, log.row.tolist()) == (2, True, 2, [1, 5])
    with pytest.raises(BadInput, match="line 2 is not a line of a combined log"):
        read_log(path, "combined", strict=True)
    (tmp_path / "b.log").write_text(f"{COMBINED}\n{COMBINED}\n\n{COMMON}\n")
    with pytest.raises(BadInput, match="line 4"):
        read_log(tmp_path / "b.log", strict=True)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b"a,b\n1,2\n3,4\n", "most of its lines"),
        (gzip.compress(COMMON.encode(), mtime=0)[:-9], "damaged"),
    ],
)
def test_a_file_that_is_no_log_is_named_without_its_content(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=f"x.log: .*{why}"):
        read_log(path)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(BadInput, match="nowhere.log: cannot be read"):
        read_log("nowhere.log")


# ---------------------------------------------------------------------- what values rise to


def test_an_address_rises_through_its_networks_and_is_never_written_itself() -> None:
    chain = address_chain("198.51.100.7")
    assert [address_text(step) for step in chain] == ["198.0.0.0", "198.51.0.0", "198.51.100.0", ""]
    chain = address_chain("2001:db8:1:2::9")
    assert [address_text(step) for step in chain] == ["2001::", "2001:db8::", "2001:db8:1::", "2001:db8:1:2::", ""]
    assert [address_text(step) for step in address_chain("pc7.Example.org")] == ["org", "example.org", ""]
    assert address_chain("-") == address_chain("0.0.0.0") == ()


def test_an_address_is_the_same_however_it_is_written() -> None:
    assert address_chain("::ffff:192.0.2.7") == address_chain("192.0.2.7")
    assert address_chain("2001:DB8:0:0::7") == address_chain("2001:db8::7")
    assert address_chain("WWW.Example.org.") == address_chain("www.example.org")


def test_half_an_address_is_in_no_domain() -> None:
    assert address_chain("192.0.2.7:8080") == ("name 192.0.2.7:8080",)


def test_a_network_whose_address_somebody_has_is_not_written() -> None:
    chains = [address_chain(text) for text in ("198.51.100.0", "198.51.100.7")]
    tree, _ = plant("address", chains, address_text, {"198.51.100.0"}.__contains__)
    assert sorted(filter(None, tree.text)) == ["198.0.0.0", "198.51.0.0"]


@pytest.mark.parametrize(
    "text",
    [
        "/ip/192.0.2.7",
        "/?a=192.0.2.7&b",
        "/from-192.0.2.7.html",
        "http://192.0.2.7:80/",
        "x [2001:db8::7] y",
        "Ann@PC.example.org,",
    ],
)
def test_an_address_is_found_wherever_it_stands(text: str) -> None:
    own = {"192.0.2.7", "2001:db8::7", "pc.example.org"}
    assert mentions(text, own)
    assert not mentions(text.replace("7", "71").replace("PC", "PC2"), own)


def test_networks_that_are_written_alike_are_read_as_the_larger_one() -> None:
    tree, codes = plant("address", [address_chain("10.0.0.9")], address_text)
    assert tree.reader() == {"10.0.0.0": 0}
    assert tree.like[codes[0]] == codes[0]


def test_a_path_rises_to_its_page_and_its_folders() -> None:
    assert path_chain("/shop/bags?id=7") == ("/*", "/shop/*", "/shop/bags?*", "/shop/bags?id=7")
    assert path_chain("/") == ("/*", "/?*", "/")
    assert path_chain("/shop/*") == ("/*", "/shop/*")
    assert path_chain("*") == ("*",)
    assert split_request("GET /a HTTP/1.1") == ("GET HTTP/1.1", "/a")
    assert split_request("GET /a") == ("GET", "/a")
    assert split_request(r"\x16\x03\x01") == split_request("-") == ("", "")


def test_a_referrer_rises_to_its_host_and_domain_without_who_logged_in() -> None:
    assert referrer_chain("HTTP://ann:pw@www.example.org:8080/a/b?q=1") == (
        "http://*.example.org/*",
        "http://www.example.org:8080/*",
        "http://www.example.org:8080/a/*",
        "http://www.example.org:8080/a/b?*",
        "HTTP://ann:pw@www.example.org:8080/a/b?q=1",
    )
    assert referrer_chain("http://192.0.2.1/")[0] == "http://192.0.2.1/*"
    assert referrer_chain("-") == referrer_chain("not an address") == ()


def test_sizes_lose_digits_and_statuses_become_the_first_of_their_class() -> None:
    assert [size_text(step) for step in size_chain("20417")] == ["20000", "20000", "20417"]
    assert [size_text(step) for step in size_chain("0")] == ["0"]
    assert status_chain("404") == ("400", "404")
    assert status_chain("200") == ("200",)
    assert size_chain("-") == status_chain("-") == ()


def test_codes_of_a_tree_do_not_depend_on_the_order_of_values() -> None:
    paths = ["/a/b", "/a/c?x", "/d", "/a/b"]
    one, codes = plant("path", [path_chain(path) for path in paths])
    other, turned = plant("path", [path_chain(path) for path in reversed(paths)])
    assert one.steps == other.steps
    assert codes.tolist() == turned[::-1].tolist()
    assert [one.steps[code] for code in codes] == paths


# ---------------------------------------------------------------------- agents


def test_an_agent_is_a_browser_and_a_system_with_versions() -> None:
    assert read_agent(FIREFOX) == Agent("Firefox", "27", "Windows", "7")
    assert read_agent("-") == read_agent("no such thing") == Agent()


@pytest.mark.parametrize("system", ["", "Windows\t7", "Mac OS X\t10.9", "Linux", "iOS\t7.0", "Android\t4.1", "Windows"])
@pytest.mark.parametrize("browser", ["", "Firefox\t27", "Chrome", "IE\t9", "Googlebot\t2", "Safari\t7", "Opera\t12"])
def test_an_agent_that_is_written_reads_back_as_the_same_or_is_not_written(browser: str, system: str) -> None:
    text = write_agent(browser, system)
    if text is not None:
        agent = read_agent(text)
        assert (agent.browser_chain or ("",))[-1] == browser
        assert (agent.system_chain or ("",))[-1] == system
    else:
        assert (browser, system) not in {("Firefox\t27", "Windows\t7"), ("Chrome", "Linux"), ("", "")}


# ---------------------------------------------------------------------- sessions


def sessions(*clicks: tuple[int, float]) -> list[int]:
    """The session of each (visitor, minute)."""
    visitor, minute = zip(*clicks, strict=True)
    return find_sessions(np.array(visitor), (60 * np.array(minute)).astype(np.int64)).tolist()


def test_a_pause_of_exactly_30_minutes_does_not_end_a_session_and_a_second_more_does() -> None:
    assert sessions((0, 0), (0, 30), (0, 60)) == [0, 0, 0]
    assert sessions((0, 0), (0, 30 + 1 / 60)) == [0, 1]


def test_sessions_do_not_depend_on_the_order_of_lines() -> None:
    assert sessions((0, 50), (1, 0), (0, 0), (0, 25)) == [0, 1, 0, 0]


def test_two_agents_behind_one_address_are_two_sessions(tmp_path: Path) -> None:
    from taxonym.plan import Plan
    from taxonym.shapes.access_log.read import prepare

    lines = [f'192.0.2.7 - - [10/Oct/2023:13:5{i}:00 +0000] "GET / HTTP/1.1" 200 1 "-" ' for i in range(3)]
    agents = (FIREFOX, "Chrome/32.0 (Linux)", FIREFOX)
    path = tmp_path / "a.log"
    path.write_text("".join(f'{line}"{agent}"\n' for line, agent in zip(lines, agents, strict=True)))
    by = {
        visitor: prepare(read_log(path), Plan.from_dict({"accesslog": {"visitor": visitor}}))
        for visitor in ("address+agent", "address")
    }
    assert by["address+agent"].session.tolist() == by["address"].session.tolist() == [0, 1, 0]
    assert (by["address+agent"].visitors, by["address"].visitors) == (2, 1)


def test_a_page_that_no_page_of_a_session_leads_to_starts_another(tmp_path: Path) -> None:
    (tmp_path / "links.csv").write_text("from,to\n/,/a\n/a,/b\n/x,/y\n")
    links = read_links(tmp_path / "links.csv")
    pages = ["/", "/a", "/x", "/picture.png", "/y", "/b", "/"]
    time = np.arange(7, dtype=np.int64) * 60
    found = linked_sessions(np.zeros(7, np.int64), time, pages, links)
    assert found.tolist() == [0, 0, 1, 1, 1, 0, 0]
    late = linked_sessions(np.zeros(2, np.int64), np.array([0, 1801]), ["/", "/a"], links)
    assert late.tolist() == [0, 1]


@pytest.mark.parametrize(("text", "why"), [("a,b\n1,2\n", "no columns 'from' and 'to'"), ("from,to\n/,\n", "line 2")])
def test_a_table_of_links_with_a_mistake_is_named(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "links.csv").write_text(text)
    with pytest.raises(BadInput, match=f"links.csv: .*{why}"):
        read_links(tmp_path / "links.csv")


# ---------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"visitor": "adress"}, "accesslog.visitor: 'adress' is not known. Did you mean 'address'"),
        ({"gap": 0}, "accesslog.gap"),
        ({"time_step": 0}, "accesslog.time_step"),
        ({"weights": ("path",)}, "accesslog.weights"),
        ({"weights": ("road=1",)}, "accesslog.weights"),
        ({"weights": ("path=-1",)}, "accesslog.weights"),
        ({"session": "yes"}, "accesslog.session: must be true or false"),
    ],
)
def test_a_wrong_setting_is_named(wrong: dict[str, object], key: str) -> None:
    with pytest.raises(BadPlan, match=key):
        AccessLog(**wrong)  # type: ignore[arg-type]


def test_a_log_is_not_written_under_the_name_of_a_table() -> None:
    with pytest.raises(BadInput, match=r"out.csv.gz: .*\.log"):
        AccessLog().check_output("out.csv.gz")
    AccessLog().check_output("out.log.gz")
