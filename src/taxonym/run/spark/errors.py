"""What Spark complains of, in one line of ours; and what of a plan it cannot do."""

import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from taxonym import errors
from taxonym.errors import BadInput, BadPlan, TaxonymError
from taxonym.plan import EQUAL_TERMS, Microaggregation, Plan
from taxonym.publish.registry import METHODS
from taxonym.run.spark.arrow import Batches

MARK = "taxonym-error"  # begins what a worker complains of in its own words


class WorkerFailure(Exception):
    """What a worker tells: one line, without any value of a person."""


def guarded(work: Callable[..., Batches]) -> Callable[..., Batches]:
    """The work of a worker; whatever goes wrong there, Spark's logs get one line about the place, and no values."""

    def run(*given: Any) -> Batches:
        try:
            yield from work(*given)
        except TaxonymError as error:
            raise WorkerFailure(f"{MARK}:{type(error).__name__}:{error}") from None
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(frame.filename).name}:{frame.lineno}"
            raise WorkerFailure(f"unforeseen {type(error).__name__} at {place}") from None

    return run


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Errors of Spark as errors of ours; their own text may hold anything, so only their kind is told."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise _explained(where, error) from None
    except ConnectionError:
        raise BadInput(f"{where}: the Java process of Spark ended (is memory short?); nothing was written.") from None


def forgotten(release: Callable[[], object]) -> None:
    """Let the workers give something up; who cannot be reached any more has nothing."""
    from py4j.protocol import Py4JError

    with suppress(Py4JError, ConnectionError):
        release()


def _explained(where: str, error: Exception) -> TaxonymError:
    if told := re.search(rf"{MARK}:(\w+):(.*)", str(error)):
        kind = getattr(errors, told[1], BadInput)
        fits = isinstance(kind, type) and issubclass(kind, TaxonymError) and told[1] not in ("BadCells", "UnknownTerms")
        return kind(told[2]) if fits else BadInput(told[2])
    if unforeseen := re.search(r"unforeseen (\w+) at ([\w.]+:\d+)", str(error)):
        return BadInput(f"{where}: unforeseen {unforeseen[1]} at {unforeseen[2]} on a worker; this is our fault.")
    find = getattr(error, "getCondition", None) or getattr(error, "getErrorClass", None)
    kind_of = (find() if find else None) or type(error).__name__
    if kind_of == "PATH_NOT_FOUND":
        return BadInput(f"{where}: there is no such folder, as Spark sees it. Check its name, or give its whole URL.")
    if str(kind_of).startswith(("UNABLE_TO_INFER_SCHEMA", "FAILED_READ_FILE", "CANNOT_READ_FILE")):
        return BadInput(f"{where}: is not a sound Parquet folder. Fetch or write it again.")
    return BadInput(f"{where}: Spark could not go on ({kind_of}); nothing was written. See the logs of its workers.")


def check_plan(plan: Plan) -> None:
    """Complain of what cannot be done block by block, where nobody sees all records."""
    method = plan.method
    if plan.shape is not None:
        raise BadPlan(f"engine: not on Spark: {plan.shape.whole} Leave --engine out.")
    at_once = METHODS[method.name].at_once
    if at_once or not isinstance(method, Microaggregation):
        raise _refused("name", at_once or "only groups are formed block by block")
    for key, asked, why in (
        ("l", method.l is not None, "l-diversity merges groups of all blocks"),
        ("t", method.t is not None, "t-closeness merges groups of all blocks"),
        ("measure", method.measure == EQUAL_TERMS, "terms without meaning have no codes that all workers share"),
        ("representative", method.representative == "medoid", "a plain medoid keeps no support rule"),
        ("blocks", method.blocks == "never", "all distances at once belong to one machine"),
        ("passes", method.passes > 1, "another pass moves groups between blocks"),
    ):
        if asked:
            raise _refused(key, why)
    if plan.output.rows == "kept":
        raise BadPlan("output.shuffle: Spark keeps no order of rows. Leave it out, or leave --engine spark out.")


def _refused(key: str, why: str) -> BadPlan:
    return BadPlan(f"method.{key}: not on Spark: {why}. Change it, or leave --engine spark out.")
