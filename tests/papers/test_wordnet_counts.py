"""What is known of WordNet 3.0, found in the file that ships."""

from taxonym import Taxonomy


def test_there_are_82115_noun_synsets_with_117798_lemmas_under_one_root(wordnet: Taxonomy) -> None:
    nouns = wordnet.under(wordnet.code("entity.n.01"))
    assert len(nouns) == 82_115
    assert len(nouns.keys) == 117_798
    assert [nouns.id(c) for c in nouns.roots] == ["entity.n.01"]


def test_there_are_13767_verb_synsets_with_559_roots(wordnet: Taxonomy) -> None:
    verbs = [c for c in range(len(wordnet)) if ".v." in wordnet.id(c)]
    assert len(verbs) == 13_767
    assert sum(".v." in wordnet.id(c) for c in wordnet.roots) == 559


def test_2213_nouns_have_several_parents_and_7730_are_instances(wordnet: Taxonomy) -> None:
    nouns = wordnet.descendants(wordnet.code("entity.n.01"))
    assert sum(len(wordnet.parents(c)) > 1 for c in nouns) == 2_213
    assert sum(wordnet.is_instance(c) for c in nouns) == 7_730


def test_the_deepest_noun_lies_19_links_below_entity(wordnet: Taxonomy) -> None:
    assert wordnet.max_depth - 1 == 19


def test_senses_come_in_the_order_of_use_with_their_counts(wordnet: Taxonomy) -> None:
    assert [wordnet.id(c) for c in wordnet.codes("Bank")][:2] == ["bank.n.01", "depository_financial_institution.n.01"]
    assert wordnet.counts("bank")[:3] == [25, 20, 2]


def test_named_people_are_instances_and_kinds_of_people_are_not(wordnet: Taxonomy) -> None:
    assert wordnet.is_instance(wordnet.codes("benjamin franklin")[0])
    assert not wordnet.is_instance(wordnet.code("statesman.n.01"))


def test_glosses_are_definitions_without_examples(wordnet: Taxonomy) -> None:
    assert wordnet.gloss(wordnet.code("bank.n.01")) == "sloping land (especially the slope beside a body of water)"
