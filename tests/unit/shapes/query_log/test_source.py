"""Query logs as they come: AOL-like, Excite-like, mapped by the plan, and broken."""

import gzip
from pathlib import Path

import polars as pl
import pytest

from taxonym.errors import BadInput, BadPlan
from taxonym.io.delimited import Dialect
from taxonym.plan.query_log import QueryLog
from taxonym.shapes.query_log.source import QueryRows, coarser_hosts, host_of, parse_times, read_log

AOL = (
    "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
    '142\tRentdirect  "com"\t2026-03-01 07:17:12\t1\thttp://www.rent.example\n'
    "142\t-\t2026-03-01 07:18:12\t\t\n"
    "217\tlottery\t2026-03-01 11:58:51\t\t\n"
    "217\tlottery\t2026-03-02 11:58:51\n"
)
EXCITE = "2A9EABFB\t970916072134\tford escort\n\nBED75271\t970916183626\tyahoo chat\n"


def log_of(folder: Path, text: str | bytes, shape: QueryLog | None = None, **dialect: str) -> QueryRows:
    path = folder / "log.tsv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_log(path, shape or QueryLog(), Dialect(**dialect))


def test_an_aol_like_log_has_its_header_its_quotes_and_lines_that_end_early(tmp_path: Path) -> None:
    log = log_of(tmp_path, AOL)
    assert log.frame["user"].to_list() == ["142", "217", "217"]
    assert log.frame["query"].to_list() == ['rentdirect "com"', "lottery", "lottery"]
    assert log.frame["click"].to_list() == ["http://www.rent.example", None, None]
    assert log.frame["line"].to_list() == [2, 4, 5]
    assert (log.without, log.broken) == (1, 0)
    assert log.names["user"] == "AnonID"


def test_an_excite_like_log_has_no_header(tmp_path: Path) -> None:
    log = log_of(tmp_path, EXCITE)
    assert log.frame.select("user", "query").rows() == [("2A9EABFB", "ford escort"), ("BED75271", "yahoo chat")]
    assert parse_times(log, QueryLog()).dt.to_string("%Y-%m-%d %H:%M").to_list() == [
        "1997-09-16 07:21",
        "1997-09-16 18:36",
    ]
    assert log.names == {"user": "user", "time": "time", "query": "query"}


@pytest.mark.parametrize(
    ("text", "shape", "dialect"),
    [
        ("cars\tann\nships\tbob\n", QueryLog(query=1, user=2), {}),
        ("was;wer\ncars;ann\nships;bob\n", QueryLog(query="was", user="wer"), {"delimiter": ";"}),
        ("was\twer\ncars\tann\nships\tbob\n", QueryLog(query=1, user=2, header=True), {}),
        (
            "wer\twas\n".encode("utf-16") + "ann\tcars\nbob\tships\n".encode("utf-16-le"),
            QueryLog(user="wer", query="was"),
            {},
        ),
        (gzip.compress(b"user\tq\nann\tcars\nbob\tships\n", mtime=0), QueryLog(), {}),
    ],
)
def test_columns_are_mapped_by_name_or_by_place(
    tmp_path: Path, text: str | bytes, shape: QueryLog, dialect: dict[str, str]
) -> None:
    log = log_of(tmp_path, text, shape, **dialect)
    assert log.frame.select("user", "query").rows() == [("ann", "cars"), ("bob", "ships")]


def test_a_table_is_a_log_too(tmp_path: Path) -> None:
    table = pl.DataFrame({"user": [7, 7, 8], "time": ["a", "b", None], "query": ["Cars", " ", "ships"]})
    log = read_log(table, QueryLog(), Dialect())
    assert log.frame.select("user", "query", "time").rows() == [("7", "cars", "a"), ("8", "ships", None)]
    assert log.without == 1
    table.write_csv(tmp_path / "log.csv")
    assert read_log(tmp_path / "log.csv", QueryLog(), Dialect()).frame.equals(log.frame)


def test_a_broken_line_is_named_or_counted(tmp_path: Path) -> None:
    text = AOL + "9\n\tno user\t2026-03-01 07:17:12\t\t\na\tb\tc\td\te\tf\n"
    with pytest.raises(BadInput, match=r"log.tsv: line 6: has 1 cells, where 2 to 5 are expected"):
        log_of(tmp_path, text)
    log = log_of(tmp_path, text, QueryLog(broken="skip"))
    assert (log.frame.height, log.broken) == (3, 3)


@pytest.mark.parametrize(
    ("text", "shape", "why"),
    [
        ("", QueryLog(), "the file is empty"),
        ("a b c\n", QueryLog(), "nothing says which of its 1 columns is the user"),
        ("a\tb\tc\td\n", QueryLog(), "nothing says which of its 4 columns is the user"),
        (AOL, QueryLog(user="Anon"), "there is no column 'Anon' in its header"),
        (AOL, QueryLog(user=9, query=2), "querylog.user is 9, but its first line has only 5 cells"),
        (AOL, QueryLog(user=2, query=2), "are the same column"),
        ("user\tquery\nann\t-\n", QueryLog(), "has no line with a query"),
        (b"user\tquery\nann\t\xff\n", QueryLog(), "line 2: is not utf-8 text"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, text: str | bytes, shape: QueryLog, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        log_of(tmp_path, text, shape)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"times": "minute"}, "querylog.times: 'minute' is not known"),
        ({"grouping": "colour"}, "querylog.grouping"),
        ({"user": 0}, "querylog.user: places of cells are counted from 1"),
        ({"taxonomy": ()}, "querylog.taxonomy: names none"),
        ({"broken": 3}, "querylog.broken: must be a text"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, object], why: str) -> None:
    with pytest.raises(BadPlan, match=why):
        QueryLog(**settings)  # type: ignore[arg-type]


def test_a_time_that_is_not_understood_is_named_by_its_line(tmp_path: Path) -> None:
    log = log_of(tmp_path, AOL.replace("2026-03-01 11:58:51", "noon"))
    with pytest.raises(BadInput, match="line 4: its time is not written as expected"):
        parse_times(log, QueryLog())
    assert parse_times(log, QueryLog(broken="skip")).null_count() == 1
    with pytest.raises(BadPlan, match=r"querylog\.time_format: is not a whole pattern"):
        parse_times(log, QueryLog(time_format="%H"))
    seconds = log_of(tmp_path, "user\tquery\ttime\nann\tcars\t1772348400\n")
    assert parse_times(seconds, QueryLog()).dt.year().to_list() == [2026]


@pytest.mark.parametrize("kind", [pl.Datetime("us"), pl.Datetime("ms", "UTC"), pl.Date])
def test_a_table_may_hold_times_that_are_no_text(kind: pl.DataType) -> None:
    cells = pl.Series(["2026-03-01 11:58:51", None]).str.to_datetime().cast(pl.Datetime("us"))
    cells = cells.dt.replace_time_zone(getattr(kind, "time_zone", None)).cast(kind)
    log = read_log(pl.DataFrame({"user": [1, 2], "query": ["a", "b"], "time": cells}), QueryLog(), Dialect())
    assert [when and when.date().isoformat() for when in parse_times(log, QueryLog())] == ["2026-03-01", None]


def test_hosts_lose_their_names_from_the_left() -> None:
    assert host_of("http://User@WWW.Cs.Example.org:80/a?b") == "www.cs.example.org"
    assert coarser_hosts("www.cs.example.org") == ["www.cs.example.org", "cs.example.org", "example.org"]
    assert coarser_hosts("localhost") == ["localhost"]
    assert coarser_hosts("10.1.2.3") == ["10.1.2.3"]
