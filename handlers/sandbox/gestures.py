"""What people do in the workspace: type, press, submit, close, open Home, share a file.

Each gesture is checked as Slack's own client would, becomes a payload, is
delivered, and what the bot's acknowledgement says is carried out.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from handlers.sandbox import modals, payloads
from handlers.sandbox.blocks import check_view, elements_of
from handlers.sandbox.composer import encode
from handlers.sandbox.delivery import Delivery
from handlers.sandbox.files import keep_file, share_in
from handlers.sandbox.forms import complete, missing
from handlers.sandbox.records import (
    Change,
    Channel,
    Delivered,
    Json,
    Message,
    Refused,
    ResponsePermit,
    View,
)
from handlers.sandbox.responses import answer
from handlers.sandbox.workspace import Workspace

LONGEST_MESSAGE = 12_000
"""Characters that Slack's client sends as a message."""
TROUBLE = "We had some trouble connecting. Try again?"
CHOSEN = (
    "value",
    "selected_option",
    "selected_options",
    "selected_user",
    "selected_users",
    "selected_channel",
    "selected_channels",
    "selected_conversation",
    "selected_conversations",
    "selected_date",
    "selected_time",
    "selected_date_time",
)


class Gestures:
    """One method a gesture; ``origin`` is where the bot reaches this server."""

    def __init__(self, workspace: Workspace, delivery: Delivery) -> None:
        self.workspace = workspace
        self.delivery = delivery

    # Typing

    async def say(
        self, user: str, channel: str, typed: str, *, thread_ts: str | None = None, origin: str
    ) -> Message:
        """A message, or a command if it begins with ``/``."""
        place = self._place(user, channel)
        if not typed.strip():
            raise Refused("no_text", message="Type something first.")
        if typed.startswith("/"):
            if thread_ts is not None:
                raise Refused(
                    "not_in_thread",
                    message="Slash commands do not work in threads. Mention @candidate instead.",
                )
            return await self.command(user, place, typed, origin=origin)
        if len(typed) > LONGEST_MESSAGE:  # Slack's client makes a snippet of it
            content = [("Untitled", typed.encode())]
            return await self.share_files(
                user, channel, content, thread_ts=thread_ts, mode="snippet", origin=origin
            )
        text = encode(self.workspace, typed)
        message = self.workspace.say(place.id, user, text, thread_ts=self._thread(place, thread_ts))
        self._announce(place, message)
        return message

    async def command(self, user: str, place: Channel, typed: str, *, origin: str) -> Message:
        """A slash command; its author sees an echo, which Slack would not show."""
        name, _, rest = typed.strip().partition(" ")
        echo = self.workspace.say(place.id, user, "", only_for=user, command=typed.strip())
        if name == "/invite":
            self._invite(user, place, rest)
            return echo
        if name not in self.workspace.commands:
            self.workspace.notice(user, f"{name} is not a valid command.", channel=place.id)
            return echo
        text = encode(self.workspace, rest.strip(), in_command=True)
        payload = payloads.slash_command(
            self.workspace, user=user, channel=place, command=name, text=text, origin=origin
        )
        self._busy(user, place.id, on=True)
        record = await self.delivery.send("slash_commands", payload)
        self._busy(user, place.id, on=False)
        if record.error is not None:
            said = f"{name} failed with the error “{record.error}”"
            self.workspace.notice(user, said, channel=place.id)
        elif record.body and (record.body.get("text") or record.body.get("blocks")):
            self._show_body(user, place, record.body, name)
        return echo

    def _invite(self, user: str, place: Channel, rest: str) -> None:
        """Slack's own command, as far as the bot's sentences need it."""
        name = rest.strip().lstrip("@").lower()
        found = next((each for each in self.workspace.users.values() if each.name == name), None)
        if found is None:
            said = f"Nobody is called @{name}. Type /invite @candidate."
        elif found.id in place.members:
            said = f"@{name} is in this channel already."
        else:
            place.members.add(found.id)
            said = f"@{name} joined this channel."
        self.workspace.notice(user, said, channel=place.id)

    async def share_files(
        self,
        user: str,
        channel: str,
        files: Sequence[tuple[str, bytes]],
        *,
        typed: str = "",
        thread_ts: str | None = None,
        mode: str = "hosted",
        origin: str,
    ) -> Message:
        """A message with files, each a name and its content."""
        place = self._place(user, channel)
        described = [
            keep_file(
                self.workspace, user=user, name=name, content=content, origin=origin, mode=mode
            )
            for name, content in files
        ]
        share_in(place, described)
        text = encode(self.workspace, typed)
        thread = self._thread(place, thread_ts)
        message = self.workspace.say(place.id, user, text, files=described, thread_ts=thread)
        self._announce(place, message)
        return message

    def upload(self, user: str, *, name: str, content: bytes, origin: str) -> Json:
        """A file put into a form; the bot may see it when the form is sent."""
        described = keep_file(self.workspace, user=user, name=name, content=content, origin=origin)
        self.workspace.form_files.add(described["id"])
        return described

    # Pressing

    async def shortcut(
        self, user: str, channel: str, ts: str, callback_id: str, *, origin: str
    ) -> Delivered:
        """An entry of the app in a message's menu."""
        message = self._message(user, channel, ts)
        if callback_id not in {each["callback_id"] for each in self.workspace.shortcuts}:
            raise Refused("action_not_found", message="That entry is not there any more.")
        payload = payloads.message_shortcut(
            self.workspace, user=user, message=message, callback_id=callback_id, origin=origin
        )
        self._busy(user, channel, on=True)
        record = await self.delivery.send("interactive", payload)
        self._busy(user, channel, on=False)
        if record.error is not None:
            said = f"Candidate Bot did not answer: {record.error}"
            self.workspace.notice(user, said, channel=channel)
        return record

    async def press(self, user: str, wish: Mapping[str, Any], *, origin: str) -> Delivered:
        """A press of a button or a choice in a menu, in a message, modal or Home."""
        if wish.get("view_id"):
            view = self._view(user, str(wish["view_id"]))
            view.state = merged(view.state, wish.get("state"))
            action = self._action(view.body["blocks"], wish)
            payload = payloads.view_action(self.workspace, user=user, view=view, action=action)
            channel = None
        else:
            message = self._message(user, str(wish.get("channel")), str(wish.get("ts")))
            payload = payloads.message_action(
                self.workspace,
                user=user,
                message=message,
                action=self._action(message.blocks or [], wish),
                state=dict(wish.get("state") or {}),
                origin=origin,
            )
            channel = message.channel
        self._busy(user, channel, on=True)
        record = await self.delivery.send("interactive", payload)
        self._busy(user, channel, on=False)
        if record.error is not None:
            said = f"Candidate Bot did not answer the press: {record.error}"
            self.workspace.notice(user, said, channel=channel)
        return record

    async def submit(self, user: str, view_id: str, state: Mapping[str, Any]) -> dict[str, str]:
        """Send a modal's form. Returns what is wrong by block, empty when it was taken."""
        view = self._view(user, view_id)
        view.state = self._with_files(complete(view.body["blocks"], merged(view.state, state)))
        wrong = missing(view.body["blocks"], view.state)
        if wrong:
            return wrong
        payload = payloads.view_submission(self.workspace, user=user, view=view)
        record = await self.delivery.send("interactive", payload)
        if record.error is not None:
            self.workspace.notice(user, TROUBLE)
            raise Refused(record.error, message=TROUBLE)
        return self._follow(user, view, record.body or {})

    async def close(self, user: str, view_id: str, *, all_of_them: bool = False) -> None:
        """Close a modal; the bot hears of it if it asked to (``notify_on_close``)."""
        view = self._view(user, view_id)
        if all_of_them or view.body.get("clear_on_close"):
            modals.clear_modals(self.workspace, user)
        else:
            modals.close_modal(self.workspace, view)
        if view.body.get("notify_on_close"):
            payload = payloads.view_closed(
                self.workspace, user=user, view=view, is_cleared=all_of_them
            )
            await self.delivery.send("interactive", payload)

    def open_home(self, user: str) -> View | None:
        """Tell the bot that Home was opened; returns the Home shown until it answers."""
        self.workspace.person(user)
        if "app_home_opened" in self.workspace.events:
            self.delivery.event(payloads.home_opened(self.workspace, user))
        return self.workspace.homes.get(user)

    # Inside

    def _with_files(self, state: Json) -> Json:
        """The form's state with its files described; one that is not there is left out."""
        for block in state.values():
            for element in block.values():
                if element.get("type") == "file_input":
                    ids = [each["id"] for each in element.get("files") or []]
                    known = [
                        self.workspace.files[each][0]
                        for each in ids
                        if each in self.workspace.form_files
                    ]
                    element["files"] = known
        return state

    def _announce(self, place: Channel, message: Message) -> None:
        """The events a message causes."""
        workspace = self.workspace
        shared = place.kind == "shared"
        if place.kind == "im":
            if "message.im" in workspace.events:
                self.delivery.event(payloads.direct_message(workspace, message))
        elif f"<@{workspace.bot_user}>" in message.text and "app_mention" in workspace.events:
            if workspace.bot_user not in place.members:
                said = f"@candidate is not in #{place.name}. Invite it, or ask by /candidate."
                workspace.notice(message.user, said, channel=place.id, level="info")
                return
            self.delivery.event(payloads.app_mention(workspace, message), shared=shared)

    def _show_body(self, user: str, place: Channel, body: Json, name: str) -> None:
        """The acknowledgement of a command carried the answer."""
        permit = ResponsePermit(id="", channel=place.id, user=user, issued=self.workspace.clock())
        try:
            answer(self.workspace, permit, body)
        except Refused as refused:
            said = f"{name} failed with the error “{refused.code}”"
            self.workspace.notice(user, said, channel=place.id)

    def _follow(self, user: str, view: View, body: Json) -> dict[str, str]:
        """Do what the acknowledgement of a submission says (``response_action``)."""
        workspace = self.workspace
        action = body.get("response_action")
        if action == "errors":
            inputs = {
                block["block_id"] for block in view.body["blocks"] if block["type"] == "input"
            }
            errors = {name: str(text) for name, text in dict(body.get("errors") or {}).items()}
            if not errors or not set(errors) <= inputs:
                workspace.notice(user, TROUBLE)
                raise Refused("invalid_errors", message=TROUBLE)
            return errors
        try:
            if action in {"update", "push"}:
                content = check_view(body.get("view"), kinds=("modal",), new_id=workspace.new_id)
                if action == "update":
                    modals.change_view(workspace, view, content)
                else:
                    modals.push_modal(workspace, user, content)
            elif action == "clear":
                modals.clear_modals(workspace, user)
            else:
                modals.close_modal(workspace, view)
        except Refused as refused:
            workspace.notice(user, TROUBLE)
            raise Refused(refused.code, message=TROUBLE, **refused.extra) from refused
        return {}

    def _action(self, blocks: list[Json], wish: Mapping[str, Any]) -> Json:
        """The action as the payload tells it, from the element that is really there."""
        for block in blocks:
            for _, element in elements_of(block):
                if element["action_id"] == wish.get("action_id") and block["block_id"] == wish.get(
                    "block_id", block["block_id"]
                ):
                    told = {"text", "value", "style", "placeholder"} & set(element)
                    chosen = {name: wish[name] for name in CHOSEN if wish.get(name) is not None}
                    return {
                        "type": element["type"],
                        "action_id": element["action_id"],
                        "block_id": block["block_id"],
                        **{name: element[name] for name in told},
                        **({} if element["type"] == "button" else chosen),
                        "action_ts": self.workspace.new_ts(),
                    }
        raise Refused("action_not_found", message="That button is not there any more.")

    def _place(self, user: str, channel: str) -> Channel:
        place = self.workspace.place(channel)
        self.workspace.person(user)
        if not self.workspace.may_see(user, place):
            raise Refused("channel_not_found")
        if place.archived:
            raise Refused("is_archived", message="This channel is archived.")
        return place

    def _thread(self, place: Channel, ts: str | None) -> str | None:
        if ts is None:
            return None
        parent = self.workspace.message(place.id, ts)
        if parent is None or parent.only_for is not None:
            raise Refused("thread_not_found", message="That message is not there any more.")
        parent.thread_ts = parent.thread_ts or parent.ts
        return parent.thread_ts

    def _message(self, user: str, channel: str, ts: str) -> Message:
        place = self._place(user, channel)
        message = self.workspace.message(place.id, ts)
        if message is None or message.only_for not in {None, user}:
            raise Refused("message_not_found", message="That message is not there any more.")
        return message

    def _view(self, user: str, view_id: str) -> View:
        view = self.workspace.views.get(view_id)
        if view is None or view.user != user:
            raise Refused("not_found", message="That window is not open any more.")
        return view

    def _busy(self, user: str, channel: str | None, *, on: bool) -> None:
        if channel is not None:
            event = {"type": "busy", "channel": channel, "on": on}
            self.workspace.tell(Change(event=event, user=user))


def merged(old: Json, new: Mapping[str, Any] | None) -> Json:
    """A form's state with what was typed since, by block and action; ``values`` may wrap it."""
    if not new:
        return old
    latest = new.get("values", new)
    return {**old, **{block: {**old.get(block, {}), **entry} for block, entry in latest.items()}}
