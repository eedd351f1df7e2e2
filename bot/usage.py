"""How ``--help`` reads: a usage line in words, and what each word means in a sentence."""

from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand


class Command(TyperCommand):
    """A command whose arguments are written in its usage line as their ``metavar`` says.

    What they mean stands in the command's docstring, with an example.
    """

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        arguments = [each for each in self.get_params(ctx) if isinstance(each, TyperArgument)]
        return ["[OPTIONS]", *(each.metavar or each.name or "" for each in arguments)]


def at_least_one(value: int | None) -> int | None:
    """A number of things to keep. Raises BadParameter."""
    if value is not None and value < 1:
        raise typer.BadParameter("it has to be 1 or more.")
    return value


def a_port(number: int) -> int:
    """The port typed. Raises BadParameter with what it can be."""
    if not 1 <= number <= 65535:
        raise typer.BadParameter("a port is a number from 1 to 65535, such as 3000.")
    return number
