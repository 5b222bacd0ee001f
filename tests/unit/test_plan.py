import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.distance.registry import DISTANCES
from taxonym.distance.sets import AGGREGATIONS
from taxonym.errors import BadPlan
from taxonym.plan import Input, Microaggregation, Output, Plan, american, read_plan, to_toml
from taxonym.records.column import KINDS, POLICIES, ROLES, Column

CONTRACT = """
[input]
path = "answers.csv"
person = "patient"             # whose privacy counts; default: every row is a person
[columns.patient]
role = "identifier"            # removed (also every column that is not named)
[columns.queries]
role = "quasi-identifier"      # masked
kind = "set"                   # nominal | set | text | number | date
separator = ";"
taxonomy = "wordnet"           # a built-in name or a file; several: ["icd10cm", "wordnet"]
[columns.salary]
role = "confidential"          # kept; watched by l-diversity and t-closeness
[columns.year]
role = "other"                 # kept as it is; counts in the class
[method]
name = "refined"
k = 5
aggregate = "min-sum"
measure = "jaccard"
known_items = 2                # the support rule's m
"""
WORDS = {"columns": {"words": {"role": "quasi-identifier"}}}
WATCHED = {"columns": {**WORDS["columns"], "ill": {"role": "confidential"}}}
ITEMS = {"name": "generalize", "recoding": "items"}


def with_column(**settings: Any) -> dict[str, Any]:
    return {"columns": {"words": {"role": "quasi-identifier", **settings}}}


def test_the_plan_of_the_contract_is_understood(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(CONTRACT)
    plan = read_plan(tmp_path / "plan.toml")
    assert plan.input == Input(path="answers.csv", person="patient")
    assert list(plan.columns) == ["patient", "queries", "salary", "year"]
    assert plan.columns["queries"].taxonomy == ("wordnet",)
    assert plan.method == Microaggregation()
    assert (plan.output.rows, plan.output.items) == ("sorted", "sorted")


def test_a_plan_says_in_toml_only_what_is_not_the_default() -> None:
    plan = Plan.from_dict(tomllib.loads(CONTRACT))
    assert plan.to_toml() == (
        '[input]\npath = "answers.csv"\nperson = "patient"\n\n[columns.patient]\nrole = "identifier"\n\n'
        '[columns.queries]\nrole = "quasi-identifier"\nkind = "set"\ntaxonomy = "wordnet"\n\n'
        '[columns.salary]\nrole = "confidential"\n\n[columns.year]\nrole = "other"\n'
    )


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    columns = {}
    for name in draw(st.lists(names, min_size=1, max_size=3, unique=True)):
        kind = draw(st.sampled_from(KINDS))
        words = kind in ("nominal", "set", "text")
        columns[name] = Column(
            name=name,
            role=draw(st.sampled_from(ROLES)),
            kind=kind,
            weight=draw(st.floats(0.001, 1e9) | st.integers(1, 9)),
            on_empty=draw(st.sampled_from(POLICIES)),
            taxonomy=tuple(draw(st.lists(names, max_size=3))) if words else (),
            category=draw(st.none() | names) if words else None,
            separator=draw(st.sampled_from([";", "\t", "\\", "\n"])) if kind == "set" else ";",
            topics=tuple(draw(st.lists(names, max_size=2))) if words else (),
            other_words=draw(st.sampled_from(["keep", "drop"])) if words else "keep",
            parts=draw(st.sampled_from([("n",), ("v", "n")])) if words else ("n",),
        )
    columns["q"] = Column(name="q", role="quasi-identifier")
    watched = any(c.role == "confidential" for c in columns.values())
    return Plan(
        input=Input(
            path=draw(st.none() | names), missing=tuple(draw(st.lists(names))), quote=draw(st.sampled_from([None, ""]))
        ),
        columns=columns,
        method=Microaggregation(
            k=draw(st.integers(2, 99)),
            measure=draw(st.sampled_from(["", *DISTANCES, "equal-terms"])),
            aggregate=draw(st.sampled_from([*AGGREGATIONS, "matching"])),
            threshold=draw(st.floats(0.001, 1)),
            topic_share=draw(st.floats(0, 1)),
            fit=draw(st.booleans()),
            consensus=draw(st.booleans()),
            l=draw(st.none() | st.integers(2, 9)) if watched else None,
            l_kind=draw(st.sampled_from(["distinct", "entropy"])),
            t=draw(st.none() | st.floats(0.001, 1)) if watched else None,
            t_distance=draw(st.sampled_from(["semantic", "equal"])),
            blocks=draw(st.sampled_from(["auto", "always", "never"])),
            block_size=draw(st.integers(1, 9999)),
            seed=draw(st.none() | st.integers(0, 2**63)),
        ),
        output=Output(shuffle=draw(st.booleans()), order=draw(st.sampled_from(["sorted", "shuffled"]))),
    )


@given(plan=plans())
def test_any_plan_comes_back_from_its_toml(plan: Plan) -> None:
    assert Plan.from_dict(tomllib.loads(plan.to_toml())) == plan


@given(st.dictionaries(names, names | st.integers() | st.booleans() | st.lists(names) | st.dictionaries(names, names)))
def test_any_tables_come_back_from_their_toml(tables: dict[str, Any]) -> None:
    assert tomllib.loads(to_toml(tables)) == tables


def test_the_measure_belongs_to_the_aggregate_unless_it_is_named() -> None:
    assert Microaggregation().measure == "jaccard"
    assert Microaggregation(aggregate="matching").measure == "log"
    assert Microaggregation(aggregate="matching", measure="lin").measure == "lin"


def test_british_spellings_are_understood() -> None:
    assert american("generalise", ["generalize", "mdav"]) == "generalize"
    assert american("anonymisation", ["anonymization"]) == "anonymization"
    assert american("noise", ["noise", "noize"]) == "noise"
    assert american("advise", ["mdav"]) == "advise"


def test_files_are_looked_for_beside_the_plan_first(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text('[columns.w]\nrole = "quasi-identifier"\n')
    (tmp_path / "own.csv").touch()
    plan = read_plan(tmp_path / "plan.toml")
    assert plan.located("own.csv") == str(tmp_path / "own.csv")
    assert plan.located("wordnet") == "wordnet"


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "columns: none has the role 'quasi-identifier'"),
        (WORDS | {"methods": {}}, "methods: there is no such key. Did you mean 'method'? Choose among input, "),
        (WORDS | {"method": 5}, "method: must be a table, written [method]."),
        ({"columns": {"a b": 1}}, 'columns.a b: must be a table, written [columns."a b"].'),
        ({"columns": {"a": {"kind": "set"}}}, "columns.a.role: is missing. Choose one of identifier, "),
        ({"columns": {"a": {"role": "other", "taxnomy": "x"}}}, "columns.a.taxnomy: there is no such key. Did "),
        (WORDS | {"method": {"k": 1}}, "method.k: must be at least 2, got 1."),
        (WORDS | {"method": {"k": 2.5}}, "method.k: must be a whole number, got 2.5."),
        (WORDS | {"method": {"k": True}}, "method.k: must be a whole number, got True."),
        (WORDS | {"method": {"known_items": -1}}, "method.known_items: must be at least 0, got -1."),
        (WORDS | {"method": {"measure": "jacard"}}, "method.measure: 'jacard' is not known. Did you mean 'jaccard'? "),
        (WORDS | {"method": {"aggregate": "minsum"}}, "method.aggregate: 'minsum' is not known. Did you mean"),
        (WORDS | {"method": {"content": "secco"}}, "method.content: 'secco' is not known. Did you mean 'seco'?"),
        (WORDS | {"method": {"threshold": 0}}, "method.threshold: must be above 0 and at most 1, got 0."),
        (WORDS | {"method": {"threshold": 1.1}}, "method.threshold: must be above 0 and at most 1, got 1.1."),
        (WORDS | {"method": {"topic_share": 75}}, "method.topic_share: must lie between 0 and 1, got 75."),
        (WORDS | {"method": {"l": 2}}, "method.l: there is nothing to watch. Give a column the role 'confidential'"),
        (WORDS | {"method": {"t": 0.5}}, "method.t: there is nothing to watch. Give a column the role 'confidential'"),
        (WORDS | {"method": {"t": 0.5, "topics": "health"}}, "method.t: there is nothing to watch."),
        (WATCHED | {"method": {"l": 1}}, "method.l: must be at least 2, got 1."),
        (WATCHED | {"method": {"l": 2.5}}, "method.l: must be a whole number, got 2.5."),
        (WATCHED | {"method": {"l_kind": "entropic"}}, "method.l_kind: 'entropic' is not known."),
        (WATCHED | {"method": {"t": 0}}, "method.t: must lie above 0 and be at most 1, got 0."),
        (WATCHED | {"method": {"t": 1.5}}, "method.t: must lie above 0 and be at most 1, got 1.5."),
        (WATCHED | {"method": {"t": "0.2"}}, "method.t: must be a number, got '0.2'."),
        (WATCHED | {"method": {"t_distance": "ordered"}}, "method.t_distance: 'ordered' is not known. Choose one of "),
        (WATCHED | {"method": ITEMS | {"l": 2}}, "method.recoding: l and t are kept by merging groups, which 'items'"),
        (WATCHED | {"method": ITEMS | {"t": 0.5}}, "method.recoding: l and t are kept by merging groups, which "),
        (WORDS | {"method": {"fit": "no"}}, "method.fit: must be true or false, got 'no'."),
        (with_column(other_words="pass"), "columns.words.other_words: words that are passed on as they are would"),
        (with_column(other_words="hide"), "columns.words.other_words: 'hide' is not known. Choose one of keep, drop."),
        (with_column(parts=["x"]), "columns.words.parts: choose from n (nouns) and v (verbs), got ['x']."),
        (with_column(spelling=3), "columns.words.spelling: must be 0, 1 or 2, got 3."),
        (with_column(kind="number", topics="all"), "columns.words.topics: belongs to columns of kind nominal, set"),
        (WORDS | {"output": {"shuffle": "no"}}, "output.shuffle: must be true or false, got 'no'."),
        (WORDS | {"input": {"delimiter": ", "}}, "input.delimiter: must be one character or \"\" for none, got ', '."),
        (WORDS | {"input": {"person_rows": "join"}}, "input.person_rows: 'join' is not known."),
        (WORDS | {"input": {"missing": ["?", 1]}}, "input.missing: must be a list of texts, got ('?', 1)."),
        (WORDS | {"input": {"person": "words"}}, "columns.words.role: this column says whose row it is (input.person)"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_file_key_and_what_is_allowed(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadPlan) as caught:
        Plan.from_dict(given, where="plan.toml")
    assert str(caught.value).startswith(f"plan.toml: {complaint}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["papers", "adaptive-mdav-papers"])
def test_the_printed_algorithm_of_a_paper_is_refused_for_a_release_and_says_why(name: str) -> None:
    with pytest.raises(BadPlan) as caught:
        Plan.from_dict(WORDS | {"method": {"name": name}}, where="plan.toml")
    assert str(caught.value).startswith("plan.toml: method.name: Algorithm 3 of Imran-Daud et al. 2022")
    for why in ("depend on the order", "lose records", "fewer than k", "Use 'adaptive-mdav'"):
        assert why in str(caught.value)


@pytest.mark.parametrize("key", ["measure", "aggregate", "content", "representative"])
def test_every_name_that_a_complaint_offers_is_accepted(key: str) -> None:
    with pytest.raises(BadPlan) as caught:
        Plan.from_dict(WORDS | {"method": {key: "?"}})
    for name in str(caught.value).split("Choose one of ")[1].rstrip(".").split(", "):
        assert getattr(Plan.from_dict(WORDS | {"method": {key: name}}).method, key) == name


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"[input\n", "plan.toml: is not sound TOML (at line 1"),
        (b"\xff", "plan.toml: is not UTF-8 text. Save it as UTF-8."),
    ],
)
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, content: bytes, complaint: str) -> None:
    (tmp_path / "plan.toml").write_bytes(content)
    with pytest.raises(BadPlan) as caught:
        read_plan(tmp_path / "plan.toml")
    assert complaint in str(caught.value)


def test_a_plan_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadPlan, match="none.toml: there is no such file. Draft a plan with 'taxonym plan'"):
        read_plan(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("output", "rows", "items"),
    [
        ({}, "sorted", "sorted"),
        ({"order": "shuffled"}, "shuffled", "shuffled"),
        ({"shuffle": True}, "shuffled", "shuffled"),
        ({"shuffle": False}, "kept", "sorted"),
        ({"shuffle": False, "order": "shuffled"}, "kept", "shuffled"),
    ],
)
def test_the_older_key_of_the_output_still_says_what_it_said(output: dict[str, Any], rows: str, items: str) -> None:
    plan = Plan.from_dict(WORDS | {"output": output})
    assert (plan.output.rows, plan.output.items) == (rows, items)
    assert plan.to_dict().get("output", {}) == output
