"""The draft for a file is the plan that a careful person would write, or asks the right question."""

from pathlib import Path

import pytest

from taxonym.drafting import PlanDraft, draft_plan
from taxonym.errors import BadInput
from taxonym.plan import Plan
from tests.door.conftest import Drafted
from tests.door.expected import EXPECTED, Expected
from tests.door.held_out import HELD_OUT
from tests.door.strangers import STRANGERS

_ALSO = ("separator", "from", "marks", "format", "category")


def differences(draft: PlanDraft, careful: Expected) -> list[str]:
    """Where a draft is another plan than the careful one."""
    found = []
    for what, mine, other in (
        ("kind", draft.kind, careful.kind),
        ("person", draft.person, careful.person),
        ("questions", {question.id for question in draft.questions}, set(careful.asks)),
        ("stops", bool(draft.stopping), careful.refuses),
        ("missing", tuple(draft.plan["input"].get("missing", ())), careful.missing),
        ("warned", {c.name for c in draft.columns if c.warnings}, set(careful.warns)),
    ):
        if mine != other:
            found.append(f"{what}: {mine} instead of {other}")
    if careful.kind != "table":
        return found
    columns = draft.plan["columns"]
    for name in {*columns, *careful.columns}:
        mine, other = columns.get(name, {"role": None}), careful.columns.get(name, {"role": None})
        keys = ["role"] if other["role"] in (None, "identifier") else ["role", "kind", "taxonomy"]
        keys += [key for key in _ALSO if key in other]
        for key in keys:
            if mine.get(key) != other.get(key):
                found.append(f"{name}.{key}: {mine.get(key)!r} instead of {other.get(key)!r}")
    return found


@pytest.mark.parametrize("name", [*HELD_OUT, *STRANGERS])
def test_files_that_were_written_later_are_drafted_as_carefully(name: str, drafted: Drafted) -> None:
    assert differences(drafted(name), (HELD_OUT | STRANGERS)[name]) == []


def test_western_text_that_is_not_utf_8_is_read_and_its_encoding_is_in_the_plan(
    drafted: Drafted, tmp_path: Path
) -> None:
    draft = drafted("patienten.csv")
    assert draft.plan["input"]["encoding"] == "cp1252"
    assert any("windows-1252" in note for note in draft.notes)
    for number, data in enumerate(
        ["Город\nМосква\n".encode("cp1251"), b"x\n\xc3\xbcber \xc3\xa4 \xff\n", b"x\n\0\xe4\n"]
    ):
        path = tmp_path / f"{number}.csv"
        path.write_bytes(data)
        with pytest.raises(BadInput, match="line [12]"):
            draft_plan(path)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_draft_is_the_plan_that_a_careful_person_would_write(name: str, drafted: Drafted) -> None:
    assert differences(drafted(name), EXPECTED[name]) == []


@pytest.mark.parametrize("name", EXPECTED)
def test_a_draft_with_all_safe_answers_is_a_plan(name: str, drafted: Drafted) -> None:
    draft = drafted(name).safely()
    assert draft.questions == []
    assert Plan.from_dict(draft.plan).kind == EXPECTED[name].kind
