"""All ways to mask records, by name: those that form groups and publish one record for each, those whose values rise in
the taxonomy, and noise, which masks every value for itself and promises no k."""

from collections import ChainMap
from typing import cast

from taxonym.group.registry import GROUPINGS, Masking

_OTHERS = (
    Masking(
        name="generalize",
        paper="Martinez2012",
        about="values rise in the taxonomy until enough records are alike",
        how="generalize",
        masks=".generalization:generalized",
        at_once="generalisation looks at all records at once",
    ),
    Masking(
        name="noise",
        paper="RodriguezGarcia2015",
        about="every value becomes another at random; no k",
        how="noise",
        at_once="noise masks every record for itself (see 'taxonym stream')",
    ),
)
METHODS = ChainMap({one.name: one for one in _OTHERS}, cast("dict[str, Masking]", GROUPINGS))
