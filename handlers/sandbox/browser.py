"""The page's own requests: ``/sandbox/*``, JSON in and out, from the sandbox's page only."""

from base64 import b64decode
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from handlers.sandbox import cast
from handlers.sandbox.arguments import read_json
from handlers.sandbox.delivery import Delivery
from handlers.sandbox.faults import Faults
from handlers.sandbox.files import shown
from handlers.sandbox.gestures import Gestures
from handlers.sandbox.modals import as_slack
from handlers.sandbox.records import Channel, Json, Refused, User
from handlers.sandbox.workspace import Workspace

Endpoint = Callable[[Request, Json], Awaitable[Json]]

SENTENCES = {
    "user_not_found": "There is no such person here.",
    "channel_not_found": "There is no such channel for this person.",
    "message_not_found": "That message is not there any more.",
    "operation_timeout": "Candidate Bot did not answer within 3 seconds.",
    "dispatch_failed": "Candidate Bot could not be reached. Is it running?",
    "http_service_error": "Candidate Bot answered with an error of its own.",
    "http_client_error": "Candidate Bot refused the request.",
}


class Browser:
    """Endpoints of two kinds: what the page asks, and what a person does on it."""

    def __init__(
        self, workspace: Workspace, faults: Faults, delivery: Delivery, gestures: Gestures
    ) -> None:
        self.workspace = workspace
        self.faults = faults
        self.delivery = delivery
        self.gestures = gestures

    def routes(self) -> list[Route]:
        asked: dict[str, Endpoint] = {"state": self.state, "messages": self.messages}
        done: dict[str, Endpoint] = {
            "say": self.say,
            "click": self.click,
            "submit": self.submit,
            "close": self.close,
            "home": self.home,
            "share": self.share,
            "upload": self.upload,
            "shortcut": self.shortcut,
            "faults": self.set_faults,
            "reconnect": self.reconnect,
        }
        return [
            *(Route(f"/{name}", partial(reading, call)) for name, call in asked.items()),
            *(
                Route(f"/{name}", partial(doing, call), methods=["POST"])
                for name, call in done.items()
            ),
            Route("/file/{file}", self.file),
        ]

    async def state(self, request: Request, _: Json) -> Json:
        workspace = self.workspace
        person = workspace.person(request.query_params.get("user", cast.MIRA))
        me, ours = person.id, person.team == workspace.team.id
        bot = workspace.users[workspace.bot_user]
        return {
            "team": {"id": workspace.team.id, "name": workspace.team.name},
            "me": me,
            "bot": {"id": bot.id, "name": bot.real_name, "online": self.delivery.is_online},
            "users": [as_person(user, home=workspace.team.id) for user in workspace.users.values()],
            "channels": [
                self._room(channel, me)
                for channel in workspace.channels.values()
                if workspace.may_see(me, channel)
            ],
            "placeholder": "Type /candidate chenggang" if ours else "",
            "hints": list(cast.HINTS) if ours else [],
            "shortcuts": list(workspace.shortcuts),
        }

    async def messages(self, request: Request, _: Json) -> Json:
        workspace = self.workspace
        me = workspace.person(request.query_params.get("user", "")).id
        channel = workspace.place(request.query_params.get("channel", ""))
        if not workspace.may_see(me, channel):
            raise Refused("channel_not_found")
        thread = request.query_params.get("thread")
        shown = [
            message
            for message in workspace.messages(channel.id, viewer=me)
            if (
                not message.is_reply or message.broadcast
                if thread is None
                else thread in {message.ts, message.thread_ts}
            )
        ]
        return {"messages": [workspace.as_page_message(message) for message in shown]}

    async def file(self, request: Request) -> Response:
        """A file to be saved: the one answer that is no JSON."""
        viewer = request.query_params.get("user", "")
        return shown(self.workspace, viewer, request.path_params["file"])

    async def say(self, request: Request, wish: Json) -> Json:
        message = await self.gestures.say(
            text(wish, "user"),
            text(wish, "channel"),
            text(wish, "text"),
            thread_ts=wish.get("thread_ts"),
            origin=origin(request),
        )
        return {"ts": message.ts}

    async def click(self, request: Request, wish: Json) -> Json:
        record = await self.gestures.press(text(wish, "user"), wish, origin=origin(request))
        if record.error is not None:
            raise Refused(record.error)
        return {}

    async def submit(self, _: Request, wish: Json) -> Json:
        errors = await self.gestures.submit(
            text(wish, "user"), text(wish, "view_id"), wish.get("state") or {}
        )
        return {"errors": errors} if errors else {}

    async def close(self, _: Request, wish: Json) -> Json:
        await self.gestures.close(
            text(wish, "user"), text(wish, "view_id"), all_of_them=bool(wish.get("all"))
        )
        return {}

    async def home(self, _: Request, wish: Json) -> Json:
        view = self.gestures.open_home(text(wish, "user"))
        return {"view": as_slack(self.workspace, view) if view else None}

    async def share(self, request: Request, wish: Json) -> Json:
        """One file (``name`` and ``content`` or ``base64``) or several (``files``)."""
        message = await self.gestures.share_files(
            text(wish, "user"),
            text(wish, "channel"),
            [(text(file, "name"), content(file)) for file in wish.get("files") or [wish]],
            typed=str(wish.get("text") or ""),
            thread_ts=wish.get("thread_ts"),
            mode="snippet" if wish.get("snippet") else "hosted",
            origin=origin(request),
        )
        return {"ts": message.ts}

    async def upload(self, request: Request, wish: Json) -> Json:
        described = self.gestures.upload(
            text(wish, "user"),
            name=text(wish, "name"),
            content=content(wish),
            origin=origin(request),
        )
        return {"file": {"id": described["id"], "name": described["name"]}}

    async def shortcut(self, request: Request, wish: Json) -> Json:
        record = await self.gestures.shortcut(
            text(wish, "user"),
            text(wish, "channel"),
            text(wish, "ts"),
            text(wish, "callback_id"),
            origin=origin(request),
        )
        if record.error is not None:
            raise Refused(record.error)
        return {}

    async def set_faults(self, _: Request, wish: Json) -> Json:
        self.faults.tell(wish)
        return {"pending": len(self.faults.pending())}

    async def reconnect(self, _: Request, wish: Json) -> Json:
        """Close the bot's sockets: with Slack's goodbye, or ``{"mode": "drop"}`` without."""
        if wish.get("mode") == "drop":
            await self.delivery.sockets.drop()
        else:
            await self.delivery.sockets.refresh()
        return {}

    def _room(self, channel: Channel, me: str) -> Json:
        bot = self.workspace.users[self.workspace.bot_user]
        return {
            "id": channel.id,
            "name": bot.real_name if channel.kind == "im" else channel.name,
            "kind": channel.kind,
            "topic": channel.topic,
            "is_member_bot": self.workspace.bot_user in channel.members,
            "is_member": me in channel.members,
            "unread": 0,
        }


def as_person(user: User, *, home: str) -> Json:
    outsider = user.is_any_guest or user.team != home
    return {
        "id": user.id,
        "name": user.name,
        "real_name": user.real_name,
        "kind": "bot" if user.is_bot else "guest" if outsider else "member",
        "external": user.team != home,
        "tz": user.tz,
        "color": user.color,
    }


def text(wish: Json, name: str) -> str:
    value = wish.get(name)
    if not isinstance(value, str) or (not value and name != "text"):
        raise Refused("invalid_arguments", message=f"“{name}” is missing.")
    return value


def content(wish: Json) -> bytes:
    """A file's content, as text or in base 64."""
    if "base64" not in wish:
        return text(wish, "content").encode()
    try:
        return b64decode(str(wish["base64"]), validate=True)
    except ValueError as error:
        raise Refused("invalid_arguments", message="“base64” is no base 64.") from error


def origin(request: Request) -> str:
    return str(request.base_url).rstrip("/")


async def reading(call: Endpoint, request: Request) -> Response:
    return await answered(call, request, {})


async def doing(call: Endpoint, request: Request) -> Response:
    """Only JSON is taken: a form of another site cannot send that without asking us first."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return refusal(Refused("invalid_post_type", message="Send JSON."), status=415)
    try:
        wish = read_json(await request.body())
    except ValueError:
        return refusal(Refused("invalid_json", message="That is not JSON."), status=400)
    if not isinstance(wish, dict):
        return refusal(Refused("json_not_object", message="Send a JSON object."), status=400)
    return await answered(call, request, wish)


async def answered(call: Endpoint, request: Request, wish: Json) -> Response:
    try:
        return JSONResponse({"ok": True, **await call(request, wish)})
    except Refused as refused:
        return refusal(refused)


def refusal(refused: Refused, *, status: int = 200) -> Response:
    sentence = refused.extra.get("message") or SENTENCES.get(refused.code, refused.code)
    body = {"ok": False, "error": refused.code, **refused.extra, "message": sentence}
    return JSONResponse(body, status_code=status)
