"""The settings of each family of methods: which class a name leads to, and what becomes of keys of other families."""

from dataclasses import fields
from typing import Any

import pytest

from taxonym.errors import BadPlan
from taxonym.plan import Generalization, Method, Microaggregation, Noise, Plan, public_settings, with_settings
from taxonym.plan.families import FAMILIES, KEYS
from taxonym.publish.registry import METHODS

WORDS = {"columns": {"words": {"role": "quasi-identifier", "taxonomy": "wordnet"}}}


def plan(**method: Any) -> Plan:
    return Plan.from_dict(WORDS | {"method": method})


def test_every_key_belongs_to_a_family_and_every_setting_of_a_family_has_a_key() -> None:
    settings = {field.name for family in FAMILIES.values() for field in fields(family)}
    assert set(KEYS) == settings - {"others"}


def test_the_name_of_a_method_leads_to_the_class_of_its_family() -> None:
    assert {name: type(plan(name=name).method) for name in METHODS} == {
        "mdav": Microaggregation,
        "adaptive-mdav": Microaggregation,
        "refined": Microaggregation,
        "generalize": Generalization,
        "noise": Noise,
    }
    assert isinstance(plan(name="generalise").method, Generalization)
    assert isinstance(plan().method, Microaggregation)


def test_a_family_has_no_settings_of_another_family() -> None:
    own = [{field.name for field in fields(f)} - {field.name for field in fields(Method)} for f in FAMILIES.values()]
    assert all(own)
    assert sum(map(len, own)) == len(set().union(*own))


@pytest.mark.parametrize("family", [Method, Microaggregation, Generalization])
def test_a_class_of_settings_refuses_the_name_of_another_family(family: type[Method]) -> None:
    with pytest.raises(BadPlan, match=f"method.name: 'noise' is no {family.__name__}. Change it with"):
        family(name="noise")


def test_settings_of_another_family_are_kept_for_those_who_change_the_method() -> None:
    refined = plan(k=3, recoding="items", representative="medoid")
    assert refined.to_dict()["method"] == {"k": 3, "representative": "medoid", "recoding": "items"}
    changed = with_settings(refined.method, name="generalize")
    assert isinstance(changed, Generalization)
    assert (changed.k, changed.recoding) == (3, "items")
    assert with_settings(changed, name="refined") == refined.method


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        ({"recoding": "itmes"}, "method.recoding: 'itmes' is not known. Did you mean 'items'?"),
        ({"suppress": 1}, "method.suppress: must be a share from 0 to below 1, got 1."),
        ({"name": "generalize", "blocks": "x"}, "method.blocks: 'x' is not known. Choose one of auto, always, never."),
        ({"name": "noise", "fit": "no"}, "method.fit: must be true or false, got 'no'."),
        ({"name": "generalize", "passes": 2}, "method.passes: must be 1, or with the method 'refined' at most "),
        ({"aim": "mean", "alpha": 1.0}, "method.alpha: belongs to the method 'noise', and this is 'refined'."),
        ({"others": {}}, "method.others: there is no such key."),
    ],
)
def test_settings_of_another_family_are_checked_all_the_same(method: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadPlan) as caught:
        plan(**method)
    assert str(caught.value).startswith(complaint)


def test_a_report_tells_settings_of_noise_only_where_noise_is_the_method_and_never_a_seed() -> None:
    noise = public_settings(plan(name="noise", alpha=0.2, seed=1).method)
    assert noise["alpha"] == 0.2
    assert not {"k", "seed", "representative"} & set(noise)
    groups = public_settings(plan(seed=1, suppress=0.1).method)
    assert groups["suppress"] == 0.1
    assert not {"alpha", "statistics", "seed"} & set(groups)


def test_who_asks_for_settings_of_a_family_that_is_not_the_plans_is_stopped() -> None:
    with pytest.raises(TypeError, match="'refined' has no settings of Noise"):
        Noise.of(plan())
