"""New privacy-preserving data mining techniques [NavarroArribas2010]: its examples and tables.

documents.py   chapter 2: the toy example of Table 2.1, and what Table 2.2 and its text say
accesslog.py   chapter 3.1: what the text says of Figures 3.1 to 3.5, and Table 3.1
querylog.py    chapter 3.2: what Figures 3.6 to 3.9 and Appendix A say
"""

from taxonym.papers.items import Item
from taxonym.papers.navarro_arribas2010 import accesslog, documents, querylog

CHAPTERS = (documents.reproduce, accesslog.reproduce, querylog.reproduce)


def reproduce() -> list[Item]:
    """Everything that the paper prints and we can check."""
    return [item for chapter in CHAPTERS for item in chapter()]
