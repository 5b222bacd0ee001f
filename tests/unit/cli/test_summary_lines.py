"""The lines that a run prints: only what can be understood, and nothing that its verdict says is not told."""

from pathlib import Path

import pytest

from taxonym.cli import main


def test_a_run_of_few_persons_prints_no_loss_and_no_concepts_of_what_stands_for_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "jobs.csv"
    rows = [f"{i},{('infirmier', 'avocat', 'boulanger')[i % 3]},{('yes', 'no')[i % 2]}" for i in range(60)]
    path.write_text("\n".join(["matricule,poste,fumeur", *rows]))
    assert main(["anonymize", str(path), "-o", str(tmp_path / "out.csv")]) == 0
    told = capsys.readouterr().out
    assert "not told: too few persons" in told
    assert "Mean loss" not in told
    assert "has a concept in poste" not in told
    assert "has a concept in yes-no" in told
