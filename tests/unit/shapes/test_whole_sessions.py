"""What a report tells of a log whose sessions are published whole."""

import json
from pathlib import Path

import numpy as np
import pytest

import taxonym
from taxonym.knowledge.runs import Runs
from taxonym.shapes.access_log.sessions.report import path_changes
from taxonym.shapes.access_log.trees import ValueTree, plant
from tests.unit.shapes.test_access_log import line


def clicks_tree() -> tuple[ValueTree, dict[str, int]]:
    """A tree of three pages in two folders, and the codes of its steps."""
    tree, _ = plant(
        "click", [("200 /*", "200 /a/*", "200 /a/b"), ("200 /*", "200 /a/*", "200 /a/c"), ("200 /*", "200 /d")]
    )
    return tree, {step: code for code, step in enumerate(tree.steps)}


@pytest.mark.parametrize(
    ("had", "published", "changes"),
    [
        (["/a/b", "/d"], ["/a/b", "/d"], (0, 0, 0)),
        (["/a/b", "/d"], ["/d", "/a/b"], (0, 0, 0)),
        (["/a/b", "/a/c"], ["/a/*"], (2, 0, 0)),
        (["/a/b", "/d"], ["/a/b"], (0, 1, 0)),
        (["/a/b"], ["/a/b", "/d", "/*"], (0, 0, 1)),
        (["/a/b"], ["/a/c"], (0, 1, 1)),
        (["/a/b", "/d"], None, (0, 2, 0)),
    ],
)
def test_clicks_of_a_session_are_counted_as_raised_dropped_or_added(
    had: list[str], published: list[str] | None, changes: tuple[int, int, int]
) -> None:
    tree, code = clicks_tree()
    path = [code[f"200 {page}"] for page in had]
    shown = [tuple(code[f"200 {page}"] for page in published or [])]
    found = path_changes(tree, Runs.of([path]), np.array([-1 if published is None else 0]), shown)
    assert tuple(found[key] for key in ("raised", "dropped", "added")) == changes


def test_a_report_of_whole_sessions_has_what_one_of_lines_has(tmp_path: Path) -> None:
    pages = ["/a/b", "/a/c", "/d"]
    lines = [line(f"192.0.2.{v}", pages[(v + i) % 3], minute=2 * v + i) for v in range(1, 13) for i in range(1 + v % 2)]
    (tmp_path / "in.log").write_text("\n".join(lines) + "\n")
    made = {
        how: taxonym.anonymize(
            tmp_path / "in.log",
            {"accesslog": {"records": how, "aside": str(tmp_path / "aside")}, "method": {"k": 2, "seed": 1}},
        )
        for how in ("lines", "sessions")
    }
    lined, whole = made["lines"].private_report(), made["sessions"].private_report()
    assert whole.keys() == lined.keys()
    assert whole["linkage"].keys() == lined["linkage"].keys()
    assert whole["linkage"]["max_p"] <= 1 / 2
    assert whole["questions"].keys() == {"singling_out", "linking", "inference"}
    for part in ("pages", "browser", "system", "time"):
        assert whole["kept"][part]["changes"].keys() == {"raised", "dropped", "added"}
        assert "changes" not in made["sessions"].report["kept"][part]
    assert str(tmp_path) not in json.dumps(made["sessions"].report)
