"""Small hierarchies that ship with the package, for columns that hold codes or answers and not words; and scales, whose
values a plan lists in their order.

A file of data/hierarchies has one concept per line, `id = label | further labels` or only labels, of which the first is
the id then; what stands below is indented by two blanks.
"""

import re
from itertools import combinations
from pathlib import Path

from taxonym.errors import BadTaxonomy
from taxonym.knowledge.build import Draft
from taxonym.knowledge.strings import fold

HIERARCHIES = {
    "countries": "countries, regions and continents, by name and ISO code",
    "languages": "languages and their families, by name and ISO code",
    "us-states": "states of the USA, census divisions and regions, by name and postal code",
    "sex": "sex or gender, as forms ask for it",
    "yes-no": "yes, no and what is neither",
    "likert": "from strongly agree to strongly disagree",
    "satisfaction": "from very satisfied to very dissatisfied",
    "frequency": "from always to never",
    "how-often": "from several times a day to never",
    "likelihood": "from very likely to very unlikely",
    "importance": "from very important to not important",
    "quality": "from excellent to very poor",
    "severity": "from none to critical",
    "level": "from very low to very high",
    "months": "months and quarters",
    "weekdays": "days of the week",
    "marital-status": "marital status",
    "education": "levels of education",
}
SCALE = "scale:"  # what the name of a scale begins with
MOST_VALUES = 40  # of a scale: every run of neighbours is a concept
_FOLDER = Path(__file__).parent / "data" / "hierarchies"
_INDENT = 2
_NUMBER = r"(\d+(?:[.,]\d+)?)"
_FORMS = [  # of ranges, with the groups that are from and to; 0 is open
    (rf"{_NUMBER}\s*(?:-|–|—|\.\.+|to|bis|until|through)\s*{_NUMBER}", 1, 2),
    (rf"(?:under|below|less than|up to|unter|bis|<=?|≤)\s*{_NUMBER}", 0, 1),
    (rf"{_NUMBER}\s*(?:\+|and over|and above|and older|or more|or older|plus)", 1, 0),
    (rf"(?:over|above|more than|from|older than|über|ab|>=?|≥)\s*{_NUMBER}", 1, 0),
]


def is_built_in(name: str) -> bool:
    """Whether a name is that of a small hierarchy, or a scale."""
    return name in HIERARCHIES or name.startswith(SCALE)


def read_hierarchy(name: str) -> Draft:
    """A shipped hierarchy by its name, or the scale that a name writes out."""
    if name.startswith(SCALE):
        return read_scale(name)
    draft = Draft(name)
    above: list[str] = []
    for line, text in enumerate((_FOLDER / f"{name}.txt").read_text("utf-8").splitlines(), 1):
        if text.startswith("#"):
            continue
        level = (len(text) - len(text.lstrip())) // _INDENT
        id, _, rest = text.strip().rpartition(" = ")
        labels = rest.split(" | ")
        id = id or labels[0]
        draft.add(id, labels, line=line)
        del above[level:]
        if above:
            draft.link(id, above[-1], line=line)
        above.append(id)
    return draft


# ---------------------------------------------------------------------- scales


def scale_of(values: list[str]) -> str:
    """The name of the taxonomy in which values stand in this order."""
    return f"{SCALE} {' < '.join(values)}"


def read_scale(name: str) -> Draft:
    """Values in their order, `scale: never < now and then < often`; every run of neighbours is a concept above them.

    So the nearer two values stand, the more they have in common, and what stands for both is the run between them.
    """
    values = [" ".join(value.split()) for value in re.split(r"\s<\s", name.removeprefix(SCALE).strip())]
    if len(values) < 2 or not all(values):
        raise BadTaxonomy(f"{SCALE} has fewer than two values. Write it like 'scale: low < medium < high'.")
    if len(values) > MOST_VALUES:
        raise BadTaxonomy(f"{SCALE} has {len(values)} values, and at most {MOST_VALUES} can be in order.")
    if len({fold(value) for value in values}) < len(values):
        raise BadTaxonomy(f"{SCALE} names a value twice. Name every value once.")
    draft = Draft(SCALE.rstrip(":"))
    taken = {fold(value) for value in values}
    id = {(i, i): value for i, value in enumerate(values)}
    for i, j in combinations(range(len(values)), 2):
        label = run_label(values[i], values[j])
        id[i, j] = label if fold(label) not in taken else f"{values[i]} to {values[j]}"
        taken.add(fold(id[i, j]))
    for text in id.values():
        draft.add(text)
    for i, j in id:
        for wider in ((i - 1, j), (i, j + 1)):
            if wider in id:
                draft.link(id[i, j], id[wider])
    return draft


def run_label(first: str, last: str) -> str:
    """What a run of values is called: 18-24 and 25-34 make 18-34."""
    low, high = bounds(first), bounds(last)
    if low is None or high is None or (low[0] is None and high[1] is None):
        return f"{first} to {last}"
    if low[0] is None:
        return f"up to {high[1]}"
    return f"{low[0]}+" if high[1] is None else f"{low[0]}-{high[1]}"


def bounds(text: str) -> tuple[str | None, str | None] | None:
    """From where to where a range goes, as it is written: 18-24, 18 to 24, under 18, 65+; None if it is no range."""
    plain = re.sub(r"\s*(years?( old)?|yrs?|y/?o|jahre|años|ans)\s*$", "", text.strip().lower())
    for form, low, high in _FORMS:
        if found := re.fullmatch(form, plain):
            ends = found[low] if low else None, found[high] if high else None
            values = [float(end.replace(",", ".")) for end in ends if end is not None]
            return None if values != sorted(values) else ends  # 2022-03 is a month
    return None
