"""PDF documents: the reading order of words on a page, and what is refused."""

from pathlib import Path

import pypdfium2
import pytest

from bot.profiles.format import UnreadableProfile
from bot.profiles.pdf.layout import lines_on
from bot.profiles.pdf.pages import lines_of_pdf
from bot.profiles.pdf.words import Word
from bot.profiles.reader import read
from bot.profiles.resume.markdown import lines_of_text
from bot.profiles.resume.reading import page_of

DOCUMENTS = Path(__file__).parent / "documents" / "pdf"


def words(text, left, base, *, size=10.0, bold=False):
    """A line of words, each letter half as wide as high."""
    found = []
    for each in text.split():
        right = left + len(each) * size / 2
        found.append(Word(each, left, right, base, size, bold))
        left = right + size / 4
    return found


def texts(page):
    return [line.text for line in page.main], [line.text for line in page.side]


def test_dates_at_the_right_are_no_column():
    page = []
    for row in range(10):
        page += words(f"Acme number {row}", 50, 700 - 20 * row)
        page += words("2019 – 2021", 450, 700 - 20 * row)
    main, side = texts(lines_on(page))
    assert main[0] == "Acme number 0\t2019 – 2021"
    assert side == []


def test_a_column_with_headings_of_its_own_is_read_apart():
    left = ["Skills", "Go", "SQL", "Languages", "Dutch", "English", "Contact"]
    right = ["Experience", "Engineer, Acme", "Made engines", "and sold some", "Education"]
    right += ["Physics, University of Oslo, Norway", "References"]
    page = words("Ada Augusta Byte of Oslo", 50, 760, size=20)
    for row, (one, two) in enumerate(zip(left, right, strict=True)):
        page += words(one, 50, 700 - 20 * row) + words(two, 250, 700 - 20 * row)
    main, side = texts(lines_on(page))
    assert main == ["Ada Augusta Byte of Oslo", *right]
    assert side == left


def test_letters_that_were_spaced_out_are_put_together():
    lefts = [50, 62, 74, 94, 106, 118, 130]
    page = [
        Word(letter, left, left + 7, 700, 12, bold=False)
        for letter, left in zip("ADABYTE", lefts, strict=True)
    ]
    assert texts(lines_on(page))[0] == ["ADA BYTE"]


def test_a_word_that_was_parted_at_the_end_of_the_line_is_joined():
    page = words("Responsible for the develop\x02", 50, 700) + words("ment of engines", 50, 688)
    assert texts(lines_on(page))[0] == ["Responsible for the development of engines"]


def test_rows_below_a_bullet_that_are_set_in_go_on_with_it():
    page = words("• Built an engine", 50, 700) + words("of brass", 58, 688)
    [line] = lines_on(page).main
    assert (line.text, line.bullet) == ("Built an engine of brass", True)


def refusal(content):
    with pytest.raises(UnreadableProfile) as refused:
        read("cv.pdf", content)
    return str(refused.value)


def test_a_scan_says_that_it_has_no_text():
    assert "no text" in refusal((DOCUMENTS / "broken-scan.pdf").read_bytes())


def test_a_damaged_file_says_so():
    assert "damaged" in refusal((DOCUMENTS / "good.pdf").read_bytes()[:2000])


def test_more_pages_than_a_resume_has_are_refused(tmp_path):
    document = pypdfium2.PdfDocument.new()
    for _ in range(51):
        document.new_page(100, 100)
    document.save(tmp_path / "long.pdf")
    document.close()
    assert "50 pages" in refusal((tmp_path / "long.pdf").read_bytes())


def test_linkedins_own_is_told_by_its_column():
    [page] = read("Profile.pdf", (DOCUMENTS / "good-linkedin.pdf").read_bytes()).pages
    roles = [(each.employer, each.title, each.from_date) for each in page.profile.jobs]
    assert roles[:2] == [
        ("Copperfield Cloud", "Engineering Manager", "2022-03"),
        ("Copperfield Cloud", "Staff Engineer", "2020-02"),
    ]


def one_page(text, annotation):
    """A page that says ``text`` at its top left, with one annotation over it."""
    drawn = f"BT /F 20 Tf 50 700 Td ({text}) Tj ET"
    return (
        "%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n"
        "2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n"
        "3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources "
        "<</Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>> /Annots [<<"
        f"/Type /Annot /Subtype /Link /Rect [45 690 400 730] {annotation}>>]>> endobj\n"
        f"4 0 obj <</Length {len(drawn)}>> stream\n{drawn}\nendstream endobj\n"
        "trailer <</Root 1 0 R>>\n%%EOF\n"
    ).encode()


@pytest.mark.parametrize(
    ("annotation", "behind"),
    [
        ("/A <</S /URI /URI (https://ada.example/me)>>", [("Ada Byte", "https://ada.example/me")]),
        ("/A <</S /JavaScript /JS (app.alert\\(1\\))>>", []),
        ("/A <</S /Launch /F (calc.exe)>>", []),
        ("/Dest [3 0 R /Fit]", []),
    ],
)
def test_only_addresses_behind_words_are_links(annotation, behind):
    links = lines_of_pdf(one_page("Ada Byte", annotation)).links
    assert [(each.words, each.url) for each in links] == behind


def test_addresses_behind_words_at_the_top_are_the_persons():
    lines = lines_of_text(
        "Ada Byte\nEngineer | ada@byte.example | github.com/ada | Blog | Mail\n\n"
        "Experience\nEngineer, Acme, 2020 – Present\n\nSkills\nGo, SQL"
    )
    behind = [
        ("github.com/ada", "https://www.github.com/ada/"),
        ("Blog", "https://ada.example/blog"),
        ("Mail", "mailto:ada.byte@home.example"),
        ("Acme", "https://acme.example"),
        ("Engineer", "javascript:alert(1)"),
    ]
    profile = page_of(lines, behind).profile
    assert [each.url for each in profile.links] == [
        "https://github.com/ada",
        "https://ada.example/blog",
    ]
    assert profile.emails == ("ada@byte.example", "ada.byte@home.example")
