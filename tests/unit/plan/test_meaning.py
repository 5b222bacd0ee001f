"""What a plan says that the words of a column mean."""

from typing import Any

import pytest

from taxonym import Taxonomy
from taxonym.cli import main
from taxonym.errors import BadPlan
from taxonym.plan import Plan
from taxonym.plan.meaning import finder_of


def found(wordnet: Taxonomy, text: str, method: dict[str, Any] | None = None, **settings: Any) -> list[str]:
    column = {"role": "quasi-identifier", "kind": "text", "taxonomy": "wordnet"} | settings
    plan = Plan.from_dict({"columns": {"note": column}} | ({"method": method} if method else {}))
    finder = finder_of(plan.columns["note"], plan, {"wordnet": wordnet})
    assert finder is not None
    return [wordnet.id(mention.code) for mention in finder.find(text)]


def test_topics_of_a_column_or_of_the_method_see_adjectives_beside_nouns(wordnet: Taxonomy) -> None:
    assert found(wordnet, "gay bar") == ["barroom.n.01"]
    both = ["homosexual.n.01", "barroom.n.01"]
    assert found(wordnet, "gay bar", topics=["sex-life"]) == both
    assert found(wordnet, "gay bar", {"topics": ["sex-life"]}) == both
    assert found(wordnet, "gay bar", topics=["religion"]) == ["barroom.n.01"]
    assert found(wordnet, "gay bar", topics=["sex-life"], related="none") == ["barroom.n.01"]


def test_a_column_says_where_adjectives_and_verbs_count(wordnet: Taxonomy) -> None:
    assert found(wordnet, "pregnant") == ["pregnancy.n.01"]
    assert found(wordnet, "pregnant", related="none") == []
    assert found(wordnet, "old bar", related="all") == ["oldness.n.01", "barroom.n.01"]


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        (
            {"related": "allways"},
            r"columns.note.related: 'allways' is not known. Did you mean .all.. Choose one of alone, all",
        ),
        ({"kind": "number", "taxonomy": [], "related": "all"}, "columns.note.related: belongs to columns of kind"),
    ],
)
def test_a_wrong_place_for_related_words_is_refused(settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadPlan, match=complaint):
        Plan.from_dict({"columns": {"note": {"role": "quasi-identifier", "kind": "text"} | settings}})


def test_the_command_shows_what_adjectives_stand_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["concepts", "pregnant women", "--topics"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines if ".n." in line] == [
        ["pregnant", "pregnancy.n.01"],
        ["women", "woman.n.01"],
    ]
    assert "    sensitive: health" in lines
    assert main(["concepts", "pregnant", "--related", "none"]) == 0
    assert "pregnancy" not in capsys.readouterr().out
    assert main(["concepts", "pregnant", "--related", "often"]) == 2
    assert "related: 'often' is not known" in capsys.readouterr().err


def test_the_command_takes_ids_for_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["concepts", "protector.n.01", "25000", "--taxonomy", "icd9cm"]) == 0
    assert "250.00" in capsys.readouterr().out
    assert main(["distance", "protector.n.01", "defender.n.01"]) == 0
    assert capsys.readouterr().out.startswith("0.0000")
