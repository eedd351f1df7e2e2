"""OpenDocument and RTF: their lines as they are read, and what is passed over."""

import pytest
from lxml import etree

from bot.profiles.format import UnreadableProfile
from bot.profiles.odt.document import Odt
from bot.profiles.odt.paragraphs import Paragraphs, styles_in
from bot.profiles.reader import read
from bot.profiles.rtf.paragraphs import lines_of_rtf
from tests.odt_file import content_xml, flat_odt, odt
from tests.ole_file import compound_file

STYLES = (
    '<style:style style:name="Big"><style:text-properties fo:font-size="18pt"/></style:style>'
    '<style:style style:name="Child" style:parent-style-name="Big">'
    '<style:text-properties fo:font-weight="bold"/></style:style>'
    '<style:style style:name="Gone"><style:text-properties text:display="none"/></style:style>'
    '<style:style style:name="P7" style:parent-style-name="Heading_20_1"/>'
)


def odt_lines(body):
    root = etree.fromstring(content_xml(body, STYLES).encode())
    [text] = [each for each in root.iter() if str(each.tag).endswith("}body")]
    return list(Paragraphs(styles_in([root])).lines(text))


def texts(lines):
    return [each.text for each in lines]


def rtf(body):
    return lines_of_rtf(
        b"{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}{\\f3\\fcharset204 Arial;}"
        b"{\\f4\\fnil\\fcharset128 Mincho;}}" + body + b"}"
    )


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("<text:p>a<text:tab/>b<text:line-break/>c</text:p>", ["a\tb", "c"]),
        ('<text:p>a<text:s text:c="3"/>b\n   c</text:p>', ["a b c"]),
        ("<text:section><text:p>a</text:p></text:section>", ["a"]),
        ("<text:p>a<office:annotation><text:p>x</text:p></office:annotation>b</text:p>", ["ab"]),
        ("<text:tracked-changes><text:p>x</text:p></text:tracked-changes>", []),
        ("<text:table-of-content><text:p>x</text:p></text:table-of-content>", []),
        ("<text:p>a<text:note><text:p>x</text:p></text:note></text:p>", ["a"]),
        ('<text:p>a<text:span text:style-name="Gone">x</text:span>b</text:p>', ["ab"]),
        ("<text:p>a<draw:frame><text:p>b</text:p></draw:frame></text:p>", ["a", "b"]),
        ("<draw:frame><draw:text-box><text:p>b</text:p></draw:text-box></draw:frame>", ["b"]),
        ("<text:p><text:a>link</text:a> text</text:p>", ["link text"]),
        ("<text:p/>", []),
    ],
)  # fmt: skip
def test_what_an_opendocument_text_says(body, told):
    assert texts(odt_lines(body)) == told


def test_looks_come_from_styles_and_their_parents():
    [big, child, heading, styled] = odt_lines(
        '<text:p text:style-name="Big">big</text:p><text:p text:style-name="Child">child</text:p>'
        '<text:h text:outline-level="2">heading</text:h><text:p text:style-name="P7">too</text:p>'
    )
    assert (big.size, big.bold, big.level) == (18.0, False, 0)
    assert (child.size, child.bold) == (18.0, True)
    assert (heading.level, styled.level) == (2, 1)


def test_lists_have_bullets_and_headings_in_lists_have_none():
    lines = odt_lines(
        "<text:list><text:list-item><text:h>Skills</text:h></text:list-item><text:list-item>"
        "<text:p>Go</text:p><text:list><text:list-item><text:p>cgo</text:p></text:list-item>"
        "</text:list></text:list-item></text:list>"
    )
    assert [(each.text, each.bullet) for each in lines] == [
        ("Skills", False),
        ("Go", True),
        ("cgo", True),
    ]


def test_a_table_is_read_row_by_row():
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    row = "<table:table-row>{}</table:table-row>"
    table = "<table:table><table:table-header-rows>{}</table:table-header-rows>{}</table:table>"
    body = table.format(
        row.format(cell.format("When") + cell.format("What")),
        row.format(cell.format("2019") + cell.format("Engineer")),
    )
    assert texts(odt_lines(body)) == ["When\tWhat", "2019\tEngineer"]


def test_styles_that_are_their_own_parents_end():
    circle = '<style:style style:name="A" style:parent-style-name="A"/>'
    root = etree.fromstring(content_xml('<text:p text:style-name="A">a</text:p>', circle).encode())
    assert texts(Paragraphs(styles_in([root])).lines(root)) == ["a"]


def test_frames_nested_without_end_are_cut_off():
    body = "<draw:frame>" * 200 + "<text:p>x</text:p>" + "</draw:frame>" * 200
    assert odt_lines(f"<text:p>a</text:p>{body}") == odt_lines("<text:p>a</text:p>")


def test_a_flat_document_is_recognised_and_read():
    content = flat_odt("<text:p>Minutes</text:p>")
    assert Odt().claims("x", content) > 0.9
    with pytest.raises(UnreadableProfile, match="does not read as a résumé"):
        read("x", content)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (odt("", manifest="<m><encryption-data/></m>"), "password"),
        (odt(""), "no text in it"),
        (odt("<text:p>" + "x" * 40_000_000 + "</text:p>"), "unpacks to far more"),
        (odt("<text:p>&amp;</text:q>"), "damaged"),
        (compound_file({"WordDocument": b"x" * 5_000}), "save it as .docx"),
        (compound_file({"Workbook": b"x" * 5_000}), "before 2007"),
        (compound_file({"EncryptedPackage": b"x" * 5_000}), "password"),
        (b"{\\rtf1\\ansi{\\pict 00ff}}", "no text in it"),
    ],
)
def test_documents_without_a_person_are_refused_with_what_to_do(content, sentence):
    with pytest.raises(UnreadableProfile, match=sentence):
        read("cv.doc", content)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"J\\'f6rg\\par Oslo", ["Jörg", "Oslo"]),
        (b"M\\u252?ller \\u-10179?\\u-8704?", ["Müller \U0001f600"]),
        (b"\\uc0\\u252 ller{\\uc2\\u233 ab}c", ["ülleréc"]),
        (b"{\\f3\\'c8\\'e2\\'e0\\'ed} x", ["Иван x"]),
        (b"{\\f4\\'93\\'fa\\'96\\'7b}", ["日本"]),
        (b"a\\tab b\\line c\\\nd", ["a\tb", "c", "d"]),
        (b"{\\*\\unknown x}{\\info{\\author x}}{\\stylesheet x;}{\\pict 00}a", ["a"]),
        (b"{\\v x}{\\deleted x}a{\\footnote x}{\\*\\annotation x}", ["a"]),
        (b'{\\field{\\*\\fldinst{HYPERLINK "http://x.example"}}{\\fldrslt{text}}}', ["text"]),
        (b"{\\header above\\par}below", ["above", "below"]),
        (b"{\\header above}{\\footer beneath}below\\par", ["above", "below", "beneath"]),
        (b"a{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv y}}{\\shptxt box\\par}}}", ["abox"]),
        (b"\\trowd 2019\\cell Engineer\\cell\\row after", ["2019\tEngineer", "after"]),
        (b"\\{a\\}\\~b\\_c\\-d", ["{a} b-cd"]),
        (b"a}}}} {b", ["a b"]),
        (b"{\\pict\\bin5 }}}}}ff}a", ["a"]),
        (b"{" * 5_000 + b"a" + b"}" * 5_000, ["a"]),
        (b"\\u99999999?\\fs99999999 a\\ansicpg1\\b-1", ["a"]),
    ],
)
def test_what_an_rtf_document_says(body, told):
    assert texts(rtf(body)) == told


def test_looks_in_rtf_end_with_their_group():
    bold, plain, bullet = rtf(
        b"{\\b\\fs36 Name}\\par\\fs22 text\\par{\\listtext\\'b7\\tab}item\\par"
    )
    assert (bold.bold, bold.size) == (True, 18.0)
    assert (plain.bold, plain.size) == (False, 11.0)
    assert bullet.bullet
