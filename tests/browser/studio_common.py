"""A studio in a process of its own, and somebody in front of it with a browser."""

import csv
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from tests.unit.studio.common import baskets as write_baskets

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
EXAMPLES = Path(str(files("taxonym") / "examples"))
PATIENCE = 180.0  # seconds for what takes a few, or a minute where all is compiled first
HOSTILE = "<img src=x onerror=stolen=1>"
GOODS = (
    "whole milk", "rolls", "soda", "yogurt", "bottled water", "tropical fruit", "sausage", "pastry", "citrus fruit",
    "newspapers", "coffee", "frankfurter", "butter", "pork", "apple", "beef",
)  # fmt: skip


def fill(folder: Path) -> None:
    """Small files: diagnoses, a grocery list, a search log, an access log, and baskets with a plan, twice."""
    write_baskets(folder)
    shutil.copy(folder / "baskets.csv", folder / "orders.csv")
    for name in ("diagnoses-taxonomy.csv", "diagnoses.toml"):
        shutil.copy(EXAMPLES / name, folder / name)
    _head(EXAMPLES / "diagnoses.csv", folder / "diagnoses.csv", 260)
    _head(EXAMPLES / "access.log", folder / "access.log", 400)
    with open(EXAMPLES / "search-log.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    users = set(list(dict.fromkeys(row[0] for row in rows[1:]))[:24])
    _write(folder / "searches.csv", [rows[0], *(row for row in rows[1:] if row[0] in users)])
    baskets = [[GOODS[(i * step) % len(GOODS)] for step in (1, 3, 7)] + ["rolls", "soda"] for i in range(40)]
    lines = [[f"b{i}", "; ".join(dict.fromkeys(basket)), HOSTILE] for i, basket in enumerate(baskets)]
    _write(folder / "groceries.csv", [["basket id", "items", HOSTILE], *lines])


def _head(source: Path, to: Path, lines: int) -> None:
    with open(source, encoding="utf-8") as file:
        to.write_text("".join(line for _, line in zip(range(lines), file, strict=False)), encoding="utf-8")


def _write(path: Path, rows: list[list[str]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


class Served:
    """A running studio: its folder, its process, and the address that it prints."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "taxonym", "studio", str(folder), "--no-open"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.start = self.process.stdout.readline().strip()
        self.home = self.start.partition("/start")[0]

    def workers(self) -> list[int]:
        """The processes that work for it, the newest last."""
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        threads = Path(f"/proc/{self.process.pid}/task").iterdir()
        every = {int(pid) for thread in threads for pid in (thread / "children").read_text().split()} | {
            *map(int, found)
        }
        return sorted(pid for pid in every if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes())

    def stop(self) -> str:
        """End it; what it said on the way."""
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=120)
        return said


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    made = Served(folder)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.process.kill()
            made.process.communicate()


class Person:
    """Somebody with a browser: what it complained of, and what it asked whom for."""

    def __init__(self, context: Any, home: str) -> None:
        self.home, self.said, self.asked = home, list[str](), set[str]()
        self.page = context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append("a dialog"), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.add(request.url.partition("?")[0]))

    def go(self, path: str) -> None:
        self.page.goto(self.home + path)
        self.settled()

    def settled(self, without: str = "#job") -> None:
        """Wait until nothing is being done for the page."""
        self.until(
            f"!document.querySelector({without!r}) && "
            "!document.querySelector('.htmx-request, .htmx-settling, .htmx-added')"
        )

    def until(self, holds: str) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if self.page.evaluate(f"document.body && ({holds})"):
                    return
            except Exception as error:  # the page was loaded again while it was asked
                if "navigat" not in str(error) and "destroyed" not in str(error):
                    raise
            self.page.wait_for_timeout(30)
        raise AssertionError(f"{self.page.url}: {holds} is never true; {self.said}")

    def button(self, name: str, **more: Any) -> Any:
        return self.page.get_by_role("button", name=name, **more)

    def press_to(self, name: str, key: str = "Tab") -> None:
        """Press a key until something of this name has the focus, as who has no mouse does."""
        named = (
            "(e => (e.getAttribute('aria-label') || (e.labels && e.labels[0] && e.labels[0].textContent) "
            "|| e.textContent || '').trim().replace(/\\s+/g, ' '))(document.activeElement)"
        )
        for _ in range(150):
            self.page.keyboard.press(key)
            if self.page.evaluate(named).startswith(name):
                return
        raise AssertionError(f"{self.page.url}: no way to {name!r} by the keyboard")

    def violations(self) -> list[str]:
        """What axe finds serious on this page."""
        self.page.evaluate(AXE)
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {node['html'][:120]}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]

    def check(self) -> None:
        """Nothing is said on the console, nobody else is asked, nothing has to be scrolled sideways, axe is content."""
        assert self.said == []
        assert [url for url in self.asked if not url.startswith((self.home, "data:"))] == []
        width = self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1], self.page.url
        assert self.violations() == [], self.page.url


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "zombie" not in Path(f"/proc/{pid}/status").read_text()
