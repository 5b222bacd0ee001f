"""What data mining still finds in the release of a query log [NavarroArribas2010, §3.2.1].

frequencies   of the most frequent queries and words, per 100 users: Figures 3.6 and 3.7; also of pairs of words and of
              clicked hosts. What fewer than k users wrote is not shown, and does not count: it may not be published.
              Beside them, how much two random halves of the users differ
sessions      of queries, where the plan tells times: what a user asks in the same step of time is one
clusters      of the same users before and after, on our distance (k-medoids) and on words without meaning (k-means):
              Figure 3.8, with the agreement of two clusterings of the original as the most that can be hoped for
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from taxonym.distance.record import Sets, record_matrix
from taxonym.io.files import read_released
from taxonym.knowledge.arrays import Floats, Long
from taxonym.measure.mining import agreement, k_means, k_medoids, still_on_top, total_variation
from taxonym.plan import Plan
from taxonym.records.queries import CONCEPT, QUERY, term_of
from taxonym.records.vocabulary import WHOLE
from taxonym.shapes.mining import Mining, table
from taxonym.shapes.query_log.read import QueryLogRecords, prepare_log, settings_of
from taxonym.shapes.query_log.reread import WrittenQueries, units_of
from taxonym.shapes.query_log.source import FORM, TIME_STEPS, host_of, parse_times
from taxonym.shapes.table.reread import Trail
from taxonym.text.language import ENGLISH

MOST = 2_000  # users that are clustered: all distances between them are kept
AXES = 64  # of the space that words are projected to
Counts = dict[str, float]
Key = tuple[str, str]  # a user, and what a line of that user has


def mine(original: str, release: str, plan: Plan, trail: Trail | None, options: Mining) -> dict[str, Any]:
    """Frequencies, and with the trail clusterings, of a log and its release."""
    shape = settings_of(plan)
    asked = prepare_log(original, plan)
    written = WrittenQueries.of(read_released(release), shape, str(release))
    rng = np.random.default_rng(options.seed)
    tables, figures = [], {}
    for what, keys, after in _keys(asked, written):
        before = _counts(keys, asked.plan.method.k)
        shown, figures[what] = _frequencies(what, before, dict(Counter(after)), asked, written, options.top)
        figures[what]["total_variation_of_two_halves"] = _halves(keys, before, rng.spawn(1)[0])
        tables.append(shown)
    notes = [_told(what, figures[what], options.top) for what in figures]
    if shape.times == "drop":
        notes.append('The release tells no times, so no sessions of queries: see times = "hour" under [querylog].')
    else:
        tables.append(_sessions(asked, written, rng.spawn(1)[0]))
    if trail is None:
        notes.append("Clusters of users were not compared: give the trail with --trail.")
    else:
        tables += _clusters(asked, written, trail, options, rng, notes)
    return {"kind": "querylog", "tables": tables, "frequencies": figures, "notes": notes}


# ---------------------------------------------------------------------- frequencies


def _keys(asked: QueryLogRecords, written: WrittenQueries) -> Iterator[tuple[str, list[Key], list[str]]]:
    """What is counted: of the log, who has it in a line; of the release, every line that has it."""
    shown = {name.removeprefix(WHOLE) for name in asked.words.names if name.startswith(WHOLE)}
    rows = asked.log.frame.select("user", "query").rows()
    told = written.frame.filter(written.frame[FORM] != CONCEPT)["query"].to_list()
    whole = written.frame.filter(written.frame[FORM] == QUERY)["query"].to_list()
    yield "queries", [(user, query) for user, query in rows if query in shown], whole
    for what, parts in (("words", words_in), ("pairs of words", pairs_in)):
        yield what, [(user, key) for user, query in rows for key in parts(query)], [k for t in told for k in parts(t)]
    if asked.shape.clicks != "drop":
        clicks = asked.log.frame.select("user", "click").rows()
        hosts = [(user, host_of(click)) for user, click in clicks if click]
        yield "clicked hosts", hosts, written.frame["click"].drop_nulls().to_list()


def pairs_in(text: str) -> list[str]:
    """The pairs of different words that stand together in a query, each once."""
    return [f"{a} + {b}" for a, b in combinations(sorted(set(words_in(text))), 2)]


def _counts(keys: list[Key], k: int) -> Counts:
    """How often everything occurs that at least k users have: names of concepts are nobody's words, and what fewer
    wrote may not be published."""
    users: dict[str, set[str]] = {}
    for user, key in keys:
        users.setdefault(key, set()).add(user)
    return {key: n for key, n in Counter(key for _, key in keys).items() if len(users[key]) >= k}


def _halves(keys: list[Key], counted: Counts, rng: np.random.Generator) -> float | None:
    """How much two random halves of the users differ: the original's own variation, below which nothing is lost."""
    users = sorted({user for user, _ in keys})
    if len(users) < 2 or not counted:
        return None
    first = {users[i] for i in rng.permutation(len(users))[: len(users) // 2].tolist()}
    parts = [Counter(key for user, key in keys if key in counted and (user in first) == side) for side in (True, False)]
    one, two = (np.array([part[key] for key in sorted(counted)], float) for part in parts)
    return total_variation(one, two)


def words_in(text: str) -> list[str]:
    """The words of a query that have content: no stop words, no marks, nothing of one letter."""
    found = re.findall(r"[^\W_]+(?:['-][^\W_]+)*", text)
    return [word for word in found if len(word) > 1 and word not in ENGLISH.stop_words | ENGLISH.auxiliaries]


def _frequencies(
    what: str, before: Counts, after: Counts, asked: QueryLogRecords, written: WrittenQueries, top: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    names = sorted(before.keys() | after.keys(), key=lambda name: (-before.get(name, 0), name))
    one, two = (np.array([counts.get(name, 0) for name in names], float) for counts in (before, after))
    users, others = asked.units.table.persons, len(written.users)
    shown = min(top, len(before))
    rows = [(names[i], 100 * one[i] / users, 100 * two[i] / others) for i in range(shown)]
    rates = one / users, two / others
    figures = {
        "counted": len(names),
        "still_on_top": still_on_top(one, two, top),
        "on_top": min(top, int(np.sum(one > 0))),
        "total_variation": total_variation(one, two),
        "lines_per_user": [float(rate.sum()) for rate in rates],
    }
    title = f"The {shown} most frequent {what}, lines per 100 users"
    return table(what, title, (what, "original", "release"), rows), figures


def _told(what: str, figures: dict[str, Any], top: int) -> str:
    before, after = figures["lines_per_user"]
    halves = figures["total_variation_of_two_halves"]
    return (
        f"Of the {figures['on_top']} most frequent {what}, {figures['still_on_top']} are among the {top} most frequent "
        f"of the release; {100 * figures['total_variation']:.1f} % of the lines with the {figures['counted']:,} {what} "
        f"counted would have to change for equal shares ({before:.2f} per user before, {after:.2f} after)"
        + ("." if halves is None else f"; between two halves of the users, {100 * halves:.1f} %.")
    )


# ---------------------------------------------------------------------- sessions


def _sessions(asked: QueryLogRecords, written: WrittenQueries, rng: np.random.Generator) -> dict[str, Any]:
    """Sessions of the log, of two halves of its users, and of the release."""
    step, log = asked.shape.times, asked.log
    times = parse_times(log, asked.shape).dt.strftime(TIME_STEPS[step]).to_list()
    asked_at = [(user, time) for user, time in zip(log.frame["user"].to_list(), times, strict=True) if time]
    told_at = written.frame.select("user", "time").drop_nulls().rows()
    users = sorted({user for user, _ in asked_at})
    first = {users[i] for i in rng.permutation(len(users))[: len(users) // 2].tolist()}
    halves = ([at for at in asked_at if (at[0] in first) == side] for side in (True, False))
    columns = [_session_figures(Counter(at)) for at in (asked_at, *halves, told_at)]
    names = ("sessions per user", "queries per session", "share of sessions of one query")
    title = f"Sessions of queries: what a user asks in the same {step}"
    heads = ("sessions", "original", "one half of the users", "the other half", "release")
    return table("sessions", title, heads, list(zip(names, *columns, strict=True)))


def _session_figures(sessions: Counter[tuple[str, str]]) -> tuple[float, float, float]:
    """Sessions per user who has any, queries in one, and how many are of one query alone."""
    if not sessions:
        return 0.0, 0.0, 0.0
    users, alone = len({user for user, _ in sessions}), sum(n == 1 for n in sessions.values())
    return len(sessions) / users, sessions.total() / len(sessions), alone / len(sessions)


# ---------------------------------------------------------------------- clusters


def _clusters(
    asked: QueryLogRecords,
    written: WrittenQueries,
    trail: Trail,
    options: Mining,
    rng: np.random.Generator,
    notes: list[str],
) -> list[dict[str, Any]]:
    units = units_of(trail, asked, written)
    chosen = np.sort(rng.permutation(len(units))[:MOST])
    if len(chosen) < len(units):
        notes.append(f"Clusters are of {MOST:,} of {len(units):,} users, drawn at random.")
    sizes = [n for n in options.clusters if n < len(chosen)]
    before, after = _distances(asked, written, units, chosen)
    words, others = _features(asked, written, units[chosen].tolist(), chosen.tolist(), rng)
    made = []
    for name, title, kind, one, two in (
        ("clusters", "our distance between users (k-medoids)", k_medoids, before, after),
        ("clusters_by_words", "the words of users, without meaning (k-means)", k_means, words, others),
    ):
        rows = []
        for n in sizes:
            found, ceiling = agreement(partial(kind, one), partial(kind, two), n, options.runs, rng)
            rows.append(
                (
                    n,
                    found.rand,
                    found.jaccard,
                    found.adjusted_rand,
                    ceiling.rand,
                    ceiling.jaccard,
                    ceiling.adjusted_rand,
                )
            )
        heads = [f"{which}{index}" for which in ("", "ceiling: ") for index in ("Rand", "Jaccard", "adjusted Rand")]
        made.append(table(name, f"Clusters of users before and after, on {title}", ("clusters", *heads), rows))
    return made


def _distances(asked: QueryLogRecords, written: WrittenQueries, units: Long, chosen: Long) -> tuple[Any, Any]:
    """All distances between the chosen users, of their own logs and of what they publish."""
    how, maps_to = asked.plan.method.judge, asked.words.maps_to
    codes: list[list[int]] = [[]] * len(written.users)
    for users, lines in written.logs():
        terms = [term_of(text, form) for text, form in lines.select("query", FORM).rows()]
        mine = sorted({code for term in terms if (code := maps_to(term)) is not None})
        for user in users:
            codes[user] = mine
    published = [Sets.of(codes, asked.words.tax)]
    return (
        record_matrix(asked.units.parts, units[chosen], how),
        record_matrix(published, chosen, how),
    )


def _features(
    asked: QueryLogRecords,
    written: WrittenQueries,
    units: Sequence[int],
    users: Sequence[int],
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """The words of every chosen user as a point, before and after, in one space."""
    queries = asked.log.frame["query"].to_list()
    before = [[queries[row] for row in asked.lines(unit)] for unit in units]
    lines = dict(written.frame.group_by("user").agg("query").rows())
    after = [lines[written.users[user]] for user in users]
    axis: dict[str, int] = {}
    counted = [
        [Counter(word for text in texts for word in words_in(text)) for texts in some] for some in (before, after)
    ]
    for some in counted:
        for words in some:
            for word in words:
                axis.setdefault(word, len(axis))
    project = rng.standard_normal((max(1, len(axis)), AXES)) / np.sqrt(AXES)
    return _points(counted[0], axis, project), _points(counted[1], axis, project)


def _points(counted: Iterable[Counter[str]], axis: dict[str, int], project: Floats) -> Floats:
    """Counts of words, of length 1, in fewer axes at random."""
    made = []
    for words in counted:
        point = np.zeros(AXES)
        for word, n in words.items():
            point += n * project[axis[word]]
        made.append(point / (np.sqrt(sum(n * n for n in words.values())) or 1.0))
    return np.array(made)
