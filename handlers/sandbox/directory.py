"""Who is who: ``auth.test``, ``users.*``, ``usergroups.*``, ``bots.info``, and opening a socket."""

from handlers.sandbox.call import Call, Method
from handlers.sandbox.paging import page
from handlers.sandbox.records import Json, Refused, User


def api_test(call: Call) -> Json:
    """Echoes its arguments, and fails when told to; needs no token."""
    args = {name: value for name, value in call.args.items() if name != "token"}
    if "error" in args:
        raise Refused(str(args["error"]), args=args)
    return {"args": args} if args else {}


def auth_test(call: Call) -> Json:
    workspace = call.workspace
    return {
        "url": f"https://{workspace.team.domain}.slack.com/",
        "team": workspace.team.name,
        "user": workspace.users[workspace.bot_user].name,
        "team_id": workspace.team.id,
        "user_id": workspace.bot_user,
        "bot_id": workspace.bot_id,
        "is_enterprise_install": False,
    }


def users_info(call: Call) -> Json:
    return {"user": shown(call, call.workspace.person(call.args.required("user")))}


def users_list(call: Call) -> Json:
    part, following = page(
        sorted(call.workspace.users.values(), key=lambda user: user.id),
        key=lambda user: user.id,
        cursor=call.args.text("cursor"),
        limit=call.args.count("limit", default=1000, most=1000),
    )
    return {
        "members": [shown(call, user) for user in part],
        "cache_ts": int(call.workspace.clock().timestamp()),
        "response_metadata": {"next_cursor": following},
    }


def users_by_email(call: Call) -> Json:
    wanted = call.args.required("email").lower()
    for user in call.workspace.users.values():
        if user.email.lower() == wanted and not user.deleted:
            return {"user": shown(call, user)}
    raise Refused("users_not_found")


def shown(call: Call, user: User) -> Json:
    return user.to_slack(
        home_team=call.workspace.team.id,
        now=call.workspace.clock(),
        with_email="users:read.email" in call.token.scopes,
    )


def groups(call: Call) -> Json:
    with_users = call.args.flag("include_users")
    team = call.workspace.team.id
    found = sorted(call.workspace.groups.values(), key=lambda group: group.id)
    return {"usergroups": [each.to_slack(team=team, with_users=with_users) for each in found]}


def group_members(call: Call) -> Json:
    group = call.workspace.groups.get(call.args.required("usergroup"))
    if group is None:
        raise Refused("no_such_subteam")
    return {"users": sorted(group.members)}


def bots_info(call: Call) -> Json:
    workspace = call.workspace
    if call.args.text("bot", workspace.bot_id) != workspace.bot_id:
        raise Refused("bot_not_found")
    return {
        "bot": {
            "id": workspace.bot_id,
            "deleted": False,
            "name": workspace.users[workspace.bot_user].real_name,
            "updated": 1_700_000_000,
            "app_id": workspace.app_id,
            "user_id": workspace.bot_user,
            "icons": {},
        }
    }


def team_info(call: Call) -> Json:
    team = call.workspace.team
    return {
        "team": {
            "id": team.id,
            "name": team.name,
            "domain": team.domain,
            "url": f"https://{team.domain}.slack.com/",
            "email_domain": "",
            "icon": {},
        }
    }


def open_connection(call: Call) -> Json:
    """``apps.connections.open``: an address for one socket, on the host the caller knows us by."""
    ticket = call.workspace.new_ticket()
    host = call.origin.partition("://")[2]
    return {"url": f"ws://{host}/link?ticket={ticket}&app_id={call.workspace.app_id}"}


METHODS = {
    "api.test": Method(answer=api_test, tier=4, open_to_all=True),
    "auth.test": Method(answer=auth_test, tier=0),
    "users.info": Method(answer=users_info, scopes=("users:read",), tier=4),
    "users.list": Method(answer=users_list, scopes=("users:read",), tier=2),
    "users.lookupByEmail": Method(answer=users_by_email, scopes=("users:read.email",)),
    "usergroups.list": Method(answer=groups, scopes=("usergroups:read",), tier=2),
    "usergroups.users.list": Method(answer=group_members, scopes=("usergroups:read",), tier=2),
    "bots.info": Method(answer=bots_info, scopes=("users:read",)),
    "apps.connections.open": Method(
        answer=open_connection,
        scopes=("connections:write",),
        tier=0,
        token="app",  # noqa: S106 - a kind of token
    ),
    "team.info": Method(answer=team_info, scopes=("team:read",)),
}
