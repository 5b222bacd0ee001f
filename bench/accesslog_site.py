"""An access log of our own making in which paths mean something: a Markov site.

    python bench/accesslog_site.py LINES OUT.log

The site has a home page, 12 sections, 20 articles in each, and a search. A page links to home, to its section and to
six articles of it (one of them in another section); a section links to all its articles, home to all sections. A
session begins at home (half), at an article by Zipf (.4) or at a section, with a referrer (none .5, one of three search
engines .35, one of 20 sites). After every page it ends (.18), reloads the page (.05), or goes on: by a link of the page
(.80 of the rest; links by Zipf in their order), by a link of the page before it, as after the back button (.12), or by
a search for one of 300 words (by Zipf). The referrer is the page whose link was followed; a reload repeats the referrer
of its page; one visitor in eight sends none. Ten links are broken (404), one answer in 20 is 304, one search in 50
fails (500). Visitors come from 10.0.0.0/8 with one of 60 agents (by Zipf), on average 2 sessions in 7 days, by day more
often than by night; one in 400 is a crawler, which asks for 200 random pages at a time and sends no referrer. Pauses
are lognormal around 20 seconds. The same number of lines gives the same bytes.
"""

import sys
from pathlib import Path

import numpy as np
from accesslog_made import DAY, ENGINES, agents, zipf

SITE = "https://site.example"
SECTIONS, ARTICLES, WORDS = 12, 20, 300
BOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def links(random: np.random.Generator) -> dict[str, list[str]]:
    """To which pages each page leads, the most used first."""
    sections = [f"/s{s}/" for s in range(SECTIONS)]
    leads = {"/": sections}
    for s, section in enumerate(sections):
        own = [f"{section}a{a}.html" for a in range(ARTICLES)]
        leads[section] = ["/", *own]
        for page in own:
            other = (
                f"/s{(s + 1 + int(random.integers(SECTIONS - 1))) % SECTIONS}/a{int(random.integers(ARTICLES))}.html"
            )
            near = [own[i] for i in random.permutation(ARTICLES)[:5].tolist() if own[i] != page]
            leads[page] = [section, *near, other, "/"]
    return leads


def write(lines: int, out: Path, seed: int = 1) -> None:
    """Write a log of so many lines."""
    random = np.random.default_rng(seed)
    leads = links(random)
    pages = [page for page in leads if page.endswith(".html")]
    broken = set(random.choice(pages, 10, replace=False).tolist())
    size = {page: int(random.integers(800, 60_000)) for page in leads}
    by_rank = {n: zipf(n) for n in {len(v) for v in leads.values()} | {len(pages), WORDS, 20, 60, SECTIONS}}
    names = agents()[:60]

    def ranked(n: int) -> int:
        return int(np.searchsorted(by_rank[n], random.random()))

    made: list[tuple[float, str]] = []
    visitor = 0
    while len(made) < lines:
        visitor += 1
        home = f"10.{visitor >> 16}.{visitor >> 8 & 255}.{visitor & 255}"
        crawler, sends = visitor % 400 == 0, random.random() > 1 / 8
        agent = BOT if crawler else names[ranked(60)]
        for _ in range(1 + int(random.poisson(1.0))):
            while (hour := random.random() * 24) and random.random() > (0.3 + 0.7 * (8 < hour < 22)):
                pass
            now = DAY + 86_400 * int(random.integers(7)) + 3_600 * hour
            luck = random.random(4)
            page = "/" if luck[0] < 0.5 else pages[ranked(len(pages))] if luck[0] < 0.9 else f"/s{ranked(SECTIONS)}/"
            before = (
                "-"
                if luck[1] < 0.5
                else ENGINES[int(3 * luck[2])]
                if luck[1] < 0.85
                else f"https://friend{ranked(20)}.example/links"
            )
            last = page
            for step in range(10_000):
                status = "404" if page in broken else "304" if random.random() < 0.05 else "200"
                if page.startswith("/search") and random.random() < 0.02:
                    status = "500"
                told = {"304": "-", "404": "196", "500": "312"}.get(status, str(size.get(page, 4_321)))
                shown = before if sends and not crawler else "-"
                made.append((now, f'"GET {page} HTTP/1.1" {status} {told} "{shown}" "{agent}"\t{home}'))
                now += float(random.lognormal(3.0, 1.0))
                if crawler:
                    if step >= 200:
                        break
                    page = pages[int(random.integers(len(pages)))]
                    continue
                if random.random() < 0.18:
                    break
                luck = random.random(2)
                if luck[0] < 0.05:
                    continue
                start = last if luck[1] >= 0.80 and luck[1] < 0.92 else page
                page, last = (
                    (f"/search?q=word{ranked(WORDS)}", page)
                    if luck[1] >= 0.92
                    else (leads.get(start, leads["/"])[ranked(len(leads.get(start, leads["/"])))], page)
                )
                before = SITE + start
    made = sorted(made[:lines])
    with out.open("w", encoding="ascii") as file:
        for time, text in made:
            stamp = str(np.datetime64(int(time), "s"))
            day = f"{stamp[8:10]}/{MONTHS[int(stamp[5:7]) - 1]}/{stamp[:4]}:{stamp[11:]}"
            rest, _, home = text.partition("\t")
            file.write(f"{home} - - [{day} +0000] {rest}\n")


if __name__ == "__main__":
    write(int(sys.argv[1]), Path(sys.argv[2]))
