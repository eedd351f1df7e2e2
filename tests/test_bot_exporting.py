"""Exports as files: every form takes everybody, hostile texts stay text, and JSON comes back."""

import csv
import io
import json
import re
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from bot.exporting.forms import BY_WORD, FORMS, file_name
from bot.exporting.people import MOST, NobodyToExport, chosen
from bot.exporting.resume import EXTENSION, profile_in, resume_of
from bot.exporting.table import COLUMNS, FORMULA
from bot.profiles.reader import read
from storage.records import (
    Candidate,
    Certificate,
    Contribution,
    Education,
    Job,
    Language,
    Link,
    Location,
    Profile,
    Publication,
    Remark,
    Skill,
    StandingKind,
)
from storage.store import Store
from tests.people_fixtures import add, profile

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
FULL = Profile(
    name="Ines Adeyemi",
    headline="Compiler engineer",
    title="Compiler Engineer",
    company="Nordlys Labs",
    location=Location(text="Malmö, Sweden", city="Malmö", country="Sweden"),
    badges=("Rockstar",),
    summary="Writes passes.\n\nLikes small languages.",
    years_coding=9,
    years_employed=7,
    education=(
        Education(text="MSc", school="Lund University", area="CS", degree="MSc", from_date="2013"),
    ),
    skills=(Skill(name="C++"), Skill(name="llvm", score=10)),
    contributions=(
        Contribution(
            repository="norrsken/zugvogel", from_month="2024-03", commits=40, topics=("llvm",),
            other={"releases": 2},
        ),
    ),
    likely_login="inesadeyemi",
    jobs=(
        Job(employer="Nordlys Labs", title="Engineer", from_date="2021-03", is_current=True),
        Job(employer="Fjordkraft", from_date="March 2016", to_date="2021"),
    ),
    languages=(Language(name="English", level="Fluent"),),
    links=(
        Link(url="https://github.com/inesadeyemi"),
        Link(url="https://ines.example/über?a=b c", label="Blog"),
    ),
    publications=(Publication(title="Tiling", date="2020-10", url="https://papers.example/t"),),
    certificates=(Certificate(name="CKA", issuer="Foundation", date="spring 2022"),),
    emails=("ines@example.org", "i@example.org"),
    phones=("+46 40 123456",),
    remarks=(Remark(code="x", text="odd"),),
)  # fmt: skip
HOSTILE = ("=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "\x00\x0b\x1fx",
           "<script>", "[a](javascript:x)", "# h\n# h", "a;b,c\"d'e", "\ud800",
           "\u202egnp.exe", "日本 🤩")  # fmt: skip


def candidate(of: Profile, **said: Any) -> Candidate:
    said = {"added_at": NOW, "added_by": "U1", "added_via": "load", "updated_at": NOW, **said}
    return Candidate(id="10bv4h8ns6mm", profile=of, **said)


def hostile(text: str) -> Profile:
    return Profile(
        name=text, headline=text, title=text, company=text, summary=text, emails=(text,),
        phones=(text,), location=Location(text=text, city=text, country=text),
        skills=(Skill(name=text),), links=(Link(url=text), Link(url=f"http://[{text}", label=text)),
        jobs=(Job(employer=text, title=text, from_date=text, to_date=text, summary=text),),
        education=(Education(text=text, school=text),),
        contributions=(Contribution(repository=text, description=text, topics=(text,)),),
        publications=(Publication(title=text, url=text, date=text),),
        certificates=(Certificate(name=text, date=text),), languages=(Language(name=text),),
    )  # fmt: skip


def cells_of(form: str, content: bytes) -> list[list[Any]]:
    """The rows below the headings."""
    if form == "csv":
        return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))[1:]
    book = load_workbook(io.BytesIO(content))
    return [[cell.value for cell in row] for row in book["Candidates"].iter_rows(min_row=2)]


# -- every form


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.word)
@pytest.mark.parametrize("text", HOSTILE, ids=repr)
def test_every_form_takes_whatever_a_record_says(form, text):
    content = form.write([candidate(hostile(text)), candidate(FULL), candidate(Profile(name="B"))])
    assert content
    if form.is_text:
        assert "Ines Adeyemi" in content.decode()


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.word)
def test_every_form_tells_what_a_record_states(form, seed_profiles):
    people = [candidate(FULL), *(candidate(each) for each, _ in seed_profiles)]
    content = form.write(people)
    told = content.decode() if form.is_text else str(cells_of(form.word, content))
    parts = ("Nordlys Labs", "Lund University", "norrsken/zugvogel", "ines@example.org",
             "+46 40 123456", "English", "Tiling", "CKA", "tensorrt", "Tsinghua")  # fmt: skip
    for part in parts:
        assert part in told, part


def test_words_and_endings_are_of_one_form_each():
    words = [word for form in FORMS for word in (form.word, *form.also)]
    assert len(words) == len(set(words)) == len(BY_WORD)
    names = {file_name(form, NOW.date()) for form in FORMS}
    assert len(names) == len(FORMS)


# -- tables


@pytest.mark.parametrize("text", HOSTILE, ids=repr)
def test_no_cell_of_csv_begins_as_a_formula_does(text):
    [row] = cells_of("csv", BY_WORD["csv"].write([candidate(hostile(text))]))
    assert len(row) == len(COLUMNS)
    assert not [cell for cell in row if cell[:1] in FORMULA]


@given(st.text())
def test_no_text_at_all_begins_a_cell_as_a_formula_does(text):
    [row] = cells_of("csv", BY_WORD["csv"].write([candidate(hostile(text))]))
    assert not [cell for cell in row if cell[:1] in FORMULA]


@pytest.mark.parametrize("text", HOSTILE[:7], ids=repr)
def test_every_cell_of_a_workbook_is_text(text):
    book = load_workbook(io.BytesIO(BY_WORD["xlsx"].write([candidate(hostile(text))])))
    cells = [cell for row in book["Candidates"].iter_rows() for cell in row]
    assert {cell.data_type for cell in cells if cell.value is not None} <= {"s", "inlineStr"}


def test_a_cell_of_a_workbook_holds_what_excel_takes():
    long = Profile(name="Bo", summary="x" * 40_000)
    assert len(cells_of("xlsx", BY_WORD["xlsx"].write([candidate(long)]))[0][19]) == 32_767


def test_a_table_has_a_column_for_all_that_may_be_searched():
    headings = " ".join(heading for heading, _ in COLUMNS).lower()
    told = {"education", "skills", "contributions", "jobs", "links", "publications",
            "certificates", "languages", "summary", "headline", "title", "company"}  # fmt: skip
    assert not [each for each in told if each not in headings]
    assert told <= {field.name for field in fields(Profile)}


# -- JSON Resume

TEXTS = {
    "basics": {"name", "label", "email", "phone", "summary"},
    "work": {"name", "position", "location", "summary"},
    "education": {"institution", "area", "studyType"},
    "certificates": {"name", "issuer"},
    "publications": {"name", "publisher"},
    "skills": {"name", "level"},
    "languages": {"language", "fluency"},
    "projects": {"name", "description"},
}
"""The sections that are written and their texts, as jsonresume.org/schema names them."""
LISTS = {"highlights", "keywords", "roles"}
DATES = {"startDate", "endDate", "date", "releaseDate"}


def check_entry(section: str, entry: dict[str, Any]) -> None:
    for key, value in entry.items():
        if key in TEXTS[section]:
            assert isinstance(value, str)
        elif key in LISTS:
            assert all(isinstance(each, str) for each in value)
        elif key in DATES:
            assert re.fullmatch(r"[12]\d{3}(-[01]\d(-[0-3]\d)?)?", value)
        else:
            assert key == "url", key
            assert value.isascii()


def check_resume(resume: dict[str, Any]) -> None:
    """The shape of version 1.0.0: no key it does not know, no null, dates and addresses as such."""
    assert "null" not in json.dumps({**resume, "meta": None}).replace('"meta": null', "")
    assert resume.keys() <= {"$schema", "meta", *TEXTS}
    basics = dict(resume["basics"])
    assert basics.pop("location", {}).keys() <= {"city", "countryCode", "region"}
    for each in basics.pop("profiles", []):
        assert each.keys() <= {"network", "username", "url"}
        assert each["url"].isascii()
    check_entry("basics", basics)
    for section in TEXTS.keys() - {"basics"}:
        for entry in resume.get(section, []):
            check_entry(section, entry)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", resume["meta"]["lastModified"])


def test_a_resume_has_the_shape_of_the_schema(seed_profiles):
    people = [FULL, profile(), *(each for each, _ in seed_profiles), *map(hostile, HOSTILE)]
    for each in people:
        check_resume(json.loads(json.dumps(resume_of(candidate(each)))))


def test_one_person_is_an_object_and_several_are_a_list():
    one = json.loads(BY_WORD["json"].write([candidate(FULL)]))
    two = json.loads(BY_WORD["json"].write([candidate(FULL), candidate(profile())]))
    assert one["basics"]["location"] == {"city": "Malmö", "countryCode": "SE"}
    assert one["work"][1] == {"name": "Fjordkraft", "endDate": "2021"}
    assert [each["basics"]["name"] for each in two] == ["Ines Adeyemi", "Quetzal Adeyemi"]


def test_the_profile_comes_back_as_it_was(seed_profiles):
    odd = [hostile(text) for text in HOSTILE if text.isprintable()]
    for each in [FULL, profile(), Profile(name="Bo"), *(one for one, _ in seed_profiles), *odd]:
        assert profile_in(json.loads(json.dumps(resume_of(candidate(each))))) == each


@pytest.mark.parametrize(
    "change",
    [
        lambda resume: resume["basics"].update(name="Somebody Else"),
        lambda resume: resume["work"].append({"name": "Foo"}),
        lambda resume: resume.pop("skills"),
        lambda resume: resume["meta"].pop(EXTENSION),
        lambda resume: resume["meta"].update({EXTENSION: 7}),
        lambda resume: resume["meta"][EXTENSION].update(version=99),
        lambda resume: resume["meta"][EXTENSION].update(profile=[]),
        lambda resume: resume["meta"][EXTENSION]["profile"].update(badges=[{"a": 1}]),
        lambda resume: resume["meta"][EXTENSION]["profile"].update(years_coding="9"),
        lambda resume: resume["meta"][EXTENSION]["profile"]["skills"][1].update(score=11),
        lambda resume: resume["meta"][EXTENSION]["profile"].pop("name"),
        lambda resume: resume.update(meta=None),
    ],
)
def test_what_was_changed_or_forged_is_not_taken_for_the_profile(change):
    resume = json.loads(json.dumps(resume_of(candidate(FULL))))
    change(resume)
    assert profile_in(resume) is None


def test_what_was_exported_is_loaded_as_the_same_people(seed_profiles):
    people = [FULL, profile(), Profile(name="Bo Lind"), *(each for each, _ in seed_profiles)]
    for some in (people, people[:1], people[-1:]):
        content = BY_WORD["json"].write([candidate(each) for each in some])
        assert [each.profile for each in read("candidates.json", content).pages] == some


def test_what_somebody_changed_in_an_export_is_read_from_its_sections():
    resume = json.loads(BY_WORD["json"].write([candidate(FULL)]))
    resume["basics"]["label"] = "Team lead"
    [page] = read("x.json", json.dumps(resume).encode()).pages
    assert (page.profile.headline, page.profile.years_coding) == ("Team lead", None)
    assert page.profile.emails == ("ines@example.org",)


def test_a_sensitive_line_does_not_come_in_by_way_of_an_export():
    told = replace(FULL, summary="Writes passes.\nDate of birth: 4 May 1990")
    [page] = read("x.json", BY_WORD["json"].write([candidate(told)])).pages
    assert "1990" not in str(page.profile)


# -- who is in it


def test_the_question_says_who_and_who_must_not_be_exported_is_left_out(store: Store, now):
    kept = add(store, "Ada Byte", now=now)
    out = add(store, "Bo Lind", now=now)
    store.set_standing(out, StandingKind.DO_NOT_CONTACT, by="U1", now=now)
    found = chosen(store, "skill:mlir", contacts=True, now=now)
    assert [each.id for each in found.people] == [kept]
    assert (found.found, found.left_out, found.named) == (2, 1, ())
    assert "1 left out" in found.told
    with pytest.raises(NobodyToExport, match="the record of Bo Lind must not be"):
        chosen(store, "bo lind", contacts=True, now=now)
    with pytest.raises(NobodyToExport, match="finds nobody"):
        chosen(store, "skill:cobol", contacts=True, now=now)
    assert chosen(store, "ada byte", contacts=True, now=now).named == (kept,)


def test_contact_details_are_for_those_who_may_see_them(store: Store, now):
    add(store, "Ada Byte", now=now, emails=("ada@example.org",), phones=("+46 1",))
    for form in FORMS:
        with_them = form.write(chosen(store, "ada byte", contacts=True, now=now).people)
        without = form.write(chosen(store, "ada byte", contacts=False, now=now).people)
        if form.is_text:
            assert b"ada@example.org" in with_them
            assert b"ada@example.org" not in without
        else:
            assert "ada@example.org" not in str(cells_of(form.word, without))


def test_an_export_holds_so_many_people_and_says_how_many_there_are(
    store: Store, now, monkeypatch: pytest.MonkeyPatch
):
    for name in ("Ada Byte", "Bo Lind", "Cy Oz"):
        add(store, name, now=now)
    monkeypatch.setattr("bot.exporting.people.MOST", 2)
    found = chosen(store, "everyone", contacts=True, now=now)
    assert (len(found.people), found.found, found.cut) == (2, 3, True)
    assert "finds 3 people, and an export holds the first 2" in found.told
    assert MOST == 1_000


def test_a_mistyped_name_is_said(store: Store, now):
    add(store, "Quetzal Adeyemi", now=now)
    assert "I took “quetzel”" in chosen(store, "quetzel", contacts=True, now=now).told


def test_only_what_a_record_has_is_in_its_row():
    bare = candidate(Profile(name="Bo"), updated_at=NOW)
    [row] = cells_of("csv", BY_WORD["csv"].write([replace(bare, id="b")]))
    assert [cell for cell in row if cell] == ["Bo", "2026-12-01", "b"]
