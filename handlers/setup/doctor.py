"""What may be wrong with this installation, and what to do about each thing.

Every check yields findings: a mark, a name and a sentence. Without Slack tokens
only what can be known without the network is looked at.
"""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum

from slack_sdk import WebClient

from bot.recurrence import parse_schedule
from bot.settings import PROJECT, Settings
from handlers.setup.doctor_keeping import about_backups, about_index
from handlers.setup.manifest import SCOPES
from handlers.slack.channels import SHARED, channel_typed, unfit
from handlers.slack.groups import Groups, GroupsUnknown
from handlers.slack.verdict import LaterError, RefusedError, UncertainError, judged
from storage.audit import AuditCheck
from storage.errors import BotError
from storage.store import Store

CLOCK_TOLERANCE_SECONDS = 60
"""Slack refuses requests, and we refuse Slack's, when clocks are 300 s apart (slack.md)."""

CHANNEL = "channel"


class Mark(StrEnum):
    GOOD = "ok  "
    WARNING = "note"
    FAILED = "FAIL"


@dataclass(frozen=True, slots=True)
class Finding:
    mark: Mark
    name: str
    sentence: str

    @property
    def failed(self) -> bool:
        return self.mark is Mark.FAILED

    def __str__(self) -> str:
        return f"{self.mark.value}  {self.name:<9} {self.sentence}"


def good(name: str, sentence: str) -> Finding:
    return Finding(Mark.GOOD, name, sentence)


def warning(name: str, sentence: str) -> Finding:
    return Finding(Mark.WARNING, name, sentence)


def failed(name: str, sentence: str) -> Finding:
    return Finding(Mark.FAILED, name, sentence)


def examine(
    settings: Settings, *, warnings: Sequence[str], clock: Callable[[], datetime]
) -> list[Finding]:
    """All findings, in the order in which one would mend them."""
    findings = [*settings_findings(settings, warnings)]
    findings += database_findings(settings)
    findings += role_findings(settings)
    findings += digest_findings(settings)
    findings += inbox_findings(settings)
    findings += backup_findings(settings, clock())
    if settings.mode == "sandbox":
        findings.append(good("slack", "no tokens set: the bot runs in the sandbox."))
    else:
        findings += slack_findings(settings, clock)
    if settings.digest_channel and not any(each.name == CHANNEL for each in findings):
        findings.append(warning(CHANNEL, f"{settings.digest_channel} not checked: needs Slack."))
    return findings


def settings_findings(settings: Settings, warnings: Sequence[str]) -> Iterator[Finding]:
    yield good("settings", f"mode {settings.mode}.")
    for sentence in warnings:
        yield warning("settings", sentence)
    env_file = PROJECT / ".env"
    if env_file.exists() and stat.S_IMODE(env_file.stat().st_mode) & 0o077:
        yield warning("settings", ".env can be read by other users: chmod 600 .env")


def database_findings(settings: Settings) -> Iterator[Finding]:
    path = settings.database_path
    if not path.exists():
        yield warning("database", f"none yet at {path}: starting the bot makes it.")
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        yield failed("database", f"other users can read it (mode {mode:o}): chmod 600 {path}")
    try:
        store = Store.open(settings.database_url, create=False)
    except BotError as error:
        yield failed("database", str(error))
        return
    try:
        yield good("database", f"{store.count()} people in {path}.")
        for sentence in store.database.warnings():
            yield warning("sqlite", sentence)
        yield from index_findings(store)
        yield from audit_findings(store)
        yield from alarm_findings(store)
    except BotError as error:
        yield failed("database", str(error))
    finally:
        store.close()


def index_findings(store: Store) -> Iterator[Finding]:
    """Whether the search index agrees with what is stored."""
    for well, sentence in about_index(store):
        yield (good if well else warning)("index", sentence)


def audit_findings(store: Store) -> Iterator[Finding]:
    """Whether the audit's chain is whole, and its head to be kept elsewhere."""
    check = store.verify_audit()
    if check.fault is not None:
        yield failed(
            "audit",
            f"{check.fault} Somebody wrote to the database beside the bot. Keep a copy of the file "
            "as it is, stop the bot, compare with the heads you kept elsewhere to see since when, "
            "and restore the last backup whose audit is whole.",
        )
    elif check.entries:
        yield good(
            "audit",
            f"{check.entries:,} entries, whole. Keep this line elsewhere: {head_line(check)}",
        )


def head_line(check: AuditCheck) -> str:
    """One line that tells this chain from one made anew: number and newest link."""
    return f"audit {check.entries} {check.head}"


def alarm_findings(store: Store) -> Iterator[Finding]:
    untold = store.untold_alarms()
    if untold:
        oldest = untold[0]
        yield warning(
            "alarms",
            f"{len(untold)} that not everybody was told of, the oldest from "
            f"{oldest.at:%Y-%m-%d %H:%M} UTC: {oldest.text}",
        )


def role_findings(settings: Settings) -> Iterator[Finding]:
    """Who gets in by the settings, and whether anybody hears of alarms."""
    looking, recruiting = settings.viewer_groups, settings.recruiter_groups
    if settings.allowed_users or looking or recruiting or settings.admin_groups:
        count = len(settings.allowed_users)
        groups = ", ".join((*settings.admin_groups, *recruiting, *looking)) or "none"
        yield good("roles", f"only who is named gets in: {count} by id, and groups {groups}.")
        if not settings.allowed_users and not recruiting:
            yield warning(
                "roles",
                "nobody is a recruiter: set ALLOWED_USERS or RECRUITER_GROUPS, or nobody but "
                "admins can add and share.",
            )
    else:
        yield good("roles", "every full member of the workspace may ask, add and share.")
    if settings.admin_users or settings.admin_groups:
        return
    if settings.mode == "sandbox":
        yield good(
            "alarms",
            "the sandbox's admin is told of alarms and failures. In Slack set ADMIN_USERS or "
            "ADMIN_GROUPS.",
        )
    else:
        yield warning(
            "alarms", "nobody is told of alarms and of failures: set ADMIN_USERS or ADMIN_GROUPS."
        )


def group_findings(settings: Settings, client: WebClient) -> Iterator[Finding]:
    """Whether Slack knows the groups of the settings, and lets us see who is in them."""
    groups = Groups(client, clock=lambda: datetime.now(UTC))
    for group in (
        *settings.admin_groups,
        *settings.recruiter_groups,
        *settings.viewer_groups,
    ):
        try:
            if not groups.exists(group):
                yield failed("roles", f"Slack knows no user group {group}: nobody gets in by it.")
            elif not (members := groups.members(group)):
                yield warning("roles", f"nobody is in the user group {group}.")
            else:
                yield good("roles", f"{len(members)} in the user group {group}.")
        except GroupsUnknown as unknown:
            yield failed(
                "roles",
                f"Slack does not say who is in the user group {group} ({unknown.code}). If the "
                "scope usergroups:read is missing, paste the manifest anew and install again.",
            )


def digest_findings(settings: Settings) -> Iterator[Finding]:
    try:
        parse_schedule(settings.digest_schedule)
    except BotError as error:
        yield failed("digest", f"DIGEST_SCHEDULE: {error}")
        return
    if settings.digest_channel is None:
        yield good("digest", "no default digest; set DIGEST_CHANNEL or type /candidate digest.")
    else:
        zone = settings.digest_timezone or "UTC"
        yield good("digest", f"{settings.digest_schedule} ({zone}).")


def inbox_findings(settings: Settings) -> Iterator[Finding]:
    if settings.inbox is None:
        return
    if not settings.inbox.exists():
        yield warning("inbox", f"{settings.inbox} is not there yet: starting the bot makes it.")
    elif not os.access(settings.inbox, os.R_OK | os.W_OK | os.X_OK):
        yield failed("inbox", f"{settings.inbox} cannot be written: files could not be moved.")
    else:
        yield good("inbox", f"watching {settings.inbox}.")


def backup_findings(settings: Settings, now: datetime) -> Iterator[Finding]:
    for well, sentence in about_backups(settings, now):
        yield (good if well else warning)("backup", sentence)


def slack_findings(settings: Settings, clock: Callable[[], datetime]) -> Iterator[Finding]:
    client = WebClient(token=settings.slack_bot_token, base_url=settings.slack_api_url, timeout=10)
    try:
        with judged():
            identity = client.auth_test()
    except RefusedError as refused:
        yield failed("slack", token_sentence(refused.code))
        return
    except (LaterError, UncertainError) as trouble:
        yield failed(
            "slack",
            f"{settings.slack_api_url} cannot be reached ({trouble.__cause__ or trouble}). "
            "Check the network and SLACK_API_URL.",
        )
        return
    yield good("slack", f"bot {identity.get('user_id')} in team {identity.get('team_id')}.")
    headers = {name.lower(): value for name, value in identity.headers.items()}
    yield from team_findings(settings, identity.get("team_id"), identity.get("enterprise_id"))
    yield from scope_findings(settings, headers.get("x-oauth-scopes"))
    yield from group_findings(settings, client)
    yield from clock_findings(headers.get("date"), clock())
    if settings.mode == "socket":
        yield from socket_findings(settings)
    if settings.digest_channel is not None:
        yield from channel_findings(client, settings.digest_channel)


def token_sentence(code: str) -> str:
    """What to do about Slack's answer to ``auth.test``."""
    advice = {
        "invalid_auth": "SLACK_BOT_TOKEN is not a token of this workspace: copy it again from "
        "OAuth & Permissions.",
        "not_authed": "SLACK_BOT_TOKEN is empty: copy it from OAuth & Permissions.",
        "account_inactive": "the bot was removed from the workspace: install the app again.",
        "token_revoked": "SLACK_BOT_TOKEN was revoked: install the app again and copy the new one.",
        "token_expired": "SLACK_BOT_TOKEN has expired: install the app again and copy the new one.",
    }
    return advice.get(code, f"Slack refused the bot token ({code}): install the app again.")


def team_findings(settings: Settings, *ids: str | None) -> Iterator[Finding]:
    if settings.allowed_teams and not set(ids) & set(settings.allowed_teams):
        yield failed("slack", "ALLOWED_TEAMS does not hold the token's own team: nobody could ask.")


def scope_findings(settings: Settings, header: str | list[str] | None) -> Iterator[Finding]:
    if not header:
        return
    text = header if isinstance(header, str) else ",".join(header)
    granted = {scope.strip() for scope in text.split(",")}
    has_groups = settings.admin_groups or settings.recruiter_groups or settings.viewer_groups
    unneeded = set() if has_groups else {"usergroups:read"}
    missing = sorted(set(SCOPES) - granted - unneeded)
    if missing:
        yield failed(
            "scopes",
            f"missing {', '.join(missing)}: paste the manifest (python -m bot manifest) into the "
            "app and install it again.",
        )
    else:
        yield good("scopes", "all there.")


def clock_findings(header: str | list[str] | None, now: datetime) -> Iterator[Finding]:
    if not header:
        return
    try:
        stated = parsedate_to_datetime(header if isinstance(header, str) else header[0])
    except ValueError:
        return
    apart = abs((now - stated.astimezone(UTC)).total_seconds())
    if apart > CLOCK_TOLERANCE_SECONDS:
        yield failed(
            "clock",
            f"this machine is {apart:.0f} s away from Slack: turn on time synchronisation, or "
            "Slack's requests will be refused.",
        )
    else:
        yield good("clock", "agrees with Slack.")


def socket_findings(settings: Settings) -> Iterator[Finding]:
    client = WebClient(base_url=settings.slack_api_url, timeout=10)
    try:
        with judged():
            client.apps_connections_open(app_token=settings.slack_app_token or "")
    except (LaterError, UncertainError) as trouble:
        yield failed("socket", f"Slack did not answer ({trouble}): try again in a minute.")
    except RefusedError as refused:
        yield failed(
            "socket",
            f"Slack refused SLACK_APP_TOKEN ({refused.code}): make one with the scope "
            "connections:write under Basic Information, and turn Socket Mode on.",
        )
    else:
        yield good("socket", "Slack lets the bot open a connection.")


def channel_findings(client: WebClient, channel: str) -> Iterator[Finding]:
    name = channel_typed(channel).text.removeprefix("#")
    try:
        with judged():
            found = find_channel(client, name)
    except (LaterError, RefusedError, UncertainError) as trouble:
        yield failed(CHANNEL, f"{channel} could not be looked up ({trouble}).")
        return
    if found is None:
        yield failed(
            CHANNEL,
            f"the bot sees no channel {channel}: check DIGEST_CHANNEL, and if it is private "
            "type /invite @candidate there.",
        )
    elif unfit(found) == SHARED:
        yield failed(
            CHANNEL,
            f"{channel} is shared with another company, and a digest names people: choose a "
            "channel of your own company.",
        )
    elif found.get("is_member") is False:
        yield failed(CHANNEL, f"the bot is not in {channel}: type /invite @candidate there.")
    else:
        yield good(CHANNEL, f"the bot is in {channel}.")


def find_channel(client: WebClient, name: str) -> dict[str, object] | None:
    """The channel of this name or id, or None."""
    cursor = ""
    while True:
        page = client.conversations_list(
            types="public_channel,private_channel",
            exclude_archived=True,
            limit=200,
            cursor=cursor,
        )
        for channel in page["channels"]:
            if name in (channel["id"], channel["name"]):
                return dict(channel)
        after: dict[str, str] = page.get("response_metadata") or {}
        cursor = after.get("next_cursor", "")
        if not cursor:
            return None
