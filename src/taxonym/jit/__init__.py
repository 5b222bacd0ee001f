"""Compiled functions: everything that numba compiles here is marked with `kernel`, and nothing else is.

numba names what it compiles after module, function and the number of the function in its process. The sorts and
searches of its library are closures that share a name, so two processes that give one number to two of them put two
functions under one symbol into the cache, and whoever loads both calls the first for both. Therefore every process
numbers its functions in a range of its own; docs/decisions/compiled-code.md tells the story.
"""

import itertools
import os
import secrets
from functools import partial
from typing import Any

import numba
from numba.core.bytecode import FunctionIdentity

from taxonym.jit.cache import keep_compiled


def number_anew() -> None:
    """Number the functions that this process compiles from now on as no other process does."""
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(62))


number_anew()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=number_anew)


def kernel(function: Any = None, **options: Any) -> Any:
    """Compile a function on its first call, without the interpreter's lock, and keep it for later processes."""
    if function is None:
        return partial(kernel, **options)
    made = numba.njit(nogil=True, **options)(function)
    if made is not function and not options.get("inline"):  # NUMBA_DISABLE_JIT leaves functions as they are
        keep_compiled(made)
    return made
