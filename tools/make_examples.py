"""Makes the example data that ships with Taxonym; nothing of this runs at a user's place.

    python tools/make_examples.py [FOLDER]

Writes search-log.csv, diagnoses.csv, diagnoses-taxonomy.csv, survey.csv and survey-hierarchy.csv into
src/taxonym/examples/ or FOLDER, byte for byte the same on every run. What people search for and how illnesses go
together is written by hand in tools/examples/; all the rest is drawn. All persons are invented.
"""

import argparse
import csv
import datetime as dt
import math
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from taxonym.papers.martinez2012.survey import VGH3
from taxonym.papers.martinez2012.survey import survey as answers

T = TypeVar("T")
HERE = Path(__file__).parent / "examples"
OUT = Path(__file__).parent.parent / "src" / "taxonym" / "examples"
SEED = 2014


class Draws:
    """Random choices from Random.random() alone: its numbers for a seed are the same in every version of Python."""

    def __init__(self, seed: int) -> None:
        self.unit: Callable[[], float] = Random(seed).random

    def below(self, n: int) -> int:
        return int(self.unit() * n)

    def chance(self, share: float) -> bool:
        return self.unit() < share

    def one(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], weights: Iterable[float]) -> T:
        sums = list(accumulate(weights))
        mark = self.unit() * sums[-1]
        return next((item for item, upto in zip(items, sums, strict=True) if mark < upto), items[-1])

    def ranked(self, items: Sequence[T], steep: float) -> T:
        """Earlier items more often: item number r by r ** -steep, as the frequencies of words and queries fall."""
        return self.weighted(items, zipf(len(items), steep))

    def about(self, mean: float) -> float:
        """From 0 up, most of them small."""
        return -mean * math.log(1 - self.unit())

    def between(self, least: float, usual: float, most: float) -> float:
        """Triangular."""
        u, width = self.unit(), most - least
        if not width:
            return least
        if u < (usual - least) / width:
            return least + math.sqrt(u * width * (usual - least))
        return most - math.sqrt((1 - u) * width * (most - usual))

    def numbers(self, count: int, least: int, most: int) -> list[int]:
        """Different whole numbers in the order drawn, for ids that say nothing."""
        found: dict[int, None] = {}
        while len(found) < count:
            found[least + self.below(most - least)] = None
        return list(found)


@cache
def zipf(n: int, steep: float) -> tuple[float, ...]:
    return tuple((r + 1) ** -steep for r in range(n))


def write(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


# ---------------------------------------------------------------------- the search log

USERS = 600
FEWEST, MOST = 3, 25  # queries of a user
FIRST_DAY, DAYS = dt.datetime(2026, 3, 2), 14
HOURS = (2, 1, 1, 1, 1, 2, 4, 7, 9, 10, 10, 10, 11, 10, 10, 10, 11, 12, 13, 15, 16, 14, 9)  # how many search at 0..22
INTERESTS = (2, 4, 3, 1)  # how many have 1, 2, 3, 4
EVERYBODYS, OTHERS = 0.22, 0.1  # share of queries that everybody types, and of some topic outside the interests
COMMON = 0.4  # share of a topic's queries that many type alike
REPEATED, REFINED, MISSPELT, OPERATED, ADDRESS = 0.06, 0.05, 0.04, 0.02, 0.015
MORE = ("near me", "online", "pictures", "for free", "reviews", "cheap", "video", "2026", "how to", "list", "meaning")
ENDINGS = ("{city}", "in {town}", "{state}", "near {town}")
IRREGULAR = {"wolf": "wolves", "goose": "geese", "moose": "moose", "octopus": "octopuses", "goldfish": "goldfish"}

Topic = Mapping[str, list[str]]


def read_topics() -> tuple[dict[str, Topic], dict[str, float]]:
    """Every topic's lists, and how many have it as an interest."""
    topics: dict[str, Topic] = {}
    weights: dict[str, float] = {}
    for path in sorted(HERE.glob("topics-*.toml")):
        for name, topic in tomllib.loads(path.read_text("utf-8")).items():
            weights[name] = topic.pop("weight", 0)
            topics[name] = {key: [" ".join(v.split()) for v in text.split(",")] for key, text in topic.items()}
    return topics, weights


def read_revealing() -> list[list[str]]:
    """The queries that point at one person, person by person."""
    text = (HERE / "revealing.txt").read_text("utf-8")
    people = [[line for line in part.splitlines() if line[:1] != "#"] for part in text.split("\n\n")]
    return [lines for lines in people if lines]


def search_log(path: Path) -> None:
    draws = Draws(SEED)
    topics, weights = read_topics()
    names = [name for name in topics if weights[name]]
    revealing = read_revealing()
    rows: list[tuple[str, int, str]] = []
    for n, user in enumerate(draws.numbers(USERS, 100_000, 1_000_000)):
        mine: list[str] = []
        for _ in range(draws.weighted((1, 2, 3, 4), INTERESTS)):
            mine.append(draws.weighted(names, [weights[name] * (name not in mine) for name in names]))
        asked: list[str] = []
        for _ in range(min(MOST, FEWEST + int(draws.about(6)))):
            asked.append(next_query(draws, topics, names, mine, asked))
        every = USERS // len(revealing)
        if n % every == every // 2 and n // every < len(revealing):
            theirs = revealing[n // every]
            asked = asked[: MOST - len(theirs)]
            at = draws.below(len(asked) + 1)
            asked[at:at] = theirs
        moments = when(draws, len(asked))
        rows += [(moment.isoformat(), user, query) for moment, query in zip(moments, asked, strict=True)]
    write(path, ("user", "time", "query"), [(user, moment, query) for moment, user, query in sorted(rows)])


def next_query(draws: Draws, topics: Mapping[str, Topic], names: list[str], mine: list[str], asked: list[str]) -> str:
    if asked and draws.chance(REPEATED):
        return draws.one(asked)
    if asked and draws.chance(REFINED):
        more = draws.one(MORE) if draws.chance(0.6) else filled(draws, draws.one(ENDINGS), topics["shared"], {})
        return asked[-1] if asked[-1].endswith((more, ".example")) else f"{asked[-1]} {more}"
    if draws.chance(EVERYBODYS):
        return draws.ranked(topics["everybody"]["common"], 0.45)
    topic = topics[draws.one(names) if draws.chance(OTHERS) else draws.ranked(mine, 0.7)]
    if draws.chance(COMMON):
        query = draws.ranked(topic["common"], 0.8)
    else:
        query = filled(draws, draws.ranked(topic["say"], 0.3), topic, topics["shared"])
    if draws.chance(MISSPELT):
        return misspelt(draws, query)
    if draws.chance(OPERATED):
        return operated(draws, query)
    if draws.chance(ADDRESS):
        return f"www.{''.join(re.findall('[a-z]+', query)[-2:])}.example"
    return query


def filled(draws: Draws, pattern: str, topic: Topic, shared: Topic) -> str:
    """A pattern with its words; a word that stands twice differs."""
    used: set[str] = set()

    def word(slot: re.Match[str]) -> str:
        words = topic.get(slot[1]) or shared[slot[1]]
        chosen = draws.ranked([w for w in words if w not in used], 0.6)
        used.add(chosen)
        return plural(chosen) if slot[2] else chosen

    query = re.sub(r"\{(\w+)\}(s\b)?", word, pattern)
    query = re.sub(r"\b(a|an|the) (a|an|the) ", r"\2 ", query)
    return re.sub(r"\ba (?=[aeio]|un(?!i)|umb)(?!one|eu)", "an ", query)


def plural(word: str) -> str:
    if word.endswith(("s", "x", "ch", "sh")) and word not in IRREGULAR:
        return word + "es"
    return IRREGULAR.get(word) or (word[:-1] + "ies" if re.search("[^aeiou]y$", word) else word + "s")


def misspelt(draws: Draws, query: str) -> str:
    """One of the longer words with letters swapped, lost or doubled."""
    words = query.split(" ")
    long = [i for i, word in enumerate(words) if len(word) > 5 and word.isalpha()]
    if not long:
        return query
    at = draws.one(long)
    word, i, how = words[at], 1 + draws.below(len(words[at]) - 3), draws.below(3)
    swapped, lost = word[:i] + word[i + 1] + word[i] + word[i + 2 :], word[:i] + word[i + 1 :]
    words[at] = (swapped, lost, word[:i] + word[i] + word[i:])[how]
    return " ".join(words)


def operated(draws: Draws, query: str) -> str:
    words = query.split(" ")
    return draws.one(
        (
            f'"{query}"',
            " ".join(f"+{word}" if len(word) > 3 else word for word in words),
            f"{query} -{draws.one(('ebay', 'amazon', 'video', 'pdf', 'free'))}",
            f"{query} site:{max(words, key=len)}forum.example",
            f"{query} filetype:pdf",
        )
    )


def when(draws: Draws, count: int) -> list[dt.datetime]:
    """The moments of a user's queries: sittings of up to five queries that follow each other soon."""
    moments: list[dt.datetime] = []
    while len(moments) < count:
        hour = draws.weighted(range(len(HOURS)), HOURS)
        moment = FIRST_DAY + dt.timedelta(days=draws.below(DAYS), hours=hour, seconds=draws.below(3600))
        for _ in range(min(1 + draws.below(5), count - len(moments))):
            moments.append(moment)
            moment += dt.timedelta(seconds=20 + draws.below(220))
    return sorted(moments)


# ---------------------------------------------------------------------- the diagnoses

PATIENTS = 700
VISITS = (68, 18, 9, 4, 1)  # how many patients come 1, 2, 3, 4, 5 times
YEAR = 2025
MOST_DIAGNOSES = 8
ROOT = "00"
CHRONIC = "chronic"  # the cluster of what people bring along, the more the older they are
BROUGHT, TOUCHED, AGAIN, SYNONYM = 0.65, 0.25, 0.5, 0.35  # chances


@dataclass(frozen=True, slots=True)
class Concept:
    """A line of diagnoses.txt. `often`: cluster -> weight; `sex` and `ages` say who may have it.

    An id is the place in the outline: 04.1.2.3 is the third diagnosis of the second category of 04.1.
    """

    id: str
    parent: str
    label: str
    synonyms: list[str]
    often: dict[str, float]
    sex: str
    ages: tuple[int, int]

    def fits(self, sex: str, age: int) -> bool:
        return self.sex in ("", sex[0]) and self.ages[0] <= age <= self.ages[1]


def read_concepts() -> list[Concept]:
    concepts, place = [], list[int]()
    for line in (HERE / "diagnoses.txt").read_text("utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        level = (len(line) - len(line.lstrip())) // 2
        names, _, tags = line.strip().partition(" # ")
        label, _, others = names.partition(" = ")
        often, sex, ages = {}, "", (0, 120)
        for tag in filter(None, tags.split(", ")):
            if tag in ("f", "m"):
                sex = tag
            elif tag[-1] == "+":
                ages = (int(tag[:-1]), 120)
            elif tag[0] == "-":
                ages = (0, int(tag[1:]))
            else:
                cluster, weight = tag.split(" ")
                often[cluster] = float(weight)
        place = [*place[:level], place[level] + 1 if level < len(place) else 1]
        ids = [ROOT, *(".".join([f"{place[0]:02}", *map(str, place[1 : n + 1])]) for n in range(level + 1))]
        concepts.append(Concept(ids[-1], ids[-2], label, [s for s in others.split(" | ") if s], often, sex, ages))
    return concepts


def taxonomy(path: Path) -> None:
    rows = [(c.id, c.parent, c.label, "|".join(c.synonyms)) for c in read_concepts()]
    write(path, ("child", "parent", "label", "synonyms"), [(ROOT, "", "Diagnosis", ""), *rows])


class Ward:
    """Draws the diagnoses of visits."""

    def __init__(self, draws: Draws) -> None:
        rules: dict[str, Any] = tomllib.loads((HERE / "comorbidity.toml").read_text("utf-8"))
        self.draws = draws
        self.concepts = {c.label: c for c in read_concepts()}
        self.clusters: dict[str, dict[str, Any]] = rules["clusters"]
        self.follows: dict[str, dict[str, float]] = rules["follows"]
        self.excludes: dict[str, list[str]] = rules["excludes"]
        self.alone: list[str] = rules["alone"]
        listed = {*self.follows, *self.alone, *(d for some in self.excludes.values() for d in some)}
        listed.update(d for some in self.follows.values() for d in some)
        if lost := sorted(listed - self.concepts.keys()):
            raise SystemExit(f"comorbidity.toml: not in diagnoses.txt: {', '.join(lost)}")

    def pick(self, cluster: str, sex: str, age: int, but: Collection[str] = ()) -> str:
        free = [c for c in self.concepts.values() if cluster in c.often and c.fits(sex, age) and c.label not in but]
        return self.draws.weighted([c.label for c in free], [c.often[cluster] for c in free])

    def brought(self, sex: str, age: int) -> list[str]:
        """What a patient has had for long."""
        found: list[str] = []
        for _ in range(min(5, int(self.draws.about(max(0, age - 35) / 22)))):
            self.add(found, self.pick(CHRONIC, sex, age), sex, age)
        return found

    def visit(self, cluster: str, sex: str, age: int, brought: list[str], before: list[str]) -> list[str]:
        draws, about = self.draws, self.clusters[cluster]
        only = self.excludes[about["stays"]] if "stays" in about else self.concepts.keys()
        again = before and ("stays" in about or draws.chance(AGAIN))
        first = before[0] if again else self.pick(cluster, sex, age, self.concepts.keys() - only)
        found: list[str] = []
        self.add(found, first, sex, age)
        for _ in range(0 if first in self.alone else int(draws.about(about["more"]) + 0.5)):
            self.add(found, self.pick(cluster, sex, age, self.alone), sex, age)
        if about["touches"] and draws.chance(TOUCHED):
            self.add(found, self.pick(draws.one(about["touches"]), sex, age), sex, age)
        for label in brought:
            if draws.chance(BROUGHT):
                self.add(found, label, sex, age)
        return found[:MOST_DIAGNOSES]

    def add(self, found: list[str], label: str, sex: str, age: int) -> None:
        """Add a diagnosis, and those that follow it, unless something excludes it."""
        rivals = {d for some in self.excludes.values() if label in some for d in some}
        if label in found or rivals.intersection(found) or not self.concepts[label].fits(sex, age):
            return
        found.append(label)
        for other, chance in self.follows.get(label, {}).items():
            if self.draws.chance(chance):
                self.add(found, other, sex, age)

    def worded(self, label: str) -> str:
        others = self.concepts[label].synonyms
        return self.draws.one(others) if others and self.draws.chance(SYNONYM) else label


def diagnoses(path: Path) -> None:
    draws = Draws(SEED + 1)
    ward = Ward(draws)
    names = list(ward.clusters)
    rows: list[tuple[str, str, int, str, str, int]] = []
    for patient in draws.numbers(PATIENTS, 10_000, 100_000):
        cluster = draws.weighted(names, [ward.clusters[name]["share"] for name in names])
        about = ward.clusters[cluster]
        age = int(draws.between(*about["age"]))
        women = 1.0 if cluster == "pregnancy" else 0.7 if cluster == "genital" else 0.51
        sex = "female" if draws.chance(women) else "male"
        brought, before = ward.brought(sex, age), list[str]()
        times = 1 if about.get("once") else draws.weighted((1, 2, 3, 4, 5), VISITS)
        for day in sorted(draws.numbers(times, 0, 365)):
            before = ward.visit(cluster, sex, age, brought, before)
            stay = min(60, round(draws.about(about["stay"]) * (0.6 + 0.12 * len(before))))
            date = (dt.date(YEAR, 1, 1) + dt.timedelta(days=day)).isoformat()
            cell = ";".join(map(ward.worded, before))
            rows.append((date, f"P{patient}", YEAR - age, sex, cell, stay))
    ordered = [(patient, born, sex, date, cell, stay) for date, patient, born, sex, cell, stay in sorted(rows)]
    write(path, ("patient", "birth_year", "sex", "visit", "diagnoses", "stay_days"), ordered)


# ---------------------------------------------------------------------- the survey


def survey(path: Path) -> None:
    """The answers of the paper's experiment, with how many days each visitor stayed."""
    draws = Draws(SEED)
    rows = [(reason, activity, 1 + min(13, int(draws.about(2)))) for reason, activity in answers()]
    write(path, ("reason", "activity", "days"), rows)


def survey_hierarchy(path: Path) -> None:
    """Its finer hierarchy, one line per value: the value, then what it becomes, up to the top."""
    lines = []
    for line in VGH3.strip().splitlines():
        above, _, values = line.partition(": ")
        lines += [(value, *reversed(above.split(" > "))) for value in values.split(", ")]
    write(path, ("value", "level 1", "level 2", "top"), sorted(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=OUT)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    search_log(folder / "search-log.csv")
    diagnoses(folder / "diagnoses.csv")
    taxonomy(folder / "diagnoses-taxonomy.csv")
    survey(folder / "survey.csv")
    survey_hierarchy(folder / "survey-hierarchy.csv")


if __name__ == "__main__":
    main()
