"""What a released access log promises, looked for in the written file by other programs than ours.

The file is read by apachelogs; what a published value stands for is decided here, by strings alone.
"""

import json
import re
from collections import Counter, defaultdict
from ipaddress import ip_address
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from apachelogs import COMBINED, COMMON, LogParser
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import taxonym
from taxonym.cli import main
from taxonym.errors import BrokenPromise

ADDRESSES = [
    *(f"192.0.2.{i}" for i in range(8)), *(f"198.51.{i}.9" for i in range(4)), "203.0.113.5",
    *(f"2001:db8:{i}::1" for i in range(4)), "host.example.org",
]  # fmt: skip
PATHS = [
    "/", "/a/b", "/a/b?q=1", "/a/b?q=2", "/a/c", "/a/d/e.html", "/a/d/f.html", "/g", "/g/*", "/private/ann", "*",
    "/of/192.0.2.3",
]  # fmt: skip
REFERRERS = [
    "-", "http://www.example.org/", "http://www.example.org/x?u=ann", "http://blog.example.org/y", "https://e.net/a/b",
    "http://192.0.2.2/",
    "nonsense",
]  # fmt: skip
AGENTS = [
    "-", "Mozilla/5.0 (Windows NT 6.1; rv:27.0) Gecko/20100101 Firefox/27.0", "Firefox/27.0 (Windows NT 6.1)",
    "Mozilla/5.0 (X11; Linux x86_64; rv:26.0) Gecko/20100101 Firefox/26.0", "Chrome/32.0 (Windows NT 6.1)",
    "Googlebot/2.1", "Ann's own agent",
]  # fmt: skip
USERS = ["-", "-", "ann", "bob", "eve"]
STATUS, SIZES = ["200", "200", "200", "404", "206", "301"], ["-", "0", "512", "523", "20417", "20499"]


def make(seed: int, lines: int, combined: bool) -> list[str]:
    """Lines of few visitors, some of whom have very many."""
    rng = np.random.default_rng(seed)
    visitors = [(rng.choice(ADDRESSES), rng.choice(AGENTS)) for _ in range(rng.integers(4, 16))]
    made = []
    for _ in range(lines):
        address, agent = visitors[min(int(rng.exponential(3)), len(visitors) - 1)]
        day, hour, minute = rng.integers(1, 4), rng.integers(0, 24), rng.integers(0, 60)
        request = (
            "-" if rng.random() < 0.05 else f"{'POST' if rng.random() < 0.1 else 'GET'} {rng.choice(PATHS)} HTTP/1.1"
        )
        line = f'{address} - {rng.choice(USERS)} [0{day}/May/2024:{hour:02}:{minute:02}:07 +0200] "{request}" '
        line += f"{rng.choice(STATUS)} {rng.choice(SIZES)}"
        made.append(f'{line} "{rng.choice(REFERRERS)}" "{agent}"' if combined else line)
    return made


def fields(line: str, combined: bool) -> dict[str, str]:
    """What another program reads in a line; "" for nothing."""
    entry = LogParser(COMBINED if combined else COMMON).parse(line)
    method, path, *_ = [*(entry.request_line or "").split(" "), "", ""]
    found = {
        "user": entry.remote_user or "",
        "time": f"{entry.request_time:%Y-%m-%d %H:%M:%S}",
        "size": "" if entry.bytes_sent is None else str(entry.bytes_sent),
        "address": entry.remote_host,
        "method": method,
        "path": path,
        "status": str(entry.final_status),
    }
    if combined:
        found |= {"referrer": entry.headers_in["Referer"] or "", "agent": entry.headers_in["User-Agent"] or ""}
    return found


def covers(name: str, published: str, own: str) -> bool:
    """Whether a published value stands for what somebody had; decided by strings. Of a time and of a number of bytes a
    reader can tell no more than what the zeros at its end leave open."""
    if name == "time":
        known = next(n for n, rest in WHOLE_TIMES if published.endswith(rest))
        quarter = published[11:13] in ("06", "12", "18") and published.endswith(":00:00")
        if quarter:
            return own[:10] == published[:10] and 0 <= int(own[11:13]) - int(published[11:13]) < 6
        return own[:known] == published[:known]
    if name == "size":
        digits = published.rstrip("0") or "0"
        return len(own) == len(published) and own.startswith(digits if len(digits) < 3 else published)
    if name == "path":
        if published.endswith("?*"):
            return own.partition("?")[0] == published[:-2]
        return own.startswith(published[:-1]) if published.endswith("/*") else own == published
    if name == "referrer":
        if published.startswith(("http://*.", "https://*.")):
            scheme, domain = published.split("*")[0], published.split("*")[1].rstrip("/")
            return own.startswith(scheme) and own[len(scheme) :].partition("/")[0].endswith(domain)
        return covers("path", published, own)
    if name == "address":
        try:
            a, b = ip_address(published), ip_address(own)
        except ValueError:
            return own.endswith(f".{published}")
        bits = a.max_prefixlen
        known = max(8 if bits == 32 else 16, -(-(bits - (int(a) & -int(a)).bit_length() + 1) // 8) * 8)
        return a.version == b.version and int(a) >> (bits - known) == int(b) >> (bits - known)
    return own == published or (name == "status" and published[1:] == "00" and own[0] == published[0])


WHOLE_TIMES = ((4, "-01-01 00:00:00"), (7, "-01 00:00:00"), (10, " 00:00:00"), (13, ":00:00"), (16, ":00"))


def by_user(visitor: list[tuple[str, str]], user: list[str]) -> list[tuple[str, str]]:
    """The user of every line; where it names none, the one whom the same visitor's lines name most often, if any."""
    named = defaultdict(Counter)
    for v, name in zip(visitor, user, strict=True):
        if name:
            named[v][name] += 1
    likely = {v: ("user", min(names, key=lambda name: (-names[name], name))) for v, names in named.items()}
    return [("user", name) if name else likely.get(v, v) for v, name in zip(visitor, user, strict=True)]


def released(
    folder: Path, lines: list[str], k: int, shape: dict[str, Any], **method: Any
) -> tuple[list[str], list[int]]:
    """The lines of the written release, and the input line (from 0) that each stands for, by the trail."""
    (folder / "in.log").write_text("\n".join(lines) + "\n")
    release = taxonym.anonymize(folder / "in.log", {"accesslog": shape, "method": {"k": k, "seed": 1, **method}})
    release.write(folder / "out.log")
    release.write_trail(folder / "trail.jsonl")
    records = [json.loads(line) for line in (folder / "trail.jsonl").read_text().splitlines()[1:]]
    whose = {record["release_row"]: record["rows"][0] - 1 for record in records}
    out = (folder / "out.log").read_text().splitlines()
    return out, [whose[row] for row in range(1, len(out) + 1)]


def shares(out: list[str], whose: list[Any]) -> dict[str, Counter[Any]]:
    """How many lines of every class each visitor has."""
    classes: dict[str, Counter[Any]] = defaultdict(Counter)
    for line, visitor in zip(out, whose, strict=True):
        classes[line][visitor] += 1
    return classes


PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # a log made of a seed does not shrink
SHAPES = st.fixed_dictionaries(
    {
        "session": st.booleans(),
        "visitor": st.sampled_from(["address+agent", "address", "user"]),
    }
)


@settings(max_examples=25, phases=PHASES)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(20, 60),
    k=st.integers(2, 4),
    combined=st.booleans(),
    shape=SHAPES,
    name=st.sampled_from(["mdav", "refined"]),
)
def test_every_line_is_of_k_visitors_and_tells_only_what_k_visitors_had(
    seed: int, n: int, k: int, combined: bool, shape: dict[str, Any], name: str
) -> None:
    lines = make(seed, n, combined)
    own = [fields(line, combined) for line in lines]
    by_agent = combined and shape["visitor"] != "address"
    # our visitors are browsers and systems, these are agents: never fewer, so the agents that are one browser are left
    # out of the pool's count by joining the two spellings of it
    same = {"Firefox/27.0 (Windows NT 6.1)": AGENTS[1], "Ann's own agent": "", "-": ""}
    visitor = [(f["address"], same.get(f["agent"], f["agent"]) if by_agent else "") for f in own]
    if shape["visitor"] == "user":
        visitor = by_user(visitor, [f["user"] for f in own])
    with TemporaryDirectory() as folder:
        if len(set(visitor)) < k:
            with pytest.raises(BrokenPromise):
                released(Path(folder), lines, k, shape, name=name)
            return
        out, whose = released(Path(folder), lines, k, shape, name=name)
    classes = shares(out, [visitor[i] for i in whose])
    assert min(map(len, classes.values())) >= k
    assert set(visitor) == {v for some in classes.values() for v in some}  # only surplus lines go, and nobody
    for some in classes.values():
        assert max(some.values()) * k <= some.total()
    text = "\n".join(out)
    assert not {f["address"] for f in own} & set(re.findall(r"[\w.:-]*\w", text))
    assert not re.search(r"\b(ann|bob|eve)\b", text, re.IGNORECASE)  # users, whom some paths and agents name, too

    published = [
        (visitor[i], own[i] | {"user": fields(line, combined)["user"]}) for line, i in zip(out, whose, strict=True)
    ]

    def holders(**wanted: str) -> int:
        """Visitors who have all of it in one and the same line that is published; a mark is that of the line."""
        return len({v for v, f in published if all(covers(n, x, f[n]) for n, x in wanted.items())})

    for line in classes:
        found = fields(line, combined)
        agent = found.pop("agent", "")
        assert re.fullmatch(r"(s[0-9a-f]{6})?" if shape["session"] else "", found["user"])
        if agent in {f.get("agent") for f in own}:
            assert holders(agent=agent) >= k or not agent
        found = {n: x for n, x in found.items() if x and x != "0.0.0.0" and not x.startswith("1970-01-01 00:00:00")}
        if "status" in found and found["status"] == "None":
            del found["status"]
        for n, x in found.items():
            assert holders(**{n: x}) >= k, n
            if "*" not in x and n in ("path", "referrer"):
                assert len({v for v, f in zip(visitor, own, strict=True) if f[n] == x}) >= k
        for a, b in combinations(found, 2):
            assert holders(**{a: found[a], b: found[b]}) >= k, (a, b)


@settings(max_examples=6, phases=PHASES)
@given(seed=st.integers(0, 10**6))
def test_the_release_does_not_depend_on_the_order_of_the_lines(seed: int) -> None:
    lines = make(seed, 40, True)
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        try:
            out, _ = released(Path(one), lines, 2, {})
        except BrokenPromise:
            return
        turned, _ = released(Path(other), lines[::-1], 2, {})
    assert out == turned


def test_verify_finds_a_line_that_was_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = released(tmp_path, make(3, 60, True), 3, {})
    (tmp_path / "plan.toml").write_text("[accesslog]\n[method]\nk = 3\n")
    whole = ["--original", str(tmp_path / "in.log"), "--trail", str(tmp_path / "trail.jsonl")]
    assert main(["verify", str(tmp_path / "out.log"), "-k", "3", *whole]) == 0
    assert main(["verify", str(tmp_path / "out.log"), "-k", "3", "--plan", str(tmp_path / "plan.toml")]) == 0
    address = (tmp_path / "in.log").read_text().split(" ", 1)[0]
    out[0] = f"{address} {out[0].split(' ', 1)[1]}"
    (tmp_path / "out.log").write_text("\n".join(out) + "\n")
    assert main(["verify", str(tmp_path / "out.log"), "-k", "3", *whole]) == 1
    printed = capsys.readouterr().out
    assert "addresses of the original are in the release" in printed
    assert address not in printed
