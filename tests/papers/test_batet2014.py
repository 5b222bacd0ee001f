"""Batet et al. 2014 item by item; the examples also in test_set_distances and test_text_examples."""

from taxonym.papers.batet2014.experiment import experiment
from taxonym.papers.batet2014.printed import SIZES, TABLE_1
from tests.papers.conftest import REPRODUCE, Reproduced


def test_the_printed_table_says_what_its_text_says() -> None:
    for semantic, plain in TABLE_1.values():
        assert all(a < b for a, b in zip(semantic, plain, strict=True))
        assert list(semantic) == sorted(semantic)
    assert min(TABLE_1, key=lambda name: sum(TABLE_1[name][0])) == "avg"
    assert sorted(TABLE_1, key=lambda name: sum(TABLE_1[name][0]))[-2:] == ["max", "max-sum"]


@REPRODUCE
def test_verdicts_item_by_item(reproduced: Reproduced) -> None:
    found: dict[str, list[str]] = {}
    for item in reproduced["000"]:
        found.setdefault(item.verdict, []).append(item.item)
    assert len(found["exact"]) == 7
    assert found["not"] == [
        "Table 1: its 40 numbers",
        "Table 1: min, meaning loses less than equal strings",  # as on public data, min joins what shares one concept
        "Table 1: the same, by a loss that is 0 for unchanged data",  # max at k = 2, by 0.001
        "§4.3: the worst aggregations by L",
    ]
    assert found["fitted"] == ["Table 1: what its numbers are"]
    assert len(found["consistent"]) == 7


def test_by_what_users_get_meaning_loses_less_at_every_k() -> None:
    found = experiment()
    for k in SIZES:
        assert found["min-sum", "semantic", k].apart < 0.9 * found["min-sum", "strings", k].apart
        assert found["min-sum", "semantic", k].root < found["min-sum", "strings", k].root
