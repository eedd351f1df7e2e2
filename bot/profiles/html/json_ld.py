"""People whom a page's JSON-LD (schema.org) is about.

Only a page about a person counts: the author of an article and the contact of an offer are no
candidates, nor is a name with nothing said of it.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from lxml import html

from bot.profiles.contacts import link_of
from bot.profiles.stated import Stated
from storage.records import Education, Job, Language

_OTHERS: Final = frozenset({
    "Article", "BlogPosting", "NewsArticle", "TechArticle", "ScholarlyArticle", "Product", "Event",
    "JobPosting", "Recipe", "VideoObject", "Book", "Movie", "Course",
})  # fmt: skip
_MOST: Final = 200


def people_in(tree: html.HtmlElement) -> list[Stated]:
    """The people of the page's own data."""
    nodes = [node for each in _data(tree) for node in _nodes(each)][:_MOST]
    if any(_types(node) & _OTHERS for node in nodes):
        return []
    people = [_person(node) for node in nodes if "Person" in _types(node)]
    return [each for each in people if each is not None]


def _data(tree: html.HtmlElement) -> Iterator[Any]:
    for script in tree.iter("script"):
        if (script.get("type") or "").split(";")[0].strip().lower() != "application/ld+json":
            continue
        try:
            yield json.loads(script.text or "")
        except (ValueError, RecursionError):
            continue


def _nodes(data: Any) -> Iterator[Mapping[str, Any]]:
    """Nodes at the top, of a graph, and what a profile page is about."""
    for each in _many(data):
        if isinstance(each, Mapping):
            yield each
            yield from _nodes(each.get("@graph"))
            if "ProfilePage" in _types(each):
                yield from _nodes(each.get("mainEntity"))
                yield from _nodes(each.get("about"))


def _many(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _types(node: Mapping[str, Any]) -> set[str]:
    return {str(each).rpartition("/")[2] for each in _many(node.get("@type"))}


def _text(value: Any) -> str | None:
    """A text, or the name of what stands in its place."""
    for each in _many(value):
        if isinstance(each, Mapping):
            each = each.get("name") or each.get("@value")  # noqa: PLW2901
        if isinstance(each, str) and each.strip():
            return each
    return None


def _texts(value: Any) -> list[str]:
    return [text for each in _many(value) if (text := _text(each))]


def _person(node: Mapping[str, Any]) -> Stated | None:
    name = _text(node.get("name")) or " ".join(
        filter(None, (_text(node.get("givenName")), _text(node.get("familyName"))))
    )
    title, company = _text(node.get("jobTitle")), _text(node.get("worksFor"))
    schools, skills = _texts(node.get("alumniOf")), _texts(node.get("knowsAbout"))
    if not name or not (title or company or schools or skills):
        return None
    address = next(iter(_many(node.get("address"))), None)
    city, country = address, None
    if isinstance(address, Mapping):
        city, country = _text(address.get("addressLocality")), _text(address.get("addressCountry"))
    urls = [link_of(each) for each in _texts(node.get("url")) + _texts(node.get("sameAs"))]
    current = Job(employer=company, title=title, is_current=True)
    return Stated(
        name=name,
        title=title,
        company=company,
        city=city if isinstance(city, str) else None,
        country=country,
        summary=_text(node.get("description")),
        jobs=[current] if company else [],
        education=[Education(text=each, school=each) for each in schools],
        skills=skills,
        languages=[Language(name=each) for each in _texts(node.get("knowsLanguage"))],
        links=[each for each in urls if each is not None],
        emails=[each.removeprefix("mailto:") for each in _texts(node.get("email"))],
        phones=_texts(node.get("telephone")),
    )
