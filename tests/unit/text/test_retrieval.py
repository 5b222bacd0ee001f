"""Concepts by the words of their labels, where labels are sentences."""

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

import taxonym
from taxonym import Taxonomy
from taxonym.knowledge.build import Draft
from taxonym.text.language import Language, lemma_list
from taxonym.text.retrieval import Retriever, abbreviations, confidence
from taxonym.text.tokens import tokenise, word_set

GOLD = Path(__file__).parents[3] / "bench" / "gold" / "icd10cm.jsonl"

LABELS = {
    "ill": ["Diseases (A00-Z99)"],
    "J45": ["Asthma"],
    "J45.2": ["Mild intermittent asthma"],
    "J45.8": ["Other asthma"],
    "J45.9": ["Unspecified asthma, uncomplicated", "Asthma NOS"],
    "E11": ["Type 2 diabetes mellitus"],
    "E11.6": ["Type 2 diabetes mellitus with other complications"],
    "E11.9": ["Type 2 diabetes mellitus without complications"],
    "I10": ["Essential (primary) hypertension"],
    "I27": ["Pulmonary hypertension"],
    "J18": ["Pneumonia, unspecified organism"],
    "J12": ["Viral pneumonia"],
    "D50": ["Iron deficiency anemia"],
    "K50": ["Crohn's disease"],
    "M35": ["Sjögren syndrome"],
    "Z3A": ["12 weeks gestation of pregnancy"],
    "S62.1": ["Fracture of right wrist", "Broken right wrist"],
    "S62.2": ["Fracture of left wrist"],
    "C34": ["Malignant neoplasm of bronchus and lung"],
    "C78": ["Secondary malignant neoplasm of lung"],
    "R69": ["Illness ((unclosed bracket"],
    "R70": ["Raised sedimentation rate"],
}


def diseases(labels: dict[str, list[str]] = LABELS) -> Taxonomy:
    draft = Draft("diseases")
    for id, names in labels.items():
        draft.add(id, names)
        if id != "ill":
            draft.link(id, id.split(".")[0] if "." in id and id.split(".")[0] in labels else "ill")
    return draft.build()


@pytest.fixture(scope="module")
def retriever() -> Retriever:
    return Retriever(diseases())


def best(retriever: Retriever, text: str) -> str | None:
    found = retriever.best([token.text for token in tokenise(text)])
    return found and retriever.tax.id(found[0])


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("asthma", "J45"),
        ("mild asthma", "J45.2"),
        ("type 2 diabetes mellitus w/o complications", "E11.9"),
        ("type 2 diabetes mellitus w/ complications", "E11.6"),
        ("T2DM", "E11"),
        ("essential htn", "I10"),
        ("pneumonia", "J18"),
        ("iron deficiency anaemia", "D50"),
        ("crohns disease", "K50"),
        ("Crohn’s", "K50"),
        ("sjogren", "M35"),
        ("12 week pregnancy", "Z3A"),
        ("wrist fractures, left", "S62.2"),
        ("broken wrist", "S62.1"),
        ("lung cancer", "C34"),
        ("raised rate", "R70"),
    ],
)
def test_an_entry_finds_the_concept_that_a_reader_would_give_it(retriever: Retriever, text: str, id: str) -> None:
    assert best(retriever, text) == id


def test_where_the_query_says_no_more_the_unspecified_concept_comes_before_the_rarer_and_the_remaining(
    retriever: Retriever,
) -> None:
    ids = [retriever.tax.id(code) for code, _ in retriever.ranked(["asthma"], 4)]
    assert ids[:2] == ["J45", "J45.9"]
    assert set(ids[2:]) == {"J45.2", "J45.8"}


def test_confidence_falls_with_every_word_that_no_label_has(retriever: Retriever) -> None:
    found = [retriever.best(["asthma", *["xyzzy", "plugh", "frobnicate"][:n]]) for n in range(4)]
    sure = [answer[1] for answer in found if answer]
    assert len(sure) == 4
    assert sure == sorted(sure, reverse=True)
    assert sure[0] > 0.5 > sure[1] > sure[3] > 0


def test_words_that_no_label_has_find_nothing(retriever: Retriever) -> None:
    for words in ([], [""], ["the"], ["xyzzy"], ["..."], ["\ud800"]):
        assert retriever.best(words) is None
        assert retriever.ranked(words) == []


def test_ranked_gives_n_distinct_concepts_in_falling_confidence_and_best_is_the_first(retriever: Retriever) -> None:
    for n in (1, 2, 3, 6):
        found = retriever.ranked(["malignant", "asthma", "diabetes", "pneumonia"], n)
        assert len({code for code, _ in found}) == n
        assert [c for _, c in found] == sorted((c for _, c in found), reverse=True)
        assert retriever.best(["malignant", "asthma", "diabetes", "pneumonia"]) == found[0]


def test_a_label_that_shares_only_a_small_part_of_what_was_asked_may_be_passed_over(retriever: Retriever) -> None:
    words = ["malignant", "asthma", "diabetes", "pneumonia"]
    assert 6 <= len(retriever.ranked(words, 100)) < sum(len(retriever.ranked([word], 100)) for word in words)


def test_the_order_of_words_and_of_the_file_does_not_matter(retriever: Retriever) -> None:
    other = Retriever(diseases(dict(reversed(LABELS.items()))))
    for words in (["left", "wrist", "fracture"], ["asthma"], ["lung", "neoplasm"]):
        assert retriever.ranked(words) == retriever.ranked(words[::-1]) == other.ranked(words)


def test_an_abbreviation_is_expanded_only_where_the_taxonomy_knows_all_its_words() -> None:
    music = Retriever(Taxonomy.from_edges([("ca ira", "song"), ("htn band", "band")], join_roots=True))
    assert best(music, "htn") == "htn band"
    assert best(music, "ca") == "ca ira"
    assert best(music, "uti") is None


def test_abbreviations_are_single_small_words_that_are_listed_once_and_lead_to_other_words() -> None:
    listed = abbreviations()
    assert 40 < len(listed) < 100
    text = (Path(taxonym.__file__).parent / "text" / "data" / "abbreviations.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(lines) == len(listed)
    assert all(short == short.casefold() and " " not in short and short not in long for short, long in listed.items())


def test_another_language_uses_its_own_lemmas_and_no_english_abbreviation() -> None:
    spanish = Language(
        code="es",
        tokenise=tokenise,
        lemmas=lemma_list([("pulmones", "pulmón"), ("pulmones", "pulmon")]),
        tag=None,
        stop_words=word_set("de la el"),
        auxiliaries=frozenset(),
    )
    tax = Taxonomy.from_edges([("Cáncer de pulmón", "Enfermedad"), ("Flu leve", "Enfermedad")])
    assert best(Retriever(tax, spanish), "cancer de pulmones") == "Cáncer de pulmón"
    assert best(Retriever(tax, spanish), "flu") == "Flu leve"


def test_confidence_rises_with_the_score_and_stays_between_nought_and_one() -> None:
    values = [confidence(i / 20) for i in range(21)]
    assert values == sorted(values)
    assert 0 <= values[0] < 0.01
    assert 0.9 < values[-1] <= 1


# ---------------------------------------------------------------------- the real thing


def icd10cm_is_absent() -> bool:
    try:
        distribution("simple-icd-10-cm")
    except PackageNotFoundError:
        return True
    return False


needs_icd = pytest.mark.skipif(icd10cm_is_absent(), reason="the extra taxonym[icd10cm] is not installed")


@pytest.fixture(scope="module")
def icd10cm() -> Retriever:
    return Retriever(taxonym.load("icd10cm"))


@needs_icd
@pytest.mark.skipif(not GOLD.exists(), reason="bench/gold is not beside the tests")
@pytest.mark.parametrize("split", ["dev", "test"])
def test_three_of_four_problems_find_their_icd_code_and_nine_of_ten_confident_answers_are_right(
    icd10cm: Retriever, split: str
) -> None:
    entries = [e for e in map(json.loads, GOLD.read_text(encoding="utf-8").splitlines()) if e["split"] == split]
    right, sure = 0, []
    for entry in entries:
        found = icd10cm.best([token.text for token in tokenise(entry["text"])])
        id = icd10cm.tax.id(found[0]) if found else ""
        good = any(id.startswith(code[:-1]) if code.endswith("*") else id == code for code in entry["accept"])
        right += good
        if found and found[1] >= 0.5:
            sure.append(good)
    assert right >= 0.75 * sum(bool(entry["accept"]) for entry in entries)
    assert sum(sure) >= 0.9 * len(sure)


@needs_icd
def test_plain_asthma_is_the_category_and_not_a_rare_variant(icd10cm: Retriever) -> None:
    ids = [icd10cm.tax.id(code) for code, _ in icd10cm.ranked(["asthma"], 2)]
    assert ids[0] == "J45"
    assert ids[1].startswith("J45.9")


@needs_icd
def test_every_gold_code_is_a_code(icd10cm: Retriever) -> None:
    if not GOLD.exists():
        pytest.skip("bench/gold is not beside the tests")
    ids = sorted(icd10cm.tax.ids)
    for entry in map(json.loads, GOLD.read_text(encoding="utf-8").splitlines()):
        for code in entry["accept"]:
            assert code in ids or any(id.startswith(code.rstrip("*")) for id in ids if code.endswith("*")), code
