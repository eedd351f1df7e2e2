"""E-mails: what is attached is read, else what they say; nothing in them does harm."""

from email.message import EmailMessage

import pytest

from bot.profiles.format import UnreadableProfile
from bot.profiles.mails.eml import Eml
from bot.profiles.reader import read
from tests.ole_file import compound_file, outlook_message

PAGE = """{name}
Compiler Engineer at Nordlys Labs
Malmö, Sweden
Summary
{name} writes optimisation passes.
Github Skills (1)
mlir9
"""


def page(name):
    return PAGE.format(name=name)


def mail(text="See what is attached.", *attachments):
    message = EmailMessage()
    message["From"] = "Jobs <jobs@example.org>"
    message["To"] = "hiring@example.org"
    message["Subject"] = "A candidate"
    message["Date"] = "Wed, 01 May 2024 10:00:00 +0000"
    message.set_content(text)
    for name, content, kind in attachments:
        main, _, sub = kind.partition("/")
        message.add_attachment(content, maintype=main, subtype=sub, filename=name)
    return message


def told(reading):
    return [(each.profile.name, each.part) for each in reading.pages]


def test_the_attached_documents_are_read_and_not_the_letter_around_them():
    message = mail(
        page("Nobody Read"),
        ("Lebenslauf Müller.txt", page("Ines Adeyemi").encode(), "text/plain"),
        ("b.bin", page("Tomas Berg").encode(), "application/octet-stream"),
    )
    reading = read("x", message.as_bytes())
    assert told(reading) == [("Ines Adeyemi", "Lebenslauf Müller.txt"), ("Tomas Berg", "b.bin")]
    assert reading.parser == "eml/1"


def test_without_a_document_the_text_is_read_as_if_it_had_been_pasted():
    message = mail(page("Ines Adeyemi"), ("logo.png", b"\x89PNG", "image/png"))
    assert told(read("x", message.as_bytes())) == [("Ines Adeyemi", "message")]


def test_the_plain_text_is_preferred_to_its_html_twin():
    message = mail(page("Ines Adeyemi"))
    message.add_alternative("<p>something else</p>", subtype="html")
    assert told(read("x", message.as_bytes())) == [("Ines Adeyemi", "message")]


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "utf-16"])
@pytest.mark.parametrize("cte", ["base64", "quoted-printable"])
def test_texts_are_read_in_the_encoding_they_state(charset, cte):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@b.example", "c@d.example", "x"
    message.set_content(page("Jörg Müller"), charset=charset, cte=cte)
    [read_page] = read("x", message.as_bytes()).pages
    assert read_page.profile.name == "Jörg Müller"
    assert read_page.profile.location.city == "Malmö"


@pytest.mark.parametrize("charset", ["x-unknown", "us-ascii"])
def test_an_encoding_that_is_unknown_or_wrong_stops_nothing(charset):
    content = (
        f"From: a@b.example\nTo: c@d.example\nSubject: x\nContent-Type: text/plain; "
        f"charset={charset}\nContent-Transfer-Encoding: 8bit\n\n" + page("Jörg Müller")
    )
    assert told(read("x", content.encode()))[0][0] == "Jörg Müller"


def test_a_forwarded_mail_is_opened_and_one_in_that_is_not():
    forwarded = mail("x", ("a.txt", page("Ines Adeyemi").encode(), "text/plain"))
    message = mail()
    message.add_attachment(forwarded)
    assert told(read("x", message.as_bytes())) == [("Ines Adeyemi", "a.txt")]
    third = mail()
    third.add_attachment(message)
    with pytest.raises(UnreadableProfile, match="inside documents"):
        read("x", third.as_bytes())


def test_a_bad_attachment_is_refused_by_name_and_stops_no_other():
    message = mail(
        "x",
        ("broken.zip", b"PK\x03\x04 cut off", "application/zip"),
        ("winmail.dat", b"x\x9f>\x22", "application/ms-tnef"),
        ("a.txt", page("Ines Adeyemi").encode(), "text/plain"),
    )
    reading = read("x", message.as_bytes())
    assert told(reading) == [("Ines Adeyemi", "a.txt")]
    assert [each.name for each in reading.refusals] == ["broken.zip"]


@pytest.mark.parametrize(
    "field",
    [
        "Content-Disposition: attachment; filename*0*=utf-8''%ZZ; filename*1=\"",
        'Content-Disposition: attachment; filename="=?utf-9?Q?=ZZ?="',
        "Content-Type: ;;;\nContent-Disposition: ;filename=",
        "Subject: =?x?y?z?=\nContent-Type: multipart/mixed",
    ],
)
def test_odd_fields_never_stop_the_reader(field):
    content = f"From: a@b.example\nTo: c@d.example\nDate: x\n{field}\n\n{page('Ines Adeyemi')}"
    try:
        reading = read("x", content.encode())
    except UnreadableProfile as refused:
        assert "looks like one that I can read" not in str(refused)  # noqa: PT017
    else:
        assert reading.pages[0].profile.name == "Ines Adeyemi"


def test_multiparts_in_one_another_are_limited():
    depth = 3_000
    content = "From: a@b.example\nTo: c@d.example\nSubject: x\nMIME-Version: 1.0\n"
    for number in range(depth):
        content += f'Content-Type: multipart/mixed; boundary="{number}"\n\n--{number}\n'
    with pytest.raises(UnreadableProfile, match="e-mail"):
        read("x", content.encode())


@pytest.mark.parametrize(
    "text",
    [
        "Ines Adeyemi\nTo: the point\n",
        "Subject: me\nI am an engineer\n",
        "Name: Ines\nEmail: a@b.example\nPhone: 1\n",
        "",
    ],
)
def test_a_text_with_colons_is_no_mail(text):
    assert Eml().claims("x.eml", text.encode()) == 0


def test_a_mail_of_a_mailbox_is_read_too():
    content = (
        b"From jobs@example.org Wed May  1 10:00:00 2024\n" + mail(page("Ines Adeyemi")).as_bytes()
    )
    assert told(read("x", content)) == [("Ines Adeyemi", "message")]


def test_an_outlook_mail_gives_its_attachments():
    content = outlook_message(
        [("Lebenslauf Müller.txt", page("Ines Adeyemi").encode()), ("logo.png", b"\x89PNG")],
        "See what is attached",
    )
    reading = read("x", content)
    assert told(reading) == [("Ines Adeyemi", "Lebenslauf Müller.txt")]
    assert reading.refusals == ()


def test_an_outlook_mail_without_documents_gives_its_text():
    assert told(read("x", outlook_message([], page("Jörg Müller")))) == [("Jörg Müller", "message")]


def test_an_outlook_mail_of_nothing_is_refused():
    with pytest.raises(UnreadableProfile, match="no document attached"):
        read("x", outlook_message([], ""))


@pytest.mark.parametrize("attached", [{}, {"__properties_version1.0": b"\0" * 8}])
def test_an_outlook_item_inside_is_refused_by_name(attached):
    content = outlook_message(
        [("a.txt", page("Ines Adeyemi").encode())],
        **{"__attach_version1.0_#00000007": attached},
    )
    reading = read("x", content)
    assert told(reading) == [("Ines Adeyemi", "a.txt")]
    assert [each.name for each in reading.refusals] == ["attachment"]


def test_an_old_office_document_is_no_mail():
    with pytest.raises(UnreadableProfile):
        read("x", compound_file({"WordDocument": b"x" * 5_000}))
