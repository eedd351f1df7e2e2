"""Modals and App Home: the ``views.*`` methods and the stack of open modals of each person."""

from handlers.sandbox.blocks import check_view
from handlers.sandbox.call import Call, Method
from handlers.sandbox.records import Change, Json, Refused, View
from handlers.sandbox.workspace import Workspace

STACK = 3


def open_view(call: Call) -> Json:
    body = sent_view(call, "modal")
    trigger = call.workspace.exchange_trigger(call.args.required("trigger_id"))
    return shown(call, open_modal(call.workspace, trigger.user, body))


def push_view(call: Call) -> Json:
    body = sent_view(call, "modal")
    trigger = call.workspace.exchange_trigger(call.args.required("trigger_id"))
    return shown(call, push_modal(call.workspace, trigger.user, body))


def update_view(call: Call) -> Json:
    body = sent_view(call, "modal", "home")
    view = wanted(call)
    check_hash(call, view)
    if body["type"] != view.kind:
        raise Refused("invalid_arguments")
    return shown(call, change_view(call.workspace, view, body))


def publish_view(call: Call) -> Json:
    body = sent_view(call, "home")
    workspace = call.workspace
    user = workspace.person(call.args.required("user_id")).id
    home = workspace.homes.get(user)
    check_hash(call, home)
    if home is None:
        home = new_view(workspace, user, body)
        workspace.homes[user] = home
        tell_home(workspace, home)
    else:
        change_view(workspace, home, body)
    return shown(call, home)


def sent_view(call: Call, *kinds: str) -> Json:
    view = call.args.structure("view", error="invalid_arguments")
    return check_view(view, kinds=kinds, new_id=call.workspace.new_id)


def wanted(call: Call) -> View:
    view_id, external_id = call.args.text("view_id"), call.args.text("external_id")
    for view in call.workspace.views.values():
        if view.id == view_id or (external_id and view.body.get("external_id") == external_id):
            return view
    raise Refused("not_found")


def check_hash(call: Call, view: View | None) -> None:
    given = call.args.text("hash")
    if given and (view is None or view.hash != given):
        raise Refused("hash_conflict")


def shown(call: Call, view: View) -> Json:
    return {"view": as_slack(call.workspace, view)}


def as_slack(workspace: Workspace, view: View) -> Json:
    return view.to_slack(team=workspace.team.id, app=workspace.app_id, bot=workspace.bot_id)


# What happens to a person's screen, whoever asked for it


def open_modal(workspace: Workspace, user: str, body: Json) -> View:
    """The only modal of the person's screen; what was open there is gone."""
    with workspace.lock:
        clear_modals(workspace, user)
        view = new_view(workspace, user, body)
        workspace.stacks[user] = [view.id]
        tell_modal(workspace, view, "open")
        return view


def push_modal(workspace: Workspace, user: str, body: Json) -> View:
    """A modal on top of those open; Refused above three."""
    with workspace.lock:
        stack = workspace.stacks.get(user, [])
        if not stack:
            raise Refused("not_found")
        if len(stack) >= STACK:
            raise Refused("push_limit_reached")
        view = new_view(workspace, user, body)
        view.root, view.previous = stack[0], stack[-1]
        stack.append(view.id)
        tell_modal(workspace, view, "push")
        return view


def change_view(workspace: Workspace, view: View, body: Json) -> View:
    """Other contents in the same view; what was typed stays where its block does."""
    with workspace.lock:
        view.body = body
        view.hash = workspace.new_id("h")
        kept = {block["block_id"] for block in body["blocks"]}
        view.state = {name: values for name, values in view.state.items() if name in kept}
        if view.kind == "home":
            tell_home(workspace, view)
        else:
            tell_modal(workspace, view, "update")
        return view


def close_modal(workspace: Workspace, view: View) -> None:
    """Take this modal off the stack, and what lies on it."""
    with workspace.lock:
        stack = workspace.stacks.get(view.user, [])
        if view.id not in stack:
            return
        while stack:
            top = workspace.views.pop(stack.pop())
            tell_modal(workspace, top, "close")
            if top is view:
                break


def clear_modals(workspace: Workspace, user: str) -> None:
    with workspace.lock:
        stack = workspace.stacks.get(user, [])
        if stack:
            close_modal(workspace, workspace.views[stack[0]])


def new_view(workspace: Workspace, user: str, body: Json) -> View:
    name = body.get("external_id")
    if name and any(view.body.get("external_id") == name for view in workspace.views.values()):
        raise Refused("duplicate_external_id")
    view_id = workspace.new_id("V")
    view = View(id=view_id, user=user, body=body, hash=workspace.new_id("h"), root=view_id)
    workspace.views[view_id] = view
    return view


def tell_modal(workspace: Workspace, view: View, action: str) -> None:
    event = {"type": "view", "action": action, "view": as_slack(workspace, view)}
    workspace.tell(Change(event=event, user=view.user))


def tell_home(workspace: Workspace, view: View) -> None:
    workspace.tell(
        Change(event={"type": "home", "view": as_slack(workspace, view)}, user=view.user)
    )


METHODS = {
    "views.open": Method(answer=open_view, tier=4),
    "views.push": Method(answer=push_view, tier=4),
    "views.update": Method(answer=update_view, tier=4),
    "views.publish": Method(answer=publish_view, tier=4),
}
