"""A document that was read lately is not read again, and none outlives an erasure."""

import json
from datetime import datetime

from storage import profiles_read
from storage.profile_json import profile_to_document
from storage.profiles_read import ProfilesRead
from storage.records import Document, Profile, Skill
from storage.store import Store


def text_of(name: str) -> str:
    return json.dumps(profile_to_document(Profile(name=name, skills=(Skill(name="zig"),))))


def test_the_same_document_is_the_same_profile():
    read = ProfilesRead()
    first = read(text_of("Ada Okafor"))
    assert first == Profile(name="Ada Okafor", skills=(Skill(name="zig"),))
    assert read(text_of("Ada Okafor")) is first
    assert read(text_of("Bo Lind")) is not first


def test_only_the_latest_are_kept():
    read = ProfilesRead(most=2)
    first = read(text_of("Ada Okafor"))
    read(text_of("Bo Lind"))
    assert read(text_of("Ada Okafor")) is first
    read(text_of("Cy Marsh"))
    assert [json.loads(each)["name"] for each in read._profiles] == ["Ada Okafor", "Cy Marsh"]


def add(store: Store, now: datetime, title: str) -> str:
    page = Document(
        name="ada.txt", text=title, added_by="folder", added_via="inbox", parser="prog-ai/1"
    )
    return store.add(Profile(name="Ada Okafor", title=title), page, now=now).candidate_id


def test_a_changed_profile_is_read_anew_and_an_erased_one_is_forgotten(store: Store, now: datetime):
    id_ = add(store, now, "Engineer")
    assert store.named("ada").hits[0].candidate.profile.title == "Engineer"
    add(store, now, "Lead")
    assert store.named("ada").hits[0].candidate.profile.title == "Lead"
    store.forget(id_, by="terminal:tester", place="terminal", now=now)
    assert not store.named("ada").hits
    assert not store.database.memory.profiles._profiles


def test_what_was_being_read_while_somebody_was_erased_is_not_kept(monkeypatch):
    read = ProfilesRead()
    profile = Profile(name="Ada Okafor")

    def slowly(_: str) -> Profile:
        read.clear()
        return profile

    monkeypatch.setattr(profiles_read, "profile_from_json", slowly)
    assert read("{}") is profile
    assert not read._profiles
