"""The query language: any text is a question or a sentence, and questions read back."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from storage.search.conditions import nearest
from storage.search.dates import span
from storage.search.english import nobody, ordered, phrase
from storage.search.language import DEEPEST, LONGEST, MOST_TERMS, parse
from storage.search.qualifiers import TABLE
from storage.search.sortings import SORT_EXAMPLE, SORTINGS
from storage.search.tree import (
    Node,
    Not,
    Order,
    Phrase,
    Qualified,
    QueryError,
    Question,
    Word,
    conjunction,
    disjunction,
)
from storage.search.why import OF_QUALIFIER


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("cuda  beijing", "cuda beijing"),
        ("CUDA AND Beijing", "CUDA Beijing"),
        ("cuda or onnx beijing", "cuda or onnx beijing"),
        ("(cuda OR onnx) and beijing", "(cuda or onnx) beijing"),
        ("((cuda))", "cuda"),
        ("a1 or (b1 or c1) or d1", "a1 or b1 or c1 or d1"),
        ("not skill:cuda", "-skill:cuda"),
        ("-(cuda onnx)", "-(cuda onnx)"),
        ("not not cuda", "cuda"),
        ("cuda cuda", "cuda"),
        ("skill: cuda", "skill:cuda"),
        ("SKILL:cuda", "skill:cuda"),
        ("skills:cuda loc:beijing repository:tvm", "skill:cuda location:beijing repo:tvm"),
        ("skill:“machine learning”>=9", 'skill:"machine learning">=9'),
        ("skill:c++ skill:c#>=9", "skill:c++ skill:c#>=9"),
        ("years:8", "years:8"),
        ("years=8 employed:>=2", "years:8 employed>=2"),
        ("years >= 8", "years>=8"),
        ("company=meta", "company:meta"),
        ("added:2026-11 added>=7d", "added:2026-11 added>=7d"),
        ("sort:-years cuda", "cuda sort:-years"),
        ("(cuda sort:name) onnx", "cuda onnx sort:name"),
        ("sort:name", "sort:name"),
        ("a1 or b1 sort:-years", "(a1 or b1) sort:-years"),
        ("sort:name a1 or b1", "(a1 or b1) sort:name"),
        ("a1 | b1 c1||d1", "a1 or b1 c1 or d1"),
        ("react-native tf-idf 12:30", "react-native tf-idf 12:30"),
        ("<http://node.js|node.js>", "node.js"),
        ("https://github.com/apache/tvm", "github.com/apache/tvm"),
        ("c++, c#. .NET!", "c++ c# .NET"),
        ("*cuda* _x_ `y`", "cuda x y"),
        ("compiler & gpu", "compiler gpu"),
        ("engineers at Meta in the city", "engineers Meta city"),
        ('"the city"', '"the city"'),
        ('"AND"', '"AND"'),
        ("location:on", "location:on"),
        ("company:(meta OR google)", "company:(meta or google)"),
        ("company:meta or company:google", "company:(meta or google)"),
        ("not loc:(beijing or “new york”)", '-location:(beijing or "new york")'),
        ("skill:(cuda -triton) x", "skill:cuda -skill:triton x"),
        ("skill:(c or (llvm and onnx))", "skill:c or skill:llvm skill:onnx"),
        ("repo:(apache/tvm or llvm) sort:name", "repo:(apache/tvm or llvm) sort:name"),
        ("years:(3 or 8)", "years:3 or years:8"),
        ('location:("in" or oslo)', 'location:("in" or oslo)'),
        ("years:3..8 years:3-8 employed:2..", "years:3..8 employed>=2"),
        ("years:5+ employed=..4", "years>=5 employed<=4"),
        ("skill:cuda:3..8 skill:cuda=3..8", "skill:cuda=3..8"),
        ("skill:cuda:8+", "skill:cuda>=8"),
        ('skill:"cuda:3..8"', 'skill:"cuda:3..8"'),
        ("added:2026-01..2026-03", "added:2026-01..2026-03"),
        ("updated>=7d changed:2026..", "changed>=7d changed>=2026"),
        ("language:rust tag:compiler has:Education", "lang:rust topic:compiler has:Education"),
        ("skill:cuda sort:-score", "skill:cuda sort:-score"),
        ("nice:(skill:a or x y) cuda sort:name", "cuda nice:(skill:a or x y) sort:name"),
        ("a1 or b1 prefer:(skill:(c or d))", "(a1 or b1) nice:(skill:(c or d))"),
        ("nice:(cuda) nice:(onnx)", "nice:(cuda or onnx)"),
        ("andy nota orchid", "andy nota orchid"),
        ("", ""),
    ],
)
def test_a_question_is_understood_and_printed(text, canonical):
    assert str(parse(text)) == canonical
    assert parse(canonical) == parse(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("skil:cuda", ["skil", "Did you mean skill:cuda?", '"skil:cuda"']),
        ("langauge:c", ["Did you mean lang:c?"]),
        ("spoken:c", ["spoken", "skill, lang"]),
        ("schol:mit", ["school:mit"]),
        ("yeers>=8", ["years>=8"]),
        ("skill:cuda>=eleven", ["eleven", "0 to 10"]),
        ("skill:cuda>=11", ["11", "0 to 10"]),
        ("skill:cuda>=-1", ["-1", "0 to 10"]),
        ("skill:cuda>=9.5", ["9.5", "whole"]),
        ("skill>=9", ["which skill", "skill:cuda>=9"]),
        ("cuda>=9", ["skill:cuda>=9"]),
        ("skill:", ["skill:", "needs a value", "skill:cuda"]),
        ('skill:""', ["needs a value"]),
        ("company:-", ["needs a value"]),
        ("years>=", ["years>=", "needs a value"]),
        ("years>=abc", ["abc", "years>=8"]),
        ("years:8>=3", ["years>=8"]),
        ("company>=meta", ["company:deepseek"]),
        ("years:8..3", ["years:3..8"]),
        ("years>=3..8", ["3..8", "years:3..8"]),
        ("skill:cuda=3..11", ["3..11", "0 to 10"]),
        ("added:2026-03..2026-01", ["2026-01..2026-03"]),
        ("added>=2026-01..2026-03", ["added:2026-01..2026-03"]),
        ("lang:kubernetes", ["kubernetes", "skill:kubernetes"]),
        ("has:email", ["No contact details", "education"]),
        ("has:horse", ["horse", "has:education"]),
        ("topic:", ["topic:compiler"]),
        ("cuda sort:score", ["skill:cuda sort:-score"]),
        ("company:()", ["( )"]),
        ("company:(meta years>=8)", ["company:(one or another)"]),
        ("sort:(name or years)", ["one thing to sort by"]),
        ("nice:cuda", ["nice:(skill:triton or skill:mlir)"]),
        ("cuda -nice:(onnx)", ["cannot be excluded"]),
        ("cuda or nice:(onnx)", ["once, at the end"]),
        ("nice:(nice:(onnx))", ["cannot stand in a list"]),
        ("skill:(cuda sort:name)", ["sort:"]),
        ("company:(meta or", ["is missing in"]),
        ("added>=2026-13-40", ["2026-13-40", "added>=2026-11-01"]),
        ("added>=soon", ["soon", "not a date"]),
        ("sort:salary", ["salary", "name", "years"]),
        ("sort>=name", ["sort:"]),
        ("cuda or sort:name", ["once, at the end"]),
        ("not sort:name", ["sort:-years"]),
        ("(cuda", ["is missing in", "(cuda)"]),
        ("cuda)", ["too many after", "cuda"]),
        ("()", ["( )"]),
        ("( )", ["( )"]),
        ('"', ["quote"]),
        ('"matrix core', ["quote", '"matrix core"']),
        ("AND", ["AND", '"and"']),
        ("compiler or", ["or", '"or"']),
        ("or compiler", ["or"]),
        ("cuda and and onnx", ["and"]),
        ("cuda not", ["not", "exclude"]),
        ("> 3", ["years>=8"]),
        ("C++>=9", [">=9"]),
        ("- -", ["nothing to search"]),
        ("😀", ["nothing to search"]),
        ("the", ["nothing to search"]),
        ("foo::bar", ["foo", '"foo::bar"']),
        ("C:\\", ['"C:\\"']),
        ("x" * 5_000, ["5,000", "1,000"]),
        ("(" * 30 + "x" + ")" * 30, [str(DEEPEST)]),
        (" ".join(f"w{number}" for number in range(60)), ["60", str(MOST_TERMS)]),
    ],
)
def test_what_cannot_be_read_gets_a_sentence_with_the_nearest_form(text, says):
    with pytest.raises(QueryError) as refused:
        parse(text)
    for words in says:
        assert words in str(refused.value)


@pytest.mark.parametrize("text", ["skil:cuda", "foo::bar", "C:\\", "cuda>=9", "e=mc2", "yeers>=8"])
def test_what_an_error_offers_can_be_typed(text):
    with pytest.raises(QueryError) as refused:
        parse(text)
    sentence = str(refused.value)
    literal = re.search(r'put it in quotes: (".*")', sentence)
    assert literal
    assert isinstance(parse(literal[1]).where, Phrase)
    for offered in re.findall(r"(?:mean|as) (\S+?)[?.] ", sentence):
        parse(offered)


_NAMES = st.sampled_from(
    ["cuda", "c++", "react-native", "Łódź", "王磊", "x.y", "a/b", "12:30", "@me"]
)
_TEXTS = st.sampled_from(["machine learning", "and", "c", "(x)", "skill:x", "new  york", "a > b"])
_LEAVES = st.one_of(
    _NAMES.map(Word),
    _TEXTS.map(lambda text: Phrase(" ".join(text.split()))),
    st.builds(
        Qualified,
        st.sampled_from(["skill", "location", "company", "repo", "topic"]),
        st.one_of(
            _NAMES, st.sampled_from(["a:3..8", "in", "not", "new york", "https://x.y", "-x"])
        ),
    ),
    st.builds(Qualified, st.just("lang"), st.sampled_from(["rust", "C++", "golang"])),
    st.builds(Qualified, st.just("has"), st.sampled_from(["education", "github"])),
    st.builds(
        Qualified,
        st.sampled_from(["added", "changed"]),
        st.just(""),
        st.just("="),
        st.sampled_from(["2026-01..2026-03", "7d..today", "2025..2026", "2026-11-01"]),
    ),
    st.builds(
        Qualified,
        st.sampled_from(["years", "employed"]),
        st.just(""),
        st.just("="),
        st.tuples(st.integers(0, 40), st.integers(40, 99)).map("{0[0]}..{0[1]}".format),
    ),
    st.builds(
        Qualified,
        st.just("skill"),
        st.one_of(_NAMES, st.just("machine learning")),
        st.sampled_from([">=", ">", "<", "<=", "="]),
        st.integers(0, 10).map(str),
    ),
    st.builds(
        Qualified,
        st.sampled_from(["years", "employed"]),
        st.just(""),
        st.sampled_from([">=", ">", "<", "<=", "="]),
        st.integers(0, 99).map(str),
    ),
)


def _negated(node: Node) -> Node:
    return node.part if isinstance(node, Not) else Not(node)


_NODES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        inner.map(_negated),
        st.lists(inner, min_size=2, max_size=4).map(conjunction),
        st.lists(inner, min_size=2, max_size=4).map(disjunction),
    ),
    max_leaves=12,
)
_ORDERS = st.builds(Order, st.sampled_from([each.key for each in SORTINGS]), st.booleans())


@given(_NODES, st.lists(_ORDERS, max_size=2, unique=True).map(tuple), st.none() | _NODES)
def test_printing_and_reading_again_gives_the_same_question(node, orders, nice):
    question = Question(node, orders, nice)
    if any(order.key == "score" for order in orders) and not question.skills:
        question = Question(conjunction([node, Qualified("skill", "cuda")]), orders, nice)
    assert parse(str(question)) == question


_PIECES = st.sampled_from(
    [
        *"()\"-:<>= ", "skill:", "years>=8", "and", "or", "not", "the", "cuda", "c++", "sort:name",
        "8", "::", "http://x.y", "“", "😀", "&gt;", "<@U1|x>", "\u00a0", "\\", "*", "or,", "-", ".",
        "skill:(", "nice:(", "lang:", "has:", "..", "added:", "sort:score", "3..8",
    ]
)  # fmt: skip


@given(st.one_of(st.text(max_size=60), st.lists(_PIECES, max_size=14).map("".join)))
@example('"x" :foo')
@example("or, and. (not!)")
@example("-\u200bx")
def test_any_text_is_a_question_that_reads_back_or_a_sentence(text):
    question = _read(text)
    if isinstance(question, str):
        assert len(question) > 20
        return
    assert parse(str(question)) == question
    phrase(question)
    assert nobody(question).startswith("Nobody")
    assert bool(ordered(question)) == bool(question.orders)


@settings(max_examples=20)
@given(st.integers(1, 300))
def test_repetition_is_read_without_recursion(times):
    for piece in ("not ", "(", "-(", "a1 or ", "skill:", '"', "x y ", "((x) "):
        assert _read((piece * times)[:LONGEST])


def _read(text: str) -> Question | str:
    try:
        return parse(text)
    except QueryError as error:
        return str(error)


def test_every_qualifier_says_of_itself_what_help_reasons_and_english_need():
    for key, qualifier in TABLE.items():
        question = parse(qualifier.example)
        part = question.where
        assert isinstance(part, Qualified)
        assert part.key == key
        assert qualifier.help
        assert qualifier.english(part) in phrase(question)
        assert qualifier.unlike(part) in phrase(parse(f"not {qualifier.example}"))
        assert key in OF_QUALIFIER
        assert nearest(key + "x") == key
        for alias in qualifier.aliases:
            assert parse(qualifier.example.replace(key, alias, 1)) == question
    assert set(OF_QUALIFIER) == set(TABLE)
    assert parse(SORT_EXAMPLE).orders


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("skill:cuda", "with skill cuda"),
        ("skill:cuda -skill:triton", "with skill cuda and without skill triton"),
        ("cuda beijing", "matching cuda beijing"),
        ("(a1 or b1) c1 years>=8", "matching (a1 or b1) c1 and with 8 or more years coding"),
        ("skill:c or location:oslo", "with skill c or in oslo"),
        ("a1 b1 or c1", "matching (a1 b1) or c1"),
        (
            "skill:c location:oslo or company:x",
            "(with skill c and in oslo) or at x",
        ),
        ("skill:c<=8 skill:r<9", "with skill c at 8 or less and with skill r below 9"),
        ("years=1 -employed>=2", "with 1 year coding and without 2 or more years employed"),
        ("added:today", "added today"),
        ("added:2026-11", "added in Nov 2026"),
        ("added:2026-11-30", "added on Mon 30 Nov 2026"),
        ("added>=1w", "added in the last 1 week"),
        ("added<7d", "added more than 7 days ago"),
        ("-(skill:c location:oslo)", "not (with skill c and in oslo)"),
        ("added>=2026-11-01", "added since Sun 1 Nov 2026"),
        ("years:3..8 skill:c=3..8", "with 3 to 8 years coding and with skill c at 3 to 8"),
        ("added:2026-10..today", "added from Oct 2026 to today"),
        ("changed:2w..1d", "last changed from 2 weeks ago to 1 day ago"),
        (
            "lang:rust -topic:compiler",
            "who know rust and who contributed to no repository about compiler",
        ),
        ("lang:rust location:oslo skill:c", "in oslo and with skill c who know rust"),
        ("has:repos -has:github", "with contributions and without a probable login on GitHub"),
        ("location:(oslo or malmö)", "in oslo or in malmö"),
        ("skill:c nice:(skill:r)", "with skill c, first those with skill r"),
        ("", ""),
    ],
)
def test_a_question_reads_as_english(text, english):
    assert phrase(parse(text)) == english


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("skill:r", "Nobody here lists the skill R."),
        ("cuda -skill:triton", "Nobody here matches cuda and lacks the skill triton."),
        ("-location:beijing", "Nobody: everybody here is in beijing."),
        ("not cuda", "Nobody: everybody here matches cuda."),
        ("skill:r or years<2", "Nobody here lists the skill R or has fewer than 2 years coding."),
        ("skill:a skill:b skill:cd", "Nobody here lists the skills A, B and cd."),
        ("skill:ab or skill:cd", "Nobody here lists the skill ab or cd."),
        (
            "(skill:ab or location:oslo) skill:cd x",
            (
                "Nobody here matches x, lists the skill cd "
                "and either lists the skill ab or is in oslo."
            ),
        ),
        (
            "(skill:ab location:de or company:y) years>=2",
            (
                "Nobody here has 2 or more years coding "
                "and ((lists the skill ab and is in de (Germany)) or works at y)."
            ),
        ),
        ("-(skill:c or x) y", "Nobody here matches y and not (lists the skill C or matches x)."),
        ("company:x -company:y", "Nobody here works at x and does not work at y."),
    ],
)  # fmt: skip
def test_nobody_is_told_in_a_sentence(text, sentence):
    assert nobody(parse(text)) == sentence


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("engineers at Meta", ("at",)),
        ('"at" who-knows (in c)', ("in",)),
        ("in:beijing", ()),
        ("😀 cuda & onnx", ("😀",)),
    ],
)
def test_words_that_are_passed_over_are_kept_to_be_told(text, passed):
    assert parse(text).passed == passed


NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2026-11-01", "2026-11-01", "2026-11-02"),
        ("2026-11", "2026-11-01", "2026-12-01"),
        ("2026-12", "2026-12-01", "2027-01-01"),
        ("2026", "2026-01-01", "2027-01-01"),
        ("today", "2026-12-01", "2026-12-02"),
        ("yesterday", "2026-11-30", "2026-12-01"),
        ("7d", "2026-11-24", "2026-12-02"),
        ("2w", "2026-11-17", "2026-12-02"),
    ],
)
def test_dates_are_stretches_of_time_in_utc(text, start, end):
    assert [day.date().isoformat() for day in span(text, NOW)] == [start, end]


@pytest.mark.parametrize(
    "text", ["9999", "9999-12", "9999-12-31", "0000", "2026-02-30", "12", "٢٠٢٦"]
)
def test_impossible_dates_are_refused(text):
    with pytest.raises(QueryError):
        span(text, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "R&amp;amp;amp;D",
        "ja&\u202eamp;nd",
        "jos\u202e\u0301\u0301",
        '"<@U0MI<@U0MIRA>RA> lei"',
        'w"e"_İn',
        "&f㉘oo:bar",
        "ıs~ beijing",
        "\u0301github.com/LyricZhaohttps://\u0301",
        "ao/ricZhhttps://githttps://ttps://github.com/Ly",
    ],
)
def test_what_is_hidden_in_a_text_does_not_come_out_at_the_second_reading(text):
    """The printed question is what the buttons of an answer carry."""
    question = parse(text)
    assert replace(parse(str(question)), passed=()) == replace(question, passed=())


def test_a_question_that_is_too_long_once_it_is_printed_is_refused():
    text = " ".join(f"in:{number}x" for number in range(49)) + " " + "y" * 620
    assert len(text) <= 1_000
    with pytest.raises(QueryError, match="characters long"):
        parse(text)
