"""The taxonomies that a Finder looks into: one, or several joined; whole, or what lies under some concepts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary, proxy

import numpy as np

from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Ints, Mask
from taxonym.knowledge.runs import frozen
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.language import Language
from taxonym.text.lookup import NOUN, LabelIndex, verbs_of
from taxonym.text.retrieval import Retriever
from taxonym.text.spelling import Speller

SENTENCE_WORDS = 4.0  # mean words per label from which labels count as sentences, so that retrieval is worth its cost

# Taxonomies do not change, so what was prepared for one stays right for as long as somebody holds it.
_INDEXES: WeakKeyDictionary[Taxonomy, dict[Language, LabelIndex]] = WeakKeyDictionary()
_RETRIEVERS: WeakKeyDictionary[Taxonomy, dict[Language, Retriever]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, eq=False)
class TaxonomySource:
    """One of the taxonomies at hand; `codes` are those of its concepts in the joined one, where there are several."""

    index: LabelIndex
    codes: list[int] | None
    retriever: Retriever | None

    def code(self, own: int) -> int:
        return own if self.codes is None else self.codes[own]


def sources(
    taxonomies: Sequence[Taxonomy],
    language: Language,
    category: str | int | Iterable[str | int] | None,
    retrieve: float | bool | None,
) -> tuple[Taxonomy, list[TaxonomySource], Mask | None]:
    """The taxonomy in which all concepts live, one source per taxonomy given, and which concepts are allowed."""
    whole, maps = join(taxonomies)
    allowed = None if category is None else under_category(whole, category)
    found = []
    for tax, codes in zip(taxonomies, maps, strict=True):
        if allowed is None:
            index = index_of(tax, language)
        else:
            index = LabelIndex(tax, language, allowed if codes is None else allowed[codes])
        wanted = mean_words(tax) >= SENTENCE_WORDS if retrieve is None else retrieve is not False
        retriever = retriever_of(tax, language) if wanted else None
        found.append(TaxonomySource(index, None if codes is None else codes.tolist(), retriever))
    return whole, found, allowed


def join(taxonomies: Sequence[Taxonomy]) -> tuple[Taxonomy, list[Ints | None]]:
    """Several taxonomies as one, and for each the codes that its concepts have there."""
    if not taxonomies:
        raise BadPlan("taxonomy: name at least one.")
    if len(taxonomies) == 1:
        return taxonomies[0], [None]
    whole = Taxonomy.join(taxonomies)
    uses = Counter(id for tax in taxonomies for id in tax.ids)
    place = {id: code for code, id in enumerate(whole.ids)}
    maps: list[Ints | None] = []
    times: Counter[str] = Counter()
    for tax in taxonomies:
        times[tax.name] += 1
        name = tax.name if times[tax.name] == 1 else f"{tax.name}#{times[tax.name]}"  # as combine.join names them
        maps.append(frozen(place[id if uses[id] == 1 else f"{name}:{id}"] for id in tax.ids))
    return whole, maps


def without_counts(whole: Taxonomy, taxonomies: Sequence[Taxonomy], found: Sequence[TaxonomySource]) -> Mask:
    """Which concepts are of a taxonomy that does not tell how often its labels were seen."""
    out = np.zeros(len(whole), bool)
    for tax, source in zip(taxonomies, found, strict=True):
        out[slice(None) if source.codes is None else source.codes] |= not tax.sense_count.any()
    return out


def under_category(tax: Taxonomy, category: str | int | Iterable[str | int]) -> Mask:
    """Which concepts are the ones named or lie below them."""
    named = [category] if isinstance(category, str | int) else list(category)
    tops = {tax.code(one) if isinstance(one, str) else tax.code(tax.id(one)) for one in named}
    below = np.isin(tax.ancestor, list(tops))
    owner = np.repeat(np.arange(len(tax)), np.diff(tax.ancestor_start))
    return np.bincount(owner[below], minlength=len(tax)) > 0


def root_of(tax: Taxonomy, allowed: Mask | None) -> int | None:
    """The one concept that all allowed ones lie below; in a taxonomy of words, all nouns. None where they have none."""
    tops = np.flatnonzero(~verbs_of(tax)[0] & (True if allowed is None else allowed))
    if allowed is None:
        tops = np.intersect1d(tops, tax.roots)
    else:
        tops = tops[[not any(allowed[above] for above in tax.parents(code)) for code in tops.tolist()]]
    return int(tops[0]) if len(tops) == 1 else None


def index_of(tax: Taxonomy, language: Language) -> LabelIndex:
    """The label index of a taxonomy, made once."""
    made = _INDEXES.setdefault(tax, {})
    if language not in made:
        made[language] = LabelIndex(tax, language)
    return made[language]


def retriever_of(tax: Taxonomy, language: Language) -> Retriever:
    """The retriever of a taxonomy, made once; it must not keep alive what it is kept by."""
    made = _RETRIEVERS.setdefault(tax, {})
    if language not in made:
        made[language] = Retriever(proxy(tax), language)
    return made[language]


def speller_of(index: LabelIndex, limit: int) -> Speller:
    """Corrects to labels of one word, the most usual first."""
    forms, mass = index.forms, index.mass[NOUN]
    words = (form for form, i in forms.places.items() if " " not in forms.keys[i])
    return Speller(words, limit, lambda form: mass[forms.places[form]])


def mean_words(tax: Taxonomy) -> float:
    """Words per label."""
    return 1 + np.count_nonzero(tax.keys.blob == ord(" ")) / max(1, len(tax.keys))
