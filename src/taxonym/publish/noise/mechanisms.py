"""All ways to replace values at random, by name: noise, which promises nothing, and mechanisms that promise ε."""

from taxonym.publish.noise.private import PRIVATE
from taxonym.publish.noise.semantic import NOISES, Mechanism

MECHANISMS: dict[str, Mechanism] = {**NOISES, **PRIVATE}
