"""A headless Chromium, Debian's: without it these tests are skipped, but never in CI."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--disable-background-networking", "--disable-component-update", "--disable-gpu", "--disable-quic",
    "--disable-sync", "--no-first-run", "--no-sandbox",
)  # fmt: skip
DRAWN = "document.querySelectorAll('[data-chart]').length === document.querySelectorAll('[data-drawn]').length"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        absent = "no Chromium is installed: apt-get install chromium"
        pytest.fail(absent) if os.environ.get("CI") else pytest.skip(absent)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield started
        started.close()


class Opened:
    """A page of a browser, what it complained of and what it asked the network for."""

    def __init__(self, browser: Any, file: Path, **settings: Any) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        self.context = browser.new_context(**settings)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append("a dialog"), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())
        self.file = file
        self.until(DRAWN)

    def until(self, holds: str) -> None:
        """Wait until an expression is true. (The browser's own way to wait needs `eval`, which a report forbids.)"""
        for _ in range(400):
            if self.page.evaluate(holds):
                return
            self.page.wait_for_timeout(50)
        pytest.fail(f"{self.file.name}: {holds} is never true; {self.said}")


@pytest.fixture
def look(browser: Any) -> Iterator[Callable[..., Opened]]:
    """Open a file; settings are those of a browser's context."""
    opened: list[Opened] = []

    def open_(file: Path, **settings: Any) -> Opened:
        opened.append(Opened(browser, file, **settings))
        return opened[-1]

    yield open_
    for one in opened:
        one.context.close()
