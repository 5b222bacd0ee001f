"""Documents from files of every kind, from lists of files and from columns; broken ones give one clear line."""

import io
import sys
import zipfile
from pathlib import Path
from time import process_time

import polars as pl
import pytest

from taxonym.errors import BadInput, BadPlan, MissingExtra
from taxonym.plan.documents import Documents
from taxonym.shapes.documents import extract
from taxonym.shapes.documents.extract import text_of
from taxonym.shapes.documents.source import read_documents, read_stop_words
from tests import pace

SECRET = "Kowalska"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx(body: str, prolog: str = "", name: str = "word/document.xml") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, f"{prolog}<w:document {W}><w:body>{body}</w:body></w:document>")
    return buffer.getvalue()


def pdf(text: str) -> bytes:
    """The smallest PDF that shows a line of text."""
    shown = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(shown), shown),
    ]
    made, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 5\n0000000000 65535 f \n"
    return made + head + table + b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(made)


def written(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


KINDS: list[tuple[str, bytes | str, list[str]]] = [
    ("a.txt", "A dog and\na cat.\n", ["dog", "cat."]),
    ("utf16.txt", "A naïve dog".encode("utf-16"), ["naïve"]),
    ("bom.txt", b"\xef\xbb\xbfdog", ["dog"]),
    (
        "a.md",
        "# Dogs\n\n*A* dog [barks](http://x.y/cats) `loud`.\n\n```\ncode here\n```\n| cow | ox |\n",
        ["dog", "loud."],
    ),
    ("a.html", "<html><script>var cat;</script><p>Two <b>d</b>ogs<p>sleep &amp; eat</html>", ["dogs", "&"]),
    ("meta.htm", "<meta charset='latin-1'><p>na\xefve dog".encode("latin-1"), ["naïve"]),
    ("a.docx", docx("<w:p><w:r><w:t>A dog</w:t><w:br/><w:t>barks</w:t></w:r></w:p><w:p/>"), ["dog", "barks"]),
    ("a.pdf", pdf("A dog barks"), ["dog", "barks"]),
]


@pytest.mark.parametrize(("name", "data", "words"), KINDS, ids=[name for name, _, _ in KINDS])
def test_every_kind_of_file_gives_its_words(tmp_path: Path, name: str, data: bytes | str, words: list[str]) -> None:
    found = text_of(written(tmp_path, name, data)).split()
    assert set(words) <= set(found)


def test_what_no_reader_sees_is_no_text(tmp_path: Path) -> None:
    page = text_of(written(tmp_path, "a.html", KINDS[4][1]))
    assert "cat" not in page
    page = text_of(written(tmp_path, "a.md", KINDS[3][1]))
    assert "code" not in page
    assert "http" not in page
    deleted = docx("<w:p><w:del><w:r><w:delText>secret</w:delText></w:r></w:del><w:r><w:t>dog</w:t></w:r></w:p>")
    assert text_of(written(tmp_path, "a.docx", deleted)).split() == ["dog"]


def test_a_folder_may_mix_encodings_the_one_named_is_for_what_is_not_utf_8(tmp_path: Path) -> None:
    written(tmp_path, "new.txt", "naïve")
    written(tmp_path, "old.txt", "naïve".encode("cp1252"))
    assert text_of(tmp_path / "new.txt", "cp1252") == text_of(tmp_path / "old.txt", "cp1252") == "naïve"


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
BROKEN: list[tuple[str, bytes, str]] = [
    ("latin.txt", "Kowalska is naïve".encode("latin-1"), "line 1: is not utf-8 text"),
    ("nul.txt", b"Kowalska\0", "holds a NUL byte"),
    ("old.doc", b"Kowalska", "does not tell what kind of document"),
    ("half.docx", docx("<w:p><w:r><w:t>Kowalska</w:t></w:r></w:p>")[:-30], "not a sound DOCX file"),
    ("word.docx", b"Kowalska", "not a sound DOCX file"),
    ("sheet.docx", docx("Kowalska", name="xl/sheet.xml"), "is an archive, but no DOCX document"),
    ("xml.docx", docx("<w:p>Kowalska"), "is not well-formed XML"),
    ("bomb.docx", docx("<w:t>Kowalska &b;</w:t>", BOMB), "refused, because the entity"),
    ("deep.docx", docx("<w:p>" * 2000 + "Kowalska" + "</w:p>" * 2000), "nested more than"),
    ("large.docx", docx(f"<w:t>{'Kowalska ' * 400}</w:t>"), "unpacks to more than"),
    ("half.pdf", pdf("Kowalska")[:120], "not a sound PDF file"),
    ("word.pdf", b"Kowalska", "not a sound PDF file"),
]


@pytest.mark.parametrize(("name", "data", "complaint"), BROKEN, ids=[name for name, _, _ in BROKEN])
def test_a_broken_or_hostile_file_gives_one_line_that_names_it_and_nothing_that_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], name, data, complaint
) -> None:
    if name == "large.docx":
        monkeypatch.setattr(extract, "LARGEST", 2000)
    path = written(tmp_path, name, data)
    with pytest.raises(BadInput) as told:
        text_of(path)
    message = str(told.value)
    assert str(path) in message
    assert complaint in message
    assert "\n" not in message
    assert SECRET not in message
    assert capfd.readouterr() == ("", "")


def test_a_document_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extract, "LARGEST", 10)
    with pytest.raises(BadInput, match="larger than"):
        text_of(written(tmp_path, "a.txt", "Kowalska again"))


def test_pdf_without_its_library_says_which_extra_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(MissingExtra, match="taxonym\\[documents\\]"):
        text_of(written(tmp_path, "a.pdf", pdf("x")))


# ---------------------------------------------------------------------- many documents


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("anna/a.txt", "anna/b.md", "bert/deep/c.html", "bert/.hidden/d.txt", "bert/e.csv"):
        written(tmp_path / "docs", name, name)
    return tmp_path / "docs"


def test_a_folder_gives_its_documents_by_name_and_counts_what_is_none(folder: Path) -> None:
    found = read_documents(folder, Documents())
    assert found.names == ["anna/a.txt", "anna/b.md", "bert/deep/c.html"]
    assert found.authors is None
    assert found.notes == ["Files in the folder that are not documents that were asked for were left out."]


def test_the_folders_in_a_folder_may_be_its_authors_and_patterns_choose_files(folder: Path) -> None:
    assert read_documents(folder, Documents(author="folder")).authors == ["anna", "anna", "bert"]
    assert read_documents(folder, Documents(classes="folder")).classes == ["anna", "anna", "bert"]
    assert read_documents(folder, Documents(files=("*.md", "bert/*"))).names == ["anna/b.md", "bert/deep/c.html"]
    written(folder, "alone.txt", "x")
    with pytest.raises(BadInput, match="lies in no folder of its own"):
        read_documents(folder, Documents(author="folder"))


def test_a_table_may_list_files_beside_it_with_their_authors(folder: Path) -> None:
    listed = written(folder, "list.csv", "file,who\nanna/a.txt,7\nbert/deep/c.html,8\n")
    found = read_documents(listed, Documents(), "who")
    assert [text.strip() for text in found.texts] == ["anna/a.txt", "bert/deep/c.html"]
    assert found.authors == ["7", "8"]
    written(folder, "list.csv", "file,who\nanna/a.txt,7\nKowalska.txt,8\n")
    with pytest.raises(BadInput, match=r"column 'file': row 2: names no document") as told:
        read_documents(listed, Documents())
    assert SECRET not in str(told.value)


def test_a_column_of_a_table_may_hold_the_texts() -> None:
    frame = pl.DataFrame({"body": ["a dog", None], "who": ["x", "y"], "topic": ["pets", "cars"]})
    found = read_documents(frame, Documents(text="body", classes="topic"), "who")
    assert found.texts == ["a dog", ""]
    assert (found.authors, found.classes, found.names) == (["x", "y"], ["pets", "cars"], ["row 1", "row 2"])
    with pytest.raises(BadInput, match="has no column 'file' or 'text'"):
        read_documents(frame, Documents())
    with pytest.raises(BadInput, match="has no column 'nobody'"):
        read_documents(frame, Documents(text="body"), "nobody")
    blanks = pl.DataFrame({"text": ["a", "b"], "who": ["Ann Lee", " Ann  Lee\u00a0"]})
    assert read_documents(blanks, Documents(), "who").authors == ["Ann Lee", "Ann Lee"]
    with pytest.raises(BadInput, match="no such file or folder"):
        read_documents("nowhere", Documents())
    with pytest.raises(BadInput, match="row 2: does not say whose document it is"):
        read_documents(frame.with_columns(who=pl.Series(["x", None])), Documents(text="body"), "who")


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"terms": 0}, "documents.terms: must be at least 1"),
        ({"cover": 0.0}, "documents.cover: must lie above 0"),
        ({"senses": "best_pair"}, "Did you mean 'best-pair'"),
        ({"measure": "wupalmer"}, "Did you mean 'wu-palmer'"),
        ({"author": "column"}, "documents.author"),
        ({"taxonomy": ()}, "documents.taxonomy"),
        ({"parts": ("x",)}, "documents.parts"),
        ({"file": "a", "text": "b"}, "documents.text"),
        ({"layout": "rows"}, "documents.layout"),
        ({"terms": "many"}, "documents.terms: must be a whole number"),
    ],
)
def test_a_wrong_setting_is_named(settings, complaint) -> None:
    with pytest.raises(BadPlan) as told:
        Documents(**settings)
    assert complaint in str(told.value)


def test_settings_that_do_not_fit_the_input_are_refused(folder: Path) -> None:
    for how, person, complaint in (
        (Documents(text="a"), None, "documents.text: a folder has no columns"),
        (Documents(classes="topic"), None, "documents.classes: a folder has no columns"),
        (Documents(), "who", "input.person: a folder has no columns"),
    ):
        with pytest.raises(BadPlan, match=complaint):
            read_documents(folder, how, person)
    with pytest.raises(BadPlan, match=r"documents\.author: only a folder"):
        read_documents(pl.DataFrame({"text": ["a"]}), Documents(author="folder"))
    with pytest.raises(BadInput, match="is the name of one document"):
        read_documents(folder / "anna" / "b.md", Documents())
    with pytest.raises(BadInput, match=r"nowhere\.txt: cannot be read"):
        read_documents(folder / "nowhere.txt", Documents())
    (folder / "empty").mkdir()
    with pytest.raises(BadInput, match="has no documents"):
        read_documents(folder / "empty", Documents())


def test_stop_words_come_from_a_file_with_comments(tmp_path: Path) -> None:
    path = written(tmp_path, "stop.txt", "Dog cat # pets\n\ncow\n")
    assert read_stop_words(path) == {"dog", "cat", "cow"}
    with pytest.raises(BadPlan, match=r"documents\.stop_words"):
        read_stop_words(tmp_path / "none.txt")


HALVES = ["<", "<!--", "<a b='", "<script>", "&#", "[", "`", "```\n", "[a](", "* ", "| ", "\n"]


@pytest.mark.parametrize("half", HALVES)
def test_markup_that_is_never_closed_takes_time_in_proportion_to_its_length(tmp_path: Path, half: str) -> None:
    for name in ("a.html", "a.md"):
        path = written(tmp_path, name, half * 100_000)
        begun = process_time()
        text_of(path)
        assert process_time() - begun < pace.seconds(2)  # what is quadratic takes a minute
