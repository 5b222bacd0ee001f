"""What a sweep found: a table, the settings that no other beats, and which of them to take."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxonym import __version__
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.io.atomic import whole_file
from taxonym.plan import Plan
from taxonym.render.charts import Chart
from taxonym.render.comparison import chart, distance_of, page, picture, summary
from taxonym.run.release import PRIVATE_FIGURES
from taxonym.sweep.mined import Curve, as_csv, curves, pictures, steadiness
from taxonym.sweep.settings import Judges, Setting, moved

if TYPE_CHECKING:
    import polars as pl

COLUMNS = (
    "number", "method", "aggregate", "measure", "k", "promise", "groups", "smallest_class", "loss", "loss_by_another",
    "loss_of_random_groups", "information", "information_at_random", "taxonomies", "dr_percent",
    "dr_percent_by_another", "max_p", "records_above_1_over_k", "left_out_persons", "efficient", "recommended",
    "refused",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The settings of a sweep, each with its figures.

    `rows` has one dict for each setting, with the keys COLUMNS: `loss` is the mean distance of a person's record to
    what is published (1 for who is left out), `information` how much of what persons said is kept (0 of who is left
    out), beside what a random grouping would keep, `dr_percent` the disclosure risk by linkage. A setting is
    `efficient` if no other one of the same or a larger k loses no more and keeps no less information, and is better in
    one of the three; `recommended` is one of them. Rows over different `taxonomies` do not compare, which `reason`
    says then.
    """

    base: Plan
    judges: Judges
    settings: list[Setting]
    rows: list[dict[str, Any]]
    reason: str

    @classmethod
    def of(
        cls,
        plan: Plan,
        judges: Judges,
        found: Mapping[Setting, dict[str, Any]],
        max_risk: float | None = None,
    ) -> "Comparison":
        """From the figures of all settings."""
        settings = list(found)
        rows = [{"number": i} | setting.as_data() | figures for i, (setting, figures) in enumerate(found.items(), 1)]
        efficient = efficient_among(rows)
        chosen, reason = recommended(settings, rows, efficient, judges, max_risk)
        reason += apart(rows)
        for i, row in enumerate(rows):
            row |= {"efficient": i in efficient, "recommended": i == chosen}
            row |= {name: None for name in COLUMNS if name not in row}
        return cls(plan, judges, settings, rows, reason)

    # ------------------------------------------------------------------ what it says

    @property
    def table(self) -> "pl.DataFrame":
        """All settings, as a polars table."""
        import polars as pl

        told = [{name: row[name] for name in COLUMNS} for row in self.rows]
        counts = dict.fromkeys(("records_above_1_over_k", "left_out_persons"), pl.String)
        told = [row | {n: None if row[n] is None else str(row[n]) for n in counts} for row in told]
        return pl.DataFrame(told, infer_schema_length=None, schema_overrides={"refused": pl.String, **counts})

    @property
    def frontier(self) -> "pl.DataFrame":
        """The efficient settings, by k and loss."""
        import polars as pl

        return self.table.filter(pl.col("efficient")).sort("k", "loss")

    @property
    def recommendation(self) -> Setting | None:
        """The setting to take, for the reason that `reason` gives; None where none can be."""
        return next((s for s, row in zip(self.settings, self.rows, strict=True) if row["recommended"]), None)

    def plan(self, number: int | None = None) -> Plan:
        """The plan with the setting of this number in the table, for `anonymize`; unless one is named, the recommended
        one."""
        if number is None:
            if self.recommendation is None:
                raise BrokenPromise(self.reason)
            return self.recommendation.plan(self.base, self.base.method.seed)
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(self.rows):
            raise BadPlan(f"number: settings are numbered from 1 to {len(self.rows)}, got {number!r}.")
        if (why := self.rows[number - 1]["refused"]) is not None:
            raise BrokenPromise(f"setting {number} was refused: {why}")
        return self.settings[number - 1].plan(self.base, self.base.method.seed)

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.rows)} settings. {self.reason}>"

    @property
    def curves(self) -> list[Curve]:
        """What data mining finds over k, where it was asked."""
        return curves(self.rows)

    # ------------------------------------------------------------------ pictures and files

    def chart(self) -> Chart:
        """The risk–loss picture as data, which notebooks draw: Vega-Lite."""
        return chart(self.rows, distance_of(self.judges.as_data()["common"]), self.reason)

    def picture(self) -> str:
        """The risk–loss picture as SVG, readable without colour."""
        return picture(self.rows, distance_of(self.judges.as_data()["common"]))

    def html(self) -> str:
        """A page of its own: recommendation, picture and table."""
        return page(self.rows, self.reason, self.judges.as_data(), pictures(self.curves))

    def _repr_html_(self) -> str:
        return summary(self.rows, self.reason, self.judges.as_data())

    def as_data(self) -> dict[str, Any]:
        """All of it for programs."""
        chosen = self.recommendation
        return {
            "taxonym": __version__,
            "notice": PRIVATE_FIGURES,
            "judges": self.judges.as_data(),
            "recommendation": None if chosen is None else chosen.as_data(),
            "reason": self.reason,
            "settings": self.rows,
        }

    def write(self, folder: str | Path) -> list[Path]:
        """comparison.csv, .json, .html and risk-loss.svg, each whole or not at all and readable by their owner only,
        since their figures are exact; where mining was asked mining.csv, mining-steadiness.csv and its pictures. Where
        they are. The plan of every setting is beside them: plans/NUMBER.toml."""
        plans = {
            f"plans/{row['number']}.toml": moved(setting.plan(self.base), Path(folder) / "plans").to_toml()
            for row, setting in zip(self.rows, self.settings, strict=True)
            if row["refused"] is None
        }
        made = {
            "comparison.csv": self._csv(),
            "comparison.json": json.dumps(self.as_data(), ensure_ascii=False, indent=2) + "\n",
            "risk-loss.svg": self.picture(),
            "comparison.html": self.html(),
        }
        if found := self.curves:
            made |= {"mining.csv": as_csv(found), "mining-steadiness.csv": steadiness(found)}
            made |= {f"mining-{name.replace(' ', '_')}.svg": drawn for name, drawn in pictures(found).items()}
        (Path(folder) / "plans").mkdir(exist_ok=True)
        for old in (Path(folder) / "plans").glob("*.toml"):
            old.unlink()
        for name, text in (made | plans).items():
            with whole_file(Path(folder) / name, private=True) as file:
                file.write(text.encode())
        return [Path(folder) / name for name in made]

    def _csv(self) -> str:
        out = io.StringIO()
        lines = csv.DictWriter(out, COLUMNS, extrasaction="ignore", lineterminator="\n")
        lines.writeheader()
        lines.writerows(self.rows)
        return out.getvalue()


# ---------------------------------------------------------------------- which settings are good


def apart(rows: Sequence[Mapping[str, Any]]) -> str:
    """What there is to say where rows are over different taxonomies."""
    names = {row["taxonomies"] for row in rows if row.get("taxonomies")}
    if len(names) < 2:
        return ""
    return (
        f" Some rows are over different taxonomies ({' | '.join(sorted(names))}): their losses and the information "
        f"that they keep do not compare."
    )


def frontier(points: Sequence[tuple[float, ...]]) -> list[int]:
    """Which points no other beats: none is at most as high in everything and lower in something. Equal ones stand or
    fall together."""
    return [
        i
        for i, mine in enumerate(points)
        if not any(other != mine and all(a <= b for a, b in zip(other, mine, strict=True)) for other in points)
    ]


def efficient_among(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Which settings no other one beats that promises as much: by k, loss and information kept, as the table has them.

    The risk by linkage has no say: at one k nobody is found with more than 1/k, and a lower figure says that groups
    mislead, which their loss shows. Who finds somebody more often keeps no promise, and is efficient in nothing. Rows
    over different taxonomies do not compare.
    """
    kinds: dict[str | None, list[int]] = {}
    for i, row in enumerate(rows):
        if row.get("refused") is None and row["records_above_1_over_k"] == 0:
            kinds.setdefault(row.get("taxonomies"), []).append(i)
    found = []
    for some in kinds.values():
        told = [(-rows[i]["k"], rows[i]["loss"], -(rows[i].get("information") or 0.0)) for i in some]
        found += [some[i] for i in frontier(told)]
    return sorted(found, key=lambda i: (-rows[i]["dr_percent"], rows[i]["loss"], i))


def knee(points: Sequence[tuple[float, float]]) -> int:
    """Of a frontier the point where more protection begins to cost more than it brings: risk and loss, each as a share
    of what lies between the frontier's ends, add up to the least. Ties: the lower risk."""
    lows = [min(axis) for axis in zip(*points, strict=True)]
    spans = [max(axis) - low or 1.0 for axis, low in zip(zip(*points, strict=True), lows, strict=True)]

    def cost(i: int) -> tuple[float, float, int]:
        risk, loss = ((value - low) / span for value, low, span in zip(points[i], lows, spans, strict=True))
        return round(risk + loss, 9), points[i][0], i

    return min(range(len(points)), key=cost)


def recommended(
    settings: Sequence[Setting],
    rows: Sequence[Mapping[str, Any]],
    efficient: Sequence[int],
    judges: Judges,
    max_risk: float | None = None,
) -> tuple[int | None, str]:
    """Which efficient setting to take, and why, in a sentence. Nobody may be found with more than 1/k."""
    sound = list(efficient)
    if not sound and any(row.get("refused") is None for row in rows):
        return None, "No setting is recommended: in every one somebody is found with more than 1/k."
    if not sound:
        return None, "No setting is recommended: none of them can keep its promise on this data."
    if max_risk is not None:
        enough = [i for i in sound if rows[i]["dr_percent"] <= max_risk]
        if not enough:
            least = min(rows[i]["dr_percent"] for i in sound)
            return None, (
                f"No setting is recommended: the least risk is {least:.1f} %, above the {max_risk:g} % allowed; try a "
                f"larger k."
            )
        chosen = min(enough, key=lambda i: (rows[i]["loss"], rows[i]["dr_percent"], i))
        why = f"it loses least of those with a risk of at most {max_risk:g} %"
    else:
        # at one k all are found with at most 1/k: a lower risk only says that groups mislead, so the least loss wins
        least = {rows[i]["k"]: i for i in sorted(sound, key=lambda i: (-rows[i]["loss"], -rows[i]["dr_percent"], -i))}
        leading = sorted(least.values(), key=sound.index)
        chosen = leading[knee([(rows[i]["dr_percent"], rows[i]["loss"]) for i in leading])]
        why = "it loses least at this k"
        if len(leading) > 1:
            why += ", and from here on more protection begins to cost more than it brings"
    mine = rows[chosen]
    same = [i for i, row in enumerate(rows) if "refused" not in row and row["k"] == mine["k"]]
    place = 1 + sum(rows[i]["loss_by_another"] < mine["loss_by_another"] for i in same)
    rank = "" if len(same) < 2 else f"; by {judges.another.measure} {_ordinal(place)} of {len(same)} at this k"
    return chosen, (
        f"Take {settings[chosen]}: {why} (loss {mine['loss']:.3f}, risk {mine['dr_percent']:.1f} %{_kept(mine)}{rank})"
        f"{_larger(sound, chosen, settings, rows)}.{_not_tried(rows)}"
    )


def _kept(row: Mapping[str, Any]) -> str:
    kept = row.get("information")
    return "" if kept is None else f", {kept:.0%} of the information kept"


def _not_tried(rows: Sequence[Mapping[str, Any]]) -> str:
    """How many settings gave no figures."""
    n = sum(row.get("refused") is not None for row in rows)
    if not n:
        return ""
    return f" {n} of the {len(rows)} settings could not be run; the table says why."


def _larger(sound: Sequence[int], chosen: int, settings: Sequence[Setting], rows: Sequence[Mapping[str, Any]]) -> str:
    """What the next larger k would cost."""
    mine = rows[chosen]
    more = [i for i in sound if rows[i]["k"] > mine["k"] and rows[i]["dr_percent"] < mine["dr_percent"]]
    if not more:
        return ""
    other = min(more, key=lambda i: (rows[i]["k"], rows[i]["loss"], i))
    return (
        f"; {settings[other]} would lose {rows[other]['loss'] - mine['loss']:.3f} more for "
        f"{mine['dr_percent'] - rows[other]['dr_percent']:.1f} points less risk"
    )


def _ordinal(n: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(n, f"number {n}")
