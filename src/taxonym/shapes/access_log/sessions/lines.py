"""A published session as lines of a log, and which numbers stand for sessions."""

from ipaddress import AddressValueError, IPv6Address

import numpy as np

from taxonym.shapes.access_log.log_lines import NONE, Click
from taxonym.shapes.access_log.sessions.publish import TypicalSession
from taxonym.shapes.access_log.sessions.records import ITEMS, click_parts
from taxonym.shapes.access_log.sessions.support import SessionSupport
from taxonym.shapes.access_log.trees import NEVER, NOBODY, request_text

LOCAL = 0xFD << 120  # addresses that everybody may give, which are nobody's on the net [RFC 4193]
_NUMBER = (1 << 80) - 1


def random_prefix(rng: np.random.Generator) -> int:
    """The part that all addresses of a release have in common: fd and 40 random bits, as RFC 4193 asks, so that no
    address is one of the log's, whatever these are."""
    return LOCAL | int(rng.integers(1 << 40)) << 80


def number_address(prefix: int, number: int) -> str:
    """How the number of a session is written in the place of its address."""
    return str(IPv6Address(prefix | number))


def address_number(address: str) -> tuple[int, int]:
    """The prefix and the number of the session that an address stands for; two 0 if it stands for none."""
    try:
        found = int(IPv6Address(address))
    except AddressValueError:
        return 0, 0
    prefix, number = found & ~_NUMBER, found & _NUMBER
    sound = prefix >> 120 == LOCAL >> 120 and number and number_address(prefix, number) == address
    return (prefix, number) if sound else (0, 0)


def session_lines(rule: SessionSupport, session: TypicalSession) -> tuple[Click, ...]:
    """The lines of a session, of nobody's address yet."""
    records, moves = rule.records, rule.moves
    items = dict(zip(ITEMS, session.items, strict=True))
    own = {name: records.trees[name].text[code] if code >= 0 else "" for name, code in items.items()}
    trees, log = records.clicks.trees, records.clicks.log
    now = int(own["time"] or NEVER) - log.zone
    agent = rule.agents.written(items["browser"], items["system"]) or NONE
    made: list[Click] = []
    for place, click in enumerate(session.path):
        path, status = click_parts(records.trees["click"].text[click])
        referrer = own["referrer"]
        if place:
            before = session.path[place - 1]
            now += moves.seconds(before, click)
            code = moves.referrer_of(before, click) if items["sends"] >= 0 else -1
            referrer = trees["referrer"].text[code] if code >= 0 else ""
        request, size = moves.request(click), moves.size(click)
        how = trees["request"].text[request] if request >= 0 else ""
        bytes_ = trees["size"].text[size] if size >= 0 else ""
        asked = request_text(how, path), status, bytes_ or NONE, referrer or NONE
        made.append(Click(NOBODY, NONE, *asked, agent, now, log.zone, log.combined))
    return tuple(made)
