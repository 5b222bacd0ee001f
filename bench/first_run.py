"""CPU seconds of the demo with an empty compile cache, and with the cache that this left.

python bench/first_run.py
"""

import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory


def seconds(cache: Path, out: Path) -> float:
    """CPU seconds of one demo."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    demo = [sys.executable, "-m", "taxonym", "demo", "--seed", "1", "--out", str(out)]
    subprocess.run(demo, env=os.environ | {"XDG_CACHE_HOME": str(cache)}, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


def main() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cache").mkdir()
        cold, warm = (seconds(folder / "cache", folder / run) for run in ("cold", "warm"))
        same = (folder / "cold" / "release.csv").read_bytes() == (folder / "warm" / "release.csv").read_bytes()
        kept = len(list((folder / "cache").rglob("*.nbc")))
    told = "the same" if same else "not the same"
    print(f"cold {cold:.1f} s, warm {warm:.1f} s, {kept} functions kept; the releases are {told}")


if __name__ == "__main__":
    main()
