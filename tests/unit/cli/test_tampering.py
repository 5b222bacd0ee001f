"""Ways of changing a release, and what it takes to see each: the file with its plan, the original, or the run's trail.

    file       refused from the release and its plan alone
    original   refused with the original and a trail that does not know the release's fingerprint, as older ones
    run        true of its members and in the one form of a file: says less, or the same; only the fingerprint tells

Whoever sees more refuses whatever one who sees less does.
"""

import csv
import gzip
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq
import pytest

from tests.unit.cli.common import SPORTS, run

LEVELS = ("file", "original", "run")
EDGES = "child,parent\n" + "".join(
    f"{c},{p}\n" for c, p in [*SPORTS, ("water sports", "sports"), ("board games", "sports")]
)
TABLE = """
[input]
person = "who"
[columns.likes]
role = "quasi-identifier"
kind = "set"
taxonomy = "sports.csv"
[columns.born]
role = "quasi-identifier"
kind = "number"
[columns.town]
role = "other"
[columns.pay]
role = "confidential"
kind = "number"
[columns.note]
role = "confidential"
[method]
k = 3
seed = 7
"""
QUERIES = (
    '[querylog]\ntaxonomy = "sports.csv"\ntopics_file = "topics.toml"\n[method]\nk = 3\nseed = 7\ntopics = "all"\n'
)
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0"
TEXTS = [
    "swimming and sailing",
    "sailing, swimming",
    "a swimming pool, sailing",
    "chess and go",
    "go, chess",
    "go chess",
]
# what is released, its original, its plan, and more options of the run
SHAPES = {
    "csv": ("out.csv", "in.csv", "table.toml"),
    "tsv": ("out.tsv.gz", "in.csv", "table.toml"),
    "jsonl": ("out.jsonl", "in.csv", "table.toml"),
    "parquet": ("out.parquet", "in.csv", "table.toml"),
    "queries": ("queries.tsv", "asked.tsv", "queries.toml"),
    "access": ("out.log", "in.log", "access.toml"),
    "documents": ("documents.csv", "texts.csv", "documents.toml"),
}


def _inputs(folder: Path) -> None:
    (folder / "sports.csv").write_text(EDGES)
    (folder / "topics.toml").write_text('[topics.games]\nconcepts = ["board games"]\n')
    rows = ["who,likes,born,town,pay,note"]
    for i in range(24):
        wet = i % 2
        likes = ["swimming", "sailing;swimming"][i % 3 == 0] if wet else ["chess;go", "chess"][i % 3 == 0]
        born = (1950 if wet else 1980) + i // 2 % 4
        rows.append(
            f"Kowalska{i},{likes},{born},{['Brno', 'Łódź'][wet]},{[3, 4.5][i % 4 // 2]},{['fièvre', 'x'][i % 4 // 2]}"
        )
    (folder / "in.csv").write_text("\n".join(rows) + "\n")
    (folder / "table.toml").write_text(TABLE)
    lines = ["AnonID\tQuery"]
    for i in range(12):
        lines += [f"Kowalska{i}\t{query}" for query in (("swimming pool", "swimming") if i % 2 else ("chess", "go"))]
    (folder / "asked.tsv").write_text("\n".join(lines) + "\n")
    (folder / "queries.toml").write_text(QUERIES)
    clicks = []
    for i in range(12):
        path, host = ("/pool/open", "192.0.2") if i % 2 else ("/mate/in/two", "198.51.100")
        when = f"02/Mar/2026:10:{i % 2 * 30 + i:02}:11 +0000"
        clicks.append(f'{host}.{i + 1} - - [{when}] "GET {path} HTTP/1.1" 200 100 "-" "{FIREFOX}"')
    (folder / "in.log").write_text("\n".join(clicks) + "\n")
    (folder / "access.toml").write_text("[accesslog]\n[method]\nk = 3\nseed = 7\nknown_items = 1\n")
    (folder / "texts.csv").write_text("text\n" + "".join(f'"{text}"\n' for text in TEXTS * 2))
    (folder / "documents.toml").write_text('[documents]\ntaxonomy = "sports.csv"\n[method]\nk = 3\nseed = 7\n')


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a release of every shape; beside each trail one that does not know the release's fingerprint."""
    from taxonym.cli import main

    folder = tmp_path_factory.mktemp("releases")
    _inputs(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for shape, (out, original, plan) in SHAPES.items():
            options = ("--plan", plan, "--trail", f"{shape}.trail", "--no-baselines")
            assert main(["anonymize", original, "-o", out, *options]) == 0
            head, *lines = (folder / f"{shape}.trail").read_text().splitlines()
            told = json.loads(head)
            assert len(told.pop("release_sha256")) == 64
            (folder / f"{shape}.older").write_text("\n".join([json.dumps(told), *lines, ""]))
    return folder


@pytest.fixture
def here(releases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy to spoil."""
    shutil.copytree(releases, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy"


def seen(capsys: pytest.CaptureFixture[str], shape: str) -> str | None:
    """The least that sees that something is wrong; None if nobody does."""
    out, original, plan = SHAPES[shape]
    ways = {
        "file": (),
        "original": ("--original", original, "--trail", f"{shape}.older"),
        "run": ("--original", original, "--trail", f"{shape}.trail"),
    }
    codes = {}
    for level, more in ways.items():
        code, told, err = run(capsys, "verify", out, "--plan", plan, *more)
        codes[level] = code
        assert code in (0, 1, 2)
        assert not any(word in told + err for word in ("Kowalska", "our fault", "Traceback"))
    found = [level for level in LEVELS if codes[level]]
    assert found == list(LEVELS[LEVELS.index(found[0]) :]) if found else True, codes
    return found[0] if found else None


@pytest.mark.parametrize("shape", SHAPES)
def test_a_release_as_it_was_written_is_accepted(capsys: pytest.CaptureFixture[str], here: Path, shape: str) -> None:
    assert seen(capsys, shape) is None


# ---------------------------------------------------------------------- how a file is spoilt

Spoil = Callable[[bytes], bytes]


def text(change: Callable[[str], str]) -> Spoil:
    return lambda data: change(data.decode()).encode()


def lines(change: Callable[[list[str]], list[str]]) -> Spoil:
    return text(lambda whole: "".join(change(whole.splitlines(keepends=True))))


def rows(change: Callable[[list[list[str]]], object], resorted: bool = False, delimiter: str = ",") -> Spoil:
    """Change the rows of a text table, header apart, and write them as it was."""

    def changed(whole: str) -> str:
        head, *cells = csv.reader(io.StringIO(whole), delimiter=delimiter)
        change(cells)
        out = io.StringIO()
        csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows([head, *cells])
        return out.getvalue()

    return text(changed)


def in_class(column: int, new: Callable[[str], str], which: int = 0) -> Spoil:
    """Change a cell in all rows of a class, the first or the last of the file."""

    def change(cells: list[list[str]]) -> None:
        mine = cells[-which][:3]
        for row in cells:
            if row[:3] == mine:
                row[column] = new(row[column])

    return rows(change)


def swap(a: int, b: int) -> Callable[[list[str]], list[str]]:
    def change(whole: list[str]) -> list[str]:
        whole[a], whole[b] = whole[b], whole[a]
        return whole

    return change


def words_swapped(cells: list[list[str]]) -> None:
    """The first and the last class get each other's words."""
    first, last = cells[0][0], cells[-1][0]
    for row in cells:
        row[0] = {first: last, last: first}.get(row[0], row[0])


def gzipped(data: bytes, name: str = "", time: int = 0) -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile(filename=name, fileobj=out, mode="wb", mtime=time) as archive:
        archive.write(gzip.decompress(data))
    return out.getvalue()


def in_two_parts(data: bytes) -> bytes:
    plain = gzip.decompress(data)
    return gzip.compress(plain[:50], mtime=0) + gzip.compress(plain[50:], mtime=0)


def parquet(change: Callable[[pl.DataFrame], pl.DataFrame] = lambda frame: frame, **how: object) -> Spoil:
    def changed(data: bytes) -> bytes:
        out = io.BytesIO()
        change(pl.read_parquet(io.BytesIO(data))).write_parquet(out, **how)  # type: ignore[arg-type]
        return out.getvalue()

    return changed


def with_metadata(data: bytes) -> bytes:
    table = pq.read_table(io.BytesIO(data))
    out = io.BytesIO()
    pq.write_table(table.replace_schema_metadata({"mark": "7"}), out)
    return out.getvalue()


def objects(change: Callable[[list[dict[str, object]]], object], **how: object) -> Spoil:
    def changed(whole: str) -> str:
        made = [json.loads(line) for line in whole.splitlines()]
        change(made)
        style = {"ensure_ascii": False, "separators": (",", ":"), **how}
        return "".join(json.dumps(one, **style) + "\n" for one in made)  # type: ignore[arg-type]

    return text(changed)


def nothing(_: object) -> None:
    return None


TAMPERING: list[tuple[str, str, Spoil, str]] = [
    # the file as such
    ("csv", "a mark of byte order", lambda d: b"\xef\xbb\xbf" + d, "file"),
    ("csv", "other line ends", lambda d: d.replace(b"\n", b"\r\n"), "file"),
    ("csv", "one other line end", lambda d: d.replace(b"\n", b"\r\n", 2).replace(b"\r\n", b"\n", 1), "file"),
    ("csv", "a blank line inside", lines(lambda w: [*w[:3], "\n", *w[3:]]), "file"),
    ("csv", "a blank line at the end", lambda d: d + b"\n", "file"),
    ("csv", "no line end at the end", lambda d: d[:-1], "file"),
    ("csv", "a comment", lambda d: d + b"# 7\n", "file"),
    ("csv", "quotes that nobody needs in one line",
     lines(lambda w: [*w[:2], f'"{w[2].partition(",")[0]}",{w[2].partition(",")[2]}', *w[3:]]), "file"),
    ("csv", "quotes around a name", text(lambda w: w.replace("likes", '"likes"', 1)), "file"),
    ("csv", "a blank before a name", text(lambda w: w.replace(",town", ", town", 1)), "file"),
    ("csv", "another delimiter", lambda d: d.replace(b";", b"|").replace(b",", b";"), "file"),
    ("csv", "another encoding", lambda d: d.decode().encode("utf-16"), "file"),
    ("csv", "packed, though its name does not say so", lambda d: gzip.compress(d, mtime=0), "file"),
    ("csv", "columns in another order", rows(lambda c: [row.reverse() for row in c]), "file"),
    ("csv", "one more column",
     lines(lambda w: [f"{line[:-1]},{'mark' if not i else 7}\n" for i, line in enumerate(w)]), "file"),
    ("csv", "one column fewer", lines(lambda w: [line.rpartition(",")[0] + "\n" for line in w]), "file"),
    # rows and items in another order
    ("csv", "two rows of different classes swapped", lines(swap(1, -1)), "file"),
    ("csv", "items in another order",
     rows(lambda c: [r.__setitem__(0, "go;chess") for r in c if r[0] == "chess;go"]), "file"),
    ("csv", "an item twice", in_class(0, lambda c: f"{c};{c.split(';')[-1]}"), "file"),
    ("csv", "a separator at the end", in_class(0, lambda c: f"{c};"), "file"),
    ("csv", "blanks between items", in_class(0, lambda c: f"{c}; tennis"), "file"),
    # text that looks like what it was
    ("csv", "a no-break space in a whole class", in_class(2, lambda c: f"{c}\u00a0"), "file"),
    ("csv", "a blank at the end of a cell", rows(lambda c: c[3].__setitem__(4, c[3][4] + " ")), "file"),
    ("csv", "two blanks between words", rows(lambda c: c[-1].__setitem__(4, "x  x")), "file"),
    ("csv", "a zero-width space", in_class(2, lambda c: f"{c[:1]}\u200b{c[1:]}"), "file"),
    ("csv", "a variation selector", in_class(2, lambda c: f"{c}\ufe0f"), "file"),
    ("csv", "a tag character", in_class(2, lambda c: f"{c}\U000e0041"), "file"),
    ("csv", "a soft hyphen", in_class(2, lambda c: f"{c[:1]}\u00ad{c[1:]}"), "file"),
    ("csv", "a control character", in_class(2, lambda c: f"{c}\x07"), "file"),
    ("csv", "accents apart from their letters", text(lambda w: w.replace("è", "e\u0300")), "file"),
    ("csv", "large letters in a whole class", in_class(2, str.upper), "original"),
    ("csv", "a letter that looks alike", in_class(0, lambda c: c.replace("s", "\u0455"), 1), "original"),
    # numbers
    ("csv", "a number with more digits", text(lambda w: w.replace(",3.0,", ",3.00,", 1)), "file"),
    ("csv", "a number with fewer digits", text(lambda w: w.replace(",3.0,", ",3,", 1)), "file"),
    ("csv", "a number with a sign", text(lambda w: w.replace(",3.0,", ",+3.0,", 1)), "file"),
    ("csv", "a number with an exponent", text(lambda w: w.replace(",3.0,", ",3e0,", 1)), "file"),
    ("csv", "a number with a zero before", text(lambda w: w.replace(",3.0,", ",03.0,", 1)), "file"),
    ("csv", "a blank behind a number", text(lambda w: w.replace(",3.0,", ",3.0 ,", 1)), "file"),
    ("csv", "minus zero", rows(lambda c: c[0].__setitem__(3, "-0.0")), "file"),
    ("csv", "a number that is none", rows(lambda c: c[0].__setitem__(3, "nan")), "file"),
    # what is said
    ("csv", "a class with a year that nobody has", in_class(1, lambda _: "1234567", 1), "file"),
    ("csv", "a class with the year of one member", in_class(1, lambda _: "1983", 1), "file"),
    ("csv", "a class with the words of another", rows(words_swapped), "file"),
    ("csv", "a class with a word of others", text(lambda w: w.replace("sailing;swimming", "go")), "original"),
    ("csv", "a word that nobody wrote", in_class(0, lambda c: f"{c};tennis", 1), "original"),
    ("csv", "a concept that no member holds", in_class(0, lambda _: "board games;sailing"), "original"),
    ("csv", "a class in another town", in_class(2, lambda _: "Aš"), "original"),
    ("csv", "another confidential number", rows(lambda c: c[-1].__setitem__(3, "5.5")), "original"),
    ("csv", "another confidential text", rows(lambda c: c[-1].__setitem__(4, "y")), "original"),
    ("csv", "an empty confidential cell", rows(lambda c: c[0].__setitem__(4, "")), "original"),
    ("csv", "a row fewer", lines(lambda w: [*w[:6], *w[7:]]), "original"),
    ("csv", "a class of fewer than k", lines(lambda w: w[:-1]), "file"),
    ("csv", "a row more", lines(lambda w: [*w, w[-1]]), "original"),
    ("csv", "a class without its town", in_class(2, lambda _: ""), "run"),
    ("csv", "a word raised to what lies above it", in_class(0, lambda _: "board games"), "run"),
    # packed
    ("tsv", "a name inside", lambda d: gzipped(d, name="mark"), "file"),
    ("tsv", "a time inside", lambda d: gzipped(d, time=7), "file"),
    ("tsv", "two parts", in_two_parts, "file"),
    ("tsv", "a blank line inside the packed file",
     lambda d: gzipped(gzip.compress(gzip.decompress(d) + b"\n")), "file"),
    # JSON lines
    ("jsonl", "blanks inside", objects(nothing, separators=(", ", ": ")), "file"),
    ("jsonl", "characters written as numbers", objects(nothing, ensure_ascii=True), "file"),
    ("jsonl", "keys in another order in one line",
     objects(lambda o: o.__setitem__(3, dict(reversed(o[3].items())))), "file"),
    ("jsonl", "one more key", objects(lambda o: o[0].__setitem__("mark", None)), "file"),
    ("jsonl", "a key twice", text(lambda w: w.replace('"town"', '"pay":7,"town"', 1)), "file"),
    ("jsonl", "a whole number where others have a point", text(lambda w: w.replace(":3.0", ":3", 1)), "file"),
    ("jsonl", "an empty list", objects(lambda o: o[0].__setitem__("likes", [])), "file"),
    ("jsonl", "a number as text", objects(lambda o: o[0].__setitem__("pay", "3.0")), "file"),
    ("jsonl", "other line ends", lambda d: d.replace(b"\n", b"\r\n"), "file"),
    ("jsonl", "items in another order", objects(lambda o: o[0].__setitem__("likes", ["go", "chess"])), "file"),
    # Parquet
    ("parquet", "foreign metadata", with_metadata, "file"),
    ("parquet", "other groups of rows", parquet(row_group_size=5), "file"),
    ("parquet", "other compression", parquet(compression="snappy"), "file"),
    ("parquet", "no statistics", parquet(statistics=False), "file"),
    ("parquet", "columns in another order", parquet(lambda f: f.select(f.columns[::-1])), "file"),
    ("parquet", "rows in another order", parquet(lambda f: f.reverse()), "file"),
    ("parquet", "categories instead of texts", parquet(lambda f: f.cast({"town": pl.Categorical})), "file"),
    ("parquet", "shorter numbers", parquet(lambda f: f.cast({"pay": pl.Float32})), "original"),
    ("parquet", "minus zero", parquet(lambda f: f.with_columns(pay=-0.0 * pl.col("pay"))), "file"),
    ("parquet", "an empty list", parquet(lambda f: f.with_columns(likes=pl.col("likes").list.head(0))), "file"),
    ("parquet", "items in another order",
     parquet(lambda f: f.with_columns(likes=pl.concat_list("likes", pl.lit("aa")))), "file"),
    ("parquet", "another confidential number", parquet(lambda f: f.with_columns(pay=pl.col("pay") * 2)), "original"),
    ("parquet", "something behind its end", lambda d: d + b"mark", "file"),
    # query logs
    ("queries", "a line at another place", lines(swap(1, 2)), "file"),
    ("queries", "users in another order", rows(lambda c: c.reverse(), delimiter="\t"), "file"),
    ("queries", "a blank at the end of a line", lines(lambda w: [*w[:2], w[2][:-1] + " \n", *w[3:]]), "file"),
    ("queries", "a user by another name",
     text(lambda w: w.replace(w.splitlines()[1].split("\t")[0], "000000000007")), "file"),
    ("queries", "a user by another number",
     rows(lambda c: [r.__setitem__(0, "999999999999") for r in c if r[0] == c[-1][0]][:0], delimiter="\t"), "run"),
    ("queries", "another word for a whole class",
     text(lambda w: w.replace("swimming pool", "swimming pools")), "original"),
    ("queries", "a class with the lines of another",
     text(lambda w: w.replace("swimming\tquery", "go\tquery")), "original"),
    ("queries", "what lies behind a topic",
     text(lambda w: w.replace("board games\tconcept", "chess\tquery")), "original"),
    # access logs
    ("access", "a mark of byte order", lambda d: b"\xef\xbb\xbf" + d, "file"),
    ("access", "a blank line inside", lines(lambda w: [*w[:3], "\n", *w[3:]]), "file"),
    ("access", "one other line end", lambda d: d.replace(b"\n", b"\r\n", 1), "file"),
    ("access", "an ident", lambda d: d.replace(b" - - ", b" 7 - "), "file"),
    ("access", "a user", lambda d: d.replace(b" - - ", b" - s000007 "), "file"),
    ("access", "lines in another order", lines(lambda w: w[::-1]), "file"),
    ("access", "a class at another time",
     text(lambda w: w.replace(w.splitlines()[-1][15:35], "02/Mar/2026:10:59:00")), "file"),
    ("access", "a class with the page of another", lambda d: d.replace(b"/pool/open", b"/mate/in/two"), "original"),
    ("access", "an agent in large letters", lambda d: d.replace(b"Mozilla", b"MOZILLA"), "original"),
    ("access", "a line more", lines(lambda w: [*w, w[-1]]), "original"),
    # documents
    ("documents", "a weight with more digits", text(lambda w: w.replace("0.5\n", "0.50\n", 1)), "file"),
    ("documents", "a weight that is not rounded", text(lambda w: w.replace("0.5\n", "0.51\n")), "file"),
    ("documents", "terms in another order", lines(swap(1, 2)), "file"),
    ("documents", "another weight for a whole class",
     text(lambda w: w.replace("sailing,0.5\n", "sailing,1.0\n")), "original"),
    ("documents", "a number left out", text(lambda w: w.replace("\n12,", "\n13,")), "file"),
    ("documents", "a class with another vector", text(lambda w: w.replace("swimming,", "water sports,")), "original"),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "how", "spoil", "level"), TAMPERING, ids=[f"{s}: {h}" for s, h, _, _ in TAMPERING])
def test_what_was_changed_is_seen(
    capsys: pytest.CaptureFixture[str], here: Path, shape: str, how: str, spoil: Spoil, level: str
) -> None:
    path = here / SHAPES[shape][0]
    before = path.read_bytes()
    after = spoil(before)
    assert after != before, "the release was not changed at all"
    path.write_bytes(after)
    (here / f"{path.name}.codebook.csv").unlink(missing_ok=True)  # who changes a release does not leave it there
    assert seen(capsys, shape) == level


# ---------------------------------------------------------------------- another original, plan or trail


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_lines(path: Path, told: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(one) + "\n" for one in told))


def refused(capsys: pytest.CaptureFixture[str], shape: str, *more: str) -> str:
    """What is said about a release whose trail is `trail`; it must not be accepted."""
    out, original, _ = SHAPES[shape]
    code, told, err = run(capsys, "verify", out, "-k", "3", "--original", original, "--trail", "trail", *more)
    assert code in (1, 2)
    assert "Kowalska" not in told + err
    return told + err


@pytest.mark.parametrize("shape", ["csv", "queries", "access", "documents"])
def test_an_original_that_was_changed_since_is_refused(
    capsys: pytest.CaptureFixture[str], here: Path, shape: str
) -> None:
    """By its fingerprint; and where an old trail has none, because the trail does not tell of its last line."""
    original, trail = here / SHAPES[shape][1], lines_of(here / f"{shape}.older")
    original.write_text("".join([*(text := original.read_text().splitlines(keepends=True)), text[-1]]))
    if shape == "csv":
        original.write_text(original.read_text().replace(text[-1], text[-1].replace("Kowalska", "Nowak"), 1))
    write_lines(here / "trail", trail)
    assert "the original was changed" in refused(capsys, shape)
    trail[0]["input_fingerprint"] = None
    write_lines(here / "trail", trail)
    if shape != "documents":
        assert "belongs to another original: it has other" in refused(capsys, shape)


def test_a_plan_that_is_not_that_of_the_run_is_refused(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    shutil.copy("csv.trail", "trail")
    whole = (here / "table.toml").read_text()
    for old, new, table in [
        ('role = "other"', 'role = "confidential"', "columns"),
        ('person = "who"', 'person = "who"\nperson_rows = "keep"', "input"),
    ]:
        (here / "other.toml").write_text(whole.replace(old, new))
        told = refused(capsys, "csv", "--plan", "other.toml")
        assert f"its run had another plan: the table [{table}] differs" in told
    assert "another plan: the table [querylog] differs" in refused(capsys, "csv", "--plan", "queries.toml")


def test_a_trail_of_another_run_of_the_same_plan_is_refused(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    options = ("--plan", "table.toml", "--trail", "trail", "--no-baselines", "-k", "6")
    assert run(capsys, "anonymize", "in.csv", "-o", "again.csv", *options)[0] == 0
    assert "or one belongs to another run" in refused(capsys, "csv")
    shutil.copy("again.csv", "out.csv")
    shutil.copy("csv.trail", "trail")
    assert "or one belongs to another run" in refused(capsys, "csv")


@pytest.mark.parametrize("command", ["loss", "risk"])
def test_figures_by_the_trail_of_another_run_or_of_another_original_are_refused(
    capsys: pytest.CaptureFixture[str], here: Path, command: str
) -> None:
    """Paired by chance, a release would look safer than it is."""
    release, original, _ = SHAPES["csv"][:3]
    given = (release, "--plan", "table.toml", "--trail")
    assert run(capsys, command, original, *given, "csv.trail")[0] == 0
    options = ("--plan", "table.toml", "--trail", "trail", "--no-baselines", "-k", "6")
    assert run(capsys, "anonymize", original, "-o", "again.csv", *options)[0] == 0
    code, _, err = run(capsys, command, original, *given, "trail")
    assert (code, "is not the file that the run of the trail wrote" in err) == (2, True)
    lines = Path(original).read_text().splitlines(keepends=True)
    Path("turned.csv").write_text("".join([lines[0], *reversed(lines[1:])]))
    code, _, err = run(capsys, command, "turned.csv", *given, "csv.trail")
    assert (code, "belongs to another original" in err) == (2, True)


def row_twice(told: list[dict[str, Any]]) -> None:
    told[2]["release_row"] = told[1]["release_row"]


def another_person(told: list[dict[str, Any]]) -> None:
    told[1]["person"], told[2]["person"] = told[2]["person"], told[1]["person"]


def other_rows(told: list[dict[str, Any]]) -> None:
    told[1]["rows"] = [*told[1]["rows"], 2]


def one_group(told: list[dict[str, Any]]) -> None:
    for line in told[1:]:
        line["group"] = 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (row_twice, "it tells twice whose row"),
        (another_person, "its records are other persons'"),
        (other_rows, "it has other records"),
        (one_group, "1 groups of the trail are not published alike"),
    ],
)
def test_a_trail_that_was_changed_is_refused(
    capsys: pytest.CaptureFixture[str], here: Path, change: Callable[[list[dict[str, Any]]], None], said: str
) -> None:
    trail = lines_of(here / "csv.trail")
    change(trail)
    write_lines(here / "trail", trail)
    assert said in refused(capsys, "csv")


def test_a_kind_that_is_not_the_plans_is_refused(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    code, _, err = run(capsys, "verify", "out.csv", "--plan", "table.toml", "--kind", "querylog")
    assert (code, err) == (
        2, "taxonym: error: --kind: the plan is one of a table, not of a querylog. Leave --kind out.\n"
    )  # fmt: skip


def test_without_the_original_it_is_said_that_persons_were_not_counted(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    code, told, _ = run(capsys, "verify", "out.csv", "--plan", "table.toml")
    assert code == 0
    assert "has at least 3 rows" in told
    assert "Not checked without the original and the trail: persons, the support rule, l and t, " in told
    assert "Rows were counted, and a person may have several." in told
    code, told, _ = run(capsys, "verify", "out.csv", "--plan", "table.toml", "--json")
    assert (json.loads(told)["counted"], len(json.loads(told)["not_checked"])) == ("rows", 1)
    code, told, _ = run(capsys, "verify", "out.csv", "--original", "in.csv", "--trail", "csv.trail", "--json")
    assert (code, json.loads(told)["counted"], json.loads(told)["not_checked"]) == (0, "persons", [])
