"""What the tests of adding from Slack share: pages with dated work, and hands for receipts."""

from typing import Any

from tests.edge_fixtures import Bot
from tests.loading_fixtures import page


def dated(name: str, *, title: str = "Engineer at Foo", skills: str = "python10") -> str:
    """A page with one dated contribution, so that a later one is known to be of the same person."""
    body = page(name, title=title).replace("python10", skills)
    work = (
        "Github contributions (1)\ncolour/palette\nMar 2022\nBack-end Developer\n"
        "Contributions:\n4 commits\n"
    )
    return body.replace("Github contributions (0)\n", work)


def texts(message: Any) -> str:
    """All that a message says and carries."""
    return f"{message.text} {message.blocks}"


def directly(bot: Bot) -> list[Any]:
    """The bot's messages to Mira in their direct message, oldest first."""
    there = bot.slack.messages(bot.slack.direct(bot.slack.mira))
    return [each for each in there if each.user == bot.slack.bot_user]


def privately(bot: Bot, user: str | None = None) -> list[Any]:
    """What the bot showed one person alone, oldest first."""
    shown = bot.slack.ephemerals(user or bot.slack.mira)
    return [each for each in shown if each.user == bot.slack.bot_user]


def finished(bot: Bot) -> Any:
    """The newest message in Mira's direct message, once the bot is done with what was sent."""

    def told() -> Any:
        said = directly(bot)
        busy = bot.edge.pool.unfinished + bot.edge.adding.unfinished
        return said[-1] if said and not busy and "Reading" not in said[-1].text else None

    return bot.slack.wait_for(told, within=20)


def send(bot: Bot, *files: tuple[str, str | bytes], text: str = "") -> Any:
    """Send files to the bot directly and return its receipt."""
    before = len(directly(bot))
    bot.slack.share(bot.slack.mira, bot.slack.direct(bot.slack.mira), *files, text=text)
    bot.slack.wait_for(lambda: len(directly(bot)) > before, within=20)
    return finished(bot)
