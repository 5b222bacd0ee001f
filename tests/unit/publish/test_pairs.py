"""Who holds two things at once, beside the definition."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym.publish.pairs import PairHolders
from tests.strategies import taxonomies


@settings(max_examples=60)
@given(taxonomies(8), taxonomies(8), st.data())
def test_pairs_are_held_by_persons_with_a_record_below_both(one, other, data) -> None:  # type: ignore[no-untyped-def]
    trees = one, other
    record = st.tuples(
        st.integers(0, 4), st.integers(-1, len(one) - 1), st.integers(-1, len(other) - 1)
    )  # whose, and a concept of each column or none
    records = data.draw(st.lists(record, max_size=12))
    person, a, b = (np.array([r[i] for r in records], np.int64) for i in range(3))
    holders = PairHolders(trees, [a.astype(np.int32), b.astype(np.int32)], person)

    def held(x: int, y: int) -> int:
        above = [
            (p, set(one.ancestors(c)) if c >= 0 else set(), set(other.ancestors(d)) if d >= 0 else set())
            for p, c, d in records
        ]
        return len({p for p, up, up_other in above if x in up and y in up_other})

    for c, tax in enumerate(trees):
        for code in range(len(tax)):
            writers = {r[0] for r in records if r[c + 1] >= 0 and code in tax.ancestors(r[c + 1])}
            assert holders.single[c][code] == len(writers)
    pairs = [(x, y) for x in range(len(one)) for y in range(len(other))]
    x, y = (np.array([pair[i] for pair in pairs], np.int32) for i in range(2))
    some = data.draw(st.integers(0, len(pairs) - 1))  # some are known before the others are asked for
    holders.joint(0, 1, x[some : some + 1], y[some : some + 1])
    assert holders.joint(0, 1, x, y).tolist() == [held(*pair) for pair in pairs]
    rare = holders.rare(np.stack((x, y), axis=1), 2)
    assert rare[:, 0, 1].tolist() == rare[:, 1, 0].tolist() == [held(*pair) < 2 for pair in pairs]
