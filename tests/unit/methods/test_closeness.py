"""What is watched, how groups are merged for it, and when a run is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import taxonym
from taxonym import Plan
from taxonym.errors import BrokenPromise
from taxonym.executor.context import Context
from taxonym.methods.closeness import keep_promises, medoids, privacy_of_release
from taxonym.methods.confidential import watched
from taxonym.methods.microaggregation import formed
from taxonym.shapes.table.read import prepare

ILLS = [
    ("flu", "lung"),
    ("cough", "lung"),
    ("ulcer", "stomach"),
    ("colic", "stomach"),
    ("lung", "ill"),
    ("stomach", "ill"),
]
LIKES = [
    ("swimming", "water"),
    ("sailing", "water"),
    ("chess", "board"),
    ("go", "board"),
    ("water", "sport"),
    ("board", "sport"),
]


@pytest.fixture
def trees(tmp_path: Path) -> dict[str, str]:
    found = {}
    for name, edges in (("ills", ILLS), ("likes", LIKES)):
        path = tmp_path / f"{name}.csv"
        path.write_text("child,parent\n" + "".join(f"{child},{parent}\n" for child, parent in edges))
        found[name] = str(path)
    for name, above in (("lungs", "lung"), ("games", "board")):
        path = tmp_path / f"{name}.toml"
        path.write_text(f'[topics.{name}]\nconcepts = ["{above}"]\n')
        found[name] = str(path)
    return found


def table(**columns: list[Any]) -> pl.DataFrame:
    """Eight persons, of whom the first four like water and the others boards."""
    likes = ["swimming", "sailing", "swimming", "swimming;sailing", "chess", "go", "chess;go", "chess"]
    return pl.DataFrame({"likes": likes} | columns)


def plan(trees: dict[str, str], method: dict[str, Any], **columns: dict[str, Any]) -> dict[str, Any]:
    likes = {"role": "quasi-identifier", "kind": "set", "taxonomy": trees["likes"]}
    return {"columns": {"likes": likes, **columns}, "method": {"k": 2, "seed": 1} | method}


ILL = {"role": "confidential"}


def values(given: dict[str, Any], frame: pl.DataFrame, column: str) -> dict[str, list[set[int]]]:
    """What is watched in a column, for every person as the sorted units have them, by what it is."""
    read = Plan.from_dict(given)
    units = prepare(frame, read)
    found = {}
    for one in watched(units, read):
        if one.column == column:
            held = [set(one.attribute.held(np.array([u])).tolist()) for u in range(len(units))]
            found[one.what] = [held[[r[0] for r in units.records].index(i)] for i in range(len(units))]
    return found


def test_words_without_taxonomy_numbers_and_truth_values_are_watched_as_they_are(trees: dict[str, str]) -> None:
    """0 and false are values; a cell without any is one too."""
    frame = table(
        a=["x", "y", "x", None, "z", "x", " y ", "Z"], b=[0, 1, 0, None, 2, 0, 1, 3], c=[False] * 4 + [True] * 4
    )
    given = plan(trees, {}, a=ILL, b=ILL, c=ILL)
    for column in ("a", "b"):
        found = values(given, frame, column)["values"]
        assert [len(mine) for mine in found] == [1] * 8
        assert [[i for i in range(8) if found[i] == found[j]] for j in (0, 1, 3, 4, 7)] == [
            [0, 2, 5],
            [1, 6],
            [3],
            [4],
            [7],
        ]
    assert len(set(map(frozenset, values(given, frame, "c")["values"]))) == 2


def test_values_that_a_taxonomy_does_not_know_are_at_1_from_all_others(trees: dict[str, str]) -> None:
    frame = table(ill=["flu", "cough", "ulcer", "Zzz", "zzq", "Zzz", "ill", None])
    given = Plan.from_dict(plan(trees, {}, ill={"role": "confidential", "taxonomy": trees["ills"]}))
    (one,) = watched(prepare(frame, given), given)
    every = np.arange(7)  # ill, flu, cough and ulcer in some order, Zzz, zzq, none
    apart = one.attribute.apart(every, every)
    assert (apart == apart.T).all()
    assert (np.diag(apart) == 0).all()
    assert (apart[4:][~np.eye(7, dtype=bool)[4:]] == 1).all()
    assert 0 < apart[:4, :4][~np.eye(4, dtype=bool)].max() < 1


def test_words_of_a_taxonomy_are_watched_by_their_meaning(trees: dict[str, str]) -> None:
    """FLU and flu are one value; what the taxonomy does not know is a value of its own."""
    frame = table(ill=["flu", "FLU", "ulcer", "Zzz", "zzq", "Zzz", "flu;ulcer", None])
    given = plan(trees, {}, ill={"role": "confidential", "kind": "set", "taxonomy": trees["ills"]})
    found = values(given, frame, "ill")["values"]
    assert found[0] == found[1] != found[2]
    assert found[3] == found[5] != found[4]
    assert found[6] == found[0] | found[2]
    assert found[7] not in found[:7]


def test_topics_are_watched_in_masked_and_in_confidential_columns(trees: dict[str, str]) -> None:
    frame = table(ill=["flu", "cough", "ulcer", "Zzz", "zzq", None, "flu", "colic"])
    ill = ILL | {"taxonomy": trees["ills"], "topics": "all", "topics_file": trees["lungs"]}
    given = plan(trees, {}, ill=ill)
    given["columns"]["likes"] |= {"topics": "all", "topics_file": trees["games"]}
    assert values(given, frame, "likes") == {"topics": [{1}] * 4 + [{0}] * 4}
    found = values(given, frame, "ill")
    assert found["topics"] == [{0}, {0}, {1}, {1}, {1}, {1}, {0}, {1}]
    assert set(found) == {"values", "topics"}
    read = Plan.from_dict(given)
    assert [one.attribute.harmless for one in watched(prepare(frame, read), read)] == [1, -1, 1]


def test_a_class_with_one_value_is_merged_with_another(trees: dict[str, str]) -> None:
    """All who like water have flu: with l = 2 they cannot stay among themselves."""
    frame = table(ill=["flu"] * 4 + ["ulcer", "colic", "ulcer", "flu"])
    free = taxonym.anonymize(frame, plan(trees, {}, ill=ILL))
    assert "promise" in free.report
    (seen,) = free.report["watched"]
    assert seen.keys() == {"column", "what", "as_published"}  # of the originals nothing was promised
    alike = [group for group in free.groups if len({frame["ill"][row] for row in group}) == 1]
    assert seen["as_published"]["smallest_distinct_l"] == 1
    assert seen["as_published"]["classes_of_one_value"] == len(alike) > 0
    assert seen["as_published"]["rows_in_them"] == sum(map(len, alike))
    kept = taxonym.anonymize(frame, plan(trees, {"l": 2}, ill=ILL))
    whose = {row: g for g, group in enumerate(free.groups) for row in group}
    assert all(whose[row] != whose[other] for row in range(4) for other in range(4, 8))
    assert all(len({frame["ill"][row] for row in group}) >= 2 for group in kept.groups)
    assert {key: kept.report["promise"][key] for key in ("l", "l_kind")} == {"l": 2, "l_kind": "distinct"}
    assert "t" not in kept.report["promise"]
    (told,) = kept.private_report()["watched"]
    assert (told["column"], told["what"], told["smallest_distinct_l"] >= 2, told["homogeneous_classes"]) == (
        "ill",
        "values",
        True,
        0,
    )
    assert "groups" not in told


def test_by_meaning_near_values_need_no_merging(trees: dict[str, str]) -> None:
    """Each group has one lung and one stomach disease, if not all four: 1/4 away by meaning, 1/2 if all are equal."""
    frame = table(ill=["flu", "ulcer", "flu", "ulcer", "cough", "colic", "cough", "colic"])
    ill = ILL | {"taxonomy": trees["ills"]}
    merged = {}
    for distance in ("semantic", "equal"):
        given = plan(trees, {"t": 0.3, "t_distance": distance, "k": 4}, ill=ill)
        release = taxonym.anonymize(frame, given)
        merged[distance] = len(release.groups)
        assert release.private_report()["watched"][0]["largest_t"][distance] <= 0.3
    # jaccard between flu (flu, lung, ill) and cough (cough, lung, ill): 2 of 4 generalisations are not shared
    assert merged == {"semantic": 2, "equal": 1}


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ({"l": 3}, "the table: distinct l = 3 in column 'ill' cannot be kept, even with all published persons in one "
                   "group. Choose a smaller l."),
        ({"l": 2, "l_kind": "entropy"}, "the table: entropy l = 2 in column 'ill' cannot be kept, even with all "
                                        "published persons in one group. Leave l or this column out."),
    ],
)  # fmt: skip
def test_what_cannot_be_kept_is_refused(trees: dict[str, str], method: dict[str, Any], message: str) -> None:
    frame = table(ill=["flu"] * 6 + ["ulcer", "ulcer"])
    with pytest.raises(BrokenPromise) as caught:
        taxonym.anonymize(frame, plan(trees, method, ill=ILL))
    assert str(caught.value) == message


def test_a_block_that_is_unlike_the_others_cannot_be_close_to_all(trees: dict[str, str]) -> None:
    frame = table(ill=["flu"] * 4 + ["ulcer"] * 4, site=["north"] * 4 + ["south"] * 4)
    given = plan(trees, {"t": 0.4}, ill=ILL, site={"role": "other"})
    with pytest.raises(BrokenPromise) as caught:
        taxonym.anonymize(frame, given)
    assert str(caught.value) == (
        "the table: t = 0.4 (semantic) in column 'ill' cannot be kept, even with all persons with the same other "
        "columns in one group. Choose a larger t, or publish fewer 'other' columns."
    )
    given["method"]["t"] = 0.5
    assert taxonym.anonymize(frame, given).private_report()["watched"][0]["largest_t"]["semantic"] == 0.5


def test_topics_of_masked_words_are_kept_apart_too(trees: dict[str, str]) -> None:
    """Whoever likes boards plays games: with l = 2 they must be among others."""
    given = plan(trees, {"l": 2})
    given["columns"]["likes"] |= {"topics": "all", "topics_file": trees["games"]}
    release = taxonym.anonymize(table(), given)
    assert all(min(group) < 4 for group in release.groups)
    assert release.report["watched"][0]["what"] == "topics"


def test_groups_that_publish_nothing_change_what_t_compares_with() -> None:
    """Four groups of four, in which 0, 0, 3 and 3 persons have an ulcer: all are within 0.4 of the 6 in 16. The last
    has no word in common and is suppressed; then the third is 0.5 away from the 3 in 12, and must be merged."""
    words = [*["w0"] * 4, *["w1"] * 4, *["w2"] * 4, *(f"v{i}" for i in range(4))]
    ill = [*["flu"] * 8, *["flu", "ulcer", "ulcer", "ulcer"] * 2]
    columns = {"words": {"role": "quasi-identifier"}, "ill": ILL}
    frame = pl.DataFrame({"words": words, "ill": ill})
    free, kept = (
        taxonym.anonymize(frame, {"columns": columns, "method": {"k": 4, "seed": 1} | more})
        for more in ({}, {"t": 0.4})
    )
    for release, sizes in ((free, [4, 4, 4]), (kept, [4, 8])):
        left_out = release.private_report()["records"]["suppressed_persons"]
        assert left_out["no concept that enough persons share"] == sum(left_out.values()) == 4
        assert sorted(map(len, release.groups)) == sizes
    assert kept.private_report()["watched"][0]["largest_t"]["semantic"] == pytest.approx(1 / 4)


def test_groups_that_must_be_merged_are_merged_before_any_is_given_up() -> None:
    """Four persons with words of their own would be suppressed; among the others they need not be."""
    words, ill = [*["w0"] * 4, *(f"v{i}" for i in range(4))], ["flu"] * 4 + ["ulcer"] * 4
    columns = {"words": {"role": "quasi-identifier"}, "ill": ILL}
    release = taxonym.anonymize(
        pl.DataFrame({"words": words, "ill": ill}), {"columns": columns, "method": {"k": 4, "l": 2, "seed": 1}}
    )
    assert set(release.private_report()["records"]["suppressed_persons"].values()) == {0}
    assert list(map(len, release.groups)) == [8]


@pytest.mark.parametrize("method", [{"l": 2}, {"t": 0.2}])
def test_a_file_in_which_l_or_t_fail_never_gets_its_name(trees: dict[str, str], method: dict[str, Any]) -> None:
    """A row that goes over to the other class leaves three with one illness behind; k = 3 still holds."""
    likes = ["swimming"] * 4 + ["chess"] * 4
    frame = table(ill=["flu", "flu", "flu", "ulcer"] * 2).with_columns(likes=pl.Series(likes))
    release = taxonym.anonymize(frame, plan(trees, {"k": 3, **method}, ill=ILL | {"exact": True}))
    release.check(iter([release.frame]))
    cells = release.frame["likes"].to_list()
    moved = release.frame["ill"].to_list().index("ulcer")
    cells[moved] = ["chess"] if cells[moved] == ["swimming"] else ["swimming"]
    spoilt = release.frame.with_columns(pl.Series("likes", cells, pl.List(pl.String)))
    with pytest.raises(BrokenPromise, match=r"(l = 2|t = 0.2 .semantic.) in column 'ill' fails in 1 of 2 classes, so"):
        release.check(iter([spoilt]))


def test_other_methods_may_keep_promises_and_measure_them(trees: dict[str, str]) -> None:
    frame = table(ill=["flu"] * 4 + ["ulcer", "colic", "ulcer", "flu"])
    free, kept = (Plan.from_dict(plan(trees, method, ill=ILL)) for method in ({}, {"l": 2}))
    units = prepare(frame, kept)
    groups = formed(units, kept, Context(np.random.default_rng())).groups
    assert keep_promises(units, free, groups) is groups
    merged = keep_promises(units, kept, groups)
    assert len(merged) < len(groups)
    far = keep_promises(units, kept, groups, lambda some: np.ones((len(some), len(some))))
    assert sorted(u for group in far for u in group) == sorted(u for group in merged for u in group) == list(range(8))
    for some, least in ((groups, 1), (merged, 2)):
        unit = np.array([u for group in some for u in group])
        number = np.repeat(np.arange(len(some)), [len(group) for group in some])
        found = privacy_of_release(number, units, unit, free)["ill"]
        assert found["smallest_distinct_l"] == least
        assert [row["distinct_l"] for row in found["groups"]] == sorted(row["distinct_l"] for row in found["groups"])
        assert sum(row["size"] for row in found["groups"]) == 8
        assert "flu" not in str(found)
    assert (found["homogeneous_classes"], found["persons_in_homogeneous_classes"]) == (0, 0)


def test_the_medoid_of_a_group_is_its_member_nearest_to_all(trees: dict[str, str]) -> None:
    units = prepare(table(), Plan.from_dict(plan(trees, {})))
    read = Plan.from_dict(plan(trees, {}))
    parts, how = units.parts, read.method.compare
    groups = [[0, 1, 2, 5], [3, 4], [7, 6]]
    for group, found in zip(groups, medoids(parts, groups, how).tolist(), strict=True):
        sums = {i: sum(parts[0].distance(parts[0], i, j, how) for j in group) for i in sorted(group)}  # type: ignore[arg-type]
        assert found == min(sums, key=lambda i: round(sums[i], 9))
