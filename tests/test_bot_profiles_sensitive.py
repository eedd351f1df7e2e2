"""Gender, age, origin, photo and the like are neither facts, nor searched, nor ranked, nor kept."""

import shutil
from contextlib import closing
from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.profiles.reader import read
from bot.profiles.sensitive import LABELS, is_sensitive, without_sensitive_lines
from storage.profile_json import profile_to_document
from storage.records import Document
from storage.store import Store
from tests.conftest import SEEDS
from tests.people_fixtures import page

NOW = datetime(2026, 12, 1, tzinfo=UTC)
PAGES = [
    page(),
    page("Bo Quist", "Gardener at Foo", "roses"),
    *(path.read_text(encoding="utf-8") for path in sorted(SEEDS.glob("*.txt"))),
]
QUERIES = ("skill:mlir", "skill:cuda", "compiler", "beijing or malmö", "role:engineer", "")
values = st.text("abcdefghijklmnopqrstuvwxyzäé0123456789 ", min_size=1, max_size=30)
plain_labels = [label for label in LABELS if "?" not in label and "\\" not in label]
labelled = st.builds(
    lambda label, mark, value, case: f"{case(label)}{mark}{value}",
    st.sampled_from(plain_labels),
    st.sampled_from((": ", ":", " – ", " = ", " - ")),
    values,
    st.sampled_from((str.lower, str.upper, str.title)),
)
bare = st.sampled_from(
    ("female", "Male", "she/her", "34 years old", "Born 4 May 1990", "aged 51",
     "https://example.org/me.jpg", "![photo](me.png)")
)  # fmt: skip
lines = st.lists(st.tuples(st.one_of(labelled, bare), st.integers(0, 200)), min_size=1, max_size=6)


def with_lines(text, added):
    """The page with these lines put between others of its own."""
    rows = text.split("\n")
    for line, place in added:
        rows.insert(place % (len(rows) + 1), line)
    return "\n".join(rows)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(PAGES), lines)
@example(PAGES[0], [("Gender: female", 1), ("Nationality – French", 3), ("Age: 34", 0)])
def test_a_page_with_such_lines_gives_the_same_facts_and_the_same_stored_text(text, added):
    [(plain, kept)] = read("a.txt", text.encode()).profiles
    [(marked, also)] = read("a.txt", with_lines(text, added).encode()).profiles
    assert profile_to_document(marked) == profile_to_document(plain)
    assert also == kept


@pytest.fixture(scope="module")
def order(empty_database, tmp_path_factory):
    """Stores pages and gives whom each query finds, in order and with scores and reasons."""

    def order_of(pages):
        path = tmp_path_factory.mktemp("rank") / "a.db"
        shutil.copy(empty_database, path)
        ids = (f"{number:032x}" for number in count())  # whoever is equal stands by id
        with closing(Store.open(f"sqlite:///{path}", new_id=lambda: next(ids))) as store:
            for number, text in enumerate(pages):
                for profile, kept in read("a.txt", text.encode()).profiles:
                    said = Document(name=f"p{number}.txt", text=kept, added_by="U1",
                                    added_via="load", parser="t/1")  # fmt: skip
                    store.add(profile, said, now=NOW)
            return {
                query: [
                    (hit.candidate.profile.name, hit.score, hit.why)
                    for hit in store.search(query, now=NOW).hits
                ]
                for query in QUERIES
            }

    return order_of


@pytest.fixture(scope="module")
def plain(order):
    """The same without such lines: what all of them are compared with."""
    found = order(PAGES)
    assert len(found[""]) == len(PAGES)
    return found


@settings(max_examples=8, suppress_health_check=list(HealthCheck))
@given(added=st.lists(lines, min_size=len(PAGES), max_size=len(PAGES)))
def test_such_lines_change_no_ranking(order, plain, added):
    marked = [with_lines(text, some) for text, some in zip(PAGES, added, strict=True)]
    assert order(marked) == plain


@pytest.mark.parametrize("text", PAGES)
def test_a_page_without_such_lines_is_the_very_same(text):
    assert without_sensitive_lines(text) is text


@pytest.mark.parametrize(
    "line",
    ["Origins of Compilers", "age10", "Stage: Lead", "Engineer at Photo: Lab", "Races", "sexp9",
     "Agent: a scheduler", "born2root/tools", "male-order/shop"],
)  # fmt: skip
def test_other_lines_stay(line):
    assert not is_sensitive(line)
