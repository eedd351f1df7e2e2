"""Settings: by what is set, never half filled, listed where people look for them."""

import re
from pathlib import Path

import pytest

from bot.settings import PROJECT, Settings, SettingsError, load_settings, unknown_names

BOT, APP, SECRET = "xoxb-1-2-abc", "xapp-1-abc", "0123456789abcdef"


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch):
    """No setting leaks in from the machine that runs the tests."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def settings_from(tmp_path: Path, text: str) -> Settings:
    env_file = tmp_path / ".env"
    env_file.write_text(text, encoding="utf-8")
    return load_settings(env_file)


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("", "sandbox"),
        (f"SLACK_BOT_TOKEN={BOT}\nSLACK_APP_TOKEN={APP}", "socket"),
        (f"SLACK_BOT_TOKEN={BOT}\nSLACK_SIGNING_SECRET={SECRET}", "http"),
        (f"SLACK_BOT_TOKEN={BOT}\nSLACK_APP_TOKEN={APP}\nSLACK_SIGNING_SECRET={SECRET}", "socket"),
        (
            (
                f"BOT_MODE=http\nSLACK_BOT_TOKEN={BOT}\nSLACK_APP_TOKEN={APP}\n"
                f"SLACK_SIGNING_SECRET={SECRET}"
            ),
            "http",
        ),
        ("BOT_MODE= Sandbox \nSLACK_BOT_TOKEN=\n", "sandbox"),
    ],
)
def test_the_mode_follows_from_what_is_set(tmp_path, text, mode):
    assert settings_from(tmp_path, text).mode == mode


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"SLACK_BOT_TOKEN={BOT}", "SLACK_APP_TOKEN"),
        (f"SLACK_APP_TOKEN={APP}", "SLACK_BOT_TOKEN is missing"),
        (f"SLACK_SIGNING_SECRET={SECRET}", "SLACK_BOT_TOKEN is missing"),
        (f"BOT_MODE=http\nSLACK_BOT_TOKEN={BOT}\nSLACK_APP_TOKEN={APP}", "SLACK_SIGNING_SECRET"),
        (f"BOT_MODE=socket\nSLACK_BOT_TOKEN={BOT}", "SLACK_APP_TOKEN is missing"),
        ("BOT_MODE=socket", "BOT_MODE=socket needs Slack tokens"),
        (f"BOT_MODE=sandbox\nSLACK_BOT_TOKEN={BOT}\nSLACK_APP_TOKEN={APP}", "never runs beside"),
        (f"SLACK_BOT_TOKEN={APP}\nSLACK_APP_TOKEN={BOT}", "holds an app-level token"),
        ("BOT_MODE=slack", "BOT_MODE has to be sandbox, socket or http"),
        ("PORT=high", "PORT has to be a number from 1 to 65535"),
        ("PORT=70000", "PORT has to be a number from 1 to 65535"),
        ("SLACK_API_URL=https://slack.example.com", "has to end in /api/"),
        ("SLACK_API_URL=slack.example.com/api/", "has to start with https://"),
        ("DIGEST_TIMEZONE=Berlin/Europe", "DIGEST_TIMEZONE is not a time zone"),
        ("INBOX=data", "holds the database"),
        ("INBOX=README.md", "INBOX names a file"),
        ("DATABASE_URL=mysql://localhost/x", "DATABASE_URL has to start with sqlite:///"),
    ],
)
def test_a_setting_that_cannot_work_is_one_sentence_that_names_it(tmp_path, text, words):
    with pytest.raises(SettingsError) as caught:
        settings_from(tmp_path, text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    for secret in (BOT, APP, SECRET):
        assert secret not in str(caught.value)


def test_the_environment_outranks_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("PORT", "4000")
    assert settings_from(tmp_path, "PORT=5000").port == 4000


def test_names_may_be_separated_by_commas_or_spaces(tmp_path):
    settings = settings_from(tmp_path, "ADMIN_USERS=U1, U2\nALLOWED_TEAMS=T1 T2")
    assert settings.admin_users == ("U1", "U2")
    assert settings.allowed_teams == ("T1", "T2")


def test_relative_paths_are_relative_to_the_project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = settings_from(tmp_path, "INBOX=inbox\nDATABASE_URL=sqlite:///data/x.db")
    assert settings.inbox == PROJECT / "inbox"
    assert settings.database_path == PROJECT / "data" / "x.db"
    absolute = settings_from(tmp_path, f"DATABASE_URL=sqlite:///{tmp_path}/y.db")
    assert absolute.database_path == tmp_path / "y.db"


def test_the_sandbox_and_a_workspace_do_not_share_a_database(tmp_path):
    """The examples of the sandbox are real people, and not for a workspace unless asked."""
    tokens = f"SLACK_BOT_TOKEN={BOT}\nSLACK_APP_TOKEN={APP}"
    assert settings_from(tmp_path, "").database_path == PROJECT / "data" / "sandbox.db"
    assert settings_from(tmp_path, tokens).database_path == PROJECT / "data" / "candidates.db"
    here = f"DATABASE_URL=sqlite:///{tmp_path}/mine.db"
    assert settings_from(tmp_path, here).database_path == tmp_path / "mine.db"


def test_settings_do_not_show_their_secrets(tmp_path):
    settings = settings_from(tmp_path, f"SLACK_BOT_TOKEN={BOT}\nSLACK_APP_TOKEN={APP}")
    assert BOT not in repr(settings)
    assert APP not in repr(settings)
    assert settings.secrets == (BOT, APP)


def test_settings_are_frozen(tmp_path):
    with pytest.raises(Exception, match="frozen"):
        settings_from(tmp_path, "").port = 1


def test_a_mistyped_name_is_pointed_out(tmp_path):
    env_file = tmp_path / ".env"
    env_file.write_text("SLACK_BOT_TOKN=x\nPATH=/bin\nPORT=3000\n")
    (sentence,) = unknown_names(env_file)
    assert "SLACK_BOT_TOKN" in sentence
    assert "Meant SLACK_BOT_TOKEN?" in sentence


@pytest.mark.parametrize("document", [".env.example", "README.md"])
def test_every_setting_is_documented_and_no_other(document):
    text = (PROJECT / document).read_text(encoding="utf-8")
    known = {name.upper() for name in Settings.model_fields}
    assert known <= set(re.findall(r"\b[A-Z][A-Z_]+\b", text))
    if document == ".env.example":
        assert set(re.findall(r"^#?([A-Z_]+)=", text, re.MULTILINE)) == known


def test_the_defaults_in_the_example_are_the_code_s():
    text = (PROJECT / ".env.example").read_text(encoding="utf-8")
    assert "#HOST=127.0.0.1\n#PORT=3000\n" in text
    assert f"#DIGEST_SCHEDULE={Settings.model_fields['digest_schedule'].default}\n" in text
    assert f"#DATABASE_URL={Settings.model_fields['database_url'].default}\n" in text
    assert f"#SLACK_API_URL={Settings.model_fields['slack_api_url'].default}\n" in text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("PORT=4000\n\n# a remark\n\n  this is no setting\nHOST=127.0.0.1\n", 5),
        ('PORT=4000\nINBOX="inbox\nHOST=127.0.0.1\n', 2),
        ("PORT 4000\n", 1),
        ("HOST=127.0.0.1\nPORT\n", 2),
    ],
)
def test_a_line_that_says_nothing_is_not_passed_over(tmp_path, text, number):
    with pytest.raises(SettingsError, match=f"Line {number} of .env cannot be read"):
        settings_from(tmp_path, text)


def test_what_may_stand_in_the_file(tmp_path):
    text = "# a remark\n\nexport PORT=4000\nHOST = '127.0.0.1' # here\nINBOX=\n"
    settings = settings_from(tmp_path, text + "ADMIN_USERS='U1\nU2'\n")
    assert (settings.port, settings.host, settings.inbox) == (4000, "127.0.0.1", None)
    assert settings.admin_users == ("U1", "U2")
