"""Adjectives and verbs that stand for a noun: pregnant for pregnancy, hepatic for the liver, to vomit for vomiting.

They are no concepts of a taxonomy and change nothing in its graph; readers that know of such links (readers/wordnet.py)
put them beside it, and who looks for words in texts (text/related.py) asks for them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from taxonym.knowledge.arrays import Ints
from taxonym.knowledge.runs import edges, frozen
from taxonym.knowledge.strings import Strings, fold

ADJECTIVE, VERB = "a", "v"
ADJECTIVE_FIRST = "p"  # adjectives that are a noun's label, too, but hardly ever meant so: hepatic is not the liverwort

MODES = ("alone", "all", "none")  # where such words count as their nouns: in texts without a noun, everywhere, nowhere


@dataclass(frozen=True, slots=True, eq=False)
class RelatedWords:
    """What the word keys[i] (part of speech, dot, folded word: a.pregnant) may stand for: code[start[i]:start[i + 1]],
    the most usual first, and how often the word was seen with each of these meanings."""

    keys: Strings
    start: Ints
    code: Ints
    count: Ints

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def of(cls, found: Iterable[tuple[str, str, int, int]]) -> "RelatedWords":
        """From (part of speech, word, code, count), those of a word in the order of how usual they are."""
        runs: dict[str, dict[int, int]] = {}
        for part, word, code, count in found:
            run = runs.setdefault(f"{part}.{fold(word)}", {})
            run[code] = run.get(code, 0) + count
        order = sorted(runs)  # text and its UTF-8 bytes sort alike
        start = edges(frozen([len(runs[key]) for key in order]))
        codes = frozen([code for key in order for code in runs[key]])
        counts = frozen([count for key in order for count in runs[key].values()])
        return cls(Strings.of(order), frozen(start), codes, counts)

    def nouns(self, part: str, word: str) -> tuple[list[int], list[int]]:
        """The concepts that a word stands for, the most usual first, and how often each was meant; none if unknown."""
        i = self.keys.find(f"{part}.{fold(word)}")
        if i < 0:
            return [], []
        run = slice(self.start[i], self.start[i + 1])
        return self.code[run].tolist(), self.count[run].tolist()

    def __iter__(self) -> Iterator[tuple[str, str, int, int]]:
        """All that `of` was given, a word at a time."""
        codes, counts, ends = self.code.tolist(), self.count.tolist(), self.start.tolist()
        for i, key in enumerate(self.keys):
            part, _, word = key.partition(".")
            for at in range(ends[i], ends[i + 1]):
                yield part, word, codes[at], counts[at]


NONE = RelatedWords.of(())
