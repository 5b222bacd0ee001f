import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan
from taxonym.text import bulk
from taxonym.text.bulk import map_column
from taxonym.text.finder import Finder
from taxonym.text.language import Language, lemma_list
from taxonym.text.senses import SENSES
from taxonym.text.tokens import tokenise
from taxonym.text.votes import learn_column

TEXTS = [
    "heart attack in women", "AC charger for an iPhone", None, "", "heart attack in women", "crane", "birds and herons",
    "iphone case", "bank of the river", "two glasses", "a bluetooth speaker",
]  # fmt: skip


class Watcher:
    def __init__(self) -> None:
        self.steps: list[tuple[str, int | None]] = []
        self.done = 0

    def start(self, what: str, total: int | None = None) -> None:
        self.steps.append((what, total))

    def advance(self, done: int = 1) -> None:
        self.done += done

    def finish(self) -> None:
        pass


def rows(finder: Finder, texts: list[str | None], **options: object) -> list[list[int]]:
    found = map_column(finder, texts, **options)  # type: ignore[arg-type]
    return [found[i] for i in range(len(found))]


@pytest.mark.parametrize("senses", SENSES)
def test_every_row_has_the_concepts_of_its_text(senses: str, wordnet: Taxonomy) -> None:
    finder = Finder(wordnet, senses=senses)
    cells = [[text] if text is not None else [] for text in TEXTS]
    finder = learn_column(finder, cells, range(len(cells)), entries=False)
    found = map_column(finder, TEXTS)
    assert len(found) == len(TEXTS)
    assert found.codes.dtype == np.int32
    for i, text in enumerate(TEXTS):
        assert found[i] == sorted({m.code for m in finder.find(text or "")})


def test_a_distinct_text_is_read_once(wordnet: Taxonomy, monkeypatch: pytest.MonkeyPatch) -> None:
    finder = Finder(wordnet)
    read: list[str] = []
    original = Finder.read
    monkeypatch.setattr(Finder, "read", lambda self, text: (read.append(text), original(self, text))[1])
    watcher = Watcher()
    map_column(finder, ["dog", "cat", "dog", None, "dog"], progress=watcher)
    assert read == ["dog", "cat"]
    assert watcher.steps == [("concepts", 2)]
    assert watcher.done == 2


def test_other_processes_find_the_same(wordnet: Taxonomy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "CHUNK_TEXTS", 3)
    finder = Finder(wordnet, senses="context", overrides={"crane": "crane.n.05"}, parts=("n", "v"))
    records = [i // 3 for i in range(len(TEXTS))]
    one = map_column(finder, TEXTS, records=records, workers=1, min_records=1)
    two = map_column(finder, TEXTS, records=records, workers=2, min_records=1)
    assert one.start.tolist() == two.start.tolist()
    assert one.codes.tolist() == two.codes.tolist()
    assert (one.coverage, one.unknown, one.rare) == (two.coverage, two.unknown, two.rare)


def test_senses_are_chosen_over_a_record(wordnet: Taxonomy) -> None:
    finder = Finder(wordnet, senses="context")
    bird, machine = wordnet.code("crane.n.05"), wordnet.code("crane.n.04")
    alone = rows(finder, ["crane", "birds and herons"])
    together = rows(finder, ["crane", "birds and herons", "crane"], records=["p", "p", "q"])
    assert bird not in alone[0]
    assert together[0] == [bird]
    assert together[2] == alone[0]
    assert machine not in together[0]


def test_the_order_of_the_texts_of_a_record_does_not_matter(wordnet: Taxonomy) -> None:
    finder = Finder(wordnet, senses="context")
    texts: list[str | None] = ["crane", "birds and herons", "bank", "river water", "bass"]
    records = [1, 1, 2, 2, 1]
    straight = rows(finder, texts, records=records)
    assert rows(finder, texts[::-1], records=records[::-1]) == straight[::-1]


def test_unknown_phrases_are_counted_by_records_and_rare_ones_kept_back(wordnet: Taxonomy) -> None:
    finder = Finder(wordnet)
    texts: list[str | None] = ["an iPhone", "iphone", "the iPhone", "my flurb"]
    found = map_column(finder, texts, records=[1, 1, 2, 3], min_records=2)
    assert found.unknown == [("iphone", 2)]
    assert found.rare == 1
    assert map_column(finder, texts).unknown == []  # five by default


def test_coverage_counts_rows(wordnet: Taxonomy) -> None:
    coverage = map_column(Finder(wordnet), ["dog and flurb", "dog and flurb", None, "flurb"]).coverage
    assert (coverage.texts, coverage.with_concept, coverage.phrases, coverage.known) == (4, 2, 5, 2)
    assert coverage.text_share == 0.5
    assert coverage.phrase_share == 0.4
    empty = map_column(Finder(wordnet), [])
    assert len(empty) == 0
    assert empty.coverage.text_share == empty.coverage.phrase_share == 0


def test_a_language_that_cannot_travel_is_mapped_here() -> None:
    language = Language(
        code="es", tokenise=tokenise, lemmas=lemma_list([("perros", "perro")]), tag=None,
        stop_words=frozenset(), auxiliaries=frozenset(),
    )  # fmt: skip
    tax = Taxonomy.from_edges([("perro", "animal")])
    assert rows(Finder(tax, language=language), ["perros"], workers=2) == [[tax.code("perro")]]


def test_wrong_arguments_are_named(wordnet: Taxonomy) -> None:
    finder = Finder(wordnet)
    with pytest.raises(BadPlan, match="records: there are 1 for 2 texts"):
        map_column(finder, ["a", "b"], records=[1])
    with pytest.raises(BadPlan, match="workers must be at least 1, got 0"):
        map_column(finder, ["a"], workers=0)


def test_long_texts_make_small_chunks() -> None:
    sizes = [len(chunk) for chunk in bulk._chunks(["x" * 150_000] * 3 + ["y"] * 5000)]
    assert sum(sizes) == 5003
    assert sizes[:2] == [1, 1]
    assert max(sizes) <= bulk.CHUNK_TEXTS
