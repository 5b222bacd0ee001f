"""All ways to replace values at random, by name: noise, which promises nothing, and mechanisms that promise ε."""

from taxonym.mask.noise import NOISES, Mechanism
from taxonym.mask.private import PRIVATE

MECHANISMS: dict[str, Mechanism] = {**NOISES, **PRIVATE}
