"""Rules for the parts of speech in short texts, English: what queries and fragments do and newspapers do not.

The weights of `tagger` choose a tag from the neighbours; these rules revise it by what can stand in its place at all,
and by how rare each reading of the word is. A reading's digit is its rarity: a quarter of -ln(share).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from taxonym.text.tokens import word_set

START = "-START-"  # before the first word
POSSESSIVE = ("'s", "’s")
OWING = word_set("do does did can could will would should may might must shall don't doesn't didn't can't won't")
# Before a noun that is to be asked whether it is a verb or an adjective, and an auxiliary whether it is a noun.
BEFORE_ACTION = frozenset({"TO", "PRP", "WP", "VBZ", "VBD", START})
BEFORE_NOUN = frozenset({"DT", "PRP$", "IN", "JJ"})

# Digits of the noun reading of a form in -ing: up to which it is one before a noun, up to which it is one at all.
_ACTIVITY, _NAMED, _NEVER = 5, 12, 99
_PROPER = "J0N3"  # readings of adjectives with a capital, such as Thai
_MOSTLY = 3  # digits between two readings from which the first prevails
_BE = word_set("am is are was were be been being i'm you're we're they're he's she's it's")
_SINGULAR = frozenset({"NN", "NNP", "JJ", "JJR", "JJS"})
# After these an infinitive may follow a noun: can my dog eat, to make hair grow.
_REACH = 12  # words back; a bound keeps the time linear
_LICENSE = OWING | word_set("to let lets make makes made help helps helped watch see saw hear heard if when")
_OBJECT = frozenset({"DT", "PDT", "PRP$", "PRP"})
_OBLIGED = OWING | {"to"}
# A participle after these is a verb.
_TENSE = _BE | word_set("have has had having i've you've we've they've get gets got getting")
_NOUNS_TOO = word_set("can may will must might")
_PARTICLES = word_set("in on over down by through around along")
_AFTER_VERB = frozenset({"IN", "TO", "RP"})
_PER = word_set("a an per each every")  # of a rate: twice a day
# How much rarer the plural must be than the verb after a bare singular, by what follows: an adverb or a clause, a
# preposition, nothing.
_LESS = {"R": 0, "W": 0, "I": _MOSTLY, "": 2 * _MOSTLY}
_RATE = 10  # digits by which a verb may be the rarer reading before a rate
_SUBJECTS = frozenset({"i", "you", "we", "they"})


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """The rules, with the lexicon of `tagger` they ask."""

    lexicon: Mapping[str, str]  # word form -> readings

    def settle(self, places: list[int], words: list[str], found: list[str]) -> None:
        """What short texts do and newspapers do not; changes `found` at these places."""
        for i in places:
            tag = found[i]
            if tag == "VBG" or (tag == "NN" and words[i][-3:] == "ing"):
                found[i] = self._gerund(words, found, i)
            elif tag == "NN":
                if i + 1 < len(found) and (self._is_action(words, found, i) or self._is_predicate(words, found, i)):
                    found[i] = "VB"
                elif self._is_relative(words, found, i):
                    found[i] = "VBP"
                elif self._is_described(words, found, i):
                    found[i] = "JJ"
            elif tag == "NNS" and "Z" in self.lexicon.get(words[i], ""):
                found[i] = "VBZ" if self._is_event(words, found, i) else "NNS"
            elif tag in ("VB", "VBP", "VBZ"):
                if self._is_thing(words, found, i) or self._is_subject(words, found, i):
                    found[i] = "NNS" if tag == "VBZ" else "NN"
                elif i and self._is_condition(words, found, i):
                    found[i] = "JJ"
            elif tag == "JJ":
                if self._stands_alone(words, found, i):
                    found[i] = "NN"
                elif self._is_relative(words, found, i):
                    found[i] = "VBP"
            elif tag in ("VBN", "VBD"):
                if self._is_subject(words, found, i) or self._ends_compound(words, found, i):
                    found[i] = "NN"
                elif self._is_state(words, found, i):
                    found[i] = "JJ"
            elif tag == "MD" and self._is_container(words, found, i):
                found[i] = "NN"

    def _is_thing(self, words: list[str], found: list[str], i: int) -> bool:
        """maternity leave, product recall, white plains: what looks like a verb but has no place for one."""
        readings = self.lexicon.get(words[i], "")
        if "N" not in readings and "P" not in readings:
            return False
        after = found[i + 1][0] if i + 1 < len(found) else "N"
        mostly = readings[0] in "NP"
        if i == 0:
            return len(found) == 1 or (mostly and after == "N")
        if found[i] == "VBZ":
            if found[i - 1][0] not in "JN":
                return False
            return (mostly and after == "N") or self._is_series(words, found, i)
        # No base form follows a singular without an auxiliary; after a plural it may.
        plural = mostly and after == "N" and found[i - 1] == "NNS"
        if not (plural or found[i - 1] in _SINGULAR) or (i + 1 < len(found) and self._is_predicate(words, found, i)):
            return False
        return _LICENSE.isdisjoint(words[max(0, i - _REACH) : i])

    def _is_series(self, words: list[str], found: list[str], i: int) -> bool:
        """frequent falls, sell car parts, grass stains on jeans; but: my back hurts, dog limps after a walk."""
        if i + 1 < len(found) and found[i + 1] not in ("IN", "CC", ","):
            return False
        start = i  # of the noun phrase that would be the subject
        while start and found[start - 1][0] in "JN":
            start -= 1
        if start and found[start - 1] in ("DT", "PRP$", "CD"):
            return False
        if found[i - 1][0] == "J" or (start and found[start - 1] in ("VB", "VBP", "VBG")):
            return True  # an adjective is no subject, and what an infinitive takes has no verb of its own
        readings = self.lexicon.get(words[i], "")
        return _digit(readings, "P") - _digit(readings, "Z") <= 1

    def _is_subject(self, words: list[str], found: list[str], i: int) -> bool:
        """why do leaves fall, paper cut won't heal, splint removed: a verb is still to come."""
        readings = self.lexicon.get(words[i], "")
        if "N" not in readings and "P" not in readings:
            return False
        after = found[i + 1] if i + 1 < len(found) else ""
        if i and found[i] == "VBZ" and words[i - 1] in OWING:
            return True
        if after == "MD":
            return i == 0 or found[i - 1][0] in "JN"
        return readings[0] == "N" and found[i] == "VBD" and after in ("VBN", "VBD") and words[i + 1] not in _BE

    def _ends_compound(self, words: list[str], found: list[str], i: int) -> bool:
        """paint brush set: a form that is infinitive and participle alike, and about as often a noun."""
        readings = self.lexicon.get(words[i], "")
        if i == 0 or i + 1 < len(found) or found[i - 1] != "NN" or "B" not in readings:
            return False
        return _digit(readings, "N") < int(readings[1], 36) + _MOSTLY and _LICENSE.isdisjoint(words[:i][-_REACH:])

    def _is_predicate(self, words: list[str], found: list[str], i: int) -> bool:
        """lamps flicker when, peel and chop, cooking and cleaning take up: a noun's place, but a verb is due."""
        readings = self.lexicon.get(words[i], "")
        rare = _digit(readings, "N") - _digit(readings, "B")
        if "B" not in readings or rare < 0:
            return False
        after = found[i + 1]
        if i == 0:
            if after == "CC":
                return found[2:3] == ["VB"]
            adverb = after == "RP" or words[1] in _PARTICLES
            return adverb and (found[2:3] in ([], ["IN"], ["TO"]) or found[2][0] in "R," or found[2:4] == ["JJ", "IN"])
        if found[i - 1][0] == "N" and after == "RP":
            return rare >= _MOSTLY
        # the poor pay too much; but: the best pay in town
        several = found[i] != "NN" and found[i - 1] == "NN" and i > 1 and found[i - 2] == "DT"
        several = several and self.lexicon.get(words[i - 1], "")[:1] == "J"
        if several and rare > _NAMED:
            return after[0] != "V"  # the rich get richer
        plural = several or found[i - 1] == "NNS"
        if not plural or rare < _MOSTLY or (after not in _AFTER_VERB and after[0] not in "RW"):
            return False
        return not any(tag[0] == "V" for tag in found[max(0, i - _REACH) : i])

    def _is_described(self, words: list[str], found: list[str], i: int) -> bool:
        """raw food, is bad for teeth, was kind: an adjective's place."""
        after = found[i + 1][0] if i + 1 < len(found) else ""
        if after == "N":
            return self._is_quality(words[i])
        if not i or after == "J":
            return False
        readings = self.lexicon.get(words[i], "")
        if words[i - 1] in _BE:
            return "J" in readings
        return found[i - 1][0] in "NV" and readings[:1] == "J" and readings != _PROPER and self._is_quality(words[i])

    def _is_condition(self, words: list[str], found: list[str], i: int) -> bool:
        """feels dizzy, keeps me awake: mostly an adjective, and neither an infinitive nor with an object."""
        readings = self.lexicon.get(words[i], "")
        if readings[:1] != "J" or _digit(readings, "B") - int(readings[1], 36) < _MOSTLY:
            return False
        after = found[i + 1] if i + 1 < len(found) else ""
        if after in _OBJECT or after[:1] == "N" or not _OBLIGED.isdisjoint(words[max(0, i - 3) : i]):
            return False
        return found[i - 1][0] == "V" or (i > 1 and found[i - 1] == "PRP" and found[i - 2][0] == "V")

    def _is_relative(self, words: list[str], found: list[str], i: int) -> bool:
        """batteries that last two years, people who smoke: after its relative pronoun a plural still needs its verb."""
        if i < 2 or words[i - 1] not in ("that", "which", "who") or found[i - 2] != "NNS":
            return False
        return "B" in self.lexicon.get(words[i], "") and found[i + 1 : i + 2] != ["NN"]

    def _is_container(self, words: list[str], found: list[str], i: int) -> bool:
        """a can of beans, born in may, his will: a noun that looks like an auxiliary."""
        if words[i] not in _NOUNS_TOO or (i + 1 < len(found) and found[i + 1][0] in "VPR"):
            return False
        return found[i - 1] != "IN" or words[i - 1] in ("in", "of", "by", "since", "until", "from")

    def _is_event(self, words: list[str], found: list[str], i: int) -> bool:
        """my back hurts, feels tired: what looks like a plural but tells what somebody does."""
        less = _digit(self.lexicon.get(words[i], ""), "P") - _digit(self.lexicon.get(words[i], ""), "Z")
        after = found[i + 1] if i + 1 < len(found) else ""
        if i == 1:  # knee hurts when, computer crashes; but: bee stings on arm, insect bites
            return found[0] == "NN" and less >= _LESS.get(after[:1], _NEVER)
        if i == 0:
            if after == "CD":  # smokes one pack per day; but: drinks 6 pack
                rated = any(word in _PER for word in words[3:-1][:_REACH])
                return rated and less >= -_RATE
            return (less > 2 * _MOSTLY and after[:1] not in ("N", "")) or (less >= 0 and after == "RP")
        return less >= 0 and found[i - 2] in ("DT", "PRP$") and found[i - 1] == "NN"

    def _is_quality(self, word: str) -> bool:
        """raw food, fluorescent bulb: mostly an adjective, and in its place."""
        readings = self.lexicon.get(word, "")
        as_noun = readings.find("N")
        return readings[:1] == "J" and int(readings[as_noun + 1], 36) - int(readings[1], 36) >= _MOSTLY

    def _stands_alone(self, words: list[str], found: list[str], i: int) -> bool:
        """in the attic, learn spanish: an adjective with no noun to describe, that can be one itself."""
        readings = self.lexicon.get(words[i], "")
        after = next((tag[0] for tag in found[i + 1 : i + 3] if tag != "CC"), "")
        if "N" not in readings or after in ("N", "J"):
            return False
        before = found[i - 1] if i else START
        return len(found) == 1 or before in ("DT", "PRP$") or (readings == _PROPER and before in ("IN", "VB", "VBP"))

    def _is_state(self, words: list[str], found: list[str], i: int) -> bool:
        """is broken, freeze boiled rice; and the one participle that is a place: pain left big toe."""
        readings = self.lexicon.get(words[i], "")
        after = found[i + 1][0] if i + 1 < len(found) else ""
        if i == 0:
            return readings[:1] == "J" and after in ("", ",", ".")  # married, two children
        if words[i] == "left":
            return found[i - 1][0] == "N" and after in ("J", "N")
        if words[i - 1] in _BE:
            return _digit(readings, "J") - _digit(readings, "D") <= _ACTIVITY  # but: was fired, are forgotten
        if found[i - 1][0] == "V" and after == "N":
            return words[i - 1] not in _TENSE
        return "-" in words[i] and found[i - 1][0] == "N" and not after  # ring gold-plated

    def _gerund(self, words: list[str], found: list[str], i: int) -> str:
        """A form in -ing: part of a tense or with an object a verb, before a noun an activity or a property."""
        readings = self.lexicon.get(words[i], "")
        if "G" not in readings:
            return found[i]
        before = found[i - 1] if i else ""
        after = found[i + 1] if i + 1 < len(found) else ""
        if after in _OBJECT or (i > 1 and words[i - 1] in _BE) or (i and words[i - 1] in ("when", "while")):
            return "VBG"  # training a dog, is training, when bending
        if after == "NNS" and words[i - 1] == "by" and i and readings[0] == "G":
            return "VBG"  # earn money by selling books
        rare = _digit(readings, "N")
        if found[i] == "NN" or (i + 1 < len(words) and words[i + 1] == "of" and rare <= _NAMED):
            return "NN"  # swelling of the knee
        if i and words[i - 1][-2:] in POSSESSIVE:
            before = "POS"
        if before[:1] == "N" and (readings[0] == "N" or (rare < _ACTIVITY and after[:1] not in ("I", "R"))):
            return "NN"  # diabetes screening; but: dog limping after a walk
        if after[:1] == "N":
            if before[:1] == "N" or before == "PRP":
                return "VBG"  # my knee playing basketball
            other = "JJ" if _digit(readings, "J") <= _NAMED else "VBG"
            return "NN" if rare <= _ACTIVITY else other  # cooking classes, running water
        if before[:1] == "N" or after in ("RP", "IN", "TO") or after[:1] in ("J", "R"):
            named = rare <= _ACTIVITY and (before[:1] == "V" or (not before and after == "IN"))
            return "NN" if named else "VBG"  # screening for cancer; but: geese flying south, coughing up blood
        if before in ("JJ", "DT", "PRP$"):
            return "NN" if rare < _NEVER else "VBG"  # positive thinking
        return "NN" if rare <= _NAMED else "VBG"  # i like swimming, sneezing

    def _is_action(self, words: list[str], found: list[str], i: int) -> bool:
        """book a flight, how to water plants, i plant trees: a verb, however rare."""
        if i and found[i - 1] not in ("TO", "PRP"):
            return False
        if "B" not in self.lexicon.get(words[i], ""):
            return False
        if i == 0:
            return found[1] in ("DT", "PRP$")
        asked = i > 1 and found[i - 2][0] == "W"
        if words[i - 1] == "to":
            return asked or found[i + 1] in ("DT", "PRP$")
        return words[i - 1] in _SUBJECTS and (i == 1 or asked or words[i - 2] in OWING)


def _digit(readings: str, reading: str) -> int:
    """How rare a reading of a form is."""
    return int(readings[readings.find(reading) + 1], 36) if reading in readings else _NEVER
