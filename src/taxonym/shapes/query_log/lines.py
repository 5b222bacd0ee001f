"""The lines that each group publishes: which queries, words and concepts, and how often."""

from collections.abc import Mapping, Sequence

import numpy as np

from taxonym.executor.context import Context
from taxonym.knowledge.arrays import Codes, Groups, Long, Mask
from taxonym.methods.microaggregation import RecordGroups, fitted_groups, left_out, publish
from taxonym.methods.published_groups import PublishedGroups
from taxonym.methods.whole_row import WholeRows
from taxonym.plan.method import Method
from taxonym.publish.antichain import most_specific
from taxonym.publish.apportion import Apportionment, apportion, repeats
from taxonym.publish.groups import ColumnRepresentatives, Support, rule_of
from taxonym.publish.objective import worthiest
from taxonym.publish.redaction import Veil
from taxonym.publish.wording import name_of
from taxonym.records.queries import line_of
from taxonym.records.support import Rule
from taxonym.records.thresholds import Thresholds
from taxonym.shapes.query_log.read import QueryLogRecords

Line = tuple[int, str, str]  # the concept of a published line, its text, its form


def by_frequency(
    asked: QueryLogRecords, groups: Groups, context: Context, fit: bool = True
) -> tuple[PublishedGroups, list[list[Line]]]:
    """What keeps the frequencies of the whole log; only users who are published count as holders. Groups by meaning are
    fitted to what they could say as in any table, unless they must stay as they are because of l or t."""
    units, method, words, formed, rng = asked.units, asked.plan.method, asked.words, groups, context.rng
    secret = Thresholds.of_run(method.k, method.support_threshold, rng)
    everybody = Support.of(words, units.persons, method.k, None, secret)
    if fit and asked.shape.grouping == "meaning":
        rule = Rule(k=method.k, known_items=method.together)
        groups = fitted_groups(units, groups, asked.plan, [everybody], rule, context.progress)
    while True:
        alive = np.zeros(len(units), np.bool_)
        alive[[unit for group in groups for unit in group]] = True
        support = everybody.released(units.persons, alive)
        found = _apportioned(support, groups, alive, method)
        kept = [g for g, mine in enumerate(found.printed) if mine]
        lost = left_out(units, formed, [groups[g] for g in kept], asked.plan)
        if len(kept) == len(groups):
            break
        groups = [groups[g] for g in kept]
    printed, veiled = _veiled(support, groups, found.printed, method.topic_share)
    chosen = ColumnRepresentatives([tuple(sorted(mine)) for mine in printed], veiled)
    made = _texts(groups, printed, support, method.k, rng)
    whole = WholeRows.of_words(units, groups, [support], [chosen])
    return PublishedGroups(asked.plan, units, whole, [], left_out=lost), made


def _apportioned(support: Support, groups: Groups, alive: Mask, method: Method) -> Apportionment:
    """How often each group prints what: what is worth most to it, and so often that what `alive` users asked is about
    as frequent as before; some line of each, where there is one that may be told."""
    words = support.words
    inside = alive[words.row]
    lines, most = lines_of(words.row[inside], words.meant[inside], groups, method.k)
    rule = rule_of(Rule(k=method.k, known_items=method.together), support)
    wished = worthiest(support.holders, groups, rule)
    found = apportion(support.holders, groups, lines, most, method.k, method.together, support.printable, wished)
    for g, mine in enumerate(found.printed):
        if not mine and (code := _something(g, groups[g], lines, support, method.k)) is not None:
            mine[code] = 1
    return found


def frequent(support: Support, groups: Groups, method: Method) -> list[Codes]:
    """What other groups of users would print."""
    alive = np.zeros(len(support.words), np.bool_)
    alive[[unit for group in groups for unit in group]] = True
    found = _apportioned(support, groups, alive, method)
    return [tuple(sorted(mine)) for mine in _veiled(support, groups, found.printed, method.topic_share)[0]]


def _veiled(
    support: Support, groups: Groups, printed: list[dict[int, int]], limit: float
) -> tuple[list[dict[int, int]], int]:
    """How often each group prints what, once sensitive concepts that most of it share are told as their topics only;
    and how many of these there were. A topic is printed as often as the concept that was printed most often, since k
    users have so many lines about it; of their sum nobody knows that."""
    if support.topics is None:
        return printed, 0
    veil, count = Veil.of(support.holders, support.topics, support.printable, limit), 0
    made = []
    for group, mine in zip(groups, printed, strict=True):
        times: dict[int, int] = {}
        for code, top in veil.over(group, mine).items():
            times[top] = max(times.get(top, 0), mine[code])
            count += top != code
        made.append({code: times[code] for code in most_specific(support.holders.tax, times)})
    return made, count


def target(support: Support, code: int, k: int) -> int | None:
    """The concept itself or the nearest above it that may be printed; None where only a root is left."""
    ways = support.holders.upwards(code, support.printable)
    return next((t for t in ways if support.holders.counts[t] >= k), None)


def lines_of(
    row: Long, code: Long, groups: Sequence[Sequence[int]], k: int
) -> tuple[dict[tuple[int, int], int], dict[int, int]]:
    """How many lines each group has of each concept, and how often at most it prints one: row[j] has code[j].

    What a user repeats counts as often as k users repeat it, so that nobody's habit shows in a frequency.
    """
    most = repeats(row, code, k)
    group_of = np.full(int(row.max(initial=0)) + 1, -1, np.int64)
    for g, group in enumerate(groups):
        group_of[group] = g
    width = int(code.max(initial=0)) + 1
    keys, times = np.unique(row * width + code, return_counts=True)
    lines: dict[tuple[int, int], int] = {}
    for g, c, n in zip(group_of[keys // width].tolist(), (keys % width).tolist(), times.tolist(), strict=True):
        if g >= 0:
            lines[g, c] = lines.get((g, c), 0) + min(n, most[c])
    return lines, most


def _something(
    g: int, group: Sequence[int], lines: Mapping[tuple[int, int], int], support: Support, k: int
) -> int | None:
    """For a group without any line: what most of its users' lines are about, so far as it may be told."""
    own = {int(c) for unit in group for c in support.words.record(unit)}
    ways = (target(support, c, k) for c in sorted(own, key=lambda c: (-lines[g, c], c)))
    return next((code for code in ways if code is not None), None)


def _texts(
    groups: Groups,
    printed: Sequence[Mapping[int, int]],
    support: Support,
    k: int,
    rng: np.random.Generator,
) -> list[list[Line]]:
    """The lines of every group, shuffled; a concept has one word in all of them."""
    places: dict[int, list[int]] = {}
    for g, mine in enumerate(printed):
        for c, n in mine.items():
            places.setdefault(c, []).extend([g] * n)
    made: list[list[Line]] = [[] for _ in groups]
    for c in sorted(places):
        line = _line(c, support, k)
        for g in places[c]:
            made[g].append(line)
    return [[mine[i] for i in rng.permutation(len(mine)).tolist()] for mine in made]


def _line(c: int, support: Support, k: int) -> Line:
    """What is printed for a concept wherever it stands: what most users wrote for it, or else its name."""
    words = support.words
    if terms := support.terms.drawable(c, k, words.maps_to):
        usual = min(terms, key=lambda term: (-term.occurrences, term.text))
        return c, *line_of(usual.text, False)
    name = name_of(words.tax, c, words.maps_to)
    assert name is not None  # it may be printed
    return c, *line_of(name, True)


def by_meaning(
    asked: QueryLogRecords, found: RecordGroups, context: Context
) -> tuple[PublishedGroups, list[list[Line]]]:
    """What means most to the users of a group, chosen as in any table; each as often as they have it on average."""
    outcome = publish(asked.units, found, asked.plan, context)
    words, tax = asked.words, asked.words.tax
    most = repeats(words.row, words.meant, asked.plan.method.k)
    start = np.searchsorted(words.row, np.arange(len(words) + 1))
    made = []
    for group, members in zip(outcome.groups, outcome.words[0], strict=True):
        held: dict[int, int] = {}
        for unit in group:
            for c in words.meant[start[unit] : start[unit + 1]].tolist():
                for t in tax.ancestors(c):
                    held[t] = held.get(t, 0) + 1
        mine: list[Line] = []
        for text in members[0]:
            code = words.maps_to(text)
            assert code is not None
            times = min(most.get(code, 1), max(1, round(held.get(code, 0) / len(group))))
            mine += [(code, *line_of(text, text == name_of(tax, code, words.maps_to)))] * times
        made.append([mine[i] for i in context.rng.permutation(len(mine)).tolist()])
    return outcome, made
