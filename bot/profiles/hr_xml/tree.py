"""An XML document as a tree of names without namespaces, read without entities or network."""

import json
from collections.abc import Iterator
from functools import cached_property
from typing import Final

import regex
from lxml import etree

from bot.profiles.format import UnreadableProfile

LONGEST: Final = 100_000
"""Characters of a text; what is longer (a picture, an attachment) is left out."""

_DEEPEST: Final = 50
_NO_NAME: Final = regex.compile(r"[^A-Za-z\d_.-]")
_NO_TEXT: Final = regex.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\p{Cs}]")
_BLANKS: Final = regex.compile(r"[ \t\r\f\v\xa0]+")
_ROOT: Final = regex.compile(
    r"^\s*(?:<\?xml[^>]*>)?(?:\s*<!--.*?-->|\s*<\?.*?\?>|\s*<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*"
    r"\s*<(?:[\w.-]+:)?(?P<name>[\w.-]+)(?P<attributes>[^>]{0,4000})",
    regex.DOTALL,
)


class Node:
    """An element. Names are local and in lower case; blanks of texts are put in order."""

    __slots__ = ("__dict__", "_element")

    def __init__(self, element: etree._Element) -> None:
        self._element = element

    @cached_property
    def name(self) -> str:
        return _local(self._element.tag)

    @cached_property
    def children(self) -> tuple["Node", ...]:
        return tuple(Node(each) for each in self._element if isinstance(each.tag, str))

    def all(self, path: str) -> tuple["Node", ...]:
        """The elements at a path such as ``skills/skill``; ``a|b`` stands for either."""
        found: tuple[Node, ...] = (self,)
        for step in path.split("/"):
            names = step.split("|")
            found = tuple(kid for each in found for kid in each.children if kid.name in names)
        return found

    def one(self, *paths: str) -> "Node | None":
        """The first element at the first path that has one."""
        return next((found[0] for path in paths if (found := self.all(path))), None)

    def text(self, *paths: str) -> str | None:
        """The first text at the first path that has one; of the element itself without paths."""
        nodes = (node for path in paths for node in self.all(path)) if paths else (self,)
        for node in nodes:
            text = _BLANKS.sub(" ", "".join(map(str, node._element.itertext()))).strip()  # noqa: SLF001
            if text and len(text) <= LONGEST:
                return text
        return None

    def attribute(self, name: str) -> str | None:
        """The attribute's value, whatever its namespace; None when it is empty or missing."""
        for key, value in self._element.attrib.items():
            if _local(str(key)) == name:
                return str(value).strip() or None
        return None

    def within(self, *names: str) -> Iterator["Node"]:
        """The elements of these names anywhere below, in the document's order."""
        for kid in self.children:
            if kid.name in names:
                yield kid
            yield from kid.within(*names)


def tree_of(content: bytes) -> Node:
    """The root of an XML document, as ``xml_of`` reads it."""
    return Node(xml_of(content))


def xml_of(content: bytes) -> etree._Element:
    """The root. Raises UnreadableProfile for what is no well-formed XML, or has a DTD.

    A DTD could declare entities that grow without end or name files and addresses: none is
    read, expanded or asked for.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        remove_blank_text=False,
    )
    try:
        root = etree.fromstring(content.lstrip(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableProfile(
            "The XML is damaged or was cut off. Export it anew from the program that made it. "
            "Nothing was stored."
        ) from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise UnreadableProfile(
            "The XML declares a document type (DTD), which is not read. Export it without one. "
            "Nothing was stored."
        )
    return root


def tree_of_json(text: str) -> Node:
    """A JSON document as such a tree: a list is an element for each of its entries.

    Raises UnreadableProfile for what is no JSON, or is nested beyond all documents.

    >>> tree_of_json('{"Skills": [{"name": "Go"}, {"name": "C"}]}').all("skills/name")[1].text()
    'C'
    """
    root = etree.Element("json")
    try:
        _fill(root, json.loads(text), 0)
    except (ValueError, RecursionError) as error:
        raise UnreadableProfile(
            "The JSON is damaged or was cut off. Export it anew from the program that made it. "
            "Nothing was stored."
        ) from error
    return Node(root)


def _fill(element: etree._Element, value: object, depth: int) -> None:
    if depth > _DEEPEST:
        raise ValueError
    if isinstance(value, dict):
        for key, held in value.items():
            name = _NO_NAME.sub("", str(key))[:100]
            if not name or not name[0].isalpha():
                continue
            for each in held if isinstance(held, list) else (held,):
                if each is not None:
                    _fill(etree.SubElement(element, name), each, depth + 1)
    elif isinstance(value, bool):
        element.text = str(value).lower()
    elif isinstance(value, str | int | float):
        element.text = _NO_TEXT.sub("", str(value))


def root_of(start: str) -> tuple[str, str]:
    """The root's local name in lower case, and its attributes, judged by the text's beginning.

    >>> root_of('<?xml version="1.0"?><!-- x --><hr:Resume xmlns:hr="urn:x">')
    ('resume', ' xmlns:hr="urn:x"')
    """
    match = _ROOT.match(start)
    return (match["name"].lower(), match["attributes"]) if match else ("", "")


def _local(name: object) -> str:
    return str(name).rpartition("}")[2].rpartition(":")[2].lower()
