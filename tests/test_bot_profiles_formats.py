"""What holds of every kind of document: one suite, asked of each format's examples.

``documents/NAME/`` has at least one ``good*`` with what it says beside it (``good.json``: a
list with the document of each profile, see ``storage.profile_json``) and one ``broken*`` that
gives nobody.
``python -m tests.test_bot_profiles_formats NAME/FILE`` prints what a good one is read as, to be
compared with the document by a person before it is kept.
"""

import json
import random
import sys
from pathlib import Path

import pytest

from bot.profiles.format import Format, UnreadableProfile
from bot.profiles.reader import FORMATS, read
from storage.profile_json import profile_from_document, profile_to_document

DOCUMENTS = Path(__file__).parent / "documents"
GOOD = sorted(each for each in DOCUMENTS.glob("*/good*") if each.suffix != ".json" or
              each.stem.endswith(".in"))  # fmt: skip
BROKEN = sorted(DOCUMENTS.glob("*/broken*"))
NAMES = [each.NAME for each in FORMATS]


def shown(path):
    return f"{path.parent.name}/{path.name}"


def expected(path):
    """``good.pdf`` is described by ``good.json``; ``good.in.json``, itself JSON, too."""
    return path.parent / f"{path.name.split('.')[0]}.json"


def read_as(path):
    reading = read("document", path.read_bytes())
    return [profile_to_document(each.profile) for each in reading.pages]


def test_every_format_has_a_good_and_a_broken_example_and_a_name_of_its_own():
    assert {each.parent.name for each in GOOD} == set(NAMES)
    assert {each.parent.name for each in BROKEN} == set(NAMES)
    assert len(NAMES) == len(set(NAMES))


@pytest.mark.parametrize("path", GOOD, ids=shown)
def test_a_good_example_is_claimed_by_its_format_whatever_it_is_called(path):
    content = path.read_bytes()
    for name in ("document", "cv.pdf", "people.csv"):
        claims = {each.NAME: each.claims(name, content) for each in FORMATS}
        assert max(claims, key=claims.__getitem__) == path.parent.name, claims
        assert all(0 <= claim <= 1 for claim in claims.values())


@pytest.mark.parametrize("path", GOOD, ids=shown)
def test_a_good_example_says_what_is_written_beside_it(path):
    assert read_as(path) == json.loads(expected(path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", GOOD, ids=shown)
def test_a_reading_is_whole(path):
    [form] = [each for each in FORMATS if path.parent.name == each.NAME]
    reading = read(path.name, path.read_bytes())
    assert reading.parser == f"{form.NAME}/{form.VERSION}"
    for page in reading.pages:
        assert page.profile.name.strip()
        assert page.text.strip(), "the part of the text that speaks of the person is kept"
        assert "\x00" not in page.text
        document = json.loads(json.dumps(profile_to_document(page.profile)))
        assert profile_from_document(document) == page.profile
        assert isinstance(form, Format) != bool(page.part)
    assert read(path.name, path.read_bytes()) == reading, "reading it again gives the same"


@pytest.mark.parametrize("path", BROKEN, ids=shown)
def test_a_broken_example_gives_nobody_and_a_sentence(path):
    with pytest.raises(UnreadableProfile) as refused:
        read(path.name, path.read_bytes())
    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert len(sentence) > 20
    assert "Traceback" not in sentence
    assert "Error" not in sentence


@pytest.mark.parametrize("path", GOOD, ids=shown)
def test_a_document_cut_off_or_damaged_anywhere_is_read_or_refused_with_a_sentence(path):
    content = path.read_bytes()
    dice = random.Random(path.name)
    for _ in range(40):
        kept = bytearray(content[: dice.randrange(1, len(content) + 1)])
        for _ in range(dice.randrange(4)):
            kept[dice.randrange(len(kept))] = dice.randrange(256)
        try:
            reading = read(path.name, bytes(kept))
        except UnreadableProfile as refused:
            assert str(refused).endswith((".", "…"))  # noqa: PT017
        else:
            assert all(each.profile.name for each in reading.pages)


if __name__ == "__main__":
    told = read_as(DOCUMENTS / sys.argv[1])
    sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=1) + "\n")
