"""Ids in all the ways in which people write them."""

import pytest

from taxonym import Taxonomy, load
from taxonym.errors import UnknownConcept
from taxonym.knowledge.build import Draft
from taxonym.text.finder import Finder


@pytest.fixture(scope="module")
def icd9cm() -> Taxonomy:
    return load("icd9cm")


LEMMAS = {
    "protector.n.01": "defender.n.01",
    "defender.n.01": "defender.n.01",
    "Protector.N.01": "defender.n.01",
    "functionary.n.01": "official.n.01",
    "heart_attack.n.01": "heart_attack.n.01",
    "heart attack.n.01": "heart_attack.n.01",
    "myocardial_infarct.n.01": "myocardial_infarction.n.01",
    "bleed.v.01": "shed_blood.v.02",
    "bank.n.02": "depository_financial_institution.n.01",
    "bank.v.01": "bank.v.01",
    "bank.n.2": "depository_financial_institution.n.01",
}


@pytest.mark.parametrize(("id", "same"), LEMMAS.items())
def test_any_word_of_a_synset_names_it_with_the_number_of_its_sense(wordnet: Taxonomy, id: str, same: str) -> None:
    assert wordnet.id(wordnet.code(id)) == same


@pytest.mark.parametrize("id", ["protector.n.99", "protector.v.01", "xyzzy.n.01", "protector", "bank.n.00", "n.01", ""])
def test_what_is_no_id_is_refused(wordnet: Taxonomy, id: str) -> None:
    assert wordnet.find(id) == -1
    with pytest.raises(UnknownConcept):
        wordnet.code(id)


def test_every_first_lemma_and_every_other_leads_to_its_own_synset(wordnet: Taxonomy) -> None:
    for code in range(0, len(wordnet), 997):
        part = wordnet.id(code)[-4]
        for label in wordnet.labels(code):
            senses = [c for c in wordnet.codes(label) if wordnet.id(c)[-4] == part]
            assert wordnet.code(f"{label.replace(' ', '_')}.{part}.{senses.index(code) + 1:02}") == code


def test_a_part_of_wordnet_numbers_senses_like_the_whole(wordnet: Taxonomy) -> None:
    person = wordnet.under(wordnet.code("person.n.01"))
    assert person.id(person.code("protector.n.01")) == "defender.n.01"
    assert wordnet.id(wordnet.code("guard.n.01")) == person.id(person.code("guard.n.01"))
    assert person.find("bank.n.01") == -1  # not a person, and no other sense takes its number


CODES = {
    "250.00": "250.00", "25000": "250.00", "250": "250", "V10.0": "V10.0", "v100": "V10.0", "E888.9": "E888.9",
    "e8889": "E888.9", " 401.9 ": "401.9", "001-139": "001-139",
}  # fmt: skip


@pytest.mark.parametrize(("written", "id"), CODES.items())
def test_icd_9_cm_codes_are_found_with_and_without_dots_in_any_case(icd9cm: Taxonomy, written: str, id: str) -> None:
    assert icd9cm.id(icd9cm.code(written)) == id
    assert Finder(icd9cm).whole(written) == icd9cm.code(id)
    (mention,) = Finder(icd9cm).find(written)
    assert (mention.term, icd9cm.id(mention.code)) == (written.strip(), id)
    assert mention.why.startswith("id of")


def test_joined_taxonomies_do_not_take_an_id_of_one_for_another_name_in_the_other() -> None:
    railway, porphyria = Draft("old"), Draft("new")
    railway.add("E800", ["railway accident"])
    porphyria.add("E80.0", ["porphyria"])
    porphyria.alias("E800", "E80.0")
    for order in ([railway, porphyria], [porphyria, railway]):
        both = Taxonomy.join([draft.build() for draft in order])
        assert both.label(both.code("E800")) == "railway accident"
        assert both.label(both.code("E80.0")) == "porphyria"


def test_the_first_of_joined_taxonomies_decides_what_another_name_means() -> None:
    drafts = [Draft(name) for name in ("a", "b")]
    for draft, id in zip(drafts, ("1.0", "2.0"), strict=True):
        draft.add(id)
        draft.alias("old 1", id)
    both = Taxonomy.join([draft.build() for draft in drafts])
    assert both.id(both.code("old 1")) == "1.0"


def test_ids_follow_a_category(wordnet: Taxonomy) -> None:
    finder = Finder(wordnet, category="animal.n.01")
    assert finder.whole("hound.n.01") == wordnet.code("hound.n.01")
    assert finder.whole("protector.n.01") is None
    assert [mention.code for mention in finder.find("protector.n.01")] == []
