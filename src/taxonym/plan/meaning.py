"""What a plan says that words mean: the finder and the sensitive topics of a column."""

from pathlib import Path
from typing import Any

from taxonym.errors import BadPlan, UnknownConcept
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.catalog import load
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Plan
from taxonym.plan.documents import Documents
from taxonym.records.column import Column
from taxonym.text.finder import Finder
from taxonym.text.language import language_named
from taxonym.text.person_names import NONE, read_names
from taxonym.text.senses import read_overrides
from taxonym.text.sensitive import Topics, load_topics
from taxonym.text.subject import Subject


def finder_of(column: Column, plan: Plan, loaded: dict[str, Taxonomy], progress: Progress = SILENCE) -> Finder | None:
    """How the words of a column get their meaning; None where it has no taxonomy."""
    if not column.taxonomy:
        return None
    for name in column.taxonomy:
        if name not in loaded:
            loaded[name] = load(plan.located(name), progress=progress)
    taxonomies = [loaded[name] for name in column.taxonomy]
    chosen: dict[str, Any] = {
        "senses": column.senses,
        "category": column.category,
        "parts": column.parts,
        "spelling": column.spelling,
        "related": column.related,
        **how_to_read(column, plan),
    }
    try:
        finder = Finder(taxonomies, **chosen)
    except UnknownConcept:
        names = " or ".join(tax.name for tax in taxonomies)
        raise BadPlan(
            f"columns.{column.name}.category: {names} has no concept {column.category!r}. Look for its id with "
            f"'taxonym concepts'."
        ) from None
    if column.overrides is not None:
        overrides = read_overrides(Path(plan.located(column.overrides)), finder.taxonomy)
        finder = Finder(taxonomies, **chosen, overrides=overrides)
    if column.subject is not None:
        finder = finder.about(Subject.read(Path(plan.located(column.subject)), finder.taxonomy))
    topics = topics_of(column, plan, finder) if column.role == "quasi-identifier" else None
    return finder if topics is None else finder.watching(topics.anywhere)


def how_to_read(given: Column | Documents, plan: Plan) -> dict[str, Any]:
    """The language of texts, and the names that stay whole in them, as a Finder is told."""
    chosen: dict[str, Any] = {"language": language_named(given.language)}
    if given.names is not None:
        chosen["names"] = False if given.names == NONE else read_names(Path(plan.located(given.names)))
    return chosen


def topics_of(column: Column, plan: Plan, finder: Finder | None) -> Topics | None:
    """The sensitive topics that a column names, or else the method does; "all" names all of its file."""
    names = column.topics or (plan.method.topics if finder is not None else ())
    if not names:
        return None
    if finder is None:
        raise BadPlan(f"columns.{column.name}.topics: need a taxonomy. Name one, such as 'wordnet'.")
    try:
        known = load_topics(finder.taxonomy, plan.located(column.topics_file))
        return known if names == ("all",) else known.only(names)
    except BadPlan as error:
        raise BadPlan(f"columns.{column.name}.topics: {error}") from None
