"""Hand-made hierarchies as nested JSON. Ids are the paths from the root unless the file gives some."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from sys import intern
from typing import Any

from taxonym.errors import BadTaxonomy
from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.outline import MOST_LEVELS, below, further_ids, too_deep
from taxonym.knowledge.readers.source import not_empty, numbered_lines, shown

_NAME = ("label", "name", "prefLabel", "title", "id")
_CHILDREN = ("children", "narrower", "items")
_SYNONYMS = ("synonyms", "altLabels", "aliases")
_GLOSS = ("gloss", "definition", "description")


def read_json(path: Path, *, encoding: str = "utf-8-sig") -> Draft:
    """Read a hierarchy from nested JSON: names with what stands under them, or objects with a name and children.

        {"sports": {"water sports": ["swimming", "windsurfing"]}}
        [{"name": "sports", "synonyms": ["sport"], "children": [{"id": "S1", "name": "swimming"}]}]

    An "id" is the concept's id if there is one, and the path then another name for it; else the path is the id.
    """
    text = "\n".join(line for _, line in numbered_lines(path, encoding))
    try:
        top = json.loads(text, object_pairs_hook=lambda pairs: _no_key_twice(path, pairs))
    except RecursionError:
        raise BadTaxonomy(f"{path}: is nested too deeply to be read. At most {MOST_LEVELS} levels are.") from None
    except json.JSONDecodeError as error:
        why = f"line {error.lineno}: is not JSON ({error.msg})"
        raise BadTaxonomy(f"{path}: {why}. Mend the file, or check that it is the right one.") from None
    except ValueError:
        raise BadTaxonomy(f"{path}: holds a number of thousands of digits. Put names in quotes.") from None

    draft = Draft(str(path))
    paths: list[tuple[str, str]] = []
    unread: set[str] = set()
    todo: list[tuple[Any, str, str, int]] = [(top, "", "", 1)]  # value, id and path of its parent, level
    while todo:
        value, parent, above, level = todo.pop()
        if level > MOST_LEVELS and value:
            raise too_deep(f"{path}: {shown(above)}", level)
        if value is None:
            continue
        if isinstance(value, list):
            todo += [(item, parent, above, level) for item in value]
        elif isinstance(value, dict) and not _name(value):
            for name, inner in value.items():
                full = below(above, name.strip())
                _put(draft, full, [name.strip()], parent)
                todo.append((inner, full, full, level + 1))
        elif isinstance(value, dict):
            label = _name(value)
            full = below(above, label)
            id = _word(value.get("id")) or full
            _put(draft, id, [label, *_words(path, value, _SYNONYMS, full)], parent, _first(value, _GLOSS))
            paths.append((full, id))
            todo += [(value[key], id, full, level + 1) for key in _CHILDREN if key in value]
            unread |= value.keys() - {*_NAME, *_CHILDREN, *_SYNONYMS, *_GLOSS}
        elif label := _word(value):
            _put(draft, below(above, label), [label], parent)
        else:
            what = "an empty name" if value == "" else f"a {type(value).__name__}"
            raise BadTaxonomy(
                f"{path}: under {shown(above) if above else 'the top'}: {what} stands where a name, a list or "
                f"an object is expected. Put names in quotes."
            )
    further_ids(draft, paths)
    if unread:
        draft.note(f"{path.name}: these keys were not read: {', '.join(sorted(unread)[:8])}.")
    return not_empty(draft, path)


def _put(draft: Draft, id: str, labels: list[str], parent: str, gloss: str = "") -> None:
    draft.add(id, map(intern, labels), gloss=gloss)
    if parent:
        draft.link(id, parent)


def _no_key_twice(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, uses in Counter(key for key, _ in pairs).items() if uses > 1)
        raise BadTaxonomy(f"{path}: the key {shown(twice)} stands twice in one object. Join the two or rename one.")
    return found


def _word(value: object) -> str:
    """A name as text: a string, or a whole number such as a year or a code."""
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _first(value: dict[str, Any], keys: Iterable[str]) -> str:
    return next((word for key in keys if (word := _word(value.get(key)))), "")


def _name(value: dict[str, Any]) -> str:
    """The label of an object that stands for one concept; nothing if its keys are themselves labels."""
    return _first(value, _NAME)


def _words(path: Path, value: dict[str, Any], keys: Iterable[str], where: str) -> list[str]:
    lists = (value[key] if isinstance(value[key], list) else [value[key]] for key in keys if key in value)
    found = [word for words in lists for word in words]
    if not all(isinstance(word, str) and word.strip() for word in found):
        raise BadTaxonomy(f"{path}: {shown(where)}: a synonym is not a name. Write them as a list of strings.")
    return found
