"""Many strings in two arrays, so that they load by memory map and are found without building a dictionary."""

from array import array
from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from taxonym.knowledge.arrays import Bytes, Ints

_CODEC = ("utf-8", "surrogatepass")  # odd Unicode, lone surrogates included, just works


def fold(label: str) -> str:
    """The form under which a label is looked up: case, underscores and runs of blanks do not matter."""
    return " ".join(label.replace("_", " ").casefold().split())


class Strings:
    """String i is the UTF-8 text blob[start[i]:start[i + 1]]."""

    __slots__ = ("_view", "blob", "start")

    def __init__(self, start: Ints, blob: Bytes) -> None:
        self.start = start
        self.blob = blob
        self._view = blob.data

    def __reduce__(self) -> tuple[type["Strings"], tuple[Ints, Bytes]]:
        """How another process gets them."""
        return Strings, (self.start, self.blob)

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Strings":
        blob, start = bytearray(), array("i", [0])
        for text in texts:
            blob += text.encode(*_CODEC)
            start.append(len(blob))
        return cls(np.frombuffer(start.tobytes(), np.int32), np.frombuffer(bytes(blob), np.uint8))

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, i: int) -> str:
        return str(self._view[self.start[i] : self.start[i + 1]], *_CODEC)

    def __iter__(self) -> Iterator[str]:
        whole, ends = self.blob.tobytes(), self.start.tolist()
        for left, right in pairwise(ends):
            yield whole[left:right].decode(*_CODEC)

    def find(self, text: str, order: Ints | None = None) -> int:
        """Where `text` is, or -1. The strings ascend by their bytes, or do so when read in `order`."""
        wanted = text.encode(*_CODEC)
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            i = middle if order is None else int(order[middle])
            if bytes(self._view[self.start[i] : self.start[i + 1]]) < wanted:
                low = middle + 1
            else:
                high = middle
        if low == len(self):
            return -1
        i = low if order is None else int(order[low])
        return i if bytes(self._view[self.start[i] : self.start[i + 1]]) == wanted else -1
