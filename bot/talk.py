"""What people say around a question, as to a colleague: ``can you show me …, please?``.

Nothing here looks at who is stored. Whoever asks decides by that whether the words were
meant: a text that names somebody as it stands is never shortened (``bot.asking``).
"""

from dataclasses import dataclass
from typing import Final

import regex

FLAGS: Final = regex.IGNORECASE | regex.VERBOSE

_CERTAIN: Final = regex.compile(
    r"""(?:
    (?:can|could|would|will)\ (?:you|i|we)
    |(?:i|we)(?:\ am|\ are|'m|'re|\ would|'d|\ really)?
       \ (?:need|want|like|look(?:ing)?\ for|search(?:ing)?\ for|have\ to)
    |im\ (?:looking|searching)\ for
    |(?:show|find|get|give|list|bring|tell|send|open|fetch)\ (?:me|us)(?:\ about|\ all)?
    |(?:look|search|looking|searching)\ (?:for|up)
    |(?:do|did)\ (?:we|you)\ (?:have|know|already\ have|got)
    |have\ (?:we|you)\ got|(?:is|are)\ there
    |(?:who|what|which)(?:'s|\ is|\ are|\ was|\ were)|who\ (?:do\ we\ have|here|all|else)
    |(?:who|that|which)\ (?:knows?|has|have|works?|worked|lives?|can|does|do|uses?|used|speaks?)
    |(?:any|some|every)(?:one|body)\ (?:who|with|that|here|in|at|from|knows?|has)
    |(?:people|candidates|developers|engineers|those)\ (?:who|that|which)
    |(?:know|knows)(?=\ )
    |(?:which|what|any)\ (?:people|candidates|of\ (?:our|the)\ (?:people|candidates))
    |(?:any(?:one|body)?|the)(?=\ (?:new|newest|latest)\b)
    |how\ many|(?:the\ )?number\ of
    |please|hey|hello|hi|ok(?:ay)?|so
    )(?=[\s,:]|$)[\s,:]*""",
    FLAGS,
)
"""Openers that are hardly ever what is sought."""
_VERB: Final = regex.compile(
    r"(?:show|find|get|give|list|search|need|want|open|display|count|who|know|where)(?=[\s:]|$)[\s:]*",
    FLAGS,
)
"""One word that may well be sought: ``list comprehension``."""
_LINKING: Final = regex.compile(
    r"""(?:to\ (?:find|see|hire|know|show|list|get)|about|for|with|a|an|the|any|some|all(?:\ the)?
    |more|me|us|of|our|is|are|in|at|from|on|up|been|ever|called|named|based|located|living|working
    )(?=\s|$)\s*""",
    FLAGS,
)
_NOUN: Final = regex.compile(
    r"(?:people|persons?|candidates?|some(?:one|body)|any(?:one|body)|every(?:one|body)|folks"
    r"|profiles?|records?)(?=\s|$)\s*",
    FLAGS,
)
_CLOSER: Final = regex.compile(
    r"""(?<![\s,])[\s,]+(?:please|thanks|thank\ you|for\ (?:me|us)|now|again
    |(?:do|did)\ (?:we|you)\ (?:have|know|store)|have\ (?:we|you)(?:\ got)?
    |(?:are|is)\ (?:there|here|stored|known)(?:\ here)?|(?:we|you)\ have|stored|in\ total
    |in\ (?:the|this|your|our)\ (?:bot|database|store|list|system))$""",
    FLAGS,
)
_EVERY: Final = frozenset(
    ("all", "everyone", "everybody", "people", "candidates", "everything", "records", "profiles")
)
CHATTER: Final = frozenset(
    regex.findall(
        r"\S+",
        """a about all am an and any anybody anyone are be been can candidate candidates could did
        do does everybody everyone find for from get give got had has have here hi how i i'd i'm
        in is it know knows list looking many me my need needs of on our people person persons
        please search show some somebody someone tell thank thanks that the their them there they
        this to up us want wants was we were what what's where which who who's with work working
        works would you your""",
    )
)
_ABOUT: Final = regex.compile(
    r"""(?:so\ )?(?:
    what\ (?:can|do|could|should)\ (?:you|i|we|one)\ (?:do|ask|type|write|say|find|search)
       (?:\ (?:here|now|for\ (?:me|us)|with\ (?:you|this|it)|you|for))*
    |what\ (?:are|is)\ (?:you|this|it|that|candidate)(?:\ (?:bot|for|about))*
    |what's\ this|who\ are\ you
    |how\ (?:do|does|can|should)\ (?:i|we|you|this|it|the\ bot|one)
       \ (?:use|work|start|begin|search|ask)
       (?:\ (?:you|this|it|the|bot|here|with|for|people|somebody|someone|candidates))*
    |how\ are\ you(?:\ doing)?|are\ you\ (?:there|ok|awake|alive|a\ bot|real)|you\ there|what\ now
    |(?:can|could|will|would)\ you\ help(?:\ me|\ us)?|(?:i|we)\ need\ help|help\ (?:me|us)
    |commands|usage|instructions|manual|options|what\ else(?:\ can\ you\ do)?
    )(?:\ please)?""",
    FLAGS,
)
_ADDING: Final = regex.compile(
    r"(?:how\ (?:(?:do|does|can|could|should|would)\ (?:i|we|you|one)|to)"
    r"|(?:can|could|may)\ (?:i|we))\ add(?:\ \S+){0,5}",
    FLAGS,
)
_MANY: Final = regex.compile(r"(?:.*\b)?(?:how\ many|number\ of|count)\b", FLAGS)
_WAY: Final = (
    r"(?:contact|e-?mail|mail|phone|telephone|mobile)"
    r"(?:\ (?:address|number|details?|data|info(?:rmation)?))?"
)
_REACH: Final = regex.compile(
    rf"""(?:(?:the\ )?{_WAY}\ (?:of|for|from)
       |(?:contact|e-?mail|mail|phone|call|message|write|reach|text|dm)(?:\ out)?(?:\ to)?
       |{_WAY})\ (?P<who>.+)
    |(?P<who>.+?)(?:'s?)?\ {_WAY}""",
    FLAGS,
)
_LINK: Final = regex.compile(
    r"(?:(?:please\ )?(?:add|load|import|read|open|see|check)\ )?(?:this[\ :]+)?<?"
    r"(?:https?://\S+|www\.\S+|(?:[\w-]+\.)+(?:com|org|io|dev|ai|me)/\S+)",
    FLAGS,
)


_HOW_MANY: Final = regex.compile(
    r"""(?:(?:the|top|best|first|a)\ )*
    (?P<number>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|dozen
      |few|couple\ of|handful\ of)
    \ +(?!(?:years?|yrs?|days?|weeks?|months?|or|to)\b)(?=\p{L})""",
    FLAGS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A text without what is only said around it.

    ``certain`` when what was taken off is hardly ever sought; ``bare`` is ``rest`` without
    words such as ``people`` and ``the`` at its beginning.
    """

    rest: str
    bare: str
    certain: bool


def heard(text: str) -> Said | None:
    """What is asked for in ``text``; None when nothing stands around it.

    >>> heard("Can you show me a rust developer, please?").rest
    'a rust developer'
    >>> heard("who knows cuda").bare, heard("how many people do we have").bare, heard("cuda")
    ('cuda', '', None)
    """
    rest, certain, opened = text.strip(), False, False
    rest = rest.rstrip("?!. ") if not rest.endswith("...") else rest
    if '"' in rest[:1]:
        return None
    while found := _CLOSER.search(rest):
        rest, opened = rest[: found.start()], True
    while found := _CERTAIN.match(rest):
        rest, certain = rest[found.end() :], True
    if found := _VERB.match(rest):
        rest, opened = rest[found.end() :], True
    opened |= _NOUN.match(rest) is not None
    if not (certain or opened):
        return None
    return Said(rest=rest.strip(), bare=bare(rest), certain=certain)


def bare(text: str) -> str:
    """The text without the words at its beginning that only lead on to what is sought.

    >>> bare("the people who know cuda")
    'cuda'
    """
    while found := _LINKING.match(text) or _NOUN.match(text) or _CERTAIN.match(text):
        text = text[found.end() :]
    return text.strip()


def how_many(text: str) -> tuple[str, str]:
    """How many people are asked for, as typed, and the rest of the text.

    >>> how_many("show me 3 data engineers"), how_many("5 years of rust"), how_many("two sigma")
    (('3', 'show me data engineers'), ('', '5 years of rust'), ('two', 'sigma'))
    """
    said = heard(text)
    start = text.find(said.bare) if said and said.bare else 0
    found = _HOW_MANY.match(text, pos=max(start, 0))
    if found is None:
        return "", text
    return found["number"], text[: found.start("number")] + text[found.end() :]


def without_chatter(text: str) -> str:
    """The words that may be sought; the rest is how one speaks.

    >>> without_chatter("who do we have in berlin with rust?")
    'berlin rust?'
    """
    return " ".join(word for word in text.split() if word.lower().strip(",.!?") not in CHATTER)


def about_the_bot(text: str) -> bool:
    """``what can you do?``, ``how does this work``: not a question about candidates."""
    return _ABOUT.fullmatch(" ".join(text.strip(" ?!.").split())) is not None


def about_adding(text: str) -> bool:
    """``how do I add somebody?``: not a search for anybody."""
    return _ADDING.fullmatch(" ".join(text.strip(" ?!.").split())) is not None


def about_everybody(text: str) -> bool:
    """``everyone``, ``list all candidates``, ``who do we have``: nobody is left out.

    >>> [about_everybody(each) for each in ("list", "show me everyone", "all cuda", "show me")]
    [True, True, False, False]
    """
    said = heard(text)
    words = (said.rest if said else text).lower().strip(" ?!.").split()
    linking = {"the", "of", "our", "them", "those", "here", "stored", "we", "you", "have", "known"}
    if not words:
        return regex.search(r"\b(?:list|all|who)\b", text, FLAGS) is not None
    return any(word in _EVERY for word in words) and _EVERY.union(linking).issuperset(words)


def asks_how_many(text: str) -> bool:
    return _MANY.match(text) is not None


def whom_to_reach(text: str) -> str | None:
    """Whom ``email lei wang`` or ``lei wang's phone number`` is about; None for other texts."""
    found = _REACH.fullmatch(text.strip(" ?!."))
    return found["who"].strip() if found else None


def is_link(text: str) -> bool:
    """An address and nothing else, or with a word that says what to do with it."""
    return _LINK.fullmatch(text.strip()) is not None
