"""Writes OpenDocument texts from the elements of their body and their styles."""

import io
import zipfile

KIND = "application/vnd.oasis.opendocument.text"
SPACES = " ".join(
    f'xmlns:{each}="urn:oasis:names:tc:opendocument:xmlns:{full}:1.0"'
    for each, full in {
        "office": "office", "style": "style", "text": "text", "table": "table", "draw": "drawing",
        "fo": "xsl-fo-compatible",
    }.items()
)  # fmt: skip


def content_xml(body, styles=""):
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {SPACES}>'
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )


def styles_xml(styles="", header="", footer=""):
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-styles {SPACES}>'
        f"<office:styles>{styles}</office:styles><office:master-styles><style:master-page>"
        f"<style:header>{header}</style:header><style:footer>{footer}</style:footer>"
        "</style:master-page></office:master-styles></office:document-styles>"
    )


def odt(body, styles="", header="", footer="", manifest="<manifest/>"):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (
            ("mimetype", KIND),
            ("content.xml", content_xml(body, styles)),
            ("styles.xml", styles_xml("", header, footer)),
            ("META-INF/manifest.xml", manifest),
        ):
            entry = zipfile.ZipInfo(name, (2024, 5, 1, 10, 0, 0))
            packed = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(entry, text, packed)
    return held.getvalue()


def flat_odt(body, styles=""):
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {SPACES} '
        f'office:version="1.3" office:mimetype="{KIND}">'
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document>"
    ).encode()
