"""Wordnets in the XML of the Global WordNet Association (WN-LMF 1.0 to 1.4), plain or gzipped.

Ids are those of the synsets; the ids of the interlingual index are other names for them. A word's senses are ranked as
its entry lists them (or by their attribute n), nouns before verbs; the words of a synset come in the order of its
`members`. Links are read in both directions, for a wordnet may give only one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from taxonym.errors import BadTaxonomy
from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.xml import Event, events, speaks

_UPWARD = {
    "is_a": ("hypernym", "instance_hypernym"),
    "part_of": ("holo_part",),
    "member_of": ("holo_member",),
    "substance_of": ("holo_substance",),
}
_DOWNWARD = {
    "is_a": ("hyponym", "instance_hyponym"),
    "part_of": ("mero_part",),
    "member_of": ("mero_member",),
    "substance_of": ("mero_substance",),
}
RELATIONS = tuple(_UPWARD)
_AFTER = {"n": 0, "v": 1_000, "a": 2_000, "s": 2_000, "r": 3_000}  # senses as a verb follow those as a noun
_LAST = 4_000
_TEXTS = ("Definition", "Count")
_TAGS = ("Lexicon", "LexiconExtension", "LexicalEntry", "Lemma", "Sense", "Synset", "SynsetRelation", *_TEXTS)


@dataclass(slots=True)
class _Word:
    """One word in one synset."""

    entry: str
    sense: str
    form: str
    rank: int
    count: int = 0


@dataclass(slots=True)
class _Synset:
    line: int
    part: str
    ili: str
    members: list[str]
    gloss: str = ""
    relations: list[tuple[str, str, int]] = field(default_factory=list)  # kind, target, line


@dataclass
class _Lexicon:
    """The lexicon that was asked for, as far as it has been read."""

    words: dict[str, list[_Word]] = field(default_factory=dict)  # by synset
    synsets: dict[str, _Synset] = field(default_factory=dict)
    entry: str = ""
    form: str = ""
    part: str = ""
    place: int = 0
    word: _Word | None = None
    synset: _Synset | None = None

    def begin(self, event: Event, path: Path) -> None:
        tag, attributes, _, line = event
        assert attributes is not None
        if tag == "LexicalEntry":
            self.entry, self.form, self.part, self.place = attributes.get("id", ""), "", "", 0
        elif tag == "Lemma":
            self.form, self.part = attributes.get("writtenForm", ""), attributes.get("partOfSpeech", "")
        elif tag == "Sense":
            self.place += 1
            number = attributes.get("n", "")
            rank = _AFTER.get(self.part, _LAST) + (int(number) if number.isdecimal() else self.place)
            self.word = _Word(self.entry, _need(path, line, attributes, "id"), self.form, rank)
            self.words.setdefault(_need(path, line, attributes, "synset"), []).append(self.word)
        elif tag == "Synset":
            id = _need(path, line, attributes, "id")
            if id in self.synsets:
                raise BadTaxonomy(f"{path}: line {line}: the synset {id!r} is given twice. Ids must be unique.")
            part, ili = attributes.get("partOfSpeech", ""), attributes.get("ili", "")
            self.synset = _Synset(line, part, ili, attributes.get("members", "").split())
            self.synsets[id] = self.synset
        elif tag == "SynsetRelation" and self.synset:
            kind, target = _need(path, line, attributes, "relType"), _need(path, line, attributes, "target")
            self.synset.relations.append((kind, target, line))

    def end(self, tag: str, text: str) -> None:
        if tag == "Definition" and self.synset and not self.synset.gloss:
            self.synset.gloss = " ".join(text.split())
        elif tag == "Count" and self.word and text.strip().isdecimal():
            self.word.count += int(text)
        elif tag == "Synset":
            self.synset = None
        elif tag == "Sense":
            self.word = None


def read_lmf(
    path: Path,
    *,
    language: str | None = None,
    lexicon: str | None = None,
    parts: Sequence[str] = ("n", "v"),
    relations: Sequence[str] = ("is_a",),
) -> Draft:
    """Read one lexicon of a WN-LMF file.

    A file with several needs `language` (en finds en-GB too) or, where two have the same, the id of the `lexicon`.
    `parts` are parts of speech: n, v, a, s, r. `relations`: is_a, part_of, member_of, substance_of.
    """
    if unknown := [relation for relation in relations if relation not in _UPWARD]:
        raise BadTaxonomy(f"{path}: there is no relation {unknown[0]!r}. Choose from: {', '.join(RELATIONS)}.")
    seen: list[tuple[str, str]] = []  # (id, language) of every lexicon
    chosen: list[str] = []
    extensions: list[str] = []
    found = _Lexicon()
    reading = False
    for event in events(path, tags=_TAGS, texts=_TEXTS):
        tag, attributes = event.tag, event.attributes
        if tag in ("Lexicon", "LexiconExtension"):
            if attributes is None or tag == "LexiconExtension":
                reading = False
                if attributes is not None:
                    extensions.append(attributes.get("id", "?"))
                continue
            id, tongue = attributes.get("id", "?"), attributes.get("language", "")
            seen.append((id, tongue))
            if (lexicon is None or id == lexicon) and (language is None or speaks(tongue, language)):
                chosen.append(id)
                reading = len(chosen) == 1
        elif reading:
            if attributes is None:
                found.end(tag, event.text)
            else:
                found.begin(event, path)
    _check_choice(path, seen, chosen)
    draft = _draft(path, found, parts, relations)
    if extensions:
        draft.note(f"extensions of lexicons are left out: {', '.join(extensions)}")
    return draft


def _check_choice(path: Path, seen: list[tuple[str, str]], chosen: list[str]) -> None:
    if len(chosen) == 1:
        return
    if not seen:
        raise BadTaxonomy(f"{path}: has no Lexicon. Is it a WN-LMF file?")
    what = "no lexicon is" if not chosen else f"{len(chosen)} lexicons are"
    offered = ", ".join(f"{id} ({tongue or 'no language'})" for id, tongue in seen)
    raise BadTaxonomy(f"{path}: {what} what you ask for. It has: {offered}. Choose with language= or lexicon=.")


def _draft(path: Path, found: _Lexicon, parts: Sequence[str], relations: Sequence[str]) -> Draft:
    draft = Draft(str(path), declared=True)
    upward = {kind for relation in relations for kind in _UPWARD[relation]}
    downward = {kind for relation in relations for kind in _DOWNWARD[relation]}
    kept = {id: synset for id, synset in found.synsets.items() if not synset.part or synset.part in parts}
    is_instance = {
        target for synset in kept.values() for kind, target, _ in synset.relations if kind == "instance_hyponym"
    }
    by_ili: dict[str, list[str]] = {}
    nameless = linked = 0
    for id, synset in kept.items():
        instance = id in is_instance or any(kind == "instance_hypernym" for kind, _, _ in synset.relations)
        draft.add(id, gloss=synset.gloss, instance=instance, line=synset.line)
        place = {member: i for i, member in enumerate(synset.members)}
        words = found.words.get(id, [])
        words.sort(key=lambda word: min(place.get(word.entry, len(place)), place.get(word.sense, len(place))))
        for word in words:
            draft.label(id, word.form, rank=word.rank, count=word.count, line=synset.line)
        nameless += not words
        if synset.ili not in ("", "in"):  # "in" stands for a proposal that has no id yet
            by_ili.setdefault(synset.ili, []).append(id)
        for kind, target, line in synset.relations:
            if target in found.synsets and target not in kept:
                continue  # of a part of speech that was not asked for
            if kind in upward:
                draft.link(id, target, line=line)
            elif kind in downward:
                draft.link(target, id, line=line)
            linked += kind in upward or kind in downward
    for ili, ids in by_ili.items():
        if len(ids) == 1:
            draft.alias(ili, ids[0])
    if nameless:
        draft.note(f"{nameless:,} synsets have no word; their id is shown")
    if not linked:
        draft.note("no synset has a link upward; the wordnet may rely on another one for them")
    return draft


def _need(path: Path, line: int, attributes: dict[str, str], name: str) -> str:
    if value := attributes.get(name):
        return value
    raise BadTaxonomy(f"{path}: line {line}: an element lacks its attribute {name!r}.")
