"""All kinds of documents that are read."""

from typing import Final

from bot.profiles.cards.jcard import JCard
from bot.profiles.cards.vcard import VCard
from bot.profiles.docx.document import Docx
from bot.profiles.docx.one_file import WordXml
from bot.profiles.format import AnyFormat
from bot.profiles.github_user import GITHUB_USER
from bot.profiles.hr_xml.document import Europass, EuropassJson, HrOpen, HrXml
from bot.profiles.hr_xml.inside_pdf import EuropassPdf
from bot.profiles.html.document import Html
from bot.profiles.linkedin_export import LinkedInExport
from bot.profiles.mails.eml import Eml
from bot.profiles.mails.msg import Msg
from bot.profiles.odt.document import Odt
from bot.profiles.pdf.document import Pdf
from bot.profiles.prog_ai.page import ProgAiPage
from bot.profiles.resume.text import TextResume
from bot.profiles.resume_json.fresh import FRESH
from bot.profiles.resume_json.json_resume import JSON_RESUME
from bot.profiles.resume_json.manfred import MANFRED
from bot.profiles.resume_json.reactive import REACTIVE_RESUME
from bot.profiles.rtf.document import Rtf
from bot.profiles.tables.delimited import DelimitedTable
from bot.profiles.tables.workbook import Workbook
from bot.profiles.zip_archive import ZipArchive

FORMATS: Final[tuple[AnyFormat, ...]] = (
    # What holds documents is asked before what it holds, which shows through an e-mail.
    ZipArchive(),
    Eml(),
    Msg(),
    Europass(),
    HrXml(),
    EuropassJson(),
    HrOpen(),
    EuropassPdf(),
    ProgAiPage(),
    Pdf(),
    Docx(),
    WordXml(),
    Odt(),
    Rtf(),
    DelimitedTable(),
    Workbook(),
    REACTIVE_RESUME,
    JSON_RESUME,
    FRESH,
    MANFRED,
    LinkedInExport(),
    VCard(),
    JCard(),
    GITHUB_USER,
    Html(),
    TextResume(),
)
"""Of equal claims the earlier wins."""
