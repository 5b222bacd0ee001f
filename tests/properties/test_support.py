"""The support rule, representatives and synthetic records on random taxonomies, records and persons."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.distance.sets import AGGREGATIONS
from taxonym.knowledge.arrays import Codes
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.antichain import most_specific
from taxonym.publish.representative import REPRESENTATIVES, represent
from taxonym.publish.wording import printable, synthesize
from taxonym.records.support import Holders, Rule, holding, obeys
from taxonym.records.terms import Terms
from tests.strategies import taxonomies


@dataclass
class People:
    tax: Taxonomy
    records: list[list[int]]
    persons: list[int]
    groups: list[list[int]]

    @property
    def holders(self) -> Holders:
        return Holders(ConceptSets.of(self.records, self.tax), np.array(self.persons))

    def obey(self, concepts: Codes, k: int, m: int) -> bool:
        return obeys(self.tax, self.records, self.persons, concepts, k, m)


@st.composite
def peoples(draw: st.DrawFn) -> People:
    """Records of persons, some with several, in groups; here and there a concept that names one thing."""
    tax = draw(taxonomies(12))
    marks = draw(st.lists(st.sampled_from([0, 0, 0, 1]), min_size=len(tax), max_size=len(tax)))
    tax = replace(tax, instance=np.array(marks, np.uint8))
    record = st.lists(st.integers(0, len(tax) - 1), max_size=5)
    records = draw(st.lists(record, min_size=1, max_size=9))
    persons = draw(st.lists(st.integers(0, 5), min_size=len(records), max_size=len(records)))
    label = draw(st.lists(st.integers(0, 2), min_size=len(records), max_size=len(records)))
    groups = [[row for row, g in enumerate(label) if g == which] for which in sorted(set(label))]
    return People(tax, records, persons, groups)


ks, ms = st.integers(1, 4), st.integers(0, 3)
every_representative = pytest.mark.parametrize("name", REPRESENTATIVES)
every_aggregation = pytest.mark.parametrize("aggregate", AGGREGATIONS)


def some_printable(data: st.DataObject, tax: Taxonomy) -> np.ndarray[tuple[int], np.dtype[np.bool_]] | None:
    flags = st.lists(st.sampled_from([True, True, False]), min_size=len(tax), max_size=len(tax))
    return data.draw(st.none() | flags.map(lambda some: np.array(some, np.bool_)))


# ---------------------------------------------------------------------- the rule


@given(people=peoples(), data=st.data())
def test_holders_are_those_of_the_definition(people: People, data: st.DataObject) -> None:
    concepts = data.draw(st.sets(st.integers(0, len(people.tax) - 1), max_size=4))
    defined = [len(holding(people.tax, people.records, people.persons, [c])) for c in range(len(people.tax))]
    assert [people.holders.holders(c) for c in range(len(people.tax))] == defined
    together = len(holding(people.tax, people.records, people.persons, concepts))
    assert people.holders.joint_holders(concepts) == together


@given(people=peoples(), k=ks, m=ms, data=st.data())
def test_a_set_is_allowed_exactly_if_it_obeys_the_definition(
    people: People, k: int, m: int, data: st.DataObject
) -> None:
    concepts = tuple(data.draw(st.sets(st.integers(0, len(people.tax) - 1), max_size=5)))
    assert people.holders.allowed(concepts, k, m) == people.obey(concepts, k, m)


@given(people=peoples(), k=ks, m=ms, data=st.data())
def test_what_is_settled_is_allowed_and_every_concept_is_kept_raised_or_dropped(
    people: People, k: int, m: int, data: st.DataObject
) -> None:
    concepts = data.draw(st.sets(st.integers(0, len(people.tax) - 1), max_size=6))
    mask = some_printable(data, people.tax)
    settled = people.holders.settle(concepts, k, m, printable=mask)
    assert people.obey(settled.concepts, k, m)
    raised = dict(settled.raised)
    assert sorted((*raised, *settled.dropped, *(concepts - raised.keys() - set(settled.dropped)))) == sorted(concepts)
    assert set(settled.concepts) == {raised.get(c, c) for c in concepts if c not in settled.dropped}
    for low, high in raised.items():
        assert high in people.tax.ancestors(low)[:-1]
        assert people.tax.parents(high)
        assert not people.tax.is_instance(high)
    assert not any(people.tax.is_instance(c) if mask is None else not mask[c] for c in settled.concepts)


@given(people=peoples(), k=ks, m=ms, data=st.data())
def test_what_is_allowed_stays_as_it_is(people: People, k: int, m: int, data: st.DataObject) -> None:
    concepts = tuple(sorted(data.draw(st.sets(st.integers(0, len(people.tax) - 1), max_size=5))))
    anything = np.ones(len(people.tax), np.bool_)
    settled = people.holders.settle(concepts, k, m, printable=anything)
    assert (settled.concepts == concepts) == people.obey(concepts, k, m)


# ---------------------------------------------------------------------- representatives


@every_representative
@every_aggregation
@settings(max_examples=25)  # of each of the twenty pairs
@given(people=peoples(), k=ks, m=ms, consensus=st.booleans(), data=st.data())
def test_what_a_group_publishes_obeys_the_rule(
    name: str, aggregate: str, people: People, k: int, m: int, consensus: bool, data: st.DataObject
) -> None:
    mask = some_printable(data, people.tax)
    rule = Rule(k=k, known_items=m, consensus=consensus, printable=mask)
    for rows, found in zip(people.groups, represent(people.holders, people.groups, rule, name, aggregate), strict=True):
        members = [people.records[row] for row in rows]
        assert set(found) <= {t for record in members for c in record for t in people.tax.ancestors(c)}
        assert most_specific(people.tax, found) == found
        if not REPRESENTATIVES[name].supported:
            assert found in [most_specific(people.tax, record) for record in members]
            continue
        assert people.obey(found, k, m)
        assert not any(people.tax.is_instance(c) if mask is None else not mask[c] for c in found)
        assert all(any(c in r for r in members) for c in found if people.tax.is_instance(c))
        here = [people.persons[row] for row in rows]
        for c in found if consensus else ():
            assert 2 * len(holding(people.tax, members, here, [c])) >= len(set(here))


@every_representative
@settings(max_examples=40)
@given(people=peoples(), k=ks, m=ms, data=st.data())
def test_groups_are_represented_alike_in_any_order(
    name: str, people: People, k: int, m: int, data: st.DataObject
) -> None:
    rule = Rule(k=k, known_items=m)
    together = represent(people.holders, people.groups, rule, name)
    order = data.draw(st.permutations(range(len(people.groups))))
    groups = [data.draw(st.permutations(people.groups[i])) for i in order]
    assert represent(people.holders, groups, rule, name) == [together[i] for i in order]


# ---------------------------------------------------------------------- words


WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]


@given(people=peoples(), k=ks, m=ms, seed=st.integers(0, 9), per_record=st.booleans(), data=st.data())
def test_only_words_that_may_be_printed_are_printed_and_a_seed_decides_which(
    people: People, k: int, m: int, seed: int, per_record: bool, data: st.DataObject
) -> None:
    tax = people.tax
    written = [
        (data.draw(st.sampled_from([tax.label(code), *WORDS])), code, person)
        for record, person in zip(people.records, people.persons, strict=True)
        for code in record
    ]
    terms = Terms(written)
    maps_to = terms.reader(tax)
    mask = printable(tax, range(len(tax)), terms, k, maps_to)
    rule = Rule(k=k, known_items=m, printable=mask)
    published = represent(people.holders, people.groups, rule)

    def words(order: list[int]) -> dict[int, list[tuple[str, ...]]]:
        groups, concepts = [people.groups[i] for i in order], [published[i] for i in order]
        rng = np.random.default_rng(seed)
        made = synthesize(tax, groups, concepts, terms, k, maps_to, rng=rng, per_record=per_record)
        assert made.promise == ("k by concept" if per_record else "k")
        return dict(zip(order, made.records, strict=True))

    records = words(list(range(len(published))))
    assert words(data.draw(st.permutations(range(len(published))))) == records
    for i, rows in enumerate(people.groups):
        assert len(records[i]) == len(rows)
        assert per_record or len(set(records[i])) == 1
        for record in records[i]:
            assert sorted(code for word in record if (code := maps_to(word)) is not None) == list(published[i])
            for word in record:
                writers = {person for text, _, person in written if text == word}
                code = maps_to(word)
                assert code is not None
                name = word in (*tax.labels(code), tax.id(code)) and not tax.is_instance(code)
                assert len(writers) >= k or name
