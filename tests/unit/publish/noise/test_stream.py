import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.measure.nominal import Domain, statistics
from taxonym.publish.noise.semantic import AIMS, NoiseChoice, normal, replaced
from taxonym.publish.noise.stream import NoiseStream

TAX = Taxonomy.from_edges([("b", "a"), ("c", "a"), ("d", "b"), ("e", "b"), ("f", "c"), ("g", "c"), ("h", "d")])


@pytest.mark.parametrize(
    "how", [NoiseChoice(), NoiseChoice(min_candidates=3), *(NoiseChoice(aim=aim) for aim in AIMS)], ids=str
)
@pytest.mark.parametrize("remember", [1, 100])
def test_a_stream_gives_what_the_column_gives_for_the_same_draws(how: NoiseChoice, remember: int) -> None:
    domain, rng = Domain.of(TAX, TAX.code("a")), np.random.default_rng(1)
    values = domain.candidates[rng.integers(0, len(domain), 200)]
    known = statistics(domain, values)
    errors, picks = normal(0.4, 200, rng), rng.random(200)
    stream = NoiseStream(domain, known.mean, how, remember)
    found = [stream.given(v, errors[i : i + 1], picks[i : i + 1]) for i, v in enumerate(values.tolist())]
    column = replaced(domain, known.mean, values, errors, picks, how)
    assert found == domain.outer[column].tolist()
