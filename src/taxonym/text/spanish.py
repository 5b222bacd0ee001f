"""The Spanish language pack: singulars, gerunds and participles by spelling, no tagger.

Accents need no rule, for labels are found without them: melocotones leads to melocoton, which is how *melocotón* is
looked up. All candidates are given, the word as written first; the look-up takes those that are labels.
"""

from taxonym.text.tokens import word_set

NOUN, VERB = "n", "v"
# Ending -> what may stand in its place, the likelier first. Only the longest ending that fits is used.
_NOUN_ENDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ces", ("z", "ce")),  # peces, dulces
    ("éis", ("ey",)),  # jerséis
    ("eis", ("ey",)),
    ("oras", ("ora", "or")),  # horas, doctoras
    ("es", ("", "e")),  # panes, tomates
    ("s", ("",)),
    ("ora", ("or",)),  # doctora
)
_VERB_ENDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("iendo", ("er", "ir")),
    ("yendo", ("er", "ir")),
    ("ando", ("ar",)),
    ("ado", ("ar",)),
    ("ido", ("er", "ir")),
)
_SHORTEST = 2  # letters that must be left of a word

STOP_WORDS = word_set(
    "el la los las lo un una unos unas de del al a en con sin para por desde hasta hacia sobre bajo entre contra"
    " según tras durante ante y e o u ni que como pero sino si no ya muy más menos mucho mucha muchos muchas poco"
    " poca pocos pocas todo toda todos todas otro otra otros otras mi mis tu tus su sus nuestro nuestra nuestros"
    " nuestras este esta estos estas ese esa esos esas aquel aquella me te se le les nos os yo tú él ella ellos"
    " ellas cuando donde quien cual"
)
AUXILIARIES = word_set(
    "es son soy eres somos era eran fue fueron ser sido siendo está están estoy estamos estaba estaban estar estado"
    " ha han he hemos había habían haber hay tiene tienen tengo tenemos tener"
)


def candidates(word: str, part: str) -> tuple[str, ...]:
    """The lemmas that a lower-case word may be a form of as `part` (n or v), the word itself first."""
    endings = {NOUN: _NOUN_ENDINGS, VERB: _VERB_ENDINGS}.get(part, ())
    for ending, instead in endings:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            stem = word[: -len(ending)]
            return tuple(dict.fromkeys((word, *(stem + one for one in instead))))
    return (word,)


def no_forms(word: str, part: str) -> tuple[str, ...]:
    """Of a language that nothing is known about: every word is its own lemma."""
    return (word,)


def plural(label: str) -> str:
    """The plural of a label of several words: of what stands before *de*, or of all that agrees (vinos tintos)."""
    head, de, rest = label.partition(" de ")
    return " ".join(map(_plural_word, head.split())) + de + rest


def _plural_word(word: str) -> str:
    if word[-1:] in "aeiouáéíóú":
        return word + "s"
    return word if word[-1:] == "s" else word[:-1] + "ces" if word[-1:] == "z" else word + "es"
