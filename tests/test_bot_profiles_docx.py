"""Word documents: which of their text counts, and what is refused."""

import io
import zipfile

import pytest

from bot.profiles.format import UnreadableProfile
from bot.profiles.reader import read
from tests.resume_fixtures import docx, p, part, table

NAME = p("Ada Byte", style="Title") + p("Oslo, Norway | ada@byte.example")
JOB = p("Experience", style="Heading1") + p("Engineer, Acme\t2019 – 2021") + p("Built", listed=True)
SKILLS = p("Skills", style="Heading1") + p("Go, SQL")


def profile_of(body, **parts):
    [page] = read("cv.docx", docx(body, **parts)).pages
    return page.profile


def test_text_in_controls_tags_links_and_tables_counts():
    wrapped = (
        "<w:sdt><w:sdtContent>" + p("Skills", style="Heading1") + "</w:sdtContent></w:sdt>"
        '<w:p><w:smartTag w:element="x"><w:r><w:t>Go, </w:t></w:r></w:smartTag>'
        "<w:hyperlink><w:r><w:t>SQL</w:t></w:r></w:hyperlink></w:p>"
    )
    profile = profile_of(NAME + JOB + wrapped + table([p("Rust"), p("Lua")]))
    assert [each.name for each in profile.skills] == ["Go", "SQL", "Rust", "Lua"]


def test_a_name_in_the_header_counts():
    assert profile_of(JOB + SKILLS, header=NAME, footer=p("Page 1")).name == "Ada Byte"


def test_deleted_hidden_and_field_text_and_comments_do_not_count():
    gone = (
        "<w:p><w:del><w:r><w:delText>COBOL, </w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>Go, </w:t></w:r></w:ins>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>Ada95, </w:t></w:r>"
        "<w:r><w:instrText>DDEAUTO cmd</w:instrText></w:r><w:r><w:t>SQL</w:t></w:r></w:p>"
    )
    body = NAME + JOB + p("Skills", style="Heading1") + gone
    profile = profile_of(body, comments=part("comments", p("Too expensive")))
    assert [each.name for each in profile.skills] == ["Go", "SQL"]


def test_a_job_in_a_table_with_dates_beside_it():
    body = NAME + p("Experience", style="Heading1") + table(
        [p("2019 – 2021"), p("Engineer, Acme") + p("Built", listed=True)],
        [p("2016 – 2019"), p("Intern, Nordlys") + p("Learned", listed=True)],
    ) + SKILLS  # fmt: skip
    assert [(each.title, each.employer, each.from_date) for each in profile_of(body).jobs] == [
        ("Engineer", "Acme", "2019"),
        ("Intern", "Nordlys", "2016"),
    ]


def refusal(content):
    with pytest.raises(UnreadableProfile) as refused:
        read("cv.docx", content)
    return str(refused.value)


def test_a_document_without_text_is_refused():
    assert "no text" in refusal(docx(p()))


def test_a_document_that_declares_entities_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(
            "word/document.xml", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'
        )
    assert "entities" in refusal(file.getvalue())


def test_a_bomb_is_refused_before_it_is_unpacked():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", "<a>" + " " * 30_000_000 + "</a>")
    assert len(file.getvalue()) < 100_000
    assert "far more" in refusal(file.getvalue())


def test_tables_in_tables_end_somewhere():
    body = p("deep")
    for _ in range(150):
        body = table([body])
    assert refusal(docx(body)).endswith(".")
