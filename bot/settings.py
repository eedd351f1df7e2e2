"""Settings: read once from ``.env`` and the environment, then frozen.

The environment outranks ``.env``; an empty value means "not set". Relative
paths are relative to the project (the folder that holds ``bot/``), so the
program finds the same database whatever folder it is started from.
"""

import difflib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from storage.errors import BotError

PROJECT = Path(__file__).resolve().parent.parent
Mode = Literal["sandbox", "socket", "http"]
SLACK_API = "https://slack.com/api/"
SANDBOX_DATABASE = "sqlite:///data/sandbox.db"
Names = Annotated[tuple[str, ...], NoDecode]


class SettingsError(BotError):
    """A setting that cannot work; the sentence names it and says what to write instead."""


class Settings(BaseSettings):
    """Everything that can be set. ``README.md`` and ``.env.example`` list the same names."""

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", env_ignore_empty=True, env_file_encoding="utf-8"
    )

    bot_mode: Mode = Field(
        "sandbox",
        description="sandbox, socket or http. Default: by what is set: an app token means "
        "socket, a signing secret means http, neither means sandbox.",
    )
    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(
        3000,
        ge=1,
        le=65535,
        description="Port to listen on; in Socket Mode only for /healthz, /readyz and /metrics.",
    )
    slack_bot_token: str | None = Field(
        None, repr=False, description="Bot token, starts with xoxb-."
    )
    slack_app_token: str | None = Field(
        None, repr=False, description="App-level token for Socket Mode, starts with xapp-."
    )
    slack_signing_secret: str | None = Field(
        None, repr=False, description="Signing secret for HTTP mode."
    )
    slack_api_url: str = Field(
        SLACK_API,
        description="Web API to talk to, ends in /api/. For GovSlack and Slack-compatible servers.",
    )
    allowed_teams: Names = Field(
        (),
        description="Team or enterprise ids that may ask, separated by commas. "
        "Default: the team the bot token belongs to.",
    )
    admin_users: Names = Field(
        (),
        description="Slack user ids of admins, separated by commas: they may all, and are told "
        "of alarms and of failures of the default digest.",
    )
    allowed_users: Names = Field(
        (),
        description="Slack user ids of recruiters, separated by commas. Once this or a group is "
        "set, nobody else gets in.",
    )
    viewer_groups: Names = Field(
        (), description="Slack user groups (S… or @handle) that may look, and change nothing."
    )
    recruiter_groups: Names = Field(
        (), description="Slack user groups that may look, share, add and subscribe."
    )
    admin_groups: Names = Field(
        (), description="Slack user groups that may all; told of alarms without ADMIN_USERS."
    )
    full_card_channels: Names = Field(
        (),
        description="Public channels (name or id) where a shared card is whole; in others it "
        "shows the name and the skills.",
    )
    reading_alarm: int = Field(
        200,
        ge=1,
        description="Admins are told when somebody looks at more different people than this "
        "within 24 hours.",
    )
    database_url: str = Field(
        "sqlite:///data/candidates.db",
        description="Where people are kept; without it the sandbox uses data/sandbox.db.",
    )
    digest_channel: str | None = Field(
        None,
        description="Channel (#name or id) of a digest that exists without typing anything.",
    )
    digest_schedule: str = Field("weekly monday 09:00", description="When that digest is posted.")
    digest_timezone: str | None = Field(
        None,
        description="Zone of digests and days, such as Europe/Berlin, where a person has none in "
        "Slack and at a terminal. Default: UTC.",
    )
    daily_cap: int = Field(
        300, ge=1, description="How many people one person may add from Slack within a day."
    )
    inbox: Path | None = Field(
        None, description="A folder to watch: files put there are loaded, then moved."
    )

    retention_months: int = Field(
        24,
        ge=0,
        le=1200,
        description="How many months after the first collection or the last contact a person is "
        "hidden, and erased 30 days later. 0: people are kept until somebody removes them.",
    )

    backup_folder: Path | None = Field(
        None,
        description="A folder for backups: one is written there each day while the bot runs. "
        "Default: none is, and `python -m bot backup` writes to backups/ beside the database.",
    )
    metrics_token: str | None = Field(
        None,
        repr=False,
        description="Whoever reads /metrics has to send it (Authorization: Bearer …). Default: "
        "this machine may read them, and in HTTP mode nobody.",
    )
    backup_keep: int = Field(14, ge=1, description="How many backups are kept there.")

    @field_validator(
        "allowed_teams",
        "admin_users",
        "allowed_users",
        "viewer_groups",
        "recruiter_groups",
        "admin_groups",
        "full_card_channels",
        mode="before",
    )
    @classmethod
    def split_names(cls, value: object) -> object:
        """``"T1, T2"`` → ``("T1", "T2")``."""
        if isinstance(value, str):
            return tuple(part for part in value.replace(",", " ").split() if part)
        return value

    @field_validator("bot_mode", mode="before")
    @classmethod
    def lower_mode(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value

    @field_validator("slack_api_url")
    @classmethod
    def check_api_url(cls, value: str) -> str:
        if not value.startswith(("https://", "http://")):
            raise ValueError("has to start with https:// (or http:// on your own machine)")
        if not value.endswith("/api/"):
            raise ValueError(f"has to end in /api/, such as {SLACK_API}")
        return value

    @field_validator("digest_timezone")
    @classmethod
    def check_zone(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                ZoneInfo(value)
            except (KeyError, ValueError, OSError):
                raise ValueError("is not a time zone; write one like Europe/Berlin") from None
        return value

    @field_validator("inbox", "backup_folder")
    @classmethod
    def in_project(cls, value: Path | None, info: ValidationInfo) -> Path | None:
        if value is None:
            return None
        folder = PROJECT / value.expanduser()
        if folder.exists() and not folder.is_dir():
            name = str(info.field_name)
            example = {"inbox": "inbox", "backup_folder": "backups"}[name]
            raise ValueError(f"names a file; name a folder, such as {name.upper()}={example}")
        return folder

    @field_validator("database_url")
    @classmethod
    def absolute_database(cls, value: str) -> str:
        scheme, separator, path = value.partition("sqlite:///")
        if scheme or not separator:
            raise ValueError("has to start with sqlite:///, such as sqlite:///data/candidates.db")
        if not path:
            raise ValueError("names no file; write one, such as sqlite:///data/candidates.db")
        return f"sqlite:///{PROJECT / Path(path).expanduser()}"

    @model_validator(mode="before")
    @classmethod
    def default_mode(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Without ``BOT_MODE`` the secrets decide: app token → socket, signing secret → http."""
        if str(values.get("bot_mode") or "").strip():
            return cls.default_database(values)
        if values.get("slack_app_token"):
            mode = "socket"
        elif values.get("slack_signing_secret") or values.get("slack_bot_token"):
            mode = "http"
        else:
            mode = "sandbox"
        return cls.default_database({**values, "bot_mode": mode})

    @classmethod
    def default_database(cls, values: dict[str, Any]) -> dict[str, Any]:
        """The sandbox has a database of its own: its examples are not for a workspace."""
        if not values.get("database_url") and str(values["bot_mode"]).strip().lower() == "sandbox":
            return {**values, "database_url": SANDBOX_DATABASE}
        return values

    @model_validator(mode="after")
    def complete(self) -> Self:
        """A half-filled configuration is never quietly another one."""
        if self.inbox is not None and self.database_path.is_relative_to(self.inbox):
            raise ValueError(
                "INBOX is a folder that holds the database, which would be moved away with the "
                "other files. Choose a folder of its own, such as INBOX=inbox."
            )
        if self.inbox is not None and self.backup_folder == self.inbox:
            raise ValueError(
                "BACKUP_FOLDER is the folder of INBOX, from which files are moved away. Choose "
                "another, such as BACKUP_FOLDER=backups."
            )
        self.check_places_of_tokens()
        if self.bot_mode != "sandbox":
            self.check_tokens()
        elif self.slack_bot_token or self.slack_app_token:
            raise ValueError(
                "The sandbox never runs beside Slack tokens. Remove BOT_MODE=sandbox to run "
                "in that workspace, or remove SLACK_BOT_TOKEN and SLACK_APP_TOKEN."
            )
        return self

    def check_places_of_tokens(self) -> None:
        bot, app = self.slack_bot_token, self.slack_app_token
        if bot and bot.startswith("xapp-"):
            raise ValueError(
                "SLACK_BOT_TOKEN holds an app-level token (xapp-…). Put the one that starts "
                "with xoxb- there, and the xapp- one in SLACK_APP_TOKEN."
            )
        if app and app.startswith(("xoxb-", "xoxp-")):
            raise ValueError(
                "SLACK_APP_TOKEN holds a bot or user token. Put the one that starts with xapp- "
                "there, and the xoxb- one in SLACK_BOT_TOKEN."
            )

    def check_tokens(self) -> None:
        """All that the mode needs is there."""
        bot, app, secret = self.slack_bot_token, self.slack_app_token, self.slack_signing_secret
        if not (bot or app or secret):
            raise ValueError(
                f"BOT_MODE={self.bot_mode} needs Slack tokens and none is set. Set "
                "SLACK_BOT_TOKEN and the other one, or remove BOT_MODE to run the sandbox."
            )
        if not bot:
            raise ValueError(
                "SLACK_BOT_TOKEN is missing. Copy it from your Slack app, OAuth & Permissions, "
                "Bot User OAuth Token; or remove the other Slack settings to run the sandbox."
            )
        if self.bot_mode == "socket" and not app:
            raise ValueError(
                "SLACK_APP_TOKEN is missing. Make one in your Slack app, Basic Information, "
                "App-Level Tokens, with the scope connections:write."
            )
        if self.bot_mode == "http" and not secret and app:
            raise ValueError(
                "SLACK_SIGNING_SECRET is missing, which BOT_MODE=http needs. Copy it from your "
                "Slack app, Basic Information; or remove BOT_MODE to run in Socket Mode."
            )
        if self.bot_mode == "http" and not secret:
            raise ValueError(
                "SLACK_APP_TOKEN (for Socket Mode) or SLACK_SIGNING_SECRET (for HTTP) is missing "
                "beside SLACK_BOT_TOKEN. Socket Mode is the simpler one: make an app-level token "
                "with the scope connections:write and set SLACK_APP_TOKEN."
            )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - pydantic-settings names them
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, the environment, ``.env``: in this order, and nothing else."""
        return init_settings, env_settings, dotenv_settings

    @property
    def mode(self) -> Mode:
        return self.bot_mode

    @property
    def database_path(self) -> Path:
        return Path(self.database_url.removeprefix("sqlite:///"))

    @property
    def backups(self) -> Path:
        """Where ``backup`` writes when it is given no folder."""
        return self.backup_folder or self.database_path.parent / "backups"

    @property
    def secrets(self) -> tuple[str, ...]:
        """Values that no log may carry."""
        values = (
            self.slack_bot_token,
            self.slack_app_token,
            self.slack_signing_secret,
            self.metrics_token,
        )
        return tuple(value for value in values if value)


def load_settings(env_file: Path | None = PROJECT / ".env", **overrides: Any) -> Settings:
    """Read the settings; raises SettingsError with one sentence for the first thing wrong."""
    if env_file is not None and env_file.exists():
        try:
            check_lines(env_file.read_text(encoding="utf-8"), env_file.name)
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(
                f"{env_file.name} cannot be read ({type(error).__name__}). "
                "Save it as UTF-8 text that you may read."
            ) from None
    try:
        return Settings(_env_file=env_file, **overrides)  # type: ignore[call-arg]  # not a field
    except ValidationError as error:
        raise SettingsError(sentence(error)) from None


def check_lines(text: str, name: str) -> None:
    """Raises SettingsError for the first line that says nothing: it would be passed over."""
    for binding in parse_stream(io.StringIO(text)):
        if binding.error or (binding.key and binding.value is None):
            written = binding.original.string
            before = written[: len(written) - len(written.lstrip())]  # empty lines belong to it
            number = binding.original.line + before.count("\n")
            raise SettingsError(
                f"Line {number} of {name} cannot be read. Write NAME=value, close every quotation "
                "mark, or put # before the line to leave it out."
            )


def sentence(error: ValidationError) -> str:
    """The first thing wrong, without the value: it may be a secret."""
    first = error.errors(include_url=False, include_input=False)[0]
    reason = first["msg"].removeprefix("Value error, ")
    if not first["loc"]:
        return reason
    name = str(first["loc"][0]).upper()
    if name == "BOT_MODE":
        return "BOT_MODE has to be sandbox, socket or http; or leave it out to go by what is set."
    if name == "RETENTION_MONTHS":
        return "RETENTION_MONTHS has to be a number of months up to 1200; 0 keeps people for ever."
    if name == "BACKUP_KEEP":
        return "BACKUP_KEEP has to be a whole number from 1, such as BACKUP_KEEP=14."
    if name == "PORT":
        return "PORT has to be a number from 1 to 65535, such as PORT=3000."
    return f"{name} {reason[0].lower()}{reason[1:]}."


def unknown_names(env_file: Path = PROJECT / ".env") -> list[str]:
    """Sentences for names in ``.env`` that look like a setting mistyped."""
    known = [name.upper() for name in Settings.model_fields]
    written: Mapping[str, str | None] = dotenv_values(env_file) if env_file.exists() else {}
    found = []
    for name in written:
        near = difflib.get_close_matches(name.upper(), known, n=1, cutoff=0.8)
        if name.upper() not in known and near:
            found.append(f"{env_file.name} sets {name}, which nothing reads. Meant {near[0]}?")
    return found
