"""Pages with the traps that copying lays, alone and together. All people are invented."""

import pytest

from bot.profiles.reader import UnreadableProfile, read
from storage.profile_json import profile_from_document, profile_to_document
from storage.records import Location, Severity

FOOTER = (
    "Find and Hire Top DevelopersWe’ve analyzed the programming source code of over 60 million "
    "software developers on GitHub and scored them by 50,000 skills. Sign-up on Prog,AI to search "
    "for software developers."
)


def people(text):
    return [profile for profile, _ in read("page.txt", text.encode()).profiles]


def person(text):
    (profile,) = people(text)
    return profile


def codes(profile, severity=None):
    return {remark.code for remark in profile.remarks if severity in {None, remark.severity}}


def contribution(*lines, name="Ines Okafor"):
    page = "\n".join([name, "Github contributions (1)", *lines, FOOTER])
    (one,) = person(page).contributions
    return one


# The lines above the first heading


@pytest.mark.parametrize(
    ("lines", "headline", "title", "company", "place"),
    [
        (
            ["Engineer at Brinn AI", "Oslo, Norway"],
            "Engineer at Brinn AI",
            "Engineer",
            "Brinn AI",
            "Oslo, Norway",
        ),
        (
            ["Oslo, Norway", "Engineer at Brinn AI"],
            "Engineer at Brinn AI",
            "Engineer",
            "Brinn AI",
            "Oslo, Norway",
        ),
        (
            ["Engineer at Night at Brinn"],
            "Engineer at Night at Brinn",
            "Engineer",
            "Night at Brinn",
            None,
        ),
        (["Engineer"], "Engineer", "Engineer", None, None),
        (["Oslo, Norway"], None, None, None, "Oslo, Norway"),
        (
            ["Engineer, Platform", "Oslo, Norway"],
            "Engineer, Platform",
            "Engineer, Platform",
            None,
            "Oslo, Norway",
        ),
        (
            ["Partner at Fox, Hare and Owl"],
            "Partner at Fox, Hare and Owl",
            "Partner",
            "Fox, Hare and Owl",
            None,
        ),
        (
            ["Staff Engineer, Search"],
            "Staff Engineer, Search",
            "Staff Engineer, Search",
            None,
            None,
        ),
        (["Engineer at Brinn", "Singapore"], "Engineer at Brinn", "Engineer", "Brinn", "Singapore"),
        (
            ["Engineer at Brinn", "Kalmarfors, Sweden"],
            "Engineer at Brinn",
            "Engineer",
            "Brinn",
            "Kalmarfors, Sweden",
        ),
        ([], None, None, None, None),
    ],
)
def test_headline_and_place_are_told_apart_in_either_order(lines, headline, title, company, place):
    profile = person("\n".join(["Ines Okafor", *lines, "3 years of coding experience", FOOTER]))
    assert (profile.headline, profile.title, profile.company) == (headline, title, company)
    assert (profile.location.text if profile.location else None) == place


@pytest.mark.parametrize(
    "name",
    [
        "Ines",
        "Ana Sofía de la Cruz y Mendoza",
        "Jean-Luc O'Neil III",
        "王小明",
        "Łukasz Żółć",
        "Dr. Mia Falk",
        "Бориc Иванов",
        "ines okafor",
        "J. R. Falk",
    ],
)
def test_names_of_many_kinds_are_names(name):
    assert person(f"{name}\nEngineer at X\nSummary\n{FOOTER}").name == name


def test_a_country_that_contradicts_the_city_is_left_out_and_told():
    profile = person(f"Ines Okafor\nEngineer at X\nShenzhen, Canada\nSummary\n{FOOTER}")
    assert profile.location == Location(
        text="Shenzhen, Canada", city="Shenzhen", country=None, stated_country="Canada"
    )
    (remark,) = (each for each in profile.remarks if each.severity is Severity.CHECK)
    assert (remark.code, remark.text) == ("country-contradicts", 'heading says "Shenzhen, Canada"')


# Summary and badges


@pytest.mark.parametrize(
    ("rows", "badges", "summary"),
    [
        (
            ["🤩", "Rockstar🎓", "Top SchoolInes builds."],
            ("Rockstar", "Top School"),
            "Ines builds.",
        ),
        (
            ["🎓", "Top School🤩", "RockstarInes builds."],
            ("Top School", "Rockstar"),
            "Ines builds.",
        ),
        (["🤩", "RockstarInes builds."], ("Rockstar",), "Ines builds."),
        (["🤩", "Rockstar"], ("Rockstar",), None),
        (
            [":star-struck:", "Rockstar:mortar_board:", "Top SchoolInes builds."],
            ("Rockstar", "Top School"),
            "Ines builds.",
        ),
        (["🏆", "Open Source HeroInes builds."], ("Open Source Hero",), "Ines builds."),
        (["🏆", "GitHub StarShe builds."], ("GitHub Star",), "She builds."),
        (["🏆", "Night Owl🎓", "Top School她写代码。"], ("Night Owl", "Top School"), "她写代码。"),
        (["Rockstar developers like Ines are few."], (), "Rockstar developers like Ines are few."),
        (["🚀 Ines ships."], (), "🚀 Ines ships."),
        (["RockstarTop SchoolInes builds."], ("Rockstar", "Top School"), "Ines builds."),
        (["Ines builds.", "", "And more."], (), "Ines builds. And more."),
        (
            ["Ines loves 🎓 and 5 reviews, 3 commits in 2 days."],
            (),
            "Ines loves 🎓 and 5 reviews, 3 commits in 2 days.",
        ),
        (
            ["She lists Github Skills (16) and Github contributions (5)."],
            (),
            "She lists Github Skills (16) and Github contributions (5).",
        ),
        ([], (), None),
    ],
)
def test_badges_are_cut_from_the_summary(rows, badges, summary):
    page = "\n".join(["Ines Okafor", "Engineer at X", "Summary", *rows])
    profile = person(f"{page}\n8 years of coding experience\n{FOOTER}")
    assert (profile.badges, profile.summary) == (badges, summary)


def test_badges_are_found_without_the_summary_heading():
    profile = person(f"Ines Okafor\nOslo, Norway\n🤩\nRockstarInes builds.\n{FOOTER}")
    assert (profile.badges, profile.summary) == (("Rockstar",), "Ines builds.")


# Facts and numbers


def test_coding_and_employment_are_two_facts_even_when_glued():
    profile = person(
        "Ines Okafor\n1 year of coding experience2 years of employment as a software developer\n"
        + FOOTER
    )
    assert (profile.years_coding, profile.years_employed) == (1, 2)


@pytest.mark.parametrize(
    ("rows", "numbers"),
    [
        (["1reputation", "0reached", "0answers", "0questions"], (1, 0, 0, 0)),
        (["15,420reputation", "2.1mreached", "87answers"], (15420, 2100000, 87, None)),
        (["1reputation0reached1answer2questions"], (1, 0, 1, 2)),
        ([], (None, None, None, None)),
    ],
)
def test_stack_overflow_is_four_numbers_each_optional(rows, numbers):
    page = "\n".join(["Ines Okafor", "Stackoverflow", *rows, "Github Skills (1)", "c10", FOOTER])
    block = person(page).stackoverflow
    assert (block.reputation, block.reached, block.answers, block.questions) == numbers


def test_without_the_block_there_is_no_stack_overflow():
    assert person(f"Ines Okafor\nGithub Skills (1)\nstackoverflow9\n{FOOTER}").stackoverflow is None


def test_declared_and_listed_are_two_facts():
    profile = person(
        "Ines Okafor\nGithub Skills (1,024)\nc10\nProgramming languages (3)\n"
        f"Github contributions\n{FOOTER}"
    )
    declared = profile.declared
    assert (declared.skills, declared.languages, declared.contributions) == (1024, 3, None)
    assert codes(profile) == {"skills-incomplete", "languages-hidden"}
    assert [skill.name for skill in profile.skills] == ["c"]


def test_the_footer_glued_or_cut_is_never_a_skill_or_topic():
    page = "Ines Okafor\nGithub Skills (2)\ncuda10\nonnx9"
    for glue in ("", "\n"):
        for end in range(1, len(FOOTER) + 1):
            if glue == "" and end < 8:
                continue  # a letter or two glued to a word cannot be told from the word
            skills = person(f"{page}{glue}{FOOTER[:end]}").skills
            assert [skill.name for skill in skills] == ["cuda", "onnx"], FOOTER[:end]


# Contributions


def test_a_contribution_with_everything():
    one = contribution(
        "example-org/queue.kit-10",
        "Sep 2021 - Present",
        "TCP/IP",
        "Role in this project:",
        "UI/UX",
        "UI/UXContributions:2 releases, 1,234 commits, 1 issue, 5 reviews, 3 pushes, 1 branch"
        " in 1 year 2 months",
        'Contributions summary:She wrote "Contributions:5 commits" on the wall.',
        "kubernetesdockernginx",
    )
    document = profile_to_document(person(f"A B\nSummary\n{FOOTER}"))
    assert document["contributions"] == []
    assert one.repository == "example-org/queue.kit-10"
    assert (one.from_month, one.to_month) == ("2021-09", None)
    assert (one.description, one.role) == ("TCP/IP", "UI/UX")
    assert (one.commits, one.pull_requests, one.reviews) == (1234, None, 5)
    assert (one.pushes, one.branches, one.other) == (3, 1, {"releases": 2, "issues": 1})
    assert one.span == "1 year 2 months"
    assert one.summary == 'She wrote "Contributions:5 commits" on the wall.'
    assert one.topics == ("kubernetes", "docker", "nginx")


@pytest.mark.parametrize(
    ("lines", "role"),
    [
        (
            ["Role in this project:ML Engineer", "ML EngineerContributions:1 commit in 1 day"],
            "ML Engineer",
        ),
        (
            ["Role in this project:", "ML Engineer", "ML EngineerContributions:1 commit in 1 day"],
            "ML Engineer",
        ),
        (["Role in this project:", "ML EngineerContributions:1 commit in 1 day"], "ML Engineer"),
        (["ML EngineerContributions:1 commit in 1 day"], "ML Engineer"),
        (["Contributions:1 commit in 1 day"], None),
        (["Role in this project:", "Contributions:1 commit in 1 day"], None),
        (
            ["Role in this project:R&amp;D Lead", "R&amp;D LeadContributions:1 commit in 1 day"],
            "R&D Lead",
        ),
    ],
)
def test_there_is_one_role_however_it_is_glued(lines, role):
    one = contribution("o/r", "Mar 2021 - Mar 2021", *lines)
    assert (one.role, one.commits, one.span) == (role, 1, "1 day")


@pytest.mark.parametrize(
    "description",
    [
        "Role-based access for everyone",
        "Summary",
        "dotfiles",
        "Contributions: welcome at any time",
        "A list of 5 reviews, 3 commits in 2 days",
        "owner/repository",
        "Stackoverflow",
        "8 years of coding experience",
        "Mirror of github.com/o/r",
    ],
)
def test_what_stands_between_months_and_counts_is_the_description(description):
    one = contribution("o/r", "Mar 2021 - Apr 2021", description, "Contributions:3 PRs in 9 days")
    assert (one.description, one.pull_requests, one.topics) == (description, 3, ())


@pytest.mark.parametrize(
    ("line", "months"),
    [
        ("Apr 2022 - Nov 2022", ("2022-04", "2022-11")),
        ("April 2022 – November 2022", ("2022-04", "2022-11")),
        ("Mar 2021 - Mar 2021", ("2021-03", "2021-03")),
        ("Sept 2021 - Present", ("2021-09", None)),
        ("May 2020", ("2020-05", None)),
    ],
)
def test_months_are_kept_as_months(line, months):
    one = contribution("o/r", line, "Contributions:1 commit in 1 day")
    assert (one.from_month, one.to_month) == months


def test_contributions_may_have_nothing_but_a_repository():
    profile = person(
        "Ines Okafor\nGithub contributions (4)\na/b\nJan 2020 - Feb 2020\nc/d\n"
        "Mar 2020 - Apr 2020\nA tool.\ne/f\n<https://github.com/g/h.i|g/h.i>\n" + FOOTER
    )
    assert [each.repository for each in profile.contributions] == ["a/b", "c/d", "e/f", "g/h.i"]
    assert [each.description for each in profile.contributions] == [None, "A tool.", None, None]
    assert all(each.commits is None and each.topics == () for each in profile.contributions)


def test_the_owner_that_bears_a_name_is_a_likely_login():
    page = (
        "{}\nGithub contributions (2)\napache/tvm\nJan 2020 - Feb 2020\n{}/r\nJan 2020 - Feb 2020\n"
        + FOOTER
    )
    assert person(page.format("Ines Okafor", "LyricOkafor")).likely_login == "LyricOkafor"
    assert person(page.format("Łukasz Żółć", "lukasz-z")).likely_login == "lukasz-z"
    assert person(page.format("王小明", "wang-x")).likely_login == "wang-x"
    assert person(page.format("Bo Li", "bolivar")).likely_login is None


# Remarks


def test_contradictions_are_told_in_a_few_words():
    profile = person(
        "Lin Wei\nEngineer at X\nShenzhen, Canada\nSummary\nLin holds a PhD in physics.\n"
        "3 years of coding experience\nMaster, CS, Master, CS at Y\nGithub contributions (1)\n"
        f"o/r\nMar 2021 - Mar 2021\nContributions:23 reviews, 1 commit, 24 PRs in 1 day\n{FOOTER}"
    )
    assert [each.text for each in profile.remarks if each.severity is Severity.CHECK] == [
        "PhD in the summary, Master under education",
        'heading says "Shenzhen, Canada"',
        '"1 day" may cover only the commit',
    ]


@pytest.mark.parametrize(
    "summary",
    ["Lin is a PhD candidate.", "Lin is pursuing a PhD.", "Lin holds a Master's degree."],
)
def test_a_degree_on_its_way_contradicts_nothing(summary):
    profile = person(
        f"Lin Wei\nSummary\n{summary}\n3 years of coding experience\n"
        f"Master, CS, Master, CS at Y\n{FOOTER}"
    )
    assert codes(profile, Severity.CHECK) == set()


def test_a_summary_of_someone_else_is_told():
    profile = person(f"Lin Wei\nSummary\nBoris Falk is a developer.\n{FOOTER}")
    assert codes(profile, Severity.CHECK) == {"name-in-summary"}


def test_a_page_without_oddities_has_no_remarks():
    profile = person(
        "Lin Wei\nEngineer at X\nOslo, Norway\nSummary\nLin builds.\n3 years of coding experience\n"
        "Github Skills (1)\nc10\nGithub contributions (1)\no/r\nMar 2021 - May 2021\n"
        f"Contributions:2 commits in 2 months\n{FOOTER}"
    )
    assert profile.remarks == ()


# How it travelled


PAGE = (
    "Zoë Nuñez\nEngineer at Café R&D\nOslo, Norway\nSummary\n🤩\nRockstarZoë builds.\n"
    "3 years of coding experience\nGithub Skills (1)\nc10\nGithub contributions (1)\no/r\n"
    f"Mar 2021 - May 2021\nContributions:2 commits in 2 months\n{FOOTER}\n"
)


@pytest.mark.parametrize(
    "travelled",
    [
        PAGE.replace("\n", "\r\n").encode(),
        PAGE.replace("\n", "\n\n").encode(),
        PAGE.replace("\n", "\r").encode(),
        PAGE.replace("\n", "\u2028").encode(),
        PAGE.replace(" ", "\u00a0").encode(),
        PAGE.replace("e", "e\u200b").encode(),
        PAGE.replace("\n", "  \n\t").encode(),
        PAGE.replace("ë", "e\u0308").replace("ñ", "n\u0303").encode(),
        PAGE.encode("utf-8-sig"),
        PAGE.encode("utf-16"),
        PAGE.encode("utf-16-le"),
        PAGE.encode("utf-16-be"),
        PAGE.encode("utf-32"),
        PAGE.replace("&", "&amp;").replace("🤩", ":star-struck:").encode(),
        PAGE.replace("o/r", "<https://github.com/o/r|o/r>").encode(),
        PAGE.replace("o/r", "<https://github.com/o/r>").encode(),
        f"```\n{PAGE}```".encode(),
        PAGE.replace("Lin", "L\x00in").replace("c10", "c1\x000").encode(),
        PAGE.encode().replace("🤩\n".encode(), b"").decode().encode("cp1252"),
    ],
)
def test_the_page_is_the_same_however_it_travelled(travelled):
    (((profile, _),)) = read("page.txt", travelled).profiles
    (wanted,) = people(PAGE)
    assert profile == wanted


# Refusals


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b" \n\t\r\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (FOOTER.encode(), "only Prog,AI's footer"),
        (b"Dear all,\nlunch is at noon.\n", "No person on it"),
        (b"Summary\n5 years of coding experience\n", "no name above “Summary”".encode().decode()),
        (b"%PDF-1.7 ...", "a PDF"),
        (b"PK\x03\x04....", "ZIP archive is damaged"),
        (bytes(range(256)) * 40, "binary"),
        (b"<!DOCTYPE html><html><body>Github Skill</body></html>", "saved web page"),
        (b"x" * (20 * 1024 * 1024 + 1), "larger than 20 MB"),
        (b"A B\nSummary\n" + b"x" * 200_000, "a line of more than"),
        (b"A B\nSummary\n" * 300_000, "lines. Split it"),
    ],
)
def test_what_gives_no_person_is_refused_with_a_sentence(content, says):
    with pytest.raises(UnreadableProfile) as refusal:
        read("page.txt", content)
    assert says in str(refusal.value)
    assert str(refusal.value).endswith(".")


def test_what_a_format_throws_becomes_a_sentence(monkeypatch):
    class Broken:
        NAME, VERSION = "broken", 1

        def claims(self, name, head):
            return 1.0

        def read(self, content):
            raise RuntimeError("inside")

    monkeypatch.setattr("bot.profiles.reader.FORMATS", (Broken(),))
    with pytest.raises(UnreadableProfile, match="reading it failed"):
        read("page.txt", b"anything")


def test_a_profile_survives_its_document():
    for text in (PAGE, PAGE.replace("Norway", "Canada")):
        profile = person(text)
        assert profile_from_document(profile_to_document(profile)) == profile
