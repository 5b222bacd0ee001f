"""A published session as lines of a log, and which numbers stand for sessions."""

from ipaddress import AddressValueError, IPv4Address

from taxonym.shapes.access_log.log_lines import NONE, Click
from taxonym.shapes.access_log.sessions.publish import TypicalSession
from taxonym.shapes.access_log.sessions.records import ITEMS, click_parts
from taxonym.shapes.access_log.sessions.support import SessionSupport
from taxonym.shapes.access_log.trees import NEVER, NOBODY, request_text

NUMBERS = 0xF0000000  # 240.0.0.0/4 is reserved for nobody, so that no address is taken for a visitor's
LAST = 0x0FFFFFFE


def number_address(number: int) -> str:
    """How the number of a session is written in the place of its address."""
    return str(IPv4Address(NUMBERS + number))


def address_number(address: str) -> int:
    """The number of the session that an address stands for; 0 if it stands for none."""
    try:
        number = int(IPv4Address(address)) - NUMBERS
    except AddressValueError:
        return 0
    return number if 0 < number <= LAST and number_address(number) == address else 0


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
