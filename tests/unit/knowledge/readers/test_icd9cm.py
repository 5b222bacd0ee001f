import gzip
from pathlib import Path

import pytest

from taxonym import load
from taxonym.knowledge.readers import icd9cm


def test_icd_9_cm_ships_with_its_chapters_codes_and_names() -> None:
    tax = load("icd9cm")
    assert (len(tax), len(tax.roots), tax.max_depth) == (17_726, 19, 5)
    code = tax.code("250.00")
    up = [tax.id(c) for c in sorted(tax.ancestors(code), key=tax.depth)]
    assert up == ["240-279", "249-259", "250", "250.0", "250.00"]
    assert tax.labels(tax.code("001.9")) == ["Cholera, unspecified", "Cholera NOS"]
    assert [tax.id(c) for c in tax.codes("fall nos")] == ["E888.9"]


def test_the_table_is_read_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "x.tsv.gz"
    table.write_bytes(
        gzip.compress(b"001-009\t\tIntestinal\n001\t001-009\tCholera\n001.0\t001\tCholera due to x\tCh d/t x\n")
    )
    monkeypatch.setattr(icd9cm, "_TABLE", table)
    tax = icd9cm.read_icd9cm().build()
    assert tax.labels(tax.code("0010")) == ["Cholera due to x", "Ch d/t x"]
    assert [tax.id(p) for p in tax.parents(tax.code("001.0"))] == ["001"]
