"""The speller finds what reading all known words with the definition of the distance finds."""

from hypothesis import given
from hypothesis import strategies as st

from taxonym.text.spelling import SHORTEST, Speller, _core_distance, distance

# Few letters, so that words come out near each other.
few = st.text("abc", max_size=12)
words = st.one_of(few, st.text(max_size=6))


def nearest(word: str, keys: list[str], limit: int, often: dict[str, int]) -> str | None:
    """What `correct` promises, by its definition."""
    if word in keys:
        return word
    if len(word) < SHORTEST:
        return None
    ordered = sorted((distance(word, key), -often.get(key, 0), key) for key in keys)
    return ordered[0][2] if ordered and ordered[0][0] <= limit else None


@given(word=words, keys=st.lists(words, max_size=12), limit=st.sampled_from([1, 2]), data=st.data())
def test_the_index_misses_nothing_and_orders_as_promised(
    word: str, keys: list[str], limit: int, data: st.DataObject
) -> None:
    often = {key: data.draw(st.integers(0, 2)) for key in sorted(set(keys))}
    speller = Speller(keys, limit, lambda key: often[key])
    assert speller.correct(word) == nearest(word, keys, limit, often)


@given(key=st.text("abcde", min_size=5, max_size=14), limit=st.sampled_from([1, 2]), data=st.data())
def test_a_word_with_as_many_edits_as_allowed_is_always_mended(key: str, limit: int, data: st.DataObject) -> None:
    word = key
    for _ in range(limit):
        i = data.draw(st.integers(0, len(word) - 1))
        edit = data.draw(st.sampled_from(["delete", "insert", "replace", "swap"]))
        letter = data.draw(st.sampled_from("abcdexyz"))
        if edit == "delete":
            word = word[:i] + word[i + 1 :]
        elif edit == "insert":
            word = word[:i] + letter + word[i:]
        elif edit == "replace":
            word = word[:i] + letter + word[i + 1 :]
        else:
            word = word[:i] + word[i : i + 2][::-1] + word[i + 2 :]
    # An edit inside an earlier one may cost a third by this distance; and words under four letters stay.
    expected = key if distance(word, key) <= limit and (len(word) >= SHORTEST or word == key) else None
    assert Speller([key], limit).correct(word) == expected


@given(a=words, b=words)
def test_the_distance_is_symmetric_nought_only_on_itself_bounded_and_the_same_without_common_ends(
    a: str, b: str
) -> None:
    edits = distance(a, b)
    assert edits == distance(b, a) == _core_distance(a, b)
    assert (edits == 0) == (a == b)
    assert abs(len(a) - len(b)) <= edits <= max(len(a), len(b))
