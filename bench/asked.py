"""What does it cost that blocks see only their own persons and the answers to what they ask?

    python bench/asked.py [--records 20000]

Synthetic records of about 8 WordNet nouns (blocks.py draws them), refined groups of at least 5 in blocks, the support
rule with 2 known items. The same groups choose what they publish in three ways: seeing who holds what among all persons
at every step; seeing their own block only; and seeing their block and the answers to one round of questions, as a run
does.
"""

import argparse
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from blocks import draw
from common import met, section, short, table
from record_tasks import nouns

from taxonym.distance.record import Compare, Sets, record_pairs
from taxonym.group.blocks import form_in_blocks
from taxonym.group.registry import grouping_named
from taxonym.knowledge.arrays import Codes
from taxonym.knowledge.runs import Runs
from taxonym.methods.blockwise import BlockContext, ask, told
from taxonym.plan import Microaggregation, Plan
from taxonym.publish.representative import represent
from taxonym.publish.support_queries import Counter, Meaning, different
from taxonym.records.column import Column
from taxonym.records.support import Holders, Rule

K, M = 5, 2
MOST = 0.02  # that asking may cost


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--records", type=int, default=20_000)
    n = arguments.parse_args().records
    rows, checks = [], []
    for world in ("subtrees", "bags"):
        found = compare(world, n)
        exact = found["all persons"][0]
        for name, (lost, seconds) in found.items():
            rows.append((world, name, f"{lost:.4f}", f"{lost / exact - 1:+.1%}", short(seconds)))
        cost = found["its own and answers"][0] / exact - 1
        checks.append((f"{world}: at most {MOST:.0%} more is lost", f"{cost:+.1%}", met(cost, MOST, most=True)))
    parts = [
        f"{n:,} records, the same groups in each line. The mean distance is that of the records to what is published.",
        table(("topics", "a block sees", "mean distance", "more", "CPU s"), rows),
        table(("aim", "found", "met"), checks),
    ]
    section("asked", "The support rule where nobody sees all persons", "python bench/asked.py", parts)


def compare(world: str, n: int) -> dict[str, tuple[float, float]]:
    tax, dice = nouns(), np.random.default_rng(3)
    start, codes = draw(tax, n, world)
    lists = [np.sort(dice.permutation(codes[a:b])[: max(3, int((b - a) * 0.42))]) for a, b in pairwise(start)]
    part, how = Sets.of([one.tolist() for one in lists], tax, 1.0), Compare(aggregate="min-sum", measure="jaccard")
    formed = form_in_blocks([part], np.arange(n), how, K, grouping_named("refined").form)
    holders, printable = Holders(part), tax.instance == 0
    column = Column(name="words", role="quasi-identifier", kind="set")
    plan = Plan(columns={"words": column}, method=Microaggregation(k=K, known_items=M))
    shared = BlockContext(plan, [Meaning(column, tax, holders.counts, printable)])
    blocks: list[tuple[Runs, list[list[int]], list[list[int]]]] = []
    for groups in formed.by_block:
        rows = np.sort(np.concatenate(groups))
        blocks.append((part.take(rows), [np.searchsorted(rows, group).tolist() for group in groups], groups))

    def lost(concepts: list[Codes]) -> float:
        every = [group for _, _, groups in blocks for group in groups]
        members = np.concatenate(every)
        of = np.repeat(np.arange(len(every)), [len(group) for group in every])
        return float(record_pairs([part], [Sets.of(concepts, tax, 1.0)], members, of, how).mean())

    def everybody() -> list[Codes]:
        rule = Rule(k=K, known_items=M, printable=printable)
        groups = [group for _, _, groups in blocks for group in groups]
        return represent(holders, groups, rule)

    def answered(asking: bool) -> list[Codes]:
        asked = [ask(shared, [own], inside) if asking else ask_nothing() for own, inside, _ in blocks]
        counter = Counter(different(asked), [tax], holders.counts, K)
        counter.add([(start, codes)])
        answers = counter.answers
        every = [answers.to(mine) for mine in asked]
        found = [told(shared, [own], inside, a)[0] for (own, inside, _), a in zip(blocks, every, strict=True)]
        return [c for column in found for c in column.concepts]

    ways: dict[str, Callable[[], list[Codes]]] = {
        "all persons": everybody,
        "its own": lambda: answered(False),
        "its own and answers": lambda: answered(True),
    }
    everybody()  # compiles
    found = {}
    for name, way in ways.items():
        begin = time.process_time()
        concepts = way()
        found[name] = lost(concepts), time.process_time() - begin
    return found


def ask_nothing() -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    return np.empty((0, M), np.int64)


if __name__ == "__main__":
    main()
