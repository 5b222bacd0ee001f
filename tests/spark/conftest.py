"""One Spark cluster for all tests: two workers that are processes of their own."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from taxonym.run.spark.session import has_java, session

# Java that starts fast instead of running fast, and no more tasks than there are workers.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": JAVA,
    "spark.executor.extraJavaOptions": JAVA,
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.executorEnv.PYTHONPATH": os.pathsep.join(sys.path),
}


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    if not has_java() and not os.environ.get("CI"):
        pytest.skip("there is no Java, which Spark needs: apt-get install openjdk-17-jre-headless")
    import pyspark

    made = session("local-cluster[2,1,1024]", SETTINGS)
    logs = Path(pyspark.__file__).parent / "work" / made.sparkContext.applicationId
    yield made
    made.stop()
    shutil.rmtree(logs, ignore_errors=True)
