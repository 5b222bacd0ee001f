"""How records are grouped and what is published instead: the plan's table [method]."""

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from taxonym.errors import BadPlan
from taxonym.plan.noise import NOISE_KEYS, Noise, changed
from taxonym.records.column import check_types, one_of

EQUAL_TERMS = "equal-terms"  # on the strings as written, so it is no distance between concepts [Batet2014, §4.3]
REPRESENTATIVES = ("best", "redaction", "medoid", "per-record")
RECODINGS = ("local", "full-domain", "items")
L_KINDS = ("distinct", "entropy")
T_DISTANCES = ("semantic", "equal")
BLOCKS = ("auto", "always", "never")
FOR_CHECKING = (
    "Algorithm 3 of Imran-Daud et al. 2022 as printed is kept for checking the paper only: its groups depend on the "
    "order of the records, lose records and may have fewer than k. Use 'adaptive-mdav' for a release."
)
NOT_FOR_RELEASE = {"papers": FOR_CHECKING, "adaptive-mdav-papers": FOR_CHECKING}


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """How records are grouped (by groups of at least k) and what is published for a group.

    `known_items` is the support rule's m, `consensus` asks that half of a group holds what is published. `fit` lets
    refined groups be fitted to what they publish, where that does not take long. `topics` are those of columns that
    name none themselves. A sensitive concept that more than `topic_share` of a group's persons hold is published as its
    topic only, in columns with topics. `l` and `t` promise l-diversity (by `l_kind`) and t-closeness (by `t_distance`)
    of every class, in confidential columns and in the topics of others. The seed belongs to tests and experiments:
    whoever knows it can replay the draws.

    For `generalize`: `recoding` lets every record rise for itself, whole columns to one level, or every item alike
    wherever it stands; `cost` is what is made small; `suppress` is the largest share of records that may be left out.

    `blocks` lets very many records be grouped in blocks of about `block_size` that mean alike, always or never; of
    `passes`, those after the first improve refined groups across the borders of blocks.

    For `noise`, which forms no groups and knows no k: from `noise_mechanism` on, see plan.noise.Noise.
    `statistics` is a file that 'taxonym stats' made.
    """

    name: str = "refined"
    k: int = 5
    aggregate: str = "min-sum"
    measure: str = ""  # jaccard, or log where attributes are matched, or wu-palmer for noise
    threshold: float = 0.8
    content: str = "seco"
    known_items: int = 2
    consensus: bool = False
    representative: str = "best"
    fit: bool = True
    topics: tuple[str, ...] = ()
    topic_share: float = 0.75
    l: int | None = None  # noqa: E741
    l_kind: str = "distinct"
    t: float | None = None
    t_distance: str = "semantic"
    recoding: str = "local"
    cost: str = "steps"
    suppress: float = 0.0
    blocks: str = "auto"
    block_size: int = 2000
    passes: int = 1
    noise_mechanism: str = "normal"
    alpha: float | None = None
    epsilon: float | None = None
    budget: float | None = None
    min_candidates: int = 1
    aim: str | None = None
    correlated: bool = False
    consistent: bool = False
    statistics: str | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        # The registries are imported when a plan is checked, not before.
        from taxonym.distance.attributes import MATCHINGS, check_threshold
        from taxonym.distance.registry import DISTANCES
        from taxonym.distance.sets import AGGREGATIONS
        from taxonym.group.registry import MOST_PASSES
        from taxonym.knowledge.content import CONTENTS
        from taxonym.publish.generalize.costs import COSTS
        from taxonym.publish.registry import METHODS

        check_types(self, "method")
        object.__setattr__(self, "name", american(self.name, METHODS))
        if self.name in NOT_FOR_RELEASE:
            raise BadPlan(f"method.name: {NOT_FOR_RELEASE[self.name]}")
        one_of("method.name", self.name, METHODS)
        one_of("method.aggregate", self.aggregate, [*AGGREGATIONS, *MATCHINGS])
        if not self.measure:
            object.__setattr__(self, "measure", self.usual_measure)
        one_of("method.measure", self.measure, [*DISTANCES, EQUAL_TERMS])
        one_of("method.content", self.content, CONTENTS)
        one_of("method.representative", self.representative, REPRESENTATIVES)
        one_of("method.recoding", self.recoding, RECODINGS)
        one_of("method.cost", self.cost, COSTS)
        one_of("method.blocks", self.blocks, BLOCKS)
        if self.passes > MOST_PASSES or (self.passes > 1 and self.name != "refined"):
            raise BadPlan(
                f"method.passes: must be 1, or with the method 'refined' at most {MOST_PASSES}, got {self.passes}."
            )
        if not 0 <= self.suppress < 1:
            raise BadPlan(f"method.suppress: must be a share from 0 to below 1, got {self.suppress}.")
        try:
            check_threshold(self.threshold)
        except BadPlan as error:
            raise BadPlan(f"method.{error}") from None
        if not 0 <= self.topic_share <= 1:
            raise BadPlan(f"method.topic_share: must lie between 0 and 1, got {self.topic_share}.")
        one_of("method.l_kind", self.l_kind, L_KINDS)
        one_of("method.t_distance", self.t_distance, T_DISTANCES)
        if self.t is not None and not 0 < self.t <= 1:
            raise BadPlan(f"method.t: must lie above 0 and be at most 1, got {self.t}.")
        for key, least in (("k", 2), ("known_items", 0), ("l", 2), ("block_size", 1), ("passes", 1), ("seed", 0)):
            value = getattr(self, key)
            if value is not None and value < least:
                raise BadPlan(f"method.{key}: must be at least {least}, got {value}.")
        check_noise(self)

    @property
    def together(self) -> int:
        """How many concepts of a record need k persons who hold them all: at least one, for every single one does."""
        return max(1, self.known_items)

    @property
    def generalizes(self) -> bool:
        """Whether values rise for themselves, so that no record stands for a group."""
        from taxonym.publish.registry import METHODS

        return METHODS[self.name].how == "generalize"

    @property
    def told(self) -> dict[str, Any]:
        """The settings as a report tells them: never the seed, and those of noise only where it is the method."""
        hidden = ("seed",) if self.perturbs else ("seed", "statistics", *NOISE_KEYS)
        return {key: value for key, value in asdict(self).items() if key not in hidden}

    @property
    def usual_measure(self) -> str:
        """The distance between concepts, unless told otherwise."""
        return usual_measure(self.aggregate, self.name)

    @property
    def perturbs(self) -> bool:
        """Whether every value is masked at random for itself, so that there are neither groups nor k."""
        from taxonym.publish.registry import METHODS

        return METHODS[self.name].how == "noise"

    @property
    def noise(self) -> Noise:
        """What the settings mean for noise."""
        return Noise(self)

    @property
    def supported(self) -> bool:
        """Whether the support rule is promised."""
        return self.generalizes or (self.representative != "medoid" and not self.perturbs)


def check_noise(method: Method) -> None:
    """Complain of settings of noise that are wrong, or that another method does not have."""
    if method.perturbs:
        method.noise.check()
        for key in ("l", "t"):
            if getattr(method, key) is not None:
                raise BadPlan(f"method.{key}: is about classes, and noise forms none. Leave it out.")
        if method.measure == EQUAL_TERMS:
            raise BadPlan(f"method.measure: {EQUAL_TERMS!r} knows no concepts. Choose a distance between concepts.")
        return
    if wrong := changed(method, (*NOISE_KEYS, "statistics")):
        raise BadPlan(f"method.{wrong[0]}: belongs to the method 'noise', and this is {method.name!r}.")


def usual_measure(aggregate: str, method: str = "") -> str:
    """The distance between concepts that belongs to a distance between sets and a method, unless told otherwise."""
    return "wu-palmer" if method == "noise" else "log" if aggregate.startswith("matching") else "jaccard"


def american(name: str, known: Iterable[str]) -> str:
    """A name as it is registered, where it was written the British way (generalise)."""
    other = re.sub(r"is(e|ed|ation)\b", r"iz\1", name)
    return other if name not in known and other in known else name
