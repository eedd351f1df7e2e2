"""Lists of people: what their headers say, and which rows are one person."""

import zipfile
from datetime import datetime
from io import BytesIO

import openpyxl
import pytest

from bot.profiles.reader import UnreadableProfile, read
from bot.profiles.tables.headers import Field, column_of


def pages(text, encoding="utf-8"):
    return read("list.csv", text.encode(encoding)).pages


def one(text, encoding="utf-8"):
    [page] = pages(text, encoding)
    return page.profile


def workbook(*sheets):
    """(title, state, rows) of each sheet."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, state, rows in sheets:
        sheet = book.create_sheet(title)
        sheet.sheet_state = state
        for row in rows:
            sheet.append(row)
    content = BytesIO()
    book.save(content)
    return content.getvalue()


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("Candidate Name", Field.NAME),
        ("first_name", Field.FIRST),
        ("Nachname", Field.LAST),
        ("Prénom", Field.FIRST),
        ("Apellidos", Field.LAST),
        ("Primary email address", Field.EMAIL),
        ("E-postadress", Field.EMAIL),
        ("email2", Field.EMAIL),
        ("phone_cell", Field.PHONE),
        ("Telefoonnummer (werk)", Field.PHONE),
        ("current_employer", Field.COMPANY),
        ("Stanowisko", Field.TITLE),
        ("Localização", Field.PLACE),
        ("Address: City", Field.CITY),
        ("key_skills", Field.SKILLS),
        ("Sprachkenntnisse", Field.LANGUAGES),
        ("LinkedIn Profile URL", Field.LINKEDIN),
        ("Posting title", Field.APPLICATION),
        ("Date of birth", Field.SENSITIVE),
        ("Staatsangehörigkeit", Field.SENSITIVE),
        ("État civil", Field.SENSITIVE),
        ("Płeć", Field.SENSITIVE),
        ("Kön", Field.SENSITIVE),
        ("Wunschgehalt", None),
    ],
)
def test_a_header_is_understood_in_the_words_of_exports_and_languages(header, field):
    assert column_of(header).field == field


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_any_delimiter_and_encoding_is_read(delimiter, encoding):
    rows = [
        ["Vorname", "Name", "Wohnort", "Kenntnisse"],
        ["Jürgen", "Müßig", "Köln", '"Go; SQL"'],
        ["Zoë", "Größer", "Münster", "Rust"],
    ]
    found = pages("\r\n".join(delimiter.join(row) for row in rows), encoding)
    assert [each.profile.name for each in found] == ["Jürgen Müßig", "Zoë Größer"]
    assert found[0].profile.location.city == "Köln"
    assert [each.name for each in found[0].profile.skills] == ["Go", "SQL"]
    assert [each.place for each in found] == ["row 2", "row 3"]


def test_rows_of_one_id_or_address_and_an_agreeing_name_are_one_person():
    found = pages(
        "Candidate ID,Name,Email,Company,Title,Start date,End date,Job,Stage\n"
        "1,Ada Byte,ada@example.org,Nordlys Labs,Engineer,2019-03,Present,Lead,Offer\n"
        "2,Ben Quill,office@example.org,Harbour,Analyst,2020,2021,Analyst,New\n"
        ",A. Other,office@example.org,Fjordkraft,Clerk,2011,2012,Clerk,New\n"
        "1,Ada Byte,,Fjordkraft,Junior,2015,2019-02,Runtime,Rejected\n"
        ",Ada M. Byte,ADA@example.org,Old Mill,Intern,2014,2015,,\n"
    )
    assert [each.profile.name for each in found] == ["Ada Byte", "Ben Quill", "A. Other"]
    assert [each.employer for each in found[0].profile.jobs] == [
        "Nordlys Labs",
        "Fjordkraft",
        "Old Mill",
    ]
    assert (found[0].profile.title, found[0].profile.company) == ("Engineer", "Nordlys Labs")
    assert found[0].place == "rows 2, 5, 6"
    assert "Job: Lead" in found[0].text
    assert "Job: Runtime" in found[0].text


def test_a_name_alone_never_joins_rows():
    assert len(pages("Full name,City\nAda Byte,Oslo\nAda Byte,Bergen\n")) == 2


def test_a_row_without_a_name_goes_on_with_the_person_above():
    profile = one("Name,Company,Title\nAda Byte,Nordlys,Engineer\n,Harbour,Intern\n")
    assert [each.employer for each in profile.jobs] == ["Nordlys", "Harbour"]


def test_lines_that_name_nobody_are_refused_and_the_others_read():
    reading = read("x", b"Name,Email\nAda Byte,a@example.org\nTotal,1\nuser@host,b@example.org\n")
    assert [each.profile.name for each in reading.pages] == ["Ada Byte"]
    assert [each.reason for each in reading.refusals] == [
        "Row 3 names no person.",
        "Row 4 names no person.",
    ]


def test_a_name_and_nothing_else_is_nobody():
    with pytest.raises(UnreadableProfile, match="states nothing but a name"):
        read("x", b"Name,Email\nExported by Ada,\n")


def test_a_quote_that_is_never_closed_costs_its_own_row():
    found = pages(
        'Candidate,City,Notes\nAda Byte,Oslo,fine\nBen Quill,Bergen,"not closed\nCem Rask,Malmö,x\n'
    )
    assert [each.profile.name for each in found] == ["Ada Byte", "Ben Quill", "Cem Rask"]


def test_what_must_not_matter_is_neither_fact_nor_text():
    [page] = pages(
        "Name,Email,Date of birth,Gender,Nationalität,Photo,Notes\n"
        'Ada Byte,a@example.org,1990-05-04,female,Dutch,https://x.example/a.png,"Fine\n'
        'Born: 4 May 1990\nCalls back"\n'
    )
    assert page.text == "Name: Ada Byte\nEmail: a@example.org\nNotes: Fine\nCalls back"
    assert not page.profile.links


def test_numbered_columns_are_jobs_and_schools():
    profile = one(
        "Full name,Organization 1,Organization Title 1,Organization Start 1,Organization End 1,"
        "Organization 2,Organization Title 2,Education 1,Education Degree 1,Education 2 School\n"
        "Ada Byte,Nordlys,Engineer,Jan 2019,Present,Harbour,Intern,University of Oslo,MSc,Lund\n"
    )
    assert [(each.employer, each.title, each.from_date) for each in profile.jobs] == [
        ("Nordlys", "Engineer", "2019-01"),
        ("Harbour", "Intern", None),
    ]
    assert profile.jobs[0].is_current
    assert "Lund" in [each.school for each in profile.education]


def test_the_job_applied_for_is_no_title():
    profile = one("Name,Email,Position,Status\nAda Byte,a@example.org,Sales Lead,Rejected\n")
    assert profile.title is None
    assert not profile.jobs


def test_a_list_of_applications_states_no_title_and_no_company():
    profile = one(
        "ID,Candidate Name,Email,Job Title,Company,Status,Applied At\n"
        "1,Ada Byte,a@example.org,Sales Lead,Nordlys,New,2024-01-01\n"
    )
    assert (profile.title, profile.company, profile.jobs) == (None, None, ())


def test_somebody_elses_columns_are_not_the_persons():
    profile = one(
        "Candidate Name,Email,Recruiter,Recruiter Email,Interviewer Name,Username\n"
        "Ada Byte,a@example.org,Ben Else,ben@example.org,Cem Else,adab\n"
    )
    assert profile.name == "Ada Byte"
    assert profile.emails == ("a@example.org",)


def test_a_cell_cut_up_by_commas_is_joined_at_the_end_and_refused_inside():
    reading = read(
        "x",
        b"Full name,Location,Email,Notes\nAda Byte,Oslo,a@example.org,calls back, likes Go\n",
    )
    assert "Notes: calls back, likes Go" in reading.pages[0].text
    shifted = read(
        "x",
        b"Full name,Location,Email\nAda Byte,Oslo,a@example.org\n"
        b"Ben Quill,San Francisco,CA,b@example.org\n",
    )
    assert [each.profile.name for each in shifted.pages] == ["Ada Byte"]
    assert "more cells than there are headers" in shifted.refusals[0].reason


def test_accounts_are_links_and_tags_are_skills_where_they_name_a_topic():
    profile = one(
        "Name,GitHub,LinkedIn,Website,Tags,Languages\n"
        'Ada Byte,@ada-byte,in/ada-byte-1,ada.example,"python, silver medalist","German, Python"\n'
    )
    assert [each.url for each in profile.links] == [
        "https://www.linkedin.com/in/ada-byte-1",
        "https://github.com/ada-byte",
        "https://ada.example",
    ]
    assert profile.likely_login == "ada-byte"
    assert [each.name for each in profile.skills] == ["python"]
    assert [each.name for each in profile.languages] == ["German"]


def test_a_formula_is_text():
    profile = one('Name,Skills,Location\nAda Byte,"=1+1, Go",=HYPERLINK(A1)\n')
    assert [each.name for each in profile.skills] == ["=1+1", "Go"]


def test_hidden_sheets_are_not_read_and_the_place_tells_the_sheet():
    content = workbook(
        ("Pool", "visible", [["Name", "Email"], ["Ada Byte", "a@example.org"]]),
        ("Secret", "hidden", [["Name", "Email"], ["Ben Quill", "b@example.org"]]),
        ("Gone", "veryHidden", [["Name", "Email"], ["Cem Rask", "c@example.org"]]),
        ("More", "visible", [["Nom", "Prénom", "Ville"], ["Osei", "Mirela", "Lyon"]]),
    )
    found = read("x", content).pages
    assert [(each.profile.name, each.place) for each in found] == [
        ("Ada Byte", "sheet “Pool”, row 2"),
        ("Mirela Osei", "sheet “More”, row 2"),
    ]


def test_numbers_dates_and_truths_of_a_workbook_are_read_as_they_are_shown():
    content = workbook(
        (
            "Pool",
            "visible",
            [
                ["Name", "Phone", "Company", "Start", "End", "Remote"],
                ["Ada Byte", 493090182000.0, "Nordlys", datetime(2019, 3, 4), 2021, True],  # noqa: DTZ001 - Excel has none,
            ],
        )
    )
    [page] = read("x", content).pages
    assert page.profile.phones == ("493090182000",)
    assert [(each.from_date, each.to_date) for each in page.profile.jobs] == [
        ("2019-03-04", "2021")
    ]
    assert "Remote: yes" in page.text


def test_a_table_without_names_says_which_headers_are_understood():
    for content in (b"Email,Phone\na@example.org,1\n", workbook(("A", "visible", [["Item"], [1]]))):
        with pytest.raises(UnreadableProfile, match="First name"):
            read("x", content)


@pytest.mark.parametrize(
    "text",
    [
        "Name,Website,City\nNordlys Labs,nordlys.example,Oslo\n",
        "Name,Url,Authority,Started On\nCertified Administrator,x.example,Example,2020\n",
        "Name,Email,Phone,Number of employees\nNordlys,info@nordlys.example,1,20\n",
        "Name,Price,Brand\nChair,3,Old Mill\n",
        "Title,Company,Location\nEngineer,Nordlys,Oslo\n",
    ],
)
def test_lists_of_companies_products_and_vacancies_give_nobody(text):
    with pytest.raises(UnreadableProfile):
        read("x", text.encode())


def test_a_cell_far_to_the_right_and_below_costs_no_more_than_its_row():
    book = openpyxl.Workbook()
    book.active.append(["Name", "Email"])
    book.active.append(["Ada Byte", "a@example.org"])
    book.active["XFD3000"] = "far"
    content = BytesIO()
    book.save(content)
    assert len(read("x", content.getvalue()).pages) == 1


@pytest.mark.parametrize(
    ("headline", "held"),
    [
        ("Hotel Manager", ("Hotel Manager", None)),
        ("Firmware Engineer, Nordlys Labs", ("Firmware Engineer", None)),
        ("Nurse at Nordlys Clinic | Walks dogs", ("Nurse", "Nordlys Clinic")),
        ("Looking for work as Engineer", (None, None)),
        ("Former Engineer", (None, None)),
        ("Rigger and cloud convert", (None, None)),
    ],
)
def test_a_headline_that_begins_with_a_title_states_it(headline, held):
    person = one(f'Name,Headline,Email\nAda Byte,"{headline}",ada@byte.example\n')
    assert (person.headline, (person.title, person.company)) == (headline, held)


def test_a_second_address_is_one_too():
    person = one("Name,E-Mail,2nd E-Mail\nAda Byte,ada@byte.example,byte@ada.example\n")
    assert person.emails == ("ada@byte.example", "byte@ada.example")


def test_a_sheet_that_is_damaged_in_its_middle_is_refused():
    good = workbook(("People", "visible", [["Full name", "E-Mail"], ["Ada Byte", "a@b.example"]]))
    made = BytesIO()
    with zipfile.ZipFile(BytesIO(good)) as archive, zipfile.ZipFile(made, "w") as other:
        for name in archive.namelist():
            held = archive.read(name)
            cut = "/worksheets/" in name and name.endswith(".xml")
            other.writestr(name, held[: len(held) // 2] + b"<&" if cut else held)
    with pytest.raises(UnreadableProfile, match="damaged or not complete"):
        read("x.xlsx", made.getvalue())
