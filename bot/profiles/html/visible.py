"""The visible text of a web page as lines."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import regex
from lxml import etree, html

from bot.profiles.resume.lines import MOST, Line, line_of

_BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
    "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5",
    "h6", "header", "hgroup", "hr", "html", "legend", "li", "main", "ol", "p", "pre", "section",
    "summary", "table", "tbody", "tfoot", "thead", "tr", "ul",
})  # fmt: skip
_UNSEEN: Final = frozenset({
    "audio", "button", "canvas", "head", "iframe", "input", "link", "meta", "nav", "noscript",
    "object", "script", "select", "style", "svg", "template", "textarea", "title", "video",
})  # fmt: skip
_HIDDEN: Final = regex.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*hidden")
_HEADING: Final = regex.compile(r"h([1-6])")
_CONTACT: Final = regex.compile(
    r"(?i)(?:https?://)?(?:[\w-]+\.)*(?:linkedin|github|gitlab)\.com/\S+"
)
_SPACES: Final = regex.compile(r"\s+")
_DEEPEST: Final = 200


@dataclass(slots=True)
class _Writer:
    """Lines as they come; ``text`` is the line that is being written."""

    lines: list[Line] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    bold: int = 0
    letters: int = 0
    begins_bold: bool = False
    look: Line = field(default_factory=lambda: Line(""))

    def write(self, text: str, *, bold: bool) -> None:
        letters = sum(map(str.isalnum, text))
        if not self.letters and letters:
            self.begins_bold = bold
        self.letters += letters
        self.bold += letters if bold else 0
        self.text.append(text)

    def end(self) -> None:
        """The line ends."""
        text = "".join(self.text)
        cells = [_SPACES.sub(" ", cell).strip() for cell in text.split("\t")]
        look = replace(self.look, bold=self.begins_bold and self.bold * 3 > self.letters)
        line = line_of("\t".join(cell for cell in cells if cell), look)
        if line is not None and len(self.lines) < MOST:
            self.lines.append(line)
            self.look = replace(self.look, bullet=False, gap=False)
        self.text, self.bold, self.letters, self.begins_bold = [], 0, 0, False


def tree_of(text: str) -> html.HtmlElement | None:
    """The page's elements; None where there are none. Nothing is loaded from elsewhere."""
    parser = html.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False
    )
    try:
        return html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError):
        return None


def lines_in(tree: html.HtmlElement) -> list[Line]:
    """The lines that a reader of the page sees."""
    writer = _Writer()
    _walk(tree, writer, bold=False, depth=0)
    writer.end()
    return _name_begins(writer.lines)


def _name_begins(lines: list[Line]) -> list[Line]:
    """The only heading of the first rank begins afresh: a column may stand before the name."""
    first = [number for number, line in enumerate(lines) if line.level == 1]
    if len(first) == 1:
        lines[first[0]] = replace(lines[first[0]], fresh=True)
    return lines


def text_in(element: html.HtmlElement) -> str:
    """The text of an element on one line."""
    return " ".join(line.plain for line in lines_in(element))


def _walk(element: html.HtmlElement, writer: _Writer, *, bold: bool, depth: int) -> None:
    tag = element.tag
    if not isinstance(tag, str) or tag in _UNSEEN or depth > _DEEPEST or _is_hidden(element):
        return
    block, outer = tag in _BLOCKS, writer.look
    if block:
        writer.end()
        heading = _HEADING.fullmatch(tag)
        writer.look = Line(
            "",
            level=int(heading[1]) if heading else outer.level if tag != "body" else 0,
            bullet=tag == "li" or (outer.bullet and tag in {"p", "div"}),
            gap=heading is not None
            or tag in {"p", "section", "article", "table", "ul"}
            or outer.gap,
        )
    bold = bold or tag in {"b", "strong", "th"} or _HEADING.fullmatch(tag) is not None
    if element.text:
        writer.write(element.text, bold=bold)
    before: etree._Element | None = None
    for child in element:
        if before is not None and _are_apart(before, child):
            writer.text.append("\t")
        before = child
        _walk(child, writer, bold=bold, depth=depth + 1)
        if isinstance(child.tag, str):
            writer.text.extend(_behind(child))
            if child.tag == "br":
                writer.end()
        if child.tail:
            writer.write(child.tail, bold=bold)
    if block:
        writer.end()
        writer.look = replace(outer, bullet=outer.bullet and tag in {"p", "div"}, gap=False)


_INLINE: Final = frozenset({"a", "b", "em", "i", "small", "span", "strong", "time"})


def _are_apart(one: etree._Element, other: etree._Element) -> bool:
    """Two inline elements with nothing between are set apart by their style: ``Acme`` ``2019``."""
    return (
        one.tag in _INLINE
        and other.tag in _INLINE
        and not one.tail
        and min(len("".join(map(str, each.itertext()))) for each in (one, other)) > 2
    )


def _behind(child: html.HtmlElement) -> Iterator[str]:
    """What stands behind an element: a cell's end, or the address that a link hides."""
    if child.tag in {"td", "th"}:
        yield "\t"
    if child.tag != "a":
        return
    address = (child.get("href") or "").strip()
    shown = child.text_content()
    if address.lower().startswith("mailto:"):
        mail = address[7:].split("?")[0]
        if mail and mail not in shown:
            yield f" {mail} "
    elif _CONTACT.fullmatch(address) and "." not in shown:
        yield f" {address} "


def _is_hidden(element: html.HtmlElement) -> bool:
    style = element.get("style") or ""
    return (
        element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or _HIDDEN.search(style) is not None
    )
