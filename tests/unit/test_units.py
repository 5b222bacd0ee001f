"""Units: a person's records with equal `other` columns."""

from itertools import permutations

import polars as pl

from taxonym.plan import Plan
from taxonym.records.records import Records
from taxonym.shapes.table.read import prepare

QUASI = {"role": "quasi-identifier"}


def units(data: pl.DataFrame) -> Records:
    columns = {"who": {"role": "identifier"}, "job": QUASI, "site": {"role": "other"}}
    settings = {"input": {"person": "who", "person_rows": "keep"}, "columns": columns, "method": {"k": 2}}
    return prepare(data, Plan.from_dict(settings))


def test_a_unit_has_the_words_of_its_own_records_however_the_rows_of_persons_are_mixed() -> None:
    rows = [(f"{who}{i}", job, site) for i in range(3) for who, job, site in (("a", "x", "n"), ("b", "y", "n"))]
    rows += [(f"{who}{i}", job, site) for i in range(3) for who, job, site in (("a", "z", "s"), ("b", "x", "s"))]
    data = pl.DataFrame(rows, schema=["who", "job", "site"], orient="row")
    found = units(data)
    words = found.words[0]
    assert [words.tax.id(int(words[i][0])) for i in range(len(found))] == [
        data["job"][records[0]] for records in found.records
    ]


def test_the_records_of_a_unit_come_in_an_order_that_is_not_that_of_the_input() -> None:
    mine = [("a", job, "n") for job in "xyz"]
    others = [(who, job, "n") for who in "bc" for job in "xyz"]
    seen = set()
    for order in permutations(mine):
        data = pl.DataFrame([*order, *others], schema=["who", "job", "site"], orient="row")
        found = units(data)
        own = next(records for records, p in zip(found.records, found.persons.tolist(), strict=True) if p == 0)
        seen.add(tuple(data["job"][record] for record in own))
    assert len(seen) == 1
