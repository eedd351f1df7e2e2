"""Which version of the bot this is; the package takes its version from here."""

VERSION = "0.1.0"
