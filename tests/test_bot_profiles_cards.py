"""Address cards and accounts: vCard of all versions, jCard, GitHub's JSON."""

import json

import pytest

from bot.profiles.reader import UnreadableProfile, read


def card(*lines, version="3.0", end="\r\n"):
    return end.join(["BEGIN:VCARD", f"VERSION:{version}", *lines, "END:VCARD", ""])


def profile(*lines, **how):
    [page] = read("x", card(*lines, **how).encode()).pages
    return page.profile


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_folded_lines_are_one(end):
    found = profile("FN:Ada", "  Byte", "NOTE:Builds", "\t queues", end=end)
    assert found.name == "Ada Byte"
    assert found.summary == "Builds queues"


def test_quoted_printable_is_read_in_the_encoding_that_it_names():
    found = profile(
        "N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Gr=C3=B6=C3=9Fer;Zo=C3=AB",
        "ORG;QUOTED-PRINTABLE;CHARSET=WINDOWS-1252:M=FChle=3B Lab",
        "NOTE;ENCODING=QUOTED-PRINTABLE:One=0D=0ATwo and a long line that goes=",
        " on",
        version="2.1",
    )
    assert found.name == "Zoë Größer"
    assert found.company == "Mühle"
    assert found.summary == "One\nTwo and a long line that goes on"


def test_escapes_parameters_groups_and_cases_are_understood():
    found = profile(
        "fn:Byte\\, Ada",
        "item1.EMAIL;type=INTERNET;type=pref:Ada@Example.org",
        'TEL;TYPE="work,voice";PREF=1;VALUE=uri:tel:+44-20-7946-0018;ext=12',
        "TEL;TYPE=FAX:+44 20 7946 0019",
        "ORG:Nordlys\\; Labs;Compilers",
        "TITLE:Engineer",
        "URL;VALUE=uri:ada.example/cv",
        version="4.0",
    )
    assert found.name == "Ada Byte"
    assert found.emails == ("ada@example.org",)
    assert found.phones == ("+44 20 7946 0018",)
    assert (found.title, found.company) == ("Engineer", "Nordlys; Labs")
    assert [each.url for each in found.links] == ["https://ada.example/cv"]


def test_what_must_not_matter_is_not_kept():
    [page] = read(
        "x",
        card(
            "FN:Ada Byte",
            "BDAY:1990-05-04",
            "GENDER:F",
            "ANNIVERSARY:2015-05-04",
            "RELATED;TYPE=spouse:Ben Quill",
            "PHOTO;ENCODING=b;TYPE=JPEG:AAAA",
            " BBBB",
            "X-SPOUSE:Ben Quill",
            "NOTE:Nationality: Dutch\\nCalls back",
        ).encode(),
    ).pages
    assert page.text == "Name: Ada Byte\nNote: Calls back" or page.profile.summary == "Calls back"
    for gone in ("1990", "Quill", "AAAA", "Dutch"):
        assert gone not in repr(page.profile)
    assert "1990" not in page.text
    assert "Quill" not in page.text


def test_one_bad_card_stops_none_and_a_card_cut_off_is_read():
    text = card("FN:Ada Byte") + card("FN:") + card("FN:Old Mill", "ORG:Old Mill")
    text += "BEGIN:VCARD\nFN:Ben Quill\nTEL:+44 20 7946 0018\n"
    reading = read("x", text.encode())
    assert [(each.profile.name, each.place) for each in reading.pages] == [
        ("Ada Byte", "card 1"),
        ("Ben Quill", "card 4"),
    ]
    assert [each.name for each in reading.refusals] == ["(no name)", "Old Mill"]


@pytest.mark.parametrize("line", ["KIND:org", "X-ABShowAs:COMPANY", "KIND:group"])
def test_a_company_is_no_person(line):
    with pytest.raises(UnreadableProfile, match="company or a group"):
        read("x", card("FN:Harbour Bank", line).encode())


def test_a_list_of_jcards_is_several_people():
    cards = [["vcard", [["fn", {}, "text", each], 3, ["x"]]] for each in ("Ada Byte", "Ben Quill")]
    reading = read("x", json.dumps([*cards, ["vcard", 1], None]).encode())
    assert [each.profile.name for each in reading.pages] == ["Ada Byte", "Ben Quill"]


def test_an_account_keeps_its_number_and_a_name_is_never_made_from_its_login():
    user = {"login": "ada-byte", "id": 7, "node_id": "x", "name": "Ada Byte", "type": "User"}
    nameless = {**user, "login": "benq", "name": None}
    reading = read("x", json.dumps({"items": [user, nameless]}).encode())
    [page] = reading.pages
    assert page.profile.likely_login == "ada-byte"
    assert [each.text for each in page.profile.remarks] == [
        "GitHub account ada-byte has the number 7."
    ]
    assert [each.name for each in reading.refusals] == ["account 2"]


def test_graphql_gives_the_same_under_its_own_names():
    user = {
        "__typename": "User",
        "login": "ada-byte",
        "databaseId": 7,
        "name": "Ada Byte",
        "websiteUrl": "https://ada.example",
        "twitterUsername": "adabyte",
    }
    [page] = read("x", json.dumps({"data": {"user": user}}).encode()).pages
    assert [each.url for each in page.profile.links] == [
        "https://github.com/ada-byte",
        "https://ada.example",
        "https://twitter.com/adabyte",
    ]
    assert page.profile.remarks
