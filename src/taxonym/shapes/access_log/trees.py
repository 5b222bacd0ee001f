"""What the values of a log rise to, and how each step is written in a log again.

    address    198.51.100.7 → 198.51.100.0/24 → 198.51.0.0/16 → 198.0.0.0/8; written without the length, as 198.51.100.0
               2001:db8:1:2::9 → …/64 → …/48 → …/32 → …/16; a name: www.example.org → example.org → org
    request    GET HTTP/1.1 → GET
    path       /shop/bags?id=7 → /shop/bags?* → /shop/* → /*
    status     404 → 400, as clients read a code they do not know
    size       20417 → 20000 (two digits) → 20000 (one digit)
    referrer   http://www.example.org/a/b?q=1 → …/a/b?* → …/a/* → http://www.example.org/* → http://*.example.org/*
    time       2015-05-17 10:05 → 10:00 → 6:00, of a quarter of a day → the day → the month → the year; as their first
               second

A chain lists them from the top down to the value. What even the top would tell too much of is left out: "-", 0.0.0.0
as the address of nobody, and the beginning of 1970 as no time. A star never stands for nothing: what has one is no
value that anybody had.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import unquote

import numpy as np

from taxonym.knowledge.arrays import Ints
from taxonym.knowledge.build import Draft
from taxonym.knowledge.runs import frozen
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.shapes.access_log.log_lines import NONE

Chain = tuple[str, ...]

NOBODY = "0.0.0.0"
NEVER = "0"  # the time of nothing
DAY, QUARTER, HOUR = 86_400, 21_600, 3_600  # seconds
_LENGTHS = {4: (8, 16, 24), 6: (16, 32, 48, 64)}
_REQUEST = re.compile(r"([A-Za-z][A-Za-z_-]{0,31}) +(\S+)(?: +(HTTP/\d(?:\.\d)?))?")
_WORDS = re.compile(r"[0-9a-z.:-]*[0-9a-z]|::")
_NAMES = re.compile(r"[^\W_]*[^\W\d_][^\W_]*")  # words with a letter
_PIECES = re.compile(r"[^/?&=#;,+~\s\"'()<>|]+")  # of an address on the web, such as ann_b@example.org
_QUAD = re.compile(r"(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)")
_REFERRER = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,15}://)([^/?#\s]+)([^\s]*)")


def address_chain(text: str) -> Chain:
    """The networks of an address, or the domains of a name, and itself."""
    if text in (NONE, NOBODY, "::"):
        return ()
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        labels = text.lower().strip(".").split(".")
        named = labels[-1][:1].isalpha()  # 192.0.2.1:8080 and other half addresses are in no domain
        domains = (".".join(labels[-i:]) for i in range(1, len(labels) if named else 1))
        return (*domains, f"name {'.'.join(labels)}")
    address = getattr(address, "ipv4_mapped", None) or address  # ::ffff:192.0.2.1, as servers for both kinds write it
    bits, kind = (32, IPv4Address) if address.version == 4 else (128, IPv6Address)
    networks = [
        f"{kind(int(address) >> (bits - length) << (bits - length))}/{length}" for length in _LENGTHS[address.version]
    ]
    return (*networks, f"host {address}")


def address_text(step: str) -> str:
    """How a step is written: a network as its address, a name's domain as it is, an address or a name never."""
    return "" if step.startswith(("host ", "name ")) else step.partition("/")[0]


def split_request(text: str) -> tuple[str, str]:
    """The method with its protocol, and the path; nothing where it is no request."""
    found = _REQUEST.fullmatch(text)
    if found is None:
        return "", ""
    method, path, protocol = found.groups()
    return f"{method} {protocol or ''}".rstrip(), path


def request_chain(how: str) -> Chain:
    return _ending((how.partition(" ")[0],), how) if how else ()


def request_text(how: str, path: str) -> str:
    """A request as a log has it."""
    if not how or not path:
        return NONE
    method, _, protocol = how.partition(" ")
    return f"{method} {path} {protocol}".rstrip()


def path_chain(path: str) -> Chain:
    """The folders of a path, the page, and itself. A target that is no path (of a proxy, or "*") has none above it."""
    if not path.startswith("/"):
        return (path,) if path else ()
    page = path.partition("?")[0]
    folders = page.split("/")[1:-1]
    steps = ["/*"]
    for folder in folders:
        steps.append(f"{steps[-1][:-1]}{folder}/*")
    return _ending((*steps, f"{page}?*"), path)


def status_chain(text: str) -> Chain:
    """A code and the first of its class [RFC 9110, §15]."""
    return () if text == NONE else _ending((f"{text[0]}00",), text)


def size_chain(text: str) -> Chain:
    """A number of bytes with one digit, with two, and itself."""
    if text == NONE:
        return ()
    digits = str(int(text))
    return tuple(
        f"{kept} {digits[:kept]:0<{len(digits)}}" for kept in (1, 2, 99)[: 3 if len(digits) > 2 else len(digits)]
    )


def size_text(step: str) -> str:
    return step.partition(" ")[2]


def referrer_chain(text: str) -> Chain:
    """The domain, the host, the folders and the page of a referrer, and itself. What is no address is left out."""
    found = _REFERRER.fullmatch(text)
    if found is None:
        return ()
    scheme, host, rest = found[1].lower(), found[2].lower(), found[3]
    name = host.rpartition("@")[2]
    labels = name.partition(":")[0].split(".")
    domains = [f"{scheme}*.{'.'.join(labels[-2:])}/*"] if len(labels) > 2 and not labels[-1].isdigit() else []
    path = rest if rest.startswith("/") else f"/{rest}"
    return _ending((*domains, *(f"{scheme}{name}{step}" for step in path_chain(path)[:-1])), text)


def time_chain(begin: int, step: int) -> Chain:
    """The year, month, day, quarter of a day and hour of a time that begins a step of so many seconds, as far as they
    are coarser, and itself; each written as its first second. Seconds are counted from 1970, in the log's own zone."""
    at = datetime.fromtimestamp(begin, UTC)
    months = [at.replace(month=1, day=1), at.replace(day=1), at]
    firsts = [int(first.replace(hour=0, minute=0, second=0).timestamp()) for first in months]
    quarters = step < HOUR or (step < QUARTER and QUARTER % step == 0)
    firsts += [begin // QUARTER * QUARTER] * quarters + [begin // HOUR * HOUR] * (step < HOUR)
    kinds = ("year", "month", "day", *["quarter"] * quarters, "hour")
    return (*(f"{kind} {first}" for kind, first in zip(kinds, firsts, strict=False)), f"time {begin}")


def time_text(step: str) -> str:
    return step.partition(" ")[2]


def mentions(text: str, addresses: Collection[str], users: Collection[str] = ()) -> bool:
    """Whether a text, such as a path or a referrer, has one of these addresses or users in it; they are in lower case.

    Users are looked for as words ("ann" is in /~ann/ and /ann.html, not in /annual), and those that are numbers only
    between the marks of a web address, since agents are full of numbers.
    """
    for said in {text.lower(), unquote(text).lower()}:
        words = _WORDS.findall(said)
        if any(word in addresses for word in (*words, *(w.rpartition(":")[0] for w in words), *_QUAD.findall(said))):
            return True
        if users and any(word in users for word in (*_NAMES.findall(said), *_PIECES.findall(said))):
            return True
    return False


def _ending(steps: Chain, value: str) -> Chain:
    """Steps down to a value; somebody may have written one of the steps."""
    return (*steps[: steps.index(value)], value) if value in steps else (*steps, value)


# ---------------------------------------------------------------------- trees


@dataclass(frozen=True, slots=True, eq=False)
class ValueTree:
    """A tree of the steps of one part. steps[c] is what concept c stands for and text[c] how it is written, or nothing
    if it must never be. Two steps may be written alike (10.0.0.0 for /8 and /16): like[c] is the highest of them, which
    is all that a reader can tell."""

    name: str
    tax: Taxonomy
    steps: list[str]
    text: list[str]
    like: Ints
    parent: Ints  # -1 above the tops

    def __len__(self) -> int:
        return len(self.steps)

    def reader(self) -> dict[str, int]:
        """What a reader makes of a written text."""
        return {text: int(self.like[code]) for code, text in enumerate(self.text) if text}


def plant(
    name: str,
    chains: Sequence[Chain],
    write: Callable[[str], str] = str,
    never: Callable[[str], bool] = lambda text: False,
) -> tuple[ValueTree, Ints]:
    """The tree of all steps of some chains, and the code of each chain's value, -1 if it has none.

    `write` says how a step is written; `never` tells which texts must not be. Codes depend on the steps alone.
    """
    above: dict[str, str] = {}
    for chain in set(chains):
        for parent, child in zip(("", *chain), chain, strict=False):
            above.setdefault(child, parent)
    steps = sorted(above)
    place = {step: i for i, step in enumerate(steps)}
    draft = Draft(name)  # under numbers: a step may be anything, a label may not
    for i, step in enumerate(steps):
        draft.add(f"{i:09}")
        if above[step]:
            draft.link(f"{i:09}", f"{place[above[step]]:09}")
    if not steps:
        draft.add("nothing")
        tax = draft.build()
        return ValueTree(name, tax, [""], [""], frozen([0]), frozen([-1])), np.full(len(chains), -1, np.int32)
    tax = draft.build()
    order = [int(id) for id in tax.ids]
    code = np.empty(len(steps), np.int32)
    code[order] = np.arange(len(steps), dtype=np.int32)
    texts = [write(steps[i]) for i in order]
    texts = ["" if never(text) else text for text in texts]
    first: dict[str, int] = {}
    like = [first.setdefault(text, c) if text else c for c, text in enumerate(texts)]
    up = [int(code[place[above[steps[i]]]]) if above[steps[i]] else -1 for i in order]
    tree = ValueTree(name, tax, [steps[i] for i in order], texts, frozen(like), frozen(up))
    return tree, np.array([code[place[chain[-1]]] if chain else -1 for chain in chains], np.int32)
