"""``backup``, ``restore``, ``verify`` and ``reindex``, as commands of the terminal."""

import logging
from pathlib import Path
from typing import Annotated

import typer

from bot import keeping
from bot.logs import configure_logs
from bot.printing import print_json, progress, put, say
from bot.settings import load_settings
from bot.shell import Json, answered, clock, opened, person_here
from bot.usage import Command, at_least_one
from storage.backups import BadBackup
from storage.errors import BotError
from storage.restoring import look_ahead
from storage.restoring import restore as restore_backup

app = typer.Typer()


@app.command(cls=Command)
def backup(
    folder: Annotated[str | None, typer.Argument(metavar="[FOLDER]", hidden=True)] = None,
    keep: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            callback=at_least_one,
            help="How many to keep. Default: BACKUP_KEEP, which is 14.",
        ),
    ] = None,
) -> None:
    """Write a checked backup, also while the bot runs.

    FOLDER is where to; without it BACKUP_FOLDER, else backups beside the database. The oldest
    backups beyond the number to keep are removed.
    """
    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        into = Path(folder).expanduser().absolute() if folder else settings.backups
        with opened(settings, create=False) as store:
            made = store.back_up(into, keep=keep or settings.backup_keep, now=clock())
        put(keeping.backed_up(made))


@app.command(cls=Command)
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", hidden=True)],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> None:
    """Put a backup in the place of the database.

    FILE is a backup, such as backups/candidates-20261201T030000Z.db. Stop the bot first. The
    present database is kept aside, and who was forgotten since stays forgotten.
    """
    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        chosen = Path(file).expanduser().absolute()
        if not chosen.is_file():
            raise BadBackup(f"There is no file {chosen}. Name a backup, such as backups/….db.")
        if not (yes or agreed(settings.database_url, chosen)):
            say("Nothing was changed.")
            raise typer.Exit(1)
        by = f"terminal:{person_here()}"
        put(keeping.restored(restore_backup(settings.database_url, chosen, by=by, now=clock())))


def agreed(url: str, file: Path) -> bool:
    """Ask whether to restore, with what would be lost by it."""
    return typer.confirm(keeping.question(file, look_ahead(url, file)), err=True)


@app.command(cls=Command)
def verify(
    as_json: Json = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Make the search rows and the index anew first.")
    ] = False,
) -> None:
    """Compare all that is stored with itself.

    Documents, profiles, search index and audit. Exit status 1 when something differs.
    """
    with answered(on_error=verify_error if as_json else None):
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        with opened(settings, create=False) as store:
            rebuilt = store.rebuild() if repair else None
            found = store.verify()
        if as_json:
            print_json(keeping.verified_as_json(found, rebuilt=rebuilt))
        else:
            if rebuilt is not None:
                put(f"Made anew for {keeping.people(rebuilt)}.")
            put(keeping.verified(found))
        if found.faults:
            raise typer.Exit(1)


@app.command(cls=Command)
def reindex() -> None:
    """Make the search index true to the stored rows.

    Everybody is compared with what the index has of them, and what differs is made anew. The bot
    may run meanwhile. When it is killed, the next one goes on where it was.
    """
    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        with opened(settings, create=False) as store, progress("Comparing") as beat:
            done = store.reindex(beat)
        put(keeping.reindexed(done))


def verify_error(error: BotError) -> None:
    print_json({"sound": False, "faults": [], "message": str(error)})
