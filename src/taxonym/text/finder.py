"""From a text to the concepts it mentions, each with the reason [Batet2014, §3.1.1; ImranDaud2022, §3.1]."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby
from typing import Any, NamedTuple

from taxonym.errors import BadPlan
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.language import ENGLISH, Language
from taxonym.text.lookup import NOUN, POSSESSIVE, VERB, Forms, LabelMatch, Mention, plain
from taxonym.text.matching import longest, match
from taxonym.text.patterns import Patterns
from taxonym.text.phrases import UNTAGGED, Sentence, analyse
from taxonym.text.recent import LONGEST, Recent
from taxonym.text.retrieval import Retriever
from taxonym.text.senses import SenseChoice, content_of, override_codes, policy_named
from taxonym.text.sources import sources, speller_of
from taxonym.text.spelling import SHORTEST
from taxonym.text.tokens import TEXT, Kind, Token

PREFERENCES = ("order", "specific")
THRESHOLD = 0.5  # least confidence of what is retrieved, unless told
_MENTION = partial(tuple.__new__, Mention)  # Mention(…) would do the same by way of one more call
_SPELT = 0.7  # how sure a corrected word is
_OVERRIDE, _RETRIEVED = -1, -2  # instead of a label's number
_NOMINAL = ("N", UNTAGGED)  # first letters of the tags of nouns
_RECENT = 1 << 14  # labels, and terms for them, whose usual meaning is remembered


class Reading(NamedTuple):
    """What one text holds: its sentences, and the labels found in each."""

    text: str
    sentences: list[Sentence]
    found: list[list[LabelMatch]]


# How many letters at the end of a term are not of its label ('s); code, label, why and confidence of its mention.
Told = tuple[int, int, str, str, float]


class Finder:
    """Finds the concepts that texts mention.

    With several taxonomies concepts live in one that joins them, `finder.taxonomy`; the first that knows a phrase wins,
    or with prefer="specific" the longer match. `overrides` (term -> concept id) always win. `category` (a concept, or
    several) keeps out all that does not lie under it. `parts` says what is looked for: nouns ("n"), verbs ("v").
    `retrieve` is the least confidence for concepts found by the words of their labels when no label matches; by default
    0.5 for taxonomies whose labels are sentences and off for others, False for all. `spelling` is the number of letters
    (0, 1 or 2) in which an unknown word may differ from a label.
    """

    def __init__(
        self,
        taxonomies: Taxonomy | Sequence[Taxonomy],
        *,
        language: Language = ENGLISH,
        senses: str = "first",
        overrides: Mapping[str, str | int] | None = None,
        category: str | int | Iterable[str | int] | None = None,
        prefer: str = "order",
        parts: Sequence[str] = (NOUN,),
        retrieve: float | bool | None = None,
        spelling: int = 0,
    ) -> None:
        if prefer not in PREFERENCES:
            raise BadPlan(f"prefer: {prefer!r} is not known. Choose one of {', '.join(PREFERENCES)}.")
        if not parts or not set(parts) <= {NOUN, VERB}:
            raise BadPlan("parts: choose from 'n' (nouns) and 'v' (verbs).")
        self.taxonomies = [taxonomies] if isinstance(taxonomies, Taxonomy) else list(taxonomies)
        self.options = {
            "language": language, "senses": senses, "overrides": overrides, "category": category,
            "prefer": prefer, "parts": tuple(parts), "retrieve": retrieve, "spelling": spelling,
        }  # fmt: skip
        self.language = language
        self.policy = policy_named(senses)
        self.parts = frozenset(parts)
        self._specific = prefer == "specific"
        self.taxonomy, self._sources, self._allowed = sources(self.taxonomies, language, category, retrieve)
        self._threshold = THRESHOLD if retrieve is None or retrieve is True else float(retrieve)
        own = override_codes(overrides or {}, self.taxonomy)
        self._own_forms = Forms([" ".join(term.lower().split()) for term in own]) if own else None
        self._own_codes = list(own.values())
        # The one index to ask, where there is nothing but a taxonomy of words: most finders.
        first, *others = self._sources
        simple = not others and self._own_forms is None and first.retriever is None and first.index.has_parts
        self._only = first.index if simple else None
        self._spellers = [speller_of(source.index, spelling) for source in self._sources] if spelling else []
        self._parse = Patterns(language).parse
        self._ic = content_of(self.taxonomy) if self.policy.record else None
        # Labels repeat, and so do the words for them.
        self._usual = lru_cache(_RECENT)(self._first_sense)
        self._told = Recent(self._first_told, _RECENT)

    # ------------------------------------------------------------------ what people ask

    def find(self, text: str) -> list[Mention]:
        """The concepts that a text mentions, from left to right; the text is its own record."""
        return self.find_record([text])[0] if self.policy.record else self._mentions(self.read(text), None)

    def find_record(self, texts: Sequence[str]) -> list[list[Mention]]:
        """The concepts that the texts of one record mention; senses are chosen over the whole record."""
        readings = [self.read(text) for text in texts]
        if not self.policy.record:
            return [self._mentions(reading, None) for reading in readings]
        choices = [self.choices(reading) for reading in readings]
        picked = iter(self.choose([choice for some in choices for choice in some]))
        return [
            self._mentions(reading, [(choice, next(picked)) for choice in some])
            for reading, some in zip(readings, choices, strict=True)
        ]

    def whole(self, text: str) -> int | None:
        """The usual meaning of a text that is a label, an id or a term of the overrides as a whole; None for others.

        Nobody needs to ask what part of speech it is: as an entry of a list it is a noun if it can be one.
        """
        form, low = plain(text), " ".join(text.lower().split())
        if self._own_forms is not None and form in self._own_forms.places:
            return self._own_codes[self._own_forms.places[form]]
        for source in self._sources:
            for part in (NOUN, VERB):
                if part in self.parts or not source.index.has_parts:
                    key = source.index.key(form, low, part)
                    if key >= 0:
                        return source.code(source.index.first[part][key])
        at = self.taxonomy.ids.find(text, self.taxonomy.id_order)
        return at if at >= 0 and (self._allowed is None or self._allowed[at]) else None

    def unknown(self, text: str) -> list[tuple[int, int]]:
        """Where a text has nouns (and verbs, where these are looked for) that no label is known for."""
        return self.unknown_in(self.read(text))

    # ------------------------------------------------------------------ the steps, for those who map whole columns

    def read(self, text: str) -> Reading:
        """Sentences and the labels in them; meanings are not chosen yet."""
        sentences = analyse(text, self.language, self._sources[0].index.noun_share, self._parse)
        if self._spellers:
            sentences = [*map(self._respelt, sentences)]
        return Reading(text, sentences, [*map(self._found, sentences)])

    def codes(self, reading: Reading) -> list[int]:
        """The first sense of every mention, in order."""
        return [self._usual(f.source, f.key, f.part, f.code)[0] for found in reading.found for f in found]

    def choices(self, reading: Reading) -> list[SenseChoice]:
        """What every mention may mean, in order."""
        return [self._choice(f) for found in reading.found for f in found]

    def choose(self, choices: Sequence[SenseChoice]) -> list[int]:
        """Which of its meanings each mention of one record has."""
        return self.policy.choose(self.taxonomy, choices, self._ic)

    def unknown_in(self, reading: Reading) -> list[tuple[int, int]]:
        """Runs of nouns (and verbs) without a label."""
        spans = []
        for sentence, found in zip(reading.sentences, reading.found, strict=True):
            tokens, tags = sentence.tokens, sentence.tags
            covered = {i for f in found for i in range(f.first, f.last)}
            wanted = {i for p in sentence.phrases for i in range(p.start, p.end) if tags[i][:1] in _NOMINAL}
            verbs = set(sentence.verbs) if VERB in self.parts else set()
            for some in (wanted if NOUN in self.parts else set(), verbs - wanted):
                bare = sorted(i for i in some - covered if tokens[i].kind is Kind.WORD and len(tokens[i].text) > 1)
                for _, run in groupby(enumerate(bare), lambda pair: pair[1] - pair[0]):
                    places = [i for _, i in run]
                    spans.append((tokens[places[0]].start, tokens[places[-1]].end))
        return sorted(spans)

    # ------------------------------------------------------------------ finding

    def _found(self, sentence: Sentence) -> list[LabelMatch]:
        """The labels of all sources: overrides first; then by the order of the taxonomies, or the longer ones."""
        if self._only is not None:
            return match(self._only, sentence, parts=self.parts)
        found = self._overridden(sentence) if self._own_forms is not None else []
        if len(self._sources) == 1 and not found:
            return self._in_source(0, sentence, frozenset())
        taken = {i for f in found for i in range(f.first, f.last)}
        rivals: list[LabelMatch] = []
        for n in range(len(self._sources)):
            mine = self._in_source(n, sentence, taken)
            if self._specific:
                rivals += mine
            else:
                found += mine
                taken.update(i for f in mine for i in range(f.first, f.last))
        return sorted(found + (longest(rivals) if rivals else []))

    def _in_source(self, n: int, sentence: Sentence, taken: Collection[int]) -> list[LabelMatch]:
        source = self._sources[n]
        if source.retriever is None and source.index.has_parts:
            return match(source.index, sentence, n, taken, self.parts)
        found = match(source.index, sentence, n, taken)
        if source.retriever is None or taken:
            return found
        return self._retrieved(n, source.retriever, sentence, found)

    def _overridden(self, sentence: Sentence) -> list[LabelMatch]:
        """The person's own terms, as written or with their last word inflected, whatever part of speech."""
        own = self._own_forms
        if own is None:
            return []
        found = []
        facts = self._sources[0].index.facts
        words = [facts(t.text.lower()) if t.kind in (Kind.WORD, Kind.NUMBER) else None for t in sentence.tokens]
        for i in range(len(words)):
            begun = ""
            for j in range(i, len(words)):
                word = words[j]
                if word is None:
                    break
                ends = (begun + form for form in (word.form, *word.lemmas))
                place = next((own.places[end] for end in ends if end in own.places), -1)
                if place >= 0:
                    found.append(LabelMatch(i, j + 1, 0, _OVERRIDE, NOUN, code=self._own_codes[place]))
                begun += word.form
                if begun not in own.beginnings:
                    break
        return longest(found)

    def _retrieved(self, n: int, retriever: Retriever, sentence: Sentence, exact: list[LabelMatch]) -> list[LabelMatch]:
        """Exact labels where they cover all that a sentence says; else what its words retrieve, if anything."""
        content = [i for i, token in enumerate(sentence.tokens) if self._says_something(token)]
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

    def _says_something(self, token: Token) -> bool:
        return token.kind is Kind.WORD and token.text.lower() not in self.language.stop_words

    def _respelt(self, sentence: Sentence) -> Sentence:
        """Words that no taxonomy knows, replaced by the nearest label; their places in the text stay."""
        tokens = list(sentence.tokens)
        for i, token in enumerate(tokens):
            if token.kind is Kind.WORD and len(token.text) >= SHORTEST and sentence.tags[i][:1] in "NVJ":
                tokens[i] = self._corrected(token)
        return sentence._replace(tokens=tokens)

    def _corrected(self, token: Token) -> Token:
        word = token.text.lower()
        lemmas = [lemma for part in (NOUN, VERB) for lemma in self.language.lemmas(word, part)]
        for source in self._sources:
            known = source.index.forms
            if any((form := plain(lemma)) in known.places or form in known.beginnings for lemma in lemmas):
                return token
        for speller in self._spellers:
            for lemma in dict.fromkeys(lemmas):
                right = speller.correct(plain(lemma))
                if right is not None:
                    return token._replace(text=right)
        return token

    # ------------------------------------------------------------------ meanings and mentions

    def _choice(self, f: LabelMatch) -> SenseChoice:
        """All meanings of a mention: of its label, then of the other label that the word may be a form of."""
        if f.code >= 0:
            return SenseChoice([f.code], [0])
        source = self._sources[f.source]
        codes, counts = source.index.senses(f.key, f.part)
        if f.other >= 0 and self.policy.record:
            more, seen = source.index.senses(f.other, f.part)
            new = [i for i, code in enumerate(more) if code not in codes]
            codes, counts = codes + [more[i] for i in new], counts + [seen[i] for i in new]
        return SenseChoice([source.code(code) for code in codes], counts)

    def _first_sense(self, source: int, key: int, part: str, code: int) -> tuple[int, str, str, float]:
        return self._sense(self._choice(LabelMatch(0, 0, source, key, part, code=code)), 0)

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
            why, sure = ("override", 1.0) if key == _OVERRIDE else (f"retrieval of '{label}'", score)
            return 0, code, label, why, sure
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
                if self._spellers and any(text[t.start : t.end] != t.text for t in tokens[first:last]):
                    why, sure = f"spelling; {why}", sure * _SPELT
                begin = heads.get(last, first)
                dropped = tuple(map(TEXT, tokens[begin:first])) if begin < first else ()
                mentions.append(_MENTION((term, start, end, code, label, dropped, why, sure)))
        return mentions


def map_text(tax: Taxonomy | Sequence[Taxonomy], text: str, **options: Any) -> list[Mention]:
    """The concepts that a text mentions; the options are those of Finder. For many texts make a Finder once."""
    return Finder(tax, **options).find(text)
