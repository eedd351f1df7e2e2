"""What ``doctor`` says about backups and the search index."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from bot.settings import Settings
from storage.backups import backups_in, made_at
from storage.store import Store

LATE: Final = timedelta(days=2)


def about_backups(settings: Settings, now: datetime) -> Iterator[tuple[bool, str]]:
    """(whether all is well, the sentence)."""
    folder = settings.backup_folder
    if folder is None:
        if settings.mode != "sandbox":
            yield False, "none is made: set BACKUP_FOLDER, best on another disk."
        return
    found = backups_in(folder, settings.database_path.stem)
    if not found:
        yield False, f"none in {folder} yet: a bot that runs makes one within minutes."
        return
    age = now - made_at(found[0])
    made = f"{made_at(found[0]):%Y-%m-%d %H:%M} UTC"
    if age <= LATE:
        yield True, f"{len(found)} in {folder}, the newest of {made}."
        return
    advice = "look at the log for backup.failed, or make one: .venv/bin/python -m bot backup"
    yield False, f"the newest in {folder} is {age.days} days old ({made}): {advice}"


def about_index(store: Store) -> Iterator[tuple[bool, str]]:
    """(whether all is well, the sentence)."""
    found = store.agreement()
    if found.agrees:
        looked = f"{found.looked:,} {'person' if found.looked == 1 else 'people'} looked at"
        yield True, f"agrees with the rows ({looked}; verify looks at all)."
        return
    advice = "run .venv/bin/python -m bot reindex, while the bot goes on"
    if found.unfinished:
        yield False, f"a reindex was broken off, the next one carries it on: {advice}."
    told = [
        f"{number:,} {what}"
        for number, what in (
            (found.missing, "not in it"),
            (found.wrong, f"of {found.looked:,} people looked at not as their pages say"),
            (found.nobody, "of nobody"),
        )
        if number
    ]
    if told:
        yield False, f"differs from the rows ({', '.join(told)}): {advice}."
