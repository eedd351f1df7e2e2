"""What ``doctor`` says about backups."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from bot.settings import Settings
from storage.backups import backups_in, made_at

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
