"""From a text to the concepts it mentions, each with the reason [Batet2014, §3.1.1; ImranDaud2022, §3.1]."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Mask
from taxonym.knowledge.related import MODES
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.entry_heads import with_activity, with_noun_head
from taxonym.text.language import ENGLISH, Language
from taxonym.text.lookup import NOUN, POSSESSIVE, VERB, LabelMatch, Mention, plain
from taxonym.text.matching import longest, match
from taxonym.text.own_terms import OVERRIDE, OwnTerms
from taxonym.text.patterns import Patterns
from taxonym.text.person_names import NameLists, name_finder, without_parts, without_short
from taxonym.text.phrases import Sentence, analyse
from taxonym.text.reading import Reading
from taxonym.text.recent import LONGEST, Recent
from taxonym.text.related import BY_ID, WHY, StandIns, whole_text
from taxonym.text.respelling import Respelling
from taxonym.text.retrieval import Retriever
from taxonym.text.senses import DEFAULT, SenseChoice, TextMentions, content_of, override_codes, policy_named
from taxonym.text.sources import root_of, sources, without_counts
from taxonym.text.tokens import TEXT, Kind

if TYPE_CHECKING:
    from taxonym.text.column_senses import ColumnSenses
    from taxonym.text.subject import Subject

PREFERENCES = ("order", "specific")
THRESHOLD = 0.5  # least confidence of what is retrieved, unless told
_MENTION = partial(tuple.__new__, Mention)  # Mention(…) would do the same by way of one more call
_SPELT = 0.7  # how sure a corrected word is
_RETRIEVED = -2  # instead of a label's number, as OVERRIDE
_DIGIT = re.compile(r"\d")
_SHORT = 2  # tokens of a text that may be a single word, with a mark beside it
_RECENT = 1 << 14  # labels, and terms for them, whose usual meaning is remembered


Span = tuple[int, int]  # from a letter of a text to another
# How many letters at the end of a term are not of its label ('s); code, label, why and confidence of its mention.
Told = tuple[int, int, str, str, float]


class Finder:
    """Finds the concepts that texts mention.

    With several taxonomies concepts live in one that joins them, `finder.taxonomy`; the first that knows a phrase wins,
    or with prefer="specific" the longer match. `overrides` (term -> concept id) always win. `category` (a concept, or
    several) keeps out all that does not lie under it. `parts` says what is looked for: nouns ("n"), verbs ("v").
    `related` says where adjectives and verbs count as the nouns they stand for ("alone", "all", "none": text.related);
    for `watched` concepts they do wherever they stand.
    `retrieve` is the least confidence for concepts found by the words of their labels when no label matches; by default
    0.5 for taxonomies whose labels are sentences and off for others, False for all. `spelling` is the number of letters
    (0, 1 or 2) in which an unknown word may differ from a label. `names` of persons and others stay whole: those of the
    language where labels are words, and further ones if lists of them are given; False for none. `subject` is what the
    column is about, for policies that ask (subject.Subject; text.votes learns one).
    """

    def __init__(
        self,
        taxonomies: Taxonomy | Sequence[Taxonomy],
        *,
        language: Language = ENGLISH,
        senses: str = DEFAULT,
        overrides: Mapping[str, str | int] | None = None,
        category: str | int | Iterable[str | int] | None = None,
        prefer: str = "order",
        parts: Sequence[str] = (NOUN,),
        retrieve: float | bool | None = None,
        spelling: int = 0,
        related: str = "alone",
        watched: Mask | None = None,
        names: NameLists | bool = True,
        subject: "Subject | None" = None,
    ) -> None:
        if prefer not in PREFERENCES:
            raise BadPlan(f"prefer: {prefer!r} is not known. Choose one of {', '.join(PREFERENCES)}.")
        if not parts or not set(parts) <= {NOUN, VERB}:
            raise BadPlan("parts: choose from 'n' (nouns) and 'v' (verbs).")
        if related not in MODES:
            raise BadPlan(f"related: {related!r} is not known. Choose one of {', '.join(MODES)}.")
        self.taxonomies = [taxonomies] if isinstance(taxonomies, Taxonomy) else list(taxonomies)
        self.options = {
            "language": language, "senses": senses, "overrides": overrides, "category": category,
            "prefer": prefer, "parts": tuple(parts), "retrieve": retrieve, "spelling": spelling,
            "related": related, "watched": watched, "names": names, "subject": subject,
        }  # fmt: skip
        self.language = language
        self.policy = policy_named(senses)
        self.parts = frozenset(parts)
        self._specific = prefer == "specific"
        self.taxonomy, self._sources, self._allowed = sources(self.taxonomies, language, category, retrieve)
        self._stand_in(related, watched)
        self._threshold = THRESHOLD if retrieve is None or retrieve is True else float(retrieve)
        self._own = OwnTerms(override_codes(overrides, self.taxonomy)) if overrides else None
        # The one index to ask, where there is nothing but a taxonomy of words: most finders.
        first, *others = self._sources
        simple = not others and self._own is None and first.retriever is None and first.index.has_parts
        self._only = first.index if simple else None
        self._respelling = Respelling(self._sources, language, spelling) if spelling else None
        self._parse = Patterns(language).parse
        self._names = name_finder(names, language, first.index, self.taxonomies[0])
        self._ic = content_of(self.taxonomy) if self.policy.record else None
        self._begin(subject)

    def _begin(self, subject: "Subject | None") -> None:
        self.subject = subject
        self._by_words: ColumnSenses | None = None
        # Labels repeat, and so do the words for them.
        self._usual = lru_cache(_RECENT)(self._first_sense)
        self._told = Recent(self._first_told, _RECENT)
        self._choices = Recent(self._choice_of, _RECENT)

    def about(self, subject: "Subject | None") -> "Finder":
        """The same finder for a column that is about something."""
        made = copy(self)
        made.options = self.options | {"subject": subject}
        made._begin(subject)
        return made

    @property
    def by_words(self) -> "ColumnSenses":
        """Chooses senses by words and subject, where the policy asks for it."""
        if self._by_words is None:
            from taxonym.text.column_senses import ColumnSenses  # here, for most finders choose without word vectors

            uncounted = without_counts(self.taxonomy, self.taxonomies, self._sources)
            self._by_words = ColumnSenses(self.taxonomy, self.subject, uncounted, self.language.code)
        return self._by_words

    def _stand_in(self, related: str, watched: Mask | None) -> None:
        words = [tax.related for tax in self.taxonomies]
        self._related = StandIns(self._sources, words, self.parts, related, self._allowed, watched)
        self._sought = self.parts | {VERB} if self._related.is_everywhere else self.parts

    def watching(self, concepts: Mask) -> "Finder":
        """The same finder, which also sees adjectives and verbs that stand for one of these concepts."""
        other = copy(self)
        other.options = self.options | {"watched": concepts}
        other._stand_in(str(self.options["related"]), concepts)
        return other

    # ------------------------------------------------------------------ what people ask

    def find(self, text: str) -> list[Mention]:
        """The concepts that a text mentions, from left to right; the text is its own record."""
        return self._mentions(self.read(text), None) if self.policy.first else self.find_record([text])[0]

    def find_record(self, texts: Sequence[str], entries: bool = False) -> list[list[Mention]]:
        """The concepts that the texts of one record mention; senses are chosen over the whole record."""
        readings = [self.read(text, entries) for text in texts]
        if self.policy.first:
            return [self._mentions(reading, None) for reading in readings]
        choices = [self.choices(reading) for reading in readings]
        picked = self.choose_record(texts, choices, [reading.spans for reading in readings])
        return self.mentions(readings, choices, picked)

    def mentions(
        self, readings: Sequence[Reading], choices: Sequence[Sequence[SenseChoice]], picked: Sequence[Sequence[int]]
    ) -> list[list[Mention]]:
        """The mentions of texts whose meanings have been chosen."""
        return [
            self._mentions(reading, list(zip(some, chosen, strict=True)))
            for reading, some, chosen in zip(readings, choices, picked, strict=True)
        ]

    def whole(self, text: str) -> int | None:
        """The meaning of a text that is a label, an id or a term of the overrides as a whole; None for others."""
        choice = self.whole_choice(text)
        if choice is None:
            return None
        return choice.codes[
            self.choose_record([text], [[choice]], [[(0, len(text))]])[0][0] if self.policy.words else 0
        ]

    def whole_choice(self, text: str) -> SenseChoice | None:
        """What a text may mean as a whole, where it is a label, an id or a term of the overrides.

        Nobody needs to ask what part of speech it is: as an entry of a list it is a noun if it can be one.
        """
        if (own := self.own(text)) is not None:
            return SenseChoice([own], [0])
        form, low = plain(text), " ".join(text.lower().split())
        for n, source in enumerate(self._sources):
            for part in (NOUN, VERB):
                if part in self.parts or not source.index.has_parts:
                    key = source.index.key(form, low, part)
                    if key >= 0:
                        if part == NOUN and (instead := self._related.instead(n, low)):
                            return SenseChoice([instead.code], [0])
                        # glasses may be a form of glass, but BES is no form of BE
                        other = source.index.other(key, low, part) if source.index.has_parts else -1
                        return self._choices[n, key, part, other, -1]
        at = self._id(text)
        return SenseChoice([at], [0]) if at >= 0 else None

    def own(self, text: str) -> int | None:
        """The concept that the overrides give to a text as a whole."""
        return self._own.code(plain(text)) if self._own is not None else None

    @property
    def has_words(self) -> bool:
        """Whether all taxonomies are of words, nouns and verbs."""
        return all(source.index.has_parts for source in self._sources)

    @property
    def root(self) -> int | None:
        """The concept that everything in the column lies below: its category, or the root of its taxonomy."""
        return root_of(self.taxonomy, self._allowed)

    def _id(self, text: str) -> int:
        """The concept whose id a text is, or -1."""
        at = self.taxonomy.find(text)
        return at if at >= 0 and (self._allowed is None or self._allowed[at]) else -1

    def unknown(self, text: str, entry: bool = False) -> list[tuple[int, int]]:
        """Where a text has nouns (and verbs, where these are looked for) that no label is known for."""
        return self.unknown_in(self.read(text, entry))

    # ------------------------------------------------------------------ the steps, for those who map whole columns

    def read(self, text: str, entry: bool = False) -> Reading:
        """Sentences and the labels in them; meanings are not chosen yet. An `entry` of a list names a thing."""
        sentences = analyse(text, self.language, self._sources[0].index.noun_share, self._parse)
        entry = entry and self.language.tag is not None and not self.language.head_first
        if entry:
            sentences = with_noun_head(sentences, self._sources[0].index, self._parse)
        if self._respelling is not None:
            sentences = [*map(self._respelling.of, sentences)]
        found = [without_short(self._found(sentence), sentence) for sentence in sentences]
        if len(sentences) == 1 and len(sentences[0].tokens) <= _SHORT:
            found = [self._related.single(sentences[0], found[0])]
        if _DIGIT.search(text) and " " not in text.strip() and (code := self._id(text)) >= 0:
            return Reading(text, [whole_text(text)], [[LabelMatch(0, 1, 0, BY_ID, NOUN, code=code)]], [[]])
        names = [self._names.spans(sentence.tokens) if self._names else [] for sentence in sentences]
        if entry and len(sentences) == 1 and not names[0]:
            found = [with_activity(found[0], sentences[0], self._sources[0].index, self._related)]
        found = self._related.added(sentences, [*map(without_parts, found, names)], self._found)
        return Reading(text, sentences, [*map(without_parts, found, names)], names)

    def codes(self, reading: Reading) -> list[int]:
        """The concept of every mention, in order; the text is its own record."""
        if not self.policy.first:
            choices = self.choices(reading)
            picked = self.choose_record([reading.text], [choices], [reading.spans])[0]
            return [choice.codes[at] for choice, at in zip(choices, picked, strict=True)]
        return [self._usual(f.source, f.key, f.part, f.code)[0] for found in reading.found for f in found]

    def choices(self, reading: Reading) -> list[SenseChoice]:
        """What every mention may mean, in order."""
        return [self._choices[f[2:7]] for found in reading.found for f in found]

    def labels(self, reading: Reading) -> list[str]:
        """The label that was found for every mention, in order."""
        return [
            self._sources[f.source].index.forms.keys[f.key] if f.code < 0 else self.taxonomy.label(f.code)
            for found in reading.found
            for f in found
        ]

    def choose_record(
        self, texts: Sequence[str], choices: Sequence[Sequence[SenseChoice]], spans: Sequence[Sequence[Span]]
    ) -> list[list[int]]:
        """Of every text of one record, which of its meanings each mention has; `spans` says where mentions stand."""
        if self.policy.words and len(texts) == 1:
            return self.by_words.alone(texts, choices, spans)
        hear = self.by_words.heard if self.policy.words else lambda _, some, __: TextMentions(some, ())
        return self.choose_records([list(map(hear, texts, choices, spans))])[0]

    def choose_records(self, records: Sequence[Sequence[TextMentions]]) -> list[list[list[int]]]:
        """The same for many records."""
        if self.policy.words:
            return self.by_words.choose(records)
        out = []
        for texts in records:
            every = [choice for text in texts for choice in text.choices]
            picked = iter(self.policy.choose(self.taxonomy, every, self._ic))
            out.append([[next(picked) for _ in text.choices] for text in texts])
        return out

    def unknown_in(self, reading: Reading) -> list[tuple[int, int]]:
        """Runs of nouns (and verbs) without a label."""
        return reading.unknown(self.parts)

    # ------------------------------------------------------------------ finding

    def _found(self, sentence: Sentence, parts: Collection[str] | None = None) -> list[LabelMatch]:
        """The labels of all sources: overrides first; then by the order of the taxonomies, or the longer ones."""
        parts = self._sought if parts is None else parts
        if self._only is not None:
            return match(self._only, sentence, parts=parts)
        found = self._own.matches(sentence, self._sources[0].index) if self._own is not None else []
        if len(self._sources) == 1 and not found:
            return self._in_source(0, sentence, frozenset(), parts)
        taken = {i for f in found for i in range(f.first, f.last)}
        rivals: list[LabelMatch] = []
        for n in range(len(self._sources)):
            mine = self._in_source(n, sentence, taken, parts)
            if self._specific:
                rivals += mine
            else:
                found += mine
                taken.update(i for f in mine for i in range(f.first, f.last))
        return sorted(found + (longest(rivals) if rivals else []))

    def _in_source(
        self, n: int, sentence: Sentence, taken: Collection[int], parts: Collection[str]
    ) -> list[LabelMatch]:
        source = self._sources[n]
        if source.retriever is None and source.index.has_parts:
            return match(source.index, sentence, n, taken, parts)
        found = match(source.index, sentence, n, taken)
        if source.retriever is None or taken:
            return found
        return self._retrieved(n, source.retriever, sentence, found)

    def _retrieved(self, n: int, retriever: Retriever, sentence: Sentence, exact: list[LabelMatch]) -> list[LabelMatch]:
        """Exact labels where they cover all that a sentence says; else what its words retrieve, if anything."""
        said = [t.kind is Kind.WORD and t.text.lower() not in self.language.stop_words for t in sentence.tokens]
        content = [i for i, says_something in enumerate(said) if says_something]
        covered = {i for f in exact for i in range(f.first, f.last)}
        if covered.issuperset(content):
            return exact
        best = retriever.best([t.text for t in sentence.tokens if t.kind in (Kind.WORD, Kind.NUMBER)])
        if best is None or best[1] < self._threshold:
            return exact
        code = self._sources[n].code(best[0])
        if self._allowed is not None and not self._allowed[code]:
            return exact
        return [LabelMatch(content[0], content[-1] + 1, n, _RETRIEVED, NOUN, code=code, score=best[1])]

    # ------------------------------------------------------------------ meanings and mentions

    def _choice_of(self, found: tuple[int, int, str, int, int]) -> SenseChoice:
        """All meanings of a mention: of its label, then of the other label that the word may be a form of."""
        at, key, part, other, code = found
        if code >= 0:
            return SenseChoice([code], [0])
        source = self._sources[at]
        codes, counts = source.index.senses(key, part)
        if other >= 0 and not self.policy.first:
            more, seen = source.index.senses(other, part)
            new = [i for i, code in enumerate(more) if code not in codes]
            codes, counts = codes + [more[i] for i in new], counts + [seen[i] for i in new]
        return SenseChoice([source.code(code) for code in codes], counts)

    def _first_sense(self, source: int, key: int, part: str, code: int) -> tuple[int, str, str, float]:
        return self._sense(self._choice_of((source, key, part, -1, code)), 0)

    def _sense(self, choice: SenseChoice, at: int) -> tuple[int, str, str, float]:
        """The concept, its label, how it was chosen, and how sure that is by how often it was seen."""
        code, n = choice.codes[at], len(choice.codes)
        label = self.taxonomy.label(code)
        if n == 1:
            return code, label, "only sense", 1.0
        share = (choice.counts[at] + 1) / (sum(choice.counts) + n)
        return code, label, f"sense {at + 1} of {n} by policy '{self.policy.name}'", share

    def _first_told(self, found: tuple[int, int, str, int, float, str]) -> Told:
        source, key, part, code, score, term = found
        return self._tell(source, key, score, term, self._usual(source, key, part, code))

    def _tell(self, source: int, key: int, score: float, term: str, sense: tuple[int, str, str, float]) -> Told:
        """How a term became a concept."""
        code, label, chosen, share = sense
        if key < 0:
            why = "override" if key == OVERRIDE else f"{WHY.get(key, 'retrieval of')} '{label}'"
            return 0, code, label, why, score
        index = self._sources[source].index
        cut = 2 if term[-2:] in POSSESSIVE and index.forms.keys[key][-2:] != "'s" else 0
        how, sure = index.how(key, term[: len(term) - cut])
        return cut, code, label, f"{how}; {chosen}", sure * share

    def _mentions(self, reading: Reading, picked: list[tuple[SenseChoice, int]] | None) -> list[Mention]:
        text = reading.text
        mentions: list[Mention] = []
        for sentence, found in zip(reading.sentences, reading.found, strict=True):
            tokens = sentence.tokens
            heads = {end: start for start, end in sentence.phrases} if found else {}
            for first, last, source, key, part, _, code, score in found:
                start, end = tokens[first].start, tokens[last - 1].end
                term = text[start:end]
                if picked is None and len(term) <= LONGEST:
                    cut, code, label, why, sure = self._told[source, key, part, code, score, term]
                else:
                    sense = self._sense(*picked[len(mentions)]) if picked else self._usual(source, key, part, code)
                    cut, code, label, why, sure = self._tell(source, key, score, term, sense)
                if cut:
                    term, end = term[:-cut], end - cut
                if self._respelling is not None and any(text[t.start : t.end] != t.text for t in tokens[first:last]):
                    why, sure = f"spelling; {why}", sure * _SPELT
                begin = heads.get(last, first)
                dropped = tuple(map(TEXT, tokens[begin:first])) if begin < first else ()
                mentions.append(_MENTION((term, start, end, code, label, dropped, why, sure)))
        return mentions
