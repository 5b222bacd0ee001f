"""Whatever the log: the written release keeps its promises, recounted by hand from the two files."""

import json
import tempfile
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.errors import BrokenPromise
from taxonym.knowledge import compiled
from taxonym.knowledge.floor import says_nothing
from taxonym.plan import Plan
from taxonym.run.pipeline import anonymize
from taxonym.shapes.query_log.reread import verify
from taxonym.shapes.table.reread import Trail
from tests.strategies import taxonomies

Logged = tuple[str, str, str, str]  # user, query, time, address
HOSTS = ["www.a.example", "mail.a.example", "b.example", ""]


@st.composite
def logs(draw: st.DrawFn) -> tuple[Taxonomy, list[Logged], dict[str, Any], dict[str, Any]]:
    tax = draw(taxonomies(8))
    words = [*tax.ids, "zzqa", "zzqb"]
    common = draw(
        st.lists(st.lists(st.sampled_from(words), min_size=1, max_size=2).map(" ".join), min_size=1, max_size=4)
    )
    query = st.sampled_from(common) | st.lists(st.sampled_from(words), min_size=1, max_size=2).map(" ".join)
    day, hour = st.sampled_from(["03-01", "03-02", "04-01"]), st.sampled_from(["07:10:00", "07:50:00", "19:00:00"])
    lines: list[Logged] = []
    for user in range(draw(st.integers(4, 14))):
        for asked in draw(st.lists(query, min_size=1, max_size=5)):
            moment = f"2026-{draw(day)} {draw(hour)}"
            lines.append((f"Kowalska{user}", asked, moment, draw(st.sampled_from(HOSTS))))
    method = {
        "k": draw(st.integers(2, 4)),
        "known_items": draw(st.integers(0, 3)),
        "name": draw(st.sampled_from(["refined", "mdav"])),
        "seed": draw(st.integers(0, 9)),
    }
    shape = {
        "grouping": draw(st.sampled_from(["meaning", "syntax"])),
        "choice": draw(st.sampled_from(["frequencies", "meaning"])),
        "times": draw(st.sampled_from(["drop", "hour", "month"])),
        "clicks": draw(st.sampled_from(["drop", "host"])),
        "on_unknown": draw(st.sampled_from(["suppress", "keep-as-own-concept"])),
    }
    return tax, draw(st.permutations(lines)), method, shape


@given(logs())
@settings(max_examples=40)
def test_a_written_log_keeps_every_promise(case: tuple[Taxonomy, list[Logged], dict[str, Any], dict[str, Any]]) -> None:
    tax, lines, method, shape = case
    with tempfile.TemporaryDirectory() as folder:
        log, out, trail = (Path(folder) / name for name in ("log.tsv", "out.tsv", "trail"))
        compiled.write(tax, Path(folder) / "tax.taxonym")
        text = "".join(f"{u}\t{q}\t{t}\t{'1' * bool(a)}\t{a and f'http://{a}/x'}\n" for u, q, t, a in lines)
        log.write_text("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n" + text)
        plan = Plan.from_dict({"querylog": shape | {"taxonomy": str(Path(folder) / "tax.taxonym")}, "method": method})
        try:
            release = anonymize(log, plan, baselines=False)
        except BrokenPromise as error:
            release, why = None, str(error)
        if release is None:
            assert "nothing was written" not in why  # nothing is left to publish; no promise failed
            assert not out.exists()
            return
        release.write(out)
        release.write_trail(trail)
        again = anonymize(log, plan, baselines=False)
        assert again.frame.equals(release.frame)
        rows = [line.split("\t") for line in out.read_text().splitlines()]
        head, body = rows[0], rows[1:]
        assert "Kowalska" not in out.read_text()
        assert "ItemRank" not in head
        logs_of: dict[str, list[tuple[str, ...]]] = {}
        for row in body:
            logs_of.setdefault(row[0], []).append(tuple(row[1:]))
        classes = Counter(tuple(sorted(mine)) for mine in logs_of.values())
        assert min(classes.values()) >= method["k"]
        persons = _persons(trail, list(logs_of))
        inside = [line for line in lines if line[0] in set(persons.values())]
        for mine in classes:
            _check_support(mine, head[1:], tax, inside, method)
            codes = {tax.code(row[0]) for row in mine if row[-1] != "query" and row[0] in tax.ids}
            assert not any(a != b and a in tax.ancestors(b) for a in codes for b in codes)  # nothing is said twice
            assert not any(says_nothing(tax)[code] for code in codes)
        for theirs in logs_of.values():
            assert theirs == sorted(theirs, key=lambda row: (row[0], row[-1], *row[1:-1]))  # order says nothing
        for mine in classes:
            members = {persons[user] for user, theirs in logs_of.items() if tuple(sorted(theirs)) == mine}
            _check_shared(mine, head[1:], [line for line in lines if line[0] in members], method["k"])
        found = verify(str(out), method["k"], plan, str(log), Trail(trail))
        assert found.holds
        assert found.classes == len(classes)


def _check_support(
    rows: tuple[tuple[str, ...], ...], head: list[str], tax: Taxonomy, lines: list[Logged], method: dict[str, Any]
) -> None:
    """Every line has k users who wrote it, or hold it, and every choice of m different queries, times and hosts of a
    log k who have all of it, somewhere in theirs; `lines` are those of users who are published."""
    k, holders = method["k"], {}
    for row in rows:
        cells = dict(zip(head, row, strict=True))
        if time := cells.get("QueryTime"):
            start = time.removesuffix(":00") if len(time) > 10 else time
            holders[time, "time"] = {user for user, _, moment, _ in lines if moment.startswith(start)}
        if host := cells.get("ClickURL"):
            holders[host, "host"] = {user for user, _, _, h in lines if h == host or h.endswith(f".{host}")}
    for text, form in {(row[0], row[-1]) for row in rows}:
        if form == "query":
            holders[text, form] = {user for user, query, _, _ in lines if query == text}
        elif form == "word":
            wrote = {user for user, query, _, _ in lines if text in query.split() or query == text}
            assert len(wrote) >= k
            code = tax.code(text) if text in tax.ids else None
            holders[text, form] = _holders(tax, code, lines) if code is not None else wrote
        else:
            assert not text.startswith("zz")
            holders[text, form] = _holders(tax, tax.code(text), lines)
    for size in range(1, max(1, method["known_items"]) + 1):
        for some in combinations(sorted(holders), size):
            assert len(set.intersection(*(holders[one] for one in some))) >= k


def _holders(tax: Taxonomy, code: int, lines: list[Logged]) -> set[str]:
    below = {tax.id(c) for c in tax.descendants(code)}
    return {user for user, query, _, _ in lines if below & set(query.split())}


def _persons(trail: Path, users: list[str]) -> dict[str, str]:
    """Who is who: the n-th user of a release is the one whose trail says so."""
    found = {}
    for line in trail.read_text().splitlines()[1:]:
        record = json.loads(line)
        if record["release_row"]:
            found[users[record["release_row"] - 1]] = record["person"]
    return found


def _check_shared(mine: tuple[tuple[str, ...], ...], head: list[str], own: list[Logged], k: int) -> None:
    """At least k of the class have a line at every time, and a click on every host, that it publishes."""
    for row in mine:
        cells = dict(zip(head, row, strict=True))
        if time := cells.get("QueryTime"):
            start = time.removesuffix(":00") if len(time) > 10 else time
            assert len({user for user, _, moment, _ in own if moment.startswith(start)}) >= k
        if host := cells.get("ClickURL"):
            assert len({user for user, _, _, h in own if h == host or h.endswith(f".{host}")}) >= k
