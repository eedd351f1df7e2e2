"""The program: ``python -m bot COMMAND``.

The door of the house: nothing imports it, and it alone puts handlers, bot and
storage together. Results go to stdout; logs, warnings and progress to stderr.

Servers and their frameworks are imported by the commands that need them: the
others would take a tenth longer.
"""

import getpass
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from bot import keeping
from bot.answers import ErrorAnswer
from bot.loading import files_under, load_file, load_files
from bot.logs import configure_logs
from bot.printing import (
    LOST,
    NotPrinted,
    file_as_json,
    give_up_stdout,
    load_summary,
    print_json,
    print_record,
    print_report,
    put,
    say,
    speak_utf8,
    with_progress,
)
from bot.readable import readable
from bot.settings import PROJECT, Settings, load_settings, unknown_names
from handlers import candidate, digests, manifest
from handlers.question import one_person
from storage.errors import BotError
from storage.profile_json import profile_to_document
from storage.records import Candidate
from storage.restoring import restore as restore_backup
from storage.store import Store

SEEDS = PROJECT / "seeds"

app = typer.Typer(
    help="Candidate Bot: a self-hosted recruiting bot for Slack.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document for programs.")]


class NoPath(BotError):
    """An empty path: the shell filled in nothing."""


def clock() -> datetime:
    return datetime.now(UTC)


@app.command()
def run() -> None:
    """Start the bot: in the workspace whose tokens are set, else the sandbox in the browser."""
    from handlers import serve  # noqa: PLC0415 - see above

    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets)
        for warning in unknown_names():
            say(warning)
        with opened(settings, create=True) as store:
            if settings.mode == "sandbox" and store.count() == 0:
                load_seeds(store)
            code = serve.run(settings, store, clock=clock, say=say)
        raise typer.Exit(code)


@app.command()
def load(
    paths: Annotated[list[str], typer.Argument(help="Files, or folders of files.")],
    as_json: Json = False,
) -> None:
    """Read profile pages and store the people on them. Exit status 1 when any was refused."""
    with answered(on_error=load_error if as_json else None):
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        if not all(path.strip() for path in paths):
            raise NoPath("One of the paths is empty. Name a file, a folder, or . for this one.")
        files = list(files_under([Path(path) for path in paths]))
        with opened(settings, create=True) as store:
            loading = load_files(
                store, files, added_by=f"terminal:{person_here()}", added_via="load", clock=clock
            )
            reports = list(with_progress(loading, total=len(files)))
        if as_json:
            print_json({"files": [file_as_json(report) for report in reports]})
        else:
            for report in reports:
                print_report(report)
            put(load_summary(reports))
        if any(report.refused for report in reports) or not reports:
            raise typer.Exit(1)


@app.command()
def ask(
    text: Annotated[
        list[str] | None, typer.Argument(help="What to ask, as after /candidate.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask what you would ask in Slack. Put -- before the text when it holds a minus sign."""
    with answered(on_error=ask_error if as_json else None):
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        with opened(settings, create=False) as store:
            reply = candidate.answer(
                store,
                typed(text),
                asker=f"terminal:{person_here()}",
                now=clock(),
                settings=settings,
            )
        if as_json:
            print_json(candidate.reply_as_json(reply))
        else:
            put(reply.plain)
        if isinstance(reply.answer, ErrorAnswer):
            raise typer.Exit(2)


@app.command()
def show(
    who: Annotated[list[str], typer.Argument(help="A name, a login or an id.")],
    as_json: Json = False,
) -> None:
    """Print everything stored about one person, with warnings and sources."""
    with answered(on_error=ask_error if as_json else None):
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        with opened(settings, create=False) as store:
            person, others = one_person(store, typed(who))
            if person is None:
                not_one(typed(who), others, as_json=as_json)
            record = record_as_json(store, person)
        if as_json:
            print_json(record)
        else:
            print_record(record)


def record_as_json(store: Store, person: Candidate) -> dict[str, Any]:
    """The whole record: the profile's keys, and beside them what the store knows of it."""
    document = profile_to_document(person.profile)
    remarks = document.pop("remarks")
    return {
        "id": person.id,
        **document,
        "newest_fact": person.profile.newest_fact,
        "warnings": [remark["text"] for remark in remarks],
        "remarks": remarks,
        "added_at": person.added_at.isoformat(),
        "added_by": person.added_by,
        "updated_at": person.updated_at.isoformat(),
        "sources": [
            {
                "id": source.id,
                "name": source.name,
                "added_by": source.added_by,
                "added_via": source.added_via,
                "added_at": source.added_at.isoformat(),
                "read_at": source.read_at.isoformat(),
                "parser": source.parser,
                "characters": source.text_length,
            }
            for source in person.sources
        ],
        "history": [
            {"at": entry.at.isoformat(), "by": entry.by, "changes": list(entry.changes)}
            for entry in store.history(person.id)
        ],
    }


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


@app.command()
def digest(
    text: Annotated[
        list[str] | None,
        typer.Argument(help="As after /candidate digest: preview, list, weekly monday 09:00 …"),
    ] = None,
) -> None:
    """Subscribe to digests, preview or list them. Needs neither tokens nor network."""
    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        with opened(settings, create=False) as store:
            reply = digests.from_terminal(
                store,
                typed(text),
                settings=settings,
                asker=f"terminal:{person_here()}",
                now=clock(),
            )
        put(reply.plain)
        if isinstance(reply.answer, ErrorAnswer):
            raise typer.Exit(2)


@app.command("doctor")
def doctor_command() -> None:
    """Check settings, tokens, scopes, database, SQLite, clock and channel; say what to do."""
    from handlers import doctor  # noqa: PLC0415 - see above

    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.ERROR)
        findings = doctor.examine(settings, warnings=unknown_names(), clock=clock)
        for finding in findings:
            put(str(finding))
        if any(finding.failed for finding in findings):
            raise typer.Exit(1)


@app.command()
def backup(
    folder: Annotated[
        str | None, typer.Argument(help="Where to. Default: BACKUP_FOLDER, else backups/.")
    ] = None,
    keep: Annotated[
        int | None, typer.Option(min=1, help="How many to keep. Default: BACKUP_KEEP.")
    ] = None,
) -> None:
    """Write a checked backup while the bot runs, and remove the oldest ones."""
    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        into = Path(folder).expanduser().absolute() if folder else settings.backups
        with opened(settings, create=False) as store:
            made = store.back_up(into, keep=keep or settings.backup_keep, now=clock())
        put(keeping.backed_up(made))


@app.command()
def restore(
    file: Annotated[str, typer.Argument(help="A backup, such as backups/candidates-….db.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> None:
    """Put a backup in the place of the database; stop the bot first. The present one is kept."""
    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        chosen = Path(file).expanduser().absolute()
        if not (yes or typer.confirm(keeping.question(chosen, settings.database_path), err=True)):
            say("Nothing was changed.")
            raise typer.Exit(1)
        by = f"terminal:{person_here()}"
        put(keeping.restored(restore_backup(settings.database_url, chosen, by=by, now=clock())))


@app.command()
def verify(
    as_json: Json = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Make the search rows and the index anew first.")
    ] = False,
) -> None:
    """Compare documents, profiles, search index and audit with one another; 1 if any differs."""
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


@app.command("manifest")
def manifest_command(
    socket_mode: Annotated[
        bool, typer.Option("--socket/--http", help="Socket Mode, or HTTP with --url.")
    ] = True,
    url: Annotated[
        str | None, typer.Option(help="Public address of the bot for HTTP mode.")
    ] = None,
) -> None:
    """Print the Slack app manifest to paste at Slack when creating the app."""
    with answered():
        http = url is not None or not socket_mode
        print_json(manifest.manifest(request_url=manifest.request_url_of(url) if http else None))


@app.command()
def sandbox(
    port: Annotated[int, typer.Option(help="Port to listen on, on this machine only.")] = 3000,
    deliver_to: Annotated[
        str | None,
        typer.Option(help="Where the bot listens, such as http://127.0.0.1:3001/slack/events."),
    ] = None,
) -> None:
    """Only the sandbox workspace, for a bot in another process; says what that bot must set."""
    from handlers import serve  # noqa: PLC0415 - see above

    with answered():
        configure_logs()
        raise typer.Exit(serve.run_sandbox_alone(port=port, deliver_to=deliver_to, say=say))


def load_seeds(store: Store) -> None:
    for path in files_under([SEEDS]):
        load_file(store, path, added_by="seeds", added_via="seeds", now=clock())


@contextmanager
def opened(settings: Settings, *, create: bool) -> Iterator[Store]:
    store = Store.open(settings.database_url, create=create)
    try:
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
    except NotPrinted as error:
        say(str(error))
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def tell_error(error: BotError) -> None:
    say(str(error))


def load_error(error: BotError) -> None:
    print_json({"files": [], "message": str(error)})
    say(str(error))


def verify_error(error: BotError) -> None:
    print_json({"sound": False, "faults": [], "message": str(error)})


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


def main() -> None:
    speak_utf8()
    try:
        app()
    except OSError as error:  # of a help page: what commands print raises NotPrinted
        if error.errno not in LOST:
            raise
        give_up_stdout()
        say(f"Nothing could be printed there ({error.strerror}).")
        sys.exit(1)


if __name__ == "__main__":
    main()
