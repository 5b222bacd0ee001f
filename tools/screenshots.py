"""Make the pictures of the documentation: the top of the report that `taxonym demo` writes, and a chart of it.

    python tools/screenshots.py

It needs Chromium (Debian's package chromium) and, from the extra `dev`, playwright.
"""

import shutil
import tempfile
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import sync_playwright

from taxonym.plan import read_plan
from taxonym.run.pipeline import anonymize

IMAGES = Path(__file__).parents[1] / "docs" / "images"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
WIDTH = 1000
MOST = 300_000  # bytes of a picture


def main() -> None:
    path = shutil.which("chromium")
    if path is None:
        raise SystemExit("no Chromium is installed: apt-get install chromium")
    folder = Path(str(files("taxonym") / "examples"))
    plan = read_plan(folder / "diagnoses.toml")
    release = anonymize(folder / "diagnoses.csv", replace(plan, method=replace(plan.method, seed=1)))
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        report = Path(name) / "report.html"
        release.write_report(report)
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": WIDTH, "height": 900})
        page.goto(report.as_uri())
        page.wait_for_timeout(2_000)  # charts are drawn
        end = page.locator("section", has=page.locator("h2", has_text="What was lost")).bounding_box()
        if end is None:
            raise SystemExit("the report has no section on what was lost")
        top = {"x": 0.0, "y": 0.0, "width": float(WIDTH), "height": end["y"] - 24}
        keep("report.png", page.screenshot(clip=top, full_page=True))  # type: ignore[arg-type]
        keep("report-branches.png", page.locator("figure", has_text="Column diagnoses").screenshot())
        browser.close()


def keep(name: str, picture: bytes) -> None:
    if len(picture) > MOST:
        raise SystemExit(f"{name}: has {len(picture):,} bytes, more than {MOST:,}")
    (IMAGES / name).write_bytes(picture)
    print(f"{IMAGES / name}: {len(picture):,} bytes")


if __name__ == "__main__":
    main()
