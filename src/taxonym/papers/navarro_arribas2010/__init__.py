"""New privacy-preserving data mining techniques [NavarroArribas2010]: its examples and tables.

querylog.py    chapter 3.2: what Figures 3.6 to 3.9 and Appendix A say
"""

from taxonym.papers.items import Item
from taxonym.papers.navarro_arribas2010 import querylog

CHAPTERS = (querylog.reproduce,)


def reproduce() -> list[Item]:
    """Everything that the paper prints and we can check."""
    return [item for chapter in CHAPTERS for item in chapter()]
