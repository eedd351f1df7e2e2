"""The program: ``python -m bot COMMAND``.

The door of the house: nothing imports it, and it alone puts handlers, bot and
storage together. Results go to stdout; logs, warnings and progress to stderr.

Servers and their frameworks are imported by the commands that need them: the
others would take a tenth longer.
"""

import errno
import logging
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from bot import keeping_commands
from bot.answers import ErrorAnswer
from bot.loading import files_under, load_file, load_files
from bot.logs import configure_logs
from bot.printing import (
    LOST,
    file_as_json,
    give_up_stdout,
    load_summary,
    print_json,
    print_report,
    put,
    say,
    speak_utf8,
    with_progress,
)
from bot.record import record_as_json, record_text
from bot.settings import PROJECT, load_settings, unknown_names
from bot.shell import Json, answered, ask_error, clock, not_one, noted, opened, person_here, typed
from bot.usage import Command, a_port
from bot.version import VERSION
from handlers.features import candidate as candidates
from handlers.features import digests
from handlers.features.commands import WORDS
from handlers.setup import manifest
from handlers.terminal import asking as terminal
from handlers.terminal import commands as rights_commands
from handlers.terminal import exporting, rights
from storage.errors import BotError
from storage.store import Store

SEEDS = PROJECT / "seeds"


class Door(TyperGroup):
    """The commands; a word that is only asked in the chat says how it is asked here."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        word = args[0] if args else ""
        if word not in self.commands and word in WORDS:
            ctx.fail(
                f"“{word}” is something to ask: .venv/bin/python -m bot ask -- {' '.join(args)}"
            )
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=Door,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class NoPath(BotError):
    """An empty path: the shell filled in nothing."""


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
            if not reports:
                say(load_summary(reports))
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


@app.command(cls=Command, name="doctor")
def doctor_command() -> None:
    """Check the installation, and say what to do.

    Settings, tokens, scopes, database, SQLite, clock and channel. Exit status 1 when something
    is wrong.
    """
    from handlers.setup import doctor  # noqa: PLC0415 - see above

    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.ERROR)
        findings = doctor.examine(settings, warnings=unknown_names(), clock=clock)
        for finding in findings:
            put(str(finding))
        if any(finding.failed for finding in findings):
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


def load_error(error: BotError) -> None:
    print_json({"files": [], "message": str(error)})
    say(str(error))


for part in (rights_commands, exporting, keeping_commands):
    app.registered_commands += part.app.registered_commands


def main() -> None:
    speak_utf8()
    try:
        app()
    except OSError as error:  # of a help page: what commands print raises NotPrinted
        if error.errno not in LOST:
            raise
        give_up_stdout()
        if error.errno != errno.EPIPE:
            say(f"Nothing could be printed there ({error.strerror}).")
        sys.exit(1)


if __name__ == "__main__":
    main()
