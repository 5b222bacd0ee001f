"""Documents that cannot be read, and the vector of one that can."""

import json
from pathlib import Path

import pytest

import taxonym
from taxonym.cli import main
from taxonym.errors import BadInput


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "essays"
    made.mkdir()
    for i in range(6):
        (made / f"essay{i}.txt").write_text("A dog and a cat." if i % 2 else "An apple and a pear, a dog.")
    (made / "spoilt.pdf").write_bytes(b"%PDF-1.4 nothing more")
    return made


def test_a_broken_file_stops_the_run_or_is_skipped_and_named(folder: Path) -> None:
    plan = {"documents": {}, "method": {"k": 3, "seed": 1, "known_items": 1}}
    with pytest.raises(BadInput, match=r"spoilt\.pdf"):
        taxonym.anonymize(folder, plan)
    release = taxonym.anonymize(folder, plan | {"documents": {"broken": "skip"}})
    assert release.report["records"]["published_rows"] == 6
    assert any("spoilt.pdf" in note for note in release.private_report()["notes"])
    assert not any("spoilt" in note for note in release.report["notes"])


def test_the_vector_of_a_document_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["concepts", "--document", str(folder / "essay0.txt"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["label"]: row["count"] for row in found["vector"]} == {"apple": 1, "pear": 1, "dog": 1}
    assert sum(row["weight"] for row in found["vector"]) == pytest.approx(1)
    assert main(["concepts", "dog", "--document", str(folder / "essay0.txt")]) == 2
