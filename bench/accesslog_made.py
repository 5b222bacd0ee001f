"""An access log of our own making, of any length: visitors of a shop and its blog, some of them crawlers.

    python bench/accesslog_made.py LINES OUT.log

A visitor has an address (nine of ten IPv4 from 10.0.0.0/8 in 4,000 networks, one of ten IPv6 from 2001:db8::/32), one
of 400 agents (browser, version, system; by Zipf), and on average 2 sessions, spread over 14 days, of about 4 lines each
(lognormal). A session starts at one of 3,000 pages (by Zipf) with a referrer (none, one of three search engines or of
200 sites), and goes on to pages of the same folder, the referrer being the page before. One visitor in 500 is a crawler
with a hundred times as many lines. Pages lie in 3 levels of folders; one request in 20 has a query of its own, one in
25 fails. The same number of lines gives the same bytes.
"""

import sys
from pathlib import Path

import numpy as np

DAY = 1_700_000_000 // 86_400 * 86_400
BROWSERS = ("Chrome", "Firefox", "Safari", "Edge", "Opera")
SYSTEMS = (
    "Windows NT 10.0; Win64; x64",
    "Macintosh; Intel Mac OS X 10_15_7",
    "X11; Linux x86_64",
    "Linux; Android 13; K",
)
ENGINES = ("https://www.google.com/", "https://www.bing.com/", "https://duckduckgo.com/")


def zipf(n: int, s: float = 1.0) -> np.ndarray:
    weights = 1 / np.arange(1, n + 1) ** s
    return np.cumsum(weights / weights.sum())


def agents() -> list[str]:
    made = []
    for version in range(120, 100, -1):
        for browser in BROWSERS:
            for system in SYSTEMS:
                made.append(agent(browser, version, system))
    return made


def agent(browser: str, version: int, system: str) -> str:
    kit = "AppleWebKit/537.36 (KHTML, like Gecko)"
    if browser == "Firefox":
        return f"Mozilla/5.0 ({system}; rv:{version}.0) Gecko/20100101 Firefox/{version}.0"
    if browser == "Safari":
        return (
            f"Mozilla/5.0 ({system}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/{version % 18}.0 Safari/605.1.15"
        )
    more = {"Chrome": "", "Edge": f" Edg/{version}.0.0.0", "Opera": f" OPR/{version - 14}.0.0.0"}[browser]
    return f"Mozilla/5.0 ({system}) {kit} Chrome/{version}.0.0.0 Safari/537.36{more}"


def address(number: int, random: np.random.Generator) -> str:
    network, host = divmod(int(number), 1 << 12)
    if number % 10 == 9:
        return f"2001:db8:{network % 4000:x}:{host:x}::{int(random.integers(1, 1 << 16)):x}"
    return f"10.{network % 4000 >> 4}.{(network & 15) << 4 | host >> 8}.{host & 255}"


def write(lines: int, out: Path, seed: int = 1) -> None:
    """Write a log of so many lines."""
    random = np.random.default_rng(seed)
    names, sites = agents(), [f"https://site{i}.example/links/{i % 7}" for i in range(200)]
    pages = [f"/{'shop' if p % 3 else 'blog'}/{p % 40}/{p % 400}/page{p}.html" for p in range(3000)]
    size = random.integers(500, 60_000, len(pages))
    page_of, agent_of, site_of = zipf(len(pages)), zipf(len(names)), zipf(len(sites))
    times, texts, made = [], [], 0
    visitor = 0
    while made < lines:
        visitor += 1
        home = address(int(random.integers(0, 4000 << 12)), random)
        crawler = visitor % 500 == 0
        name = (
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
            if crawler
            else names[int(np.searchsorted(agent_of, random.random()))]
        )
        for _ in range(1 + int(random.poisson(1.0))):
            many = max(1, int(random.lognormal(1.0, 0.8) * (100 if crawler else 1)))
            now = DAY + float(random.random() * 14 * 86_400)
            page = int(np.searchsorted(page_of, random.random()))
            luck = random.random(6)
            before = (
                "-"
                if luck[0] < 0.5 or crawler
                else ENGINES[int(3 * luck[1])]
                if luck[2] < 0.6
                else sites[int(np.searchsorted(site_of, luck[3]))]
            )
            for _ in range(many):
                luck = random.random(4)
                query = f"?id={int(luck[0] * 1e6)}" if luck[1] < 0.05 else ""
                status, bytes_ = ("404", "196") if luck[2] < 0.04 else ("200", str(size[page]))
                texts.append(f'"GET {pages[page]}{query} HTTP/1.1" {status} {bytes_} "{before}" "{name}"')
                times.append((now, home))
                now += float(random.exponential(60))
                before = "-" if crawler else f"https://shop.example{pages[page]}"
                page = (
                    int(np.searchsorted(page_of, luck[3])) if crawler else (page + 400 * int(luck[3] * 7)) % len(pages)
                )
                made += 1
    order = sorted(range(lines), key=lambda i: times[i])
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    stamps = np.array([times[i][0] for i in order], np.int64).astype("datetime64[s]").astype(str)
    with out.open("w", encoding="ascii") as file:
        for i, stamp in zip(order, stamps.tolist(), strict=True):
            day = f"{stamp[8:10]}/{months[int(stamp[5:7]) - 1]}/{stamp[:4]}:{stamp[11:]}"
            file.write(f"{times[i][1]} - - [{day} +0000] {texts[i]}\n")


if __name__ == "__main__":
    write(int(sys.argv[1]), Path(sys.argv[2]))
