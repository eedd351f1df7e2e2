"""A question in English: what stands behind "2 people" and in a digest's title."""

from storage.search.qualifiers import SORTINGS, TABLE
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


def phrase(question: Question) -> str:
    """The conditions in English; empty when everybody is asked for.

    >>> from storage.search.language import parse
    >>> phrase(parse("cuda skill:llvm>=9 -location:china or years>=8"))
    'matching cuda, with skill llvm at 9 or more and not in china, or with 8 or more years coding'
    """
    return "" if question.where is None else _node(question.where)


def order(question: Question) -> str:
    """How the results are ordered, as a sentence."""
    if question.orders:
        return f"Sorted {', then '.join(_order(each) for each in question.orders)}."
    asked = list(_kinds(question.where))
    if "word" in asked:
        return "First: what bears the name, then contributions that carry it, then text."
    if "skill" in asked:
        return "First: contributions naming the skill."
    return ""


def _order(order: Order) -> str:
    sorting = next(each for each in SORTINGS if each.key == order.key)
    return sorting.reverse if order.descending else sorting.english


def _kinds(node: Node | None) -> list[str]:
    match node:
        case And(parts) | Or(parts):
            return [kind for part in parts for kind in _kinds(part)]
        case Word() | Phrase():
            return ["word"]
        case Qualified(key):
            return [key]
        case _:
            return []


def _only_words(node: Node) -> bool:
    return all(isinstance(leaf, Word | Phrase) for leaf, _positive in leaves(node))


def _node(node: Node) -> str:
    if _only_words(node):
        return f"not matching {node.part}" if isinstance(node, Not) else f"matching {node}"
    match node:
        case Or(parts):
            return ", or ".join(_node(part) for part in parts)
        case And(parts):
            words = [part for part in parts if _only_words(part)]
            rest = [_inner(part) for part in parts if not _only_words(part)]
            return _listed([*([_node(conjunction(words))] if words else []), *rest])
        case Not(Qualified(key) as part):
            return TABLE[key].unlike(part)
        case Qualified(key):
            return TABLE[key].english(node)
    return f"not {_inner(node.part)}" if isinstance(node, Not) else str(node)


def _inner(node: Node) -> str:
    return f"({_node(node)})" if isinstance(node, And | Or) else _node(node)


def _listed(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
