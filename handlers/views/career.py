"""What résumés state and pages of profiles do not: jobs, languages, links, contact details."""

from collections.abc import Sequence

from handlers.views.card_setting import Setting
from handlers.views.dates import month
from handlers.views.escaping import one_line, shorten
from handlers.views.message import Section
from handlers.views.text import Bold, Either, Italic, Line, Link, join, line
from storage.records import Candidate, Certificate, Job, Profile, Publication

JOBS = 3
"""How many a card shows; the rest is in More."""


def job_lines(profile: Profile) -> list[Line]:
    """The latest jobs for a card; nothing where the document lists none."""
    if not profile.jobs:
        return []
    lines = [line(Bold("Jobs")), *(line("• ", _job(each)) for each in profile.jobs[:JOBS])]
    rest = len(profile.jobs) - JOBS
    if rest > 0:
        lines.append(line(Either(Italic(f"+{rest} in More"), f"+{rest} more")))
    return lines


def language_line(profile: Profile) -> Line:
    """``Speaks German (C1), English``."""
    told = [
        f"{each.name} ({each.level})" if each.level else each.name for each in profile.languages
    ]
    return line(Bold("Speaks"), " ", shorten(", ".join(told), 300)) if told else ()


def contact_note(candidate: Candidate, setting: Setting) -> str:
    """Whether there are contact details, and where they are seen; never the details."""
    profile = candidate.profile
    if not (profile.emails or profile.phones):
        return "no contact details on it"
    return "contact details in More" if setting.may_see_contacts else "contact details on file"


def login(profile: Profile) -> str:
    """``ines on GitHub``; ``probably`` where it is inferred and no link states it."""
    name = profile.likely_login
    if not name:
        return ""
    address = f"github.com/{name}".casefold()
    is_stated = any(each.url.casefold().rstrip("/").endswith(address) for each in profile.links)
    return f"{name} on GitHub" if is_stated else f"probably {name} on GitHub"


def career_in_full(candidate: Candidate, setting: Setting) -> list[Section]:
    """All of it, for More; contact details where the reader may see them."""
    profile = candidate.profile
    sections = [Section([line(Bold("Jobs"))])] if profile.jobs else []
    sections += [_job_in_full(each) for each in profile.jobs]
    if spoken := language_line(profile):
        sections.append(Section([spoken]))
    for heading, entries in (
        ("Publications", [_publication(each) for each in profile.publications]),
        ("Certificates", [_certificate(each) for each in profile.certificates]),
        ("Links", [line(Link(each.url, each.label or each.url)) for each in profile.links]),
        ("Contact", _contact(profile, setting)),
    ):
        sections += _listed(heading, entries)
    return sections


def dates(first: str | None, last: str | None, *, is_current: bool = False) -> str:
    """``Mar 2019–now``, ``2016–2018``, ``since 2019``; empty when undated.

    >>> dates("2019-03", None, is_current=True), dates("2016", "2018"), dates(None, "2018-05")
    ('Mar 2019–now', '2016–2018', 'until May 2018')
    """
    begun, ended = (_date(each) if each else "" for each in (first, last))
    if is_current:
        return f"{begun}–now" if begun else "now"
    if begun and ended:
        return begun if begun == ended else f"{begun}–{ended}"
    return f"from {begun}" if begun else f"until {ended}" if ended else ""


def _date(text: str) -> str:
    return month(text[:7]) if len(text) >= 7 else text


def _job(job: Job) -> Line:
    who = line(" at ", Bold(job.employer)) if job.employer else None
    work = line(job.title or ("Worked" if who else one_line(job.summary or "")[:80]), *(who or ()))
    return join([work, dates(job.from_date, job.to_date, is_current=job.is_current)])


def _job_in_full(job: Job) -> Section:
    lines = [join([_job(job), job.place or ""])]
    if job.summary:
        lines.append(line(shorten(one_line(job.summary), 600)))
    return Section(lines)


def _publication(publication: Publication) -> Line:
    title, url = publication.title, publication.url
    first = line(Link(url, title) if url else title)
    return join([first, publication.publisher or "", (publication.date or "")[:4]])


def _certificate(certificate: Certificate) -> Line:
    return join([certificate.name, certificate.issuer or "", (certificate.date or "")[:4]])


def _contact(profile: Profile, setting: Setting) -> list[Line]:
    details = [*profile.emails, *profile.phones]
    if details and not setting.may_see_contacts:
        return [line(Italic("A recruiter sees the contact details."))]
    return [line(each) for each in details]


def _listed(heading: str, entries: Sequence[Line]) -> list[Section]:
    return [Section([line(Bold(heading)), *entries])] if entries else []
