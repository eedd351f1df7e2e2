"""Documents that are damaged, mixed up or made to hurt, at the readers of every kind.

They are mutations of the examples in ``documents`` and of the labelled ones in
``cases/documents``: bytes flipped, cut, doubled and spliced, numbers made extreme, for archives
also inside the files that they hold. Whatever it is, it is read or refused with a sentence, by a
reader that did not fail, and in ``MOST_SECONDS`` of a processor. Input ``n`` of a seed is the same
in each run::

    .venv/bin/python -m tests.campaign_documents SEED NUMBER
"""

import io
import json
import random
import sys
import time
import zipfile
from functools import cache

from bot.profiles.reader import UnreadableProfile, read
from storage.profile_json import profile_from_document, profile_to_document
from tests.campaign_inputs import ROOT, Faults, main, run_all
from tests.campaign_verdict import Verdict

MOST_SECONDS = 20.0
"""Of a processor; a worker is ended after 60 (``bot.profiles.worker``)."""
LARGEST = 400_000
HOSTILE = (
    b"\0", b"\xff" * 8, b"\xef\xbb\xbf", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"]]>",
    b"{{{{", b"[" * 2_000, b"(" * 500, b"<a>" * 500, b"99999999999999999999", b"-1", b"0",
    b"1e999", b"NaN", b"=1+1", b"\r\n\r\n", b"\n--\n", b'"', b",", b";", b"\t",
    b"PK\x03\x04", b"%PDF-1.7", b"{\\rtf1", b"/FlateDecode", b"stream\n", b"endobj",
    b"BEGIN:VCARD\n", b"../../etc/passwd", b"&#0;", b"=?utf-8?q?",
)  # fmt: skip
ACTS = ("flip", "flip", "cut", "double", "hostile", "splice", "swap", "number", "inside", "short")


@cache
def examples() -> tuple[tuple[str, bytes], ...]:
    """(name, content) of every example, good and broken."""
    tests = ROOT / "tests"
    paths = [
        *(tests / "documents").glob("*/*"),
        *(each for each in (tests / "cases/documents").iterdir() if each.suffix != ".jsonl"),
    ]
    return tuple(
        (path.name, path.read_bytes())
        for path in sorted(paths)
        if path.is_file() and path.stat().st_size <= LARGEST
    )


def mutated(dice: random.Random) -> tuple[str, bytes]:
    """An example, changed once or several times."""
    name, content = dice.choice(examples())
    for _ in range(dice.randint(1, 5)):
        content = changed(dice, content)[:LARGEST]
    return name, content


def changed(dice: random.Random, content: bytes) -> bytes:
    at, to = sorted((dice.randint(0, len(content)), dice.randint(0, len(content))))
    act = dice.choice(ACTS)
    if act == "flip" and content:
        return flipped(dice, content)
    if act == "inside" and content.startswith(b"PK"):
        return changed_inside(dice, content)
    if act == "number":
        at = next((n for n in range(at, len(content)) if content[n : n + 1].isdigit()), at)
    return {
        "cut": content[:at] + content[to:],
        "double": content[:to] + content[at:to] + content[to:],
        "hostile": content[:at] + dice.choice(HOSTILE) + content[at:],
        "splice": content[:at] + dice.choice(examples())[1][at:],
        "swap": content[to:] + content[at:to] + content[:at],
        "number": content[:at] + dice.choice((b"0", b"-", b"9" * 12)) + content[at + 1 :],
        "short": content[:at],
    }.get(act, content)


def flipped(dice: random.Random, content: bytes) -> bytes:
    some = bytearray(content)
    for _ in range(dice.randint(1, 12)):
        some[dice.randrange(len(some))] = dice.randrange(256)
    return bytes(some)


def changed_inside(dice: random.Random, content: bytes) -> bytes:
    """The archive with one of its files changed; as it is where it cannot be opened."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = {each: archive.read(each) for each in archive.namelist()[:200]}
    except Exception:  # noqa: BLE001 - a damaged archive, which the reader gets as it is
        return content
    if files:
        name = dice.choice(sorted(files))
        files[name] = changed(dice, files[name])
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, held in files.items():
            archive.writestr(name, held)
    return made.getvalue()


def one(seed: int, number: int, faults: Faults) -> str:
    """Input ``number`` of the seed: what came of it. Raises what is wrong."""
    name, content = mutated(random.Random(f"documents {seed}/{number}"))
    begun = time.process_time()
    try:
        reading = read(name, content)
    except UnreadableProfile as refused:
        came = sentence(refused)
    else:
        came = "read"
        for page in reading.pages:
            assert page.profile.name.strip(), "a person has a name"
            document = json.loads(json.dumps(profile_to_document(page.profile)))
            assert profile_from_document(document) == page.profile, "stored and read back"
            page.text.encode("utf-8")
    took = time.process_time() - begun
    if faults.heard:
        raise AssertionError(f"a reader failed: {faults.heard.pop()} ({name})")
    assert took < MOST_SECONDS, f"{name} took {took:.0f} s"
    return came


def sentence(refused: Exception) -> str:
    assert str(refused).strip().endswith((".", "…")), "a refusal is a sentence"
    return "refused"


def run(size: int, seed: int) -> Verdict:
    return run_all("documents", "tests.campaign_documents", size, seed)


if __name__ == "__main__":
    main(one, *map(int, sys.argv[1:]))
