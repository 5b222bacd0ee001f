# ruff: noqa: B023
"""What published sessions promise, looked for in the written file by another program than ours.

The file is read by apachelogs; who had what, and in which order, is decided here, by strings alone.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import taxonym
from taxonym.cli import main
from taxonym.errors import BrokenPromise
from tests.properties.test_accesslog import covers, fields

PAGES = ["/", "/a/", "/a/b", "/a/c?q=1", "/a/c?q=2", "/d/e/f.html", "/d/e/g.html", "/h", "/of/ann", "/at/192.0.2.3"]
AGENTS = [
    "Mozilla/5.0 (Windows NT 6.1; rv:27.0) Gecko/20100101 Firefox/27.0",
    "Mozilla/5.0 (X11; Linux x86_64; rv:26.0) Gecko/20100101 Firefox/26.0",
    "Chrome/32.0 (Windows NT 6.1)",
    "Ann's own agent",
    "-",
]
PAUSES = {0, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200}
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # a log made of a seed does not shrink
Found = dict[str, str]


def make(seed: int, visitors: int, combined: bool = True) -> list[str]:
    """Visitors who walk through a small site: from a page to one of its next two, or to any; one in ten comes often."""
    rng = np.random.default_rng(seed)
    made: list[tuple[int, str]] = []
    for v in range(visitors):
        agent = AGENTS[min(int(rng.exponential(1.2)), 4)]
        for visit in range(8 if v % 10 == 9 else 1 + int(rng.random() < 0.3)):
            now, page, before = 100_000 * visit + int(rng.integers(20_000)), int(rng.exponential(1.5)) % 10, "-"
            for _ in range(1 + int(rng.exponential(2))):
                status = "200" if rng.random() < 0.8 else str(rng.choice(["304", "404", "500"]))
                size = str(1000 + page) if rng.random() < 0.8 else str(rng.integers(9999))
                day, rest = divmod(now, 86_400)
                stamp = f"0{1 + day}/May/2024:{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02} +0000"
                user = "ann" if v == 3 else "-"
                line = f'192.0.2.{v} - {user} [{stamp}] "GET {PAGES[page]} HTTP/1.1" {status} {size}'
                made.append((now, f'{line} "{before}" "{agent}"' if combined else line))
                before = f"http://site.example{PAGES[page]}" if v % 3 else "-"
                now += 1 + int(rng.exponential(60))
                page = (page + 1 + int(rng.integers(2))) % 10 if rng.random() < 0.8 else int(rng.integers(10))
    return [line for _, line in sorted(made)]


def released(folder: Path, lines: list[str], k: int, **method: Any) -> tuple[list[str], dict[int, list[int]]]:
    """The lines of the written release, and the input lines (from 0) of the session that each number stands for."""
    (folder / "in.log").write_text("\n".join(lines) + "\n")
    plan = {"accesslog": {"records": "sessions"}, "method": {"k": k, "seed": 1, **method}}
    release = taxonym.anonymize(folder / "in.log", plan)
    release.write(folder / "out.log", trail=folder / "trail.jsonl")
    records = [json.loads(line) for line in (folder / "trail.jsonl").read_text().splitlines()[1:]]
    whose = {one["release_row"]: [row - 1 for row in one["rows"]] for one in records if one["release_row"]}
    return (folder / "out.log").read_text().splitlines(), whose


def sessions(lines: list[str], combined: bool) -> dict[str, list[Found]]:
    """The sessions of a release by their addresses, in the order of the file."""
    found: dict[str, list[Found]] = defaultdict(list)
    for line in lines:
        told = fields(line, combined)
        found[told.pop("address")].append(told)
    return found


def click_covers(published: Found, own: Found) -> bool:
    """Whether a published click stands for somebody's: its page, and what the server's answer came down to."""
    status, answer = published["status"], own["status"]
    kind = "200" if answer == "304" else f"{answer[0]}00"
    return covers("path", published["path"], own["path"]) and status in (answer, kind)


def subsequence(path: Sequence[Found], session: Sequence[Found]) -> bool:
    at = iter(session)
    return all(any(click_covers(click, own) for own in at) for click in path)


@settings(max_examples=20, phases=PHASES)
@given(
    seed=st.integers(0, 10**6),
    visitors=st.integers(8, 30),
    k=st.integers(2, 4),
    combined=st.booleans(),
    name=st.sampled_from(["mdav", "refined"]),
)
def test_sessions_are_of_k_visitors_and_tell_in_order_only_what_k_visitors_had(
    seed: int, visitors: int, k: int, combined: bool, name: str
) -> None:
    lines = make(seed, visitors, combined)
    own = [fields(line, combined) for line in lines]
    with TemporaryDirectory() as folder:
        out, rows = released(Path(folder), lines, k, name=name)
    found = sessions(out, combined)
    number_of = {address: int(address.rpartition("::")[2], 16) for address in found}
    assert sorted(number_of.values()) == list(range(1, len(rows) + 1))  # each under its own number
    assert len({address.rpartition("::")[0] for address in found}) == 1
    whose = {number: own[mine[0]]["address"] for number, mine in rows.items()}
    theirs = {number: [own[i] for i in mine] for number, mine in rows.items()}

    classes: dict[str, Counter[str]] = defaultdict(Counter)
    for address, session in found.items():
        classes[json.dumps(session)][whose[number_of[address]]] += 1
    for some in classes.values():
        assert len(some) >= k
        assert max(some.values()) * k <= some.total()

    text = "\n".join(out)
    assert not re.search(r"192\.0\.2\.|\bann\b", text, re.IGNORECASE)

    def holders(asked: Any) -> int:
        return len({whose[number] for number, session in theirs.items() if asked(session)})

    for session in map(json.loads, classes):
        assert holders(lambda own: len(own) >= len(session)) >= k
        for click in session:
            assert holders(lambda own: any(click_covers(click, one) for one in own)) >= k
            if "*" not in click["path"]:
                assert holders(lambda own: any(one["path"] == click["path"] for one in own)) >= k
        for pair in combinations(session, 2):
            assert holders(lambda own: subsequence(pair, own)) >= k, pair
        if holders(lambda own: subsequence(session, own)) < k:
            for a, b in pairwise(session):
                assert (
                    holders(lambda own: any(click_covers(a, x) and click_covers(b, y) for x, y in pairwise(own))) >= k
                )
            same = holders(lambda own: len(own) == len(session) and subsequence(session, own))
            assert same == 0 or same >= k  # it is nobody's own
        times = [_seconds(click["time"]) for click in session]
        assert times[0] % 3600 == 0
        assert {b - a for a, b in pairwise(times)} <= PAUSES
        if times[0]:
            for click in session:
                assert (
                    holders(
                        lambda own: (
                            covers("time", session[0]["time"], own[0]["time"])
                            and any(click_covers(click, o) for o in own)
                        )
                    )
                    >= k
                )
        for click in session:  # no size that is one visitor's
            if click["size"]:
                had = lambda own: any(click_covers(click, o) and covers("size", click["size"], o["size"]) for o in own)  # noqa: E731
                assert holders(had) >= k
        if combined:
            agent, first = session[0]["agent"], session[0]["referrer"]
            assert {click["agent"] for click in session} == {agent}
            if agent in {one["agent"] for one in own}:
                assert not agent or holders(lambda own: own[0]["agent"] == agent) >= k
            for click in session:
                told = click["referrer"]
                assert not told or holders(lambda own: any(covers("referrer", told, o["referrer"]) for o in own)) >= k
            if first:
                assert holders(lambda own: covers("referrer", first, own[0]["referrer"])) >= k


def _seconds(stamp: str) -> int:
    return int((np.datetime64(stamp.replace(" ", "T")) - np.datetime64("1970-01-01T00:00:00")) / np.timedelta64(1, "s"))


@settings(max_examples=4, phases=PHASES)
@given(seed=st.integers(0, 10**6))
def test_neither_blocks_nor_workers_nor_the_order_of_seconds_change_a_release(seed: int) -> None:
    lines = make(seed, 24)
    stamps = [line.split("[")[1].split("]")[0] for line in lines]
    alone = [line for line, stamp in zip(lines, stamps, strict=True) if stamps.count(stamp) == 1]
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        out, _ = released(Path(one), alone, 3)
        whole, _ = released(Path(other), alone[::-1], 3, blocks="always")
    assert out == whole


def test_each_spoilt_release_is_found_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = released(tmp_path, make(5, 40), 3)
    whole = ["verify", str(tmp_path / "out.log"), "-k", "3", "--original", str(tmp_path / "in.log")]
    whole += ["--trail", str(tmp_path / "trail.jsonl")]
    alone = ["verify", str(tmp_path / "out.log"), "-k", "3", "--kind", "accesslog"]
    assert main(whole) == main(alone) == 0
    first = out[0]
    number = first.split(" ")[0]
    spoilt = {
        "another page": [first.replace("GET ", "GET /private"), *out[1:]],
        "an address": ["192.0.2.1" + first.removeprefix(number), *out[1:]],
        "a minute": [first.replace(":00:00 ", ":07:00 "), *out[1:]],
        "a session less": [line for line in out if not line.startswith(f"{number} ")],
        "a line twice": [first, first, *out[1:]],
        "another size": [re.sub(r'" (\d{3}) \S+', r'" \1 77', line) for line in out],
        "another order": [out[1], out[0], *out[2:]],
    }
    for what, lines in spoilt.items():
        (tmp_path / "out.log").write_text("\n".join(lines) + "\n")
        try:
            assert main(whole) != 0, what
        finally:
            printed = capsys.readouterr()
        assert "192.0.2.1" not in printed.out + printed.err, what


def test_fewer_than_k_visitors_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenPromise):
        released(tmp_path, make(1, 3), 4)
