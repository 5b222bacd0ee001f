"""Makes the example access log that ships with Taxonym; nothing of this runs at a user's place.

    python tools/make_access_log.py [FOLDER]

Writes access.log into src/taxonym/examples/ or FOLDER, byte for byte the same on every run: two days of a bookshop's
site. All visitors are invented; addresses are those that are set aside for documentation (RFC 5737, RFC 3849), which
belong to nobody.
"""

import argparse
import datetime as dt
from pathlib import Path

from make_examples import OUT, Draws

SEED = 2010
VISITORS = 90
START = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
AGENTS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 "
    "Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 "
    "Safari/605.1.15",
    "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "curl/8.5.0",
    "Lynx/2.9.0",
)
SHELVES = {"crime": 9, "poetry": 5, "travel": 7, "garden": 4, "children": 6}
FROM = (
    "-",
    "-",
    "https://search.example/",
    "https://news.example/books/spring",
    "https://blog.example/reading/2026/03",
)
SITE = "https://books.example"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", nargs="?", type=Path, default=OUT)
    lines = sorted(made(Draws(SEED)))
    text = "".join(f"{line}\n" for _, line in lines)
    (arguments.parse_args().folder / "access.log").write_text(text, "ascii", newline="\n")


def made(draws: Draws) -> list[tuple[dt.datetime, str]]:
    """Every visitor comes once to three times and looks at some books; some search, some ask for what is not there."""
    found = []
    for visitor in range(VISITORS):
        address, agent = _address(draws, visitor), draws.ranked(AGENTS, 0.9)
        for _ in range(1 + draws.below(3)):
            now = START + dt.timedelta(seconds=draws.below(2 * 86_400))
            page, before = "/", draws.one(FROM)
            for _ in range(1 + int(draws.about(4.0))):
                gone = draws.chance(0.03)
                status, size = ("404", 162) if gone else ("200", 2_000 + sum(map(ord, page)) * 7 % 30_000)
                stamp = now.strftime("%d/Mar/%Y:%H:%M:%S +0000")
                found.append(
                    (now, f'{address} - - [{stamp}] "GET {page} HTTP/1.1" {status} {size} "{before}" "{agent}"')
                )
                before, page = f"{SITE}{page.partition('?')[0]}", _next(draws, visitor)
                now += dt.timedelta(seconds=5 + int(draws.about(90.0)))
    return found


def _address(draws: Draws, visitor: int) -> str:
    if visitor % 6 == 5:
        return f"2001:db8:{draws.below(4):x}:{draws.below(9):x}::{1 + draws.below(999):x}"
    return f"{draws.one(('192.0.2', '198.51.100', '203.0.113'))}.{1 + draws.below(254)}"


def _next(draws: Draws, visitor: int) -> str:
    kind = draws.unit()
    if kind < 0.08:
        return f"/search?q=a+present+for+visitor+{visitor}"  # what nobody else asks for
    if kind < 0.3:
        return draws.one(("/", "/style.css", "/logo.png", "/opening-hours"))
    shelf = draws.ranked(tuple(SHELVES), 0.8)
    book = draws.below(SHELVES[shelf] + 1)
    return f"/{shelf}/" if book == 0 else f"/{shelf}/book-{book}"


if __name__ == "__main__":
    main()
