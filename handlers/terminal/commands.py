"""``forget``, ``report``, ``audit``, ``replay`` and ``refused``, as commands of the terminal."""

import json
import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from bot import quarantine, reporting
from bot.logs import configure_logs
from bot.printing import print_json, put, say, write_private
from bot.readable import readable
from bot.record import who_it_is
from bot.report_letter import as_markdown
from bot.settings import load_settings
from bot.shell import Json, answered, clock, not_one, noted, opened, person_here, typed
from bot.usage import Command
from bot.zones import zone_of
from handlers.features import auditing, replaying
from handlers.features.question import one_person
from handlers.features.records import taken_for
from handlers.features.replaying import HIDDEN
from handlers.terminal import rights
from storage.errors import BotError
from storage.identity import name_key
from storage.store import Store

app = typer.Typer()


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
    listing: Annotated[
        bool, typer.Option("--list", help="List the receipts of who was forgotten, and when.")
    ] = False,
) -> None:
    """Erase a person everywhere and keep them out.

    WHO is a name, a login or an id, such as lei wang; the name has to be typed once more before
    anything is erased. Or WHO is the reference of a receipt, which is then printed as things stand.
    """
    with answered():
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        by = f"terminal:{person_here()}"
        zone = zone_of(settings.digest_timezone)
        with opened(settings, create=False) as store:
            if listing:
                put(rights.listing(store, zone=zone, now=clock()))
            elif lift is not None:
                put(rights.lift(store, lift, by=by, reason=reason, now=clock()))
            elif yes is None and store.erasure(typed(who)) is not None:
                put(rights.receipt_of(store, typed(who), clock(), zone=zone))
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
    if name := taken_for(store, who):
        say(f"I took “{who}” for {name}.")
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
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that is there already.")
    ] = False,
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
            if told is None:  # removed since they were found
                not_one(typed(who), [], as_json=as_json)
        zone = zone_of(settings.digest_timezone)
        text = (
            json.dumps(told, ensure_ascii=False, indent=1)
            if as_json
            else as_markdown(told, zone=zone)
        )
        if output is None:
            put(text.rstrip("\n"))
        else:
            write_private(output, text, force=force)
            put(f"Written to {output}. It holds personal data: send it, then remove it.")


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
        actor = None if who is None else auditing.actor_typed(readable(who))
        with opened(settings, create=False) as store:
            person = None
            if candidate is not None:
                wanted = readable(candidate)
                person, others = one_person(store, wanted)
                if person is None:
                    not_one(wanted, others, as_json=as_json)
            page = auditing.page_of(
                store,
                who=actor,
                candidate_id=person.id if person else None,
                before=before,
                about=person.profile.name if person else "",
            )
            noted(store, "audit", list(page.names))
        if as_json:
            print_json(auditing.page_as_json(page))
        else:
            put(auditing.page_as_text(page, now=clock(), zone=zone_of(settings.digest_timezone)))


@app.command(cls=Command)
def replay(
    number: Annotated[int, typer.Argument(metavar="ID", hidden=True)],
    as_json: Json = False,
) -> None:
    """Ask once more what was asked, and compare.

    ID is the number of an answer, such as 57, whoever asked it: lists say theirs, and audit lists
    all. It is asked as of the day of then; exit status 1 when people or their order differ.
    """
    with answered(on_error=replay_error if as_json else None):
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        with opened(settings, create=False) as store:
            found = replaying.replayed(store, number, settings=settings)
            noted(store, "replay", [id_ for id_ in found.names if found.names[id_] != HIDDEN])
        if as_json:
            print_json(replaying.as_json(found))
        else:
            put(replaying.as_text(found, now=clock()))
        if not found.same:
            raise typer.Exit(1)


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


def audit_error(error: BotError) -> None:
    print_json({"entries": [], "older": None, "message": str(error)})
    say(str(error))


def replay_error(error: BotError) -> None:
    print_json({"same": None, "message": str(error)})
    say(str(error))
