"""E-mail addresses, telephone numbers and links in a text, and whom a link tells of."""

from typing import Final
from urllib.parse import unquote, urlsplit

import phonenumbers
import regex

from storage.records import Link

_EMAIL: Final = regex.compile(
    r"(?<![\w.+@-])[\p{L}\d](?:[\p{L}\d._%+'-]{0,62}[\p{L}\d_+-])?"
    r"@(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.)+\p{L}{2,24}(?![\w@-])"
)
_LINK: Final = regex.compile(
    r"(?<![\w@./-])(?:https?://|www\.|(?:github|gitlab|linkedin|bitbucket|stackoverflow)\.com/"
    r"|(?:\p{L}{2,3}\.)?linkedin\.com/)[^\s<>\"'“”|,;·•()\[\]{}]+",
    regex.IGNORECASE,
)
_INTERNATIONAL: Final = regex.compile(r"\s*\+\d[\d\s().\-/]{5,24}")
_NOT_IN_LINKS: Final = regex.compile(r"[\s<>\"]")
_SCHEME: Final = regex.compile(r"[a-z][a-z\d+.-]*:", regex.IGNORECASE)
_ENDS: Final = ".,;:!?)]}>'\"”’"
_GITHUB_PAGES: Final = frozenset({
    "about", "apps", "collections", "contact", "enterprise", "explore", "features", "join",
    "login", "marketplace", "new", "notifications", "orgs", "pricing", "search", "security",
    "settings", "sponsors", "topics", "trending", "users",
})  # fmt: skip
_LOGIN: Final = regex.compile(r"[A-Za-z\d](?:[A-Za-z\d]|-(?=[A-Za-z\d])){0,38}")
_SLUG: Final = regex.compile(r"[\p{L}\d%_-]{3,100}")


def emails_in(text: str) -> tuple[str, ...]:
    """The addresses, each once, in lower case.

    >>> emails_in("Mail: Ada.Byte@Example.org, or <ada.byte@example.org>")
    ('ada.byte@example.org',)
    """
    return tuple(dict.fromkeys(match.group().lower() for match in _EMAIL.finditer(text)))


def phones_in(text: str, region: str | None = None) -> tuple[str, ...]:
    """The valid telephone numbers in international form; ``region`` (``DE``) reads local ones.

    What is no valid number of its country, such as dates, is none (libphonenumber's metadata);
    with its ``+`` it only has to be as long as that country's numbers, for new ranges are not
    known everywhere.

    >>> phones_in("Tel. +49 30 901820, 2016-2018"), phones_in("2015 - 2019")
    (('+49 30 901820',), ())
    >>> phones_in("+223 20 55 50 14")
    ('+223 20 55 50 14',)
    """
    found = {each.start: each.number for each in phonenumbers.PhoneNumberMatcher(text, region)}
    if "+" in text:
        possible = phonenumbers.PhoneNumberMatcher(text, None, phonenumbers.Leniency.POSSIBLE)
        found |= {each.start: each.number for each in possible if each.start not in found}
    international = phonenumbers.PhoneNumberFormat.INTERNATIONAL
    return tuple(
        dict.fromkeys(
            phonenumbers.format_number(number, international)
            for _, number in sorted(found.items(), key=lambda each: each[0])
        )
    )


def phone_of(text: str) -> str | None:
    """The number that the whole text is, in international form; None without a country's code.

    >>> phone_of("+49 (30) 901820"), phone_of("030 901820"), phone_of("+49 1")
    ('+49 30 901820', None, None)
    """
    if not _INTERNATIONAL.fullmatch(text):
        return None
    try:
        number = phonenumbers.parse(text)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_possible_number(number):
        return None
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.INTERNATIONAL)


def links_in(text: str) -> tuple[Link, ...]:
    """The web addresses, each once.

    >>> [each.url for each in links_in("github.com/ada, see https://ada.example/cv.")]
    ['https://github.com/ada', 'https://ada.example/cv']
    """
    found = (link_of(match.group()) for match in _LINK.finditer(text))
    return tuple(dict.fromkeys(each for each in found if each is not None))


def link_of(url: str | None, label: str | None = None) -> Link | None:
    """A link with an absolute address; None for what is no address of the web.

    >>> link_of(" www.ada.example "), link_of("javascript:alert(1)"), link_of("see below")
    (Link(url='https://www.ada.example', label=None), None, None)
    """
    text = (url or "").strip().rstrip(_ENDS)
    if not text or _NOT_IN_LINKS.search(text):
        return None
    if not _SCHEME.match(text):
        text = f"https://{text}"
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    if parts.scheme.lower() not in {"http", "https"} or "." not in (parts.hostname or ""):
        return None
    return Link(url=text, label=label)


def github_login(url: str) -> str | None:
    """The account that a GitHub address tells of; None for other addresses.

    >>> [github_login(each) for each in ("https://github.com/Ada/", "https://github.com/topics/x")]
    ['Ada', None]
    """
    host, path = _split(url)
    if host not in {"github.com", "www.github.com"} or len(path) != 1:
        return None
    login = path[0]
    return login if _LOGIN.fullmatch(login) and login.lower() not in _GITHUB_PAGES else None


def linkedin_slug(url: str) -> str | None:
    """The person that a LinkedIn address tells of, in lower case; None for other addresses.

    >>> linkedin_slug("https://uk.linkedin.com/in/Ada-Byte-12345?trk=x")
    'ada-byte-12345'
    """
    host, path = _split(url)
    if not (host == "linkedin.com" or host.endswith(".linkedin.com")):
        return None
    if len(path) < 2 or path[0].lower() != "in" or not _SLUG.fullmatch(path[1]):
        return None
    return unquote(path[1]).lower()


def _split(url: str) -> tuple[str, list[str]]:
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return "", []
    return (parts.hostname or "").lower(), [each for each in parts.path.split("/") if each]
