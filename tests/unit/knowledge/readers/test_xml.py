"""XML from strangers: what is read, and what is refused before it can do harm."""

import gzip

import pytest

from taxonym.errors import BadTaxonomy
from taxonym.knowledge.readers import xml

LAUGHS = (
    "<!DOCTYPE a [\n"
    + '<!ENTITY l0 "ha">\n'
    + "\n".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    + "]>\n<a>&l9;</a>"
)


def read(tmp_path, content, *, texts=("a", "b"), name="file.xml"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(xml.events(path, texts=texts))


def texts(found):
    return [(event.tag, event.text) for event in found if event.attributes is None]


def test_events_carry_attributes_text_and_line(tmp_path):
    found = read(tmp_path, '<a x="1">one\n<b>two</b>\nthree</a>')
    assert found[0] == xml.Event("a", {"x": "1"}, "", 1)
    assert texts(found) == [("b", "two"), ("a", "one\n\nthree")]
    assert [event.line for event in found] == [1, 2, 2, 3]


def test_text_is_kept_only_of_the_elements_that_are_asked_for(tmp_path):
    assert texts(read(tmp_path, "<a>one<b>two</b></a>", texts=("b",))) == [("b", "two"), ("a", "")]


def test_elements_that_are_not_asked_for_are_passed_over(tmp_path):
    path = tmp_path / "file.xml"
    path.write_text("<a>one<b>two</b></a>")
    assert texts(xml.events(path, tags=("b",), texts=("b",))) == [("b", "two")]


def test_gzipped_xml_reads_like_plain_xml(tmp_path):
    content = b"<a><b>two</b></a>"
    assert read(tmp_path, gzip.compress(content, mtime=0), name="file.xml.gz") == read(tmp_path, content)


def test_a_text_of_three_million_characters_comes_whole(tmp_path):
    assert len(read(tmp_path, f"<a>{'x' * 3_000_000}</a>")[-1].text) == 3_000_000


def test_an_attribute_of_a_million_characters_comes_whole(tmp_path):
    attributes = read(tmp_path, f'<a x="{"y" * 1_000_000}"/>')[0].attributes
    assert attributes is not None
    assert len(attributes["x"]) == 1_000_000


def test_a_dtd_elsewhere_is_named_but_never_looked_for(tmp_path):
    (tmp_path / "a.dtd").write_text('<!ENTITY e "from the DTD">')
    assert texts(read(tmp_path, '<!DOCTYPE a SYSTEM "a.dtd"><a>x</a>')) == [("a", "x")]
    with pytest.raises(BadTaxonomy, match="line 1: refused, because the entity 'e' is not defined"):
        read(tmp_path, '<!DOCTYPE a SYSTEM "a.dtd"><a>&e;</a>')


def test_short_entities_inside_the_file_are_resolved(tmp_path):
    found = read(
        tmp_path, '<!DOCTYPE a [<!ENTITY owl "http://w3/owl#"><!ENTITY and "x &amp; y">]><a>&owl;Class &and;</a>'
    )
    assert texts(found) == [("a", "http://w3/owl#Class x & y")]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (LAUGHS, "line 3: refused, because the entity 'l1' is made of other entities"),
        ('<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&#38;x;&#38;x;">]><a>&y;</a>', "the entity 'y' is made of other"),
        (f'<!DOCTYPE a [<!ENTITY x "{"ha" * 50_000}">]><a>{"&x;" * 50_000}</a>', "is longer than 256 characters"),
        ('<!DOCTYPE a [\n<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<a>&x;</a>', "line 2: .*fetched from elsewhere"),
        ('<!DOCTYPE a [<!ENTITY % x SYSTEM "file:///etc/passwd">%x;]><a/>', "fetched from elsewhere"),
        ("<!DOCTYPE a [<!ENTITY % x \"<!ENTITY y 'z'>\">%x;]><a>&y;</a>", "is a piece of a DTD"),
        ('<!DOCTYPE a [<!ENTITY x "<b>bold</b>">]><a>&x;</a>', "or of markup"),
        ('<!DOCTYPE a [<!-- <!ENTITY x "y"> -->]><a/>', "hides entities"),
        ("<a>" * 5_000, "nested more than 1,000 deep"),
        (f"<!--{'x' * 2_000_000}--><a/>", "before the first element"),
        ("<a>\n<b>\n</a>", r"line 3: is not well-formed XML \(mismatched tag\)"),
        ("<a><!DOCTYPE a></a>", "not well-formed"),
        ("<a>\n", "line 2: is not well-formed XML"),
        ("", "line 1: is not well-formed XML"),
        (b"<a>\ncaf\xe9</a>", "line 2: is not well-formed XML"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "declares an encoding that cannot be read"),
        (b"\x00\xff\x00" * 100, "line 1: is not well-formed"),
    ],
)
def test_hostile_or_broken_xml_ends_in_one_error_that_names_the_line(tmp_path, content, complaint):
    with pytest.raises(BadTaxonomy, match=complaint) as caught:
        read(tmp_path, content)
    assert "\n" not in str(caught.value)
    assert "root:" not in str(caught.value)


def test_a_truncated_archive_is_one_error(tmp_path):
    packed = gzip.compress(b"<a>" + b"<b>x</b>" * 100_000 + b"</a>", mtime=0)
    with pytest.raises(BadTaxonomy, match="damaged or cut short"):
        read(tmp_path, packed[: len(packed) // 2])


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1"])
def test_the_encoding_that_a_file_declares_is_believed(tmp_path, encoding):
    content = f'<?xml version="1.0" encoding="{encoding}"?><a>café</a>'.encode(encoding)
    assert texts(read(tmp_path, content)) == [("a", "café")]


def test_a_guarded_file_gives_every_byte_and_no_hostile_one(tmp_path):
    path = tmp_path / "file.xml"
    content = b"<a>" + b"<b>x</b>" * 100_000 + b"</a>"
    path.write_bytes(content)
    with path.open("rb") as file:
        guarded = xml.GuardedFile(path, file)
        assert b"".join(iter(lambda: guarded.read(1_000), b"")) == content
    path.write_text(LAUGHS)
    with path.open("rb") as file, pytest.raises(BadTaxonomy, match="made of other entities"):
        xml.GuardedFile(path, file).read(10)


@pytest.mark.parametrize(
    ("tag", "language", "same"),
    [("en", "en", True), ("en-GB", "en", True), ("EN", "en", True), ("en", "en-GB", False), ("enm", "en", False)],
)
def test_a_regional_language_is_the_language_but_not_the_other_way_round(tag, language, same):
    assert xml.speaks(tag, language) is same
