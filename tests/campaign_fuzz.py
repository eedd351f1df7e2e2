"""Inputs that nobody meant to send, at the reader, the query language and the escaping.

They are mutations of the pages in ``seeds`` and ``tests/cases`` and of the questions
there: pieces cut, doubled, swapped and spliced, hostile characters put between them.
Input ``n`` of a seed is the same in each run, whatever the number of processes, so a
finding names the two numbers that make it again::

    .venv/bin/python -m tests.campaign_fuzz SEED NUMBER
"""

import json
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import regex

from bot.profiles.reader import MAXIMUM_BYTES, UnreadableProfile, read
from handlers.sandbox.blocks import check_message_blocks
from handlers.views.escaping import cut, escape, one_line, shorten, web_address
from handlers.views.message import Context, Header, Section, compose
from handlers.views.text import Bold, Channel, Code, Italic, Link, Mention, line, mrkdwn, plain
from storage.profile_json import profile_from_document, profile_to_document
from storage.search.language import parse
from storage.search.tree import QueryError
from storage.search.unwrap import unwrap
from tests.campaign_inputs import ROOT, Faults, main, run_all
from tests.campaign_verdict import Verdict

HOSTILE = (
    "\0", "\u202e", "\u2066", "\u2028", "\x1b[31m", "\ufeff", "\u200d", "\u0301" * 40, "😀",
    "👩‍👩‍👧‍👦",
    "<!channel>", "<@U0MIRA>", "<https://a.example|b>", "&amp;", "&", "<", ">", "`", "*", "_", "~",
    "\n", "\r\n", "\t", " ", "\u00a0", "\u3000", '"', "“", "”", "(", ")", "-", ":", "::", "=", ">=",
    "<=", "|", "\\", "%s", "{0}", "' OR 1=1 --", "../../etc/passwd", "ß", "ﬁ", "İ", "ı", "王雷",
    "٣", "１０", "10", "0", "-1", "99999999999999999999", "1e9", "NaN", "skill:", "years>=",
    "sort:-added", " or ", " and ", " not ", "near", "c++", "node.js", "Summary",
    "Github Skills (16)", "Github contributions (0)", "Programming languages (3)",
    "5 years of coding experience", "2021-13", "Jan 2021 - ", "Find and Hire Top Developers",
)  # fmt: skip
ACTS = (
    "cut", "double", "swap", "hostile", "hostile", "splice", "case", "bytes", "lines", "repeat",
)  # fmt: skip
ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "gb18030")
WHEEL = (
    "page",
    "query",
    "escape",
    "query",
    "escape",
    "query",
    "escape",
    "query",
    "escape",
    "query",
)
"""The kind of input ``n``: one page to five questions and four texts."""
HEADS = regex.compile(r"(?<=\n)")


@cache
def pages() -> tuple[str, ...]:
    folders = (ROOT / "seeds", ROOT / "tests/cases/pages", ROOT / "tests/cases/people")
    return tuple(
        path.read_text(encoding="utf-8")
        for folder in folders
        for path in sorted(folder.glob("*.txt"))
    )


@cache
def questions() -> tuple[str, ...]:
    lines = [
        each
        for name in ("ask.jsonl", "ask_more.jsonl")
        for each in (ROOT / "tests/cases" / name).read_text(encoding="utf-8").splitlines()
    ]
    return tuple(json.loads(each)["q"] for each in lines if each.strip())


def mutated(dice: random.Random, corpus: tuple[str, ...], times: int) -> str:  # noqa: C901
    """A text of the corpus, changed up to ``times`` times."""
    text = dice.choice(corpus)
    for _ in range(dice.randint(1, times)):
        at, to = sorted((dice.randint(0, len(text)), dice.randint(0, len(text))))
        match dice.choice(ACTS):
            case "cut":
                text = text[:at] + text[to:]
            case "double":
                text = text[:to] + text[at:to] + text[to:]
            case "swap":
                text = text[to:] + text[at:to] + text[:at]
            case "hostile":
                text = text[:at] + dice.choice(HOSTILE) + text[at:]
            case "splice":
                text = text[:at] + dice.choice(corpus)[at:]
            case "case":
                text = text[:at] + text[at:to].swapcase() + text[to:]
            case "bytes":
                text = (
                    text[:at]
                    + chr(dice.choice((dice.randrange(0xD800), dice.randrange(128))))
                    + text[at:]
                )
            case "lines":
                parts = HEADS.split(text)
                dice.shuffle(parts)
                text = "".join(parts)
            case "repeat":
                text = text[:at] + text[at : at + 12] * dice.randint(2, 60) + text[at:]
        text = text[:20_000]
    return text


def sentence(refused: Exception) -> str:
    """What came of an input that was refused in words."""
    assert str(refused).strip().endswith((".", "?")), "a refusal is a sentence"
    return "refused"


def check_page(dice: random.Random) -> str:
    """The reader gives whole profiles or a sentence; both without a fault behind it."""
    text = mutated(dice, pages(), 6)
    content = text.encode(dice.choice(ENCODINGS), errors="replace")
    if dice.random() < 0.1:
        at = dice.randrange(len(content) + 1)
        content = content[:at] + dice.randbytes(dice.randint(1, 8)) + content[at:]
    assert len(content) <= MAXIMUM_BYTES
    try:
        reading = read("page.txt", content)
    except UnreadableProfile as refused:
        return sentence(refused)
    for profile, source in reading.profiles:
        assert profile.name.strip(), "a person has a name"
        document = profile_to_document(profile)
        stored = json.loads(json.dumps(document, ensure_ascii=False).encode("utf-8"))
        assert profile_from_document(stored) == profile, "stored and read back it is the same"
        assert all(each.score is None or 0 <= each.score <= 10 for each in profile.skills)
        source.encode("utf-8")
    return "read"


def check_query(dice: random.Random) -> str:
    """A question reads back from its own text; else there is a sentence."""
    text = mutated(dice, questions(), 5)
    if dice.random() < 0.02:
        text = mutated(dice, pages(), 2)
    try:
        question = parse(text)
    except QueryError as refused:
        return sentence(refused)
    printed = str(question)
    assert replace(parse(printed), passed=()) == replace(question, passed=()), "it reads back"
    return "read"


def check_escape(dice: random.Random) -> str:
    """Nothing of a text becomes markup, whatever the limit; messages stay legal for Slack."""
    text = mutated(dice, questions() if dice.random() < 0.8 else pages(), 5)[:3_000]
    unwrap(text)
    escaped = escape(one_line(text))
    assert not regex.search(r"[<>]", escaped), "no control character is left"
    back = escaped.replace("\u2060", "").replace("&lt;", "<").replace("&gt;", ">")
    assert back.replace("&amp;", "&") == one_line(text).replace("\u2060", ""), "it unescapes"
    limit = dice.randint(0, 200)
    short = cut(escaped, limit)
    assert len(short) <= limit, "it fits"
    assert not regex.search(r"&(?!(?:amp|lt|gt);)", short), "no entity is cut"
    assert len(shorten(text, limit + 2)) <= limit + 2
    address = web_address(text)
    assert address is None or not regex.search(r"[<>|\s]", address), "an address ends where it does"
    other = text[::-1]
    pieces = line(
        text, Bold(other), Code(text), Link(other, text), Link(f"https://a.example/{text}", other),
        Italic(text), Mention(text[:12], other), Channel(other[:12]),
    )  # fmt: skip
    room = dice.randint(1, 3_000)
    written = mrkdwn(pieces, room)
    assert len(written) <= room, "a line fits"
    found = regex.findall(r"<[^>]*>?", written)
    assert all(
        regex.fullmatch(r"<(?:https?://[^<>|\s]+\|[^<>|]*|[@#][A-Z0-9]+)>", each) for each in found
    ), found
    plain(pieces)
    if dice.random() < 0.05:
        message = compose([Header(text), Section([pieces, other]), Context([text])])
        check_message_blocks(list(message.blocks), new_id=lambda prefix: prefix)
    return "written"


CHECKS: dict[str, Callable[[random.Random], str]] = {
    "page": check_page,
    "query": check_query,
    "escape": check_escape,
}


def one(seed: int, number: int, faults: Faults) -> str:
    """Input ``number`` of the seed: what it was and what came of it. Raises what is wrong."""
    kind = WHEEL[number % len(WHEEL)]
    came = CHECKS[kind](random.Random(f"{seed}/{number}"))
    if faults.heard:
        raise AssertionError(f"the reader's fence held {faults.heard.pop()}")
    return f"{kind} {came}"


def run(size: int, seed: int) -> Verdict:
    return run_all("fuzz", "tests.campaign_fuzz", size, seed)


if __name__ == "__main__":
    main(one, *map(int, sys.argv[1:]))
