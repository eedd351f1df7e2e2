"""A process that reads documents and nothing else: ``python -m bot.profiles.worker``.

It reads a request from stdin and writes an answer to stdout, one after the other, until stdin
ends: frames of four bytes of length and as many of content. A request is the file's name as a
JSON text, then the file; the answer is one JSON document (``answer``), so that nothing that a
document could make of this process is ever executed by whoever asked. It has no tokens, no
database, and limits on memory and processor (``limits``) that end it rather than the machine.
"""

import json
import os
import resource
import struct
import sys
from dataclasses import asdict
from math import ceil
from typing import IO, Any, Final

from bot.profiles.format import PersonPage, Reading, Refusal, UnreadableProfile
from bot.profiles.reader import FormatFailed, read
from storage.profile_json import profile_from_document, profile_to_document

MEMORY: Final = 1024 * 1024 * 1024
"""Bytes beside those that the process has when it begins."""
PROCESSOR: Final = 60
"""Seconds of the processor for a document."""
_LENGTH: Final = struct.Struct(">I")
_WARMING: Final = (
    "Ada Byte\nSoftware Engineer\nOslo, Norway\n+47 22 85 50 50\n\nExperience\n\n"
    "Engineer, Nordlys, Bergen — Jan 2020 – Present\n- Built engines\n\nEducation\n\n"
    "BSc Mathematics, University of Oslo, 2015 – 2019\n\nSkills\n\nGo, SQL\n\nLanguages\n\n"
    "Norwegian (native), Dutch: B2\n"
)
"""Asks each table of places, months and languages that nearly all documents ask."""


def main() -> None:
    """Serve until stdin ends. What a library prints goes nowhere: stdout is for answers."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.nice(5)  # whoever waits for an answer to a question goes first
    answer("warming.txt", _WARMING.encode())
    limit_memory()
    requests = sys.stdin.buffer
    while (name := receive(requests)) is not None:
        content = receive(requests)
        if content is None:
            return
        limit_processor()
        send(answers, answer(json.loads(name), content))
        answers.flush()


def answer(name: str, content: bytes) -> bytes:
    """What the document says, or why not, as JSON."""
    try:
        said: dict[str, Any] = {"reading": reading_to_document(read(name, content))}
    except FormatFailed as failed:
        said = {"refused": str(failed), "format": failed.format, "error": failed.error}
    except UnreadableProfile as refused:
        said = {"refused": str(refused)}
    except MemoryError:
        said = {"refused": "", "error": "MemoryError"}
    return json.dumps(said, ensure_ascii=True, separators=(",", ":")).encode()


def reading_to_document(reading: Reading) -> dict[str, Any]:
    return {
        "parser": reading.parser,
        "refusals": [asdict(each) for each in reading.refusals],
        "pages": [
            {
                "profile": profile_to_document(each.profile),
                "text": each.text,
                "part": each.part,
                "parser": each.parser,
                "place": each.place,
            }
            for each in reading.pages
        ],
    }


def reading_from_document(document: dict[str, Any]) -> Reading:
    return Reading(
        parser=document["parser"],
        refusals=tuple(Refusal(**each) for each in document["refusals"]),
        pages=tuple(
            PersonPage(**{**each, "profile": profile_from_document(each["profile"])})
            for each in document["pages"]
        ),
    )


def receive(stream: IO[bytes]) -> bytes | None:
    """The next frame; None at the end of the stream."""
    length = stream.read(_LENGTH.size)
    if len(length) < _LENGTH.size:
        return None
    (size,) = _LENGTH.unpack(length)
    content = stream.read(size)
    return content if len(content) == size else None


def send(stream: IO[bytes], content: bytes) -> None:
    stream.write(_LENGTH.pack(len(content)) + content)


def limit_memory() -> None:
    with open("/proc/self/statm", encoding="ascii") as told:  # noqa: PTH123
        have = int(told.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (have + MEMORY, have + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_processor() -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = ceil(used.ru_utime + used.ru_stime) + PROCESSOR
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))


if __name__ == "__main__":
    main()
