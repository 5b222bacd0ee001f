from pathlib import Path

import numpy as np
import pytest

from taxonym import Taxonomy, concept_distance
from taxonym.errors import BadInput, BadPlan, TaxonymError, UnknownConcept
from taxonym.text.finder import Finder
from taxonym.text.senses import (
    MEASURE,
    MOST,
    SENSES,
    WEIGHT,
    SenseChoice,
    best_pair,
    closest_pair,
    context,
    first,
    policy_named,
    read_overrides,
)


def choice(tax: Taxonomy, label: str, part: str = "n") -> SenseChoice:
    both = [(c, n) for c, n in zip(tax.codes(label), tax.counts(label), strict=True) if f".{part}." in tax.id(c)]
    return SenseChoice([c for c, _ in both], [n for _, n in both])


def test_first_takes_the_order_of_the_taxonomy(wordnet: Taxonomy) -> None:
    assert first(wordnet, [choice(wordnet, "bank"), choice(wordnet, "crane")]) == [0, 0]


def test_context_is_the_prior_plus_closeness_by_its_definition(wordnet: Taxonomy) -> None:
    choices = [choice(wordnet, label) for label in ("crane", "bird", "mouse")]
    expected = []
    for mine in choices:
        scores = []
        for code, prior in zip(mine.codes, mine.prior, strict=True):
            near = [
                sum(p * (1 - concept_distance(wordnet, code, c, MEASURE)) for c, p in zip(*o[:1], o.prior, strict=True))
                for o in choices if o is not mine
            ]  # fmt: skip
            scores.append(np.log(prior) + WEIGHT * np.mean(near))
        expected.append(int(np.argmax(np.round(scores, 9))))
    assert context(wordnet, choices) == expected
    assert wordnet.id(choices[0].codes[expected[0]]) == "crane.n.05"  # the bird, though it is the rarest sense


def test_context_without_others_is_the_first_sense(wordnet: Taxonomy) -> None:
    assert context(wordnet, [choice(wordnet, "crane")]) == [0]
    assert context(wordnet, [choice(wordnet, "crane")] * 3) == [0, 0, 0]
    assert context(wordnet, []) == best_pair(wordnet, []) == []


def test_what_is_near_but_was_never_seen_does_not_beat_what_is_usual(wordnet: Taxonomy) -> None:
    """Closeness alone would send 'dog' to a rare sense as soon as some rare neighbour is near it."""
    day, dog = choice(wordnet, "day"), choice(wordnet, "dog")
    assert context(wordnet, [day, dog]) == [0, 0]


@pytest.mark.parametrize("policy", SENSES.values(), ids=lambda p: p.name)
def test_the_order_of_the_mentions_does_not_matter(wordnet: Taxonomy, policy) -> None:  # type: ignore[no-untyped-def]
    choices = [choice(wordnet, label) for label in ("bank", "river", "crane", "water", "bass", "bank")]
    chosen = policy.choose(wordnet, choices, None)
    assert policy.choose(wordnet, choices[::-1], None) == chosen[::-1]
    assert all(0 <= at < len(one.codes) for at, one in zip(chosen, choices, strict=True))


def test_a_record_may_be_longer_than_what_is_compared(wordnet: Taxonomy) -> None:
    codes = list(range(0, 3 * MOST * 4, 4))
    choices = [SenseChoice([code, code + 1], [1, 1]) for code in codes]
    assert len(context(wordnet, choices)) == len(best_pair(wordnet, choices)) == len(codes)


def test_best_pair_takes_the_most_similar_senses(wordnet: Taxonomy) -> None:
    keyboard, laptop = choice(wordnet, "keyboard"), choice(wordnet, "laptop")
    at = best_pair(wordnet, [keyboard, laptop])
    nearest = [min(concept_distance(wordnet, c, d, MEASURE) for d in laptop.codes) for c in keyboard.codes]
    assert at[0] == int(np.argmin(nearest))


def test_the_closest_pair_of_two_terms(wordnet: Taxonomy) -> None:
    horse, dog = wordnet.codes("horse"), wordnet.codes("dog")
    a, b, apart = closest_pair(wordnet, horse, dog)
    assert apart == min(concept_distance(wordnet, x, y, "wu-palmer") for x in horse for y in dog)
    assert apart == concept_distance(wordnet, a, b, "wu-palmer")
    with pytest.raises(UnknownConcept):
        closest_pair(wordnet, [], dog)


def test_an_unknown_policy_is_named() -> None:
    with pytest.raises(BadPlan, match="senses: 'last' is not known. Choose one of column, first, context, best-pair"):
        policy_named("last")


def test_overrides_are_read_from_csv_and_tsv(tmp_path: Path, wordnet: Taxonomy) -> None:
    csv, tsv = tmp_path / "own.csv", tmp_path / "own.tsv"
    csv.write_text('term,concept\n"crane, blue",crane.n.05\n\nbass,sea_bass.n.01\n', "utf-8")
    tsv.write_text("note\tconcept\tterm\nx\tcrane.n.05\tcrane\n", "utf-8")
    assert read_overrides(csv, wordnet) == {
        "crane, blue": wordnet.code("crane.n.05"),
        "bass": wordnet.code("sea_bass.n.01"),
    }
    assert read_overrides(tsv, wordnet) == {"crane": wordnet.code("crane.n.05")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\nx,y\n", "line 1: the first line must name the columns term and concept"),
        ("term,concept\ncrane,crane.n.05\nbass\n", "line 3: needs a term and a concept"),
        ("term,concept\nbass,fish.n.99\n", "line 2: 'wordnet' has no concept with the id 'fish.n.99'"),
        ("", "line 1"),
    ],
)
def test_a_mistake_in_an_override_file_is_named_with_its_line(
    tmp_path: Path, wordnet: Taxonomy, text: str, message: str
) -> None:
    path = tmp_path / "own.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(BadInput, match=message):
        read_overrides(path, wordnet)


def test_an_override_wins_over_every_policy_and_a_category_comes_before_it(wordnet: Taxonomy) -> None:
    for senses in SENSES:
        own = Finder(wordnet, senses=senses, overrides={"crane": "crane.n.05", "Bed Bug": "louse.n.01"})
        assert [wordnet.id(m.code) for m in own.find("Cranes lift bed-bugs")] == ["crane.n.05", "louse.n.01"]
        animals = Finder(wordnet, senses=senses, category="animal.n.01")
        assert [wordnet.id(m.code) for m in animals.find("a crane on the river bank")] == ["crane.n.05"]


def test_an_override_to_no_concept_is_refused(wordnet: Taxonomy) -> None:
    with pytest.raises(TaxonymError, match="overrides: 'wordnet' has no concept with the id 'nothing'"):
        Finder(wordnet, overrides={"crane": "nothing"})
