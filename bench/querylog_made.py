"""A query log of invented users, of stated making: python bench/querylog_made.py USERS FILE [SEED]

It is made from WordNet's nouns and a few words of our own, and from nobody's log:

    topics    400 concepts of WordNet with 15 to 150 concepts below them. A topic has up to 60 queries: a label below
              it, alone or with one of 40 words around it ("… recipe", "cheap …"). Topic t is as popular as 1 / t
    sites     120 invented sites, asked by their names as many people do instead of typing an address
    users     have 1 to 4 topics, and lines that follow a lognormal law (median 9). A line is one of a site (25 %), one
              of the user's topics (60 %: query i of a topic with weight 1 / i), or what nobody else asks (15 %: such a
              query and a made-up name)
    repeats   a line is asked again, as for the next page of results, with probability 0.2
    clicks    six of ten lines have one: the site's own address, or one of five addresses of the topic; rank and time

The file is AOL-like: a header, then user, query, time, rank and address, with tabs between them, in the order of time.
"""

import sys
from pathlib import Path

import numpy as np

import taxonym
from taxonym.knowledge.taxonomy import Taxonomy

TOPICS, PER_TOPIC, SITES = 400, 60, 120
AROUND = (
    "{} recipe", "cheap {}", "{} for sale", "buy {}", "{} pictures", "free {}", "{} online", "history of {}", "best {}",
    "{} near me", "what is {}", "how to make {}", "{} shop", "used {}", "{} prices", "{} reviews", "types of {}",
    "{} club", "{} society", "{} facts", "{} museum", "{} school", "{} courses", "{} jobs", "{} books", "{} maps",
    "{} law", "{} news", "{} music", "{} film", "{} weather", "{} insurance", "{} holidays", "{} toys", "{} software",
    "{} repair", "{} rental", "{} supplies", "{} association", "{} dictionary",
)  # fmt: skip
SYLLABLES = ("zor", "vex", "quil", "mab", "tru", "nol", "pex", "gri", "dav", "lum", "kez", "wob")
HEADER = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"


def topics_of(tax: Taxonomy, rng: np.random.Generator) -> list[list[str]]:
    """The queries of every topic, the most frequent first."""
    sizes = np.bincount(tax.ancestor, minlength=len(tax))
    fit = np.flatnonzero((sizes >= 15) & (sizes <= 150) & (tax.depths >= 5))
    made = []
    for top in rng.choice(fit, TOPICS, replace=False).tolist():
        below = [c for c in tax.descendants(top) if not tax.is_instance(c)]
        labels = sorted({tax.label(c).replace("_", " ").casefold() for c in below})
        queries: dict[str, None] = {}
        while len(queries) < PER_TOPIC:
            label = labels[int(rng.integers(len(labels)))]
            around = AROUND[int(rng.integers(len(AROUND)))] if rng.random() < 0.6 else "{}"
            queries[around.format(label)] = None
            if len(queries) >= 2 * len(labels):
                break
        made.append(list(queries))
    return made


def name(rng: np.random.Generator, syllables: int) -> str:
    return "".join(SYLLABLES[i] for i in rng.integers(len(SYLLABLES), size=syllables))


def weights(n: int) -> np.ndarray:
    found = 1 / np.arange(1, n + 1)
    return found / found.sum()


def write_log(path: Path, users: int, seed: int = 1) -> int:
    """Write the log of so many users; also how many lines it has."""
    rng = np.random.default_rng(seed)
    tax = taxonym.load("wordnet")
    topics = topics_of(tax, rng)
    sites = [name(rng, 2 + i % 2) for i in range(SITES)]
    ids = rng.permutation(10 * users)[:users] + 10_000
    lines: list[tuple[int, str]] = []
    for user in ids.tolist():
        mine = rng.choice(TOPICS, int(rng.integers(1, 5)), replace=False, p=weights(TOPICS))
        moment = int(rng.integers(90 * 86_400))
        for _ in range(max(1, int(rng.lognormal(2.2, 0.8)))):
            kind, topic = rng.random(), int(rng.choice(mine))
            queries = topics[topic]
            if kind < 0.25:
                site = sites[int(rng.choice(SITES, p=weights(SITES)))]
                query, address = site, f"http://www.{site}.example/"
            else:
                query = queries[int(rng.choice(len(queries), p=weights(len(queries))))]
                address = f"http://topic{topic}.site{int(rng.integers(5))}.example/{int(rng.integers(99))}"
                query = query if kind < 0.85 else f"{query} {name(rng, 4)}"
            moment += int(rng.exponential(40_000))
            while True:
                day = np.datetime64("2026-01-01T00:00:00") + moment % (90 * 86_400)
                click = f"{int(rng.integers(1, 11))}\t{address}" if rng.random() < 0.6 else "\t"
                lines.append((moment, f"{user}\t{query}\t{str(day).replace('T', ' ')}\t{click}\n"))
                moment += 60
                if rng.random() >= 0.2:
                    break
    lines.sort()
    with path.open("w", encoding="utf-8") as out:
        out.write(HEADER)
        out.writelines(line for _, line in lines)
    return len(lines)


if __name__ == "__main__":
    print(f"{write_log(Path(sys.argv[2]), int(sys.argv[1]), *map(int, sys.argv[3:])):,} lines")
