"""A message is written back without one of its people, or not at all."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.sandbox.blocks import check_message_blocks
from handlers.views.cleaned import ONE_LESS, whole, without
from handlers.views.message import Actions, Button, Context, Header, Section, compose
from handlers.views.text import Bold, line
from storage.naming import is_marked, mark_of

KEY = "00" * 32
GONE, KEPT = "7vqkgasj25k1", "j5bpa3gbk6pk"
NAME = "Quetzal Adeyemi"
MARK = mark_of(KEY, NAME)


def named(text):
    return is_marked(KEY, MARK, text)


def entry(name, id_, more=""):
    return [
        Section(
            [line(Bold(name), f" · Engineer {more}")],
            Button(text="Open", action=f"candidate.open.{id_}", value=id_),
        ),
        Actions([Button(text="I'm on it", action=f"candidate.touch.{id_}", value=id_)]),
    ]


def posted_now(name, id_, more=""):
    """As digests have entries now: buttons in a row, and the section says whom it is about."""
    return [
        Section([line(Bold(name), f" · Engineer {more}")], about=id_),
        Actions(
            [
                Button(text="Open", action=f"candidate.open.{id_}", value=id_),
                Button(text="I'm on it", action=f"candidate.touch.{id_}", value=id_),
            ]
        ),
    ]


def message(*parts, text=None):
    made = compose(parts, text=text)
    return {"text": made.text, "blocks": list(made.blocks)}


@pytest.mark.parametrize("entry", [entry, posted_now])
def test_a_digest_of_two_loses_the_one_and_counts_again(entry):
    said = message(
        Header("2 new candidates"), Context(["Since Monday"]),
        *entry(NAME, GONE), *entry("Bo Quist", KEPT), Context(["How to change this"]),
        text=f"2 new candidates: {NAME}, Bo Quist",
    )  # fmt: skip
    left = without(said, GONE, named)
    assert left.text == "1 new candidate: Bo Quist"
    told = json.dumps(left.blocks)
    assert GONE not in told
    assert "1 new candidate" in told
    assert ONE_LESS in told
    assert [block["type"] for block in left.blocks] == [
        "header", "context", "context", "section", "actions", "context",
    ]  # fmt: skip
    assert ONE_LESS in json.dumps(left.blocks[2])
    check_message_blocks(list(left.blocks), new_id=lambda kind: kind)
    assert without({"text": left.text, "blocks": list(left.blocks)}, GONE, named) is None


def test_a_card_is_replaced_whole():
    said = message(Header(NAME), Section(["x"]), *entry(NAME, GONE), text=f"Candidate card: {NAME}")
    assert without(said, GONE, named) == whole()


def test_a_message_that_names_nobody_of_them_stays():
    assert (
        without(message(Header("1 new candidate"), *entry("Bo Quist", KEPT)), GONE, named) is None
    )
    assert without({"text": "Hello"}, GONE, named) == whole()


def test_a_name_in_another_s_lines_takes_them_along():
    said = message(*entry(NAME, GONE), *entry("Bo Quist", KEPT, "with Adeyemi, QUETZAL"),
                   *entry("Ida Holm", "0" * 12))  # fmt: skip
    left = without(said, GONE, named)
    assert "Quist" not in json.dumps(left.blocks)
    assert "Ida Holm" in left.text


@pytest.mark.parametrize("entry", [entry, posted_now])
def test_a_name_of_one_word_is_known_by_ids_only(entry):
    mark = mark_of(KEY, "Quetzal")
    assert not is_marked(KEY, mark, "Quetzal")
    said = message(*entry("Quetzal", GONE), *entry("Bo Quist", KEPT), text="Quetzal, Bo Quist")
    left = without(said, GONE, lambda text: is_marked(KEY, mark, text))
    assert "Quetzal" not in json.dumps(left.blocks)
    assert left.text == "Candidates: Bo Quist"


people = st.lists(
    st.tuples(
        st.sampled_from([NAME, "Bo Quist", "Ida Holm", "Quetzal Adeyemi-Holm", "<!channel> & co"]),
        st.sampled_from([GONE, KEPT, "0" * 12, "1" * 12]),
    ),
    max_size=6,
)


@given(
    people,
    st.sampled_from([entry, posted_now]),
    st.booleans(),
    st.sampled_from(["", NAME, "for adeyemi quetzal", "for cuda"]),
)
def test_whatever_stood_there_the_person_does_not_afterwards(there, entry, header, context):
    parts = [Header(f"{len(there)} new candidates")] if header else []
    parts += [part for name, id_ in there for part in entry(name, id_)]
    parts += [Context([context])]
    said = message(*parts, text=f"{len(there)} new candidates: {', '.join(n for n, _ in there)}")
    left = without(said, GONE, named)
    told = said if left is None else {"text": left.text, "blocks": list(left.blocks)}
    texts = json.dumps(told, ensure_ascii=False)
    assert GONE not in texts
    assert not named(told["text"])
    assert left is None or "".join(left.text)
