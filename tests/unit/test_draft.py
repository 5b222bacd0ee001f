from pathlib import Path

import pytest

from taxonym.drafting import draft_plan
from taxonym.errors import BadInput
from taxonym.io.delimited import Dialect
from taxonym.plan import Plan

ANIMALS = ["dog", "cat", "horse", "cow", "eagle", "shark", "salmon", "lizard", "spider", "ant"]
FOODS = ["bread", "milk", "beer", "wine", "cheese", "butter", "rice", "apple", "sugar", "salt"]


def log(folder: Path, name: str = "log.csv") -> Path:
    """Sixty rows of twelve users."""
    lines = ["user_id,when,email,pets,basket,note,age,blank"]
    for i in range(60):
        basket = ";".join(FOODS[(i + j) % 10] for j in range(1 + i % 4))
        note = f"yesterday I saw {i} {ANIMALS[i % 10]}s near the house"
        lines.append(f"u{i % 12},2024-01-{1 + i % 28:02},p{i % 12}@x.org,{ANIMALS[i % 10]},{basket},{note},{20 + i},")
    path = folder / name
    path.write_text("\n".join(lines))
    return path


def test_roles_kinds_separators_and_the_person_are_proposed(tmp_path: Path) -> None:
    draft = draft_plan(log(tmp_path))
    assert draft.plan["input"] == {"path": str(tmp_path / "log.csv"), "person": "user_id"}
    assert draft.plan["columns"] == {
        "user_id": {"role": "identifier"},
        "email": {"role": "identifier"},
        "pets": {
            "role": "quasi-identifier",
            "kind": "set",  # every user has several
            "taxonomy": "wordnet",
            "category": "animal.n.01",
        },
        "basket": {"role": "quasi-identifier", "kind": "set", "separator": ";", "taxonomy": "wordnet"},
        "note": {"role": "quasi-identifier", "kind": "text", "taxonomy": "wordnet"},
        "age": {"role": "quasi-identifier", "kind": "number"},
    }


def test_a_draft_is_a_plan(tmp_path: Path) -> None:
    plan = Plan.from_dict(draft_plan(log(tmp_path)).plan)
    assert plan.input.person == "user_id"
    assert [c.name for c in plan.columns.values() if c.role == "quasi-identifier"] == ["pets", "basket", "note", "age"]


def test_every_column_is_explained_by_one_sentence_without_a_value(tmp_path: Path) -> None:
    notes = draft_plan(log(tmp_path)).notes
    assert len(notes) == 8
    for name in ("user_id", "when", "email", "pets", "basket", "note", "age", "blank"):
        assert sum(note.startswith(f"Column {name!r}") for note in notes) == 1
    written = " ".join(notes)
    assert not [word for word in [*ANIMALS, *FOODS, "x.org", "2024"] if f" {word}" in written]
    assert "Column 'user_id' says whose row it is (5.0 rows per value)" in notes[0]
    assert "Column 'age' is masked as number: it holds ages" in written
    assert "Column 'when' is left out: it holds dates" in written
    assert "Column 'blank' is left out: it is empty." in written


def test_the_taxonomy_that_knows_more_is_proposed(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("child,parent\n" + "".join(f"q{i}x,thing\n" for i in range(20)))
    (tmp_path / "data.csv").write_text("word,food\n" + "".join(f"q{i}x,{FOODS[i % 10]}\n" for i in range(20)))
    own = str(tmp_path / "own.csv")
    columns = draft_plan(tmp_path / "data.csv", ["wordnet", own]).plan["columns"]
    assert (columns["word"]["taxonomy"], columns["food"]["taxonomy"]) == (own, "wordnet")


def test_without_a_person_column_every_row_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("pet\ndog\ncat\n")
    draft = draft_plan(tmp_path / "x.csv")
    assert draft.notes[0] == "No column says whose row it is: every row counts as a person."
    assert "person" not in draft.plan["input"]


def test_columns_named_like_names_are_never_proposed_for_publication(tmp_path: Path) -> None:
    header = ["name", "lastName", "first_name", "pet"]
    rows = [",".join(["rose", "smith", "victoria", pet]) for pet in ANIMALS]
    (tmp_path / "x.csv").write_text("\n".join([",".join(header), *rows]))
    columns = draft_plan(tmp_path / "x.csv").plan["columns"]
    assert [n for n, c in columns.items() if c["role"] == "quasi-identifier"] == ["pet"]


def test_a_column_of_repeated_words_is_not_taken_for_persons(tmp_path: Path) -> None:
    rows = [f"{ANIMALS[i % 10]},{FOODS[i % 10]}" for i in range(40)]
    (tmp_path / "x.csv").write_text("\n".join(["customer_pet,food", *rows]))
    assert "person" not in draft_plan(tmp_path / "x.csv").plan["input"]


def test_lists_in_a_file_are_sets(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"pets": ["dog", "cat"]}\n{"pets": ["cow"]}\n')
    column = draft_plan(tmp_path / "x.jsonl").plan["columns"]["pets"]
    assert column == {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}


def test_the_dialect_is_part_of_the_plan(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("dog,cat\ncow\ndog,horse,ant\n")
    draft = draft_plan(tmp_path / "x.csv", dialect=Dialect(delimiter="", names=("pets",)))
    plan = Plan.from_dict(draft.plan)
    assert (plan.input.delimiter, plan.input.names, plan.columns["pets"].separator) == ("", ("pets",), ",")


def test_a_file_whose_words_no_taxonomy_knows_is_refused_with_the_best_share(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a\nxqzz\nqqqw\nzzxy\ndog\n")
    with pytest.raises(BadInput, match="x.csv: no column can be masked: of the best, 25% is known to wordnet"):
        draft_plan(tmp_path / "x.csv")


def test_a_column_of_codes_is_words_of_the_taxonomy_whose_ids_they_are(tmp_path: Path) -> None:
    codes = ["250.00", "401.9", "272.4", "493.90", "311", "V10.0", "E888.9", "530.81"]
    lines = ["printed,plain,digits,several,age"]
    for i in range(60):
        code, number = codes[i % 8], codes[i % 5].replace(".", "")
        lines.append(f"{code},{code.replace('.', '').lower()},{number},{code}|{codes[(i + 3) % 8]},{20 + i}")
    (tmp_path / "codes.csv").write_text("\n".join(lines))
    columns = draft_plan(tmp_path / "codes.csv", ["wordnet", "icd9cm"]).plan["columns"]
    whole = {"role": "quasi-identifier", "kind": "nominal", "taxonomy": "icd9cm"}
    several = {"role": "quasi-identifier", "kind": "set", "separator": "|", "taxonomy": "icd9cm"}
    assert columns.pop("age")["kind"] == "number"
    assert columns == {"printed": whole, "plain": whole, "digits": whole, "several": several}


def test_a_file_whose_words_are_known_but_do_not_hang_together_is_refused_for_that_reason(tmp_path: Path) -> None:
    values = [
        "Basic",
        "Corolla",
        "Sable",
        "Delta",
        "Polo",
        "Focus",
        "Galaxy",
        "Beetle",
        "Golf",
        "Civic",
        "Accord",
        "Fit",
    ]
    (tmp_path / "y.csv").write_text("\n".join(["model", *(values[i % 12] for i in range(60))]))
    with pytest.raises(BadInput, match=r"y.csv: no column can be masked. Column 'model' is left out: .* hang together"):
        draft_plan(tmp_path / "y.csv")


def test_a_column_of_surnames_is_removed(tmp_path: Path) -> None:
    names = ["Stone", "Rose", "Hill", "Bush", "Field", "Day", "Price", "Bell", "Cross", "Snow", "West", "Page"]
    (tmp_path / "x.csv").write_text("\n".join(["winner", *(names[i % 12] for i in range(60))]))
    with pytest.raises(BadInput, match=r"x.csv: no column can be masked. Column 'winner' holds surnames"):
        draft_plan(tmp_path / "x.csv")
