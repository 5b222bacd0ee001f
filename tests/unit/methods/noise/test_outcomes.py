"""What may come out of noise: one set for everybody, and as many words as others have."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import taxonym
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.measure.noise import noise_loss
from taxonym.measure.nominal import Domain, statistics
from taxonym.methods.noise.column import noise_columns_of
from taxonym.methods.noise.outcomes import capped, usual_concepts, usual_lengths
from taxonym.methods.noise.records import masked_noisily, with_usual_outcomes
from taxonym.plan import Plan, read_plan
from taxonym.publish.noise.aims import missed
from taxonym.publish.noise.semantic import AIMS, NoiseChoice, semantic
from taxonym.shapes.table.read import prepare
from taxonym.text.sensitive import load_topics
from tests.noisy import EDGES, JOBS, jobs, people, plan, statistics_of
from tests.strategies import taxonomies

STATES = (
    "flu", "diabetes", "asthma", "marriage", "poverty", "peace", "war", "employment", "freedom", "silence", "cold",
    "depression", "order", "chaos", "unemployment", "divorce", "danger", "safety", "wealth", "fever",
)  # fmt: skip


def states(**noise: Any) -> Plan:
    """A plan for one state per person, some of which are illnesses."""
    column = {"role": "quasi-identifier", "taxonomy": "wordnet", "category": "state.n.02", "senses": "first"}
    method = {"name": "noise", "k": 5, "alpha": 0.5}
    return Plan.from_dict({"columns": {"state": column}, "method": method, "noise": noise})


def test_an_outcome_in_a_topic_tells_no_more_of_its_original_than_with_all_outcomes() -> None:
    rng = np.random.default_rng(5)
    units = prepare(pl.DataFrame({"state": rng.choice(STATES, 3000)}), states())
    health = load_topics(taxonym.load("wordnet")).mask("health")

    def told(**noise: Any) -> tuple[float, int]:
        plan = states(**noise)
        columns = with_usual_outcomes(noise_columns_of(plan), units, plan)
        [made] = masked_noisily(units, columns, plan, np.random.default_rng(1), None)
        before, after = (health[columns[0].domain.outer[codes]] for codes in (made.before, made.after))
        return float((before & after).sum() / max(1, after.sum())), int(after.sum())

    everything, usual = told(), told(outcomes="usual")
    assert everything[1] > 150 < usual[1]
    assert usual[0] <= everything[0]
    assert told(outcomes="public")[1] == told(avoid=["health"])[1] == 0


@pytest.mark.parametrize("mechanism", ["normal", "laplace", "exponential"])
def test_what_is_avoided_comes_out_for_nobody(mechanism: str, tmp_path: Path) -> None:
    (tmp_path / "topics.toml").write_text('[topics.land]\nconcepts = ["farmer"]\n')
    strength: dict[str, Any] = {"epsilon": 8.0, "budget": 1e6} if mechanism == "exponential" else {}
    given = plan(tmp_path, {"noise_mechanism": mechanism, **strength}, topics_file=str(tmp_path / "topics.toml"))
    given["noise"] = {"avoid": ["land"]}
    released = taxonym.anonymize(people(400), given).table["job"].to_list()
    farmers = {"farmer", "dairy farmer", "fruit farmer"}
    assert farmers.isdisjoint(released)
    without = taxonym.anonymize(people(400), plan(tmp_path, {"noise_mechanism": mechanism, **strength}))
    assert not farmers.isdisjoint(without.table["job"].to_list())
    with pytest.raises(BadPlan, match="avoid"):
        taxonym.anonymize(people(40), given | {"noise": {"avoid": ["sea"]}})


def test_usual_outcomes_are_what_k_persons_wrote(tmp_path: Path) -> None:
    table = people(300).with_columns(pl.Series("job", jobs(300, skew=3)))
    given = plan(tmp_path, {"k": 12})
    given["noise"] = {"outcomes": "usual"}
    wrote = table.group_by("job").agg(pl.col("who").n_unique())
    usual = set(wrote.filter(pl.col("who") >= 12)["job"])
    assert 2 < len(usual) < len(JOBS)
    release = taxonym.anonymize(table, given)
    assert set(release.table["job"]) <= usual
    assert release.report["noise"]["columns"][0]["concepts_that_may_come_out"] is None
    masker = taxonym.Masker(given, statistics=statistics_of(table, given, tmp_path / "s.json"), seed=1)
    assert {masker.mask({"who": 1, "job": job})["job"] for job in JOBS for _ in range(20)} <= usual
    with pytest.raises(BrokenPromise, match="written by k persons"):
        taxonym.anonymize(table, given | {"method": {"name": "noise", "k": 200}})


def test_verify_finds_a_word_that_too_few_wrote(tmp_path: Path) -> None:
    table = people(300).with_columns(pl.Series("job", jobs(300, skew=3)))
    table.write_csv(tmp_path / "people.csv")
    given = plan(tmp_path, {"k": 12})
    given["noise"] = {"outcomes": "usual"}
    release = taxonym.anonymize(tmp_path / "people.csv", given)
    release.write(tmp_path / "out.csv")
    release.write_trail(tmp_path / "trail")
    from taxonym.shapes.table.noise_proof import verify_noise

    made = Plan.from_dict(given)
    units = prepare(str(tmp_path / "people.csv"), made)
    assert verify_noise(tmp_path / "out.csv", made, units).holds
    rare = sorted(set(JOBS) - set(release.table["job"]))[0]
    lines = (tmp_path / "out.csv").read_text().splitlines()
    (tmp_path / "out.csv").write_text("\n".join([lines[0], rare, *lines[2:]]) + "\n")
    assert "does not let come out" in verify_noise(tmp_path / "out.csv", made, units).broken[0]


def test_a_public_list_is_all_that_comes_out(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("# made before the data\nclerk\nfarmer\nbaker\n")
    given = plan(tmp_path, {"noise_mechanism": "exponential", "epsilon": 4.0, "budget": 1e6})
    given["noise"] = {"outcomes": "public", "public": str(tmp_path / "words.txt")}
    assert set(taxonym.anonymize(people(300), given).table["job"]) <= {"clerk", "farmer", "baker", None, "(unknown)"}
    (tmp_path / "words.txt").write_text("clerk\nastronaut\n")
    with pytest.raises(taxonym.errors.BadInput, match="line 2: is no word"):
        taxonym.anonymize(people(300), given)
    with pytest.raises(BadPlan, match="no list of everyday words"):
        taxonym.anonymize(people(300), given | {"noise": {"outcomes": "public"}})


def test_under_epsilon_nothing_of_the_data_says_what_comes_out(tmp_path: Path) -> None:
    given = plan(tmp_path, {"noise_mechanism": "exponential", "epsilon": 1.0})
    with pytest.raises(BadPlan, match="Choose 'all' or 'public'"):
        Plan.from_dict(given | {"noise": {"outcomes": "usual"}})


def test_the_table_of_noise_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    made = states(outcomes="usual", avoid=["health"])
    (tmp_path / "plan.toml").write_text(made.to_toml())
    assert "[noise]" in made.to_toml()
    assert read_plan(tmp_path / "plan.toml").method == made.method


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 9)), min_size=1), st.integers(2, 4))
def test_every_published_number_of_words_is_that_of_k_persons(cells: list[tuple[int, int]], k: int) -> None:
    lengths, persons = (np.array(some) for some in zip(*cells, strict=True))
    published = capped(lengths, usual_lengths(lengths, persons, k))
    assert (published <= lengths).all()
    assert (published >= 1).all()
    if len(set(persons.tolist())) >= k:
        for n in set(published.tolist()):
            assert len(set(persons[published == n].tolist())) >= k


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5))), st.integers(1, 4))
def test_usual_concepts_are_counted_by_persons(pairs: list[tuple[int, int]], k: int) -> None:
    codes, persons = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    wanted = [c for c in range(6) if len({who for code, who in pairs if code == c}) >= k]
    assert usual_concepts(codes, persons, k).tolist() == wanted


def test_a_set_is_published_with_as_many_words_as_the_plan_fixes(tmp_path: Path) -> None:
    table = people(400)
    given = plan(tmp_path)
    given["columns"] = {"family": given["columns"]["job"] | {"kind": "set", "set_size": 2}}
    sizes = {len(words) for words in taxonym.anonymize(table, given).table["family"].to_list()}
    assert sizes <= {1, 2}
    long = table.with_columns(pl.Series("family", [";".join(JOBS), *table["family"].to_list()[1:]]))
    del given["columns"]["family"]["set_size"]
    assert max(len(words) for words in taxonym.anonymize(long, given).table["family"].to_list()) == 3


@given(taxonomies(max_size=8), st.sampled_from(sorted(AIMS)), st.integers(0, 10_000))
def test_an_aim_never_worsens_what_it_aims_at(tax: Any, aim: str, seed: int) -> None:
    domain, rng = Domain.of(tax), np.random.default_rng(seed)
    values = rng.choice(domain.candidates, 12)
    if statistics(domain, values).variance == 0:
        return
    off = {}
    for how in (None, aim):
        made, errors = semantic(domain, values, 0.5, np.random.default_rng(seed), how=NoiseChoice(aim=how))
        off[how] = missed(aim, noise_loss(domain, values, made, alpha=0.5, errors=errors))
    assert off[aim] <= off[None]


def test_where_no_aim_can_help_the_plain_choice_is_published() -> None:
    """The aim alone is worse for some columns: what guards it is not idle."""
    from taxonym.publish.noise.kernels import replaced

    domain = Domain.of(taxonym.Taxonomy.from_edges(EDGES))
    worse = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        values = rng.choice(domain.candidates, 6)
        known = statistics(domain, values)
        if known.variance == 0:
            continue
        errors, picks = rng.normal(0, 0.3, 6).clip(-1, 1), rng.random(6)
        both = [
            missed("mean", noise_loss(domain, values, z, alpha=0.5, errors=errors))
            for z in (
                replaced(domain, known.mean, values, errors, picks, NoiseChoice(aim=aim)) for aim in ("mean", None)
            )
        ]
        worse += both[0] > both[1]
    assert worse
