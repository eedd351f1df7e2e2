"""A person needs a name line: what stands at the top of a page whose own top is missing is none."""

from itertools import product
from pathlib import Path

import pytest

from bot.profiles.reader import UnreadableProfile, read

SEEDS = sorted((Path(__file__).parent.parent / "seeds").glob("*.txt"))
FOOTER = SEEDS[0].read_text(encoding="utf-8").splitlines()[-1]

ANN = """Ann Quill
Tester at Humber
Bath, United Kingdom
Summary
Ann tests.
Github Skills (1)
sql7
Github contributions (1)
aq/b
Mar 2021 - Mar 2021
Contributions:1 commit in 1 day
Contributions summary:Ann did it.
dockernginx
"""
DEE = """Dee Quill
Tester at Humber
Bath, United Kingdom
Summary
Dee tests.
Github Skills (1)
sql7
"""
BARE_DEE = "Dee Quill\nGithub Skills (1)\nsql7\n"


def names(text):
    reading = read("page.txt", text.encode())
    return [profile.name for profile, _ in reading.profiles]


def is_nobody(text):
    with pytest.raises(UnreadableProfile, match=r"no name above|No person on it") as refusal:
        read("page.txt", text.encode())
    return "from the name at the top" in str(refusal.value)


def rests():
    """Each seed and a page beside it, from each of their lines but the first to the end."""
    for text in [*(seed.read_text(encoding="utf-8") for seed in SEEDS), ANN]:
        lines = text.replace(FOOTER, "").rstrip().splitlines()
        for start in range(1, len(lines)):
            yield "\n".join(lines[start:]) + "\n"


@pytest.mark.parametrize("end", ["", FOOTER])
def test_a_page_without_its_first_lines_is_nobody(end):
    assert all(is_nobody(rest + end) for rest in rests())


@pytest.mark.parametrize("between", ["", FOOTER + "\n"])
@pytest.mark.parametrize("other", [DEE, BARE_DEE])
def test_the_page_after_one_without_its_top_is_read(between, other):
    for rest in rests():
        assert names(f"{rest}{between}{other}{FOOTER}") == ["Dee Quill"], rest


@pytest.mark.parametrize("between", ["", FOOTER + "\n"])
def test_the_page_before_one_without_its_top_is_read(between):
    for rest in rests():
        reading = read("page.txt", f"{ANN}{between}{rest}{FOOTER}".encode())
        ((ann, _),) = reading.profiles
        assert (ann.name, ann.skills[0].name) == ("Ann Quill", "sql")
        # Contributions alone, without a heading or a footer above, belong to the page before.
        assert len(ann.contributions) == 1 or not (between or "Github" in rest), rest


def test_who_has_no_name_is_told():
    reading = read("page.txt", f"go10\nProgramming languages (2)\n{FOOTER}\n{DEE}".encode())
    assert [profile.name for profile, _ in reading.profiles] == ["Dee Quill"]
    (refusal,) = reading.refusals
    assert refusal.reason.startswith("There is no name above “go10”. Copy from the name at the top")


@pytest.mark.parametrize(
    ("line", "below"),
    [
        ("Software Engineer at Meta", "Summary"),
        ("Software Engineer at Meta", "Nowhere, Atlantis\nSummary"),
        ("Staff Software Engineer", "Oslo, Norway\nSummary"),
        ("Engineer", "Oslo, Norway\nSummary"),
        ("Beijing, United States", "Summary"),
        ("Austin, Texas", "Summary"),
        ("Singapore, Singapore", "Summary"),
        ("Hong Kong, Hong Kong", "Github Skills (1)"),
        ("San Francisco", "Summary"),
        ("Germany", "Summary"),
        ("Stockholm", "Summary"),
        ("Rockstar🎓", "Top SchoolLei builds.\n8 years of coding experience"),
        ("Top School", "Lei builds.\n8 years of coding experience"),
        ("mary", "Lei builds compilers and all that goes with them.\nGithub Skills (1)"),
        ("Runa writes COBOL.", "Github Skills (1)"),
        ("verflow", "1reputation\nGithub Skills (1)"),
        ("oding experience", "Github Skills (1)"),
        ("1reputation", "0reached\nGithub Skills (1)"),
        ("Master, Art, Master, Art at X", "Github Skills (1)"),
        ("ithub Skills (2)", "cuda10\nonnx9\nProgramming languages (2)"),
        ("cuda10", "Programming languages (2)"),
        ("cuda10", "web\nonnx9\nGithub contributions (2)\na/b"),
        ("Python", "Java\nGithub contributions (1)\na/b"),
        ("Apr 2022 - Nov 2022", "Role in this project:\nML Engineer\nGithub Skills (1)"),
        ("dockernginxredis", "Github Skills (1)"),
    ],
)
def test_no_line_of_another_kind_is_a_name(line, below):
    assert is_nobody(f"{line}\n{below}\n{FOOTER}")


NAMES = [
    "Prince",
    "prince",
    "bell hooks",
    "O'Brien",
    "Head",
    "Student",
    "Mary Head",
    "Farhad Engineer",
    "Java Joe",
    "王芳",
    "Нина",
    "محمد علي",
    "Nguyễn Văn A",
    "van der Berg",
    "Dr. Ana maria Falk Jr.",
    "Jordan",
    "Sofia",
    "May",
    "Zhao, Lei",
    "Jordan, Michael",
    "Martin Luther King, Jr.",
    "Ann Lee, PhD",
    "Guido (BDFL) van Rossum",
    "X Æ A-12",
    "docker",
    "johnsmith",
    "torvalds42",
]


@pytest.mark.parametrize(
    ("name", "below"),
    list(
        product(
            NAMES,
            [
                "Writer at Foo\nOslo, Norway\nSummary\nHi all.",
                "Senior Writer\n8 years of coding experience",
                "Oslo, Norway\nSummary",
                "Summary",
                "Github Skills (1)\nc10",
            ],
        )
    ),
)
def test_a_name_of_any_form_at_the_top_is_a_name(name, below):
    assert names(f"{name}\n{below}\n{FOOTER}") == [name]


def test_a_job_as_a_name_is_one_when_a_headline_follows():
    assert names(f"Engineer\nWriter at Foo\nSummary\n{FOOTER}") == ["Engineer"]


@pytest.mark.parametrize("above", ["https://example.com/lei", "look at this person", "See below:"])
def test_words_before_the_page_are_left_aside(above):
    ((profile, _),) = read("page.txt", f"{above}\n{DEE}{FOOTER}".encode()).profiles
    assert (profile.name, profile.headline) == ("Dee Quill", "Tester at Humber")
    assert [remark.code for remark in profile.remarks] == ["text-unplaced"]
