"""Whatever a file holds, a draft is a plan."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym.drafting import draft_plan
from taxonym.errors import BadInput
from taxonym.plan import Plan
from taxonym.records.table import Table

HEADERS = ["age", "sex", "state", "dob", "country", "q", "name", "when", "user_id", "zip", "langs", "x y", "é"]
POOLS = [
    ["M", "F", "NA", "?"], ["CA", "TX", "NY", "n/a"], ["20", "31", "1,5", "-3", "2e5", "007", "NA", "-"],
    ["1980-01-01", "31.12.1980", "01/02/1999", "null", "5"], ["18-24", "25-34", "65+", "<18", "dog"],
    ["dog", "cat", "horse", "cow"],
    ["a;b", "b;c", "a", "c|d", "x/y,z"], ["", " ", "\u00a0", '"', "=1+1", "\u2028", "ß", "İ", "*", "."],
]  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(st.sampled_from(HEADERS), st.sampled_from(POOLS), min_size=1, max_size=4),
    st.integers(1, 40),
    st.data(),
)
def test_whatever_a_file_holds_its_draft_is_a_plan_by_which_it_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, pools: dict[str, list[str]], rows: int, data: st.DataObject
) -> None:
    frame = pl.DataFrame(
        {name: data.draw(st.lists(st.sampled_from(pool), min_size=rows, max_size=rows)) for name, pool in pools.items()}
    )
    path = tmp_path_factory.mktemp("any") / "x.parquet"
    frame.write_parquet(path)
    (path.parent / "pets.csv").write_text("child,parent\ndog,pet\ncat,pet\nhorse,animal\npet,animal\n")
    try:
        draft = draft_plan(path, [str(path.parent / "pets.csv")])
    except BadInput:
        return  # no column can be masked
    plan = Plan.from_dict(draft.plan)
    table = Table.of(path, plan.columns, person=plan.input.person, missing=plan.input.missing)
    assert len(table) >= 1
    assert len(draft.columns) == len(pools) - (plan.input.person is not None)
