"""LinkedIn's data export: one person, whatever else the ZIP holds."""

import zipfile
from io import BytesIO

import pytest

from bot.profiles.reader import UnreadableProfile, read

OWN = "First Name,Last Name,Maiden Name,Address,Birth Date,Headline,Summary,Industry,Geo Location\n"
ADA = 'Ada,Byte,Quill,,May 4,Engineer,,Software,"Oslo, Norway"\n'


def export(**files):
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"Complete_Export/{name.replace('_', ' ')}.csv", text)
    return content.getvalue()


def test_positions_without_an_end_are_held_now():
    content = export(
        Profile=OWN + ADA,
        Positions="Company Name,Title,Description,Location,Started On,Finished On\n"
        "Nordlys,Engineer,,Oslo,Mar 2021,\nHarbour,Intern,,,2016,Feb 2017\n",
    )
    [page] = read("x", content).pages
    assert [(each.employer, each.from_date, each.to_date) for each in page.profile.jobs] == [
        ("Nordlys", "2021-03", None),
        ("Harbour", "2016", "2017-02"),
    ]
    assert (page.profile.title, page.profile.company) == ("Engineer", "Nordlys")


def test_other_people_in_the_export_are_nobody():
    content = export(
        Profile=OWN + ADA,
        Skills="Name\nGo\n",
        Connections="First Name,Last Name,Email Address\nBen,Else,ben@example.org\n",
        Invitations="From,To,Message\nBen Else,Ada Byte,Hello\n",
    )
    [page] = read("x", content).pages
    assert page.profile.name == "Ada Byte"
    assert "Else" not in page.text
    assert "Quill" not in page.text
    assert "May 4" not in page.text


def test_the_profile_alone_is_the_person():
    [page] = read("x", ("\ufeff" + OWN + ADA).encode()).pages
    assert page.profile.headline == "Engineer"
    assert page.profile.location.city == "Oslo"


def test_an_export_that_is_damaged_or_too_large_is_refused():
    large = export(Profile=OWN + ADA, Skills="Name\n" + "x" * 9_000_000)
    with pytest.raises(UnreadableProfile, match="too large"):
        read("x", large)
    damaged = bytearray(export(Profile=OWN + ADA, Skills="Name\nGo\n"))
    damaged[60:90] = b"\x00" * 30
    with pytest.raises(UnreadableProfile):
        read("x", bytes(damaged))
