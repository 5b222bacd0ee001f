"""Which functions a folder of compiled functions holds, by the number that their process gave them.

A symbol is module, name, number and types of a function. It may stand for several bodies, since a function is optimised
again in every function that calls it; they compute the same as long as no two processes give the same number.
"""

import io
import re
from collections import defaultdict
from pathlib import Path

from elftools.elf.elffile import ELFFile

_NUMBERED = re.compile(r"(_ZN\w+?)B\d+v(\d+)B")


def numbered(folder: Path) -> dict[int, set[str]]:
    """For every number the functions, by module and name, that have it."""
    found: dict[int, set[str]] = defaultdict(set)
    for path in folder.rglob("*.nbc"):
        kept = path.read_bytes()
        for begin in re.finditer(rb"\x7fELF", kept):
            for symbol in ELFFile(io.BytesIO(kept[begin.start() :])).get_section_by_name(".symtab").iter_symbols():
                if symbol["st_info"]["type"] == "STT_FUNC" and (name := _NUMBERED.search(symbol.name)):
                    found[int(name[2])].add(name[1].replace("_ZN7cpython", "_ZN"))  # the one that Python calls
    return found
