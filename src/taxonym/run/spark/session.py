"""A Spark session that says nothing by itself, and one line where Spark or Java is missing."""

import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from taxonym.errors import BadInput, MissingExtra

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NEEDED = ("pyspark", "pyarrow", "pandas")  # Spark itself asks for pandas wherever Arrow tables travel
JAVA = "Spark needs Java 17 or 21. Install it (on Debian: apt-get install openjdk-17-jre-headless), or set JAVA_HOME."
USUAL = {
    "spark.app.name": "taxonym",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.executor.syncLogLevel.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.caseSensitive": "true",
    "spark.executorEnv.NUMBA_NUM_THREADS": "1",  # Spark runs a process for each core
    "spark.executorEnv.POLARS_MAX_THREADS": "1",
    "spark.executorEnv.OPENBLAS_NUM_THREADS": "1",
}


def session(
    master: str | None = None, settings: Mapping[str, str] | None = None, shown: bool = False
) -> "SparkSession":
    """The session to work in: on `master` (local[*] unless Spark's own settings name another), with settings of one's
    own before ours. What Spark and Java print is not shown unless asked for: it is for those who run clusters."""
    check_installed()
    quietly()
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers run what we run, unless told otherwise
    builder = SparkSession.builder
    for key, value in (USUAL | dict(settings or {})).items():
        builder = builder.config(key, value)
    if master is not None:
        builder = builder.master(master)
    with _unheard(shown) as heard:
        try:
            return builder.getOrCreate()
        except (PySparkException, OSError, _java_error()) as error:
            raise BadInput(_why(heard(), str(error), master)) from None


def check_installed() -> None:
    """Raise, in one line, if Spark or Java is missing."""
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise MissingExtra(f"engine: Spark needs the extra (no {missing[0]}): pip install 'taxonym[spark]'")
    if not has_java():
        raise MissingExtra(f"engine: there is no Java. {JAVA}")


def has_java() -> bool:
    """Whether the Java that Spark would start is there."""
    from shutil import which

    home = os.environ.get("JAVA_HOME")
    return which(os.path.join(home, "bin", "java") if home else "java") is not None


def quietly() -> None:
    """Let PySpark keep to itself that it has not met our version of pandas, of which nothing is used."""
    warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas", category=FutureWarning)


def _why(heard: str, error: str, master: str | None) -> str:
    """Why Spark did not start, from what Java said; its words are about the machine, not about the data."""
    if "UnsupportedClassVersionError" in heard:
        return f"engine: the Java that was found is too old. {JAVA}"
    if "jdk.incubator.vector not found" in heard:
        return f"engine: the Java that was found lacks the module jdk.incubator.vector. {JAVA}"
    if "Could not parse Master URL" in error + heard:
        return f"--master: {master!r} is not a Spark master. Write local[2], spark://HOST:7077, yarn or k8s://…"
    place = f"at {master} " if master else ""
    return f"engine: Spark {place}did not start. Run again with --debug to see what it says."


def _java_error() -> type[Exception]:
    from py4j.protocol import Py4JError

    found: type[Exception] = Py4JError
    return found


@contextmanager
def _unheard(shown: bool) -> Iterator[Callable[[], str]]:
    """While Java starts, let it write its errors to a file without a name, which it keeps as long as it lives."""
    if shown:
        yield lambda: ""
        return
    sys.stderr.flush()
    kept = os.dup(2)
    with tempfile.TemporaryFile() as file:

        def heard() -> str:
            file.seek(0)
            return file.read().decode("utf-8", "replace")

        os.dup2(file.fileno(), 2)
        try:
            yield heard
        finally:
            os.dup2(kept, 2)
            os.close(kept)
