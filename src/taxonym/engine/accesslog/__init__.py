"""From an access log to a verified one: read, group, publish, recount from the file.

A class is the lines of a release that are equal in every character. It must hold lines of at least k different
visitors: k lines of one visitor would hide nobody, and tell what he did k times. See groups.py (who goes with whom),
publish.py (what is written instead) and proof.py (what is recounted).
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.atomic import Together
from taxonym.data.accesslog import AccessLog
from taxonym.data.accesslog.lines import read_log
from taxonym.engine.accesslog.clicks import prepare
from taxonym.engine.accesslog.groups import grouped
from taxonym.engine.accesslog.publish import Rule, publish_classes
from taxonym.engine.accesslog.report import loss_of_lines, report, trail
from taxonym.engine.accesslog.written import Written, set_aside
from taxonym.engine.machine import Machine
from taxonym.engine.outcome import compare_of
from taxonym.errors import BadInput, BadPlan, BrokenPromise
from taxonym.group.registry import GROUPINGS
from taxonym.mask.result import Release
from taxonym.plan import EQUAL_TERMS, Method, Plan
from taxonym.progress import Progress


def anonymize(
    source: Any, plan: Plan, rng: np.random.Generator, machine: Machine, baselines: bool, progress: Progress
) -> Release:
    """An access log as one that may be published; `source` is the path of a log, gzipped or not.

    Memory: some 200 bytes a line beside its different texts, and for every worker about 10 bytes for each pair of the
    lines of a block. `baselines` makes no difference here.
    """
    shape = plan.shape
    assert isinstance(shape, AccessLog)
    if not isinstance(source, str | Path):
        raise BadInput("accesslog: give the path of a log; a table in memory has no lines to read.")
    _check_method(plan.method, shape)
    progress.start("reading the log")
    log = read_log(source, shape.format, strict=shape.on_broken == "error")
    progress.finish()
    clicks = prepare(log, plan, progress)
    k = plan.method.k
    if clicks.visitors < k:
        whom = "lines" if shape.visitor == "line" else "visitors"
        raise BrokenPromise(f"{source}: has fewer than {k} {whom}, so k = {k} cannot be kept. Choose a smaller k.")
    form = None if plan.method.name == "mdav" else GROUPINGS[plan.method.name].form
    groups = grouped(clicks, plan.method, compare_of(plan), form, machine, progress)
    progress.start("who had what")
    rule = Rule.of(clicks, k, plan.method.known_items)
    published = publish_classes(clicks, groups, rule, rng)
    progress.finish()
    written = Written.of(clicks, groups, rule, published, rng)
    progress.start("proof")
    classes = written.check(rule)
    progress.finish()
    progress.start("what was lost")
    loss = loss_of_lines(clicks, groups, published, compare_of(plan), rng)
    progress.finish()

    def save(path: Path, together: Together | None) -> None:
        if shape.aside is not None:
            _check_aside(shape.aside, [source, path, *plan.files])
        written.save(path, rule, together)
        if shape.aside is not None:
            set_aside(Path(source), log, Path(shape.aside), together)

    return Release(
        groups=written.input_rows(),
        report=report(plan, clicks, groups, published, loss, classes),
        batches=lambda: iter([written.frame()]),
        separators={},
        check=lambda batches: None,  # saving recounts from the file
        trail=lambda: trail(source, plan, clicks, groups, published, written.release_row, compare_of(plan)),
        save=save,
    )


def _check_aside(aside: str, others: Iterable[str | Path]) -> None:
    """Complain before anything is written."""
    if any(os.path.realpath(aside) == os.path.realpath(other) for other in others):
        raise BadInput(
            f"{aside}: accesslog.aside is the log, its release or a file that the plan names. Name another file, so "
            f"that nothing is lost."
        )
    if os.path.isdir(aside) or not os.access(Path(aside).parent, os.W_OK):
        raise BadInput(f"{aside}: accesslog.aside cannot be written. Name a file in a folder that you may write to.")


def _check_method(method: Method, shape: AccessLog) -> None:
    if method.name not in GROUPINGS:
        raise BadPlan(f"method.name: {method.name!r} is not for access logs. Choose one of {', '.join(GROUPINGS)}.")
    if method.known_items > 2:
        raise BadPlan("method.known_items: of an access log, at most 2 values of a line are counted together.")
    for key, usual in (("representative", "best"), ("consensus", False), ("l", None), ("t", None), ("topics", ())):
        if getattr(method, key) != usual:
            raise BadPlan(f"method.{key}: is not for access logs. Leave it out.")
    if method.measure == EQUAL_TERMS:
        raise BadPlan(f"method.measure: {EQUAL_TERMS!r} is not for access logs. Choose 'equal', or leave it out.")
    if shape.visitor == "line" and shape.records == "sessions":
        raise BadPlan("accesslog.records: sessions have visitors. Let accesslog.visitor be another than 'line'.")
