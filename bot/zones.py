"""Time zones as people type them: an IANA name, or the city in one."""

from datetime import tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from rapidfuzz import process

# Abbreviations name no zone: EST is an offset (no summer time), CST is three countries'.
ABBREVIATIONS: Final = {
    "est": "America/New_York",
    "edt": "America/New_York",
    "et": "America/New_York",
    "cst": "America/Chicago",
    "cdt": "America/Chicago",
    "mst": "America/Denver",
    "mdt": "America/Denver",
    "pst": "America/Los_Angeles",
    "pdt": "America/Los_Angeles",
    "pt": "America/Los_Angeles",
    "cest": "Europe/Berlin",
    "bst": "Europe/London",
    "ist": "Asia/Kolkata",
    "jst": "Asia/Tokyo",
    "sgt": "Asia/Singapore",
    "aest": "Australia/Sydney",
}


def zone_named(text: str) -> str | None:
    """The IANA zone of this name or city (``europe/berlin``, ``New York``, ``UTC``), or None."""
    key = text.strip().lower().replace(" ", "_")
    if key in {"utc", "gmt", "z"}:
        return "UTC"
    return None if key in ABBREVIATIONS else _zones().get(key)


def zone_of(*names: str | None) -> tzinfo:
    """The zone of the first of these IANA names that this machine knows; UTC when there is none."""
    return ZoneInfo(next((name for name in names if name and is_known(name)), "UTC"))


def is_known(name: str) -> bool:
    """Whether this machine can reckon with the zone of this IANA name."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def nearest_zone(text: str) -> str:
    """The IANA zone whose name or city is nearest to what was typed."""
    key = text.strip().lower().replace(" ", "_")
    if key in ABBREVIATIONS:
        return ABBREVIATIONS[key]
    return _zones()[closest(key, tuple(_zones()))[0]]


def closest(text: str, choices: tuple[str, ...]) -> tuple[str, float]:
    found, closeness, _ = process.extractOne(text, choices)
    return found, closeness


@cache
def _zones() -> dict[str, str]:
    """Lower-case names and cities (``berlin``) of all zones; the shortest name has the city."""
    names = available_timezones() - {"Factory", "localtime"}
    keys: dict[str, str] = {}
    for name in sorted(names, key=lambda name: (name.count("/"), len(name), name)):
        if "/" in name and not name.startswith(("Etc/", "SystemV/")):
            keys.setdefault(name.rpartition("/")[2].lower(), name)
    return keys | {name.lower(): name for name in names}
