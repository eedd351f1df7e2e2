"""Résumés of free form: what their lines state, in many layouts, and what is no résumé."""

import pytest

from bot.profiles.format import UnreadableProfile
from bot.profiles.reader import FORMATS, read
from bot.profiles.resume.lines import Line
from bot.profiles.resume.markdown import lines_of_text
from bot.profiles.resume.reading import page_of
from bot.profiles.resume.text import TextResume

FRAME = """Ada Byte
Software Engineer
Oslo, Norway | ada@byte.example

{heading}
{section}

Skills
Go, SQL
"""


def resume(section, heading="Experience"):
    return page_of(lines_of_text(FRAME.format(heading=heading, section=section))).profile


def jobs(section):
    return [
        (each.title, each.employer, each.from_date, each.to_date, each.is_current)
        for each in resume(section).jobs
    ]


ONE = [("Engineer", "Acme", "2020-01", None, True)]


@pytest.mark.parametrize(
    "section",
    [
        "Engineer, Acme, Oslo — Jan 2020 – Present\n- Built engines",
        "Acme    Oslo, Norway\nEngineer    Jan 2020 – Present\n- Built engines",
        "Engineer\nAcme, Oslo\nJan 2020 – Present\n- Built engines",
        "Jan 2020 – Present\nEngineer\nAcme\n- Built engines",
        "01/2020 - today: Engineer at Acme\n- Built engines",
        "Engineer | Acme | 01.2020 – Present\n- Built engines",
        "Acme (Jan 2020 - Present)\nEngineer\n- Built engines",
        "**Engineer** at **Acme**\n_Jan 2020 – now_\n\n- Built engines",
        "Engineer - Acme\nJanuary 2020 to present (4 years 2 months)\nOslo\n- Built engines",
        "Title: Engineer\nCompany: Acme\nPeriod: Jan 2020 - Present\n- Built engines",
        "- Jan 2020 – Present: Engineer, Acme",
    ],
)
def test_a_job_is_read_in_many_layouts(section):
    assert jobs(section) == ONE


def test_several_roles_share_the_employer_above_them():
    section = (
        "Acme GmbH\nLead Engineer    2021 – Present\n- Led\nEngineer    2018 – 2021\n- Built\n\n"
        "Nordlys AS\nIntern    2017\n- Learned"
    )
    assert jobs(section) == [
        ("Lead Engineer", "Acme GmbH", "2021", None, True),
        ("Engineer", "Acme GmbH", "2018", "2021", False),
        ("Intern", "Nordlys AS", "2017", None, False),
    ]


def test_what_was_done_is_the_summary_and_a_place_stands_for_itself():
    [job] = resume("Engineer, Acme\nJan 2020 – Present\nOslo, Norway\n- Built engines\n- Fast").jobs
    assert (job.place, job.summary) == ("Oslo, Norway", "Built engines\nFast")


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("BSc in Physics, University of Oslo, 2012 – 2016", ("BSc", "Physics", "2012", "2016")),
        ("University of Oslo    2012 – 2016\nBSc, Physics", ("BSc", "Physics", "2012", "2016")),
        ("2012 – 2016\nUniversity of Oslo\nBSc Physics", ("BSc", "Physics", "2012", "2016")),
        ("BSc in Physics\nUniversity of Oslo, Norway\n2016", ("BSc", "Physics", None, "2016")),
        ("University of Oslo | BSc in Physics | 2016 | GPA 3.9", ("BSc", "Physics", None, "2016")),
    ],
)
def test_a_study_is_read_in_many_layouts(section, expected):
    [study] = resume(section, "Education").education
    assert study.school == "University of Oslo"
    assert (study.degree, study.area, study.from_date, study.to_date) == expected


@pytest.mark.parametrize(
    ("experience", "education", "skills", "languages", "present"),
    [
        ("Berufserfahrung", "Ausbildung", "Kenntnisse", "Sprachen: Englisch (B2)", "heute"),
        (
            "Expérience professionnelle",
            "Formation",
            "Compétences",
            "Langues: Anglais (B2)",
            "aujourd’hui",
        ),
        ("Experiencia", "Formación", "Habilidades", "Idiomas: Inglés (B2)", "actualidad"),
        (
            "Esperienza lavorativa",
            "Istruzione e formazione",
            "Competenze",
            "Lingue: Inglese (B2)",
            "oggi",
        ),
        (
            "Experiência profissional",
            "Formação académica",
            "Competências",
            "Línguas: Inglês (B2)",
            "atual",
        ),
        ("Werkervaring", "Opleidingen", "Vaardigheden", "Talen: Engels (B2)", "heden"),
    ],
)
def test_headings_are_known_in_several_languages(experience, education, skills, languages, present):
    text = (
        f"Ada Byte\nada@byte.example\n\n{experience}\nIT Manager, Acme AG\n03/2019 – {present}\n\n"
        f"{education}\nMaster, Universität Bonn, 2012 – 2014\n\n{skills}\nGo, SQL\n\n{languages}\n"
    )
    profile = page_of(lines_of_text(text)).profile
    assert [(each.from_date, each.is_current) for each in profile.jobs] == [("2019-03", True)]
    assert profile.education[0].school == "Universität Bonn"
    assert [each.name for each in profile.skills] == ["Go", "SQL"]
    assert [each.level for each in profile.languages] == ["B2"]


@pytest.mark.parametrize(
    ("opening", "name"),
    [
        ("ADA BYTE", "Ada Byte"),
        ("Curriculum Vitae\nAda Byte", "Ada Byte"),
        ("Resume of Ada Byte", "Ada Byte"),
        ("Dr. Ada Byte, PhD", "Ada Byte"),
        ("Name: Ada Byte", "Ada Byte"),
        ("Byte, Ada", "Ada Byte"),
        ("Ada Byte | Software Engineer", "Ada Byte"),
        ("Software Engineer\nAda van der Byte", "Ada van der Byte"),
        ("Oslo, Norway\nAda Byte", "Ada Byte"),
    ],
)
def test_the_name_is_found_at_the_top(opening, name):
    text = f"{opening}\n\nExperience\nEngineer, Acme\n2019 – 2021\n\nSkills\nGo\n"
    assert page_of(lines_of_text(text)).profile.name == name


def test_what_must_not_matter_is_neither_a_fact_nor_kept():
    text = FRAME.format(heading="Experience", section="Engineer, Acme\n2019 – 2021") + (
        "\nPersonal details\nDate of birth: 3 May 1990\nNationality: Norwegian\n"
        "Marital status: single\n"
    )
    page = page_of(lines_of_text(text))
    assert "1990" not in page.text
    assert "Norwegian" not in page.text
    assert "single" not in str(page.profile)


NOBODY = {
    "a question": "who knows cuda\nand lives in beijing\nand is free",
    "a job description": (
        "Senior Software Engineer\nAcme, Oslo\n\nRequirements\n- 5 years of experience\n\n"
        "Responsibilities\n- Build\n\nExperience\nSince 2019 we use Go.\n\n"
        "Education\nBSc\n\nSkills\nGo"
    ),
    "a README": (
        "# engine\n\n## Installation\n\n    make\n\n## Usage\n\nRun it.\n\n## License\n\nMIT 2019"
    ),
    "an e-mail": (
        "From: Ada Byte\nSubject: Experience\n\nDear Lin,\n\nExperience\nof 2019 was good.\n\n"
        "Education\nis next.\n\nKind regards\nAda Byte\nada@byte.example"
    ),
    "minutes": "Minutes 3 May\nAttendees: Ada Byte\n\nProjects\nEngine\n\nSkills\nTraining 2020",
    "an empty template": (
        "Your Name\nyour.email@mail.example\n\nExperience\nJob Title, Company Name\n"
        "Start date – End date"
        "\n\nEducation\nDegree, School name\n\nSkills\nSkill 1"
    ),
    "a résumé without a name": "Experience\nEngineer, Acme\n2019 – 2021\n\nSkills\nGo, SQL\n",
}


@pytest.mark.parametrize("text", NOBODY.values(), ids=NOBODY)
def test_other_texts_are_no_people(text):
    assert TextResume().claims("message", text.encode()) < 0.7
    with pytest.raises(UnreadableProfile):
        read("message", text.encode())


def test_a_pasted_resume_is_claimed_before_a_page_of_profiles():
    text = FRAME.format(heading="Summary", section="I build.") + (
        "\nEducation\nBSc Physics, University of Oslo, 2012 – 2016\n"
    )
    claims = {each.NAME: each.claims("message", text.encode()) for each in FORMATS}
    assert max(claims, key=claims.__getitem__) == "text", claims


@pytest.mark.parametrize(
    "section",
    [
        "Jan 2020–Present Engineer, Acme, Oslo.\n- Built engines",
        "Engineer, Acme, Oslo. Jan 2020–Present.\n- Built engines",
    ],
)
def test_an_entry_may_end_in_a_full_stop(section):
    [job] = resume(section).jobs
    assert (job.title, job.employer, job.place) == ("Engineer", "Acme", "Oslo")
    assert (job.from_date, job.is_current) == ("2020-01", True)


def test_a_sentence_with_a_year_is_no_entry():
    [job] = resume("Engineer, Acme, Jan 2020 – Present\nMoved to Oslo in 2021.").jobs
    assert job.summary == "Moved to Oslo in 2021."


def test_who_works_on_own_account_has_that_for_an_employer():
    section = "Designer\nFreelance | Oslo | 2016 – 2018\n\nDesigner\nAcme | Oslo | 2014 – 2016"
    assert [each.employer for each in resume(section).jobs] == ["Freelance", "Acme"]


def test_a_summary_that_lists_dated_jobs_tells_of_jobs():
    section = "March 2019 – Present\nNurse, Fjord Clinic\n\n2015 – 2019\nAssistant, Nordlys Home"
    assert [each.title for each in resume(section, "Career summary").jobs] == ["Nurse", "Assistant"]


@pytest.mark.parametrize(
    ("opening", "title", "company"),
    [
        ("Ada Byte\nRegistered Nurse", "Registered Nurse", "Acme"),
        ("Ada Byte\nRegistered Nurse, Oslo, Norway", "Registered Nurse", "Acme"),
        ("Ada Byte\nConsultant at Nordlys", "Consultant", "Nordlys"),
        ("Ada Byte\nEngineer", "Senior Engineer", "Acme"),
        ("Ada Byte", "Senior Engineer", "Acme"),
    ],
)
def test_the_title_stands_at_the_top_unless_the_current_job_says_more(opening, title, company):
    text = f"{opening}\n\nExperience\nSenior Engineer, Acme, 2020 – Present\n\nSkills\nGo"
    profile = page_of(lines_of_text(text)).profile
    assert (profile.title, profile.company) == (title, company)


@pytest.mark.parametrize(
    "row",
    [
        "ada@byte.example +47 22 55 01 28 Oslo, Norway linkedin.com/in/ada-byte",
        "Oslo, Norway ada@byte.example",
        "Email: ada@byte.example Oslo, Norway",
    ],
)
def test_a_place_is_found_in_a_row_of_contacts_with_blanks_between(row):
    text = f"Ada Byte\nEngineer\n{row}\n\nExperience\nEngineer, Acme, 2020 – Present\n\nSkills\nGo"
    location = page_of(lines_of_text(text)).profile.location
    assert (location.city, location.country) == ("Oslo", "Norway")


def test_a_chinese_resume_is_read_with_blanks_between_what_its_rows_say():
    text = (
        "林知夏\n求职意向:测试工程师\n邮箱:lin@example.cn 现居:杭州,中国\n\n"
        "工作经历\n2019.07-至今 青云科技有限公司 测试工程师 杭州\n负责自动化\n\n"
        "教育背景\n2013.09-2016.06 浙江大学 软件工程 硕士\n\n语言能力\n中文(母语)、英语(CET-6)"
    )
    profile = page_of(lines_of_text(text)).profile
    assert (profile.title, profile.location.city) == ("测试工程师", "杭州")
    [job], [study] = profile.jobs, profile.education
    assert (job.employer, job.title, job.place) == ("青云科技有限公司", "测试工程师", "杭州")
    assert (study.school, study.degree, study.area) == ("浙江大学", "硕士", "软件工程")
    spoken = [(each.name, each.level) for each in profile.languages]
    assert spoken == [("中文", "母语"), ("英语", "CET-6")]


def test_a_language_that_no_table_knows_is_one_among_others():
    said = resume("Engineer, Acme, 2020 – Present\n\nLanguages\nEnglish – fluent\nNuxalk – native")
    assert [(each.name, each.level) for each in said.languages] == [
        ("English", "fluent"),
        ("Nuxalk", "native"),
    ]
    said = resume("Engineer, Acme, 2020 – Present\n\nLanguages\nPython – advanced")
    assert said.languages == ()


def test_a_labelled_row_of_languages_among_skills_is_one():
    section = "Engineer, Acme, 2020 – Present\n\nKenntnisse\nSprachen    Deutsch (C2); Suomi (B1)"
    profile = resume(section)
    assert [(each.name, each.level) for each in profile.languages] == [
        ("Deutsch", "C2"),
        ("Suomi", "B1"),
    ]


def test_a_grade_behind_a_dash_belongs_to_the_certificate():
    profile = resume(
        "Engineer, Acme, 2020 – Present\n\nCertifications\n"
        "Example Cloud Architect – Associate\nExample Scrum Master – Nordlys Board"
    )
    assert [(each.name, each.issuer) for each in profile.certificates] == [
        ("Example Cloud Architect – Associate", None),
        ("Example Scrum Master", "Nordlys Board"),
    ]


def test_numbered_publications_are_told_apart_wherever_their_lines_end():
    profile = resume(
        "Engineer, Acme, 2020 – Present\n\nPublications\n"
        "1. A. Byte. “On Small Engines”. In: Gears,\n2019. 2. A. Byte. “On Large Engines”. 2020."
    )
    assert [(each.title, each.date) for each in profile.publications] == [
        ("On Small Engines", "2019"),
        ("On Large Engines", "2020"),
    ]


def looked(text, size=10.0, *, bold=False):
    return Line(text, size=size, bold=bold)


def test_several_roles_below_one_employer_are_told_by_their_looks():
    lines = [
        looked("Ada Byte", 20), looked("ada@byte.example"), looked("Experience", 15, bold=True),
        looked("Quay Street", 12, bold=True), looked("2016 – Present"),
        looked("Head of Care", bold=True), looked("2021 – Present"), looked("A team of ten."),
        looked("Care Manager", bold=True), looked("2016 – 2020"),
        looked("Harbour Travel", 12, bold=True),
        looked("Account Manager", bold=True), looked("2011 – 2016"),
        looked("Skills", 15, bold=True), looked("Go"),
    ]  # fmt: skip
    assert [
        (each.title, each.employer, each.from_date) for each in page_of(lines).profile.jobs
    ] == [
        ("Head of Care", "Quay Street", "2021"),
        ("Care Manager", "Quay Street", "2016"),
        ("Account Manager", "Harbour Travel", "2011"),
    ]


def test_places_of_two_ideographs_are_places():
    text = (
        "林小雨\n测试工程师\n杭州, 中国\nlin@byte.example\n\n工作经历\n\n"
        "2019年7月 – 至今: 测试工程师, 青松科技有限公司, 杭州\n\n技能\n\nJava, Go\n"
    )
    person = page_of(lines_of_text(text)).profile
    assert person.company == "青松科技有限公司"
    assert (person.location.city, person.location.country) == ("杭州", "中国")


def test_the_grade_of_a_certificate_is_part_of_its_name():
    text = "Engineer, Acme — 2020 – Present\n\nCertifications\nCloud Architect – Associate\n"
    [held] = resume(text).certificates
    assert (held.name, held.issuer) == ("Cloud Architect – Associate", None)
