"""Make the pictures of the studio for the documentation, or of every screen in four sizes and both schemes.

    python tools/studio_screenshots.py            the pictures of docs/studio.md, in docs/images
    python tools/studio_screenshots.py --all DIR  every screen, to be looked at

It needs Chromium (Debian's package chromium) and, from the extra `dev`, playwright.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parents[1] / "docs" / "images"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desktop": (1280, 860), "large": (2560, 1440)}
PLACES = {
    "file": "/", "words": "/words", "hierarchy": "/hierarchy", "choose": "/choose",
    "before-and-after": "/before-and-after", "run": "/run", "release": "/release", "history": "/history",
}  # fmt: skip
MOST = 300_000  # bytes of a picture
PATIENCE = 300  # seconds for what is being done


def main() -> None:
    path = shutil.which("chromium")
    if path is None:
        raise SystemExit("no Chromium is installed: apt-get install chromium")
    every = Path(sys.argv[2]) if sys.argv[1:2] == ["--all"] else None
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        command = [sys.executable, "-m", "taxonym", "studio", "--demo", f"{name}/demo", "--no-open"]
        studio = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert studio.stdout is not None
        start = studio.stdout.readline().strip()
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 860}, color_scheme="light")
        try:
            page.goto(start)
            page.wait_for_url("**/")
            prepare(page)
            home = start.partition("/start")[0]
            if every is None:
                for name, place in PLACES.items():
                    show(page, home + place)
                    keep(f"studio-{name}.png", page.screenshot())
                page.emulate_media(color_scheme="dark")
                show(page, home + "/before-and-after")
                keep("studio-dark.png", page.screenshot())
            else:
                all_of_them(page, home, every)
        finally:
            browser.close()
            studio.terminate()
            studio.wait()


def prepare(page: Any) -> None:
    """The diagnoses with their plan, settings compared, and a release."""
    page.get_by_role("button", name="diagnoses.csv").click()
    until(page, "document.querySelector('.column')")
    page.get_by_text("Use a plan from this folder").click()
    page.get_by_label("Plan", exact=True).select_option("diagnoses.toml")
    page.get_by_role("button", name="Take it over").click()
    page.get_by_role("link", name="Choose").click()
    page.get_by_role("button", name="Try all settings").click()
    until(page, "document.querySelector('#frontier [data-drawn]')")
    page.get_by_role("link", name="Run").click()
    page.get_by_role("button", name="Start the run").click()
    until(page, "document.querySelector('a[href=\"/release\"].primary')")
    page.get_by_role("link", name="To the release").click()
    page.get_by_role("button", name="Verify").click()
    until(page, "document.body.textContent.includes('It holds.')")
    page.get_by_role("button", name="Attack").click()
    until(page, "document.querySelector('#attack table')")


def show(page: Any, address: str) -> None:
    page.goto(address)
    until(page, "!document.querySelector('#job, .spin, .htmx-request')")
    until(page, "document.querySelectorAll('[data-chart]').length === document.querySelectorAll('[data-drawn]').length")
    page.wait_for_timeout(200)


def all_of_them(page: Any, home: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, place in PLACES.items():
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for size, (width, height) in SIZES.items():
                page.set_viewport_size({"width": width, "height": height})
                show(page, home + place)
                page.screenshot(path=folder / f"{name}-{size}-{scheme}.png")


def until(page: Any, holds: str) -> None:
    """Wait until an expression is true. (The browser's own way to wait needs `eval`, which the studio forbids.)"""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if page.evaluate(f"Boolean(document.body && ({holds}))"):
                return
        except Exception as error:  # the page was loaded again while it was asked
            if "navigat" not in str(error) and "destroyed" not in str(error):
                raise
        page.wait_for_timeout(50)
    raise SystemExit(f"{page.url}: {holds} is never true")


def keep(name: str, picture: bytes) -> None:
    if len(picture) > MOST:
        raise SystemExit(f"{name}: has {len(picture):,} bytes, more than {MOST:,}")
    (IMAGES / name).write_bytes(picture)
    print(f"{IMAGES / name}: {len(picture):,} bytes")


if __name__ == "__main__":
    main()
