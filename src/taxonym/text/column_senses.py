"""The policy `column`: how usual a sense is, what the column is about, what the gloss says, the rest of the record."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from taxonym.knowledge.arrays import Floats, Long, Mask, Singles
from taxonym.knowledge.runs import edges
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.glosses import GlossVectors
from taxonym.text.recent import Recent
from taxonym.text.senses import SenseChoice, TextMentions
from taxonym.text.subject import (
    LEAST_TOPIC,
    SUBJECT_WEIGHT,
    CubedContent,
    GlossTopic,
    Subject,
    TermMeanings,
    certainty,
    mass_below,
    name_scores,
    named_concepts,
    strength,
)  # fmt: skip
from taxonym.text.word_vectors import UNIT, vectors_of

TEXT_WEIGHT = 5.0  # of the cosine between a text and a gloss beside the log prior
OWN_LESS = 0.1875  # of the share of a mention's own words in its text; a part that floats hold exactly
RECORD_WEIGHT = 10.0  # of the cosine between the other texts of the record and a gloss
HOPELESS = 6.0  # meanings whose score is so much lower before the text is heard are out
_REMEMBERED = 1 << 16  # choices
_WHOLE = -1  # instead of the number of a text: all texts of its record
_PIECE = 8192  # mentions that are scored at once


class RankedChoice(NamedTuple):
    """The meanings of a mention, the one that wins ties first, and what is known without its text.

    `at` is the place in the choice of each that may win, `places` their glosses, `best` the first of those with the
    highest score. `certain`: whatever the text and its record say, it stays the best. `alone`: whatever the text says.
    """

    at: list[int]
    places: Long
    score: Floats
    best: int
    certain: bool
    alone: bool


_ONLY = RankedChoice([0], np.full(1, -1), np.zeros(1), 0, True, True)  # of a word that means one thing
OpenMention = tuple[int, int, int, RankedChoice]  # a mention by record, number of its text among all, and place in it
Span = tuple[int, int]  # from a letter of a text to another
Own = Sequence[tuple[int, ...]]  # words of every mention by itself
Words = Mapping[int, Sequence[Sequence[int]]]  # of every record, of its texts


class ColumnSenses:
    """Chooses between senses.

        score(s) = ln P(s) + w₁ · closeness(s) + topic(s) + w₂ · cos(gloss(s), text) + w₃ · cos(gloss(s), record)

    P(s) as SenseChoice has it; where a taxonomy has no counts (`sized`: its concepts), the number of concepts at and
    below s stands for them, and of equals the shallower wins. Without a subject only the column's own share is missing.
    """

    def __init__(
        self,
        tax: Taxonomy,
        subject: Subject | None = None,
        sized: Mask | None = None,
        language: str = "en",
    ) -> None:
        self._tax, self._vectors = tax, vectors_of(language)
        self._glosses = GlossVectors(tax, self._vectors)
        self._numbers = Recent(self._vectors.numbers)
        self._known: dict[int, tuple[SenseChoice, RankedChoice]] = {}
        self._sized = sized
        self._size = np.bincount(tax.ancestor, minlength=len(tax)) if sized is not None and sized.any() else None
        self._subject, self._mass = subject, np.zeros(len(tax))
        if subject is not None:
            self._mass[np.array(subject.codes, np.int64)] = subject.mass
            self._content, self._names = CubedContent.of(tax), subject.named_mass(tax)
            self._below = mass_below(tax, self._mass)

    def counts(self, choice: SenseChoice) -> list[int]:
        """How usual each meaning is: how often it was seen, and once more, or how much lies below it."""
        if self._size is None or not self._by_size(choice):
            return [count + 1 for count in choice.counts]
        return [int(self._size[code]) for code in choice.codes]

    def _by_size(self, choice: SenseChoice) -> bool:
        return self._sized is not None and bool(self._sized[choice.codes].all())

    def heard(self, text: str, choices: Sequence[SenseChoice], spans: Sequence[Span]) -> TextMentions:
        """A text, what it mentions, and where."""
        numbers = self._vectors.numbers
        return TextMentions(choices, numbers(text), [numbers(text[start:end]) for start, end in spans])

    def alone(
        self, texts: Sequence[str], choices: Sequence[Sequence[SenseChoice]], spans: Sequence[Sequence[Span]]
    ) -> list[list[int]]:
        """Which of its meanings each mention has, of texts that are records by themselves; `spans` are the places of
        the mentions in their texts."""
        ranked, numbers = self._ranked(choices), self._vectors.numbers
        picked = [[one.at[one.best] for one in ranks] for ranks in ranked]
        some = [(t, t, m, one) for t, ranks in enumerate(ranked) for m, one in enumerate(ranks) if not one.alone]
        words, sums = dict[int, tuple[list[int]]](), dict[Span, Floats]()
        for piece in (some[i : i + _PIECE] for i in range(0, len(some), _PIECE)):
            # a long text goes on in the next piece
            words = {t: words.get(t) or (numbers(texts[t]),) for t in dict.fromkeys([one[0] for one in piece])}
            own = [tuple(self._numbers[texts[t][slice(*spans[t][m])]]) for t, _, m, _ in piece]
            for (t, _, m, _), best in zip(piece, self._best(words, own, piece, (), sums), strict=True):
                picked[t][m] = best
        return picked

    def choose(self, records: Sequence[Sequence[TextMentions]]) -> list[list[list[int]]]:
        """Of every record, of every text, which of its meanings each mention has."""
        texts = [(r, t) for r, some in enumerate(records) for t in range(len(some))]
        ranked = self._ranked([records[r][t].choices for r, t in texts])
        flat = [[one.at[one.best] for one in ranks] for ranks in ranked]
        some = [(r, n, m, one) for n, (r, _) in enumerate(texts) for m, one in enumerate(ranked[n]) if not one.certain]
        sums = dict[Span, Floats]()
        for piece in (some[i : i + _PIECE] for i in range(0, len(some), _PIECE)):
            words = {r: [text.words for text in records[r]] for r in dict.fromkeys(r for r, *_ in piece)}
            said = [records[r][texts[n][1]].own for r, n, *_ in piece]
            own = [tuple(some[m]) if some else () for some, (_, _, m, _) in zip(said, piece, strict=True)]
            for (_, n, m, _), best in zip(piece, self._best(words, own, piece, texts, sums), strict=True):
                flat[n][m] = best
        picked = iter(flat)
        return [[next(picked) for _ in some] for some in records]

    def is_certain(self, choices: Sequence[SenseChoice]) -> bool:
        """Whether no text and no record can change what mentions mean that may mean these."""
        return all(one.certain for one in self._ranked([choices])[0])

    # ------------------------------------------------------------------ scores

    def _ranked(self, texts: Sequence[Sequence[SenseChoice]]) -> list[list[RankedChoice]]:
        """What the column says about choices; remembered, and found for all new ones at once."""
        known = self._known
        new = {id(choice): choice for some in texts for choice in some if id(choice) not in known}
        if new:
            if len(known) > _REMEMBERED:
                known.clear()
                new = {id(choice): choice for some in texts for choice in some}
            # the choice is kept beside what is known of it: no other can come to have its id
            known.update((key, (choice, _ONLY)) for key, choice in new.items() if len(choice.codes) == 1)
            open_ones = [(key, choice) for key, choice in new.items() if len(choice.codes) > 1]
            ranked = self._rank([choice for _, choice in open_ones]) if open_ones else []
            known.update((key, (choice, one)) for (key, choice), one in zip(open_ones, ranked, strict=True))
        return [[known[id(choice)][1] for choice in some] for some in texts]

    def _rank(self, choices: list[SenseChoice]) -> list[RankedChoice]:
        order = [self._in_order(choice) for choice in choices]
        owner = np.repeat(np.arange(len(choices)), [*map(len, order)])
        codes = np.array([c.codes[i] for c, at in zip(choices, order, strict=True) for i in at], np.int64)
        counts = [self.counts(choice) for choice in choices]
        seen = np.array([n[i] for n, at in zip(counts, order, strict=True) for i in at], np.float64)
        score = np.log(seen / np.bincount(owner, seen)[owner])
        if self._subject is not None:
            near = TermMeanings(self._tax, self._content, codes, owner).closeness(self._mass, self._below)
            sure = certainty(self._subject.terms)
            of_a_kind = strength(self._subject.topic) >= LEAST_TOPIC
            named, every = named_concepts(self._tax, codes), float(self._mass.sum())
            names = of_a_kind * name_scores(named, owner, self._mass[codes], self._names, every)
            points = GlossTopic(self._glosses, codes, owner).scores(self._subject.topic, self._mass[codes], every)
            score += sure * (SUBJECT_WEIGHT * near + names + points)
        start = edges(np.bincount(owner, minlength=len(choices)))
        kept = np.flatnonzero(score >= np.repeat(np.maximum.reduceat(score, start[:-1]), np.diff(start)) - HOPELESS)
        size = np.bincount(owner[kept], minlength=len(choices))
        several = kept[size[owner[kept]] > 1]
        place = np.full(len(codes), -1)
        place[several] = self._glosses.places(codes[several].tolist())
        out = []
        for n, (at, first) in enumerate(zip(order, start[:-1].tolist(), strict=True)):
            mine = kept[np.searchsorted(kept, first) : np.searchsorted(kept, first + len(at))]
            scores, places = score[mine], place[mine]
            best = _first_best(scores)
            certain = alone = bool(size[n] == 1)
            if not certain:
                apart = _apart(self._glosses.rows(places), best)
                certain = _beyond(scores, apart, best, TEXT_WEIGHT + RECORD_WEIGHT)
                alone = _beyond(scores, apart, best, TEXT_WEIGHT)
            out.append(RankedChoice([at[i - first] for i in mine.tolist()], places, scores, best, certain, alone))
        return out

    def _in_order(self, choice: SenseChoice) -> list[int]:
        """The places of the meanings, those first that win ties."""
        places = range(len(choice.codes))
        if not self._by_size(choice):
            return list(places)
        return sorted(places, key=lambda i: (self._tax.depth(choice.codes[i]), self._tax.id(choice.codes[i])))

    def _best(
        self,
        words: Words,
        own: Own,
        some: list[OpenMention],
        texts: Sequence[tuple[int, int]],
        sums: dict[Span, Floats],
    ) -> list[int]:
        """Which meanings of these mentions are the best; ties: the first. `texts` says which text of its record each
        is, where records have several. `sums` are those of texts (record, number) and whole records (record, -1) that
        the piece before has left; these are not added up again, so that a long text costs no more than its length."""
        scores, start = self._scores(words, own, some, texts, sums)
        scores = np.round(scores, 9)
        highest = np.repeat(np.maximum.reduceat(scores, start[:-1]), np.diff(start))
        first = np.minimum.reduceat(np.where(scores >= highest, np.arange(len(scores)), len(scores)), start[:-1])
        return [ranked.at[i] for (*_, ranked), i in zip(some, (first - start[:-1]).tolist(), strict=True)]

    def _scores(
        self,
        words: Words,
        own: Own,
        some: list[OpenMention],
        texts: Sequence[tuple[int, int]],
        known: dict[Span, Floats],
    ) -> tuple[Floats, Long]:
        """The scores of all meanings of these mentions, and where those of each begin. The words of
        a mention itself count less than the rest of its text: bank is near money, even in the bank of a river."""
        heard = dict.fromkeys((r, n) for r, n, *_ in some)
        place = {n: i for i, (_, n) in enumerate(heard)}
        shared = [r for r in words if len(words[r]) > 1]
        said = {(r, n): words[r][texts[n][1] if texts else 0] for r, n in heard}
        said |= {(r, _WHOLE): [w for text in words[r] for w in text] for r in shared if (r, _WHOLE) not in known}
        new = [one for one in said if one not in known]
        wanted = {*heard, *((r, _WHOLE) for r in shared)}
        for one in known.keys() - wanted:
            del known[one]
        known.update(zip(new, self._sums([said[one] for one in new]), strict=True))
        sums = np.array([known[one] for one in heard])
        size = np.array([len(ranked.at) for *_, ranked in some], np.int64)
        start = edges(size)
        text = np.array([place[n] for _, n, *_ in some], np.int64)
        mention = np.repeat(np.arange(len(some)), size)
        terms = {words: i for i, words in enumerate(dict.fromkeys(own))}
        less = OWN_LESS * self._sums([*terms])[[terms[words] for words in own]]
        rows = self._glosses.rows(np.concatenate([ranked.places for *_, ranked in some]))
        scores = np.concatenate([ranked.score for *_, ranked in some])
        scores += TEXT_WEIGHT * _cosines(rows, self._vectors.directions(sums[text] - less)[mention])
        if shared:
            rest = np.array([known.get((r, _WHOLE), mine) - mine for (r, _), mine in zip(heard, sums, strict=True)])
            scores += RECORD_WEIGHT * _cosines(rows, self._vectors.directions(rest)[text[mention]])
        return scores, start

    def _sums(self, words: Sequence[Sequence[int]]) -> Floats:
        start = edges(np.array([*map(len, words)], np.int64))
        return self._vectors.sums(np.array([word for some in words for word in some], np.int64), start)


def _cosines(rows: Singles, others: Singles) -> Floats:
    """Row by row; sums of whole numbers that a 32-bit float holds exactly."""
    found: Floats = np.einsum("ij,ij->i", rows, others).astype(np.float64) / UNIT**2
    return found


def _apart(rows: Singles, best: int) -> Floats:
    """How far each gloss is from that of the best: as much as cosines with any text may differ, and a little more."""
    between = rows.astype(np.float64) - rows[best]
    found: Floats = 1.01 * np.sqrt((between * between).sum(axis=1)) / UNIT
    return found


def _beyond(score: Floats, apart: Floats, best: int, weight: float) -> bool:
    """Whether the best stays so, if cosines with this weight are still to be added."""
    lead = score[best] - score - weight * apart
    return bool((np.delete(lead, best) > 0).all())


def _first_best(scores: Floats) -> int:
    """The first of the largest; differences in the last digits are none."""
    return int(np.argmax(np.round(scores, 9)))
