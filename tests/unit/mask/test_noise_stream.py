import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import UnknownConcept
from taxonym.mask.noise import AIMS, Choice, normal, replaced
from taxonym.mask.noise_stream import NoiseStream
from taxonym.measure.nominal import Domain, statistics

TAX = Taxonomy.from_edges([("b", "a"), ("c", "a"), ("d", "b"), ("e", "b"), ("f", "c"), ("g", "c"), ("h", "d")])


@pytest.mark.parametrize("how", [Choice(), Choice(min_candidates=3), *(Choice(aim=aim) for aim in AIMS)], ids=str)
@pytest.mark.parametrize("remember", [1, 100])
def test_a_stream_gives_what_the_column_gives_for_the_same_draws(how: Choice, remember: int) -> None:
    domain, rng = Domain.of(TAX, TAX.code("a")), np.random.default_rng(1)
    values = domain.candidates[rng.integers(0, len(domain), 200)]
    known = statistics(domain, values)
    errors, picks = normal(0.4, 200, rng), rng.random(200)
    stream = NoiseStream(domain, known, 0.5, how=how, seed=1, remember=remember)
    found = [stream.given(v, errors[i : i + 1], picks[i : i + 1]) for i, v in enumerate(values.tolist())]
    column = replaced(domain, known.mean, values, errors, picks, how)
    assert found == domain.outer[column].tolist()


def test_a_stream_repeats_for_the_same_seed_and_refuses_what_is_not_in_the_domain() -> None:
    domain = Domain.of(TAX, TAX.code("b"))
    known = statistics(domain, domain.inside(TAX.descendants(TAX.code("b"))))
    codes = [TAX.code("d"), TAX.code("h")] * 20
    first, second = ([stream(c) for c in codes] for stream in (NoiseStream(domain, known, 1.0, seed=3) for _ in "ab"))
    assert first == second
    assert all(a != b for a, b in zip(codes, first, strict=True))
    assert set(first) <= set(TAX.descendants(TAX.code("b")))
    with pytest.raises(UnknownConcept, match="1 values are no concepts of this domain"):
        NoiseStream(domain, known, 1.0)(TAX.code("c"))
