from pathlib import Path

import pytest

from taxonym import Taxonomy, load
from taxonym.errors import BadPlan, BadTaxonomy

LICENCE = "  1 This software and database is being provided to you\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A WordNet of four nouns and a verb, in its own format."""
    (tmp_path / "data.noun").write_text(
        LICENCE
        + '00000010 03 n 01 entity 0 001 ~ 00000020 n 0000 | that which is; "an example"\n'
        + "00000020 03 n 02 Person 0 someone 0 002 @ 00000010 n 0000 ~i 00000030 n 0000 | a human being\n"
        + "00000030 03 n 01 Ben_Franklin 0 001 @i 00000020 n 0000 | printer\n"
        + "00000040 03 n 01 leg 0 002 @ 00000010 n 0000 #p 00000020 n 0000 | a limb\n"
    )
    (tmp_path / "index.noun").write_text(
        LICENCE
        + "entity n 1 0 1 0 00000010  \nperson n 1 1 @ 1 1 00000020  \nsomeone n 1 1 @ 1 1 00000020  \n"
        + "ben_franklin n 1 1 @ 1 0 00000030  \nleg n 1 1 @ 1 0 00000040  \n"
    )
    (tmp_path / "data.verb").write_text("00000010 29 v 01 leg 0 000 01 + 02 00 | to walk\n")
    (tmp_path / "index.verb").write_text("leg v 1 0 1 0 00000010  \n")
    (tmp_path / "index.sense").write_text("person%1:03:00:: 00000020 1 6833\nleg%2:29:00:: 00000010 1 2\n")
    return tmp_path


def test_a_wndb_folder_is_recognised_and_read(folder: Path) -> None:
    tax = load(folder)
    assert [tax.id(c) for c in tax.codes("leg")] == ["leg.n.01", "leg.v.01"]
    assert tax.labels(tax.code("person.n.01")) == ["Person", "someone"]
    assert tax.counts("person") == [6833]
    assert tax.counts("leg") == [0, 2]
    assert tax.gloss(tax.code("entity.n.01")) == "that which is"


def test_instances_are_marked(folder: Path) -> None:
    tax = load(folder)
    assert tax.is_instance(tax.codes("ben franklin")[0])
    assert not tax.is_instance(tax.codes("person")[0])


def test_wholes_are_parents_when_asked_for(folder: Path) -> None:
    leg = "leg.n.01"
    tax, parts = load(folder), load(folder, relations=("is_a", "part_of"))
    assert [tax.id(p) for p in tax.parents(tax.code(leg))] == ["entity.n.01"]
    assert {parts.id(p) for p in parts.parents(parts.code(leg))} == {"entity.n.01", "person.n.01"}


def test_nouns_can_be_read_alone(folder: Path) -> None:
    assert [i for i in load(folder, parts=("noun",)).ids if ".v." in i] == []


def test_counts_may_come_from_cntlist_or_be_missing(folder: Path) -> None:
    (folder / "index.sense").unlink()
    assert load(folder).counts("person") == [0]
    (folder / "cntlist.rev").write_text("person%1:03:00:: 1 12\n")
    assert load(folder).counts("person") == [12]


def test_windows_line_ends_do_not_matter(folder: Path) -> None:
    plain = load(folder).fingerprint
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert load(folder).fingerprint == plain


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("data.noun", "00000010 03 n zz entity 0", "data.noun: line 1: is not a synset line"),
        ("index.noun", "entity n one", "index.noun: line 1: is not a line of a WordNet index"),
        ("index.sense", "person 1", "index.sense: line 1: is not a line of a WordNet sense index"),
    ],
)
def test_a_broken_line_is_named(folder: Path, file: str, text: str, complaint: str) -> None:
    (folder / file).write_text(text + "\n")
    with pytest.raises(BadTaxonomy, match=complaint):
        load(folder)


def test_a_word_that_its_index_does_not_know_is_named(folder: Path) -> None:
    (folder / "index.noun").write_text("entity n 1 0 1 0 00000010  \n")
    with pytest.raises(BadTaxonomy, match=r"data.noun: line 3: the word 'Person' is not in index.noun"):
        load(folder)


def test_an_unknown_relation_is_refused_with_the_known_ones(folder: Path) -> None:
    with pytest.raises(BadPlan, match="is_a, part_of, member_of, substance_of"):
        load(folder, relations=("likes",))


@pytest.fixture
def linked(folder: Path) -> Path:
    """The same with adjectives and verbs that are linked to nouns."""
    nouns = {
        "liver": ("08", 50), "illness": ("26", 60), "beater": ("18", 70), "beating": ("04", 80), "hepatic": ("20", 90),
        "sick": ("14", 100), "height": ("07", 110),
    }  # fmt: skip
    with (folder / "data.noun").open("a") as data, (folder / "index.noun").open("a") as index:
        for word, (file, offset) in nouns.items():
            data.write(f"{offset:08} {file} n 01 {word} 0 001 @ 00000010 n 0000 | x\n")
            index.write(f"{word} n 1 1 @ 1 0 {offset:08}  \n")
    (folder / "data.adj").write_text(
        "00000010 01 a 01 hepatic 0 001 \\ 00000050 n 0101 | of the liver\n"
        "00000020 00 a 02 sick 0 ill(p) 0 003 + 00000100 n 0101 + 00000060 n 0101 + 00000060 n 0201 | unwell\n"
        "00000030 00 a 01 tall 0 001 = 00000110 n 0000 | of height\n"
        "00000040 00 s 01 tall 0 000 | bold\n"
        "00000050 00 a 01 legged 0 001 ! 00000040 n 0101 | no such link\n"
    )
    (folder / "index.adj").write_text(
        "hepatic a 1 1 \\ 1 0 00000010  \nsick a 1 1 + 1 1 00000020  \nill a 1 1 + 1 1 00000020  \n"
        "tall a 2 1 = 2 1 00000040 00000030  \nlegged a 1 1 ! 1 0 00000050  \n"
    )
    (folder / "data.verb").write_text(
        "00000010 29 v 01 leg 0 000 01 + 02 00 | to walk\n"
        "00000020 29 v 02 beat 0 thrash 0 002 + 00000070 n 0101 + 00000080 n 0101 01 + 02 00 | to hit\n"
    )
    (folder / "index.verb").write_text(
        "leg v 1 0 1 0 00000010  \nbeat v 1 1 + 1 1 00000020  \nthrash v 1 1 + 1 1 00000020  \n"
    )
    (folder / "index.sense").write_text("sick%3:00:00:: 00000020 1 8\ntall%5:00:00:: 00000040 1 90\n")
    return folder


def nouns(tax: Taxonomy, part: str, word: str) -> list[str]:
    return [tax.id(code) for code in tax.related.nouns(part, word)[0]]


def test_adjectives_stand_for_the_same_word_what_they_pertain_to_what_derives_from_them_and_their_attribute(
    linked: Path,
) -> None:
    tax = load(linked)
    assert nouns(tax, "a", "sick") == ["sick.n.01"]
    assert tax.related.nouns("a", "sick")[1] == [8]
    assert nouns(tax, "a", "ill") == ["illness.n.01"]
    assert nouns(tax, "a", "hepatic") == ["liver.n.01"]
    assert nouns(tax, "a", "legged") == []


def test_a_word_that_is_hardly_ever_meant_so_is_not_linked(linked: Path) -> None:
    assert nouns(load(linked), "a", "tall") == []  # 1 of 92 times
    (linked / "index.sense").write_text("")
    assert nouns(load(linked), "a", "tall") == ["height.n.01"]


def test_verbs_stand_for_what_is_done_and_not_for_who_does_it(linked: Path) -> None:
    tax = load(linked)
    assert nouns(tax, "v", "beat") == ["beating.n.01"]
    assert nouns(tax, "v", "thrash") == ["beating.n.01"]  # by the other verb of its synset
    assert nouns(tax, "v", "leg") == []


def test_an_adjective_of_the_body_comes_before_a_noun_that_nobody_uses(linked: Path) -> None:
    tax = load(linked)
    assert nouns(tax, "p", "hepatic") == ["liver.n.01"]
    assert nouns(tax, "p", "sick") == []
    (linked / "index.sense").write_text("hepatic%1:20:00:: 00000090 1 5\n")
    assert nouns(load(linked), "p", "hepatic") == []


def test_links_change_neither_concepts_nor_fingerprint(linked: Path) -> None:
    with_links = load(linked)
    (linked / "data.adj").unlink()
    assert nouns(load(linked), "a", "ill") == []
    assert load(linked).fingerprint == with_links.fingerprint


def test_the_shipped_wordnet_has_the_concepts_it_always_had(wordnet: Taxonomy) -> None:
    assert wordnet.fingerprint == "4d4f43b8405bfe7786396c1e5b939309"
    assert len(wordnet.related) > 15_000
