"""Sessions: what one visitor does in one visit [NavarroArribas2010, §3.1.1 and §3.1.2].

All lines with the same address and agent belong together; "after 30 minutes of inactivity, we consider that a new
session starts". We read: a pause of more than 30 minutes starts one, a pause of exactly 30 minutes does not.

If the site's structure is known, "there has to be a path from the first page to the last one following the web site
structure": a page joins the visitor's latest session that is still open and has this page or one which links to it; a
page that no open session leads to starts a new one. Pages that the structure does not know (pictures, scripts) stay in
the latest session.
"""

import csv
from pathlib import Path

import numpy as np

from taxonym.errors import BadInput
from taxonym.knowledge.arrays import Long

GAP = 30 * 60  # seconds
Links = dict[str, set[str]]  # to which pages each page leads


def find_sessions(visitor: Long, time: Long, gap: float = GAP) -> Long:
    """The session of every line, numbered by visitor and then by time; lines of one visitor may come in any order."""
    order = np.lexsort((time, visitor))
    new = np.ones(len(order), bool)
    new[1:] = (np.diff(visitor[order]) != 0) | (np.diff(time[order]) > gap)
    out = np.empty(len(order), np.int64)
    out[order] = np.cumsum(new) - 1
    return out


def linked_sessions(visitor: Long, time: Long, pages: list[str], links: Links, gap: float = GAP) -> Long:
    """The same, with the site's structure; pages[i] is the page of line i, without what follows a "?"."""
    known = set(links) | {page for leads in links.values() for page in leads}
    order = np.lexsort((np.arange(len(time)), time, visitor))
    out, number, whose = np.empty(len(order), np.int64), -1, None
    open_ones: list[tuple[int, set[str]]] = []  # the last to be visited is the last
    latest: dict[int, int] = {}
    for i in order.tolist():
        now, page = int(time[i]), pages[i]
        if visitor[i] != whose:
            whose, open_ones, latest = visitor[i], [], {}
        open_ones = [one for one in open_ones if now - latest[one[0]] <= gap]
        at = len(open_ones) - 1
        if page in known:
            fits = (o for o in range(at, -1, -1) if _leads(open_ones[o][1], page, links))
            at = next(fits, -1)
        if at < 0:
            number += 1
            open_ones.append((number, set()))
        else:
            open_ones.append(open_ones.pop(at))
        session, seen = open_ones[-1]
        if page in known:
            seen.add(page)
        latest[session], out[i] = now, session
    return out


def _leads(seen: set[str], page: str, links: Links) -> bool:
    """Whether a session without any known page yet, or one that has the page or a link to it, may go on with it."""
    return not seen or page in seen or any(page in links.get(other, ()) for other in seen)


def read_links(path: str | Path) -> Links:
    """The site's structure: a table with the columns from and to, whose cells are paths."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            if not {"from", "to"} <= set(rows.fieldnames or ()):
                raise BadInput(f"{path}: has no columns 'from' and 'to'. Name the two columns of the links so.")
            links: Links = {}
            for row in rows:
                if not row["from"] or not row["to"]:
                    raise BadInput(f"{path}: line {rows.line_num} has no page from or to. Give both, or remove it.")
                links.setdefault(row["from"], set()).add(row["to"])
            return links
    except UnicodeDecodeError:
        raise BadInput(f"{path}: is not UTF-8 text. Save it as UTF-8.") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}). Check its name and that you may read it.") from None
