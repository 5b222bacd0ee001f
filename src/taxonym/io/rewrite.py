"""Whether a file is, byte for byte, what Taxonym writes for what can be read from it: then it holds nothing else.

Other quotes or line ends, a mark of byte order, blank lines, comments, other types, foreign metadata: whatever a reader
does not see could tell something.
"""

import io
import zlib
from collections.abc import Collection
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from taxonym.io.canonical import canonical_text
from taxonym.io.compressed import PACKED, opened, zstandard
from taxonym.io.files import files_of, format_of, writer_of

if TYPE_CHECKING:
    import polars as pl

CHUNK = 1 << 20
_GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00"  # no name, no comment, no time; how hard was tried, and where, come after
# what Spark says of itself in every Parquet file
SPARK_KEYS = {b"org.apache.spark.version", b"org.apache.spark.sql.parquet.row.metadata"}


def form_faults(path: str | Path, table: "pl.DataFrame", sets: Collection[str] = ()) -> list[str]:
    """What is wrong with the form of a file in which a table was read; without any value. `sets` are columns whose
    cells somebody else looks at."""
    path = Path(path)
    texts = table.select(name for name in table.columns if name not in sets) if sets else table
    if path.is_dir():
        return [*_folder_faults(path), *text_faults(texts)]
    format, packed = format_of(path)
    found = packing_faults(path, packed)
    again = io.BytesIO()
    writer_of(path)(iter([table]), again)
    again.seek(0)
    with opened(path) as plain:
        plain.seek(0)
        if (line := _first_difference(plain, again)) is not None:
            where = (
                f" (first in line {line:,})"
                if format.flat or path.suffix.lower() in (".jsonl", ".ndjson", ".json")
                else ""
            )
            import polars as pl

            by = "" if where else f" with polars {pl.__version__}"
            found.append(f"it is not byte for byte what is written{by} for its values{where}, so that a mark may hide")
    return [*found, *text_faults(texts)]


def _first_difference(one: BinaryIO, other: BinaryIO) -> int | None:
    """The line (from 1) in which two files differ first, or None."""
    line = 1
    while True:
        a, b = one.read(CHUNK), other.read(CHUNK)
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip_longest(a, b)) if x != y), 0)
            return line + a.count(b"\n", 0, at)
        if not a:
            return None
        line += a.count(b"\n")


def packing_faults(path: Path, packed: str) -> list[str]:
    """A file is packed if its name says so; it has the plainest head then, and one part."""
    with path.open("rb") as file:
        head = file.read(len(_GZIP))
        if next((name for name, mark in PACKED.items() if head.startswith(mark)), "") != packed:
            return ["it is packed where its name says otherwise, or not where it says so"]
        if not packed:
            return []
        if packed == ".gz" and head != _GZIP:
            return ["its packed file has a name, a time or a comment inside"]
        file.seek(0)
        unpacker: Any = zlib.decompressobj(wbits=31) if packed == ".gz" else zstandard(str(path)).ZstdDecompressor()
        while not unpacker.eof and (data := file.read(CHUNK)):
            unpacker.decompress(data)
        if unpacker.unused_data or file.read(1):
            return ["its packed file has more than one part, or something behind it"]
    return []


def text_faults(table: "pl.DataFrame") -> list[str]:
    """Texts that are not in their one form (io.canonical), column by column."""
    import polars as pl

    found = []
    for column in table.iter_columns():
        texts = column.explode() if isinstance(column.dtype, pl.List) else column
        if texts.dtype == pl.String:
            odd = sum(canonical_text(text) != text for text in texts.drop_nulls().unique().to_list())
            if odd:
                found.append(
                    f"column {column.name!r}: {odd:,} different texts hold blanks or characters that nobody sees, or "
                    f"are not in Unicode's form NFC"
                )
        elif texts.dtype.is_float() and _odd_numbers(texts):
            found.append(f"column {column.name!r}: holds a number that is written in two ways, or is none")
        elif not (texts.dtype.is_numeric() or texts.dtype.is_temporal() or texts.dtype in (pl.Boolean, pl.Null)):
            found.append(f"column {column.name!r}: holds {texts.dtype}, which is never written")
    return found


def _odd_numbers(numbers: Any) -> bool:
    import numpy as np

    values = numbers.drop_nulls().to_numpy()
    return bool((np.signbit(values) & (values == 0)).any() or not np.isfinite(values).all())


def _folder_faults(folder: Path) -> list[str]:
    """What is in the files of a folder beside their values: Spark says which version wrote them, and no more."""
    import polars as pl

    found = []
    for path in files_of(folder):
        keys = {key.encode() for key in pl.read_parquet_metadata(path)}
        if foreign := len(keys - SPARK_KEYS):
            found.append(f"{path.name}: has {foreign} entries of metadata that are never written")
    known = {path.name for path in files_of(folder)}
    known |= {f".{name}.crc" for name in (*known, "_SUCCESS")} | {"_SUCCESS"}
    if strange := sum(path.name not in known for path in folder.iterdir()):
        found.append(f"{strange} files are in the folder that are never written")
    return found
