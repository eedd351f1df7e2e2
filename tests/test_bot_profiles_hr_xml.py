"""Europass and HR-XML of all versions: what they state, in small documents."""

import tracemalloc

import pypdfium2
import pytest

from bot.profiles.format import UnreadableProfile
from bot.profiles.hr_xml.document import Europass, HrOpen, HrXml
from bot.profiles.hr_xml.tree import root_of, tree_of, tree_of_json
from bot.profiles.hr_xml.values import prose
from bot.profiles.reader import read

PASSPORT = """<SkillsPassport xmlns="http://europass.cedefop.europa.eu/Europass"><LearnerInfo>
<Identification><PersonName><FirstName>Sára</FirstName><Surname>Berg</Surname></PersonName>{more}
</Identification>{inside}</LearnerInfo></SkillsPassport>"""
RESUME = """<?xml version="1.0"?><hr:Resume xmlns:hr="http://ns.hr-xml.org/2007-04-15">
<hr:StructuredXMLResume><hr:ContactInfo><hr:PersonName><hr:GivenName>Priya</hr:GivenName>
<hr:FamilyName>Raman</hr:FamilyName></hr:PersonName>{more}</hr:ContactInfo>{inside}
</hr:StructuredXMLResume></hr:Resume>"""


def passport(inside="", more=""):
    [page] = read("x", PASSPORT.format(inside=inside, more=more).encode()).pages
    return page


def resume(inside="", more=""):
    return read("x", RESUME.format(inside=inside, more=more).encode()).pages[0].profile


def job(period):
    inside = (
        f"<WorkExperienceList><WorkExperience>{period}<Position><Label>Welder</Label></Position>"
        "</WorkExperience></WorkExperienceList>"
    )
    [found] = passport(inside).profile.jobs
    return found.from_date, found.to_date, found.is_current


@pytest.mark.parametrize(
    ("period", "told"),
    [
        ('<From year="2001"/><To year="2003" month="--12"/>', ("2001", "2003-12", False)),
        (
            '<From year="2001" month="--02" day="---03"/><Current>true</Current>',
            ("2001-02-03", None, True),
        ),
        ('<From year="2001" month="--13"/>', ("2001", None, False)),
        ("", (None, None, False)),
    ],
)
def test_dates_keep_the_precision_in_which_they_are_stated(period, told):
    assert job(f"<Period>{period}</Period>") == told


def test_what_is_never_kept_is_neither_a_fact_nor_in_the_text():
    page = passport(
        more='<Demographics><Birthdate year="1975"/><Gender><Label>Female</Label></Gender>'
        "<NationalityList><Nationality><Label>Hungarian</Label></Nationality></NationalityList>"
        "</Demographics><Photo><Data>/9j/4AAQSkZJ</Data></Photo>"
    )
    for each in ("1975", "Female", "Hungarian", "/9j/"):
        assert each not in page.text
        assert each not in repr(page.profile)


@pytest.mark.parametrize("version", ["", "/V2.0", "/anything"])
def test_any_namespace_or_none_is_read(version):
    content = PASSPORT.replace('Europass"', f'Europass{version}"').format(inside="", more="")
    assert read("x", content.encode()).pages[0].profile.name == "Sára Berg"


def test_one_entry_without_its_list_is_read_too():
    inside = "<WorkExperience><Position><Label>Welder</Label></Position></WorkExperience>"
    assert passport(inside).profile.jobs[0].title == "Welder"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_documents_in_any_encoding_are_recognised_and_read(encoding):
    declared = encoding.removesuffix("-sig")
    content = f'<?xml version="1.0" encoding="{declared}"?>' + PASSPORT.format(inside="", more="")
    [page] = read("x", content.encode(encoding)).pages
    assert page.profile.name == "Sára Berg"


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaa">]>',
        '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
        '<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/hostname">%p;]>',
    ],
)
def test_a_document_type_is_refused_with_a_sentence(declaration):
    with pytest.raises(UnreadableProfile, match=r"DTD|damaged"):
        read("x", (declaration + PASSPORT.format(inside="", more="")).encode())


def test_a_billion_laughs_are_no_laughs():
    entities = "".join(
        f'<!ENTITY a{number} "{f"&a{number - 1};" * 10}">' for number in range(1, 12)
    )
    content = f'<!DOCTYPE x [<!ENTITY a0 "ha">{entities}]>' + PASSPORT.format(
        inside="<Headline><Description><Label>&a11;</Label></Description></Headline>", more=""
    )
    tracemalloc.start()
    with pytest.raises(UnreadableProfile):
        read("x", content.encode())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000_000


def test_elements_nested_without_end_are_refused_with_a_sentence():
    content = PASSPORT.format(inside="<a>" * 5_000 + "</a>" * 5_000, more="")
    with pytest.raises(UnreadableProfile, match="damaged"):
        read("x", content.encode())


def test_json_nested_without_end_is_refused_with_a_sentence():
    with pytest.raises(UnreadableProfile, match="damaged"):
        tree_of_json("[" * 100_000)
    with pytest.raises(UnreadableProfile, match="damaged"):
        tree_of_json('{"a":' * 200 + "1" + "}" * 200)


def test_prefixes_of_elements_do_not_matter():
    assert resume().name == "Priya Raman"


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        ("<hr:EndDate><hr:StringDate>present</hr:StringDate></hr:EndDate>", (None, True)),
        ("<hr:EndDate><hr:AnyDate>2004-05</hr:AnyDate></hr:EndDate>", ("2004-05", False)),
        ("<hr:EndDate><hr:AnyDate>notKnown</hr:AnyDate></hr:EndDate>", (None, False)),
        ("<hr:EndDate>2004-05-06</hr:EndDate>", ("2004-05-06", False)),
        ("", (None, False)),
    ],
)
def test_the_ends_of_jobs_in_hr_xml(ends, told):
    profile = resume(
        "<hr:EmploymentHistory><hr:EmployerOrg><hr:EmployerOrgName>Lantern</hr:EmployerOrgName>"
        "<hr:PositionHistory><hr:Title>Tester</hr:Title><hr:StartDate><hr:Year>2001</hr:Year>"
        f"</hr:StartDate>{ends}</hr:PositionHistory></hr:EmployerOrg></hr:EmploymentHistory>"
    )
    [found] = profile.jobs
    assert (found.employer, found.from_date) == ("Lantern", "2001")
    assert (found.to_date, found.is_current) == told


def test_candidates_in_a_list_are_read_one_by_one():
    one = (
        "<Candidate><CandidatePerson><PersonName><FormattedName>{}</FormattedName></PersonName>"
        "</CandidatePerson></Candidate>"
    )
    content = (
        "<Candidates>" + "".join(map(one.format, ("Ada Byte", "", "Bo Reed"))) + "</Candidates>"
    )
    reading = read("x", content.encode())
    assert [(each.profile.name, each.place) for each in reading.pages] == [
        ("Ada Byte", "candidate 1"),
        ("Bo Reed", "candidate 3"),
    ]
    assert [each.name for each in reading.refusals] == ["candidate 2"]


@pytest.mark.parametrize(
    "text",
    [
        "<Resume><p>a web page</p></Resume>",
        "<html><body>SkillsPassport</body></html>",
        "<candidate/>",
        "SkillsPassport",
        '{"SkillsPassport"',
        '{"person": 1}',
        '{"person": {"name": "x"}}',
        "",
    ],
)
def test_other_documents_are_not_claimed(text):
    assert not any(each.claims("cv.xml", text.encode()) for each in (Europass(), HrXml(), HrOpen()))


def test_of_several_attachments_the_structured_one_is_read(tmp_path):
    pdf = pypdfium2.PdfDocument.new()
    pdf.new_page(100, 100)
    for name, data in (("a.txt", b"x"), ("b.xml", PASSPORT.format(inside="", more="").encode())):
        pdf.new_attachment(name).set_data(data)
    pdf.save(tmp_path / "x.pdf")
    pdf.close()
    reading = read("x", (tmp_path / "x.pdf").read_bytes())
    assert [each.profile.name for each in reading.pages] == ["Sára Berg"]
    assert reading.parser == "europass-pdf/1"


def test_prose_loses_its_markup_and_keeps_its_lines():
    assert prose("<p>a < b &amp; c</p><p>d</p>") == "a < b & c\nd"
    assert prose("<script>alert(1)</script>") == "alert(1)"
    assert prose("  ") is None


def test_a_root_is_seen_behind_comments_and_instructions():
    assert (
        root_of("<?xml version='1.0'?>\n<!-- a > b --><?x y?><a:Candidate b='c'>")[0] == "candidate"
    )
    assert root_of("no xml") == ("", "")
    assert tree_of(b"<a><!-- c --><b>d</b></a>").text("b") == "d"


def test_a_number_is_kept_as_it_stands_where_its_country_has_none_like_it():
    number = (
        "<hr:ContactMethod><hr:Telephone><hr:FormattedNumber>+234 9 555 0155</hr:FormattedNumber>"
        "</hr:Telephone></hr:ContactMethod>"
    )
    assert resume(more=number).phones == ("+234 9 555 0155",)
