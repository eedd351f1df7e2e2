"""What commands of the terminal share: settings opened, errors told, words as they were typed."""

import getpass
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated, NoReturn

import typer

from bot.printing import NobodyReads, NotPrinted, print_json, put, say
from bot.readable import readable
from bot.settings import Settings
from storage.errors import BotError
from storage.records import Candidate
from storage.store import Store

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.")]


def clock() -> datetime:
    return datetime.now(UTC)


@contextmanager
def opened(settings: Settings, *, create: bool) -> Iterator[Store]:
    store = Store.open(settings.database_url, create=create, backup_folder=settings.backups)
    try:
        store.apply_tombstones(clock())  # the file may be an older one that was put back
        yield store
    finally:
        store.close()


@contextmanager
def answered(on_error: Callable[[BotError], None] | None = None) -> Iterator[None]:
    """An error meant for people ends the program with its sentence and status 2."""
    try:
        try:
            yield
        except NotPrinted:
            raise
        except BotError as error:
            (on_error or tell_error)(error)
            raise typer.Exit(2) from None
    except NobodyReads:
        raise typer.Exit(1) from None
    except NotPrinted as error:
        say(str(error))
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def tell_error(error: BotError) -> None:
    say(str(error))


def noted(store: Store, action: str, candidate_ids: list[str]) -> None:
    """Write into the audit what somebody at the terminal was shown."""
    store.audit(
        who=f"terminal:{person_here()}",
        action=action,
        place="terminal",
        candidate_ids=candidate_ids,
        now=clock(),
    )


def not_one(who: str, others: list[Candidate], *, as_json: bool) -> NoReturn:
    """Nobody, or several: exit status 1 and a sentence that says how to go on."""
    if others:
        message = f"{len(others)} people are called that. Give the id of the one you mean."
    else:
        message = f"Nobody here is called “{who}”. Try: .venv/bin/python -m bot ask -- {who}"
    results = [
        {
            "id": other.id,
            "name": other.profile.name,
            "headline": other.profile.headline,
            "location": other.profile.location.text if other.profile.location else None,
        }
        for other in others
    ]
    if as_json:
        print_json(
            {
                "answer": "choice" if others else "nothing",
                "query": who,
                "total": len(others),
                "results": results,
                "message": message,
            }
        )
    else:
        say(message)
        for result in results:
            put(" · ".join(str(result[key]) for key in result if result[key]))
    raise typer.Exit(1)


def ask_error(error: BotError) -> None:
    print_json(
        {
            "answer": "error",
            "query": "",
            "total": 0,
            "results": [],
            "message": str(error),
            "blocks": [],
        }
    )


def typed(words: list[str] | None) -> str:
    """The words as one text; bytes that are none become replacement characters."""
    return readable(" ".join(words or []))


def person_here() -> str:
    """The login of whoever runs the program."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return "unknown"
