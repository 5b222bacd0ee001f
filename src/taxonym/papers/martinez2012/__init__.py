"""Evaluation of the disclosure risk of masking methods dealing with textual attributes [Martinez2012]: its experiment.

survey.py       answers of visitors of a nature park, of our making in the shape of the paper's, and two hierarchies
experiment.py   generalisation by these, linkage with WordNet and without, loss: Figures 4 to 6

The paper's data is not public and its figures print no numbers, so what can be checked are the definitions (in the
tests) and the trends, on data of our making.
"""

from collections import Counter
from collections.abc import Iterable

from taxonym.papers.items import Item, checked
from taxonym.papers.martinez2012.experiment import MATCHING, METHODS, SIZES, RiskRow, experiment
from taxonym.papers.martinez2012.survey import survey

OURS = "data of our making with the paper's shape"
SEMANTIC = [method for method in METHODS if method != MATCHING]


def reproduce(ks: Iterable[int] = SIZES) -> list[Item]:
    """What the paper says of its data and its figures, beside ours."""
    answers, sizes = survey(), sorted(ks)
    counts = Counter(answers)
    terms = {term for answer in answers for term in answer}
    shape = (len(answers), len(terms), len(counts), sum(n == 1 for n in counts.values()), max(counts.values()))
    found = {(row.hierarchy, row.k, row.method): row for row in experiment(sizes)}
    return [
        checked("§5.1: records, terms, answers, unique, largest", (975, 25, 211, 118, 118), shape, OURS),
        *_figure_4(found, sizes),
        _figure_5(found, sizes),
        *_figure_6(found, sizes),
    ]


def _figure_4(found: dict[tuple[str, int, str], RiskRow], sizes: list[int]) -> list[Item]:
    names = sorted({name for name, _, _ in found})
    pairs = [(found[n, k, m].dr, found[n, k, MATCHING].dr) for n in names for k in sizes for m in SEMANTIC]
    above = sum(semantic >= matching for semantic, matching in pairs)
    first, last = sizes[0], sizes[-1]
    falls = all(found[n, first, m].dr > found[n, last, m].dr for n in names for m in METHODS)
    riskier = sum(found["VGH3", k, m].dr >= found["VGH2", k, m].dr for k in sizes for m in SEMANTIC)
    return [
        Item(
            "Figure 4: SRL against MRL",
            "SRL is higher at every k",
            f"in {above} of {len(pairs)} cases",
            OURS,
            "consistent" if above == len(pairs) else "not",
        ),
        Item(
            "Figure 4: DR as k grows",
            "falls",
            f"{'falls' if falls else 'does not fall'} from k = {first} to k = {last}",
            OURS,
            "consistent" if falls else "not",
        ),
        Item(
            "Figure 4: VGH3 against VGH2",
            "SRL finds more",
            f"in {riskier} of {3 * len(sizes)} cases",
            "the second of two pairs of hierarchies tried",
            "fitted",
            tried=2,
        ),
    ]


def _figure_5(found: dict[tuple[str, int, str], RiskRow], sizes: list[int]) -> Item:
    middle = [k for k in sizes if 4 <= k <= 8]
    times = [found[n, k, "log"].dr / found[n, k, MATCHING].dr for n in ("VGH2", "VGH3") for k in middle]
    return Item(
        "Figure 5: SRL over MRL, k from 4 to 8",
        "nearly double",
        f"{min(times):.2f} to {max(times):.2f} times",
        OURS,
        "consistent" if min(times) > 1.75 else "not",
    )


def _figure_6(found: dict[tuple[str, int, str], RiskRow], sizes: list[int]) -> list[Item]:
    first, last = sizes[0], sizes[-1]
    rises = all(found[n, first, "log"].loss < found[n, last, "log"].loss for n in ("VGH2", "VGH3"))
    less = sum(found["VGH3", k, "log"].loss < found["VGH2", k, "log"].loss for k in sizes)
    return [
        Item(
            "Figure 6: loss as k grows",
            "rises",
            f"{'rises' if rises else 'does not rise'} from k = {first} to k = {last}",
            OURS,
            "consistent" if rises else "not",
        ),
        Item(
            "Figure 6: VGH3 against VGH2",
            "loses less",
            f"at {less} of {len(sizes)} k",
            "the second of two pairs of hierarchies tried",
            "fitted",
            tried=2,
        ),
    ]
