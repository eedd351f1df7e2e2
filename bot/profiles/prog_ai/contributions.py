"""The page's contributions: repository, months, description, role, counts, summary, topics.

A contribution begins with a line ``owner/name``, nearly always followed by its
months. Everything but the repository is optional. The description is what
stands between the months and the role or counts, whatever it looks like.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import regex

from bot.profiles.prog_ai.counts import Counts, counts_of, cut_counts_of
from bot.profiles.prog_ai.lines import Line
from bot.profiles.prog_ai.months import Months, cut_months_of, months_of
from bot.profiles.topics import is_topic, split_topics
from storage.records import Contribution

_SLUG: Final = regex.compile(
    r"(?:https?://)?(?:www\.)?(?:github\.com/)?"
    r"(?P<owner>[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?-?)/(?P<name>[A-Za-z0-9._-]{1,100})/?"
)
_ROLE: Final = regex.compile(r"Role in this project\s*:\s*(?P<role>.*)")
_SUMMARY: Final = regex.compile(r"Contributions? summary\s*:\s*(?P<summary>.*)")
_TOPICS: Final = regex.compile(r"[a-z0-9][a-z0-9.+#_-]*(?:[,\s]+[a-z0-9][a-z0-9.+#_-]*)*")
_PAIRS: Final = regex.compile(
    r"tcp/ip|ci/cd|u[ix]/u[ix]|i/o|r/w|and/or|in(?:put)?/out(?:put)?|client/server|read/write|on/off"
    r"|yes/no|n/a|a/b|c/c|(?:linux|unix|macos|windows|gnu)/(?:linux|unix|macos|windows)|24/7|os/2"
    r"|android/ios|ios/android|html/css|css/html|js/ts|javascript/typescript|frontend/backend"
    r"|pub/sub|text/html|tls/ssl|ssl/tls|tcp/udp|udp/tcp",
    regex.IGNORECASE,
)
"""Two words with a stroke that are seldom a repository."""


@dataclass(slots=True)
class Contributions:
    """What the section lists, what in it could not be placed, and whether it was cut off."""

    listed: list[Contribution] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)
    cut: bool = False


def repository_of(text: str) -> str | None:
    """``owner/name`` when the whole text is one, with or without GitHub's address before it."""
    match = _SLUG.fullmatch(text)
    if not match or match["name"] in {".", ".."}:
        return None
    return f"{match['owner']}/{match['name'].removesuffix('.git') or match['name']}"


def contributions_of(lines: Sequence[Line], declared: int | None = None) -> Contributions:
    """The contributions that the lines under their heading list, of ``declared`` in all."""
    found = Contributions()
    starts = _starts(lines, declared)
    found.unplaced += [line.text for line in lines[: starts[0] if starts else len(lines)]]
    for start, end in pairwise([*starts, len(lines)]):
        found.listed.append(_contribution(lines[start:end], found))
    return found


def _starts(lines: Sequence[Line], declared: int | None) -> list[int]:
    """Where contributions begin: where it is sure, then where it may be while more are declared."""
    sure = {index for index in range(len(lines)) if starts_contribution(lines, index)}
    owners = {_owner(lines[index].text) for index in sure}
    likely = [
        index
        for index in range(len(lines))
        if index not in sure and _may_start(lines, index, owners)
    ]
    if declared is not None:
        # Below months it may be a description: such a line is the last to count.
        likely.sort(key=lambda index: months_of(lines[index - 1].text) is not None)
        likely = likely[: max(declared - len(sure), 0)]
    return sorted([*sure, *likely])


def _owner(text: str) -> str:
    return (repository_of(text) or "").partition("/")[0].lower()


def _may_start(lines: Sequence[Line], index: int, owners: set[str]) -> bool:
    """A repository's line without the lines that would make it sure."""
    text = lines[index].text
    if repository_of(text) is None or _PAIRS.fullmatch(text):
        return False
    before = lines[index - 1].text
    following = lines[index + 1].text if index + 1 < len(lines) else ""
    if months_of(before) and is_contribution_text(following):
        return _owner(text) in owners  # else it describes what has these months and counts
    label = _ROLE.fullmatch(before) or _SUMMARY.fullmatch(before)
    return label is None or not before.endswith(":")


def starts_contribution(lines: Sequence[Line], index: int) -> bool:
    """A repository's line, and not a description or a role that looks like one (``TCP/IP``)."""
    if repository_of(lines[index].text) is None:
        return False
    following = lines[index + 1] if index + 1 < len(lines) else None
    if following is not None and months_of(following.text):
        return True
    if index == 0:
        return True
    before = lines[index - 1].text
    if months_of(before) or _ROLE.fullmatch(before):
        return False
    return (
        following is None
        or cut_months_of(following) is not None
        or repository_of(following.text) is not None
        or is_contribution_text(following.text)
    )


def is_contribution_text(text: str) -> bool:
    """A line that only a contribution has: its role, counts or summary."""
    return bool(_ROLE.fullmatch(text) or _SUMMARY.fullmatch(text) or counts_of(text))


def looks_like_topics(text: str) -> bool:
    """Small letters, digits and hyphens only, as glued topics are."""
    return _TOPICS.fullmatch(text) is not None and " " not in text


def _contribution(lines: Sequence[Line], found: Contributions) -> Contribution:
    repository = repository_of(lines[0].text) or lines[0].text
    body = list(lines[1:])
    months = Months()
    if body and (stated := months_of(body[0].text)):
        months = stated
        body.pop(0)
    elif body and (stated := cut_months_of(body[0])):
        months = stated
        found.cut = True
        body.pop(0)

    summary_at = next(
        (index for index, line in enumerate(body) if _SUMMARY.fullmatch(line.text)), len(body)
    )
    counts_at = _last(index for index in range(summary_at) if counts_of(body[index].text))
    role_at = _last(
        index
        for index in range(summary_at if counts_at is None else counts_at)
        if _ROLE.fullmatch(body[index].text)
    )
    counts = counts_of(body[counts_at].text) if counts_at is not None else None
    if counts_at is not None and body[counts_at].last:
        counts = cut_counts_of(body[counts_at].text)
        found.cut = found.cut or counts.span is None

    facts = [index for index in (role_at, counts_at) if index is not None]
    described = min(facts, default=summary_at if summary_at < len(body) else None)
    role, role_end = _role(body, role_at, counts_at, counts)
    if described is None:
        description, topics_from = _bare(body)
    else:
        description, topics_from = [line.text for line in body[:described]], described
    if role_end is not None:
        topics_from = max(topics_from, role_end)
    if counts_at is not None:
        found.unplaced += [line.text for line in body[topics_from:counts_at]]
        topics_from = counts_at + 1

    summary, topics = _summary_and_topics(body[topics_from:], found)
    counts = counts or Counts()
    return Contribution(
        repository=repository,
        from_month=months.first,
        to_month=months.last,
        description=" ".join(description) or None,
        role=role,
        commits=counts.commits,
        pull_requests=counts.pull_requests,
        reviews=counts.reviews,
        pushes=counts.pushes,
        branches=counts.branches,
        other=counts.other,
        span=counts.span,
        summary=summary,
        topics=topics,
    )


def _role(
    body: Sequence[Line], role_at: int | None, counts_at: int | None, counts: Counts | None
) -> tuple[str | None, int | None]:
    """The role, and the index after its lines."""
    glued = counts.role if counts else None
    if role_at is None:
        return glued, None
    match = _ROLE.fullmatch(body[role_at].text)
    stated = match["role"].strip() if match else ""
    end = role_at + 1
    if (
        not stated
        and end < len(body)
        and end != counts_at
        and not _SUMMARY.fullmatch(body[end].text)
    ):
        stated, end = body[end].text, end + 1
    return stated or glued, end


def _bare(body: Sequence[Line]) -> tuple[list[str], int]:
    """Description and topics of a contribution that states neither role nor counts."""
    if not body:
        return [], 0
    last = body[-1].text
    if looks_like_topics(last) and (len(body) > 1 or len(split_topics(last)) > 1):
        return [line.text for line in body[:-1]], len(body) - 1
    return [line.text for line in body], len(body)


def _summary_and_topics(
    rest: Sequence[Line], found: Contributions
) -> tuple[str | None, tuple[str, ...]]:
    summary: list[str] | None = None
    topics: list[str] = []
    for line in rest:
        opening = _SUMMARY.fullmatch(line.text)
        if opening and summary is None:
            summary = [opening["summary"]] if opening["summary"] else []
        elif topics and line.last and " " not in line.text:
            # Topics are one line: this is the beginning of the next repository.
            found.cut = True
            found.unplaced.append(line.text)
        elif _are_topics(line.text) and not (summary == [] and len(rest) == 1):
            for piece in line.text.replace(",", " ").split():
                topics += split_topics(piece)
        elif summary is not None:
            summary += [*topics, line.text]
            topics = []
        else:
            found.unplaced.append(line.text)
    return (" ".join(summary) if summary else None), tuple(dict.fromkeys(topics))


def _are_topics(text: str) -> bool:
    if looks_like_topics(text):
        return True
    if not _TOPICS.fullmatch(text):
        return False
    return all(is_topic(piece) for piece in text.replace(",", " ").split())


def _last(indices: Iterable[int]) -> int | None:
    return max(indices, default=None)
