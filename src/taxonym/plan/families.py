"""The settings of each family of methods, and the plan's table [method] as those of the family that its name says."""

from collections.abc import Mapping
from dataclasses import Field, asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

from taxonym.errors import BadPlan
from taxonym.group.registry import MOST_PASSES
from taxonym.plan.method import Method, american
from taxonym.plan.noise import Noise
from taxonym.publish.registry import METHODS
from taxonym.records.column import one_of
from taxonym.records.thresholds import RANDOM

if TYPE_CHECKING:
    from taxonym.plan import Plan

REPRESENTATIVES = ("best", "redaction", "medoid", "per-record")
RECODINGS = ("local", "full-domain", "items")
BLOCKS = ("auto", "always", "never")
# The keys of [method] in the order in which plans, reports and complaints show them; those of all families (a test).
ORDER = (
    "name", "k", "aggregate", "measure", "threshold", "content", "known_items", "least_content", "support_threshold",
    "consensus", "representative", "fit", "topics", "topic_share", "l", "l_kind", "t", "t_distance", "recoding", "cost",
    "suppress", "blocks", "block_size", "passes", "growth", "noise_mechanism", "alpha", "epsilon", "budget",
    "min_candidates", "aim", "correlated", "consistent", "statistics", "outcomes", "public", "avoid", "seed",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Microaggregation(Method):
    """Groups of at least k records, and what is published for a group.

    `consensus` asks that half of a group holds what is published. `fit` lets refined groups be fitted to what they
    publish, where that does not take long. `blocks` lets very many records be grouped in blocks of about `block_size`
    that mean alike, always or never; of `passes`, those after the first improve refined groups across the borders of
    blocks. `growth` is how far groups of adaptive-mdav grow: a record joins that is so many times as far from the
    middle as members are on average (group.adaptive).
    """

    how: ClassVar[str] = "groups"

    consensus: bool = False
    representative: str = "best"
    fit: bool = True
    blocks: str = "auto"
    block_size: int = 2000
    passes: int = 1
    growth: float = 1.25

    def __post_init__(self) -> None:
        Method.__post_init__(self)
        one_of("method.representative", self.representative, REPRESENTATIVES)
        one_of("method.blocks", self.blocks, BLOCKS)
        if self.passes > MOST_PASSES or (self.passes > 1 and self.name != "refined"):
            raise BadPlan(
                f"method.passes: must be 1, or with the method 'refined' at most {MOST_PASSES}, got {self.passes}."
            )
        self.at_least(block_size=1, passes=1)
        if not 0 <= self.growth <= 1000:
            raise BadPlan(f"method.growth: must lie between 0 and 1000, got {self.growth:g}.")
        if self.growth != 1.25 and self.name != "adaptive-mdav":
            raise BadPlan(f"method.growth: belongs to the method 'adaptive-mdav', and this is {self.name!r}.")

    @property
    def supported(self) -> bool:
        """Whether the support rule is promised: not of a plain medoid, which is published as it is."""
        return self.representative != "medoid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Generalization(Method):
    """Values that rise for themselves until enough records are alike, so that no record stands for a group.

    `recoding` lets every record rise for itself, whole columns to one level, or every item alike wherever it stands;
    `cost` is what is made small; `suppress` is the largest share of records that may be left out.
    """

    how: ClassVar[str] = "generalize"
    distinct_items: ClassVar[bool] = True

    name: str = "generalize"
    recoding: str = "local"
    cost: str = "steps"
    suppress: float = 0.0

    def __post_init__(self) -> None:
        from taxonym.publish.generalize.costs import COSTS

        Method.__post_init__(self)
        one_of("method.recoding", self.recoding, RECODINGS)
        one_of("method.cost", self.cost, COSTS)
        if not 0 <= self.suppress < 1:
            raise BadPlan(f"method.suppress: must be a share from 0 to below 1, got {self.suppress}.")

    def check_plan(self, plan: "Plan") -> None:
        """Generalisation is for words; l and t are kept by merging groups."""
        Method.check_plan(self, plan)
        for name, column in plan.columns.items():
            if column.role == "quasi-identifier" and column.kind in ("number", "date"):
                raise BadPlan(
                    f"columns.{name}.kind: a {column.kind} cannot be generalised as it is. Make it 'nominal', with a "
                    f"hierarchy of ranges ('taxonym taxonomy cut --kind {column.kind}'), or choose another method."
                )
        if self.recoding != "local" and (self.l is not None or self.t is not None):
            raise BadPlan(
                f"method.recoding: l and t are kept by merging groups, which {self.recoding!r} does not allow. "
                f"Choose 'local', or leave l and t out."
            )


FAMILIES: dict[str, type[Method]] = {family.how: family for family in (Generalization, Noise, Microaggregation)}
_FIELDS = {field.name: field for family in FAMILIES.values() for field in fields(family)}
KEYS: dict[str, Field[Any]] = {key: _FIELDS[key] for key in ORDER}
_BESIDE_NOISE = {"name", "aggregate", "measure", "content", "topics"}  # what all families share and noise uses


def method_of(settings: Mapping[str, Any]) -> Method:
    """Settings of the table [method], as those of the family that their name says.

    Those of other families are checked, for a plan may be tried with several methods; only noise keeps its own. The
    threshold may be "random", which is said of the support rule.
    """
    if settings.get("threshold") == RANDOM:
        settings = {key: value for key, value in settings.items() if key != "threshold"} | {"support_threshold": RANDOM}
    name = american(str(settings.get("name", "refined")), METHODS)
    family = FAMILIES[METHODS[name].how if name in METHODS else "groups"]  # which complains of an unknown name
    own = {field.name for field in fields(family)}
    others = {
        key: settings[key]
        for key, field in KEYS.items()
        if key in settings.keys() - own and settings[key] != field.default
    }
    method = family(**{key: value for key, value in settings.items() if key in own}, others=others)
    for other in FAMILIES.values():
        foreign = {key: value for key, value in others.items() if key in {field.name for field in fields(other)}}
        if foreign and other is Noise:
            raise BadPlan(f"method.{next(iter(foreign))}: belongs to the method 'noise', and this is {name!r}.")
        if foreign:
            other(name=next(name for name, known in METHODS.items() if known.how == other.how), **foreign)
    return method


def method_settings(method: Method) -> dict[str, Any]:
    """All keys of the table [method] and their values, those of other families as they are named or by default."""
    known = asdict(method) | method.others
    return {key: known.get(key, field.default) for key, field in KEYS.items()}


def with_settings(method: Method, **settings: Any) -> Method:
    """The method with some settings changed; its name may lead to another family."""
    return method_of(method_settings(method) | settings)


def public_settings(method: Method) -> dict[str, Any]:
    """The settings as a report tells them: never the seed, and those of noise only where it is the method."""
    of_noise = {field.name for field in fields(Noise)} - {field.name for field in fields(Method)}
    shown = of_noise | _BESIDE_NOISE if isinstance(method, Noise) else KEYS.keys() - of_noise - {"seed"}
    return {key: value for key, value in method_settings(method).items() if key in shown}
