"""Wordnets in WN-LMF."""

import gzip
from pathlib import Path

import pytest
from tools.write_lmf import lmf

from taxonym import Finder, Taxonomy, load
from taxonym.errors import BadTaxonomy
from taxonym.knowledge.readers.lmf import read_lmf

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
"""
ENGLISH = """<Lexicon id="tiny" label="Tiny" language="en-GB" email="x" license="y" version="1">
<LexicalEntry id="e-cat"><Lemma writtenForm="cat" partOfSpeech="n"/>
  <Sense id="s-cat-1" synset="t-1-n"><Count>18</Count></Sense>
  <Sense id="s-cat-2" synset="t-2-n"/></LexicalEntry>
<LexicalEntry id="e-puss"><Lemma writtenForm="puss" partOfSpeech="n"/><Form writtenForm="pusses"/>
  <Sense id="s-puss" synset="t-1-n"/></LexicalEntry>
<LexicalEntry id="e-animal"><Lemma writtenForm="animal" partOfSpeech="n"/>
  <Sense id="s-animal" synset="t-3-n"/></LexicalEntry>
<LexicalEntry id="e-tom"><Lemma writtenForm="Tom" partOfSpeech="n"/><Sense id="s-tom" synset="t-4-n"/></LexicalEntry>
<LexicalEntry id="e-vcat"><Lemma writtenForm="cat" partOfSpeech="v"/><Sense id="s-vcat" synset="t-5-v"/></LexicalEntry>
<LexicalEntry id="e-feline"><Lemma writtenForm="feline" partOfSpeech="a"/>
  <Sense id="s-feline" synset="t-6-a"/></LexicalEntry>
<Synset id="t-1-n" ili="i1" partOfSpeech="n" members="e-puss e-cat"><Definition>a small
  animal</Definition><Definition>another</Definition><SynsetRelation relType="hypernym" target="t-3-n"/>
  <SynsetRelation relType="similar" target="t-6-a"/></Synset>
<Synset id="t-2-n" ili="in" partOfSpeech="n"><SynsetRelation relType="holo_part" target="t-1-n"/></Synset>
<Synset id="t-3-n" ili="" partOfSpeech="n"/>
<Synset id="t-4-n" ili="i4" partOfSpeech="n"><SynsetRelation relType="instance_hypernym" target="t-1-n"/></Synset>
<Synset id="t-5-v" ili="i5" partOfSpeech="v"/>
<Synset id="t-6-a" ili="i6" partOfSpeech="a"/>
</Lexicon>
"""
GERMAN = """<Lexicon id="winzig" label="Winzig" language="de" email="x" license="y" version="1">
<LexicalEntry id="w"><Lemma writtenForm="Katze" partOfSpeech="n"/><Sense id="w1" n="2" synset="w-1"/></LexicalEntry>
<LexicalEntry id="v"><Lemma writtenForm="Katze" partOfSpeech="n"/><Sense id="v1" n="1" synset="w-2"/></LexicalEntry>
<Synset id="w-1" ili="i1" partOfSpeech="n"><SynsetRelation relType="hyponym" target="w-2"/></Synset>
<Synset id="w-2" ili="i2" partOfSpeech="n"/>
<Synset id="w-3" ili="i2" partOfSpeech="n"/>
</Lexicon>
"""
TAIL = "</LexicalResource>"


def read(tmp_path, body, **options):
    path = tmp_path / "tiny.xml"
    path.write_bytes(body if isinstance(body, bytes) else (HEAD + body + TAIL).encode())
    return read_lmf(path, **options)


def parents(tax, id):
    return [tax.id(parent) for parent in tax.parents(tax.code(id))]


def test_synsets_links_glosses_and_other_ids_are_read(tmp_path):
    tax = read(tmp_path, ENGLISH).build()
    assert len(tax) == 5
    assert parents(tax, "t-1-n") == ["t-3-n"]
    assert tax.gloss(tax.code("t-1-n")) == "a small animal"
    assert tax.code("i1") == tax.code("t-1-n")
    assert list(tax.aliases) == ["i1", "i4", "i5"]


def test_senses_follow_the_order_of_the_entry_nouns_before_verbs_with_their_counts(tmp_path):
    tax = read(tmp_path, ENGLISH).build()
    assert [tax.id(code) for code in tax.codes("cat")] == ["t-1-n", "t-2-n", "t-5-v"]
    assert tax.counts("cat") == [18, 0, 0]


def test_the_number_of_a_sense_outranks_its_place(tmp_path):
    tax = read(tmp_path, GERMAN).build()
    assert [tax.id(code) for code in tax.codes("Katze")] == ["w-2", "w-1"]


def test_the_words_of_a_synset_follow_its_members(tmp_path):
    tax = read(tmp_path, ENGLISH).build()
    assert tax.labels(tax.code("t-1-n")) == ["puss", "cat"]


def test_instances_are_marked(tmp_path):
    tax = read(tmp_path, ENGLISH).build()
    assert [tax.id(code) for code in range(len(tax)) if tax.is_instance(code)] == ["t-4-n"]


def test_parts_of_speech_and_relations_are_chosen(tmp_path):
    tax = read(tmp_path, ENGLISH, parts=("n",), relations=("is_a", "part_of")).build()
    assert len(tax) == 4
    assert parents(tax, "t-2-n") == ["t-1-n"]
    with pytest.raises(BadTaxonomy, match=r"no relation 'near'. Choose from: is_a, part_of, member_of, substance_of"):
        read(tmp_path, ENGLISH, relations=("near",))


def test_links_that_only_point_downward_are_read_too(tmp_path):
    draft = read(tmp_path, GERMAN)
    assert draft.notes == ["1 synsets have no word; their id is shown"]
    assert parents(draft.build(), "w-2") == ["w-1"]


def test_an_interlingual_id_that_two_synsets_claim_leads_nowhere(tmp_path):
    assert list(read(tmp_path, GERMAN).build().aliases) == ["i1"]


def test_of_several_lexicons_one_is_chosen_by_language_or_id(tmp_path):
    assert len(read(tmp_path, ENGLISH + GERMAN, language="de").build()) == 3
    assert len(read(tmp_path, ENGLISH + GERMAN, language="en").build()) == 5
    assert len(read(tmp_path, ENGLISH + GERMAN, lexicon="winzig").build()) == 3


@pytest.mark.parametrize(
    ("options", "complaint"),
    [({}, "2 lexicons are what you ask for"), ({"language": "fr"}, "no lexicon is what you ask for")],
)
def test_an_unclear_choice_of_lexicon_is_an_error_that_lists_them(tmp_path, options, complaint):
    with pytest.raises(BadTaxonomy, match=complaint + r". It has: tiny \(en-GB\), winzig \(de\)"):
        read(tmp_path, ENGLISH + GERMAN, **options)


def test_extensions_are_left_out_with_a_note(tmp_path):
    extension = '<LexiconExtension id="more"><Synset id="t-1-n" ili=""/></LexiconExtension>'
    assert read(tmp_path, ENGLISH + extension).notes == ["extensions of lexicons are left out: more"]


def test_a_wordnet_without_links_says_so(tmp_path):
    flat = '<Lexicon id="a" language="en"><Synset id="b" ili="" partOfSpeech="n"/></Lexicon>'
    assert "no synset has a link upward; the wordnet may rely on another one for them" in read(tmp_path, flat).notes


def test_a_gzipped_wordnet_reads_like_a_plain_one(tmp_path):
    packed = gzip.compress((HEAD + ENGLISH + TAIL).encode())
    assert read(tmp_path, packed).build().fingerprint == read(tmp_path, ENGLISH).build().fingerprint
    with pytest.raises(BadTaxonomy, match="damaged or cut short"):
        read(tmp_path, packed[:400])


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("", "has no Lexicon"),
        ('<Lexicon id="a">\n<Synset ili="i1"/></Lexicon>', "line 5: an element lacks its attribute 'id'"),
        ('<Lexicon id="a">\n<Synset id="b"/><Synset id="b"/></Lexicon>', "line 5: the synset 'b' is given twice"),
        (
            '<Lexicon id="a"><Synset id="b">\n<SynsetRelation relType="hypernym" target="c"/></Synset></Lexicon>',
            "line 5: 1 parent ids are used but never defined: 'c'",
        ),
        ("<Lexicon>", "is not well-formed XML"),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "fetched from elsewhere"),
    ],
)
def test_a_fault_is_one_error_that_names_the_place(tmp_path, body, complaint):
    with pytest.raises(BadTaxonomy, match=complaint):
        read(tmp_path, body).build()


def test_a_wordnet_written_as_lmf_reads_back_with_its_senses_counts_glosses_and_links(
    wordnet: Taxonomy, tmp_path: Path
) -> None:
    """A part of WordNet with nouns of several senses; bench/lmf.py does the same with all of it."""
    tax = wordnet.under(wordnet.code("instrumentality.n.03"))
    path = tmp_path / "part.xml"
    path.write_text("".join(lmf(tax, "part")), encoding="utf-8")
    read = load(str(path))
    assert len(read) == len(tax) > 3_000
    assert list(read.keys) == list(tax.keys)
    for key in tax.keys:
        assert [read.gloss(code) for code in read.codes(key)] == [tax.gloss(code) for code in tax.codes(key)]
        assert read.counts(key) == tax.counts(key)
    for code in range(len(tax)):
        twin = read.code(f"part-{code:08d}-n")
        assert sorted(map(read.label, read.parents(twin))) == sorted(map(tax.label, tax.parents(code)))
        assert read.depth(twin) == tax.depth(code)


def test_words_of_a_wordnet_in_lmf_are_found_with_their_parts_of_speech(wordnet: Taxonomy, tmp_path: Path) -> None:
    tax = wordnet.under(wordnet.code("cooking_utensil.n.01"))
    path = tmp_path / "part.xml"
    path.write_text("".join(lmf(tax)), encoding="utf-8")
    finder = Finder(load(str(path)), senses="first")
    assert [mention.label for mention in finder.find("two frying pans and a kettle")] == ["frying pan", "kettle"]
