"""Chapter 3.1: web access logs. Figures 3.1 to 3.5 and Table 3.1, on the example log that we ship.

The logs of the paper's two sites are not given, and its figures print no numbers. So what the text says of them is
checked, on 840 lines of 90 invented visitors; bench/accesslog.py does the same on a public log. As in the paper, k
counts lines here.
"""

import tempfile
from collections.abc import Sequence
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path

from taxonym.measure.usage import OTHERS, moved, shares, slope, spread
from taxonym.papers.items import Item
from taxonym.run.pipeline import anonymize
from taxonym.shapes.access_log.log_lines import read_log
from taxonym.shapes.access_log.mining import Usage, usage

KS = (2, 6, 12, 20, 30)
TOP = 4  # browsers that are told apart, as in Table 3.1
OURS = "840 lines of 90 invented visitors; k counts lines, as in the paper"
SIGMA = (2.779324992, 3.185317407, 1.557858919, 3.139720065, 3.275318009)
SLOPE = (-0.034676437, 0.006376312, 0.036435533, 0.085361292, -0.093496699)
SMALL = 0.1  # of all shares: what may move to other browsers where the paper sees "very good results"
Found = dict[int, Usage]


def reproduce(ks: Sequence[int] = KS) -> list[Item]:
    """What the chapter says of its figures and Table 3.1, beside ours."""
    if find_spec("ua_parser") is None:
        why = "needs the extra 'accesslog': pip install taxonym[accesslog]"
        return [Item("Figures 3.1 to 3.5, Table 3.1", "browsers of two sites", "not computed here", why, "not")]
    plain, marked = mined(ks, session=False), mined(ks, session=True)
    return [*_browsers(plain), *_sessions(plain), *_steadiness(plain), _by_mark(marked)]


def mined(ks: Sequence[int], session: bool) -> Found:
    """What is counted in the original (k = 1) and in releases for every k."""
    with as_file(files("taxonym") / "examples" / "access.log") as log, tempfile.TemporaryDirectory() as folder:
        found, out = {1: usage(read_log(log))}, Path(folder) / "out.log"
        for k in ks:
            plan = {"accesslog": {"visitor": "line", "session": session}, "method": {"k": k, "seed": 1}}
            anonymize(log, plan, baselines=False).write(out)
            found[k] = usage(read_log(out))
    return found


def _names(found: Found) -> list[str]:
    return [name for name, _ in found[1].clicks.most_common() if name != OTHERS][:TOP]


def _away(found: Found, what: str, ks: Sequence[int]) -> dict[int, float]:
    """The share that moved to other browsers at every k."""
    names = _names(found)
    before = shares(found[1].clicks if what == "clicks" else found[1].sessions, names)
    return {k: moved(before, shares(getattr(found[k], what), names)) for k in ks}


def _said(away: dict[int, float]) -> str:
    told = ", ".join(f"{100 * share:.1f} % at k = {k}" for k, share in away.items())
    return f"moved to other browsers: {told}"


def _browsers(found: Found) -> list[Item]:
    ks = [k for k in found if k > 1]
    clicks, few = _away(found, "clicks", ks), _away(found, "sessions", [k for k in ks if k in (6, 12)] or ks)
    return [
        Item(
            "Figures 3.1 and 3.3: browsers per click",
            "very good results (Site A), as the lines of the original",
            _said(clicks),
            OURS,
            "consistent" if max(clicks.values()) <= SMALL else "not",
        ),
        Item(
            "Figures 3.2 and 3.4: shares of browsers per session, k = 1, 6, 12",
            "maintained, at both sites",
            _said(few),
            OURS,
            "consistent" if max(few.values()) <= SMALL else "not",
        ),
    ]


def _sessions(found: Found) -> list[Item]:
    counts = {k: sum(one.sessions.values()) for k, one in found.items()}
    return [
        Item(
            "Figure 3.3: sessions found by a pause of 30 minutes (Site B)",
            "more than in the original, because times are distorted",
            ", ".join(f"{n} at k = {k}" for k, n in counts.items()),
            f"{OURS}; equal lines share an address and an agent, so that sessions become one more often than they part",
            "consistent" if min(n for k, n in counts.items() if k > 1) > counts[1] else "not",
        )
    ]


def _steadiness(found: Found) -> list[Item]:
    names = [*_names(found), OTHERS]
    over = {name: [shares(one.sessions, names[:-1])[name] for one in found.values()] for name in names}
    sigma = [100 * spread(values) for values in over.values()]
    steep = [100 * slope(list(found), values) for values in over.values()]
    return [
        Item(
            "Table 3.1: its ten numbers",
            f"σ {', '.join(f'{s:.2f}' for s in SIGMA)}; b {', '.join(f'{b:+.3f}' for b in SLOPE)}",
            "not computed here",
            "the log of Site B is not given; bench/accesslog.py has the same table for a public log",
            "not",
        ),
        Item(
            "Table 3.1: how steady shares per session are over k",
            f"relatively low: σ up to {max(SIGMA):.1f}, b up to {max(map(abs, SLOPE)):.2f} (times 100)",
            f"σ up to {max(sigma):.1f}, b up to {max(map(abs, steep)):.2f}",
            f"{OURS}, 1 to {max(found)}; consistent: no more than twice the printed",
            "consistent"
            if max(sigma) <= 2 * max(SIGMA) and max(map(abs, steep)) <= 2 * max(map(abs, SLOPE))
            else "not",
        ),
    ]


def _by_mark(found: Found) -> Item:
    away = _away(found, "marked", [k for k in found if k > 1])
    return Item(
        "Figure 3.5: browsers per session by a session variable (Site B)",
        "quite good for k < 30",
        _said(away),
        f"{OURS}; the variable is protected with the rest",
        "consistent" if max(share for k, share in away.items() if k < max(away)) <= SMALL else "not",
    )
