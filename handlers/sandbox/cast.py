"""Who and what is in the sandbox's workspace to begin with: invented people and their rooms."""

from handlers.sandbox.records import Channel, Group, Team, User

HOME = Team(id="T0NORTHWIND", name="Northwind Labs", domain="northwind-labs")
PARTNER = "T0ACMEPARTN"

APP_ID = "A0CANDIDATE"
BOT_ID = "B0CANDIDATE"
BOT_USER = "U0CANDIDATE"

MIRA = "U0MIRALINDG"
JONAS = "U0JONASOKOY"
GUEST = "U0TESSAGUES"
STRANGER = "U0RAFAACMEX"

GENERAL = "C0GENERAL01"
HIRING = "C0HIRING001"
LEADS = "C0HIRLEADS1"
ACME = "C0ACMESHARE"

RECRUITERS = "S0RECRUITER"
LEADERS = "S0HIRELEADS"

# The fewest that every feature of the bot works with; a test can take some away.
BOT_SCOPES = frozenset(
    {
        "app_mentions:read",
        "channels:history",
        "channels:read",
        "chat:write",
        "commands",
        "files:read",
        "files:write",
        "groups:history",
        "groups:read",
        "im:history",
        "im:read",
        "im:write",
        "usergroups:read",
        "users:read",
    }
)
APP_SCOPES = frozenset({"connections:write"})

COMMANDS = frozenset({"/candidate"})
EVENTS = frozenset({"app_mention", "message.im", "app_home_opened"})
SHORTCUTS = ({"name": "Add as candidate", "callback_id": "candidate.add"},)
"""What the app puts into the menu of every message."""
HINTS = (
    "/candidate chenggang",
    "/candidate skill:cuda",
    "/candidate help",
    "/candidate digest preview",
)


def users() -> list[User]:
    home = HOME.id
    return [
        User(
            id=MIRA,
            name="mira",
            real_name="Mira Lindgren",
            team=home,
            tz="Europe/Berlin",
            email="mira@northwind.example",
            color="b4457a",
            is_admin=True,
        ),
        User(
            id=JONAS,
            name="jonas",
            real_name="Jonas Okoye",
            team=home,
            tz="America/New_York",
            email="jonas@northwind.example",
            color="2f7f6f",
        ),
        User(
            id=GUEST,
            name="tessa",
            real_name="Tessa Brandt",
            team=home,
            tz="Europe/Lisbon",
            email="tessa@agency.example",
            color="8a6d1f",
            is_guest=True,
        ),
        User(
            id=STRANGER,
            name="rafael",
            real_name="Rafael Soto",
            team=PARTNER,
            tz="America/Bogota",
            color="6b5bb5",
        ),
        User(
            id=BOT_USER,
            name="candidate",
            real_name="Candidate Bot",
            team=home,
            color="1d4ed8",
            is_bot=True,
        ),
    ]


def groups() -> list[Group]:
    return [
        Group(id=RECRUITERS, handle="recruiters", name="Recruiters", members={MIRA, JONAS}),
        Group(id=LEADERS, handle="hiring-leads", name="Hiring leads", members={MIRA}),
    ]


def channels() -> list[Channel]:
    people = {MIRA, JONAS, GUEST}
    rooms = [
        Channel(
            id=GENERAL,
            name="general",
            kind="public",
            members={*people, BOT_USER},
            topic="Company-wide news",
        ),
        Channel(
            id=HIRING,
            name="hiring",
            kind="public",
            members={MIRA, JONAS, BOT_USER},
            topic="Open roles and people we talk to",
        ),
        Channel(
            id=LEADS,
            name="hiring-leads",
            kind="private",
            members={MIRA, JONAS},
            topic="The bot is not in here",
        ),
        Channel(
            id=ACME,
            name="acme-shared",
            kind="shared",
            members={MIRA, JONAS, STRANGER, BOT_USER},
            topic="Shared with Acme",
        ),
    ]
    rooms += [
        Channel(id="D" + person[1:], name="", kind="im", members={person, BOT_USER}, person=person)
        for person in (MIRA, JONAS, GUEST)
    ]
    return rooms
