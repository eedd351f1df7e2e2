"""Refused files for an admin at a terminal: the list, the reason, the file itself."""

from pathlib import Path

from bot.readable import readable
from storage.errors import BotError
from storage.quarantine import RefusedFile
from storage.store import Store


class NoSuchFile(BotError):
    """No refused file of this reference is kept (any more)."""


class NotSaved(BotError):
    """The file could not be written where it was wanted."""


def listed(store: Store) -> str:
    """One paragraph a file, newest first."""
    files = store.refused_files()
    if not files:
        return "No refused file is kept."
    return "\n".join(_told(file) for file in files)


def shown(store: Store, ref: str, *, save: Path | None = None) -> str:
    """What is known of one file; with ``save`` its content is written there, and nowhere else.

    Raises NoSuchFile, or NotSaved: a file that exists is never written over.
    """
    wanted = ref.strip().upper()
    file = next((each for each in store.refused_files() if each.ref == wanted), None)
    content = store.refused_content(wanted)
    if file is None or content is None:
        raise NoSuchFile(
            f"No refused file {readable(ref)} is kept: they go after 30 days. "
            "See those that are: .venv/bin/python -m bot refused"
        )
    if save is None:
        return f"{_told(file)}\nSave it: .venv/bin/python -m bot refused {file.ref} --save PATH"
    try:
        with save.open("xb") as target:
            target.write(content)
    except FileExistsError:
        raise NotSaved(f"{save} exists already. Choose another place.") from None
    except OSError as error:
        raise NotSaved(f"{save} could not be written ({error.strerror}).") from error
    return f"Saved {file.name} as {save} ({file.size:,} bytes)."


def _told(file: RefusedFile) -> str:
    name = " ".join(readable(file.name).split())
    return (
        f"{file.ref}  {file.at:%Y-%m-%d %H:%M} UTC  {name} ({file.size:,} bytes), "
        f"sent by {file.by}, kept until {file.until:%Y-%m-%d}\n        {file.reason}"
    )
