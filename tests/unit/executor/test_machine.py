"""What a run may take of the machine."""

from typing import Any

import pytest

from taxonym.errors import BadInput, BadPlan
from taxonym.executor import machine
from taxonym.executor.machine import Machine, bytes_of, cores, gigabytes, in_use


@pytest.mark.parametrize(
    ("written", "size"),
    [
        ("4G", 4 * 10**9),
        ("4 gb", 4 * 10**9),
        ("1.5M", 1_500_000),
        ("2GiB", 2**31),
        ("900", 900),
        (77, 77),
        ("3kib", 3072),
    ],
)
def test_a_size_is_read_as_people_write_it(written: int | str, size: int) -> None:
    assert bytes_of(written) == size


@pytest.mark.parametrize("written", ["", "4Q", "G", "-1G", "0", 0, -5, "4,5G", True, "1e9"])
def test_what_is_no_size_is_refused(written: Any) -> None:
    with pytest.raises(BadPlan, match="max_memory: must be a size such as 4G"):
        bytes_of(written)


@pytest.mark.parametrize("workers", [0, -1, True, 1.5, "2"])
def test_workers_are_counted_from_one(workers: Any) -> None:
    with pytest.raises(BadPlan, match="workers: must be a whole number from 1 on"):
        Machine.of(workers)


def test_all_cores_work_unless_told_otherwise() -> None:
    assert Machine.of().workers == cores() >= 1
    assert Machine.of(3).workers == 3


def test_a_ceiling_counts_what_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "in_use", lambda: 60)
    monkeypatch.setattr(machine, "free_memory", lambda: 1000)
    assert Machine(1).left == 900
    assert Machine(1, 100).left == 40
    Machine(1, 100).check(40, "here", "this")
    with pytest.raises(BadInput, match="here: this would take 0 MB, more than max_memory leaves"):
        Machine(1, 100).check(41, "here", "this")
    with pytest.raises(BadInput, match="more than this machine has free"):
        Machine(1).check(901, "here", "this")


def test_memory_in_use_is_that_of_a_process_with_numpy() -> None:
    assert in_use() == 0 or 10**7 < in_use() < 10**12


def test_sizes_are_told_in_few_digits() -> None:
    assert [gigabytes(size) for size in (5e6, 2.34e8, 1.25e9, 2.1e10, 3e12)] == [
        "5 MB", "0.23 GB", "1.2 GB", "21 GB", "3,000 GB",
    ]  # fmt: skip
