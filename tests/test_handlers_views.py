"""Views: whatever a profile holds, the blocks are legal, and nothing in it is read as markup."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from unicodedata import normalize

import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.answers import (
    CardAnswer,
    ChoiceAnswer,
    DoneAnswer,
    ErrorAnswer,
    HelpAnswer,
    NothingAnswer,
    ResultsAnswer,
)
from handlers.features.standing import standing_buttons
from handlers.sandbox.blocks import check_message_blocks, check_view
from handlers.views import forgetting
from handlers.views.answer import render
from handlers.views.card import Setting, card, shared_card
from handlers.views.duties import NOTED, Noted, duties_message
from handlers.views.escaping import cut, escape, one_line, web_address
from handlers.views.message import (
    MESSAGE_BLOCKS,
    MESSAGE_CHARACTERS,
    Actions,
    Section,
    block_characters,
    compose,
)
from handlers.views.more import dialog, more
from handlers.views.text import Bold, Code, Italic, Link, Mention, line, mrkdwn, plain, worded
from storage.records import (
    Candidate,
    Contribution,
    Declared,
    Education,
    Location,
    Profile,
    Remark,
    Severity,
    Skill,
    Source,
    StackOverflow,
)
from storage.retention import Duties, Duty, NoticeState
from storage.search.values import Clause, Examples, Hit, Suggestion

NOW = datetime(2026, 12, 3, 12, 0, tzinfo=UTC)
SETTING = Setting(now=NOW, zone=UTC)
HOSTILE = (
    "<!channel>", "<@U0MIRALINDG>", "<https://evil.example|here>", "*bold*", "_it_", "`code`",
    "~gone~", ":tada:", "&lt;", "&amp;amp;", ">quote", "a\u202eb", "x\x00y", "👩‍👩‍👧‍👦", "e\u0301",
    "\ud800", "|", "```",
)  # fmt: skip
words = st.one_of(
    st.text(max_size=12),
    st.sampled_from(HOSTILE),
    st.lists(st.sampled_from(HOSTILE), max_size=8).map(" ".join),
    st.builds(lambda text, times: text * times, st.sampled_from(HOSTILE), st.integers(100, 900)),
)
some = st.one_of(st.none(), words)
number = st.one_of(st.none(), st.integers(0, 10**9))
month = st.one_of(
    st.none(), st.builds("{:04}-{:02}".format, st.integers(1970, 2030), st.integers(1, 12))
)
contributions = st.builds(
    Contribution,
    repository=words,
    from_month=month,
    to_month=month,
    description=some,
    role=some,
    commits=number,
    pull_requests=number,
    reviews=number,
    pushes=number,
    branches=number,
    other=st.dictionaries(words, st.integers(0, 99), max_size=2),
    span=some,
    summary=some,
    topics=st.lists(words, max_size=3).map(tuple),
)
profiles = st.builds(
    Profile,
    name=words,
    headline=some,
    title=some,
    company=some,
    location=st.one_of(
        st.none(),
        st.builds(Location, text=words, city=some, country=some, stated_country=some),
    ),
    badges=st.lists(words, max_size=3).map(tuple),
    summary=some,
    years_coding=number,
    years_employed=number,
    education=st.lists(st.builds(Education, text=words, school=some), max_size=5).map(tuple),
    stackoverflow=st.one_of(st.none(), st.builds(StackOverflow, reputation=number, answers=number)),
    skills=st.lists(
        st.builds(Skill, name=words, score=st.one_of(st.none(), st.integers(0, 10))), max_size=40
    ).map(tuple),
    declared=st.builds(Declared, skills=number, languages=number, contributions=number),
    contributions=st.lists(contributions, max_size=6).map(tuple),
    likely_login=some,
    remarks=st.lists(
        st.builds(Remark, code=words, text=words, severity=st.sampled_from(Severity)), max_size=6
    ).map(tuple),
)
people = st.builds(
    Candidate,
    id=st.just("c7k2m4pq9x"),
    profile=profiles,
    added_at=st.just(NOW),
    added_by=st.one_of(st.sampled_from(["U0MIRA", "folder", "seeds", "terminal:eve"]), words),
    added_via=st.just("slack"),
    updated_at=st.just(NOW),
    sources=st.lists(
        st.builds(
            Source,
            id=words,
            name=words,
            digest=st.just("d"),
            added_by=words,
            added_via=st.just("load"),
            added_at=st.just(NOW),
            read_at=st.just(NOW),
            parser=st.sampled_from(["prog-ai/1", "other"]),
            text_length=st.just(1),
        ),
        max_size=2,
    ).map(tuple),
)
MARKUP = regex.compile(r"<(?!(?:@U[A-Z0-9]+|https://github\.com/[^|<>]+\|[^<>]*)>)|<!")
"""A control sequence that is none of our own."""


def all_texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["text"]] if isinstance(value.get("text"), str) else []
        return own + [text for each in value.values() for text in all_texts(each)]
    if isinstance(value, list | tuple):
        return [text for each in value for text in all_texts(each)]
    return []


def check(message: Any) -> None:
    """Slack's limits as the sandbox enforces them, our budgets, and nothing unescaped."""
    check_message_blocks(list(message.blocks), new_id=lambda prefix: prefix)
    assert len(message.blocks) <= MESSAGE_BLOCKS
    assert sum(map(block_characters, message.blocks)) <= MESSAGE_CHARACTERS
    assert len(message.text) <= 4000
    actions = [
        element["action_id"]
        for block in message.blocks
        for element in (*block.get("elements", ()), block.get("accessory"))
        if element and "action_id" in element
    ]
    assert len(actions) == len(set(actions))
    for text in (*all_texts(message.blocks), message.text):
        assert not regex.search(r"&(?!(?:amp|lt|gt);)", text), text
        text.encode()


@settings(max_examples=40)
@given(people)
def test_a_card_of_any_profile_is_legal(person: Candidate):
    for message in (
        card(person, SETTING),
        shared_card(person, SETTING, by="U0MIRA", key="share:1"),
    ):
        check(message)
        assert message.plain.strip()


@settings(max_examples=40)
@given(people)
def test_more_of_any_profile_is_a_legal_modal_and_message(person: Candidate):
    view = dialog(person.profile.name, more(person, SETTING).blocks)
    check_view(view, kinds=("modal",), new_id=lambda prefix: prefix)
    check(more(person, SETTING, modal=False))


@settings(max_examples=40)
@given(people, words)
def test_what_is_asked_before_somebody_is_marked_or_forgotten_is_legal(
    person: Candidate, text: str
):
    check(forgetting.question([person], text))
    view = dialog(person.profile.name, compose([Actions(standing_buttons(person))]).blocks)
    check_view(view, kinds=("modal",), new_id=lambda prefix: prefix)


@settings(max_examples=40)
@given(st.lists(words, max_size=10), words, st.sampled_from([*NOTED]))
def test_duties_of_any_people_are_legal(names: list[str], text: str, state: NoticeState):
    due = tuple(
        Duty(candidate_id=f"c{number:011}", name=name, added_at=NOW, due_at=NOW)
        for number, name in enumerate(names)
    )
    found = Duties(
        counts=dict.fromkeys(NoticeState, 99),
        to_tell=due,
        ending=due,
        ending_total=10,
        hidden=due,
        hidden_total=10,
    )
    noted = Noted(candidate_id="x" * 12, name=text, state=state)
    check(duties_message(found, SETTING, months=24, offset=10, noted=noted))


@settings(max_examples=40)
@given(st.lists(people, min_size=1, max_size=3), words, st.lists(words, max_size=4).map(tuple))
def test_lists_of_any_people_are_legal(found: list[Candidate], text: str, why: tuple[str, ...]):
    hits = tuple(
        Hit(
            candidate=Candidate(
                id=f"c{number}",
                profile=each.profile,
                added_at=NOW,
                added_by="seeds",
                added_via="seeds",
                updated_at=NOW,
            ),
            score=1.0,
            why=why,
        )
        for number, each in enumerate(found * 3)
    )
    check(
        render(
            ResultsAnswer(
                query=text,
                phrase=text,
                total=99,
                offset=10,
                limit=10,
                hits=hits,
                order=text[:100],
                narrow=why,
                refine=tuple(Suggestion(each, 3, each) for each in why),
            ),
            SETTING,
        )
    )
    check(render(ChoiceAnswer(query=text, hits=hits, taken_for=text), SETTING))
    check(render(CardAnswer(query=text, hit=hits[0], taken_for=text), SETTING))


@settings(max_examples=40)
@given(words, st.lists(words, max_size=8))
def test_nothing_help_and_sentences_are_legal(text: str, parts: list[str]):
    clauses = tuple(Clause(text=each, count=0, without=2, rest=each) for each in parts)
    check(
        render(
            NothingAnswer(
                query=text,
                asked=text,
                sentence=text,
                stored=3,
                clauses=clauses,
                hints=tuple(parts),
                suggestions=tuple(Suggestion(each, 1) for each in parts),
                did_you_mean=f"help {text}",
            ),
            SETTING,
        )
    )
    examples = Examples(name=text, words=text, skill=text)
    for topic in ("", "search", "digest", "add", "commands"):
        entries = tuple((each, each) for each in parts)
        help_answer = HelpAnswer(topic=topic, stored=1, examples=examples, entries=entries)
        check(render(help_answer, SETTING))
    for answer in (ErrorAnswer(query=text, text=text), DoneAnswer(query=text, text=text)):
        if text.strip():
            check(render(answer, SETTING))


@given(words)
@example("<!channel> <@U1> <#C1> <https://a.example|b>")
def test_escaped_text_has_no_control_characters_and_unescapes_to_itself(text: str):
    tidy = one_line(text)
    escaped = escape(tidy)
    assert not regex.search(r"[<>]", escaped)
    back = escaped.replace("\u2060", "").replace("&lt;", "<").replace("&gt;", ">")
    assert back.replace("&amp;", "&") == tidy.replace("\u2060", "")


@given(words, st.integers(0, 200))
def test_cut_text_fits_and_ends_between_graphemes_and_outside_entities(text: str, limit: int):
    escaped = escape(one_line(text))
    short = cut(escaped, limit)
    assert len(short) <= limit
    assert not regex.search(r"&(?!(?:amp|lt|gt);)", short)
    if short != escaped and short:
        kept = short.removesuffix("…")
        assert escaped.startswith(kept)
        rest = escaped[len(kept) :].lstrip(" \u2060")
        assert not rest or regex.match(r"\X", escaped[len(kept) :]) is not None
        assert not regex.match(r"\p{M}", rest)


def test_formatting_characters_at_the_border_of_a_word_are_kept_apart():
    assert escape("*bold*") == "\u2060*\u2060bold\u2060*\u2060"
    assert escape("my_own_repo") == "my_own_repo"
    assert ":tada:" not in escape("say :tada: now")


def test_a_family_is_never_cut_in_half():
    family = "👩‍👩‍👧‍👦"
    assert cut(family * 2, len(family) + 1) == family + "…"
    assert cut(family * 2, len(family)) == "…"


def test_only_web_addresses_become_links():
    assert web_address("https://github.com/a/b c|d>") == "https://github.com/a/b%20c%7Cd%3E"
    for url in (
        "javascript:alert(1)",
        "ftp://x.example",
        "https://",
        "//x",
        "https://u:p@x.example",
        "",
    ):
        assert web_address(url) is None
    assert mrkdwn(line(Link("javascript:x", "see"))) == "see"


def test_a_line_is_written_twice_from_the_same_pieces():
    told = line(
        "a & ", Bold("b*"), " ", Italic("c"), " ", Code("d `e`"), " ", Mention("U1", "Mira")
    )
    assert plain(told) == "a & b* c `d `e`` @Mira"
    assert mrkdwn(told) == "a &amp; *b\u2060*\u2060* _c_ `d e` <@U1>"


def test_backticks_in_a_sentence_are_something_to_type_and_the_rest_stays_literal():
    assert mrkdwn(worded("Type `a<b` <!here>")) == "Type `a&lt;b` &lt;!here&gt;"
    assert mrkdwn(worded("one ` alone")) == "one \u2060`\u2060 alone"


def test_what_does_not_fit_is_left_out_whole_and_said():
    message = compose([Section([f"{number} " + "x" * 200]) for number in range(100)])
    assert len(message.blocks) <= MESSAGE_BLOCKS
    assert "more than one message can hold" in message.blocks[-1]["elements"][0]["text"]


EDUCATION = (
    "Education Master's Degree on Computer Systems and Architecture Institute for "
    "Interdisciplinary Information Sciences, Tsinghua University"
)
PROVENANCE = (
    "Nothing dated after Nov 2022 · a page, added Thu 3 Dec by @U0MIRA · "
    "no contact details on it · probably LyricZhao on GitHub"
)


def test_the_card_reads_as_the_house_wants_it(seed_profiles: Any):
    [profile] = [each for each, _ in seed_profiles if each.name == "Chenggang Zhao"]
    person = Candidate(
        id="c1",
        profile=profile,
        added_at=NOW,
        added_by="U0MIRA",
        added_via="slack",
        updated_at=NOW,
    )
    assert card(person, SETTING).plain.splitlines() == [
        "Chenggang Zhao",
        "Core Infra Engineer at DeepSeek AI · Beijing, China",
        "8 years coding · 1 year employed",
        "Worked on (2 of 5 on the page)",
        "• triton-lang/triton · Back-end Developer · Nov 2022",
        "   4 commits, 15 PRs, 37 reviews · 12 days",
        "   “primarily focused on improving the Triton language and compiler, particularly …”",
        "• LyricZhao/BoArtist · Mar–Jun 2019",
        "   37 commits, 32 pushes, 1 branch · 3 months",
        "Skills (scores out of 10, from the page)",
        "10: tensorrt, cuda, triton, tensor, tensorflow, python, operation, compiler-development",
        "9: test-automation, llvm · 8: mlr",
        EDUCATION,
        PROVENANCE,
    ]


def test_a_dialog_is_titled_with_the_name_which_is_not_said_twice(seed_profiles: Any):
    [profile] = [each for each, _ in seed_profiles if each.name == "Chenggang Zhao"]
    for name, title, first in (
        ("Chenggang Zhao", "Chenggang Zhao", "section"),
        ("Chenggang Zhao of the Many Names", "Chenggang Zhao of the M…", "header"),
    ):
        person = Candidate(
            id="c1",
            profile=replace(profile, name=name),
            added_at=NOW,
            added_by="seeds",
            added_via="seeds",
            updated_at=NOW,
        )
        blocks = more(person, SETTING).blocks
        assert dialog(name, blocks)["title"]["text"] == title
        assert blocks[0]["type"] == first
    assert more(person, SETTING, modal=False).blocks[0]["type"] == "header"


ADD_SOMEBODY = (
    "To add somebody, send me a résumé, a list of people or a profile page in our direct message, "
    "or type `/candidate add`."
)


def test_help_reads_in_whole_sentences():
    examples = Examples(name="chenggang", words="cuda beijing", skill="skill:cuda")
    told = render(HelpAnswer(topic="", stored=2, examples=examples), SETTING).plain
    assert told.splitlines() == [
        "Find (2 people stored)",
        "`/candidate chenggang` a name or login",
        "`/candidate cuda beijing` any words",
        "`/candidate skill:cuda` exactly this skill",
        "Weekly digest",
        "`/candidate digest weekly monday 09:00 in #hiring`",
        "`/candidate digest list` what is subscribed",
        "New people",
        "`/candidate new` who came this week",
        ADD_SOMEBODY,
        "Only you see my answers until you share them. In a thread, mention me instead.",
        "More: `help search`, `help digest`, `help commands`",
    ]


def test_a_time_of_day_stays_as_it_is_and_an_emoji_s_name_does_not_become_one():
    assert escape("at 09:00: nobody, 23:59:59") == "at 09:00: nobody, 23:59:59"
    for text in (":smile:", "x:+1:", "7:smile:", "at 9:100:"):
        assert "\u2060" in escape(text), text


@given(st.text() | words)
def test_a_text_with_nothing_to_tidy_is_known_at_a_glance(text: str):
    """The long way, of which ``one_line`` spares itself most."""
    turned = normalize("NFC", regex.sub("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", text))
    plain_ones = regex.sub(r"[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+", " ", turned)
    assert one_line(text) == regex.sub(r"\s+", " ", plain_ones).strip(" ")
