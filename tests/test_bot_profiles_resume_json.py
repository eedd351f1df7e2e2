"""Résumés as JSON, whose schemas accept nearly anything."""

import json

import pytest

from bot.profiles.reader import UnreadableProfile, read


def profile(**sections):
    document = {"basics": {"name": "Ada Byte"}, **sections}
    [page] = read("x", json.dumps(document).encode()).pages
    return page.profile


@pytest.mark.parametrize(
    ("start", "end", "read_as"),
    [
        ("2019-03-04", "2020-05", ("2019-03-04", "2020-05", False)),
        ("2019", None, ("2019", None, True)),
        ("2019", "", ("2019", None, True)),
        ("March 2011", "Present", ("2011-03", None, True)),
        (2016, 2018, ("2016", "2018", False)),
        ("2020-19-39", "2021", ("2020", "2021", False)),
        ("03/2019", "heute", ("2019-03", None, True)),
        ("2018-01-01T00:00:00.000Z", "2019", ("2018-01-01", "2019", False)),
        ("2018", "unclear", ("2018", None, False)),
        (None, None, (None, None, False)),
        ({"year": 2018}, [2019], (None, None, False)),
    ],
)
def test_dates_are_read_in_their_precision_and_what_is_none_is_none(start, end, read_as):
    [job] = profile(work=[{"name": "Nordlys", "startDate": start, "endDate": end}]).jobs
    assert (job.from_date, job.to_date, job.is_current) == read_as


def test_a_lone_object_is_a_list_of_one():
    one = profile(work={"company": "Nordlys", "position": "Engineer"}, skills="Go, SQL")
    assert [(each.employer, each.title) for each in one.jobs] == [("Nordlys", "Engineer")]
    assert profile(work={"a": {"name": "X Labs"}, "b": {"name": "Y Labs"}}).jobs[1].employer


def test_anything_anywhere_is_passed_over():
    odd = profile(
        work=[None, 3, "a", [], {"name": {"x": 1}}, {"name": "Nordlys", "highlights": [1, None]}],
        education="none",
        skills=[None, {"name": None, "keywords": "Go"}, ["x"], 4],
        languages=[{}, "German", {"language": "EN"}],
        publications=3,
        certificates=[[]],
    )  # fmt: skip
    assert [each.employer for each in odd.jobs] == ["Nordlys"]
    assert [each.name for each in odd.skills] == ["Go"]
    assert [each.name for each in odd.languages] == ["German", "English"]


def test_a_list_of_resumes_is_several_people_and_one_without_a_name_stops_none():
    people = [
        {"basics": {"name": "Ada Byte"}},
        {"basics": {"name": ""}},
        {"basics": {"name": "Ben Quill"}},
    ]
    for document in (people, {"resumes": people}):
        reading = read("x", json.dumps(document).encode())
        assert [(each.profile.name, each.place) for each in reading.pages] == [
            ("Ada Byte", "résumé 1"),
            ("Ben Quill", "résumé 3"),
        ]
        assert [each.name for each in reading.refusals] == ["résumé 2"]


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        '{"basics": {}}',
        '{"basics": {"name": "Your Name"}}',
        '{"basics": {"name": 3}}',
        '{"basics": []}',
        '{"basics": {"name": "Ada',
        '{"basics": ' + '{"a":' * 5000,
        '{"basics": ' + "[" * 100_000,
        '{"name": "candidate-bot", "version": "1.0.0", "dependencies": {}}',
    ],
)
def test_what_names_nobody_is_refused_with_a_sentence(text):
    with pytest.raises(UnreadableProfile) as refused:
        read("x", text.encode())
    assert str(refused.value).endswith(".")


def test_what_must_not_matter_and_other_people_are_not_kept():
    document = {
        "basics": {
            "name": "Ada Byte",
            "birthDate": "1990-05-04",
            "nationality": "Dutch",
            "maritalStatus": "single",
            "image": "https://x.example/me.png",
            "customFields": [{"name": "Gender", "value": "female"}],
            "summary": "Builds queues.\nBorn: 4 May 1990",
        },
        "references": [{"name": "Ben Quill", "reference": "ben@example.org"}],
    }
    [page] = read("x", json.dumps(document).encode()).pages
    for gone in ("1990", "Dutch", "single", "me.png", "Quill", "ben@"):
        assert gone not in page.text
        assert gone not in repr(page.profile)


def test_a_utf_16_document_is_read():
    content = json.dumps({"basics": {"name": "Zoë Größer"}}, ensure_ascii=False).encode("utf-16")
    assert read("x", content).pages[0].profile.name == "Zoë Größer"


def test_reactive_resume_3_has_spans_as_objects_and_hides_sections():
    document = {
        "basics": {
            "name": "Ada Byte",
            "location": {"city": "Oslo", "country": "Norway"},
            "profiles": [{"network": "LinkedIn", "username": "ada-byte"}],
        },
        "sections": {
            "work": {
                "visible": True,
                "items": [
                    {
                        "name": "Nordlys",
                        "position": "Engineer",
                        "date": {"start": "2015-09-01T00:00:00.000Z", "end": ""},
                    }
                ],
            },
            "education": {
                "visible": False,
                "items": [{"institution": "Hidden University", "date": {"end": "2010"}}],
            },
        },
    }
    [page] = read("x", json.dumps(document).encode()).pages
    [job] = page.profile.jobs
    assert (job.employer, job.from_date, job.is_current) == ("Nordlys", "2015-09-01", True)
    assert page.profile.education == ()
    assert "Hidden" not in page.text
    assert page.profile.location.city == "Oslo"
    assert page.profile.links[0].url == "https://www.linkedin.com/in/ada-byte"


def test_a_level_in_words_is_kept_before_one_in_stars():
    document = {
        "basics": {"name": "Ada Byte"},
        "sections": {
            "languages": {
                "items": [
                    {"name": "Dutch", "description": "Native", "level": 5},
                    {"name": "Thai", "level": 2},
                ]
            }
        },
    }
    [page] = read("x", json.dumps(document).encode()).pages
    assert [(each.name, each.level) for each in page.profile.languages] == [
        ("Dutch", "Native"),
        ("Thai", "2"),
    ]


def test_soft_skills_of_manfred_are_skills():
    document = {
        "aboutMe": {"profile": {"name": "Ada", "surnames": "Byte"}},
        "knowledge": {
            "hardSkills": [{"skill": {"name": "PHP"}}],
            "softSkills": [{"skill": {"name": "Listening"}}],
        },
    }
    [page] = read("x", json.dumps(document).encode()).pages
    assert [each.name for each in page.profile.skills] == ["PHP", "Listening"]
