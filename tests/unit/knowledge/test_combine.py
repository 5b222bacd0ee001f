import pytest

from taxonym import Taxonomy, concept_distance, distance_matrix, set_distance
from taxonym.distance.registry import DISTANCES
from taxonym.errors import BadTaxonomy, CyclicTaxonomy, UnknownConcept
from taxonym.knowledge.combine import flat, with_leaves, with_roots

FOOD = Taxonomy.from_edges([("apple", "fruit"), ("fruit", "food")], name="food")
FIRMS = Taxonomy.from_edges([("apple", "company"), ("nestle", "company")], name="firms")


def test_an_id_that_two_taxonomies_use_is_written_with_its_taxonomy() -> None:
    joined = Taxonomy.join([FOOD, FIRMS], root="anything")
    assert joined.label(joined.code("food:apple")) == "apple"
    assert joined.id(joined.code("nestle")) == "nestle"
    assert [joined.label(c) for c in joined.roots] == ["anything"]


def test_meanings_of_the_taxonomy_given_first_come_first() -> None:
    for first, second in ((FOOD, FIRMS), (FIRMS, FOOD)):
        joined = Taxonomy.join([first, second])
        assert [joined.id(c) for c in joined.codes("apple")] == [f"{first.name}:apple", f"{second.name}:apple"]


def test_equal_concepts_become_one_with_the_labels_and_parents_of_both() -> None:
    plants = Taxonomy.from_edges([("malus", "tree")], name="plants")
    joined = Taxonomy.join([FOOD, plants], same=[("apple", "malus")])
    apple = joined.code("apple")
    assert apple == joined.code("malus")
    assert joined.labels(apple) == ["apple", "malus"]
    assert {joined.label(p) for p in joined.parents(apple)} == {"fruit", "tree"}
    assert len(joined) == len(FOOD) + len(plants) - 1 + 1


def test_a_table_of_equal_concepts_must_name_known_and_single_ids() -> None:
    with pytest.raises(UnknownConcept, match="no taxonomy has the id 'pear'"):
        Taxonomy.join([FOOD, FIRMS], same=[("pear", "nestle")])
    with pytest.raises(BadTaxonomy, match="Write one of firms:apple, food:apple"):
        Taxonomy.join([FOOD, FIRMS], same=[("apple", "nestle")])
    assert len(Taxonomy.join([FOOD, FIRMS], same=[("food:apple", "firms:apple")])) == 6


def test_equal_concepts_that_make_a_circle_are_refused() -> None:
    upside_down = Taxonomy.from_edges([("nutrition", "pomme")], name="upside")
    with pytest.raises(CyclicTaxonomy):
        Taxonomy.join([FOOD, upside_down], same=[("apple", "pomme"), ("food", "nutrition")])


def test_taxonomies_of_one_name_are_told_apart() -> None:
    joined = Taxonomy.join([FOOD, FOOD])
    assert {joined.id(c) for c in joined.codes("apple")} == {"food:apple", "food#2:apple"}


def test_the_root_of_a_join_does_not_take_an_id_in_use() -> None:
    joined = Taxonomy.join([FOOD, FIRMS], root="food")
    assert joined.id(joined.roots[0]) == "(food)"


def test_joining_nothing_is_refused() -> None:
    with pytest.raises(BadTaxonomy, match="no taxonomy was given"):
        Taxonomy.join([])


def test_a_part_keeps_senses_counts_glosses_and_instances(wordnet: Taxonomy, person: Taxonomy) -> None:
    assert [person.id(person.roots[0])] == ["person.n.01"]
    franklin = person.codes("benjamin franklin")[0]
    whole = wordnet.code(person.id(franklin))
    assert person.is_instance(franklin)
    assert person.gloss(franklin) == wordnet.gloss(whole)
    teachers = [wordnet.id(c) for c in wordnet.codes("teacher")]
    assert [person.id(c) for c in person.codes("teacher")] == [id for id in teachers if id in set(person.ids)]
    assert person.depth(person.roots[0]) == 1


def test_more_roots_keep_all_codes_and_have_nothing_in_common_with_anything() -> None:
    more = with_roots(FOOD, ["zyzzyva", "apple"])
    assert len(more) == len(FOOD) + 2
    for code in range(len(FOOD)):
        assert (more.id(code), more.labels(code)) == (FOOD.id(code), FOOD.labels(code))
        assert (more.ancestors(code), more.children(code)) == (FOOD.ancestors(code), FOOD.children(code))
        for new in (len(FOOD), len(FOOD) + 1):
            for measure in DISTANCES:
                assert concept_distance(more, code, new, measure) == 1
    assert set(more.roots) == {*FOOD.roots, len(FOOD), len(FOOD) + 1}
    assert concept_distance(more, len(FOOD), len(FOOD) + 1) == 1
    assert concept_distance(more, len(FOOD), len(FOOD)) == 0


def test_a_new_root_takes_no_id_in_use_and_no_meaning_from_a_label() -> None:
    more = with_roots(FOOD, ["apple"])
    assert more.code("(apple)") == len(FOOD)
    assert more.label(len(FOOD)) == "apple"
    assert more.codes("apple") == FOOD.codes("apple")
    assert more.code("apple") == FOOD.code("apple")
    assert more.gloss(len(FOOD)) == ""


def test_what_has_no_taxonomy_names_one_thing() -> None:
    more, values = with_roots(FOOD, ["Kowalska"]), flat(["Ulm", "Pau", "Ulm"])
    assert more.is_instance(len(FOOD))
    assert not more.is_instance(0)
    assert [values.id(code) for code in values.roots] == ["Pau", "Ulm"]
    assert all(values.is_instance(code) for code in range(2))


def test_new_concepts_below_others_are_what_building_them_would_have_made() -> None:
    edges = [("trout", "fish"), ("oak", "tree"), ("fish", "thing"), ("tree", "thing")]
    tax = Taxonomy.from_edges(edges)
    more = with_leaves(tax, ["trout oak", "alone"], [[tax.code("oak"), tax.code("trout")], []])
    built = Taxonomy.from_edges([*edges, ("trout oak", "trout"), ("trout oak", "oak")])
    new = more.code("trout oak")
    assert {more.id(c): up for c, up in more.climbs(new).items()} == {
        built.id(c): up for c, up in built.climbs(built.code("trout oak")).items()
    }
    assert more.depth(new) == built.depth(built.code("trout oak"))
    assert [more.id(c) for c in more.children(tax.code("oak"))] == ["trout oak"]
    assert more.children(new) == more.parents(more.code("alone")) == []
    records = [[new], [tax.code("oak")], [tax.code("fish"), more.code("alone")]]
    found = distance_matrix(more, records)
    for i, a in enumerate(records):
        for j, b in enumerate(records):
            assert found[i, j] == pytest.approx(set_distance(more, a, b), abs=1e-4)
