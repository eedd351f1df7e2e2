"""ZIP archives: what lies in them is read, and nothing in them does harm."""

import io
import struct
import zipfile

import pytest

from bot.profiles.format import UnreadableProfile
from bot.profiles.reader import read
from bot.profiles.zip_archive import MOST_ENTRIES, ZipArchive

PAGE = """{name}
Compiler Engineer at Nordlys Labs
Malmö, Sweden
Summary
{name} writes optimisation passes.
Github Skills (1)
mlir9
"""


def page(name):
    return PAGE.format(name=name).encode()


def archive(*entries, packed=zipfile.ZIP_DEFLATED):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", packed) as target:
        for name, content in entries:
            target.writestr(name, content)
    return held.getvalue()


def names(reading):
    return [each.profile.name for each in reading.pages]


def test_each_document_is_read_and_says_which_file_it_was():
    reading = read(
        "x", archive(("a/Ines.txt", page("Ines Adeyemi")), ("Tomas.txt", page("Tomas Berg")))
    )
    assert [(each.profile.name, each.part) for each in reading.pages] == [
        ("Ines Adeyemi", "Ines.txt"),
        ("Tomas Berg", "Tomas.txt"),
    ]
    assert reading.parser == "zip/1"
    assert reading.pages[0].parser.startswith("prog-ai/")


def test_what_a_system_keeps_for_itself_is_not_even_refused():
    entries = ("__MACOSX/._a.txt", ".DS_Store", "a/.hidden", "Thumbs.db", "desktop.ini", "~$a.docx")
    reading = read(
        "x", archive(("a.txt", page("Ines Adeyemi")), *((each, b"x") for each in entries))
    )
    assert reading.refusals == ()


def test_one_bad_document_stops_no_other():
    reading = read(
        "x", archive(("bad.txt", b"nothing"), ("empty.txt", b""), ("a.txt", page("Ines Adeyemi")))
    )
    assert names(reading) == ["Ines Adeyemi"]
    assert [each.name for each in reading.refusals] == ["bad.txt", "empty.txt"]


def test_a_locked_document_is_refused_by_name():
    content = bytearray(archive(("locked.txt", b"x" * 50), ("a.txt", page("Ines Adeyemi"))))
    for magic, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.find(magic) + at] |= 1
    reading = read("x", bytes(content))
    assert names(reading) == ["Ines Adeyemi"]
    [refused] = reading.refusals
    assert refused.name == "locked.txt"
    assert "password" in refused.reason


def test_a_damaged_document_is_refused_and_the_next_is_read():
    content = bytearray(archive(("a.txt", page("Ines Adeyemi")), ("b.txt", page("Tomas Berg"))))
    content[50] ^= 0xFF
    reading = read("x", bytes(content))
    assert names(reading) == ["Tomas Berg"]
    assert "damaged" in reading.refusals[0].reason


@pytest.mark.parametrize("size", [5 * 1024 * 1024, 30 * 1024 * 1024])
def test_a_bomb_is_not_unpacked(size):
    content = archive(("bomb.txt", b"\x00" * size), ("a.txt", page("Ines Adeyemi")))
    reading = read("x", content)
    assert names(reading) == ["Ines Adeyemi"]
    assert [each.name for each in reading.refusals] == ["bomb.txt"]


def test_a_size_that_lies_is_not_believed():
    content = bytearray(archive(("bomb.txt", b"a" * 5_000_000), ("a.txt", page("Ines Adeyemi"))))
    for magic, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        content[(where := content.find(magic) + at) : where + 4] = struct.pack("<I", 10)
    assert names(read("x", bytes(content))) == ["Ines Adeyemi"]


def test_the_whole_is_limited_too(monkeypatch):
    monkeypatch.setattr("bot.profiles.zip_archive.MOST_BYTES", 1_000)
    people = [(f"{n}.txt", page(f"Ines {'ABCDEFGHIJ'[n]}deyemi")) for n in range(10)]
    reading = read("x", archive(*people))
    assert len(reading.pages) + len(reading.refusals) == 10
    assert reading.refusals
    assert "more than" in reading.refusals[0].reason


def test_too_many_files_are_refused_with_a_sentence():
    content = archive(*((f"{number}.txt", b"x") for number in range(MOST_ENTRIES + 1)))
    with pytest.raises(UnreadableProfile, match="more than 1,000 files"):
        read("x", content)


def test_an_archive_in_an_archive_is_read_and_a_third_is_not():
    inner = archive(("a.txt", page("Ines Adeyemi")))
    second = archive(("inner.zip", inner), ("b.txt", page("Tomas Berg")))
    assert names(read("x", second)) == ["Ines Adeyemi", "Tomas Berg"]
    reading = read("x", archive(("second.zip", second)))
    assert names(reading) == ["Tomas Berg"]
    assert [each.name for each in reading.refusals] == ["inner.zip"]


def test_an_empty_archive_says_so():
    with pytest.raises(UnreadableProfile, match="no document in it"):
        read("x", archive())


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ("Lebenslauf Müller.txt".encode("cp437"), "Lebenslauf Müller.txt"),
        ("Lebenslauf Müller.txt".encode(), "Lebenslauf Müller.txt"),
        ("王小明的简历文件.txt".encode("gb18030"), "王小明的简历文件.txt"),
        ("Резюме Иванова Юлия.txt".encode("cp1251"), "Резюме Иванова Юлия.txt"),
        (b"..\\..\\evil\\a.txt", "a.txt"),
    ],
)
def test_names_are_read_in_the_encoding_they_were_written_in(raw, told):
    placeholder = b"x" * len(raw)
    content = archive((placeholder.decode(), page("Ines Adeyemi"))).replace(placeholder, raw)
    assert read("x", content).pages[0].part == told


@pytest.mark.parametrize("inside", ["[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF"])
def test_an_office_document_is_no_archive_of_documents(inside):
    assert ZipArchive().claims("x.zip", archive((inside, b"x"), ("a.txt", b"x"))) == 0
