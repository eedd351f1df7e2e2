"""``export`` as a command of the terminal: to a private file, or printed where it is text."""

import logging
from pathlib import Path
from typing import Annotated

import typer

from bot.exporting.forms import BY_WORD, FORMS, Form
from bot.exporting.people import chosen
from bot.letter_words import so_many
from bot.logs import configure_logs
from bot.printing import put, say, write_private
from bot.settings import load_settings
from bot.shell import answered, clock, noted, opened, typed
from bot.usage import Command
from bot.zones import zone_of

app = typer.Typer()


def a_form(word: str) -> str:
    """The word of a form. Raises BadParameter with those there are."""
    if word.lower() not in BY_WORD:
        raise typer.BadParameter(f"the forms are {', '.join(form.word for form in FORMS)}.")
    return word.lower()


@app.command(cls=Command, name="export")
def export_command(
    question: Annotated[list[str], typer.Argument(metavar="QUERY...", hidden=True)],
    form_word: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="FORM",
            callback=a_form,
            help="csv, xlsx, json (JSON Resume) or md (Markdown).",
        ),
    ] = FORMS[0].word,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write it to this file, for its owner only."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that is there already.")
    ] = False,
) -> None:
    """Print or write those whom a question finds, as a file.

    QUERY is what you would ask, such as skill:cuda or lei wang; everyone is all, 1,000 at most.
    Who must not be exported is left out. Put -- before it when it holds a minus sign.
    """
    with answered():
        form = BY_WORD[form_word]
        require_file(form, output)
        settings = load_settings()
        configure_logs(secrets=settings.secrets, level=logging.WARNING)
        now = clock().astimezone(zone_of(settings.digest_timezone))
        with opened(settings, create=False) as store:
            people = chosen(store, typed(question), contacts=True, now=now)
            content = form.write(people.people)
            noted(store, "export", [each.id for each in people.people])
        if people.told:
            say(people.told)
        if output is None:
            put(content.decode("utf-8-sig").rstrip("\n"))
        else:
            write_private(output, content, force=force)
            number = so_many(len(people.people), "person", "people")
            put(f"{number} written to {output}. It holds personal data: remove it after use.")


def require_file(form: Form, output: Path | None) -> None:
    """Raises BadParameter for a form that cannot be printed."""
    if output is None and not form.is_text:
        raise typer.BadParameter(
            f"{form.told} is no text to print: add --output candidates.{form.word}"
        )
