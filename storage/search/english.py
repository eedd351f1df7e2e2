"""A question in English: behind "2 people" and "nobody here", and in a digest's title."""

from collections.abc import Callable, Sequence

from storage.search.qualifiers import TABLE
from storage.search.sortings import SORTINGS
from storage.search.tree import (
    And,
    Node,
    Not,
    Or,
    Order,
    Phrase,
    Qualified,
    Question,
    Word,
    conjunction,
    leaves,
)
from storage.search.wording import skill_name


def phrase(question: Question) -> str:
    """The conditions in English; empty when everybody is asked for.

    >>> from storage.search.language import parse
    >>> phrase(parse("cuda skill:llvm>=9 -location:china or years>=8"))
    '(matching cuda, with skill llvm at 9 or more and not in china) or with 8 or more years coding'
    """
    said = "" if question.where is None else _node(question.where)
    if question.nice is None:
        return said
    return f"{said}{', ' if said else ''}first those {_node(question.nice)}"


def nobody(question: Question) -> str:
    """The sentence for a question that finds nobody.

    >>> from storage.search.language import parse
    >>> nobody(parse("skill:r")), nobody(parse("cuda -skill:triton"))
    ('Nobody here lists the skill R.', 'Nobody here matches cuda and lacks the skill triton.')
    >>> nobody(parse("-location:beijing"))
    'Nobody: everybody here is in beijing.'
    """
    where = question.where
    if where is None:
        return "Nobody is here."
    if isinstance(where, Not):
        return f"Nobody: everybody here {does(where.part)}."
    return f"Nobody here {does(where)}."


def does(node: Node) -> str:
    """What one person does for whom the condition holds, such as ``lists the skill cuda``."""
    if _only_words(node):
        words = _words(node.part) if isinstance(node, Not) else _words(node)
        return f"does not match {words}" if isinstance(node, Not) else f"matches {words}"
    match node:
        case Or(parts):
            skills, rest = _skills(parts)
            several = [f"lists the skill {' or '.join(skills)}"] if skills else []
            return " or ".join([*several, *(_within(part, does) for part in rest)])
        case And():
            return _all_of(node)
        case Not(Qualified(key) as part):
            return TABLE[key].lacks(part)
        case Qualified(key):
            return TABLE[key].does(node)
    return f"not ({does(node.part)})" if isinstance(node, Not) else str(node)


def _all_of(node: And) -> str:
    """What one person does for whom all parts hold; what may be either stands last."""
    skills, rest = _skills(_gathered(node))
    either = [part for part in rest if isinstance(part, Or) and not _only_words(part)]
    plain = [part for part in rest if part not in either]
    said = [does(part) if not isinstance(part, And) else f"({does(part)})" for part in plain]
    if skills:
        noun = "skill" if len(skills) == 1 else "skills"
        said.insert(bool(plain) and _only_words(plain[0]), f"lists the {noun} {_listed(skills)}")
    nested = any(isinstance(each, And) for part in either for each in part.parts)
    said += [f"({does(part)})" if nested else f"either {does(part)}" for part in either]
    return _listed(said)


def _skills(parts: Sequence[Node]) -> tuple[list[str], list[Node]]:
    """The skills asked for by name alone, and the other parts."""
    skills = [
        part
        for part in parts
        if isinstance(part, Qualified) and part.key == "skill" and not part.comparison
    ]
    return [skill_name(part) for part in skills], [part for part in parts if part not in skills]


def ordered(question: Question) -> str:
    """How ``sort:`` puts the results in order, as a sentence; empty without it."""
    if not question.orders:
        return ""
    return f"Sorted by {', then by '.join(_order(each) for each in question.orders)}."


def _order(order: Order) -> str:
    sorting = next(each for each in SORTINGS if each.key == order.key)
    return sorting.reverse if order.descending else sorting.english


def _only_words(node: Node) -> bool:
    return all(isinstance(leaf, Word | Phrase) for leaf, _positive in leaves(node))


def _words(node: Node) -> str:
    """Words as typed; brackets show what belongs together where ``or`` and ``and`` meet."""
    if isinstance(node, Or):
        return " or ".join(
            f"({part})" if isinstance(part, And) else str(part) for part in node.parts
        )
    return str(node)


def _node(node: Node) -> str:
    if _only_words(node):
        words = _words(node.part) if isinstance(node, Not) else _words(node)
        return f"not matching {words}" if isinstance(node, Not) else f"matching {words}"
    match node:
        case Or(parts):
            return " or ".join(_within(part, _node) for part in parts)
        case And():
            return _together([_within(part, _node) for part in _gathered(node)])
        case Not(Qualified(key) as part):
            return TABLE[key].unlike(part)
        case Qualified(key):
            return TABLE[key].english(node)
    return f"not ({_node(node.part)})" if isinstance(node, Not) else str(node)


def _together(said: list[str]) -> str:
    """What people are, and behind it what they do: ``in oslo who know rust and who …``."""
    do = [each for each in said if each.startswith("who ")]
    are = [each for each in said if each not in do]
    return " ".join(_listed(each) for each in (are, do) if each)


def _gathered(node: And) -> list[Node]:
    """The parts of an And, its bare words together and first."""
    words = [part for part in node.parts if _only_words(part)]
    rest = [part for part in node.parts if not _only_words(part)]
    return [*([conjunction(words)] if words else []), *rest]


def _within(part: Node, said: Callable[[Node], str]) -> str:
    """A part among others: in brackets when it has parts itself that are not all words."""
    several = isinstance(part, And | Or) and not _only_words(part)
    return f"({said(part)})" if several else said(part)


def _listed(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
