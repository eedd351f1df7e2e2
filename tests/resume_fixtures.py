"""Word documents and other files of invented people, made by hand."""

import io
import zipfile
from xml.sax.saxutils import escape

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
    'content-types"><Default Extension="xml" ContentType="application/xml"/></Types>'
)


def p(text="", *, style="", bold=False, listed=False, size=0):
    """A paragraph; tabs and line breaks in ``text`` are written as Word writes them."""
    properties = f'<w:pStyle w:val="{style}"/>' if style else ""
    properties += '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>' if listed else ""
    runs = ("<w:b/>" if bold else "") + (f'<w:sz w:val="{size}"/>' if size else "")
    inner = "".join(
        {"\t": "<w:tab/>", "\n": "<w:br/>"}.get(piece, f'<w:t xml:space="preserve">{piece}</w:t>')
        for piece in _pieces(escape(text))
    )
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{runs}</w:rPr>{inner}</w:r></w:p>"


def _pieces(text):
    piece = ""
    for character in text:
        if character in "\t\n":
            if piece:
                yield piece
            yield character
            piece = ""
        else:
            piece += character
    if piece:
        yield piece


def table(*rows):
    """Cells are paragraphs."""
    written = "".join(
        "<w:tr>" + "".join(f"<w:tc>{cell}</w:tc>" for cell in row) + "</w:tr>" for row in rows
    )
    return f"<w:tbl>{written}</w:tbl>"


def part(root, inner):
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{root} xmlns:w="{W}">{inner}</w:{root}>'


def docx(body, *, header="", footer="", **others):
    """The bytes of a document; ``others`` are further parts by their name without ``.xml``."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("word/document.xml", part("document", f"<w:body>{body}</w:body>"))
        if header:
            archive.writestr("word/header1.xml", part("hdr", header))
        if footer:
            archive.writestr("word/footer1.xml", part("ftr", footer))
        for name, text in others.items():
            archive.writestr(f"word/{name}.xml", text)
    return file.getvalue()
