"""Settings of noise in a plan: what they mean together, and what is refused before any data is read."""

from dataclasses import fields
from typing import Any

import pytest

from taxonym.errors import BadPlan
from taxonym.plan import Noise, Plan
from taxonym.plan.noise import OF_PRIVATE, OF_SHAPES, PRIVATE_NAMES, SHAPE_NAMES
from taxonym.promises import main_promise
from taxonym.publish.noise.mechanisms import MECHANISMS
from taxonym.publish.noise.private import PRIVATE
from taxonym.publish.noise.semantic import QUANTILES, SHAPES

JOB = {"role": "quasi-identifier", "taxonomy": "wordnet"}
PRIVATELY = {"name": "noise", "noise_mechanism": "exponential", "epsilon": 2.0}


def plan(method: dict[str, Any], input: dict[str, Any] | None = None, **columns: dict[str, Any]) -> Plan:
    return Plan.from_dict({"input": input or {}, "columns": columns or {"job": JOB}, "method": method})


def test_the_names_that_settings_speak_of_are_those_of_the_registries() -> None:
    assert (*PRIVATE,) == PRIVATE_NAMES
    assert (*SHAPES,) == (*QUANTILES,) == SHAPE_NAMES
    assert set(MECHANISMS) == {*SHAPE_NAMES, *PRIVATE_NAMES, "naive", "probabilistic"}
    assert {*OF_SHAPES, *OF_PRIVATE} <= {field.name for field in fields(Noise)}


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_only_private_mechanisms_without_a_seed_promise_something(mechanism: str) -> None:
    strength = {"epsilon": 1.0} if mechanism in PRIVATE else {}
    method = {"name": "noise", "noise_mechanism": mechanism, **strength}
    assert main_promise(plan(method)).name == ("ε" if mechanism in PRIVATE else "none")
    assert main_promise(plan(method | {"seed": 1})).name == "none"
    assert not plan(method).method.supported


def test_noise_compares_as_the_paper_does_unless_told_otherwise() -> None:
    assert plan({"name": "noise"}).method.measure == "wu-palmer"
    assert plan({"name": "noise", "measure": "lin"}).method.measure == "lin"
    assert plan({"name": "mdav"}).method.measure == "jaccard"


def test_keys_may_be_written_with_hyphens_and_come_back_from_toml() -> None:
    made = plan({"name": "noise", "noise-mechanism": "laplace", "alpha": 0.2, "min-candidates": 4})
    assert Noise.of(made).noise_mechanism == "laplace"
    assert Plan.from_dict(made.to_dict()) == made
    assert "measure" not in made.to_toml()


def test_a_record_costs_its_epsilon_in_every_masked_column() -> None:
    settings = Noise.of(plan(PRIVATELY, job=JOB, boss=JOB))
    assert (settings.cost(2), settings.allowed(2)) == (4.0, 4.0)
    assert Noise.of(plan(PRIVATELY | {"budget": 12.0})).allowed(2) == 12.0


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        (PRIVATELY | {"statistics": "s.json"}, "method.statistics: under ε nothing that was computed"),
        (PRIVATELY | {"budget": float("inf")}, "method.budget must be a number above 0, got inf"),
        ({"noise_mechanism": "loud"}, "method.noise_mechanism: 'loud' is not known"),
        ({"noise_mechanism": "exponential"}, "method.epsilon: is missing"),
        ({"epsilon": 1.0}, "method.epsilon: belongs to 'exponential' and 'geometric'"),
        (PRIVATELY | {"alpha": 0.5}, "method.alpha: belongs to 'normal' and 'laplace'"),
        (PRIVATELY | {"epsilon": 99.0}, "method.epsilon must lie between"),
        (PRIVATELY | {"consistent": True}, "Which of a person's values are the same would show"),
        (PRIVATELY | {"budget": 1.0}, "one record costs ε = 2 .1 columns., more than a budget of 1"),
        (PRIVATELY | {"budget": 0.0}, "method.budget must be a number above 0"),
        ({"alpha": 0.0}, "method.alpha must be above 0"),
        ({"min_candidates": 0}, "method.min_candidates must be at least 1"),
        ({"aim": "high"}, "method.aim: 'high' is not known"),
        ({"noise_mechanism": "naive", "aim": "mean"}, "method.aim: belongs to 'normal' and 'laplace'"),
        ({"noise_mechanism": "laplace", "correlated": True}, "only errors of 'normal' can be correlated"),
        ({"correlated": True}, "needs at least two quasi-identifiers"),
        ({"consistent": True}, "method.consistent: whose record it is has to be known"),
        ({"t": 0.2, "topics": ["health"]}, "method.t: is about classes, and noise forms none"),
        ({"measure": "equal-terms"}, "knows no concepts"),
        ({"name": "mdav", "alpha": 0.5}, "method.alpha: belongs to the method 'noise', and this is 'mdav'"),
        ({"name": "refined", "statistics": "f"}, "method.statistics: belongs to the method 'noise'"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(method: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadPlan, match=complaint):
        plan({"name": "noise"} | method)


@pytest.mark.parametrize(
    ("column", "complaint"),
    [
        ({"kind": "number"}, "semantic noise is for words, not for a number"),
        ({"taxonomy": []}, "columns.job.taxonomy: is missing"),
        ({"on_unknown": "keep-as-own-concept"}, "would be published as it is"),
        ({"mean": "clerk"}, "mean and variance are declared together"),
        ({"mean": "clerk", "variance": 0.0}, "columns.job.variance: must lie above 0"),
        ({"set_size": 2}, "columns.job.set_size: belongs to columns of kind set, text"),
        ({"kind": "set", "set_size": 0}, "columns.job.set_size: must be at least 1"),
    ],
)
def test_columns_that_noise_cannot_mask_are_refused(column: dict[str, Any], complaint: str) -> None:
    given = {
        key: value for key, value in (JOB | column).items() if not (key == "taxonomy" and "number" in column.values())
    }
    with pytest.raises(BadPlan, match=complaint):
        plan({"name": "noise"}, job=given)


@pytest.mark.parametrize(
    ("columns", "input", "complaint"),
    [
        ({"job": JOB, "pay": {"role": "confidential"}}, {}, "columns.pay.role: .* would break the promise of ε"),
        ({"job": JOB, "town": {"role": "other"}}, {}, "columns.town.role: .* would break the promise of ε"),
        ({"job": JOB}, {"person": "who"}, "columns.job.kind: the rows of a person are united"),
        (
            {"job": JOB | {"on_empty": "error"}},
            {},
            "columns.job.on_empty: under ε what is unknown or missing is masked",
        ),
        ({"job": JOB | {"mean": "clerk", "variance": 0.1}}, {}, "'exponential' knows no mean"),
    ],
)
def test_what_would_break_epsilon_is_refused(columns: dict[str, Any], input: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadPlan, match=complaint):
        plan(PRIVATELY, input, **columns)


def test_rows_of_a_person_may_be_private_where_the_data_does_not_decide_their_shape() -> None:
    plan(PRIVATELY, {"person": "who", "person_rows": "keep"})
    plan(PRIVATELY, {"person": "who"}, job=JOB | {"kind": "set", "set_size": 2})
