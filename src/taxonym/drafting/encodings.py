"""The encoding of a text file that is not UTF-8, where its bytes tell; drafts ask before they give up."""

import re
from pathlib import Path

from taxonym.io.compressed import opened

WESTERN = "cp1252"  # which holds all letters of Latin-1
NOT_UTF_8 = (
    "The file is not UTF-8 and is read as western European text (windows-1252, which has Latin-1 in it). Where letters "
    "come out wrong, name another encoding under [input]."
)
_LOOKED_AT = 4_000_000  # bytes
_MOSTLY = 0.9  # of the bytes above ASCII are letters in text of western Europe
_RARELY = 0.2  # of them stand in a row of three, as letters of other scripts do, or make up a letter of UTF-8
_ROW, _UTF_8 = re.compile(rb"[\x80-\xff]{3,}"), re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")


def western_encoding(path: Path) -> str | None:
    """That of western European text, if a file that is no UTF-8 is one; None where it is anything else."""
    try:
        with opened(path) as file:
            data = file.read(_LOOKED_AT)
        text = data.decode(WESTERN)
    except (OSError, UnicodeError):
        return None
    if any(ord(c) < 32 and c not in "\t\r\n\f" for c in text):
        return None
    high = [i for i, byte in enumerate(data) if byte > 127]
    if not high:
        return None
    letters = sum(text[i].isalpha() or text[i] in "€’‘“”–…°§" for i in high)
    foreign = max(sum(len(row) for row in form.findall(data)) for form in (_ROW, _UTF_8))
    return WESTERN if letters >= _MOSTLY * len(high) and foreign <= _RARELY * len(high) else None
