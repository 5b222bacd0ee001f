"""What the benchmarks share: the machine they ran on, Markdown tables, and where a printed section is kept."""

import os
import platform
import sys
from collections.abc import Iterable, Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def machine(packages: Iterable[str] = ("numpy", "numba")) -> str:
    """Processor, cores, memory, Python and versions, in one line."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    parts = [model, f"{os.cpu_count()} cores", f"{memory:.0f} GiB", f"Python {platform.python_version()}"]
    return ", ".join(parts + [f"{name} {found}" for name in packages if (found := _version(name))])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; numbers are shown as they are given."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def section(name: str, title: str, command: str, parts: Iterable[str], packages: Iterable[str] = ()) -> None:
    """Print a section and keep it in results/, from which all.sh makes RESULTS.md."""
    where = machine([*packages] or ("numpy", "numba"))
    text = "\n\n".join([f"## {title}", f"`{command}`  \n{date.today()}; {where}", *parts]) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)


def short(value: float) -> str:
    """Three digits that matter: 0.0123, 1.23, 123, 12,300."""
    if value == 0:
        return "0"
    digits = max(0, 2 - len(str(int(abs(value)))) + 1) if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}" if abs(value) >= 0.1 else f"{value:.3g}"


def met(ratio: float, target: float, *, most: bool = False) -> str:
    """Whether a target is met: at least `target`, or at most with most=True."""
    return "yes" if (ratio <= target if most else ratio >= target) else "**no**"
