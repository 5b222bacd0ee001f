"""Releases of random tables with sensitive topics: written, read back, and counted by hand."""

import json
import random
import re
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import taxonym
from taxonym.errors import BrokenPromise
from taxonym.knowledge.floor import says_nothing
from taxonym.plan import to_toml
from taxonym.run.release import Release
from taxonym.text.sensitive import Topics, load_topics
from tests.releases import (
    SEED,
    Case,
    Row,
    check_all_accounted_for,
    check_classes,
    check_support,
    meant,
    read_rows,
    record_of,
    write_rows,
)
from tests.strategies import taxonomies

REFUSALS = "nobody could hide|every record would have to be suppressed|no group has a concept that"


@dataclass
class Topical(Case):
    """A case whose column of words names topics: `held` and `concept` see only what the topics leave."""

    file: str = ""

    def plan(self, folder: Path) -> dict[str, Any]:
        (folder / "topics.toml").write_text(self.file)
        made = super().plan(folder)
        made["columns"]["words"]["topics_file"] = str(folder / "topics.toml")
        return made

    def topics(self, folder: Path) -> Topics:
        (folder / "topics.toml").write_text(self.file)
        return load_topics(self.tax, folder / "topics.toml").only(self.columns["words"]["topics"])

    @property
    def drops(self) -> bool:
        return self.columns["words"]["other_words"] == "drop"

    def without_dropped(self, topics: Topics) -> "Topical":
        """The same table, as if words outside the topics had never been in it."""
        if not self.drops:
            return self
        rows = []
        for row in range(len(self.rows)):
            words = [w for w in self.terms(row, "words") if topics.anywhere[self.tax.codes(w)[0]]]
            rows.append(self.rows[row] | {"words": ";".join(words) or None})
        return Topical(self.tax, rows, self.columns, self.method, self.input, self.output, self.file)


@st.composite
def topical(draw: st.DrawFn, max_rows: int = 16) -> Topical:
    tax = draw(taxonomies(10).filter(lambda t: len(t) > 3))
    dice = random.Random(draw(st.integers(0, 2**32)))
    ids, labels = [tax.id(c) for c in range(len(tax))], [tax.label(c) for c in range(len(tax))]
    tables: dict[str, Any] = {}
    for name in ("one", "two")[: draw(st.integers(1, 2))]:
        tables[name] = {"concepts": dice.sample(ids, dice.randint(1, 2))}
        if dice.random() < 0.5:
            tables[name]["except"] = dice.sample(ids, 1)
        if dice.random() < 0.3:
            tables[name]["also"] = dice.sample(ids, 1)
    several, n = dice.random() < 0.4, dice.randint(max_rows // 2, max_rows)
    people = [dice.randint(0, n // 2) for _ in range(n)] if several else range(n)
    rows = [
        {
            "who": f"Kowalska{who}",
            "words": ";".join(dict.fromkeys(dice.choices(labels, k=dice.choice([1, 2, 2, 3, 4])))),
        }
        for who in people
    ]
    column = {
        "role": "quasi-identifier",
        "kind": "set",
        "taxonomy": True,
        "topics": sorted(tables)[: draw(st.integers(1, 2))],
        "other_words": draw(st.sampled_from(["keep", "drop"])),
    }
    method = {
        "k": draw(st.integers(2, 3)),
        "name": draw(st.sampled_from(["adaptive-mdav", "adaptive-mdav", "refined"])),
        "aggregate": draw(st.sampled_from(["matching", "matching", "min-sum"])),
        "representative": draw(st.sampled_from(["redaction", "best"])),
        "threshold": draw(st.sampled_from([0.4, 0.6, 0.8])),
        "topic_share": draw(st.sampled_from([0.75, 0.5, 0.0, 1.0])),
        "known_items": draw(st.sampled_from([2, 1, 3])),
        "seed": SEED,
    }
    whose = {"person": "who", "person_rows": "unite"} if several else {}
    return Topical(tax, rows, {"words": column}, method, whose, {"shuffle": True}, to_toml({"topics": tables}))


def publish(case: Topical, folder: Path) -> Release:
    """The release; it may be refused, but not for a reason such as our own proof."""
    write_rows(case.rows, folder / "in.csv")
    try:
        return taxonym.anonymize(folder / "in.csv", case.plan(folder), baselines=False)
    except BrokenPromise as refusal:
        if not re.search(REFUSALS, str(refusal)):
            pytest.fail(str(refusal))
        raise


def written(release: Release, folder: Path) -> tuple[bytes, list[Row], list[Row]]:
    release.write(folder / "out.csv")
    release.write_trail(folder / "trail")
    trail = [json.loads(line) for line in (folder / "trail").read_text().splitlines()[1:]]
    return (folder / "out.csv").read_bytes(), read_rows(folder / "out.csv"), trail


@given(case=topical())
@settings(max_examples=60)
def test_a_release_with_topics_keeps_every_promise(case: Topical) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            release = publish(case, folder)
        except BrokenPromise:
            assume(False)
        _, rows, trail = written(release, folder)
        topics = case.topics(folder)
    seen = case.without_dropped(topics)
    check_classes(case, rows, trail)
    check_support(seen, rows)
    check_all_accounted_for(case, rows, trail, release.report)
    check_topics(case, seen, rows, trail, topics)
    told = release.private_report()["loss"]["attributes"]["words"]
    assert 0 <= told["mean_cohesion"] <= 1
    (column,) = release.report["columns"]
    assert list(column["topics"]) == case.columns["words"]["topics"]
    assert set(column["topics"].values()) <= {None}  # of so few persons


def check_topics(case: Topical, seen: Topical, rows: list[Row], trail: list[Row], topics: Topics) -> None:
    """What is dropped leaves no trace, and what too many of a group share is its topic's top."""
    held, inside, records = seen.held(), topics.anywhere, record_of(trail)
    groups: dict[int, set[Any]] = {}
    for record in trail:
        if record["group"] is not None:
            groups.setdefault(record["group"], set()).add(case.person(record["rows"][0] - 1))
    for number, row in enumerate(rows, 1):
        group = groups[records[number]["group"]]
        for concept in meant(case, row):
            if case.drops:
                assert inside[concept[1]]
                assert any(concept in held[person] for person in group)
            assert_veiled(case, concept[1], sum(concept in held[p] for p in group) / len(group), topics)


def assert_veiled(case: Topical, code: Any, share: float, topics: Topics) -> None:
    """A sensitive concept that too many share has nothing of its own topics above it that says something."""
    mine = [mask for mask in topics.matrix if mask[code]]
    if mine and share > case.method["topic_share"]:
        silent = says_nothing(case.tax)
        for above in case.tax.ancestors(code):
            assert above == code or silent[above] or not any(mask[above] for mask in mine)


@given(case=topical(max_rows=10), data=st.data())
@settings(max_examples=25)
def test_a_seed_fixes_the_bytes_whatever_the_order_of_the_rows(case: Topical, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(case.rows))))
    rows = [case.rows[i] for i in order]
    turned = Topical(case.tax, rows, case.columns, case.method, case.input, case.output, case.file)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            first = publish(case, folder)
        except BrokenPromise:
            with pytest.raises(BrokenPromise):
                publish(turned, folder)
            return
        content = written(first, folder)[0]
        assert written(publish(case, folder), folder)[0] == content
        other = publish(turned, folder)
        assert written(other, folder)[0] == content

    def told(of: Topical, release: Release) -> Counter[tuple[str, ...]]:
        return Counter(tuple(sorted(of.record(row) for row in group)) for group in release.groups)

    assert told(turned, other) == told(case, first)
