"""The program: ``python -m bot COMMAND``.

The door of the house: nothing imports it, and it alone puts handlers, bot and
storage together. Results go to stdout; logs, warnings and progress to stderr.

Servers and their frameworks are imported by the commands that need them: the
others would take a tenth longer.
"""

import getpass
import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from bot import keeping, quarantine, reporting
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
    print_report,
    put,
    say,
    speak_utf8,
    with_progress,
    write_private,
)
from bot.readable import readable
from bot.record import record_as_json, record_text, who_it_is
from bot.reporting import as_markdown
from bot.settings import PROJECT, Settings, load_settings, unknown_names
from bot.usage import Command, a_port, at_least_one
from bot.version import VERSION
from handlers import auditing, digests, manifest, terminal
from handlers import candidate as candidates
from handlers import rights_at_terminal as rights
from handlers.question import one_person
from storage.errors import BotError
from storage.identity import name_key
from storage.records import Candidate
from storage.restoring import restore as restore_backup
from storage.store import Store

SEEDS = PROJECT / "seeds"

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.")]


class NoPath(BotError):
    """An empty path: the shell filled in nothing."""


def clock() -> datetime:
    return datetime.now(UTC)


def print_version(wanted: bool) -> None:
    if wanted:
        with answered():
            put(f"candidate-bot {VERSION}")
        raise typer.Exit


@app.callback()
def whole(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=print_version),
    ] = False,
) -> None:
    """Candidate Bot: a self-hosted recruiting bot for Slack."""


@app.command(cls=Command)
def run() -> None:
    """Start the bot: in Slack, or without tokens in the sandbox.

    The tokens and all other settings stand in .env, see .env.example. The sandbox is a workspace
    in your browser. Ctrl-C ends the bot.
    """
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


@app.command(cls=Command)
def load(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", hidden=True)],
    as_json: Json = False,
) -> None:
    """Read profile pages and store the people on them.

    PATH is a file, or a folder of files, such as seeds. Exit status 1 when any was refused.
    """
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


@app.command(cls=Command)
def ask(
    text: Annotated[list[str] | None, typer.Argument(metavar="[TEXT...]", hidden=True)] = None,
    page: Annotated[
        int,
        typer.Option(
            "--page",
            metavar="NUMBER",
            show_default=False,
            help="Which ten of many people: 2 for the next.",
        ),
    ] = 1,
    as_json: Json = False,
) -> None:
    """Ask what you would ask in Slack.

    TEXT is what you would type after /candidate, such as chenggang or skill:cuda. Without it
    you are told what can be asked. Put it into quotes when it holds brackets, < or >, and -- before
    it when it holds a minus sign.
    """
    with answered(on_error=ask_error if as_json else None):
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        with opened(settings, create=False) as store:
            reply = terminal.asked(
                store,
                typed(text),
                page=page,
                asker=f"terminal:{person_here()}",
                now=clock(),
                settings=settings,
            )
            if as_json:
                printed = candidates.export_as_json(store, reply, who=person_here(), now=clock())
        if as_json:
            print_json(printed)
        else:
            put(reply.terminal)
        if isinstance(reply.answer, ErrorAnswer):
            raise typer.Exit(2)


@app.command(cls=Command)
def show(
    who: Annotated[list[str], typer.Argument(metavar="WHO...", hidden=True)],
    as_json: Json = False,
) -> None:
    """Print everything stored about one person.

    WHO is a name, a login or an id, such as lei wang.
    """
    with answered(on_error=ask_error if as_json else None):
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        with opened(settings, create=False) as store:
            person, others = rights.the_one(store, typed(who))
            if person is None:
                not_one(typed(who), others, as_json=as_json)
            record = record_as_json(store, person)
            noted(store, "show", [person.id])
        if as_json:
            print_json(record)
        else:
            put(record_text(record))


@app.command(cls=Command, name="forget")
def forget_command(
    who: Annotated[list[str] | None, typer.Argument(metavar="[WHO...]", hidden=True)] = None,
    yes: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Forget the person of this id without asking."),
    ] = None,
    lift: Annotated[
        str | None,
        typer.Option(metavar="RECEIPT", help="Let the person of this receipt be stored again."),
    ] = None,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why; it is kept.", show_default=False)
    ] = "",
    listing: Annotated[bool, typer.Option("--list", help="List whom was forgotten when.")] = False,
) -> None:
    """Erase a person everywhere and keep them out.

    WHO is a name, a login or an id, such as lei wang; the name has to be typed once more before
    anything is erased. Or WHO is the reference of a receipt, which is then printed as things stand.
    """
    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        by = f"terminal:{person_here()}"
        with opened(settings, create=False) as store:
            if listing:
                put(rights.listing(store))
            elif lift is not None:
                put(rights.lift(store, lift, by=by, reason=reason, now=clock()))
            elif yes is None and store.erasure(typed(who)) is not None:
                put(rights.receipt_of(store, typed(who), clock()))
            else:
                candidate_id = yes or confirmed(store, typed(who))
                put(
                    rights.forget_and_tell(
                        store, candidate_id, by=by, reason=reason, settings=settings, clock=clock
                    )
                )


def confirmed(store: Store, who: str) -> str:
    """The id of the person to forget, after the name was typed. Ends the program otherwise."""
    person, others = rights.the_one(store, who)
    if person is None:
        not_one(who, others, as_json=False)
    put(who_it_is(person))
    say("This erases the person everywhere and keeps them out. It cannot be undone.")
    say("Type the name to go on:")
    if name_key(sys.stdin.readline()) != name_key(person.profile.name):
        say("That is not the name. Nothing was done.")
        raise typer.Exit(1)
    return person.id


@app.command(cls=Command, name="report")
def report_command(
    who: Annotated[list[str], typer.Argument(metavar="WHO...", hidden=True)],
    as_json: Json = False,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write it to this file, for its owner only."),
    ] = None,
) -> None:
    """Print all that is held about a person, to be sent.

    WHO is a name, a login or an id, such as lei wang. With sources, recipients and searches.
    """
    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        with opened(settings, create=False) as store:
            person, others = rights.the_one(store, typed(who))
            if person is None:
                not_one(typed(who), others, as_json=as_json)
            told = reporting.report(store, person.id, months=settings.retention_months, now=clock())
            store.audit(
                who=f"terminal:{person_here()}",
                action="report",
                place="terminal",
                candidate_ids=[person.id],
                now=clock(),
            )
        text = (
            json.dumps(told, ensure_ascii=False, indent=1) if as_json else as_markdown(told or {})
        )
        if output is None:
            put(text.rstrip("\n"))
        else:
            write_private(output, text)
            put(f"Written to {output}. It holds personal data: send it, then remove it.")


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


@app.command(cls=Command)
def digest(
    text: Annotated[list[str] | None, typer.Argument(metavar="[TEXT...]", hidden=True)] = None,
) -> None:
    """Subscribe to digests, preview or list them.

    TEXT is list, preview, now 1, pause 1, resume 1 or stop 1 (the number is in the list), or a new
    digest, such as weekly monday 09:00 in '#hiring': in quotes, as # begins a comment in a
    shell. Without it the digests are listed. Neither tokens nor network are needed; what is
    changed is changed for the running bot.
    """
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
        put(reply.terminal)
        if isinstance(reply.answer, ErrorAnswer):
            raise typer.Exit(2)


@app.command(cls=Command)
def audit(
    who: Annotated[
        str | None,
        typer.Option(
            metavar="USER", help="What somebody did: a Slack user id, terminal:LOGIN, folder."
        ),
    ] = None,
    candidate: Annotated[
        str | None,
        typer.Option(
            metavar="WHO", help="What was done with a candidate: a name, a login or an id."
        ),
    ] = None,
    before: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Only entries before this number, to turn the page."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print who looked at, shared or changed whom."""
    with answered(on_error=audit_error if as_json else None):
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        with opened(settings, create=False) as store:
            person = None
            if candidate is not None:
                wanted = readable(candidate)
                person, others = one_person(store, wanted)
                if person is None:
                    not_one(wanted, others, as_json=as_json)
            page = auditing.page_of(
                store,
                who=who,
                candidate_id=person.id if person else None,
                before=before,
                about=person.profile.name if person else "",
            )
            noted(store, "audit", list(page.names))
        if as_json:
            print_json(auditing.page_as_json(page))
        else:
            put(auditing.page_as_text(page, now=clock()))


def noted(store: Store, action: str, candidate_ids: list[str]) -> None:
    """Write into the audit what somebody at the terminal was shown."""
    store.audit(
        who=f"terminal:{person_here()}",
        action=action,
        place="terminal",
        candidate_ids=candidate_ids,
        now=clock(),
    )


@app.command(cls=Command)
def refused(
    ref: Annotated[str | None, typer.Argument(metavar="[REF]", hidden=True)] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the refused file there.")
    ] = None,
) -> None:
    """List, show or save files that were refused in Slack.

    REF is the reference from a refusal, such as 7KQ2MN; without it all are listed. They are
    kept for 30 days.
    """
    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        with opened(settings, create=False) as store:
            if ref is None:
                put(quarantine.listed(store))
            else:
                put(quarantine.shown(store, ref, save=save))


@app.command(cls=Command, name="doctor")
def doctor_command() -> None:
    """Check the installation, and say what to do.

    Settings, tokens, scopes, database, SQLite, clock and channel. Exit status 1 when something
    is wrong.
    """
    from handlers import doctor  # noqa: PLC0415 - see above

    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.ERROR)
        findings = doctor.examine(settings, warnings=unknown_names(), clock=clock)
        for finding in findings:
            put(str(finding))
        if any(finding.failed for finding in findings):
            raise typer.Exit(1)


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
        if not (yes or typer.confirm(keeping.question(chosen, settings.database_path), err=True)):
            say("Nothing was changed.")
            raise typer.Exit(1)
        by = f"terminal:{person_here()}"
        put(keeping.restored(restore_backup(settings.database_url, chosen, by=by, now=clock())))


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


@app.command(cls=Command, name="manifest")
def manifest_command(
    socket_mode: Annotated[
        bool,
        typer.Option("--socket/--http", help="For Socket Mode, or for HTTP with --url."),
    ] = True,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The bot's public address for HTTP, such as https://bot.example.com.",
        ),
    ] = None,
) -> None:
    """Print the manifest from which Slack makes the app.

    Paste it at https://api.slack.com/apps, Create New App, From a manifest.
    """
    with answered():
        http = url is not None or not socket_mode
        print_json(manifest.manifest(request_url=manifest.request_url_of(url) if http else None))


@app.command(cls=Command)
def sandbox(
    port: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            callback=a_port,
            help="Port to listen on, on this machine only.",
        ),
    ] = 3000,
    deliver_to: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="For a bot in HTTP mode: where it listens, such as "
            "http://127.0.0.1:3001/slack/events.",
        ),
    ] = None,
) -> None:
    """Run only the sandbox, for a bot in another process.

    It says what that bot must set. Ctrl-C ends it.
    """
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


def audit_error(error: BotError) -> None:
    print_json({"entries": [], "older": None, "message": str(error)})
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
