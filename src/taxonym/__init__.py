"""Publish data made of words so that no one in it can be singled out and its meaning survives."""

from taxonym import errors

TYPE_CHECKING = False  # as typing has it, whose import would slow down 'taxonym --help'
if TYPE_CHECKING:
    from taxonym.attack.risk import LinkageRisk, linkage_risk
    from taxonym.distance.matrix import concept_distance_blocks, concept_distances
    from taxonym.distance.registry import concept_distance
    from taxonym.distance.sets import set_distance
    from taxonym.distance.sets_matrix import distance_matrix
    from taxonym.drafting.plans import draft
    from taxonym.group.adaptive import adaptive_mdav
    from taxonym.group.mdav import mdav, medoid
    from taxonym.group.refine import refined
    from taxonym.knowledge.catalog import load
    from taxonym.knowledge.content import content
    from taxonym.knowledge.taxonomy import Taxonomy
    from taxonym.measure.nominal import nominal_mean, nominal_variance
    from taxonym.methods.noise.masker import Masker
    from taxonym.plan import Plan, read_plan
    from taxonym.publish.noise.semantic import noise
    from taxonym.run.pipeline import anonymize
    from taxonym.run.questions import Verification, loss, mine, read_log, risk, verify
    from taxonym.run.release import Release
    from taxonym.sweep.comparison import Comparison
    from taxonym.sweep.run import compare
    from taxonym.text.column_mapping import map_column
    from taxonym.text.finder import Finder, map_text
    from taxonym.text.lookup import Mention

__version__ = "0.2.0"

__all__ = [
    "Comparison",
    "Finder",
    "LinkageRisk",
    "Masker",
    "Mention",
    "Plan",
    "Release",
    "Taxonomy",
    "Verification",
    "__version__",
    "adaptive_mdav",
    "anonymize",
    "compare",
    "concept_distance",
    "concept_distance_blocks",
    "concept_distances",
    "content",
    "distance_matrix",
    "draft",
    "errors",
    "linkage_risk",
    "load",
    "loss",
    "map_column",
    "map_text",
    "mdav",
    "medoid",
    "mine",
    "noise",
    "nominal_mean",
    "nominal_variance",
    "read_log",
    "read_plan",
    "refined",
    "risk",
    "set_distance",
    "verify",
]

# Where each name lives. They are imported on first use, so that 'taxonym --help' stays instant.
_HOME = {
    "Comparison": "sweep.comparison",
    "Finder": "text.finder",
    "LinkageRisk": "attack.risk",
    "Masker": "methods.noise.masker",
    "Mention": "text.lookup",
    "Plan": "plan",
    "Release": "run.release",
    "Taxonomy": "knowledge.taxonomy",
    "concept_distance": "distance.registry",
    "adaptive_mdav": "group.adaptive",
    "anonymize": "run.pipeline",
    "compare": "sweep.run",
    "concept_distance_blocks": "distance.matrix",
    "concept_distances": "distance.matrix",
    "content": "knowledge.content",
    "distance_matrix": "distance.sets_matrix",
    "draft": "drafting.plans",
    "linkage_risk": "attack.risk",
    "load": "knowledge.catalog",
    "loss": "run.questions",
    "map_column": "text.column_mapping",
    "map_text": "text.finder",
    "mdav": "group.mdav",
    "medoid": "group.mdav",
    "mine": "run.questions",
    "noise": "publish.noise.semantic",
    "nominal_mean": "measure.nominal",
    "nominal_variance": "measure.nominal",
    "read_log": "run.questions",
    "read_plan": "plan",
    "refined": "group.refine",
    "risk": "run.questions",
    "set_distance": "distance.sets",
    "Verification": "run.questions",
    "verify": "run.questions",
}


def __getattr__(name: str) -> object:
    if name in _HOME:
        from importlib import import_module

        return getattr(import_module(f"taxonym.{_HOME[name]}"), name)
    raise AttributeError(f"module 'taxonym' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
