"""What the analysis of text has to know about a language; nothing else in this room does.

A language is five things, of which one may be missing. Spanish, for a taxonomy with Spanish labels, from a lemma list
(form, lemma) and without a tagger:

>>> from taxonym.text.tokens import tokenise, word_set
>>> spanish = Language(
...     code="es",
...     tokenise=tokenise,
...     lemmas=lemma_list([("pulmones", "pulmón"), ("niños", "niño"), ("duelen", "doler")]),
...     tag=None,
...     stop_words=word_set("el la los las un una de del en con para por y o a me mis su"),
...     auxiliaries=word_set("es son está están ha han ser estar haber"),
... )
>>> spanish.lemmas("pulmones", "n")
('pulmones', 'pulmón')

Without a tagger every word that is no stop word is a candidate for a noun and for a verb; the look-up keeps those that
are labels. That costs precision where a form is both, and needs nothing but the list.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from taxonym.errors import BadPlan
from taxonym.text import lemmas, spanish, tagger
from taxonym.text.tagger import NounShare
from taxonym.text.tokens import Token, tokenise, word_set

Lemmas = Callable[[str, str], tuple[str, ...]]
Tag = Callable[[Sequence[Token], NounShare | None], list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A pack: how a language is cut into tokens, reduced to lemmas and tagged, and its words without content."""

    code: str
    tokenise: Callable[[str], list[Token]]
    lemmas: Lemmas  # lower-case word, part of speech (n, v, a, r) -> candidates, the word itself first
    tag: Tag | None  # one sentence -> Penn Treebank tags
    stop_words: frozenset[str]
    auxiliaries: frozenset[str]  # lower-case forms that are verbs but tell nothing
    head_first: bool = False  # whether what a phrase is about comes before what describes it (zumo de naranja)
    plural: Callable[[str], str] | None = None  # of a label of several words, where more than its last word changes


def lemma_list(entries: Iterable[tuple[str, str]]) -> Lemmas:
    """Candidates from (form, lemma) pairs, for every part of speech; a word that is not listed is its own lemma."""
    listed: dict[str, tuple[str, ...]] = {}
    for form, lemma in entries:
        listed[form] = (*listed.get(form, (form,)), lemma)

    def candidates(word: str, part: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(listed.get(word, (word,))))

    return candidates


ENGLISH = Language(
    code="en",
    tokenise=tokenise,
    lemmas=lemmas.candidates,
    tag=tagger.tag,
    stop_words=word_set(
        "a an the this that these those some any no every each all both half such my your his her its our their i"
        " you he she it we they me him us them who whom whose which what where when why how there here of in on at"
        " by for with from to into onto upon about above across after against along among around as before behind"
        " below beneath beside between beyond despite during except inside near off out outside over per since"
        " than through till toward towards under until up down via vs within without w/ w/o and or but nor if"
        " unless because although though while whether so not never very too also just only now then more most"
        " less least much many few other another same own"
    ),
    auxiliaries=word_set(
        "be am is are was were been being isn't aren't wasn't weren't i'm you're we're they're he's she's it's"
        " that's can could may might must shall should will would ought cannot can't won't couldn't shouldn't"
        " wouldn't have has had having haven't hasn't hadn't i've you've we've they've do does did don't doesn't"
        " didn't isnt arent wasnt werent im ive youre thats havent hasnt hadnt"
    ),
)

SPANISH = Language(
    code="es",
    tokenise=tokenise,
    lemmas=spanish.candidates,
    tag=None,
    stop_words=spanish.STOP_WORDS | spanish.AUXILIARIES,  # without a tagger, nothing else keeps them from being nouns
    auxiliaries=spanish.AUXILIARIES,
    head_first=True,
    plural=spanish.plural,
)

# Of a language without a pack, labels are found as they are written, accents and case aside.
OTHER = Language(
    code="other",
    tokenise=tokenise,
    lemmas=spanish.no_forms,
    tag=None,
    stop_words=frozenset(),
    auxiliaries=frozenset(),
)

LANGUAGES = {language.code: language for language in (ENGLISH, SPANISH, OTHER)}


def language_named(code: str) -> Language:
    """The pack of a language, or one clear complaint."""
    if code not in LANGUAGES:
        raise BadPlan(f"language: {code!r} is not known. Choose one of {', '.join(LANGUAGES)}.")
    return LANGUAGES[code]


def pack_code(tag: str) -> str:
    """The pack for a language tag (en-GB: en); one without a pack is `other`."""
    code = tag.replace("_", "-").partition("-")[0].lower()
    return code if code in LANGUAGES else OTHER.code
