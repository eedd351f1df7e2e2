"""The Home tab: help, the digests that are subscribed, and how the last ones went."""

from typing import Any

from bot.asking import help_answer
from handlers.boundary import Edge, Request
from handlers.digests import listed
from handlers.views.dates import zone_of
from handlers.views.home import HomeView, home


def register(edge: Edge) -> None:
    edge.event("app_home_opened", opened)


def opened(request: Request) -> None:
    """Publish the tab anew each time it is opened: nothing on it is older than that."""
    if request.heard.tab not in {None, "home"}:
        return
    request.edge.client.views_publish(user_id=request.person.id, view=view_of(request))


def view_of(request: Request) -> dict[str, Any]:
    store, now = request.edge.store, request.edge.clock()
    value = HomeView(
        help=help_answer(store, "", now=now),
        listed=listed(store, now),
        latest=store.latest_addition(),
        now=now,
        zone=zone_of(request.person.timezone),
    )
    return {"type": "home", "blocks": list(home(value).blocks)}
