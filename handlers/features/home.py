"""The Home tab: help, the digests that are subscribed, and how the last ones went."""

from bot.asking import help_answer
from handlers.edge.boundary import Edge, Request
from handlers.features.digests import listed
from handlers.views.home import HomeView, home
from handlers.views.message import Message


def register(edge: Edge) -> None:
    edge.event("app_home_opened", opened)


def opened(request: Request) -> None:
    """Publish the tab anew each time it is opened: nothing on it is older than that."""
    if request.heard.tab not in {None, "home"}:
        return
    request.answer(home_of(request))


def home_of(request: Request) -> Message:
    store, now = request.edge.store, request.edge.clock()
    value = HomeView(
        help=help_answer(store, "", now=now),
        listed=listed(store, now),
        latest=store.latest_addition(),
        now=now,
        zone=request.zone,
    )
    return home(value)
