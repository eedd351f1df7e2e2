"""Jobs, languages and links on card and More; contact details by role."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from handlers.views.card import card, shared_card
from handlers.views.card_setting import Setting
from handlers.views.career import login
from handlers.views.more import more
from storage.records import (
    Candidate,
    Certificate,
    Job,
    Language,
    Link,
    Profile,
    Publication,
    Skill,
)

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)
RECRUITER = Setting(now=NOW, zone=UTC, viewer="U1", may_see_contacts=True)
VIEWER = replace(RECRUITER, may_see_contacts=False)
PROFILE = Profile(
    name="Ines Adeyemi",
    title="Compiler Engineer",
    company="Nordlys Labs",
    skills=(Skill(name="mlir"), Skill(name="python")),
    jobs=(
        Job(employer="Nordlys Labs", title="Compiler Engineer", from_date="2021-03",
            is_current=True, place="Malmö", summary="Optimisation passes.\nTwo of them."),
        Job(employer="Fjordmark", title="Engineer", from_date="2016", to_date="2021-02-28"),
        Job(employer="Bergsken", from_date="2015", to_date="2015"),
        Job(title="Intern"),
    ),
    languages=(Language(name="Swedish", level="native"), Language(name="English")),
    links=(Link(url="https://github.com/ines"), Link(url="https://ines.example", label="Site")),
    publications=(Publication(title="On tiling", publisher="CGO", date="2022-02"),),
    certificates=(Certificate(name="CKA", issuer="CNCF", date="2020"),),
    emails=("ines@example.org",),
    phones=("+46 40 10 20 30",),
)  # fmt: skip


def stored(profile):
    return Candidate(id="0123456789ab", profile=profile, added_at=NOW, added_by="U1",
                     added_via="slack", updated_at=NOW)  # fmt: skip


def text_of(message):
    return json.dumps(message.blocks, ensure_ascii=False)


def test_a_card_shows_the_latest_jobs_and_languages_and_no_contact():
    for message in (
        card(stored(PROFILE), RECRUITER),
        shared_card(stored(PROFILE), RECRUITER, by="U1", key="k"),
    ):
        told = text_of(message)
        assert "Compiler Engineer at *Nordlys Labs* · Mar 2021–now" in told
        assert "Engineer at *Fjordmark* · 2016–Feb 2021" in told
        assert "Worked at *Bergsken* · 2015\\n" in told
        assert "+1 in More" in told
        assert "*Speaks* Swedish (native), English" in told
        assert "mlir, python" in told
        assert "no score" not in told
        assert "@example.org" not in told
        assert "+46" not in told


@pytest.mark.parametrize(("setting", "seen"), [(RECRUITER, True), (VIEWER, False)])
def test_contact_details_are_for_those_who_may_see_them(setting, seen):
    told = text_of(more(stored(PROFILE), setting))
    assert ("ines@example.org" in told) is seen
    assert ("+46 40 10 20 30" in told) is seen
    assert ("A recruiter sees the contact details." in told) is not seen
    for part in ("Optimisation passes. Two of them.", "On tiling", "CGO", "CKA", "CNCF",
                 "<https://ines.example|Site>", "Malmö"):  # fmt: skip
        assert part in told
    note = "contact details in More" if seen else "contact details on file"
    assert note in text_of(card(stored(PROFILE), setting))


def test_a_page_without_any_of_it_says_nothing_of_it():
    bare = stored(Profile(name="Ines Adeyemi"))
    for told in (text_of(card(bare, RECRUITER)), text_of(more(bare, RECRUITER))):
        for heading in ("Jobs", "Speaks", "Publications", "Certificates", "Links", "*Contact*"):
            assert heading not in told
    assert "no contact details on it" in text_of(card(bare, RECRUITER))


def test_a_login_is_probable_only_where_no_link_states_it():
    linked = replace(PROFILE, likely_login="Ines")
    assert login(linked) == "Ines on GitHub"
    assert login(replace(linked, links=())) == "probably Ines on GitHub"
