"""How many persons must have written a term, or hold a concept, before it is told: k, or a secret number near it.

Whoever adds k - 1 persons of his own, who all write some phrase, sees by k whether one more person wrote it: only then
it is published. Where every term and every concept has a secret threshold between k and 2k, one person more or less
changes what is published in 1 of k + 1 cases, however many he adds. What is asked of several concepts together stays k,
and so does what `verify` asks: no threshold is below k.
"""

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The thresholds of one run: k for everything, unless there is a key to draw them by."""

    k: int
    key: bytes = b""

    @classmethod
    def of_run(cls, k: int, support_threshold: str, rng: np.random.Generator) -> "Thresholds":
        """Those of a run, which are the same in every block and worker that begins with the same randomness."""
        if support_threshold != RANDOM:
            return cls(k)
        sequence = rng.bit_generator.seed_seq
        assert isinstance(sequence, np.random.SeedSequence)
        return cls(k, blake2b(repr(sequence.entropy).encode(), digest_size=32).digest())

    def of(self, kind: str, name: str) -> int:
        """The threshold of a term or concept of this name: any of k to 2k is as likely as another."""
        if not self.key:
            return self.k
        said = f"{kind}\0{name}".encode("utf-8", "surrogatepass")
        drawn = int.from_bytes(blake2b(said, key=self.key, digest_size=8).digest(), "big")
        return self.k + drawn % (self.k + 1)
