"""Entries of lists: what they mean as a whole, or else what they mention."""

from collections.abc import Sequence

from taxonym.text.finder import Finder
from taxonym.text.lookup import Mention
from taxonym.text.reading import Reading
from taxonym.text.senses import SenseChoice


def find_entries(finder: Finder, texts: Sequence[str]) -> list[int | list[Mention]]:
    """Of every entry of one record its concept, where it means one as a whole, or else its mentions."""
    out: list[int | list[Mention]] = []
    if not finder.policy.words:
        whole = [finder.whole(text) for text in texts]
        every = finder.find_record(texts, entries=True) if None in whole else [[] for _ in texts]
        for code, mentions in zip(whole, every, strict=True):
            out.append(mentions if code is None else code)
        return out
    read = [open_entry(finder, text) for text in texts]
    spans = [[(0, len(text))] if one is None else one.spans for text, (one, _) in zip(texts, read, strict=True)]
    chosen = finder.choose_record(texts, [some for _, some in read], spans)
    for (reading, choices), picked in zip(read, chosen, strict=True):
        if reading is None:
            out.append(choices[0].codes[picked[0]])
        else:
            out += finder.mentions([reading], [choices], [picked])
    return out


def open_entry(finder: Finder, text: str) -> tuple[Reading | None, list[SenseChoice]]:
    """What an entry may mean as a whole; or else how it reads, and what its mentions may mean."""
    whole = finder.whole_choice(text)
    if whole is not None:
        return None, [whole]
    return open_text(finder, text, entry=True)


def open_text(finder: Finder, text: str, entry: bool = False) -> tuple[Reading, list[SenseChoice]]:
    """How a text reads, and what its mentions may mean."""
    reading = finder.read(text, entry)
    return reading, finder.choices(reading)
