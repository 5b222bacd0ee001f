"""The five papers by number, and what each prints beside what we get."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from taxonym.errors import BadPlan
from taxonym.papers.items import Item


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: its number, its key in papers.bib, its title, and the package that checks it."""

    number: str
    key: str
    title: str
    package: str

    def reproduce(self) -> list[Item]:
        """Every worked example and table, beside ours; the same each time."""
        found: Callable[[], list[Item]] = import_module(f"taxonym.papers.{self.package}").reproduce
        return found()


PAPERS = {
    paper.number: paper
    for paper in (
        Paper("000", "Batet2014", "Semantic Anonymisation of Set-valued Data", "batet2014"),
        Paper("001", "ImranDaud2022", "Multivariate Microaggregation of Set-Valued Data", "imran_daud2022"),
        Paper(
            "002",
            "Martinez2012",
            "Evaluation of the disclosure risk of masking methods dealing with textual attributes",
            "martinez2012",
        ),
        Paper("003", "NavarroArribas2010", "New privacy-preserving data mining techniques", "navarro_arribas2010"),
        Paper(
            "004",
            "RodriguezGarcia2015",
            "Semantic noise: privacy-protection of nominal microdata",
            "rodriguez_garcia2015",
        ),
    )
    if find_spec(f"taxonym.papers.{paper.package}")  # a paper is listed as soon as there is something that checks it
}


def papers_named(which: str) -> list[Paper]:
    """One paper by its number, or all of them."""
    if which == "all":
        return list(PAPERS.values())
    if which not in PAPERS:
        raise BadPlan(f"reproduce: there is no paper {which!r}. Choose one of {', '.join(PAPERS)} or all.")
    return [PAPERS[which]]
