"""The tables beside this module: fields between tabs, ``#`` before what is said of them."""

from importlib.resources import files


def rows(name: str) -> list[list[str]]:
    """The lines of a table, cut into fields."""
    text = files("storage.search").joinpath(name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
