"""The head of an entry of a list: its last word, which is a noun if it can be one.

A tagger expects sentences. It takes the last word of *meat spreads*, *beer can* or *cigarette lighter* for a verb or an
adjective, but who lists things names them. An activity in -ing that no noun is known for (*mountain biking*) is what is
done, and else its verb.
"""

from taxonym.text.lookup import NOUN, VERB, LabelIndex, LabelMatch
from taxonym.text.phrases import Parse, Sentence
from taxonym.text.related import StandIns
from taxonym.text.tokens import Kind

_BEFORE = ("N", "J")  # first letters of the tags of what stands before a head
_NEVER = ("N", "R", "I", "T", "C", "")  # first letters of tags of heads, and of those that are none: out, of, to, two
_OPEN = ("J",)  # tags of words that are nouns only if they were seen so
_ACTIVITY = "ing"
# What somebody has with an activity, which is the head then: difficulty swallowing, trouble sleeping.
_HAD = frozenset(["difficulty", "difficulties", "discomfort", "pain", "problem", "problems", "trouble", "troubles"])


def with_noun_head(sentences: list[Sentence], index: LabelIndex, parse: Parse) -> list[Sentence]:
    """The sentences of an entry, its last word as a noun where it can be one."""
    if len(sentences) != 1 or len(sentences[0].tags) < 2:
        return sentences
    tokens, tags = sentences[0].tokens, sentences[0].tags
    if tokens[-1].kind is not Kind.WORD or tags[-1][:1] in _NEVER or tags[-2][:1] not in _BEFORE:
        return sentences
    low = tokens[-1].text.lower()
    if is_activity(low) and tokens[-2].text.lower() in _HAD:
        return sentences
    noun = index.facts(low).noun
    if noun is None and not (tags[-1][:1] == "V" and is_activity(low)):
        return sentences
    if noun is not None and tags[-1][:1] in _OPEN and not index.mass[NOUN][noun[0]]:
        return sentences
    changed = [*tags[:-1], "NN"]
    return [Sentence(tokens, changed, *parse(tokens, changed))]


def with_activity(
    found: list[LabelMatch], sentence: Sentence, index: LabelIndex, related: StandIns
) -> list[LabelMatch]:
    """The labels of an entry, and what its last word means as an activity, where nothing else is known for it."""
    last = len(sentence.tokens) - 1
    if last < 0 or sentence.tokens[last].kind is not Kind.WORD or any(f.last > last for f in found):
        return found
    low = sentence.tokens[last].text.lower()
    if last and sentence.tokens[last - 1].text.lower() in _HAD:
        return found
    if not is_activity(low) or low in index.language.auxiliaries or low in index.language.stop_words:
        return found
    one = related.verb(low, last)
    if one is None and index.has_parts and (verb := index.verb(low)) is not None:
        one = LabelMatch(last, last + 1, 0, verb[0], VERB)
    return found if one is None else [*found, one]


def is_activity(low: str) -> bool:
    return len(low) > len(_ACTIVITY) + 1 and low.endswith(_ACTIVITY)
