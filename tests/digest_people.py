"""Invented people for the tests of digests, and short ways to add them."""

from datetime import datetime, timedelta

from storage.records import (
    Contribution,
    Document,
    Location,
    Profile,
    Remark,
    Severity,
    Skill,
    Subscription,
)
from storage.store import Store


def person(number: int, **changed) -> Profile:
    """Somebody; every third one has no cuda."""
    skills = (Skill(name="llvm", score=8),)
    if number % 3:
        skills += (Skill(name="cuda", score=9),)
    values = {
        "name": f"Ines Adeyemi{number:03d}",
        "title": "Compiler Engineer",
        "company": "Norrsken Labs",
        "location": Location(text="Malmö, Sweden", city="Malmö", country="Sweden"),
        "skills": skills,
        "contributions": (
            Contribution(repository="norrsken/tool", from_month="2021-03", commits=2),
            Contribution(
                repository=f"norrsken/kernel{number}",
                from_month="2022-11",
                to_month="2022-11",
                commits=4,
                pull_requests=15,
                reviews=37,
                summary="Worked on the kernel.",
                topics=("gpu", "compiler"),
            ),
        ),
        "remarks": (Remark(code="x", text="PhD or Master", severity=Severity.CHECK),),
    }
    return Profile(**{**values, **changed})


def add_person(
    store: Store, number: int, at: datetime, *, by: str = "U0MIRALINDG", **changed
) -> str:
    """Add somebody; the id."""
    document = Document(
        name=f"{number}.txt", text=f"page {number}", added_by=by, added_via="slack", parser="x/1"
    )
    return store.add(person(number, **changed), document, now=at).candidate_id


def subscribe(store: Store, now: datetime, **changed) -> Subscription:
    """A digest of everyone each Monday at 09:00 in Berlin, in #hiring."""
    values = {
        "channel": "C0HIRING001",
        "weekdays": (1,),
        "hour": 9,
        "minute": 0,
        "timezone": "Europe/Berlin",
        "since": now - timedelta(days=7),
        "created_by": "U0MIRALINDG",
        "now": now,
    }
    subscription, _ = store.save_subscription(**{**values, **changed})
    return subscription
