"""The types of arrays, and of lists that stand for records, that all rooms share."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int32]
Long: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.bool_]
Shorts: TypeAlias = NDArray[np.uint16]
Bytes: TypeAlias = NDArray[np.uint8]
Codes: TypeAlias = tuple[int, ...]  # of concepts
Groups: TypeAlias = list[list[int]]  # of rows
