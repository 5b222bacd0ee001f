"""Chapter 3.2 of NavarroArribas2010 on the example log."""

from taxonym.papers.navarro_arribas2010.querylog import reproduce


def test_what_the_chapter_says_of_query_logs_is_checked_and_what_is_not_so_is_said() -> None:
    found = {item.item: item for item in reproduce((3, 10), (2, 100))}
    assert found["Figure 3.6: the ten most frequent queries"].ours == "10 of 10 at k = 3, 10 of 10 at k = 10"
    consistent = {name.split(":")[0] for name, item in found.items() if item.verdict == "consistent"}
    assert {"Figure 3.6", "Figure 3.7", "Appendix A"} <= consistent
    assert found["Figure 3.8: Rand index over the number of clusters"].verdict == "consistent"
    assert found["Figure 3.8: what the Rand index says"].verdict == "not"
