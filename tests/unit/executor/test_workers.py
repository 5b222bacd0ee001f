"""The executors of one machine give the same, in the same order, and find nothing twice that is kept."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from taxonym.executor.checkpoints import WorkFolder
from taxonym.executor.executor import Executor, PartsStep
from taxonym.executor.workers import InProcess, Processes


def scaled(part: int, factor: int) -> int:
    return part * factor


def counted(part: list[int], size: int) -> Any:
    return np.bincount(part, minlength=size)


def step(n: int) -> PartsStep[int]:
    names = [f"{i}.npz" for i in range(n)]
    return PartsStep("scaling", names, lambda found: {"x": np.array(found)}, lambda kept: int(kept["x"]))


@pytest.mark.parametrize(
    "executor", [InProcess(), InProcess(3), Processes(workers=2)], ids=["one", "threads", "others"]
)
def test_parts_give_the_same_in_their_order_whoever_works_on_them(executor: InProcess) -> None:
    engine: Executor = executor
    with executor:
        assert list(engine.map(scaled, range(7), 3, step=step(7))) == [0, 3, 6, 9, 12, 15, 18]
        assert list(engine.by_block(scaled, range(2), 5, step=step(2))) == [0, 5]
        assert engine.total(counted, [[0, 2], [2, 2]], 3, size=3).tolist() == [1, 0, 3]


def test_steps_that_share_the_same_things_find_the_processes_that_have_them() -> None:
    with Processes(workers=2) as executor:
        assert isinstance(executor, Processes)
        assert list(executor.map(scaled, [1], 10, step=step(1))) == [10]
        (first,) = executor._pools
        assert list(executor.map(scaled, [2], 10, step=step(1))) == [20]
        assert executor._pools == [first]
        assert list(executor.map(scaled, [2], 30, step=step(1))) == [60]
        assert executor._pools != [first]
    assert not executor._pools


def test_what_is_kept_is_not_found_again(tmp_path: Path) -> None:
    work = WorkFolder(tmp_path, [1])
    assert list(InProcess(kept=work).map(scaled, [1, 2], 10, step=step(2))) == [10, 20]
    (tmp_path / "1.npz").unlink()
    assert list(InProcess(kept=work).map(scaled, [7, 8], 10, step=step(2))) == [10, 80]


def test_all_parts_are_told() -> None:
    said: list[Any] = []

    class Listener:
        def start(self, what: str, total: int | None = None) -> None:
            said.append((what, total))

        def advance(self, done: int = 1) -> None:
            said.append(done)

        def finish(self) -> None:
            said.append("done")

    list(InProcess(progress=Listener()).map(scaled, [1, 2], 1, step=step(2)))
    assert said == [("scaling", 2), 1, 1, "done"]
