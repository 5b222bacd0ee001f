"""Which labels of a taxonomy a sentence holds: the look-up of [Batet2014, §3.1.1], bettered.

The paper takes each noun phrase and drops its left-most word until the rest is a label. Here labels of several words
are first looked for over the whole sentence, longest first; then parts of speech decide the single words. When the head
of a phrase was found, what stands left of it are the words that the paper drops.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from taxonym.text.lookup import NOUN, VERB, LabelFacts, LabelIndex, LabelMatch
from taxonym.text.phrases import UNTAGGED, Sentence
from taxonym.text.recent import LONGEST
from taxonym.text.tokens import Kind, Token, TokenWords, low_words, word_set

# A verb with a preposition that has an object of its own (care for my mother; but: go for a run) is a label where it
# was seen at least this often per mention of the verb alone.
_PREPOSITION_SHARE = 0.04
# The share asked for is less where the preposition is seldom one of place or time (look after, get over), and more for
# the one that mostly says where to (go to the dentist; but: belong to).
_SHARES = {"after": 0.008, "over": 0.008, "through": 0.008, "off": 0.008, "across": 0.008, "around": 0.008, "to": 0.1}
_OUT_OF = 0.01  # run out of money; but: hear out of one ear
_ABOUT = frozenset({"over", "about", "around", "under"})  # before a measure not particles: takes over an hour
_MEASURES = word_set(
    "second seconds minute minutes hour hours day days night nights week weeks month months year years decade decades"
    " mile miles foot feet inch inches meter meters metre metres pound pounds kilo kilos dozen hundred thousand million"
)
_WALL = LabelFacts("\n", False, (), None)  # what no label crosses; no word has its form
_STOP = LabelFacts("", False, (), None)  # what labels cross
_WORD, _NUMBER = Kind.WORD, Kind.NUMBER
_PARTS = frozenset({NOUN, VERB})
_VERB_ALONE = (VERB,)  # crossing street is no cross street
_FOUND = partial(tuple.__new__, LabelMatch)  # Found(…) would do the same by way of one more call

# First letters of tags.
_CONTENT = ("N", "V", "J", "R", "F", UNTAGGED)
_OF_NOUNS = ("N", "J")
_VERBAL = ("V", UNTAGGED)
_OBJECT = ("D", "P", "N", "J", "C")
_MAY_END_NOUN = ("N", "J", "V", "C", "F")
_PREPOSITIONS = frozenset({"IN", "TO"})
_BEFORE_NOUN = frozenset({"DT", "PRP$", "JJ", "VB", "CC", "IN"})
_PLAIN_PREPOSITIONS = frozenset({"at", "in", "on"})  # others describe as well: down payment
_AFTER_AUXILIARY = ("V", "P", "R")
_CLOSED = frozenset({"DT", "PRP", "PRP$", "TO", "WP", "WP$", "WDT", "WRB", "EX"})
_NAMELESS = _CLOSED | {"IN", "CC", "CD", "MD", "RP", "RB", "RBR", "RBS", "JJ", "JJR", "JJS"}


def match(
    index: LabelIndex,
    sentence: Sentence,
    source: int = 0,
    taken: Collection[int] = frozenset(),
    parts: Collection[str] = _PARTS,
) -> list[LabelMatch]:
    """The labels that a sentence holds, from left to right, none overlapping another or a token that is taken.

    Labels that are not of the `parts` wanted are left out in the end: they still keep others from their tokens.
    """
    tokens, tags = sentence.tokens, sentence.tags
    low = low_words(tokens)
    words = [*map(index.facts, low)] if isinstance(tokens, TokenWords) else _words(index, tokens)
    for i in taken:
        words[i] = _WALL
    if not index.has_parts:
        whole = index.forms.places.get("".join(word.form for word in words if word is not _WALL), -1)
        if whole >= 0 and not taken:  # commas and brackets of a label do not matter where the whole sentence is one
            places = [i for i, word in enumerate(words) if word.form and word is not _WALL]
            return [LabelMatch(places[0], places[-1] + 1, source, whole, NOUN)]
    found: list[LabelMatch] = []
    verbs = set(sentence.verbs)
    free: Sequence[int] = range(len(words))
    if len(words) > 1:
        _Walk(index, words, low, tags, verbs, source, found).labels()
    if found:
        found, free = longest(found), [*free]
        for f in sorted(found, reverse=True):  # from the right, where places are still what they were
            del free[f.first : f.last]
        if len(parts) < len(_PARTS):
            found = [f for f in found if f.part in parts]
    has_parts = index.has_parts
    # By themselves such words name something only in capitals, where they are short for it.
    skipped = _NAMELESS if has_parts and isinstance(tokens, TokenWords) and tokens.low is tokens.written else ()
    for i in free:
        tag, part = tags[i], NOUN
        if tag in skipped:
            continue
        kind, word = tag[:1], words[i]
        one = word.noun
        if not has_parts:
            if kind not in _CONTENT or _is_empty(index, low[i]):
                continue
            one = one or index.verb(low[i])
        elif kind == "N":
            if one is None and tag[:3] != "NNP":
                one, part = index.verb(low[i]), VERB
        elif i in verbs:
            as_verb = index.verb(low[i])
            if as_verb is not None:
                one, part = as_verb, VERB
        elif tag == UNTAGGED:
            if _is_empty(index, low[i]):
                continue
        elif tag == "CD" or not (tokens[i].text.isupper() and _is_short_for(tokens, i)):  # XL is a size
            continue
        if one is None or part not in parts:
            continue
        # a letter is a label only as a unit: 200 g
        if len(word.form) > 1 or (i and word.form not in ("", "\n") and tokens[i - 1].kind is _NUMBER):
            found.append(_FOUND((i, i + 1, source, one[0], part, one[1], -1, 1.0)))
    if len(found) > 1:
        found.sort()
    return found


def longest(found: list[LabelMatch]) -> list[LabelMatch]:
    """Of overlapping labels the longer one, then that of the earlier source, then the one on the left."""
    if len(found) < 2:
        return found
    kept: list[LabelMatch] = []
    taken: set[int] = set()
    for one in sorted(found, key=lambda f: (f.first - f.last, f.source, f.first)):
        places = range(one.first, one.last)
        if taken.isdisjoint(places):
            kept.append(one)
            taken.update(places)
    return kept


def _words(index: LabelIndex, tokens: list[Token]) -> list[LabelFacts]:
    """What is known of every token; labels cross a full stop after a word (st. louis), and no other mark."""
    facts = index.facts
    words: list[LabelFacts] = []
    for token in tokens:
        if (token.kind is _WORD or token.kind is _NUMBER) and len(token.text) <= LONGEST:
            words.append(facts(token.text.lower()))
        else:
            words.append(_STOP if token.text == "." and words and words[-1].form not in ("", "\n") else _WALL)
    return words


def _is_short_for(tokens: list[Token], i: int) -> bool:
    """US and IT, where not everything is in capitals."""
    return len(tokens[i].text) > 1 and any(token.text.islower() for token in tokens)


def _is_empty(index: LabelIndex, low: str) -> bool:
    """Whether a word tells nothing by itself."""
    return low in index.language.stop_words or low in index.language.auxiliaries


@dataclass(slots=True, eq=False)
class _Walk:
    """Looks for labels of several words in a sentence; adds all to `found`, overlapping ones too."""

    index: LabelIndex
    words: list[LabelFacts]
    low: list[str]  # the words in small letters
    tags: list[str]
    verbs: set[int]
    source: int
    found: list[LabelMatch]

    def labels(self) -> None:
        index, words, tags = self.index, self.words, self.tags
        places, beginnings = index.forms.places, index.forms.beginnings
        for i, (word, after) in enumerate(pairwise(words)):
            form = word.form
            longer = form + after.form
            known = longer in places
            for last in after.lemmas:
                known = known or form + last in places
            if word.begins and (known or longer in beginnings):  # else _from finds nothing
                self._from(form, i)
            kind = tags[i][:1]
            if kind == "V":
                if word is _WALL:
                    continue
                if known and i == 0 and tags[i] == "VB" and tags[1] in ("NN", "NNS") and word.noun:
                    for last in (after.form, *after.lemmas):
                        if form + last in places:
                            self._add_joined(form, last, i)  # watch strap, wash cloths
                for begun in index.verb_beginnings(self.low[i]):  # gave up
                    self._from(begun, i, _VERB_ALONE)
            elif kind in _OF_NOUNS:
                if tags[i] == "NNS":
                    for begun in word.lemmas:
                        if begun in beginnings:  # mothers in law
                            self._from(begun, i)
                if known and (tags[i + 1][:1] in _OF_NOUNS or tags[i + 1] == "VBG"):  # house keeping
                    for last in (after.form, *after.lemmas):
                        if form + last in places:
                            self._add_joined(form, last, i)

    def _add_joined(self, form: str, after: str, i: int) -> None:
        """cell phone, where the label is cellphone."""
        forms = self.index.forms
        for key in forms.rivals.get(form + after) or (forms.places[form + after],):
            if min(len(form), len(after)) > 2 and self.index.first[NOUN][key] >= 0 and forms.keys[key].isalpha():
                self.found.append(LabelMatch(i, i + 2, self.source, key, NOUN))

    def _from(self, begun: str, i: int, parts: tuple[str, ...] = (NOUN, VERB)) -> None:
        """The labels that begin with these letters at token i, of these parts of speech."""
        words, places, beginnings = self.words, self.index.forms.places, self.index.forms.beginnings
        for j in range(i + 1, len(words)):
            form = words[j].form
            if form == "\n":
                return
            if not form:
                continue
            longer = begun + form
            if not (longer in places and self._add(longer, i, j, parts)) and NOUN in parts:
                for lemma in words[j].lemmas:
                    if begun + lemma in places and self._add(begun + lemma, i, j, (NOUN,)):
                        break
            if longer not in beginnings:
                return
            begun = longer

    def _add(self, form: str, i: int, j: int, parts: tuple[str, ...]) -> bool:
        """Whether a label with this form is meant at the tokens i..j; then it is added."""
        forms = self.index.forms
        for key in forms.rivals.get(form) or (forms.places[form],):
            part = self._part(key, i, j)
            if part in parts:
                self.found.append(LabelMatch(i, j + 1, self.source, key, part))
                return True
        return False

    def _part(self, key: int, i: int, j: int) -> str:
        """As what the label keys[key] is meant at the tokens i..j: a noun, a verb, or neither."""
        index, tags = self.index, self.tags
        if not index.has_parts:
            return NOUN
        label = index.forms.keys[key]
        pieces = 1 + label.count(" ") + label.count("-")
        if pieces == 1:
            return ""  # is an: no form of bean
        last = tags[j]
        if last == "CD" and tags[j + 1 : j + 2] in (["NN"], ["NNS"]):
            return ""  # it took ten minutes
        as_verb = index.first[VERB][key] >= 0 and tags[i][:1] in _VERBAL and i in self.verbs
        if as_verb and (last not in _PREPOSITIONS or self._is_particle(key, i, j)) and not self._is_out_of(key, i, j):
            return VERB
        if index.first[NOUN][key] < 0 or (pieces == 2 and not self._may_begin(i, j)):
            return ""
        if last == UNTAGGED:
            return "" if _is_empty(index, self.low[j]) else NOUN
        if last == "MD":  # spray can; but: the dog can swim
            return NOUN if j + 1 == len(tags) or tags[j + 1][:1] not in _AFTER_AUXILIARY else ""
        return NOUN if last[:1] in _MAY_END_NOUN and last != "CC" else ""

    def _may_begin(self, i: int, j: int) -> bool:
        """can opener, down payment, an at-home; but: a party at home, it can buoy."""
        tags = self.tags
        if tags[i] == "MD":
            return tags[j][:1] == "N" and (i == 0 or tags[i - 1] in _BEFORE_NOUN)
        if tags[i] == "IN" and self.words[i].form in _PLAIN_PREPOSITIONS:
            return i > 0 and tags[i - 1] in ("DT", "PRP$", "JJ")
        return tags[i] not in _CLOSED

    def _is_particle(self, key: int, i: int, j: int) -> bool:
        """care for my mother, get rid of mice; but: go for a run, work in a bank."""
        tags = self.tags
        if tags[j] == "TO" and tags[j + 1 : j + 2] in (["VB"], ["VBP"]):
            return False  # how long does it take to boil an egg
        low = self.words[j].form
        if low in _ABOUT and not _MEASURES.isdisjoint(word.form for word in self.words[j + 1 : j + 3]):
            return False  # takes over an hour
        if j > i + 1 or j + 1 == len(tags) or tags[j + 1][:1] not in _OBJECT:
            return True
        alone = self.index.verb(self.low[i])
        if alone is None:
            return True
        mass = self.index.mass[VERB]
        share = _SHARES.get(low, _PREPOSITION_SHARE)
        return mass[key] + 0.5 >= share * (mass[alone[0]] + 10)

    def _is_out_of(self, key: int, i: int, j: int) -> bool:
        """hear out of one ear; but: run out of money."""
        words, mass = self.words, self.index.mass[VERB]
        if words[j].form != "out" or j + 1 == len(words) or words[j + 1].form != "of":
            return False
        alone = self.index.verb(self.low[i])
        return alone is not None and mass[key] + 0.5 < _OUT_OF * (mass[alone[0]] + 10)
