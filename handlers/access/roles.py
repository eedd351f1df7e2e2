"""Which role a person has: from the settings, and from Slack's user groups.

Without ``ALLOWED_USERS`` and groups every full member of our team is a recruiter,
and admins of the workspace are admins. As soon as one of them is set, nobody else
gets in; who is named several times has the highest of the roles.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from slack_sdk import WebClient

from bot.settings import Settings
from handlers.access.refusals import NotAllowed
from handlers.access.rights import Role
from handlers.slack.groups import Groups, GroupsUnknown

OUTSIDE = "You are not among the people here who may ask me about candidates."


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """Names from the settings, and the groups that they name."""

    groups: Groups
    admin_users: tuple[str, ...] = ()
    recruiter_users: tuple[str, ...] = ()
    groups_of: tuple[tuple[Role, tuple[str, ...]], ...] = ()
    """The groups of each role, the highest role first."""

    @classmethod
    def of_settings(
        cls, settings: Settings, client: WebClient, clock: Callable[[], datetime]
    ) -> Self:
        return cls(
            groups=Groups(client, clock=clock),
            admin_users=settings.admin_users,
            recruiter_users=settings.allowed_users,
            groups_of=(
                (Role.ADMIN, settings.admin_groups),
                (Role.RECRUITER, settings.recruiter_groups),
                (Role.VIEWER, settings.viewer_groups),
            ),
        )

    @property
    def are_named(self) -> bool:
        """Whether only people who are named get in."""
        return bool(self.recruiter_users) or any(groups for _, groups in self.groups_of)

    def role(self, user: str, *, workspace_admin: bool) -> Role:
        """The role of a full member of our team. Raises NotAllowed with the reason.

        What a group would add while Slack does not say who is in it is not granted.
        """
        if user in self.admin_users:
            return Role.ADMIN
        if not self.are_named:
            return Role.ADMIN if workspace_admin else Role.RECRUITER
        found = Role.RECRUITER if user in self.recruiter_users else None
        trouble: GroupsUnknown | None = None
        for role, groups in self.groups_of:
            if found is not None and role <= found:
                break
            try:
                if any(user in self.groups.members(group) for group in groups):
                    return role
            except GroupsUnknown as unknown:
                trouble = unknown
        if found is not None:
            return found
        if trouble is not None:
            raise NotAllowed(
                "I could not check with Slack whether you may ask me "
                f"({trouble.code}), so I did nothing. Try again in a minute; if it stays so,",
                admins=self.admin_users,
                ask="ask",
            ) from trouble
        raise NotAllowed(OUTSIDE, admins=self.admin_users, ask="If you should be, ask")

    def admins(self) -> tuple[str, ...]:
        """Whom to tell of what concerns admins. Raises GroupsUnknown.

        ``ADMIN_USERS``, else the members of ``ADMIN_GROUPS``; nobody when neither is set.
        """
        if self.admin_users:
            return self.admin_users
        groups: Sequence[str] = dict(self.groups_of).get(Role.ADMIN, ())
        return tuple(sorted({user for group in groups for user in self.groups.members(group)}))
