"""Browser and operating system of a user-agent string, by ua-parser [Apache-2.0], and how they are written in a log.

    browser    Firefox 121 → Firefox
    system     Mac OS X 10.9 → Mac OS X

What is written reads back as the same browser and system; a version of 0 says that it is not told.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from taxonym.errors import MissingExtra
from taxonym.shapes.access_log.log_lines import NONE
from taxonym.shapes.access_log.trees import Chain

# How a browser names itself where its name and version do not suffice; {0} is the version.
_SPOKEN = {
    "IE": "Mozilla/5.0 (compatible; MSIE {0}; {1})",
    "Safari": "Mozilla/5.0 ({1}) Version/{0} Safari/600.1",
    "Mobile Safari": "Mozilla/5.0 (iPhone; {1}) Version/{0} Mobile/11A4449d Safari/600.1",
    "Android": "Mozilla/5.0 (Linux; U; Android {0}; {1}) AppleWebKit/534.30",
    "Chrome Mobile": "Mozilla/5.0 (Linux; {1}) AppleWebKit/537.36 Chrome/{0}.0.0 Mobile Safari/537.36",
    "Chrome Frame": "Mozilla/5.0 (compatible; MSIE 9.0; {1}; chromeframe/{0})",
    "Chrome Mobile iOS": "Mozilla/5.0 (iPhone; {1}) CriOS/{0} Mobile Safari/537.36",
    "Firefox Mobile": "Mozilla/5.0 ({1}; Mobile; rv:{0}) Firefox/{0}",
    "Opera": "Opera/{0} ({1})",
    "Edge": "Mozilla/5.0 ({1}) Chrome/120.0 Edg/{0}",
    "Samsung Internet": "Mozilla/5.0 ({1}) SamsungBrowser/{0}",
    "curl": "curl/{0}.0 ({1})",
}
_PLAIN = ("{0} ({1})", "Mozilla/5.0 ({1}) {0}", "Mozilla/5.0 (compatible; {0}) ({1})")
_WINDOWS = {"XP": "NT 5.1", "Vista": "NT 6.0", "7": "NT 6.1", "8": "NT 6.2", "8.1": "NT 6.3", "10": "NT 10.0"}


@dataclass(frozen=True, slots=True)
class Agent:
    """A browser and a system, each with a version; nothing where it is not known."""

    browser: str = ""
    browser_version: str = ""
    system: str = ""
    system_version: str = ""

    @property
    def browser_chain(self) -> Chain:
        return _chain(self.browser, self.browser_version)

    @property
    def system_chain(self) -> Chain:
        return _chain(self.system, self.system_version)


def _chain(name: str, version: str) -> Chain:
    return () if not name else (name, f"{name}\t{version}") if version else (name,)


def read_agent(text: str) -> Agent:
    """What a user-agent string says: the browser with its main version, the system with its version."""
    if text == NONE:
        return Agent()
    try:
        from ua_parser import parse
    except ImportError:
        raise MissingExtra(
            "access logs in the combined format need the extra 'accesslog' (ua-parser). Install it with "
            "'pip install taxonym[accesslog]'."
        ) from None
    found = parse(text)
    browser, system = found.user_agent, found.os
    version = "" if browser is None or browser.major in (None, "0") else str(browser.major)
    numbers = [] if system is None else [n for n in (system.major, system.minor) if n is not None]
    return Agent(
        "" if browser is None else browser.family,
        version,
        "" if system is None else system.family,
        "" if numbers[:1] == ["0"] else ".".join(numbers),
    )


def browser_of(text: str) -> str:
    """The browser's name, for counting."""
    return read_agent(text).browser or "other"


def write_agent(browser: str, system: str) -> str | None:
    """A user-agent string that reads back as these steps (of browser_chain and system_chain; "" for none); None where
    we know none. Nothing but them is in it."""
    if not browser and not system:
        return NONE
    wanted = (browser, system)
    for text in _candidates(browser, system):
        if _steps(text) == wanted:
            return text
    return None


def _candidates(browser: str, system: str) -> Sequence[str]:
    name, _, version = browser.partition("\t")
    kind, _, release = system.partition("\t")
    systems = [f"{kind} {release}".strip() if kind else "-"]
    if kind == "Windows" and release in _WINDOWS:
        systems.insert(0, f"Windows {_WINDOWS[release]}")
    if kind == "Mac OS X":
        systems.insert(0, f"Macintosh; Intel Mac OS X {release.replace('.', '_')}".strip())
    if kind == "iOS":
        systems.insert(0, f"CPU iPhone OS {(release or '0.0').replace('.', '_')} like Mac OS X")
    made = []
    for told in systems:
        if not name:
            made.append(f"({told})")
            continue
        number = version or "0"
        if name in _SPOKEN:
            made.append(_SPOKEN[name].format(f"{number}.0", told))
        for shape in _PLAIN:
            made += [shape.format(f"{name}/{number}.0", told), shape.format(f"{name}/{number}", told)]
    return made


def _steps(text: str) -> tuple[str, str]:
    agent = read_agent(text)
    return (agent.browser_chain or ("",))[-1], (agent.system_chain or ("",))[-1]


@lru_cache(maxsize=4096)
def steps_of(text: str) -> tuple[str, str]:
    """The steps of browser and system that a string says, "" for none."""
    return _steps(text)
