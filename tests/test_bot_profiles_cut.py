"""Where a page stops in the middle: whole facts are kept, and it is told once."""

from pathlib import Path

import pytest

from bot.profiles.reader import read

FOOTER = (
    min((Path(__file__).parent.parent / "seeds").glob("*.txt"))
    .read_text(encoding="utf-8")
    .splitlines()[-1]
)
TOP = "Ann Quill\nOslo, Norway\nGithub Skills (1)\nc9\n"
ONE = "Github contributions (1)\na-q/b\n"


def person(text):
    ((profile, _),) = read("page.txt", text.encode()).profiles
    return profile


def codes(text):
    return [remark.code for remark in person(text).remarks]


@pytest.mark.parametrize(
    "page",
    [
        TOP,
        TOP + ONE,
        TOP + ONE + "Mar 2021 - May 2021\nContributions:1 commit in 1 day\n",
        TOP + ONE + "Contributions summary:Ann did it.\n",
        TOP + ONE.replace("1", "7") + "Contributions summary:Ann did it.\ndockernginx\n",
        TOP + FOOTER,
        "Ann Quill\nSummary\n" + FOOTER,
        TOP + ONE + "Role in this project:\n" + FOOTER,
    ],
)
def test_a_page_with_its_footer_or_all_it_declares_is_not_cut_off(page):
    assert "page-cut" not in codes(page)


@pytest.mark.parametrize(
    "page",
    [
        "Ann Quill\nSummary\n",
        "Ann Quill\nSummary\nAnn builds.\n",
        "Ann Quill\nGithub Skills (1",
        "Ann Quill\nGithub Skills (2)\nc9\n",
        "Ann Quill\nGithub Skills (2)\nc9\ngoo",
        TOP + "Github contributions (1)\n",
        TOP + ONE + "Role in this project:\n",
        TOP + ONE + "Contributions summary:\n",
        TOP + ONE + "Contributions summary:Ann did",
        TOP + ONE.replace("1", "2"),
        TOP + ONE.rstrip("\n"),
        TOP + ONE + "Apr 20",
    ],
)
def test_a_page_that_ends_inside_a_section_is_cut_off(page):
    assert codes(page).count("page-cut") == 1


@pytest.mark.parametrize(
    "page",
    [
        "Ann Quill\nStackoverflow\n1reputation\n20rea",
        TOP + ONE.replace("1", "2") + "Contributions:1 commit in 1 day\ndockernginx\nnext-own/",
    ],
)
def test_the_fragment_at_the_end_is_told_once(page):
    assert "page-cut" in codes(page)
    assert "text-unplaced" not in codes(page)


def test_a_repository_that_is_only_begun_leaves_the_one_above_whole():
    (one,) = person(
        TOP + ONE + "Contributions summary:Ann did it.\ndockernginx\nnext-own/"
    ).contributions
    assert (one.summary, one.topics) == ("Ann did it.", ("docker", "nginx"))


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("Apr 2022 - No", "2022-04"),
        ("Apr 2022 -", "2022-04"),
        ("Apr 2022 - Nov 20", "2022-04"),
        ("Apr 2022", "2022-04"),
        ("Apr 20", None),
        ("Ap", None),
    ],
)
def test_the_first_month_is_kept_when_the_page_ends_inside_the_second(line, first):
    (one,) = person(TOP + ONE + line).contributions
    assert (one.from_month, one.to_month, one.description) == (first, None, None)


@pytest.mark.parametrize(
    ("end", "span"),
    [
        ("1", None),
        ("7 mon", None),
        ("7 month", None),
        ("7 months", "7 months"),
        ("1 year", "1 year"),
        ("1 year 2", None),
        ("1 year 2 months", "1 year 2 months"),
    ],
)
def test_a_span_is_kept_only_whole(end, span):
    (one,) = person(f"{TOP}{ONE}Contributions:3 commits in {end}").contributions
    assert (one.commits, one.span) == (3, span)


# Repositories that have little more than a name


@pytest.mark.parametrize(
    ("count", "repositories", "description"),
    [
        (4, ["zz/yy", "zz/xx", "zz/ww", "other/vv"], None),
        (9, ["zz/yy", "zz/xx", "zz/ww", "other/vv"], None),
        (3, ["zz/yy", "zz/ww", "other/vv"], "zz/xx"),
    ],
)
def test_a_repository_line_begins_one_while_more_are_declared(count, repositories, description):
    found = person(
        f"Ann\nGithub contributions ({count})\nzz/yy\nJan 2020 - Feb 2020\nzz/xx\nzz/ww\n"
        f"Jan 2021 - Mar 2021\nA thing\nother/vv\nAnother thing\n{FOOTER}"
    ).contributions
    assert [each.repository for each in found] == repositories
    assert found[0].description == description


def test_a_pair_of_words_is_a_description_however_many_are_declared():
    (one,) = person(
        f"Ann\nGithub contributions (5)\nzz/yy\nJan 2020 - Feb 2020\nTCP/IP\n{FOOTER}"
    ).contributions
    assert (one.repository, one.description) == ("zz/yy", "TCP/IP")


@pytest.mark.parametrize("place", ["Singapore, Singapore", "Luxembourg, Luxembourg"])
def test_a_place_said_twice_is_no_education(place):
    profile = person(f"Ann\nWriter at X\n{place}\nSummary\n{FOOTER}")
    assert profile.location.text == place
    assert profile.education == ()


def test_doubled_education_alone_is_a_fact():
    profile = person("Ann\nWriter at X\nMaster, Art, Master, Art at University of Y\n")
    assert [(each.text, each.school) for each in profile.education] == [
        ("Master, Art", "University of Y")
    ]
