"""``python -m handlers.sandbox [PORT [DELIVER_TO]]``: a Slack workspace in its own process."""

import sys

from handlers.sandbox.server import main
from storage.errors import BotError

if __name__ == "__main__":
    given = sys.argv[1:]
    try:
        main(
            port=int(given[0]) if given else 3000,
            deliver_to=given[1] if len(given) > 1 else None,
        )
    except BotError as error:
        sys.exit(str(error))
