"""Whether a table keeps what its plan promises, recounted as it was written."""

from taxonym.errors import BrokenRelease
from taxonym.plan import Plan
from taxonym.promises import main_promise, promises_of
from taxonym.promises.classes import Classes
from taxonym.promises.promise import WrittenRelease


def count_table(plan: Plan, written: WrittenRelease) -> Classes:
    """Recount the main promise of a plan; where it holds, check the others."""
    main, *others = promises_of(plan)
    counted = main.count(written)
    if counted.holds:
        for promise in others:
            promise.check(written, counted)
    return counted


def check_table(plan: Plan, written: WrittenRelease) -> Classes:
    """The same for a table that is about to be written: raise BrokenRelease if anything fails."""
    counted = count_table(plan, written)
    if not counted.holds:
        failure = main_promise(plan).failure(counted, written.where)
        raise BrokenRelease(failure, ours=True)
    return counted
