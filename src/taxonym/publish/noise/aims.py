"""An aim that is kept: a choice of replacements that was to help one statistic is taken only if it does.

On small trees it may not: where a ring has two or three members, the concept that is best for one value can be bad for
the column. The same errors and draws are tried with the aim and without, and the better of the two is published. That
compares whole columns, so it is for columns; a stream, which never sees one, follows its aim value by value.
"""

from taxonym.knowledge.arrays import Floats, Ints, Long
from taxonym.measure.noise import NoiseLoss, noise_loss
from taxonym.measure.nominal import Domain


def missed(aim: str, loss: NoiseLoss) -> float:
    """How far a column is from what an aim is about, 0 if it is met.

    mean      the distance between the means before and after
    variance  |variance after - (1 + α)·variance before|
    error     |mean distance moved - mean |ε||
    """
    if aim == "mean":
        return loss.mean_shift
    if aim == "variance":
        return loss.variance_off or 0.0
    return abs(loss.mean_error - (loss.target_error or 0.0))


def never_worse(
    aim: str, domain: Domain, x: Ints, aimed: Ints, plain: Ints, errors: Floats, alpha: float, back: Long
) -> Ints:
    """What replaces values x: `aimed`, unless `plain` comes nearer to the aim over the column x[back]."""
    if not len(x):
        return aimed
    with_aim, without = (
        missed(aim, noise_loss(domain, x[back], z[back], alpha=alpha, errors=errors[back])) for z in (aimed, plain)
    )
    return aimed if with_aim <= without else plain
