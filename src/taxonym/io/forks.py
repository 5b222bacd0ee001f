"""Whether this process may use tables: polars keeps threads that a forked child does not have, and waits for them."""

import os

from taxonym.errors import ForkedProcess

_user: int | None = None  # the process that has used tables


def check_process() -> None:
    """Remember that this process uses tables; raise if it was forked from one that did, since it would never end."""
    global _user
    if _user is None:
        _user = os.getpid()
    if _user != os.getpid():
        raise ForkedProcess(
            "this process was forked from one that had used taxonym, and would wait for threads that it does not have. "
            "Start processes with multiprocessing.get_context('spawn'), or fork before taxonym is used."
        )
