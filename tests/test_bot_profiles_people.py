"""Several pages in one document, damaged pages, and bytes of any kind."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.profiles.reader import UnreadableProfile, read

SEEDS = sorted((Path(__file__).parent.parent / "seeds").glob("*.txt"))
FOOTER = SEEDS[0].read_text(encoding="utf-8").splitlines()[-1]

FIRST = """Mira Holm
Engineer at Brinn
Oslo, Norway
Summary
Mira builds.
Github Skills (2)
cuda10
onnx9
Github contributions (1)
brinn/loader
Mar 2021 - May 2021
A loader
Contributions:2 commits in 2 months
Contributions summary:Mira added things.
dockernginx
"""
SECOND = """王小明
Staff Engineer
上海, 中国
Summary
He builds.
Github Skills (1)
go10
Github contributions (1)
wang-x/dots
Jan 2020 - Feb 2020
"""
BARE = """Bo
Github Skills (1)
rust9
Programming languages (2)
"""


def found(text):
    reading = read("pages.txt", text.encode())
    return [profile for profile, _ in reading.profiles], reading.refusals


@pytest.mark.parametrize("between", ["", FOOTER + "\n", "\n\n", FOOTER])
def test_people_are_separated_by_the_footer_or_a_second_heading(between):
    for order in (
        [FIRST, SECOND, BARE],
        [BARE, SECOND, FIRST],
        [FIRST, FIRST.replace("Mira", "Lea")],
    ):
        profiles, refusals = found(between.join(order))
        assert [each.name for each in profiles] == [page.splitlines()[0] for page in order]
        assert refusals == ()


def test_each_person_is_read_as_if_alone():
    alone = [found(page + FOOTER)[0][0] for page in (FIRST, SECOND, BARE)]
    together, _ = found((FOOTER + "\n").join([FIRST, SECOND, BARE]) + FOOTER)
    assert together == alone
    first, second = found(FIRST + SECOND + FOOTER)[0]
    assert (first, second) == (alone[0], alone[1])


def test_each_person_has_only_the_text_that_speaks_of_them():
    reading = read("pages.txt", f"{FIRST}{FOOTER}\n{SECOND}".encode())
    (_, first), (_, second) = reading.profiles
    assert first == FIRST.rstrip("\n")
    assert second == SECOND.rstrip("\n")
    assert reading.parser == "prog-ai/3"


def test_a_footer_glued_to_the_next_name_still_separates():
    profiles, _ = found(FIRST.rstrip("\n") + FOOTER + SECOND)
    assert [each.name for each in profiles] == ["Mira Holm", "王小明"]
    assert profiles[0].contributions[0].topics == ("docker", "nginx")


def test_a_broken_person_is_refused_and_the_others_are_kept():
    profiles, refusals = found(
        f"{FIRST}{FOOTER}\nNobody Falk\nEngineer\n{FOOTER}\n{SECOND}{FOOTER}"
    )
    assert [each.name for each in profiles] == ["Mira Holm", "王小明"]
    (refusal,) = refusals
    assert refusal.name == "Nobody Falk"
    assert "no heading or fact" in refusal.reason


def test_the_sites_own_last_lines_are_left_aside_and_told():
    profiles, refusals = found(f"{FIRST}{FOOTER}\n© 2026 Prog,AI. All rights reserved.\n")
    assert refusals == ()
    assert [remark.code for remark in profiles[0].remarks] == ["text-unplaced"]


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.stem)
def test_a_page_cut_at_any_byte_is_read_or_refused_and_never_invents(seed):
    content = seed.read_bytes()
    ((whole, _),) = read(seed.name, content).profiles
    heading = content.index(b"Summary") + len(b"Summary")
    for end in range(len(content)):
        try:
            ((profile, _),) = read(seed.name, content[:end]).profiles
        except UnreadableProfile:
            assert end < heading
            continue
        assert profile.name == whole.name
        assert (profile.headline, profile.company) == (whole.headline, whole.company)
        assert {skill.name for skill in profile.skills if skill.score == 10} <= {
            skill.name for skill in whole.skills
        }
        assert len(profile.contributions) <= len(whole.contributions)
        for one, right in zip(profile.contributions, whole.contributions, strict=False):
            assert right.repository.startswith(one.repository)
            assert one.other == {}
            assert one.from_month in {None, right.from_month}
            assert one.to_month in {None, right.to_month}
            assert one.pull_requests in {None, right.pull_requests}
        assert profile.declared.skills in {None, whole.declared.skills}
        assert profile.declared.contributions in {None, whole.declared.contributions}


LINES = st.sampled_from(
    [
        *SEEDS[0].read_text(encoding="utf-8").splitlines(),
        *FIRST.splitlines(),
        "",
        "🤩",
        "a/b",
        "c10",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, max_size=40).map("\n".join))
def test_lines_of_pages_in_any_order_are_read_or_refused(text):
    check(text.encode())


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400) | st.text(max_size=300).map(str.encode))
@example("A B\nSummary\n".encode("utf-16"))
@example(b"\xff\xfe\x00")
@example(b"A B\nGithub contributions (1)")
def test_bytes_of_any_kind_are_read_or_refused(content):
    check(content)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=120), st.integers(0, 30))
def test_any_text_anywhere_in_a_page_is_read_or_refused(text, place):
    lines = FIRST.splitlines()
    lines.insert(min(place, len(lines)), text)
    check("\n".join(lines).encode(errors="replace"))


def check(content):
    try:
        reading = read("page.txt", content)
    except UnreadableProfile:
        return
    assert reading.profiles
    for profile, text in reading.profiles:
        assert profile.name.strip()
        assert text.strip()
