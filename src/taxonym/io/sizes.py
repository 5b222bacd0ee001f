"""Sizes as people write them: 4G, 500 MB, 2GiB."""

import re

from taxonym.errors import BadPlan

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def bytes_of(size: int | str, what: str = "max_memory") -> int:
    """A size in bytes; units are thousands (K, M, G, T, with or without B) or, as KiB to TiB, powers of 1024. `what` is
    the setting that complaints name."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(I?)B?\s*", str(size).upper())
    unit = found and (_UNITS[found[2]] if not found[3] else 1024 ** list(_UNITS).index(found[2]))
    made = int(float(found[1]) * unit) if found and unit and not isinstance(size, bool) else 0
    if made < 1:
        raise BadPlan(f"{what}: must be a size such as 4G, 500M or a number of bytes, got {size!r}.")
    return made


def gigabytes(size: float) -> str:
    """Bytes as people read them."""
    if size < 1e8:
        return f"{size / 1e6:.0f} MB"
    return f"{size / 1e9:,.0f} GB" if size >= 1e10 else f"{size / 1e9:.2g} GB"
